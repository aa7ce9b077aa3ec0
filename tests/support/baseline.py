"""What the commands print, stored before a rebuilding and compared after it.

``python -m tests.support.baseline store`` writes ``tests/reference/baseline.json``; ``compare`` prints every row that
is no longer there, to 1e-9, and fails when there is one.

A row is found again by its texts and its numbers, in whatever table it stands, so that tables may be split and
renamed. Of tables with more than ``WHOLE`` rows, the number of rows and each column's sum and sum of squares are kept.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import sys
from collections.abc import Iterator
from typing import Any

from core.cli import main
from tests.support.paths import ROOT

FILE = ROOT / "tests" / "reference" / "baseline.json"
WHOLE = 400
TOLERANCE = 1e-9
HE_SHE = ("--group", "he=he", "--group", "she=she")
WORKED = ("--attribute", "nurse", "--attribute", "engineer", "--attribute", "bookkeeper")
SCORE = ("score", *HE_SHE, *WORKED)
TEMPLATE = ("--template", "[TARGET] is a [ATTRIBUTE].")
SAID = ("--template", "The [ATTRIBUTE] said that [TARGET] was tired.")
PEOPLE = ("--group", "men=man,boy", "--group", "women=woman,girl", "--group", "people=person,child")
SENTENCE = "She accompanied him on stage and on several recordings before becoming a nurse in 1939."
COMMANDS: dict[str, tuple[str, ...]] = {
    "score": (*SCORE, *TEMPLATE),
    "score: two templates": (*SCORE, *TEMPLATE, *SAID),
    "score: masks by word": (*SCORE, *TEMPLATE, "--masking", "word"),
    "score: one mask": (*SCORE, *TEMPLATE, "--masking", "single"),
    "score: joint": (
        *("score", "--group", "m=chairman,salesman", "--group", "f=chairwoman,saleswoman"),
        *(*WORKED, *TEMPLATE, "--several-pieces", "joint"),
    ),
    "score: three groups": ("score", *PEOPLE, *WORKED, *TEMPLATE),
    "score: against the others": ("score", *PEOPLE, *WORKED, *TEMPLATE, "--contrasts", "others"),
    "weat by lpbs": ("association", *(f"--test=weat{n}" for n in (1, 3, 6, 7, 8)), "--representation", "lpbs"),
    "weat 1 to 10": (
        *("association", *(f"--test=weat{n}" for n in range(1, 11))),
        *("--representation", "pooled-in-templates", "--representation", "cls-in-templates"),
        *("--representation", "input-embedding", "--representation", "vulic"),
    ),
    "professions": ("professions", "--language", "en", "--statistic", "bls", "--year", "2023"),
    "attention": ("attention", "--sentence", SENTENCE),
    "disco names": ("benchmark", "disco", "--words", "names"),
    "disco nouns": ("benchmark", "disco", "--words", "nouns"),
    "rulers templates": ("reliability", "templates"),
    "rulers representations": ("reliability", "representations"),
    "rulers divergence": ("reliability", "divergence"),
}


def tables(document: Any) -> Iterator[list[dict[str, Any]]]:
    """Every list of rows in a document, at any depth."""
    if isinstance(document, list):
        if document and all(isinstance(row, dict) for row in document):
            yield document
        for item in document:
            yield from tables(item)
    elif isinstance(document, dict):
        for item in document.values():
            yield from tables(item)


def is_number(value: object) -> bool:
    """Whether a cell is a number, and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def stored_form(table: list[dict[str, Any]]) -> dict[str, Any]:
    """A table as it is stored: whole, or its columns' sums."""
    rows = [{name: cell for name, cell in row.items() if is_number(cell) or isinstance(cell, str)} for row in table]
    if len(rows) <= WHOLE:
        return {"rows": rows}
    sums: dict[str, list[float]] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        numbers = [row[name] for row in rows if is_number(row.get(name))]
        if numbers:
            sums[name] = [len(numbers), math.fsum(numbers), math.fsum(number**2 for number in numbers)]
    return {"count": len(rows), "sums": sums}


def printed(arguments: tuple[str, ...]) -> Any:
    """The JSON of a command."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main([*arguments, "--format", "json"])
    if code:
        raise SystemExit(f"{arguments} ended with {code}")
    return json.loads(out.getvalue())


def measured() -> dict[str, list[dict[str, Any]]]:
    """What every command prints now, in the stored form."""
    return {name: [stored_form(table) for table in tables(printed(asked))] for name, asked in COMMANDS.items()}


def is_close(first: float, second: float) -> bool:
    """Equal to the tolerance, relative for large numbers."""
    return math.isclose(first, second, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def holds(now: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a row of now has all the cells of a row of before; a text may have become longer or moved."""
    return all(
        is_number(now.get(name)) and is_close(now[name], cell) if is_number(cell) else now.get(name, cell) == cell
        for name, cell in before.items()
    )


def lost(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> Iterator[str]:
    """Every row or column of before that is not there now."""
    rows = [row for table in now for row in table.get("rows", [])]
    columns = [(name, sums) for table in now for name, sums in table.get("sums", {}).items()]
    for table in before:
        for row in table.get("rows", []):
            if any(is_number(cell) for cell in row.values()) and not any(holds(candidate, row) for candidate in rows):
                yield str(row)
        for name, sums in table.get("sums", {}).items():
            if not any(name == other and all(map(is_close, found, sums)) for other, found in columns):
                yield f"{name}: {sums}"


def run(what: str) -> int:
    """Store or compare; returns the exit code."""
    now = measured()
    if what == "store":
        FILE.write_text(json.dumps(now, ensure_ascii=False, indent=None, separators=(",", ":")) + "\n", "utf-8")
        return 0
    before = json.loads(FILE.read_text(encoding="utf-8"))
    found = [f"{name}: {row}" for name in before for row in lost(before[name], now.get(name, []))]
    sys.stdout.write("\n".join(found) + "\n" if found else "Every stored number is still there.\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1]))
