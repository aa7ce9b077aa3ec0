"""What stands above a figure that leaves the program: what is shown, in which models, by which words and data."""

from __future__ import annotations

from dataclasses import dataclass

from ..result import Result
from .wording import listed, some
from .words import sentences_of


@dataclass(frozen=True)
class Caption:
    """The title of a figure, and the lines below it."""

    title: str
    lines: tuple[str, ...]


def caption(result: Result, title: str) -> Caption:
    """The caption of a figure of this result that shows what ``title`` says."""
    models = [model.name for model in result.provenance.models]
    named = f"{'Model' if len(models) == 1 else 'Models'}: {listed(models)}. " if models else ""
    first, *rest = material(result)
    data = result.provenance.data
    source = f"Source: {some(data, between='; ')}" if data else ""  # there are commas in a source
    return Caption(title, tuple(line for line in (f"{named}{first}", *rest, source) if line))


def material(result: Result) -> tuple[str, ...]:
    """What was put to the models, a line each: templates, words, sentences or items, and how many."""
    return tuple(sentences_of(result, "material") or (f"{result.spec.TITLE}.",))
