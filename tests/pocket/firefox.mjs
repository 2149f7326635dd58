// Tries the app in Firefox, which Playwright drives only in a build of its own: node --experimental-websocket
// tests/pocket/firefox.mjs FOLDER, where `companion pocket FOLDER/pocket --scope /pocket/` has written the app. Firefox
// (Debian: firefox-esr) is told what to do by WebDriver BiDi. Prints line by line what worked.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PORT = 9334
const folder = mkdtempSync(join(tmpdir(), 'host-'))
cpSync(process.argv[2], folder, { recursive: true })
const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript' }
const asked = []
const host = createServer(({ url }, answer) => {
  let path = decodeURIComponent(url.split('?')[0])
  asked.push(path)
  if (path.endsWith('/')) path += 'index.html'
  try {
    const content = readFileSync(join(folder, path))
    answer.writeHead(200, { 'Content-Type': TYPES[path.split('.').at(-1)] ?? 'text/plain', 'Cache-Control': 'no-cache' })
    answer.end(content)
  } catch {
    answer.writeHead(404)
    answer.end()
  }
})
await new Promise((listens) => host.listen(0, '127.0.0.1', listens))
const address = `http://localhost:${host.address().port}/pocket/`
const newProfile = () => mkdtempSync(join(tmpdir(), 'firefox-'))
const profile = newProfile()

const HELPERS = `
  const until = async (is, latest = Date.now() + 150000) => {
    for (;;) {
      try { const found = is(); if (found) return found } catch {}
      if (Date.now() > latest) throw new Error('never: ' + is)
      await new Promise((over) => setTimeout(over, 50))
    }
  }
  const byId = (id) => document.getElementById(id)
  const app = () => byId('app').contentDocument
  const find = (what) => app().querySelector(what)
  const tap = async (what) => (await until(() => find(what))).click()
  const leave = async (how) => {
    const before = app()
    await how()
    await until(() => app() !== before && app().readyState === 'complete' && find('main'))
  }
  const visit = (path) => leave(() => { app().location.href = path })
  const shown = () => until(() => ['start', 'again', 'app'].some((id) => !byId(id).hidden))
  const state = () => ({ title: byId('title').textContent, step: byId('step').textContent, isOpen: !byId('app').hidden })
  const goOn = async () => { await shown(); if (!byId('start').hidden) byId('start').click(); await until(() => find('main')) }
  const words = () => find('main').innerText.replace(/\\s+/g, ' ').slice(0, 60)
  const newNight = async () => {
    await leave(() => tap('a.primary[href$="/groups/new"]'))
    find('[name=name]').value = 'Friday'
    for (const [at, name] of ['Ana', 'Beto', 'Caro'].entries()) app().querySelectorAll('[name=player]')[at].value = name
    await leave(() => tap('button[value=make]'))
    find('[name=game][value="knock-poker"]').click()
    await leave(() => tap('button[value=start]'))
    return app().location.href.split('?')[0]
  }
  const playRound = async (night) => {
    await visit(night + '/round?game=knock-poker')
    await until(() => find('form.tapping'))
    for (const [seat, hand] of ['9s 9h 9d 4c 4d', 'Ah Kh 8h 5h 3h', '8c 8d Js 7d 4h'].entries()) {
      find('[data-tab="' + seat + '"]').click()
      for (const card of hand.split(' ')) await tap('[data-picker] [data-piece="' + card + '"][aria-pressed=false]')
    }
    find('[data-tab="0"]').click()
    find('[name=asked-knocker][value="0"]').closest('label').click()
    await tap('[data-save]')
    await until(() => app().location.href.includes('/lines/') && find('main'))
    return words()
  }
`

async function firefox(place, preferences = {}) {
  const all = { 'browser.download.folderList': 2, 'browser.download.dir': place, ...preferences }
  const lines = Object.entries(all).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
  writeFileSync(join(place, 'user.js'), lines.join('\n'))
  const options = ['--headless', '--no-remote', '--profile', place, `--remote-debugging-port=${PORT}`]
  const program = spawn('firefox-esr', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise((heard) => program.stderr.on('data', (said) => `${said}`.includes('BiDi listening') && heard()))
  const socket = new WebSocket(`ws://127.0.0.1:${PORT}/session`)
  await new Promise((opened) => { socket.onopen = opened })
  const waiting = []
  socket.onmessage = ({ data }) => { const said = JSON.parse(data); waiting[said.id]?.(said) }
  const send = (method, params) => new Promise((got, failed) => {
    const id = waiting.push(({ type, result, message }) => type === 'error' ? failed(new Error(message)) : got(result)) - 1
    socket.send(JSON.stringify({ id, method, params }))
  })
  await send('session.new', { capabilities: {} })
  return {
    async tab() {
      const { context } = await send('browsingContext.create', { type: 'tab' })
      return {
        open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
        close: () => send('browsingContext.close', { context }),
        print: async () => Buffer.from((await send('browsingContext.print', { context })).data, 'base64').toString('latin1'),
        async run(script) {
          const expression = `(async () => { ${HELPERS} ${script} })().then((found) => JSON.stringify(found ?? null))`
          const { type, result, exceptionDetails } = await send(
            'script.evaluate', { expression, target: { context }, awaitPromise: true })
          if (type === 'exception') throw new Error(exceptionDetails.text)
          return JSON.parse(result.value)
        },
      }
    },
    async end() {
      const ended = new Promise((over) => program.on('exit', over))
      program.kill('SIGKILL')
      await ended
    },
  }
}

let browser = await firefox(profile)
let tab = await browser.tab()
let night
const at = (path = '') => `${address}#/${night.slice(address.length)}${path}`

async function tries(what, does) {
  try {
    console.log('worked:', what, JSON.stringify(await does()) ?? '')
  } catch (error) {
    console.log('FAILED:', what, String(error.message ?? error).slice(0, 300))
  }
}

async function again(place, preferences) {
  await browser.end()
  browser = await firefox(place, preferences)
  tab = await browser.tab()
}

// Puts the same build on the host under another name.
function publish(name) {
  const site = join(folder, 'pocket')
  const [old] = /[0-9a-f]{12}/.exec(readFileSync(join(site, 'worker.js'), 'utf8'))
  const scripts = readdirSync(join(site, 'pocket')).filter((file) => file.endsWith('.js')).map((one) => join('pocket', one))
  for (const file of ['worker.js', ...scripts].map((one) => join(site, one))) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(old, name))
  }
}

async function everyPage() {
  const group = await tab.run(`await visit('${address}'); return /\\/g\\/([^/?#]+)/.exec(find('a[href*="/g/"]').href)[1]`)
  const listed = JSON.parse(execFileSync('.venv/bin/python', ['tests/pocket/pocket_pages.py'], { env: { ...process.env, PYTHONPATH: '.' } }))
  const paths = listed.map((path) => path.replace('/g/G', `/g/${group}`).replace('/N', `/${night.split('/').at(-1)}`))
  const statuses = await tab.run(`const found = {}
    const get = app().defaultView.fetch
    for (const path of ${JSON.stringify(paths)}) found[path] = (await get(path).catch(() => ({ status: 0 }))).status
    return found`)
  const usual = (path) => [200, 404, path.includes('/api/') ? 401 : 200]
  const odd = Object.entries(statuses).filter(([path, status]) => !usual(path).includes(status))
  if (odd.length) throw new Error(JSON.stringify(odd))
  return { pages: paths.length, shown: Object.values(statuses).filter((one) => one === 200).length }
}

async function savedCopy() {
  await tab.run(`await visit('${night}/close')
    await leave(() => tap('button[value=leave]'))
    find('#copy-due').closest('section').querySelector('a[download]').click()
    await until(() => !find('#copy-due'))`)
  for (let left = 400; left; left--) {
    const name = readdirSync(profile).find((one) => one.endsWith('.json') && one.toLowerCase().includes('friday'))
    if (name && statSync(join(profile, name)).size) {
      return { name, names: Object.keys(JSON.parse(readFileSync(join(profile, name)))).length }
    }
    await new Promise((over) => setTimeout(over, 50))
  }
  throw new Error(`no file among ${readdirSync(profile).filter((one) => one.endsWith('.json'))}`)
}

// Firefox stops a worker that takes longer than this. Here the engine never answers; the shell's request isn't guarded.
async function stopped() {
  await again(profile, { 'dom.serviceWorkers.idle_timeout': 2000, 'dom.serviceWorkers.idle_extended_timeout': 500 })
  await tab.open(at('/rounds'))
  const answers = await tab.run(`await until(() => find('main'))
    Worker.prototype.postMessage = () => {}
    const ask = ({ fetch }, who) => fetch('${night}/state/' + who, { cache: 'no-store' }).then(({ status }) => status, () => 'none')
    return Promise.all([ask(app().defaultView, 'page'), ask(window, 'shell')])`)
  const strays = asked.splice(0).filter((path) => path.includes('/state/')).map((path) => path.split('/').at(-1))
  await again(profile, { 'dom.serviceWorkers.idle_timeout': 30000, 'dom.serviceWorkers.idle_extended_timeout': 300000 })
  await tab.open(at())
  await tab.run("await until(() => find('main'))")
  if (strays.includes('page')) throw new Error('the host was asked')
  return { answers, strays }
}

async function takeover() {
  const second = await browser.tab()
  await second.open(address)
  await second.run('await goOn()')
  const isGuest = await second.run('return times.ready === undefined')
  await tab.close()
  tab = second
  const page = await tab.run(`await visit('${address}groups/new'); return { owns: times.ready !== undefined, page: words() }`)
  return { isGuest, ...page }
}

async function newBuild() {
  publish('0123456789ab')
  await tab.run(`const one = await navigator.serviceWorker.getRegistration()
    await one.update()
    await until(() => one.waiting)`)
  const whilePlaying = await tab.run('return (await caches.keys()).length')
  const next = await browser.tab()
  await tab.close()
  tab = next
  await tab.open(at())
  const then = await tab.run(`await goOn()
    for (let left = 200; (await caches.keys()).length > 1 && left; left--) await new Promise((over) => setTimeout(over, 50))
    return { builds: await caches.keys(), night: find('h1').innerText }`)
  return { whilePlaying, ...then }
}

// Deletes what the browser keeps of the app, as one does that wants room.
async function deleted(what) {
  await tab.open(`${address}pocket/shell.css`)
  await tab.run(`await until(() => true)
    while ((await navigator.locks.query()).held.length) await new Promise((over) => setTimeout(over, 50))
    if ('${what}' === 'files') return Promise.all((await caches.keys()).map((name) => caches.delete(name)))
    const root = await navigator.storage.getDirectory()
    const forget = () => root.removeEntry('companion', { recursive: true }).then(() => true, () => false)
    while (!await forget()) await new Promise((over) => setTimeout(over, 50))`)
  await tab.open(address)
  return tab.run('await shown(); return state()')
}

// Firefox counts a site's room by its own limits, and a site may have a fifth of them all.
async function full() {
  const usage = await tab.run('return (await navigator.storage.estimate()).usage')
  await again(profile, { 'dom.quotaManager.temporaryStorage.fixedLimit': Math.floor(usage / 1024 - 500) * 5 })
  await tab.open(at())
  return tab.run('await shown(); return { ...await navigator.storage.estimate(), ...state() }')
}

try {
  await tries('a first visit', async () => { await tab.open(address); return tab.run('await shown(); return state()') })
  const before = asked.length
  await tries('a night', async () => { night = await tab.run('await goOn(); return newNight()'); return night })
  await tries('a round by taps', () => tab.run(`return playRound('${night}')`))
  await tries('killed after the save, a later start', async () => {
    await again(profile)
    await tab.open(at('/rounds'))
    return tab.run('await until(() => find("main")); return { restored: times.restored, rounds: words() }')
  })
  await tries('every page', everyPage)
  await tries('a copy saved', savedCopy)
  await tries('print', async () => {
    await tab.run(`await visit('${address}help/knock-poker')`)
    const printed = await tab.print()
    return { bytes: printed.length, pages: printed.match(/\/Type\s*\/Page\b/g)?.length }
  })
  await tries('nothing was asked of the host', async () => {
    const others = asked.slice(before).filter((path) => !path.endsWith('/worker.js'))
    if (others.length) throw new Error(others.slice(0, 5).join(' '))
  })
  await tries('a service worker that is stopped while it answers', stopped)
  await tries('two tabs, the first one closed', takeover)
  await tries('a new build', newBuild)
  await tries('deleted files', () => deleted('files'))
  await tries('full storage', full)
  await tries('deleted nights', async () => {
    await again(profile, { 'dom.quotaManager.temporaryStorage.fixedLimit': -1 })
    return deleted('nights')
  })
  for (const [what, preferences] of [
    ['a private window', { 'browser.privatebrowsing.autostart': true }],
    ['a phone without room for the app', { 'dom.quotaManager.temporaryStorage.fixedLimit': 500_000 }],
    ['Spanish', { 'intl.accept_languages': 'es-MX,es' }],
  ]) {
    await tries(what, async () => {
      await again(newProfile(), preferences)
      await tab.open(address)
      const seen = await tab.run('await shown(); return state()')
      return what === 'Spanish' ? [seen, await tab.run('await goOn(); return playRound(await newNight())')] : seen
    })
  }
} finally {
  await browser.end()
  host.closeAllConnections()
}
process.exit(0)
