"""From a result to the rows of a chart: the values that exist, in an order, and what hovering says of each."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from numbers import Real

from core.charts.text import literal
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.result import LpbsResult
from core.report.numbers import counted, interval, p_text, percent, signed
from core.result import Contrast

ORDERS = ("lean", "name")


@dataclass(frozen=True)
class Value:
    """One attribute's score in nats, positive to the contrast's first group, with its interval where there is one.

    ``hover`` is the text of the tooltip, in plotly's markup with every word made literal.
    """

    attribute: str
    lpbs: float
    interval: tuple[float, float] | None
    hover: str


@dataclass(frozen=True)
class Gap:
    """A row that stands for ``count`` attributes that are not shown."""

    count: int


def models_of(result: LpbsResult) -> tuple[str, ...]:
    """The models with scores, in the order of the result."""
    return tuple(dict.fromkeys(str(model) for model in result.summary["model"]))


def values(result: LpbsResult, contrast: Contrast, model: str) -> tuple[Value, ...]:
    """The finite scores of a model in a contrast, in the order of the summary.

    Raises OptionError for a contrast or a model the result does not hold.
    """
    if contrast not in result.contrasts:
        known = ", ".join(known.label for known in result.contrasts)
        raise OptionError(f"The result holds no contrast {contrast.label}; it holds {known}.")
    if model not in models_of(result):
        raise OptionError(f"The result holds no model {model}; it holds {', '.join(models_of(result))}.")
    summary = result.summary
    chosen = summary[
        (summary["kind"] == "attribute") & (summary["model"] == model) & (summary["contrast"] == contrast.label)
    ]
    association = _association_lines(result, contrast, model)
    found = []
    for row in chosen.to_dict("records"):
        lpbs = finite(row["lpbs"])
        if lpbs is None:
            continue
        low, high = finite(row["ci_low"]), finite(row["ci_high"])
        interval = None if low is None or high is None else (low, high)
        attribute = str(row["attribute"])
        lines = [
            f"<b>{literal(attribute)}</b>",
            f"{literal(contrast.label)}: {signed(lpbs)} nats",
            *association.get(attribute, ()),
            *_statistics_lines(row, interval, dict(result.family_sizes).get("attribute")),
        ]
        found.append(Value(attribute, lpbs, interval, "<br>".join(lines)))
    return tuple(found)


def choose(
    lean: Mapping[str, float], *, order: str, limit: int | None, highlight: str | None = None
) -> tuple[str | Gap, ...]:
    """The rows from top to bottom: attributes, and a gap wherever some are passed over.

    ``lean`` sorts from the second group's side to the first's and leaves out the middle. ``name`` sorts by
    alphabet and leaves out the smallest leans, counted in one last row. ``highlight`` is always shown. Raises
    OptionError for another order or a limit below 2, NothingToScore where there is no value.
    """
    if order not in ORDERS:
        raise OptionError(f"There is no order {order}; choose one of {', '.join(ORDERS)}.")
    if limit is not None and limit < 2:
        raise OptionError(f"A limit of {limit} leaves nothing to compare; it must be at least 2.")
    if not lean:
        raise NothingToScore("No attribute has a score in this contrast; the list of exclusions says why.")
    by_lean = sorted(lean, key=lambda attribute: lean[attribute])
    if limit is None or limit >= len(by_lean):
        kept = set(by_lean)
    elif order == "lean":
        kept = {*by_lean[: math.ceil(limit / 2)], *by_lean[len(by_lean) - limit // 2 :]}
    else:
        kept = set(sorted(lean, key=lambda attribute: -abs(lean[attribute]))[:limit])
    kept.update(attribute for attribute in lean if attribute == highlight)
    if order == "name":
        named = sorted(kept, key=lambda attribute: (attribute.casefold(), attribute))
        return (*named, Gap(len(lean) - len(kept))) if len(kept) < len(lean) else tuple(named)
    rows: list[str | Gap] = []
    for is_kept, run in groupby(by_lean, key=kept.__contains__):
        attributes = tuple(run)
        # A row that says "1 more" takes the place of the very row it hides.
        rows.extend(attributes if is_kept or len(attributes) == 1 else (Gap(len(attributes)),))
    return tuple(rows)


def finite(value: object) -> float | None:
    """The value as a float, or None where it is missing or infinite."""
    if not isinstance(value, Real) or not math.isfinite(value):
        return None
    return float(value)


def _association_lines(result: LpbsResult, contrast: Contrast, model: str) -> dict[str, list[str]]:
    """Per attribute and group of the contrast, what the model gives the group's words with and without it."""
    causal = any(info.name == model and info.kind == "causal" for info in result.provenance.models)
    names = [group.name for group in result.groups]
    shown = [contrast.first, contrast.second]
    if contrast.second not in names:
        shown = [contrast.first, *(name for name in names if name != contrast.first)]
    detail = result.detail[result.detail["model"] == model]
    means = detail.groupby(["attribute", "group"], observed=True, sort=False)[["ln_p_target", "ln_p_prior"]].mean()
    by_key = {(str(row[0]), str(row[1])): (row[2], row[3]) for row in means.reset_index().itertuples(index=False)}
    lines: dict[str, list[str]] = {}
    for attribute in dict.fromkeys(attribute for attribute, _ in by_key):
        lines[attribute] = [
            _association_line(name, *by_key[attribute, name], causal=causal)
            for name in shown
            if (attribute, name) in by_key
        ]
    return lines


def _association_line(name: str, target: object, prior: object, *, causal: bool) -> str:
    written = []
    for value, what in ((finite(target), ""), (finite(prior), "prior ")):
        if value is not None:
            written.append(what + (f"ln P {signed(value)}" if causal else percent(math.exp(value), 2)))
    return f"{literal(name)}: {', '.join(written) or 'no probability'}"


def _statistics_lines(
    row: Mapping[Hashable, object], ends: tuple[float, float] | None, family: int | None
) -> list[str]:
    lines = []
    if (n := finite(row["n"])) is not None:
        lines.append(f"n = {counted(n, 'value')}")
    if ends is not None:
        lines.append(interval(*ends))
    p_value, adjusted = finite(row["p_value"]), finite(row["p_adjusted"])
    if p_value is not None:
        line = f"sign-flip {p_text(p_value)}"
        if adjusted is not None:
            line += f", adjusted {p_text(adjusted)}" + (f" over {family} tests" if family is not None else "")
        lines.append(line)
    return lines


def extent(shown: Sequence[Value]) -> float:
    """The furthest any bar or whisker reaches from zero, in nats; at least 0.1, so that noise stays small."""
    ends = [0.1, *(abs(value.lpbs) for value in shown)]
    ends += [abs(end) for value in shown for end in value.interval or ()]
    return max(ends)
