"""What a page is about, what a device may do there, its forms, and PINs."""
