"""Language models: which are on offer, how they load, and how they are asked.

The only package that imports torch or transformers; no tensor leaves it. ``catalog`` names models, ``pool``
leases them, ``masked`` and ``causal`` score words.
"""
