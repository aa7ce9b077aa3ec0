"""Seconds of several pieces of work, measured in turns, so that a busy machine slows all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Seconds:
    """``wall`` is what a user waits; ``cpu``, over all threads, is less disturbed by others on the machine."""

    wall: float
    cpu: float


def seconds(work: Callable[[], Any]) -> Seconds:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Seconds(time.perf_counter() - wall, time.process_time() - cpu)


def in_turns(*works: Callable[[], Any], rounds: int) -> list[Seconds]:
    """The median seconds of each piece of work, measured one after the other, several times round."""
    for work in works:
        work()
    taken = [[seconds(work) for work in works] for _ in range(rounds)]
    return [
        Seconds(statistics.median(s.wall for s in column), statistics.median(s.cpu for s in column))
        for column in zip(*taken, strict=True)
    ]
