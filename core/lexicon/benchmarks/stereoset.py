"""StereoSet (Nadeem et al. 2021): the intrasentence part, three sentences that fill the blank of a context.

The sentences often differ from the context in case, in the mark at their end and in spaces, so the word in the blank
is found by what stands around it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from core.errors import WordListError
from core.lexicon.benchmarks.formats import Format, Row, cell, problem, table_rows
from core.lexicon.benchmarks.items import BLANK, Association, Problem
from core.lexicon.parsing import shown, tidy

MAX_JSON = 32 * 1024 * 1024  # the published file, with every annotator's label, is larger than a list of words may be
NO_TYPE = "not stated"
_INTERSENTENCE = "intersentence"
_LABELS = ("anti_stereotype", "stereotype", "unrelated")  # the numbers 0, 1, 2 of the published data set
_END = r"[\s.!?…]*"


def _rows(content: bytes, name: str) -> list[Row]:
    if content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        return _json_rows(content, name)
    return table_rows(content, name)


def _json_rows(content: bytes, name: str) -> list[Row]:
    if len(content) > MAX_JSON:
        raise WordListError(f"{shown(name)} is larger than {MAX_JSON // 1024**2} MB.")
    try:
        whole = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise WordListError(f"{shown(name)} begins like JSON but is not: it may be cut off.") from error
    parts = whole.get("data") if isinstance(whole, dict) else None
    if not isinstance(parts, dict) or not isinstance(parts.get("intrasentence"), list):
        keys = ", ".join(shown(str(key)) for key in list(whole)[:10]) if isinstance(whole, dict) else "a list"
        raise WordListError(f"{shown(name)} has no data.intrasentence; it holds {keys or 'nothing'}.")
    other = parts.get(_INTERSENTENCE)
    return [
        *({**entry, "kind": "intrasentence"} for entry in parts["intrasentence"] if isinstance(entry, dict)),
        *({"kind": _INTERSENTENCE} for _ in (other if isinstance(other, list) else ())),
    ]


def _items(rows: Sequence[Row]) -> tuple[list[Association], list[Problem]]:
    items = []
    other = lacking = blanks = strange = 0
    for number, row in enumerate(rows, 1):
        context = cell(row, "context")
        sentences = _sentences(row)
        if cell(row, "kind").casefold() == _INTERSENTENCE:
            other += 1
        elif not context or not all(sentences):
            lacking += 1
        elif context.count(BLANK) != 1:
            blanks += 1
        elif (found := _candidates(context, sentences)) is None:
            strange += 1
        else:
            opposite, stereotype, unrelated = found
            bias_type, target = cell(row, "bias_type") or NO_TYPE, cell(row, "target") or context
            item = cell(row, "id") or str(number)
            items.append(Association(item, bias_type, target, context, stereotype, opposite, unrelated))
    return items, [
        problem(other, "item is intersentence, which is not read", "items are intersentence, which is not read"),
        problem(lacking, "item lacks its context or a sentence", "items lack their context or a sentence"),
        problem(blanks, f"context does not hold {BLANK} once", f"contexts do not hold {BLANK} once"),
        problem(strange, "item has a sentence unlike its context", "items have a sentence unlike their context"),
    ]


def _sentences(row: Row) -> tuple[str, ...]:
    """The sentences in the order of ``_LABELS``, empty where there is none."""
    if "sentences" not in row:
        return tuple(cell(row, label) for label in _LABELS)
    labelled = {_label(entry.get("gold_label")): cell(entry, "sentence") for entry in _entries(row["sentences"])}
    return tuple(labelled.get(label, "") for label in _LABELS)


def _entries(sentences: Any) -> list[Row]:
    """Sentences with their labels, from a list of both (the file) or from two lists (the ``datasets`` library)."""
    if isinstance(sentences, dict):
        texts, labels = sentences.get("sentence") or [], sentences.get("gold_label") or []
        return [{"sentence": text, "gold_label": label} for text, label in zip(texts, labels, strict=False)]
    return [entry for entry in sentences if isinstance(entry, dict)] if isinstance(sentences, list) else []


def _label(value: object) -> str:
    if isinstance(value, int):
        return _LABELS[value] if 0 <= value < len(_LABELS) else ""
    return str(value).replace("-", "_")


def _candidates(context: str, sentences: Sequence[str]) -> list[str] | None:
    """What stands in the blank of each sentence, as it is written there; None where one does not fit the context."""
    before, after = context.split(BLANK)
    after = re.sub(rf"{_END}$", "", after)
    left = _words(before) + (r"\s+" if before.endswith(" ") else "")
    right = (r"\s+" if after.startswith(" ") else "") + _words(after)
    pattern = re.compile(rf"{left}(?P<word>[^\s.!?…].*?){right}{_END}", re.IGNORECASE)
    found = [pattern.fullmatch(sentence) for sentence in sentences]
    return [tidy(match["word"]) for match in found if match] if all(found) else None


def _words(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))


STEREOSET = Format(
    title="StereoSet",
    expects=(
        "StereoSet is the published JSON file (dev.json), or a table with the columns context, stereotype, "
        "anti_stereotype and unrelated, and if there are any id, kind, bias_type and target, where context holds "
        f"{BLANK} and the others are whole sentences."
    ),
    columns=(frozenset({"context", *_LABELS}), frozenset({"context", "sentences"})),
    items=_items,
    rows=_rows,
)
