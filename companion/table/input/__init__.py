"""What phones do at a table: actions of the hand that is played, and hands that are typed."""
