// The first visit: shows what is fetched, and then asks whether to keep the app.
import { byId, drawn, language, megabytes, once, text, times, word } from './page.js'

export let isFirst = false // whether this visit fetches the app

export function beginFirst() {
  isFirst = true
  text('title', 'setting')
  text('step', 'once')
  text('keep', 'when')
  for (const one of [byId('rail'), byId('bar'), byId('parts')]) one.hidden = false
}

// How long the rest takes if it comes as fast as what has come: not said before a second, which tells little.
let began
function timeLeft(fetched, all) {
  began ??= { at: performance.now(), fetched }
  const took = (performance.now() - began.at) / 1000
  const came = fetched - began.fetched
  if (took < 1 || !came || fetched >= all - 1) return ''
  const seconds = Math.ceil((all - fetched) * took / came)
  return seconds > 90 ? word('minutes', { n: Math.ceil(seconds / 60) }) : word('seconds', { n: seconds })
}

// A row stays the same while its part comes, so that what turns on it goes on turning.
function showPart(key, state, size) {
  let row = byId(`part-${key}`)
  if (row?.className !== state) {
    const [made, name, end] = ['li', 'span', 'small'].map((tag) => document.createElement(tag))
    Object.assign(made, { id: `part-${key}`, className: state })
    name.textContent = word(key)
    made.append(state === 'done' ? drawn('check') : document.createElement('i'), name, end)
    if (row) row.replaceWith(made)
    else byId('parts').append(made)
    row = made
  }
  row.lastChild.textContent = size
}

export function showFetched(fetched, all, parts) {
  done.value = fetched / all
  byId('left').textContent = timeLeft(fetched, all)
  text('bytes', 'bytes', { done: megabytes(fetched), all: megabytes(all) })
  byId('percent').textContent = (fetched / all).toLocaleString(language, { style: 'percent' })
  for (const [key, [got, size]] of Object.entries(parts)) {
    const state = got >= size - 1 ? 'done' : got ? 'now' : ''
    if (state === 'now') text('now', key)
    showPart(key, state, word(state === 'now' ? 'bytes' : 'size', { done: megabytes(got), all: megabytes(size) }))
  }
  showPart('ready', fetched >= all - 1 ? 'now' : '', '')
  times.fetched = all
}

let install // the browser's own question, if it has one
addEventListener('beforeinstallprompt', (event) => { event.preventDefault(); install = event })

// All is here: one question, and what to know before the first night. Resolves when the app is wanted.
export async function offerToKeep() {
  text('title', 'set')
  text('step', 'here', { all: megabytes(times.fetched) })
  text('now', 'works')
  for (const one of [byId('bar'), byId('parts'), byId('percent')]) one.hidden = true
  const shapes = { keep: 'phone', only: 'people' }
  byId('facts').replaceChildren(...['keep', 'keep-how', 'only', 'only-how'].map((key) => {
    const line = document.createElement(key.endsWith('how') ? 'dd' : 'dt')
    line.append(...shapes[key] ? [drawn(shapes[key])] : [], word(key))
    return line
  }))
  const [keep, start] = [byId('keep'), byId('start')]
  keep.disabled = false
  keep.replaceChildren(drawn('phone'), word('keep'))
  Object.assign(start, { hidden: false, textContent: word('start') })
  byId('facts').hidden = false
  keep.onclick = async () => {
    if (!install) return text('step', 'menu')
    await install.prompt()
    start.click()
  }
  await once(start, 'click')
}
