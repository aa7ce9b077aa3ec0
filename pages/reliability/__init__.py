"""The reliability page."""
