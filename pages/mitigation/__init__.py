"""The tabs of the mitigation page."""
