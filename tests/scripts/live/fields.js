import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

const begin = async (given) => {
  const page = await openEntry(given)
  return { page, ...await page.load('live/fields.js') }
}

test('a value is what the draft has: text, whether a box is ticked, which answer of several', async () => {
  const { page, valueOf } = await begin()
  page.$('[name=players-0-dropped]').checked = true
  page.$('[name=asked-knocker][value="2"]').checked = true
  page.enter('players-0-hand', 'as')
  const rows = [['players-0-hand', 'as'], ['players-0-dropped', true], ['players-1-dropped', false], ['asked-knocker', '2'], ['nothing', '']]
  for (const [name, value] of rows) equal(valueOf(name), value, name)
})

test('a field is set to what another phone entered; it says whether that was new', async () => {
  const { page, setValue, valueOf } = await begin()
  const rows = [
    ['players-0-hand', 'as', true], ['players-0-hand', 'as', false], ['players-0-dropped', true, true], ['players-0-dropped', true, false],
    ['players-0-dropped', false, true], ['asked-knocker', '1', true], ['nothing', 'as', false],
  ]
  for (const [name, value, isNew] of rows) equal([setValue(name, value), page.$(`[name=${name}]`) && valueOf(name)], [isNew, name === 'nothing' ? null : value], name)
})

test('the field that has the focus is left as it is', async () => {
  const { page, setValue } = await begin()
  page.$('[name=players-0-hand]').focus()
  equal([setValue('players-0-hand', 'as'), page.value('players-0-hand')], [false, ''])
  equal([setValue('players-1-hand', 'as'), page.value('players-1-hand')], [true, 'as'])
})

test('a box or an answer is set even if it has the focus: nobody is typing in it', async () => {
  const { page, setValue, valueOf } = await begin()
  page.$('[name=players-0-dropped]').focus()
  equal([setValue('players-0-dropped', true), valueOf('players-0-dropped')], [true, true])
  page.$('[name=asked-knocker]').focus()
  equal([setValue('asked-knocker', '1'), valueOf('asked-knocker')], [true, '1'])
})

test('boxes that share a name count as their first one', async () => {
  const { page, setValue, valueOf } = await begin({ fields: '<input type="checkbox" name="both" id="first"><input type="checkbox" name="both" checked>' })
  equal([valueOf('both'), setValue('both', true), page.$('#first').checked], [false, true, true])
})

test('who sits where', async () => {
  const { seatIds } = await begin()
  equal(seatIds(), ['a', 'b', 'c'])
})

const FIELDS = '<input name="stake" value="1"><select name="plain"><option>x</option><option>y</option></select>' +
  '<select name="chosen"><option>x</option><option selected>y</option></select><select name="empty"></select><input value="unnamed"><textarea name="note"></textarea>'

test('what was typed before the script loaded is found', async () => {
  const page = await openEntry({ fields: FIELDS, seats: [{ name: 'Ana', hand: 'as' }, 'Beto'] })
  page.$('[name=stake]').value = '25'
  page.$('[name=plain]').value = 'y'
  page.$('[name=chosen]').value = 'x'
  page.$('[name=players-1-dropped]').checked = true
  page.$('[name=asked-knocker][value="1"]').checked = true
  page.$('[name=key]').value = 'k2'
  page.$('[name=note]').value = 'x'
  const { markTypedBefore, typedHere, unsent } = await page.load('live/fields.js')
  markTypedBefore(false)
  equal([...typedHere], ['stake', 'plain', 'chosen', 'asked-knocker', 'players-1-dropped'])
  equal([...unsent], [...typedHere])
})

test('nothing was typed in a new form', async () => {
  const { markTypedBefore, typedHere } = await begin({ fields: FIELDS, seats: [{ name: 'Ana', hand: 'as' }] })
  markTypedBefore(false)
  equal([...typedHere], [])
})

test('in a form that the server returned, all that it contains was typed', async () => {
  const { markTypedBefore, typedHere } = await begin({
    fields: FIELDS, seats: [{ name: 'Ana', hand: 'as', chips: '<input type="checkbox" name="ticked" value="y" checked>' }],
  })
  markTypedBefore(true)
  equal([...typedHere], ['stake', 'plain', 'chosen', 'ticked', 'players-0-hand'])
})
