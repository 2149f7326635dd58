"""HTTP itself: addresses, headers, errors, logging, rate limits. Knows nothing of games or pages."""
