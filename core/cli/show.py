"""``show``: a saved result, printed as if it had just been measured."""

from __future__ import annotations

import argparse

from ..measures.measure import load
from ..result import Result

NAME = "show"
HELP = "print a saved result"
DESCRIPTION = "Print a result that --save or a page has saved. No model is loaded."
EPILOG = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("file", metavar="FILE", help="a saved result, such as result.tilt")


def run(options: argparse.Namespace) -> Result:
    """The saved result."""
    return load(options.file)
