"""Tables as a page shows and exports them: wide, one row for what a reader looks up."""

from __future__ import annotations

import pandas as pd

from core.results import OTHERS, Contrast, LpbsResult, ProfessionResult


def score_table(result: LpbsResult, contrast: Contrast, order: str = "lean") -> pd.DataFrame:
    """One row per model and attribute of a contrast, sorted by ``lean`` (most negative first) or by ``name``.

    Columns: model, attribute, for each group "ln P …", "ln prior …" and "association …" (means over templates and
    words that were scored, nats), lpbs, ci_low, ci_high, p_adjusted, n. Missing where nothing was computed.
    """
    rows = result.summary
    rows = rows[(rows["kind"] == "attribute") & (rows["contrast"] == contrast.label)]
    means = result.detail.groupby(["model", "attribute", "group"])[["ln_p_target", "ln_p_prior", "association"]].mean()
    table = rows[["model", "attribute"]]
    for group in (group.name for group in result.groups):
        if contrast.second == OTHERS or group in (contrast.first, contrast.second):
            of_group = means[means.index.get_level_values("group") == group].droplevel("group")
            of_group.columns = pd.Index([f"ln P {group}", f"ln prior {group}", f"association {group}"])
            table = table.join(of_group, on=["model", "attribute"])
    table = table.join(rows[["lpbs", "ci_low", "ci_high", "p_adjusted", "n"]])
    by = ["model", "lpbs", "attribute"] if order == "lean" else ["attribute", "model"]
    return table.sort_values(by, na_position="last", kind="stable").reset_index(drop=True)


def group_table(result: ProfessionResult) -> pd.DataFrame:
    """The paper's table: a row per model, language and group with both means, the difference and its test."""
    rows = result.summary
    first, second = result.contrast.first, result.contrast.second
    keys = ["model", "language", "group"]
    cells = rows[rows["kind"] == "cell"]
    table = cells[keys].drop_duplicates()
    for kind in (first, second):
        of_kind = cells.loc[cells["gender"] == kind, [*keys, "mean", "sd", "n"]]
        table = table.merge(of_kind.rename(columns={c: f"{c} {kind}" for c in ("mean", "sd", "n")}), on=keys)
    table["difference"] = table[f"mean {first}"] - table[f"mean {second}"]
    tests = rows.loc[rows["kind"] == "test", [*keys, "W", "z", "r", "median_difference", "p", "p_adjusted", "n"]]
    return table.merge(tests.rename(columns={"n": "pairs"}), on=keys, how="left") if len(tests) else table


def profession_table(result: ProfessionResult) -> pd.DataFrame:
    """A row per profession and model: percentage, difference, and the mean association with each kind of person."""
    rows = result.summary[result.summary["kind"] == "profession"]
    keys = ["model", "language", "profession"]
    means = result.detail.pivot_table(index=keys, columns="gender", values="association").reset_index()
    percent = result.percent_column
    columns = [*keys, "group", *([percent] if percent else []), "difference", "n"]
    return rows[columns].merge(means, on=keys).reset_index(drop=True)
