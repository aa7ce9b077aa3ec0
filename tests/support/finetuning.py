"""A small text to train on, and a training into a folder; run as a program it trains until somebody kills it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import torch

from core.engine import checkpoints, loading
from core.engine.loading import LoadedModel
from core.engine.parentage import Parentage, Settings
from core.engine.training.finetuning import examples, finetune
from core.engine.training.folders import History
from core.run import UNWATCHED, Watch

TEXTS = (
    "The nurse told him that she was late.",
    "The engineer thanked her sister and went home.",
    "He asked the teacher for a book.",
    "She is a doctor and he is a nurse.",
    "The man said that the clerk was right.",
)
SETTINGS = Settings(max_steps=12, epochs=9, batch=2, rate=1e-3)


def loaded(folder: Path) -> LoadedModel:
    """The model in a folder, on the processor."""
    return loading.load(checkpoints.fetch(checkpoints.request(str(folder))), device="cpu")


def parentage_of(model: LoadedModel, settings: Settings, texts: tuple[str, ...] = TEXTS) -> Parentage:
    """The parentage of a training on these texts."""
    items = examples(model, texts).items
    return Parentage(
        base=model.info.name,
        revision=None,
        base_digest=model.info.digest,
        data="texts.txt",
        data_digest="ab" * 32,
        texts=len(items),
        steps=settings.steps(len(items)),
        settings=settings,
        family=model.info.family,
        languages=("en",),
        cased=model.info.cased,
    )


def trained(
    base: Path,
    into: Path,
    *,
    run: Watch = UNWATCHED,
    keep_every: float = 300.0,
    texts: tuple[str, ...] = TEXTS,
    settings: Settings = SETTINGS,
    **changed: object,
) -> tuple[History, bool]:
    """Train the model in a folder into another."""
    model = loaded(base)
    wanted = replace(settings, **changed)
    return finetune(
        model,
        examples(model, texts).items,
        parentage_of(model, wanted, texts),
        into,
        tokenizer_of=base,
        run=run,
        keep_every=keep_every,
    )


if __name__ == "__main__":
    torch.set_num_threads(1)
    trained(Path(sys.argv[1]), Path(sys.argv[2]), keep_every=0.0, settings=Settings(max_steps=80, epochs=99))
