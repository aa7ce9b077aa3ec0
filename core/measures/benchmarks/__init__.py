"""Benchmarks on the user's data."""

from core.measures.benchmarks import texts  # noqa: F401  registers its paragraph, references and caption
