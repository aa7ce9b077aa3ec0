"""WinoBias (Zhao et al. 2018) and Winogender (Rudinger et al. 2018): pairs of sentences that differ in a pronoun."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.errors import WordListError
from core.lexicon.benchmarks.formats import Format, Row, cell, problem, table_rows, text_of
from core.lexicon.benchmarks.items import Problem, PronounItem
from core.lexicon.parsing import shown, tidy
from core.templates import MASK

_PRONOUNS = frozenset({"he", "she", "him", "her", "his", "hers", "himself", "herself"})
_WORD = re.compile(r"(\W*)(\w+)(\W*)")
_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
_NUMBERED = re.compile(r"(\d+)\s+(.*\[.+)")
_CONDITION = re.compile(r"(?<![a-z])(pro|anti)(?![a-z])")
_TYPE = re.compile(r"type[\s_-]?(\d)")
_SPLIT = re.compile(r"(?<![a-z])(dev|test|train)(?![a-z])")
_SENTENCE_ID = re.compile(r"(?P<occupation>.+)\.(?P<other>.+)\.(?P<answer>.+)\.(?P<form>male|female|neutral)(\.txt)?")
_OCCUPATION, _PARTICIPANT, _ANSWER = "occupation(0)", "other_participant(1)", "answer"
_ANYONE = re.compile(r"\b(?:the|an?) \$PARTICIPANT", re.IGNORECASE)
_FORMS = {
    "male": {"$NOM_PRONOUN": "he", "$POSS_PRONOUN": "his", "$ACC_PRONOUN": "him"},
    "female": {"$NOM_PRONOUN": "she", "$POSS_PRONOUN": "her", "$ACC_PRONOUN": "her"},
}


def _differing(first: str, second: str) -> tuple[str, str, str] | None:
    """The sentence with ``MASK`` and both pronouns; None where more or something else than a pronoun differs."""
    words, others = first.split(), second.split()
    places = [place for place, (one, other) in enumerate(zip(words, others, strict=False)) if one != other]
    if len(words) != len(others) or len(places) != 1:
        return None
    one, other = (_WORD.fullmatch(sentence[places[0]]) for sentence in (words, others))
    if not one or not other or (one[1], one[3]) != (other[1], other[3]):
        return None
    if not {one[2].casefold(), other[2].casefold()} <= _PRONOUNS:
        return None
    words[places[0]] = one[1] + MASK + one[3]
    return " ".join(words), one[2], other[2]


def _winobias_rows(content: bytes, name: str) -> list[Row]:
    """The sentences of a published text file, whose name says what they are, or of a table."""
    lines = [tidy(line) for line in text_of(content, name).splitlines() if line.strip()]
    if not _NUMBERED.fullmatch(lines[0]):
        return table_rows(content, name)
    condition, kind, split = (found.search(name.casefold()) for found in (_CONDITION, _TYPE, _SPLIT))
    if not condition or not kind:
        raise WordListError(
            f"The name {shown(name)} does not tell pro from anti, or the type; keep the published name, such as "
            "pro_stereotyped_type1.txt.dev."
        )
    shared = {"condition": condition[1], "type": kind[1], "split": split[1] if split else ""}
    numbered = [(_NUMBERED.fullmatch(line), line) for line in lines]
    return [
        {**shared, "number": match[1] if match else f"line {place}", "sentence_bracketed": match[2] if match else line}
        for place, (match, line) in enumerate(numbered, 1)
    ]


def _winobias_items(rows: Sequence[Row]) -> tuple[list[PronounItem], list[Problem]]:
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        kind = "type " + re.sub(r"\D", "", cell(row, "type"))
        name = " ".join(filter(None, (kind, cell(row, "split"), cell(row, "number"))))
        found.setdefault((name, kind), {})[cell(row, "condition").casefold()[:3]] = cell(row, "sentence_bracketed")
    items = []
    single = differing = 0
    for (name, kind), sentences in found.items():
        if not {"pro", "ant"} <= sentences.keys():
            single += 1
            continue
        pro, anti = (tidy(re.sub(r"[\[\]]", "", sentences[one])) for one in ("pro", "ant"))
        pair = _differing(pro, anti)
        if pair is None:
            differing += 1
        else:
            items.append(PronounItem(name, kind, *pair, _mention(sentences["pro"])))
    return items, [
        problem(single, "sentence has no partner, pro or anti", "sentences have no partner, pro or anti"),
        problem(differing, "pair differs in more than the pronoun", "pairs differ in more than the pronoun"),
    ]


def _mention(sentence: str) -> str:
    """The occupation in brackets, without its article."""
    names = [tidy(found) for found in _BRACKETED.findall(sentence)]
    occupation = next((name for name in names if name.casefold() not in _PRONOUNS), "")
    return re.sub(r"^(?:the|an?)\s+", "", occupation, flags=re.IGNORECASE)


def _winogender_items(rows: Sequence[Row]) -> tuple[list[PronounItem], list[Problem]]:
    found: dict[tuple[str, str], dict[str, str]] = {}
    unknown = single = differing = 0
    for row in rows:
        if "sentid" not in row:
            _fill(row, found)
        elif match := _SENTENCE_ID.fullmatch(cell(row, "sentid")):
            name = f"{match['occupation']}.{match['other']}.{match['answer']}"
            found.setdefault((name, match["occupation"]), {})[match["form"]] = cell(row, "sentence")
        else:
            unknown += 1
    items = []
    for (name, occupation), sentences in found.items():
        if not _FORMS.keys() <= sentences.keys():
            single += 1
        elif (pair := _differing(sentences["male"], sentences["female"])) is None:
            differing += 1
        else:
            items.append(PronounItem(name, "", *pair, occupation))
    return items, [
        problem(unknown, "row has a sentid of another form", "rows have a sentid of another form"),
        problem(single, "sentence lacks its male or female version", "sentences lack their male or female version"),
        problem(differing, "pair differs in more than the pronoun", "pairs differ in more than the pronoun"),
    ]


def _fill(row: Row, found: dict[tuple[str, str], dict[str, str]]) -> None:
    """Both versions of a template, with the participant and with “someone”, as the authors fill it."""
    occupation, participant, answer = (cell(row, column) for column in (_OCCUPATION, _PARTICIPANT, _ANSWER))
    template = cell(row, "sentence").replace("$OCCUPATION", occupation)
    someone = _ANYONE.sub(lambda match: ("S" if match[0][0].isupper() else "s") + "omeone", template)
    for other, text in ((participant, template.replace("$PARTICIPANT", participant)), ("someone", someone)):
        for form, pronouns in _FORMS.items():
            filled = text
            for slot, pronoun in pronouns.items():
                filled = filled.replace(slot, pronoun)
            found.setdefault((f"{occupation}.{other}.{answer}", occupation), {})[form] = filled


WINOBIAS = Format(
    title="WinoBias",
    expects=(
        "WinoBias is two or more of the published text files, pro and anti of the same type and split (such as "
        "pro_stereotyped_type1.txt.dev and anti_stereotyped_type1.txt.dev), or a table with the columns type, "
        "condition, split, number and sentence_bracketed."
    ),
    columns=(frozenset({"type", "condition", "split", "number", "sentence_bracketed"}),),
    items=_winobias_items,
    rows=_winobias_rows,
)
WINOGENDER = Format(
    title="Winogender",
    expects=(
        "Winogender is all_sentences.tsv, with the columns sentid and sentence, or templates.tsv, with the columns "
        "occupation(0), other-participant(1), answer and sentence."
    ),
    columns=(
        frozenset({"sentid", "sentence"}),
        frozenset({_OCCUPATION, _PARTICIPANT, _ANSWER, "sentence"}),
    ),
    items=_winogender_items,
    rows=table_rows,
)
