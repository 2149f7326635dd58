import { equal, open, test } from './harness.js'

test('the offline page links to the last night, if there is a copy of it', async () => {
  for (const [night, link] of [['/night', ['/night', false]], ['', ['', true]]]) {
    const page = await open('<a href="" data-last hidden>night</a>', { attributes: `data-night="${night}"` })
    await page.load('away.js')
    equal([page.$('a').getAttribute('href'), page.$('a').hidden], link)
  }
})
