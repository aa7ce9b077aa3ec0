"""The papers there are, and their cards by id."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from ..errors import OptionError, instead
from .card import Card, Paper


@cache
def papers() -> tuple[Paper, ...]:
    """Every paper, by year and name: each module of this package that has a ``PAPER``."""
    package = importlib.import_module(__package__ or "core.papers")
    modules = (
        importlib.import_module(f"{package.__name__}.{item.name}") for item in pkgutil.iter_modules(package.__path__)
    )
    return tuple(
        sorted(
            (module.PAPER for module in modules if hasattr(module, "PAPER")),
            key=lambda paper: (paper.name[-4:], paper.name),
        )
    )


def cards() -> dict[str, Card]:
    """Every card by its id, in the order of the papers."""
    return {card.id: card for paper in papers() for card in paper.cards}


def card(id: str) -> Card:
    """The card of an id.

    Parameters
    ----------
    id : str
        Such as ``kurita-table-3``.

    Returns
    -------
    Card
        Of a table or figure.

    Raises
    ------
    OptionError
        For an id that is none, with those that are near.
    """
    known = cards()
    if id not in known:
        raise OptionError(f"There is no card “{id}”. {instead(id, known, '“paper list” names them all.')}")
    return known[id]
