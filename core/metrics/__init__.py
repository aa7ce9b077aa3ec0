"""Measures of social lean, one file each. Arrays of log probabilities in, results out; no model, no tokenizer."""
