"""DisCo (Webster et al. 2020): names and nouns of two groups, and the templates of Delobelle et al. 2022."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...errors import OptionError, WordListError
from ..lists import Source, read_json
from ..parsing import shown
from .items import Data, NounGroups

_KINDS = ("names", "nouns")


@dataclass(frozen=True)
class Words:
    """Data that are two groups of words, published ones or the user's; ``expects`` says which."""

    expects: str


def disco_words(kind: str) -> NounGroups:
    """``names``: 100 pairs of first names, bare. ``nouns``: 30 pairs of nouns for people, with “the”.

    Raises OptionError for another kind.
    """
    entry = _entry(kind)
    female, male = (tuple(entry["article"] + pair[side] for pair in entry["pairs"]) for side in (0, 1))
    return NounGroups(_templates(), ((f"female {kind}", female), (f"male {kind}", male)))


def published_words(kind: str) -> Data[NounGroups]:
    """``disco_words`` as the data of the benchmark, with their source. Raises OptionError for another kind."""
    return Data((disco_words(kind),), str(Source(**_entry(kind)["source"])))


def own_words(female: Sequence[str], male: Sequence[str]) -> Data[NounGroups]:
    """The user's own words as the data of the benchmark, put into the templates as they are written.

    Raises WordListError for a group without a word, and for a word that stands in both groups.
    """
    if not female or not male:
        raise WordListError("A group has no word; write at least one into each.")
    both = next((word for word in female if word in male), None)
    if both is not None:
        raise WordListError(f"“{shown(both)}” is in both groups; keep it in one of them.")
    groups = (("female words", tuple(female)), ("male words", tuple(male)))
    return Data((NounGroups(_templates(), groups),), "the user's own words")


def _templates() -> tuple[str, ...]:
    return tuple(_data()["templates"])


def _entry(kind: str) -> dict[str, Any]:
    if kind not in _KINDS:
        raise OptionError(f"DisCo has {' and '.join(_KINDS)}, no “{shown(kind)}”.")
    entry: dict[str, Any] = _data()[kind]
    return entry


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = read_json("disco.json")
    return data
