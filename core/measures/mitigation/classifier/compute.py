"""The trainings of a spec one after the other, and how well each classifier does on the texts held out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ....engine.loading import LoadedModel
from ....engine.training import classifying
from ....engine.training.classifying import Classifier, LabelledText
from ....errors import NothingToScore
from ....result import Note
from ....run import Run
from ....sources.digests import file_digest, user_copy
from ....sources.labelled import LabelledTexts
from ....stats.proportions import wilson
from ....stats.samples import is_enough, too_few
from ...shared import provenance
from ...shared.checks import check_models
from ..training_runs import Done, Job, identity_of, loss_rows, model_row, opened, source_of, trained
from .metric import held_out, label_scores, macro_f1, majority
from .result import AFTER, BEFORE, LABELS, LOSSES, MAJORITY, MODELS, SCORES, ClassifierResult
from .spec import EXAMPLE, ClassifierSpec


@dataclass(frozen=True)
class Material:
    """The texts as a model reads them: those trained on, those held out, and how many were cut."""

    file: LabelledTexts
    digest: str
    source: str
    trained: tuple[LabelledText, ...]
    held: tuple[LabelledText, ...]
    cut: int


def measure(spec: ClassifierSpec, models: Sequence[LoadedModel], run: Run[Any]) -> ClassifierResult:
    """Train, then have each classifier label the texts that no training saw.

    Raises UnsupportedModel for a causal model, InputError, ExportError where the disk refuses, ModelError where
    training fails, or NothingToScore where a run was stopped before its first step.
    """
    check_models(models)
    (model,) = models
    classifying.check_encoder(model)
    spec.check_folders()
    material = _material(spec, model)
    source = source_of(model, spec.models[0])
    done = list(trained(tuple(_jobs(spec, model, material, source)), model, spec.folder, run))
    if not any(part.history.steps for part in done):
        raise NothingToScore("No step was made before the run was stopped.")
    whole = len(done) == len(spec.trainings()) and all(part.info is not None for part in done)
    predicted = _predicted(spec, model, material, source, run) if whole else None
    return ClassifierResult(
        spec=spec,
        tables=ClassifierResult.SCHEMA.frames(
            **{
                MODELS: map(model_row, done),
                SCORES: [] if predicted is None else list(_scores(material, predicted)),
                LABELS: list(_labels(material, predicted or {})),
                LOSSES: [row for part in done for row in loss_rows(part)],
            }
        ),
        excluded=(),
        notes=tuple(_notes(spec, material, done)),
        provenance=provenance.of(
            [model.info, *(part.info for part in done if part.info is not None)],
            data=[material.source],
            seed=spec.seed,
        ),
        stopped=predicted is None,
    )


def _material(spec: ClassifierSpec, model: LoadedModel) -> Material:
    file = spec.labelled()
    place = {label: at for at, label in enumerate(file.names)}
    items, cut = classifying.labelled(model, file.texts, [place[label] for label in file.labels], spec.length)
    held = set(held_out(file.labels))
    return Material(
        file,
        file_digest(EXAMPLE) if spec.file is None else spec.file.sha256,
        EXAMPLE.name if spec.file is None else user_copy(spec.file.data, spec.file.name),
        tuple(item for at, item in enumerate(items) if at not in held),
        tuple(item for at, item in enumerate(items) if at in held),
        cut,
    )


def _jobs(spec: ClassifierSpec, model: LoadedModel, material: Material, source: Path) -> Iterator[Job]:
    for training in spec.trainings():
        identity = identity_of(
            training,
            model,
            data=f"{spec.name} ({spec.text_column}, {spec.label_column})",
            digest=material.digest,
            texts=len(material.trained),
            labels=material.file.names,
        )
        train = partial(classifying.train_classifier, model, material.trained, identity, training.folder, source=source)
        yield Job(training, identity, train)


Predicted = Mapping[tuple[str, int], Sequence[int]]  # by before or after and seed: the label of each held-out text


def _predicted(
    spec: ClassifierSpec, model: LoadedModel, material: Material, source: Path, run: Run[Any]
) -> Predicted | None:
    """What each classifier says before and after its training; None where the run was stopped."""
    found: dict[tuple[str, int], Sequence[int]] = {}
    names = material.file.names
    for training in spec.trainings():
        seed = training.settings.seed
        after = opened(training, model)
        makers: tuple[tuple[str, str, Callable[[], Classifier]], ...] = (
            (BEFORE, model.info.digest, partial(Classifier.begun, model, source, names, seed)),
            (AFTER, after.info.digest, partial(Classifier.opened, after, training.folder)),
        )
        for when, digest, make in makers:
            key = (when, digest, seed)
            if key not in run.memory:
                logits = make().logits(material.held, run, f"Labelling texts held out, {when} training, seed {seed}")
                if logits is None:
                    return None
                run.memory[key] = tuple(int(label) for label in logits.argmax(axis=1))
            found[when, seed] = run.memory[key]
    return found


def _scores(material: Material, predicted: Predicted) -> Iterator[dict[str, Any]]:
    most = majority([item.label for item in material.trained])
    yield _score(material, MAJORITY, None, [most] * len(material.held))
    for when in (BEFORE, AFTER):
        for (of, seed), labels in predicted.items():
            if of == when:
                yield _score(material, when, seed, labels)


def _score(material: Material, classifier: str, seed: int | None, labels: Sequence[int]) -> dict[str, Any]:
    true = [item.label for item in material.held]
    correct = sum(truth == label for truth, label in zip(true, labels, strict=True))
    ends = wilson(correct, len(true)) if is_enough(len(true)) else None
    return {
        "classifier": classifier,
        "seed": seed,
        "n": len(true),
        "correct": correct,
        "accuracy": 100 * correct / len(true),
        "ci_low": None if ends is None else 100 * ends.low,
        "ci_high": None if ends is None else 100 * ends.high,
        "macro_f1": macro_f1(label_scores(true, labels, len(material.file.names))),
    }


def _labels(material: Material, predicted: Predicted) -> Iterator[dict[str, Any]]:
    true, count = [item.label for item in material.held], len(material.file.names)
    after = [(seed, label_scores(true, labels, count)) for (when, seed), labels in predicted.items() if when == AFTER]
    for at, label in enumerate(material.file.names):
        counts = {
            "label": label,
            "n_trained": sum(item.label == at for item in material.trained),
            "n_held_out": true.count(at),
        }
        if not after:
            yield {**counts, **dict.fromkeys(("seed", "n_predicted", "precision", "recall", "f1"))}
        for seed, scores in after:
            score = scores[at]
            yield {
                **counts,
                "seed": seed,
                "n_predicted": score.predicted,
                "precision": score.precision,
                "recall": score.recall,
                "f1": score.f1,
            }


def _notes(spec: ClassifierSpec, material: Material, done: Sequence[Done]) -> Iterator[Note]:
    file = material.file
    yield from map(Note, file.notes)
    if material.cut:
        yield Note(f"{file.name}: texts cut to {spec.length:,} tokens or what the model takes: {material.cut:,}.")
    if file.blank:
        yield Note(f"{file.name}: rows without a text or a label were passed over: {file.blank:,}.")
    if file.repeated:
        other = f", {file.conflicting:,} of them with another label" if file.conflicting else ""
        yield Note(
            f"{file.name}: rows with a text that stands further up were passed over, so that no text is both trained "
            f"on and held out: {file.repeated:,}{other}."
        )
    kept = {item.label for item in material.held}
    alone = [label for at, label in enumerate(file.names) if at not in kept]
    if alone:
        yield Note(f"Labels with a single text, which is trained on and not held out: {', '.join(alone)}.")
    if not is_enough(len(material.held)):
        yield Note(
            f"{file.name}: interval not computed, n too small ({too_few(len(material.held))} texts held out); a tenth "
            "of each label is."
        )
    if len(done) == 1:
        yield Note(
            "One seed: the head’s first weights, the order and the dropout are drawn, and another seed gives another "
            "model. Give three seeds or more before a change of a measure is put down to the texts."
        )
