import { equal, open, settle, test, until } from './harness.js'

const ORIGIN = 'https://table.test'
const CSS = '/static/styles/a.css?v=1'
const JS = '/static/scripts/a.js?v=2'
const html = (text, ...files) => `<html lang="en"><link href="${CSS}">${files.map((file) => `<script src="${file}"></script>`).join('')}${text}</html>`
const keeps = (pages, night = '/night') => ({ 'Companion-Keep': JSON.stringify({ night, pages }) })

// Starts a service worker. `site`: what the server has, as [text, status, headers] at each path; a missing one is no connection.
const begin = async (site = {}) => {
  for (const name of await caches.keys()) await caches.delete(name)
  const page = await open('', { url: '/worker.js' })
  const { window } = page
  const fetched = []
  const done = []
  const promises = []
  Object.assign(window, { registration: { scope: `${ORIGIN}/` }, clients: { claim: async () => done.push('claim') }, skipWaiting: () => done.push('skipWaiting') })
  window.fetch = async (asked, options) => {
    const url = String(asked.url ?? new URL(asked, ORIGIN)).replace(ORIGIN, '')
    fetched.push([asked.method ?? 'GET', url, ...options?.headers ? [options.headers] : []])
    const found = site[url] ?? site[url.split('?')[0]]
    if (!found) throw new window.TypeError('Failed to fetch')
    if (found === 'late') return new Promise(() => {})
    const [text, status = 200, headers = {}, isRedirected = false] = found
    const answer = () => Object.defineProperties(new Response(text, { status, headers }), { redirected: { value: isRedirected }, clone: { value: answer } })
    return answer()
  }
  // static files are fetched by the cache itself
  window.Cache.prototype.add = async function add(file) { await this.put(file, await window.fetch(file)) }
  await page.load('worker.js')
  const send = (type, properties) => page.fire(window, type, { waitUntil: (promise) => promises.push(promise), ...properties })
  const rest = async () => { while (promises.length) await promises.shift() }
  // Asks for a page as the browser does when it is visited; returns the answer, undefined if the worker leaves it alone.
  const ask = (url, { method = 'GET', mode = 'navigate', headers = { Accept: 'text/html,*/*' }, ...more } = {}) => {
    const request = new Request(new URL(url, ORIGIN), { method, headers })
    for (const [name, value] of Object.entries({ mode, ...more })) Object.defineProperty(request, name, { value })
    let answer
    send('fetch', { request, respondWith: (given) => { answer = given } })
    return answer
  }
  const visit = async (url, options) => {
    const answer = await ask(url, options)
    await rest()
    return answer
  }
  const kept = async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url.replace(ORIGIN, '')).sort()
  return { page, site, fetched, done, send, rest, ask, visit, pages: () => kept('pages'), files: () => kept('files') }
}

const NIGHT = { [CSS]: ['css'], [JS]: ['js'], '/night': [html('table', JS), 200, keeps({ '/night': 'm1', '/night/round': 'm2' })], '/night/round': [html('round')] }

test('a new worker takes over at once', async () => {
  const { send, done, rest } = await begin()
  send('install')
  send('activate')
  await rest()
  equal(done, ['skipWaiting', 'claim'])
})

test('a visited page is kept, with its files and the pages that belong to it', async () => {
  const { visit, pages, files, fetched } = await begin(NIGHT)
  equal(await (await visit('/night?since=2#x')).text(), html('table', JS))
  equal([await pages(), await files()], [['/night', '/night/round'], [JS, CSS].sort()])
  equal(fetched.map(([, url]) => url).sort(), ['/night?since=2#x', '/night/round', CSS, JS].sort())
  const kept = await (await caches.open('pages')).match('/night')
  equal(['Seen', 'Night', 'Mark'].map((name) => kept.headers.get(`Companion-${name}`)), ['2026-03-07T20:00:00.000Z', '/night', 'm1'])
})

test('what describes the transfer of a page is not kept with it', async () => {
  const { visit } = await begin({ ...NIGHT, '/night': [html('table'), 200, { ...keeps({ '/night': 'm1' }), 'Content-Encoding': 'gzip', 'Content-Length': '9', 'X-Other': 'x' }] })
  await visit('/night')
  const { headers } = await (await caches.open('pages')).match('/night')
  equal(['Content-Encoding', 'Content-Length', 'X-Other'].map((name) => headers.get(name)), [null, null, 'x'])
})

test('pages are fetched again only if they changed, and files only once', async () => {
  const { site, visit, fetched } = await begin({ ...NIGHT })
  await visit('/night')
  fetched.splice(0)
  await visit('/night')
  equal(fetched.map(([, url]) => url), ['/night'])
  site['/night'] = [html('table', JS), 200, keeps({ '/night': 'm3', '/night/round': 'm4' })]
  site['/night/round'] = [html('new round')]
  await visit('/night')
  equal(fetched.map(([, url]) => url), ['/night', '/night', '/night/round'])
  equal((await (await (await caches.open('pages')).match('/night/round')).text()).includes('new round'), true)
})

test('a page that is gone or leads elsewhere is not kept any more', async () => {
  for (const gone of [['', 404], [html('other'), 200, {}, true]]) {
    const { site, visit, pages } = await begin({ ...NIGHT })
    await visit('/night')
    site['/night'] = [html('table'), 200, keeps({ '/night': 'm1', '/night/round': 'm9' })]
    site['/night/round'] = gone
    await visit('/night')
    equal(await pages(), ['/night'])
  }
})

test('only one night is kept, with the files that it needs', async () => {
  const { site, visit, pages, files } = await begin({ ...NIGHT })
  await visit('/night')
  site['/other'] = [html('other'), 200, keeps({ '/other': 'm1' }, '/other')]
  await visit('/other')
  equal([await pages(), await files()], [['/other'], [CSS]])
})

test('pages without the header, errors and redirects are not kept', async () => {
  const rows = [[html('x')], [html('x'), 500, keeps({ '/night': 'm1' })], [html('x'), 200, keeps({ '/night': 'm1' }), true]]
  for (const answer of rows) {
    const { visit, pages } = await begin({ ...NIGHT, '/night': answer })
    await visit('/night')
    equal(await pages(), [])
  }
})

test('what a form was answered is not kept', async () => {
  const { visit, pages } = await begin(NIGHT)
  await visit('/night', { method: 'POST' })
  equal(await pages(), [])
})

test('pages that scripts ask for are kept as well', async () => {
  const { visit, pages } = await begin(NIGHT)
  await visit('/night', { mode: 'cors' })
  equal(await pages(), ['/night', '/night/round'])
})

test('a phone that lost access forgets the night, but not the offline page', async () => {
  for (const status of [403, 404, 410]) {
    const { site, visit, pages, files } = await begin({ ...NIGHT, '/offline': [html('offline'), 200, {}] })
    site['/night'] = [html('table', JS), 200, keeps({ '/night': 'm1', '/offline': 'm0' })]
    await visit('/night')
    equal(await pages(), ['/night', '/offline'])
    site['/night'] = ['', status]
    equal((await visit('/night')).status, status)
    equal([await pages(), await files()], [['/offline'], [CSS]], status)
  }
  const { site, visit, pages } = await begin({ ...NIGHT })
  await visit('/night')
  site['/night'] = ['', 500]
  await visit('/night')
  equal(await pages(), ['/night', '/night/round'])
})

test('without a connection the copy is shown, which says how old it is', async () => {
  const { page, site, visit } = await begin({ ...NIGHT })
  await visit('/night')
  await page.tick(60_000)
  delete site['/night']
  const copy = await visit('/night?x=1')
  equal([copy.status, await copy.text()], [200, html('table', JS).replace('<html', '<html data-seen="2026-03-07T20:00:00.000Z" data-night="/night"')])
})

test('other pages are the offline page then, which leads to the last night', async () => {
  const { site, visit } = await begin({ ...NIGHT, '/offline': [html('offline')] })
  site['/night'] = [html('table'), 200, keeps({ '/night': 'm1', '/offline': 'm0' })]
  await visit('/night')
  const away = await visit('/elsewhere')
  equal([away.status, (await away.text()).startsWith('<html data-seen="2026-03-07T20:00:00.000Z" data-night="/night"')], [503, true])
  await (await caches.open('pages')).delete('/night')
  equal((await (await visit('/elsewhere')).text()).includes('data-night=""'), true)
})

test('without any copy there is only an error', async () => {
  const { visit } = await begin()
  equal((await visit('/night')).type, 'error')
})

test('a server that takes too long is away, if there is a copy', async () => {
  const { page, site, visit, ask, fetched } = await begin({ ...NIGHT })
  await visit('/night')
  site['/night'] = site['/new'] = 'late'
  let copy = null
  let other = null
  ask('/night').then((answer) => { copy = answer })
  ask('/new').then((answer) => { other = answer })
  await until(() => fetched.filter(([, url]) => url === '/night').length === 2) // then the clock runs
  await page.tick(9999)
  equal([copy, other], [null, null])
  await page.tick(1)
  await until(() => copy)
  equal([copy.status, other], [200, null])
})

test('what scripts ask for fails as without a worker', async () => {
  const { ask } = await begin()
  let error = null
  await ask('/night', { mode: 'cors' }).catch((thrown) => { error = thrown.message })
  equal(error, 'Failed to fetch')
})

test('going back to what a form was answered shows the page with the form', async () => {
  const rows = [
    [{ isHistoryNavigation: true, referrer: `${ORIGIN}/night/round` }, 303, '/night/round'],
    [{ isReloadNavigation: true, referrer: '' }, 303, '/night/save'],
    [{}, 503, null],
    [{ url: `${ORIGIN}/night` }, 503, null],
  ]
  for (const [more, status, address] of rows) {
    const { site, visit } = await begin({ ...NIGHT, '/offline': [html('offline')] })
    site['/night'] = [html('table'), 200, keeps({ '/night': 'm1', '/offline': 'm0' })]
    await visit('/night')
    delete site['/night']
    const answer = await visit('/night/save', { method: 'POST', isHistoryNavigation: false, isReloadNavigation: false, ...more })
    equal([answer.status, answer.headers.get('Location')?.replace(ORIGIN, '') ?? null], [status, address])
  }
})

test('going back to a page shows its copy', async () => {
  const { site, visit } = await begin({ ...NIGHT })
  await visit('/night')
  delete site['/night']
  equal((await visit('/night', { isHistoryNavigation: true })).status, 200)
})

test('files come from the cache, or else from the server', async () => {
  const { visit, ask, fetched } = await begin({ ...NIGHT, '/static/new.js?v=3': ['new'] })
  await visit('/night')
  fetched.splice(0)
  const text = async (url) => (await ask(url, { mode: 'no-cors', headers: {} })).text()
  equal([await text(JS), await text('/static/new.js?v=3'), fetched.map(([, url]) => url)], ['js', 'new', ['/static/new.js?v=3']])
})

test('other requests are left alone', async () => {
  const { ask } = await begin(NIGHT)
  const rows = ['/static/manifest.json', '/night/state?v=1', 'https://elsewhere.test/night', `https://elsewhere.test${JS}`]
  equal(rows.map((url) => ask(url, { mode: 'cors', headers: url.includes('elsewhere') ? { Accept: 'text/html' } : {} })), [undefined, undefined, undefined, undefined])
})

test('the page of a first visit is kept when it says so', async () => {
  const { page, send, rest, pages, fetched } = await begin(NIGHT)
  send('message', { data: { keep: `${ORIGIN}/night` } })
  await rest()
  equal([await pages(), fetched[0]], [['/night', '/night/round'], ['GET', '/night', { Accept: 'text/html' }]])
  send('message', { data: { keep: `${ORIGIN}/lost` } })
  await rest()
  await settle()
  equal(page.errors, [])
})

// Begins with these windows open; what is shown and opened is noted.
const reminding = async (...windows) => {
  const begun = await begin()
  const { window } = begun.page
  const done = []
  window.registration.showNotification = async (title, { body, tag, silent, data }) => { done.push([title, body, tag, silent, data]) }
  window.clients.matchAll = async () => windows.map(([url, visibilityState]) => ({ url, visibilityState, focus: async () => done.push(`focus ${url}`) }))
  window.clients.openWindow = async (url) => done.push(`open ${url}`)
  const remind = async () => {
    begun.send('push', { data: { json: () => ({ title: 'Friday', body: 'Your turn', page: 's/n' }) } })
    await begun.rest()
    return done.splice(0)
  }
  const press = async () => {
    begun.send('notificationclick', { notification: { data: `${ORIGIN}/s/n`, close: () => done.push('close') } })
    await begun.rest()
    return done.splice(0)
  }
  return { remind, press }
}

test('a reminder is shown, silently if the night is on the screen', async () => {
  const url = `${ORIGIN}/s/n`
  const shown = (silent) => [['Friday', 'Your turn', url, silent, url]]
  equal(await (await reminding()).remind(), shown(false))
  equal(await (await reminding([`${url}/rounds`, 'hidden'], [`${ORIGIN}/`, 'visible'])).remind(), shown(false))
  equal(await (await reminding([`${url}/rounds`, 'visible'])).remind(), shown(true))
})

test('a reminder that is pressed leads to the night', async () => {
  const url = `${ORIGIN}/s/n`
  equal(await (await reminding([`${ORIGIN}/`, 'visible'])).press(), ['close', `open ${url}`])
  equal(await (await reminding([`${ORIGIN}/`, 'visible'], [`${url}/rounds`, 'hidden'])).press(), ['close', `focus ${url}/rounds`])
})
