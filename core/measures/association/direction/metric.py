"""A direction from pairs of vectors, and what lies along it. Arrays in, numbers out.

Positive everywhere: towards the first words of the pairs. Vectors are taken at unit length, as Bolukbasi et al. (2016)
took them, so that a projection is a cosine and lengths change nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

RESAMPLES = 1000  # of the pairs
RANDOM_DRAWS = 100  # of as many pairs of words
_CELLS = 2**22  # numbers in one working array: 32 MB
ROUNDING = 1e-6  # of float32 vectors of unit length: a difference no longer than that is none


@dataclass(frozen=True, eq=False)
class Direction:
    """``vector`` [width] of unit length, and ``shares`` [component] of the variance of the pairs, descending."""

    vector: FloatArray
    shares: FloatArray


@dataclass(frozen=True, eq=False)
class Resampled:
    """Directions of resampled pairs: ``cosines`` [resample] with that of all, ``projections`` [resample, word]."""

    cosines: FloatArray
    projections: FloatArray


def units(vectors: FloatArray) -> FloatArray:
    """The vectors [n, width] at length 1. Raises ValueError for one without a direction."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise ValueError("A vector has no direction.")
    found: FloatArray = vectors / lengths
    return found


def differ(first: FloatArray, second: FloatArray) -> NDArray[np.bool_]:
    """Whether the two vectors of each pair [pair, width], of unit length, differ beyond rounding."""
    found: NDArray[np.bool_] = np.linalg.norm(first - second, axis=1) > ROUNDING
    return found


def direction(first: FloatArray, second: FloatArray) -> Direction | None:
    """The first principal component of the pairs, each centred at its own middle (Bolukbasi et al. 2016, step 1).

    ``first`` and ``second`` [pair, width] are of unit length. Centred at its middle a pair is half its difference, to
    both sides, so the components are the right singular vectors of the differences, about which nothing is
    subtracted. It points to where the first words lie on average; None where they lie on neither side.
    """
    differences = first - second
    _, values, vectors = np.linalg.svd(differences, full_matrices=False)
    found = _oriented(vectors[0], differences)
    return None if found is None else Direction(found, values**2 / (values**2).sum())


def _by_mean(first: FloatArray, second: FloatArray) -> FloatArray | None:
    mean = (first - second).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / length if length > ROUNDING else None


def _of_centred_differences(first: FloatArray, second: FloatArray) -> FloatArray | None:
    differences = first - second
    return _component(differences - differences.mean(axis=0), differences)


def _of_words(first: FloatArray, second: FloatArray) -> FloatArray | None:
    words = np.concatenate([first, second])
    return _component(words - words.mean(axis=0), first - second)


# Other ways to a direction, by name: each gives a vector of unit length, or None where there is none.
ALTERNATIVES: dict[str, Callable[[FloatArray, FloatArray], FloatArray | None]] = {
    "mean of the differences": _by_mean,
    "PCA of the words, centred together": _of_words,
    "PCA of the differences, centred at their mean": _of_centred_differences,
}


def _component(rows: FloatArray, differences: FloatArray) -> FloatArray | None:
    _, values, vectors = np.linalg.svd(rows, full_matrices=False)
    return _oriented(vectors[0], differences) if values[0] > ROUNDING else None


def _oriented(vector: FloatArray, differences: FloatArray) -> FloatArray | None:
    along = differences @ vector
    if abs(along.sum()) <= 1e-9 * np.abs(along).sum():
        return None
    return vector if along.sum() > 0 else -vector


def direct_bias(projections: FloatArray, strictness: int) -> FloatArray:
    """Mean of |projection|^strictness over the last axis, [..., word]; at least 0 (Bolukbasi et al. 2016, section 5.2).

    0: no word has a part along the direction. It has no sign: words of both sides count alike.
    """
    found: FloatArray = (np.abs(projections) ** strictness).mean(axis=-1)
    return found


def resampled(first: FloatArray, second: FloatArray, words: FloatArray, found: Direction, *, seed: int) -> Resampled:
    """Directions of ``RESAMPLES`` samples of the pairs with replacement, each oriented by its own pairs.

    ``first``, ``second`` [pair, width] and ``words`` [word, width] are of unit length. A sample whose first words lie
    on neither side is left out.
    """
    differences = first - second
    n = len(differences)
    drawn = np.random.default_rng(seed).integers(n, size=(RESAMPLES, n))
    every = np.zeros((RESAMPLES, n))  # how often each pair is in a sample
    np.add.at(every, (np.arange(RESAMPLES)[:, None], drawn), 1.0)
    inner = differences @ differences.T
    blocks = np.array_split(every, -(-RESAMPLES * n * n // _CELLS))
    parts = np.concatenate([_parts(inner, times) for times in blocks])
    return Resampled(parts @ (differences @ found.vector), parts @ (differences @ words.T))


def _parts(inner: FloatArray, times: FloatArray) -> FloatArray:
    """[sample, pair]: the direction of each sample as a sum of the pairs' differences, by their inner products."""
    weights = np.sqrt(times)
    values, vectors = np.linalg.eigh(weights[:, :, None] * inner * weights[:, None, :])
    parts = weights * vectors[:, :, -1] / np.sqrt(values[:, -1:])
    along = (times * (parts @ inner)).sum(axis=1)
    found: FloatArray = (np.sign(along)[:, None] * parts)[along != 0]
    return found


def random_shares(words: FloatArray, pairs: int, *, seed: int) -> FloatArray | None:
    """Mean shares [component] of the variance of as many pairs drawn among the words [word, width], as ``direction``.

    What a direction explains of pairs that have nothing in common; None for fewer words than such pairs need.
    """
    if len(words) < 2 * pairs:
        return None
    generator = np.random.default_rng(seed)
    shares = []
    for _ in range(RANDOM_DRAWS):
        rows = generator.permutation(len(words))[: 2 * pairs]
        values = np.linalg.svd(words[rows[:pairs]] - words[rows[pairs:]], compute_uv=False) ** 2
        shares.append(values / values.sum())
    found: FloatArray = np.mean(shares, axis=0)
    return found
