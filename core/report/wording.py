"""The sentences and lines in which a file says where its numbers come from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..result import Excluded, ModelInfo, Provenance
from .numbers import counted

_SHORT = 12  # hex digits of a digest that a person can still compare by eye
_VERBS = {"statistic": "not computed", "model": "not measured"}
_PLACES = ("group", "template", "contrast", "test", "representation", "model")
_SOME, _NAMED = 3, 10  # words of a caption, and of what shares a reason: those that are named
_SHORTEST = 8  # what fits below a chart


def time_left(seconds: float) -> str:
    """How long something still takes: "about 45 s left", "about 3 min left"."""
    return f"about {seconds:,.0f} s left" if seconds < 100 else f"about {seconds / 60:,.0f} min left"


def listed(words: Sequence[str], most: int | None = None) -> str:
    """The words as a phrase: "a, b and c", or "a, b and 3 more" where more than ``most`` are given."""
    if most is not None and len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most:,} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def templates_phrase(templates: Sequence[str]) -> str:
    """The templates of a measurement: "template “A”", or "3 templates (“A”, “B” and 1 more)"."""
    quoted = [f"“{template}”" for template in templates]
    if len(quoted) == 1:
        return f"template {quoted[0]}"
    return f"{counted(len(quoted), 'template')} ({listed(quoted, most=2)})"


def some(words: Sequence[str], between: str = ", ") -> str:
    """The first words, and how many there are beside them: "a, b, c and 4 more"."""
    shown = between.join(words[:_SOME])
    return shown if len(words) <= _SOME else f"{shown} and {len(words) - _SOME:,} more"


def templates_line(texts: Sequence[str]) -> str:
    """The templates of a measurement as the line of a caption."""
    noun = "Template" if len(texts) == 1 else f"{len(texts):,} templates"
    return f"{noun}: {some([f'“{text}”' for text in texts])}"


def digest(model: ModelInfo, digits: int = _SHORT) -> str:
    """The first hex digits of the SHA-256 over the model's files, without a prefix."""
    return model.digest.removeprefix("sha256:")[:digits]


def provenance_line(provenance: Provenance, model_name: str | None = None) -> str:
    """The provenance in one line for a row of a table.

    Names only the model called ``model_name`` where the provenance has it, else all models.
    """
    models = [model for model in provenance.models if model.name == model_name] or provenance.models
    parts = [
        provenance.tool,
        *(
            f"{model.name} not measured here: {model.published}"
            if model.published
            else f"{model.name} sha256:{digest(model)} {model.dtype} {model.device}"
            for model in models
        ),
        *(f"data: {source}" for source in provenance.data),
        f"seed {provenance.seed}",
        provenance.created,
    ]
    return "; ".join(parts)


def footer_parts(provenance: Provenance) -> tuple[str, ...]:
    """The pieces of the line below a chart: tool, models, number type and device, seed, day."""
    settings = {(model.dtype, model.device) for model in provenance.models if not model.published}
    names = []
    for model in provenance.models:
        if model.published:
            names.append(f"{model.name}, not measured here")
            continue
        name = f"{model.name} {model.revision[:_SHORTEST] if model.revision else digest(model, _SHORTEST)}"
        names.append(name if len(settings) == 1 else f"{name} ({model.dtype}, {model.device})")
    shared = [f"{dtype}, {device}" for dtype, device in settings] if len(settings) == 1 else []
    return (provenance.tool, *names, *shared, f"seed {provenance.seed}", provenance.created[:10])


def provenance_lines(provenance: Provenance) -> tuple[str, ...]:
    """The whole provenance for a person to read, a fact a line."""
    lines = [f"Made with {provenance.tool} at {provenance.created}, seed {provenance.seed}."]
    for model in provenance.models:
        if model.published:
            lines.append(
                f"Model {model.name}: numbers of {model.id} that were not measured here but published: "
                f"{model.published}; SHA-256 of the file with them {model.digest.removeprefix('sha256:')}."
            )
            continue
        lines.append(
            f"Model {model.name}: {model.id}, revision {model.revision or 'none'}, SHA-256 over weights, "
            f"configuration and tokenizer "
            f"{model.digest.removeprefix('sha256:')}; {model.family}, {model.kind}, "
            f"{counted(model.layers, 'layer')}, {counted(model.heads, 'head')}, "
            f"{counted(model.parameters, 'parameter')}; languages: {listed(model.languages) or 'not stated'}; "
            f"{'cased' if model.cased else 'not cased'}; {model.dtype} on {model.device}, "
            f"attention implementation {model.attention}."
        )
        lines.extend(f"{model.name}: {note}" for note in model.notes)
    lines.extend(f"Data: {source}" for source in provenance.data)
    if provenance.versions:
        lines.append("Versions: " + ", ".join(f"{library} {version}" for library, version in provenance.versions) + ".")
    return tuple(lines)


def exclusion_lines(left_out: Sequence[Excluded]) -> tuple[str, ...]:
    """What was excluded or has no number, a line each: what, why, and in brackets where.

    A reason that several share is said once, with the first ten of them by name and the rest counted.
    """
    shared: dict[tuple[str, str, bool], list[Excluded]] = {}
    for item in left_out:
        why = item.why.removeprefix(item.what)
        of_several = why.startswith((": ", " "))  # the reason is about its word alone, and may be that of others
        shared.setdefault((item.kind, why.lstrip(": ") if of_several else item.why, of_several), []).append(item)
    lines = []
    for (role, why, of_several), items in shared.items():
        words = list(dict.fromkeys(item.what for item in items))
        sentence = f"{listed(words, _NAMED)}: {why}" if of_several and len(words) > 1 else reason(items[0])
        if "not computed" not in sentence:
            sentence = f"{_VERBS.get(role, 'excluded')}: {sentence}"
        where = [part for name in _PLACES if (part := _place(items, name)) and not _names(sentence, part)]
        lines.append(sentence.rstrip(".") + (f" [{'; '.join(where)}]" if where else ""))
    return tuple(lines)


def reason(item: Excluded) -> str:
    """Why something has no number, as a phrase that names it."""
    return (item.why if _names(item.why, item.what) else f"{item.what}: {item.why}").rstrip(".")


def _names(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _place(items: Sequence[Excluded], name: str) -> str:
    """Where something happened: up to three groups, templates, contrasts, tests, representations or models."""
    held = list(dict.fromkeys(value for item in items if (value := getattr(item, name))))
    return listed([f"“{value}”" for value in held] if name == "template" else held, most=3)
