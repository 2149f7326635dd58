"""The log, which is the truth: its lines and transfers, what people typed, and forms that are sent again."""
