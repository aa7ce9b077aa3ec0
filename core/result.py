"""What every result shares: models, provenance, progress, what was left out, groups and contrasts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True)
class ModelInfo:
    """One loaded model, as provenance names it.

    ``kind`` is ``masked``, ``causal`` or ``encoder`` (no trained prediction head: embeddings and attention only).
    ``name`` is what it is called in a result, where no two have the same name. ``digest`` is the SHA-256 over its
    weights, configuration and tokenizer; ``revision`` the commit on the hub, where there is one. ``parameters`` counts
    single numbers, tied ones once. ``notes`` are sentences a reader of the result must see.
    """

    name: str
    id: str
    revision: str | None
    digest: str
    family: str
    kind: str
    layers: int
    heads: int
    parameters: int
    languages: tuple[str, ...]
    cased: bool
    dtype: str
    device: str
    attention: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Provenance:
    """Where a number comes from: enough to get it again.

    ``data`` names each word list with its source and year, ``versions`` pairs library and version,
    ``created`` is UTC in ISO 8601, ``seed`` fed every random draw.
    """

    tool: str
    models: tuple[ModelInfo, ...]
    data: tuple[str, ...]
    seed: int
    versions: tuple[tuple[str, str], ...]
    created: str


@dataclass(frozen=True)
class Progress:
    """``done`` of ``total`` units of work in the stage named ``stage`` (a phrase for the screen)."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True)
class Note:
    """A sentence that whoever reads the result must see.

    ``model`` is the model it concerns, by its name in the result; None where it concerns all of the result.
    """

    text: str
    model: str | None = None

    def __str__(self) -> str:
        return f"{self.model}: {self.text}" if self.model else self.text


def notes_of(notes: Iterable[Note], model: str) -> tuple[str, ...]:
    """The texts that concern this model alone, each once."""
    return tuple(dict.fromkeys(note.text for note in notes if note.model == model))


ALL_ATTRIBUTES = "all attributes"  # the ``word`` of what is left out of the whole list, the mean's interval say


@dataclass(frozen=True)
class LeftOut:
    """Something that has no number, and why: ``reason`` is a phrase that names what it is about.

    ``role`` is ``target`` or ``attribute`` for a word, ``statistic`` for an interval or p value of ``word``.
    Fields that do not apply are None.
    """

    model: str
    role: str
    word: str
    reason: str
    group: str | None = None
    template: str | None = None
    contrast: str | None = None
    test: str | None = None
    representation: str | None = None


@dataclass(frozen=True)
class Group:
    """A named group of target words. Two groups of equal length are pairs by position."""

    name: str
    words: tuple[str, ...]


OTHERS = "the others"


@dataclass(frozen=True)
class Contrast:
    """``first`` minus ``second``: positive leans towards ``first``. ``second`` may be ``OTHERS``: their mean."""

    first: str
    second: str

    @property
    def label(self) -> str:
        """The contrast as screen, legend and file print it, with a true minus sign."""
        return f"{self.first} − {self.second}"


@dataclass(frozen=True, eq=False)
class Result:
    """What every experiment returns and every export writes.

    ``summary`` and ``detail`` are tidy frames whose columns the command line documents; a value that could not
    be computed is missing in the frame (null in JSON) and explained in ``left_out``. ``options`` is the frozen
    dataclass of the experiment's options as they were used. ``notes`` are what a reader must know beside it.
    """

    summary: pd.DataFrame
    detail: pd.DataFrame
    left_out: tuple[LeftOut, ...]
    options: object
    provenance: Provenance
    notes: tuple[Note, ...] = field(default=(), kw_only=True)
