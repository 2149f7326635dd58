"""What all that shows a round needs: its form, the document made from it, the live reading, the draft phones share.

- the night: `next_round` is the round that all phones enter together; `night_part` is what a page shows of the night,
  `stake` asks for which stake a round is, `effects` are those of a correction
- the form, in `form`: its `fields`, filled in, `sent_with` is what its page sends besides; `document` turns it into a
  round document, `live` reads it while it is filled in; `result` lays out its result
- the draft, in `draft`: `draft_cells` maps it to the form, `shared` is what a phone may see of it, `showdown` reveals
  its hands
- a player's phone: `mine` is the hand in play on it, `told` what it hears of changes
"""
