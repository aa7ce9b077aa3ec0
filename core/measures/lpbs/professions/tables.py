"""The numbers of professions as a page shows and exports them: wide, one row for what a reader looks up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from ....result import Column
from ....sources import language_name
from ....stats.correlation import Line
from ...comparable import KEYS, SIDES, two_sided
from .result import (
    CORRELATIONS,
    GROUPS,
    PROFESSIONS,
    SENTENCES,
    TESTS,
    ProfessionResult,
    Series,
    words_of,
)


def of_series(rows: pd.DataFrame, series: Series) -> pd.DataFrame:
    """The rows of one model in one language."""
    return rows[(rows["model"] == series[0]) & (rows["language"] == series[1])]


def by_residual(result: ProfessionResult, series: Series) -> pd.DataFrame:
    """The professions of a series that have a residual, the largest first; empty where there is no line."""
    rows = of_series(result[PROFESSIONS], series).dropna(subset="residual")
    return rows.sort_values("residual", key=abs, ascending=False, kind="stable").reset_index(drop=True)


def line_of(result: ProfessionResult, series: Series) -> Line | None:
    """The least-squares line of difference on percentage; None where there are not enough points for one."""
    rows = of_series(result[CORRELATIONS], series).dropna(subset="slope").to_dict("records")
    if not rows:
        return None
    shares = of_series(result[PROFESSIONS], series).dropna(subset="residual")[result.percent_column].to_numpy(float)
    mean = float(shares.mean())
    return Line(
        slope=float(rows[0]["slope"]),
        intercept=float(rows[0]["intercept"]),
        residual_sd=float(rows[0]["residual_sd"]),
        x_mean=mean,
        x_squares=float(((shares - mean) ** 2).sum()),
        n=len(shares),
    )


def group_table(result: ProfessionResult) -> pd.DataFrame:
    """The paper's table: a row per model, language and group with both means, the difference and its test."""
    first, second = result.contrast.first, result.contrast.second
    keys = ["model", "language", "group"]
    table = result[GROUPS][keys].drop_duplicates()
    for kind in (first, second):
        of_kind = result[GROUPS].loc[result[GROUPS]["gender"] == kind, [*keys, "mean", "sd", "n"]]
        table = table.merge(of_kind.rename(columns={c: f"{c} {kind}" for c in ("mean", "sd", "n")}), on=keys)
    table["difference"] = table[f"mean {first}"] - table[f"mean {second}"]
    tests = result[TESTS]
    return table.merge(tests.rename(columns={"n": "pairs"}), on=keys, how="left") if len(tests) else table


def group_columns(result: ProfessionResult) -> tuple[Column, ...]:
    """What the columns of ``group_table`` hold."""
    groups, tests = result.SCHEMA.tables[GROUPS], result.SCHEMA.tables[TESTS]
    of_kinds = [
        replace(groups.column(name), name=f"{name} {kind}", title=f"{title}, {kind}")
        for kind in (result.contrast.first, result.contrast.second)
        for name, title in (("mean", "mean"), ("sd", "SD"), ("n", "n"))
    ]
    difference = replace(result.SCHEMA.tables[PROFESSIONS].column("difference"), meaning="The first mean − the second")
    pairs = replace(tests.column("n"), name="pairs")
    return (*groups.columns, *of_kinds, difference, *tests.columns, pairs)


def profession_table(result: ProfessionResult) -> pd.DataFrame:
    """A row per profession and model: percentage, difference, and the mean association with each kind of person."""
    percent, contrast = result.percent_column, result.contrast
    columns = ["model", "language", "profession", "group", *([percent] if percent else []), "difference", "n"]
    rows = result[PROFESSIONS]
    means = {contrast.first: rows["mean_first"], contrast.second: rows["mean_second"]}
    return rows[columns].assign(**means).reset_index(drop=True)


def profession_columns(result: ProfessionResult) -> tuple[Column, ...]:
    """What the columns of ``profession_table`` hold."""
    declared = result.SCHEMA.tables[PROFESSIONS]
    sides = {"mean_first": result.contrast.first, "mean_second": result.contrast.second}
    means = [
        replace(declared.column(name), name=kind, title=kind, meaning=f"Mean association with the {kind} words")
        for name, kind in sides.items()
    ]
    return (*declared.columns, *declared.optional, *means)


def points(result: ProfessionResult, series: Series) -> pd.DataFrame:
    """The points of the scatter, the largest residuals first; without a line, its columns are empty."""
    keys = ["model", "language", "profession", "group", str(result.percent_column), "difference"]
    rows = of_series(result[PROFESSIONS], series).dropna(subset=keys[-2:])
    return rows[[*keys, "line", "residual"]].sort_values("residual", key=abs, ascending=False, kind="stable")


def differences(result: ProfessionResult, series: Sequence[Series]) -> pd.DataFrame:
    """The two mean associations of each profession in these series, and their difference."""
    rows = profession_table(result)
    keys = pd.Series(list(zip(rows["model"], rows["language"], strict=True)), index=rows.index)
    first, second = result.contrast.first, result.contrast.second
    return rows.loc[keys.isin(series), ["model", "language", "profession", "group", first, second, "difference"]]


def person_means(result: ProfessionResult, series: Series, profession: str) -> dict[str, tuple[float, float]]:
    """The two mean associations of a profession by pair of persons, where they are pairs, and last as ``mean``."""
    rows = of_series(result[SENTENCES], series)
    rows = rows[rows["profession"] == profession]
    first, second = result.contrast.first, result.contrast.second
    by_pair = rows.pivot_table(index="pair", columns="gender", values="association", sort=False)
    means = {str(pair): (float(row[first]), float(row[second])) for pair, row in by_pair.iterrows()}
    mean = rows.groupby("gender")["association"].mean()
    return {**means, "mean": (float(mean[first]), float(mean[second]))}


def differences_by(result: ProfessionResult, series: Series, by: str) -> pd.DataFrame:
    """The two mean associations of each profession in each ``template`` or ``pair``, and their difference.

    Columns: model, language, profession, group, ``by``, one named after each side of the contrast, difference; empty
    by pair where persons are not pairs. Missing where a side was not scored.
    """
    first, second = result.contrast.first, result.contrast.second
    rows = of_series(result[SENTENCES], series)
    rows = rows[rows[by].notna()]
    keys = ["model", "language", "profession", "group", by]
    means = rows.groupby([*keys, "gender"], observed=True, sort=False)["association"].mean().unstack()
    means = means.reindex(columns=[first, second])
    return means.assign(difference=means[first] - means[second]).reset_index()


def compared_items(result: ProfessionResult) -> pd.DataFrame:
    """Of one model, a row for each pair of persons in a sentence with a profession (``Comparable.items``).

    Where persons are no pairs, a row for each sentence: the means of both kinds of persons in it.
    """
    several = len({language for _, language in result.series}) > 1
    rows = result[SENTENCES]
    language = [f", {language_name(code)}" if several else "" for code in rows["language"]]
    pair = rows["pair"].fillna("")
    keyed = rows[["gender", "association"]].assign(
        whole="all professions" + pd.Series(language, index=rows.index, dtype=str),
        section=rows["group"] + " professions" + pd.Series(language, index=rows.index, dtype=str),
        entry=rows["profession"],
        item=rows["template"] + pair.where(pair == "", " · " + pair),
    )
    means = keyed.groupby([*KEYS, "gender"], sort=False)["association"].mean().unstack("gender")
    sides = means.reindex(columns=[result.contrast.first, result.contrast.second])
    return two_sided(sides.set_axis(list(SIDES), axis=1).reset_index())


def compared_ends(spec: Any) -> tuple[str, str]:
    """The two kinds of persons, which a value above 0 and one below it point to."""
    return words_of(spec.contrast.first), words_of(spec.contrast.second)
