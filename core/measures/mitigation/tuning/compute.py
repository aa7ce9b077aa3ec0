"""The trainings of a spec one after the other, each into its folder, and the price of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ....engine.loading import LoadedModel
from ....engine.masked import check_masked
from ....engine.pseudo import PseudoScore, PseudoScorer
from ....engine.training import finetuning
from ....engine.training.finetuning import Examples
from ....errors import NothingToScore, WordListError
from ....result import Excluded, Note
from ....run import Run
from ....sources.digests import file_digest, user_copy
from ....sources.documents import DocumentFile
from ....spec import File
from ...shared import provenance
from ...shared.checks import check_models
from ..texts_given import EXAMPLE
from ..training_runs import Done, Job, identity_of, loss_rows, model_row, opened, source_of, trained
from .metric import held_out, perplexity
from .result import CONTROL, DATA, LOSSES, MODELS, PERPLEXITY, TuningResult
from .spec import TuningSpec


@dataclass(frozen=True)
class Material:
    """One of the texts: what is trained on, what is held out, and where it is from."""

    name: str
    digest: str
    source: str
    examples: Examples
    held: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def measure(spec: TuningSpec, models: Sequence[LoadedModel], run: Run[Any]) -> TuningResult:
    """Train, then compare the pseudo-perplexity of the models on documents that none was trained on.

    Raises the model's refusal, InputError, ExportError where the disk refuses, ModelError where training fails, or
    NothingToScore where a run was stopped before its first step.
    """
    check_models(models)
    (model,) = models
    check_masked(model)
    spec.check_folders()
    materials = {DATA: _material(spec.file, spec.documents(), model)}
    control = spec.control_documents()
    if control is not None:
        materials[CONTROL] = _material(spec.control, control, model)
    done = list(trained(tuple(_jobs(spec, model, materials)), model, spec.folder, run))
    if not any(part.history.steps for part in done):
        raise NothingToScore("No step was made before the run was stopped.")
    whole = len(done) == len(spec.trainings()) and all(part.info is not None for part in done)
    prices, excluded, priced = _prices(model, done, materials, run) if whole else ([], [], True)
    return TuningResult(
        spec=spec,
        tables=TuningResult.SCHEMA.frames(
            **{MODELS: map(_row, done), PERPLEXITY: prices, LOSSES: [row for part in done for row in _curve(part)]}
        ),
        excluded=tuple(excluded),
        notes=tuple(_notes(materials, model)),
        provenance=provenance.of(
            [model.info, *(part.info for part in done if part.info is not None)],
            data=[material.source for material in materials.values()],
            seed=spec.seed,
        ),
        stopped=not (whole and priced),
    )


def _material(file: File | None, documents: DocumentFile, model: LoadedModel) -> Material:
    texts = documents.documents
    held = set(held_out(len(texts)))
    examples = finetuning.examples(model, [item.text for place, item in enumerate(texts) if place not in held])
    if not examples.items:
        raise WordListError(f"{documents.name} holds no word that the model reads; give a text.")
    return Material(
        documents.name,
        file_digest(EXAMPLE) if file is None else file.sha256,
        EXAMPLE.name if file is None else user_copy(file.data, file.name),
        examples,
        tuple((item.name, item.text) for place, item in enumerate(texts) if place in held),
        documents.notes,
    )


def _jobs(spec: TuningSpec, model: LoadedModel, materials: Mapping[str, Material]) -> Iterator[Job]:
    source = source_of(model, spec.models[0])
    for training in spec.trainings():
        material = materials[CONTROL if training.control else DATA]
        items = material.examples.items
        identity = identity_of(training, model, data=material.name, digest=material.digest, texts=len(items))
        train = partial(finetuning.finetune, model, items, identity, training.folder, tokenizer_of=source)
        yield Job(training, identity, train)


def _prices(
    model: LoadedModel, done: Sequence[Done], materials: Mapping[str, Material], run: Run[Any]
) -> tuple[list[dict[str, Any]], list[Excluded], bool]:
    """The pseudo-perplexity of each model on each text's held-out documents, and whether all were scored."""
    rows: list[dict[str, Any]] = []
    excluded: list[Excluded] = []
    before: dict[str, float] = {}
    for training in (None, *(part.training for part in done)):
        scored = model if training is None else opened(training, model)
        for text, material in materials.items():
            scores = _scores(scored, text, material, run)
            if run.cancelled() and len(scores) < len(material.held):
                return rows, excluded, False
            pairs = [(found.ln_p, found.tokens) for found in scores if found.ln_p is not None]
            if training is None:
                excluded += [
                    Excluded(model.info.name, "item", name, f"{found.reason} (held out, {text})")
                    for (name, _), found in zip(material.held, scores, strict=True)
                    if found.ln_p is None
                ]
            if not pairs:
                continue
            value = perplexity([ln_p for ln_p, _ in pairs], [tokens for _, tokens in pairs])
            before.setdefault(text, value)
            rows.append(
                {
                    "model": scored.info.name,
                    "text": text,
                    "documents": len(pairs),
                    "tokens": sum(tokens for _, tokens in pairs),
                    "perplexity": value,
                    "change": None if training is None else 100 * (value / before[text] - 1),
                }
            )
    return rows, excluded, True


def _scores(model: LoadedModel, text: str, material: Material, run: Run[Any]) -> list[PseudoScore]:
    """The scores of the held-out documents, from memory where they are there; fewer where the run was stopped."""
    key = (model.info.digest, text)
    if key not in run.memory:
        scores = PseudoScorer(model).sentences([held for _, held in material.held], run=run)
        if run.cancelled():
            return []
        run.memory[key] = scores
    found: list[PseudoScore] = run.memory[key]
    return found


def _row(done: Done) -> dict[str, Any]:
    return {**model_row(done), "control": done.training.control}


def _curve(done: Done) -> Iterator[dict[str, Any]]:
    for row in loss_rows(done):
        yield {**row, "control": done.training.control}


def _notes(materials: Mapping[str, Material], model: LoadedModel) -> Iterator[Note]:
    for text, material in materials.items():
        of = material.name if len(materials) == 1 else f"{material.name} ({text})"
        yield from map(Note, material.notes)
        if material.examples.split:
            yield Note(
                f"{of}: documents longer than the {model.max_tokens:,} tokens of the model were read in parts: "
                f"{material.examples.split:,}."
            )
        if material.examples.empty:
            yield Note(f"{of}: documents without a token were passed over: {material.examples.empty:,}.")
        if not material.held:
            yield Note(f"{of} is a single document, so none is held out and there is no price.")
    if CONTROL not in materials:
        yield Note(
            "There is no control: any fine-tuning changes a model. Give the unswapped text as the control, and three "
            "seeds or more, before a change is put down to the text."
        )
