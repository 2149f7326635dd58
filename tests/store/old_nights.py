"""A night as the first database version wrote it: Ana won, later corrected to Beto."""

_AT = "'2026-01-02 20:00:00+00:00'"


def _round(winner: str, loser: str) -> str:
    hands = f'{{"{winner}": "5s 5h 5d Qc Qs", "{loser}": "As 2h 3d 4c 6s"}}'
    about = '"game": "knock", "rules": {}, "stake": 1, "pot": 0, "players": ["1", "2"], "dealer": "2"'
    return f'{{{about}, "round": {{"knocker": "{winner}", "hands": {hands}}}}}'


ANA, BETO = _round("1", "2"), _round("2", "1")
SECRET_HASH = "ab9c80cc4230f958bf5abd7eed9d8fdf74c3d9a4eec895463b2c93626934fa1f"
STATEMENTS = [
    f"INSERT INTO player_group VALUES (1, 'the group', '{SECRET_HASH}', '{SECRET_HASH}', 'Friday', {_AT})",
    "INSERT INTO player VALUES (1, 1, 'Ana', 'ana', false), (2, 1, 'Beto', 'beto', false)",
    f"""INSERT INTO play_session VALUES
        (1, 'the night', 'its key', 1, 'knock', '{{"knock": {{}}}}', 1, NULL, {_AT}, NULL, 2)""",
    "INSERT INTO seat VALUES (1, 1, 0, 'in'), (1, 2, 1, 'in')",
    "INSERT INTO account VALUES (1, 1, '1', -1), (2, 1, '2', 1), (3, 1, 'pot', 0)",
    f"""INSERT INTO change VALUES
        (1, 1, 'key 1', 'round', '{{"number": 1, "document": {ANA}}}', 'a phone', {_AT}),
        (2, 1, 'key 2', 'correction', '{{"number": 1, "document": {BETO}, "seen": 1, "voided": false}}',
         'a phone', {_AT})""",
    "INSERT INTO line VALUES (1, 1, 1, NULL)",
    f"INSERT INTO revision VALUES (1, 1, 1, 1, '{ANA}', false, false), (2, 1, 2, 2, '{BETO}', false, false)",
    "UPDATE line SET current_id = 2",
    """INSERT INTO transfer VALUES
        (1, 0, 1, 3, 1, 'ante', 'KN-1'), (1, 1, 2, 3, 1, 'ante', 'KN-1'), (1, 2, 3, 1, 2, 'pot', 'KN-2'),
        (2, 0, 1, 3, 1, 'ante', 'KN-1'), (2, 1, 2, 3, 1, 'ante', 'KN-1'), (2, 2, 3, 2, 2, 'pot', 'KN-2')""",
]
