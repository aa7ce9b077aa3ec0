"""What the measures share whose results can hold published scores beside what they measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ...engine import catalog
from ...errors import OptionError
from ...inputs import Several
from ...result import Provenance, Result
from ...sources import published
from ...sources.published import Entry
from ...spec import given
from ..measure import MODELS, MeasureSpec, models_given

R = TypeVar("R", bound=Result)


def published_field(command: str) -> Any:
    """The field of the ids of published results of the measure of that command, in the order they are shown."""
    choices = {entry.id: entry.title for entry in published.of_measure(command)}
    option = Several(
        "published",
        "Published results",
        choices=choices,
        help="Scores of real models that others published, shown beside the models measured here. They were not "
        "measured here.",
        metavar="ID",
    )

    def checked(value: Any) -> tuple[str, ...]:
        ids = (value,) if isinstance(value, str) else tuple(value)
        for id in ids:
            if id not in choices:
                published.entry(id)
                raise OptionError(f"{id} is a published result of another measure; choose {', '.join(choices)}.")
        if len(set(ids)) < len(ids):
            raise OptionError("The same published result is chosen twice; choose different ones.")
        return ids

    return given(option, read=tuple, default=(), coerce=checked)


def _models(value: Any) -> tuple[str, ...]:
    """As ``models_given``, or none: published results can stand alone."""
    return models_given(value) if value else ()


@dataclass(frozen=True, kw_only=True)
class ShelvedSpec(MeasureSpec[R]):
    """A spec with a field ``published`` (``published_field``): published results beside its models, or without any."""

    models: tuple[str, ...] = given(MODELS, read=_models, default=(catalog.DEFAULT,), coerce=_models)
    published: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        shown = len(self.models) + len(self.published)
        if not shown or (self.most is not None and shown > self.most):
            raise OptionError(
                f"{shown} models chosen{', with the published ones' if self.published else ''}; "
                f"1 to {self.most} can be compared."
            )

    @property
    def most(self) -> int | None:
        """How many models can be compared, the published ones among them; None where any number can."""
        return catalog.MAX_MODELS

    def check_published(self) -> None:
        """Raise OptionError for a published result that cannot stand beside what the spec asks for."""
        for entry in self.shelved:
            if why := self.obstacle(entry):
                raise OptionError(f"{entry.title} ({entry.id}) cannot be shown here: {why}.")

    @property
    def shelved(self) -> tuple[Entry, ...]:
        """The published results, with where they are from."""
        return tuple(map(published.entry, self.published))

    def obstacle(self, entry: Entry) -> str:
        """A clause that says why a published result is not comparable with what the spec asks for; empty where it is.

        What stands alone may be looked at without a model that is measured.
        """
        return entry.alone if self.models else ""

    @property
    def names(self) -> tuple[str, ...]:
        """What its models are called in a line, the published ones last."""
        return (*self.models, *(entry.model for entry in self.shelved))


def beside(provenance: Provenance, entries: Sequence[Entry]) -> Provenance:
    """Where a result comes from that holds these published ones too."""
    return replace(
        provenance,
        models=(*provenance.models, *(entry.info for entry in entries)),
        data=(*provenance.data, *(entry.citation for entry in entries)),
    )


def alone(spec: type[ShelvedSpec[Any]], entries: Sequence[Entry]) -> ShelvedSpec[Any]:
    """The spec of published results, all with the same inputs, without a model that is measured."""
    first = entries[0]
    lines = {name: "\n".join(map(str, first.table()[column].unique())) for name, column in first.lines.items()}
    values = {**first.inputs, **lines, MODELS.name: (), "published": tuple(entry.id for entry in entries)}
    return spec.of(values)
