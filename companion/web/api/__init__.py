"""The JSON API: documents that are settled without being stored, and below /api/v1 a group's nights, by a token.

- `documents`: settling, betting and progress, the games, the OpenAPI document
- `operations`: declares an operation of /api/v1, and does what all have in common: token, right, body, refusals
- `schemas`, `described`: the shapes of bodies and answers, and the OpenAPI document made of them
- `bodies`: reads a body, and checks it against its shape
- `shown`: writes what is stored as documents
- `reading`, `rounds`, `nights`: the operations
"""
