"""A masked model trained further on texts (Bartl et al. 2020)."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from ...run import UNWATCHED, Watch
from ..loading import LoadedModel
from ..masked import check_masked
from ..parentage import Parentage, Settings
from ..pieces import tokenize
from . import folders
from .batches import chosen, padded
from .folders import History
from .loop import KEEP_EVERY, train
from .masking import NOT_PREDICTED, Ints, hide


@dataclass(frozen=True, slots=True)
class Example:
    """The token ids of a text, or of a part of one, and the places that are no special tokens."""

    ids: tuple[int, ...]
    own: range


@dataclass(frozen=True)
class Examples:
    """What a model is trained on. ``split`` texts were longer than the model takes, ``empty`` hold no token."""

    items: tuple[Example, ...]
    split: int
    empty: int


def examples(model: LoadedModel, texts: Sequence[str]) -> Examples:
    """The texts as the model reads them; one that is longer than it takes becomes several, none of it lost."""
    check_masked(model)
    items: list[Example] = []
    split = empty = 0
    for read in tokenize(model.tokenizer, [(text, (0, len(text))) for text in texts]):
        before, own, after = read.ids[: read.first], read.ids[read.first : read.last], read.ids[read.last :]
        room = model.max_tokens - len(before) - len(after)
        parts = [own[start : start + room] for start in range(0, len(own), room)]
        split += len(parts) > 1
        empty += not parts
        items += [Example((*before, *part, *after), range(len(before), len(before) + len(part))) for part in parts]
    return Examples(tuple(items), split, empty)


def finetune(
    model: LoadedModel,
    texts: Sequence[Example],
    identity: Parentage,
    folder: Path,
    *,
    tokenizer_of: Path,
    run: Watch = UNWATCHED,
    stage: str = "Fine-tuning",
    keep_every: float = KEEP_EVERY,
) -> tuple[History, bool]:
    """Train a copy of the model on texts, into a folder; its history, and whether it was finished.

    Resumes from what an earlier training into this folder kept. A run that is cancelled keeps its state, and so does
    one that is killed, every ``keep_every`` seconds. Always in float32.

    Raises OptionError for a folder of something else, ExportError where the disk refuses, ModelError where the model
    cannot be trained or its loss is no number any more.
    """
    check_masked(model)
    done = folders.finished(folder, identity)
    if done is not None:
        return done, True
    objective = HiddenTokens(model, texts, identity.settings)
    return train(objective, identity, folder, tokenizer_of=tokenizer_of, run=run, stage=stage, keep_every=keep_every)


class HiddenTokens:
    """A copy of a masked model, and texts of which it predicts some tokens."""

    def __init__(self, model: LoadedModel, texts: Sequence[Example], settings: Settings) -> None:
        self.name = model.info.name
        self.module = copy.deepcopy(model.module).float()
        self._texts, self._settings = texts, settings
        self._mask = model.tokenizer.mask_token_id
        self._pad = model.tokenizer.pad_token_id or 0
        self._vocabulary = len(model.tokenizer)
        self._device = next(self.module.parameters()).device

    def batch(self, step: int) -> Mapping[str, torch.Tensor]:
        """Some texts with some of their tokens hidden."""
        epoch, texts = chosen(self._settings, step, len(self._texts))
        rows = [self._hidden(text, epoch) for text in texts]
        inputs, seen = padded([ids for ids, _ in rows], self._pad)
        labels, _ = padded([label for _, label in rows], NOT_PREDICTED)
        batch = {"input_ids": inputs, "attention_mask": seen, "labels": labels}
        return {name: tensor.to(self._device) for name, tensor in batch.items()}

    def _hidden(self, text: int, epoch: int) -> tuple[Ints, Ints]:
        return hide(
            self._texts[text].ids,
            self._texts[text].own,
            share=self._settings.hidden,
            mask=self._mask,
            vocabulary=self._vocabulary,
            seed=self._settings.seed,
            epoch=epoch,
            text=text,
        )
