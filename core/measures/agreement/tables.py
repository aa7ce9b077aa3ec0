"""The tables of reliability as a page shows and exports them."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from ...result import Column, flag, number, text
from .result import DIVERGENCE, PAIRS, POINTS, STABILITY, AgreementResult

_DECLARED = AgreementResult.SCHEMA.tables
_TEXT = "The template, with _ for the blank."
# What the columns of each table hold.
PAIR_COLUMNS = (
    *_DECLARED[PAIRS].columns,
    text("text a", _TEXT, "text of the first"),
    text("text b", _TEXT, "text of the second"),
    flag("cross", "Whether one is a metric and the other a downstream result.", "metric × downstream"),
)
STABILITY_COLUMNS = (
    *_DECLARED[STABILITY].columns,
    number("order kept %", "Bootstraps of the templates in which the whole order holds", "order kept, %", decimals=1),
    number("pairs flipped %", "Mean share of pairs whose order is reversed", "pairs flipped, %", decimals=1),
    replace(_DECLARED[STABILITY].column("w"), name="Kendall W"),
)
DIVERGENCE_COLUMNS = (
    *_DECLARED[DIVERGENCE].columns,
    text("text", _TEXT, "text of the template"),
    replace(_DECLARED[DIVERGENCE].column("kl_full"), name="KL whole vocabulary"),
    replace(_DECLARED[DIVERGENCE].column("kl_gendered"), name="KL gendered words"),
)


def agreement_table(result: AgreementResult) -> pd.DataFrame:
    """A row per pair, the lowest r first, those without one last.

    Columns: model and representation where the result has them, a and b (ids of templates, else titles), for templates
    text a and text b, r, p, significant (p < .05, missing where there is no p), n; where there are downstream results
    cross (a metric with one of them).
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
    if result.meanings:
        columns["cross"] = pd.Series(map(result.is_cross, rows["a"], rows["b"]), rows.index)
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


def value_table(result: AgreementResult) -> pd.DataFrame:
    """A row per model: the value of each metric, own score and downstream result, in a column of its title."""
    values = result[POINTS].pivot_table(index="model", columns="name", values="value", sort=False)
    values = values.reindex(columns=[name for name in result.names if name in values]).rename(columns=result.names)
    return values.reset_index()


def value_columns(result: AgreementResult) -> tuple[Column, ...]:
    """What the columns of ``value_table`` hold."""
    value = _DECLARED[POINTS].column("value")
    meanings = result.meanings
    values = [
        replace(value, name=title, title=title, meaning=meanings.get(name, f"Value of “{title}”."), sign="")
        for name, title in result.names.items()
    ]
    return (_DECLARED[POINTS].column("model"), *values)
