"""Male words, female words and occupations in a sentence, found by the lists of ``assets/data``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from .lists import Source, attribute_list, read_json

Span = tuple[int, int]
Kind = Literal["male", "female", "occupation"]
Run = tuple[str, int, int]  # letters and digits without a gap, casefolded, and where they start and end in the text

_RUN = re.compile(r"[^\W_]+")
# Before a form that a verb shares: "he judges", "who nurse"; and before one without s: "to cook", "will guard".
_SUBJECTS = frozenset({"he", "she", "it", "they", "who"})
_BEFORE_INFINITIVES = frozenset({"to", "will", "would", "can", "could", "should", "must", "may", "might", "ll"})


@dataclass(frozen=True)
class FoundWords:
    """Where the words stand, as characters (start, end) in the order of the text, without a possessive 's.

    No two overlap. A policeman or an actress is a gendered word and no occupation.
    """

    male: tuple[Span, ...]
    female: tuple[Span, ...]
    occupations: tuple[Span, ...]

    @property
    def occupation(self) -> Span | None:
        """The occupation that a sentence is measured by: its last one, None where it has none."""
        return self.occupations[-1] if self.occupations else None


@dataclass(frozen=True)
class _Entry:
    """A word of the lists, cut at its letters. ``verb``: how far the form may be one of a verb."""

    runs: tuple[str, ...]
    gaps: tuple[str, ...]
    kind: Kind
    verb: Literal["", "infinitive", "third person"] = ""


def find_words(text: str) -> FoundWords:
    """Find whole words in any case; of several that begin at one place the longest, then on behind it.

    A hyphen ends a word, so that the worker in "co-worker" is found. A form that verbs share ("cooks") is no
    occupation straight after a subject such as "she", nor is "cook" after "to" or "will".
    """
    found: dict[Kind, list[Span]] = {"male": [], "female": [], "occupation": []}
    runs = runs_of(text)
    place = 0
    while place < len(runs):
        entry = next((entry for entry in _table().get(runs[place][0], ()) if _is_at(entry, text, runs, place)), None)
        if entry is None:
            place += 1
            continue
        last = place + len(entry.runs) - 1
        found[entry.kind].append((runs[place][1], runs[last][2]))
        place = last + 1
    return FoundWords(tuple(found["male"]), tuple(found["female"]), tuple(found["occupation"]))


def runs_of(text: str) -> list[Run]:
    """The runs of letters and digits in a text; hyphens, apostrophes and underscores part them."""
    return [(match.group().casefold(), match.start(), match.end()) for match in _RUN.finditer(text)]


@cache
def counterparts() -> Mapping[str, tuple[str, ...]]:
    """For each gendered word, in lower case, what it can become.

    "her" becomes "his" or "him", "his" becomes "her" or "hers"; every other word has one counterpart.
    """
    words: defaultdict[str, list[str]] = defaultdict(list)
    for male, female in gender_pairs():
        words[male].append(female)
        words[female].append(male)
    return {word: tuple(others) for word, others in words.items()}


@cache
def occupations() -> tuple[str, ...]:
    """Every occupation that is looked for, singular, in alphabetical order."""
    data = read_json("occupations.json")
    words = {word for list_id in data["lists"] for word in attribute_list(list_id).words}
    return tuple(sorted(words.union(data["further"]), key=str.casefold))


@cache
def gender_sources() -> tuple[Source, ...]:
    """Where the gendered words and the occupations come from, for provenance."""
    data = read_json("occupations.json")
    return (
        *pair_sources(),
        *(source for name in data["lists"] if (source := attribute_list(name).source) is not None),
        Source(**data["source"]),
    )


@cache
def gender_pairs() -> tuple[tuple[str, str], ...]:
    """Every pair (male, female) of gendered words; a pronoun such as "her" is in several."""
    data = read_json("gender_words.json")
    return tuple((male, female) for male, female in data["pronouns"] + data["nouns"])


@cache
def pair_sources() -> tuple[Source, ...]:
    """Where the gendered words come from."""
    return tuple(Source(**source) for source in read_json("gender_words.json")["sources"])


@cache
def _table() -> Mapping[str, tuple[_Entry, ...]]:
    """The entries by their first run, those of most runs first."""
    table: defaultdict[str, set[_Entry]] = defaultdict(set)
    for entry in _entries():
        table[entry.runs[0]].add(entry)
    return {run: tuple(sorted(entries, key=lambda entry: -len(entry.runs))) for run, entries in table.items()}


def _entries() -> Iterator[_Entry]:
    for male, female in gender_pairs():
        yield _Entry(*_cut(male), "male")
        yield _Entry(*_cut(female), "female")
    data = read_json("occupations.json")
    verbs = frozenset(data["also_verbs"])
    for word in occupations():
        yield _Entry(*_cut(word), "occupation", "infinitive" if word in verbs else "")
        plural = data["plurals"].get(word) or _plural(word)
        yield _Entry(*_cut(plural), "occupation", "third person" if word in verbs else "")


def _cut(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The runs of a word, and what stands between them."""
    runs = runs_of(word)
    return tuple(run for run, _, _ in runs), tuple(word[a[2] : b[1]] for a, b in pairwise(runs))


def _plural(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def _is_at(entry: _Entry, text: str, runs: list[Run], place: int) -> bool:
    stretch = runs[place : place + len(entry.runs)]
    if tuple(run for run, _, _ in stretch) != entry.runs:
        return False
    for written, (before, after) in zip(entry.gaps, pairwise(stretch), strict=True):
        gap = text[before[2] : after[1]]
        if gap != written and not (written == " " and gap.isspace()):
            return False
    return not (entry.verb and place and _is_verb(entry, text, runs[place - 1], stretch[0]))


def _is_verb(entry: _Entry, text: str, before: Run, form: Run) -> bool:
    return text[before[2] : form[1]].isspace() and (
        before[0] in _SUBJECTS or (entry.verb == "infinitive" and before[0] in _BEFORE_INFINITIVES)
    )
