"""Benchmarks: a module each, and ``runner.run`` for all of them. To add one, add a line to ``runner.TASKS``."""
