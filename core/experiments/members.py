"""Vectors of the members of association tests: every text once through a model, whatever the number of tests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.experiments.representations import Ruler, texts
from core.lexicon import AssociationTest
from core.models.embeddings import Embedded, Encoder
from core.models.pieces import SpanText
from core.models.vectors import StaticVectors
from core.results import IsCancelled, ReportProgress

States = NDArray[np.float32]
MAX_CONTEXTS = 200  # a word's sentences beyond that are drawn from by seed; each costs a pass through the model


@dataclass(frozen=True, eq=False)
class Members:
    """What stayed of one set: names, states float32 [member, layer, width] (one layer where static), and the losses.

    ``lost`` pairs a member with a reason that goes on from it.
    """

    names: tuple[str, ...]
    states: States
    lost: tuple[tuple[str, str], ...]


class TextVectors:
    """All vectors of one model that a set of tests and rulers needs, made in one go."""

    def __init__(
        self, encoder: Encoder, wanted: Sequence[tuple[SpanText, str]], progress: ReportProgress, cancelled: IsCancelled
    ) -> None:
        """``wanted`` pairs a text with the pooling it is read by."""
        items = list(dict.fromkeys(item for item, _ in wanted))
        self._row = {item: i for i, item in enumerate(items)}
        poolings = tuple(dict.fromkeys(pooling for _, pooling in wanted))
        self._embedded: Embedded = encoder.embed(items, poolings, progress=progress, cancelled=cancelled)

    @property
    def first_token(self) -> str:
        """What stands for [CLS] in this model."""
        return self._embedded.first_token

    def member(self, places: Sequence[SpanText], pooling: str, *, single_piece: bool) -> States | str:
        """The mean over a member's texts, [layer, width], or the reason why it is lost."""
        rows = [self._row[place] for place in places]
        for row in rows:
            if self._embedded.lost[row]:
                return self._embedded.lost[row]
            pieces = self._embedded.pieces[row]
            if single_piece and len(pieces) > 1:
                return f"= {' + '.join(pieces)}: not a single piece"
        mean: States = self._embedded.of(pooling)[rows].mean(axis=0)
        return mean


def wanted(rulers: Sequence[Ruler], tests: Sequence[AssociationTest]) -> list[tuple[SpanText, str]]:
    """Every (text, pooling) that these rulers read for these tests."""
    found = []
    for one in rulers:
        for test in tests if one.pooling else ():
            for letter, words in test.sets:
                for member in words.members:
                    places = texts(one, test, letter, member)
                    if not isinstance(places, str):
                        found += [(place, one.pooling) for place in places]
    return found


def contextual(
    one: Ruler, test: AssociationTest, letter: str, names: Sequence[str], vectors: TextVectors, *, single_piece: bool
) -> Members | str:
    """The members of one set in a model's sentences; a reason when the ruler cannot read this test at all."""
    kept, states, lost = [], [], []
    for name in names:
        places = texts(one, test, letter, name)
        if isinstance(places, str):
            return places
        # A sentence of several words is no word of several pieces.
        found = vectors.member(places, one.pooling, single_piece=single_piece and test.level == "words")
        if isinstance(found, str):
            lost.append((name, found))
        else:
            kept.append(name)
            states.append(found)
    return Members(tuple(kept), np.stack(states) if states else np.empty((0, 1, 1), np.float32), tuple(lost))


def static(names: Sequence[str], table: Mapping[str, int], vectors: StaticVectors, *, single_piece: bool) -> Members:
    """The members of one set from vectors that know no context; ``table`` gives each word's row."""
    kept, lost = [], []
    for name in names:
        row = table[name]
        if vectors.lost[row]:
            lost.append((name, vectors.lost[row]))
        elif single_piece and len(vectors.pieces[row]) > 1:
            lost.append((name, f"= {' + '.join(vectors.pieces[row])}: not a single piece"))
        else:
            kept.append(name)
    return Members(tuple(kept), vectors.vectors[[table[name] for name in kept]][:, None], tuple(lost))


def contexts(sentences: Sequence[str], words: Sequence[str], seed: int) -> dict[str, tuple[SpanText, ...]]:
    """For each word the places where it stands whole in the sentences, whatever its case; at most ``MAX_CONTEXTS``.

    The places kept are drawn by ``seed`` for each word apart, so that other words change nothing.
    """
    places: dict[str, list[SpanText]] = {word.casefold(): [] for word in words}
    pattern = re.compile(
        r"(?<!\w)(?:" + "|".join(re.escape(word) for word in sorted(places, key=len, reverse=True)) + r")(?!\w)",
        re.IGNORECASE,
    )
    for sentence in sentences:
        for match in pattern.finditer(sentence):
            found = places.get(match.group().casefold())
            if found is not None:
                found.append(SpanText(sentence, match.span()))
    chosen = {}
    for word in words:
        every = places[word.casefold()]
        if len(every) > MAX_CONTEXTS:
            rows = np.sort(np.random.default_rng(seed).choice(len(every), MAX_CONTEXTS, replace=False))
            every = [every[row] for row in rows]
        chosen[word] = tuple(every)
    return chosen
