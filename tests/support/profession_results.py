"""Measurements of professions for tests: measured with models at hand, or made by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from core.engine.loading import LoadedModel
from core.measures.lpbs.professions import labour
from core.measures.lpbs.professions.result import PROFESSIONS, ProfessionResult
from core.measures.lpbs.professions.spec import OWN_FILE, Comparison, ProfessionSpec
from core.result import Contrast, Excluded, Group, Provenance
from core.run import Callbacks, Run
from core.sources import Corpus, corpus
from core.sources.corpora import Profession
from core.spec import File
from core.stats.correlation import pearson, regression

FEMALE_MALE = Contrast("female", "male")

Row = dict[str, Any]


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
    contrast: Contrast = FEMALE_MALE,
    groups: Sequence[str] = ("female", "balanced", "male"),
    excluded: Sequence[Excluded] = (),
    correlations: Sequence[Row] | None = None,
    tests: Sequence[Row] = (),
    share_notes: Mapping[str, str] | None = None,
    **options: Any,
) -> ProfessionResult:
    """A result of these sentences, compared with ``percent`` if given; ``options`` are fields of its spec.

    The means of a profession are those of its sentences, its difference the first's minus the second's. Without
    ``correlations`` there are those of the points, r and n alone. Groups of professions have one row, which no chart of
    professions may show.
    """
    schema = ProfessionResult.SCHEMA
    professions = pd.DataFrame(
        _professions(detail, contrast), columns=[column.name for column in schema.tables[PROFESSIONS].columns]
    ).astype(dict.fromkeys(("mean_first", "mean_second", "difference", *_LINE), float))
    if percent is not None:
        column = "percent_women" if contrast == FEMALE_MALE else "percent_black"
        shares = professions["profession"].map(dict(percent)).astype(float)
        notes = professions["profession"].map(dict(share_notes or {}))
        professions = labour.with_lines(professions.assign(**{column: shares}, share_note=notes), column)
        if correlations is None:
            correlations = _correlations(professions, column)
    series = list(dict.fromkeys((row["model"], row["language"]) for row in detail))
    cells = [
        {
            "model": model,
            "language": language,
            "group": "female",
            "gender": contrast.first,
            "mean": 77.0,
            "sd": 1.0,
            "n": 9,
        }
        for model, language in series
    ]
    return ProfessionResult(
        spec=spec_of(contrast, groups, statistic=None if percent is None else Comparison(), **options),
        tables=schema.frames(
            professions=professions,
            groups=_frame("groups", cells),
            tests=_frame("tests", tests),
            correlations=_frame("correlations", correlations or ()),
            sentences=_frame("sentences", detail),
        ),
        excluded=tuple(excluded),
        notes=(),
        provenance=Provenance("tiltmeter", (), (), 0, (), "2026-01-01"),
    )


def spec_of(contrast: Contrast, groups: Sequence[str], **options: Any) -> ProfessionSpec:
    """The spec of a corpus with these two kinds of persons and a profession in each group."""
    english = corpus("en")
    made = replace(
        english,
        persons=(Group(contrast.first, english.persons[0].words), Group(contrast.second, english.persons[1].words)),
        paired=contrast == FEMALE_MALE,
        professions=tuple(Profession(group, group, group, group) for group in groups),
    )
    return ProfessionSpec(corpora=(made,), **options)


def with_tables(result: ProfessionResult, **rows: Sequence[Row] | pd.DataFrame) -> ProfessionResult:
    """The result with other rows in these tables."""
    frames = {name: of if isinstance(of, pd.DataFrame) else _frame(name, of) for name, of in rows.items()}
    return replace(result, tables=result.SCHEMA.frames(**{**result.tables, **frames}))


def run(
    models: Sequence[LoadedModel],
    corpora: Sequence[Corpus],
    options: Mapping[str, Any] | None = None,
    *,
    statistic: Comparison | None = None,
    run: Callbacks | None = None,
    memory: dict[Any, Any] | None = None,
) -> ProfessionResult:
    """Measure with models at hand; ``options`` are fields of the spec by name."""
    spec = ProfessionSpec(corpora=tuple(corpora), statistic=statistic, **(options or {}))
    watch: Run[Any] = Run(spec)
    if run is not None:
        watch.report, watch.cancelled = run.report, run.cancelled  # type: ignore[method-assign]
    if memory is not None:
        watch.memory = memory
    return spec.measure(models, watch)


def compared(result: ProfessionResult, statistic: Comparison) -> ProfessionResult:
    """The result of a measurement without a statistic, compared with this one."""
    spec: ProfessionSpec = replace(result.spec, statistic=statistic)
    return spec.finish(result)


def own_file(content: bytes, name: str = "mine.csv") -> Comparison:
    """A comparison with a file of the user's."""
    return Comparison(OWN_FILE, None, File.of(name, content))


_LINE = ("line", "residual")


def _frame(table: str, rows: Sequence[Row]) -> pd.DataFrame:
    return pd.DataFrame(
        list(rows), columns=[column.name for column in ProfessionResult.SCHEMA.tables[table].columns]
    ).astype({"n": int} if rows and table != "sentences" else {})


def _professions(detail: Sequence[Row], contrast: Contrast) -> list[Row]:
    found: dict[tuple[object, ...], dict[object, list[float]]] = {}
    for row in detail:
        key = (row["model"], row["language"], row["profession"], row["group"])
        found.setdefault(key, {}).setdefault(row["gender"], []).append(float(str(row["association"])))
    rows: list[Row] = []
    for (model, language, profession, group), sides in found.items():
        first, second = (sides.get(side, []) for side in (contrast.first, contrast.second))
        means = [sum(side) / len(side) if side else math.nan for side in (first, second)]
        rows.append(
            {
                "model": model,
                "language": language,
                "profession": profession,
                "group": group,
                "mean_first": means[0],
                "mean_second": means[1],
                "difference": means[0] - means[1],
                "n": len(first) + len(second),
                "n_first": len(first),
                "n_second": len(second),
            }
        )
    return rows


def _correlations(professions: pd.DataFrame, column: str) -> list[Row]:
    rows: list[Row] = []
    for (model, language), points in professions.groupby(["model", "language"], sort=False):
        points = points.dropna(subset=[column, "difference"])
        found = pearson(points[column], points["difference"])
        r = math.nan if found is None else found.r
        rows.append({"model": model, "language": language, "method": "pearson", "r": r, "n": len(points)})
        line = regression(points[column], points["difference"])
        if line is not None:
            rows[-1] |= {name: getattr(line, name) for name in ("slope", "intercept", "residual_sd")}
    return rows
