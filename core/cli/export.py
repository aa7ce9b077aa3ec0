"""``export``: a saved result in a form that others read."""

from __future__ import annotations

import argparse
from pathlib import Path

from .. import whole
from ..publication.exchange.formats import FORMATS, exported
from .shared import Text, check_writable, saved_result, say

NAME = "export"
HELP = "a saved result in a form that others read"
DESCRIPTION = (
    "Write a saved result for a model card of the Hugging Face Hub (model-index: its front matter; model-card: the "
    "sections on bias, evaluation and examination), for the database of Every Eval Ever, or as a report of AVID. "
    "Beside every number stand its unit, its neutral point, what a higher value means, and which values are better."
)
EPILOG = ""
FORMS = True  # of its own


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("file", metavar="FILE", help="a saved result, such as result.tilt, or published:ID")
    parser.add_argument("--as", dest="form", required=True, choices=tuple(FORMATS), help="the form")
    parser.add_argument("--model", metavar="MODEL", help="by its name in the result, where that has several")
    parser.add_argument("--out", metavar="FILE", help="write it there; default: print it")


def run(options: argparse.Namespace) -> Text:
    """The result in that form; nothing to print where it was written to a file."""
    if options.out:
        check_writable(options.out)
    made = exported(saved_result(options.file), options.form, options.model)
    if not options.out:
        return Text(made.decode())
    whole.write(Path(options.out), made)
    say(f"Written: {options.out}")
    return Text("")
