"""A small corpus of our own to scan, and the scan of it that comes with the program.

The scan is what ``python -m core scan --corpus assets/data/example_corpus.txt --out FOLDER`` writes; a test makes it
again and compares the figures.
"""

from __future__ import annotations

from .corpus_files import CorpusFile
from .lists import DATA, read_json

EXAMPLE_SCAN = DATA / "example_scan"  # of the corpus below in the model that comes with the program


def example_corpus() -> CorpusFile:
    """The corpus: 200 sentences, one per line."""
    return CorpusFile(DATA / "example_corpus.txt")


def example_note() -> str:
    """What it consists of, in a few sentences for the reader."""
    return str(read_json("example_corpus.json")["note"])
