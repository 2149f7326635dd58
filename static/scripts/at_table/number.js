// Reads a number like the server: see `read_number` in companion/web/text/numbers.py. NaN if it has no reading or two.

const OTHER = { '.': ',', ',': '.' }
export const POINT = new Intl.NumberFormat(document.documentElement.lang).format(1.5)[1]

function parse(text, point) {
  const thousands = `[1-9][0-9]{0,2}(?:([${OTHER[point]} '])[0-9]{3})(?:\\2[0-9]{3})*`
  const found = RegExp(`^(${thousands}|[0-9]*)(?:[${point}]([0-9]*))?$`).exec(text)
  return found && /[0-9]/.test(text) ? Number(`${found[1].replace(/[^0-9]/g, '')}.${found[3] ?? ''}0`) : NaN
}

export function readNumber(text, decimals) {
  const plain = text.trim().replace(/^\+ ?/, '').replace(/\s/g, ' ').replace(/’/g, "'")
  const unclear = /^[1-9][0-9]{0,2}([.,])[0-9]{3}$/.exec(plain)
  if (unclear && (unclear[1] === POINT) !== (decimals >= 3)) return NaN
  const number = parse(plain, POINT)
  return Number.isNaN(number) ? parse(plain, OTHER[POINT]) : number
}
