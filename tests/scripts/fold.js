import { equal, open, test } from './harness.js'

const FOLDS = '<details><summary>Rules</summary><p id="KN-1">One</p></details><details><p id="a b">Two</p></details><p id="out">Three</p>'

const begin = async (hash) => {
  const page = await open(FOLDS, { url: `/help/knock${hash}` })
  for (const fold of page.$$('details')) fold.open = false // the browser may have opened it
  await page.load('fold.js')
  return { page, opened: () => page.$$('details').map((fold) => fold.open) }
}

test('what the address points to is unfolded', async () => {
  for (const [hash, opened] of [['', [false, false]], ['#KN-1', [true, false]], ['#a%20b', [false, true]], ['#out', [false, false]], ['#none', [false, false]]]) {
    equal((await begin(hash)).opened(), opened, hash)
  }
})

test('so it is when the address changes, and what was open stays open', async () => {
  const { page, opened } = await begin('#KN-1')
  page.window.history.replaceState(null, '', '#a%20b')
  page.window.dispatchEvent(new page.window.HashChangeEvent('hashchange'))
  equal(opened(), [true, true])
  page.window.dispatchEvent(new page.window.HashChangeEvent('hashchange'))
  equal(opened(), [true, true])
})
