// The viewfinder: shows what the camera sees, has the server read small frames of it, one at a time, and takes the picture
// by itself once enough of them agree. No frame is kept, neither here nor by the server.

import { camera, faces, form, nameOf } from '../hands.js'
import { layOver, makeButton, makeElement } from './elements.js'
import { frameOf, makeEye, startCamera, stopCamera, troubleOf } from './stream.js'

const AGREE = 3 // frames that must show the same hand
const MOST = 12 // frames that are read; one that is not read by then is taken by hand
const LOOK = 150 // milliseconds between two looks at the video
const SKIPPED = 12 // looks at a video that moves; it is read all the same then
const PAUSES = [0, 300, 800, 1500, 3000] // after so many frames that differ from the one before
const BUSY = 2000
const AWAY = 3000

function makeParts({ words, title, whose }) {
  const root = makeElement('dialog', 'finder', { ariaLabel: `${title}: ${whose}` })
  const head = makeElement('header', '')
  head.append(makeElement('h2', '', { textContent: title }), makeElement('p', '', { textContent: whose }))
  const sight = makeElement('div', 'sight')
  const video = makeElement('video', '', { muted: true, playsInline: true, autoplay: true })
  const found = makeElement('div', 'found', { ariaHidden: 'true' })
  const dots = makeElement('p', 'dots', { ariaHidden: 'true' })
  const worth = makeElement('p', 'worth', { ariaHidden: 'true' }) // said with the names of the cards
  sight.append(video, found, dots, worth)
  const message = makeElement('p', 'told', { role: 'status' })
  const still = makeButton(words.still, 'small', () => {})
  const stop = makeButton(words.stop, 'small', () => {})
  const main = makeButton(words.shoot, 'primary', () => {})
  const acts = makeElement('div', 'acts')
  acts.append(stop, still, main)
  root.append(head, sight, message, acts)
  return { root, video, found, dots, worth, message, stop, still, main }
}

// Opens it for a hand or a table (`subjects.js`). Calls `read` with what three frames agree on and the last of them, `shot`
// with the picture that was taken by hand, or `still` to take a photo without it.
export function openFinder(subject, { read, shot, still }) {
  const { words, size } = subject
  const { root, video, found, dots, worth, message, ...buttons } = makeParts(subject)
  let stream = null
  let run = 0 // which start of the camera the loop belongs to

  const fill = (text) => text.replace('{size}', size)
  const tell = (text, names = '') => {
    const whole = fill(text)
    if (message.dataset.told === whole + names) return
    message.dataset.told = whole + names
    message.textContent = whole
    if (names) message.append(makeElement('span', 'unseen', { textContent: ` ${names}` }))
  }

  function free() {
    run++
    if (stream) stopCamera(stream)
    stream = null
    video.srcObject = null
    found.replaceChildren()
    dots.replaceChildren()
    worth.textContent = ''
  }

  function leave(then = () => {}) {
    free()
    root.close()
    then()
  }

  // Says why there is no picture, with the button that helps.
  function stopFor(text, isFinal = false) {
    free()
    root.classList.add('off')
    tell(text)
    if (isFinal) form.dataset.noCamera = 'yes'
    buttons.still.hidden = isFinal
    buttons.main.disabled = false
    buttons.main.textContent = isFinal ? words.still : words.restart
    buttons.main.onclick = isFinal ? () => leave(still) : start
    buttons.main.focus()
  }

  async function start() {
    const own = ++run
    root.classList.remove('off')
    tell(words.allow)
    buttons.main.textContent = words.shoot
    buttons.main.disabled = true
    try {
      const lent = await startCamera()
      if (own !== run) return stopCamera(lent)
      stream = lent
      video.srcObject = lent
      await video.play()
    } catch (error) {
      if (own !== run) return
      const { text, isFinal } = troubleOf(error)
      return stopFor(text, isFinal)
    }
    for (const track of stream.getTracks()) track.addEventListener('ended', () => { if (own === run) stopFor(words.taken) })
    buttons.main.disabled = false
    buttons.main.onclick = () => {
      const canvas = frameOf(video, subject.shotSide)
      leave(() => shot(canvas))
    }
    buttons.main.focus()
    tell(words.look)
    await watch(() => own === run)
  }

  // What the hand is worth is said once two frames agree: what one alone shows may be misread.
  function show({ worth: name = '' }, cards, canvas, agreed) {
    worth.textContent = agreed > 1 ? name : ''
    found.replaceChildren(...cards.filter(({ box }) => box).map(({ piece, sure, box }) => {
      const place = makeElement('div', sure ? 'spot' : 'spot unsure', { innerHTML: faces.get(piece) ?? piece })
      layOver(place, canvas, box)
      return place
    }))
    dots.replaceChildren(...Array.from({ length: AGREE }, (_, at) => makeElement('i', at < agreed ? 'on' : '')))
  }

  // Reads frames until enough agree.
  async function watch(isOn) {
    const look = makeEye(video)
    const pause = (time) => new Promise((done) => setTimeout(done, time))
    let [last, agreed, frames, alone, skipped] = ['', 0, 0, 0, 0]
    while (frames < MOST) {
      await pause(LOOK)
      if (!isOn()) return
      const { isDark, hasMoved } = look()
      if (isDark) tell(words.dark)
      if (isDark || (hasMoved && skipped++ < SKIPPED)) continue
      skipped = 0
      const canvas = frameOf(video, subject.frameSide)
      const reading = await subject.glance(canvas)
      if (!isOn()) return
      const cards = subject.cardsOf(reading)
      if (!cards) {
        const rest = restAfter(reading)
        if (rest === null) return
        ;[last, agreed] = ['', 0]
        show({}, [], canvas, 0)
        if (rest) await pause(rest)
        else await pause(PAUSES[Math.min(alone++, PAUSES.length - 1)])
        frames += rest ? 0 : 1
        continue
      }
      frames++
      const key = subject.keyOf(reading)
      agreed = key && key === last ? agreed + 1 : Math.min(key.length, 1)
      last = key
      alone = agreed > 1 ? 0 : alone + 1
      show(reading, cards, canvas, agreed)
      if (agreed === AGREE) return leave(() => read(reading, canvas))
      tellRead(reading, cards, worth.textContent)
      await pause(PAUSES[Math.min(Math.max(alone - 1, 0), PAUSES.length - 1)])
    }
    if (isOn()) tell(words.enough)
  }

  // Says what a frame without a hand means; returns how long to wait, 0 to go on, null to read no more frames.
  function restAfter({ isAway, again, status, rest, problem }) {
    tell(isAway ? words.away : again ? words.busy : problem)
    if (isAway) return AWAY
    if (again) return BUSY
    if (status === 429) return rest * 1000
    return status === 200 ? 0 : null
  }

  function tellRead(reading, cards, name) {
    const names = new Intl.ListFormat(document.documentElement.lang).format(cards.map(({ piece }) => nameOf(piece)))
    tell(subject.textOf(reading).replace('{n}', cards.length), name ? `${name}: ${names}` : names)
  }

  const hide = () => { if (document.hidden && stream) stopFor(words.hidden) }
  buttons.stop.onclick = () => leave()
  buttons.still.onclick = () => leave(still)
  document.addEventListener('visibilitychange', hide)
  root.addEventListener('close', () => {
    free()
    document.removeEventListener('visibilitychange', hide)
    root.remove()
  })
  document.body.append(root)
  root.showModal()
  start()
}
