"""Tables as a page shows and exports them: wide, one row for what a reader looks up."""

from __future__ import annotations

import pandas as pd

from core.measures.agreement.result import TEMPLATES, AgreementResult, DivergenceResult


def agreement_table(result: AgreementResult) -> pd.DataFrame:
    """A row per pair, the lowest r first, those without one last.

    Columns: model and representation where the result has them, a and b (ids of templates, else titles), for templates
    text a and text b, r, p, significant (p < .05, missing where there is no p), n.
    """
    first, second = result.columns
    named = dict(result.names)
    rows = result.summary.sort_values("r", na_position="last", kind="stable")
    columns = {name: rows[name] for name in ("model", "representation") if rows[name].notna().any()}
    if "representation" in columns:
        columns["representation"] = columns["representation"].map(result.title)
    if result.kind == TEMPLATES:
        columns |= {"a": rows[first], "b": rows[second]}
        columns |= {"text a": rows[first].map(named), "text b": rows[second].map(named)}
    else:
        columns |= {"a": rows[first].map(named), "b": rows[second].map(named)}
    columns |= {name: rows[name] for name in ("r", "p", "significant", "n")}
    return pd.DataFrame(columns).reset_index(drop=True)


def stability_table(result: AgreementResult) -> pd.DataFrame:
    """A row per order that was resampled: how often it holds and how many of its pairs flip (percent).

    Columns: of, model (missing where models are ordered), representation, order kept %, pairs flipped %, Kendall W,
    templates, resamples, order (names, the highest mean first).
    """
    rows = [
        (
            one.of,
            one.model or None,
            result.title(one.representation),
            100 * one.kept,
            100 * one.flips,
            one.w,
            one.templates,
            one.resamples,
            ", ".join(one.order),
        )
        for one in result.stabilities
    ]
    columns = [
        *("of", "model", "representation", "order kept %", "pairs flipped %", "Kendall W"),
        *("templates", "resamples", "order"),
    ]
    return pd.DataFrame(rows, columns=columns).astype({"Kendall W": float})


def divergence_table(result: DivergenceResult) -> pd.DataFrame:
    """A row per model and template: its text, and KL from the base in nats, whole vocabulary and gendered words."""
    table = result.summary[["model", "template", "kl_full", "kl_gendered"]].copy()
    table.insert(2, "text", table["template"].map(dict(result.templates)))
    names = {"kl_full": "KL whole vocabulary", "kl_gendered": "KL gendered words"}
    return table.rename(columns=names).reset_index(drop=True)
