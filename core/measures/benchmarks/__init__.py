"""Benchmarks on the user's data."""
