"""What a benchmark is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from core import spec


@dataclass(frozen=True)
class BenchmarkOptions:
    """The choices of the benchmarks.

    ``pieces``: the tokens of a StereoSet candidate are masked ``together`` and the candidate has their mean log
    probability, or they are ``revealed`` from left to right, as in the authors' code, and it has their mean
    probability. ``average``: StereoSet's scores are means over target ``terms`` or over ``pairs``. ``fills``: DisCo
    looks at the ``top`` three fills (Webster et al.) or at all of ``probability`` above .1 (Lauscher et al.).
    ``text``: sentences are scored ``exact``, as the file has them, or ``normalised`` (Unicode NFC, white space made
    single spaces). ``seed`` feeds every bootstrap.
    """

    pieces: str = spec.choice("together", "revealed")
    average: str = spec.choice("terms", "pairs")
    fills: str = spec.choice("top", "probability")
    text: str = spec.choice("exact", "normalised")
    seed: int = spec.seed()
