"""The files that pages are made of: templates, scripts and styles as they were at start, hashed and compressed."""
