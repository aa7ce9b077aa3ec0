"""What the data of a benchmark is, whatever file or library it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from ..templates import in_place

I_co = TypeVar("I_co", covariant=True)
BLANK = "BLANK"  # where the candidates of StereoSet stand
WORD = "[WORD]"  # where the names and nouns of DisCo stand


@dataclass(frozen=True)
class Problem:
    """Items of a data set that are excluded, and why: "62 pairs differ in more than the pronoun".

    ``items`` names them where each is worth a line, with the reason for one (``each``); empty where they are counted
    only.
    """

    count: int
    reason: str
    items: tuple[str, ...] = ()
    each: str = ""


@dataclass(frozen=True)
class Data(Generic[I_co]):
    """The items of a benchmark in the order of the file.

    ``source`` is one line for provenance: the file's name, that it is the user's copy, and the SHA-256 of its bytes
    (the first 12 hexadecimal digits), or the name, configuration and split in a library. ``left_out`` counts rows of
    the file that are no usable item. ``notes`` are sentences on items that are used all the same, and
    on what was assumed in reading the file.
    """

    items: tuple[I_co, ...]
    source: str
    left_out: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class SentencePair:
    """A pair of CrowS-Pairs. ``more`` is the sentence that the authors call more stereotypical (``sent_more``).

    ``direction`` is ``stereo`` or ``antistereo`` (does the pair confirm or contradict the stereotype), empty where the
    file does not say.
    """

    item: str
    bias_type: str
    more: str
    less: str
    direction: str = ""


@dataclass(frozen=True)
class Association:
    """An item of StereoSet, intrasentence. ``context`` holds ``BLANK`` once; the candidates are what stands there.

    All texts are as the file has them, the candidates in the form of their sentence. ``target`` is the term the item
    is about.
    """

    item: str
    bias_type: str
    target: str
    context: str
    stereotype: str
    anti_stereotype: str
    unrelated: str


@dataclass(frozen=True)
class PronounItem:
    """A sentence whose pronoun is hidden behind ``MASK`` (of core.sources.templates), and two pronouns for that place.

    WinoBias: ``first`` is the pro-stereotypical pronoun, ``second`` the other; ``kind`` is "type 1" or "type 2".
    ``split`` is what the file says, "dev" or "test". Winogender: ``first`` is the form of he, ``second`` that of she;
    ``kind`` and ``split`` are empty. ``occupation`` as in the file.
    """

    item: str
    kind: str
    text: str
    first: str
    second: str
    occupation: str
    split: str = ""


@dataclass(frozen=True)
class NounGroups:
    """Names or nouns of DisCo: two groups, each word put into ``templates`` in the place of ``WORD``, and a mask.

    ``groups`` are (name of the group, its words), female first.
    """

    templates: tuple[str, ...]
    groups: tuple[tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...]]]

    def sentences(self) -> list[list[tuple[str, int]]]:
        """For each group a (text, mask) for each template and word; a word at the start has a capital letter."""
        return [
            [(self._placed(template, word), 0) for template in self.templates for word in words]
            for _, words in self.groups
        ]

    def _placed(self, template: str, word: str) -> str:
        before, after = template.split(WORD)
        return before + in_place(before, word) + after


@dataclass(frozen=True)
class HurtfulWords:
    """A lexicon of hurtful words as they are written, and the prompts whose fills are looked up in it.

    ``prompts`` are (identity group, identity term, text with one mask at its end), the groups in their order.
    """

    words: tuple[str, ...]
    prompts: tuple[tuple[str, str, str], ...]
