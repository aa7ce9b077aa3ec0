"""Reading cells: what goes through the model, how often, and that nothing else changes a number.

Expected numbers come from one plain forward pass per input, its logits read at the cell's place.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine import reading
from core.engine.reading import Cell
from core.errors import ModelError
from core.result import Progress
from core.run import Callbacks
from tests.support.tiny import CAUSAL, MASKED, tiny_folder
from tests.support.watching import load_folder, load_tiny, watching

TOLERANCE = 1e-5  # nats, float32
ROWS = 4e-5  # the largest difference among thousands of numbers, down to the unlikeliest token's
FAMILIES = (*MASKED, *CAUSAL)


def cells_of(family: str, lengths: Sequence[int] = (3, 5, 5, 9, 14, 20), *, seed: int = 0) -> list[Cell]:
    """Random inputs between the tokenizer's own special tokens, three cells each, two of them at one position."""
    model, draw = load_tiny(family), random.Random(seed)
    tokenizer = model.tokenizer
    special = set(tokenizer.all_special_ids)
    ordinary = [token for token in range(len(tokenizer)) if token not in special]
    frame = tokenizer("he").input_ids
    cells = []
    for length in lengths:
        ids = (frame[0], *draw.choices(ordinary, k=length - 2), frame[-1])
        first, second = draw.sample(range(length), 2)
        cells += [Cell(ids, place, draw.choice(ordinary)) for place in (first, first, second)]
    return cells


def plain(family: str, cells: Sequence[Cell]) -> list[float]:
    """Each input alone through the model, whole."""
    module = load_tiny(family).module
    with torch.inference_mode():
        return [
            module(input_ids=torch.tensor([cell.ids])).logits[0, cell.position].log_softmax(-1)[cell.token].item()
            for cell in cells
        ]


def read(family: str, cells: Sequence[Cell], **options: object) -> list[float]:
    model = load_tiny(family)
    pad = model.tokenizer.pad_token_id or 0
    options = {"stage": "Reading", "same_length": model.padding_leaks, **options}
    return reading.read(model.module, cells, pad, **options).tolist()  # type: ignore[arg-type]


@pytest.mark.parametrize("family", FAMILIES)
def test_cells_have_the_numbers_of_plain_passes(family: str) -> None:
    cells = cells_of(family)
    assert read(family, cells) == pytest.approx(plain(family, cells), abs=TOLERANCE)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_distinct_input_goes_through_once(family: str) -> None:
    cells = cells_of(family) * 3
    with watching(load_tiny(family)) as watched:
        values = read(family, cells)
    assert sorted(watched.inputs) == sorted({cell.ids for cell in cells})
    assert len(watched.inputs) == 6
    assert values[:18] == values[18:36] == values[36:]


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "opt"])
def test_the_head_sees_the_wanted_positions_only(family: str) -> None:
    """Two positions are wanted in each input, of 3 to 20 tokens."""
    with watching(load_tiny(family)) as watched:
        read(family, cells_of(family))
    assert {positions for _, positions in watched.head} == {2}
    assert sum(rows for rows, _ in watched.head) == 6


def test_opt_is_cut_although_it_passes_its_body_by() -> None:
    """OPT calls its decoder and not its body: the two positions that are read, of 20."""
    cells = cells_of("opt", [20])
    with watching(load_tiny("opt")) as watched:
        values = read("opt", cells)
    assert watched.head == [(1, 2)]
    assert values == pytest.approx(plain("opt", cells), abs=TOLERANCE)


def test_a_model_that_nobody_can_cut_gives_the_same_numbers() -> None:
    """Without the place where states are cut, the head sees all 20 positions and the numbers are picked afterwards."""
    cells = cells_of("opt", [20])
    model = load_tiny("opt")
    hooks = model.module.base_model.decoder._forward_hooks
    kept = dict(hooks)
    hooks.clear()
    try:
        with watching(model) as watched:
            values = read("opt", cells)
    finally:
        hooks.update(kept)
    assert watched.head == [(1, 20)]
    assert values == pytest.approx(plain("opt", cells), abs=TOLERANCE)


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_nothing_is_cut_outside_a_reading(family: str) -> None:
    model = load_tiny(family)
    cells = cells_of(family, [20])
    read(family, cells)
    with watching(model, room=0), pytest.raises(ModelError, match="Memory ran out, even for one text at a time"):
        read(family, cells)
    with torch.inference_mode():
        ids = torch.tensor([cells[0].ids])
        assert model.module(input_ids=ids).logits.shape[:2] == (1, 20)
        assert model.module.base_model(input_ids=ids)[0].shape[:2] == (1, 20)


@settings(deadline=None, max_examples=25)
@given(order=st.permutations(range(18)), tokens=st.integers(1, 300), family=st.sampled_from(FAMILIES))
def test_order_and_budget_change_no_number(order: list[int], tokens: int, family: str) -> None:
    cells = cells_of(family)
    expected = plain(family, cells)
    found = read(family, [cells[i] for i in order], max_tokens=tokens)
    assert found == pytest.approx([expected[i] for i in order], abs=TOLERANCE)


@pytest.mark.parametrize("tokens", [20, 45, 100])
def test_batches_keep_the_token_budget(tokens: int) -> None:
    with watching(load_tiny("bert")) as watched:
        read("bert", cells_of("bert"), max_tokens=tokens)
    rows = iter(watched.inputs)
    for size in watched.batches:
        longest = max(len(next(rows)) for _ in range(size))
        assert size * longest <= tokens


def test_the_projection_is_kept_small_whatever_the_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for the projections of two rows of two positions: at most two inputs of a batch, same numbers."""
    vocabulary = load_tiny("bert").module.config.vocab_size
    cells = cells_of("bert", [8] * 7)
    expected = read("bert", cells)
    monkeypatch.setattr(reading, "LOGITS", 2 * 2 * vocabulary)
    with watching(load_tiny("bert")) as watched:
        assert read("bert", cells) == pytest.approx(expected, abs=TOLERANCE)
    assert watched.batches == [2, 2, 2, 1]


def test_opts_whole_projection_is_kept_small_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """OPT's logits come whole: the limit holds for all 8 positions of a row, not for the two that are wanted."""
    vocabulary = load_tiny("opt").module.config.vocab_size
    monkeypatch.setattr(reading, "LOGITS", 2 * 8 * vocabulary)
    with watching(load_tiny("opt")) as watched:
        read("opt", cells_of("opt", [8] * 7))
    assert max(rows * positions for rows, positions in watched.head) <= 2 * 8


@pytest.mark.parametrize("family", ["bert", "mobilebert", "modernbert", "gpt2", "opt"])
@pytest.mark.parametrize("room", [1, 2, 4])
def test_running_out_of_memory_changes_no_number(family: str, room: int) -> None:
    cells = cells_of(family, [5, 5, 5, 5, 7, 7, 9, 20])
    reports: list[Progress] = []
    with watching(load_tiny(family), room=room) as watched:
        values = read(family, cells, run=Callbacks(reports.append))
    assert watched.refused or (family == "mobilebert" and room == 4)  # its batches of one length hold four at most
    assert values == pytest.approx(plain(family, cells), abs=TOLERANCE)
    assert sorted(watched.inputs) == sorted({cell.ids for cell in cells})
    assert reports[-1].done == reports[-1].total == 8


def test_an_input_too_large_by_itself_raises() -> None:
    with watching(load_tiny("bert"), room=0) as watched, pytest.raises(ModelError, match="Memory ran out"):
        read("bert", cells_of("bert"))
    assert watched.refused == [6, 3, 2, 1]


def test_the_processors_own_out_of_memory_is_recognised() -> None:
    """Asked for a petabyte, torch says on each system in its own words that there is none."""
    with pytest.raises(RuntimeError) as caught:
        torch.empty(1 << 50, dtype=torch.uint8)
    assert reading.is_out_of_memory(caught.value)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (torch.OutOfMemoryError("CUDA out of memory"), True),
        (MemoryError(), True),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: not enough memory: you tried to allocate 4 bytes"), True),
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), False),
        (IndexError("index out of range in self"), False),
    ],
)
def test_what_counts_as_out_of_memory(error: Exception, expected: bool) -> None:
    assert reading.is_out_of_memory(error) == expected


def test_progress_counts_inputs_up_to_their_number() -> None:
    reports: list[Progress] = []
    read("bert", cells_of("bert") * 2, max_tokens=20, run=Callbacks(reports.append))
    assert [report.done for report in reports] == sorted(report.done for report in reports)
    assert (reports[0].done, reports[-1].done) == (0, 6)
    assert {report.total for report in reports} == {6}
    assert {report.stage for report in reports} == {"Reading"}
    assert len(reports) > 3  # between batches, not only at the ends


@pytest.mark.parametrize("batches", [0, 1, 3])
def test_a_stop_keeps_what_is_done(batches: int) -> None:
    cells = cells_of("bert")
    asked = itertools.count()
    with watching(load_tiny("bert")) as watched:
        values = read("bert", cells, max_tokens=20, run=Callbacks(cancelled=lambda: next(asked) >= batches))
    assert len(watched.batches) == batches
    done = [cell.ids in watched.inputs for cell in cells]
    assert [not np.isnan(value) for value in values] == done
    expected = plain("bert", cells)
    assert [v for v in values if not np.isnan(v)] == pytest.approx(
        [e for e, kept in zip(expected, done, strict=True) if kept], abs=TOLERANCE
    )


@pytest.mark.parametrize("family", ["bert", "opt"])
def test_nothing_to_read(family: str) -> None:
    reports: list[Progress] = []
    with watching(load_tiny(family)) as watched:
        assert read(family, [], run=Callbacks(reports.append)) == []
    assert watched.inputs == []
    assert [(report.done, report.total) for report in reports] == [(0, 0)]


def positions_of(family: str) -> list[tuple[tuple[int, ...], int]]:
    return [(cell.ids, cell.position) for cell in cells_of(family)]


def at_positions(family: str, inputs: Sequence[tuple[tuple[int, ...], int]], **options: object) -> list[object]:
    model = load_tiny(family)
    pad = model.tokenizer.pad_token_id or 0
    options = {"stage": "Reading", "same_length": model.padding_leaks, **options}
    return list(reading.at_positions(model.module, inputs, pad, reading.whole, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("family", FAMILIES)
def test_whole_distributions_have_the_numbers_of_plain_passes(family: str) -> None:
    """Also backwards, with memory for one row, and asked twice: each distinct input and position goes through once."""
    model, inputs = load_tiny(family), positions_of(family)
    with torch.inference_mode():
        expected = np.array(
            [model.module(input_ids=torch.tensor([ids])).logits[0, at].log_softmax(-1).numpy() for ids, at in inputs]
        )
    with watching(model) as watched:
        found = at_positions(family, [*inputs, *inputs])
    assert len(watched.inputs) == len(set(inputs)) == 12
    assert np.array(found) == pytest.approx(np.concatenate([expected, expected]), abs=ROWS)
    assert np.array(at_positions(family, inputs[::-1])) == pytest.approx(expected[::-1], abs=ROWS)
    with watching(model, room=1) as watched:
        assert np.array(at_positions(family, inputs)) == pytest.approx(expected, abs=ROWS)
    assert watched.refused


def test_distributions_of_a_large_vocabulary_are_read_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for the projections of two positions: the five inputs of one length go in two, two and one."""
    cells = cells_of("bert", [8] * 5)
    monkeypatch.setattr(reading, "LOGITS", 2 * load_tiny("bert").module.config.vocab_size)
    with watching(load_tiny("bert")) as watched:
        at_positions("bert", [(cell.ids, cell.position) for cell in cells[::3]])
    assert watched.batches == [2, 2, 1]


def test_a_stopped_distribution_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """One input a batch: the longest is reached, which stands last."""
    monkeypatch.setattr(reading, "TOKENS", 1)
    asked = itertools.count()
    found = at_positions("bert", positions_of("bert")[::3], run=Callbacks(cancelled=lambda: next(asked) >= 1))
    assert [item is None for item in found] == [True] * 5 + [False]


def test_the_best_are_sorted_and_sum_to_one_over_the_vocabulary() -> None:
    module = load_tiny("bert").module
    inputs = positions_of("bert")
    found = reading.at_positions(module, inputs, 0, reading.best(10**6), stage="")
    few = reading.at_positions(module, inputs, 0, reading.best(3), stage="")
    for whole, three in zip(found, few, strict=True):
        assert whole is not None
        tokens, probabilities = whole
        assert sorted(tokens) == list(range(module.config.vocab_size))
        assert probabilities == sorted(probabilities, reverse=True)
        assert sum(probabilities) == pytest.approx(1, abs=1e-5)
        assert three == (tokens[:3], probabilities[:3])


def test_only_mobileberts_padding_leaks() -> None:
    """Each of its words is mixed from its neighbours' embeddings, the padding behind the last one included."""
    assert [family for family in FAMILIES if load_tiny(family).padding_leaks] == ["mobilebert"]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_is_not_taken_for_a_leak(dtype: str) -> None:
    leaks = {name: load_folder(tiny_folder(name), dtype=dtype).padding_leaks for name in ("bert", "gpt2", "mobilebert")}
    assert leaks == {"bert": False, "gpt2": False, "mobilebert": True}


def test_lengths_kept_apart_are_needed_where_padding_leaks() -> None:
    """With lengths mixed MobileBERT gives other numbers, so ``same_length`` is what the tests above rest on."""
    cells = cells_of("mobilebert", [5, 9, 14])
    mixed = read("mobilebert", cells, same_length=False)
    assert np.abs(np.array(mixed) - plain("mobilebert", cells)).max() > 1e-3


@pytest.mark.parametrize(
    ("error", "raised", "sentence"),
    [
        (
            torch.AcceleratorError("CUDA error: lost\nmore"),
            ModelError,
            r"failed while it was computing \(Acc.*: lost\)",
        ),
        (MemoryError(), ModelError, "Memory ran out"),
        (ZeroDivisionError("our own"), ZeroDivisionError, "our own"),
    ],
)
def test_a_device_that_fails_in_the_middle(error: Exception, raised: type[Exception], sentence: str) -> None:
    """What fails of the device is said; what fails of the program is not made up as such."""

    def run(_: Sequence[int]) -> None:
        raise error

    with pytest.raises(raised, match=sentence) as caught:
        list(reading.in_batches([[0]], run, stage="Scoring", run=Callbacks(lambda _: None, lambda: False)))
    assert error in (caught.value, caught.value.__cause__)
