"""Vectors of the members of association tests: every text once through a model, whatever the number of tests."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.engine.embeddings import Embedded, Encoder
from core.engine.masked import STOPPED
from core.engine.pieces import SpanText
from core.engine.vectors import StaticVectors
from core.measures.association.contexts import Contexts
from core.measures.shared.representations import CEAT, Representation, texts
from core.run import Watch
from core.sources import AssociationTest

States = NDArray[np.float32]
Lost = tuple[tuple[str, str], ...]  # pairs of a member with a reason that goes on from it


@dataclass(frozen=True, eq=False)
class Members:
    """What stayed of one set: names, states float32 [member, layer, width] (one layer where static), and the losses.

    ``keys`` are equal for members that are the same input.
    """

    names: tuple[str, ...]
    states: States
    lost: Lost
    keys: tuple[Hashable, ...]

    def only(self, rows: Sequence[int] | NDArray[np.int64]) -> Members:
        """The members of these rows; the others are not counted as lost."""
        names, keys = tuple(self.names[row] for row in rows), tuple(self.keys[row] for row in rows)
        return Members(names, self.states[rows], self.lost, keys)


@dataclass(frozen=True, eq=False)
class InSentences:
    """What stayed of one set in a user's sentences.

    ``names``, for each its ``contexts`` float64 [context, width], and the losses. A word is lost when no context
    of it can be read. ``keys`` are equal for words with the same contexts.
    """

    names: tuple[str, ...]
    contexts: tuple[NDArray[np.float64], ...]
    lost: Lost
    keys: tuple[Hashable, ...]

    def only(self, rows: Sequence[int] | NDArray[np.int64]) -> InSentences:
        """The words of these rows; the others are not counted as lost."""
        names, keys = tuple(self.names[row] for row in rows), tuple(self.keys[row] for row in rows)
        return InSentences(names, tuple(self.contexts[row] for row in rows), self.lost, keys)


class TextVectors:
    """All vectors of one model that a set of tests and rulers needs, made in one go."""

    def __init__(
        self,
        encoder: Encoder,
        wanted: Sequence[tuple[SpanText, str]],
        run: Watch,
        *,
        layer: int | None = None,
    ) -> None:
        """``wanted`` pairs a text with the pooling it is read by; ``layer`` keeps that one alone (−1 is the last)."""
        items = list(dict.fromkeys(item for item, _ in wanted))
        self._row = {item: i for i, item in enumerate(items)}
        poolings = tuple(dict.fromkeys(pooling for _, pooling in wanted))
        self._embedded: Embedded = encoder.embed(items, poolings, layer=layer, run=run)

    @property
    def first_token(self) -> str:
        """What stands for [CLS] in this model."""
        return self._embedded.first_token

    def obstacle(self, place: SpanText, *, single_piece: bool = False, whole: bool = False) -> str:
        """Why a text has no vector that counts, empty if it has one.

        ``single_piece``: a word of several pieces does not count; ``whole``: neither does a text with the unknown
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

    def key(self, places: Sequence[SpanText]) -> Hashable:
        """Equal where all of these places are the same inputs."""
        return tuple(self._embedded.same[self._row[place]] for place in places)

    def states(self, places: Sequence[SpanText], pooling: str) -> States:
        """[text, layer, width]"""
        found: States = self._embedded.of(pooling)[[self._row[place] for place in places]]
        return found


def wanted(rulers: Sequence[Representation], tests: Sequence[AssociationTest], form: str) -> list[tuple[SpanText, str]]:
    """Every (text, pooling) that these rulers read for these tests."""
    found = []
    for one in rulers:
        for test in tests if one.pooling else ():
            for letter, words in test.sets:
                for member in words.members:
                    places = texts(one, test, letter, member, form)
                    if not isinstance(places, str):
                        found += [(place, one.pooling) for place in places]
    return found


def contextual(
    one: Representation,
    test: AssociationTest,
    letter: str,
    names: Sequence[str],
    vectors: TextVectors,
    *,
    single_piece: bool,
    form: str,
) -> Members | str:
    """The members of one set in a model's sentences; a reason when the ruler cannot read this test, or did not yet."""
    kept, states, lost, keys = [], [], [], []
    sentences = test.level == "sentences"
    for name in names:
        places = texts(one, test, letter, name, form)
        if isinstance(places, str):
            return places
        # A sentence of several words is no word of several pieces.
        single = single_piece and not sentences
        reasons = (vectors.obstacle(place, single_piece=single, whole=sentences) for place in places)
        reason = next(filter(None, reasons), "")
        if reason == STOPPED:
            return STOPPED
        if reason:
            lost.append((name, reason))
        else:
            kept.append(name)
            states.append(vectors.states(places, one.pooling).mean(axis=0))
            keys.append(vectors.key(places))
    stacked = np.stack(states) if states else np.empty((0, 1, 1), np.float32)
    return Members(tuple(kept), stacked, tuple(lost), tuple(keys))


def in_sentences(
    names: Sequence[str], contexts: Contexts, vectors: TextVectors, *, single_piece: bool
) -> InSentences | str:
    """The words of one set in a user's sentences, of which ``vectors`` has one layer; a reason when stopped."""
    kept, found, lost, keys = [], [], [], []
    for name in names:
        obstacles = [vectors.obstacle(place, single_piece=single_piece) for place in contexts[name]]
        if STOPPED in obstacles:
            return STOPPED
        places = [place for place, reason in zip(contexts[name], obstacles, strict=True) if not reason]
        if places:
            kept.append(name)
            found.append(vectors.states(places, CEAT.pooling)[:, 0].astype(np.float64))
            keys.append(vectors.key(places))
        else:
            lost.append((name, obstacles[0] if obstacles else "stands in none of the sentences"))
    return InSentences(tuple(kept), tuple(found), tuple(lost), tuple(keys))


def static(
    names: Sequence[str], table: Mapping[str, int], vectors: StaticVectors, *, single_piece: bool
) -> Members | str:
    """The members of one set from vectors that know no context; ``table`` gives each word's row.

    A reason when reading them was stopped.
    """
    kept, lost = [], []
    for name in names:
        row = table[name]
        if vectors.lost[row] == STOPPED:
            return STOPPED
        if vectors.lost[row]:
            lost.append((name, vectors.lost[row]))
        elif single_piece and len(vectors.pieces[row]) > 1:
            lost.append((name, several(vectors.pieces[row])))
        else:
            kept.append(name)
    rows = [table[name] for name in kept]
    return Members(tuple(kept), vectors.vectors[rows][:, None], tuple(lost), tuple(vectors.pieces[row] for row in rows))


def several(pieces: Sequence[str]) -> str:
    """Why a word of several pieces is lost by Kurita's rule; goes on from the word."""
    return f"= {' + '.join(pieces)}: not a single piece"
