"""Loaded tiny models, copies to spoil, and what goes through a model: inputs, positions before the head, failures."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from core.engine import checkpoints, loading
from core.engine.causal import CausalScorer, TextQuery
from core.engine.masked import MaskedScorer, MaskQuery
from core.sources.templates import MASK
from tests.support.tiny import tiny_folder


def load_folder(folder: Path, *, dtype: str = "float32", device: str = "cpu") -> loading.LoadedModel:
    """The model of a folder, anew."""
    return loading.load(checkpoints.fetch(checkpoints.ModelRequest(str(folder))), dtype=dtype, device=device)


@functools.cache
def load_tiny(family: str) -> loading.LoadedModel:
    """One model per family and process. Nothing may change it."""
    return load_folder(tiny_folder(family))


def a_few_numbers(model: loading.LoadedModel) -> list[float]:
    """Log probabilities of a short sentence, to see whether two models are the same."""
    if model.info.kind == "causal":
        text = "The man said that he was tired."
        found = [
            s.ln_p for s in CausalScorer(model).log_likelihood([TextQuery(text, (0, end)) for end in (3, len(text))])
        ]
    else:
        query = MaskQuery(f"The man said that {MASK} was tired.", 0, ("he", "she", "nurse"))
        found = [s.ln_p for s in MaskedScorer(model).log_probs([query])[0]]
    assert None not in found
    return [value for value in found if value is not None]


def copy_of(family: str, folder: Path) -> Path:
    """A tiny model of its own in ``folder``, which a test may spoil."""
    return Path(shutil.copytree(tiny_folder(family), folder))


def change_settings(folder: Path, file: str = "config.json", **changes: Any) -> None:
    """Overwrite some values of a settings file."""
    values = json.loads((folder / file).read_text())
    (folder / file).write_text(json.dumps({**values, **changes}))


@dataclass
class Watched:
    """``inputs``: the rows that went through the whole model, padding cut off, in order of arrival.

    Of a row that holds a tree, the texts to its leaves, as its attention mask has them. ``tokens``: how many were
    computed, padding included. ``batches``: the rows per call that succeeded. ``refused``: rows of the calls that ran
    out of memory. ``head``: shape [rows, positions] in front of the prediction head, per call that succeeded.
    """

    inputs: list[tuple[int, ...]] = field(default_factory=list)
    tokens: int = 0
    batches: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    head: list[tuple[int, int]] = field(default_factory=list)


def leaves(sees: torch.Tensor) -> torch.Tensor:
    """What the ends of a tree's texts see, [text, place], of what each place sees: an end is seen by itself alone."""
    alone = sees.sum(dim=1) == 1  # padding; a text of one token looks the same and is left out
    return sees[(sees.sum(dim=0) == 1) & ~alone]


@contextmanager
def watching(model: loading.LoadedModel, *, room: int | None = None) -> Iterator[Watched]:
    """Watch a model; with ``room``, it runs out of memory in the middle of a call for more rows than that."""
    watched = Watched()

    def before(_module: Any, _args: Any, kwargs: dict[str, Any]) -> None:
        ids, attention = kwargs["input_ids"], kwargs["attention_mask"]
        if room is None or len(ids) <= room:
            watched.batches.append(len(ids))
            watched.tokens += ids.numel()
            for row, kept in zip(ids, attention, strict=True):
                texts = kept.bool()[None] if kept.ndim == 1 else leaves(kept[0] == 0)
                watched.inputs.extend(tuple(row[text].tolist()) for text in texts)

    def in_front_of_head(_module: Any, args: tuple[Any, ...]) -> None:
        rows, positions = args[0].shape[:2]
        if room is not None and rows > room:
            watched.refused.append(rows)
            raise torch.OutOfMemoryError("out of memory, says the test")
        watched.head.append((rows, positions))

    # MobileBERT multiplies with its vocabulary matrix itself; its head as a whole is the place to look.
    head = getattr(model.module, "cls", None) or model.module.get_output_embeddings()
    handles = [
        model.module.register_forward_pre_hook(before, with_kwargs=True),
        head.register_forward_pre_hook(in_front_of_head),
    ]
    try:
        yield watched
    finally:
        for handle in handles:
            handle.remove()
