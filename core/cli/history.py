"""``history``: the runs that are kept, listed, printed, compared, taken elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from .. import whole
from ..errors import HistoryError, OptionError
from ..history.entry import PAGE
from ..history.settings import SETTING
from ..result import Result
from ..sources.published import PREFIX
from .shared import Below, Listing, check_writable, read_file, say, whole_number

# The history itself brings a library of databases, which no other command waits for.
if TYPE_CHECKING:
    from ..history.history import Found, History

NAME = "history"
HELP = "the runs that are kept"
DESCRIPTION = (
    f"The finished runs of the dashboard and of commands. {SETTING} says where they are kept, or that none is."
)
EPILOG = ""
BELOW = "COMMAND"

_MOST = 100_000


_Run = Callable[["History", argparse.Namespace], Result | Listing]


def _kept(run: _Run) -> Callable[[argparse.Namespace], Result | Listing]:
    """A command with the history of the setting, which it is given. It raises HistoryError where that is off."""

    def with_history(options: argparse.Namespace) -> Result | Listing:
        from ..history.history import history

        kept = history()
        if kept is None:
            raise HistoryError(f"The history is off: {SETTING} says so. Unset it to keep runs.")
        try:
            return run(kept, options)
        finally:
            if problem := kept.problem():
                say(f"tiltmeter: {problem}")

    return with_history


def _query(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="words that must all be in a run, its name or its note"
    )
    parser.add_argument("--measure", default="", metavar="COMMAND", help="runs of this measure, such as score")
    parser.add_argument("--of-model", default="", metavar="MODEL", help="runs with this model, or a part of its name")
    parser.add_argument("--since", default="", metavar="DATE", type=_date, help="measured on this day or later")
    parser.add_argument("--until", default="", metavar="DATE", type=_date, help="measured on this day or before")
    parser.add_argument("--starred", action="store_true", help="runs with a star")


def _date(text: str) -> str:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date().isoformat() if text else ""
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a date such as 2026-11-29") from None


def _found(kept: History, options: argparse.Namespace, most: int) -> Found:
    from ..history.history import Query

    query = Query(
        " ".join(options.words), options.measure, options.of_model, options.since, options.until, options.starred
    )
    return kept.find(query, most=most)


def _list_arguments(parser: argparse.ArgumentParser) -> None:
    _query(parser)
    parser.add_argument("--most", type=whole_number(1, _MOST), default=PAGE, metavar="N", help=f"default: {PAGE}")


def _list(kept: History, options: argparse.Namespace) -> Listing:
    from ..history.history import Query

    found = _found(kept, options, options.most)
    if not found.total:
        say("No run fits." if kept.find(Query(), most=1).total else "No run is kept yet.")
    if found.total > len(found.entries):
        say(f"{len(found.entries):,} of {found.total:,} runs; --most shows more.")
    columns = ["id", "measured", "measure", "run", "models", "first number", "star"]
    rows = [
        (
            entry.id[:8],
            entry.created,
            entry.measure,
            entry.title,
            ", ".join(entry.models),
            entry.summary,
            "*" if entry.starred else "",
        )
        for entry in found.entries
    ]
    return Listing(pd.DataFrame(rows, columns=columns))


def _show_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="of the run, or its first letters; “list” shows them")


def _show(kept: History, options: argparse.Namespace) -> Result:
    entry = kept.entry(options.id)
    if entry.note:
        say(entry.note)
    return kept.result(entry)


def _diff_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="FIRST", help="id of a run, or its first letters; “list” shows them")
    parser.add_argument("second", metavar="SECOND", help="id of another run of the same measure, or published:ID")
    parser.add_argument(
        "--of", choices=("numbers", "tests", "changed"), default="numbers",
        help="numbers: those that sum the runs up (default); tests: the paired tests; changed: what is not the same",
    )  # fmt: skip


def _diff(kept: History, options: argparse.Namespace) -> Listing:
    from ..history.difference import compare

    found = compare(*(_result(kept, id) for id in (options.first, options.second)))
    for why in {"tests": (*found.untested, *found.paired), "numbers": found.unnumbered}.get(options.of, ()):
        say(why)
    if options.of == "tests" and found.unit:
        say(f"Values are in {found.unit}.")
    rows: pd.DataFrame = getattr(found, options.of)
    return Listing(rows)


def _result(kept: History, id: str) -> Result:
    if id.startswith(PREFIX):
        from .. import shelf

        return shelf.result(id)
    return kept.result(kept.entry(id))


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the ZIP to write, such as runs.zip")
    _query(parser)


def _export(kept: History, options: argparse.Namespace) -> Listing:
    check_writable(options.file)
    found = _found(kept, options, _MOST)
    if not found.entries:
        raise OptionError("No run fits, so that there is nothing to export.")
    exported = kept.exported(found.entries)
    whole.write(Path(options.file), exported.data)
    for why in exported.left_out:
        say(why)
    runs = len(found.entries) - len(exported.left_out)
    return Listing(pd.DataFrame([{"file": options.file, "runs": runs}]))


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="an export of a history, or a saved result")


def _import(kept: History, options: argparse.Namespace) -> Listing:
    rows: list[dict[str, Any]] = []
    for file in options.files:
        brought = kept.imported(read_file(file), Path(file).name)
        for why in brought.refused:
            say(why)
        rows.append({"file": file, "added": brought.added, "known": brought.known, "refused": len(brought.refused)})
    return Listing(pd.DataFrame(rows))


below = (
    Below("list", "list runs, the last measured first", _list_arguments, _kept(_list)),
    Below("show", "print a run, as if it had just been measured", _show_arguments, _kept(_show)),
    Below(
        "diff",
        "compare two runs of one measure: what was changed, and what that did to their numbers",
        _diff_arguments,
        _kept(_diff),
    ),
    Below("export", "write runs to a ZIP that another history imports", _export_arguments, _kept(_export)),
    Below("import", "add the runs of an export, or saved results", _import_arguments, _kept(_import)),
)
