"""Published facts that travel with the clone, and published data that do not."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import pandas as pd
import pytest

from tests.support.paths import ROOT, SHARED

FOLDER = ROOT / "tests" / "reference"
SHELF = ROOT / "assets" / "data" / "published"
CORPORA = SHARED / "data" / "benchmarks"
ABSENT = "not with the clone: "


def table(name: str) -> pd.DataFrame:
    """``<name>.csv`` of the tests, or of what ships; README.md beside it says what it holds, and where it is from."""
    folder = SHELF if (SHELF / f"{name}.csv").is_file() else FOLDER
    return pd.read_csv(folder / f"{name}.csv", keep_default_na=False)


def digest(entries: Iterable[str]) -> str:
    """What the tables keep of a list of texts: the first 16 hex digits of the SHA-256 of its lines."""
    return hashlib.sha256("\n".join(entries).encode()).hexdigest()[:16]


def published_list(name: str) -> tuple[int, str]:
    """How many entries a published list has, and their digest."""
    ((entries, of_all),) = (
        table("word_lists").query("list == @name", local_dict={"name": name})[["entries", "digest"]].values
    )
    return entries, of_all


def corpus_file(name: str, corpus: str) -> Path:
    """A published corpus whole, which is not ours to pass on; skips the test where it is not beside the clone."""
    file = CORPORA / name
    return file if file.is_file() else skip(corpus)


def skip(what: str) -> NoReturn:
    """Skip the test for want of ``what``, a corpus or a model by its name."""
    pytest.skip(f"{ABSENT}{what}")


def absent(reasons: Iterable[str]) -> str:
    """The line at the end of a run: how many tests were skipped for want of what; empty if none was."""
    wanted = Counter(reason.partition(ABSENT)[2] for reason in reasons if ABSENT in reason)
    if not wanted:
        return ""
    named = ", ".join(f"{what} ({count})" for what, count in sorted(wanted.items()))
    return f"Tests skipped for want of what is not with the clone: {named}; see tests/reference/README.md."
