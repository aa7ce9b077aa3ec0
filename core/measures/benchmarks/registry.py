"""Which benchmarks there are. To add one, declare it beside those of its kind and name it here."""

from __future__ import annotations

from ...errors import OptionError, instead
from ...sources.parsing import shown
from . import fills, pairs, pronouns, stereoset
from .benchmark import Benchmark

BENCHMARKS = (
    pairs.CROWS_PAIRS,
    pairs.AUL,
    pairs.AULA,
    stereoset.STEREOSET,
    fills.DISCO,
    pronouns.WINOBIAS,
    pronouns.WINOGENDER,
    fills.HONEST,
)


def benchmark(name: str) -> Benchmark:
    """The benchmark of that id. Raises OptionError, with the ids there are, for any other."""
    by_id = {benchmark.id: benchmark for benchmark in BENCHMARKS}
    if name not in by_id:
        raise OptionError(f"There is no benchmark “{shown(name)}”. {instead(name, by_id)}")
    return by_id[name]
