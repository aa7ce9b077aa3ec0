"""Directions: the pairs and the words as each representation of each model reads them, and what lies along what."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ....engine.embeddings import Encoder
from ....engine.erasure import Eraser
from ....engine.loading import LoadedModel
from ....engine.masked import STOPPED
from ....engine.pieces import SpanText
from ....engine.vectors import StaticVectors, read_vectors
from ....errors import ModelError, NothingToScore, OptionError
from ....result import Excluded, Note
from ....run import Run
from ....sources import Shares
from ....sources.bleached import any_kind
from ....sources.digests import file_digest
from ....stats.corrections import benjamini_hochberg
from ....stats.correlation import FEWEST_POINTS, Correlation, pearson, regression, spearman
from ....stats.samples import is_enough, too_few
from ...shared import provenance
from ...shared.readable import reading_notes, refuse_special_tokens
from ...shared.representations import VECTORS, Representation, named_layer, read, representation_by_id
from ...shared.sameness import Named, not_told_apart
from .. import erasing
from ..erasing import Fit
from ..members import Members, TextVectors, gather
from ..metric import NotComputed
from ..spec import Erase
from . import metric
from .result import (
    ALTERNATIVES,
    COMPONENTS,
    CORRELATIONS,
    DIRECTIONS,
    ERASED,
    PAIRS,
    PROJECTIONS,
    DirectionResult,
    Which,
)
from .spec import PEOPLE, DirectionSpec

FloatArray = NDArray[np.float64]

NO_FIRST_TOKEN = "a causal (left-to-right) model has no [CLS]: its last token stands for it."
WITHOUT_GENDER = (
    "Gender was erased from every vector before the direction was found (LEACE), fitted on gendered words that are "
    "neither in a pair nor projected; the table “erased” of gender directions says on how many, and how many "
    "dimensions. What is not linear stays: a lean that is gone here may still be found in other ways."
)
_LEAST_PAIRS = 2
_ENDS = (2.5, 97.5)
_COLUMNS = [column.name for column in DirectionResult.SCHEMA.tables[CORRELATIONS].columns]


@dataclass(frozen=True, eq=False)
class Reading:
    """One word as a representation reads it: its ``vector`` [width], or why it has none; equal inputs, equal keys."""

    vector: NDArray[np.floating[Any]] | None
    lost: str
    key: Hashable


@dataclass(frozen=True, eq=False)
class Place:
    """What one model, or one file, gives by one representation: rows by table, None where there is no direction."""

    which: Which
    tables: Mapping[str, list[dict[str, Any]]] | None
    excluded: tuple[Excluded, ...]
    notes: tuple[Note, ...] = ()
    fit: Fit | None = None  # what gender was erased by before, where it was


@dataclass(frozen=True, eq=False)
class _Words:
    """Pairs or words that stayed, with their vectors at unit length."""

    names: tuple[str, ...]
    vectors: FloatArray


@dataclass(frozen=True)
class _Asked:
    """Where one direction is from: the model, how many layers it has, and the representation."""

    spec: DirectionSpec
    model: str
    layers: int
    kind: Representation

    @property
    def which(self) -> Which:
        return self.model, self.kind.id

    def excluded(self, kind: str, what: str, why: str, group: str | None = None) -> Excluded:
        return Excluded(self.model, kind, what, f"{what} {why}", group, representation=self.kind.id)

    def missing(self, what: str, why: str, test: str) -> Excluded:
        """A statistic that is not there."""
        text = f"{what} by {self.kind.id}: {why}"
        return Excluded(self.model, "statistic", what, text, test=test, representation=self.kind.id)

    def refused(self, reason: str, others: Sequence[Excluded] = ()) -> Place:
        """No direction; ``reason`` is what comes behind "not computed"."""
        why = f"not computed, {reason.rstrip('.')}"
        return Place(self.which, None, (*others, self.missing("direction", why, "direction")))


def measure(spec: DirectionSpec, models: Sequence[LoadedModel], run: Run[Any]) -> DirectionResult:
    """The direction of every model in every representation, with what lies along it.

    Where none can be computed it is in ``excluded``, with the reason. When the run is cancelled, what is finished is
    returned; the run's memory keeps it, and the vectors of a pass that was stopped.

    Raises OptionError for a layer that a model lacks, WordListError for a bad file of vectors, NothingToScore where
    there is no direction at all.
    """
    words = _texts(spec)
    refuse_special_tokens(models, words)
    deepest = min((model.info.layers for model in models), default=0)
    if spec.layer is not None and models and spec.layer > deepest:
        raise OptionError(f"Layer {spec.layer} does not exist in every model; choose 0 (embeddings) to {deepest}.")
    shares = None if spec.statistic is None else spec.statistic.shares(PEOPLE)
    places: list[Place] = []
    of_file: list[Place] = []
    data = list(spec.data)
    stopped = False
    if spec.vectors is not None:
        digest = file_digest(spec.vectors)
        data.append(f"vectors of {spec.vectors.name}, SHA-256 {digest}")
        found = _of_file(spec, shares, digest, {model.info.name for model in models}, run)
        stopped = found is None
        of_file += [] if found is None else [found]
    for model in models:
        of_model = list(_of_model(spec, model, shares, run))
        stopped = stopped or len(of_model) < len(spec.representations)
        places += of_model
    places += of_file
    _require_something(places, stopped)
    return _result(spec, models, places, shares, data, stopped=stopped)


def _texts(spec: DirectionSpec) -> list[str]:
    """Every word of the pairs and of the list once."""
    return list(dict.fromkeys([*(word for pair in spec.pairs.pairs for word in pair), *spec.words.words]))


def _every_text(spec: DirectionSpec) -> list[str]:
    """Every word that is read: the measured ones, and behind them those that an eraser is fitted on."""
    words = _texts(spec)
    male, female = erasing.gendered_words(words) if spec.erase == Erase.LEACE else ((), ())
    return list(dict.fromkeys([*words, *male, *female]))


# What is read.


def _of_model(spec: DirectionSpec, model: LoadedModel, shares: Shares | None, run: Run[Any]) -> Iterator[Place]:
    """The place of each representation, static ones read first; none of those that the stop left unread."""
    key = ("direction", spec.digest, model.info)
    kinds = [representation_by_id(name) for name in spec.representations]
    reader = _Reader(spec, model, run, (*key, "vectors"))
    for kind in sorted(kinds, key=lambda kind: kind.place != "static"):
        if (*key, kind.id) not in run.memory and not run.cancelled():
            asked = _Asked(spec, model.info.name, model.info.layers, kind)
            readings = reader.readings(kind)
            if isinstance(readings, str):
                run.memory[*key, kind.id] = asked.refused(readings)
            elif not any(reading.lost == STOPPED for reading in readings.values()):
                run.memory[*key, kind.id] = _place(asked, readings, shares, reader.note(kind))
    done = [kind for kind in kinds if (*key, kind.id) in run.memory]
    if len(done) == len(kinds):
        run.memory.pop((*key, "vectors"), None)
    yield from (run.memory[*key, kind.id] for kind in done)


class _Reader:
    """Reads the words of a spec in one model: all texts of all representations in one pass, when first needed."""

    def __init__(self, spec: DirectionSpec, model: LoadedModel, run: Run[Any], parts: Hashable) -> None:
        self._spec, self._model, self._run, self._parts = spec, model, run, parts
        self._words = _every_text(spec)
        self._vectors: TextVectors | str | None = None

    def readings(self, kind: Representation) -> dict[str, Reading] | str:
        """Each word, or why the model gives no vectors; the reason of a word is ``STOPPED`` after a stop."""
        if kind.place == "static":
            return _static(self._words, Encoder(self._model).input_vectors(self._words))
        vectors = self._vectors = self._vectors or self._read()
        return vectors if isinstance(vectors, str) else _pooled(self._spec, kind, vectors)

    def note(self, kind: Representation) -> tuple[Note, ...]:
        """What is said of a representation in this model."""
        read = self._vectors
        if kind.pooling != "first-token" or not isinstance(read, TextVectors) or read.first_token != "last token":
            return ()
        return (Note(NO_FIRST_TOKEN, self._model.info.name),)

    def _read(self) -> TextVectors | str:
        kinds = [kind for name in self._spec.representations if (kind := representation_by_id(name)).pooling]
        wanted = [(text, kind.pooling) for kind in kinds for word in self._words for text in _places(kind, word)]
        memory = self._run.memory.setdefault(self._parts, {})
        try:
            return TextVectors(Encoder(self._model), wanted, self._run, memory=memory)
        except ModelError as error:
            return str(error)


def _places(kind: Representation, word: str) -> tuple[SpanText, ...]:
    """Where a representation reads a word: alone, or in four sentences that suit any word."""
    if kind.place == "bare":
        return (SpanText(word, (0, len(word))),)
    return tuple(SpanText(text, span) for text, span in any_kind(word))


def _pooled(spec: DirectionSpec, kind: Representation, vectors: TextVectors) -> dict[str, Reading]:
    """Each word by the mean over its texts."""
    found = {}
    for word in _every_text(spec):
        places = _places(kind, word)
        lost = next(filter(None, (vectors.obstacle(place) for place in places)), "")
        if lost:
            found[word] = Reading(None, lost, None)
        else:
            states, key = vectors.read(places, kind.pooling)
            found[word] = Reading(read(kind, states.mean(axis=0), spec.layer), "", key)
    return found


def _static(words: Sequence[str], vectors: StaticVectors) -> dict[str, Reading]:
    return {
        word: Reading(None if lost else vectors.vectors[row], lost, None if lost else vectors.pieces[row])
        for row, (word, lost) in enumerate(zip(words, vectors.lost, strict=True))
    }


def _of_file(spec: DirectionSpec, shares: Shares | None, digest: str, taken: set[str], run: Run[Any]) -> Place | None:
    """What a file of static vectors gives; None when the run was stopped. Raises WordListError for a bad file."""
    assert spec.vectors is not None
    name = f"{spec.vectors.name} (file)" if spec.vectors.name in taken else spec.vectors.name
    at, asked = ("direction", spec.digest, digest), _Asked(spec, name, 0, VECTORS)
    if at not in run.memory:
        try:
            vectors = read_vectors(spec.vectors, _every_text(spec), run=run)
        except NothingToScore as nothing:
            return asked.refused(str(nothing))
        if STOPPED in vectors.lost:
            return None
        run.memory[at] = _place(asked, _static(_every_text(spec), vectors), shares)
    place: Place = run.memory[at]
    return place


# What is computed of it.


def _place(
    asked: _Asked, readings: Mapping[str, Reading], shares: Shares | None, notes: tuple[Note, ...] = ()
) -> Place:
    """The direction in one representation, or the reason why there is none."""
    erased = _erased(asked.spec, readings)
    if isinstance(erased, NotComputed):
        return asked.refused(erased.reason)
    readings, fit = erased
    pairs, lost_pairs = _kept_pairs(asked, readings)
    words, lost_words = _kept_words(asked, readings)
    excluded = [*lost_pairs, *lost_words]
    wanted = len(asked.spec.pairs.pairs)
    if len(pairs) < _LEAST_PAIRS:
        left = "could be read" if fit is None else "are left with gender erased"
        return asked.refused(f"{len(pairs)} of {wanted} pairs {left}, and {_LEAST_PAIRS} are needed", excluded)
    # In this order pairs are resampled, so that neither their order nor their sides decide what is drawn.
    order = sorted(pairs, key=sorted)
    first, second = (metric.units(np.stack([_vector(readings, pair[side]) for pair in order])) for side in (0, 1))
    found = metric.direction(first, second)
    if found is None:
        return asked.refused("the first words of the pairs lie on neither side of it", excluded)
    if not words.names:
        return asked.refused("no word could be read", excluded)
    tables, more = _tables(asked, order, first, second, found, words, shares)
    rank = {pair: at for at, pair in enumerate(pairs)}
    tables[PAIRS].sort(key=lambda row: rank[row["first"], row["second"]])
    tables[ERASED] = [] if fit is None else [{"model": asked.model, "representation": asked.kind.id, **asdict(fit)}]
    return Place(asked.which, tables, (*excluded, *more), notes, fit)


def _erased(
    spec: DirectionSpec, readings: Mapping[str, Reading]
) -> tuple[Mapping[str, Reading], Fit | None] | NotComputed:
    """The measured words with gender erased from their vectors, where that is asked, or why it cannot be."""
    if spec.erase != Erase.LEACE:
        return readings, None
    measured = _texts(spec)

    def vector(word: str) -> tuple[FloatArray, Hashable] | str:
        return readings[word].lost or (_vector(readings, word), readings[word].key)

    sides = zip("XY", erasing.gendered_words(measured), strict=True)
    sets = {letter: members for letter, words in sides if (members := gather(words, vector)) is not None}
    found = erasing.fitted(measured, sets, _points)
    if isinstance(found, NotComputed):
        return found
    erase, fit = found
    return {word: _without(erase, readings[word]) for word in measured}, fit


def _points(members: Members) -> FloatArray:
    """[word, width]"""
    return np.stack(members.data) if members.data else np.empty((0, 1))


def _without(erase: Eraser, reading: Reading) -> Reading:
    """A word with gender erased from its vector; lost where nothing is left of it beyond rounding."""
    if reading.vector is None:
        return reading
    vector = reading.vector.astype(np.float64)
    left = erase(vector[None])[0]
    if np.linalg.norm(left) <= metric.ROUNDING * np.linalg.norm(vector):
        return Reading(None, "has no vector left with gender erased", None)
    return replace(reading, vector=left)


def _vector(readings: Mapping[str, Reading], word: str) -> FloatArray:
    vector = readings[word].vector
    assert vector is not None
    return vector.astype(np.float64)


def _kept_pairs(asked: _Asked, readings: Mapping[str, Reading]) -> tuple[list[tuple[str, str]], list[Excluded]]:
    """The pairs that can be read and told apart, each input once; a word that is lost takes its partner with it."""
    kept: list[tuple[str, str]] = []
    excluded: list[Excluded] = []
    seen: dict[frozenset[Hashable], str] = {}
    for pair in asked.spec.pairs.pairs:
        name = " / ".join(pair)
        lost = [f"since {word} {reason}" for word in pair if (reason := readings[word].lost)]
        keys = frozenset(readings[word].key for word in pair)
        if lost:
            why = f"is excluded, {' and '.join(lost)}"
        elif len(keys) == 1 or not metric.differ(*(metric.units(_vector(readings, word)[None]) for word in pair))[0]:
            why = "is excluded, since both words are the same input to this model"
            if len(keys) > 1 and asked.spec.erase == Erase.LEACE:
                why = "is excluded, since its words do not differ with gender erased"
        elif keys in seen:
            why = f"is the same input as {seen[keys]} to this model, and is counted once"
        else:
            seen[keys] = name
            kept.append(pair)
            continue
        excluded.append(asked.excluded("target", name, why))
    return kept, excluded


def _kept_words(asked: _Asked, readings: Mapping[str, Reading]) -> tuple[_Words, list[Excluded]]:
    """The words that can be read, each input once, and none that stands in a pair."""
    names = asked.spec.words.words
    members = [word for pair in asked.spec.pairs.pairs for word in pair]
    keys = [readings[word].key for word in names]
    same = not_told_apart([Named("the list", names, keys)])[0]
    paired = {readings[word].key: word for word in reversed(members) if not readings[word].lost}
    kept, excluded = [], []
    for at, word in enumerate(names):
        if readings[word].lost:
            excluded.append(asked.excluded("attribute", word, readings[word].lost))
        elif readings[word].key in paired:
            other = paired[readings[word].key]
            why = "stands in a pair" if other == word else f"is the same input as “{other}” of a pair to this model"
            excluded.append(asked.excluded("attribute", word, f"{why}, and is not projected"))
        elif at in same:
            excluded.append(asked.excluded("attribute", word, same[at]))
        else:
            kept.append(word)
    vectors = metric.units(np.stack([_vector(readings, word) for word in kept])) if kept else np.empty((0, 1))
    return _Words(tuple(kept), vectors), excluded


def _tables(
    asked: _Asked,
    pairs: Sequence[tuple[str, str]],
    first: FloatArray,
    second: FloatArray,
    found: metric.Direction,
    words: _Words,
    shares: Shares | None,
) -> tuple[dict[str, list[dict[str, Any]]], list[Excluded]]:
    spec = asked.spec
    which = {"model": asked.model, "representation": asked.kind.id}
    projections = words.vectors @ found.vector
    percents = _percents(words.names, shares)
    excluded: list[Excluded] = []
    sample = None
    if is_enough(len(pairs)):
        sample = metric.resampled(first, second, words.vectors, found, seed=spec.seed)
    else:
        why = f"intervals not computed, n too small ({too_few(len(pairs))} pairs)"
        excluded.append(asked.missing("direction", why, "direction"))
    line = _line(percents, projections)
    bias = metric.direct_bias(projections, spec.strictness)
    random = metric.random_shares(
        words.vectors[sorted(range(len(words.names)), key=words.names.__getitem__)], len(pairs), seed=spec.seed
    )
    rows: dict[str, list[dict[str, Any]]] = {
        DIRECTIONS: [
            {
                **which,
                "layer": named_layer(asked.kind, asked.layers, spec.layer),
                "n_pairs": len(pairs),
                "n_words": len(words.names),
                "share": float(found.shares[0]),
                "direct_bias": float(bias),
                "mean_projection": float(projections.mean()),
                **_stability(sample, spec.strictness),
                **line,
            }
        ],
        PROJECTIONS: _projections(which, words.names, projections, sample, percents),
        COMPONENTS: [
            {
                **which,
                "component": at + 1,
                "share": float(share),
                "random": float(random[at]) if random is not None and at < len(random) else float("nan"),
            }
            for at, share in enumerate(found.shares)
        ],
        PAIRS: [
            {**which, "first": pair[0], "second": pair[1], "cosine": float(cosine)}
            for pair, cosine in zip(pairs, metric.units(first - second) @ found.vector, strict=True)
        ],
        ALTERNATIVES: _alternatives(which, first, second, found, words, percents, spec.strictness),
        CORRELATIONS: [],
    }
    if shares is not None:
        rows[CORRELATIONS], more = _correlations(asked, words.names, projections, percents)
        excluded += more
    return rows, excluded


def _percents(names: Sequence[str], shares: Shares | None) -> FloatArray:
    found = [None if shares is None else shares.find(name) for name in names]
    return np.array([np.nan if percent is None else percent for percent in found], dtype=np.float64)


def _line(percents: FloatArray, projections: FloatArray) -> dict[str, float]:
    known = ~np.isnan(percents)
    line = regression(percents[known], projections[known])
    return (
        {"slope": np.nan, "intercept": np.nan} if line is None else {"slope": line.slope, "intercept": line.intercept}
    )


def _stability(sample: metric.Resampled | None, strictness: int) -> dict[str, float]:
    names = ("direct_bias_low", "direct_bias_high", "cosine", "cosine_low", "cosine_high")
    if sample is None:
        return dict.fromkeys(names, float("nan"))
    biases = np.percentile(metric.direct_bias(sample.projections, strictness), _ENDS)
    cosines = np.percentile(sample.cosines, (50, *_ENDS))
    return dict(zip(names, map(float, (*biases, *cosines)), strict=True))


def _projections(
    which: Mapping[str, str],
    names: Sequence[str],
    projections: FloatArray,
    sample: metric.Resampled | None,
    percents: FloatArray,
) -> list[dict[str, Any]]:
    nothing = np.full(len(names), np.nan)
    low, high = (nothing, nothing) if sample is None else np.percentile(sample.projections, _ENDS, axis=0)
    return [
        {
            **which,
            "word": name,
            "projection": float(projections[at]),
            "ci_low": float(low[at]),
            "ci_high": float(high[at]),
            "percent": float(percents[at]),
        }
        for at, name in enumerate(names)
    ]


def _alternatives(
    which: Mapping[str, str],
    first: FloatArray,
    second: FloatArray,
    found: metric.Direction,
    words: _Words,
    percents: FloatArray,
    strictness: int,
) -> list[dict[str, Any]]:
    rows = []
    known = ~np.isnan(percents)
    for way, make in metric.ALTERNATIVES.items():
        row: dict[str, Any] = {**which, "way": way, **dict.fromkeys(("cosine", "direct_bias", "r"), float("nan"))}
        other = make(first, second)
        if other is not None:
            projections = words.vectors @ other
            r = pearson(percents[known], projections[known])
            row |= {
                "cosine": float(other @ found.vector),
                "direct_bias": float(metric.direct_bias(projections, strictness)),
                "r": float("nan") if r is None else r.r,
            }
        rows.append(row)
    return rows


def _correlations(
    asked: _Asked, names: Sequence[str], projections: FloatArray, percents: FloatArray
) -> tuple[list[dict[str, Any]], list[Excluded]]:
    """Both correlations over the words with a share, in the order of their names: what is drawn hangs on no other."""
    known = sorted(np.flatnonzero(~np.isnan(percents)).tolist(), key=lambda at: names[at])
    x, y = percents[known], projections[known]
    rows, excluded = [], []
    for method, found in (("pearson", pearson(x, y)), ("spearman", spearman(x, y, seed=asked.spec.seed))):
        row: dict[str, Any] = {"model": asked.model, "representation": asked.kind.id, "method": method, "n": len(x)}
        rows.append(row | _correlation(found))
        if found is None or not is_enough(len(x)):
            why = (
                f"interval and p not computed, n too small ({too_few(len(x))} words)"
                if found is not None
                else f"not computed, {len(x)} of at least {FEWEST_POINTS} words have a share"
                if len(x) < FEWEST_POINTS
                else "not computed, no variation"
            )
            excluded.append(asked.missing(f"{method} correlation", why, "correlation"))
    return rows, excluded


def _correlation(found: Correlation | None) -> dict[str, float]:
    """r, and its interval and p where there are enough words for them."""
    row = dict.fromkeys(("r", "ci_low", "ci_high", "p_value"), float("nan"))
    if found is not None:
        row["r"] = found.r
        if is_enough(found.n):
            row |= {"ci_low": found.ci_low, "ci_high": found.ci_high, "p_value": found.p}
    return row


# The result.


def _result(
    spec: DirectionSpec,
    models: Sequence[LoadedModel],
    places: Sequence[Place],
    shares: Shares | None,
    data: Sequence[str],
    *,
    stopped: bool,
) -> DirectionResult:
    frames: dict[str, Any] = {
        table: [row for place in places if place.tables is not None for row in place.tables[table]]
        for table in DirectionResult.SCHEMA.tables
    }
    correlations = pd.DataFrame(frames[CORRELATIONS], columns=_COLUMNS)
    correlations["p_adjusted"] = benjamini_hochberg(correlations["p_value"].to_numpy(dtype=float))
    excluded = [item for place in places for item in place.excluded]
    projected = dict.fromkeys(row["word"] for row in frames[PROJECTIONS])
    unknown = [word for word in projected if shares is not None and shares.find(word) is None]
    if shares is not None and len(unknown) < len(projected):  # else it is said once, by the correlations
        excluded += [Excluded("all models", "attribute", word, f"{word} {shares.reason(word)}") for word in unknown]
    present = [model for model in models if any(place.which[0] == model.info.name for place in places)]
    notes = [Note(text) for text in (() if shares is None else shares.notes)]
    for model in present:
        notes += [Note(text, model.info.name) for text in reading_notes(model, [], _texts(spec))]
    notes += [note for place in places for note in place.notes]
    notes += erasing.said([place.fit for place in places if place.fit is not None], WITHOUT_GENDER)
    return DirectionResult(
        spec=spec,
        tables=DirectionResult.SCHEMA.frames(**{**frames, CORRELATIONS: correlations}),
        excluded=tuple(dict.fromkeys(excluded)),
        notes=tuple(dict.fromkeys(notes)),
        provenance=provenance.of((model.info for model in present), data=data, seed=spec.seed),
        stopped=stopped,
    )


def _require_something(places: Sequence[Place], stopped: bool) -> None:
    """Raise NothingToScore, with the reasons, where there is no direction."""
    if any(place.tables is not None for place in places):
        return
    if stopped:
        raise NothingToScore("The run was stopped before any direction was computed; start it again for a result.")
    reasons = [item.why for place in places for item in place.excluded if item.kind == "statistic"]
    raise NothingToScore(f"There is no direction. {'; '.join(dict.fromkeys(reasons))}.")
