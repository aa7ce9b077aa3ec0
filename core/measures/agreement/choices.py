"""What is compared, by which correlation, over which subsets."""

from __future__ import annotations

from ...spec import Labelled


class Compared(Labelled):
    """What is compared with each other."""

    TEMPLATES = "templates", "templates"
    DIVERGENCE = "divergence", "what a template expects"
    REPRESENTATIONS = "representations", "representations"
    METRICS = "metrics", "metrics"


class Method(Labelled):
    """A correlation."""

    PEARSON = "pearson", "Pearson"
    SPEARMAN = "spearman", "Spearman"


class Draws(Labelled):
    """How the professions of a subset are drawn."""

    SEED = "seed", "by the seed"
    AUTHORS = "authors", "as the paper’s authors drew them"
