"""What every experiment asks of the models it is given."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import OptionError
from core.models.catalog import MAX_MODELS
from core.models.loading import LoadedModel


def check_models(models: Sequence[LoadedModel]) -> None:
    """Raise OptionError for no model, more than can be compared, or one that is chosen twice."""
    if not 1 <= len(models) <= MAX_MODELS:
        raise OptionError(f"{len(models)} models chosen; 1 to {MAX_MODELS} can be compared.")
    if len({model.info.name for model in models}) < len(models):
        raise OptionError("The same model is chosen twice; choose different ones.")
