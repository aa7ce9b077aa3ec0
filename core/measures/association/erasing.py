"""Gender erased from vectors that are measured by LEACE, fitted on gendered words that are not measured.

With a word of a test among them its own difference would be erased by construction, and the test would say nothing
but that the fit was made. Other forms of its words, such as plurals, stay among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...engine.erasure import Eraser, leace
from ...result import Note
from ...sources import AssociationTest, gender_pairs
from ...sources.association_tests import Placement, TestTemplates, WordSet
from ...sources.bleached import Placed, any_kind
from .members import Members, Sets, told_apart
from .metric import NotComputed

MALE, FEMALE = "male words", "female words"
LEAST = 2  # vectors of either side, to have a mean and a spread
NO_VECTORS = "LPBS reads no vectors, so there is nothing to erase gender from"
FEW_WORDS = (
    "LEACE: where fewer words than dimensions are fitted, gender is exactly gone from these words (their covariance is "
    "shrunk); from others too little or too much may be taken, so that d or a correlation can even change its sign."
)

Points = Callable[[Members], NDArray[np.float64]]  # the vectors [n, width] of one set


@dataclass(frozen=True)
class Fit:
    """What an eraser was fitted on.

    ``n_male`` and ``n_female`` count the words read, or at level ``sentences`` the sentences; ``vectors`` is more where
    CEAT reads a word in several of the user's sentences. ``held_out`` counts the words that are measured, with their
    partners; ``lost`` what could not be read or told apart. ``rank``: the dimensions erased, of ``width``.
    """

    n_male: int
    n_female: int
    vectors: int
    held_out: int
    lost: int
    rank: int
    width: int


@lru_cache(maxsize=64)
def gendered(test: AssociationTest) -> AssociationTest:
    """The words that an eraser for this test is fitted on, as X (male) and Y (female) of a test that has no A and B.

    They are read as the test's own members are: words in four sentences that suit any word, or, where the members are
    sentences, each of these sentences by itself.
    """
    sides = gendered_words(members(test))
    placed = {letter: [(word, any_kind(word)) for word in words] for letter, words in zip("XY", sides, strict=True)}
    if test.level == "sentences":
        placed = {letter: [(s.text, (s,)) for _, sentences in own for s in sentences] for letter, own in placed.items()}
    x, y = (tuple(member for member, _ in own) for own in placed.values())
    return replace(
        test,
        id="gender",
        title="gendered words",
        x=WordSet(MALE, x),
        y=WordSet(FEMALE, y),
        a=WordSet("", ()),
        b=WordSet("", ()),
        templates=TestTemplates(tuple(Placement(at, *member) for at, own in placed.items() for member in own)),
        lpbs=None if test.lpbs is None else replace(test.lpbs, permuted=("A", "B")),  # gendered words are the targets
        published=(),
        note="",
        reading="",
    )


def fitted(measured: Iterable[str], read: Sets, points: Points) -> tuple[Eraser, Fit] | NotComputed:
    """What erases gender from the vectors of the words that are measured, or why nothing does.

    ``read`` has their ``gendered_words`` as they were read, male ones in X and female ones in Y.
    """
    sets = told_apart(read)
    male, female = (points(sets[letter]) for letter in "XY")
    if min(len(male), len(female)) < LEAST:
        return NotComputed(f"LEACE needs {LEAST} words of either side, and {len(male)} and {len(female)} could be read")
    eraser = leace(male, female)
    held_out = sum(map(len, gendered_words(()))) - sum(map(len, gendered_words(measured)))
    return eraser, Fit(
        n_male=len(sets["X"].names),
        n_female=len(sets["Y"].names),
        vectors=len(male) + len(female),
        held_out=held_out,
        lost=sum(len(sets[letter].lost) for letter in "XY"),
        rank=eraser.rank,
        width=male.shape[1],
    )


def said(fits: Sequence[Fit], what: str) -> Iterator[Note]:
    """The notes of a result for which these erasers were fitted: ``what`` was erased, and whether the words are few."""
    if fits:
        yield Note(what)
    if any(fit.vectors < fit.width for fit in fits):
        yield Note(FEW_WORDS)


def members(test: AssociationTest) -> tuple[str, ...]:
    """The words of a test; of sentences the words that they were made for."""
    if test.level == "words" or test.templates is None:
        return tuple(member for _, words in test.sets for member in words.members)
    return tuple(_marked(s) for placement in test.templates.placements for s in placement.sentences)


def _marked(sentence: Placed) -> str:
    start, end = sentence.span
    return sentence.text[start:end]


def gendered_words(measured: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Male and female words, each once, of the pairs of which neither word is measured, in whatever case."""
    without = frozenset(word.casefold() for word in measured)
    pairs = [pair for pair in gender_pairs() if not without.intersection(word.casefold() for word in pair)]
    return tuple(dict.fromkeys(male for male, _ in pairs)), tuple(dict.fromkeys(female for _, female in pairs))
