"""A corpus scan: attention bias of every fitting sentence of a file, written as it goes (Li et al. 2021)."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from ....engine import catalog, checkpoints
from ....engine.attention import AttentionReader, HeadSums, Position, Refusal
from ....engine.loading import LoadedModel
from ....engine.masked import MaskedScorer
from ....engine.pool import shared_pool
from ....errors import NothingToScore, WordListError
from ....result import Note, Progress
from ....run import UNWATCHED, Callbacks, Watch
from ....sources import CorpusFile, marked
from ....sources.marking import MarkedSentence
from ....sources.sentences import Sifted, sift
from ...shared import provenance
from ...shared.twins import twin
from .. import metric
from ..compute import degrees, looks_away, query_of
from ..result import MAPS
from ..spec import AttentionSpec
from . import store
from .result import KEPT, ScanResult
from .spec import ScanSpec
from .store import Part, ScanSettings

PART = 256  # sentences kept in a part: what a kill can lose
MOST_READ = 20_000  # sentences of the corpus in a part, so that one with few fitting ones still counts up
NO_TWIN = "no twin could be made"
BEHIND = "a gendered word behind the occupation (the model reads left to right)"
_TWIN_SHARE = 0.3  # of a part's time, about: for the progress bar
_QUARTILES = {"low": 0.0, "q1": 0.25, "median": 0.5, "q3": 0.75, "high": 1.0}
_BINS = 2000  # of the degrees from −1 to 1, for the quartiles


def measure(spec: ScanSpec, models: Sequence[LoadedModel], run: Watch) -> ScanResult:
    """Scan a corpus with the one model; the embedded model decides between "his" and "him".

    Raises WordListError, OptionError, or NothingToScore where nothing is kept.
    """
    with shared_pool().lease(checkpoints.request(catalog.DEFAULT)) as twin_model:
        if spec.folder is not None:
            return scan(spec, models[0], twin_model, spec.folder, run=run)
        with tempfile.TemporaryDirectory() as folder:
            return scan(spec, models[0], twin_model, Path(folder), run=run)


def scan(
    spec: ScanSpec, model: LoadedModel, twin_model: LoadedModel, folder: Path, *, run: Watch = UNWATCHED
) -> ScanResult:
    """Scan the corpus of the spec into a folder, resuming from what is there already; then read it back.

    ``model`` must be loaded with attention outputs. When stopped, the parts written stay. Raises as ``measure``.
    """
    corpus = spec.corpus
    corpus.check()
    reader = AttentionReader(model)
    settings = ScanSettings(
        corpus=corpus.path.name,
        corpus_digest=corpus.digest(),
        column=corpus.column,
        model=model.info,
        twin_model=twin_model.info.name,
        twin_digest=twin_model.info.digest,
        positions=tuple((position.kind, position.layer) for position in reader.positions),
        layers=model.info.layers,
        heads=model.info.heads,
        missing=reader.missing,
        reading=corpus.encoding().note,
    )
    if store.is_finished(folder, settings):
        return read(folder, spec)
    source = provenance.of(
        (model.info, *([twin_model.info] if twin_model.info.digest != model.info.digest else [])),
        data=(f"{corpus.path.name}, SHA-256 {settings.corpus_digest}", *AttentionSpec().data),
        seed=0,
    )
    corpus.check_rows()
    scorer = MaskedScorer(twin_model)
    with store.writing(folder, settings) as (held, done):
        for chunk in _chunks(corpus, done):
            part = _measure(chunk, reader, scorer, run, corpus.size() // 1024)
            if part is None:
                break
            store.write_part(folder, part, held, source)
        return read(folder, spec)


@dataclass(frozen=True)
class _Chunk:
    """Kept sentences of a stretch of the corpus, with what was excluded there.

    ``first`` and ``next`` count sentences before it and with it, ``start`` and ``end`` kilobytes.
    """

    kept: tuple[Sifted, ...]
    counts: Counter[str]
    first: int
    next: int
    start: int
    end: int
    finished: bool


def _chunks(corpus: CorpusFile, done: int) -> Iterator[_Chunk]:
    """The corpus behind its first ``done`` sentences, a part at a time."""
    sentences = islice(corpus.sentences(), done, None)
    kept: list[Sifted] = []
    counts: Counter[str] = Counter()
    at, last, start, read = done, done, 0, 0
    for text, read in sentences:
        (sentence,) = sift([text])
        at += 1
        if sentence.reason:
            counts[sentence.reason] += 1
        else:
            kept.append(sentence)
        if len(kept) == PART or at - last == MOST_READ:
            yield _Chunk(tuple(kept), counts, last, at, start, read // 1024, finished=False)
            kept, counts, last, start = [], Counter(), at, read // 1024
    yield _Chunk(tuple(kept), counts, last, at, start, read // 1024, finished=True)


def _measure(
    chunk: _Chunk,
    reader: AttentionReader,
    scorer: MaskedScorer,
    run: Watch,
    kilobytes: int,
) -> Part | None:
    """The degrees of a chunk, None where the run was cancelled in it."""
    part = Part(chunk.first, chunk.next, chunk.finished, counts=Counter(chunk.counts))

    def within(share: float, rest: float) -> Watch:
        """Progress of one of the stages as kilobytes of the corpus."""
        size = chunk.end - chunk.start

        def report(stage: Progress) -> None:
            done = chunk.start + round(size * (share + rest * stage.done / max(stage.total, 1)))
            run.report(Progress("Scanning the corpus, kilobytes read", done, max(kilobytes, done)))

        return Callbacks(report, run.cancelled)

    texts = [sentence.text for sentence in chunk.kept]
    twins = twin(scorer, texts, run=within(0.0, _TWIN_SHARE))
    if run.cancelled():
        return None
    pairs: list[tuple[MarkedSentence, MarkedSentence]] = []
    for text, other in zip(texts, twins, strict=True):
        pair = _pair(text, other)
        reason = NO_TWIN if pair is None else BEHIND if any(looks_away(reader, side) for side in pair) else ""
        if pair is None or reason:
            part.counts[reason] += 1
        else:
            pairs.append(pair)
    queries = [query_of(side) for pair in pairs for side in pair]
    answers: dict[int, HeadSums | Refusal] = {}
    rest = within(_TWIN_SHARE, 1 - _TWIN_SHARE)
    for indices, sums in reader.sums(queries, detectors=True, run=rest):
        answers.update(zip(indices, sums, strict=True))
    if run.cancelled() and len(answers) < len(queries):
        return None
    for at, (sentence, twin_of_it) in enumerate(pairs):
        first, second = answers[2 * at], answers[2 * at + 1]
        if isinstance(first, Refusal) or isinstance(second, Refusal):
            part.counts[first.kind if isinstance(first, Refusal) else second.kind] += 1  # type: ignore[union-attr]
            continue
        own, of_positions = degrees(first, second)
        part.counts[KEPT] += 1
        part.texts.append(sentence.text)
        part.twins.append(twin_of_it.text)
        part.occupations.append(sentence.text[slice(*sentence.occupation)].lower())
        part.degrees.append(np.concatenate([of_positions, own]).astype(np.float32))
    return part


def _pair(text: str, other: str | None) -> tuple[MarkedSentence, MarkedSentence] | None:
    if other is None:
        return None
    try:
        return marked(text), marked(other)
    except WordListError:
        return None


class _Quartiles:
    """Quartiles of values from −1 to 1 from counts in bins, in constant memory."""

    def __init__(self, places: int) -> None:
        self._counts = np.zeros((places, _BINS), dtype=np.int64)

    def add(self, values: np.ndarray) -> None:
        """Take in values [sentence, place]; NaN is excluded."""
        for place in range(values.shape[1]):
            column = values[:, place]
            bins = np.clip((column[~np.isnan(column)] + 1) / 2 * _BINS, 0, _BINS - 1).astype(np.int64)
            self._counts[place] += np.bincount(bins, minlength=_BINS)

    def at(self, share: float) -> np.ndarray:
        """The value below which ``share`` of the values lie, by place; NaN where there is none."""
        cumulated = self._counts.cumsum(axis=1)
        total = cumulated[:, -1]
        wanted = np.maximum(share * total, 1)
        bins = (cumulated < wanted[:, None]).sum(axis=1)
        return np.where(total > 0, (bins + 0.5) / _BINS * 2 - 1, np.nan)


def read(folder: Path, spec: ScanSpec | None = None) -> ScanResult:
    """The result of a scan's folder, finished or not, from its parts in constant memory.

    Without a spec it is that of the folder. Raises OptionError for a folder without a scan, and for parts that do not
    fit together; NothingToScore where nothing was kept so far.
    """
    settings = store.read_settings(folder)
    positions = [Position(kind, layer) for kind, layer in settings.positions]
    own = np.full(settings.layers, metric.NO_PREDECESSOR)
    running = metric.RunningFigures(np.concatenate([metric.predecessors(positions), own]))
    quartiles = _Quartiles(settings.places)
    counts: Counter[str] = Counter({KEPT: 0})
    occupations: Counter[str] = Counter()
    last = None
    for batch in store.batches(folder, settings):
        running.add(batch.degrees)
        quartiles.add(metric.sentence_value(batch.degrees))
        occupations.update(batch.occupations)
        counts.update(batch.meta["counts"])
        last = batch.meta
    if last is None or not counts[KEPT]:
        raise NothingToScore(
            f"No sentence of {settings.corpus} was kept so far; it needs a male word, a female word and an occupation "
            f"({', '.join(f'{reason}: {n:,}' for reason, n in counts.items() if n) or 'nothing was read'})."
        )
    ends = {name: quartiles.at(share) for name, share in _QUARTILES.items()}
    corpus = CorpusFile(Path(settings.corpus), settings.column)
    return ScanResult(
        spec=spec or ScanSpec(models=(settings.model.id,), dtype=settings.model.dtype, corpus=corpus, folder=folder),
        tables=ScanResult.SCHEMA.frames(
            positions=_positions(settings, positions, running.figures(), ends),
            occupations=pd.DataFrame(occupations.most_common(), columns=["occupation", "n"]),
            counts=pd.DataFrame(counts.items(), columns=["reason", "n"]),
        ),
        excluded=(),
        notes=(
            *([Note(settings.reading)] if settings.reading else []),
            *([Note(settings.missing, settings.model.name)] if settings.missing else []),
        ),
        provenance=provenance.restored(last["provenance"]),
        stopped=not last["finished"],
    )


def _positions(
    settings: ScanSettings, positions: Sequence[Position], figures: metric.PositionFigures, ends: dict[str, np.ndarray]
) -> pd.DataFrame:
    layers = range(settings.layers)
    return pd.DataFrame(
        {
            "model": settings.model.name,
            "position": [*range(len(positions)), *(None for _ in layers)],
            "layer": [*(position.layer for position in positions), *layers],
            "kind": [*(position.kind for position in positions), *(MAPS for _ in layers)],
            "mean_degree": figures.mean_degree,
            "difference": figures.difference,
            "share_biased": figures.share_biased,
            "share_rising": figures.share_rising,
            "n": figures.n,
            **ends,
        }
    )
