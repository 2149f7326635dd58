"""Players' own phones: `joining` with a code, the round that all enter together (`draft`) and poll (`state`), and
acting during a hand.

`reminders` are asked for by phones; those that are due (`due_reminders`) are sent encrypted by `web_push`.
"""
