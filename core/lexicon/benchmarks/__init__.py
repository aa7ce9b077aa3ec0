"""Benchmarks: their formats, what is known to be wrong with them, and the word lists of those that need no file."""
