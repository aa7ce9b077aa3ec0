"""The sentences of log probability bias scores: the facts for the templates beside this module."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ...report.methods import BENJAMINI_HOCHBERG_1995, KURITA_2019, form_sentence, several_pieces_sentence
from ...report.numbers import counted, interval, p_text, percent, signed
from ...report.texts import Finding, Phrase, finding_of, text_of
from ...report.wording import listed, some, templates_line
from ...result import Contrast
from ...sources.lists import OWN_WORDS_TITLE, WordList
from ...sources.templates import Template
from ...stats.samples import ALPHA, LEAST, is_enough, too_few
from .result import OVERALL, SHARES, LpbsResult
from .tables import of_attribute

_NAMED = 5  # words of a list without a source that are named; the rest is counted


def finding(result: LpbsResult, contrast: Contrast, model: str) -> Finding:
    """What one model's scores say of one contrast."""
    scores, overall = (
        rows[(rows["model"] == model) & (rows["contrast"] == contrast.label)]
        for rows in (result["attributes"], result["overall"])
    )
    values, mean = scores["lpbs"].dropna(), overall.iloc[0]
    targets = result["targets"]
    first, second = int((values > 0).sum()), int((values < 0).sum())
    (n_many, many), (n_fewer, fewer) = sorted(
        ((first, contrast.first), (second, contrast.second)), key=lambda pair: -pair[0]
    )
    return _found(
        result,
        "finding",
        n=len(values),
        few=not is_enough(len(values)),
        too_few=too_few(len(values)),
        mean=mean["lpbs"],
        size=abs(mean["lpbs"]),
        clear=mean["p_adjusted"] < ALPHA,
        side=contrast.first if mean["lpbs"] > 0 else contrast.second,
        low=mean["ci_low"],
        high=mean["ci_high"],
        p=mean["p_adjusted"],
        family=int(result["overall"]["p_value"].notna().sum()),
        first=contrast.first,
        second=contrast.second,
        n_first=first,
        n_second=second,
        many=many,
        n_many=n_many,
        fewer=fewer,
        n_fewer=n_fewer,
        noun=result.spec.attributes.noun_plural,
        templates=result.templates,
        forms=list(targets.loc[targets["form"] != targets["target"], "form"].unique()),
    )


def shares_finding(result: LpbsResult, contrast: Contrast, model: str) -> Finding:
    """The share of the attributes that lean towards either group, with all templates and over single ones."""
    rows = result[SHARES]
    rows = rows[(rows["model"] == model) & (rows["contrast"] == contrast.label)]
    of_all, by_template = rows[rows["template"].isna()].iloc[0], rows.dropna(subset=["template", "share"])
    low, high = of_all["ci_low"], of_all["ci_high"]
    n = int(of_all["n"])
    return _found(
        result,
        "shares",
        n=n,
        first=contrast.first,
        second=contrast.second,
        share=of_all["share"],
        other=int(of_all["second"]) / n if n else 0.0,
        n_first=int(of_all["first"]),
        n_second=int(of_all["second"]),
        ties=int(of_all["ties"]),
        few=not is_enough(n),
        too_few=too_few(n),
        low=low,
        high=high,
        even=bool(low <= 0.5 <= high),
        noun=result.spec.attributes.noun_plural,
        templates=len(by_template),
        least=by_template["share"].min(),
        most=by_template["share"].max(),
    )


def contrasts_finding(result: LpbsResult, model: str) -> Finding:
    """In how many contrasts of the groups the scores lean clearly, and which two groups are furthest apart."""
    rows = result[OVERALL]
    records = rows[rows["model"] == model].dropna(subset="lpbs").to_dict("records")
    found = {record["contrast"]: record for record in records}
    clear = [contrast for contrast in result.contrasts if found.get(contrast.label, {}).get("p_adjusted", 1) < ALPHA]
    furthest = None
    if clear:
        contrast = max(clear, key=lambda contrast: abs(found[contrast.label]["lpbs"]))
        value = found[contrast.label]["lpbs"]
        side, other = (contrast.first, contrast.second)[:: 1 if value > 0 else -1]
        furthest = {"side": side, "other": other, "size": abs(value)}
    return _found(
        result,
        "contrasts",
        n=len(found),
        judged=any(not math.isnan(record["p_adjusted"]) for record in records),
        clear=len(clear),
        furthest=furthest,
        missing=[contrast.label for contrast in result.contrasts if contrast.label not in found],
        groups=len(result.groups),
        family=int(result[OVERALL]["p_value"].notna().sum()),
        least=LEAST,
        noun=result.spec.attributes.noun_plural,
    )


def _found(result: LpbsResult, name: str, **facts: Any) -> Finding:
    """A finding; of words that are not grammatical where they stand, with a caution before it."""
    found = finding_of(__file__, name, **facts)
    spec = result.spec
    doubtful = sum(bool(spec.groups.misfits(template)) for template in spec.templates)
    if not doubtful:
        return found
    # Of words of the user's own it is not known what they are, and so not what makes a sentence of them.
    better = spec.better_template if spec.attributes.kind else ""
    doubt = finding_of(__file__, "doubt", doubtful=doubtful, templates=len(spec.templates), better=better)
    return Finding((*doubt.headline, Phrase(" "), *found.headline), f"{doubt.support} {found.support}".strip())


def attribute_text(result: LpbsResult, contrast: Contrast, model: str, attribute: str) -> str:
    """What one score says: towards whom, if towards anybody, with its interval and p."""
    row = of_attribute(result, contrast, model, attribute)
    if pd.isna(row["lpbs"]):
        return "not computed; “Excluded” below says why"
    where = f" in {model}" if len(result.provenance.models) > 1 else ""
    n = int(row["n"])
    if not is_enough(n):
        lean = f"{too_few(n)} values{where}: too few to say"
    elif row["p_adjusted"] < ALPHA:
        lean = f"leans towards {contrast.first if row['lpbs'] > 0 else contrast.second}{where}"
    else:
        lean = f"no clear lean{where}"
    ends = "" if pd.isna(row["ci_low"]) else f", {interval(row['ci_low'], row['ci_high'])}"
    p = "" if pd.isna(row["p_adjusted"]) else f", adjusted {p_text(row['p_adjusted'])}"
    return f"{lean}{ends}{p}"


@dataclass(frozen=True)
class Arithmetic:
    """How a score comes about in one template, as text: a line a target word, and the difference of the groups' means.

    ``heads`` are those of the three columns of numbers; ``difference`` is empty where a group has no number.
    """

    heads: tuple[str, str, str]
    lines: tuple[tuple[str, str, str, str], ...]
    label: str
    difference: str


def arithmetic(result: LpbsResult, contrast: Contrast, model: str, template: str, attribute: str) -> Arithmetic:
    """P, prior and ln of their ratio of each target word; of whole sentences, where a causal model scores those."""
    rows = result["targets"]
    rows = rows[(rows["model"] == model) & (rows["template"] == template) & (rows["attribute"] == attribute)]
    if contrast.second in [group.name for group in result.groups]:
        rows = rows[rows["group"].isin([contrast.first, contrast.second])]
    causal = next(info.kind for info in result.provenance.models if info.name == model) == "causal"
    sentences = causal and Template(template).target_first

    def shown(ln_p: float) -> str:
        return signed(ln_p) if sentences else percent(math.exp(ln_p), 2)

    # The form is the word as it was scored in its place.
    columns = rows[["form", "ln_p_target", "ln_p_prior", "association"]].itertuples(index=False)
    first = rows.loc[rows["group"] == contrast.first, "association"]
    second = rows.loc[rows["group"] != contrast.first].groupby("group")["association"].mean()
    return Arithmetic(
        ("ln P(sentence)", "ln P(beginning)", "difference") if sentences else ("P", "prior", "ln ratio"),
        tuple((form, shown(ln_p), shown(prior), signed(association)) for form, ln_p, prior, association in columns),
        f"{'mean ' if len(rows) > 2 else ''}{contrast.label}",
        signed(first.mean() - second.mean()) if len(first) and len(second) else "",
    )


def _published(result: LpbsResult) -> str:
    """How scores that were published were made, and what is computed of them here."""
    groups = [f"{group.name} ({', '.join(group.words)})" for group in result.groups]
    return text_of(
        __file__,
        "published",
        n=len(result.attributes),
        templates=result.templates,
        groups=groups,
        first=result.contrasts[0].first,
        seed=result.spec.seed,
    )


def methods(result: LpbsResult) -> tuple[str, ...]:
    """How the numbers were made."""
    models, spec = result.provenance.models, result.spec
    if not spec.models:
        return (_published(result),)
    sizes = [len(group.words) for group in result.groups]
    families = [
        f"{size:,} for {what}"
        for table, what in (("attributes", "single attributes"), ("overall", "whole lists"))
        if (size := int(result[table]["p_value"].notna().sum()))
    ]
    return (
        text_of(
            __file__,
            "methods",
            spec=spec,
            templates=result.templates,
            groups=[f"{group.name} ({', '.join(group.words)})" for group in result.groups],
            n_attributes=len(result.attributes),
            groups_source=str(spec.groups.source or ""),
            attributes_source=_source(spec.attributes),
            masked=any(model.kind != "causal" for model in models),
            causal=[model.name for model in models if model.kind == "causal"],
            target_first=any(template.target_first for template in spec.templates),
            target_last=not all(template.target_first for template in spec.templates),
            several_pieces=several_pieces_sentence(spec.several_pieces),
            contrasts=[contrast.label for contrast in result.contrasts],
            form=form_sentence(spec.form),
            some_pairs=len(set(sizes)) < len(sizes),
            several_models=len(models) > 1,
            least=LEAST,
            families=families,
        ),
    )


def _source(words: WordList) -> str:
    """Where a list is from; one without a source is named by its words, after the file they were read from."""
    if words.source is not None:
        return words.citation
    named = listed(words.words, most=_NAMED)
    return named if words.title == OWN_WORDS_TITLE else f"{words.title}: {named}"


def references(result: LpbsResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    adjusted = any(result[table]["p_value"].notna().any() for table in ("attributes", "overall"))
    return (KURITA_2019, BENJAMINI_HOCHBERG_1995) if adjusted else (KURITA_2019,)


def material(result: LpbsResult) -> tuple[str, ...]:
    """What was put to the models, for the caption of a figure."""
    groups = "; ".join(
        group.name if group.words == (group.name,) else f"{group.name} ({some(group.words)})" for group in result.groups
    )
    return (
        templates_line(result.templates),
        f"Groups: {groups}. n = {counted(len(result.attributes), 'attribute')}: {some(result.attributes)}.",
    )
