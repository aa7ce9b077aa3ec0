"""What is said above the charts of bias scores: a verdict needs its least n."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.words import finding
from core.result import Contrast, Group
from core.sources.lists import own_groups, own_words
from tests.support.lpbs import replaced

HE_SHE = Contrast("he", "she")


def measured(lpbs: LpbsResult, values: list[float], p: float = math.nan, noun: str = "attributes") -> LpbsResult:
    """The scores of so many attributes of one value each, in one contrast, and their mean."""
    row = {"model": "m", "contrast": HE_SHE.label}
    ends = {} if math.isnan(p) else {"ci_low": -1.0, "ci_high": 1.0, "p_value": p, "p_adjusted": p}
    mean = {**row, "n": len(values), "lpbs": sum(values) / len(values), **ends}
    rows = [{**row, "attribute": f"w{i}", "lpbs": value} for i, value in enumerate(values)]
    he_she = own_groups((Group("he", ("he",)), Group("she", ("she",))))
    spec = replace(lpbs.spec, groups=he_she, attributes=replace(own_words(["w"]), noun_plural=noun))
    return replaced(replace(lpbs, spec=spec), attributes=rows, overall=[mean], targets=[])


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([-1.83, -0.01], "−0.92 nats on average, 2 words: too few to say. Scores towards he: 0, towards she: 2."),
        ([-1.83], "−1.83 nats on average, 1 word: too few to say. Scores towards he: 0, towards she: 1."),
        ([1.0, 0.0, -0.5], "+0.17 nats on average, 3 words: too few to say. Scores towards he: 1, towards she: 1."),
    ],
)
def test_few_words_have_a_value_and_no_verdict(lpbs: LpbsResult, values: list[float], text: str) -> None:
    found = finding(measured(lpbs, values), HE_SHE, "m")
    assert found.text == text
    assert found.support.startswith(f"No interval and no p: n = {len(values)} of at least 6 attributes, template “")


def test_enough_words_have_a_verdict_by_their_p(lpbs: LpbsResult) -> None:
    values = [-1.0] * 5 + [2.0]
    clear = finding(measured(lpbs, values, p=0.04, noun="professions"), HE_SHE, "m")
    assert clear.text == (
        "Leans towards she for 5 of 6 professions, towards he for 1; on average towards she by 0.50 nats."
    )
    assert clear.support.startswith(
        "95 % interval −1.00 to +1.00, sign-flip p = 0.040, n = 6 professions, template “[TARGET] is a [ATTRIBUTE].”"
    )
    unclear = finding(measured(lpbs, values, p=0.05, noun="professions"), HE_SHE, "m")
    assert unclear.text.endswith("on average no clear lean (−0.50 nats).")


def test_the_measured_templates_stand_in_the_support_line(lpbs: LpbsResult) -> None:
    result = measured(lpbs, [1.0])
    texts = ("[TARGET] [ATTRIBUTE] a", "[TARGET] [ATTRIBUTE] b", "[TARGET] [ATTRIBUTE] c")
    several = replace(result, spec=replace(result.spec, templates=texts))
    assert "3 templates (“[TARGET] [ATTRIBUTE] a”, “[TARGET] [ATTRIBUTE] b” and 1 more)." in (
        finding(several, HE_SHE, "m").support
    )


def test_the_form_that_was_scored_is_said_where_it_is_another(lpbs: LpbsResult) -> None:
    result = measured(lpbs, [1.0])
    assert "scored as" not in finding(result, HE_SHE, "m").support
    targets = [{"model": "m", "target": word, "form": word.capitalize()} for word in ("he", "she")]
    assert "“[TARGET] is a [ATTRIBUTE].”, scored as He and She. Log" in (
        finding(replaced(result, targets=targets), HE_SHE, "m").support
    )
