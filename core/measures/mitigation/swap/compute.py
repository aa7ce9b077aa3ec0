"""The swap of a file: document by document, with a model for what grammar alone does not tell."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .... import whole
from ....engine.loading import LoadedModel
from ....engine.masked import MaskedScorer
from ....errors import NothingToScore
from ....result import Excluded, Note, Progress
from ....run import Callbacks, Run
from ....sources.digests import user_copy
from ....sources.documents import Document, DocumentFile, Kind, read_documents
from ....sources.first_names import Doubt, DoubtKind
from ....sources.substitution import KINDS, TextPlan, moved, plan_text, swap_sources
from ....sources.swap import Replacement
from ...shared import provenance
from ...shared.checks import check_models
from ...shared.twins import Choice, choices
from ..texts_given import EXAMPLE
from .metric import LEAST_MARGIN, tokens, unrestored
from .result import CHANGES, DOCUMENTS, DOUBTS, SUMMARY, TEXTS, UNRESTORED, SwapResult
from .spec import SwapSpec

CHUNK = 128  # documents of which a stop may lose the work
_UNDECIDED = "the model has no single token for both words; it stays as it is"


@dataclass(frozen=True)
class Swapped:
    """One document that was swapped: what was replaced by what, the doubts, and what swapping back leaves."""

    text: str
    replacements: tuple[Replacement, ...]
    after: tuple[str, ...]
    reasons: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    tokens: int
    lost: tuple[tuple[int, str, str], ...]


def measure(spec: SwapSpec, models: Sequence[LoadedModel], run: Run[Any]) -> SwapResult:
    """Swap the documents of the spec's file, and write them where the spec says.

    Raises InputError, the model's refusal, NothingToScore where nothing was reached, or ExportError where the file
    cannot be written; a run that is stopped writes none.
    """
    check_models(models)
    (model,) = models
    file = spec.documents()
    scorer = MaskedScorer(model)
    wanted = chosen(len(file.documents), spec)
    done: dict[int, Swapped | None] = run.memory
    _swap(file.documents, [place for place in wanted if place not in done], scorer, done, run, len(wanted))
    if wanted and not done:
        raise NothingToScore("No document was reached before the run was stopped.")
    stopped = len(done) < len(wanted)
    result = SwapResult(
        spec=spec,
        tables=SwapResult.SCHEMA.frames(**_tables(file, set(wanted), done, stopped)),
        excluded=tuple(
            Excluded(model.info.name, "item", file.documents[place].name, _UNDECIDED)
            for place in sorted(done)
            if done[place] is None
        ),
        notes=_notes(file, len(wanted), len(done)),
        provenance=provenance.of(
            [model.info],
            data=(
                EXAMPLE.name if spec.file is None else user_copy(spec.file.data, spec.file.name),
                *map(str, swap_sources()),
            ),
            seed=spec.seed,
        ),
        stopped=stopped,
    )
    if spec.out is not None and not stopped:
        whole.write(spec.out, swapped_file(result))
    return result


def chosen(count: int, spec: SwapSpec) -> list[int]:
    """The places of the documents that are swapped: all, or each with probability one half."""
    if spec.every:
        return list(range(count))
    return np.flatnonzero(np.random.default_rng(spec.seed).random(count) < 0.5).tolist()


def swapped_file(result: SwapResult) -> bytes:
    """The file of a result with its documents swapped, labels and offsets moved along.

    It is read again before it is given out, so that a label that does not stand at its offset is found here. Raises
    OptionError where the spec holds no content of the file.
    """
    file: DocumentFile = result.spec.documents()
    places = {document.name: place for place, document in enumerate(file.documents)}
    after: dict[str, str] = dict(zip(result[TEXTS]["document"], result[TEXTS]["after"], strict=True))
    changes: defaultdict[str, list[Replacement]] = defaultdict(list)
    rows: list[dict[Any, Any]] = result[CHANGES].to_dict("records")
    for row in rows:
        change = Replacement(row["start"], row["start"] + len(row["before"]), (row["after"],))
        changes[row["document"]].append(change)
    texts: dict[int, tuple[str, list[tuple[int, int]]]] = {}
    for name, text in after.items():
        document = file.documents[places[name]]
        made = changes[name]
        words = [replacement.options[0] for replacement in made]
        spans = [(moved(label.start, made, words), moved(label.stop, made, words)) for label in document.labels]
        texts[places[name]] = text, spans
    content = file.rewritten(texts)
    read_documents(content, file.name)
    return content


def _swap(
    documents: Sequence[Document],
    places: Sequence[int],
    scorer: MaskedScorer,
    done: dict[int, Swapped | None],
    run: Run[Any],
    total: int,
) -> None:
    """Swap documents chunk by chunk into ``done``; None for one that the model cannot decide."""
    quiet = Callbacks(cancelled=run.cancelled)
    for start in range(0, len(places), CHUNK):
        chunk = places[start : start + CHUNK]
        if run.cancelled():
            return
        plans = [plan_text(documents[place].text, _borders(documents[place])) for place in chunk]
        forth = choices(scorer, [plan.swap for plan in plans], run=quiet)
        texts = ["" if found is None else _text(plan, found) for plan, found in zip(plans, forth, strict=True)]
        again = [plan_text(text) for text in texts]
        back = choices(scorer, [plan.swap for plan in again], run=quiet)
        if run.cancelled():
            return
        for place, plan, found, text, plan_back, found_back in zip(
            chunk, plans, forth, texts, again, back, strict=True
        ):
            if found is None or found_back is None:
                done[place] = None
                continue
            done[place] = _swapped(plan, found, text, _text(plan_back, found_back))
        run.report(Progress("Swapping documents", len(done), total))


def _borders(document: Document) -> list[int]:
    return [border for label in document.labels for border in (label.start, label.stop)]


def _text(plan: TextPlan, found: Sequence[Choice]) -> str:
    return plan.swap.text([choice.option for choice in found])


def _swapped(plan: TextPlan, found: Sequence[Choice], text: str, again: str) -> Swapped:
    answers = iter(found)
    after, reasons, doubts = [], [], list(plan.doubts)
    for replacement in plan.replacements:
        if len(replacement.options) == 1:
            after.append(replacement.options[0])
            reasons.append(replacement.reason)
            continue
        choice = next(answers)
        word, other = replacement.options[choice.option], replacement.options[1 - choice.option]
        after.append(word)
        reasons.append(f"the model finds “{word}” {_times(choice.margin)} as likely as “{other}” here")
        if choice.margin < LEAST_MARGIN:
            before = plan.text[replacement.start : replacement.stop]
            reason = f"became “{word}”, which the model finds only {_times(choice.margin)} as likely as “{other}”"
            doubts.append(Doubt(replacement.start, before, DoubtKind.GRAMMAR, reason))
    lost = unrestored(plan.text, again)
    ordered = sorted(doubts, key=lambda doubt: (doubt.start, doubt.kind))
    count = len(tokens(plan.text))
    return Swapped(text, plan.replacements, tuple(after), tuple(reasons), tuple(ordered), count, tuple(lost))


def _times(margin: float) -> str:
    """How many times likelier, for a reader."""
    if margin > math.log(1000):
        return "over 1,000 times"
    times = math.exp(margin)
    return f"{times:.1f} times" if times < 10 else f"{times:,.0f} times"


def _tables(
    file: DocumentFile, wanted: set[int], done: Mapping[int, Swapped | None], stopped: bool
) -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in (DOCUMENTS, CHANGES, DOUBTS, UNRESTORED, TEXTS)}
    for place, document in enumerate(file.documents):
        swapped = done.get(place)
        if stopped and place in wanted and place not in done:
            continue
        at = {"document": document.name}
        found = swapped or Swapped(document.text, (), (), (), (), 0, ())
        rows[DOCUMENTS].append(
            {
                **at,
                "line": document.line,
                "swapped": swapped is not None,
                "changes": len(found.after),
                "doubts": len(found.doubts),
                "tokens": found.tokens,
                "unrestored": len(found.lost),
            }
        )
        if swapped is None:
            continue
        rows[CHANGES] += [{**at, **row} for row in _changes(document, swapped)]
        rows[DOUBTS] += [
            {**at, "start": doubt.start, "word": doubt.word, "kind": str(doubt.kind), "reason": doubt.reason}
            for doubt in swapped.doubts
        ]
        rows[UNRESTORED] += [
            {**at, "token": number, "before": before, "after": after} for number, before, after in swapped.lost
        ]
        rows[TEXTS].append({**at, "before": document.text, "after": swapped.text})
    return {SUMMARY: _summary(rows), **rows}


def _changes(document: Document, swapped: Swapped) -> Iterator[dict[str, Any]]:
    for replacement, after, reason in zip(swapped.replacements, swapped.after, swapped.reasons, strict=True):
        yield {
            "start": replacement.start,
            "before": document.text[replacement.start : replacement.stop],
            "after": after,
            "kind": replacement.kind,
            "reason": reason or _PLAIN[replacement.kind],
        }


_PLAIN = {"pronoun": "pronoun", "word": "pair of words", "title": "title", "name": "first name"}


def _summary(rows: Mapping[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    documents = rows[DOCUMENTS]
    swapped = sum(row["swapped"] for row in documents)
    lost, count = len(rows[UNRESTORED]), sum(row["tokens"] for row in documents)
    groups: list[tuple[str, int, Mapping[str, int]]] = [
        ("documents", len(documents), {"swapped": swapped, "kept": len(documents) - swapped}),
        ("changes", len(rows[CHANGES]), _counted(rows[CHANGES], KINDS)),
        ("doubts", len(rows[DOUBTS]), _counted(rows[DOUBTS], [str(kind) for kind in DoubtKind])),
        ("tokens", count, {"restored": count - lost, "not restored": lost}),
    ]
    return [
        {"what": what, "kind": kind, "n": n, "percent": 100 * n / total if total else None}
        for what, total, kinds in groups
        for kind, n in {"all": total, **kinds}.items()
    ]


def _counted(rows: Sequence[Mapping[str, Any]], kinds: Sequence[str]) -> dict[str, int]:
    counts = Counter(row["kind"] for row in rows)
    return {kind: counts[kind] for kind in kinds}


def _notes(file: DocumentFile, wanted: int, done: int) -> tuple[Note, ...]:
    found = [*map(Note, file.notes)]
    if file.kind == Kind.GAP:
        found.append(Note("Labels and offsets moved along; the addresses (URL) are those of the unswapped pages."))
    else:
        found.append(Note(f"Documents are the {file.kind} of the file."))
    if not wanted:
        found.append(Note("The seed chose none of the documents; choose another, or swap all of them."))
    if done < wanted:
        found.append(Note(f"Stopped after {done:,} of {wanted:,} documents; no file was written."))
    return tuple(found)
