// Runs the cases in the files here. Each opens a page of its own, in a frame: modules are imported anew, and everything
// outside of the page is faked: the server, the clock, navigation, dialogs. Storage is emptied between cases.

const START = Date.parse('2026-03-07T20:00:00Z')
const ORIGIN = location.origin
const cases = {}
const scripts = {} // the URL of each script's text, for import maps
const opened = []
let importing = ''

// ---- what the files use

export function test(name, run) {
  cases[`${importing}: ${name}`] = run
}

export function equal(actual, expected, about = '') {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value, (_, each) => each === undefined ? '(undefined)' : each))
  if (is !== should) throw new Error(`${about && `${about}: `}${is}, not ${should}`)
}

// Lets everything happen that waits for nothing but other code.
export function settle() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = done
    port2.postMessage(null)
  })
}

// Waits for what the browser does in its own time, such as a layout or a picture.
export async function until(isTrue) {
  for (let tries = 0; !isTrue(); tries++) {
    if (tries === 3000) throw new Error(`never: ${isTrue}`)
    await new Promise((done) => setTimeout(done, 10))
  }
}

const short = (url) => String(url).replace(ORIGIN, '')

// Fakes the clock of a window. `tick` moves it on, and runs what is due.
function fakeClock(window) {
  let now = START
  let timers = []
  let last = 0
  window.Date = class extends window.Date {
    constructor(...given) {
      super(...given.length ? given : [now])
    }

    static now = () => now
  }
  window.performance.now = () => now - START
  window.setTimeout = (run, delay = 0, ...given) => {
    timers.push({ id: ++last, at: now + delay, run: () => run(...given) })
    return last
  }
  window.clearTimeout = (id) => {
    timers = timers.filter((timer) => timer.id !== id)
  }
  window.requestAnimationFrame = (run) => window.setTimeout(run, 16)
  window.AbortSignal.timeout = (delay) => {
    const controller = new window.AbortController()
    window.setTimeout(() => controller.abort(new window.DOMException('', 'TimeoutError')), delay)
    return controller.signal
  }
  return async function tick(time = 0) {
    const end = now + time
    await settle()
    for (;;) {
      const [next] = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at || one.id - other.id)
      if (!next) break
      window.clearTimeout(next.id)
      now = Math.max(now, next.at)
      next.run()
      await settle()
    }
    now = end
  }
}

// Fakes the server: a request waits in `requests` until a case answers it.
function fakeServer(window, requests) {
  return (url, { method = 'GET', body = null, headers = {}, signal, cache } = {}) => new Promise((resolve, reject) => {
    const answer = (content, status = 200, sent = {}) => {
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      const read = async () => text
      resolve({ status, ok: status >= 200 && status < 300, headers: new Headers(sent), text: read, json: async () => window.JSON.parse(text) })
      return settle()
    }
    const fail = (error = new window.TypeError('Failed to fetch')) => {
      reject(error)
      return settle()
    }
    const sent = { url: short(url), method, body: body && [...body].map(([name, value]) => [name, value]), headers, signal, cache, answer, fail }
    signal?.addEventListener('abort', () => {
      reject(signal.reason)
      if (requests.includes(sent)) requests.splice(requests.indexOf(sent), 1)
    })
    requests.push(sent)
  })
}

// Notes where the page would go, instead of going there.
function noteVisits(window, visits) {
  const note = (how) => (url) => { visits.push([how, short(new URL(url, window.location))]) }
  const noted = { __proto__: null, replace: note('replace'), assign: note('assign'), reload: () => { visits.push(['reload']) } }
  // the modules use this one; a window's own can't be replaced
  const real = window.location
  window.faked = { location: new Proxy({}, { get: (_, name) => noted[name] ?? real[name]?.bind?.(real) ?? real[name] }) }
  window.open = note('open')
  window.HTMLFormElement.prototype.submit = function submit() {
    if (this.isConnected) visits.push([this.method, short(this.action), Object.fromEntries(new FormData(this))])
  }
  // after the listeners of all scripts, also those on the window
  const atLast = (type, listener) => window.addEventListener(type, () => {
    window.removeEventListener(type, listener)
    window.addEventListener(type, listener)
  }, true)
  atLast('submit', (event) => {
    if (event.defaultPrevented || event.target.method === 'dialog') return
    event.preventDefault()
    visits.push(['submit', event.submitter?.value ?? null])
  })
  atLast('click', (event) => {
    const link = event.target.closest?.('a[href]')
    if (!link || event.defaultPrevented) return
    event.preventDefault()
    visits.push(['follow', link.getAttribute('href')])
  })
}

// Opens a page. `attributes` are those of <html>.
export async function open(html, { url = '/', attributes = 'lang="en"', prepare = () => {} } = {}) {
  const frame = document.body.appendChild(document.createElement('iframe'))
  const window = frame.contentWindow
  window.document.open()
  window.document.write(`<!doctype html><html ${attributes}><head><script type="importmap">${JSON.stringify({ imports: scripts })}</script></head><body>${html}</body></html>`)
  window.document.close()
  window.history.replaceState(null, '', url)
  const page = {
    window,
    document: window.document,
    requests: [], // neither answered nor given up
    visits: [],
    errors: [], // uncaught
    asked: [], // what `confirm` asked
    confirms: true,
    buzzes: [],
    $: (selector) => window.document.querySelector(selector),
    $$: (selector) => [...window.document.querySelectorAll(selector)],
    texts: (selector) => page.$$(selector).map((element) => element.textContent),
    value: (name) => window.document.getElementsByName(name)[0].value,
    // Returns the oldest request that wasn't answered.
    next: () => page.requests.shift() ?? (() => { throw new Error('nothing was sent') })(),
    // Moves the clock on until something is sent, by half a minute at most.
    untilSent: async () => {
      for (let time = 0; time < 30_000 && !page.requests.length; time += 100) await page.tick(100)
    },
    load: (name) => window.eval('(name) => import(name)')(`scripts/${name}`),
    // Fires an event as the browser would, with the given properties.
    fire: (target, type, properties = {}) => {
      const event = new window.Event(type, { bubbles: true, cancelable: true, composed: true })
      for (const [name, value] of Object.entries(properties)) Object.defineProperty(event, name, { value })
      return (typeof target === 'string' ? page.$(target) : target).dispatchEvent(event)
    },
    enter: (name, value) => {
      const [field] = window.document.getElementsByName(name)
      field.value = value
      page.fire(field, 'input')
    },
    tap: (selector) => {
      const element = page.$(selector)
      if (!element) throw new Error(`no ${selector}`)
      element.click()
      return settle()
    },
    // Does something, and returns whether each focus that it set left the page where it was scrolled to.
    focuses: async (act) => {
      const { prototype } = window.HTMLElement
      const { focus } = prototype
      const stays = []
      prototype.focus = function note(options) {
        stays.push(Boolean(options?.preventScroll))
        focus.call(this, options)
      }
      await act()
      prototype.focus = focus
      return stays
    },
    hide: (isHidden = true) => {
      window.Object.defineProperty(window.document, 'hidden', { value: isHidden, configurable: true })
      page.fire(window.document, 'visibilitychange')
      return settle()
    },
    fake: (object, name, value) => Object.defineProperty(object, name, { value, configurable: true, writable: true }),
  }
  page.tick = fakeClock(window)
  page.fake(window.Math, 'random', () => 1)
  window.fetch = fakeServer(window, page.requests)
  window.confirm = (text) => {
    page.asked.push(text)
    return page.confirms
  }
  page.fake(window.navigator, 'vibrate', (time) => page.buzzes.push(time))
  noteVisits(window, page.visits)
  window.addEventListener('error', (event) => {
    // no script's error: sizes that change while they are reported are reported again in the next frame
    if (!/^ResizeObserver loop/.test(event.message)) page.errors.push(String(event.error ?? event.message))
  })
  window.addEventListener('unhandledrejection', ({ reason }) => { page.errors.push(String(reason?.stack ?? reason)) })
  opened.push({ frame, page })
  await prepare(page)
  return page
}

// ---- what the Python test uses

export function begin(texts) {
  for (const [name, text] of Object.entries(texts)) {
    const inside = text
      .replace(/((?:from|import) ')(\.[^']+)'/g, (_, before, path) => `${before}scripts${new URL(path, `https://x/${name}`).pathname}'`)
    const module = `const { location } = globalThis.faked; ${inside}\n//# sourceURL=${ORIGIN}/static/scripts/${name}`
    scripts[`scripts/${name}`] = URL.createObjectURL(new Blob([module], { type: 'text/javascript' }))
  }
}

export async function run(file, name) {
  localStorage.clear()
  sessionStorage.clear()
  importing = file
  await import(`/${file}`)
  try {
    await cases[`${file}: ${name}`]()
    await settle()
    equal(opened.flatMap(({ page }) => page.errors), [], 'uncaught')
  } finally {
    for (const { frame } of opened.splice(0)) frame.remove()
  }
}
