"""Scores of real models that others published, in files of our own: which there are, and their rows.

``assets/data/published/entries.json`` names each with its source and licence; the tables lie beside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pandas as pd

from ..errors import OptionError, instead
from ..result import PUBLISHED, ModelInfo, Note
from .lists import DATA, read_json
from .parsing import shown

FOLDER = "published"
PREFIX = "published:"  # before an id where a result could also be a file or a run
NOT_MEASURED = "published, not measured here"


@dataclass(frozen=True)
class Entry:
    """Scores of one model that were published.

    ``measure`` is the command of the measure they are numbers of, ``inputs`` the values of that measure's inputs by
    name that make its spec theirs. ``file`` is a table beside the entries, of which ``rows`` (values by column) are
    taken; ``column`` has the scores, where there are those of several models. ``set_aside``: some of them are
    excluded, which a table says. ``lines``: inputs whose lines are a column. ``alone`` is a clause that says why they
    are not comparable with a measurement; empty where they are.
    """

    id: str
    title: str
    measure: str
    info: ModelInfo
    inputs: Mapping[str, Any]
    file: str
    rows: Mapping[str, str]
    source: str
    licence: str
    note: str
    alone: str = ""
    column: str = ""
    set_aside: bool = False
    lines: Mapping[str, str] = field(default_factory=dict)

    @property
    def model(self) -> str:
        """What the model is called in a result."""
        return self.info.name

    @property
    def citation(self) -> str:
        """One line for provenance: what they are, where they are from, and the licence."""
        return f"{self.model}: {NOT_MEASURED}; {self.source}; licence: {self.licence}"

    @property
    def said(self) -> Note:
        """What a reader of a result with them must see."""
        return Note(f"{NOT_MEASURED}. {self.note}", self.model)

    def table(self) -> pd.DataFrame:
        """Its rows, in the order of the file."""
        found = table(self.file)
        for column, value in self.rows.items():
            found = found[found[column] == value]
        return found.drop(columns=list(self.rows)).reset_index(drop=True)


@cache
def entries() -> tuple[Entry, ...]:
    """All of them, in the order of the file."""
    document = read_json(f"{FOLDER}/entries.json")
    return tuple(_entry(item, document["sources"], document["models"]) for item in document["entries"])


def entry(id: str) -> Entry:
    """The entry of that id. Raises OptionError, with near ids or the command that names all, for any other."""
    by_id = {known.id: known for known in entries()}
    if id in by_id:
        return by_id[id]
    near = instead(id, by_id, f"“python -m core shelf” names all {len(by_id)}.")
    raise OptionError(f"There is no published result “{shown(id)}”. {near}")


def of_measure(command: str) -> tuple[Entry, ...]:
    """Those of the measure of that command."""
    return tuple(known for known in entries() if known.measure == command)


@cache
def table(name: str) -> pd.DataFrame:
    """A table beside the entries; not to be changed."""
    return pd.read_csv(DATA / FOLDER / name, keep_default_na=False)


def _entry(item: Mapping[str, Any], sources: Mapping[str, Any], models: Mapping[str, Any]) -> Entry:
    fields = dict(item)
    source, model = sources[fields.pop("source")], fields.pop("model")
    about = models[model]
    variant = fields.pop("variant", "")
    info = ModelInfo(
        name=f"{', '.join(filter(None, (model, variant)))}{PUBLISHED}",
        id=about["id"],
        revision=None,
        digest=_file_digest(item["file"]),
        family=about["family"],
        kind=about["kind"],
        layers=about["layers"],
        heads=about["heads"],
        parameters=0,
        languages=tuple(about["languages"]),
        cased=about["cased"],
        dtype="",
        device="",
        attention="",
        published=source["source"],
        parent=about.get("parent", ""),
    )
    return Entry(info=info, **{**fields, "source": source["source"], "licence": source["licence"]})


@cache
def _file_digest(name: str) -> str:
    return f"sha256:{hashlib.sha256((DATA / FOLDER / name).read_bytes()).hexdigest()}"
