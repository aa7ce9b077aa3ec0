"""Tables as a page shows and exports them: wide, one row for what a reader looks up."""

from __future__ import annotations

import pandas as pd

from core.results import OTHERS, Contrast, LpbsResult


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
