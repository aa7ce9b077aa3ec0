"""Downstream results as columns beside the metrics: the numbers that sum a model up, matched by the model's files.

Delobelle et al. 2022, Figure 4: what is measured in a model (intrinsic) against what it does in a task (extrinsic).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ...engine import catalog
from ...errors import OptionError
from ...report.wording import digest
from ...result import Column, Excluded, Headline, ModelInfo, Note
from ...spec import File
from ..downstream.task import DownstreamResult
from ..measure import opened

NO_RESULT = "no downstream result of this model was given"


@dataclass(frozen=True, eq=False)
class Brought:
    """A saved downstream result, and what its file is called."""

    name: str
    result: DownstreamResult

    @property
    def source(self) -> str:
        """What it is, for the provenance."""
        created = self.result.provenance.created
        return f"{self.name}: {self.result.spec.TITLE}, {self.result.SCHEMA}, measured {created}"


@dataclass(frozen=True)
class Outcome:
    """A number of models in one task by one method: a column. ``values`` are by the names of the compared models."""

    column: Column
    source: str
    values: Mapping[str, float]


@lru_cache(maxsize=16)
def read(file: File) -> Brought:
    """The downstream result in a ``.tilt`` file. Raises SavedFileError, or OptionError for a result of no task."""
    result = opened(file.data, file.name)
    if not isinstance(result, DownstreamResult):
        raise OptionError(
            f"{file.name} is no result of a downstream task ({result.spec.TITLE}); give one, such as that of pronoun "
            "resolution, saved as .tilt."
        )
    return Brought(file.name, result)


def outcomes(given: Sequence[Brought], models: Sequence[ModelInfo]) -> tuple[list[Outcome], list[Excluded], list[Note]]:
    """The columns that the results make for ``models``, what has no number and why, and what a reader must know.

    Results of one task by one method are one column, whatever models they are of. A model is matched by the digest of
    its files, wherever these lie and whatever it is called. Of several results of a model the one measured last counts.
    """
    left_out = [item for brought in given for item in _unused(brought, models)]
    notes, columns = list[Note](), list[Outcome]()
    for distinction, number, results in _methods([brought for brought in given if not brought.result.stopped]):
        for headline in results[0].result.HEADLINES:
            name = f"{results[0].result.SCHEMA.name}-{headline.column.name}{number}"
            column = replace(headline.column, name=name, title=headline.column.title + distinction)
            values = dict[str, float]()
            for model in models:
                found = list(_values(headline, results, model))
                known = [value for value in found if isinstance(value, float)]
                if known:
                    values[model.name] = known[-1]
                else:
                    reason = str(found[-1]) if found else NO_RESULT
                    left_out.append(
                        Excluded(model.name, "statistic", column.title, f"{column.title}: {reason}", test=name)
                    )
                if len({round(value, 9) for value in known}) > 1:
                    notes.append(Note(f"{column.title}: measured more than once; the last number counts.", model.name))
            columns.append(Outcome(column, "; ".join(brought.source for brought in results), values))
    return columns, left_out, notes


def _unused(brought: Brought, models: Sequence[ModelInfo]) -> Iterator[Excluded]:
    """What of a result cannot be compared."""
    result = brought.result
    if result.stopped:
        yield _without("", brought, "its run was stopped before its end; resume it and save it again")
        return
    if not result.provenance.models:
        yield _without("", brought, "it names no model, only predictions")
    for model in result.provenance.models:
        if any(model.digest == compared.digest for compared in models):
            continue
        other = next((compared for compared in models if _called(compared) == _called(model)), None)
        reason = (
            f"{model.name} is not among the models that are compared"
            if other is None
            else f"{model.name} had other files (digest {digest(model)}) than the model that is compared "
            f"({digest(other)})"
        )
        yield _without(model.name, brought, reason)


def _without(model: str, brought: Brought, reason: str) -> Excluded:
    return Excluded(model, "statistic", brought.name, f"{brought.name}: {reason}", test=brought.result.SCHEMA.name)


def _called(model: ModelInfo) -> tuple[str, str | None]:
    return model.id, model.revision


def _methods(given: Sequence[Brought]) -> Iterator[tuple[str, str, list[Brought]]]:
    """The results of each task and method, the first measured first, and what tells the method from the task's others.

    That is empty where a task has one; else for titles the options that differ, or a number, and a number for ids.
    """
    tasks: dict[str, dict[str, list[Brought]]] = {}
    for brought in sorted(given, key=lambda brought: brought.result.provenance.created):
        spec = replace(brought.result.spec, models=(catalog.DEFAULT,))
        tasks.setdefault(str(brought.result.SCHEMA), {}).setdefault(spec.digest, []).append(brought)
    for methods in tasks.values():
        options = [dict(results[0].result.spec.options()) for results in methods.values()]
        differing = [label for label in options[0] if len({chosen[label] for chosen in options}) > 1]
        texts = [", ".join(f"{label}: {chosen[label]}" for label in differing) for chosen in options]
        if len(set(texts)) < len(texts):
            texts = [str(at) for at in range(1, len(texts) + 1)]
        for at, (text, results) in enumerate(zip(texts, methods.values(), strict=True), 1):
            yield ("", "", results) if len(methods) == 1 else (f" ({text})", f" {at}", results)


def _values(headline: Headline, results: Sequence[Brought], model: ModelInfo) -> Iterator[float | str]:
    """What each result says of a model."""
    for brought in results:
        for info in brought.result.provenance.models:
            if info.digest == model.digest:
                yield headline.of_model(brought.result, info.name)
