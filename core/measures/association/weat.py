"""Association tests: do the members of X go with A, and those of Y with B? WEAT, SEAT, and LPBS in their manner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.effects import effect_size, effect_size_interval, two_sets, varies
from core.stats.permutation import permutation_test

FloatArray = NDArray[np.float64]

MIN_MEMBERS = 2  # fewer in X or Y: nothing to permute
COSINE_SCALE = 1.0  # differences of cosines are rounded as numbers near 1 are, however small they come out
# The vectors of models are float32: 6e-8 a number, a few 1e-7 after some layers in whatever batch. Associations that
# differ by no more than this differ by rounding. ([CLS] of a lower layer hardly differs between words: about 1e-7.)
COSINE_ROUNDING = 2e-6


@dataclass(frozen=True)
class SetSizes:
    """How many members each set has. X and Y are the sets that are permuted."""

    x: int
    y: int
    a: int
    b: int


@dataclass(frozen=True)
class NotComputed:
    """A test without a value; the screen says "not computed: …".

    ``reason``: "X kept 1 of 3", "no variation", or "no variation beyond rounding" (see ``COSINE_ROUNDING``).
    """

    reason: str


@dataclass(frozen=True, eq=False)
class AssociationTest:
    """One association test, all that a summary row holds. Positive: X goes with A, and Y with B.

    ``test_statistic`` S = mean of ``s_x`` − mean of ``s_y``; ``effect_size`` d = S / standard deviation (``ddof``)
    of both together, with a 95 % bootstrap interval. ``p_…`` as in ``PermutationTest``, from ``n_permutations``
    re-partitions, ``p_kind`` ``exact`` or ``sampled``. ``null``: up to 10,000 of their statistics.
    """

    test_statistic: float
    effect_size: float
    ddof: int
    ci_low: float
    ci_high: float
    p_one_sided: float
    p_two_sided: float
    p_observed_direction: float
    p_kind: str
    n_permutations: int
    n_x: int
    n_y: int
    n_a: int
    n_b: int
    s_x: FloatArray
    s_y: FloatArray
    null: FloatArray


@dataclass(frozen=True, eq=False)
class VectorTest:
    """A test on vectors with the cosines ``matrix`` [members of X then Y, members of A then B] behind it."""

    test: AssociationTest
    matrix: FloatArray


def lengths(vectors: FloatArray) -> FloatArray:
    """Length of each vector ``[members, width]``; NaN where it has no direction: all 0, or not finite."""
    with np.errstate(over="ignore"):  # squares beyond float64 become infinite, which is told apart below
        length = np.linalg.norm(vectors.astype(np.float64), axis=1)
    return np.where(np.isfinite(length) & (length > 0), length, np.nan)


def cosine_matrix(members: FloatArray, attributes: FloatArray) -> FloatArray:
    """Cosines ``[members, attributes]`` of vectors ``[…, width]``; −1 to 1.

    NaN in the row or column of a vector without a direction (see ``lengths``): leave such a member out and say why.
    """
    return _units(members) @ _units(attributes).T


def associations(matrix: FloatArray, n_a: int) -> FloatArray:
    """s(w, A, B) = mean over A − mean over B of each row of ``matrix`` [members, members of A then B].

    Above 0: nearer to A. With cosines this is WEAT's s; with LPBS associations of the two groups' words it is LPBS.
    Caliskan et al. 2017.
    """
    s: FloatArray = matrix[:, :n_a].mean(axis=1) - matrix[:, n_a:].mean(axis=1)
    return s


def too_few(kept: SetSizes, asked: SetSizes) -> NotComputed | None:
    """Why a test cannot be computed on the members kept, None if it can.

    X and Y need 2 members and half of what was asked for, A and B need 1. Members dropped at random to make sets
    equal were not lost: do not count them in ``asked``.
    """
    short = [
        f"{name} kept {have} of {wanted}"
        for name, have, wanted, least in (
            ("X", kept.x, asked.x, max(MIN_MEMBERS, asked.x / 2)),
            ("Y", kept.y, asked.y, max(MIN_MEMBERS, asked.y / 2)),
            ("A", kept.a, asked.a, 1),
            ("B", kept.b, asked.b, 1),
        )
        if have < least
    ]
    return NotComputed(", ".join(short)) if short else None


def association_test(
    s_x: FloatArray,
    s_y: FloatArray,
    *,
    n_a: int,
    n_b: int,
    asked: SetSizes,
    ddof: int,
    seed: int,
    scale: float | None = None,
    rounding: float = 0.0,
) -> AssociationTest | NotComputed:
    """Test the associations ``s_x`` ``(n_x,)`` of X against those of Y, ``s_y`` ``(n_y,)``; positive: X with A.

    In the manner of WEAT the values are LPBS of the attribute words of the two permuted sets, and A and B the
    groups. ``n_a`` and ``n_b`` count the members behind each value, ``asked`` those asked for. ``scale``: size of
    the numbers the values are differences of (``COSINE_SCALE``), None takes the largest |value|; differences of
    1e-12 of it are rounding. Values that lie within ``rounding`` of each other give no test. Raises ValueError for a
    value that is not finite. Caliskan et al. 2017, Kurita et al. 2019.
    """
    kept = SetSizes(len(s_x), len(s_y), n_a, n_b)
    if (refusal := too_few(kept, asked)) is not None:
        return refusal
    pooled = np.concatenate(two_sets(s_x, s_y))
    if not varies(pooled, scale):
        return NotComputed("no variation")
    if np.ptp(pooled) <= rounding:
        return NotComputed("no variation beyond rounding")
    permutation = permutation_test(s_x, s_y, seed=seed, scale=scale)
    interval = effect_size_interval(s_x, s_y, seed=seed, ddof=ddof, scale=scale)
    return AssociationTest(
        test_statistic=permutation.test_statistic,
        effect_size=float(effect_size(s_x, s_y, ddof=ddof, scale=scale)),
        ddof=ddof,
        ci_low=float(interval.low),
        ci_high=float(interval.high),
        p_one_sided=permutation.p_one_sided,
        p_two_sided=permutation.p_two_sided,
        p_observed_direction=permutation.p_observed_direction,
        p_kind="exact" if permutation.exact else "sampled",
        n_permutations=permutation.partitions,
        n_x=kept.x,
        n_y=kept.y,
        n_a=kept.a,
        n_b=kept.b,
        s_x=s_x,
        s_y=s_y,
        null=permutation.null,
    )


def vector_test(
    x: FloatArray, y: FloatArray, a: FloatArray, b: FloatArray, *, asked: SetSizes, ddof: int, seed: int
) -> VectorTest | NotComputed:
    """WEAT (words) or SEAT (sentences) on the vectors ``[members, width]`` kept of each set; positive: X with A.

    Raises ValueError for a vector without a direction (see ``lengths``): omit it and say why. Caliskan et al.
    2017, May et al. 2019.
    """
    if (refusal := too_few(SetSizes(len(x), len(y), len(a), len(b)), asked)) is not None:
        return refusal
    matrix = cosine_matrix(np.concatenate([x, y]), np.concatenate([a, b]))
    s = associations(matrix, len(a))
    test = association_test(
        s[: len(x)],
        s[len(x) :],
        n_a=len(a),
        n_b=len(b),
        asked=asked,
        ddof=ddof,
        seed=seed,
        scale=COSINE_SCALE,
        rounding=COSINE_ROUNDING,
    )
    return test if isinstance(test, NotComputed) else VectorTest(test, matrix)


def vector_effect_size(x: FloatArray, y: FloatArray, a: FloatArray, b: FloatArray, *, ddof: int) -> float | None:
    """d of ``vector_test`` alone, None where the associations do not vary beyond rounding.

    For a curve over layers. Raises ValueError for an empty set or a vector without a direction. Caliskan et al. 2017.
    """
    s = associations(cosine_matrix(np.concatenate([x, y]), np.concatenate([a, b])), len(a))
    if np.ptp(s) <= COSINE_ROUNDING:
        return None
    return float(effect_size(s[: len(x)], s[len(x) :], ddof=ddof, scale=COSINE_SCALE))


def drop_to_equal(n_first: int, n_second: int, *, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which members of two sets stay when the longer one drops some at random: two ascending index arrays.

    Both are as long as the shorter set. Kurita et al. 2019.
    """
    size = min(n_first, n_second)
    generator = np.random.default_rng(seed)
    first, second = (np.sort(generator.choice(n, size, replace=False)) for n in (n_first, n_second))
    return first, second


def _units(vectors: FloatArray) -> FloatArray:
    """The vectors at length 1, in float64 whatever they came in, NaN without a direction."""
    units: FloatArray = vectors.astype(np.float64) / lengths(vectors)[:, None]
    return units
