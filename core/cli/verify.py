"""``verify``: a report's bundle checked against its manifest, and on demand against a new measurement."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from .. import archives
from ..publication import verification
from ..tilt import read_bytes
from .shared import Listing

NAME = "verify"
HELP = "check a report's bundle"
DESCRIPTION = (
    "Check every file of a report's ZIP against the SHA-256 in its manifest; with --numbers, measure again and compare "
    f"every table, within {verification.TOLERANCE:g} in the unit of each number or as a share of it."
)
EPILOG = "Exit codes: 0 everything is as exported; 1 something differs or could not be measured again; 2 no bundle."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("file", metavar="FILE", help="the ZIP of a report")
    parser.add_argument("--numbers", action="store_true", help="measure again, and compare the numbers")


def run(options: argparse.Namespace) -> Listing:
    """A line for each file, and for each result that was measured again."""
    path = Path(options.file)
    files = archives.files(read_bytes(path), path.name, archives.REPORT)
    checks = list(verification.checked(files, path.name))
    if options.numbers:
        checks += verification.measured_again(files)
    rows = pd.DataFrame([{"file": check.path, "good": check.good, "says": check.says} for check in checks])
    return Listing(rows, code=int(not all(check.good for check in checks)))
