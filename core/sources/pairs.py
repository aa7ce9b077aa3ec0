"""Pairs of words that differ by definition in one thing, such as “she” and “he”: published, or the user's own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ..errors import WordListError, instead
from .lists import OWN, Source, read_json
from .parsing import clean_words, shown

MIN_PAIRS, MAX_PAIRS = 2, 200
_EXAMPLE = "write two words with a slash between, such as “she / he”"

Pair = tuple[str, str]


@dataclass(frozen=True)
class DefinitionalPairs:
    """Pairs (first, second); ``names`` are those of the two sides, such as female and male.

    ``source`` is None for the user's own, whose sides are called after their first pair.
    """

    id: str
    title: str
    names: Pair
    pairs: tuple[Pair, ...]
    source: Source | None

    @property
    def citation(self) -> str:
        """One line for provenance: the title and where the pairs come from."""
        return f"{len(self.pairs)} {self.title}" if self.source is None else f"{self.title}, {self.source}"


@cache
def definitional_pairs() -> tuple[DefinitionalPairs, ...]:
    """Every published list of pairs, in the order of the select box."""
    return tuple(
        DefinitionalPairs(
            entry["id"],
            entry["title"],
            (entry["names"][0], entry["names"][1]),
            tuple((first, second) for first, second in entry["pairs"]),
            Source(**entry["source"]),
        )
        for entry in read_json("definitional_pairs.json")["lists"]
    )


def pair_list(list_id: str) -> DefinitionalPairs:
    """The list of that id. Raises WordListError, with the ids there are, for any other."""
    by_id = {pairs.id: pairs for pairs in definitional_pairs()}
    if list_id not in by_id:
        raise WordListError(f"There is no list of pairs “{shown(list_id)}”. {instead(list_id, by_id)}")
    return by_id[list_id]


def parse_pairs(text: str) -> DefinitionalPairs:
    """The user's pairs, one per line with a slash between. Raises WordListError as ``own_pairs``, naming the line."""
    pairs = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            words = [word.strip() for word in line.split("/")]
            if len(words) != 2 or not all(words):
                raise WordListError(f"Line {number}, “{shown(line.strip())}”, is no pair; {_EXAMPLE}.")
            pairs.append((words[0], words[1]))
    return own_pairs(pairs)


def own_pairs(pairs: Iterable[Iterable[str]]) -> DefinitionalPairs:
    """Pairs of the user's own.

    Raises WordListError for fewer than ``MIN_PAIRS`` or more than ``MAX_PAIRS``, for a word that ``clean_words``
    refuses, a pair of one word, and a pair that is there twice, the other way round too.
    """
    found: list[Pair] = []
    for given in pairs:
        words = tuple(given)
        if len(words) != 2:
            raise WordListError(f"“{shown(', '.join(words))}” is no pair; {_EXAMPLE}.")
        first, second = (clean_words([word])[0] for word in words)
        if first == second:
            raise WordListError(f"“{shown(first)}” stands on both sides of a pair; {_EXAMPLE}.")
        if (first, second) in found:
            raise WordListError(f"The pair “{shown(first)} / {shown(second)}” appears twice; keep it once.")
        if (second, first) in found:
            raise WordListError(
                f"The pair “{shown(first)} / {shown(second)}” appears the other way round too; keep one of the two."
            )
        found.append((first, second))
    if not MIN_PAIRS <= len(found) <= MAX_PAIRS:
        raise WordListError(
            f"{len(found):,} pairs are given; a direction needs {MIN_PAIRS} to {MAX_PAIRS:,}: {_EXAMPLE}."
        )
    return DefinitionalPairs(OWN, "pairs of the user's own", found[0], tuple(found), None)


def format_pairs(pairs: Iterable[Pair]) -> str:
    """The pairs one per line, so that ``parse_pairs`` gives them back."""
    return "\n".join(f"{first} / {second}" for first, second in pairs)
