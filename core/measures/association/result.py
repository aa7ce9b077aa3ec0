"""Association tests: WEAT, SEAT, CEAT and LPBS in their manner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core import spec as limits
from core.result import Result
from core.sources.association_tests import WordSet


@dataclass(frozen=True)
class AskedTest:
    """What a test asks, in full. ``source`` is empty for lists of the user's own.

    ``sets`` are X, Y, A and B; ``templates`` and the words ``group1`` and ``group2`` those of its log probability bias
    scores, empty where it has none.
    """

    id: str
    title: str
    source: str
    sets: tuple[WordSet, WordSet, WordSet, WordSet]
    templates: tuple[str, ...] = ()
    group1: tuple[str, ...] = ()
    group2: tuple[str, ...] = ()

    @property
    def named_sets(self) -> tuple[tuple[str, WordSet], ...]:
        """Each set with its letter."""
        return tuple(zip("XYAB", self.sets, strict=True))


@dataclass(frozen=True)
class AssociationOptions:
    """The choices of an association test (metrics: association tests).

    ``ddof``: of the standard deviation in d, 1 or 0. ``lost``: a member is lost when it holds the ``unknown``
    token, or already when it is of ``several pieces`` (Kurita's rule). ``unequal``: sets that lost members
    unequally stay as they are (``keep``) or drop members at random (``drop``). ``lpbs_values``: one value per
    attribute word, its ``mean`` over templates, or all templates' values, ``pool``. ``ceat_variance``: ``authors``
    (variance of s over X∪Y) or ``formula``. ``layer``: None reads the layer each representation is defined on, a
    number reads that one (0 is the embedding output). ``seed`` feeds every draw. ``form``, in templates with [TARGET]
    and [ATTRIBUTE], as in ``LpbsOptions``.
    """

    ddof: int = limits.choice(1, 0)
    lost: str = limits.choice("unknown", "several pieces")
    unequal: str = limits.choice("keep", "drop")
    lpbs_values: str = limits.choice("mean", "pool")
    ceat_variance: str = limits.choice("authors", "formula")
    ceat_samples: int = limits.whole_number(1000, least=2, most=1_000_000)
    layer: int | None = limits.whole_number(None, least=0, most=999)
    seed: int = limits.seed()
    form: str = limits.choice("sentence", "typed", "capital")


@dataclass(frozen=True, eq=False)
class AssociationCell:
    """What stands behind one summary row, for the charts.

    ``words_x`` … name the members that stayed. ``s_x``, ``s_y``: association of each member of X and Y with A
    against B. ``matrix`` [x and y members, a and b members]: cosines; where the representation is lpbs, the mean
    association of each group's words, whose difference is the member's value. ``null``: test statistics of up to
    10,000 re-partitions, for the picture of the null distribution; for ceat the effect sizes of its samples.
    """

    model: str
    test: str
    representation: str
    members_x: tuple[str, ...]
    members_y: tuple[str, ...]
    members_a: tuple[str, ...]
    members_b: tuple[str, ...]
    s_x: NDArray[np.float64]
    s_y: NDArray[np.float64]
    matrix: NDArray[np.float64]
    null: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AssociationResult(Result):
    """Association tests of one or more models in one or more representations.

    ``summary`` columns: model, test, representation, layer, templates, test_statistic, effect_size, ddof, ci_low,
    ci_high, p_one_sided, p_two_sided, p_observed_direction, p_adjusted (Benjamini–Hochberg over the two-sided p
    of the figure), p_kind (``exact``, ``sampled`` or ``random effects``), n_permutations, n_x, n_y, n_a, n_b.
    Positive: X goes with A (and Y with B) more than the other way round. Where the representation is lpbs, n_a and n_b
    count the group words kept in any template. A row without values has its reason in ``left_out``.

    ``detail`` columns: model, test, representation, set (X or Y), member, association.
    ``layers`` columns: model, test, representation, layer, effect_size; the curve over layers, where there are any;
    a layer whose values do not vary beyond rounding has no row.
    ``tests`` are the tests with all their words, the user's own lists too.
    ``published`` columns: test, representation, source, model, effect_size, p_value; values as printed.
    """

    options: AssociationOptions
    cells: tuple[AssociationCell, ...]
    layers: pd.DataFrame
    published: pd.DataFrame
    family_size: int
    tests: tuple[AskedTest, ...] = ()
