"""Groups, their links, their saved house rules; and deleting a group."""
