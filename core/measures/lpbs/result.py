"""Log probability bias scores."""

from __future__ import annotations

from dataclasses import dataclass

from core import spec as limits
from core.result import Contrast, Group, Result


@dataclass(frozen=True)
class LpbsOptions:
    """The choices of a log probability bias score (metrics: LPBS).

    ``masking``: how an attribute is hidden for the prior, one mask per ``wordpiece``, per whitespace ``word``,
    or ``single`` mask for all of it. ``several_pieces``: a target of several pieces is left out (``single``) or
    scored ``joint``. ``paired``: groups of equal length are pairs by position, and a word that cannot be scored
    takes its partner with it. ``contrasts``: ``pairs`` (every pair of groups) or ``others`(each group against
    the mean of the others). ``common_words``: with several models, a word not all can represent is left out for
    all. ``seed`` feeds the bootstrap and the sampled sign flips. ``form``: how words are written in their slots, as
    the ``sentence`` shows them (a capital where one begins), as ``typed``, or targets with a ``capital``.
    """

    masking: str = limits.choice("wordpiece", "word", "single")
    several_pieces: str = limits.choice("single", "joint")
    paired: bool = True
    contrasts: str = limits.choice("pairs", "others")
    common_words: bool = True
    seed: int = limits.seed()
    form: str = limits.choice("sentence", "typed", "capital")


@dataclass(frozen=True, eq=False)
class LpbsResult(Result):
    """Log probability bias scores of one or more models. All log quantities in nats, natural logarithm.

    ``summary`` columns: model, kind (``attribute`` or ``all``), attribute (missing for ``all``), contrast, n
    (``attribute``: template × word-pair values; ``all``: attributes), lpbs, log_ratio, prior_log_ratio, ci_low,
    ci_high, p_value, p_adjusted. ``lpbs`` = ``log_ratio`` − ``prior_log_ratio``; positive leans towards the
    contrast's first group.

    ``detail`` columns: model, template, attribute, group, target, form (the target as it was scored in its place),
    ln_p_target, ln_p_prior, association, where association = ln_p_target − ln_p_prior.

    ``family_sizes``: how many p values Benjamini–Hochberg adjusted together, for kind ``attribute`` and ``all``,
    where there is one.
    ``notes``: sentences about the method that the screen must show, such as an added start token.
    """

    options: LpbsOptions
    templates: tuple[str, ...]
    groups: tuple[Group, ...]
    contrasts: tuple[Contrast, ...]
    attributes: tuple[str, ...]
    family_sizes: tuple[tuple[str, int], ...]
