"""A text cut into sentences, and the sentences that can be measured: both genders and an occupation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .gender import FoundWords, find_words
from .parsing import tidy

NO_GENDER = "no male or female word"
ONLY_MALE = "only male words"
ONLY_FEMALE = "only female words"
NO_OCCUPATION = "no occupation"
REASONS = (NO_GENDER, ONLY_MALE, ONLY_FEMALE, NO_OCCUPATION)

_BLANK_LINES = re.compile(r"\n\s*\n")
_OPENS = "\"'“‘„‚«‹(\\[{<¿¡–—―•*‒-"  # may stand before a sentence's first word, without a space or with one
# What stands between two sentences and is neither (an emoji, a closing quote, ":)") belongs to the first.
_END = re.compile(
    rf"(?<![.!?…])(?P<mark>[.!?…]++)[^\w\s]*+(?:\s++(?![{_OPENS}])[^\w\s]++)*+\s++"
    rf"(?=(?:[{_OPENS}]++\s++)*+[{_OPENS}]*+(?P<next>\w+))"
)
# Abbreviations that more of the sentence follows, as good as always.
_GOES_ON = frozenset(
    {
        *("adm", "approx", "asst", "brig", "ca", "capt", "cf", "cmdr", "col", "cpl", "dr", "e.g", "eds", "esp"),
        *("est", "fig", "figs", "fr", "gen", "gov", "hon", "i.e", "lt", "maj", "messrs", "mme", "mr", "mrs"),
        *("ms", "mt", "no", "nos", "op", "pp", "pres", "prof", "pt", "pvt", "rep", "rev", "sen", "sgt", "st"),
        *("supt", "viz", "vol", "vs"),
    }
)
# Abbreviations that may end a sentence; one does before a word that seldom has a capital inside a sentence.
_MAY_END = frozenset(
    {
        *("a.d", "a.m", "apr", "aug", "b.a", "b.c", "b.sc", "bros", "co", "corp", "d.c", "dec", "dept", "esq"),
        *("etc", "feb", "inc", "jan", "jr", "jul", "jun", "ltd", "m.a", "m.d", "nov", "oct", "p.m", "ph.d"),
        *("sept", "sr", "u.k", "u.n", "u.s", "univ"),
    }
)
_STARTERS = frozenset(
    {
        *("a", "after", "all", "although", "an", "and", "another", "as", "at", "because", "before", "both"),
        *("but", "by", "during", "each", "every", "few", "finally", "for", "from", "he", "her", "here", "hers"),
        *("his", "how", "however", "i", "if", "in", "instead", "it", "its", "later", "many", "meanwhile", "most"),
        *("my", "no", "nobody", "not", "now", "of", "on", "once", "one", "our", "she", "since", "so", "some"),
        *("soon", "that", "the", "their", "then", "there", "these", "they", "this", "those", "though", "three"),
        *("to", "today", "two", "until", "we", "what", "when", "where", "while", "who", "why", "with", "yet"),
        *("you", "your"),
    }
)


@dataclass(frozen=True)
class Sifted:
    """A sentence, the words found in it, and why it is excluded: one of ``REASONS``, empty where it is kept."""

    text: str
    found: FoundWords
    reason: str


def split_sentences(text: str) -> tuple[str, ...]:
    """Cut a text into its sentences, each one tidied line, closing quotes included.

    A sentence ends at . ! ? or … before white space and a capital or a digit, and at an empty line; a single line
    break is white space. Emoji and closing signs behind the mark belong to the sentence. Abbreviations such as Dr. and
    e.g., and initials, end none; U.S., Inc. or an initial do where a word such as She or The follows.
    """
    return tuple(
        sentence for block in _BLANK_LINES.split("\n".join(text.splitlines())) for sentence in _cut(tidy(block))
    )


def sift(sentences: Iterable[str]) -> Iterator[Sifted]:
    """Judge sentences one by one, holding none: kept are those with a male word, a female word and an occupation."""
    for text in sentences:
        found = find_words(text)
        yield Sifted(text, found, _reason(found))


def _reason(found: FoundWords) -> str:
    if not found.male:
        return ONLY_FEMALE if found.female else NO_GENDER
    if not found.female:
        return ONLY_MALE
    return "" if found.occupations else NO_OCCUPATION


def _cut(block: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(block):
        if _ends(block[start : end.start()], end["mark"], end["next"]):
            yield block[start : end.end()].rstrip()
            start = end.end()
    if start < len(block):
        yield block[start:]


def _ends(before: str, mark: str, following: str) -> bool:
    if following[0].islower():
        return False
    word = before.rpartition(" ")[2].lstrip(_OPENS)
    if mark != "." or not word:
        return True
    if word.casefold() in _GOES_ON:
        # "No." is an answer as well as a number's name.
        return word.casefold() in ("no", "nos") and not following[0].isdigit()
    is_initial = len(word) == 1 and word.isupper()
    if is_initial or word.casefold() in _MAY_END or re.fullmatch(r"(?:[A-Z]\.)+[A-Z]", word):
        return following.casefold() in _STARTERS
    return True
