"""Batches: models × measures and thresholds from one file, measured so that a second run goes on, into one report."""
