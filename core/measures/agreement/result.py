"""Reliability: do two templates, two representations, two metrics give the same answer?"""

from __future__ import annotations

from dataclasses import dataclass

from core import spec as limits
from core.result import Result

TEMPLATES, REPRESENTATIONS, METRICS = "templates", "representations", "metrics"


@dataclass(frozen=True)
class AgreementOptions:
    """The choices of an agreement (Delobelle et al. 2022).

    ``method``: ``pearson`` or ``spearman``. ``subsets`` seeded subsets, in each ``drawn`` words of X and so many of Y,
    give the points of templates and representations; metrics have a point for each model. ``seed`` feeds the
    subsets and every bootstrap.
    """

    method: str = limits.choice("pearson", "spearman")
    subsets: int = limits.whole_number(20, least=4, most=500)  # fewer than 4 points have no correlation
    drawn: int = limits.whole_number(10, least=2, most=30)  # of the 30 professions of each set
    seed: int = limits.seed()


@dataclass(frozen=True)
class Stability:
    """How far an order survives a change of templates.

    ``of`` is what is ordered, ``models`` or ``words``; ``model`` and ``representation`` say where (``model`` empty
    where models are ordered). ``order``: names, the highest mean first. Over ``resamples`` seeded bootstraps of the
    ``templates`` (their number): ``kept``, the share (0–1) in which the full order is that of all templates;
    ``flips``, the mean share of pairs (0–1) that stand the other way round. ``w``: Kendall's W over the templates as
    raters, 0 (no agreement) to 1; None where it is undefined.
    """

    of: str
    model: str
    representation: str
    order: tuple[str, ...]
    kept: float
    flips: float
    w: float | None
    templates: int
    resamples: int


@dataclass(frozen=True, eq=False)
class AgreementResult(Result):
    """Templates, representations or metrics against each other.

    ``kind`` is ``templates``, ``representations`` or ``metrics``; what is compared are ``names``, in the order they
    were given, a (id, title) each: for templates ("T1", "This is the _.").

    ``summary`` columns, a row per pair a < b in the order of ``names``: model and representation (None where the pair
    is not in one of them), then ``template_a, template_b`` (or ``representation_a…``, ``metric_a…``: see ``columns``),
    r, p (two-sided), n (points), critical (the |r| above which a correlation of n points is significant at .05),
    significant (p < .05). r and critical are missing, and explained in ``left_out``, where a side does not vary
    ("undefined: no variation") or where there are fewer than 4 points; p and significant also where there are fewer
    than 6 (``core.stats.samples``).

    ``detail`` columns, the points: model, representation, name (an id of ``names``), point (the number of a subset, or
    the name of a model), value. For templates and representations value is an effect size d, positive where the
    female-typical professions go with the female words.

    ``representations`` are those of the column, a (id, title) each. ``stabilities``: for templates, of each model's
    words and, with two or more models, of the models.
    """

    options: AgreementOptions
    kind: str
    names: tuple[tuple[str, str], ...]
    representations: tuple[tuple[str, str], ...] = ()
    stabilities: tuple[Stability, ...] = ()

    def title(self, representation: str) -> str:
        """A representation as a reader knows it."""
        return dict(self.representations).get(representation, representation)

    @property
    def columns(self) -> tuple[str, str]:
        """The two columns of the summary that hold the ids of a pair."""
        return pair_columns(self.kind)

    @property
    def critical(self) -> dict[int, float]:
        """The |r| above which a correlation is significant at .05, by the numbers of points that occur."""
        if "critical" not in self.summary:
            return {}
        rows = self.summary.dropna(subset="critical").sort_values("n", kind="stable")
        return dict(zip(rows["n"].astype(int), rows["critical"].astype(float), strict=True))


def pair_columns(kind: str) -> tuple[str, str]:
    """The two columns that hold the ids of a pair of this kind."""
    return f"{kind.removesuffix('s')}_a", f"{kind.removesuffix('s')}_b"


@dataclass(frozen=True)
class DivergenceOptions:
    """``base`` is the id of the template the others are compared with."""

    base: str = "T1"


@dataclass(frozen=True, eq=False)
class DivergenceResult(Result):
    """How far what a model expects in the blank of each template is from what it expects in the base template's.

    ``summary`` columns: model, template (id), base (id), kl_full, kl_gendered: KL(template ‖ base) in nats, ≥ 0, over
    the whole vocabulary and over the gendered words alone, renormalised. The base itself has no row.

    ``detail`` columns, the words of the vocabulary that contribute most and each gendered word: model, template,
    scope (``full`` or ``gendered``), word, p (in the template), p_base, contribution (p ln(p / p_base), in nats).
    ``templates`` are (id, text) of all, the base too; ``gendered`` the gendered words that were read.
    """

    options: DivergenceOptions
    templates: tuple[tuple[str, str], ...]
    gendered: tuple[str, ...]
