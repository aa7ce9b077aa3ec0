"""``shelf``: the scores of real models that others published."""

from __future__ import annotations

import argparse

import pandas as pd

from ..sources.published import PREFIX, entries
from .shared import Listing

NAME = "shelf"
HELP = "list the published results of real models"
DESCRIPTION = (
    f"Scores of real models that others published, not measured here. “show {PREFIX}ID” prints one, “history diff RUN "
    f"{PREFIX}ID” compares a run with it, and --published ID puts it beside the models of its measure."
)
EPILOG = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It has no options of its own."""


def run(options: argparse.Namespace) -> Listing:
    """What there is, a row each."""
    rows = [
        (entry.id, entry.measure, entry.model, entry.alone or "comparable", entry.source, entry.licence)
        for entry in entries()
    ]
    return Listing(
        pd.DataFrame(rows, columns=["id", "measure", "model", "beside measured models", "source", "licence"])
    )
