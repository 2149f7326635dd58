"""Entering a round: its form, the document made from it, the live reading, and the draft that phones share.

- the night: `next_round` is the round that all phones enter together
- the page: `page` renders it, `session_part` is what it shows of the session, `effects` are those of a correction
- the form: `form` has its fields and fills them in, `sent_with` is what its page sends besides; `document` turns it
  into a round document, `live` reads it while it is filled in, `result` lays out its result
- the draft: `draft_cells` maps it to the form, `shared` is what a phone may see of it, `showdown` reveals its hands,
  `draft_result` settles it
- `buttons` that only change the form
- the hand in play (`companion.table`) on a player's phone: `mine`; on a screen for all: `big_screen`
- photographs: `photo` of a hand, `photo_of_table` of all hands
"""
