"""The statistics of association tests: WEAT, SEAT, CEAT and WEAT-style LPBS. Arrays in, numbers out.

Positive everywhere: X is more strongly associated with A, and Y with B, than the other way round.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...stats.effects import effect_size, effect_size_interval, two_sets, varies
from ...stats.permutation import permutation_test
from ...stats.random_effects import random_effects
from ...stats.samples import is_enough

FloatArray = NDArray[np.float64]

MIN_MEMBERS = 2  # fewer in X or Y: nothing to permute
COSINE_SCALE = 1.0  # differences of cosines are rounded as numbers near 1 are, however small they come out
# The vectors of models are float32: 6e-8 a number, a few 1e-7 after some layers in whatever batch. Associations that
# differ by no more than this differ by rounding. ([CLS] of a lower layer hardly differs between words: about 1e-7.)
COSINE_ROUNDING = 2e-6
RANDOM_EFFECTS = "random effects"  # the kind of p that CEAT has
_FEWEST_BARS, _MOST_BARS = 10, 50
_TIE = 1e-12  # differences up to that share of the values' size are rounding
_CELLS = 2**20  # numbers held in one working array, 8 MB: bounds memory whatever the samples and the width


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


@dataclass(frozen=True)
class Statistics:
    """The numbers of one association test, as a row of the result holds them.

    ``test_statistic`` S = mean of s over X − mean of s over Y; ``effect_size`` d = S / standard deviation (``ddof``) of
    s over both, with a 95 % interval. ``p_kind``: ``exact`` or ``sampled``, p as in ``PermutationTest`` from
    ``n_permutations`` re-partitions; or ``random effects``, CEAT's two-sided p alone, from so many samples. What a test
    does not have is NaN.
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

    @property
    def is_permuted(self) -> bool:
        """Whether p counts re-partitions, which is right at any n."""
        return self.p_kind != RANDOM_EFFECTS

    @property
    def is_enough(self) -> bool:
        """Whether X and Y have enough members for an interval."""
        return is_enough(self.n_x) and is_enough(self.n_y)


@dataclass(frozen=True, eq=False)
class Computed(Statistics):
    """An association test with what is behind its numbers.

    ``s_x`` and ``s_y``: the association of each member. ``matrix`` [members of X then Y, members of A then B]: cosines;
    for LPBS the mean association of each group's words, whose difference is the member's value. ``distribution``: up to
    10,000 test statistics of re-partitions; for CEAT d of each sample.
    """

    s_x: FloatArray
    s_y: FloatArray
    matrix: FloatArray
    distribution: FloatArray


@dataclass(frozen=True, eq=False)
class ComputedInContexts(Computed):
    """Effect sizes of many samples and their combination.

    ``effect_size`` is the combined one (CES), ``standard_error``, ``tau_squared``, ``q`` and the 95 % interval those of
    the random-effects model, ``p_two_sided`` 2(1 − Φ|CES / SE|). The samples share sentences, so p shrinks with their
    number: read CES and its spread. ``matrix``: the cosine expected over the words' contexts; ``s_x``, ``s_y`` and
    ``test_statistic`` follow from it as in WEAT. ``samples_without_spread`` have no d.
    """

    standard_error: float
    tau_squared: float
    q: float
    samples_without_spread: int


def without_interval(test: Computed) -> Computed:
    """The test as it is shown where X or Y has too few members: a p that is no permutation's goes too."""
    nan = float("nan")
    return replace(test, ci_low=nan, ci_high=nan, p_two_sided=test.p_two_sided if test.is_permuted else nan)


@dataclass(frozen=True, eq=False)
class Histogram:
    """Bars of equal width from ``low`` to ``high``, ascending; empty ones are not there.

    None lies across the observed value: ``in_tail`` says which are at it or beyond.
    """

    low: FloatArray
    high: FloatArray
    count: NDArray[np.int64]
    in_tail: NDArray[np.bool_]


def histogram(test: Computed) -> Histogram:
    """The distribution of a test in 10 to 50 bars.

    The tail is on the side of the observed statistic where fewer re-partitions are; of CEAT, on its side of 0.
    """
    values = test.distribution[np.isfinite(test.distribution)]
    if test.is_permuted:
        observed = test.test_statistic
        tie = _TIE * max(1.0, *(float(np.abs(s).max(initial=0.0)) for s in (test.s_x, test.s_y)))
        right = np.count_nonzero(values >= observed - tie) <= np.count_nonzero(values <= observed + tie)
        sign = 1.0 if right else -1.0
        edge = observed - sign * tie
    else:
        sign, edge = (-1.0 if test.effect_size < 0 else 1.0), 0.0
    bars = min(_MOST_BARS, max(_FEWEST_BARS, math.ceil(2 * len(values) ** (1 / 3))))
    spread = float(np.ptp(values)) if len(values) else 0.0
    width = spread / bars if spread > _TIE else 0.05 * max(1.0, abs(edge))
    # Values that differ by rounding from the edge of a bar are in the bar beyond it, in whatever order they came.
    places, counts = np.unique(np.floor(sign * (values - edge) / width + 1e-9).astype(np.int64), return_counts=True)
    ends = np.sort([edge + sign * places * width, edge + sign * (places + 1) * width], axis=0)
    order = np.argsort(ends[0])
    return Histogram(ends[0][order], ends[1][order], counts[order], (places >= 0)[order])


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

    X and Y need 2 members and half of what was requested, A and B need 1. Members dropped at random to make sets
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


def permuted_test(
    matrix: FloatArray,
    s_x: FloatArray,
    s_y: FloatArray,
    *,
    sizes: SetSizes,
    asked: SetSizes,
    ddof: int,
    seed: int,
    scale: float | None = None,
    rounding: float = 0.0,
) -> Computed | NotComputed:
    """Test the associations ``s_x`` ``(n_x,)`` of X against those of Y, ``s_y`` ``(n_y,)``.

    WEAT-style, the values are LPBS of the attribute words of the two permuted sets, and A and B the groups. ``sizes``
    counts the members behind the values, ``asked`` those requested. ``scale``: size of the numbers the values are
    differences of (``COSINE_SCALE``), None takes the largest |value|; differences of 1e-12 of it are rounding. Values
    that lie within ``rounding`` of each other give no test. Raises ValueError for a value that is not finite. Caliskan
    et al. 2017, Kurita et al. 2019.
    """
    if (refusal := too_few(sizes, asked)) is not None:
        return refusal
    pooled = np.concatenate(two_sets(s_x, s_y))
    if not varies(pooled, scale):
        return NotComputed("no variation")
    if np.ptp(pooled) <= rounding:
        return NotComputed("no variation beyond rounding")
    permutation = permutation_test(s_x, s_y, seed=seed, scale=scale)
    interval = effect_size_interval(s_x, s_y, seed=seed, ddof=ddof, scale=scale)
    return Computed(
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
        n_x=sizes.x,
        n_y=sizes.y,
        n_a=sizes.a,
        n_b=sizes.b,
        s_x=s_x,
        s_y=s_y,
        matrix=matrix,
        distribution=permutation.null,
    )


def vector_test(
    x: FloatArray, y: FloatArray, a: FloatArray, b: FloatArray, *, asked: SetSizes, ddof: int, seed: int
) -> Computed | NotComputed:
    """WEAT (words) or SEAT (sentences) on the vectors ``[members, width]`` kept of each set.

    Raises ValueError for a vector without a direction (see ``lengths``): omit it and say why. Caliskan et al.
    2017, May et al. 2019.
    """
    sizes = SetSizes(len(x), len(y), len(a), len(b))
    if (refusal := too_few(sizes, asked)) is not None:
        return refusal
    matrix = cosine_matrix(np.concatenate([x, y]), np.concatenate([a, b]))
    s = associations(matrix, len(a))
    return permuted_test(
        matrix,
        s[: len(x)],
        s[len(x) :],
        sizes=sizes,
        asked=asked,
        ddof=ddof,
        seed=seed,
        scale=COSINE_SCALE,
        rounding=COSINE_ROUNDING,
    )


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


def contextual_test(
    x: Sequence[FloatArray],
    y: Sequence[FloatArray],
    a: Sequence[FloatArray],
    b: Sequence[FloatArray],
    *,
    asked: SetSizes,
    ddof: int,
    seed: int,
    samples: int = 1000,
    variance: str = "authors",
) -> ComputedInContexts | NotComputed:
    """Draw one context per word ``samples`` times, take d of each sample, combine.

    Each set holds one array ``[contexts, width]`` per word kept, ``asked`` counts the words requested. The ``variance``
    of d_i is that of s over X∪Y with ddof 1, as in the ``authors``' code, or by the ``formula``
    (n_x + n_y)/(n_x n_y) + d²/(2(n_x + n_y)). A sample whose s are all equal but for rounding has no d and is left
    out; with fewer than 2 others nothing is computed. Raises ValueError for a word without contexts, a context vector
    without a direction, or fewer than 2 samples. Guo & Caliskan 2021.
    """
    if samples < 2:
        raise ValueError(f"{samples} samples; needs at least 2.")
    sizes = SetSizes(len(x), len(y), len(a), len(b))
    if (refusal := too_few(sizes, asked)) is not None:
        return refusal
    words = [*x, *y, *a, *b]
    word_lengths = [lengths(word) for word in words]
    if any(len(length) == 0 or np.isnan(length).any() for length in word_lengths):
        raise ValueError("A word has no context, or a context whose vector is 0 or not finite; omit it before.")
    s = np.concatenate(list(_sampled_associations(words, word_lengths, sizes, samples=samples, seed=seed)))
    d = effect_size(s[:, : sizes.x], s[:, sizes.x :], ddof=ddof, scale=COSINE_SCALE)
    has_spread = np.ptp(s, axis=1) > COSINE_ROUNDING
    effects = d[has_spread]
    if len(effects) < 2:
        return NotComputed("no variation" if np.isnan(d).all() else "no variation beyond rounding")
    n = sizes.x + sizes.y
    variances = (
        s[has_spread].var(axis=1, ddof=1) if variance == "authors" else n / (sizes.x * sizes.y) + effects**2 / (2 * n)
    )
    combined = random_effects(effects, variances)
    # Contexts are drawn independently, so the expected cosine of two words is the product of their mean directions.
    means = np.stack([_directions(word, length).mean(axis=0) for word, length in zip(words, word_lengths, strict=True)])
    matrix = means[:n] @ means[n:].T
    expected = associations(matrix, sizes.a)
    s_x, s_y = expected[: sizes.x], expected[sizes.x :]
    return ComputedInContexts(
        test_statistic=float(s_x.mean() - s_y.mean()),
        effect_size=combined.effect,
        standard_error=combined.standard_error,
        tau_squared=combined.tau_squared,
        q=combined.q,
        ci_low=combined.ci_low,
        ci_high=combined.ci_high,
        p_one_sided=float("nan"),
        p_two_sided=combined.p_value,
        p_observed_direction=float("nan"),
        p_kind=RANDOM_EFFECTS,
        n_permutations=len(effects),
        ddof=ddof,
        distribution=effects,
        samples_without_spread=len(d) - len(effects),
        n_x=sizes.x,
        n_y=sizes.y,
        n_a=sizes.a,
        n_b=sizes.b,
        s_x=s_x,
        s_y=s_y,
        matrix=matrix,
    )


def _sampled_associations(
    words: Sequence[FloatArray], word_lengths: Sequence[FloatArray], sizes: SetSizes, *, samples: int, seed: int
) -> Iterator[FloatArray]:
    """s of every word of X then Y in every sample, in blocks ``[samples in block, words]``."""
    generator = np.random.default_rng(seed)
    drawn = [generator.integers(len(word), size=samples) for word in words]
    block = max(1, _CELLS // words[0].shape[1])
    n = sizes.x + sizes.y
    for start in range(0, samples, block):
        chosen = [
            (word, length, index[start : start + block])
            for word, length, index in zip(words, word_lengths, drawn, strict=True)
        ]
        # mean_a cos(w, a) − mean_b cos(w, b) is w's product with one vector per sample: mean of A − mean of B.
        axis = np.zeros((len(drawn[0][start : start + block]), words[0].shape[1]))
        for number, (word, length, index) in enumerate(chosen[n:]):
            axis += _directions(word[index], length[index]) / (sizes.a if number < sizes.a else -sizes.b)
        yield np.stack(
            [
                np.einsum("sd,sd->s", _directions(word[index], length[index]), axis)
                for word, length, index in chosen[:n]
            ],
            axis=1,
        )


def _directions(vectors: FloatArray, length: FloatArray) -> FloatArray:
    return vectors.astype(np.float64) / length[:, None]
