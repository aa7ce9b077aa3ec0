"""Occupation classification with one or more models: vectors, a linear classifier, gaps; what is done is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from ....engine.embeddings import Encoder
from ....engine.erasure import leace
from ....engine.loading import LoadedModel
from ....engine.masked import STOPPED
from ....engine.pieces import SpanText
from ....engine.windows import window
from ....errors import NothingToScore, OptionError, UnsupportedModel
from ....result import Excluded, Note, Progress
from ....run import Run
from ....sources import shares
from ....sources.biographies import (
    GENDERS,
    MEN,
    TEST,
    TRAINING,
    WOMEN,
    Biographies,
    Biography,
    Classifications,
    scrubbed,
)
from ....stats.correlation import FEWEST_POINTS, pearson, spearman
from ....stats.logistic import fit_logistic
from ....stats.samples import is_enough, too_few
from ...shared import provenance
from ...shared.checks import Refusals, check_layer, check_models
from .metric import Gaps, measured, share_ends
from .result import GIVEN, IN_FILE, IN_STATISTICS, SCRUBBED, WITHOUT_GENDER, OccupationResult
from .spec import ERASED, POOLING, SEEN, YEAR, Erase, OccupationSpec

Rows = list[dict[str, Any]]
Vectors = Mapping[int, NDArray[np.floating]]  # of biographies by their id

TEST_SHARE = 0.25  # of the biographies of an occupation and a gender, where the file has no split


@dataclass(frozen=True)
class Answer:
    """What a classifier made of a test biography."""

    line: int
    occupation: str
    gender: str
    predicted: str
    probability: float = np.nan


@dataclass(frozen=True)
class Erased:
    """What gender was erased by: the training texts it was fitted on, and the dimensions taken, of ``width``."""

    n_men: int
    n_women: int
    rank: int
    width: int


@dataclass(frozen=True, eq=False)
class Classifier:
    """A model, or a file of predictions, with its answers; ``people`` are all (occupation, gender) of its file."""

    name: str
    texts: str
    answers: tuple[Answer, ...]
    people: tuple[tuple[str, str], ...]
    lost: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    erased: Erased | None = None


@dataclass(frozen=True, eq=False)
class Read:
    """What a model read: the biographies that are trained on and tested, all vectors, what is lost, what to know."""

    training: tuple[Biography, ...]
    test: tuple[Biography, ...]
    vectors: Vectors
    lost: dict[str, str]
    notes: tuple[str, ...]


def measure(spec: OccupationSpec, models: Sequence[LoadedModel], run: Run[Any]) -> OccupationResult:
    """Train a classifier on each model's vectors, and score its answers and the predictions that were brought along.

    ``run.memory`` keeps vectors and answers. When the run is stopped, models that are not done are left out. Raises
    InputError, the models' refusals, or NothingToScore.
    """
    check_models(models)
    data, predictions = spec.texts_given(), spec.classifications()
    names = [*(model.info.name for model in models), *(found.name for found in predictions)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"Two files of predictions, or one and a model, are called {twice}; rename one.")
    refusals = Refusals()
    classifiers: list[Classifier] = []
    unfinished = False
    for model in models if data is not None else ():
        with refusals.of(model):
            for texts in SEEN[spec.texts]:
                assert data is not None
                found = _classify(model, spec, data, texts, run)
                unfinished = unfinished or found is None
                classifiers += found or ()
    classifiers += [_of_predictions(found) for found in predictions]
    refusals.check(bool(classifiers))
    if not classifiers:
        raise NothingToScore("The run was stopped before a classifier was trained; resume it for a result.")
    rows: dict[str, Rows] = {name: [] for name in OccupationResult.SCHEMA.tables}
    excluded = list(refusals.left_out)
    for classifier in classifiers:
        found_rows, lost = _scores(spec, classifier)
        for table, more in found_rows.items():
            rows[table] += more
        excluded += lost
    able = [model.info for model in models if data is not None and not refusals.has(model)]
    return OccupationResult(
        spec=spec,
        tables=OccupationResult.SCHEMA.frames(**rows),
        excluded=tuple(excluded),
        notes=(
            *_notes(spec, data),
            *(Note(text, classifier.name) for classifier in classifiers for text in classifier.notes),
        ),
        provenance=provenance.of(able, data=(*spec.data, shares("bls", year=YEAR).statistic.source), seed=spec.seed),
        stopped=unfinished,
    )


def split(biographies: Sequence[Biography], seed: int) -> tuple[tuple[Biography, ...], tuple[Biography, ...]]:
    """Training and test biographies: as the file says, or drawn within each occupation and gender.

    Drawn from texts in an order of their own, so that the order of the file changes nothing. A cell of at least two has
    at least one of each.
    """
    if biographies[0].split:
        found = [tuple(item for item in biographies if item.split == of) for of in (TRAINING, TEST)]
        return found[0], found[1]
    cells: dict[tuple[str, str], list[Biography]] = {}
    for item in sorted(biographies, key=lambda item: (item.occupation, item.gender, item.text)):
        cells.setdefault((item.occupation, item.gender), []).append(item)
    generator = np.random.default_rng(seed)
    training: list[Biography] = []
    test: list[Biography] = []
    for cell in cells.values():
        order = generator.permutation(len(cell))
        number = min(max(1, round(TEST_SHARE * len(cell))), len(cell) - 1)
        test += [cell[at] for at in order[:number]]
        training += [cell[at] for at in order[number:]]
    return tuple(training), tuple(test)


def _classify(
    model: LoadedModel, spec: OccupationSpec, data: Biographies, texts: str, run: Run[Any]
) -> tuple[Classifier, ...] | None:
    """A model's classifiers and their answers, with nothing and with gender erased, as is asked.

    None when the run was stopped before. Raises ModelError.
    """
    check_layer(model, spec.layer)
    key = ("classifier", model.info, texts)
    if key in run.memory:
        done: tuple[Classifier, ...] = run.memory[key]
        return done
    read = _read(model, spec, data, texts, run)
    if read is None:
        return None
    few = {gender: sum(item.gender == gender for item in read.training) for gender in GENDERS}
    if spec.erase != Erase.NOTHING and min(few.values()) < 2:
        raise UnsupportedModel(
            f"Gender cannot be erased from vectors of {model.info.name}: that needs at least 2 training texts of women "
            f"and of men, and it can read {few[WOMEN]} and {few[MEN]}. Erase nothing, or give more."
        )
    classifiers: list[Classifier] = []
    for erasing in ERASED[spec.erase]:
        run.report(Progress(f"Training a classifier on vectors of {model.info.name}", 0, 1))
        vectors, erased = without_gender(read.training, read.vectors) if erasing else (read.vectors, None)
        trained = answered(read.training, read.test, vectors, cancelled=run.cancelled)
        if trained is None:
            return None
        answers, converged = trained
        called = texts + (WITHOUT_GENDER if erasing else "")
        notes = [] if classifiers else [*read.notes]  # of the texts, which are the same with and without
        if erased is not None:
            notes.append(_said(called, erased))
        if not converged:
            notes.append("The classifier was not fitted to its best weights within the steps it is given.")
        people = tuple((item.occupation, item.gender) for item in data.items)
        lost = {} if classifiers else read.lost
        classifiers.append(Classifier(model.info.name, called, answers, people, lost, tuple(notes), erased))
    run.memory.pop(("vectors", model.info, texts))
    run.memory[key] = tuple(classifiers)
    return tuple(classifiers)


def _read(model: LoadedModel, spec: OccupationSpec, data: Biographies, texts: str, run: Run[Any]) -> Read | None:
    """What a model reads of the biographies; None when the run was stopped before. Raises ModelError."""
    training, test = split(data.items, spec.seed)
    seen = sorted((*training, *test), key=lambda item: (-len(item.text), item.id))
    written = [scrubbed(item.text) if texts == SCRUBBED else (item.text, 0) for item in seen]
    items, cut = [], 0
    for text, _ in written:
        low, high = window(model, text, [(0, 1)]) or (0, len(text))
        cut += high - low < len(text)
        items.append(SpanText(text[low:high], (0, high - low)))
    memory = run.memory.setdefault(("vectors", model.info, texts), {})
    found = Encoder(model).embed(items, (POOLING[spec.vector],), layer=spec.layer, whole=True, run=run, memory=memory)
    if STOPPED in found.lost:
        return None
    vectors = {item.id: found.of(POOLING[spec.vector])[at, 0] for at, item in enumerate(seen)}
    lost = {item.id: why for item, why in zip(seen, found.lost, strict=True) if why}
    kept = [tuple(item for item in part if item.id not in lost) for part in (training, test)]
    occupations = sorted({item.occupation for item in kept[0]})
    if len(occupations) < 2 or not kept[1]:
        raise UnsupportedModel(
            f"{model.info.name} can read too few of the biographies: "
            f"{next(iter(lost.values()), 'the training texts have one occupation')}."
        )
    notes = []
    if cut:
        notes.append(f"{cut:,} of {len(seen):,} texts are longer than it takes; of these it read the beginning.")
    if unknown := sum(found.unknown):
        notes.append(f"{unknown:,} of {len(seen):,} texts hold a word or sign that is unknown to it.")
    if texts == SCRUBBED:
        words = sum(count for _, count in written)
        notes.append(f"{words:,} pronouns, titles and first names were scrubbed; names that no list knows stay.")
    return Read(
        kept[0],
        kept[1],
        {of: vector for of, vector in vectors.items() if of not in lost},
        {f"line {of}": why for of, why in lost.items()},
        tuple(notes),
    )


def without_gender(training: Sequence[Biography], vectors: Vectors) -> tuple[Vectors, Erased]:
    """All vectors with gender erased (LEACE), fitted on those of the training biographies alone by their gender."""
    men, women = (
        np.stack([vectors[item.id] for item in training if item.gender == gender]).astype(np.float64)
        for gender in (MEN, WOMEN)
    )
    eraser = leace(men, women)
    erased = eraser(np.stack(list(vectors.values())).astype(np.float64))
    return (
        dict(zip(vectors, erased, strict=True)),
        Erased(n_men=len(men), n_women=len(women), rank=eraser.rank, width=men.shape[1]),
    )


def answered(
    training: Sequence[Biography], test: Sequence[Biography], vectors: Vectors, *, cancelled: Callable[[], bool]
) -> tuple[tuple[Answer, ...], bool] | None:
    """What a classifier that is trained on some makes of the others, and whether it converged; None when cancelled."""
    occupations = sorted({item.occupation for item in training})
    fitted = fit_logistic(
        np.stack([vectors[item.id] for item in training]),
        np.array([occupations.index(item.occupation) for item in training]),
        classes=len(occupations),
        cancelled=cancelled,
    )
    if fitted is None:
        return None
    probabilities = softmax(fitted.logits(np.stack([vectors[item.id] for item in test])), axis=1)
    place = {name: at for at, name in enumerate(occupations)}
    answers = tuple(
        Answer(
            item.id,
            item.occupation,
            item.gender,
            occupations[int(row.argmax())],
            float(row[place[item.occupation]]) if item.occupation in place else 0.0,
        )
        for item, row in sorted(zip(test, probabilities, strict=True), key=lambda pair: pair[0].id)
    )
    return answers, fitted.converged


def _said(texts: str, erased: Erased) -> str:
    """What gender was erased by, for a note."""
    n = erased.n_women + erased.n_men
    few = (
        f" These are no more than dimensions ({n:,} of {erased.width:,}): gender is exactly gone from them, from test "
        "texts only as far as they are like them."
        if n <= erased.width
        else ""
    )
    return (
        f"Texts {texts}: LEACE was fitted on the vectors of {erased.n_women:,} training texts of women and "
        f"{erased.n_men:,} of men, and erased {erased.rank} of {erased.width:,} dimensions.{few}"
    )


def _of_predictions(found: Classifications) -> Classifier:
    answers = tuple(Answer(item.id, item.occupation, item.gender, item.predicted) for item in found.items)
    missing = sum(not item.predicted for item in found.items)
    notes = (f"has no prediction on {missing:,} of {len(answers):,} rows, which count as missed.",) if missing else ()
    return Classifier(
        found.name, GIVEN, answers, tuple((item.occupation, item.gender) for item in found.items), {}, notes
    )


def _scores(spec: OccupationSpec, classifier: Classifier) -> tuple[dict[str, Rows], list[Excluded]]:
    """The rows of a classifier by table, and what has no number."""
    named = {"model": classifier.name, "texts": classifier.texts}
    occupations = sorted({answer.occupation for answer in classifier.answers})
    shape = len(GENDERS), len(occupations)
    n, hits = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for answer in classifier.answers:
        cell = GENDERS.index(answer.gender), occupations.index(answer.occupation)
        n[cell] += 1
        hits[cell] += answer.predicted == answer.occupation
    found = measured(hits, n, seed=spec.seed)
    women = _women(classifier.people)
    statistics = shares("bls", year=YEAR)
    labour = [statistics.find(occupation.replace("_", " ")) for occupation in occupations]
    rows: dict[str, Rows] = {
        "occupations": [
            named
            | {"occupation": occupation, "women_file": women[occupation], "women_labour": labour[at]}
            | {f"n_{gender}": int(n[place, at]) for place, gender in enumerate(GENDERS)}
            | {f"tpr_{gender}": found.rates[place, at] for place, gender in enumerate(GENDERS)}
            | {f"gap{end}": found.gaps[row, at] for row, end in enumerate(("", "_low", "_high"))}
            for at, occupation in enumerate(occupations)
        ],
        "overall": [named | _overall(n, hits, found, spec.seed)],
        "biographies": [
            named
            | {"line": answer.line, "occupation": answer.occupation, "gender": answer.gender}
            | {"predicted": answer.predicted, "probability": answer.probability}
            for answer in classifier.answers
        ],
    }
    excluded = [Excluded(classifier.name, "item", of, why) for of, why in classifier.lost.items()]
    for at, occupation in enumerate(occupations):
        few = [
            f"{too_few(int(n[place, at]))} {gender}"
            for place, gender in enumerate(GENDERS)
            if not is_enough(int(n[place, at]))
        ]
        if few:
            why = f"{occupation}: no gap, too few test biographies ({', '.join(few)})"
            excluded.append(Excluded(classifier.name, "statistic", occupation, why, test=classifier.texts))
    rows["erased"] = [] if classifier.erased is None else [named | asdict(classifier.erased)]
    rows["correlations"] = []
    for against, percents in ((IN_FILE, [women[name] for name in occupations]), (IN_STATISTICS, labour)):
        pairs = [
            (x, float(gap))
            for x, gap in zip(percents, found.gaps[0], strict=True)
            if x is not None and not np.isnan(gap)
        ]
        x, y = (np.array(side, dtype=np.float64) for side in (list(zip(*pairs, strict=True)) or [(), ()]))
        linear, ranked = pearson(x, y), spearman(x, y, seed=spec.seed)
        if linear is None or ranked is None:
            scarce = len(pairs) < FEWEST_POINTS
            why = (
                f"{len(pairs)} of at least {FEWEST_POINTS} occupations have both"
                if scarce
                else "one of both does not vary"
            )
            excluded.append(
                Excluded(
                    classifier.name,
                    "statistic",
                    against,
                    f"{against}: no correlation with the gap, {why}",
                    test=classifier.texts,
                )
            )
            continue
        enough = is_enough(linear.n)
        if not enough:
            why = f"{against}: interval and p not computed, n too small ({too_few(linear.n)} occupations)"
            excluded.append(Excluded(classifier.name, "statistic", against, why, test=classifier.texts))
        for method, r in (("Pearson", linear), ("Spearman", ranked)):
            ends = (r.ci_low, r.ci_high, r.p) if enough else (np.nan, np.nan, np.nan)
            rows["correlations"].append(
                named
                | {"against": against, "method": method, "r": r.r, "n": r.n}
                | dict(zip(("ci_low", "ci_high", "p"), ends, strict=True))
            )
    return rows, excluded


def _women(people: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Percentage of women in each occupation of a file."""
    every = Counter(occupation for occupation, _ in people)
    women = Counter(occupation for occupation, gender in people if gender == WOMEN)
    return {occupation: 100 * women[occupation] / count for occupation, count in every.items()}


def _overall(n: NDArray[np.int64], hits: NDArray[np.int64], found: Gaps, seed: int) -> dict[str, Any]:
    total, right = int(n.sum()), int(hits.sum())
    low, high = share_ends(right, total, seed=seed)
    row = {"n": total, "accuracy": right / total, "accuracy_low": low, "accuracy_high": high}
    row |= {
        f"accuracy_{gender}": hits[at].sum() / n[at].sum() if n[at].any() else np.nan
        for at, gender in enumerate(GENDERS)
    }
    row |= {f"mean_gap{end}": float(value) for end, value in zip(("", "_low", "_high"), found.mean, strict=True)}
    row |= {"mean_absolute": found.absolute, "rms": found.rms}
    chance = {"mean_absolute_chance": found.chance[0], "rms_chance": found.chance[1]}
    return row | chance | {"occupations": int(found.counted.sum())}


def _notes(spec: OccupationSpec, data: Biographies | None) -> Iterator[Note]:
    """What a reader must know."""
    if spec.is_demonstration:
        yield Note(
            "A demonstration on short texts of our own, far too few to say anything about a model: give your "
            "biographies for a measurement."
        )
    if data is None:
        yield Note("No model was read, since no biographies were given: only the predictions are scored.")
    elif data.others:
        yield Note(f"{data.others:,} rows are of another split than train and test, and were left out.")
    if spec.erase != Erase.NOTHING and data is not None:
        yield Note(
            "Gender was erased from vectors by the genders of the training texts, which are labels that not everybody "
            "has. Only what is linear is gone, and with it may go what tells an occupation: compare the accuracy too."
        )
    if spec.erase != Erase.NOTHING and spec.predictions:
        yield Note("From predictions that were brought along nothing can be erased: they have no vectors.")
    if data is not None:
        training, test = split(data.items, spec.seed)
        taught = {item.text for item in training}
        seen = sum(item.text in taught for item in test)
        if seen:
            yield Note(
                f"{seen:,} of {len(test):,} test texts are training texts too: what is recognised of these is "
                "remembered. Keep each text once."
            )
        untaught = {item.occupation for item in test} - {item.occupation for item in training}
        if untaught:
            yield Note(
                f"No classifier was taught {', '.join(sorted(untaught))}: no training text has it, so it is never "
                "recognised."
            )
