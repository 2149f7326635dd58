"""Entering a round, in a night or alone, by taps or from a photograph.

- `single_round`, `round_of_night` and `correction` are its pages, which `page` renders; `buttons` only change the form
- `parts` gives the night's part of such a page, `draft_page` what the phones have typed of the next round
- `draft_result` settles the round with the hands that other phones entered, and `saving` saves it
- in `photos`, `photo` answers photographs: `photo_of_hand` of one hand, `photo_of_table` of all, `words` is what the
  scripts say meanwhile; `reading` is what both need
"""
