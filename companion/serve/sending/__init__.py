"""Sends webhooks and reminders."""
