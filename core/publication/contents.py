"""What every form of a report says: its parts, methods, limits, references and provenance, decided once."""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.catalog import looks_like_path
from ..errors import ExportError, HistoryError
from ..measures.measure import opened
from ..report.methods import LIMITS, limit_lines, methods_paragraph, references
from ..report.wording import provenance_lines
from ..result import Progress, Result
from ..run import UNWATCHED, Watch
from .report import Pin, Report
from .store import Reports


@dataclass(frozen=True)
class Limit:
    """What a reader must know of a measure: ``lines`` of its own texts, notes and exclusions of its results."""

    measure: str
    lines: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Source:
    """A result that pins are from: its ``.tilt`` file, its name in the bundle, and what it says of itself."""

    name: str
    tilt: bytes
    result: Result

    @property
    def title(self) -> str:
        """What was measured, in a line: models by their names in the result, since a folder is the author's own."""
        line = str(self.result.spec.line)
        for model in self.result.provenance.models:
            if looks_like_path(model.id):
                line = line.replace(model.id, model.name)
        return line

    @property
    def methods(self) -> str:
        """How it was made, with references."""
        return methods_paragraph(self.result)

    @property
    def provenance(self) -> tuple[str, ...]:
        """Where its numbers are from, a fact a line."""
        return provenance_lines(self.result.provenance)


@dataclass(frozen=True, eq=False)
class Contents:
    """A report with the results it is from."""

    report: Report
    sources: tuple[Source, ...]
    of: dict[str, Source]  # by the digest that a pin names

    def behind(self, pin: Pin) -> tuple[Source, ...]:
        """The results of a pin, the first one first."""
        return tuple(self.of[digest] for digest in pin.results)

    @property
    def limits(self) -> tuple[Limit, ...]:
        """The limits section: of each measure that was used, what its numbers do not say, and what was left out."""
        found: dict[str, list[str]] = {}
        for source in self.sources:
            found.setdefault(source.result.spec.TITLE, []).extend(limit_lines(source.result))
        return (
            *(Limit(measure, tuple(dict.fromkeys(lines))) for measure, lines in found.items()),
            Limit("Every number", (LIMITS,)),
        )

    @property
    def references(self) -> tuple[str, ...]:
        """The papers that the report rests on, each once, by name."""
        return tuple(sorted({paper for source in self.sources for paper in references(source.result)}))


def step(run: Watch, stage: str, done: int, total: int) -> None:
    """Report a step of an export. Raises ExportError where it is to end."""
    if run.cancelled():
        raise ExportError("Stopped: no file was made.")
    run.report(Progress(stage, done, total))


def contents(report: Report, kept: Reports, run: Watch = UNWATCHED) -> Contents:
    """The report with its results opened, each once.

    Parameters
    ----------
    report : Report
        Its pins name their results by SHA-256.
    kept : Reports
        Where these are kept.
    run : Watch
        Hears of progress, and can stop it.

    Returns
    -------
    Contents
        What every form of a report is made of.

    Raises
    ------
    HistoryError
        Where a result is not here any more, or the report is empty.
    SavedFileError
        For a damaged one.
    ExportError
        Where it was stopped.
    """
    digests = dict.fromkeys(digest for pin in report.pins for digest in pin.results)
    of: dict[str, Source] = {}
    for number, digest in enumerate(digests, start=1):
        step(run, "Reading the results", number - 1, len(digests))
        data = kept.tilt(digest)
        result = opened(data, f"result {number}")
        of[digest] = Source(f"{number:02d}-{result.spec.COMMAND}", data, result)
    if not of:
        raise HistoryError("The report is empty; pin a chart, a table or a finding first.")
    return Contents(report, tuple(of.values()), of)
