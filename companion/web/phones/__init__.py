"""Players' own phones: `joining` with a code, the round that all enter together (`draft`) and poll (`state`), and
acting during a hand.

`reminders` are sent to phones that show another app, encrypted by `web_push`.
"""
