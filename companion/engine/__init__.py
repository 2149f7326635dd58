"""The machinery all games share: pure, immutable, standard library only. No game, JSON or Flask in here.

The rooms, from the bottom up; each imports only from those listed before it:

- `pieces`: cards and tiles, sets of them, and how they are written
- `hands`: `strength` compares them, `poker` and `melds` evaluate them; `ladder` is their ranking, `rarity` how rare
  they are, counted by `counting` and `deadwood`
- `money`: `settlement`, `pots`, the fewest `payments`, who gets odd units
- `questions`: what a round asks the table besides the hands: `entry` declares it, `answers` parses it; the table's
  `word` for a result without hands, points that are `kept` over rounds, hands that can't win (`unshown`)
- `betting`: bets are played by `actions` and settled by `settling`; what games with betting share, and draw poker games

Beside them: `game` is the interface of a game, `options` its house rules, `deal` how it is dealt, `allowed` the actions
of a betting round; `declared` and `variants` read what games declare; `guard` runs a table's own game, `absent` stands
in for one that is missing; what people read: `messages`, `problems`, `names` of `players`.
"""
