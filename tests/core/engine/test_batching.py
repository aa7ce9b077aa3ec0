"""Batches, distinct inputs and halving, with made-up work instead of a model."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.batching import plan, run_halving, unique

LENGTHS = st.lists(st.integers(1, 60), max_size=60)
BUDGETS = st.integers(1, 200)


class OutOfMemory(Exception):
    """Stands for what a device raises."""


def is_out_of_memory(error: BaseException) -> bool:
    return isinstance(error, OutOfMemory)


class Machine:
    """Doubles numbers, at most ``room`` at a time; remembers the sizes it was given and every release."""

    def __init__(self, room: int, *, error: Exception | None = None) -> None:
        self.room = room
        self.error = error or OutOfMemory("full")
        self.events: list[int | str] = []

    def run(self, batch: Sequence[int]) -> list[int]:
        self.events.append(len(batch))
        if len(batch) > self.room:
            raise self.error
        return [2 * i for i in batch]

    def release(self) -> None:
        self.events.append("release")

    def all(self, batch: Sequence[int]) -> list[tuple[Sequence[int], list[int]]]:
        return list(run_halving(batch, self.run, is_out_of_memory, self.release))


def test_plan_by_hand() -> None:
    """Sorted 9 5 5 2 1 with at most 10 tokens: 9; 5 + 5 = 10; 2 and 1 padded to 2."""
    assert plan([5, 9, 1, 5, 2], 10) == [[1], [0, 3], [4, 2]]


def test_plan_counts_padding() -> None:
    """6 + 1 + 1 + 1 are 9 tokens, but four rows of 6 are 24: only two rows fit into 12."""
    assert plan([1, 6, 1, 1], 12) == [[1, 0], [2, 3]]


def test_plan_keeps_lengths_apart_when_asked() -> None:
    assert plan([3, 4, 3, 4], 100) == [[1, 3, 0, 2]]
    assert plan([3, 4, 3, 4], 100, same_length=True) == [[1, 3], [0, 2]]
    assert plan([3, 3, 3], 6, same_length=True) == [[0, 1], [2]]


def test_nothing_to_plan() -> None:
    assert plan([], 10) == []


@given(LENGTHS, BUDGETS, st.booleans())
def test_plan_is_a_partition_within_the_budget(lengths: list[int], budget: int, same_length: bool) -> None:
    batches = plan(lengths, budget, same_length=same_length)
    assert sorted(itertools.chain(*batches)) == list(range(len(lengths)))
    for batch in batches:
        assert batch
        longest = max(lengths[i] for i in batch)
        assert longest * len(batch) <= budget or len(batch) == 1
        assert not same_length or {lengths[i] for i in batch} == {longest}
    flat = [lengths[i] for batch in batches for i in batch]
    assert flat == sorted(flat, reverse=True)


@given(LENGTHS, BUDGETS)
def test_plan_wastes_no_room(lengths: list[int], budget: int) -> None:
    """A batch is closed only when the next input would not have fitted."""
    batches = plan(lengths, budget)
    for batch in batches[:-1]:
        assert lengths[batch[0]] * (len(batch) + 1) > budget


@given(st.lists(st.integers(0, 9)))
def test_unique_can_be_undone(items: list[int]) -> None:
    distinct, places = unique(items)
    assert [distinct[place] for place in places] == items
    assert len(set(distinct)) == len(distinct)
    assert [items.index(item) for item in distinct] == sorted(items.index(item) for item in distinct)


def test_unique_by_hand() -> None:
    assert unique("banana") == (["b", "a", "n"], [0, 1, 2, 1, 2, 1])
    assert unique([]) == ([], [])


def test_a_batch_that_fits_runs_once() -> None:
    machine = Machine(room=4)
    assert machine.all([7, 5, 3]) == [([7, 5, 3], [14, 10, 6])]
    assert machine.events == [3]


def test_a_batch_that_does_not_fit_is_halved_until_it_does() -> None:
    """5 into 3 + 2, and the 3 into 2 + 1; the larger half first, and memory released before each retry."""
    machine = Machine(room=2)
    assert machine.all([10, 11, 12, 13, 14]) == [([10, 11], [20, 22]), ([12], [24]), ([13, 14], [26, 28])]
    assert machine.events == [5, "release", 3, "release", 2, 1, 2]


@given(st.lists(st.integers(), min_size=1, max_size=40), st.integers(1, 40))
def test_halving_loses_nothing_and_keeps_the_order(batch: list[int], room: int) -> None:
    machine = Machine(room)
    parts = machine.all(batch)
    assert [i for part, _ in parts for i in part] == batch
    assert [value for _, values in parts for value in values] == [2 * i for i in batch]
    assert all(len(part) <= room for part, _ in parts)
    assert machine.events.count("release") == sum(isinstance(size, int) and size > room for size in machine.events)


def test_a_single_input_that_does_not_fit_raises() -> None:
    machine = Machine(room=0)
    with pytest.raises(OutOfMemory, match="full"):
        machine.all([1, 2, 3, 4])
    assert machine.events == [4, "release", 2, "release", 1]


@pytest.mark.parametrize("size", [1, 5])
def test_other_errors_pass_through_at_once(size: int) -> None:
    machine = Machine(room=0, error=ZeroDivisionError("not memory"))
    with pytest.raises(ZeroDivisionError, match="not memory"):
        machine.all(range(size))
    assert machine.events == [size]


def test_parts_are_handed_on_as_they_finish() -> None:
    """What ran before a failure is in the caller's hands."""

    def run(batch: Sequence[int]) -> str:
        if len(batch) > 1:
            raise OutOfMemory
        if batch[0] == 2:
            raise ZeroDivisionError
        return "done"

    parts = run_halving([1, 2], run, is_out_of_memory, lambda: None)
    assert next(parts) == ([1], "done")
    with pytest.raises(ZeroDivisionError):
        next(parts)
