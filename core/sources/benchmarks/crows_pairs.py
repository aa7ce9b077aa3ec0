"""CrowS-Pairs (Nangia et al. 2020): pairs of sentences, one of them more stereotypical. AUL and AULA read them too."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import WordListError
from ..parsing import shown
from .formats import Format, Found, Row, cell, file_rows, number, problem, sentence
from .items import SentencePair

NO_TYPE = "not stated"
_KNOWN = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")
# In the order of the numbers that nyu-mll/crows_pairs of the Hugging Face Hub writes for them.
_DIRECTIONS = ("stereo", "antistereo")
_TYPES = (
    "race-color",
    "socioeconomic",
    "gender",
    "disability",
    "nationality",
    "sexual-orientation",
    "physical-appearance",
    "religion",
    "age",
)


def _items(rows: Sequence[Row]) -> Found[SentencePair]:
    labels = [cell(row, "stereo_antistereo") for row in rows]
    directions = [_direction(label) for label in labels]
    of_hub = any(number(label) is not None for label in labels)
    types = _types([cell(row, "bias_type") for row in rows], of_hub=of_hub)
    items = []
    lacking = []
    for place, (row, direction, bias_type) in enumerate(zip(rows, directions, types, strict=True), 1):
        name = _number(row) or str(place)
        more, less = sentence(row, "sent_more"), sentence(row, "sent_less")
        if more and less:
            items.append(SentencePair(name, bias_type or NO_TYPE, more, less, direction))
        else:
            lacking.append(name)
    notes = ("Numbers in the labels were read as the Hugging Face Hub’s copy means them.",) if of_hub else ()
    return Found(items, [problem(lacking, "pair lacks a sentence", "pairs lack a sentence")], notes)


def _direction(label: str) -> str:
    """The name of a direction that is written as a name or as the hub's number; empty where none is written.

    Raises WordListError for another label: which pairs it turns round would be a guess.
    """
    code = number(label)
    name = _DIRECTIONS[code] if code in (0, 1) else label.casefold()
    if name and name not in _DIRECTIONS:
        raise WordListError(
            f"The column stereo_antistereo holds “{shown(label)}”; it can hold stereo and antistereo, or 0 and 1 for "
            "them, as the hub's copy does."
        )
    return name


def _types(labels: Sequence[str], *, of_hub: bool) -> list[str]:
    """The names of types of bias; numbers are taken for the hub's where its other column holds its numbers too.

    Raises WordListError for any other number: what it stands for would be a guess.
    """
    codes = [number(label) for label in labels]
    if not of_hub or any(code is not None and code not in range(len(_TYPES)) for code in codes):
        odd = next((label for label, code in zip(labels, codes, strict=True) if code is not None), None)
        if odd is not None:
            raise WordListError(
                f"The column bias_type holds the number {shown(odd)}, and what it stands for is not certain; write "
                f"names, or 0 to {len(_TYPES) - 1} beside numbers in stereo_antistereo, as the hub's copy does."
            )
    return [label if code is None else _TYPES[code] for label, code in zip(labels, codes, strict=True)]


def _number(row: Row) -> str:
    """The number in the first column; empty where the first column holds something else."""
    first = next(iter(row))
    found = cell(row, first)
    return found if first not in _KNOWN and found.isdecimal() else ""


CROWS_PAIRS = Format(
    title="CrowS-Pairs",
    expects=(
        "CrowS-Pairs is a table or JSON lines with the columns sent_more and sent_less, and as published also "
        "stereo_antistereo and bias_type (crows_pairs_anonymized.csv)."
    ),
    columns=(frozenset({"sent_more", "sent_less"}),),
    items=_items,
    rows=file_rows,
)
