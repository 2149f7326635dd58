import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

test('a question that replaces the cards is chosen and left again', async () => {
  const page = await openEntry({ ways: ['won_by', 'counts'] })
  const { chooseWay, entersCards } = await page.load('hands/form.js')
  let changes = 0
  page.$('#entry').addEventListener('way', () => changes++)
  const state = () => [entersCards(), page.value('way'), page.document.body.classList.contains('by-word'),
    page.$$('[data-way]').map((tab) => tab.getAttribute('aria-current')), page.$$('[data-seat="0"] [data-word]').map((part) => 'chosen' in part.dataset)]
  chooseWay('counts')
  equal(state(), [false, 'counts', true, [null, 'true'], [false, true]])
  chooseWay('')
  equal(state(), [true, '', false, [null, null], [false, false]])
  equal(changes, 2)
})

test('a form without such questions always enters cards', async () => {
  const page = await openEntry()
  page.$('[name=way]').remove()
  const { chooseWay, entersCards } = await page.load('hands/form.js')
  let changes = 0
  page.$('#entry').addEventListener('way', () => changes++)
  chooseWay('')
  equal([entersCards(), changes], [true, 0])
})

test('a page without a camera has none', async () => {
  equal((await (await openEntry()).load('hands/form.js')).camera, null)
  equal((await (await openEntry({ camera: { use: 'use' } })).load('hands/form.js')).camera, { use: 'use' })
})

test('an announcement is put where screen readers hear it', async () => {
  const page = await openEntry()
  ;(await page.load('hands/form.js')).announce('ace')
  equal(page.texts('[data-told]'), ['ace'])
})
