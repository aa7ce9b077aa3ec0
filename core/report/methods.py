"""The paragraph that says, in words fit for a report, how a result was made."""

from __future__ import annotations

from dataclasses import replace

from ..result import Excluded, ModelInfo, Result
from ..sources.templates import AS_THE_SENTENCE_SHOWS, AS_TYPED, CAPITAL
from .numbers import counted
from .wording import digest, listed, reason
from .words import limits_of, sentences_of
from .works import REFERENCES

KURITA_2019 = REFERENCES["Kurita et al. 2019"]
BENJAMINI_HOCHBERG_1995 = REFERENCES["Benjamini and Hochberg 1995"]

LIMITS = "A lean found is evidence about this model and this wording; no lean found is not its absence."
_NAMED = 5  # words left out that are named; the rest is counted

_SEVERAL_PIECES = {
    "single": "Target words split into several tokens were excluded.",
    "joint": (
        "Target words split into several tokens got as many masks as tokens, in the prior too, and were scored "
        "jointly: the sum of ln P(token | tokens to its left filled in, tokens to its right masked)."
    ),
}
_FORMS = {
    AS_THE_SENTENCE_SHOWS: "Words were written as the sentence shows them, with a capital where a sentence begins.",
    AS_TYPED: "Words were written as they were typed, without a capital where a sentence begins.",
    CAPITAL: "Target words were written with a capital first letter wherever they stand.",
}


def references(result: Result) -> tuple[str, ...]:
    """The papers a result rests on, a reference each."""
    return tuple(sentences_of(result, "references") or ())


def methods_paragraph(result: Result, model: str | None = None) -> str:
    """How a result was made, as one paragraph for a report, references included.

    Parameters
    ----------
    result : Result
        Of any measure.
    model : str or None
        The name of the only model that the report is about: of the others in the
        result it says how many there were.

    Returns
    -------
    str
        Whole sentences: method, options, models, what was excluded, notes, limits.
    """
    about = result if model is None else _about(result, model)
    beside = len(result.models) - len(about.models)
    options = "; ".join(f"{label}: {value}" for label, value in result.spec.options())
    cited = references(result)
    sentences = [
        *(sentences_of(result, "methods") or (f"{result.spec.TITLE}. {result.spec.DESCRIPTION}", f"{options}.")),
        *([described_models(about.provenance.models)] if about.models else []),
        *([f"Its numbers were made beside those of {counted(beside, 'other model')}."] if beside else []),
        *(("Incomplete: the run was stopped before its end.",) if result.stopped else ()),
        *left_out_sentences(about.excluded),
        *map(str, about.notes),
        LIMITS,
        *((f"References: {' '.join(cited)}",) if cited else ()),
    ]
    return " ".join(sentences)


def _about(result: Result, model: str) -> Result:
    """The result without what is said of the other models alone."""
    others = {name for name in result.models if name != model}
    return replace(
        result,
        notes=tuple(note for note in result.notes if note.model not in others),
        excluded=tuple(item for item in result.excluded if item.model not in others),
        provenance=replace(
            result.provenance, models=tuple(info for info in result.provenance.models if info.name == model)
        ),
    )


def described_models(models: tuple[ModelInfo, ...]) -> str:
    """A sentence that names each model with what tells it apart from its namesakes."""
    described = [
        f"{model.name} ({model.id}; not measured here, its numbers were published)"
        if model.published
        else f"{model.name} ({model.id}, {f'revision {model.revision}, ' if model.revision else ''}"
        f"SHA-256 {digest(model)}, {model.dtype} on {model.device})"
        for model in models
    ]
    return f"{'Model' if len(models) == 1 else 'Models'}: {listed(described)}."


def several_pieces_sentence(several_pieces: str) -> str:
    """What was done with target words split into several tokens."""
    return _SEVERAL_PIECES[several_pieces]


def form_sentence(form: str) -> str:
    """How words were written in the slots of templates."""
    return _FORMS[form]


def limit_lines(result: Result) -> tuple[str, ...]:
    """What a reader must know of a result: what its measure's numbers do not say, its notes, and what was left out."""
    left_out = left_out_sentences(result.excluded) if result.excluded else []
    stopped = ["The run was stopped before its end; what was not reached is missing."] if result.stopped else []
    return tuple(dict.fromkeys((*limits_of(type(result)), *map(str, result.notes), *left_out, *stopped)))


def left_out_sentences(left_out: tuple[Excluded, ...]) -> list[str]:
    """What was excluded and not computed, as sentences: one for each reason, however many words it is about."""
    words: dict[str, dict[tuple[str, str], str]] = {}
    statistics: dict[tuple[str, bool], list[str]] = {}
    for item in left_out:
        if item.kind == "statistic":
            # What is the same for many words is said once, with the words counted.
            why = item.why.removeprefix(f"{item.what}: ").removeprefix("interval and p not computed, ").rstrip(".")
            statistics.setdefault((why, item.test is None), []).append(item.what)
        else:
            noun = item.kind if item.kind in ("item", "model") else "word"
            words.setdefault(noun, {}).setdefault((item.kind, item.what), reason(item))
    sentences = []
    for noun, lost in words.items():
        reasons = list(dict.fromkeys(lost.values()))
        more = [f"{len(reasons) - _NAMED:,} more"] if len(reasons) > _NAMED else []
        sentences.append(
            f"{counted(len(lost), f'{noun} was', f'{noun}s were')} excluded: {'; '.join([*reasons[:_NAMED], *more])}."
        )
    if "word" not in words and "item" not in words:
        sentences.insert(0, "No word was excluded.")
    for (why, is_interval), of in statistics.items():
        noun, nouns = ("interval or p value", "intervals or p values") if is_interval else ("value", "values")
        named = listed(list(dict.fromkeys(of)), most=_NAMED)
        verb = "was" if len(of) == 1 else "were"
        sentences.append(
            f"{counted(len(of), noun, nouns)} ({named}) {verb} not computed: {why.removeprefix('not computed, ')}."
        )
    return sentences
