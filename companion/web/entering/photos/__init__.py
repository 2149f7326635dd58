"""Hands read from photographs, of one hand or of all, and what is proposed of them."""
