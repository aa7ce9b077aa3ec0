"""StereoSet (Nadeem et al. 2021): the intrasentence part, three sentences that fill the blank of a context.

The sentences often differ from the context in case, in the mark at their end and in spaces, so the word in the blank
is found by what stands around it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...errors import WordListError
from ..parsing import shown
from .formats import (
    Format,
    Found,
    Row,
    cell,
    file_rows,
    is_json,
    json_of,
    number,
    problem,
    records,
    sentence,
)
from .items import BLANK, Association

NO_TYPE = "not stated"
_INTERSENTENCE = "intersentence"
_LABELS = ("anti_stereotype", "stereotype", "unrelated")  # 0, 1, 2 in McGill-NLP/stereoset of the Hugging Face Hub
_END = r"[\s.!?…]*"


def _rows(content: bytes, name: str) -> list[Row]:
    """The rows of a table, of JSON lines or of the published file, which holds both parts of the benchmark."""
    if not is_json(content):
        return file_rows(content, name)
    whole = json_of(content, name)
    if isinstance(whole, list) or "context" in whole:
        return records(whole, name)
    parts = whole.get("data")
    if not isinstance(parts, dict) or not isinstance(parts.get("intrasentence"), list):
        keys = ", ".join(shown(str(key)) for key in list(whole)[:10])
        raise WordListError(f"{shown(name)} has no data.intrasentence; it holds {keys or 'nothing'}.")
    other = parts.get(_INTERSENTENCE)
    return [
        *({**entry, "kind": "intrasentence"} for entry in records(parts["intrasentence"], name)),
        *({"kind": _INTERSENTENCE} for _ in (other if isinstance(other, list) else ())),
    ]


def _items(rows: Sequence[Row]) -> Found[Association]:
    items = []
    other = 0
    lacking, blanks, strange = [], [], []
    for place, row in enumerate(rows, 1):
        name = cell(row, "id") or str(place)
        context = sentence(row, "context")
        sentences = _sentences(row)
        if cell(row, "kind").casefold() == _INTERSENTENCE:
            other += 1
        elif not context or not all(sentences):
            lacking.append(name)
        elif context.count(BLANK) != 1:
            blanks.append(name)
        elif (found := _candidates(context, sentences)) is None:
            strange.append(name)
        else:
            opposite, stereotype, unrelated = found
            bias_type, target = cell(row, "bias_type") or NO_TYPE, cell(row, "target") or context
            items.append(Association(name, bias_type, target, context, stereotype, opposite, unrelated))
    return Found(
        items,
        [
            problem(other, "item is intersentence, which is not read", "items are intersentence, which is not read"),
            problem(
                lacking,
                "item lacks its context, or has not one sentence for each label",
                "items lack their context, or have not one sentence for each label",
            ),
            problem(blanks, f"context does not hold {BLANK} once", f"contexts do not hold {BLANK} once"),
            problem(strange, "item has a sentence unlike its context", "items have a sentence unlike their context"),
        ],
    )


def _sentences(row: Row) -> tuple[str, ...]:
    """The sentences in the order of ``_LABELS``, empty where there is none or more than one."""
    if "sentences" not in row:
        return tuple(sentence(row, label) for label in _LABELS)
    labelled = [(_label(entry.get("gold_label")), sentence(entry, "sentence")) for entry in _entries(row["sentences"])]
    texts = [[text for label, text in labelled if label == wanted] for wanted in _LABELS]
    return tuple(found[0] if len(found) == 1 else "" for found in texts)


def _entries(sentences: Any) -> list[Row]:
    """Sentences with their labels, from a list of both (the file) or from two lists (the ``datasets`` library)."""
    if isinstance(sentences, dict):
        texts, labels = sentences.get("sentence") or [], sentences.get("gold_label") or []
        return [{"sentence": text, "gold_label": label} for text, label in zip(texts, labels, strict=False)]
    return [entry for entry in sentences if isinstance(entry, dict)] if isinstance(sentences, list) else []


def _label(value: object) -> str:
    """The name of a label that is written as a name or as the hub's number; empty for any other number."""
    label = cell({"label": value}, "label")
    code = number(label)
    if code is None:
        return label.casefold().replace("-", "_")
    return _LABELS[code] if code in range(len(_LABELS)) else ""


def _candidates(context: str, sentences: Sequence[str]) -> list[str] | None:
    """What stands in the blank of each sentence, as it is written there; None where one does not fit the context."""
    before, after = context.split(BLANK)
    after = re.sub(rf"{_END}$", "", after)
    left = _words(before) + (r"\s+" if before[-1:].isspace() and before.strip() else "")
    right = (r"\s+" if after[:1].isspace() else "") + _words(after)
    pattern = re.compile(rf"{left}(?P<word>[^\s.!?…].*?){right}{_END}", re.IGNORECASE)
    found = [pattern.fullmatch(text.strip()) for text in sentences]
    return [match["word"] for match in found if match] if all(found) else None


def _words(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))


STEREOSET = Format(
    title="StereoSet",
    expects=(
        "StereoSet is the published JSON file (dev.json), JSON lines with context and sentences as the Hugging Face "
        "Hub has them, or a table with the columns context, stereotype, anti_stereotype and unrelated, and if there "
        f"are any id, kind, bias_type and target, where context holds {BLANK} and the others are whole sentences."
    ),
    columns=(frozenset({"context", *_LABELS}), frozenset({"context", "sentences"})),
    items=_items,
    rows=_rows,
)
