"""``models``: the models on offer by name."""

from __future__ import annotations

import argparse

import pandas as pd

from core.result import Result

NAME = "models"
HELP = "the models on offer by name"
DESCRIPTION = "The models on offer by name. Any hub id or folder works as well."
EPILOG = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """This command has no options of its own."""


def run(_asked: argparse.Namespace) -> Result:
    """The catalog as a result."""
    from core.engine import catalog
    from core.measures.shared import provenance

    summary = pd.DataFrame([vars(entry) for entry in catalog.entries()])
    summary["languages"] = [", ".join(languages) for languages in summary["languages"]]
    return Result(summary, summary.iloc[:0], (), {}, provenance.of((), data=(), seed=0))
