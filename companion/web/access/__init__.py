"""Permissions: devices and their rights, PINs, and finding what a page is about."""
