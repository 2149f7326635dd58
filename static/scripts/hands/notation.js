// Cards as people type them: "10h" and "t♥" are Th, "62" is 2-6. The server lists every accepted spelling.

import { form } from './form.js'

// without Object's own keys: "constructor" is no card
const spellings = Object.assign(Object.create(null), JSON.parse(form.dataset.spellings))
const one = new RegExp(form.dataset.notation, 'gi') // the same as in engine/pieces/sets.py
const several = new RegExp(`^(?:${form.dataset.notation})+$`, 'i')

const plain = (text) => text.replace(/[\ufe0e\ufe0f]/g, '').replace(/[\u2010-\u2014\u2212]/g, '-')

export const canonical = (word) => spellings[plain(word).toLowerCase()]

export const startsSpelling = (text) => Object.keys(spellings).some((spelling) => spelling.startsWith(text.toLowerCase()))

// Splits a typed line into cards. A word such as "9s9h" is split as well if it is nothing but cards.
export function splitLine(line) {
  return plain(line).split(/[\s,]+/).filter(Boolean).flatMap((word) => !canonical(word) && several.test(word) ? word.match(one) : [word])
}
