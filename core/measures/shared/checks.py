"""What every experiment asks of the models it is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ...engine.catalog import MAX_MODELS
from ...engine.lending import excluded
from ...engine.loading import LoadedModel
from ...errors import ModelError, OptionError, UnsupportedModel
from ...result import Excluded


def check_models(models: Sequence[LoadedModel]) -> None:
    """Raise OptionError for no model, more than can be compared, or one that is chosen twice."""
    if not 1 <= len(models) <= MAX_MODELS:
        raise OptionError(f"{len(models)} models chosen; 1 to {MAX_MODELS} can be compared.")
    if len({model.info.name for model in models}) < len(models):
        raise OptionError("The same model is chosen twice; choose different ones.")


def check_layer(model: LoadedModel, layer: int) -> None:
    """Raise UnsupportedModel for a layer that the model does not have; −1 is the last, 0 the embeddings."""
    layers = model.info.layers
    if not -layers - 1 <= layer <= layers:
        raise UnsupportedModel(
            f"{model.info.name} has {layers} layers, so there is no layer {layer}; choose 0 to {layers}, or −1 to "
            f"−{layers + 1} counted from the last."
        )


class Refusals:
    """The models of a measurement that cannot be asked, while others can: ``left_out`` lists them with the reason."""

    def __init__(self) -> None:
        self._errors: dict[str, ModelError] = {}

    @contextmanager
    def of(self, model: LoadedModel) -> Iterator[None]:
        """Take what the model refuses inside the ``with`` block."""
        try:
            yield
        except ModelError as error:
            self._errors[model.info.name] = error

    def has(self, model: LoadedModel) -> bool:
        """Whether the model has refused."""
        return model.info.name in self._errors

    def check(self, asked: bool) -> None:
        """Raise the first refusal where no model could be asked."""
        if self._errors and not asked:
            raise next(iter(self._errors.values()))

    @property
    def left_out(self) -> list[Excluded]:
        """A line for each."""
        return [excluded(model, error) for model, error in self._errors.items()]
