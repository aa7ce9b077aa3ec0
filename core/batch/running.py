"""A batch measured: run by run, each kept as it ends, so that the same file run again goes on where it was."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import ExportError, SavedFileError, TiltmeterError, log_cause
from ..measures.measure import MeasureSpec, load
from ..publication.document import file_name
from ..result import Result
from ..sources.failures import first_line
from .audit import Audit, Planned
from .thresholds import Judgement, judged, unmeasured

RESULTS = "results"  # the folder of the .tilt files, in that of the batch
Measure = Callable[[MeasureSpec[Any], Path], Result]


@dataclass(frozen=True, eq=False)
class Done:
    """A measurement of the batch: its result and the file of it, or ``why`` there is none.

    ``again``: it was measured by an earlier run of the batch.
    """

    planned: Planned
    result: Result | None = None
    file: Path | None = None
    why: str = ""
    again: bool = False

    @property
    def complete(self) -> bool:
        """Whether all that was asked for was measured."""
        return self.result is not None and is_whole(self.result)

    @property
    def missing(self) -> tuple[str, ...]:
        """Why something was not measured, a sentence each."""
        if self.result is None:
            return (self.why,)
        return tuple(f"{item.what}: {item.why}" for item in self.result.excluded if item.kind == "model")


def is_whole(result: Result) -> bool:
    """Whether a result lacks neither an end nor a model, which may be there the next time."""
    return not result.stopped and not any(item.kind == "model" for item in result.excluded)


def run(audit: Audit, measure: Measure, heard: Callable[[str], None]) -> Iterator[Done]:
    """Measure what is not measured yet, in the order of the file.

    Parameters
    ----------
    audit : Audit
        The batch, whose folder holds what earlier runs of it measured.
    measure : callable
        Of a spec, its result, which is saved in the file.
    heard : callable
        Hears, in a line, what is measured next.

    Yields
    ------
    Done
        Each measurement as it ends. What goes wrong is in it, and does not end the batch.

    Raises
    ------
    ExportError
        Where the folder cannot be made.
    """
    folder = audit.out / RESULTS
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"{folder} cannot be made: {error.strerror or error}.") from error
    for number, planned in enumerate(audit.planned, start=1):
        line = f"[{number} of {len(audit.planned)}] {planned.title}"
        done = _one(planned, folder, measure, partial(heard, line))
        if done.again:
            heard(f"{line}: measured before")
        yield done


def _one(planned: Planned, folder: Path, measure: Measure, begins: Callable[[], None]) -> Done:
    try:
        file = folder / f"{file_name(planned.title)}-{planned.spec.key()[:16]}.tilt"
        kept = _kept(file)
        if kept is not None:
            return Done(planned, kept, file, again=True)
        begins()
        return Done(planned, measure(planned.spec, file), file)
    except TiltmeterError as error:
        log_cause(error)
        return Done(planned, why=str(error))
    except Exception as error:  # one measurement that fails does not lose the others
        logging.getLogger(__name__).exception("a measurement of a batch failed")
        return Done(planned, why=f"Something failed inside the program ({first_line(error)}).")


def _kept(file: Path) -> Result | None:
    """The whole result of an earlier run; None where there is none, or it cannot be read."""
    if not file.exists():
        return None
    try:
        result = load(file)
    except SavedFileError:
        return None
    return result if is_whole(result) else None


def judgements(audit: Audit, done: Done) -> tuple[Judgement, ...]:
    """A measurement compared with every threshold that is about its numbers.

    Parameters
    ----------
    audit : Audit
        The batch, with its thresholds.
    done : Done
        A measurement of it.

    Returns
    -------
    tuple of Judgement
        Threshold by threshold; without a result, why there is none.
    """
    found: list[Judgement] = []
    for threshold in audit.thresholds:
        if threshold.name not in done.planned.spec.numbers:
            continue
        if done.result is None:
            found += unmeasured(threshold, done.planned.name, done.planned.spec.models, done.why.rstrip("."))
        else:
            found += judged(threshold, done.planned.name, done.result)
    return tuple(found)
