"""The scores as a page shows and exports them: one row for what a reader looks up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from ...result import OTHERS, Column, Contrast
from ..comparable import KEYS, SIDES, two_sided
from .result import ATTRIBUTES, TARGETS, LpbsResult


def of_attribute(result: LpbsResult, contrast: Contrast, model: str, attribute: str) -> pd.Series:
    """The row of one attribute in one model and contrast."""
    rows = result["attributes"]
    chosen = (rows["model"] == model) & (rows["contrast"] == contrast.label) & (rows["attribute"] == attribute)
    return rows[chosen].iloc[0]


def scored(result: LpbsResult, contrast: Contrast) -> pd.DataFrame:
    """The rows of a contrast that have a score: a run that was stopped or a word may leave some without."""
    rows = result["attributes"]
    return rows[rows["contrast"] == contrast.label].dropna(subset="lpbs")


def strongest(result: LpbsResult, contrast: Contrast) -> tuple[str, str] | None:
    """Attribute and model of the strongest lean, in the first model that has a score; None where none has."""
    rows = scored(result, contrast)
    for model in (info.name for info in result.provenance.models):
        own = rows[rows["model"] == model]
        if len(own):
            return str(own.iloc[int(own["lpbs"].abs().argmax())]["attribute"]), model
    return None


def score_table(result: LpbsResult, contrast: Contrast, order: str = "lean") -> pd.DataFrame:
    """One row per model and attribute of a contrast, sorted by ``lean`` (most negative first) or by ``name``.

    Columns: model, attribute, for each group "ln P …", "ln prior …" and "association …" (means over templates and
    words that were scored, nats), lpbs, ci_low, ci_high, p_adjusted, n. Missing where nothing was computed.
    """
    rows = result["attributes"]
    rows = rows[rows["contrast"] == contrast.label]
    means = (
        result["targets"].groupby(["model", "attribute", "group"])[["ln_p_target", "ln_p_prior", "association"]].mean()
    )
    table = rows[["model", "attribute"]]
    for group in (group.name for group in result.groups):
        if contrast.second == OTHERS or group in (contrast.first, contrast.second):
            of_group = means[means.index.get_level_values("group") == group].droplevel("group")
            of_group.columns = pd.Index([f"ln P {group}", f"ln prior {group}", f"association {group}"])
            table = table.join(of_group, on=["model", "attribute"])
    table = table.join(rows[["lpbs", "ci_low", "ci_high", "p_adjusted", "n"]])
    by = ["model", "lpbs", "attribute"] if order == "lean" else ["attribute", "model"]
    return table.sort_values(by, na_position="last", kind="stable").reset_index(drop=True)


def score_columns(result: LpbsResult) -> tuple[Column, ...]:
    """What the columns of ``score_table`` hold."""
    of_target = result.SCHEMA.tables[TARGETS].column
    of_groups = []
    for group in (group.name for group in result.groups):
        for name, short in (("ln_p_target", "ln P"), ("ln_p_prior", "ln prior"), ("association", "association")):
            meaning = f"Mean over templates and the words of {group}: {of_target(name).meaning}"
            of_groups.append(
                replace(of_target(name), name=f"{short} {group}", title=f"{short}, {group}", meaning=meaning)
            )
    return (*result.SCHEMA.tables[ATTRIBUTES].columns, *of_groups)


def all_scores(result: LpbsResult, order: str = "lean") -> pd.DataFrame:
    """``score_table`` of every contrast, one below the other, for a file.

    Its columns, with ``contrast`` behind the attribute and last ``templates``, all of them in one cell. Columns
    of groups that a contrast does not compare are missing in its rows.
    """
    parts = []
    for contrast in result.contrasts:
        part = score_table(result, contrast, order)
        part.insert(2, "contrast", contrast.label)
        parts.append(part)
    names = list(dict.fromkeys(name for part in parts for name in part.columns))
    last = ["lpbs", "ci_low", "ci_high", "p_adjusted", "n"]
    ordered = [*(name for name in names if name not in last), *last]
    return pd.concat(parts, ignore_index=True)[ordered].assign(templates=" | ".join(result.templates))


def compared_items(result: LpbsResult) -> pd.DataFrame:
    """Of one model, a row for each attribute, template and pair of target words (``Comparable.items``).

    Where a contrast's groups are no pairs, a row for each attribute and template: the means of both groups.
    """
    parts = [_compared(result, contrast) for contrast in result.contrasts]
    return pd.concat(parts, ignore_index=True)


def _compared(result: LpbsResult, contrast: Contrast) -> pd.DataFrame:
    words = {group.name: group.words for group in result.groups}
    others = [name for name in words if name != contrast.first] if contrast.second == OTHERS else [contrast.second]
    names = [contrast.first, *others]
    paired = result.spec.paired and len({len(words[name]) for name in names}) == 1
    place = {(name, word): at if paired else 0 for name in names for at, word in enumerate(words[name])}
    rows = result[TARGETS][result[TARGETS]["group"].isin(names)]
    rows = rows.assign(place=[place[key] for key in zip(rows["group"], rows["target"], strict=True)])
    means = rows.groupby(["attribute", "template", "place", "group"], sort=False)["association"].mean().unstack("group")
    means = means.reindex(columns=names)
    pair = [f" · {' / '.join(words[name][at] for name in names)}" if paired else "" for _, _, at in means.index]
    items = pd.DataFrame(
        {
            "whole": contrast.label,
            "section": contrast.label,
            "entry": means.index.get_level_values("attribute"),
            "item": means.index.get_level_values("template") + pd.Index(pair),
            "first": means[contrast.first].to_numpy(),
            "second": means[others].mean(axis=1, skipna=False).to_numpy(),
        },
        columns=[*KEYS, *SIDES],
    )
    return two_sided(items)


def compared_ends(spec: Any) -> tuple[str, str]:
    """What a value above 0 and one below it point to: the two groups, where there is one contrast."""
    contrast, *more = spec.comparisons
    return ("the first group", "the second group") if more else (contrast.first, contrast.second)
