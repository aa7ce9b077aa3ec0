"""Models for one measurement: each under a name that no other has, and those that cannot be had with the reason."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from ..errors import ModelError, OptionError, log_cause
from ..result import Excluded, ModelInfo, Note, Progress, Result
from ..run import Watch
from . import checkpoints
from .checkpoints import ModelRequest, labels
from .loading import LoadedModel, check_device
from .pool import ModelPool

M = TypeVar("M", bound=Result)


@dataclass(frozen=True, eq=False)
class Lent:
    """The models that could be had, in the order they were requested, and those that could not."""

    models: tuple[LoadedModel, ...]
    refused: tuple[Excluded, ...]

    def complete(self, result: M) -> M:
        """What these models gave, with the models that could not be had, and a note where two are one under two ids."""
        notes = same_files(result.provenance.models)
        return replace(result, excluded=(*self.refused, *result.excluded), notes=(*notes, *result.notes))


@contextmanager
def lend(pool: ModelPool, requests: Sequence[ModelRequest], run: Watch) -> Iterator[Lent]:
    """Hold these models for one measurement, named so that no two have the same name.

    Raises the first refusal where no model can be had; beside a model that can, those that cannot are listed. Raises
    OptionError where two are the same model.
    """
    for device in {request.device for request in requests if request.device}:
        check_device(device)  # before anything is downloaded for it
    errors: dict[str, ModelError] = {}
    with ExitStack() as stack:
        models = []
        for done, (request, label) in enumerate(zip(requests, labels(requests), strict=True)):
            try:
                checkpoints.fetch(request, run)  # here, where its reports are heard; the pool finds the digest known
                run.report(Progress(f"Loading {label}", done, len(requests)))
                models.append(_named(stack.enter_context(pool.lease(request)), label))
            except ModelError as error:
                errors[label] = error
        if errors and not models:
            raise next(iter(errors.values()))
        for refusal in errors.values():
            log_cause(refusal)
        check_different([model.info for model in models])
        yield Lent(tuple(models), tuple(excluded(label, error) for label, error in errors.items()))


def excluded(model: str, error: ModelError) -> Excluded:
    """The line on a model that is excluded while others are measured."""
    return Excluded(model, "model", model, str(error))


def same_files(models: Iterable[ModelInfo]) -> tuple[Note, ...]:
    """A note for each two models that are the same files under two ids."""
    return tuple(
        Note(f"{first.name} and {second.name} are the same files under two names, so their numbers are equal.")
        for first, second in itertools.combinations(models, 2)
        if first.digest == second.digest and not first.published
    )


def check_different(models: Sequence[ModelInfo]) -> None:
    """Raise OptionError where two are the same model: the same id, revision and files."""
    for first, second in itertools.combinations(models, 2):
        if (first.id, first.revision, first.digest) == (second.id, second.revision, second.digest):
            both = "" if first.name == second.name else f" ({first.name} and {second.name})"
            raise OptionError(f"The same model is chosen twice{both}; choose different ones.")


def _named(model: LoadedModel, label: str) -> LoadedModel:
    """The model under another name, which its refusal begins with."""
    if model.info.name == label:
        return model
    refusal = model.refusal and type(model.refusal)(label + str(model.refusal).removeprefix(model.info.name))
    return replace(model, info=replace(model.info, name=label), refusal=refusal)
