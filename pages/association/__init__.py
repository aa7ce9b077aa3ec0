"""The association tests page."""
