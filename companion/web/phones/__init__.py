"""Players' own phones: joining, and acting during a hand."""
