"""The database: connections, transactions, faults, startup, backups, locks and counters."""
