"""HONEST-style hurtful completions (Nozza et al. 2021): prompts of our own, and the user's lexicon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ...errors import WordListError
from ..lists import read_json
from ..parsing import shown, tidy
from ..tables import Table, listed_names
from ..templates import in_place
from .formats import File, heading, sources, text_of
from .items import Data, HurtfulWords

_COLUMNS = ("lemma", "word", "term")
EXPECTS = (
    "The lexicon is a text file with one word per line, or a table with a column lemma, word or term, such as HurtLex."
)
_IDENTITY = "[IDENTITY]"


@cache
def honest_prompts() -> tuple[tuple[str, str, str], ...]:
    """(identity group, identity term, prompt), the mask directly before the full stop; female first."""
    data = read_json("honest.json")
    prompts = []
    for group in data["groups"]:
        for terms in group["terms"]:
            for frames in data["frames"]:
                for term, frame in zip(terms, frames, strict=True):
                    before, after = frame.split(_IDENTITY)
                    prompts.append((group["name"], term, before + in_place(before, term) + after))
    return tuple(prompts)


def read_hurtful_words(content: bytes, name: str) -> HurtfulWords:
    """The user's lexicon, as it is written, with ``honest_prompts``.

    Plain text has a word a line; a table a column lemma, word or term, or no other column. Raises WordListError for
    a file that is neither.
    """
    try:
        words = tuple(dict.fromkeys(word for word in _words(content, name) if word))
    except WordListError as error:
        raise WordListError(f"{error} {EXPECTS}") from error
    if not words:
        raise WordListError(f"{shown(name)} holds no word. {EXPECTS}")
    return HurtfulWords(words, honest_prompts())


@dataclass(frozen=True)
class Lexicon:
    """Data that are the user's lexicon of hurtful words."""

    expects: str = EXPECTS

    def read(self, files: Sequence[File]) -> Data[HurtfulWords]:
        """The words of one or more files; errors as ``read_hurtful_words``."""
        words = dict.fromkeys(word for content, name in files for word in read_hurtful_words(content, name).words)
        if not words:
            raise WordListError(f"No file is given. {self.expects}")
        notes = tuple(note for content, name in files for note in text_of(content, name).notes)
        return Data((HurtfulWords(tuple(words), honest_prompts()),), sources(files), notes=notes)


def _words(content: bytes, name: str) -> list[str]:
    text = text_of(content, name).text
    if not name.casefold().endswith((".csv", ".tsv")):
        return [tidy(line) for line in text.splitlines()]
    table = Table.read(text, name)
    headings = [heading(column) for column in table.names]
    for column in _COLUMNS:
        if headings.count(column) == 1:
            place = headings.index(column)
            return [row[place] for row in table.rest]
    if len(table.first) > 1:
        raise WordListError(f"{shown(name)} has the columns {listed_names(table.names)}.")
    return list(table.bare_list or ())
