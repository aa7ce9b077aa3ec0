"""``paper``: what papers print, and the same measurement on any model beside it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pandas as pd

from ..engine import catalog
from ..errors import OptionError
from ..measures.measure import MODELS
from ..papers.card import NEEDED, Card
from .command import measured
from .shared import Below, Listing, check_models, saved_result, say

NAME = "paper"
HELP = "tables and figures of papers, and the same on a model"
DESCRIPTION = (
    "Every table and figure that the papers print, what their authors' stored scores give, and what a model gives."
)
EPILOG = ""
BELOW = "COMMAND"


def _list(options: argparse.Namespace) -> Listing:
    from ..papers.registry import papers

    rows = [
        {"id": card.id, "paper": paper.name, "place": card.place, "of": card.title, "runs": card.runs}
        for paper in papers()
        for card in paper.cards
    ]
    return Listing(pd.DataFrame(rows))


def _run_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="of the card, such as kurita-table-3; “paper list” names them")
    parser.add_argument(
        "--model", action="append", metavar="MODEL", help="catalog name, hub id or folder; may be repeated"
    )
    parser.add_argument(
        "--result",
        action="append",
        default=[],
        metavar="FILE",
        help="a saved result to compare in place of measuring, such as gap.tilt, or published:ID; may be repeated",
    )
    parser.add_argument("--device", choices=catalog.DEVICES, help="default: the best there is")
    parser.add_argument("--no-history", action="store_true", help="do not keep this run in the history")


def _run(options: argparse.Namespace) -> Listing:
    from ..papers.comparison import NOTHING_OF_IT, compared, frame, refused, remarks, text_frame
    from ..papers.registry import card as card_of

    card = card_of(options.id)
    models = tuple(options.model or MODELS.default)
    results = [saved_result(file) for file in options.result]
    if results and options.model:
        raise OptionError("Give either --result or --model: a saved result says itself which models it is of.")
    if not results and card.asks is not None:
        asked = [ask.spec for ask in card.asks(models)]
        check_models(models)
        results = [measured(spec, device=options.device, history=not options.no_history) for spec in asked]
    rows = compared(card, results)
    for line in _lines(card):
        say(line)
    why = refused(card, results)
    for line in why or ([NOTHING_OF_IT] if results and all(row.obtained is None for row in rows) else []):
        say(line)
    for line in remarks(card, results):
        say(line)
    shown = text_frame(rows) if options.format == "table" else frame(rows)
    return Listing(shown, code=int(card.runs == NEEDED and not results))


def _lines(card: Card) -> Iterator[str]:
    """What a reader must know beside the rows."""
    yield f"{card.place}: {card.title}. {card.shows}"
    if card.model:
        yield f"Printed for {card.model}; with another model a difference is one between the models."
    yield from (f"{name}: {what}" for name, what in card.references.items())
    if card.tolerance:
        yield f"Tolerance: {card.tolerance}"
    yield from (f"Known cause: {cause}" for cause in card.causes)
    if card.needs:
        yield f"To bring: {card.needs}"
        yield from (f"    {command}" for command in card.commands)


below = (
    Below("list", "list every table and figure, and whether it runs", lambda parser: None, _list),
    Below("run", "measure what a table or figure prints, and put it beside the print", _run_arguments, _run),
)
