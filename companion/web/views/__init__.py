"""The views: one module per topic. The pages of a night share the blueprint in `night`.

- a group: `groups`, `group_people`, `group_rules`, `tonight`, `history`, `settle_up`, `import_export`, `delete_group`
- a night's tabs: `night_table`, `night_rounds`, `night_money` with `night_chips`, `night_people`, `night_rules`
- a night's other pages: `night_end`, `line`, `big_screen`, `printing`; players' phones: `phones`, `hand_in_play`
- entering a round: `night_round`, `single_round`, `photo`
- everything else: `home`, `demo`, `help`, `phone_settings`, `api`, `pwa`, `health`, `look`
"""
