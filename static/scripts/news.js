// Asks for a night's state. While nothing is new, it asks at an address that costs the server next to nothing, which the
// last answer gave.

let news = null
let of = null // whose news: the address of the state and its mark

const HEADER = 'Companion-News'

// Returns the response to an address of a night's state. `mark` is the ETag of the state that this page has, if any: the
// response is 304 while nothing has changed.
export async function askState(address, mark = null) {
  const asked = `${address} ${mark}`
  if (mark && news && of === asked) {
    const answer = await fetch(news, { cache: 'no-store' })
    if (answer.status === 204) return new Response(null, { status: 304 })
  }
  const response = await fetch(address, { headers: mark ? { 'If-None-Match': mark } : {}, cache: 'no-store' })
  news = response.headers.get(HEADER)
  of = `${address} ${response.headers.get('ETag')}`
  return response
}
