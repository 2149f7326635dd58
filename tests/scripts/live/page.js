import { openEntry } from '../entry_page.js'
import { equal, test } from '../harness.js'

test('a player follows the table, and so does a phone without a seat; the scorekeeper does not', async () => {
  const rows = [['data-fresh', [undefined, false]], ['data-follows="0"', ['0', true]], ['data-follows="-1"', ['-1', true]], ['data-follows=""', ['', true]]]
  for (const [form, expected] of rows) {
    const { draft, follows, mySeat } = await (await openEntry({ form })).load('live/page.js')
    equal([mySeat, follows, draft], [...expected, '/night/draft'])
  }
})
