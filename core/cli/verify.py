"""``verify``: a report's bundle checked against its manifest, and on demand against a new measurement."""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pandas as pd

from .. import archives
from ..publication import verification
from ..publication.verification import Check, Outcome
from ..report.numbers import counted
from ..tilt import read_bytes
from .command import measured
from .shared import Listing, read_file, say

NAME = "verify"
HELP = "check a report's bundle"
DESCRIPTION = (
    "Check every file of a report's ZIP against the SHA-256 in its manifest. With --numbers, measure every result "
    f"(.tilt) again too, and compare each number, within {verification.TOLERANCE:g} in its unit or as a share of it. "
    "Whoever changes a bundle can write its manifest anew: then only --numbers finds it out, and in the results alone; "
    "text, figures and CSV files are not measured."
)
EPILOG = (
    "Exit codes: 0 everything is as exported; 1 something differs, or a result could not be measured again; 2 the file "
    "is no bundle."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("file", metavar="FILE", help="the ZIP of a report")
    parser.add_argument("--numbers", action="store_true", help="measure again, and compare the numbers")
    parser.add_argument(
        "--file",
        dest="uploads",
        metavar="FILE",
        action="append",
        default=[],
        help="with --numbers: a file that was uploaded for a result, such as a benchmark's data; may be repeated",
    )


def run(options: argparse.Namespace) -> Listing:
    """A line for the files that are as exported, one for each that is not, and one for each result measured again."""
    path = Path(options.file)
    uploads = {hashlib.sha256(data).hexdigest(): data for data in map(read_file, options.uploads)}
    files = archives.files(read_bytes(path), path.name, archives.REPORT)
    of_files = verification.checked(files, path.name)
    of_results = _measured_again(files, uploads) if options.numbers else ()
    intact = sum(check.outcome is Outcome.SAME for check in of_files)
    lines = [Check(counted(intact, "file"), Outcome.SAME, "SHA-256 as in the manifest")] if intact else []
    lines += [check for check in of_files if check.outcome is not Outcome.SAME]
    lines += sorted(of_results, key=lambda check: check.path)
    rows = pd.DataFrame([{"file": line.path, "outcome": str(line.outcome), "what": line.says} for line in lines])
    return Listing(rows, code=int(any(line.outcome is not Outcome.SAME for line in lines)))


def _measured_again(files: Mapping[str, bytes], uploads: Mapping[str, bytes]) -> tuple[Check, ...]:
    kept, checks = verification.results(files)
    again = verification.measured_again(kept, partial(measured, device=None, history=False), uploads, say)
    for check in again:
        say(f"{check.outcome}: {check.says}")
        checks = (*checks, check)
    counts = Counter(check.outcome for check in checks)
    said = ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome])
    say(f"{counted(len(kept), 'result')}: {said}." if checks else "The bundle holds no result.")
    return checks
