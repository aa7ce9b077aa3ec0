"""A small labelled set that is easy to learn, and a training into a folder; run as a program it trains until killed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import torch

from core.engine.loading import LoadedModel
from core.engine.parentage import Parentage, Settings
from core.engine.training.classifying import LabelledText, labelled, train_classifier
from core.engine.training.folders import History
from core.run import UNWATCHED, Watch
from tests.support.finetuning import loaded

# The label is whom a sentence is about; 24 sentences, half of each.
ABOUT = {"woman": ("she", "her sister", "the woman"), "man": ("he", "her brother", "the man")}
ENDS = ("was late.", "was right.", "is a teacher.", "is a nurse.")
EASY = tuple((f"{who} {end}", label) for label, people in ABOUT.items() for who in people for end in ENDS)
LABELS = ("man", "woman")
SETTINGS = Settings(epochs=99, max_steps=12, batch=4, rate=1e-3, hidden=0.0, length=64)


def items(model: LoadedModel) -> tuple[LabelledText, ...]:
    """The easy set as a model reads it."""
    found, _ = labelled(model, [text for text, _ in EASY], [LABELS.index(label) for _, label in EASY], 64)
    return found


def parentage_of(model: LoadedModel, settings: Settings) -> Parentage:
    """The parentage of a training on the easy set."""
    return Parentage(
        base=model.info.name,
        revision=None,
        base_digest=model.info.digest,
        data="easy.csv (text, label)",
        data_digest="ab" * 32,
        texts=len(EASY),
        steps=settings.steps(len(EASY)),
        settings=settings,
        family=model.info.family,
        languages=("en",),
        cased=model.info.cased,
        labels=LABELS,
    )


def trained(
    base: Path,
    into: Path,
    *,
    run: Watch = UNWATCHED,
    keep_every: float = 300.0,
    settings: Settings = SETTINGS,
    **changed: object,
) -> tuple[History, bool]:
    """Train the model in a folder on the easy set, into another."""
    model = loaded(base)
    wanted = replace(settings, **changed)
    identity = parentage_of(model, wanted)
    return train_classifier(model, items(model), identity, into, source=base, run=run, keep_every=keep_every)


if __name__ == "__main__":
    torch.set_num_threads(1)
    trained(Path(sys.argv[1]), Path(sys.argv[2]), keep_every=0.0, settings=replace(SETTINGS, max_steps=50))
