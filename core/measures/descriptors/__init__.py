"""Descriptor likelihood (Smith et al. 2022)."""
