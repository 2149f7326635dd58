"""HTTP plumbing: addresses, headers, errors, logging, metrics, rate limits. Knows nothing about games or pages."""
