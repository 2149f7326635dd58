// What the scripts of firefox_table.py begin with: finds and taps in the frame of the shell, or in a served app.
const HANDS = ['9s 9h 9d 4c 4d', 'Ah Kh 8h 5h 3h', '8c 8d Js 7d 4h']
const KNOCKER = '[name=asked-knocker][value="0"]'
const COPY = () => find('#copy-due').closest('section').querySelector('a[download]')
const pause = (time = 50) => new Promise((over) => setTimeout(over, time))
const until = async (is, latest = Date.now() + 150000) => {
  for (;;) {
    try { const found = await is(); if (found) return found } catch {}
    if (Date.now() > latest) throw new Error('never: ' + is)
    await pause()
  }
}
const byId = (id) => document.getElementById(id)
const app = () => (byId('app') ?? { contentDocument: document }).contentDocument
const find = (what) => app().querySelector(what)
const tap = async (what) => (await until(() => find(what))).click()
const leave = async (how) => {
  const before = app()
  await how()
  await until(() => app() !== before && app().readyState === 'complete' && find('main'))
}
const visit = (path) => leave(() => { app().location.href = path })
const get = (path) => app().defaultView.fetch(path)
const shown = () => until(() => ['start', 'again', 'app'].some((id) => !byId(id).hidden))
const title = async () => { await shown(); return byId('app').hidden ? byId('title').textContent : 'the app' }
const goOn = async () => {
  await shown()
  if (!byId('start').hidden) byId('start').click()
  await until(() => find('main'))
}
const words = () => find('main').innerText.replace(/\s+/g, ' ')
const newNight = async (names = ['Ana', 'Beto', 'Caro'], game = 'knock-poker') => {
  await goOn()
  await leave(() => tap('a.primary[href$="/groups/new"]'))
  find('[name=name]').value = 'Friday'
  for (const [at, name] of names.entries()) app().querySelectorAll('[name=player]')[at].value = name
  await leave(() => tap('button[value=make]'))
  find('[name=game][value="' + game + '"]').click()
  await leave(() => tap('button[value=start]'))
  return app().location.href.split('?')[0]
}
const end = async (night) => {
  await visit(night + '/close')
  await leave(() => tap('button[value=leave]'))
}
const tapHand = async (seat, hand) => {
  await tap('form.tapping [data-tab="' + seat + '"]')
  for (const card of hand.split(' ')) await tap('[data-picker] [data-piece="' + card + '"][aria-pressed=false]')
}
const saveHands = async (hands, ticked) => {
  for (const [seat, hand] of hands.entries()) await tapHand(seat, hand)
  await tap('[data-tab="0"]')
  if (ticked) find(ticked).closest('label').click()
  await tap('[data-save]')
  await until(() => app().location.href.includes('/lines/') && find('#won') && find('main'))
}
const playRound = async (night) => {
  await visit(night + '/round?game=knock-poker')
  await saveHands(HANDS, KNOCKER)
  return words()
}
const playHand = async (night, game, hands, bets, ticked) => {
  await visit(night)
  const picked = () => find('.pick a[aria-current][href$="game=' + game + '"]')
  if (!picked()) { await tap('.pick a[href$="game=' + game + '"]'); await until(picked) }
  await leave(() => tap('#rail [data-place=hands], .next a[href*="/round"]'))
  for (const bet of bets) {
    const log = () => find('#betting [name=bets]').value
    const before = await until(() => [log()])
    await tap('#betting button[value="' + bet + '"]')
    await until(() => log() !== before[0])
  }
  await saveHands(hands, ticked)
  return Object.fromEntries([...app().querySelectorAll('.result .rows > li')].map((row) => {
    const net = row.querySelector(':scope > div > b').innerText.replace('\u2212', '-').replace(/[\u2060+]/g, '')
    return [row.querySelector('strong').innerText, Number(net)]
  }))
}
const takeIn = async (home, file) => {
  await visit(home + 'groups/import')
  const given = new DataTransfer()
  given.items.add(new File([file], 'group.json', { type: 'application/json' }))
  find('[name=file]').files = given.files
  await leave(() => tap('form[enctype] button'))
  return app().location.pathname
}
const ownGroup = async (home) => { await visit(home); return /.*\/g\/[^/?#]+/.exec(find('a[href*="/g/"]').href)[0] }
const update = async (is) => {
  const one = await navigator.serviceWorker.getRegistration()
  await one.update().catch(() => {})
  await until(() => is(one))
}
