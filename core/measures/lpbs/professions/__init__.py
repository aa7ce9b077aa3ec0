"""Professions: log probability bias over a corpus, compared with labour statistics."""
