"""Words that describe people, axis by axis, and the sentences they stand in: ours, or the user's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import TemplateError, WordListError
from .articles import article
from .files import file_text
from .invisible import find_slip
from .lists import read_json
from .parsing import clean_words, shown, tidy
from .tables import Table, listed_names
from .templates import MAX_LENGTH, in_place, special_token

PERSON = "[PERSON]"  # where a descriptor and a noun stand in a template
FEWEST, MOST = 2, 50  # descriptors of an axis: a pair, and 1,225 pairs
MOST_AXES = 20
_COLUMNS = ("axis", "descriptor")
# A descriptor that begins with one of these stands behind its noun: a parent who is deaf, a friend with a stammer.
_BEHIND = frozenset({"from", "in", "of", "on", "that", "who", "whose", "with", "without"})
_ARTICLE = re.compile(rf"\b([Aa])n? (?={re.escape(PERSON)})")


@dataclass(frozen=True)
class Axis:
    """What people differ in, and words that say how: ``source`` says where they are from, ``caution`` what to mind."""

    name: str
    descriptors: tuple[str, ...]
    source: str = ""
    caution: str = ""

    @property
    def citation(self) -> str:
        """One line for provenance."""
        return f"{self.name}: {self.source or 'the user’s own words'}"


@cache
def published_axes() -> Mapping[str, Axis]:
    """The axes that come with the program, by id."""
    axes: list[dict[str, Any]] = read_json("descriptors.json")["axes"]
    return {
        entry["id"]: Axis(entry["name"], tuple(entry["descriptors"]), entry["source"], entry["caution"])
        for entry in axes
    }


@cache
def person_nouns() -> tuple[str, ...]:
    """Nouns for people that say none of what the axes are about."""
    return tuple(read_json("descriptors.json")["nouns"])


@cache
def person_templates() -> tuple[str, ...]:
    """Sentences with a ``PERSON``."""
    return tuple(read_json("descriptors.json")["templates"])


def read_axes(content: bytes, name: str) -> tuple[Axis, ...]:
    """The axes of a CSV or TSV file with the columns axis and descriptor, in their order; others are passed over.

    Raises WordListError, with the line, for a file without these columns, a row that lacks one of both, a descriptor
    that is on its axis already or cannot be used, and an axis of fewer than ``FEWEST`` descriptors or more than
    ``MOST``.
    """
    file = file_text(content, name)
    table = Table.read(file.text, name)
    headings = [heading.casefold() for heading in table.names]
    lacking = [column for column in _COLUMNS if headings.count(column) != 1]
    if lacking:
        raise WordListError(
            f"{shown(name)} needs one column {' and one column '.join(lacking)}; it has {listed_names(table.names)}."
        )
    places = [headings.index(column) for column in _COLUMNS]
    found: dict[str, list[str]] = {}
    for line, row in zip(table.lines, table.rest, strict=True):
        cells = dict(zip(_COLUMNS, (row[place] for place in places), strict=True))
        for column, cell in cells.items():
            if not cell:
                raise WordListError(f"Line {line:,} of {shown(name)} has no {column}; fill it in, or remove the line.")
        axis, descriptor = cells.values()
        if descriptor in found.setdefault(axis, []):
            raise WordListError(
                f"Line {line:,} of {shown(name)}: “{shown(descriptor)}” is on the axis “{shown(axis)}” already; keep "
                "it once."
            )
        try:
            clean_words([axis]), clean_words([descriptor])
        except WordListError as error:
            raise WordListError(f"Line {line:,} of {shown(name)}: {error}") from error
        found[axis].append(descriptor)
    if not found:
        raise WordListError(f"{shown(name)} has no line below its headings; write an axis and a descriptor into each.")
    source = "; ".join((shown(name), *file.notes))
    return checked_axes(Axis(axis, tuple(words), source) for axis, words in found.items())


def checked_axes(axes: Iterable[Axis]) -> tuple[Axis, ...]:
    """The axes, in whose names and descriptors nothing is wrong. Raises WordListError."""
    found = tuple(axes)
    if not found:
        raise WordListError("No axis is chosen; choose one, or give a file of your own descriptors.")
    if len(found) > MOST_AXES:
        raise WordListError(f"{len(found):,} axes are given; at most {MOST_AXES} are possible.")
    twice = [name for name, count in Counter(axis.name for axis in found).items() if count > 1]
    if twice:
        raise WordListError(f"Two axes are called “{shown(twice[0])}”; leave one out, or rename it.")
    for axis in found:
        clean_words([axis.name])
        words = clean_words(axis.descriptors)
        if words != axis.descriptors:
            raise WordListError(f"The axis “{shown(axis.name)}” has a descriptor twice, or one that is empty.")
        if len(words) < FEWEST:
            raise WordListError(
                f"The axis “{shown(axis.name)}” has one descriptor, “{shown(words[0])}”; at least {FEWEST} are "
                "compared."
            )
        if len(words) > MOST:
            raise WordListError(
                f"The axis “{shown(axis.name)}” has {len(words):,} descriptors; at most {MOST} are possible, or as "
                "many pairs as nobody reads."
            )
    return found


def checked_template(text: str) -> str:
    """A sentence with one ``PERSON``, tidied. Raises TemplateError."""
    template = tidy(text)
    if template.count(PERSON) != 1:
        raise TemplateError(
            f"“{shown(template)}” holds {PERSON} {template.count(PERSON)} times; write it once, where descriptor and "
            f"noun stand, such as “I am a {PERSON}.”"
        )
    if len(template) > MAX_LENGTH:
        raise TemplateError(f"A template has {len(template):,} characters; at most {MAX_LENGTH:,} are allowed.")
    slip = find_slip(template)
    if slip is not None:
        raise TemplateError(f"“{shown(template)}” holds an invisible character ({slip.name}); remove it.")
    other = special_token(template) or next(iter(re.findall(r"\[[A-Z]+\]", template.replace(PERSON, ""))), "")
    if other:
        raise TemplateError(f"“{shown(template)}” holds {other}; {PERSON} is the only slot here.")
    return template


def person(descriptor: str, noun: str) -> str:
    """Descriptor and noun as they stand together: a clause (“who is deaf”) behind the noun, other words before it."""
    behind = descriptor.split()[0].casefold() in _BEHIND
    return f"{noun} {descriptor}" if behind else f"{descriptor} {noun}"


def sentence(template: str, descriptor: str, noun: str) -> str:
    """The template with both put in; “a” before them becomes “an” where they ask for it."""
    phrase = person(descriptor, noun)
    before, after = _ARTICLE.sub(lambda found: f"{found[1]}{article(phrase)[1:]} ", template).split(PERSON)
    return before + in_place(before, phrase) + after
