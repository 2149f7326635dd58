"""Who may do what: devices and their rights, PINs, and finding what a page is about."""
