"""What a group sets for all its nights: chips, house rules, tokens for programs, webhooks."""
