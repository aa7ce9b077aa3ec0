"""Pronoun resolution on GAP."""
