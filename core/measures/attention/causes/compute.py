"""The effects of heads in one sentence or a corpus, in one or more models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from ....engine import catalog, checkpoints
from ....engine.attention import AttentionReader, HeadSums
from ....engine.interventions import HeadEditor, Question
from ....engine.loading import LoadedModel
from ....engine.masked import STOPPED, MaskedScorer
from ....engine.pool import shared_pool
from ....errors import NothingToScore, OptionError, WordListError
from ....result import Excluded, ModelInfo, Note, Progress, notes_of
from ....run import Callbacks, Run, Watch
from ....sources.corpus_files import CorpusFile
from ....sources.marking import MarkedSentence, marked
from ....sources.sentences import sift
from ....stats.samples import is_enough, too_few
from ...shared import provenance
from ...shared.checks import Refusals, check_models
from ...shared.twins import twin
from ..compute import looks_away, query_of
from ..metric import bias, degree
from . import metric
from .questions import Asked, Asker, misfit
from .result import (
    HEADS,
    KEPT,
    OF_TWIN,
    OUTCOME,
    SUM,
    TOGETHER,
    TOTAL,
    CausesResult,
)
from .spec import CausesSpec, Intervention, hidden_word

FloatArray = metric.FloatArray
NO_PRONOUN = "no “he” or “she” to hide"
NO_TWIN = "no twin could be made"
AGAIN = "the same sentence again"
NO_FIT = "cannot be asked"
_REPORTED = 500  # sentences of the corpus between two reports
_AT_ONCE = 16  # sentences whose effects are kept together: what a stop can lose


@dataclass(frozen=True)
class Pair:
    """A sentence and its gender-swapped twin."""

    sentence: MarkedSentence
    twin: MarkedSentence


def measure(spec: CausesSpec, models: Sequence[LoadedModel], run: Run[Any]) -> CausesResult:
    """The effect of each head, sentence by sentence (metrics of ``causes.metric``).

    The models must be loaded with attention outputs. Sentences that cannot be asked of a model are listed in
    ``excluded``, as are models that refuse or were not reached. ``run.memory`` holds what is done. Raises OptionError,
    the first refusal where no model can be asked, or NothingToScore where no sentence can be.
    """
    check_models(models)
    pairs, counts = _pairs(spec, run)
    refusals, parts, not_reached = Refusals(), list[tuple[ModelInfo, _Read]](), list[Excluded]()
    nothing: list[Excluded] = []
    for model in models:
        with refusals.of(model):
            if model.refusal is not None:
                raise model.refusal
            read = run.memory.setdefault((model.info.name, model.info.digest), _Read())
            _of_model(model, spec, pairs, read, run)
            if read.effects:
                parts.append((model.info, read))
            elif read.whole:
                nothing.append(_nothing(read.excluded, model.info.name))
            else:
                not_reached.append(Excluded(model.info.name, "model", model.info.name, f"{model.info.name} {STOPPED}"))
    refusals.check(bool(parts or nothing))
    if not parts:
        raise NothingToScore(nothing[0].why if nothing else "No head was measured: the run was stopped before.")
    tables = [_tables(info.name, read, pairs, counts, spec) for info, read in parts]
    notes = tuple(Note(note, info.name) for info, read in parts for note in read.notes)
    return CausesResult(
        spec=spec,
        tables=CausesResult.SCHEMA.frames(
            **{name: pd.concat([table[name] for table in tables], ignore_index=True) for name in tables[0]}
        ),
        excluded=(
            *refusals.left_out,
            *not_reached,
            *nothing,
            *(item for _, read in parts for item in read.excluded),
            *(item for info, read in parts for item in _uncomputed(info.name, read)),
        ),
        notes=(*([Note(note)] if (note := _reading(spec)) else []), *notes),
        provenance=provenance.of(
            [replace(info, notes=(*info.notes, *notes_of(notes, info.name))) for info, _ in parts],
            data=_data(spec),
            seed=spec.seed,
        ),
        stopped=bool(not_reached) or not all(read.whole for _, read in parts),
    )


@dataclass(eq=False)
class _Outcomes:
    """Of one sentence, in nats: its outcome, that of its twin, and those with one head changed, or all of them.

    ``changed`` and ``direct`` float64 [head, layer by layer]; those of the twin are None for a knock-out.
    """

    outcome: float
    changed: FloatArray
    together: float
    twin: float | None = None
    direct: FloatArray | None = None

    @property
    def effects(self) -> FloatArray:
        """Effect of each head."""
        return self.changed - self.outcome


@dataclass(eq=False)
class _Read:
    """What is done of one model, by the number of the sentence. ``whole``: nothing is left to do."""

    layers: int = 0
    heads: int = 0
    degrees: dict[int, FloatArray] = field(default_factory=dict)
    effects: dict[int, _Outcomes] = field(default_factory=dict)
    mean: FloatArray | None = None
    excluded: tuple[Excluded, ...] = ()
    reasons: Counter[str] = field(default_factory=Counter)
    notes: tuple[str, ...] = ()
    whole: bool = False


def _pairs(spec: CausesSpec, run: Run[Any]) -> tuple[Sequence[Pair], Counter[str]]:
    """The sentences with their twins, and what was excluded of a corpus on the way, by reason."""
    if spec.corpus is None:
        if spec.twin is None:
            raise OptionError("There is no twin; give one, or measure with the spec's own run, which makes it.")
        return [Pair(spec.sentence, spec.twin)], Counter()
    if "pairs" not in run.memory:
        spec.corpus.check()
        spec.corpus.check_rows()
        run.memory["pairs"] = _of_corpus(spec, spec.corpus, run)
    found: tuple[Sequence[Pair], Counter[str]] = run.memory["pairs"]
    return found


def _of_corpus(spec: CausesSpec, corpus: CorpusFile, run: Watch) -> tuple[Sequence[Pair], Counter[str]]:
    texts, counts = dict[str, None](), Counter[str]()
    stage, kilobytes = "Reading the corpus, kilobytes read", corpus.size() // 1024
    for number, (text, read) in enumerate(corpus.sentences()):
        if number % _REPORTED == 0:
            run.report(Progress(stage, min(read // 1024, kilobytes), kilobytes))
            if run.cancelled():
                raise NothingToScore("No head was measured: the run was stopped before.")
        (sifted,) = sift([text])
        reason = sifted.reason or ("" if hidden_word(marked(text)) is not None else NO_PRONOUN)
        if reason or text in texts:
            counts[reason or AGAIN] += 1
            continue
        texts[text] = None
        if len(texts) == spec.most:
            break
    if not texts:
        raise NothingToScore(
            f"No sentence of {corpus.path.name} fits; it needs a male word, a female word, an occupation and a “he” or "
            f"“she” ({', '.join(f'{reason}: {n:,}' for reason, n in counts.items()) or 'nothing was read'})."
        )
    with shared_pool().lease(checkpoints.request(catalog.DEFAULT)) as model:
        twins = twin(MaskedScorer(model), list(texts), run=run)
    if run.cancelled():
        raise NothingToScore("No head was measured: the run was stopped before.")
    pairs = []
    for text, other in zip(texts, twins, strict=True):
        pair = _pair(text, other, spec.intervention)
        if pair is None:
            counts[NO_TWIN] += 1
        else:
            pairs.append(pair)
    return pairs, counts


def _pair(text: str, other: str | None, intervention: Intervention) -> Pair | None:
    """A sentence of a corpus with its twin; None where it has none.

    What is patched goes one way in all sentences, from the version that hides "he" into the one that hides "she": the
    effects of swaps in both directions would cancel out.
    """
    if other is None:
        return None
    try:
        sentence, swapped = marked(text), marked(other)
    except WordListError:
        return None
    hidden = hidden_word(sentence)
    if hidden is None or hidden_word(swapped) is None:
        return None
    turned = intervention == Intervention.TWIN and sentence.text[slice(*hidden)].casefold() == "he"
    return Pair(swapped, sentence) if turned else Pair(sentence, swapped)


def _of_model(model: LoadedModel, spec: CausesSpec, pairs: Sequence[Pair], read: _Read, run: Run[Any]) -> None:
    """Do what is left to do of one model, as far as the run allows."""
    asker, editor = Asker(model, spec.pair, spec.outcome), HeadEditor(model)
    read.layers, read.heads = editor.layers, editor.heads
    asked, read.excluded, read.reasons = _asked(model.info.name, asker, spec, pairs)
    read.notes = (asker.note,) if asker.note and asked else ()
    _degrees(model, [(i, pairs[i]) for i in asked if i not in read.degrees], read, run)
    if len(read.degrees) < len(asked):
        return
    if spec.intervention == Intervention.MEAN and read.mean is None:
        inputs = [question for sentence, _ in asked.values() for question in sentence.questions]
        read.mean = editor.mean_output(inputs, run=run) if inputs else None
        if read.mean is None:
            read.whole = not inputs
            return
    left = [i for i in asked if i not in read.effects]
    for start in range(0, len(left), _AT_ONCE):
        if run.cancelled():
            return
        chunk = left[start : start + _AT_ONCE]
        found = _effects(editor, [asked[i] for i in chunk], spec, read.mean, _within(run, start, len(left)))
        if found is None:
            return
        read.effects.update(zip(chunk, found, strict=True))
    read.whole = True


def _asked(
    model: str, asker: Asker, spec: CausesSpec, pairs: Sequence[Pair]
) -> tuple[dict[int, tuple[Asked, Asked | None]], tuple[Excluded, ...], Counter[str]]:
    """The questions of each sentence, and of its twin where that is patched; and what cannot be asked."""
    asked: dict[int, tuple[Asked, Asked | None]] = {}
    excluded: dict[Excluded, None] = {}
    reasons: Counter[str] = Counter()
    for i, pair in enumerate(pairs):
        own, other = asker.asked(pair.sentence), None
        reason = own if isinstance(own, str) else ""
        if not isinstance(own, str) and spec.intervention == Intervention.TWIN:
            swapped = asker.asked(pair.twin)
            if isinstance(swapped, str):
                reason = f"has a twin that {swapped}"
            else:
                reason, other = misfit(own, swapped), swapped
        if reason or isinstance(own, str):
            excluded[Excluded(model, "item", pair.sentence.text, f"“{pair.sentence.text}” {reason}")] = None
            reasons[NO_FIT] += 1
            continue
        asked[i] = own, other
        for group, word, why in own.missing:
            excluded[Excluded(model, "target", word, f"{word} {why}", group=group)] = None
    return asked, tuple(excluded), reasons


def _degrees(model: LoadedModel, pairs: Sequence[tuple[int, Pair]], read: _Read, run: Watch) -> None:
    """Li's degree of each head [layer × head], NaN where a sentence or its twin cannot be judged."""
    reader = AttentionReader(model)
    undefined = np.full(read.layers * read.heads, np.nan)
    judged = []
    for i, pair in pairs:
        if looks_away(reader, pair.sentence) or looks_away(reader, pair.twin):
            read.degrees[i] = undefined
        else:
            judged.append((i, pair))
    queries = [query_of(side) for _, pair in judged for side in (pair.sentence, pair.twin)]
    biases: dict[int, FloatArray] = {}
    for part, answers in reader.sums(queries, detectors=False, run=run):
        for at, answer in zip(part, answers, strict=True):
            biases[at] = (
                bias(answer.maps_male, answer.maps_female).ravel() if isinstance(answer, HeadSums) else undefined
            )
    for at, (i, _) in enumerate(judged):
        if 2 * at in biases and 2 * at + 1 in biases:
            read.degrees[i] = degree(biases[2 * at], biases[2 * at + 1])


def _effects(
    editor: HeadEditor,
    asked: Sequence[tuple[Asked, Asked | None]],
    spec: CausesSpec,
    mean: FloatArray | None,
    run: Watch,
) -> list[_Outcomes] | None:
    """The outcomes of sentences with each head changed; None where the run was cancelled."""
    sides = [(own.questions, other.questions if other is not None else None) for own, other in asked]
    pairs = [pair for own, other in sides for pair in _both_ways(own, other)]
    sets = [*([head] for head in editor.every), editor.every]
    rows = np.full((len(pairs), 1 + len(sets)), np.nan)
    instead = mean if spec.intervention == Intervention.MEAN else None
    for part, found in editor.changed(pairs, sets, instead=instead, run=run):
        rows[list(part)] = found
    if np.isnan(rows).any():
        return None
    # Of each sentence, and behind it of its twin where that is patched: present, less prior where there is one.
    per = len(sides[0][0]) if sides else 1
    values = rows[::per] - (rows[1::per] if per == 2 else 0.0)
    if spec.intervention != Intervention.TWIN:
        return [_Outcomes(float(row[0]), row[1:-1], float(row[-1])) for row in values]
    return [
        _Outcomes(float(row[0]), row[1:-1], float(row[-1]), float(other[0]), other[1:-1])
        for row, other in zip(values[::2], values[1::2], strict=True)
    ]


def _both_ways(own: Sequence[Question], other: Sequence[Question] | None) -> Iterator[tuple[Question, Question | None]]:
    """The inputs of a sentence, each with that of the twin; then those of the twin, with those of the sentence."""
    if other is None:
        yield from ((question, None) for question in own)
    else:
        yield from zip(own, other, strict=True)
        yield from zip(other, own, strict=True)


def _within(run: Watch, start: int, count: int) -> Watch:
    """Progress of a part of the sentences as that of all of them."""
    size = min(_AT_ONCE, count - start)

    def report(part: Progress) -> None:
        share = part.done / part.total if part.total else 0.0
        run.report(Progress(f"{part.stage}, sentences", start + int(size * share), count))

    return Callbacks(report, run.cancelled)


def _tables(
    model: str, read: _Read, pairs: Sequence[Pair], counts: Counter[str], spec: CausesSpec
) -> dict[str, pd.DataFrame]:
    order = sorted(read.effects)
    outcomes = [read.effects[i] for i in order]
    effects = np.array([found.effects for found in outcomes])
    outcome = np.array([found.outcome for found in outcomes])
    together = np.array([found.together for found in outcomes]) - outcome
    direct = np.array([found.direct - found.outcome for found in outcomes if found.direct is not None])
    twins = np.array([found.twin for found in outcomes if found.twin is not None])
    of_heads = metric.means(effects, seed=spec.seed)
    degrees, n_degree = metric.mean_degrees(np.array([read.degrees[i] for i in order]))
    heads = pd.DataFrame(
        {
            "model": model,
            "layer": np.repeat(np.arange(read.layers), read.heads),
            "head": np.tile(np.arange(read.heads), read.layers),
            "n": of_heads.n,
            "effect": of_heads.mean,
            "ci_low": of_heads.low,
            "ci_high": of_heads.high,
            "p_value": of_heads.p,
            "p_adjusted": of_heads.adjusted,
            "direct": direct.mean(axis=0) if len(direct) else np.nan,
            "degree": degrees,
            "n_degree": n_degree,
        }
    )
    columns = {OUTCOME: outcome, TOGETHER: together, SUM: effects.sum(axis=1)}
    if len(twins):
        columns = {OUTCOME: outcome, OF_TWIN: twins, TOTAL: twins - outcome, TOGETHER: together, SUM: columns[SUM]}
    found = metric.means(np.array(list(columns.values())).T, seed=spec.seed)
    totals = pd.DataFrame(
        {
            "model": model,
            "quantity": list(columns),
            "n": found.n,
            "mean": found.mean,
            "ci_low": found.low,
            "ci_high": found.high,
            "p_value": [np.nan if name in (OUTCOME, OF_TWIN) else p for name, p in zip(columns, found.p, strict=True)],
        }
    )
    return {
        HEADS: heads,
        "totals": totals,
        "sentences": pd.DataFrame([_sentence(model, pairs[i], read.effects[i], read.heads) for i in order]),
        "correlations": pd.DataFrame(
            [
                {
                    "model": model,
                    "quantity": quantity,
                    "method": method,
                    "r": correlation.r,
                    "n": correlation.n,
                }
                for quantity, method, correlation in metric.correlations(of_heads.mean, degrees)
            ],
            columns=[column.name for column in CausesResult.SCHEMA.tables["correlations"].columns],
        ),
        "counts": pd.DataFrame(
            [
                {"model": model, "reason": reason, "n": n}
                for reason, n in ({KEPT: len(order)} | read.reasons | counts).items()
            ]
        ),
    }


def _sentence(model: str, pair: Pair, found: _Outcomes, heads: int) -> dict[str, Any]:
    hidden = hidden_word(pair.sentence)
    assert hidden is not None
    at = int(np.abs(found.effects).argmax())
    return {
        "model": model,
        "sentence": pair.sentence.text,
        "twin": pair.twin.text,
        "hidden": pair.sentence.text[slice(*hidden)],
        OUTCOME: found.outcome,
        "outcome_twin": np.nan if found.twin is None else found.twin,
        "total": np.nan if found.twin is None else found.twin - found.outcome,
        "together": found.together - found.outcome,
        "layer": at // heads,
        "head": at % heads,
        "largest": float(found.effects[at]),
    }


def _uncomputed(model: str, read: _Read) -> Iterator[Excluded]:
    """What has no number of a model that was measured."""
    n = len(read.effects)
    if not is_enough(n):
        reason = f"heads: interval and p not computed, {too_few(n)} sentences"
        yield Excluded(model, "statistic", "heads", reason, test=HEADS)
    lacking = sum(bool(np.isnan(read.degrees[i]).all()) for i in read.effects)
    if lacking:
        yield Excluded(
            model,
            "statistic",
            "degree",
            f"degree undefined in {lacking:,} of {n:,} sentences: no head attends to either gender there, or the model "
            "is causal and a gendered word stands behind the occupation",
            test="degree",
        )


def _nothing(excluded: Sequence[Excluded], model: str) -> Excluded:
    """A model that no sentence can be asked of."""
    first = next((item.why for item in excluded if item.kind == "item"), "there is no sentence")
    more = sum(item.kind == "item" for item in excluded) - 1
    why = f"{first.rstrip('.')}{f' (and {more:,} more)' if more > 0 else ''}"
    return Excluded(model, "model", model, f"No sentence can be asked of {model}: {why}.")


def _data(spec: CausesSpec) -> tuple[str, ...]:
    """Where the words are from, and of a corpus which one it was."""
    if spec.corpus is None:
        return spec.data
    return (f"{spec.corpus.path.name}, SHA-256 {spec.corpus.digest()}", *spec.data)


def _reading(spec: CausesSpec) -> str:
    """What was assumed in reading the corpus."""
    return "" if spec.corpus is None else spec.corpus.encoding().note
