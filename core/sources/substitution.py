"""A text with its genders swapped: gendered words, titles and first names, each change with its reason.

Counterfactual data substitution (Hall Maudslay et al. 2019; Bartl et al. 2020, §4.5).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from .first_names import NAME, WORDS, Doubt, DoubtKind, FoundNames, addresses, first_names, names_source
from .gender import gender_sources
from .lists import Source, read_json
from .swap import PRONOUN, WORD, Replacement, SwapPlan, gendered, in_case, planned

TITLE = "title"  # kind of what is replaced
KINDS = (PRONOUN, WORD, TITLE, NAME)
_NAME_BEHIND = re.compile(r"\.?[ \n]+[^\W\d_]")
_ARTICLE = re.compile(r"\b(an?)[ \n]+$", re.IGNORECASE)
_VOWELS = "aeiouàáâäèéêëìíîïòóôöùúûü"


@dataclass(frozen=True)
class TextPlan:
    """What becomes of a text: the plan, what it replaces (the open parts in the same order), and what is doubtful."""

    text: str
    swap: SwapPlan
    replacements: tuple[Replacement, ...]
    doubts: tuple[Doubt, ...]


@cache
def _further() -> Mapping[str, tuple[str, str]]:
    """Words beside those of ``gender_words.json``: the counterpart, and why it cannot be undone, if so."""
    data = read_json("swap_words.json")
    both = {word: (other, "") for pair in data["pairs"] for word, other in (pair, pair[::-1])}
    return both | {word: (other, "one way: it does not come back") for word, other in data["one_way"]}


@cache
def _titles() -> Mapping[str, str]:
    return {word: other for pair in read_json("swap_words.json")["titles"] for word, other in (pair, pair[::-1])}


@cache
def _before_names() -> frozenset[str]:
    """Titles that count only before a name: a lady is also a word, a miss a verb."""
    return frozenset({"ms", "miss", *_titles()})


@cache
def _names_with_a_capital() -> frozenset[str]:
    """Words that are somebody's name where they have a capital, such as God and Belle."""
    return frozenset(read_json("swap_words.json")["small_letters_only"])


@cache
def _one_sided() -> Mapping[str, str]:
    return {word: side for side, words in read_json("swap_words.json")["one_sided"].items() for word in words}


@cache
def swap_sources() -> tuple[Source, ...]:
    """Where the pairs of words and of names are from, for provenance."""
    words = (*gender_sources()[:4], *(Source(**source) for source in read_json("swap_words.json")["sources"]))
    return tuple(dict.fromkeys((*words, names_source())))


def plan_text(text: str, borders: Sequence[int] = ()) -> TextPlan:
    """Plan the swap of one text, in which a person's name is the same everywhere.

    ``borders`` are places that no change may run across, such as where a label starts and ends.
    """
    names = first_names(text)
    words = _words(text, names)
    taken = {place for name in names.replacements for place in range(name.start, name.stop)}
    replacements = [*names.replacements, *(word for word in words if word.start not in taken)]
    doubts = [*names.doubts, *_one_sided_words(text), *_parts_of_names(words, names, text)]
    kept = []
    for replacement in sorted(replacements, key=lambda item: item.start):
        word = text[replacement.start : replacement.stop]
        if any(replacement.start < border < replacement.stop for border in borders):
            doubts.append(Doubt(replacement.start, word, DoubtKind.UNSURE, "stays: a label begins or ends within it"))
            continue
        kept.append(replacement)
        doubts += _article(text, replacement)
    ordered = sorted(dict.fromkeys(doubts), key=lambda doubt: (doubt.start, doubt.kind))
    return TextPlan(text, planned(text, kept), tuple(kept), tuple(ordered))


def moved(offset: int, replacements: Sequence[Replacement], texts: Sequence[str]) -> int:
    """Where a place of the text lies once ``replacements`` are replaced by ``texts``; none may run across it."""
    return offset + sum(
        len(text) - (item.stop - item.start)
        for item, text in zip(replacements, texts, strict=True)
        if item.stop <= offset
    )


def _words(text: str, names: FoundNames) -> list[Replacement]:
    """Gendered words and titles that are nobody's surname and in no address."""
    known = addresses(text)

    def is_free(start: int) -> bool:
        return start not in names.surnames and not any(first <= start < last for first, last in known)

    found: dict[int, Replacement] = {}
    for match in WORDS.finditer(text):
        replacement = _further_word(text, match)
        if replacement is not None and is_free(replacement.start):
            found[replacement.start] = replacement
    for replacement in gendered(text):
        if replacement.start not in found and is_free(replacement.start):
            found[replacement.start] = _with_reason(text, replacement)
    return list(found.values())


def _further_word(text: str, match: re.Match[str]) -> Replacement | None:
    word, start = match.group(), match.start()
    if word[-2:].casefold() in ("'s", "’s"):
        word = word[:-2]
    key, stop = word.casefold().replace("’", "'"), start + len(word)
    if key in _before_names():
        if word[0].islower() or word.isupper() or not _is_before_name(text, stop):
            return None
        other = _titles().get(key) or _further()[key][0]
        return Replacement(start, stop, (in_case(other, word),), TITLE, _further().get(key, ("", ""))[1])
    if key not in _further() or (key in _names_with_a_capital() and word.istitle()):
        return None
    other, remark = _further()[key]
    return Replacement(start, stop, (in_case(other, word),), WORD, remark)


def _is_before_name(text: str, stop: int) -> bool:
    behind = _NAME_BEHIND.match(text, stop)
    return behind is not None and behind.group()[-1].isupper()


def _with_reason(text: str, replacement: Replacement) -> Replacement:
    word = text[replacement.start : replacement.stop]
    if word.casefold() in ("mr", "mrs"):
        return Replacement(replacement.start, replacement.stop, replacement.options, TITLE)
    return replacement


def _one_sided_words(text: str) -> list[Doubt]:
    found: dict[str, Doubt] = {}
    for match in WORDS.finditer(text):
        key = match.group().casefold().removesuffix("'s").removesuffix("’s")
        side = _one_sided().get(key)
        if side is not None and not (key in _titles() and _is_before_name(text, match.end())):
            reason = f"stays: it is said of {'women' if side == 'female' else 'men'} and has no counterpart"
            found.setdefault(key, Doubt(match.start(), match.group(), DoubtKind.ONE_SIDED, reason))
    return list(found.values())


def _parts_of_names(words: Sequence[Replacement], names: FoundNames, text: str) -> list[Doubt]:
    reason = "swapped: it may be a part of a name, of a work or a team say"
    return [
        Doubt(word.start, text[word.start : word.stop], DoubtKind.UNSURE, reason)
        for word in words
        if word.kind == WORD and word.start in names.parts
    ]


def _article(text: str, replacement: Replacement) -> list[Doubt]:
    """A doubt where "a" or "an" before a word fits it, and does not fit what takes its place."""
    before = _ARTICLE.search(text[: replacement.start])
    if before is None:
        return []
    word, other = text[replacement.start], replacement.options[0][0]
    if (word.casefold() in _VOWELS) == (other.casefold() in _VOWELS):
        return []
    reason = f"“{before[1]}” stands before “{replacement.options[0]}”"
    return [Doubt(replacement.start, text[replacement.start : replacement.stop], DoubtKind.GRAMMAR, reason)]
