"""The sentences of occupation classification: the facts for the templates beside this module."""

from __future__ import annotations

import math
from typing import Any

from ....charts.rows import finite
from ....report.texts import Finding, finding_of, text_of
from ....report.works import REFERENCES
from ....stats.samples import LEAST
from .compute import TEST_SHARE
from .result import CORRELATIONS, ERASED, IN_FILE, OVERALL, SCRUBBED, OccupationResult
from .spec import YEAR, Vector

DE_ARTEAGA_2019 = REFERENCES["De-Arteaga et al. 2019"]


def finding(result: OccupationResult, classifier: tuple[str, str]) -> Finding:
    """The mean gap, its distance from what chance gives, and how it follows the percentage of women."""
    row = _row(result, OVERALL, classifier)
    r = _row(result, CORRELATIONS, classifier, against=IN_FILE, method="Pearson")
    return finding_of(
        __file__,
        "finding",
        least=LEAST,
        demonstration=result.spec.is_demonstration,
        classifier=classifier[0],
        texts="" if classifier[1] == "as given" else f", texts {classifier[1]}",
        gap=finite(row["mean_gap"]),
        low=finite(row["mean_gap_low"]),
        high=finite(row["mean_gap_high"]),
        absolute=row["mean_absolute"],
        chance=row["mean_absolute_chance"],
        rms=row["rms"],
        occupations=row["occupations"],
        accuracy=row["accuracy"],
        n=f"{row['n']:,}",
        r=r.get("r"),
        p=finite(r.get("p", math.nan)),
        points=r.get("n"),
    )


def methods(result: OccupationResult) -> tuple[str, ...]:
    """How the numbers were made."""
    spec, rows = result.spec, result[OVERALL]
    return (
        text_of(
            __file__,
            "methods",
            demonstration=spec.is_demonstration,
            models=[model.name for model in result.provenance.models],
            n=f"{rows['n'].max():,}",
            scrubbed=rows["texts"].str.startswith(SCRUBBED).any(),
            erased=_erased(result),
            vector="mean of all tokens" if spec.vector == Vector.MEAN else "first token",
            layer=str(spec.layer).replace("-", "−"),
            given=bool(spec.split) or spec.is_demonstration,
            share=f"{TEST_SHARE:.0%}".replace("%", " %"),
            predictions=[file.name for file in spec.predictions],
            year=YEAR,
            seed=spec.seed,
        ),
    )


def references(result: OccupationResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    return (DE_ARTEAGA_2019, *([] if result[ERASED].empty else [REFERENCES["Belrose et al. 2023"]]))


def material(result: OccupationResult) -> tuple[str, ...]:
    """What was classified, for the caption of a figure."""
    names = [file.name for file in (*result.spec.biographies, *result.spec.predictions)]
    n = int(result[OVERALL]["n"].max())
    return (f"Biographies: {', '.join(names) or 'a demonstration on texts of our own'}. n = {n:,} tested.",)


def _erased(result: OccupationResult) -> list[str]:
    """What gender was erased by, once where it is the same of several classifiers; empty where nothing was erased."""
    return list(
        dict.fromkeys(
            f"{row['n_women']:,} women and {row['n_men']:,} men ({row['rank']} of {row['width']:,} dimensions erased)"
            for row in result[ERASED].to_dict("records")
        )
    )


def _row(result: OccupationResult, table: str, classifier: tuple[str, str], **where: str) -> dict[Any, Any]:
    """The first row of a classifier; empty where there is none."""
    rows = result[table]
    for column, value in {"model": classifier[0], "texts": classifier[1], **where}.items():
        rows = rows[rows[column] == value]
    return next(iter(rows.to_dict("records")), {})
