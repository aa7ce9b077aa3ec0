"""What is written of association tests: the finding, a test in words, a figure's caption, how the numbers were made."""

from __future__ import annotations

from typing import Any

from ...charts.rows import finite
from ...report.methods import form_sentence
from ...report.papers import cited
from ...report.texts import Finding, finding_of, text_of
from ...report.wording import listed, some, templates_line
from ...stats.samples import LEAST
from ..shared.representations import LPBS, SOURCES
from .figures import Which, of_one
from .result import AssociationResult
from .spec import AskedTest

_NAMED = 3


def finding(result: AssociationResult) -> Finding:
    """In how many combinations of model, test and representation X is more strongly associated with A, or with B."""
    rows = result["tests"].dropna(subset="effect_size")
    clear = rows.loc[rows["significant"], "effect_size"]
    few = int(rows["ci_low"].isna().sum())
    facts: dict[str, Any] = {
        "count": len(rows),
        "with_a": int((clear > 0).sum()),
        "with_b": int((clear < 0).sum()),
        "inconclusive": len(rows) - len(clear) - few,
        "few": few,
        "low": float(rows["effect_size"].min()),
        "high": float(rows["effect_size"].max()),
        "missing": len(result["tests"]) - len(rows),
    }
    return finding_of(__file__, "finding", family=result.family_size, least=LEAST, **facts)


def in_words(result: AssociationResult, which: Which, what: str) -> str:
    """One test by one representation in one model, for those who do not see the chart ``what`` it is drawn in."""
    (row,) = of_one(result, "tests", which).to_dict("records")
    d = float(row["effect_size"])
    side = "" if not round(d, 2) else "A" if d > 0 else "B"
    ends = {name: finite(row[name]) for name in ("ci_low", "ci_high", "p_adjusted")}
    return text_of(__file__, "test", what=what, d=d, side=side, sizes=[row[f"n_{name}"] for name in "xyab"], **ends)


def methods(result: AssociationResult) -> tuple[str, ...]:
    """How the numbers were made."""
    spec, tests = result.spec, result["tests"]
    kinds = list(tests["representation"].unique())
    in_slots = not {LPBS, "partner-masked"}.isdisjoint(kinds)
    text = text_of(
        __file__,
        "methods",
        spec=spec,
        data=list(result.provenance.data),
        kinds=kinds,
        own=_own(result),
        least=LEAST,
        family=result.family_size,
        form=form_sentence(spec.form) if in_slots else "",
        missing=int(tests["effect_size"].isna().sum()),
    )
    return (text,)


def references(result: AssociationResult) -> tuple[str, ...]:
    """The papers that the tests and the representations are from."""
    sources = (SOURCES[kind] for kind in result["tests"]["representation"].unique())
    return cited(["Caliskan et al. 2017", *sources, "Benjamini and Hochberg 1995"])


def material(result: AssociationResult) -> tuple[str, ...]:
    """What was put to the models, for a figure's caption."""
    tests = some([test.title for test in result.spec.tests])
    own = [
        "; ".join(f"{name} = {some(words.members)} ({len(words.members)})" for name, words in test.named_sets)
        for test in _own(result)
    ]
    templates = [templates_line(test.templates) for test in _own(result) if test.templates]
    kinds = listed(list(result["tests"]["representation"].unique()), _NAMED)
    return (f"{tests}, by {kinds}.", *own, *templates)


def _own(result: AssociationResult) -> list[AskedTest]:
    return [test for test in result.spec.tests if not test.source]
