"""HTTP plumbing, which knows nothing about games or pages.

The rooms, from the bottom up; each imports only from those listed before it:

- `network`: this computer's addresses, the host names it answers to, the notice on plain HTTP
- `files`: what pages are made of, as it was at start: `snapshot` reads it, `assets` hashes the names, and so on
- `monitoring`: the log, the metrics and the probes
- `requests`: what is checked before a page reads a request: token, fields, uploads, rate limits
- `answers`: headers, error pages, problems of the API, polls without news, the app that a phone keeps
"""
