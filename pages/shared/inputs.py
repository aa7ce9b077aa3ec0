"""Everything a measurement depends on: equal inputs give the same measurement, on any machine.

Experiments are imported when they run, since torch takes seconds and a page can be on screen before.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from core.measures.agreement.result import AgreementOptions, AgreementResult, DivergenceOptions, DivergenceResult
from core.report.numbers import counted
from core.result import Result
from core.run import Run
from core.sources import FileWords
from core.sources.benchmarks import Data
from core.sources.blanks import BlankTemplate
from core.sources.measured import Column

if TYPE_CHECKING:
    from core.engine.loading import LoadedModel


R_co = TypeVar("R_co", bound=Result, covariant=True)


class Inputs(Hashable, Protocol[R_co]):
    """What a measurement depends on, and how it is made."""

    @property
    def models(self) -> tuple[str, ...]:
        """Names, hub ids or folders."""

    @property
    def dtype(self) -> str:
        """The precision they are computed in."""

    @property
    def attention(self) -> str:
        """How they are lent: ``default``, or ``eager`` with their attention maps."""

    @property
    def files(self) -> tuple[Path, ...]:
        """Files of this machine that are read while it is measured; what they hold decides too."""

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""

    def run(self, models: Sequence[LoadedModel], run: Run[Any]) -> R_co:
        """Measure with the loaded models; where it can be resumed, from what the run's memory holds, into it."""


@dataclass(frozen=True)
class AgreementInputs:
    """The inputs of the agreement of templates or of representations (``kind``)."""

    attention: ClassVar[str] = "default"
    files: ClassVar[tuple[Path, ...]] = ()
    models: tuple[str, ...]
    dtype: str
    kind: str
    templates: tuple[BlankTemplate, ...]
    representations: tuple[str, ...]
    options: AgreementOptions
    data: tuple[str, ...]

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        return _line(
            counted(len(self.templates), "template"), counted(len(self.representations), "representation"), *self.models
        )

    def run(self, models: Sequence[LoadedModel], run: Run[Any]) -> AgreementResult:
        """Measure with these models, which are the loaded ``self.models``."""
        from core.measures.agreement.compute import agreement

        return agreement(
            models,
            self.kind,
            self.templates,
            self.representations,
            self.options,
            data=self.data,
            memory=run.memory,
            run=run,
        )


@dataclass(frozen=True)
class DivergenceInputs:
    """The inputs of the divergence of templates."""

    attention: ClassVar[str] = "default"
    files: ClassVar[tuple[Path, ...]] = ()
    models: tuple[str, ...]
    dtype: str
    templates: tuple[BlankTemplate, ...]
    options: DivergenceOptions
    data: tuple[str, ...]

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        return _line(counted(len(self.templates), "template"), f"against {self.options.base}", *self.models)

    def run(self, models: Sequence[LoadedModel], run: Run[Any]) -> DivergenceResult:
        """Measure with these models, which are the loaded ``self.models``."""
        from core.measures.agreement.divergence import divergence

        return divergence(models, self.templates, self.options, data=self.data, memory=run.memory, run=run)


@dataclass(frozen=True)
class MetricInputs:
    """The metrics of one model; those of several are joined afterwards. ``materials`` as in the experiment."""

    files: ClassVar[tuple[Path, ...]] = ()
    models: tuple[str]
    dtype: str
    metrics: tuple[str, ...]
    crows_pairs: Data[Any] | None
    stereoset: Data[Any] | None
    sentences: FileWords
    options: AgreementOptions

    @property
    def attention(self) -> str:
        """With maps where a metric weights by them."""
        from core.measures.agreement import metrics

        return metrics.attention(self.metrics)

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        return _line(counted(len(self.metrics), "metric"), *self.models)

    def run(self, models: Sequence[LoadedModel], run: Run[Any]) -> AgreementResult:
        """Measure with the one model, which is the loaded ``self.models``."""
        from core.measures.agreement.compute import metrics_of_model
        from core.measures.agreement.metrics import Materials

        materials = Materials(self.crows_pairs, self.stereoset, self.sentences.words, self.sentences.notes)
        return metrics_of_model(models[0], self.metrics, materials, self.options, memory=run.memory, run=run)


@dataclass(frozen=True)
class MetricTableInputs:
    """The metrics of each model, and columns of the user's own."""

    models: tuple[MetricInputs, ...]
    columns: tuple[Column, ...]

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        return _line(counted(len(self.models[0].metrics), "metric"), *(model.models[0] for model in self.models))


def _line(*parts: str) -> str:
    return " · ".join(parts)


def _more(items: Sequence[object], shown: int = 1) -> str:
    return f" and {len(items) - shown:,} more" if len(items) > shown else ""
