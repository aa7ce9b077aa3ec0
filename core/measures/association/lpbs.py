"""WEAT-style LPBS (Kurita's Table 3): what stayed of the two permuted sets of attribute words, and its scores."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.loading import LoadedModel
from ...engine.pieces import tokenize
from ...result import Group
from ...run import Watch
from ...sources import AssociationTest
from ...sources.association_tests import LpbsDesign, LpbsFrame
from ...sources.templates import Template
from ..lpbs.grid import word_grid
from ..lpbs.metric import GroupScores, contrast_scores
from ..lpbs.scoring import Asking, Scores, score
from .members import Sets, gather, several

FloatArray = NDArray[np.float64]

_ASKING = Asking(masking="wordpiece", several_pieces="single", whole=True)


@dataclass(frozen=True)
class LostGroupWord:
    """A word of group 1 or 2 (``group``, 0 or 1) that is lost in a template; ``reason`` follows it."""

    group: int
    word: str
    reason: str
    template: str


@dataclass(frozen=True, eq=False)
class ScoredSets:
    """What stayed of the two permuted sets.

    ``sets``: each word's data is [template, 3]: its LPBS in nats, positive towards group 1, and the mean association of
    the words of each group that were kept, whose difference it is. ``kept`` and ``asked`` count the words of group 1
    and of group 2, the same word in several templates once; ``lost_words`` are those not kept.
    """

    sets: Sets
    kept: tuple[int, int]
    asked: tuple[int, int]
    lost_words: tuple[LostGroupWord, ...]
    notes: tuple[str, ...]


def values_of(data: Sequence[NDArray[Any]], *, pooled: bool) -> FloatArray:
    """[value, 3] of a set's words: each word's mean over the templates, or ``pooled`` template by template."""
    if not data:
        return np.empty((0, 3))
    stacked = np.stack(data, axis=1)
    return (stacked if pooled else stacked.mean(axis=0, keepdims=True)).reshape(-1, 3)


def read_scores(
    scores: FrameScores, test: AssociationTest, design: LpbsDesign, *, single_piece: bool, seed: int
) -> ScoredSets | None:
    """The permuted sets of a test, asked by its design; None when the run was stopped before all was read.

    A word is lost that has no score in one of the templates; ``single_piece`` loses words of several tokens too
    (Kurita's rule). Raises the model's refusal.
    """
    members = {letter: words.members for letter, words in test.sets if letter in design.permuted}
    attributes = [word for letter in design.permuted for word in members[letter]]
    lost: dict[str, str] = {}
    if single_piece:
        for frame in design.frames:
            lost.update({w: several(p) for w, p in scores.pieces(frame, attributes).items() if len(p) > 1})
    attributes = [word for word in attributes if word not in lost]
    frames = []
    for frame in design.frames:
        frame_scores = scores.of(frame, attributes)
        if frame_scores.not_reached:
            return None
        frames.append(_Frame(frame, frame_scores))
        lost.update({attributes[a]: reason for (_, a), reason in frame_scores.why_attribute.items()})
    lost_words = [item for frame in frames for item in frame.lost()]
    every = np.stack([frame.values(seed) for frame in frames])  # [template, word, 3]
    has_score: NDArray[np.bool_] = np.logical_not(np.isnan(every[..., 0]).any(axis=0))
    without = next((f"has no score: {item.word} {item.reason}" for item in lost_words), "has no score")
    lost.update({w: without for w, has in zip(attributes, has_score, strict=True) if not has and w not in lost})
    data = {word: every[:, column] for column, word in enumerate(attributes)}

    def read(word: str) -> tuple[NDArray[Any], Hashable] | str:
        return lost[word] if word in lost else (data[word], word)

    sets = {letter: gather(members[letter], read) for letter in design.permuted}
    return ScoredSets(
        sets={letter: kept for letter, kept in sets.items() if kept is not None},
        kept=_counts([frame.kept() for frame in frames]),
        asked=_counts([(set(frame.group1), set(frame.group2)) for frame in design.frames]),
        lost_words=tuple(lost_words),
        notes=tuple(note for frame in frames for note in frame.notes),
    )


def _counts(words: Sequence[tuple[set[str], set[str]]]) -> tuple[int, int]:
    """How many words of both groups there are in any template."""
    first, second = (set[str]().union(*(pair[group] for pair in words)) for group in (0, 1))
    return len(first), len(second)


class FrameScores:
    """Scores of the frames of all tests, asked frame by frame when first needed, for the words of all tests."""

    def __init__(
        self,
        model: LoadedModel,
        tests: Sequence[AssociationTest],
        form: str,
        run: Watch,
    ) -> None:
        self._model = model
        self._form = form
        self._run = run
        self._attributes: dict[LpbsFrame, dict[str, int]] = {}
        self._scores: dict[LpbsFrame, Scores] = {}
        for test in tests:
            if test.lpbs is not None:
                sets = dict(test.sets)
                words = [word for letter in test.lpbs.permuted for word in sets[letter].members]
                for frame in test.lpbs.frames:
                    columns = self._attributes.setdefault(frame, {})
                    for word in words:
                        columns.setdefault(word, len(columns))

    def of(self, frame: LpbsFrame, attributes: Sequence[str]) -> Scores:
        """The frame's scores for these attributes, target words group 1 then 2; a prior mean is over these alone.

        Raises the model's refusal.
        """
        columns = self._attributes[frame]
        if frame not in self._scores:
            groups = [Group("group 1", frame.group1), Group("group 2", frame.group2)]
            grid = word_grid([Template.parse(frame.template)], list(columns), groups, self._form)
            self._scores[frame] = score(self._model, grid, _ASKING, run=self._run)
        part = self._scores[frame].of_attributes([columns[word] for word in attributes])
        part.count_attributes_once(attributes)
        part.fill_mean_priors()
        return part

    def pieces(self, frame: LpbsFrame, attributes: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The tokens of each attribute as it stands in the frame."""
        template = Template.parse(frame.template)
        filled = [template.fill(frame.group1[0], word, self._form) for word in attributes]
        tokens = tokenize(self._model.tokenizer, [(item.text, item.attribute) for item in filled])
        return {word: tokenized.pieces for word, tokenized in zip(attributes, tokens, strict=True)}


class _Frame:
    """One frame's scores by group. Groups of equal length are pairs: a word without a score takes its partner out."""

    def __init__(self, frame: LpbsFrame, scores: Scores) -> None:
        self._frame = frame
        self.notes = scores.notes
        self._words = (frame.group1, frame.group2)
        self._paired = len(frame.group1) == len(frame.group2)
        size = len(frame.group1)
        self._why = tuple(
            {w - start: reason for (_, w), reason in sorted(scores.why_word.items()) if start <= w < start + len(words)}
            for start, words in zip((0, size), self._words, strict=True)
        )
        association = scores.association()
        self._association = association[:, :, :size], association[:, :, size:]
        self._sentence = scores.ln_p_sentence[:, :, :size], scores.ln_p_sentence[:, :, size:]
        present = [~np.isnan(association[0]) for association in self._association]
        self._present = [present[0] & present[1]] * 2 if self._paired else present

    def values(self, seed: int) -> FloatArray:
        """LPBS and the mean association of both groups' kept words [attribute, 3]."""
        first, second = (GroupScores(*both) for both in zip(self._sentence, self._association, strict=True))
        return np.column_stack([contrast_scores(first, second, paired=True, seed=seed).lpbs, self._means()])

    def kept(self) -> tuple[set[str], set[str]]:
        """The words of both groups that are not lost."""
        lost = {(item.group, item.word) for item in self.lost()}
        first, second = ({word for word in words if (g, word) not in lost} for g, words in enumerate(self._words))
        return first, second

    def _means(self) -> FloatArray:
        """Mean association [attribute, 2] over the words kept."""
        means = []
        for association, present in zip(self._association, self._present, strict=True):
            total = np.where(present, association[0], 0.0).sum(axis=1)
            means.append(np.where(present.any(axis=1), total / np.maximum(present.sum(axis=1), 1), np.nan))
        return np.stack(means, axis=1)

    def lost(self) -> list[LostGroupWord]:
        """The words without a score with any attribute, where a word is to blame; without attributes none is."""
        lost = []
        for group, (words, present) in enumerate(zip(self._words, self._present, strict=True)):
            for w, word in enumerate(words):
                if present[:, w].any():
                    continue
                own, partner = self._why[group].get(w, ""), ""
                if self._paired and w in self._why[1 - group]:
                    partner = f"cannot be paired, since its partner {self._words[1 - group][w]} could not be scored"
                if own or partner:
                    lost.append(LostGroupWord(group, word, own or partner, self._frame.template))
        return lost
