"""The engine's speed compared with other libraries; `tests/benchmark.py` runs everything."""
