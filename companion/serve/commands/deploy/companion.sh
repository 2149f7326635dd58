#!/bin/sh
# Run a command of Table Companion with the service's settings, as its user: companion link GROUP
exec systemd-run --quiet --pipe --wait --collect --uid=companion --property=EnvironmentFile=/etc/companion.env \
    --property=WorkingDirectory=/var/lib/companion /opt/companion/venv/bin/companion "$@"
