"""The sentences of the effects of heads: the facts for the templates beside this module."""

from __future__ import annotations

import pandas as pd

from ....report.numbers import counted, head_name, interval, p_text, signed
from ....report.texts import Finding, finding_of, text_of
from ....report.works import REFERENCES
from ....stats.samples import ALPHA, is_enough, too_few
from ..words import LI_2021
from .result import COUNTS, EFFECT, KEPT, OF_TWIN, OUTCOME, SUM, TOGETHER, TOTAL, TOTALS, CausesResult
from .spec import Intervention, Outcome

VIG_2020 = REFERENCES["Vig et al. 2020"]
_VERBS = {
    Intervention.TWIN: "its value from the twin",
    Intervention.ZERO: "knocking it out",
    Intervention.MEAN: "knocking it out (to its mean)",
}
_FIRST = {
    Intervention.TWIN: "The twin’s value of",
    Intervention.ZERO: "Knocking out",
    Intervention.MEAN: "Knocking out (to its mean)",
}
_OUTCOMES = {Outcome.ODDS: "log odds", Outcome.LPBS: "LPBS"}


def finding(result: CausesResult, model: str) -> Finding:
    """Which head moves the outcome most, towards whom and by how much."""
    spec, rows = result.spec, result.heads_of(model)
    first, second = (group.name for group in spec.pair)
    if rows.empty:
        return finding_of(__file__, "finding", n=0)
    significant = rows[rows["p_adjusted"] < ALPHA]
    candidates = significant if len(significant) else rows
    top = candidates.sort_values("effect", key=abs, kind="stable").iloc[-1]
    n = int(top["n"])
    totals = {name: result.total(model, name) for name in (OUTCOME, OF_TWIN, TOTAL, TOGETHER, SUM)}
    means = {name: None if total is None else total["mean"] for name, total in totals.items()}
    correlation = result.correlation(model, EFFECT, "Pearson")
    return finding_of(
        __file__,
        "finding",
        n=n,
        few=not is_enough(n),
        too_few=too_few(n),
        heads=len(rows),
        significant=len(significant),
        verb=_VERBS[spec.intervention],
        verb_first=_FIRST[spec.intervention],
        outcome=_OUTCOMES[spec.outcome],
        first=first,
        top={
            "name": head_name(top["layer"], top["head"]),
            "effect": float(top["effect"]),
            "low": None if pd.isna(top["ci_low"]) else float(top["ci_low"]),
            "high": None if pd.isna(top["ci_high"]) else float(top["ci_high"]),
            "p": None if pd.isna(top["p_adjusted"]) else float(top["p_adjusted"]),
            "towards": first if top["effect"] > 0 else second,
        },
        total=means[TOTAL],
        before=means[OUTCOME],
        after=means[OF_TWIN],
        together=means[TOGETHER],
        sum=means[SUM],
        r=None if correlation is None else correlation["r"],
        n_heads=None if correlation is None else int(correlation["n"]),
    )


def methods(result: CausesResult) -> tuple[str, ...]:
    """How the numbers were made."""
    spec, counts = result.spec, result[COUNTS]
    first, second = (group.name for group in spec.pair)
    model = counts["model"].iloc[0] if len(counts) else ""
    of_model = counts[counts["model"] == model]
    own: dict[str, int] = dict(zip(of_model["reason"], of_model["n"], strict=True))
    return (
        text_of(
            __file__,
            "methods",
            corpus="" if spec.corpus is None else spec.corpus.path.name,
            kept=own.get(KEPT, 0),
            most=f"{spec.most:,}",
            reasons=[f"{reason} ({n:,})" for reason, n in own.items() if reason != KEPT and n],
            sentence=spec.sentence.text,
            twin="" if spec.twin is None else spec.twin.text,
            lpbs=spec.outcome == Outcome.LPBS,
            patched=spec.intervention == Intervention.TWIN,
            zero=spec.intervention == Intervention.ZERO,
            interval=bool(result[TOTALS]["ci_low"].notna().any()),
            first=first,
            second=second,
        ),
    )


def references(result: CausesResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    kurita = (REFERENCES["Kurita et al. 2019"],) if result.spec.outcome == Outcome.LPBS else ()
    tested = result[TOTALS]["ci_low"].notna().any()
    return (VIG_2020, LI_2021, *kurita, *((REFERENCES["Benjamini and Hochberg 1995"],) if tested else ()))


def material(result: CausesResult) -> tuple[str, ...]:
    """What was put to the models, for the caption of a figure."""
    spec, counts = result.spec, result[COUNTS]
    done = f"{spec.intervention.label}; outcome: {spec.outcome.label}"
    if spec.corpus is not None:
        kept = int(counts.loc[counts["reason"] == KEPT, "n"].max())
        return (f"Corpus: {spec.corpus.path.name}. n = {counted(kept, 'sentence')}.", f"Heads: {done}")
    twin = () if spec.twin is None else (f"Gender-swapped: “{spec.twin.text}”",)
    return (f"Sentence: “{spec.sentence.text}”", *twin, f"Heads: {done}")


def head_text(result: CausesResult, model: str, layer: int, head: int) -> str:
    """One head's numbers in words."""
    rows = result.heads_of(model)
    row = rows[(rows["layer"] == layer) & (rows["head"] == head)].iloc[0]
    said = [f"Effect {signed(float(row['effect']), 3)} nats over {counted(int(row['n']), 'sentence')}"]
    if pd.notna(row["ci_low"]):
        said.append(f"{interval(float(row['ci_low']), float(row['ci_high']), 3)}, adjusted {p_text(row['p_adjusted'])}")
    if pd.notna(row["direct"]):
        said.append(f"direct effect (the twin with this head’s value from the sentence) {signed(row['direct'], 3)}")
    degree = f"degree {signed(row['degree'], 3)}" if pd.notna(row["degree"]) else "degree undefined"
    return f"{'; '.join([*said, degree])}."


def largest_text(result: CausesResult, model: str) -> str:
    """The three largest effects of one model in words."""
    rows = result.heads_of(model).sort_values("effect", key=abs, ascending=False).head(3)
    named = ", ".join(
        f"{head_name(row['layer'], row['head'])} {signed(float(row['effect']))} nats" for row in rows.to_dict("records")
    )
    return f"Heads of {model} with the largest effects: {named}. Above 0: towards {result.spec.pair[0].name}."


def scatter_text(result: CausesResult, model: str) -> str:
    """Effects against degrees in words."""
    found = [
        f"{method} r = {signed(row['r'])} over {row['n']:.0f} heads"
        for method in ("Pearson", "Spearman")
        if (row := result.correlation(model, EFFECT, method)) is not None
    ]
    said = "; ".join(found) or "no correlation can be computed"
    return f"Effect of each head of {model} against its degree: {said}. Heads of a model depend on each other."


def totals_text(result: CausesResult, model: str) -> str:
    """What the effects are parts of, in a sentence."""
    together, parts = result.total(model, TOGETHER), result.total(model, SUM)
    if together is None or parts is None:
        return ""
    return (
        f"Changing all heads at once moves the outcome by {signed(together['mean'])} nats; the effects of the single "
        f"heads sum to {signed(parts['mean'])}. They do not add up: heads replace and need each other."
    )
