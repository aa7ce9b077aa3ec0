"""Which gender an occupation's attention turns to: bias, degree and direction (Li et al. 2021).

T is the attention that the occupation pays to the male or female words of its sentence, 0 or more. A sentence without
any at a head, or that a causal model cannot judge, is undefined there: NaN, which every figure leaves out and counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

NO_PREDECESSOR = -1
ROUNDING = 1e-6


class Position(Protocol):
    """A place in a model: ``kind`` embedding, query, key, value, context or output; no layer for the embedding."""

    @property
    def kind(self) -> str:
        """What is read there."""

    @property
    def layer(self) -> int | None:
        """The layer, from 0."""


@dataclass(frozen=True, eq=False)
class PositionFigures:
    """Figures of a corpus at each position; all arrays ``[position]``, NaN where nothing is defined.

    ``mean_degree``: over sentences, of the mean over a sentence's defined heads; > 0 is biased, and names no gender.
    ``share_biased``: of the defined heads × sentences, those with a degree > 0. ``difference``: mean over sentences of
    a sentence's value less its value at the predecessor; ``share_rising``: the share in which that is > 0. ``n``:
    sentences defined; ``n_heads``: heads × sentences defined; ``n_compared``: sentences defined here and at the
    predecessor; ``sentences``: how many there were in all, so ``sentences`` − ``n`` were excluded.
    """

    mean_degree: FloatArray
    share_biased: FloatArray
    difference: FloatArray
    share_rising: FloatArray
    n: IntArray
    n_heads: IntArray
    n_compared: IntArray
    sentences: int


def bias(t_male: FloatArray, t_female: FloatArray) -> FloatArray:
    """V_m − V_f with V = T / √(T_m² + T_f²), from −1 (female) to 1 (male), elementwise in any shape.

    NaN where both T are 0, and where one is NaN.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return bias_of_ratio(np.log(t_male) - np.log(t_female))


def bias_of_ratio(ln_ratio: FloatArray) -> FloatArray:
    """The bias from ln(T_m / T_f), on which alone it depends: right however small both T are. NaN stays NaN.

    With r = T_smaller / T_larger, V_larger − V_smaller = (1 − r) / √(1 + r²).
    """
    smaller = np.exp(-np.abs(ln_ratio))
    found: FloatArray = np.sign(ln_ratio) * (1 - smaller) / np.hypot(1, smaller)
    return found


def degree(sentence: FloatArray, twin: FloatArray) -> FloatArray:
    """Bias of a sentence × bias of its gender-swapped twin: > 0 is biased, whichever the gender. NaN where one is."""
    return sentence * twin


def direction(sentence: FloatArray, twin: FloatArray) -> FloatArray:
    """The sign of the sum of both biases: 1 male, −1 female, 0 neither, NaN where one is undefined.

    A sum within ``ROUNDING``, which attention in single precision cannot tell from 0, is neither.
    """
    total = sentence + twin
    return np.where(np.abs(total) <= ROUNDING, 0.0, np.sign(total))


def sentence_value(degrees: FloatArray) -> FloatArray:
    """Mean over the last axis, the heads, of those that are defined; NaN where none is."""
    defined = ~np.isnan(degrees)
    return _ratio(np.where(defined, degrees, 0.0).sum(axis=-1), defined.sum(axis=-1))


def predecessors(positions: Sequence[Position]) -> IntArray:
    """For each position the index of the one it is compared with, ``NO_PREDECESSOR`` where the model has none.

    Query, key and value against the layer's input (the output of the layer before, or the embedding), context
    against value, output against context.
    """
    places = {(position.kind, position.layer): place for place, position in enumerate(positions)}

    def of(position: Position) -> int:
        layer = position.layer
        if layer is None:
            return NO_PREDECESSOR
        source: tuple[str, int | None] = ("output", layer - 1) if layer else ("embedding", None)
        if position.kind in ("context", "output"):
            source = ("value" if position.kind == "context" else "context", layer)
        return places.get(source, NO_PREDECESSOR)

    return np.array([of(position) for position in positions], dtype=np.int64)


class RunningFigures:
    """Figures of a corpus from running sums: memory does not grow with the number of sentences."""

    def __init__(self, predecessor: IntArray) -> None:
        """``predecessor`` ``[position]`` as ``predecessors`` gives it."""
        self._predecessor = predecessor
        size = len(predecessor)
        self._sentences = 0
        self._values, self._differences = np.zeros(size), np.zeros(size)
        self._n, self._compared, self._rising = (np.zeros(size, dtype=np.int64) for _ in range(3))
        self._heads, self._biased = (np.zeros(size, dtype=np.int64) for _ in range(2))

    def add(self, degrees: FloatArray) -> None:
        """Take in a batch of degrees ``[sentence, position, head]``, NaN where undefined."""
        values = sentence_value(degrees)
        before = np.where(self._predecessor == NO_PREDECESSOR, np.nan, values[:, self._predecessor])
        steps = values - before
        self._sentences += len(degrees)
        self._n += (~np.isnan(values)).sum(axis=0)
        self._values += np.nansum(values, axis=0)
        self._heads += (~np.isnan(degrees)).sum(axis=(0, 2))
        self._biased += (degrees > 0).sum(axis=(0, 2))
        self._compared += (~np.isnan(steps)).sum(axis=0)
        self._differences += np.nansum(steps, axis=0)
        self._rising += (steps > 0).sum(axis=0)

    def figures(self) -> PositionFigures:
        """The figures of all that was added so far."""
        return PositionFigures(
            mean_degree=_ratio(self._values, self._n),
            share_biased=_ratio(self._biased, self._heads),
            difference=_ratio(self._differences, self._compared),
            share_rising=_ratio(self._rising, self._compared),
            n=self._n.copy(),
            n_heads=self._heads.copy(),
            n_compared=self._compared.copy(),
            sentences=self._sentences,
        )


def corpus_figures(degrees: FloatArray, predecessor: IntArray) -> PositionFigures:
    """The figures of degrees ``[sentence, position, head]`` that are all at hand."""
    running = RunningFigures(predecessor)
    running.add(degrees)
    return running.figures()


def _ratio(total: FloatArray | IntArray, count: IntArray) -> FloatArray:
    """total / count, NaN where nothing was counted."""
    undefined: FloatArray = np.full(np.shape(total), np.nan)
    return np.divide(total, count, out=undefined, where=count > 0)
