"""What a request must have before a page reads it: its token, sound fields, no upload too many, no try too many."""
