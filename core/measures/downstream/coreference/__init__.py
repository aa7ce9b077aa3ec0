"""Coreference skew on WinoBias."""
