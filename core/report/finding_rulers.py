"""What is said above the charts of reliability: which agree least, does an order hold, how far templates are apart."""

from __future__ import annotations

import pandas as pd

from core.measures.agreement.result import METRICS, TEMPLATES, AgreementResult, DivergenceResult, Stability
from core.report.numbers import coefficient, counted, fixed, p_text, percent, signed
from core.report.texts import Finding, Phrase
from core.report.wording import listed
from core.stats.correlation import FEWEST_POINTS
from core.stats.samples import is_enough, too_few

_NOTHING = "No correlation could be computed; the list below says why."


def agreement_finding(result: AgreementResult, model: str | None = None, representation: str | None = None) -> Finding:
    """Which two agree least, and with templates whether the order of the models survives a change of them.

    ``model`` and ``representation`` narrow it to what a page shows; without them it is of all the result holds.
    """
    pairs, stabilities = _narrowed(result, model, representation)
    known = pairs.dropna(subset="r")
    warning = few_models(result)
    of_models = [one for one in stabilities if one.of == "models"]
    if known.empty and not of_models:
        return Finding((Phrase(_NOTHING),), warning)
    headline: tuple[Phrase, ...]
    least = _least(result, known) if len(known) else ()
    sentences = []
    if of_models:
        # With several representations the one in which the order holds least.
        one = min(of_models, key=lambda stability: stability.kept)
        where = f" by {result.title(one.representation)}" if len(of_models) > 1 else ""
        headline = (
            Phrase(f"With these {one.templates} templates the order of your {len(one.order)} models{where} holds in "),
            Phrase(percent(one.kept, 0), strong=True),
            Phrase(f" of resamples; {percent(one.flips, 0)} of pairs flip{_few_templates(one)}."),
        )
        sentences.append("".join(phrase.text for phrase in least))
    else:
        headline = least
    sentences.append(_counts(result, known))
    words = [one for one in stabilities if one.of == "words"]
    sentences += [_of_words(result, one, len(words) > 1) for one in words[:1]]
    undefined = len(pairs) - len(known)
    if undefined:
        sentences.append(f"{counted(undefined, 'pair')} without a correlation; the list below says why.")
    return Finding(headline, " ".join(sentence for sentence in (*sentences, warning) if sentence))


def few_models(result: AgreementResult) -> str:
    """A warning where metrics are correlated over too few models to say anything; else empty."""
    if result.kind != METRICS:
        return ""
    count = int(result.detail["point"].nunique())
    if is_enough(count):
        return ""
    if count < FEWEST_POINTS:
        return f"{counted(count, 'model')}: too few for a correlation; at least {FEWEST_POINTS} are required."
    critical = result.critical.get(count)
    bound = "" if critical is None else f" (p < .05 takes |r| above {coefficient(critical)})"
    return f"{too_few(count)} models: too few to say which metrics agree{bound}."


def divergence_finding(result: DivergenceResult, model: str | None = None) -> Finding:
    """Which template's blank is furthest from the base template's, of one model or of all."""
    rows = result.summary if model is None else result.summary[result.summary["model"] == model]
    rows = rows.dropna(subset="kl_full").sort_values("kl_full", ascending=False, kind="stable")
    if rows.empty:
        return Finding((Phrase("No divergence could be computed; the list below says why."),), "")
    far, near = rows.iloc[0], rows.iloc[-1]
    several = rows["model"].nunique() > 1
    headline = (
        Phrase(f"In {far['model']}, {far['template']}" if several else str(far["template"])),
        Phrase(f" is furthest from {result.options.base}: "),
        Phrase(f"{fixed(far['kl_full'])} nats", strong=True),
        Phrase(f" over the whole vocabulary{_gendered(result, far['kl_gendered'])}."),
    )
    support = ""
    if len(rows) > 1:
        where = f", in {near['model']}" if several else ""
        among = _gendered(result, near["kl_gendered"])
        support = f"Nearest: {near['template']}{where}, {fixed(near['kl_full'])} nats{among}. "
    return Finding(
        headline,
        support + f"Divergence: how much what the model expects in the blank differs from what it expects in "
        f"{result.options.base}; 0 is the same. Near in general and far among gendered words, or the other way round, "
        "are both possible.",
    )


def _narrowed(
    result: AgreementResult, model: str | None, representation: str | None
) -> tuple[pd.DataFrame, list[Stability]]:
    pairs, stabilities = result.summary, list(result.stabilities)
    if pairs.empty:
        return pd.DataFrame(columns=["model", "representation", *result.columns, "r", "p", "n"]), stabilities
    if model is not None and pairs["model"].notna().any():
        pairs = pairs[pairs["model"] == model]
        stabilities = [one for one in stabilities if one.model in ("", model)]
    if representation is not None and pairs["representation"].notna().any():
        pairs = pairs[pairs["representation"] == representation]
        stabilities = [one for one in stabilities if one.representation == representation]
    return pairs, stabilities


def _least(result: AgreementResult, known: pd.DataFrame) -> tuple[Phrase, ...]:
    """The pair with the lowest r."""
    row = known.sort_values("r", kind="stable").iloc[0]
    few = not is_enough(int(row["n"]))
    named = dict(result.names)
    a, b = (str(row[column]) if result.kind == TEMPLATES else named[str(row[column])] for column in result.columns)
    points = "models" if result.kind == METRICS else "subsets"
    where = [
        result.title(str(row[column]))
        for column in ("model", "representation")
        if known[column].nunique() > 1 and pd.notna(row[column])
    ]
    start = "have the lowest correlation" if few else "disagree most" if row["r"] < 0 else "agree least"
    end = f", {too_few(int(row['n']))}: too few to say" if few else ""
    return (
        Phrase(f"{a} and {b} {start}: "),
        Phrase(f"r = {signed(float(row['r']))}", strong=True),
        Phrase(f" over {int(row['n'])} {points}{f' ({listed(where)})' if where else ''}{end}."),
    )


def _few_templates(one: Stability) -> str:
    """What is said behind the stability of an order over few templates."""
    return "" if is_enough(one.templates) else f" ({too_few(one.templates)} templates: too few to say)"


def _counts(result: AgreementResult, known: pd.DataFrame) -> str:
    if known.empty:
        return ""
    # Correlations over too few points are values, and no verdict.
    verdicts = known[known["n"].map(is_enough)]
    sure = verdicts[verdicts["significant"].fillna(False)]
    together, against = int((sure["r"] > 0).sum()), int((sure["r"] < 0).sum())
    highest = known.sort_values("r", kind="stable").iloc[-1]
    text = f"r from {signed(float(known['r'].min()))} to {signed(float(highest['r']))}"
    if len(verdicts):
        text = (
            f"Of {counted(len(verdicts), 'pair')}, {together} move together and {against} against each other with "
            f"p < .05, not adjusted; {text}"
        )
    if len(known) == 1 and pd.notna(highest["p"]):
        text += f", {p_text(float(highest['p']))}"
    critical = {points: r for points, r in result.critical.items() if points in set(verdicts["n"])}
    bounds = [f"|r| > {coefficient(r)} with n = {points}" for points, r in critical.items()]
    return f"{text}. Significant: {listed(bounds)}." if bounds else f"{text}."


def _of_words(result: AgreementResult, one: Stability, several: bool) -> str:
    where = f" in {one.model} by {result.title(one.representation)}" if several else ""
    w = "" if one.w is None else f", Kendall’s W {fixed(one.w)}"
    return (
        f"The order of the {len(one.order)} professions{where} holds in {percent(one.kept, 0)} of resamples of the "
        f"templates; {percent(one.flips, 0)} of pairs flip{w}{_few_templates(one)}."
    )


def _gendered(result: DivergenceResult, value: float) -> str:
    return "" if pd.isna(value) else f", {fixed(value, 3)} among {counted(len(result.gendered), 'gendered word')}"
