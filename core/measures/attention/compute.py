"""One sentence and its gender-swapped twin, head by head, in one or more models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ...engine.attention import AttentionQuery, AttentionReader, HeadSums, Position, Refusal, Tokens
from ...engine.loading import LoadedModel
from ...engine.masked import STOPPED
from ...errors import NothingToScore, OptionError
from ...result import Excluded, ModelInfo, Note, notes_of
from ...run import Run, Watch
from ...sources.marking import MarkedSentence
from ..shared import provenance
from ..shared.checks import Refusals, check_models
from . import metric
from .result import HEADS, MAPS, ORIGINAL, POSITIONS, TWIN, AttentionResult, SentenceMaps
from .spec import AttentionSpec

DIRECTIONS = {1.0: "male", -1.0: "female", 0.0: "neither"}


def measure(spec: AttentionSpec, models: Sequence[LoadedModel], run: Run[Any]) -> AttentionResult:
    """Attention of the occupation to the gendered words of a sentence and of its twin (metrics: attention).

    The models must be loaded with attention outputs. A model that cannot judge the sentence is listed in ``excluded``,
    as is one that refuses or is not reached while another is read. ``run.memory`` holds what is done, model by model.
    Raises OptionError, the first refusal where no model can be read, or NothingToScore where none can judge the
    sentence.
    """
    check_models(models)
    parts: list[tuple[ModelInfo, _Read]] = []
    refusals, not_reached = Refusals(), list[Excluded]()
    for model in models:
        info, key = model.info, (model.info.name, model.info.digest)
        with refusals.of(model):
            if key not in run.memory and not run.cancelled() and (read := _of_model(model, spec, run)) is not None:
                run.memory[key] = read
            if key in run.memory:
                parts.append((info, run.memory[key]))
            else:
                not_reached.append(Excluded(info.name, "model", info.name, f"{info.name} {STOPPED}"))
    refusals.check(bool(parts))
    reads = [read for _, read in parts]
    if not any(read.heads["degree"].notna().any() for read in reads):
        reasons = "; ".join(item.why for read in reads for item in read.excluded) or "the run was stopped"
        raise NothingToScore(f"No head can be judged here: {reasons}.")
    notes = tuple(Note(read.note, info.name) for info, read in parts if read.note)
    infos = [replace(info, notes=(*info.notes, *notes_of(notes, info.name))) for info, _ in parts]
    return AttentionResult(
        spec=spec,
        tables=AttentionResult.SCHEMA.frames(
            heads=pd.concat([read.heads for read in reads], ignore_index=True),
            positions=pd.concat([read.positions for read in reads], ignore_index=True),
            tokens=pd.concat([read.tokens for read in reads], ignore_index=True),
        ),
        excluded=(*refusals.left_out, *not_reached, *(item for read in reads for item in read.excluded)),
        notes=notes,
        provenance=provenance.of(infos, data=spec.data, seed=0),
        stopped=bool(not_reached),
    )


@dataclass(frozen=True, eq=False)
class _Read:
    """What one model gives."""

    heads: pd.DataFrame
    positions: pd.DataFrame
    tokens: pd.DataFrame
    excluded: tuple[Excluded, ...]
    note: str


def query_of(sentence: MarkedSentence) -> AttentionQuery:
    """The sentence as the reader takes it."""
    return AttentionQuery(sentence.text, sentence.occupation, sentence.male, sentence.female)


def looks_away(reader: AttentionReader, sentence: MarkedSentence) -> bool:
    """Whether a causal (left-to-right) model is given a gendered word behind the occupation."""
    last = max(start for start, _ in (*sentence.male, *sentence.female))
    return reader.looks_back and last > sentence.occupation[0]


def degrees(sentence: HeadSums, twin: HeadSums) -> tuple[metric.FloatArray, metric.FloatArray]:
    """Degrees of the model's own maps [layer, head] and of the detectors [position, head]."""
    own, detectors = (
        metric.degree(first, second) for first, second in zip(_biases(sentence), _biases(twin), strict=True)
    )
    return own, detectors


def _biases(sums: HeadSums) -> tuple[metric.FloatArray, metric.FloatArray]:
    """Biases of the model's own maps [layer, head] and of the detectors [position, head]."""
    assert sums.detector_ln_ratio is not None  # whoever compares sentences asks for the detectors
    return metric.bias(sums.maps_male, sums.maps_female), metric.bias_of_ratio(sums.detector_ln_ratio)


def _of_model(model: LoadedModel, spec: AttentionSpec, run: Watch) -> _Read | None:
    """What one model gives; None where the run was stopped before it answered."""
    name, reader = model.info.name, AttentionReader(model)
    pair = _both(spec)
    tokens = pd.concat([_tokens(name, which, reader, sentence) for which, sentence in pair.items()], ignore_index=True)
    answers: dict[int, HeadSums | Refusal] = {}
    for part, sums in reader.sums([query_of(sentence) for sentence in pair.values()], detectors=True, run=run):
        answers.update(zip(part, sums, strict=True))
    if len(answers) < len(pair):
        return None
    first, second = answers[0], answers[1]
    reasons = [
        f"the {which} {answer.reason}"
        for which, answer in zip(pair, (first, second), strict=True)
        if isinstance(answer, Refusal)
    ]
    if any(looks_away(reader, sentence) for sentence in pair.values()):
        reasons.append(f"{name} is causal (left-to-right), and a gendered word stands behind the occupation: undefined")
    if reasons or isinstance(first, Refusal) or isinstance(second, Refusal):
        unjudged = tuple(Excluded(name, "statistic", "heads", reason, test="heads") for reason in reasons)
        empty = AttentionResult.SCHEMA.frames()
        return _Read(empty[HEADS], empty[POSITIONS], tokens, unjudged, reader.missing)
    own, detectors = zip(_biases(first), _biases(second), strict=True)
    of_maps = [(None, layer, MAPS) for layer in range(len(first.maps_male))]
    of_detectors = [(at, position.layer, position.kind) for at, position in enumerate(reader.positions)]
    heads = pd.concat(
        [
            _rows(name, of_maps, _sums(first, second, "maps"), own),
            _rows(name, of_detectors, _sums(first, second, "detector"), detectors),
        ],
        ignore_index=True,
    )
    lacking = heads["t_male"].isna() & heads["position"].notna()
    undefined = int((heads["degree"].isna() & ~lacking).sum())
    excluded: tuple[Excluded, ...] = ()
    if undefined:
        reason = f"{undefined} of {len(heads) - int(lacking.sum())} heads of {name} give no attention to either gender"
        excluded = (Excluded(name, "statistic", "heads", f"{reason}: undefined", test="heads"),)
    of_positions = degrees(first, second)[1][None]
    return _Read(heads, _profile(name, reader.positions, of_positions), tokens, excluded, reader.missing)


def _both(spec: AttentionSpec) -> dict[str, MarkedSentence]:
    """The sentence and its twin, by which they are."""
    if spec.twin is None:
        raise OptionError("There is no twin; give one, or measure with the spec's own run, which makes it.")
    return {ORIGINAL: spec.sentence, TWIN: spec.twin}


def _sums(first: HeadSums, second: HeadSums, what: str) -> tuple[metric.FloatArray, ...]:
    """(t_male, t_female, of the twin t_male, t_female), each [row, head]."""
    return tuple(getattr(sums, f"{what}_{side}") for sums in (first, second) for side in ("male", "female"))


def _rows(
    model: str,
    layers: Sequence[tuple[int | None, int | None, str]],
    sums: tuple[metric.FloatArray, ...],
    biases: tuple[metric.FloatArray, ...],
) -> pd.DataFrame:
    male, female = sums[:2]
    heads = male.shape[1]
    bias, swapped = biases
    pointing = metric.direction(bias, swapped)
    frame = pd.DataFrame([layer for layer in layers for _ in range(heads)], columns=["position", "layer", "kind"])
    return frame.assign(
        model=model,
        head=np.tile(np.arange(heads), len(layers)),
        t_male=male.ravel(),
        t_female=female.ravel(),
        bias=bias.ravel(),
        bias_swapped=swapped.ravel(),
        degree=metric.degree(bias, swapped).ravel(),
        direction=pd.Series([DIRECTIONS.get(float(sign)) for sign in pointing.ravel()], dtype="str"),
    )


def _profile(model: str, positions: Sequence[Position], of_positions: metric.FloatArray) -> pd.DataFrame:
    """A row per position from degrees [1, position, head] of one sentence; the quartiles are those of its heads."""
    figures = metric.corpus_figures(of_positions, metric.predecessors(positions))
    quartiles = np.full((5, len(positions)), np.nan)
    for at, heads in enumerate(of_positions[0]):
        defined = heads[~np.isnan(heads)]
        if len(defined):
            quartiles[:, at] = np.quantile(defined, (0, 0.25, 0.5, 0.75, 1))
    return pd.DataFrame(
        {
            "model": model,
            "position": range(len(positions)),
            "layer": [position.layer for position in positions],
            "kind": [position.kind for position in positions],
            "mean_degree": figures.mean_degree,
            "difference": figures.difference,
            "share_rising": figures.share_rising,
            "share_biased": figures.share_biased,
            "n": figures.n_heads,
            **dict(zip(("low", "q1", "median", "q3", "high"), quartiles, strict=True)),
        }
    )


def maps(model: LoadedModel, spec: AttentionSpec) -> tuple[SentenceMaps, SentenceMaps]:
    """A model's own attention over the sentence and over its twin, for who looks at a head.

    Raises ModelError for a model loaded without attention outputs, or a sentence that it does not read whole.
    """
    reader = AttentionReader(model)
    first, second = (
        SentenceMaps(
            model.info.name,
            which,
            (tokens := reader.tokens(sentence.text)).pieces,
            _roles(sentence, tokens),
            reader.maps(sentence.text),
        )
        for which, sentence in _both(spec).items()
    )
    return first, second


def _roles(sentence: MarkedSentence, tokens: Tokens) -> tuple[str, ...]:
    named = [("male", sentence.male), ("female", sentence.female), ("occupation", (sentence.occupation,))]
    roles = []
    for special, (start, end) in zip(tokens.is_special, tokens.spans, strict=True):
        own = (role for role, spans in named for first, last in spans if not special and start < last and end > first)
        roles.append(next(own, ""))
    return tuple(roles)


def _tokens(model: str, which: str, reader: AttentionReader, sentence: MarkedSentence) -> pd.DataFrame:
    tokens = reader.tokens(sentence.text)
    return pd.DataFrame(
        {
            "model": model,
            "which": which,
            "token": range(len(tokens.pieces)),
            "piece": tokens.pieces,
            "role": _roles(sentence, tokens),
        }
    )
