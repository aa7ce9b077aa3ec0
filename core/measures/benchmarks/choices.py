"""The choices of the method that benchmarks give."""

from __future__ import annotations

from ...spec import Labelled


class Pieces(Labelled):
    """How a candidate of StereoSet that is split into several tokens is scored."""

    TOGETHER = "together", "masked together, mean log probability"
    REVEALED = "revealed", "revealed from left to right, mean probability (authors’ code)"


class Average(Labelled):
    """What StereoSet's scores are means over."""

    TERMS = "terms", "target terms"
    PAIRS = "pairs", "items"


class Fills(Labelled):
    """Which fills DisCo looks at."""

    TOP = "top", "the top three (Webster et al.)"
    PROBABILITY = "probability", "all with P > .1 (Lauscher et al.)"


class Sentences(Labelled):
    """Whether sentences are scored as they are written."""

    EXACT = "exact", "as the file has them"
    NORMALISED = "normalised", "normalised (Unicode NFC, single spaces)"
