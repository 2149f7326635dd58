import { BET, KNOCK, hand, line, openTable } from '../at_table_page.js'
import { equal, test } from '../harness.js'

const begin = async (given) => {
  const page = await openTable(given, { says: { buttons: BET + KNOCK } })
  const actions = await page.load('at_table/actions.js')
  actions.beginActions()
  const acted = []
  page.document.addEventListener('acted', () => acted.push(page.$('#at-table').inert))
  return { page, ...actions, acted, errors: () => page.texts('.error'), isLocked: () => page.$('#at-table').inert }
}

test('a tap is sent without leaving the page; then the hand is drawn again', async () => {
  const { page, acted, isLocked, errors } = await begin()
  await page.tap('.fold')
  const sent = page.next()
  equal([sent.url, sent.method, sent.headers, sent.body, isLocked(), page.visits], [
    '/night/play', 'POST', { Accept: 'application/json' }, [['key', 'r1.0'], ['do', 'fold-a']], true, []])
  await sent.answer({})
  equal([acted, isLocked()], [[true], true])
  await page.next().answer(hand({ mark: 'm2' }))
  equal([isLocked(), page.$('#at-table').dataset.mark, errors()], [true, 'm2', []])
  await page.tick(499)
  equal(isLocked(), true) // a second tap by the same thumb would be for whoever is next
  await page.tick(1)
  equal(isLocked(), false)
})

test('a tap that is on its way shows; one that was refused may be tried again at once', async () => {
  const { page, isLocked } = await begin()
  const isSending = () => 'sending' in page.$('#at-table').dataset
  await page.tap('.fold')
  equal([isSending(), isLocked()], [true, true])
  await page.next().answer({ problem: 'no' }, 409)
  await page.next().answer(hand())
  equal([isSending(), isLocked()], [false, false])
  await page.tap('.fold')
  await page.next().answer({})
  await page.next().answer(hand({ mark: 'm2' }))
  equal([isSending(), isLocked()], [false, true])
})

test('a tap whose answer was lost is told of until the hand shows that it counted', async () => {
  const { page, errors, restoreRefusal } = await begin()
  await page.tap('.fold')
  await page.next().fail()
  page.$('#place').innerHTML = hand()
  restoreRefusal(page.$('#at-table'))
  equal(errors().length, 1)
  page.$('#place').innerHTML = hand({ mark: 'm2' })
  restoreRefusal(page.$('#at-table'))
  equal(errors(), [])
})

test('a tap on the hand sends its form; each one on the rail has a key of its own', async () => {
  const { page } = await begin()
  await page.tap('.undo')
  const sent = page.next()
  equal(sent.body, [['number', '3'], ['key', 'k1'], ['amount', '5'], ['do', 'undo-a']])
  await sent.answer({ rail: line({ said: 'Beto deals' }) })
  await page.next().answer(hand())
  equal(page.$('[role=status]').textContent, 'Beto deals')
  for (const key of ['r1.0', 'r1.1']) {
    await page.tap('.call')
    const tap = page.next()
    equal(tap.body, [['key', key], ['do', 'call-a']])
    await tap.answer({ problem: 'no' })
    await page.next().answer(hand())
  }
})

test('a button that was held down needs no confirmation', async () => {
  const { page, send } = await begin()
  send(page.$('[data-hold]'), true)
  equal(page.next().body.slice(-2), [['do', 'knocks-a'], ['sure', 'yes']])
})

test('nor does a knock that the scorekeeper names under what is folded up', async () => {
  const { page } = await begin()
  await page.tap('.someone')
  equal(page.next().body.slice(-2), [['do', 'knocks-b'], ['sure', 'yes']])
})

test('what must be confirmed, and what is elsewhere, is sent as without scripts', async () => {
  const { page } = await begin()
  page.document.body.insertAdjacentHTML('beforeend', '<form><button id="other" value="x"></button></form>')
  await page.tap('[data-hold]')
  await page.tap('[value=over]')
  await page.tap('#other')
  page.fire('#at-table form', 'submit', { submitter: null })
  equal([page.visits.map(([, value]) => value), page.requests.length], [['knocks-a', 'over', 'x', null], 0])
})

test('a refusal is shown until the next tap', async () => {
  const { page, errors } = await begin()
  await page.tap('.fold')
  await page.next().answer({ problem: 'no' }, 409)
  await page.next().answer(hand({ refused: '<p class="error">of the hand</p>' }))
  equal(errors(), ['of the hand', 'no'])
  await page.tap('.fold')
  await page.next().answer({ problem: 'still no' }, 409)
  await page.next().answer('', 500)
  equal(errors(), ['of the hand', 'still no'])
  await page.tap('.fold')
  await page.next().answer({})
  await page.next().answer('', 500)
  equal(errors(), ['of the hand'])
})

test('a refusal stays when the same hand is drawn again, not in the next one', async () => {
  const { page, errors, restoreRefusal } = await begin()
  restoreRefusal(page.$('#at-table'))
  await page.tap('.fold')
  await page.next().answer({ problem: 'no' }, 409)
  await page.next().answer(hand())
  page.$('#place').innerHTML = hand({ mark: 'm2' })
  restoreRefusal(page.$('#at-table'))
  equal(errors(), ['no'])
  page.$('#place').innerHTML = hand({ number: 4 })
  restoreRefusal(page.$('#at-table'))
  equal(errors(), [])
  page.$('#place').innerHTML = hand()
  restoreRefusal(page.$('#at-table'))
  equal(errors(), [])
})

test('an amount that was bet is forgotten, one that was refused is not', async () => {
  const { page } = await begin()
  const { beginAmounts, restoreAmount } = await page.load('at_table/amount.js')
  beginAmounts()
  const after = async (answer) => {
    page.enter('amount', '17')
    await page.tap('.raise')
    await page.next().answer(answer)
    await page.next().answer(hand())
    restoreAmount(page.$('#at-table'))
    return page.value('amount')
  }
  equal([await after({ problem: 'no' }), await after({})], ['17', '5'])
})

test('without a connection the tap may have arrived, and another one may be tried', async () => {
  for (const fail of [(sent) => sent.fail(), (sent) => sent.answer('<h1>proxy</h1>', 502)]) {
    const { page, errors, isLocked } = await begin()
    await page.tap('.fold')
    await fail(page.next())
    equal([errors(), isLocked()], [['no connection'], false])
    await page.tap('.fold')
    equal(page.requests.length, 1)
  }
})

test('an error of ours is not taken for a lost connection', async () => {
  const { page, send, errors, isLocked } = await begin()
  let error = null
  send(page.$('.fold')).catch((thrown) => { error = thrown.message })
  await page.next().fail(new page.window.RangeError('ours'))
  equal([error, errors(), isLocked()], ['ours', [], false])
})

test('the hand stays locked until all taps are answered', async () => {
  const { page, send, isLocked } = await begin()
  send(page.$('.fold'))
  send(page.$('.call'))
  await page.next().fail()
  equal(isLocked(), true)
  await page.next().fail()
  equal(isLocked(), false)
})

test('the focus comes back to the same button of the new hand', async () => {
  const { page, allowTaps } = await begin()
  const focused = () => page.document.activeElement.value
  page.$('.undo').focus()
  page.$('.undo').click()
  await page.next().answer({})
  await page.next().answer(hand({ mark: 'm2' }))
  equal(await page.focuses(() => page.tick(500)), [true])
  equal(focused(), 'undo-a')
  page.$('.fold').focus()
  allowTaps()
  equal(focused(), 'fold-a')
  page.$('.fold').remove()
  allowTaps()
  equal(page.document.activeElement === page.document.body, true)
  page.document.body.insertAdjacentHTML('beforeend', '<button id="other" value="other"></button>')
  page.$('#other').focus()
  page.$('#other').remove()
  allowTaps()
  equal(page.document.activeElement === page.document.body, true)
})

test('a page whose hand went away meanwhile is left alone', async () => {
  const { page, allowTaps } = await begin()
  page.$('.fold').focus()
  page.$('#at-table').remove()
  allowTaps()
})

test('that there was no connection is told until it is back, another refusal longer', async () => {
  const { page, errors } = await begin()
  const { document, Event } = page.window
  const reconnect = () => document.dispatchEvent(new Event('reconnected'))
  await page.tap('.fold')
  await page.next().fail()
  equal(errors(), ['no connection'])
  reconnect()
  equal(errors(), [])
  await page.tap('.fold')
  await page.next().answer({ problem: 'no' }, 409)
  await page.next().answer('', 500)
  reconnect()
  equal(errors(), ['no'])
})
