"""Statistics: resampling tests and intervals, corrections for many tests. Arrays in, numbers out; no model, no text."""
