import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

test('cards in a line are separated by spaces, commas or nothing', async () => {
  const { splitLine } = await (await openEntry()).load('hands/notation.js')
  const rows = [
    ['', []],
    [' as  ks,qs ', ['as', 'ks', 'qs']],
    ['asks', ['as', 'ks']],
    ['10s', ['10s']],
    ['asxx', ['asxx']],
    ['ask', ['ask']],
    ['AS10h', ['AS', '10h']],
    ['a♥️ k♥︎', ['a♥', 'k♥']],
  ]
  for (const [line, words] of rows) equal(splitLine(line), words, line)
})

test('case makes no difference in a spelling, nor does how a sign is drawn', async () => {
  const { canonical, startsSpelling } = await (await openEntry()).load('hands/notation.js')
  const rows = [['as', 'As'], ['10H', 'Th'], ['T♥️', 'Th'], ['t♥︎', 'Th'], ['1', undefined]]
  for (const [word, card] of rows) equal(canonical(word), card, word)
  for (const [text, starts] of [['1', true], ['A', true], ['x', false], ['ass', false]]) equal(startsSpelling(text), starts, text)
})
