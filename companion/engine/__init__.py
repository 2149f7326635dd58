"""The machinery all games share: pure, immutable, standard library only. No game, JSON or Flask in here.

- a game: `game` is its interface; `options` and `entry` declare its house rules and questions, `answers` parses the
  answers; `deal` is how it is dealt, `ladder` how it ranks hands; `declared` and `variants` read its declarations
- cards and tiles: `pieces`, `cards`, `dominoes`
- hands: `strength` compares them, `poker` and `melds` evaluate them; how rare they are: `rarity`, counted by `counting`
  and `deadwood`; a result that the table states instead: `word`
- bets: the `allowed` actions, played by `actions`, settled by `betting`
- money: `settlement`, `pots`, `payments`
- what people read: `messages`, `problems`
"""
