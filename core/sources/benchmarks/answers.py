"""What resolvers answered on the sentences of WinoBias, and sentences of our own in its form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ...errors import WordListError
from ..digests import user_copy
from ..gap import PRONOUNS
from ..lists import read_json
from ..parsing import shown, tidy
from ..tables import Table, listed_names
from .formats import Row, heading, text_of
from .items import Data, PronounItem
from .pronouns import WINOBIAS, winobias_item

PRO, ANTI = "pro", "anti"
CONDITIONS = (PRO, ANTI)
COLUMNS = ("type", "condition", "split", "number", "answer")
EXPECTS = (
    "Answers are a table with the columns type, condition (pro or anti), split, number and answer: the pronoun that "
    "was chosen (he, her), or the words that the pronoun was found to refer to (the developer); empty for none."
)
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class WinoAnswers:
    """The answers of a file by pair and condition, in small letters; none is "".

    ``chosen``: they are pronouns; otherwise words of the sentence, without their article.
    """

    name: str
    source: str
    answers: Mapping[tuple[str, str], str]
    chosen: bool


def read_answers(content: bytes, name: str) -> WinoAnswers:
    """The answers of a file. Raises WordListError, with the line, for anything else than ``EXPECTS``."""
    table = Table.read(text_of(content, name).text, name)
    names = [heading(column) for column in table.names]
    missing = [column for column in COLUMNS if column not in names]
    if missing:
        raise WordListError(
            f"{shown(name)} lacks the {'column' if len(missing) == 1 else 'columns'} {listed_names(missing)}; it has "
            f"{listed_names(table.names)}. {EXPECTS}"
        )
    twice = [column for column in COLUMNS if names.count(column) > 1]
    if twice:
        raise WordListError(f"{shown(name)} has the column “{twice[0]}” twice; keep one of them.")
    found: dict[tuple[str, str], str] = {}
    chosen: bool | None = None
    for line, cells in zip(table.lines, table.rest, strict=True):
        row = dict(zip(names, cells, strict=True))
        condition = row["condition"].casefold()
        if condition not in CONDITIONS:
            raise WordListError(
                f"Line {line:,} of {shown(name)}: the condition is “{shown(condition)}”; it must be pro or anti."
            )
        key, answer = (winobias_item(row), condition), tidy(row["answer"]).casefold()
        if key in found:
            raise WordListError(
                f"Line {line:,} of {shown(name)}: {' '.join(key)} has an answer above; give one a sentence."
            )
        if answer and chosen not in (None, answer in PRONOUNS):
            kind = "a pronoun" if answer in PRONOUNS else "no pronoun"
            raise WordListError(
                f"Line {line:,} of {shown(name)}: “{shown(answer)}” is {kind}, unlike the answers above; give "
                "pronouns that were chosen, or words that were found, in all rows."
            )
        chosen = chosen if not answer else answer in PRONOUNS
        found[key] = answer if answer in PRONOUNS else _ARTICLE.sub("", answer)
    if chosen is None:
        raise WordListError(f"{shown(name)} holds no answer. {EXPECTS}")
    return WinoAnswers(name, user_copy(content, name), found, chosen)


@cache
def demonstration() -> Data[PronounItem]:
    """Sentences of our own in the form of WinoBias."""
    rows: list[Row] = [
        {
            "type": kind,
            "split": "",
            "number": str(number),
            "condition": condition,
            "sentence_bracketed": text.replace("[_]", f"[{pronoun}]"),
        }
        for number, (kind, text, *pronouns) in enumerate(_sentences(), 1)
        for condition, pronoun in zip(CONDITIONS, pronouns, strict=True)
    ]
    return WINOBIAS.data(rows, f"{len(rows) // 2} pairs of sentences of Tiltmeter's own in the form of WinoBias")


def _sentences() -> Sequence[Sequence[str]]:
    found: Sequence[Sequence[str]] = read_json("pronoun_choices.json")["sentences"]
    return found
