"""Texts that begin alike as a tree in one row: each shared beginning stands there once. Pure: no torch in here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """Texts in one row, what neighbours share at their beginnings once.

    ``tokens`` and the ``depths`` at which they stand in their own texts, and for each text the places of its tokens
    in the row: the last one sees these and no others.
    """

    tokens: tuple[int, ...]
    depths: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]


def grow(texts: Iterable[Ids]) -> Tree:
    """The tree of texts; in sorted order no token of it is the same behind the same beginning as another."""
    tokens: list[int] = []
    depths: list[int] = []
    paths: list[tuple[int, ...]] = []
    before: Ids = ()
    path: tuple[int, ...] = ()
    for text in texts:
        common = shared(before, text)
        path = (*path[:common], *range(len(tokens), len(tokens) + len(text) - common))
        tokens.extend(text[common:])
        depths.extend(range(common, len(text)))
        paths.append(path)
        before = text
    return Tree(tuple(tokens), tuple(depths), tuple(paths))


def cut(texts: Sequence[Ids], room: int) -> list[range]:
    """Cut texts, in the order given, into stretches whose trees hold at most ``room`` tokens, or one text."""
    stretches: list[range] = []
    start = size = 0
    for t, text in enumerate(texts):
        more = len(text) - (shared(texts[t - 1], text) if t > start else 0)
        if t > start and size + more > room:
            stretches.append(range(start, t))
            start, size, more = t, 0, len(text)
        size += more
    return [*stretches, range(start, len(texts))] if texts else []


def saved(texts: Iterable[Ids]) -> int:
    """How many tokens the texts have beyond those of one tree of them all."""
    ordered = sorted(set(texts))
    return sum(shared(before, text) for before, text in pairwise(ordered))


def shared(first: Ids, second: Ids) -> int:
    """How many tokens two texts have in common at their beginnings."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
