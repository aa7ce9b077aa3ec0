"""Two runs of one measure: what was changed, and what that did to their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from ..errors import OptionError
from ..inputs import Choice, Number, Switch
from ..measures.comparable import KEYS, Comparable
from ..measures.measure import MeasureSpec
from ..measures.mitigation.change import metric
from ..measures.mitigation.change.result import LEAN
from ..plain import Plain, canonical, plain
from ..report.wording import digest
from ..result import HeadlineValue, ModelInfo, Result, Table, count, number, p_value, text
from ..sources.published import NOT_MEASURED
from ..stats.corrections import benjamini_hochberg

_MOST = 160  # characters of a value
_MEAN = "mean"  # the item of an entry that is paired as a whole
_SIGN = "higher in the second run"
_OTHER_DIRECTION = (
    "The two runs compare other groups or sets of words, or the same the other way round, so that a value above the "
    "neutral one does not mean the same in both: nothing is subtracted."
)

CHANGED = Table(
    "what is not the same in both runs",
    (
        text("what", "Models, date, an input or a library."),
        text("first", "In the first run."),
        text("second", "In the second run."),
    ),
)
NUMBERS = Table(
    "a number that sums up a model, in both runs",
    (
        text("model", "The model; of two models the first run’s, then the second’s."),
        text("title", "The number.", "number"),
        text("of", "Which of several."),
        text("unit", "Its unit."),
        number("first", "In the first run."),
        number("second", "In the second run."),
        number("difference", "second − first", sign=_SIGN),
        text("above", "What a value above the neutral one means.", "a higher value means"),
    ),
)
TESTS = Table(
    "a section of the items that both runs have",
    (
        text("model", "The model; of two models the first run’s, then the second’s."),
        text("section", "The items that are taken together."),
        count("n", "What is paired: items that both runs have, or where they share none, the means of entries."),
        number("first", "Mean in the first run."),
        number("second", "Mean in the second run."),
        number("difference", "second − first", sign=_SIGN),
        number("ci_low", "Lower end of its 95 % bootstrap interval, over entries.", "95 % CI low"),
        number("ci_high", "Upper end of its 95 % bootstrap interval, over entries.", "95 % CI high"),
        number("r", "z / √(2n) of the signed-rank test (Wilcoxon)", sign=_SIGN),
        p_value("p", "Two-sided signed-rank test, as if the items were independent; not adjusted."),
        p_value("p_adjusted", "Adjusted by Benjamini and Hochberg over all rows.", "adjusted p"),
    ),
)


@dataclass(frozen=True, eq=False)
class Difference:
    """The second run against the first.

    ``changed``, ``numbers`` and ``tests`` are tables (``CHANGED``, ``NUMBERS``, ``TESTS``). ``unnumbered`` says why
    numbers are not compared, ``untested`` why items are not, where they are not, and ``paired`` what is, where it is
    not the items themselves. ``unit`` is that of the items.
    """

    changed: pd.DataFrame
    numbers: pd.DataFrame
    tests: pd.DataFrame
    unnumbered: tuple[str, ...]
    untested: tuple[str, ...]
    paired: tuple[str, ...]
    unit: str


def compare(first: Result, second: Result) -> Difference:
    """What differs between two results of one measure.

    A model is compared with the one of its name in the other run; where both runs have one model, these two are
    compared.

    Parameters
    ----------
    first, second : Result
        Of the same measure.

    Returns
    -------
    Difference
        Numbers and tests are of the second less the first.

    Raises
    ------
    OptionError
        For results of two measures.
    """
    if type(first) is not type(second):
        raise OptionError(
            f"Only runs of one measure can be compared; these are {first.spec.TITLE} and {second.spec.TITLE}."
        )
    pairs = _pairs(first, second)
    numbers, unnumbered = _numbers(first, second, pairs)
    tests, untested, paired = _tests(first, second, pairs)
    kind = first.spec.COMPARABLE
    return Difference(
        changed=CHANGED.frame(pd.DataFrame(_changed(first, second), columns=["what", "first", "second"])),
        numbers=NUMBERS.frame(numbers),
        tests=TESTS.frame(tests),
        unnumbered=tuple(unnumbered),
        untested=tuple(untested),
        paired=tuple(paired),
        unit="" if kind is None else kind.unit(first.spec),
    )


def _pairs(first: Result, second: Result) -> list[tuple[str, str]]:
    if len(first.models) == len(second.models) == 1:
        return [(first.models[0], second.models[0])]
    return [(model, model) for model in first.models if model in second.models]


def _label(pair: tuple[str, str]) -> str:
    return pair[0] if pair[0] == pair[1] else f"{pair[0]} → {pair[1]}"


def _changed(first: Result, second: Result) -> Iterator[tuple[str, str, str]]:
    """What is not the same, with both values."""
    yield "Measured", _when(first), _when(second)
    models = [", ".join(map(_named, result.provenance.models)) for result in (first, second)]
    if models[0] != models[1]:
        yield "Models", models[0], models[1]
    yield from changed_inputs(first.spec, second.spec)
    if first.provenance.tool != second.provenance.tool:
        yield "Program", first.provenance.tool, second.provenance.tool
    if first.stopped != second.stopped:
        yield "Stopped before its end", *(("yes", "no") if first.stopped else ("no", "yes"))
    versions = [dict(result.provenance.versions) for result in (first, second)]
    for library in dict.fromkeys((*versions[0], *versions[1])):
        used = [held.get(library, "not used") for held in versions]
        if used[0] != used[1]:
            yield library, used[0], used[1]


def changed_inputs(first: MeasureSpec[Any], second: MeasureSpec[Any]) -> Iterator[tuple[str, str, str]]:
    """The inputs but for the models that two specs of one measure do not have in common.

    Parameters
    ----------
    first, second : MeasureSpec
        Of one class.

    Yields
    ------
    tuple of str
        What an input is called, and what it is in the first and in the second.
    """
    for name, how in type(first).givens().items():
        values = getattr(first, name), getattr(second, name)
        if name == "models" or plain(values[0]) == plain(values[1]):
            continue
        option, forms = how.inputs[0], (plain(values[0]), plain(values[1]))
        if len(how.inputs) == 1 and isinstance(option, Choice | Number | Switch):
            yield option.label, str(option.shown(values[0])), str(option.shown(values[1]))
        else:
            yield option.label, _written(*forms), _written(forms[1], forms[0])


def _when(result: Result) -> str:
    """When it was measured; of what others published, that it was not."""
    models = result.provenance.models
    return NOT_MEASURED if models and all(model.published for model in models) else result.provenance.created


def _named(model: ModelInfo) -> str:
    if model.published:
        return f"{model.name} (not measured here)"
    return f"{model.name} (digest {digest(model)}, {model.dtype} on {model.device})"


def _written(value: Plain, other: Plain) -> str:
    """A value as text: of two with parts only the parts that differ, of words a list."""
    if isinstance(value, dict) and isinstance(other, dict):
        differing = [name for name in value if value[name] != other.get(name)]
        parts = [f"{name.replace('_', ' ')}: {_written(value[name], other.get(name))}" for name in differing]
        return _shortened("; ".join(parts))
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return _shortened(", ".join(map(str, value)))
    return _shortened(value if isinstance(value, str) else "none" if value is None else canonical(value))


def _shortened(written: str) -> str:
    return written if len(written) <= _MOST else f"{written[:_MOST]}… ({len(written):,} characters)"


def _numbers(first: Result, second: Result, pairs: list[tuple[str, str]]) -> tuple[list[dict[str, Any]], list[str]]:
    """The headlines that both runs have and that mean the same in both, and why others are left out."""
    if not _same_direction(first, second):
        return [], [_OTHER_DIRECTION]
    rows, reasons = list[dict[str, Any]](), list[str]()
    of_second = {(value.name, value.model, value.of): value for value in second.headlines()}
    partner = dict(pairs)
    for value in first.headlines():
        other = of_second.get((value.name, partner.get(value.model, value.model), value.of))
        if other is None:
            continue
        if (value.unit, value.neutral, value.above) == (other.unit, other.neutral, other.above):
            rows.append(_number(value, other))
        else:
            reasons.append(f"{value.title} {value.of}: its unit or its direction is not the same in both runs.")
    return rows, list(dict.fromkeys(reasons))


def _same_direction(first: Result, second: Result) -> bool:
    """Whether a value above the neutral one means the same in both results."""
    kind = first.spec.COMPARABLE
    if kind is not None and kind.ends(first.spec) != kind.ends(second.spec):
        return False
    # What else a sign hangs on: which group comes first, what a measure is made with, and the sets of a test of one id.
    for name in ("groups", "measured"):
        if kind is None and canonical(getattr(first.spec, name, None)) != canonical(getattr(second.spec, name, None)):
            return False
    tests = [
        {test.id: canonical(test.sets) for test in getattr(result.spec, "tests", ())} for result in (first, second)
    ]
    return all(tests[0][test] == tests[1][test] for test in tests[0].keys() & tests[1].keys())


def _number(first: HeadlineValue, second: HeadlineValue) -> dict[str, Any]:
    return {
        "model": _label((first.model, second.model)),
        "title": first.title,
        "of": first.of,
        "unit": first.unit,
        "first": first.value,
        "second": second.value,
        "difference": second.value - first.value,
        "above": first.above,
    }


_Tested = tuple[list[dict[str, Any]], list[str], list[str]]


def _tests(first: Result, second: Result, pairs: list[tuple[str, str]]) -> _Tested:
    """The paired test of each pair of models and section, why there is none, and what is paired instead of items."""
    kind = first.spec.COMPARABLE
    if kind is None:
        return [], [f"The items of {first.spec.TITLE.lower()} are not paired, so that there is no paired test."], []
    if refusals := _unpaired(first, second, kind, pairs):
        return [], refusals, []
    rows, untested, paired = list[dict[str, Any]](), list[str](), list[str]()
    for pair in pairs:
        sides = zip((first, second), pair, strict=True)
        both = _in_both(*(kind.items(_of_model(result, model)) for result, model in sides))
        if both["first"].empty:
            untested.append(f"{_label(pair)}: the two runs have no {kind.item} in common.")
            continue
        if _MEAN in both["first"].index.get_level_values("item"):
            paired.append(
                f"{_label(pair)}: no value of the two runs is of the same template and words. What is paired is each "
                f"{kind.entry} that both have, by the mean of its values in either run."
            )
        for row in metric.changes(both["first"], both["second"], seed=first.provenance.seed):
            if row["quantity"] == LEAN:
                rows.append({**row, "model": _label(pair), "first": row["before"], "second": row["after"]})
    tests = pd.DataFrame(rows)
    if len(tests):
        tests["p_adjusted"] = benjamini_hochberg(tests["p"])
        tests = tests[[column.name for column in TESTS.columns]]
    return tests.to_dict("records"), untested, paired  # type: ignore[return-value]


def _unpaired(first: Result, second: Result, kind: Comparable, pairs: list[tuple[str, str]]) -> list[str]:
    """Why no items of two runs are paired; empty where they can be."""
    if cannot := [why for result in (first, second) if (why := kind.cannot(result.spec))]:
        return list(dict.fromkeys(cannot))
    if not _same_direction(first, second):
        return [_OTHER_DIRECTION]
    return [] if pairs else ["The two runs have no model in common, so that their items are not paired."]


def _in_both(first: pd.DataFrame, second: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The items that both runs have; where they share none, each entry that both have, with the mean of its items."""
    both = metric.common({"first": first, "second": second})
    return both if len(both["first"]) else metric.common({"first": _means(first), "second": _means(second)})


def _means(items: pd.DataFrame) -> pd.DataFrame:
    """An item for each entry, such as a profession or a word: the mean of its values."""
    whole, section, entry, item = KEYS
    means = items.groupby([whole, section, entry], sort=False)["value"].mean()
    return means.reset_index().assign(**{item: _MEAN})


def _of_model(result: Result, model: str) -> Result:
    """The result as if this model alone had been measured."""
    info = tuple(item for item in result.provenance.models if item.name == model)
    tables = {
        name: frame[frame["model"] == model].reset_index(drop=True) if "model" in frame else frame
        for name, frame in result.tables.items()
    }
    return replace(result, tables=tables, provenance=replace(result.provenance, models=info))
