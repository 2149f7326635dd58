"""The machinery all games share: pure, immutable, standard library only. No game, JSON or Flask in here."""
