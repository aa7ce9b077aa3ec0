"""Measurements of professions made by hand, for charts, tables and exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from core.measures.lpbs.professions.result import ProfessionOptions, ProfessionResult
from core.result import Contrast, LeftOut, Provenance
from core.sources.labour import Statistic

FEMALE_MALE = Contrast("female", "male")
STATISTIC = Statistic("women among those employed, U.S. 2019", "women", "BLS CPS table 11", 2019)

Row = dict[str, object]


def sentence(
    profession: str,
    gender: str,
    association: float,
    *,
    group: str = "female",
    template: str = "[TARGET] is a [ATTRIBUTE].",
    pair: str | None = "she / he",
    model: str = "m",
    language: str = "en",
) -> Row:
    """A row of the detail: P(person) e^association times as high as the .01 without the profession."""
    persons = (pair or f"{gender} name").split(" / ")
    return {
        "model": model,
        "language": language,
        "template": template,
        "person": persons[0] if gender == "female" else persons[-1],
        "pair": pair,
        "gender": gender,
        "profession": profession,
        "form": profession,
        "group": group,
        "ln_p_target": association - 4.605170185988091,
        "ln_p_prior": -4.605170185988091,
        "association": association,
    }


def sentences(
    differences: Mapping[str, float],
    *,
    groups: Mapping[str, str] | None = None,
    contrast: Contrast = FEMALE_MALE,
    model: str = "m",
    language: str = "en",
) -> list[Row]:
    """Two sentences a profession, at plus and minus half its difference; ``groups`` names those not ``female``."""
    return [
        sentence(name, side, sign * value / 2, group=(groups or {}).get(name, "female"), model=model, language=language)
        for name, value in differences.items()
        for side, sign in ((contrast.first, 1), (contrast.second, -1))
    ]


def profession_result(
    detail: Sequence[Row],
    *,
    percent: Mapping[str, float] | None = None,
    statistic: Statistic = STATISTIC,
    contrast: Contrast = FEMALE_MALE,
    groups: tuple[str, ...] = ("female", "balanced", "male"),
    left_out: Sequence[LeftOut] = (),
) -> ProfessionResult:
    """A result of these sentences: of the summary only the rows of professions, held against ``percent`` if given.

    ``difference`` is the mean association of the first side's sentences minus that of the second's.
    """
    found: dict[tuple[object, ...], dict[object, list[float]]] = {}
    for row in detail:
        key = (row["model"], row["language"], row["profession"], row["group"])
        found.setdefault(key, {}).setdefault(row["gender"], []).append(float(str(row["association"])))
    summary = []
    for (model, language, profession, group), sides in found.items():
        means = [
            sum(sides[side]) / len(sides[side]) if side in sides else None for side in (contrast.first, contrast.second)
        ]
        difference = None if None in means else means[0] - means[1]  # type: ignore[operator]
        summary.append(
            {
                "model": model,
                "language": language,
                "kind": "profession",
                "profession": profession,
                "group": group,
                "difference": difference,
                "n": sum(map(len, sides.values())),
            }
        )
        # A row of another kind, which no chart of professions may show.
        summary.append({**summary[-1], "kind": "cell", "difference": None, "mean": 77.0})
    frame = pd.DataFrame(
        summary, columns=["model", "language", "kind", "profession", "group", "difference", "n", "mean"]
    )
    result = ProfessionResult(
        summary=frame.astype({"difference": float, "mean": float}),
        detail=pd.DataFrame(list(detail), columns=list(sentence("nurse", "female", 0.0))),
        left_out=tuple(left_out),
        options=ProfessionOptions(),
        provenance=Provenance("tiltmeter", (), (), 0, (), "2026-01-01"),
        contrast=contrast,
        groups=groups,
        sentences=(("en", len(detail)),),
    )
    if percent is None:
        return result
    column = f"percent_{statistic.of.lower()}"
    shares = result.summary["profession"].map(dict(percent)).astype(float)
    return replace(result, summary=result.summary.assign(**{column: shares}), statistic=statistic)
