"""Words that are one input to a model, since it drops what tells them apart: said, and counted once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Named:
    """A set of words that a measure compares with others; ``keys`` are equal where the model gets equal inputs.

    A key is None where the model cannot read the word, which is another matter.
    """

    name: str
    words: Sequence[str]
    keys: Sequence[Hashable]


def not_told_apart(sets: Iterable[Named]) -> list[dict[int, str]]:
    """For each set the places of the words that do not count, each with a reason that follows the word.

    Of words of one set that are the same input the first one counts. Words of different sets that are the same input
    count in neither, since to the model they belong to both.
    """
    sets = list(sets)
    homes: dict[Hashable, dict[int, str]] = {}  # for each key: in which set it stands first as which word
    for number, of in enumerate(sets):
        for word, key in zip(of.words, of.keys, strict=True):
            homes.setdefault(key, {}).setdefault(number, word)
    found: list[dict[int, str]] = []
    for number, of in enumerate(sets):
        reasons: dict[int, str] = {}
        seen: set[Hashable] = set()
        for place, key in enumerate(of.keys):
            if key is None:
                continue
            other = next((home for home in homes[key] if home != number), None)
            if other is not None:
                word, name = homes[key][other], sets[other].name
                reasons[place] = f"is the same input as “{word}” of {name} to this model, and counts in neither"
            elif key in seen:
                reasons[place] = f"is the same input as “{homes[key][number]}” to this model, and is counted once"
            seen.add(key)
        found.append(reasons)
    return found
