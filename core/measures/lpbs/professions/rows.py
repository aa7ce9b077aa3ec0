"""From a model's numbers for a corpus to the rows of tables: sentences, professions, groups, tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ....result import Excluded
from ....sources import Corpus
from ....stats.corrections import benjamini_hochberg
from ....stats.rank_tests import signed_rank
from ....stats.samples import is_enough, too_few
from ..scoring import FloatArray, Scores
from .result import GROUPS, PROFESSIONS, SENTENCES, TESTS, ProfessionResult

Row = dict[str, Any]

SIGNED_RANK = "signed-rank"  # the ``test`` of what is excluded from these


def all_tables(scored: Sequence[tuple[Scores, Corpus]], *, normal: bool) -> dict[str, pd.DataFrame]:
    """The tables of a result without a statistic; ``normal`` as in ``signed_rank_rows``."""
    schema = ProfessionResult.SCHEMA
    rows = {
        PROFESSIONS: [row for pair in scored for row in profession_rows(*pair)],
        GROUPS: [row for pair in scored for row in group_rows(*pair)],
        TESTS: [row for pair in scored for row in signed_rank_rows(*pair, normal=normal)],
    }
    # A table's columns are there even where no row has a value for them.
    frames = {
        name: pd.DataFrame(of, columns=[column.name for column in schema.tables[name].columns])
        for name, of in rows.items()
    }
    frames[TESTS]["p_adjusted"] = benjamini_hochberg(frames[TESTS]["p"].to_numpy(dtype=float))
    sentences = pd.concat([sentence_rows(*pair) for pair in scored], ignore_index=True)
    return schema.frames(**frames, **{SENTENCES: sentences})


def tests_excluded(tests: pd.DataFrame) -> Iterator[Excluded]:
    """The groups of professions with too few pairs for a p."""
    for model, group, n in tests[["model", "group", "n"]].itertuples(index=False):
        if not is_enough(n):
            what = f"signed-rank test of the {group} professions"
            reason = f"{what} in {model}: p not computed, n too small ({too_few(n)} pairs that differ)"
            yield Excluded(str(model), "statistic", what, reason, test=SIGNED_RANK)


def sentence_rows(scores: Scores, corpus: Corpus) -> pd.DataFrame:
    """A row a sentence that was scored."""
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


def group_rows(scores: Scores, corpus: Corpus) -> list[Row]:
    """Mean, sd (ddof 1) and n of each group of professions with each kind of person words."""
    rows = []
    for group in corpus.groups:
        for side, persons in zip(_by_side(scores), corpus.persons, strict=True):
            values = side[:, _of_group(corpus, group)]
            rows.append({**_of(scores, corpus), "group": group, "gender": persons.name, **_moments(values)})
    return rows


def signed_rank_rows(scores: Scores, corpus: Corpus, *, normal: bool) -> list[Row]:
    """The signed-rank test of each group of professions, first − second; none where persons are not pairs."""
    if not corpus.paired:
        return []
    first, second = _by_side(scores)
    return [
        {
            **_of(scores, corpus),
            "group": group,
            **_wilcoxon((first - second)[:, _of_group(corpus, group)], normal=normal),
        }
        for group in corpus.groups
    ]


def profession_rows(scores: Scores, corpus: Corpus) -> list[Row]:
    """Both mean associations of each profession that was scored, and their difference where there are both."""
    both = _by_side(scores)
    rows = []
    for p, profession in enumerate(corpus.professions):
        sides = [side[:, p][~np.isnan(side[:, p])] for side in both]
        first, second = (float(side.mean()) if len(side) else np.nan for side in sides)
        n_first, n_second = map(len, sides)
        if n_first + n_second:
            rows.append(
                {
                    **_of(scores, corpus),
                    "profession": profession.name,
                    "group": profession.group,
                    "mean_first": first,
                    "mean_second": second,
                    "difference": first - second,
                    "n": n_first + n_second,
                    "n_first": n_first,
                    "n_second": n_second,
                }
            )
    return rows


def _of(scores: Scores, corpus: Corpus) -> Row:
    return {"model": scores.model.name, "language": corpus.language}


def _of_group(corpus: Corpus, group: str) -> np.ndarray:
    return np.array([profession.group == group for profession in corpus.professions])


def _by_side(scores: Scores) -> tuple[FloatArray, FloatArray]:
    """Associations [template, profession, person] of each kind of person."""
    association = scores.association()
    first, second = (association[:, :, part] for part in scores.grid.slices)
    return first, second


def _moments(associations: FloatArray) -> Row:
    """Mean, sd (ddof 1) and n of what was scored; mean and sd are missing where n is too small."""
    values = associations[~np.isnan(associations)]
    return {
        "mean": float(values.mean()) if len(values) else np.nan,
        "sd": float(values.std(ddof=1)) if len(values) > 1 else np.nan,
        "n": len(values),
    }


def _wilcoxon(differences: FloatArray, *, normal: bool) -> Row:
    """The signed-rank test of paired differences; without a p where there are too few pairs for a verdict.

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
