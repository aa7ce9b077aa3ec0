"""Unique inputs → length-sorted batches → results in the order requested. Pure: no torch in here."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def unique(items: Iterable[K]) -> tuple[list[K], list[int]]:
    """Distinct items in order of first appearance, and for each item the index of its distinct one."""
    index: dict[K, int] = {}
    places = [index.setdefault(item, len(index)) for item in items]
    return list(index), places


def plan(
    lengths: Sequence[int], max_tokens: int, *, max_rows: int | None = None, same_length: bool = False
) -> list[list[int]]:
    """Cut inputs into batches of at most ``max_tokens`` tokens, padding counted, and ``max_rows``; longest first.

    Longest first, so that memory is highest at the start and the estimate of time left errs to the safe side.
    An input longer than ``max_tokens`` has a batch of its own. Every index occurs exactly once. With
    ``same_length`` no batch needs padding.
    """
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    batches: list[list[int]] = []
    for i in order:
        # Sorted downwards, the first of a batch is its longest: every row is padded to that length.
        longest = lengths[batches[-1][0]] if batches else 0
        rows = len(batches[-1]) + 1 if batches else 0
        fits = batches and longest * rows <= max_tokens and (max_rows is None or rows <= max_rows)
        if fits and not (same_length and longest != lengths[i]):
            batches[-1].append(i)
        else:
            batches.append([i])
    return batches


def run_halving(
    batch: Sequence[int],
    answer: Callable[[Sequence[int]], T],
    is_out_of_memory: Callable[[BaseException], bool],
    release: Callable[[], None],
) -> Iterator[tuple[Sequence[int], T]]:
    """Run a batch; when memory runs out, release what can be released and run its halves.

    Yields (indices, output) for each part that ran. A single input that does not fit raises as it is.
    """
    try:
        output = answer(batch)
    except Exception as error:
        if len(batch) == 1 or not is_out_of_memory(error):
            raise
    else:
        yield batch, output
        return
    # Outside the handler: the traceback would keep the tensors of the failed attempt alive.
    release()
    middle = (len(batch) + 1) // 2
    for part in (batch[:middle], batch[middle:]):
        yield from run_halving(part, answer, is_out_of_memory, release)
