"""Tables of biographies for tests, and results of occupation classification made by hand for charts and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.measures.downstream.occupations.result import IN_FILE, OccupationResult
from core.measures.downstream.occupations.spec import OccupationSpec
from core.result import Provenance
from core.sources.biographies import MEN, TEST, WOMEN, demonstration
from tests.support.attention_results import NOBODY

BIOS_TABLES: Mapping[str, Mapping[str, Any]] = {
    "bios": {},
    "few": {"left_out": 1},
    "reversed": {"reverse": True},
    "predicted": {"predicted": True},
    "exchanged": {"predicted": True, "exchanged": True},
}
_WORDS = {MEN: "male", WOMEN: "F"}
_OTHER = {MEN: WOMEN, WOMEN: MEN}


def bios_table(
    *, predicted: bool = False, exchanged: bool = False, reverse: bool = False, left_out: int = 0, splits: bool = True
) -> bytes:
    """The biographies of our own as a table (bio, occupation, gender, part).

    ``predicted``: the columns of predictions instead, wrong for some. ``left_out`` test biographies of the first
    occupation's women are missing. ``exchanged``: men are called women and the other way round.
    """
    items = demonstration().items
    jobs = list(dict.fromkeys(item.occupation for item in items))
    rows = []
    for at, item in enumerate(items):
        place = jobs.index(item.occupation)
        if item.split == TEST and item.gender == WOMEN and place == 0 and left_out:
            left_out -= 1
            continue
        gender = _WORDS[_OTHER[item.gender] if exchanged else item.gender]
        if predicted:
            said = item.occupation if (at * 7 + place) % (4 if item.gender == MEN else 3) else jobs[place - 1]
            rows.append(f"{item.occupation},{said},{gender}")
        else:
            part = f",{'test' if item.split == TEST else 'train'}" if splits else ""
            rows.append(f'"{item.text}",{item.occupation},{gender}{part}')
    head = "true,predicted,gender" if predicted else "bio,occupation,gender" + (",part" if splits else "")
    return "\n".join([head, *(rows[::-1] if reverse else rows), ""]).encode()


def occupation_result(
    gaps: Mapping[str, tuple[float, float]],
    *,
    half: float = 0.1,
    clear: float = 0.5,
    r: float | None = 0.6,
    provenance: Provenance = NOBODY,
    **choices: Any,
) -> OccupationResult:
    """Gap and percentage of women by occupation, of one model; the mean gap's interval is ± ``clear`` wide."""
    named = {"model": "m", "texts": "as they are"}
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in OccupationResult.SCHEMA.tables}
    rows["occupations"] = [
        named
        | {"occupation": name, "n_men": 40, "n_women": 30, "tpr_men": 0.5, "tpr_women": 0.5 + gap, "gap": gap}
        | {"gap_low": gap - half, "gap_high": gap + half, "women_file": women, "women_labour": np.nan}
        for name, (gap, women) in gaps.items()
    ]
    mean = float(np.mean([gap for gap, _ in gaps.values()])) if gaps else np.nan
    rows["overall"] = [
        named
        | {"n": 280, "accuracy": 0.7, "accuracy_low": 0.65, "accuracy_high": 0.75}
        | {"accuracy_men": 0.72, "accuracy_women": 0.68, "occupations": len(gaps)}
        | {"mean_gap": mean, "mean_gap_low": mean - clear, "mean_gap_high": mean + clear}
        | {"mean_absolute": 0.225, "mean_absolute_chance": 0.08, "rms": 0.27, "rms_chance": 0.1}
    ]
    rows["correlations"] = [
        named | {"against": IN_FILE, "method": method, "r": r, "ci_low": np.nan, "ci_high": np.nan, "p": 0.4, "n": 4}
        for method in ("Pearson", "Spearman")
        if r is not None
    ]
    return OccupationResult(
        spec=OccupationSpec(**choices),
        tables=OccupationResult.SCHEMA.frames(**rows),
        excluded=(),
        notes=(),
        provenance=provenance,
    )
