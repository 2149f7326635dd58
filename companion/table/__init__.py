"""What happens at a table while a hand is played: pure, without pages, forms or a database.

- `cells`: what was entered so far, as data; `sight` is what a device may see of it
- `next_round`: the round at hand: its game, players, dealer, house rules and bets
- `hand`: the state of the hand that is played, with its `bets`, the `last_turns` after a knock, the `decisions` that
  all make at once, and `moved_seats`
- `counting`: what is counted of each player, and what each costs
- `showing`: when hands turn over, and what was changed after that
- `input`: what phones do: `actions` of the hand, by whom and what they change; `entering` what is typed into it
- `steps`: what may come next; `guidance`: which of them does for whoever looks, as `next_step`, also `before_cards`,
  `deciding` and `after_knock`; `worth` is what a knock, staying in and dropping come to
- `refusals`: why something can't be done

Players are keys (`PlayerKey`). The store applies actions under its lock, pages show states.
"""
