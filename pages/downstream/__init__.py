"""The downstream page."""
