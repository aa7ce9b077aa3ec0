"""The paragraph that says, in words fit for a report, how a result was made."""

from __future__ import annotations

from functools import singledispatch

from core.measures.lpbs.result import LpbsResult
from core.report.numbers import counted
from core.report.wording import digest, listed, reason
from core.report.words import sentences_of
from core.result import LeftOut, MeasureResult, ModelInfo, Result
from core.sources.templates import AS_THE_SENTENCE_SHOWS, AS_TYPED, CAPITAL, Template
from core.stats.samples import LEAST

KURITA_2019 = (
    "Kurita, K., Vyas, N., Pareek, A., Black, A. W. and Tsvetkov, Y. (2019). Measuring Bias in Contextualized Word "
    "Representations. Proceedings of the First Workshop on Gender Bias in Natural Language Processing. "
    "arXiv:1906.07337."
)
BENJAMINI_HOCHBERG_1995 = (
    "Benjamini, Y. and Hochberg, Y. (1995). Controlling the False Discovery Rate: A Practical and Powerful Approach "
    "to Multiple Testing. Journal of the Royal Statistical Society, Series B, 57(1), 289–300."
)

LIMITS = "A lean found is evidence about this model and this wording; no lean found is not its absence."
_NAMED = 5  # words left out that are named; the rest is counted

_MASKING = {
    "wordpiece": "one mask for each of its word pieces",
    "word": "one mask for each of its whitespace-separated words",
    "single": "a single mask",
}
_SEVERAL_PIECES = {
    "single": "Target words split into several tokens were excluded.",
    "joint": (
        "Target words split into several tokens got as many masks as tokens, in the prior too, and were scored "
        "jointly: the sum of ln P(piece | pieces to its left filled in, pieces to its right masked)."
    ),
}
_FORMS = {
    AS_THE_SENTENCE_SHOWS: "Words were written as the sentence shows them, with a capital where a sentence begins.",
    AS_TYPED: "Words were written as they were typed, without a capital where a sentence begins.",
    CAPITAL: "Target words were written with a capital first letter wherever they stand.",
}


@singledispatch
def references(result: Result | MeasureResult) -> tuple[str, ...]:
    """The papers a result rests on, a reference each. Raises TypeError for a kind of result that names none."""
    raise TypeError(f"No references are written for {type(result).__name__}; register them with references.register.")


@singledispatch
def methods_paragraph(result: Result | MeasureResult) -> str:
    """How a result was made, as one paragraph for a report, references included.

    Raises TypeError for a kind of result nobody has written a paragraph for.
    """
    raise TypeError(
        f"No methods paragraph is written for {type(result).__name__}; register one with methods_paragraph.register."
    )


@references.register
def _(result: MeasureResult) -> tuple[str, ...]:
    return tuple(sentences_of(result, "references") or ())


@methods_paragraph.register
def _(result: MeasureResult) -> str:
    options = "; ".join(f"{label}: {value}" for label, value in result.spec.options())
    cited = references(result)
    sentences = [
        *(sentences_of(result, "methods") or (f"{result.spec.TITLE}. {result.spec.DESCRIPTION}", f"{options}.")),
        described_models(result.provenance.models),
        *(("Incomplete: the run was stopped before its end.",) if result.stopped else ()),
        *left_out_sentences(result.excluded),
        *map(str, result.notes),
        LIMITS,
        *((f"References: {' '.join(cited)}",) if cited else ()),
    ]
    return " ".join(sentences)


@references.register
def _(result: LpbsResult) -> tuple[str, ...]:
    return (KURITA_2019, BENJAMINI_HOCHBERG_1995) if result.family_sizes else (KURITA_2019,)


@methods_paragraph.register
def _(result: LpbsResult) -> str:
    models = result.provenance.models
    masked = [model for model in models if model.kind != "causal"]
    causal = [model for model in models if model.kind == "causal"]
    sentences = [
        _materials(result),
        described_models(models),
        *(_masked_definition(result) if masked else []),
        *(_causal_definition(result, causal) if causal else []),
        *_contrasts(result),
        *_choices(result),
        *_statistics(result),
        *left_out_sentences(result.left_out),
        *map(str, result.notes),
        LIMITS,
        "References: " + " ".join(references(result)),
    ]
    return " ".join(sentences)


def _materials(result: LpbsResult) -> str:
    templates = listed([f"“{template}”" for template in result.templates])
    groups = listed([f"{group.name} ({', '.join(group.words)})" for group in result.groups])
    source = "; ".join(result.provenance.data) or listed(result.attributes, most=_NAMED)
    return (
        f"The log probability bias score (LPBS; Kurita et al. 2019) was measured with the "
        f"{'template' if len(result.templates) == 1 else 'templates'} {templates}, the target groups {groups}, "
        f"and {counted(len(result.attributes), 'attribute')} ({source})."
    )


def described_models(models: tuple[ModelInfo, ...]) -> str:
    """A sentence that names each model with what tells it apart from its namesakes."""
    described = [
        f"{model.name} ({model.id}, {f'revision {model.revision}, ' if model.revision else ''}"
        f"SHA-256 {digest(model)}, {model.dtype} on {model.device})"
        for model in models
    ]
    return f"{'Model' if len(models) == 1 else 'Models'}: {listed(described)}."


def form_sentence(form: str) -> str:
    """How words were written in the slots of templates."""
    return _FORMS[form]


def _masked_definition(result: LpbsResult) -> list[str]:
    return [
        "For a target word t and an attribute a, association(t, a) = ln P([MASK] = t | target masked, attribute "
        "present) − ln P([MASK] = t | target masked, attribute masked too), both read at the mask of the target.",
        f"For the second term, the prior, the attribute was hidden by {_MASKING[result.options.masking]}.",
        _SEVERAL_PIECES[result.options.several_pieces],
    ]


def _causal_definition(result: LpbsResult, causal: list[ModelInfo]) -> list[str]:
    orders = {Template.parse(text).target_first for text in result.templates}
    who = f"the causal {'model' if len(causal) == 1 else 'models'} {listed([model.name for model in causal])}"
    sentences = [f"In {who} a mask cannot be filled."]
    if True in orders:
        sentences.append(
            "With the target before the attribute, association(t, a) was taken from ln P(attribute and what follows "
            "it | all before it, with t): by Bayes' rule P(t | a) / P(t) = P(a | t) / P(a), so its difference between "
            "two target words is the same quantity and the target's prior cancels."
        )
    if False in orders:
        sentences.append(
            "With the target after the attribute, association(t, a) = ln P(t | prefix with a) − ln of the mean of "
            "P(t | prefix with a′) over the attribute list, so that the prior is a mean over the attributes scored."
        )
    return sentences


def _contrasts(result: LpbsResult) -> list[str]:
    contrasts = listed([contrast.label for contrast in result.contrasts])
    other = "another group" if result.options.contrasts == "pairs" else "each other group, averaged over those groups"
    return [
        f"LPBS(a) is the mean of the association over the words of one group minus that over the words of {other}, in "
        f"nats (natural logarithm): {contrasts}; a positive value leans towards the group named first."
    ]


def _choices(result: LpbsResult) -> list[str]:
    options = result.options
    sentences = [form_sentence(options.form)]
    sizes = [len(group.words) for group in result.groups]
    if not options.paired:
        sentences.append("Words of different groups were not treated as pairs.")
    elif len(set(sizes)) < len(sizes):
        sentences.append(
            "Groups of equal length were treated as pairs by position: a word that could not be scored took its "
            "partner with it."
        )
    if len(result.templates) > 1:
        sentences.append(
            f"Values were averaged over the {len(result.templates)} templates for each attribute first, then over "
            "attributes."
        )
    if len(result.provenance.models) > 1:
        sentences.append(
            "A word that not all models could represent was excluded for all."
            if options.common_words
            else "Each model was measured on the words it could represent."
        )
    return sentences


def _statistics(result: LpbsResult) -> list[str]:
    sentences = [
        "For the list of attributes as a whole the mean is given with a 95% interval (percentile bootstrap over "
        f"attributes, 10,000 resamples, seed {result.options.seed}) and a two-sided sign-flip test on the absolute "
        "mean (exact up to 2¹⁶ flips, else 100,000 sampled); for a single attribute the same was computed over its "
        f"template × word-pair values. With fewer than {LEAST} attributes, or values of an attribute, neither was."
    ]
    nouns = {"attribute": "single attributes", "all": "whole lists"}
    families = listed([f"{size:,} for {nouns.get(kind, kind)}" for kind, size in result.family_sizes])
    if families:
        sentences.append(
            "The p values were adjusted by the procedure of Benjamini and Hochberg (1995); number of p values "
            f"adjusted together: {families}."
        )
    return sentences


def left_out_sentences(left_out: tuple[LeftOut, ...]) -> list[str]:
    """What was excluded and not computed, as sentences: one for each reason, however many words it is about."""
    words: dict[tuple[str, str], str] = {}
    statistics: dict[str, list[str]] = {}
    for item in left_out:
        if item.role == "statistic":
            # What is the same for many words is said once, with the words counted.
            why = item.reason.removeprefix(f"{item.word}: ").removeprefix("interval and p not computed, ").rstrip(".")
            statistics.setdefault(why, []).append(item.word)
        else:
            words.setdefault((item.role, item.word), reason(item))
    if words:
        reasons = list(dict.fromkeys(words.values()))
        more = [f"{len(reasons) - _NAMED:,} more"] if len(reasons) > _NAMED else []
        sentences = [
            f"{counted(len(words), 'word was', 'words were')} excluded: {'; '.join([*reasons[:_NAMED], *more])}."
        ]
    else:
        sentences = ["No word was excluded."]
    for why, of in statistics.items():
        named = listed(list(dict.fromkeys(of)), most=_NAMED)
        verb = "was" if len(of) == 1 else "were"
        sentences.append(
            f"{counted(len(of), 'interval or p value', 'intervals or p values')} ({named}) {verb} not computed: {why}."
        )
    return sentences


# Each registers its paragraph and its references, and needs what is above.
from core.report import (  # noqa: E402, F401
    methods_association,
    methods_attention,
    methods_professions,
    methods_rulers,
)
