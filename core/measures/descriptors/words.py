"""The sentences of descriptor likelihood: the facts for the templates beside this module."""

from __future__ import annotations

from typing import Any

from ...report.numbers import counted, fixed
from ...report.texts import Finding, finding_of, text_of
from ...report.wording import listed
from ...report.works import cited
from ...stats.samples import is_enough, too_few
from .choices import Comparison, Per
from .figures import written
from .result import ALL, AXES, DESCRIPTORS, DescriptorResult

_NAMED = 3  # axes that share a place


def finding(result: DescriptorResult, model: str) -> Finding:
    """On which axis descriptors differ in most comparisons, and on which in fewest.

    Parameters
    ----------
    result : DescriptorResult
        What was measured.
    model : str
        By its name in the result.

    Returns
    -------
    Finding
        Over all templates; where there are too few nouns for tests, it says so.
    """
    rows = _whole(result, AXES, model)
    shares = {row["axis"]: row["share_differing"] for row in rows}
    few = next((row["n"] for row in rows if not is_enough(row["n"])), None)
    furthest = max(rows, key=lambda row: row["distance"])
    words = [row for row in _whole(result, DESCRIPTORS, model) if row["axis"] == furthest["axis"]]
    most, least = (end(words, key=lambda row: row["perplexity"]) for end in (min, max))
    return finding_of(
        __file__,
        "finding",
        model=model,
        few="" if few is None else too_few(few),
        axes=len(rows),
        asked=len(result.spec.axes),
        stopped=result.stopped,
        highest=_end(shares, max),
        lowest=_end(shares, min),
        pairs=f"{sum(row['pairs'] for row in rows):,}",
        furthest=furthest["axis"],
        distance=fixed(furthest["distance"]),
        expected=most["descriptor"],
        unexpected=least["descriptor"],
        low=written(most["perplexity"]),
        high=written(least["perplexity"]),
        corrected=result.spec.comparison is Comparison.PAIRED,
        nouns=counted(max(row["n"] for row in rows), "noun"),
    )


def _end(shares: dict[str, float], end: Any) -> dict[str, str]:
    """The highest or lowest share, and the axes that have it."""
    value = end(shares.values())
    of = [axis for axis, share in shares.items() if share == value]
    return {"share": f"{fixed(value, 1)} %" if value == value else "", "axes": listed(of, most=_NAMED)}


def _whole(result: DescriptorResult, table: str, model: str) -> list[dict[Any, Any]]:
    rows = result.of(table, model)
    found: list[dict[Any, Any]] = rows[rows["template"] == ALL].to_dict("records")
    return found


def methods(result: DescriptorResult) -> tuple[str, ...]:
    """How the numbers were made."""
    spec = result.spec
    return (
        text_of(
            __file__,
            "methods",
            axes=[(axis.name, listed(axis.descriptors), axis.source) for axis in spec.axes],
            nouns=spec.nouns,
            templates=spec.templates,
            masked=any(model.kind == "masked" for model in result.provenance.models),
            causal=any(model.kind == "causal" for model in result.provenance.models),
            by_word=spec.per is Per.WORD,
            paired=spec.comparison is Comparison.PAIRED,
            seed=spec.seed,
        ),
    )


def references(result: DescriptorResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    spec = result.spec
    masked = any(model.kind == "masked" for model in result.provenance.models)
    return cited(
        (
            "Smith et al. 2022",
            *(("Salazar et al. 2020",) if masked else ()),
            *(("Kauf & Ivanova 2023",) if masked and spec.per is Per.WORD else ()),
            *(("Benjamini and Hochberg 1995",) if spec.comparison is Comparison.PAIRED else ()),
        )
    )


def material(result: DescriptorResult) -> tuple[str, ...]:
    """What was put to the models, for the caption of a figure."""
    spec = result.spec
    words = sum(len(axis.descriptors) for axis in spec.axes)
    return (
        f"{counted(words, 'descriptor')} of {counted(len(spec.axes), 'axis', 'axes')} with "
        f"{counted(len(spec.nouns), 'noun')} in {counted(len(spec.templates), 'template')}: {spec.sentences:,} "
        "sentences.",
    )


def perplexities_text(result: DescriptorResult, axis: str, model: str, template: str = ALL) -> str:
    """The median perplexities of an axis, for readers who do not see the chart.

    Parameters
    ----------
    result : DescriptorResult
        What was measured.
    axis, model : str
        By their names in the result.
    template : str
        One of the templates, or ``ALL``.

    Returns
    -------
    str
        From the lowest, which the model expects most.
    """
    rows = result.of(DESCRIPTORS, model)
    rows = rows[(rows["axis"] == axis) & (rows["template"] == template)].sort_values("perplexity", kind="stable")
    told = "; ".join(f"{row['descriptor']} {written(row['perplexity'])}" for row in rows.to_dict("records"))
    return f"Median perplexity in {model}, {axis}: {told}."
