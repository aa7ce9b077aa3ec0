"""What a representation reads of the members of an association test: every text once, whatever the number of tests."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.embeddings import Embedded, Encoder, Memory
from ...engine.masked import STOPPED
from ...engine.pieces import SpanText
from ...engine.vectors import StaticVectors
from ...run import Watch
from ...sources import AssociationTest
from ..shared.representations import CEAT, Representation, cannot_read, texts
from ..shared.sameness import Named, not_told_apart
from .contexts import Contexts
from .metric import drop_to_equal

X_Y = ("X", "Y")
PAIRS = (X_Y, ("A", "B"))
_AT_RANDOM = "is dropped at random to make the sets equal"


@dataclass(frozen=True, eq=False)
class Members:
    """What stayed of one set.

    ``names``, and for each its ``data``: its states [layer, width] (one layer where static), its vectors in a user's
    sentences [context, width], or its LPBS with the associations behind it [template, 3]. ``keys`` are equal for
    members that are the same input to the model. ``lost`` and ``dropped`` pair a member with the reason, which goes on
    from it; those dropped at random do not count as lost.
    """

    names: tuple[str, ...]
    data: tuple[NDArray[Any], ...]
    keys: tuple[Hashable, ...]
    lost: tuple[tuple[str, str], ...]
    dropped: tuple[tuple[str, str], ...] = ()

    @property
    def asked(self) -> int:
        """How many members the set was to have."""
        return len(self.names) + len(self.lost)

    def only(self, rows: Iterable[int]) -> Members:
        """The members of these rows, the others forgotten."""
        chosen = list(rows)
        return replace(
            self,
            names=tuple(self.names[row] for row in chosen),
            data=tuple(self.data[row] for row in chosen),
            keys=tuple(self.keys[row] for row in chosen),
        )

    def without(self, reasons: Mapping[int, str]) -> Members:
        """The members but those of these rows, which are lost for a reason."""
        lost = tuple((self.names[row], reason) for row, reason in reasons.items())
        kept = self.only(row for row in range(len(self.names)) if row not in reasons)
        return replace(kept, lost=(*self.lost, *lost))

    def reduced_to(self, rows: NDArray[np.int64]) -> Members:
        """The members of these rows, the others dropped at random."""
        gone = np.setdiff1d(np.arange(len(self.names)), rows)
        return replace(self.only(rows.tolist()), dropped=tuple((self.names[row], _AT_RANDOM) for row in gone))


Sets = dict[str, Members]  # by the letter of the set


def gather(names: Sequence[str], read: Callable[[str], tuple[NDArray[Any], Hashable] | str]) -> Members | None:
    """The members that ``read`` gives data and a key for, not the reason why it cannot; None when it was stopped."""
    members = [(name, read(name)) for name in names]
    if any(item == STOPPED for _, item in members):
        return None
    kept = [(name, *item) for name, item in members if not isinstance(item, str)]
    return Members(
        names=tuple(name for name, _, _ in kept),
        data=tuple(data for _, data, _ in kept),
        keys=tuple(key for _, _, key in kept),
        lost=tuple((name, item) for name, item in members if isinstance(item, str)),
    )


def told_apart(sets: Sets) -> Sets:
    """The sets without members that the model cannot tell apart.

    Of one set the first one stays; what is in X and in Y, or in A and in B, stays in neither.
    """
    kept = dict(sets)
    for pair in PAIRS:
        named = [Named(letter, sets[letter].names, sets[letter].keys) for letter in pair if letter in sets]
        for of, reasons in zip(named, not_told_apart(named), strict=True):
            kept[of.name] = sets[of.name].without(reasons)
    return kept


def made_equal(sets: Sets, pair: tuple[str, str], seed: int) -> Sets:
    """The sets with the longer of two reduced at random to the length of the other."""
    rows = drop_to_equal(*(len(sets[letter].names) for letter in pair), seed=seed)
    return {**sets, **{letter: sets[letter].reduced_to(kept) for letter, kept in zip(pair, rows, strict=True)}}


def several(pieces: Sequence[str]) -> str:
    """Why a word of several tokens is lost by Kurita's rule; follows the word."""
    return f"= {' + '.join(pieces)}: not a single token"


class TextVectors:
    """All vectors of one model that a set of tests and representations needs, made in one go."""

    def __init__(
        self,
        encoder: Encoder,
        wanted: Sequence[tuple[SpanText, str]],
        run: Watch,
        *,
        layer: int | None = None,
        memory: Memory | None = None,
    ) -> None:
        """``wanted`` pairs a text with the pooling it is read by; ``layer`` keeps that one alone (−1 is the last).

        ``memory`` as in ``Encoder.embed``.
        """
        items = list(dict.fromkeys(item for item, _ in wanted))
        self._row = {item: i for i, item in enumerate(items)}
        poolings = tuple(dict.fromkeys(pooling for _, pooling in wanted))
        self._embedded: Embedded = encoder.embed(items, poolings, layer=layer, run=run, memory=memory)

    @property
    def first_token(self) -> str:
        """What stands for [CLS] in this model."""
        return self._embedded.first_token

    def obstacle(self, place: SpanText, *, single_piece: bool = False, whole: bool = False) -> str:
        """Why a text has no vector that counts, empty if it has one.

        ``single_piece``: a word of several tokens does not count; ``whole``: neither does a text with the unknown
        token anywhere.
        """
        row = self._row[place]
        pieces = self._embedded.pieces[row]
        if whole and self._embedded.unknown[row]:
            return "holds a word that is unknown to this model"
        if self._embedded.lost[row] and self._embedded.lost[row] != STOPPED:
            return self._embedded.lost[row]
        if single_piece and len(pieces) > 1:
            return several(pieces)
        return self._embedded.lost[row]

    def read(self, places: Sequence[SpanText], pooling: str) -> tuple[NDArray[np.float32], Hashable]:
        """States [text, layer, width], and a key that is equal where all of these places are the same inputs."""
        rows = [self._row[text] for text in places]
        return self._embedded.of(pooling)[rows], tuple(self._embedded.same[row] for row in rows)


def texts_of(kind: Representation, test: AssociationTest, form: str) -> list[tuple[SpanText, str]]:
    """Every (text, pooling) that a representation reads for a test."""
    if not kind.pooling or cannot_read(kind, test):
        return []
    return [
        (text, kind.pooling)
        for letter, words in test.sets
        for member in words.members
        for text in texts(kind, test, letter, member, form)
    ]


def read_in_texts(
    kind: Representation, test: AssociationTest, vectors: TextVectors, *, single_piece: bool, form: str
) -> Sets | None:
    """The sets read alone or in the test's sentences, states float32 [layer, width]; None when it was stopped."""
    sentences = test.level == "sentences"

    def read(letter: str, name: str) -> tuple[NDArray[Any], Hashable] | str:
        places = texts(kind, test, letter, name, form)
        # A sentence of several words is no word of several pieces.
        reasons = [
            vectors.obstacle(text, single_piece=single_piece and not sentences, whole=sentences) for text in places
        ]
        if reason := next(filter(None, reasons), ""):
            return reason
        states, key = vectors.read(places, kind.pooling)
        return states.mean(axis=0), key

    return _all({letter: gather(words.members, partial(read, letter)) for letter, words in test.sets})


def read_in_contexts(
    test: AssociationTest, contexts: Contexts, vectors: TextVectors, *, single_piece: bool
) -> Sets | None:
    """The sets read in a user's sentences, float64 [context, width] of one layer; None when it was stopped.

    A word is lost when no context of it can be read.
    """

    def read(name: str) -> tuple[NDArray[Any], Hashable] | str:
        obstacles = [vectors.obstacle(text, single_piece=single_piece) for text in contexts[name]]
        if STOPPED in obstacles:
            return STOPPED
        places = [text for text, reason in zip(contexts[name], obstacles, strict=True) if not reason]
        if not places:
            return obstacles[0] if obstacles else "is in none of the sentences"
        states, key = vectors.read(places, CEAT.pooling)
        return states[:, 0].astype(np.float64), key

    return _all({letter: gather(words.members, read) for letter, words in test.sets})


def read_static(
    test: AssociationTest, table: Mapping[str, int], vectors: StaticVectors, *, single_piece: bool
) -> Sets | None:
    """The sets from vectors that know no context [1, width]; ``table`` has each word's row. None when stopped."""
    single_piece = single_piece and test.level == "words"

    def read(name: str) -> tuple[NDArray[Any], Hashable] | str:
        row = table[name]
        if vectors.lost[row]:
            return vectors.lost[row]
        pieces = vectors.pieces[row]
        return several(pieces) if single_piece and len(pieces) > 1 else (vectors.vectors[row][None], pieces)

    return _all({letter: gather(words.members, read) for letter, words in test.sets})


def _all(sets: Mapping[str, Members | None]) -> Sets | None:
    complete = {letter: members for letter, members in sets.items() if members is not None}
    return complete if len(complete) == len(sets) else None
