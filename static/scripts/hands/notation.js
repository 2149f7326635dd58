// Cards as people type them: "10h" and "t♥" are Th, "62" is 2-6. The server lists every accepted spelling.

import { form } from './form.js'

const spellings = JSON.parse(form.dataset.spellings)

export const canonical = (word) => spellings[word.replace(/\ufe0e|\ufe0f/g, '').toLowerCase()]

export const startsSpelling = (text) => Object.keys(spellings).some((spelling) => spelling.startsWith(text.toLowerCase()))

// Splits a typed line into cards. A word such as "9s9h" is split as well if every part of it is a card.
export function splitLine(line) {
  return line.split(/[\s,]+/).filter(Boolean).flatMap((word) => {
    const parts = word.match(/../g) ?? []
    return !canonical(word) && parts.join('') === word && parts.every(canonical) ? parts : [word]
  })
}
