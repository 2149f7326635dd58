"""Entering a round, in a night or alone, by taps or from a photograph.

- `round_of_night` and `single_round` are its pages, which `page` renders; `buttons` only change the form
- `draft_result` settles the round with the hands that other phones entered
- `photo` answers photographs: `photo_of_hand` of one hand, `photo_of_table` of all; `reading` is what both need
"""
