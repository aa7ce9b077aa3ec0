"""``show``: a saved or a published result, printed as if it had just been measured."""

from __future__ import annotations

import argparse

from ..result import Result
from .shared import saved_result

NAME = "show"
HELP = "print a saved result, or a published one"
DESCRIPTION = (
    "Print a result that --save or a page has saved, or one that others published (published:ID; “shelf” lists them). "
    "No model is loaded."
)
EPILOG = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("file", metavar="FILE", help="a saved result, such as result.tilt, or published:ID")


def run(options: argparse.Namespace) -> Result:
    """The result."""
    return saved_result(options.file)
