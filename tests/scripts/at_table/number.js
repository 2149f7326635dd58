import { equal, open, test } from '../harness.js'

const read = async (rows, lang) => {
  const page = await open('', { attributes: `lang="${lang}"` })
  const { readNumber } = await page.load('at_table/number.js')
  for (const [text, number, decimals = 2] of rows) equal(readNumber(text, decimals), number, `${lang}: ${text}`)
}

test('numbers are read as the server reads them', () => read([
  ['1', 1], [' 1.5 ', 1.5], ['1,5', 1.5], ['.5', 0.5], ['1.', 1], ['0,25', 0.25], ['+5', 5], ['+ 5', 5],
  ['1,234.5', 1234.5], ['1.234,5', 1234.5], ["1'234.5", 1234.5], ['1’234', 1234], ['1 234', 1234], ['1\u00a0234', 1234], ['1,234,567', 1234567],
  ['0,123', 0.123], ['12,34', 12.34],
  ['', NaN], ['.', NaN], ['x', NaN], ['-1', NaN], ['1e3', NaN], ['1.2.3', NaN], ['1,23,456', NaN], ['1 234,567.8', NaN], ['1,234 567', NaN],
], 'en'))

test('what may be thousands or decimals has no reading, unless only one makes sense', async () => {
  await read([['1,234', 1234], ['1.234', NaN], ['1.234', 1.234, 3], ['1,234', NaN, 3]], 'en')
  await read([['1.234', 1234], ['1,234', NaN], ['1,234', 1.234, 3], ['1.234', NaN, 3]], 'de')
})
