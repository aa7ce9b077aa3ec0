"""One sentence and its gender-swapped twin, head by head, in one or more models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from core.engine.attention import AttentionQuery, AttentionReader, HeadSums, Position, Refusal, Tokens
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.errors import NothingToScore
from core.measures.attention import metric as metric
from core.measures.attention.result import MAPS, ORIGINAL, TWIN, AttentionOptions, AttentionResult, SentenceMaps
from core.measures.shared import provenance
from core.measures.shared.checks import Refusals, check_models
from core.result import LeftOut, ModelInfo, Note, notes_of
from core.run import UNWATCHED, Watch
from core.sources.marking import MarkedSentence

DIRECTIONS = {1.0: "male", -1.0: "female", 0.0: "neither"}
COLUMNS = (
    *("model", "position", "layer", "kind", "head", "t_male", "t_female", "bias", "bias_swapped", "degree"),
    "direction",
)
SOURCE = "gender words and occupations of the program's lists (Li et al. 2021)"


def run(
    models: Sequence[LoadedModel],
    sentence: MarkedSentence,
    twin: MarkedSentence,
    options: AttentionOptions | None = None,
    *,
    memory: dict[Any, Any] | None = None,
    run: Watch = UNWATCHED,
) -> AttentionResult:
    """Attention of the occupation to the gendered words of a sentence and of its twin (metrics: attention).

    The models must be loaded with attention outputs. A model that cannot judge the sentence is listed in ``left_out``,
    as is one that refuses or is not reached while another is read. ``memory`` holds what is done, model by model, and
    is filled further: a run with the same sentences resumes from it. Raises OptionError, the first refusal
    where no model can be read, or NothingToScore where none can judge the sentence.
    """
    options = options or AttentionOptions()
    check_models(models)
    held: dict[Any, _Read] = {} if memory is None else memory
    parts: list[tuple[ModelInfo, _Read]] = []
    refusals, not_reached = Refusals(), list[LeftOut]()
    for model in models:
        if run.cancelled():
            not_reached.append(LeftOut(model.info.name, "model", model.info.name, f"{model.info.name} {STOPPED}"))
            continue
        with refusals.of(model):
            key = (model.info.name, model.info.digest)
            if key not in held:
                found = _of_model(model, sentence, twin, run)
                if found is None:
                    not_reached.append(
                        LeftOut(model.info.name, "model", model.info.name, f"{model.info.name} {STOPPED}")
                    )
                    continue
                held[key] = found
            parts.append((model.info, held[key]))
    refusals.check(bool(parts))
    read = [part for _, part in parts]
    if not any(one.summary["degree"].notna().any() for one in read):
        reasons = "; ".join(item.reason for one in read for item in one.left_out) or "the run was stopped"
        raise NothingToScore(f"No head can be judged here: {reasons}.")
    notes = [Note(part.note, info.name) for info, part in parts if part.note]
    infos = [replace(info, notes=notes_of(notes, info.name)) for info, _ in parts]
    summary = pd.concat([one.summary for one in read], ignore_index=True)
    return AttentionResult(
        summary=summary.astype({"position": "Int64", "layer": "Int64"}),
        detail=pd.concat([one.tokens for one in read], ignore_index=True),
        left_out=(*refusals.left_out, *not_reached, *(item for one in read for item in one.left_out)),
        options=options,
        provenance=provenance.of(infos, data=(SOURCE,), seed=options.seed),
        sentence=sentence,
        twin=twin,
        profile=pd.concat([one.profile for one in read], ignore_index=True).astype({"layer": "Int64"}),
        notes=tuple(notes),
    )


@dataclass(frozen=True, eq=False)
class _Read:
    """What one model gives."""

    summary: pd.DataFrame
    profile: pd.DataFrame
    tokens: pd.DataFrame
    left_out: tuple[LeftOut, ...]
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


def _of_model(model: LoadedModel, sentence: MarkedSentence, twin: MarkedSentence, run: Watch) -> _Read | None:
    """What one model gives; None where the run was stopped before it answered."""
    name, reader = model.info.name, AttentionReader(model)
    pair = (sentence, twin)
    tokens = pd.concat(
        [_tokens(name, which, reader.tokens(one.text), one) for which, one in zip((ORIGINAL, TWIN), pair, strict=True)],
        ignore_index=True,
    )
    answers: dict[int, HeadSums | Refusal] = {}
    for part, found in reader.sums([query_of(one) for one in pair], detectors=True, run=run):
        answers.update(zip(part, found, strict=True))
    if len(answers) < len(pair):
        return None
    first, second = answers[0], answers[1]
    reasons = [
        f"the {which} {answer.reason}"
        for which, answer in zip((ORIGINAL, TWIN), (first, second), strict=True)
        if isinstance(answer, Refusal)
    ]
    if any(looks_away(reader, one) for one in pair):
        reasons.append(f"{name} is causal (left-to-right), and a gendered word stands behind the occupation: undefined")
    if reasons or isinstance(first, Refusal) or isinstance(second, Refusal):
        unjudged = tuple(LeftOut(name, "statistic", "heads", reason, test="heads") for reason in reasons)
        empty = pd.DataFrame(columns=list(COLUMNS))
        return _Read(empty, empty_profile(), tokens, unjudged, reader.missing)
    own, detectors = zip(_biases(first), _biases(second), strict=True)
    of_maps = [(None, layer, MAPS) for layer in range(len(first.maps_male))]
    of_detectors = [(at, position.layer, position.kind) for at, position in enumerate(reader.positions)]
    summary = pd.concat(
        [
            _rows(name, of_maps, _sums(first, second, "maps"), own),
            _rows(name, of_detectors, _sums(first, second, "detector"), detectors),
        ],
        ignore_index=True,
    )
    lacking = summary["t_male"].isna() & summary["position"].notna()
    undefined = int((summary["degree"].isna() & ~lacking).sum())
    left_out: tuple[LeftOut, ...] = ()
    if undefined:
        reason = (
            f"{undefined} of {len(summary) - int(lacking.sum())} heads of {name} give no attention to either gender"
        )
        left_out = (LeftOut(name, "statistic", "heads", f"{reason}: undefined", test="heads"),)
    of_positions = degrees(first, second)[1][None]
    return _Read(summary, profile(name, reader.positions, of_positions), tokens, left_out, reader.missing)


def _sums(first: HeadSums, second: HeadSums, what: str) -> tuple[metric.FloatArray, ...]:
    """(t_male, t_female, of the twin t_male, t_female), each [row, head]."""
    return tuple(getattr(sums, f"{what}_{side}") for sums in (first, second) for side in ("male", "female"))


def _rows(
    model: str,
    places: Sequence[tuple[int | None, int | None, str]],
    sums: tuple[metric.FloatArray, ...],
    biases: tuple[metric.FloatArray, ...],
) -> pd.DataFrame:
    male, female = sums[:2]
    heads = male.shape[1]
    bias, swapped = biases
    pointing = metric.direction(bias, swapped)
    frame = pd.DataFrame([place for place in places for _ in range(heads)], columns=["position", "layer", "kind"])
    return frame.assign(
        model=model,
        head=np.tile(np.arange(heads), len(places)),
        t_male=male.ravel(),
        t_female=female.ravel(),
        bias=bias.ravel(),
        bias_swapped=swapped.ravel(),
        degree=metric.degree(bias, swapped).ravel(),
        direction=pd.Series([DIRECTIONS.get(float(one)) for one in pointing.ravel()], dtype="str"),
    )[list(COLUMNS)]


PROFILE = (
    *("model", "position", "layer", "kind", "mean_degree", "difference", "share_rising", "share_biased", "n"),
    *("low", "q1", "median", "q3", "high"),
)


def empty_profile() -> pd.DataFrame:
    """A profile without positions."""
    return pd.DataFrame(columns=list(PROFILE))


def profile(model: str, positions: Sequence[Position], of_positions: metric.FloatArray) -> pd.DataFrame:
    """A row per position from degrees [1, position, head] of one sentence; the quartiles are those of its heads."""
    figures = metric.corpus_figures(of_positions, metric.predecessors(positions))
    quartiles = np.full((5, len(positions)), np.nan)
    for at, heads in enumerate(of_positions[0]):
        defined = heads[~np.isnan(heads)]
        if len(defined):
            quartiles[:, at] = np.quantile(defined, (0, 0.25, 0.5, 0.75, 1))
    frame = pd.DataFrame(
        {
            "model": model,
            "position": range(len(positions)),
            "layer": [one.layer for one in positions],
            "kind": [one.kind for one in positions],
            "mean_degree": figures.mean_degree,
            "difference": figures.difference,
            "share_rising": figures.share_rising,
            "share_biased": figures.share_biased,
            "n": figures.n_heads,
            **dict(zip(PROFILE[-5:], quartiles, strict=True)),
        }
    )
    return frame[list(PROFILE)]


def maps(model: LoadedModel, sentence: MarkedSentence, twin: MarkedSentence) -> tuple[SentenceMaps, SentenceMaps]:
    """A model's own attention over the sentence and over its twin, for who looks at a head.

    Raises ModelError for a model loaded without attention outputs, or a sentence that it does not read whole.
    """
    reader = AttentionReader(model)
    first, second = (
        SentenceMaps(
            model.info.name,
            which,
            (tokens := reader.tokens(marked.text)).pieces,
            _roles(marked, tokens),
            reader.maps(marked.text),
        )
        for which, marked in ((ORIGINAL, sentence), (TWIN, twin))
    )
    return first, second


def _roles(sentence: MarkedSentence, tokens: Tokens) -> tuple[str, ...]:
    named = [("male", sentence.male), ("female", sentence.female), ("occupation", (sentence.occupation,))]
    roles = []
    for special, (start, end) in zip(tokens.is_special, tokens.spans, strict=True):
        found = [role for role, spans in named for first, last in spans if not special and start < last and end > first]
        roles.append(found[0] if found else "")
    return tuple(roles)


def _tokens(model: str, which: str, tokens: Tokens, sentence: MarkedSentence) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "model": model,
            "which": which,
            "token": range(len(tokens.pieces)),
            "piece": tokens.pieces,
            "role": _roles(sentence, tokens),
        }
    )
