"""What a round asks the table besides the hands, and how the answers are read."""
