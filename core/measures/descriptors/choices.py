"""The choices of the method that descriptor likelihood gives."""

from __future__ import annotations

from ...spec import Labelled


class Comparison(Labelled):
    """How two descriptors are compared."""

    PAIRED = "signed-rank", "signed-rank test over the same nouns, corrected (Benjamini–Hochberg)"
    PUBLISHED = "mann-whitney", "Mann–Whitney U test, uncorrected (as published)"


class Per(Labelled):
    """What a perplexity is a mean over, and what of a split word a masked model sees when one of its tokens is hidden.

    By word the rest of the word is hidden too (Kauf & Ivanova 2023), by token it is seen (Salazar et al. 2020).
    """

    WORD = "word", "per word, split words as a whole"
    TOKEN = "token", "per token, each by itself (as published)"
