"""How fast the engine is beside other people's libraries; `tests/benchmark.py` runs it all."""
