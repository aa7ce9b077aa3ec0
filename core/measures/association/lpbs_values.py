"""LPBS in the manner of WEAT (Kurita's Table 3): one value per attribute word of the two permuted sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.engine.masked import STOPPED
from core.measures.association.frame_scores import FrameScores
from core.measures.association.members import several
from core.measures.lpbs.metric import GroupScores, contrast_scores
from core.measures.lpbs.scoring import Scores
from core.sources.association_tests import LpbsFrame

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class LostGroupWord:
    """A word of group 1 or 2 (``group``, 0 or 1) that is lost in a template; ``reason`` goes on from it."""

    group: int
    word: str
    reason: str
    template: str


@dataclass(frozen=True, eq=False)
class LpbsValues:
    """LPBS of attribute words, in nats; positive leans to group 1.

    ``names`` have a value in every template, ``values`` [template, name]; ``lost`` are the others, each with the
    reason that goes on from it. ``groups`` [template, name, 2]: mean association of the words of each group that were
    kept, whose difference is the value. ``kept`` counts these words of group 1 and of group 2, the same word in
    several templates once; ``lost_words`` are the others.
    """

    names: tuple[str, ...]
    values: FloatArray
    groups: FloatArray
    lost: dict[str, str]
    kept: tuple[int, int]
    lost_words: tuple[LostGroupWord, ...]
    notes: tuple[str, ...]


def lpbs_values(
    scores: FrameScores, frames: Sequence[LpbsFrame], attributes: Sequence[str], *, single_piece: bool, seed: int
) -> LpbsValues | None:
    """The values of these attributes in these frames; None when the run was stopped before all were read.

    ``single_piece`` loses attributes of several pieces (Kurita's rule). Raises the model's refusal.
    """
    lost: dict[str, str] = {}
    if single_piece:
        for frame in frames:
            lost.update({w: several(p) for w, p in scores.pieces(frame, attributes).items() if len(p) > 1})
    attributes = [word for word in attributes if word not in lost]
    values, groups, kept = [], [], (set[str](), set[str]())
    lost_words: list[LostGroupWord] = []
    notes: list[str] = []
    for frame in frames:
        found = scores.of(frame, attributes)
        if STOPPED in found.why_attribute.values():
            return None
        one = _Frame(frame, found)
        values.append(one.values(seed))
        groups.append(one.groups())
        gone = one.lost()
        lost_words += gone
        for group, words in enumerate((frame.group1, frame.group2)):
            kept[group].update(set(words) - {item.word for item in gone if item.group == group})
        notes += found.notes
        lost.update({attributes[a]: reason for (_, a), reason in found.why_attribute.items()})
    every = np.stack(values)
    whole: NDArray[np.bool_] = np.logical_not(np.isnan(every).any(axis=0))
    without = next((f"has no score: {one.word} {one.reason}" for one in lost_words), "has no score")
    lost.update({word: without for word, has in zip(attributes, whole, strict=True) if not has and word not in lost})
    return LpbsValues(
        names=tuple(word for word, has in zip(attributes, whole, strict=True) if has),
        values=every[:, whole],
        groups=np.stack(groups)[:, whole],
        lost=lost,
        kept=(len(kept[0]), len(kept[1])),
        lost_words=tuple(lost_words),
        notes=tuple(notes),
    )


class _Frame:
    """One frame's scores by group. Groups of equal length are pairs: a word without a score takes its partner out."""

    def __init__(self, frame: LpbsFrame, scores: Scores) -> None:
        self._frame = frame
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
        present = [~np.isnan(one[0]) for one in self._association]
        self._present = [present[0] & present[1]] * 2 if self._paired else present

    def values(self, seed: int) -> FloatArray:
        """LPBS [attribute]"""
        first, second = (GroupScores(*both) for both in zip(self._sentence, self._association, strict=True))
        return contrast_scores(first, second, paired=True, seed=seed).lpbs

    def groups(self) -> FloatArray:
        """Mean association [attribute, 2] over the words kept."""
        means = []
        for association, present in zip(self._association, self._present, strict=True):
            total = np.where(present, association[0], 0.0).sum(axis=1)
            means.append(np.where(present.any(axis=1), total / np.maximum(present.sum(axis=1), 1), np.nan))
        return np.stack(means, axis=1)

    def lost(self) -> list[LostGroupWord]:
        """The words without a score with any attribute, where a word is to blame; without attributes none is."""
        found = []
        for group, (words, present) in enumerate(zip(self._words, self._present, strict=True)):
            for w, word in enumerate(words):
                if present[:, w].any():
                    continue
                own, partner = self._why[group].get(w, ""), ""
                if self._paired and w in self._why[1 - group]:
                    partner = f"cannot be paired, since its partner {self._words[1 - group][w]} could not be scored"
                if own or partner:
                    found.append(LostGroupWord(group, word, own or partner, self._frame.template))
        return found
