"""The log, which is the truth: its lines and transfers, what people typed, forms sent again, events for webhooks."""
