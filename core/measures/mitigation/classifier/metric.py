"""What a classifier is summed up in, and the texts that are held out of its training. Pure numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_SHARE_HELD_OUT = 10  # one of so many, of each label


def held_out(labels: Sequence[str]) -> tuple[int, ...]:
    """The places of the texts that are kept for scoring: a tenth of each label, one at least, at even distances.

    None of a label that has a single text.
    """
    of_label: dict[str, list[int]] = {}
    for place, label in enumerate(labels):
        of_label.setdefault(label, []).append(place)
    kept: list[int] = []
    for places in of_label.values():
        count = len(places)
        wanted = max(1, count // _SHARE_HELD_OUT) if count > 1 else 0
        kept += [places[(2 * at + 1) * count // (2 * wanted)] for at in range(wanted)]
    return tuple(sorted(kept))


def majority(labels: Sequence[int]) -> int:
    """The most frequent label; of several the first."""
    counts = Counter(labels)
    return min(counts, key=lambda label: (-counts[label], label))


@dataclass(frozen=True)
class LabelScore:
    """How well one label is recognised.

    ``n`` texts have it and ``predicted`` are said to. Precision is None where none is said to, recall and ``f1`` where
    no text has it. F1 is 0 where none of its texts is recognised.
    """

    n: int
    predicted: int
    precision: float | None
    recall: float | None
    f1: float | None


def label_scores(true: Sequence[int], predicted: Sequence[int], labels: int) -> tuple[LabelScore, ...]:
    """The scores of each of so many labels."""
    found = []
    for label in range(labels):
        n, said = list(true).count(label), list(predicted).count(label)
        right = sum(truth == guess == label for truth, guess in zip(true, predicted, strict=True))
        found.append(LabelScore(n, said, right / said if said else None, right / n if n else None, _f1(right, n, said)))
    return tuple(found)


def macro_f1(scores: Sequence[LabelScore]) -> float:
    """Mean F1 of the labels that texts have."""
    values = [score.f1 for score in scores if score.f1 is not None]
    return math.fsum(values) / len(values)


def _f1(right: int, n: int, predicted: int) -> float | None:
    return 2 * right / (n + predicted) if n else None
