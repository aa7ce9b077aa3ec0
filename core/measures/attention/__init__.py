"""Attention of heads: a sentence and its twin, and corpora."""
