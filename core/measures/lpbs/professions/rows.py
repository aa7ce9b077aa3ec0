"""From a model's numbers for a corpus to tidy rows: sentences, cells, tests, professions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from core.measures.lpbs.professions.result import ProfessionOptions
from core.measures.lpbs.scoring import FloatArray, Scores
from core.sources import Corpus
from core.stats.rank_tests import signed_rank
from core.stats.samples import is_enough

COLUMNS = (
    *(
        "model",
        "language",
        "kind",
        "group",
        "gender",
        "mean",
        "sd",
        "method",
        "W",
        "z",
        "r",
        "ci_low",
        "ci_high",
        "p",
        "p_kind",
    ),
    *("median_difference", "profession", "difference", "n"),
)


def detail_rows(scores: Scores, corpus: Corpus) -> pd.DataFrame:
    """A row a sentence that was scored (see ``ProfessionResult.detail``)."""
    pairs = [f"{first} / {second}" for first, second in zip(*corpus.labels, strict=True)] if corpus.paired else None
    frames = []
    for side, part in enumerate(scores.grid.slices):
        target, prior = scores.ln_p_target[:, :, part], scores.ln_p_prior[:, :, part]
        t, p, w = np.nonzero(scores.present[:, :, part])
        professions = [corpus.professions[at] for at in p]
        frames.append(
            pd.DataFrame(
                {
                    "model": scores.model.name,
                    "language": corpus.language,
                    "template": np.array(corpus.templates, dtype=object)[t],
                    "person": np.array(corpus.labels[side], dtype=object)[w],
                    "pair": None if pairs is None else np.array(pairs, dtype=object)[w],
                    "gender": corpus.persons[side].name,
                    "profession": [profession.name for profession in professions],
                    "form": [(profession.first, profession.second)[side] for profession in professions],
                    "group": [profession.group for profession in professions],
                    "ln_p_target": target[t, p, w],
                    "ln_p_prior": prior[t, p, w],
                    "association": target[t, p, w] - prior[t, p, w],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def table_rows(scores: Scores, corpus: Corpus, options: ProfessionOptions) -> pd.DataFrame:
    """Kind ``cell``: mean, sd and n of a group of professions by kind of person; kind ``test``: first − second."""
    both = _by_side(scores)
    rows: list[dict[str, Any]] = []
    for group in corpus.groups:
        members = np.array([profession.group == group for profession in corpus.professions])
        for side, persons in zip(both, corpus.persons, strict=True):
            rows.append({"kind": "cell", "group": group, "gender": persons.name, **cell(side[:, members])})
        if corpus.paired:
            differences = (both[0] - both[1])[:, members]
            rows.append(
                {"kind": "test", "group": group, **wilcoxon(differences, normal=options.signed_rank == "normal")}
            )
    return _frame(scores, corpus, rows)


def profession_rows(scores: Scores, corpus: Corpus) -> pd.DataFrame:
    """Kind ``profession``: the difference of its two mean associations, over the sentences scored."""
    both = _by_side(scores)
    rows = []
    for p, profession in enumerate(corpus.professions):
        sides = [side[:, p][~np.isnan(side[:, p])] for side in both]
        if all(len(side) for side in sides):
            rows.append(
                {
                    "kind": "profession",
                    "profession": profession.name,
                    "group": profession.group,
                    "difference": float(sides[0].mean() - sides[1].mean()),
                    "n": len(sides[0]) + len(sides[1]),
                }
            )
    return _frame(scores, corpus, rows)


def _by_side(scores: Scores) -> tuple[FloatArray, FloatArray]:
    """Associations [template, profession, person] of each kind of person."""
    association = scores.association()
    first, second = (association[:, :, part] for part in scores.grid.slices)
    return first, second


def cell(associations: FloatArray) -> dict[str, Any]:
    """Mean, sd (ddof 1) and n of what was scored; mean and sd are missing where n is too small."""
    values = associations[~np.isnan(associations)]
    return {
        "mean": float(values.mean()) if len(values) else np.nan,
        "sd": float(values.std(ddof=1)) if len(values) > 1 else np.nan,
        "n": len(values),
    }


def wilcoxon(differences: FloatArray, *, normal: bool) -> dict[str, Any]:
    """The signed-rank test of paired differences as columns; without a p where there are too few pairs for a verdict.

    Where there is no pair, n is 0 and there is nothing else.
    """
    values = differences[~np.isnan(differences)]
    found = signed_rank(values, normal=normal) if len(values) else None
    if found is None:
        return {"n": 0}
    enough = is_enough(found.n)
    return {
        "W": found.w,
        "z": found.z,
        "r": found.r,
        "p": found.p if enough else np.nan,
        "p_kind": ("exact" if found.exact else "normal") if enough else None,
        "median_difference": found.median_difference,
        "n": found.n,
    }


def _frame(scores: Scores, corpus: Corpus, rows: list[dict[str, Any]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame["model"], frame["language"] = scores.model.name, corpus.language
    return frame
