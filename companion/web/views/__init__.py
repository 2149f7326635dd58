"""The views: one module a topic, each with its blueprint."""
