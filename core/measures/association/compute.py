"""Association tests: each test by each representation in each model gives a row, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ...engine.embeddings import Encoder
from ...engine.loading import LoadedModel
from ...engine.masked import STOPPED
from ...engine.pieces import SpanText
from ...engine.vectors import StaticVectors, read_vectors
from ...errors import ModelError, NothingToScore, OptionError, WordListError
from ...report.wording import listed
from ...result import Excluded, Note
from ...run import Run, Watch
from ...sources import AssociationTest
from ...sources.digests import file_digest, texts_digest
from ...stats.corrections import benjamini_hochberg
from ...stats.samples import ALPHA, is_enough, too_few
from ..shared import provenance
from ..shared.readable import reading_notes, refuse_special_tokens
from ..shared.representations import (
    CEAT,
    VECTORS,
    Representation,
    cannot_read,
    named_layer,
    read,
    representation_by_id,
)
from . import erasing, metric
from .contexts import MAX_CONTEXTS, Contexts, contexts
from .erasing import Fit, Points
from .lpbs import FrameScores, ScoredSets, read_scores, values_of
from .members import (
    PAIRS,
    X_Y,
    Members,
    Sets,
    TextVectors,
    made_equal,
    read_in_contexts,
    read_in_texts,
    read_static,
    texts_of,
    told_apart,
)
from .metric import Computed, NotComputed, SetSizes, Statistics
from .result import AssociationResult
from .spec import AssociationSpec, Erase, Lost, LpbsValues, Unequal, read_sentences

SHARED_SENTENCES = (
    "CEAT: the samples share sentences, so its p shrinks with their number; read the combined effect size and its "
    "spread."
)
CAPPED = f"CEAT: a word is read in at most {MAX_CONTEXTS} places of the sentences, drawn by the seed where it has more."
NO_FIRST_TOKEN = "a causal (left-to-right) model has no [CLS]: its last token stands for it."
ERASED = (
    "Gender was erased from every vector before the tests (LEACE), fitted on gendered words that are none of the "
    "test’s; the table “erased” of association tests says on how many, and how many dimensions. What is not linear "
    "stays: a lean that is gone here may still be found in other ways."
)
NO_ONE_SIDED = ": CEAT has no permutation test, so no one-sided p"
_STATISTICS = tuple(item.name for item in fields(Statistics))
_WHICH = ("model", "test", "representation")

Memory = MutableMapping[Hashable, Any]
SetsOf = Callable[[AssociationTest], Sets | None]  # the sets of a test as one representation reads them; None: stopped
Erasing = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Row:
    """What one model, or one file of vectors, gives for one test by one representation.

    ``computed`` is None where there is no value. ``members``: those that stayed of the sets that stand for X, Y, A and
    B. ``pooled``: the templates whose values of all members come one after the other. ``curve``: d by layer, where a
    representation reads several; a layer whose values do not vary beyond rounding has none. ``fit``: what gender was
    erased by before, where it was.
    """

    model: str
    test: str
    representation: str
    layer: str
    templates: int
    computed: Computed | None
    members: tuple[tuple[str, ...], ...] = ()
    pooled: tuple[str, ...] = ()
    curve: tuple[tuple[int, float], ...] = ()
    fit: Fit | None = None
    excluded: tuple[Excluded, ...] = ()
    notes: tuple[str, ...] = ()
    stopped: bool = False


@dataclass(frozen=True, eq=False)
class Task:
    """One test by one representation in one model, which has so many ``layers``; 0 for a file of vectors."""

    model: str
    layers: int
    test: AssociationTest
    kind: Representation
    spec: AssociationSpec

    @property
    def templates(self) -> int:
        """How many sentences each member is read in, at most; 0 without sentences."""
        test, place = self.test, self.kind.place
        if place == "scores" and test.lpbs is not None:
            return len(test.lpbs.frames)
        if place == "partner" and test.lpbs is not None:
            return len(test.lpbs.partner_masked)
        if place == "templates" and test.templates is not None:
            return max(len(placed.sentences) for placed in test.templates.placements)
        return 0

    @property
    def single_piece(self) -> bool:
        """Whether words of several tokens are lost."""
        return self.spec.lost == Lost.SEVERAL

    @property
    def read(self) -> tuple[AssociationTest, ...]:
        """What is read for it: the test, and the gendered words that an eraser is fitted on."""
        return (self.test, erasing.gendered(self.test)) if self.spec.erase == Erase.LEACE else (self.test,)

    @property
    def impossible(self) -> str:
        """Why it cannot be computed in any model, empty if it can."""
        if self.kind.place == "scores" and self.spec.erase == Erase.LEACE:
            return erasing.NO_VECTORS
        return cannot_read(self.kind, self.test)

    def refused(self, reason: str, excluded: Sequence[Excluded] = (), notes: Sequence[str] = ()) -> Row:
        """The row without a value; ``reason``: ``STOPPED``, or what comes behind "not computed"."""
        why = f" {STOPPED}" if reason == STOPPED else f": not computed, {reason.rstrip('.')}"
        row = self._row(None, [*excluded, self._no_number(why)], notes)
        return replace(row, stopped=reason == STOPPED)

    def row(
        self,
        computed: Computed | NotComputed,
        sets: Sets,
        others: Sequence[Excluded] = (),
        *,
        members: tuple[tuple[str, ...], ...] = (),
        pooled: tuple[str, ...] = (),
        curve: tuple[tuple[int, float], ...] = (),
        fit: Fit | None = None,
        notes: Sequence[str] = (),
    ) -> Row:
        """The row of a test on these sets, whose lost members are listed before the ``others``.

        Where X or Y has too few members there is no interval, and that is said.
        """
        excluded = [
            self.excluded("target" if letter in X_Y else "attribute", word, reason, letter)
            for letter, members in sets.items()
            for word, reason in (*members.lost, *members.dropped)
        ]
        excluded += others
        if isinstance(computed, NotComputed):
            return self.refused(computed.reason, excluded, notes)
        sizes = zip(X_Y, (computed.n_x, computed.n_y), strict=True)
        if few := ", ".join(f"{letter} {too_few(n)}" for letter, n in sizes if not is_enough(n)):
            missing = "interval" if computed.is_permuted else "interval and p"
            excluded.append(self._no_number(f": {missing} not computed, n too small ({few} members)"))
            computed = metric.without_interval(computed)
        if not computed.is_permuted:
            excluded.append(self._no_number(NO_ONE_SIDED))
        return replace(self._row(computed, excluded, notes), members=members, pooled=pooled, curve=curve, fit=fit)

    def excluded(
        self, role: str, word: str, reason: str, group: str | None = None, template: str | None = None
    ) -> Excluded:
        """A word that is lost; ``reason`` follows it."""
        return Excluded(
            self.model, role, word, f"{word} {reason}", group, template,
            test=self.test.id, representation=self.kind.id,
        )  # fmt: skip

    def _no_number(self, reason: str) -> Excluded:
        """A statistic that is missing; ``reason`` follows the test and the representation."""
        text = f"{self.test.id} by {self.kind.id}{reason}"
        return Excluded(
            self.model, "statistic", self.test.id, text, test=self.test.id, representation=self.kind.id
        )  # fmt: skip

    def _row(self, computed: Computed | None, excluded: Sequence[Excluded], notes: Sequence[str]) -> Row:
        layer = named_layer(self.kind, self.layers, self.spec.layer)
        return Row(
            self.model, self.test.id, self.kind.id, layer, self.templates, computed,
            excluded=tuple(excluded), notes=tuple(notes),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Asked:
    """What is asked of every model: a spec with its tests and representations, and the contexts of CEAT.

    ``key`` tells it from what else a run's memory may hold.
    """

    spec: AssociationSpec
    tests: tuple[AssociationTest, ...]
    kinds: tuple[Representation, ...]
    contexts: Contexts | None
    key: str

    @property
    def words(self) -> list[str]:
        """Every member of a test once."""
        return _members_of(self.tests)

    @property
    def read(self) -> list[str]:
        """Every member of a test, and of what an eraser is fitted on, once."""
        return _members_of(_read(self.spec, self.tests))

    def tasks(self, model: LoadedModel) -> list[Task]:
        """All that is asked of one model, by representation; CEAT last, where there are sentences."""
        kinds = (*self.kinds, *([CEAT] if self.contexts is not None else []))
        return [
            Task(model.info.name, model.info.layers, test, kind, self.spec) for kind in kinds for test in self.tests
        ]


def measure(spec: AssociationSpec, models: Sequence[LoadedModel], run: Run[Any]) -> AssociationResult:
    """Every test by every representation in every model, each row with its d, interval and p (metrics: WEAT, CEAT).

    The file of vectors is read before the models are asked. A combination that cannot be computed is a row without
    values, its reason in ``excluded``. When the run is cancelled, what is finished is returned; a combination that was
    not reached is such a row too, and a model of which none is finished has no rows and is listed. The run's
    memory keeps each finished combination; with the same one only the others are computed.
    Raises OptionError, WordListError for a bad vector file, or NothingToScore.
    """
    tests = tuple(asked.test() for asked in spec.tests)
    refuse_special_tokens(models, list(dict.fromkeys(text for test in tests for text in _texts(test))))
    _check_layer(spec, models)
    sentences = read_sentences(spec.sentences).words
    asked = Asked(
        spec,
        tests,
        tuple(map(representation_by_id, spec.representations)),
        contexts(sentences, _sought(_read(spec, tests)), spec.seed) if sentences else None,
        spec.digest,
    )
    data = list(spec.data)
    rows: dict[str, list[Row] | None] = dict.fromkeys(model.info.name for model in models)
    of_file: dict[str, list[Row] | None] = {}
    if spec.vectors is not None:
        # Before it is read: a file that is exchanged meanwhile must not pass for what it became.
        digest = _digest(spec.vectors)
        called = f"{spec.vectors.name} (file)" if spec.vectors.name in rows else spec.vectors.name
        of_file[called] = _rows_of_file(spec.vectors, digest, called, asked, run, run.memory)
        data.append(f"vectors of {spec.vectors.name}, SHA-256 {digest}")
    for model in models:
        if not run.cancelled():
            rows[model.info.name] = _rows_of_model(model, asked, run, run.memory)
    if sentences:
        data.append(f"{len(sentences):,} sentences, SHA-256 {texts_digest(sentences)}")
    rows |= of_file
    _require_something(rows)
    return _result(asked, models, rows, data)


def _check_layer(spec: AssociationSpec, models: Sequence[LoadedModel]) -> None:
    deepest = min((model.info.layers for model in models), default=0)
    if spec.layer is not None and models and not 0 <= spec.layer <= deepest:
        raise OptionError(f"Layer {spec.layer} does not exist in every model; choose 0 (embeddings) to {deepest}.")


def _read(spec: AssociationSpec, tests: Sequence[AssociationTest]) -> list[AssociationTest]:
    """The tests, and behind them what erasers for them are fitted on."""
    return [*tests, *(erasing.gendered(test) for test in tests if spec.erase == Erase.LEACE)]


def _members_of(tests: Sequence[AssociationTest]) -> list[str]:
    return list(dict.fromkeys(word for test in tests for _, words in test.sets for word in words.members))


def _sought(tests: Sequence[AssociationTest]) -> list[str]:
    """The words that CEAT looks for in sentences, for all tests of words."""
    every = (word for test in tests if test.level == "words" for _, words in test.sets for word in words.members)
    return list(dict.fromkeys(every))


# What the models are asked.


def _rows_of_model(model: LoadedModel, asked: Asked, run: Watch, memory: Memory) -> list[Row]:
    """A row for each task. What costs least is computed first, so that a stop keeps the most."""

    def key(task: Task) -> Hashable:
        return "association", asked.key, model.info, task.test.id, task.kind.id

    tasks = asked.tasks(model)
    missing = [task for task in tasks if key(task) not in memory]
    rows = {task: memory[key(task)] for task in tasks if key(task) in memory}
    # The vectors of a pass that was stopped, until every row is made of them.
    parts = "association", asked.key, model.info, "vectors"
    for these, compute in _work(model, asked, missing, run, memory.setdefault(parts, {})):
        for task in these:
            rows[task] = task.refused(STOPPED) if run.cancelled() else compute(task)
            if not rows[task].stopped:
                memory[key(task)] = rows[task]
    if not any(row.stopped for row in rows.values()):
        del memory[parts]
    return [rows[task] for task in tasks]


def _work(
    model: LoadedModel, asked: Asked, tasks: Sequence[Task], run: Watch, memory: Memory
) -> Iterator[tuple[Sequence[Task], Callable[[Task], Row]]]:
    """The tasks, cheapest first, by what they read of the model; this is read when its turn comes."""
    if impossible := [task for task in tasks if task.impossible]:
        yield impossible, lambda task: task.refused(task.impossible)
    possible = [task for task in tasks if task not in impossible]

    def of(*places: str) -> list[Task]:
        return [task for task in possible if task.kind.place in places]

    encoder = Encoder(model) if any(task.kind.place != "scores" for task in possible) else None
    if encoder is not None and (static := of("static")):
        yield static, partial(_static_row, asked.read, encoder.input_vectors(asked.read))
    if encoder is not None and (pooled := of("bare", "templates", "partner")):
        wanted = [text for task in pooled for test in task.read for text in texts_of(task.kind, test, asked.spec.form)]
        yield pooled, partial(_text_row, _vectors(encoder, wanted, run, memory))
    if encoder is not None and asked.contexts is not None and (contextual := of("contexts")):
        wanted = [(span, CEAT.pooling) for spans in asked.contexts.values() for span in spans]
        layer = -1 if asked.spec.layer is None else asked.spec.layer
        yield contextual, partial(_context_row, asked.contexts, _vectors(encoder, wanted, run, memory, layer))
    if scored := of("scores"):
        yield scored, partial(_score_row, FrameScores(model, [task.test for task in scored], asked.spec.form, run))


def _rows_of_file(path: Path, digest: str, name: str, asked: Asked, run: Watch, memory: Memory) -> list[Row]:
    """What a file of static vectors gives, as the model ``name``. Raises WordListError for a bad file."""
    tasks = [Task(name, 0, test, VECTORS, asked.spec) for test in asked.tests]
    keys: dict[Task, Hashable] = {task: ("association", asked.key, digest, task.test.id) for task in tasks}
    if not all(key in memory for key in keys.values()):
        try:
            vectors = read_vectors(path, asked.read, run=run)
        except NothingToScore as nothing:
            return [task.refused(str(nothing)) for task in tasks]
        rows = {task: _static_row(asked.read, vectors, task) for task in tasks}
        memory.update({keys[task]: row for task, row in rows.items() if not row.stopped})
        return list(rows.values())
    return [memory[key] for key in keys.values()]


def _vectors(
    encoder: Encoder,
    wanted: Sequence[tuple[SpanText, str]],
    run: Watch,
    memory: Memory,
    layer: int | None = None,
) -> TextVectors | str:
    """The vectors of all these texts, or why the model gives none."""
    try:
        return TextVectors(encoder, wanted, run, layer=layer, memory=memory)
    except ModelError as error:
        return str(error)


# The rows, by what a representation reads.


def _static_row(words: Sequence[str], vectors: StaticVectors, task: Task) -> Row:
    """Of vectors that know no context: a model's input embedding, or a file's."""
    table = {word: row for row, word in enumerate(words)}
    return _vector_row(task, lambda test: read_static(test, table, vectors, single_piece=task.single_piece))


def _text_row(vectors: TextVectors | str, task: Task) -> Row:
    """Of members read alone or in a test's sentences; with its curve over layers."""
    if isinstance(vectors, str):
        return task.refused(vectors)
    said = task.kind.pooling == "first-token" and vectors.first_token == "last token"

    def sets_of(test: AssociationTest) -> Sets | None:
        return read_in_texts(task.kind, test, vectors, single_piece=task.single_piece, form=task.spec.form)

    return _vector_row(task, sets_of, notes=[NO_FIRST_TOKEN] if said else [])


def _vector_row(task: Task, sets_of: SetsOf, notes: Sequence[str] = ()) -> Row:
    sets = sets_of(task.test)
    if sets is None:
        return task.refused(STOPPED, notes=notes)
    sets = _ready(task, sets)
    spec = task.spec
    layer = spec.layer if task.kind.pooling else None

    def points(members: Members) -> NDArray[np.float64]:
        return _points([read(task.kind, states, layer) for states in members.data])

    eraser = _eraser(task, sets, sets_of, points)
    if isinstance(eraser, NotComputed):
        return task.row(eraser, sets, notes=notes)
    erase, fit = eraser
    computed = metric.vector_test(
        *(erase(points(members)) for members in sets.values()),
        asked=_asked_sizes(sets),
        ddof=spec.ddof,
        seed=spec.seed,
    )
    curve = []
    if task.kind.pooling and isinstance(computed, Computed) and fit is None:
        for depth in range(len(sets["X"].data[0])):
            at_depth = (_points([states[depth] for states in members.data]) for members in sets.values())
            d = metric.vector_effect_size(*at_depth, ddof=spec.ddof)
            if d is not None:
                curve.append((depth, d))
    return task.row(computed, sets, members=_names(sets), curve=tuple(curve), fit=fit, notes=notes)


def _eraser(task: Task, sets: Sets, sets_of: SetsOf, points: Points) -> tuple[Erasing, Fit | None] | NotComputed:
    """What erases gender from the vectors of a task, and what that was fitted on; it changes nothing unless asked."""
    if task.spec.erase != Erase.LEACE:
        return lambda vectors: vectors, None
    kept = SetSizes(*(len(members.names) for members in sets.values()))
    if few := metric.too_few(kept, _asked_sizes(sets)):
        return few
    words = sets_of(erasing.gendered(task.test))
    return NotComputed(STOPPED) if words is None else erasing.fitted(erasing.members(task.test), words, points)


def _context_row(contexts: Contexts, vectors: TextVectors | str, task: Task) -> Row:
    """Of words in a user's sentences: CEAT. ``vectors`` holds the one layer that is read."""
    if isinstance(vectors, str):
        return task.refused(vectors)

    def sets_of(test: AssociationTest) -> Sets | None:
        return read_in_contexts(test, contexts, vectors, single_piece=task.single_piece)

    sets = sets_of(task.test)
    if sets is None:
        return task.refused(STOPPED)
    sets = _ready(task, sets)
    spec = task.spec
    eraser = _eraser(task, sets, sets_of, lambda members: _points([v for vectors in members.data for v in vectors]))
    if isinstance(eraser, NotComputed):
        return task.row(eraser, sets)
    erase, fit = eraser
    computed = metric.contextual_test(
        *(list(map(erase, members.data)) for members in sets.values()),
        asked=_asked_sizes(sets),
        ddof=spec.ddof,
        seed=spec.seed,
        samples=spec.ceat_samples,
        variance=spec.ceat_variance,
    )
    return task.row(computed, sets, members=_names(sets), fit=fit)


def _score_row(scores: FrameScores, task: Task) -> Row:
    """Of no vectors but log probability bias scores: attribute words are permuted, groups stand for the other sets."""
    design, spec = task.test.lpbs, task.spec
    if design is None:
        return task.refused("no template")
    try:
        scored = read_scores(scores, task.test, design, single_piece=task.single_piece, seed=spec.seed)
    except ModelError as error:
        return task.refused(str(error))
    if scored is None:
        return task.refused(STOPPED)
    pair, sets = design.permuted, scored.sets
    if spec.unequal == Unequal.DROP:
        sets = made_equal(sets, pair, spec.seed)
    pooled = tuple(frame.template for frame in design.frames) if spec.lpbs_values == LpbsValues.POOL else ()
    first, second = (values_of(sets[letter].data, pooled=bool(pooled)) for letter in pair)
    times = max(len(pooled), 1)
    computed = metric.permuted_test(
        np.concatenate([first, second])[:, 1:],
        first[:, 0],
        second[:, 0],
        sizes=SetSizes(len(first), len(second), *scored.kept),
        asked=SetSizes(sets[pair[0]].asked * times, sets[pair[1]].asked * times, *scored.asked),
        ddof=spec.ddof,
        seed=spec.seed,
    )
    members = tuple(sets[letter].names * times for letter in pair)
    return task.row(
        computed,
        sets,
        _lost_group_words(task, scored, design.fixed),
        members=(*members, (design.groups[0],), (design.groups[1],)),
        pooled=pooled,
        notes=scored.notes,
    )


def _lost_group_words(task: Task, scored: ScoredSets, fixed: tuple[str, str]) -> list[Excluded]:
    return [
        task.excluded("target", lost.word, lost.reason, fixed[lost.group], lost.template) for lost in scored.lost_words
    ]


def _ready(task: Task, sets: Sets) -> Sets:
    """The sets that are compared: without members that the model cannot tell apart, and made equal if requested."""
    sets = told_apart(sets)
    for pair in PAIRS if task.spec.unequal == Unequal.DROP else ():
        sets = made_equal(sets, pair, task.spec.seed)
    return sets


def _asked_sizes(sets: Sets) -> SetSizes:
    x, y, a, b = (members.asked for members in sets.values())
    return SetSizes(x, y, a, b)


def _names(sets: Sets) -> tuple[tuple[str, ...], ...]:
    return tuple(members.names for members in sets.values())


def _points(vectors: Sequence[NDArray[np.float32]]) -> NDArray[np.float64]:
    """[member, width]"""
    return np.stack(vectors).astype(np.float64) if vectors else np.empty((0, 1))


# The result.


def _result(
    asked: Asked, models: Sequence[LoadedModel], rows: Mapping[str, list[Row] | None], data: Sequence[str]
) -> AssociationResult:
    # Of a model that the stop left without any number nothing is shown.
    shown = {name: own for name, own in rows.items() if own and not (_stopped(own) and not _has_values(own))}
    every = [row for own in shown.values() for row in own]
    excluded = [item for row in every for item in row.excluded]
    excluded += [
        Excluded(name, "statistic", "all tests", f"{name} {STOPPED}", test="all tests")
        for name, own in rows.items()
        if name not in shown and own != []
    ]
    present = [model for model in models if model.info.name in shown]
    return AssociationResult(
        spec=asked.spec,
        tables=AssociationResult.SCHEMA.frames(
            tests=_tests(every),
            members=_joined(every, _members),
            layers=_joined(every, _layers),
            published=_published(asked.tests),
            matrix=_joined(every, _matrix),
            distribution=_joined(every, _distribution),
            erased=[{**_which(row), **asdict(row.fit)} for row in every if row.fit is not None],
        ),
        excluded=tuple(dict.fromkeys(excluded)),
        notes=tuple(dict.fromkeys(_said(asked, present, every))),
        provenance=provenance.of((model.info for model in present), data=data, seed=asked.spec.seed),
        stopped=_stopped(every) or None in rows.values(),
    )


def _said(asked: Asked, models: Sequence[LoadedModel], rows: Sequence[Row]) -> Iterator[Note]:
    yield from (Note(test.reading) for test in asked.tests if test.reading)
    for caution in dict.fromkeys(test.caution for test in asked.tests if test.caution):
        titles = [test.title.partition(":")[0] for test in asked.tests if test.caution == caution]
        yield Note(f"{listed(titles)}: {caution}")
    yield from map(Note, read_sentences(asked.spec.sentences).notes)
    yield from erasing.said([row.fit for row in rows if row.fit is not None], ERASED)
    templates = [frame.template for test in asked.tests if test.lpbs is not None for frame in test.lpbs.frames]
    for model in models:
        for text in reading_notes(model, list(dict.fromkeys(templates)), asked.words):
            yield Note(text, model.info.name)
        yield from (Note(text, row.model) for row in rows if row.model == model.info.name for text in row.notes)
    if asked.contexts is not None and any(row.computed and row.representation == CEAT.id for row in rows):
        yield Note(SHARED_SENTENCES)
        if any(len(spans) == MAX_CONTEXTS for spans in asked.contexts.values()):
            yield Note(CAPPED)


def _tests(rows: Sequence[Row]) -> pd.DataFrame:
    lines = [
        {
            **_which(row),
            "layer": row.layer,
            "templates": row.templates,
            **({name: getattr(row.computed, name) for name in _STATISTICS} if row.computed else {}),
        }
        for row in rows
    ]
    tests = pd.DataFrame(lines, columns=[*_WHICH, "layer", "templates", *_STATISTICS])
    tests["p_adjusted"] = benjamini_hochberg(tests["p_two_sided"].to_numpy(dtype=float))
    tests["significant"] = (tests["p_adjusted"] < ALPHA) & tests["ci_low"].notna()
    return tests


def _which(row: Row) -> dict[str, object]:
    return {"model": row.model, "test": row.test, "representation": row.representation}


def _joined(rows: Sequence[Row], table: Callable[[Row, Computed], Mapping[str, Any]]) -> pd.DataFrame:
    """The parts of a table that each row with a value gives."""
    parts = [pd.DataFrame({**_which(row), **table(row, row.computed)}) for row in rows if row.computed is not None]
    filled = [part for part in parts if len(part)]
    return pd.concat(filled, ignore_index=True) if filled else pd.DataFrame()


def _members(row: Row, computed: Computed) -> Mapping[str, Any]:
    return {**_named(row), "association": np.concatenate([computed.s_x, computed.s_y])}


def _named(row: Row) -> dict[str, Sequence[object]]:
    """Set, name and template of each value of X, then of Y."""
    x, y, _, _ = row.members
    templates = row.pooled or (None,)
    return {
        "set": ["X"] * len(x) + ["Y"] * len(y),
        "member": [*x, *y],
        "template": [
            template for members in (x, y) for template in templates for _ in range(len(members) // len(templates))
        ],
    }


def _layers(row: Row, _: Computed) -> Mapping[str, Any]:
    return {"layer": [layer for layer, _ in row.curve], "effect_size": [d for _, d in row.curve]}


def _matrix(row: Row, computed: Computed) -> Mapping[str, Any]:
    _, _, a, b = row.members
    others = len(a) + len(b)
    named = {name: np.repeat(np.array(values, dtype=object), others) for name, values in _named(row).items()}
    times = len(computed.matrix)
    return {
        **named,
        "other_set": np.tile(np.array(["A"] * len(a) + ["B"] * len(b), dtype=object), times),
        "other": np.tile(np.array([*a, *b], dtype=object), times),
        "value": computed.matrix.ravel(),
    }


def _distribution(_: Row, computed: Computed) -> Mapping[str, Any]:
    bars = metric.histogram(computed)
    return {"low": bars.low, "high": bars.high, "count": bars.count, "in_tail": bars.in_tail}


def _has_values(rows: Sequence[Row]) -> bool:
    return any(row.computed is not None for row in rows)


def _stopped(rows: Sequence[Row]) -> bool:
    return any(row.stopped for row in rows)


def _texts(test: AssociationTest) -> Iterator[str]:
    """The members of a test, and the templates and words of its log probability bias scores."""
    for _, words in test.sets:
        yield from words.members
    for frame in test.lpbs.frames if test.lpbs is not None else ():
        yield from (frame.template, *frame.group1, *frame.group2)


def _digest(path: Path) -> str:
    try:
        return file_digest(path)
    except OSError as error:
        raise WordListError(f"{path.name} cannot be read: {error.strerror or error}.") from error


def _require_something(rows: Mapping[str, list[Row] | None]) -> None:
    """Raise NothingToScore, with the reasons, when no combination has a number."""
    every = [row for own in rows.values() for row in own or ()]
    if _has_values(every):
        return
    if _stopped(every) or None in rows.values():
        raise NothingToScore("The run was stopped before any test was computed; start it again for a result.")
    reasons = list(dict.fromkeys(item.why for row in every for item in row.excluded if item.kind == "statistic"))
    more = f"; and {len(reasons) - 5} more" if len(reasons) > 5 else ""
    raise NothingToScore(f"No test could be computed. {'; '.join(reasons[:5])}{more}.")


def _published(tests: Sequence[AssociationTest]) -> pd.DataFrame:
    rows = [
        (test.id, value.representation, str(value.source), value.model, value.effect_size, value.p_value)
        for test in tests
        for value in test.published
    ]
    return pd.DataFrame(rows, columns=["test", "representation", "source", "model", "effect_size", "p_value"])
