"""Measures, a folder a subject."""
