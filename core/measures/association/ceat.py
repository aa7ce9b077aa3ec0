"""Contextualised association test (CEAT): WEAT over many draws of one context per word. Guo & Caliskan 2021."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.measures.association.weat import (
    COSINE_ROUNDING,
    COSINE_SCALE,
    NotComputed,
    SetSizes,
    associations,
    lengths,
    too_few,
)
from core.stats.effects import effect_size
from core.stats.random_effects import random_effects

FloatArray = NDArray[np.float64]
Variance = Literal["authors", "formula"]

_CELLS = 2**20  # numbers held in one working array, 8 MB: bounds memory whatever the samples and the width


@dataclass(frozen=True, eq=False)
class ContextualTest:
    """Effect sizes of many samples and their combination. Positive: X goes with A, and Y with B.

    ``effect_sizes`` (samples,): d of each sample that has one. ``effect_size`` is the combined one (CES),
    ``standard_error``, ``tau_squared``, ``q`` and the 95 % interval those of the random-effects model, ``p_two_sided``
    2(1 − Φ|CES / SE|). The samples share sentences, so p shrinks with their number: read CES and its spread.

    ``matrix`` [members of X then Y, members of A then B]: cosine expected over the words' contexts. ``s_x``, ``s_y``
    and ``test_statistic`` follow from it as in WEAT. ``samples_without_spread`` were left out.
    """

    test_statistic: float
    effect_size: float
    standard_error: float
    tau_squared: float
    q: float
    ci_low: float
    ci_high: float
    p_two_sided: float
    ddof: int
    effect_sizes: FloatArray
    samples_without_spread: int
    n_x: int
    n_y: int
    n_a: int
    n_b: int
    s_x: FloatArray
    s_y: FloatArray
    matrix: FloatArray


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
    variance: Variance = "authors",
) -> ContextualTest | NotComputed:
    """Draw one context per word ``samples`` times, take d of each sample, combine; positive: X with A.

    Each set holds one array ``[contexts, width]`` per word kept, ``asked`` counts the words asked for. The variance
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
    return ContextualTest(
        test_statistic=float(s_x.mean() - s_y.mean()),
        effect_size=combined.effect,
        standard_error=combined.standard_error,
        tau_squared=combined.tau_squared,
        q=combined.q,
        ci_low=combined.ci_low,
        ci_high=combined.ci_high,
        p_two_sided=combined.p_value,
        ddof=ddof,
        effect_sizes=effects,
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
        for place, (word, length, index) in enumerate(chosen[n:]):
            axis += _directions(word[index], length[index]) / (sizes.a if place < sizes.a else -sizes.b)
        yield np.stack(
            [
                np.einsum("sd,sd->s", _directions(word[index], length[index]), axis)
                for word, length, index in chosen[:n]
            ],
            axis=1,
        )


def _directions(vectors: FloatArray, length: FloatArray) -> FloatArray:
    return vectors.astype(np.float64) / length[:, None]
