"""First names in running text: which words stand as the first name of a person, and what each becomes.

A name is told by its capital and its place, since most surnames, many towns and some words are names too: "Jackson
Browne" has a first name, "Michael Jackson" a surname, "Jackson, Mississippi" neither. What cannot be told stays as it
is and is a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from .gender import counterparts, occupations
from .lists import Source, read_json
from .swap import Replacement

NAME = "name"  # kind of what is replaced


class DoubtKind(StrEnum):
    """What a reader of the swapped text should look at."""

    GRAMMAR = "grammatical doubt"
    HALF = "half-swapped name"
    ONE_SIDED = "word that only one side has"
    UNSURE = "name or word"


@dataclass(frozen=True)
class Doubt:
    """A word, where it starts in the text, and why it may be wrong there."""

    start: int
    word: str
    kind: DoubtKind
    reason: str


@dataclass(frozen=True)
class FoundNames:
    """First names to replace, what is doubtful, and where other words belong to somebody's or something's name."""

    replacements: tuple[Replacement, ...]
    doubts: tuple[Doubt, ...]
    surnames: frozenset[int]
    parts: frozenset[int]


# Words with a capital before a name that say of which country somebody is, and adverbs that begin a sentence.
_ADJECTIVES = re.compile(r".+(?:ian|ish|ese)|american|african|german|roman|mexican|korean|european|french|dutch|greek")
_SENTENCE_ADVERBS = re.compile(r".{3,}(?:ly|ing)")
_PLACING = frozenset({"in", "at", "near", "outside", "throughout"})
_BEHIND_VERBS = frozenset(
    {
        *("i", "you", "he", "she", "it", "we", "they", "me", "him", "her", "us", "them", "the", "a", "an", "this"),
        *("that", "my", "your", "his", "its", "our", "of", "for"),
    }
)
_ENDS = ".!?:;…"
_QUOTES = "\"'“”‘’«»()[]`–—-"
WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")  # with what an apostrophe joins to it
_ADDRESS = re.compile(r"\S*(?:://|www\.|@)\S*")


@dataclass(frozen=True)
class _Word:
    """A word without its possessive 's; ``opens``: it begins a sentence, so that its capital says nothing.

    ``key`` is what the lists know it by, empty for a part of a longer word.
    """

    text: str
    start: int
    stop: int
    opens: bool
    key: str
    compound: bool = False

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def shouted(self) -> bool:
        return len(self.text) > 1 and self.text.isupper()

    @property
    def initial(self) -> bool:
        return len(self.text) == 1 and self.capital


@dataclass
class _Phrase:
    """Neighbouring words with capitals, without those in front that belong to no name.

    ``lead`` tells what stands before it: a title or a kin (``surname`` or ``first``, by what those stand before), a
    ``particle`` such as "de", else empty.
    """

    words: list[int]
    lead: str = ""
    thing: bool = False
    stripped: bool = False
    first: int | None = None  # the place of the first name within the phrase


@cache
def _near(kind: str) -> frozenset[str]:
    """The words of one of the classes that stand near names."""
    return frozenset(read_json("name_neighbours.json")[kind])


@cache
def partners() -> Mapping[str, str]:
    """For each first name, by its small letters, its partner as it is spelt."""
    pairs = read_json("first_names.json")["pairs"]
    return {name.casefold(): partner for pair in pairs for name, partner in (pair, pair[::-1])}


@cache
def _female() -> frozenset[str]:
    return frozenset(female.casefold() for _, female in read_json("first_names.json")["pairs"])


@cache
def _others() -> Mapping[str, str]:
    """What else a name is: ``word``, ``month``, ``place`` or ``surname``."""
    also = read_json("first_names.json")["also"]
    return {name.casefold(): kind for kind, names in also.items() for name in names}


@cache
def _without_partner() -> frozenset[str]:
    return frozenset(map(str.casefold, read_json("first_names.json")["without_partner"]))


@cache
def _leading() -> frozenset[str]:
    """Words before a name that say what somebody is."""
    return frozenset(word.split()[-1].casefold() for word in occupations()) | frozenset(counterparts())


@cache
def names_source() -> Source:
    """Where the pairs of names are from."""
    return Source(**read_json("first_names.json")["source"])


def addresses(text: str) -> list[tuple[int, int]]:
    """Where addresses of pages and mail stand (start, end): nothing in them is a word."""
    return [match.span() for match in _ADDRESS.finditer(text)]


def first_names(text: str) -> FoundNames:
    """The first names of a text, each replaced everywhere it stands as one; surnames stay."""
    return _Reader(text).found()


class _Reader:
    """One text on its way to its names."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = _words(text)
        self.phrases = list(self._phrases())
        self.doubts: dict[tuple[DoubtKind, str], Doubt] = {}
        self.replaced: dict[int, Replacement] = {}
        self.firsts, self.lasts = self._evidence()

    def found(self) -> FoundNames:
        """Everything the text says of its names."""
        for phrase in self.phrases:
            self._decide(phrase)
        self._half_swapped()
        surnames, parts = self._other_words()
        doubts = tuple(sorted(self.doubts.values(), key=lambda doubt: doubt.start))
        return FoundNames(tuple(self.replaced[at] for at in sorted(self.replaced)), doubts, surnames, parts)

    # Phrases

    def _phrases(self) -> Iterator[_Phrase]:
        held: list[int] = []
        for at, word in enumerate(self.words):
            if held and not (word.capital and self._linked(held[-1], at)):
                yield from self._cut(held)
                held = []
            if word.capital:
                held.append(at)
        if held:
            yield from self._cut(held)

    def _linked(self, before: int, at: int) -> bool:
        if at != before + 1:
            return False
        first, second = self.words[before], self.words[at]
        gap = self.text[first.stop : second.start]
        if gap.isspace():
            return "\n\n" not in gap
        if gap.strip() == "." and (first.initial or first.key in _near("abbreviations")):
            return True
        return gap == "-"

    def _cut(self, held: list[int]) -> Iterator[_Phrase]:
        if len(held) > 2 and all(self.words[at].text.isupper() for at in held):
            yield from (_Phrase([at]) for at in held)  # in a line of capitals they say nothing
            return
        phrase = _Phrase(list(held))
        while len(phrase.words) > 1 and self._is_lead(phrase):
            key = self.words[phrase.words.pop(0)].key
            phrase.lead = (
                "surname" if key in _near("before_surnames") else "first" if key in _near("before_first_names") else ""
            )
            phrase.stripped = True
        while len(phrase.words) > 1 and self.words[phrase.words[-1]].key in _near("suffixes"):
            phrase.words.pop()
        if not phrase.stripped and phrase.words[0]:
            before = self.words[phrase.words[0] - 1]
            if self.text[before.stop : self.words[phrase.words[0]].start].isspace() and not before.capital:
                if before.key in _near("particles"):
                    phrase.lead = "particle"
                elif before.key in _near("before_first_names"):
                    phrase.lead = "first"
        keys = [self.words[at].key for at in phrase.words]
        phrase.thing = bool(_near("things").intersection(keys)) or keys[0] in _near("before_places")
        phrase.first = self._first_of(phrase)
        yield phrase

    def _is_lead(self, phrase: _Phrase) -> bool:
        word = self.words[phrase.words[0]]
        if word.key in partners() or word.initial:
            return word.key in ("major", "dean") and len(phrase.words) > 2
        if (
            word.key in _near("function_words")
            or word.key in _near("before_surnames")
            or word.key in _near("before_first_names")
        ):
            return True
        more = len(phrase.words) > 1
        if word.key in _leading() or (more and _ADJECTIVES.fullmatch(word.key)):
            return more
        return more and word.opens and bool(_SENTENCE_ADVERBS.fullmatch(word.key))

    def _first_of(self, phrase: _Phrase) -> int | None:
        """Where the first name stands in a phrase of several words; None where it is none of ours."""
        if len(phrase.words) < 2 or phrase.thing or phrase.lead == "particle":
            return None
        for place, at in enumerate(phrase.words[:-1]):
            word = self.words[at]
            if word.initial:
                continue
            return place if self._stands_first(phrase, place) else None
        return None

    def _stands_first(self, phrase: _Phrase, place: int) -> bool:
        word, after = self.words[phrase.words[place]], self.words[phrase.words[place + 1]]
        if word.key not in partners():
            return False
        other = _others().get(word.key, "")
        if other == "word" and word.opens:
            return after.key not in partners() or bool(_others().get(after.key))  # "Will John come?"
        if other == "place":
            return after.initial or after.key in partners()  # "Paris Opera" is no person
        return True

    # What the whole text says

    def _evidence(self) -> tuple[frozenset[str], frozenset[str]]:
        """The names that stand as a first name somewhere, and those that stand as a surname."""
        firsts, lasts = set(), set()
        for phrase in self.phrases:
            if phrase.thing:
                continue
            keys = [self.words[at].key for at in phrase.words]
            if len(keys) == 1:
                if phrase.lead in ("surname", "particle"):
                    lasts.add(keys[0])
                elif phrase.lead == "first" or self._is_capital_word(phrase.words[0]):
                    firsts.add(keys[0])
                continue
            if phrase.first is not None:
                firsts.add(keys[phrase.first])
            if not self._is_double(phrase):
                lasts.add(keys[-1])
        return frozenset(firsts - {""}), frozenset(lasts - {""})

    def _is_double(self, phrase: _Phrase) -> bool:
        """Whether two words are a first name and its second part, as "Mary Ann": two of women, and no surnames."""
        keys = [self.words[at].key for at in phrase.words]
        return len(keys) == 2 and phrase.first == 0 and all(key in _female() and not _others().get(key) for key in keys)

    # Decisions

    def _decide(self, phrase: _Phrase) -> None:
        for at in phrase.words:
            self._say_compound(at, phrase)
        if phrase.thing:
            return
        if len(phrase.words) == 1:
            self._decide_alone(phrase)
            return
        if phrase.first is None:
            for at in phrase.words[1:]:
                if self._is_plain(at) and phrase.words[-1] != at:
                    self._doubt(at, DoubtKind.UNSURE, "stays: it follows a capitalised word that is no known name")
            return
        first = phrase.words[phrase.first]
        self._replace(first, "first name before a surname" if not self._is_double(phrase) else "first name")
        middle = phrase.words[phrase.first + 1 :] if self._is_double(phrase) else phrase.words[phrase.first + 1 : -1]
        for at in middle:
            if not self._is_plain(at):
                continue
            if (self.words[at].key in _female()) == (self.words[first].key in _female()):
                self._replace(at, "second first name")
            else:
                self._doubt(at, DoubtKind.HALF, f"stays beside {self.words[first].text}, which is swapped")

    def _decide_alone(self, phrase: _Phrase) -> None:
        (at,) = phrase.words
        word = self.words[at]
        if word.key in _without_partner() and not word.opens:
            self._doubt(at, DoubtKind.ONE_SIDED, "a first name without a partner in the list of pairs")
        if word.key not in partners() or phrase.lead in ("surname", "particle"):
            return
        other = _others().get(word.key, "")
        if phrase.lead == "first":
            self._replace(at, "first name, by the word before it")
        elif word.key in self.lasts:
            if word.key in self.firsts:
                self._doubt(at, DoubtKind.HALF, "stays: a first name and a surname in this text")
        elif not other:
            self._replace(at, "first name, as elsewhere in this text" if word.key in self.firsts else "first name")
        elif self._is_capital_word(at) and not self._is_elsewhere(at):
            self._replace(at, "first name: a capital within a sentence")
        elif word.key in self.firsts and not self._is_elsewhere(at):
            self._replace(at, "first name, as elsewhere in this text")
        elif (other == "surname" or (other == "word" and not word.shouted)) and not self._is_elsewhere(at):
            what = "a surname or a place" if other == "surname" else "a word"
            self._doubt(at, DoubtKind.UNSURE, f"stays: it may be {what} here, and nothing says that it is a first name")

    def _is_capital_word(self, at: int) -> bool:
        """Whether it has a capital within a sentence that only a name has."""
        word = self.words[at]
        return _others().get(word.key) == "word" and not (word.opens or word.shouted or self._is_determined(at))

    def _is_determined(self, at: int) -> bool:
        return at > 0 and self.words[at - 1].key in _near("determiners")

    def _is_elsewhere(self, at: int) -> bool:
        """Whether what may be a first name is none here: "Will you", "in Virginia", "May 5"."""
        word = self.words[at]
        after = self.text[word.stop :].lstrip(" ,")
        following = self.words[at + 1].key if at + 1 < len(self.words) else ""
        placed = at > 0 and self.words[at - 1].key in _PLACING and _others().get(word.key) != "word"
        verb = word.opens and following in _BEHIND_VERBS and _others().get(word.key) == "word"
        return placed or verb or after[:1].isdigit() or self._is_determined(at)

    def _is_plain(self, at: int) -> bool:
        key = self.words[at].key
        return key in partners() and not _others().get(key)

    def _replace(self, at: int, reason: str) -> None:
        word = self.words[at]
        partner = partners()[word.key]
        option = partner.upper() if word.shouted else partner
        self.replaced[at] = Replacement(word.start, word.stop, (option,), NAME, reason)

    def _doubt(self, at: int, kind: DoubtKind, reason: str) -> None:
        word = self.words[at]
        self.doubts.setdefault((kind, word.text), Doubt(word.start, word.text, kind, reason))

    def _say_compound(self, at: int, phrase: _Phrase) -> None:
        word = self.words[at]
        name = word.text.casefold()
        if word.compound and at == phrase.words[0] and name in partners() and not _others().get(name):
            self._doubt(at, DoubtKind.HALF, "stays: a part of a compound name")

    def _half_swapped(self) -> None:
        """Say which names are swapped in one place of the text and kept in another."""
        swapped = {self.words[at].key for at in self.replaced}
        for at, word in enumerate(self.words):
            other = _others().get(word.key, "")
            is_none = other == "month" or (bool(other) and self._is_elsewhere(at))
            if word.capital and word.key in swapped and at not in self.replaced and not is_none:
                self._doubt(at, DoubtKind.HALF, "stays here, where it is no first name, and is swapped elsewhere")

    def _other_words(self) -> tuple[frozenset[int], frozenset[int]]:
        """Where words start that are somebody's surname, and that are a part of another name of several words."""
        surnames: set[int] = set()
        parts: set[int] = set()
        of_persons: set[str] = set()
        for phrase in self.phrases:
            if phrase.first is not None:
                for at in phrase.words[phrase.first + 1 :]:
                    surnames.add(self.words[at].start)
                    of_persons.add(self.words[at].key)
            elif len(phrase.words) > 1:
                parts.update(self.words[at].start for at in phrase.words)
        for phrase in self.phrases:
            word = self.words[phrase.words[0]]
            if len(phrase.words) == 1 and word.key in of_persons and not self._is_determined(phrase.words[0]):
                surnames.add(word.start)
        return frozenset(surnames), frozenset(parts)


def _words(text: str) -> list[_Word]:
    known = addresses(text)
    matches = [
        match for match in WORDS.finditer(text) if not any(start <= match.start() < stop for start, stop in known)
    ]
    words: list[_Word] = []
    for match in matches:
        start, stop = match.span()
        if text[stop - 2 : stop].casefold() in ("'s", "’s") and stop - start > 2:
            stop -= 2
        compound = _is_compound(text, start, stop)
        broken = compound or _is_broken(text, start, match.end())
        word = text[start:stop]
        words.append(_Word(word, start, stop, _opens(text, start, words), "" if broken else word.casefold(), compound))
    return words


def _is_compound(text: str, start: int, stop: int) -> bool:
    """Whether a hyphen joins it to another word with a capital: "Jean-Luc"."""
    before = text[start - 1 : start] == "-" and bool(re.search(r"[^\W\d_]-$", text[max(start - 2, 0) : start]))
    after = text[stop : stop + 1] == "-" and text[stop + 1 : stop + 2].isupper()
    return after or (before and text[start].isupper())


def _is_broken(text: str, start: int, stop: int) -> bool:
    """Whether a sign stands for one of its letters, as in GAP's "Ren*", or digits touch it."""
    before, after = text[start - 1 : start] if start else "", text[stop : stop + 1]
    if after == "*" and before != "*":
        return True
    return (before == "*" and start > 1 and text[start - 2].isalpha()) or after.isdigit() or before.isdigit()


def _opens(text: str, start: int, before: Sequence[_Word]) -> bool:
    """Whether a sentence begins with the word at ``start``, perhaps behind an opening quote."""
    head = text[:start].rstrip()
    behind_quote = head.rstrip(_QUOTES).rstrip()
    if not behind_quote:
        return True
    if head != behind_quote and head[-1] in "\"'“‘«([`":
        return True
    if behind_quote[-1] not in _ENDS:
        return False
    last = before[-1] if before else None
    if behind_quote[-1] == "." and last is not None and last.stop == len(behind_quote) - 1:
        return not (last.initial or last.key in _near("abbreviations"))
    return True
