"""What an administrator watches: the log, the metrics and the probes."""
