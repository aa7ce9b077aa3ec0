"""How a batch ended: its summary as JSON and Markdown, its report, and the exit code of the command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..plain import Plain, plain, strict_json
from ..publication.contents import Contents, contents
from ..publication.document import markdown_literal
from ..publication.pins import beside, finding, left_out, report_of, sentence
from ..publication.report import Pin
from ..publication.store import Reports
from ..report.numbers import counted
from .audit import Audit
from .running import RESULTS, Done, judgements
from .thresholds import Judgement, sentences

DONE, UNMEASURED, CROSSED = 0, 1, 3  # exit codes


@dataclass(frozen=True, eq=False)
class Outcome:
    """A batch with all that it measured."""

    audit: Audit
    done: tuple[Done, ...]

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """Each number compared with each threshold that is about it, in the order of the measurements."""
        found = [judgement for done in self.done for judgement in judgements(self.audit, done)]
        judged = {judgement.threshold for judgement in found}
        unheard = [threshold.written for threshold in self.audit.thresholds if threshold.written not in judged]
        return (*found, *(Judgement(text, "", "", why="no model here has this number") for text in unheard))

    @property
    def code(self) -> int:
        """The exit code: that a threshold was crossed counts before what could not be measured or judged."""
        if any(judgement.crossed for judgement in self.judgements):
            return CROSSED
        incomplete = not all(done.complete for done in self.done)
        return UNMEASURED if incomplete or any(judgement.crossed is None for judgement in self.judgements) else DONE

    @property
    def lines(self) -> tuple[str, ...]:
        """The outcome in sentences: counts, thresholds that were crossed or not judged, then what is missing."""
        told = sentences(judgement for judgement in self.judgements if judgement.crossed is not False)
        return (*self.counts, *told, *self.missing)

    @property
    def counts(self) -> tuple[str, ...]:
        """How much was measured, and how many thresholds were crossed."""
        whole = sum(done.complete for done in self.done)
        return (
            f"{whole} of {counted(len(self.done), 'measurement')} complete.",
            *([_thresholds(self.audit, self.judgements)] if self.audit.thresholds else []),
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """What was not measured, and why."""
        return tuple(f"Not measured: {done.planned.title}: {why}" for done in self.done for why in done.missing)


def _thresholds(audit: Audit, judged: Sequence[Judgement]) -> str:
    crossed = {judgement.threshold for judgement in judged if judgement.crossed}
    unjudged = {judgement.threshold for judgement in judged if judgement.crossed is None} - crossed
    rest = len(audit.thresholds) - len(crossed) - len(unjudged)
    counts = [f"{len(crossed)} crossed", f"{rest} not crossed"]
    counts += [f"{len(unjudged)} could not be judged"] if unjudged else []
    return f"Thresholds, fixed before the run: {', '.join(counts)}."


def to_json(outcome: Outcome) -> bytes:
    """The summary for a program.

    Parameters
    ----------
    outcome : Outcome
        Of a batch.

    Returns
    -------
    bytes
        JSON in UTF-8: what was measured, each judgement, the exit code. The same for the same numbers.
    """
    document: dict[str, Plain] = {
        "title": outcome.audit.title,
        "batch_sha256": outcome.audit.sha256,
        "exit_code": outcome.code,
        "runs": [
            {
                "name": done.planned.name,
                "measure": done.planned.spec.COMMAND,
                "models": list(done.planned.spec.models),
                "spec_sha256": done.planned.spec.digest,
                "complete": done.complete,
                "why_not": list(done.missing),
                "file": "" if done.file is None else f"{RESULTS}/{done.file.name}",
                "numbers": [] if done.result is None else plain(done.result.headlines()),
                "notes": [] if done.result is None else plain(done.result.notes),
                "excluded": 0 if done.result is None else len(done.result.excluded),
                "why_excluded": [] if done.result is None else list(left_out(done.result)),
            }
            for done in outcome.done
        ],
        "thresholds": [threshold.written for threshold in outcome.audit.thresholds],
        "judgements": plain(outcome.judgements),
    }
    return (strict_json(document, indent=2) + "\n").encode()


def to_markdown(outcome: Outcome) -> bytes:
    """The summary for a reader, or for the page of a CI job.

    Parameters
    ----------
    outcome : Outcome
        Of a batch.

    Returns
    -------
    bytes
        Markdown in UTF-8: what was measured, each threshold with its judgement, every number with its notes.
    """
    return ("\n".join(_lines(outcome)) + "\n").encode()


def _lines(outcome: Outcome) -> Iterator[str]:
    yield f"# {markdown_literal(outcome.audit.title)}"
    yield ""
    yield from (f"- {markdown_literal(line)}" for line in (*outcome.counts, *outcome.missing))
    if outcome.audit.thresholds:
        yield from ("", "## Thresholds, fixed before the run", "")
        yield from (f"- {markdown_literal(line)}" for line in sentences(outcome.judgements))
    yield from ("", "## Numbers", "")
    for done in outcome.done:
        if done.result is not None:
            lines = (*map(sentence, done.result.headlines()), *beside(done.result))
            yield from (f"- {markdown_literal(f'{done.planned.name}: {line}')}" for line in lines)


def report(outcome: Outcome) -> Contents | None:
    """The report: each threshold with its judgement beside the result, then numbers, figures and tables.

    Parameters
    ----------
    outcome : Outcome
        Of a batch.

    Returns
    -------
    Contents or None
        None where nothing was measured.
    """
    measured = [done for done in outcome.done if done.result is not None]
    if not measured:
        return None
    kept = Reports(None)
    results = [done.result for done in measured if done.result is not None]
    made = report_of(kept, results, title=outcome.audit.title, summary="\n".join(outcome.lines))
    judged = [pin for done in measured for pin in _judged(kept, outcome, done)]
    whole = kept.change(
        made.id, lambda report: replace(report, author=outcome.audit.author, pins=(*judged, *report.pins))
    )
    return contents(whole, kept)


def _judged(kept: Reports, outcome: Outcome, done: Done) -> Iterator[Pin]:
    if done.result is not None:
        for line in sentences(judgements(outcome.audit, done)):
            yield finding(kept, "threshold", done.result, f"Threshold, fixed before the run: {line}")
