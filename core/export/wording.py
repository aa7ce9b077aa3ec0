"""The sentences and lines in which a file says where its numbers come from."""

from __future__ import annotations

from collections.abc import Sequence

from core.results import LeftOut, ModelInfo, Provenance

_SHORT = 12  # hex digits of a digest that a person can still compare by eye
_SHORTEST = 8  # what fits below a chart


def listed(words: Sequence[str], most: int | None = None) -> str:
    """The words as a phrase: "a, b and c", or "a, b and 3 more" where more than ``most`` are given."""
    if most is not None and len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most:,} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(count: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun: "1 word", "3 words"."""
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def digest(model: ModelInfo, digits: int = _SHORT) -> str:
    """The first hex digits of the SHA-256 of the model's weights, without a prefix."""
    return model.digest.removeprefix("sha256:")[:digits]


def provenance_line(provenance: Provenance, model_name: str | None = None) -> str:
    """The provenance in one line for a row of a table.

    Names only the model called ``model_name`` where the provenance has it, else all models.
    """
    models = [model for model in provenance.models if model.name == model_name] or provenance.models
    parts = [
        provenance.tool,
        *(f"{model.name} sha256:{digest(model)} {model.dtype} {model.device}" for model in models),
        f"seed {provenance.seed}",
        provenance.created,
    ]
    return "; ".join(parts)


def footer_parts(provenance: Provenance) -> tuple[str, ...]:
    """The pieces of the line below a chart: tool, models, number type and device, seed, day."""
    settings = {(model.dtype, model.device) for model in provenance.models}
    names = []
    for model in provenance.models:
        name = f"{model.name} {model.revision[:_SHORTEST] if model.revision else digest(model, _SHORTEST)}"
        names.append(name if len(settings) == 1 else f"{name} ({model.dtype}, {model.device})")
    shared = [f"{dtype}, {device}" for dtype, device in settings] if len(settings) == 1 else []
    return (provenance.tool, *names, *shared, f"seed {provenance.seed}", provenance.created[:10])


def provenance_lines(provenance: Provenance) -> tuple[str, ...]:
    """The whole provenance for a person to read, a fact a line."""
    lines = [f"Made with {provenance.tool} at {provenance.created}, seed {provenance.seed}."]
    for model in provenance.models:
        lines.append(
            f"Model {model.name}: {model.id}, revision {model.revision or 'none'}, weights SHA-256 "
            f"{model.digest.removeprefix('sha256:')}; {model.family}, {model.kind}, "
            f"{counted(model.layers, 'layer')}, {counted(model.heads, 'head')}, "
            f"{counted(model.parameters, 'parameter')}; languages: {listed(model.languages) or 'not stated'}; "
            f"{'cased' if model.cased else 'not cased'}; {model.dtype} on {model.device}, "
            f"attention implementation {model.attention}."
        )
        lines.extend(model.notes)
    lines.extend(f"Data: {source}" for source in provenance.data)
    if provenance.versions:
        lines.append("Versions: " + ", ".join(f"{library} {version}" for library, version in provenance.versions) + ".")
    return tuple(lines)


def left_out_lines(left_out: Sequence[LeftOut]) -> tuple[str, ...]:
    """What has no number, and why: a line for each word, and one for each reason a statistic is missing."""
    lines = []
    statistics: dict[str, list[str]] = {}
    for item in left_out:
        place = [part for part in (item.group, item.template, item.contrast, item.model) if part]
        if item.role == "statistic":
            statistics.setdefault(item.reason, []).append(item.word)
        else:
            where = f" ({', '.join(place)})" if place else ""
            lines.append(f"left out: {item.role} {item.word}{where}: {item.reason}")
    for reason, words in statistics.items():
        distinct = list(dict.fromkeys(words))
        lines.append(f"no interval or p value for {listed(distinct, most=5)}: {reason}")
    return tuple(lines)
