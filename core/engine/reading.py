"""Reading log probabilities: cells in, numbers out, with the prediction head at the wanted places only.

A cell is one number to read: the input's token ids, a position in it, and the token whose probability counts
there. Masked and causal scorers turn their questions into cells and share everything below.

Texts of a causal model that begin alike go through it as a tree in one row: each token stands at the depth it has in
its own text and sees the tokens before it there, and no others. A beginning is computed once, without a cache of keys
and values that would have to be copied for every text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import ModelError
from ..result import Progress
from ..run import UNWATCHED, Watch
from ..sources.failures import first_line
from . import batching, prefix_trees
from .positions import at, wanting

T = TypeVar("T")

# Tokens of one forward pass, padding counted.
TOKENS = 4096
# On a processor fewer stay in its cache: 1,024 are a fifth faster than 4,096 on two cores. A large model gets fewer
# still, so that each second shows progress and can be the last.
PROCESSOR_TOKENS, LEAST_TOKENS = 1024, 256
_QUICK_PARAMETERS = 11e6  # of a body that reads 4,096 tokens in about a second on two cores
# Tokens of a row that holds a tree, and of the longest text in one. Each token is held against all others of its row:
# rows of 64 to 424 tokens are equally fast on two cores, and longer ones cost more than the beginnings they save.
TREE, LONGEST_IN_TREE = 128, 72
# Numbers the vocabulary projection may hold at once (256 MiB in float32), whatever the vocabulary's size.
LOGITS = 1 << 26


@dataclass(frozen=True, slots=True)
class Cell:
    """ln P(``token``) is read at ``position`` of the input ``ids`` (special tokens included)."""

    ids: tuple[int, ...]
    position: int
    token: int


def padding_leaks(module: Any, pad_id: int, ids: Sequence[int]) -> bool:
    """Whether padding changes the states of a short input, as in MobileBERT, which mixes in each neighbour's word.

    Asked of the model itself, once, since no setting says so for every family.
    """
    device = next(module.parameters()).device
    alone = torch.tensor([list(ids)], device=device)
    padded = torch.nn.functional.pad(alone, (0, 8), value=pad_id)
    with torch.inference_mode():
        states = [
            module.base_model(
                input_ids=row, attention_mask=(torch.arange(row.shape[1], device=device) < len(ids))[None].long()
            )[0]
            for row in (alone, padded)
        ]
    first, second = (state[0, : len(ids)].float() for state in states)
    # Half precision rounds by up to a hundredth of the states' size, batch or no batch.
    noise = 1e-3 if first.dtype == states[0].dtype else 0.05
    return bool((first - second).abs().max() > noise * first.abs().max())


def reads_trees(module: Any) -> bool:
    """Whether a causal model gives the texts of a tree the numbers it gives each of them alone.

    It does where a token sees just what the attention mask says, and stands where the position it is given says. It
    does not where states are handed on from token to token (Mamba), distances are counted in the row (ALiBi), or an
    attention window is shorter than the text. No setting says so for every family: asked of the model itself, with
    the longest texts in the longest row that ``read`` makes.
    """
    row = random.Random(0).choices(range(module.get_input_embeddings().weight.shape[0]), k=TREE)
    common = 2 * LONGEST_IN_TREE - TREE
    first, second = tuple(row[:LONGEST_IN_TREE]), (*row[:common], *row[LONGEST_IN_TREE:])
    found = []
    try:
        # The tree first: where it is refused nothing else is computed.
        for layout in (_tree_rows([first, second], TREE), _plain_rows([second], 0)):
            _, places = layout.places[-1]
            found.append(_log_probs(module, layout, torch.tensor([places[common:]])))
    except Exception:  # each family has its own way of saying that it cannot
        return False
    tree, plain = found
    # In float32 what is right is within 1e-5 of the numbers' spread and what is wrong beyond a tenth of it; half
    # precision rounds by a fortieth.
    noise = 1e-4 if next(module.parameters()).dtype == torch.float32 else 0.05
    return bool((tree - plain).square().mean().sqrt() < noise * plain.std())


def read(
    module: Any,
    cells: Sequence[Cell],
    pad_id: int,
    *,
    stage: str,
    same_length: bool = False,
    trees: bool = False,
    max_tokens: int | None = None,
    run: Watch = UNWATCHED,
) -> NDArray[np.float64]:
    """ln P of every cell, float64 [cell]; NaN for cells not reached because the run was cancelled.

    Each distinct input goes through the model once. The numbers do not depend on order, batch size or padding
    (1e-5 in float32); ``same_length`` keeps inputs of different lengths apart for models whose padding leaks. With
    ``trees``, for causal models that ``reads_trees`` says yes of, what inputs share at their beginnings goes through
    once for all of a row, and what stands behind the last position that is read does not. When memory runs out the
    batch is halved and the run continues.
    """
    inputs, owner = batching.unique(cell.ids for cell in cells)
    members: list[list[int]] = [[] for _ in inputs]
    for c, i in enumerate(owner):
        members[i].append(c)
    if trees:
        inputs = [ids[: max(cells[c].position for c in own) + 1] for ids, own in zip(inputs, members, strict=True)]
    values = np.full(len(cells), np.nan)
    budget = max_tokens or tokens_at_once(module)
    room = min(TREE, budget)

    def in_tree(i: int) -> bool:
        return trees and len(inputs[i]) <= LONGEST_IN_TREE

    def answer(batch: Sequence[int]) -> NDArray[np.float64]:
        texts = [inputs[i] for i in batch]
        layout = _tree_rows(texts, room) if in_tree(batch[0]) else _plain_rows(texts, pad_id)
        kept: list[dict[int, int]] = [{} for _ in layout.ids]  # place in the row → column among the states kept
        picked = []
        for i, (row, places) in zip(batch, layout.places, strict=True):
            for c in members[i]:
                column = kept[row].setdefault(places[cells[c].position], len(kept[row]))
                picked.append((row, column, cells[c].token))
        width = max(map(len, kept))
        positions = torch.tensor([[*columns, *[0] * (width - len(columns))] for columns in kept])
        log_probs = _log_probs(module, layout, positions)
        return log_probs[tuple(torch.tensor(picked).T)].double().cpu().numpy()

    vocabulary = module.get_input_embeddings().weight.shape[0]
    plain = [i for i in range(len(inputs)) if not in_tree(i)]
    widest = max((len({cells[c].position for c in members[i]}) for i in plain), default=1)
    # The projection of a batch is rows × kept positions × vocabulary.
    plan = batching.plan(
        [len(inputs[i]) for i in plain],
        budget,
        max_rows=max(1, LOGITS // (vocabulary * widest)),
        same_length=same_length,
    )
    batches = [[plain[n] for n in batch] for batch in plan]
    ordered = sorted(filter(in_tree, range(len(inputs))), key=inputs.__getitem__)
    rows = prefix_trees.cut([inputs[i] for i in ordered], room)
    at_once = max(1, min(budget // room, LOGITS // (vocabulary * room)))
    batches += [
        [ordered[n] for row in rows[start : start + at_once] for n in row] for start in range(0, len(rows), at_once)
    ]
    for part, output in in_batches(batches, answer, stage=stage, run=run):
        values[[c for i in part for c in members[i]]] = output
    return values


@dataclass(frozen=True, slots=True)
class _Layout:
    """What a forward pass is given (see ``forward``), and for each text its row and the places of its tokens there."""

    ids: torch.Tensor
    attention: torch.Tensor
    depths: torch.Tensor | None
    places: list[tuple[int, Sequence[int]]]


def _plain_rows(texts: Sequence[tuple[int, ...]], pad_id: int) -> _Layout:
    """A row for each text."""
    ids, attention = padded(texts, pad_id)
    return _Layout(ids, attention, None, [(r, range(len(text))) for r, text in enumerate(texts)])


def _tree_rows(texts: Sequence[tuple[int, ...]], room: int) -> _Layout:
    """Texts, in sorted order, as trees of at most ``room`` tokens, each of them a row."""
    trees = [prefix_trees.grow(texts[t] for t in row) for row in prefix_trees.cut(texts, room)]
    longest = max(len(tree.tokens) for tree in trees)
    ids, depths = np.zeros((2, len(trees), longest), dtype=np.int64)
    sees = np.tile(np.eye(longest, dtype=bool), (len(trees), 1, 1))  # padding, too, has to see something
    for r, tree in enumerate(trees):
        ids[r, : len(tree.tokens)] = tree.tokens
        depths[r, : len(tree.tokens)] = tree.depths
        for path in tree.paths:
            sees[r][np.ix_(path, path)] = np.tri(len(path), dtype=bool)
    places: list[tuple[int, Sequence[int]]] = [(r, path) for r, tree in enumerate(trees) for path in tree.paths]
    return _Layout(torch.from_numpy(ids), torch.from_numpy(sees), torch.from_numpy(depths), places)


def _log_probs(module: Any, layout: _Layout, positions: torch.Tensor) -> torch.Tensor:
    """Log probabilities [row, kept position, vocabulary] at the positions [row, kept position] of a layout."""
    device = next(module.parameters()).device
    depths = None if layout.depths is None else layout.depths.to(device)
    ids, attention = layout.ids.to(device), layout.attention.to(device)
    return forward(module, ids, attention, positions.to(device), depths=depths)[0]


def tokens_at_once(module: Any) -> int:
    """How many tokens a forward pass may hold, by the device and the size of the model without its embeddings."""
    embedding = module.get_input_embeddings().weight
    if embedding.device.type != "cpu":
        return TOKENS
    body = max(1, sum(weights.numel() for weights in module.parameters()) - embedding.numel())
    quick = int(4096 * _QUICK_PARAMETERS / body)
    return min(TOKENS, PROCESSOR_TOKENS, max(LEAST_TOKENS, quick))


def in_batches(
    batches: Sequence[Sequence[int]],
    answer: Callable[[Sequence[int]], T],
    *,
    stage: str,
    run: Watch,
) -> Iterator[tuple[Sequence[int], T]]:
    """Run every input once, batch by batch: yields (indices, output) until cancelled.

    Reports the inputs done, after each batch and its output's use. When memory runs out the batch is halved.
    Raises ModelError where one input alone is too much, and where the device fails.
    """
    done, total = 0, sum(map(len, batches))
    run.report(Progress(stage, 0, total))
    for batch in batches:
        if run.cancelled():
            return
        with _device_errors():
            for part, output in batching.run_halving(batch, answer, is_out_of_memory, release_memory):
                yield part, output
                done += len(part)
                run.report(Progress(stage, done, total))


def at_positions(
    module: Any,
    inputs: Sequence[tuple[tuple[int, ...], int]],
    pad_id: int,
    take: Callable[[torch.Tensor], Sequence[T]],
    *,
    stage: str,
    same_length: bool = False,
    run: Watch = UNWATCHED,
) -> list[T | None]:
    """What ``take`` makes of the log probabilities [input, vocabulary] at one position of each (ids, position).

    Each distinct input goes through the model once. None for inputs not reached because the run was cancelled.
    """
    distinct, owner = batching.unique(inputs)
    found: list[T | None] = [None] * len(distinct)
    device = next(module.parameters()).device
    vocabulary = module.get_input_embeddings().weight.shape[0]

    def answer(batch: Sequence[int]) -> Sequence[T]:
        ids, attention = padded([distinct[i][0] for i in batch], pad_id)
        positions = torch.tensor([[distinct[i][1]] for i in batch])
        log_probs, _ = forward(module, ids.to(device), attention.to(device), positions.to(device))
        return take(log_probs[:, 0])

    batches = batching.plan(
        [len(ids) for ids, _ in distinct],
        tokens_at_once(module),
        max_rows=max(1, LOGITS // vocabulary),
        same_length=same_length,
    )
    for part, output in in_batches(batches, answer, stage=stage, run=run):
        for i, answered in zip(part, output, strict=True):
            found[i] = answered
    return [found[i] for i in owner]


def best(count: int) -> Callable[[torch.Tensor], list[tuple[list[int], list[float]]]]:
    """Takes the ``count`` likeliest tokens of each input, likeliest first, and their probabilities."""

    def take(log_probs: torch.Tensor) -> list[tuple[list[int], list[float]]]:
        found = log_probs.topk(min(count, log_probs.shape[-1]))
        return list(zip(found.indices.tolist(), found.values.double().exp().tolist(), strict=True))

    return take


def whole(log_probs: torch.Tensor) -> list[NDArray[np.float64]]:
    """Takes ln P of every token of the vocabulary, for each input."""
    return list(log_probs.double().cpu().numpy())


def forward(
    module: Any,
    ids: torch.Tensor,
    attention: torch.Tensor,
    positions: torch.Tensor,
    *,
    depths: torch.Tensor | None = None,
    maps: bool = False,
) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
    """Log probabilities [row, kept position, vocabulary], float32, and with ``maps`` the attention of each layer.

    ``attention`` is the mask [row, position], or [row, position, position] says what each position sees; ``depths``
    are the places in the text [row, position] where these are not the positions in the row.

    All of the log probabilities, and not their sum by ``logsumexp``, which takes four times as long on a processor.
    """
    options: dict[str, Any] = {"output_attentions": True} if maps else {}
    if depths is not None:
        options["position_ids"] = depths
    if attention.ndim == 3:
        # As what is added to the scores: of all forms the one that every implementation of attention takes.
        dtype = next(module.parameters()).dtype
        attention = torch.zeros_like(attention, dtype=dtype).masked_fill(~attention, torch.finfo(dtype).min)[:, None]
    with torch.inference_mode(), wanting(positions) as wanted:
        output = module(input_ids=ids, attention_mask=attention, **options)
        # A family that passes its body by, as OPT would, gives its logits whole.
        logits = output.logits if wanted.cut else at(output.logits, positions)
        return torch.log_softmax(logits.float(), dim=-1), output.attentions if maps else ()


def padded(rows: Sequence[tuple[int, ...]], pad_id: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and attention mask of inputs of several lengths, both [row, position]."""
    longest = max(map(len, rows))
    ids = torch.full((len(rows), longest), pad_id)
    attention = torch.zeros_like(ids)
    for r, row in enumerate(rows):
        ids[r, : len(row)] = torch.tensor(row)
        attention[r, : len(row)] = 1
    return ids, attention


@contextmanager
def _device_errors() -> Iterator[None]:
    """Say what a device that fails in the middle of a measurement fails of."""
    try:
        yield
    except Exception as error:
        if is_out_of_memory(error):
            raise ModelError(
                "Memory ran out, even for one text at a time; choose a smaller model, shorter texts, or half precision "
                "on a GPU."
            ) from error
        if isinstance(error, torch.AcceleratorError):
            raise ModelError(
                f"The device failed while it was computing ({first_line(error)}). Choose another, such as cpu."
            ) from error
        raise


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that the device's or the machine's memory is full."""
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or (
        isinstance(error, RuntimeError) and re.search("allocate memory|enough memory", str(error)) is not None
    )


def release_memory() -> None:
    """Give freed device memory back, so that the next attempt can have it."""
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()
