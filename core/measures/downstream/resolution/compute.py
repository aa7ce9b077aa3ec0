"""Pronoun resolution in one or more models: vectors, networks, scores, topics; what is done is kept to be resumed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....engine.embeddings import Encoder
from ....engine.loading import LoadedModel
from ....engine.masked import STOPPED
from ....engine.pieces import SpanText
from ....engine.training.probes import Fitted, Network, fit
from ....engine.windows import window
from ....errors import ModelError, NothingToScore, OptionError, UnsupportedModel
from ....result import Excluded, Note, Progress
from ....run import Callbacks, Part, Run, Watch
from ....sources import gap
from ....sources.gap import FEMININE, GENDERS, LABELS, MASCULINE, NEITHER, Document
from ....sources.lists import own_groups, own_words
from ....sources.templates import Template
from ....sources.topic_words import word_counts
from ....stats.calibration import temperature
from ....stats.correlation import spearman
from ....stats.proportions import wilson
from ....stats.samples import is_enough, too_few
from ....stats.topics import factorise, tf_idf
from ...lpbs.result import ATTRIBUTES
from ...lpbs.spec import LpbsSpec
from ...shared import provenance
from ...shared.checks import Refusals, check_layer, check_models
from .metric import Answers, Scored, difference, from_logits, from_predictions, interval, scored
from .result import ACCURACY, ALL, CORRECTED, F1, LOG_LOSS, MEASURES, P_NEITHER, PUBLISHED, TITLES, ResolutionResult
from .spec import HIDDEN, PATIENCE, TARGETS, TEMPLATE, TOP_WORDS, Data, Missing, ResolutionSpec
from .spec import Network as Chosen

Rows = list[dict[str, Any]]

NAMED_WORDS = 5  # of a topic
TEXTS_A_TOPIC = 4  # at least
_LEFT_ALONE = (
    "a causal (left-to-right) model: the vector of a word holds what stands before it and nothing of what follows."
)
_CHUNK = 200  # documents whose vectors are read together: a stop loses no more than these


@dataclass
class Vectors:
    """The vectors of a model, float32 [document, 3 · width] by chunks, and by id why a document has none."""

    chunks: list[NDArray[np.float32]] = field(default_factory=list)
    lost: dict[str, str] = field(default_factory=dict)
    cut: int = 0


@dataclass(frozen=True, eq=False)
class Resolver:
    """A model, or a file of predictions, with its answers on the test documents; ``lost`` by id why it has none."""

    name: str
    answers: Answers
    documents: tuple[Document, ...]
    networks: tuple[dict[str, Any], ...] = ()
    lost: Mapping[str, str] = field(default_factory=dict)
    cut: int = 0

    @property
    def p_neither(self) -> NDArray[np.float64] | None:
        """[document] mean P(neither) over the networks; NaN without an answer, None without probabilities."""
        found = self.answers.probabilities
        return None if found is None else found[:, :, LABELS.index(NEITHER)].mean(axis=0)


@dataclass(frozen=True, eq=False)
class TextTopics:
    """The topics of the test documents: of each its heaviest words with their weights; each document's topic by id."""

    words: tuple[tuple[tuple[str, float], ...], ...]
    of: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class WordScores:
    """LPBS of topic words by one model, and what has none; ``reached`` is False where the run was stopped before."""

    lpbs: Mapping[str, float]
    excluded: tuple[Excluded, ...] = ()
    reached: bool = True


def measure(spec: ResolutionSpec, models: Sequence[LoadedModel], run: Run[Any]) -> ResolutionResult:
    """Resolve the pronouns of the test documents with each model, and score predictions that were brought along.

    ``run.memory`` keeps vectors and finished networks. When the run is stopped, models whose networks are not all
    trained are left out. Raises InputError, the models' refusals, or NothingToScore.
    """
    check_models(models)
    data = spec.documents()
    _check_names([model.info.name for model in models], data)
    refusals = Refusals()
    resolvers: list[Resolver] = []
    unfinished = False
    for model in models if data.trains else ():
        with refusals.of(model):
            found = _resolver(model, spec, data, run)
            unfinished = unfinished or found is None
            resolvers += [] if found is None else [found]
    resolvers += [_of_predictions(predictions, data) for predictions in data.predictions]
    refusals.check(bool(resolvers))
    if not resolvers:
        raise NothingToScore(
            "The run was stopped before the networks of a model were trained; what is done is kept, so resume it for "
            "a result."
        )
    rows: dict[str, Rows] = {name: [] for name in ResolutionResult.SCHEMA.tables}
    excluded: list[Excluded] = []
    for at, resolver in enumerate(resolvers):
        run.report(Progress("Scoring the answers", at, len(resolvers)))
        found_rows, lost = _scores(spec, data, resolver)
        _add(rows, found_rows)
        excluded += lost
    topics = _topics(spec, data.test)
    able = [model for model in models if not refusals.has(model)]
    by_model = {} if topics is None else {model.info.name: _word_scores(spec, model, topics, run) for model in able}
    for resolver in resolvers:
        _add(rows, _of_topics(spec, resolver, topics, by_model))
        rows["documents"] += _documents(data, resolver, topics)
    if topics is not None:
        rows["words"] += [row for name, scores in by_model.items() for row in _word_rows(name, topics, scores.lpbs)]
    rows["splits"] = list(_splits(data))
    return ResolutionResult(
        spec=spec,
        tables=ResolutionResult.SCHEMA.frames(**rows),
        excluded=(*refusals.left_out, *excluded, *(item for scores in by_model.values() for item in scores.excluded)),
        notes=(
            *_notes(spec, data, resolvers, topics),
            *(Note(_LEFT_ALONE, model.info.name) for model in able if data.trains and model.info.kind == "causal"),
        ),
        provenance=provenance.of((model.info for model in able), data=data.sources, seed=spec.seed),
        stopped=unfinished or not all(scores.reached for scores in by_model.values()),
    )


def _add(rows: dict[str, Rows], found: Mapping[str, Rows]) -> None:
    for table, more in found.items():
        rows[table] += more


def _check_names(models: Sequence[str], data: Data) -> None:
    names = [*models, *(predictions.name for predictions in data.predictions)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"Two files of predictions, or one and a model, are called {twice}; rename one.")


def _resolver(model: LoadedModel, spec: ResolutionSpec, data: Data, run: Run[Any]) -> Resolver | None:
    """A model's networks and what they answer; None when the run was stopped before. Raises ModelError."""
    documents = sorted(
        (document for split in gap.SPLITS for document in data.of(split)), key=lambda item: (-len(item.text), item.id)
    )
    vectors = read(model, spec.layer, documents, run)
    if vectors is None:
        return None
    of = dict(zip((document.id for document in documents), np.concatenate(vectors.chunks), strict=True))
    kept: dict[str, tuple[Document, ...]] = {}
    for split in gap.SPLITS:
        kept[split] = tuple(document for document in data.of(split) if document.id not in vectors.lost)
        if not kept[split]:
            why = next(iter(vectors.lost.values()))
            raise UnsupportedModel(f"{model.info.name} can read none of the {split} documents: {why}.")
    fitted = _train(model, spec, {split: (_stacked(of, found), _places(found)) for split, found in kept.items()}, run)
    if fitted is None:
        return None
    validation = _places(kept[gap.VALIDATION])
    temperatures = np.array([temperature(network.validation, validation) for network in fitted])
    answers = from_logits(np.stack([network.test for network in fitted]), temperatures)
    networks = [
        {
            "model": model.info.name,
            "network": number + 1,
            "seed": spec.seed + number,
            "epochs": network.epochs,
            "validation_loss": network.validation_loss,
            "temperature": float(temperatures[number]),
        }
        for number, network in enumerate(fitted)
    ]
    return Resolver(model.info.name, answers, kept[gap.TEST], tuple(networks), vectors.lost, vectors.cut)


def _stacked(of: Mapping[str, NDArray[np.float32]], documents: Sequence[Document]) -> NDArray[np.float32]:
    return np.stack([of[document.id] for document in documents])


def _places(documents: Sequence[Document], labels: Mapping[str, str] | None = None) -> NDArray[np.int64]:
    """The documents' labels as places in ``LABELS``; those that ``labels`` has take the place of the published."""
    others = labels or {}
    return np.array([LABELS.index(others.get(document.id, document.label)) for document in documents], dtype=np.int64)


def read(model: LoadedModel, layer: int, documents: Sequence[Document], run: Run[Any]) -> Vectors | None:
    """The vectors of pronoun, A and B of each document, one behind the other; None when the run was stopped before.

    ``run.memory`` keeps those that were read. Raises UnsupportedModel for a layer that the model does not have.
    """
    check_layer(model, layer)
    vectors: Vectors = run.memory.setdefault(("vectors", model.info), Vectors())
    encoder = Encoder(model)
    for start in range(_CHUNK * len(vectors.chunks), len(documents), _CHUNK):
        if run.cancelled():
            return None

        def report(part: Progress, before: int = start) -> None:
            count = min(_CHUNK, len(documents) - before)
            run.report(Progress(part.stage, before + count * part.done // max(part.total, 1), len(documents)))

        watch = Callbacks(report, run.cancelled)
        if not _read_chunk(model, encoder, layer, documents[start : start + _CHUNK], vectors, watch):
            return None
    return vectors


def _read_chunk(
    model: LoadedModel, encoder: Encoder, layer: int, documents: Sequence[Document], vectors: Vectors, run: Watch
) -> bool:
    """Add the vectors of some documents, all of them or, where the run was stopped, none."""
    items: list[SpanText] = []
    asked: list[int] = []
    lost: dict[str, str] = {}
    cut = 0
    for at, document in enumerate(documents):
        spans = (document.pronoun, document.a, document.b)
        part = window(model, document.text, spans)
        if part is None:
            lost[document.id] = f"pronoun and names are further apart than the {model.max_tokens:,} tokens it reads"
            continue
        low, high = part
        cut += high - low < len(document.text)
        items += [SpanText(document.text[low:high], (start - low, end - low)) for start, end in spans]
        asked.append(at)
    found = encoder.embed(items, ("span-mean",), layer=layer, run=run)
    if STOPPED in found.lost:
        return False
    vectors_of = found.of("span-mean")[:, 0]
    chunk = np.full((len(documents), 3 * vectors_of.shape[-1]), np.nan, np.float32)
    chunk[asked] = vectors_of.reshape(len(asked), -1)
    for place, at in enumerate(asked):
        for item, why in zip(items[3 * place : 3 * place + 3], found.lost[3 * place : 3 * place + 3], strict=True):
            if why and item.span is not None:
                lost.setdefault(documents[at].id, f"“{item.text[slice(*item.span)]}” {why}")
    vectors.lost |= lost
    vectors.cut += cut
    vectors.chunks.append(chunk)
    return True


def _train(
    model: LoadedModel,
    spec: ResolutionSpec,
    splits: Mapping[str, tuple[NDArray[np.float32], NDArray[np.int64]]],
    run: Run[Any],
) -> list[Fitted] | None:
    """The networks, each from its own seed; None when the run was stopped before all are trained."""
    fitted: list[Fitted] = run.memory.setdefault(("networks", model.info), [])
    network = Network(HIDDEN[spec.network], batch_norm=spec.network == Chosen.COMMON, patience=PATIENCE)
    while len(fitted) < spec.networks:
        run.report(Progress(f"Training networks on vectors of {model.info.name}", len(fitted), spec.networks))
        found = fit(
            network,
            splits[gap.TRAINING],
            splits[gap.VALIDATION],
            splits[gap.TEST][0],
            classes=len(LABELS),
            seed=spec.seed + len(fitted),
            run=run,
        )
        if found is None:
            return None
        fitted.append(found)
    return fitted


def _of_predictions(predictions: gap.Predictions, data: Data) -> Resolver:
    answers = from_predictions(predictions.answers, [document.id for document in data.test])
    return Resolver(predictions.name, answers, data.test)


def _label_sets(data: Data) -> Mapping[str, Mapping[str, str]]:
    """Which labels are scored: by name, those that take the place of the published ones."""
    return {PUBLISHED: {}} | ({} if data.corrections is None else {CORRECTED: data.corrections.labels})


def _masks(documents: Sequence[Document]) -> dict[str, NDArray[np.bool_]]:
    genders = np.array([document.gender for document in documents])
    return {ALL: np.ones(len(documents), dtype=bool), **{gender: genders == gender for gender in GENDERS}}


def _scores(spec: ResolutionSpec, data: Data, resolver: Resolver) -> tuple[dict[str, Rows], list[Excluded]]:
    """The rows of scores, differences, classes and networks, and what has no number."""
    rows: dict[str, Rows] = {name: [] for name in ("scores", "differences", "classes", "networks")}
    masks = _masks(resolver.documents)
    for labels, others in _label_sets(data).items():
        places = _places(resolver.documents, others)
        found = scored(resolver.answers, places, always=spec.missing == Missing.ALWAYS)
        named = {"model": resolver.name, "labels": labels}
        for gender, mask in masks.items():
            rows["scores"].append(named | {"gender": gender} | _score(spec, resolver, found, places, mask))
            rows["classes"] += [
                named | {"label": label, "gender": gender} | _class(found, mask & (places == place))
                for place, label in enumerate(LABELS)
            ]
        rows["differences"] += [
            named | {"measure": TITLES[name]} | _apart(spec, found, name, masks)
            for name in MEASURES
            if name == F1 or name in found.values
        ]
        if labels == PUBLISHED:
            rows["networks"] = _networks(resolver, found, masks)
    return rows, _without_numbers(resolver, masks)


def _score(
    spec: ResolutionSpec, resolver: Resolver, found: Scored, places: NDArray[np.int64], mask: NDArray[np.bool_]
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "n": int(mask.sum()),
        "missing": int((~resolver.answers.answered[mask]).sum()),
        "networks": len(resolver.answers.decisions),
        "share_neither": float((places[mask] == LABELS.index(NEITHER)).mean()) if mask.any() else np.nan,
    }
    for name in MEASURES:
        values = found.of(name, mask)
        low, high = interval(found, name, mask, seed=spec.seed)
        spread = float(values.std(ddof=1)) if len(values) > 1 else np.nan
        row |= {name: float(values.mean()), f"{name}_sd": spread, f"{name}_low": low, f"{name}_high": high}
    return row


def _class(found: Scored, mask: NDArray[np.bool_]) -> dict[str, Any]:
    recall = found.of(ACCURACY, mask)
    return {
        "n": int(mask.sum()),
        "recall": float(recall.mean()),
        "recall_sd": float(recall.std(ddof=1)) if len(recall) > 1 else np.nan,
        "log_loss": float(found.of(LOG_LOSS, mask).mean()),
        "p_neither": float(found.of(P_NEITHER, mask).mean()),
    }


def _apart(spec: ResolutionSpec, found: Scored, name: str, masks: Mapping[str, NDArray[np.bool_]]) -> dict[str, Any]:
    apart = difference(found, name, masks[FEMININE], masks[MASCULINE], seed=spec.seed)
    columns = ("masculine", "feminine", "difference", "ci_low", "ci_high", "p", "ratio", "ratio_low", "ratio_high")
    counts = {f"n_{gender}": int(masks[gender].sum()) for gender in GENDERS}
    return {column: getattr(apart, column) for column in columns} | counts


def _networks(resolver: Resolver, found: Scored, masks: Mapping[str, NDArray[np.bool_]]) -> Rows:
    if not resolver.networks:
        return []
    whole = {name: found.of(name, masks[ALL]) for name in MEASURES}
    men, women = (found.of(F1, masks[gender]) for gender in GENDERS)
    return [
        {
            **network,
            **{name: float(values[at]) for name, values in whole.items()},
            "f1_masculine": float(men[at]),
            "f1_feminine": float(women[at]),
            "bias": float(women[at] / men[at]) if men[at] > 0 else np.nan,
        }
        for at, network in enumerate(resolver.networks)
    ]


def _without_numbers(resolver: Resolver, masks: Mapping[str, NDArray[np.bool_]]) -> list[Excluded]:
    found = [Excluded(resolver.name, "item", of, f"{of}: {why}") for of, why in resolver.lost.items()]
    for gender, mask in masks.items():
        if not is_enough(n := int(mask.sum())):
            why = f"{gender} pronouns: intervals and p not computed, n too small ({too_few(n)} documents)"
            found.append(Excluded(resolver.name, "statistic", f"{gender} pronouns", why, test="scores"))
    if resolver.answers.probabilities is None:
        why = "log loss and P(neither): the file has decisions and no probabilities"
        found.append(Excluded(resolver.name, "statistic", "log loss and P(neither)", why, test="scores"))
    return found


def _topics(spec: ResolutionSpec, documents: Sequence[Document]) -> TextTopics | None:
    """The topics of the test documents; None for too few texts."""
    counts, words = word_counts([document.text for document in documents])
    number = min(spec.topics, len(documents) // TEXTS_A_TOPIC, len(words) - 1)
    if number < 2:
        return None
    found = factorise(tf_idf(counts), number)
    heaviest = np.argsort(-found.words, axis=1, kind="stable")[:, :TOP_WORDS]
    return TextTopics(
        tuple(
            tuple((words[word], float(found.words[topic, word])) for word in row if found.words[topic, word] > 0)
            for topic, row in enumerate(heaviest)
        ),
        {
            document.id: int(parts.argmax()) + 1
            for document, parts in zip(documents, found.texts, strict=True)
            if parts.max() > 0
        },
    )


def _word_scores(spec: ResolutionSpec, model: LoadedModel, topics: TextTopics, run: Run[Any]) -> WordScores:
    """LPBS of the topics' words, men minus women."""
    name = model.info.name
    words = tuple(dict.fromkeys(word for topic in topics.words for word, _ in topic))
    asked = LpbsSpec(
        models=(name,),
        templates=(Template.parse(TEMPLATE),),
        groups=own_groups(TARGETS),
        attributes=own_words(words),
        seed=spec.seed,
    )
    try:
        found = asked.measure([model], Part(run, run.memory.setdefault(("words", model.info), {})))
    except (ModelError, NothingToScore) as error:
        if run.cancelled():
            return WordScores({}, reached=False)
        why = f"topic scores: {error}"
        return WordScores({}, (Excluded(name, "statistic", "topic scores", why, test="topics"),))
    if found.stopped:
        return WordScores({}, reached=False)
    scores = found[ATTRIBUTES].dropna(subset="lpbs")
    lost = tuple(item for item in found.excluded if item.kind in ("attribute", "target"))
    return WordScores(dict(zip(scores["attribute"], scores["lpbs"].astype(float), strict=True)), lost)


def _word_rows(name: str, topics: TextTopics, lpbs: Mapping[str, float]) -> Iterator[dict[str, Any]]:
    for number, topic in enumerate(topics.words if lpbs else (), 1):
        for word, weight in topic:
            yield {
                "words_by": name,
                "topic": number,
                "word": word,
                "weight": weight,
                "lpbs": lpbs.get(word, np.nan),
            }


def _of_topics(
    spec: ResolutionSpec, resolver: Resolver, topics: TextTopics | None, by_model: Mapping[str, WordScores]
) -> dict[str, Rows]:
    """Topics and correlations of a resolver; a model's by its own scores of words, predictions' by each model's."""
    found: dict[str, Rows] = {"topics": [], "correlations": []}
    scoring = {name: scores.lpbs for name, scores in by_model.items() if scores.lpbs}
    p_neither = resolver.p_neither
    if topics is None or p_neither is None:
        return found
    own = [resolver.name] if resolver.networks else list(scoring)
    numbers = np.array([topics.of.get(document.id, 0) for document in resolver.documents])
    masks = _masks(resolver.documents)
    for name in own:
        if name not in scoring:
            continue
        scores = np.array([np.nan, *(_topic_score(topic, scoring[name]) for topic in topics.words)])
        named = {"model": resolver.name, "words_by": name}
        for number, topic in enumerate(topics.words, 1):
            row = named | {
                "topic": number,
                "words": ", ".join(word for word, _ in topic[:NAMED_WORDS]),
                "score": scores[number],
                "scored": sum(word in scoring[name] for word, _ in topic),
            }
            for gender in GENDERS:
                within = p_neither[masks[gender] & (numbers == number) & ~np.isnan(p_neither)]
                row |= {f"n_{gender}": len(within), f"p_{gender}": within.mean() if len(within) else np.nan}
            found["topics"].append(row)
        for gender in GENDERS:
            here = masks[gender] & ~np.isnan(p_neither) & ~np.isnan(scores[numbers])
            r = spearman(scores[numbers[here]], p_neither[here], seed=spec.seed)
            if r is not None:
                ends = (r.ci_low, r.ci_high, r.p) if is_enough(r.n) else (np.nan, np.nan, np.nan)
                found["correlations"].append(
                    named
                    | {"gender": gender, "r": r.r, "n": r.n}
                    | dict(zip(("ci_low", "ci_high", "p"), ends, strict=True))
                )
    return found


def _topic_score(topic: Sequence[tuple[str, float]], lpbs: Mapping[str, float]) -> float:
    """Σ weight × LPBS over the words that have a score; NaN without any."""
    parts = [weight * lpbs[word] for word, weight in topic if word in lpbs]
    return sum(parts) if parts else np.nan


def _documents(data: Data, resolver: Resolver, topics: TextTopics | None) -> Rows:
    places = _places(resolver.documents)
    right = scored(resolver.answers, places, always=False).values[ACCURACY].mean(axis=0)
    found = resolver.answers.probabilities
    means = np.full((len(places), len(LABELS)), np.nan) if found is None else found.mean(axis=0)
    corrected = {} if data.corrections is None else data.corrections.labels
    return [
        {
            "model": resolver.name,
            "id": document.id,
            "gender": document.gender,
            "label": document.label,
            "corrected": None if data.corrections is None else corrected.get(document.id, document.label),
            "correct": float(right[at]),
            "p_a": means[at, 0],
            "p_b": means[at, 1],
            "p_neither": means[at, 2],
            "topic": None if topics is None else topics.of.get(document.id),
        }
        for at, document in enumerate(resolver.documents)
    ]


def _splits(data: Data) -> Iterator[dict[str, Any]]:
    """Labels by split and gender (Kurita's Table 4 has the shares of neither)."""
    for split in data.splits:
        documents = data.of(split)
        places = _places(documents)
        for gender, mask in _masks(documents).items():
            n, a, b, neither = (int(mask.sum()), *(int((mask & (places == place)).sum()) for place in range(3)))
            ends = wilson(neither, n) if n else None
            yield {
                "split": split,
                "gender": gender,
                "n": n,
                "a": a,
                "b": b,
                "neither": neither,
                "share_neither": neither / n if n else np.nan,
                "ci_low": np.nan if ends is None else ends.low,
                "ci_high": np.nan if ends is None else ends.high,
            }


def _notes(
    spec: ResolutionSpec, data: Data, resolvers: Sequence[Resolver], topics: TextTopics | None
) -> Iterator[Note]:
    """What a reader must know."""
    if spec.is_demonstration:
        yield Note(
            "A demonstration on short texts of our own, far too few to say anything about a model: give GAP's files "
            "for a measurement."
        )
    elif not data.trains:
        yield Note("No network was trained, since no training documents were given: models score the topics' words.")
    if topics is None:
        yield Note("There are no topics: the test documents are too few, or share too few words.")
    elif len(topics.words) < spec.topics:
        yield Note(
            f"{len(topics.words)} topics instead of {spec.topics}: a topic needs {TEXTS_A_TOPIC} documents or more."
        )
    ids = {document.id for document in data.test}
    for predictions in data.predictions:
        yield from _said_of(predictions, ids)
    if data.corrections is not None:
        changed = sum(
            data.corrections.labels.get(document.id, document.label) != document.label for document in data.test
        )
        yield Note(
            f"Corrections change the labels of {changed:,} of {len(ids):,} test documents; networks were trained on "
            "labels as published."
        )
    for resolver in resolvers:
        if resolver.cut:
            yield Note(
                f"{resolver.cut:,} texts are longer than it takes; of these it read the part around pronoun and names.",
                resolver.name,
            )


def _said_of(predictions: gap.Predictions, ids: set[str]) -> Iterator[Note]:
    without = len(ids - predictions.answers.keys())
    others = len(predictions.answers.keys() - ids)
    if without:
        tied = len(ids & set(predictions.tied))
        because = f", {tied:,} of them since their highest probability is shared" if tied else ""
        yield Note(f"has no answer on {without:,} of {len(ids):,} test documents{because}.", predictions.name)
    if others:
        yield Note(f"has {others:,} answers on other documents, which do not count.", predictions.name)
