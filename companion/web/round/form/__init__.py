"""A round's form: its fields, what its page sends besides, the document made of it, and the live reading."""
