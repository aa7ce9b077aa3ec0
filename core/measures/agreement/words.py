"""The sentences of reliability: the facts for the templates beside this module."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ...charts.rows import finite
from ...report.numbers import coefficient, counted, signed
from ...report.texts import Finding, finding_of, text_of
from ...report.wording import some, templates_line
from ...report.works import cited
from ...stats.correlation import FEWEST_POINTS
from ...stats.samples import LEAST, is_enough, too_few
from .result import DIVERGENCE, DOWNSTREAM, FULL, METRIC, NAMES, OWN, PAIRS, STABILITY, WORDS, AgreementResult

_MOST = 3  # words of a divergence that are named
Facts = dict[Any, Any]


def finding(result: AgreementResult, model: str | None = None, representation: str | None = None) -> Finding:
    """Which two agree least, and with templates whether the order of the models survives a change of them.

    ``model`` and ``representation`` narrow it to what a page shows; without them it is of all the result holds.
    """
    pairs = result.pairs(model, representation)
    known = pairs.dropna(subset="r")
    # Correlations over too few points are values, and no verdict.
    judged = known[known["n"] >= LEAST]
    sure = judged[judged["significant"]]
    orders = result.stability(model, representation).to_dict("records")
    of_models = [order for order in orders if order["of"] == "models"]
    of_words = [order for order in orders if order["of"] == "words"]
    return finding_of(
        __file__,
        "finding",
        least=_least(result, known),
        stable=_stable(result, of_models),
        words=_of_words(result, of_words),
        points="models" if result.of_models else "subsets",
        n_judged=len(judged),
        n_together=int((sure["r"] > 0).sum()),
        n_against=int((sure["r"] < 0).sum()),
        lowest=known["r"].min(),
        highest=known["r"].max(),
        only_p=finite(known["p"].iloc[0]) if len(known) == 1 else None,
        bounds=[bound for n, bound in _bounds(result).items() if n in set(judged["n"])],
        n_undefined=len(pairs) - len(known),
        few_models=few_models(result),
        cross=_cross(result, known),
    )


def _cross(result: AgreementResult, known: pd.DataFrame) -> Facts | None:
    """Metrics with downstream results: how many of their correlations hold, and how large they are."""
    rows = known[[result.is_cross(a, b) for a, b in zip(known["a"], known["b"], strict=True)]]
    if rows.empty:
        return None
    largest = rows.sort_values("r", key=abs, kind="stable").iloc[-1]
    metric, task = sorted((largest["a"], largest["b"]), key=lambda name: result.kind(name) == DOWNSTREAM)
    return {
        "n": len(rows),
        "judged": int((rows["n"] >= LEAST).sum()),
        "sure": int(rows["significant"].sum()),
        "metric": result.label(metric),
        "task": result.label(task),
        "r": largest["r"],
        "models": int(largest["n"]),
        "meaning": result.meanings[task].rstrip("."),
    }


def _least(result: AgreementResult, known: pd.DataFrame) -> Facts | None:
    """The pair with the lowest r."""
    if known.empty:
        return None
    row = known.sort_values("r", kind="stable").iloc[0]
    n, first = int(row["n"]), result.label(row["a"])
    where = [
        result.title(row[column]) if column == "representation" else row[column]
        for column in ("model", "representation")
        if known[column].nunique() > 1
    ]
    return {
        "a": first[:1].upper() + first[1:],  # begins the sentence
        "b": result.label(row["b"]),
        "r": row["r"],
        "n": n,
        "where": where,
        "verb": "agree least"
        if is_enough(n) and row["r"] >= 0
        else "disagree most"
        if is_enough(n)
        else "have the lowest correlation",
        "few": "" if is_enough(n) else f", {too_few(n)}: too few to say",
    }


def _stable(result: AgreementResult, orders: list[Facts]) -> Facts | None:
    """Of several representations the one in which the order of the models holds least."""
    if not orders:
        return None
    order = min(orders, key=lambda order: order["kept"])
    where = result.title(order["representation"]) if len(orders) > 1 else ""
    return {**order, "where": where, "few": _few_templates(order)}


def _of_words(result: AgreementResult, orders: list[Facts]) -> Facts | None:
    if not orders:
        return None
    order = orders[0]
    where = f"in {order['model']} by {result.title(order['representation'])}" if len(orders) > 1 else ""
    return {**order, "w": finite(order["w"]), "where": where, "few": _few_templates(order)}


def _few_templates(order: Facts) -> str:
    """What is said behind the stability of an order over few templates."""
    n = int(order["templates"])
    return "" if is_enough(n) else f" ({too_few(n)} templates: too few to say)"


def _bounds(result: AgreementResult) -> dict[int, str]:
    return {n: f"|r| > {coefficient(critical)} with n = {n}" for n, critical in result.critical.items()}


def few_models(result: AgreementResult) -> str:
    """A warning where metrics are correlated over too few models to say anything; else empty."""
    if not result.of_models:
        return ""
    count = result.n_models
    if is_enough(count):
        return ""
    if count < FEWEST_POINTS:
        return f"{counted(count, 'model')}: too few for a correlation; at least {FEWEST_POINTS} are required."
    critical = result.critical.get(count)
    bound = "" if critical is None else f" (p < .05 takes |r| above {coefficient(critical)})"
    return f"{too_few(count)} models: too few to say which metrics agree{bound}."


def divergence_finding(result: AgreementResult, model: str | None = None) -> Finding:
    """Which template's blank is furthest from the base template's, of one model or of all."""
    rows = result[DIVERGENCE]
    rows = (rows if model is None else rows[rows["model"] == model]).dropna(subset="kl_full")
    ordered = rows.sort_values("kl_full", ascending=False, kind="stable").to_dict("records")
    ends = [{**row, "kl_gendered": finite(row["kl_gendered"])} for row in ordered]
    return finding_of(
        __file__,
        "divergence",
        far=ends[0] if ends else None,
        near=ends[-1] if len(ends) > 1 else None,
        several=rows["model"].nunique() > 1,
        base=result.spec.base_id,
        n_gendered=len(result.gendered),
    )


def points_text(result: AgreementResult, pair: tuple[str, str, str], model: str | None) -> str:
    """The points behind one correlation, of (representation or "", a, b), for those who do not see the chart."""
    representation, a, b = pair
    rows = result.pairs(model, representation or None)
    row = rows[rows[["a", "b"]].isin([a, b]).all(axis=1)].iloc[0]
    names = result.names
    return text_of(__file__, "points", a=names[a], b=names[b], r=finite(row["r"]), p=finite(row["p"]), n=int(row["n"]))


def contributions_text(result: AgreementResult, model: str, template: str, scope: str = FULL) -> str:
    """The words that make a template's blank another than the base template's, for those who do not see the chart."""
    rows = result[WORDS]
    rows = rows[(rows["model"] == model) & (rows["template"] == template) & (rows["scope"] == scope)]
    largest = rows.sort_values("contribution", ascending=False, kind="stable").head(_MOST)
    words = [f"{word} {signed(part, 3)}" for word, part in zip(largest["word"], largest["contribution"], strict=True)]
    return text_of(
        __file__,
        "contributions",
        template=template,
        base=result.spec.base_id,
        model=model,
        n=len(rows),
        words=words,
    )


def methods(result: AgreementResult) -> tuple[str, ...]:
    """How the numbers were made."""
    spec, base = result.spec, result.spec.base_id
    names = {
        name: f"{name} “{title}”" if result.by_template else title
        for name, title in result.names.items()
        if result.of_pairs or name != base
    }
    stability = result[STABILITY].to_dict("records")
    return (
        text_of(
            __file__,
            "methods",
            spec=spec,
            compare=str(spec.compare),
            base=base,
            base_text=spec.texts[base],
            names=list(names.values()),
            counts=_counts(result),
            meanings=[f"{result.names[name]}: {meaning}" for name, meaning in result.meanings.items()],
            data="; ".join(result.provenance.data),
            gendered=result.gendered,
            n_models=result.n_models,
            bounds=list(_bounds(result).values()),
            stability=stability[0] if stability else None,
            few_models=few_models(result),
            fewest=FEWEST_POINTS,
            least=LEAST,
        ),
    )


def _counts(result: AgreementResult) -> list[str]:
    """How many are compared, of each kind."""
    if not result.of_models:
        return [counted(len(result.names), str(result.spec.compare)[:-1])] if result.of_pairs else []
    kinds = [result.kind(name) or METRIC for name in result.names]
    titles = {METRIC: "metric", OWN: "column of own scores", DOWNSTREAM: "number of downstream tasks"}
    plural = {OWN: "columns of own scores", DOWNSTREAM: "numbers of downstream tasks"}
    return [counted(kinds.count(kind), title, plural.get(kind)) for kind, title in titles.items() if kinds.count(kind)]


def references(result: AgreementResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    embedding = ["Caliskan et al. 2017"] if result.of_pairs and not result.of_models else []
    orders = ["Kendall & Babington Smith 1939"] if len(result[STABILITY]) else []
    return cited(["Delobelle et al. 2022", *embedding, *orders])


def material(result: AgreementResult) -> tuple[str, ...]:
    """What was put to the models, for the caption of a figure."""
    names, base = result.names, result.spec.base_id
    if not result.of_pairs:
        others = [text for name, text in names.items() if name != base]
        return (f"Base template: “{names.get(base, '')}”. Against: {templates_line(others)}",)
    counts = sorted(set(result[PAIRS]["n"]))
    n = f"n = {counts[0]:,}" + (f" to {counts[-1]:,}" if counts[-1] > counts[0] else "") + " points." if counts else ""
    titles = list(result[NAMES]["title"])
    return (templates_line(titles) if result.by_template else f"Compared: {some(titles)}.", n)
