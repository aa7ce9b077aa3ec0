"""The sentences of pronoun resolution: the facts for the templates beside this module."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ....charts.rows import finite
from ....report.texts import Finding, finding_of, text_of
from ....report.works import REFERENCES
from ....sources.gap import FEMININE, MASCULINE, TEST, TRAINING, VALIDATION
from ....stats.samples import is_enough, too_few
from .result import (
    ACCURACY,
    ALL,
    CORRECTED,
    CORRELATIONS,
    DIFFERENCES,
    DOCUMENTS,
    F1,
    P_NEITHER,
    SCORES,
    SPLITS,
    TITLES,
    TOPICS,
    ResolutionResult,
)
from .spec import HIDDEN, PATIENCE, TEMPLATE, TOP_WORDS, Network

WEBSTER_2018 = REFERENCES["Webster et al. 2018"]
GUO_2017 = REFERENCES["Guo et al. 2017"]


def finding(result: ResolutionResult, resolver: str) -> Finding:
    """F1 of a resolver for feminine and for masculine pronouns, with interval and ratio."""
    row, accuracy = (_difference(result, resolver, measure) for measure in (F1, ACCURACY))
    scores = _scores(result, resolver)
    few = not (is_enough(row["n_masculine"]) and is_enough(row["n_feminine"]))
    return finding_of(
        __file__,
        "finding",
        demonstration=result.spec.is_demonstration,
        resolver=resolver,
        women=row["feminine"],
        men=row["masculine"],
        few=few,
        too_few=too_few(min(row["n_masculine"], row["n_feminine"])),
        clear=not few and not row["ci_low"] <= 0 <= row["ci_high"],
        low=row["ci_low"],
        high=row["ci_high"],
        ratio=finite(row["ratio"]),
        ratio_low=finite(row["ratio_low"]),
        ratio_high=finite(row["ratio_high"]),
        accuracy_women=accuracy["feminine"],
        accuracy_men=accuracy["masculine"],
        n_women=f"{row['n_feminine']:,}",
        n_men=f"{row['n_masculine']:,}",
        networks=scores[ALL]["networks"],
        spread=scores[ALL]["f1_sd"],
        labels=result.labels,
    )


def neither(result: ResolutionResult, resolver: str) -> Finding:
    """Mean P(neither) by gender, and the test of its difference."""
    row, scores = _difference(result, resolver, P_NEITHER), _scores(result, resolver)
    return finding_of(
        __file__,
        "neither",
        resolver=resolver,
        women=finite(row.get("feminine")),
        men=finite(row.get("masculine")),
        few=finite(row.get("p")) is None,
        p=row.get("p"),
        low=row.get("ci_low"),
        high=row.get("ci_high"),
        share_women=scores[FEMININE]["share_neither"],
        share_men=scores[MASCULINE]["share_neither"],
    )


def topics(result: ResolutionResult, resolver: str, words_by: str) -> Finding:
    """How topic scores and P(neither) correlate over feminine pronouns."""
    rows = result[CORRELATIONS]
    rows = rows[(rows["model"] == resolver) & (rows["words_by"] == words_by)]
    by_gender: dict[str, dict[Any, Any]] = {row["gender"]: row for row in rows.to_dict("records")}
    women, men = by_gender.get(FEMININE), by_gender.get(MASCULINE)
    facts: dict[str, Any] = {"resolver": resolver, "reason": "", "men": None, "p_men": None, "n_men": None}
    if women is None:
        facts["reason"] = "no correlation of topics and P(neither): too few documents, or no variation."
    else:
        facts |= {
            "r": women["r"],
            "p": women["p"],
            "n": f"{women['n']:,}",
            "low": women["ci_low"],
            "high": women["ci_high"],
            "few": not is_enough(women["n"]),
        }
    if men is not None:
        facts |= {"men": men["r"], "p_men": finite(men["p"]), "n_men": f"{men['n']:,}"}
    return finding_of(__file__, "topics", **facts)


def methods(result: ResolutionResult) -> tuple[str, ...]:
    """How the numbers were made."""
    spec, splits = result.spec, result[SPLITS]
    counts = {(row["split"], row["gender"]): f"{row['n']:,}" for row in splits.to_dict("records")}
    documents = result[DOCUMENTS].drop_duplicates("id")
    return (
        text_of(
            __file__,
            "methods",
            demonstration=spec.is_demonstration,
            test=counts[TEST, ALL],
            women=counts[TEST, FEMININE],
            men=counts[TEST, MASCULINE],
            trained=(TRAINING, ALL) in counts,
            training=counts.get((TRAINING, ALL)),
            validation=counts.get((VALIDATION, ALL)),
            layer=str(spec.layer).replace("-", "−"),
            networks=spec.networks,
            seed=spec.seed,
            hidden=HIDDEN[spec.network],
            batch_norm=spec.network == Network.COMMON,
            patience=PATIENCE,
            predictions=[file.name for file in spec.predictions],
            missing=spec.missing.label,
            topics=result[TOPICS]["topic"].nunique(),
            top=TOP_WORDS,
            template=TEMPLATE,
            corrected=result.labels == CORRECTED,
            changed=int((documents["label"] != documents["corrected"]).sum()),
        ),
    )


def references(result: ResolutionResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    return (REFERENCES["Kurita et al. 2019"], WEBSTER_2018, GUO_2017)


def material(result: ResolutionResult) -> tuple[str, ...]:
    """What was resolved, for the caption of a figure."""
    rows = result[SPLITS]
    n = int(rows[(rows["split"] == TEST) & (rows["gender"] == ALL)]["n"].iloc[0])
    name = "a demonstration on texts of our own" if result.spec.is_demonstration else result.spec.test[0].name
    return (f"Pronoun resolution: {name}. n = {n:,} documents; labels {result.labels}.",)


def _difference(result: ResolutionResult, resolver: str, measure: str) -> dict[Any, Any]:
    """The row of a measure; empty where the resolver has none."""
    rows: pd.DataFrame = result[DIFFERENCES]
    of = (rows["model"] == resolver) & (rows["labels"] == result.labels) & (rows["measure"] == TITLES[measure])
    return next(iter(rows[of].to_dict("records")), {})


def _scores(result: ResolutionResult, resolver: str) -> dict[str, dict[Any, Any]]:
    """The rows of a resolver by gender."""
    rows = result[SCORES]
    of = (rows["model"] == resolver) & (rows["labels"] == result.labels)
    return {row["gender"]: row for row in rows[of].to_dict("records")}
