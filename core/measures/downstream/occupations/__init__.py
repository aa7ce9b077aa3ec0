"""Occupation classification of biographies."""
