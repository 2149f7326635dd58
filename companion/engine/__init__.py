"""What all games share: pure, immutable, standard library only. It knows no game, no JSON and no Flask."""
