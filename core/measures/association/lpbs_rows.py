"""The row of LPBS in the manner of WEAT: attribute words are permuted, two groups of words are what they go with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.engine.masked import STOPPED
from core.errors import ModelError
from core.measures.association import weat
from core.measures.association.frame_scores import FrameScores
from core.measures.association.lpbs_values import LpbsValues, lpbs_values
from core.measures.association.result import AssociationCell
from core.measures.association.rows import Collected, Combination, asked
from core.measures.association.weat import NotComputed, SetSizes


def lpbs_row(out: Collected, what: Combination, scores: FrameScores) -> None:
    """Add the row of LPBS in the manner of WEAT."""
    design = what.test.lpbs
    if design is None:
        out.refuse(what, "no template")
        return
    sets = dict(what.test.sets)
    words = [sets[letter].members for letter in design.permuted]
    try:
        found = lpbs_values(
            scores,
            design.frames,
            [*words[0], *words[1]],
            single_piece=out.options.lost == "several pieces",
            seed=out.options.seed,
        )
    except ModelError as error:
        out.refuse(what, str(error))
        return
    if found is None:
        out.refuse(what, STOPPED)
        return
    out.notes += found.notes
    for one in found.lost_words:
        out.lose_group_word(what, design.fixed[one.group], one.word, one.reason, one.template)
    lost = [tuple((word, found.lost[word]) for word in members if word in found.lost) for members in words]
    for letter, missing in zip(design.permuted, lost, strict=True):
        out.lose(what, letter, missing)
    place = {name: i for i, name in enumerate(found.names)}
    kept = [[word for word in members if word in place] for members in words]
    rows = out.equal(what, (design.permuted[0], kept[0]), (design.permuted[1], kept[1]))
    names = [tuple(of[row] for row in chosen) for of, chosen in zip(kept, rows, strict=True)]
    first, second = (_Part.of(found, [place[name] for name in of], out.options.lpbs_values == "pool") for of in names)
    n_a, n_b = found.kept
    computed = weat.association_test(
        first.values,
        second.values,
        n_a=n_a,
        n_b=n_b,
        asked=SetSizes(
            asked(names[0], lost[0]) * first.times,
            asked(names[1], lost[1]) * second.times,
            len({word for frame in design.frames for word in frame.group1}),
            len({word for frame in design.frames for word in frame.group2}),
        ),
        ddof=out.options.ddof,
        seed=out.options.seed,
    )
    if isinstance(computed, NotComputed):
        out.refuse(what, computed.reason)
        return
    cell = AssociationCell(
        *what.key, names[0] * first.times, names[1] * first.times, (design.groups[0],), (design.groups[1],),
        computed.s_x, computed.s_y, np.concatenate([first.groups, second.groups]), computed.null,
    )  # fmt: skip
    out.compute(what, computed, cell)


class _Part:
    """The values of one permuted set and, beside each, the mean association of both groups."""

    def __init__(self, values: NDArray[np.float64], groups: NDArray[np.float64]) -> None:
        self.values = values.ravel()
        self.groups = groups.reshape(-1, 2)
        self.times = len(values)  # how often each word stands in the set

    @classmethod
    def of(cls, found: LpbsValues, columns: list[int], pooled: bool) -> _Part:
        """Of the words in these columns: all templates' values, or each word's mean over the templates."""
        values, groups = found.values[:, columns], found.groups[:, columns]
        if pooled:
            return cls(values, groups)
        return cls(values.mean(axis=0, keepdims=True), groups.mean(axis=0, keepdims=True))
