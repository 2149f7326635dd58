"""How a round document is read, part by part, with every problem found."""
