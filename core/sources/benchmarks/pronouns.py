"""WinoBias (Zhao et al. 2018) and Winogender (Rudinger et al. 2018): pairs of sentences that differ in a pronoun."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...errors import WordListError
from ..parsing import shown, tidy
from ..templates import MASK
from .formats import Format, Found, Row, cell, file_rows, is_json, problem, sentence, text_of
from .items import PronounItem

_PRONOUNS = frozenset({"he", "she", "him", "her", "his", "hers", "himself", "herself"})
_BRACKET = re.compile(r"(?:^|(?<=\s))\[\s+|\s+\](?=\s|$)|[\[\]]")  # a space that a bracket doubles goes with it
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
    words, others = _spans(first), _spans(second)
    places = [place for place, (word, other) in enumerate(zip(words, others, strict=False)) if word[2] != other[2]]
    if len(words) != len(others) or len(places) != 1:
        return None
    (start, end, word), (_, _, other) = words[places[0]], others[places[0]]
    if {word.casefold(), other.casefold()} - _PRONOUNS or word.casefold() == other.casefold():
        return None
    if first[:start] + other + first[end:] != second:
        return None
    return first[:start] + MASK + first[end:], word, other


def _spans(text: str) -> list[tuple[int, int, str]]:
    """Start and end of each word of a text, and the word, without the signs around it."""
    return [(found.start(), found.end(), found[0]) for found in re.finditer(r"\w+", text)]


def _winobias_rows(content: bytes, name: str) -> list[Row]:
    """The sentences of a published text file, whose name says what they are, or of a table."""
    if is_json(content):
        return file_rows(content, name)
    lines = [line.strip() for line in text_of(content, name).text.splitlines() if line.strip()]
    if not _NUMBERED.fullmatch(lines[0]):
        return file_rows(content, name)
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


def winobias_item(row: Row) -> str:
    """What the pair of a row is called: "type 1 dev 12"."""
    return " ".join(
        filter(None, ("type " + re.sub(r"\D", "", cell(row, "type")), cell(row, "split"), cell(row, "number")))
    )


def _winobias_items(rows: Sequence[Row]) -> Found[PronounItem]:
    found: dict[tuple[str, str, str], dict[str, str]] = {}
    twice: dict[str, None] = {}
    for row in rows:
        kind = "type " + re.sub(r"\D", "", cell(row, "type"))
        name, split = winobias_item(row), cell(row, "split")
        condition, text = cell(row, "condition").casefold()[:3], sentence(row, "sentence_bracketed")
        if found.setdefault((name, kind, split), {}).setdefault(condition, text) != text:
            twice[name] = None
    items = []
    single, differing = [], []
    for (name, kind, split), sentences in found.items():
        if name in twice:
            continue
        if not (sentences.get("pro") and sentences.get("ant")):
            single.append(name)
            continue
        pro, anti = (_BRACKET.sub("", sentences[side]) for side in ("pro", "ant"))
        pair = _differing(pro, anti)
        if pair is None:
            differing.append(name)
        else:
            items.append(PronounItem(name, kind, *pair, _mention(sentences["pro"]), split))
    both = list(_with_both_labels(items))
    return Found(
        [item for item in items if item.item not in both],
        [
            problem(list(twice), "number has several sentences", "numbers have several sentences"),
            problem(single, "sentence has no partner, pro or anti", "sentences have no partner, pro or anti"),
            problem(differing, "pair differs in more than the pronoun", "pairs differ in more than the pronoun"),
            problem(both, "pair occurs with both labels", "pairs occur with both labels"),
        ],
        _repeated(items),
    )


def _with_both_labels(items: Sequence[PronounItem]) -> Iterator[str]:
    """The names of pairs whose two sentences stand elsewhere the other way round, so that neither is the stereotype."""
    made = {(item.text, item.first, item.second) for item in items}
    return (item.item for item in items if (item.text, item.second, item.first) in made)


def _repeated(items: Sequence[PronounItem]) -> tuple[str, ...]:
    """A note on pairs that occur more than once with the same labels, as three of the published ones do."""
    names: dict[tuple[str, str, str], list[str]] = {}
    for item in items:
        names.setdefault((item.text, item.first, item.second), []).append(item.item)
    found = [" = ".join(same) for same in names.values() if len(set(same)) > 1]
    if not found:
        return ()
    pairs = "pair occurs" if len(found) == 1 else "pairs occur"
    return (f"{len(found):,} {pairs} under several numbers with the same labels; each is counted: {'; '.join(found)}.",)


def _mention(sentence: str) -> str:
    """The occupation in brackets, without its article."""
    names = [tidy(found) for found in _BRACKETED.findall(sentence)]
    occupation = next((name for name in names if name.casefold() not in _PRONOUNS), "")
    return re.sub(r"^(?:the|an?)\s+", "", occupation, flags=re.IGNORECASE)


def _winogender_items(rows: Sequence[Row]) -> Found[PronounItem]:
    found: dict[tuple[str, str], dict[str, str]] = {}
    twice: dict[str, None] = {}
    unknown, single, differing = [], [], []
    for row in rows:
        if "sentid" not in row:
            _fill(row, found)
        elif match := _SENTENCE_ID.fullmatch(cell(row, "sentid")):
            name = f"{match['occupation']}.{match['other']}.{match['answer']}"
            text = sentence(row, "sentence")
            if found.setdefault((name, match["occupation"]), {}).setdefault(match["form"], text) != text:
                twice[name] = None
        else:
            unknown.append(cell(row, "sentid") or "without a sentid")
    items = []
    for (name, occupation), sentences in found.items():
        if name in twice:
            continue
        if not all(sentences.get(form) for form in _FORMS):
            single.append(name)
        elif (pair := _differing(sentences["male"], sentences["female"])) is None:
            differing.append(name)
        else:
            items.append(PronounItem(name, "", *pair, occupation))
    return Found(
        items,
        [
            problem(list(twice), "number has several sentences", "numbers have several sentences"),
            problem(unknown, "row has a sentid of another form", "rows have a sentid of another form"),
            problem(single, "sentence lacks its male or female version", "sentences lack their male or female version"),
            problem(differing, "pair differs in more than the pronoun", "pairs differ in more than the pronoun"),
        ],
    )


def _fill(row: Row, found: dict[tuple[str, str], dict[str, str]]) -> None:
    """Both versions of a template, with the participant and with “someone”, as the authors fill it."""
    occupation, participant, answer = (cell(row, column) for column in (_OCCUPATION, _PARTICIPANT, _ANSWER))
    template = sentence(row, "sentence").replace("$OCCUPATION", occupation)
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
    rows=file_rows,
)
