"""Reading log probabilities: cells in, numbers out, with the prediction head at the wanted places only.

A cell is one number to read: the input's token ids, a position in it, and the token whose probability counts
there. Masked and causal scorers turn their questions into cells and share everything below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from core.engine import batching
from core.engine.positions import at, wanting
from core.errors import ModelError
from core.result import Progress
from core.run import UNWATCHED, Watch
from core.sources.failures import first_line

T = TypeVar("T")

# Tokens of one forward pass, padding counted.
TOKENS = 4096
# On a processor fewer stay in its cache: 1,024 are a fifth faster than 4,096 on two cores. A large model gets fewer
# still, so that each second shows progress and can be the last.
PROCESSOR_TOKENS, LEAST_TOKENS = 1024, 256
_QUICK_PARAMETERS = 11e6  # of a body that reads 4,096 tokens in about a second on two cores
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
                input_ids=one, attention_mask=(torch.arange(one.shape[1], device=device) < len(ids))[None].long()
            )[0]
            for one in (alone, padded)
        ]
    first, second = (state[0, : len(ids)].float() for state in states)
    # Half precision rounds by up to a hundredth of the states' size, batch or no batch.
    noise = 1e-3 if first.dtype == states[0].dtype else 0.05
    return bool((first - second).abs().max() > noise * first.abs().max())


def read(
    module: Any,
    cells: Sequence[Cell],
    pad_id: int,
    *,
    stage: str,
    same_length: bool = False,
    max_tokens: int | None = None,
    run: Watch = UNWATCHED,
) -> NDArray[np.float64]:
    """ln P of every cell, float64 [cell]; NaN for cells not reached because the run was cancelled.

    Each distinct input goes through the model once. The numbers do not depend on order, batch size or padding
    (1e-5 in float32); ``same_length`` keeps inputs of different lengths apart for models whose padding leaks.
    When memory runs out the batch is halved and the run goes on.
    """
    inputs, owner = batching.unique(cell.ids for cell in cells)
    wanted: list[dict[int, int]] = [{} for _ in inputs]  # position → column among the states kept
    members: list[list[int]] = [[] for _ in inputs]
    for c, (cell, i) in enumerate(zip(cells, owner, strict=True)):
        wanted[i].setdefault(cell.position, len(wanted[i]))
        members[i].append(c)
    values = np.full(len(cells), np.nan)
    device = next(module.parameters()).device
    vocabulary = module.get_input_embeddings().weight.shape[0]
    widest = max((len(columns) for columns in wanted), default=1)

    def answer(batch: Sequence[int]) -> NDArray[np.float64]:
        ids, attention = padded([inputs[i] for i in batch], pad_id)
        width = max(len(wanted[i]) for i in batch)
        positions = torch.tensor([[*wanted[i], *[0] * (width - len(wanted[i]))] for i in batch])
        rows = [r for r, i in enumerate(batch) for _ in members[i]]
        columns = [wanted[i][cells[c].position] for i in batch for c in members[i]]
        tokens = [cells[c].token for i in batch for c in members[i]]
        log_probs, _ = forward(module, ids.to(device), attention.to(device), positions.to(device))
        return log_probs[rows, columns, tokens].double().cpu().numpy()

    for part, output in in_batches(
        [len(ids) for ids in inputs],
        max_tokens or tokens_at_once(module),
        answer,
        stage=stage,
        # The projection of a batch is rows × kept positions × vocabulary.
        max_rows=max(1, LOGITS // (vocabulary * widest)),
        same_length=same_length,
        run=run,
    ):
        values[[c for i in part for c in members[i]]] = output
    return values


def tokens_at_once(module: Any) -> int:
    """How many tokens a forward pass may hold, by the device and the size of the model without its embeddings."""
    embedding = module.get_input_embeddings().weight
    if embedding.device.type != "cpu":
        return TOKENS
    body = max(1, sum(one.numel() for one in module.parameters()) - embedding.numel())
    quick = int(4096 * _QUICK_PARAMETERS / body)
    return min(TOKENS, PROCESSOR_TOKENS, max(LEAST_TOKENS, quick))


def in_batches(
    lengths: Sequence[int],
    max_tokens: int,
    answer: Callable[[Sequence[int]], T],
    *,
    stage: str,
    max_rows: int | None = None,
    same_length: bool,
    run: Watch,
) -> Iterator[tuple[Sequence[int], T]]:
    """Run every input once, in batches (see ``batching.plan``): yields (indices, output) until cancelled.

    Reports the inputs done, after each batch and its output's use. When memory runs out the batch is halved.
    Raises ModelError where one input alone is too much, and where the device fails.
    """
    done = 0
    run.report(Progress(stage, 0, len(lengths)))
    for batch in batching.plan(lengths, max_tokens, max_rows=max_rows, same_length=same_length):
        if run.cancelled():
            return
        with _device_errors():
            for part, output in batching.run_halving(batch, answer, is_out_of_memory, release_memory):
                yield part, output
                done += len(part)
                run.report(Progress(stage, done, len(lengths)))


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

    for part, output in in_batches(
        [len(ids) for ids, _ in distinct],
        tokens_at_once(module),
        answer,
        stage=stage,
        max_rows=max(1, LOGITS // vocabulary),
        same_length=same_length,
        run=run,
    ):
        for i, one in zip(part, output, strict=True):
            found[i] = one
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
    module: Any, ids: torch.Tensor, attention: torch.Tensor, positions: torch.Tensor, *, maps: bool = False
) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
    """Log probabilities [row, kept position, vocabulary], float32, and with ``maps`` the attention of each layer.

    All of them, and not their sum by ``logsumexp``, which takes four times as long on a processor.
    """
    options = {"output_attentions": True} if maps else {}
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
