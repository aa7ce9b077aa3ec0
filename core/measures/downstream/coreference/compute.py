"""Coreference skew of one or more models: pronouns chosen, answers brought along, and what F1 makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....engine.loading import LoadedModel
from ....engine.masked import STOPPED
from ....errors import NothingToScore, OptionError, UnsupportedModel
from ....result import Excluded, Note, Progress
from ....run import Callbacks, Run
from ....sources.benchmarks import PronounItem
from ....sources.benchmarks.answers import ANTI, CONDITIONS, PRO, WinoAnswers
from ....sources.gap import GENDERS, MASCULINE, PRONOUNS
from ....stats.samples import is_enough, too_few
from ...benchmarks.pronouns import log_probs
from ...shared import provenance
from ...shared.checks import Refusals, check_models
from .metric import NOTHING, RIGHT, WRONG, Counts, Skew, measured, of_choices, of_mentions
from .result import ALL, NUMBERS, CoreferenceResult
from .spec import CoreferenceSpec

Rows = list[dict[str, Any]]

_CHUNK = 128  # pairs that are asked together: a stop loses no more than these
_LIKELIHOOD = (
    "a causal (left-to-right) model has no mask: it chose the pronoun with which the whole sentence is likelier."
)


@dataclass
class Choices:
    """What a model chose, in the order of the items: log odds of the masculine pronoun (nats), and why one has none."""

    log_odds: list[float] = field(default_factory=list)
    lost: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Resolver:
    """A model, or a file of answers, on the pairs it was asked about.

    ``answers`` [pair][condition] are texts, "" for none; ``counts`` as in ``metric``; ``chosen`` says that they are
    pronouns. ``lost`` by item why it has none.
    """

    name: str
    items: tuple[PronounItem, ...]
    answers: tuple[tuple[str, str], ...]
    counts: Counts
    chosen: bool
    log_odds: tuple[float, ...] | None = None
    lost: tuple[tuple[str, str], ...] = ()


def measure(spec: CoreferenceSpec, models: Sequence[LoadedModel], run: Run[Any]) -> CoreferenceResult:
    """Let each model choose the pronouns, and score its choices and the answers that were brought along.

    ``run.memory`` keeps what was asked. When the run is stopped, models that were not asked about every pair are left
    out. Raises InputError, the models' refusals, or NothingToScore.
    """
    check_models(models)
    data, predictions = spec.items(), spec.predictions()
    names = [*(model.info.name for model in models), *(found.name for found in predictions)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"Two files of answers, or one and a model, are called {twice}; rename one.")
    refusals = Refusals()
    resolvers: list[Resolver] = []
    unfinished = False
    for model in models:
        with refusals.of(model):
            found = _choose(model, data.items, run)
            unfinished = unfinished or found is None
            resolvers += [] if found is None else [found]
    resolvers += [_of_answers(found, data.items) for found in predictions]
    refusals.check(bool(resolvers))
    if not resolvers:
        raise NothingToScore("The run was stopped before a model was asked about every pair; resume it for a result.")
    rows: dict[str, Rows] = {name: [] for name in CoreferenceResult.SCHEMA.tables}
    excluded = list(refusals.left_out)
    for resolver in resolvers:
        for kind, split, of in _parts(resolver.items):
            found_skew = measured(resolver.counts[of], seed=spec.seed)
            where = {"model": resolver.name, "type": kind, "split": split}
            rows["skews"].append(
                where | {"n": len(of)} | _numbers(found_skew) | {"masculine_share": _share(resolver, of)}
            )
            rows["scores"] += [where | row for row in _scores(resolver, of, found_skew)]
            if not is_enough(len(of)):
                what = " ".join(filter(None, (kind, "" if split == ALL else split)))
                why = f"{what}: no intervals, n too small ({too_few(len(of))} pairs)"
                excluded.append(Excluded(resolver.name, "statistic", what, why, test="skews"))
        rows["sentences"] += list(_sentences(resolver))
        excluded += [Excluded(resolver.name, "item", of, why) for of, why in resolver.lost]
    excluded += [
        Excluded("", "item", name, f"{name}: {problem.each}") for problem in data.left_out for name in problem.items
    ]
    able = [model for model in models if not refusals.has(model)]
    return CoreferenceResult(
        spec=spec,
        tables=CoreferenceResult.SCHEMA.frames(**rows),
        excluded=tuple(excluded),
        notes=(
            *_notes(spec),
            *(Note(_LIKELIHOOD, model.info.name) for model in able if model.info.kind == "causal"),
        ),
        provenance=provenance.of((model.info for model in able), data=spec.data, seed=spec.seed),
        stopped=unfinished,
    )


def _choose(model: LoadedModel, items: Sequence[PronounItem], run: Run[Any]) -> Resolver | None:
    """What a model chooses; None when the run was stopped before. Raises ModelError."""
    choices: Choices = run.memory.setdefault(("choices", model.info), Choices())
    for start in range(len(choices.log_odds), len(items), _CHUNK):
        if run.cancelled():
            return None
        some = items[start : start + _CHUNK]

        def report(part: Progress, before: int = start) -> None:
            done = min(before + _CHUNK * part.done // max(part.total, 1), len(items))
            run.report(Progress(f"Choosing pronouns with {model.info.name}", done, len(items)))

        found = log_probs(model, some, Callbacks(report, run.cancelled))
        odds: list[float] = []
        lost: dict[str, str] = {}
        for item, values in zip(some, found, strict=True):
            if isinstance(values, str):
                why: str = values
            else:
                (first, why), (second, otherwise) = values
                why = why or otherwise
                if STOPPED in why:
                    return None
            if why:
                lost[item.item] = why
                odds.append(np.nan)
            else:
                assert first is not None
                assert second is not None
                odds.append(first - second if _is_masculine(item.first) else second - first)
        choices.log_odds += odds
        choices.lost |= lost
    kept = [(item, odds) for item, odds in zip(items, choices.log_odds, strict=True) if item.item not in choices.lost]
    if not kept:
        raise UnsupportedModel(f"{model.info.name} can choose no pronoun: {next(iter(choices.lost.values()))}.")
    of = tuple(item for item, _ in kept)
    # Both sentences of a pair are one text with the pronoun hidden: so is the choice.
    chosen = np.array([[NOTHING if odds == 0 else 0 if odds > 0 else 1] * len(CONDITIONS) for _, odds in kept])
    answers = tuple(("", "") if odds == 0 else (_pronoun(item, odds > 0),) * 2 for item, odds in kept)
    return Resolver(
        model.info.name,
        of,
        answers,
        of_choices(_genders(of), chosen),
        True,
        tuple(odds for _, odds in kept),
        tuple(choices.lost.items()),
    )


def _of_answers(found: WinoAnswers, items: Sequence[PronounItem]) -> Resolver:
    answers = tuple(
        (found.answers.get((item.item, PRO), ""), found.answers.get((item.item, ANTI), "")) for item in items
    )
    if found.chosen:
        chosen = [[GENDERS.index(PRONOUNS[said]) if said else NOTHING for said in pair] for pair in answers]
        counts = of_choices(_genders(items), np.array(chosen))
    else:
        right = [
            [NOTHING if not said else RIGHT if said == item.occupation.casefold() else WRONG for said in pair]
            for item, pair in zip(items, answers, strict=True)
        ]
        counts = of_mentions(_genders(items), np.array(right))
    return Resolver(found.name, tuple(items), answers, counts, found.chosen)


def _is_masculine(pronoun: str) -> bool:
    return PRONOUNS[pronoun.casefold()] == MASCULINE


def _pronoun(item: PronounItem, masculine: bool) -> str:
    return (item.first if _is_masculine(item.first) == masculine else item.second).casefold()


def _genders(items: Sequence[PronounItem]) -> NDArray[np.int64]:
    """[pair, condition] places of the pronouns' genders."""
    return np.array(
        [[GENDERS.index(PRONOUNS[word.casefold()]) for word in (item.first, item.second)] for item in items]
    )


def _parts(items: Sequence[PronounItem]) -> Iterator[tuple[str, str, NDArray[np.int64]]]:
    """Type, split and the pairs of each part: all of them, each type, and each split of it where there are several."""
    kinds, splits = np.array([item.kind for item in items]), np.array([item.split for item in items])
    yield ALL, ALL, np.arange(len(items))
    for kind in sorted(set(kinds)):
        yield str(kind), ALL, np.flatnonzero(kinds == kind)
        for split in sorted(set(splits)) if len(set(splits)) > 1 else ():
            of = np.flatnonzero((kinds == kind) & (splits == split))
            if len(of):
                yield str(kind), str(split) or "none", of


def _numbers(found: Skew) -> dict[str, float]:
    return {
        f"{name}{end}": float(value)
        for name, values in zip(NUMBERS, found.numbers, strict=True)
        for end, value in zip(("", "_low", "_high"), values, strict=True)
    }


def _share(resolver: Resolver, of: NDArray[np.int64]) -> float:
    """Masculine among the pronouns that were chosen, in pro and anti sentences."""
    if not resolver.chosen:
        return np.nan
    chosen = [PRONOUNS[said] == MASCULINE for at in of for said in resolver.answers[at] if said]
    return float(np.mean(chosen)) if chosen else np.nan


def _scores(resolver: Resolver, of: NDArray[np.int64], found: Skew) -> Iterator[dict[str, Any]]:
    genders = _genders(resolver.items)[of]
    missing = np.array([[not said for said in resolver.answers[at]] for at in of])
    for condition, called in enumerate(CONDITIONS):
        for gender, name in enumerate(GENDERS):
            there = genders[:, condition] == gender
            yield {
                "condition": called,
                "gender": name,
                "n": int(there.sum()),
                "missing": int(missing[there, condition].sum()),
                **{f"f1{end}": found.f1[at, condition, gender] for at, end in enumerate(("", "_low", "_high"))},
            }


def _sentences(resolver: Resolver) -> Iterator[dict[str, Any]]:
    odds = resolver.log_odds or (np.nan,) * len(resolver.items)
    for item, answers, value in zip(resolver.items, resolver.answers, odds, strict=True):
        yield {
            "model": resolver.name,
            "item": item.item,
            "occupation": item.occupation,
            "pro": item.first,
            "anti": item.second,
            "answer_pro": answers[0],
            "answer_anti": answers[1],
            "log_odds": value,
        }


def _notes(spec: CoreferenceSpec) -> Iterator[Note]:
    """What a reader must know."""
    data = spec.items()
    if spec.is_demonstration:
        yield Note(
            "A demonstration on sentences of our own, far too few to say anything about a model: give your WinoBias "
            "files for a measurement."
        )
    yield from (Note(text) for text in data.notes)
    for problem in data.left_out:
        yield Note(f"{problem.count:,} {problem.reason}, and were left out.")
    names = {item.item for item in data.items}
    asked = {(name, condition) for name in names for condition in CONDITIONS}
    for found in spec.predictions():
        without = sum(not found.answers.get(key) for key in asked)
        others = len(found.answers.keys() - asked)
        if without:
            yield Note(f"has no answer on {without:,} of {len(asked):,} sentences, which count as missed.", found.name)
        if others:
            yield Note(f"has {others:,} answers on other sentences, which do not count.", found.name)
        if not found.chosen:
            yield Note("says whom the pronouns refer to; models chose the pronoun, which is another task.", found.name)
