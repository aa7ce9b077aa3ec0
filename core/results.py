"""What comes out of an experiment: frozen dataclasses, units and shapes in the docstrings.

Depends on nothing but the standard library and pandas, so that charts and exports can read a result
without knowing any model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class ModelInfo:
    """One loaded model, as provenance names it.

    ``kind`` is ``masked``, ``causal`` or ``encoder`` (no trained prediction head: embeddings and attention
    only). ``digest`` is the SHA-256 of the weight files; ``revision`` the commit on the hub, where there is one.
    ``parameters`` counts single numbers, tied ones once. ``notes`` are sentences a reader of the result must see.
    """

    name: str
    id: str
    revision: str | None
    digest: str
    family: str
    kind: str
    layers: int
    heads: int
    parameters: int
    languages: tuple[str, ...]
    cased: bool
    dtype: str
    device: str
    attention: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Provenance:
    """Where a number comes from: enough to get it again.

    ``data`` names each word list with its source and year, ``versions`` pairs library and version,
    ``created`` is UTC in ISO 8601, ``seed`` fed every random draw.
    """

    tool: str
    models: tuple[ModelInfo, ...]
    data: tuple[str, ...]
    seed: int
    versions: tuple[tuple[str, str], ...]
    created: str


@dataclass(frozen=True)
class Progress:
    """``done`` of ``total`` units of work in the stage named ``stage`` (a phrase for the screen)."""

    stage: str
    done: int
    total: int


ReportProgress = Callable[[Progress], None]
IsCancelled = Callable[[], bool]


def no_progress(_: Progress) -> None:
    """Take a report and do nothing with it."""


def never_cancelled() -> bool:
    """The cancel check of a run nobody can stop."""
    return False


@dataclass(frozen=True)
class LeftOut:
    """Something that has no number, and why.

    ``role`` is ``target`` or ``attribute`` for a word, ``statistic`` for an interval or p value of ``word``.
    Fields that do not apply are None.
    """

    model: str
    role: str
    word: str
    reason: str
    group: str | None = None
    template: str | None = None
    contrast: str | None = None


@dataclass(frozen=True)
class Group:
    """A named group of target words. Two groups of equal length are pairs by position."""

    name: str
    words: tuple[str, ...]


OTHERS = "the others"


@dataclass(frozen=True)
class Contrast:
    """``first`` minus ``second``: a positive value leans to ``first``. ``second`` may be ``OTHERS``, their mean."""

    first: str
    second: str

    @property
    def label(self) -> str:
        """The contrast as screen, legend and file print it, with a true minus sign."""
        return f"{self.first} − {self.second}"


@dataclass(frozen=True, eq=False)
class Result:
    """What every experiment returns and every export writes.

    ``summary`` and ``detail`` are tidy frames whose columns the command line documents; a value that could not
    be computed is missing in the frame (null in JSON) and explained in ``left_out``. ``options`` is the frozen
    dataclass of the experiment's options as they were used.
    """

    summary: pd.DataFrame
    detail: pd.DataFrame
    left_out: tuple[LeftOut, ...]
    options: object
    provenance: Provenance


@dataclass(frozen=True)
class LpbsOptions:
    """The choices of a log probability bias score (metrics: LPBS).

    ``masking``: how an attribute is hidden for the prior, one mask per ``wordpiece``, per whitespace ``word``,
    or ``single`` mask for all of it. ``several_pieces``: a target of several pieces is left out (``single``) or
    scored ``joint``. ``paired``: groups of equal length are pairs by position, and a word that cannot be scored
    takes its partner with it. ``contrasts``: ``pairs`` (every pair of groups) or ``others`(each group against
    the mean of the others). ``common_words``: with several models, a word not all can represent is left out for
    all. ``seed`` feeds the bootstrap and the sampled sign flips.
    """

    masking: str = "wordpiece"
    several_pieces: str = "single"
    paired: bool = True
    contrasts: str = "pairs"
    common_words: bool = True
    seed: int = 0


@dataclass(frozen=True, eq=False)
class LpbsResult(Result):
    """Log probability bias scores of one or more models. All log quantities in nats, natural logarithm.

    ``summary`` columns: model, kind (``attribute`` or ``all``), attribute (missing for ``all``), contrast, n
    (``attribute``: template × word-pair values; ``all``: attributes), lpbs, log_ratio, prior_log_ratio, ci_low,
    ci_high, p_value, p_adjusted. ``lpbs`` = ``log_ratio`` − ``prior_log_ratio``; positive leans to the
    contrast's first group.

    ``detail`` columns: model, template, attribute, group, target, ln_p_target, ln_p_prior, association, where
    association = ln_p_target − ln_p_prior.

    ``family_sizes``: how many p values Benjamini–Hochberg adjusted together, for kind ``attribute`` and ``all``.
    ``notes``: sentences about the method that the screen must show, such as an added start token.
    """

    options: LpbsOptions
    templates: tuple[str, ...]
    groups: tuple[Group, ...]
    contrasts: tuple[Contrast, ...]
    attributes: tuple[str, ...]
    family_sizes: tuple[tuple[str, int], ...]
    notes: tuple[str, ...] = ()
