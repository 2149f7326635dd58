"""Each of Prometheus' alerts goes off at what it is for, as Prometheus works it out, and none on a good night."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.serve.commands.deploy_files import FOLDER

RULES = FOLDER / "companion-alerts.yml"
# what a host tells every minute of three days: in the notation of promtool, start + step x times
GOOD = {
    "companion_build_info": "1x4320",
    "companion_database_up": "1x4320",
    'companion_requests_total{status="200"}': "0+60x4320",
    'companion_requests_total{status="429"}': "0+1x4320",
    'companion_requests_total{status="500"}': "0x4320",
    'companion_queue_seconds_bucket{le="0.1"}': "0+100x4320",
    'companion_queue_seconds_bucket{le="1"}': "0+100x4320",
    'companion_queue_seconds_bucket{le="+Inf"}': "0+100x4320",
    "companion_database_connections_in_use": "12x4320",
    "companion_database_connections_limit": "15x4320",
    "companion_last_audit_errors": "0x4320",
    "companion_last_audit_timestamp_seconds": "0+60x4320",
    "companion_last_backup_timestamp_seconds": "0+60x4320",
}
# the alert, what is bad, when it goes off, and when not yet; None is a metric that is missing
BAD: list[tuple[str, dict[str, str | None], str, str]] = [
    ("CompanionDown", {"companion_build_info": None}, "3m", "1m"),
    ("CompanionDown", {"companion_database_up": "0x4320"}, "3m", "1m"),
    ("CompanionErrors", {'companion_requests_total{status="500"}': "0+4x4320"}, "12m", "4m"),
    ("CompanionQueue", {'companion_queue_seconds_bucket{le="0.1"}': "0+90x4320"}, "20m", "9m"),
    ("CompanionConnections", {"companion_database_connections_in_use": "13x4320"}, "6m", "4m"),
    ("CompanionGuessing", {'companion_requests_total{status="429"}': "0+3x4320"}, "1h", "20m"),
    ("CompanionAuditFailed", {"companion_last_audit_errors": "0x30 1x4000"}, "40m", "20m"),
    ("CompanionAuditOld", {"companion_last_audit_timestamp_seconds": "0x4320"}, "50h", "47h"),
    ("CompanionAuditOld", {"companion_last_audit_timestamp_seconds": None}, "61m", "50m"),
    ("CompanionBackupOld", {"companion_last_backup_timestamp_seconds": "0x4320"}, "50h", "47h"),
    ("CompanionBackupOld", {"companion_last_backup_timestamp_seconds": None}, "61m", "50m"),
]


def told(series: dict[str, str | None], *at: tuple[str, str | None]) -> dict[str, Any]:
    """Return a test of promtool: of these series, only the named alert goes off at a time; None: no alert."""
    rules = {rule["alert"]: rule["annotations"] for rule in yaml.safe_load(RULES.read_text())["groups"][0]["rules"]}
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items() if values is not None],
        "alert_rule_test": [
            {
                "eval_time": time,
                "alertname": name,
                "exp_alerts": [{"exp_annotations": rules[name]}] if name == loud else [],
            }
            for time, loud in at
            for name in rules
        ],
    }


@pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool here (Debian: prometheus)")
def test_each_alert_goes_off_at_what_it_is_for(tmp_path: Path) -> None:
    tests = [told(GOOD | change, (late, name), (early, None)) for name, change, late, early in BAD]
    tests.append(told(dict(GOOD), ("5m", None), ("70m", None), ("71h", None)))
    written = tmp_path / "tests.yml"
    written.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    done = subprocess.run(["promtool", "test", "rules", written], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_a_case() -> None:
    rules = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
    assert {rule["alert"] for rule in rules} == {name for name, *_ in BAD}
