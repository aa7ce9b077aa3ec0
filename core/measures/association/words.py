"""What is written of association tests: the finding, a test in words, a figure's caption, how the numbers were made."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ...charts.rows import finite
from ...report.methods import form_sentence
from ...report.numbers import fixed, interval
from ...report.texts import Finding, finding_of, text_of
from ...report.wording import listed, some, templates_line
from ...report.works import cited
from ...stats.samples import LEAST
from ..shared.representations import LPBS, SOURCES
from .figures import Which, asked_test, of_one, title_of
from .result import AssociationResult
from .side_by_side import called, effects
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


def models_finding(result: AssociationResult, test: str, representation: str) -> Finding | None:
    """What one test by one representation gives in each model, the base first; None where the base has no value."""
    base, *others = effects(result, test, representation)
    if base.d is None:
        return None
    children = [effect for effect in others if effect.d is not None]
    changes = {effect.model: effect.d - base.d for effect in children if effect.d is not None}
    changed = max(changes, key=lambda model: abs(changes[model]), default="")
    return finding_of(
        __file__,
        "models",
        title=asked_test(result, test).title,
        representation=title_of(representation),
        base=base,
        children=children,
        changed=changed,
        change=changes.get(changed),
        missing=[effect.model for effect in others if effect.d is None],
    )


def models_text(result: AssociationResult, test: str, representation: str, what: str) -> str:
    """The effect sizes of all models, for those who do not see the chart ``what`` they are drawn in."""
    found = effects(result, test, representation)
    told = [
        f"{called(found, effect)} {effect.numbers}" + (f", {interval(*effect.ends)}" if effect.ends else "")
        for effect in found
    ]
    return f"{what}. {'; '.join(told)}."


def cosines_text(result: AssociationResult, test: str, representation: str, what: str) -> str:
    """The mean cosines of X and Y with A and B in each model, for those who do not see them drawn."""
    rows = result["matrix"]
    rows = rows[(rows["test"] == test) & (rows["representation"] == representation)].dropna(subset="value")
    told = []
    for model, own in rows.groupby("model", sort=False):
        means = [
            (letter, other, own.loc[(own["set"] == letter) & (own["other_set"] == other), "value"].mean())
            for letter in "XY"
            for other in "AB"
        ]
        pairs = ", ".join(f"{letter} with {other} {fixed(mean, 3)}" for letter, other, mean in means)
        told.append(f"{model}: {pairs}")
    return f"{what}. Means: {'; '.join(told)}."


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
    return text, *erased(
        result["erased"],
        before="the test",
        apart="each test, representation and model",
        held_out="words of the test",
    )


def references(result: AssociationResult) -> tuple[str, ...]:
    """The papers that the tests and the representations are from."""
    sources = (SOURCES[kind] for kind in result["tests"]["representation"].unique())
    erasure = [] if result["erased"].empty else ["Belrose et al. 2023"]
    return cited(["Caliskan et al. 2017", *sources, *erasure, "Benjamini and Hochberg 1995"])


def material(result: AssociationResult) -> tuple[str, ...]:
    """What was put to the models, for a figure's caption."""
    tests = some([test.title for test in result.spec.tests])
    own = [
        "; ".join(f"{name} = {some(words.members)} ({len(words.members)})" for name, words in test.named_sets)
        for test in _own(result)
    ]
    templates = [templates_line(test.templates) for test in _own(result) if test.templates]
    kinds = listed(list(result["tests"]["representation"].unique()), _NAMED)
    without = [] if result["erased"].empty else ["Gender erased before the test (LEACE)."]
    return (f"{tests}, by {kinds}.", *without, *own, *templates)


def erased(rows: pd.DataFrame, *, before: str, apart: str, held_out: str) -> tuple[str, ...]:
    """How gender was erased, by the rows of a table "erased"; nothing where it was not.

    ``before`` what, for what ``apart``, and which words were ``held_out`` of the fit with their partners.
    """
    if rows.empty:
        return ()
    words = rows["n_male"] + rows["n_female"]
    facts: dict[str, Any] = {
        "low_words": int(words.min()),
        "high_words": int(words.max()),
        "low_vectors": int(rows["vectors"].min()),
        "high_vectors": int(rows["vectors"].max()),
        "widths": sorted(set(rows["width"])),
        "ranks": sorted(set(rows["rank"])),
    }
    return (text_of(__file__, "erased", before=before, apart=apart, held_out=held_out, **facts),)


def _own(result: AssociationResult) -> list[AskedTest]:
    return [test for test in result.spec.tests if not test.source]
