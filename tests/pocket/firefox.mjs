// Tries the app in Firefox, which Playwright drives only in a build of its own: node --experimental-websocket
// tests/pocket/firefox.mjs http://localhost:8000/pocket/
// A first visit, a group, a night, and a round by taps; then the browser is killed, and the round must be there. Firefox
// (Debian: firefox-esr) is told what to do by WebDriver BiDi.
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [address] = process.argv.slice(2)
const profile = mkdtempSync(join(tmpdir(), 'firefox-'))
const PORT = 9333
const HELPERS = `
  const until = async (is, latest = Date.now() + 250000) => {
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
`

async function firefox() {
  const options = ['--headless', '--no-remote', '--profile', profile, `--remote-debugging-port=${PORT}`]
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
  const { context } = await send('browsingContext.create', { type: 'tab' })
  return {
    program,
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    async run(script) {
      const expression = `(async () => { ${HELPERS} ${script} })().then((found) => JSON.stringify(found))`
      const { type, result, exceptionDetails } = await send(
        'script.evaluate', { expression, target: { context }, awaitPromise: true })
      if (type === 'exception') throw new Error(exceptionDetails.text)
      return JSON.parse(result.value)
    },
  }
}

let browser = await firefox()
try {
  await browser.open(address)
  const first = await browser.run(`
    await until(() => ['start', 'again', 'app'].some((id) => !byId(id).hidden))
    return { ...times, title: byId('title').textContent, step: byId('step').textContent }`)
  console.log('first visit', first)
  const night = await browser.run(`
    byId('start').click()
    await until(() => find('main'))
    await leave(() => tap('a.primary[href$="/groups/new"]'))
    find('[name=name]').value = 'Friday'
    for (const [at, name] of ['Ana', 'Beto', 'Caro'].entries()) app().querySelectorAll('[name=player]')[at].value = name
    await leave(() => tap('button[value=make]'))
    find('[name=game][value="knock-poker"]').click()
    await leave(() => tap('button[value=start]'))
    return app().location.href.split('?')[0]`)
  const round = await browser.run(`
    await leave(() => { app().location.href = '${night}/round?game=knock-poker' })
    await until(() => find('form.tapping'))
    for (const [seat, hand] of ['9s 9h 9d 4c 4d', 'Ah Kh 8h 5h 3h', '8c 8d Js 7d 4h'].entries()) {
      find('[data-tab="' + seat + '"]').click()
      for (const card of hand.split(' ')) await tap('[data-picker] [data-piece="' + card + '"][aria-pressed=false]')
    }
    find('[data-tab="0"]').click()
    find('[name=asked-knocker][value="0"]').closest('label').click()
    await tap('[data-save]')
    await until(() => app().location.href.includes('/lines/') && find('main'))
    return find('main').innerText.replace(/\\s+/g, ' ').slice(0, 80)`)
  console.log('a round by taps', night, round)
  const ended = new Promise((over) => browser.program.on('exit', over))
  browser.program.kill('SIGKILL')
  await ended
  browser = await firefox()
  await browser.open(`${address}#/${night.slice(address.length)}/rounds`)
  const later = await browser.run(`
    await until(() => find('main'))
    return { ...times, rounds: find('main').innerText.replace(/\\s+/g, ' ').slice(0, 80) }`)
  console.log('after it was killed', later)
} finally {
  browser.program.kill('SIGKILL')
}
process.exit(0)
