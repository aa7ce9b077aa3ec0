"""``models``: the models on offer by name."""

from __future__ import annotations

import argparse

import pandas as pd

from .shared import Listing

NAME = "models"
HELP = "the models on offer by name"
DESCRIPTION = "The models on offer by name. Any hub id or folder works as well."
EPILOG = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """This command has no options of its own."""


def run(_asked: argparse.Namespace) -> Listing:
    """The catalog."""
    from ..engine import catalog

    rows = pd.DataFrame([vars(entry) for entry in catalog.entries()])
    return Listing(rows.assign(languages=rows["languages"].map(", ".join)))
