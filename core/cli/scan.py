"""``scan``: attention bias of every fitting sentence of a corpus."""

from __future__ import annotations

import argparse
from pathlib import Path

from core import sources
from core.cli import shared
from core.result import Result
from core.run import Callbacks

NAME = "scan"
HELP = "attention bias of every fitting sentence of a corpus"
DESCRIPTION = (
    "Reads a text file (or a column of a CSV), keeps the sentences with a male word, a female word and an occupation, "
    "and measures attention bias along one model (Li et al. 2021). Written to a folder as it goes: run the same "
    "command again to resume."
)
EPILOG = "One model at a time."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--corpus", required=True, metavar="FILE", help="plain text, CSV or TSV")
    parser.add_argument("--column", metavar="NAME", help="of a CSV or TSV file: the column with the text")
    parser.add_argument(
        "--out", required=True, metavar="DIR", help="a new folder in one that exists, or that of a scan to resume"
    )
    parser.add_argument("--model", default="default", metavar="MODEL", help="catalog name, hub id or folder")
    shared.add_precision(parser)


def run(asked: argparse.Namespace) -> Result:
    """Scan, or go on with a scan."""
    corpus = sources.CorpusFile(Path(asked.corpus).expanduser(), asked.column)
    corpus.check()
    shared.check_models([asked.model])
    from core.measures.attention import scan, scan_store

    folder = Path(asked.out).expanduser()
    scan_store.check_folder(folder)
    with (
        shared.lent_models([asked.model], asked, attention="eager") as lent,
        shared.lent_models(["default"], asked) as twins,
    ):
        result = scan.run(lent.models[0], twins.models[0], corpus, folder, run=Callbacks(shared.show_progress))
    shared.say("; ".join(f"{reason}: {count:,}" for reason, count in result.counts))
    shared.say("; ".join(f"{stage}: {seconds:,.1f} s" for stage, seconds in result.seconds))
    return result
