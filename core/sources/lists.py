"""The published word lists and target groups, read from ``assets/data``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ..errors import WordListError, instead
from ..result import Group
from .parsing import format_groups, parse_groups, shown
from .slots import WordKind, misfit, wrong_article
from .templates import Template

OWN = "own"  # id of a list or groups that the user wrote
OWN_WORDS_TITLE, OWN_GROUPS_TITLE = "the user's own words", "the user's own groups"
DATA = Path(__file__).resolve().parents[2] / "assets" / "data"


@dataclass(frozen=True)
class Source:
    """Where words were published: the authors, the year, and the place in the paper or its data."""

    paper: str
    year: int
    place: str

    def __str__(self) -> str:
        return f"{self.paper} {self.year}, {self.place}"


@dataclass(frozen=True)
class WordList:
    """Words for the attribute slot.

    ``title`` begins with their number and fits a select box; the nouns name one and several of them in a
    sentence ("27 of 60 professions"). ``language`` is an ISO 639-1 code. ``note`` is empty or one sentence that
    a reader of the result must know. ``kind`` is what its words are, for a template in which they are grammatical.
    """

    id: str
    title: str
    noun_singular: str
    noun_plural: str
    language: str
    words: tuple[str, ...]
    source: Source | None
    licence: str
    note: str
    kind: WordKind = WordKind.UNKNOWN

    @property
    def citation(self) -> str:
        """One line for provenance: the title and where the words come from."""
        return self.title if self.source is None else f"{self.title}, {self.source}"


@dataclass(frozen=True)
class GroupPreset:
    """Groups of words for the target slot; where they are of equal length, pairs by position.

    ``language``, ``note`` and ``kind`` as in ``WordList``; a template has a place for words of one kind. ``axis`` is
    what the groups differ in, such as religion.
    """

    id: str
    title: str
    groups: tuple[Group, ...]
    language: str
    source: Source | None
    note: str
    axis: str = ""
    kind: WordKind = WordKind.UNKNOWN

    @property
    def citation(self) -> str:
        """One line for provenance: what they are and where the words come from."""
        return self.title if self.source is None else f"{self.choice}, {self.source}"

    @property
    def choice(self) -> str:
        """What a select box calls it: its axis and its title."""
        return f"{self.axis}: {self.title}"

    def misfits(self, template: Template) -> tuple[str, ...]:
        """What is not grammatical where its words stand in a template, a sentence each, as far as can be told."""
        if self.language != "en":
            return ()
        words = tuple(word for group in self.groups for word in group.words)
        found = (misfit(template, self.kind, words[0]), wrong_article(template, words))
        return tuple(sentence for sentence in found if sentence)


def own_words(words: Sequence[str], title: str = OWN_WORDS_TITLE) -> WordList:
    """A list of the user's own words; ``title`` says where they are from."""
    return WordList(OWN, title, "attribute", "attributes", "", tuple(words), None, "", "")


def own_groups(groups: Mapping[str, Sequence[str]] | Iterable[Group], title: str = OWN_GROUPS_TITLE) -> GroupPreset:
    """Groups of the user's own, from groups or from words by the groups' names.

    ``title`` says where they are from. Raises WordListError."""
    if isinstance(groups, Mapping):
        groups = [Group(name, tuple(words)) for name, words in groups.items()]
    checked = parse_groups(format_groups(tuple(groups)))
    return GroupPreset(OWN, title, checked, "", None, "")


@cache
def attribute_lists() -> tuple[WordList, ...]:
    """Every word list on offer, in the order of the select box."""
    return tuple(
        WordList(
            **{
                **entry,
                "words": tuple(entry["words"]),
                "source": Source(**entry["source"]),
                "kind": WordKind(entry["kind"]),
            }
        )
        for entry in read_json("attributes.json")["lists"]
    )


@cache
def group_presets() -> tuple[GroupPreset, ...]:
    """Every preset of target groups on offer, in the order of the select box."""
    return tuple(
        GroupPreset(
            **{
                **entry,
                "groups": tuple(Group(group["name"], tuple(_listed(group)["words"])) for group in entry["groups"]),
                "source": Source(**entry["source"]),
                "note": entry.get("note", _listed(entry["groups"][0]).get("caution", "")),
                "kind": WordKind(entry["kind"]),
            }
        )
        for entry in read_json("groups.json")["presets"]
    )


def _listed(group: Mapping[str, Any]) -> Mapping[str, Any]:
    """A group with its words, or the set of the association tests that it is, with its words and its caution."""
    found: Mapping[str, Any] = read_json("association_tests.json")["sets"][group["set"]] if "set" in group else group
    return found


def attribute_list(list_id: str) -> WordList:
    """The word list of that id. Raises WordListError, with the ids there are, for any other."""
    return _find(list_id, attribute_lists(), "word list")


def group_preset(preset_id: str) -> GroupPreset:
    """The preset of that id. Raises WordListError, with the ids there are, for any other."""
    return _find(preset_id, group_presets(), "preset of groups")


def read_json(name: str) -> Any:
    """The content of a file of ``assets/data``."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def data_files(folder: str) -> tuple[str, ...]:
    """The JSON files in a folder of ``assets/data``, as ``read_json`` takes them."""
    return tuple(f"{folder}/{path.name}" for path in sorted((DATA / folder).glob("*.json")))


_Entry = TypeVar("_Entry", WordList, GroupPreset)


def _find(wanted: str, entries: Sequence[_Entry], what: str) -> _Entry:
    by_id = {entry.id: entry for entry in entries}
    if wanted in by_id:
        return by_id[wanted]
    raise WordListError(f"There is no {what} “{shown(wanted)}”. {instead(wanted, by_id)}")
