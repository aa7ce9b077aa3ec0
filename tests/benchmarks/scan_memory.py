"""Scan a corpus of so many sentences with a tiny model into a folder; print the highest memory of the process."""

from __future__ import annotations

import sys
from pathlib import Path

from core.engine.loading import with_attentions
from core.sources import CorpusFile
from tests.support.attention_results import scanned as run
from tests.support.watching import load_tiny

NAMES = ("nurse", "teacher", "doctor", "engineer", "secretary", "manager", "programmer", "housekeeper")


def lines(count: int) -> str:
    """Sentences that are all kept, each of its own."""
    return "\n".join(f"The woman told him that the {NAMES[at % 8]} was tired, number {at}." for at in range(count))


def highest() -> float:
    """The highest memory of this process in MiB; what getrusage says is that of the process it came from, if larger."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def main(count: str, folder: str) -> None:
    corpus = Path(folder) / "corpus.txt"
    corpus.write_text(lines(int(count)), encoding="utf-8")
    model = load_tiny("bert")
    result = run(with_attentions(model), model, CorpusFile(corpus), Path(folder) / "out")
    assert result.counts["kept"] == int(count)
    sys.stdout.write(f"{highest():.0f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
