"""Trainings one after the other, each into its folder, and the rows of their tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...engine import catalog, checkpoints, loading
from ...engine.loading import LoadedModel
from ...engine.parentage import Parentage
from ...engine.training import folders, loop, places
from ...engine.training.folders import History
from ...result import ModelInfo, Progress
from ...run import Callbacks, Run
from .trainings import Training, ends


@dataclass(frozen=True)
class Job:
    """A training, the parentage of its model, and what trains it under a ``run``, resuming what its folder holds."""

    training: Training
    identity: Parentage
    train: Callable[..., tuple[History, bool]]


@dataclass(frozen=True)
class Done:
    """A training as far as it came; ``info`` is the model, once it is finished."""

    training: Training
    history: History
    info: ModelInfo | None


def source_of(model: LoadedModel, name: str) -> Path:
    """The folder of the files of a model that was chosen by that name."""
    return checkpoints.fetch(checkpoints.request(name, device=model.info.device)).folder


def identity_of(
    training: Training, model: LoadedModel, *, data: str, digest: str, texts: int, labels: tuple[str, ...] = ()
) -> Parentage:
    """The parentage of what a training on so many texts of a file makes of a model."""
    info = model.info
    return Parentage(
        base=info.id if info.revision else info.name,
        revision=info.revision,
        base_digest=info.digest,
        data=data,
        data_digest=digest,
        texts=texts,
        steps=training.settings.steps(texts),
        settings=training.settings,
        family=info.family,
        languages=info.languages,
        cased=info.cased,
        labels=labels,
    )


def trained(jobs: Sequence[Job], model: LoadedModel, folder: Path, run: Run[Any]) -> Iterator[Done]:
    """Do the trainings one after the other, up to one that was stopped; each model stands in the list afterwards.

    Raises ExportError where the disk of ``folder`` has no room for all that is left to train, or where the list cannot
    be written.
    """
    left = [job for job in jobs if folders.finished(job.training.folder, job.identity) is None]
    if left:
        places.check_room(folder, loop.bytes_needed(model.info.parameters, len(left)))
    total = sum(job.identity.steps for job in jobs)
    before = 0
    for job in jobs:

        def report(progress: Progress, before: int = before) -> None:
            run.report(Progress(f"Fine-tuning {model.info.name}", before + progress.done, total, progress.losses))

        history, finished = job.train(run=Callbacks(report, run.cancelled))
        before += job.identity.steps
        if not finished:
            yield Done(job.training, history, None)
            return
        with folders.writing(catalog.user_models()):
            catalog.remember(job.training.folder)
        yield Done(job.training, history, opened(job.training, model).info)


def opened(training: Training, model: LoadedModel) -> LoadedModel:
    """The model that a training made of another, on its device."""
    wanted = checkpoints.request(str(training.folder.resolve()), device=model.info.device)
    return loading.load(checkpoints.fetch(wanted), device=model.info.device)


def model_row(done: Done) -> dict[str, Any]:
    """What every table of trained models says of one."""
    steps = done.history.steps
    numbers = [step.step for step in steps]
    weights = [number - before for number, before in zip(numbers, [0, *numbers], strict=False)]
    first, last = ends([step.loss for step in steps], weights)
    return {
        "model": done.training.folder.name,
        "seed": done.training.settings.seed,
        "folder": str(done.training.folder) if done.info is not None else "",
        "digest": done.info.digest if done.info is not None else "",
        "steps": steps[-1].step if steps else 0,
        "seconds": done.history.seconds,
        "first_loss": first,
        "last_loss": last,
    }


def loss_rows(done: Done) -> Iterator[dict[str, Any]]:
    """The loss curve of a training."""
    for step in done.history.steps:
        yield {
            "seed": done.training.settings.seed,
            "step": step.step,
            "loss": step.loss,
            "learning_rate": step.rate,
        }
