// The URLs that the form uses, and whether the page follows the table.

import { form } from '../hands.js'

// `draft` is the URL of a night's shared draft; a single round and a correction have `live` instead
export const { draft, live, state, lines, night } = form.dataset
export const mySeat = form.dataset.follows // on a player's phone, which follows the table to the next page; -1: none
export const follows = mySeat !== undefined
