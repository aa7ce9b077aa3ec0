"""A card: one table or figure of a paper, and how the same is measured on any model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType
from typing import Any

from ..errors import OptionError
from ..measures.measure import MODELS, MeasureSpec
from ..measures.prepared import Prepared
from ..result import Result
from .inputs import Inputs, Refusal, refusals
from .printed import Key, Value, paper_data

COMMAND = "python -m core"  # before what a card tells to run
RUNS, NEEDED, NOTHING = "yes", "needs something", "nothing to run"
Obtained = Mapping[Key, float | str]
_STOPPED = "The run was stopped before its end, so that its numbers are of a part of what the print needs."


Asks = Callable[[tuple[str, ...]], tuple[Prepared, ...]]


def ask(kind: type[MeasureSpec[Any]], **inputs: Any) -> Asks:
    """One measurement of all models at once, with these inputs and the others at their defaults."""
    return lambda models: (Prepared(kind, MappingProxyType({**inputs, MODELS.name: models})),)


@dataclass(frozen=True)
class Found:
    """A value that was obtained, and what it is of where that is not what was printed."""

    value: float | str
    of: str = ""


@dataclass(frozen=True, kw_only=True)
class Card:
    """A table or figure.

    Parameters
    ----------
    id : str
        The paper's id, a hyphen, and the place: ``kurita-table-3``. Its values stand under it in the paper's file.
    place : str
        As the paper calls it: ``Table 3``.
    title : str
        What it is of, in a line.
    shows : str
        What a reader sees in it, in a sentence or two, and which way a value points.
    model : str
        Whose numbers are printed, as the paper calls it; empty where no model is behind them.
    model_ids : tuple of str
        The same as this program knows it (hub ids): only for these is the tolerance meant.
    asks : callable or None
        Of the names of models, the measurements that give the same numbers. None where it cannot run, or where there
        is nothing to run.
    inputs : tuple of Inputs
        The measures whose results can be compared with it, each with the inputs that decide its values.
    also : callable
        What may have been measured besides what the card asks: where it needs what only the user has, or where others
        published the same.
    unfit : callable
        Of a result with these inputs, what else keeps its values from standing beside the print.
    remarks : callable
        Of a result with these inputs, what a reader must know of its values, a sentence each.
    obtained : callable
        Of a result and the name of a model in it, the values by row and column; only those that there are.
    here : callable or None
        The values that need no model, where the card compares lists: what this program uses.
    expected : str
        The reference around which the tolerance is meant, where it has a value; empty, and without one: the print.
    tolerances : mapping
        By column, how far the same model may be from there; a column without one has none.
    tolerance : str
        Why these, in words.
    causes : tuple of str
        Known causes of differences, a sentence or two each.
    needs : str
        What to bring where the card or a part of it cannot run. Empty where all of it runs.
    commands : tuple of str
        What to do with it, a command line each.
    """

    id: str
    place: str
    title: str
    shows: str
    model: str = ""
    model_ids: tuple[str, ...] = ()
    asks: Asks | None = None
    inputs: tuple[Inputs, ...] = ()
    also: Callable[[], tuple[MeasureSpec[Any], ...]] = tuple
    unfit: Callable[[Any], tuple[Refusal, ...]] = lambda result: ()
    remarks: Callable[[Any], tuple[str, ...]] = lambda result: ()
    obtained: Callable[[Any, str], Obtained] = lambda result, model: {}
    here: Callable[[], Obtained] | None = None
    expected: str = ""
    tolerances: Mapping[str, float] = field(default_factory=dict)
    tolerance: str = ""
    causes: tuple[str, ...] = ()
    needs: str = ""
    commands: tuple[str, ...] = ()

    @property
    def paper(self) -> str:
        """The id of its paper."""
        return self.id.partition("-")[0]

    @property
    def runs(self) -> str:
        """Whether it runs on any model as it is: ``RUNS``, ``NEEDED`` (``needs`` says what), or ``NOTHING``."""
        if self.asks is not None:
            return RUNS
        return NEEDED if self.needs else NOTHING

    @property
    def values(self) -> tuple[Value, ...]:
        """What is printed, and what stored scores give."""
        return paper_data(self.paper).cards[self.id]

    @property
    def references(self) -> Mapping[str, str]:
        """The references of its values, each with what it is."""
        data = paper_data(self.paper)
        return {name: data.references[name] for name in self.values[0].references} if self.values else {}

    @property
    def kinds(self) -> tuple[type[MeasureSpec[Any]], ...]:
        """The measures whose results can be compared with it."""
        return tuple(item.of for item in self.inputs)

    @property
    def needed(self) -> tuple[MeasureSpec[Any], ...]:
        """What may have been measured: a result of anything else does not stand beside the print."""
        asked = () if self.asks is None else self.asks(MODELS.default)
        return (*(item.spec for item in asked), *self.also())

    def refusals(self, result: Result) -> tuple[Refusal, ...]:
        """Why values of a result are not put beside the print.

        Raises OptionError for a result of another measure.
        """
        if not any(kind.RESULT is type(result) for kind in self.kinds):
            measures = " or ".join(f"“{kind.COMMAND}”" for kind in self.kinds) or "none"
            raise OptionError(
                f"{self.place} cannot be compared with a result of {result.SCHEMA.name}; it takes results of "
                f"{measures}."
            )
        stopped = (Refusal(_STOPPED),) if result.stopped else ()
        of_inputs = refusals(result.spec, self.needed, self.inputs)
        return (*stopped, *of_inputs, *(() if of_inputs else self.unfit(result)))

    def told(self, result: Result) -> tuple[str, ...]:
        """What a reader must know of the values of a result, a sentence each; nothing where all are refused."""
        if _is_refused(self.refusals(result)):
            return ()
        instead = self._inputs_of(result).instead(result.spec)
        other = (f"Obtained from {instead}: no difference from the print is given.",) if instead else ()
        return (*other, *self.remarks(result))

    def measured(self, results: Sequence[Result]) -> Mapping[str, Mapping[Key, Found]]:
        """By model of the results, or by file of vectors, the values that were obtained; one without any is left out.

        Of two results that say the same of a model the later one counts. What is not finite could not be computed, and
        is left out, and so is what was measured with other inputs than the print's.

        Raises OptionError for a result of another measure.
        """
        found: dict[str, dict[Key, Found]] = {}
        for result in results:
            refused = self.refusals(result)
            if _is_refused(refused):
                continue
            of = self._inputs_of(result).of_what(result.spec)
            for model in _measured_in(result):
                for key, value in self.obtained(result, model).items():
                    if not _is_missing(value) and not any(refusal.concerns(model, key) for refusal in refused):
                        found.setdefault(model, {})[key] = Found(value, of)
        return found

    def _inputs_of(self, result: Result) -> Inputs:
        return next(item for item in self.inputs if item.of.RESULT is type(result))


def _is_refused(found: Sequence[Refusal]) -> bool:
    """Whether no value of a result stands beside the print."""
    return any(not refusal.only and not refusal.model for refusal in found)


def _is_missing(value: float | str) -> bool:
    return not isinstance(value, str) and not isfinite(value)


def _measured_in(result: Result) -> tuple[str, ...]:
    """The models of a result, and what stands in a model's place in its first table, such as a file of vectors."""
    table = next(iter(result.tables.values()))
    return tuple(dict.fromkeys((*result.models, *(table["model"].dropna().unique() if "model" in table else ()))))


@dataclass(frozen=True)
class Paper:
    """A paper: its id, that of its module and its file, its name, and a card for every table and figure it prints."""

    id: str
    name: str
    cards: tuple[Card, ...]
