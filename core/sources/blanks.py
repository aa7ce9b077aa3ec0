"""Templates with a blank that are compared with each other, and the words that fill it (Delobelle et al. 2022).

A template has one blank, “_”, and perhaps masks. Everything is in lower case, as the paper embeds it. The sets and
words are read from ``assets/data/blank_templates.json`` and ``delobelle_words.json``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ..errors import OptionError, TemplateError, instead
from ..result import Group
from .bleached import Placed
from .invisible import find_slip
from .lists import OWN as OWN_ID
from .lists import Source, read_json
from .parsing import shown, tidy
from .templates import MASK, MAX_LENGTH

BLANK = "_"
MAX_TEMPLATES = 100  # every pair of them is a correlation
OWN = "the user's own"

_SLOT = re.compile(r"\[\s*(?:target|attribute|mask)s?\s*\]|<mask>|\[\w+\]", re.IGNORECASE)


@dataclass(frozen=True)
class BlankTemplate:
    """``text`` holds ``BLANK`` once, and perhaps ``MASK``; ``source`` is the paper it was taken from."""

    id: str
    text: str
    source: str

    def sentence(self, word: str) -> Placed:
        """The sentence with a word in its blank, in lower case but for ``MASK``, and the word's character span."""
        before, after = map(_lower, self.text.split(BLANK))
        shown_word = word.lower()
        return Placed(before + shown_word + after, (len(before), len(before) + len(shown_word)))

    def masked(self) -> tuple[str, int]:
        """The sentence with ``MASK`` in its blank, in lower case, and which of its masks that is, from 0."""
        before, after = map(_lower, self.text.split(BLANK))
        return before + MASK + after, before.count(MASK)


@dataclass(frozen=True)
class TemplateSet:
    """Templates published together. ``note`` is empty or a sentence on how their slots became blanks and masks."""

    id: str
    title: str
    templates: tuple[BlankTemplate, ...]
    citation: str
    note: str


@dataclass(frozen=True)
class Words:
    """The words that fill the blank: professions X and Y, and the gendered words A and B they are compared with.

    ``citations``: where the professions are from, and where the gendered words.
    """

    x: Group
    y: Group
    a: Group
    b: Group
    citations: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Each word once."""
        return tuple(dict.fromkeys(word for group in (self.x, self.y, self.a, self.b) for word in group.words))


@cache
def template_sets() -> tuple[TemplateSet, ...]:
    """Every published set, in the order of the select box."""
    return tuple(
        TemplateSet(
            entry["id"],
            entry["title"],
            tuple(BlankTemplate(*row) for row in entry["templates"]),
            str(Source(**entry["source"])),
            entry["note"],
        )
        for entry in read_json("blank_templates.json")["sets"]
    )


def template_set(name: str) -> TemplateSet:
    """The set of that id. Raises OptionError, with the ids there are, for any other."""
    by_id = {templates.id: templates for templates in template_sets()}
    if name not in by_id:
        raise OptionError(f"There is no set of templates “{shown(name)}”. {instead(name, by_id)}")
    return by_id[name]


def own_set(text: str) -> TemplateSet:
    """The user's templates, one per line. Raises TemplateError, as ``own_templates`` does."""
    return TemplateSet(OWN_ID, "your own", own_templates(text), f"templates: {OWN}", "")


def own_templates(text: str) -> tuple[BlankTemplate, ...]:
    """The user's templates, one per line, each with one blank; repeated lines count once.

    Raises TemplateError, with the line, for a blank that is missing or repeated, a slot of another kind, a line that
    is too long or holds an invisible character, for no line at all, and for more than ``MAX_TEMPLATES``.
    """
    lines = {tidy(line): number for number, line in reversed([*enumerate(text.splitlines(), 1)]) if line.strip()}
    numbered = sorted((number, line) for line, number in lines.items())
    if not numbered:
        raise TemplateError("There is no template; write one per line, such as “This is the _.”.")
    if len(numbered) > MAX_TEMPLATES:
        raise TemplateError(f"There are {len(numbered):,} templates; at most {MAX_TEMPLATES} are allowed.")
    for number, line in numbered:
        _check(number, line)
    return tuple(BlankTemplate(f"own {place}", line, OWN) for place, (_, line) in enumerate(numbered, 1))


@cache
def delobelle_words() -> Words:
    """Delobelle's professions, female-typical and male-typical, 30 each (B.1), and gendered words, 8 each (B.2)."""
    lists = read_json("delobelle_words.json").values()
    x, y, a, b = (Group(group["name"], tuple(group["words"])) for entry in lists for group in entry["groups"])
    return Words(x, y, a, b, tuple(str(Source(**entry["source"])) for entry in lists))


def _lower(text: str) -> str:
    return MASK.join(part.lower() for part in text.split(MASK))


def _check(number: int, line: str) -> None:
    if len(line) > MAX_LENGTH:
        raise TemplateError(f"Line {number} has {len(line):,} characters; at most {MAX_LENGTH:,} are allowed.")
    slip = find_slip(line)
    if slip is not None:
        raise TemplateError(f"Line {number} contains an invisible character ({slip.name}); write “{slip.corrected}”.")
    other = next((found for found in _SLOT.findall(line) if found != MASK), None)
    if other is not None:
        raise TemplateError(
            f"Line {number} holds {shown(other)}; write “{BLANK}” where the word stands, {MASK} where one is hidden."
        )
    blanks = line.count(BLANK)
    if blanks != 1:
        raise TemplateError(f"Line {number} has {blanks} blanks, needs 1: write one “{BLANK}” where the word stands.")
