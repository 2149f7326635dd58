"""HTTP plumbing: addresses, headers, errors, logging, rate limits. Knows nothing about games or pages."""
