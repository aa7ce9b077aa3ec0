"""The experiments without a browser: ``python -m core COMMAND …``, or ``tiltmeter COMMAND …`` where it is installed.

Every command prints one whole result: in JSON every table, exclusion and note (but the null distributions, which are
only drawn), in a table the summary, then further tables, facts, notes and
exclusions. A CSV is the summary alone on standard output, so that it stays a CSV, and the rest goes to standard
error, as does progress. Exit codes: 0 done, 1 it could not be measured or not in
all of the models (the result of the others is printed), 2 the request is not valid.

To add a command: a module beside this one with NAME, HELP, DESCRIPTION, EPILOG, ``add_arguments`` and ``run``, and
its name in ``COMMANDS``.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import InputError, TiltmeterError, log_cause
from ..measures.measure import measures
from ..report.frames import remarks, rows_as_csv, rows_as_json, rows_as_table, to_csv, to_json, to_table
from ..result import Result
from ..sources.failures import first_line, of_the_disk
from . import batch, dashboard, export, history, models, papers, shelf, show, verify
from .command import INNER, Command
from .shared import Listing, Text, say

COMMANDS: tuple[Any, ...] = (models, shelf, show, export, history, batch, papers, verify)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    options = parser().parse_args(arguments)
    if options.command == dashboard.NAME:
        dashboard.serve(options.port)
        return 0
    # What lies beneath a sentence is for the log of whoever keeps one; a terminal gets the sentence.
    log, handler = (
        logging.getLogger(__name__.rpartition(".")[0]),
        logging.StreamHandler() if options.verbose else logging.NullHandler(),
    )
    log.addHandler(handler)
    try:
        return _run(options)
    finally:
        log.removeHandler(handler)


def _run(options: argparse.Namespace) -> int:
    try:
        result = options.run(options)
        _write(result, options.format)
        sys.stdout.flush()
        if isinstance(result, Listing):
            return result.code
        if isinstance(result, Text):
            return 0
        excluded = [item for item in result.excluded if item.kind == "model"]
        for item in excluded:
            say(f"tiltmeter: {item.model} was not measured: {item.why}")
        return 1 if excluded else 0
    except TiltmeterError as error:
        log_cause(error)
        say(f"tiltmeter: {error}")
        return 2 if isinstance(error, InputError) else 1
    except KeyboardInterrupt:
        say("tiltmeter: stopped")
        return 1
    except BrokenPipeError:
        # The reader of a pipe went away, as `… | head` does: nothing is wrong, and nobody is left to tell.
        _close_output()
        return 0
    except Exception as error:
        logging.getLogger(__name__).exception("a command failed")
        if disk := of_the_disk(error):
            _close_output()
            say(f"tiltmeter: stopped: {disk}")
        else:
            say(
                f"tiltmeter: something failed inside the program ({first_line(error)}); please report the command and "
                "what it says with --verbose"
            )
        return 1


def _close_output() -> None:
    """Leave nothing to be written to standard output when the program ends: it could not be."""
    with contextlib.suppress(OSError):
        sys.stdout.close()


def parser() -> argparse.ArgumentParser:
    """The parser of the command line: every command with its options."""
    whole = argparse.ArgumentParser(
        prog="tiltmeter" if Path(sys.argv[0]).stem == "tiltmeter" else "python -m core",
        description="Tiltmeter: measure social bias in language models.",
        epilog="Exit codes: 0 done; 1 it could not be measured, or not in all of the models (the result of the others "
        "is printed, and standard error says which are missing and why); 2 the request is not valid.",
    )
    whole.add_argument("--version", action="version", version=f"Tiltmeter {__version__}")
    commands = whole.add_subparsers(required=True, metavar="COMMAND", dest="command")
    pages = commands.add_parser(dashboard.NAME, help=dashboard.HELP, description=dashboard.DESCRIPTION)
    pages.add_argument("--port", type=int, default=8501, help="default: 8501")
    generated = {name: Command(spec) for name, spec in measures().items()}
    for command in (*(known for known in COMMANDS if known.NAME not in generated), *generated.values()):
        _add(commands, command)
    return whole


def _add(commands: Any, command: Any) -> None:
    """Declare a command among others, and those below it where it has some."""
    parser = commands.add_parser(
        command.NAME, help=command.HELP, description=command.DESCRIPTION, epilog=command.EPILOG
    )
    below = getattr(command, "below", ())
    if below:
        parts = parser.add_subparsers(required=True, metavar=command.BELOW, dest=INNER)
        for part in below:
            _add(parts, part)
        return
    if getattr(command, "FORMS", False):  # it prints a form of its own
        parser.set_defaults(format="")
    else:
        parser.add_argument("--format", choices=("json", "table", "csv"), default="table", help="default: table")
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="log the cause of an error, with its traceback, on standard error",
    )
    command.add_arguments(parser)
    parser.set_defaults(run=command.run)


def _write(result: Result | Listing | Text, form: str) -> None:
    if isinstance(result, Text):
        sys.stdout.write(result.text)
    elif isinstance(result, Listing):
        sys.stdout.write({"json": rows_as_json, "csv": rows_as_csv, "table": rows_as_table}[form](result.rows))
    elif form == "csv":
        sys.stdout.write(to_csv(next(iter(result.tables.values())), result.provenance).decode())
        say(remarks(result))
    else:
        sys.stdout.write(to_json(result).decode() if form == "json" else to_table(result))
    sys.stdout.flush()
