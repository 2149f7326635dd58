import { equal, open, test } from '../harness.js'

const FORM = `<form id="form"><button value="first">First</button><input type="hidden" name="a"><input name="b"><input type="checkbox" name="c">
  <p hidden><input name="d"></p><p style="visibility:hidden"><input name="e"></p><div><textarea name="f"></textarea>
  <input name="g" value="5"><p><button value="unseen" data-return hidden></button><button value="marked" data-return>Save</button></p></div><input name="h"></form><input name="alone">`

const press = (page, name, properties) => page.fire(page.document.getElementsByName(name)[0], 'keydown', { key: 'Enter', isComposing: false, ...properties })

test('Return goes to the next field in sight, and in the last one presses the marked button', async () => {
  const rows = [
    ['b', 'f', []],
    ['g', 'h', []],
    ['h', 'h', [['submit', 'marked']]],
  ]
  for (const [name, next, visits] of rows) {
    const page = await open(FORM)
    await page.load('offline.js')
    page.document.getElementsByName(name)[0].focus()
    equal([press(page, name), page.document.activeElement.name, page.visits], [false, next, visits], name)
  }
})

test('the part of the form that the field is in comes first', async () => {
  const page = await open(FORM.replace('<input name="h">', '<p><button value="other" data-return>Other</button></p>'))
  await page.load('offline.js')
  press(page, 'g')
  equal(page.visits, [['submit', 'marked']])
})

test('other keys, other fields and a form without a marked button are left to the browser', async () => {
  const page = await open(FORM)
  await page.load('offline.js')
  page.$('[value=marked]').remove()
  const left = [['b', { key: 'a' }], ['b', { isComposing: true }], ['b', { defaultPrevented: true }], ['c'], ['f'], ['h'], ['alone']]
  equal(left.map(([name, properties]) => press(page, name, properties)), left.map(() => true))
  equal(page.visits, [])
})
