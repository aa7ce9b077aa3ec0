"""The tables of reliability as a page shows and exports them."""

from __future__ import annotations

import pandas as pd

from .result import DIVERGENCE, PAIRS, STABILITY, AgreementResult


def agreement_table(result: AgreementResult) -> pd.DataFrame:
    """A row per pair, the lowest r first, those without one last.

    Columns: model and representation where the result has them, a and b (ids of templates, else titles), for templates
    text a and text b, r, p, significant (p < .05, missing where there is no p), n.
    """
    rows, names = result[PAIRS].sort_values("r", na_position="last", kind="stable"), result.names
    columns = {name: rows[name] for name in ("model", "representation") if rows[name].notna().any()}
    if "representation" in columns:
        columns["representation"] = columns["representation"].map(result.title)
    if result.by_template:
        columns |= {"a": rows["a"], "b": rows["b"], "text a": rows["a"].map(names), "text b": rows["b"].map(names)}
    else:
        columns |= {"a": rows["a"].map(names), "b": rows["b"].map(names)}
    significant = rows["significant"].astype("boolean").mask(rows["p"].isna())
    columns |= {"r": rows["r"], "p": rows["p"], "significant": significant, "n": rows["n"]}
    return pd.DataFrame(columns).reset_index(drop=True)


def stability_table(result: AgreementResult) -> pd.DataFrame:
    """A row per order that was resampled: how often it holds and how many of its pairs flip (percent).

    Columns: of, model (missing where models are ordered), representation, order kept %, pairs flipped %, Kendall W,
    templates, resamples, order (names, the highest mean first).
    """
    rows = result[STABILITY]
    return pd.DataFrame(
        {
            "of": rows["of"],
            "model": rows["model"],
            "representation": rows["representation"].map(result.title),
            "order kept %": 100 * rows["kept"],
            "pairs flipped %": 100 * rows["flips"],
            "Kendall W": rows["w"],
            **{name: rows[name] for name in ("templates", "resamples", "order")},
        }
    )


def divergence_table(result: AgreementResult) -> pd.DataFrame:
    """A row per model and template: its text, and KL from the base in nats, whole vocabulary and gendered words."""
    rows = result[DIVERGENCE]
    return pd.DataFrame(
        {
            "model": rows["model"],
            "template": rows["template"],
            "text": rows["template"].map(result.names),
            "KL whole vocabulary": rows["kl_full"],
            "KL gendered words": rows["kl_gendered"],
        }
    )
