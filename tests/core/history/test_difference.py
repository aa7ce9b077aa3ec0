"""Two runs of one measure: what was changed, and what that did; worked by hand."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from scipy import stats

from core.errors import OptionError
from core.history.difference import compare
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.sources.templates import Template
from tests.support.agreement_results import agreement_result
from tests.support.association_results import association_result, row
from tests.support.direction_results import direction_result
from tests.support.past import scores


def several(values: dict[str, float]) -> LpbsResult:
    """LPBS of he − she of these words in one template: the association of he is the value, that of she 0."""
    one = scores(sum(values.values()) / len(values))
    spec = LpbsSpec(models=("bert",), attributes=tuple(values))
    rows = [
        {
            "model": "bert",
            "template": spec.templates[0].text,
            "attribute": word,
            "group": group,
            "target": group,
            "form": group,
            "ln_p_target": association,
            "ln_p_prior": 0.0,
            "association": association,
        }
        for word, lpbs in values.items()
        for group, association in (("he", lpbs), ("she", 0.0))
    ]
    return replace(one, spec=spec, tables={**one.tables, "targets": LpbsResult.SCHEMA.tables["targets"].frame(rows)})


WORDS = [f"w{number}" for number in range(8)]
FIRST = {word: 0.1 * number for number, word in enumerate(WORDS)}
SHIFTS = [0.5, 0.4, 0.3, 0.2, 0.1, 0.6, 0.7, -0.05]
SECOND = {word: FIRST[word] + shift for word, shift in zip(WORDS, SHIFTS, strict=True)}


def test_the_paired_test_is_the_signed_rank_test_of_the_items_that_both_have() -> None:
    found = compare(several(FIRST), several(SECOND | {"more": 9.0}))
    (found_row,) = found.tests.to_dict("records")
    assert found_row["n"] == 8
    assert found_row["first"] == pytest.approx(0.35)
    assert found_row["difference"] == pytest.approx(sum(SHIFTS) / 8)
    # Ranks of |shift|: -0.05 has rank 1; of 2 ** 8 patterns of signs 2 on either side are as far out.
    assert found_row["p"] == pytest.approx(4 / 256)
    assert found_row["p"] == pytest.approx(stats.wilcoxon(SHIFTS).pvalue)
    assert found_row["p_adjusted"] == found_row["p"]
    assert found_row["r"] > 0
    assert found_row["ci_low"] < found_row["difference"] < found_row["ci_high"]
    assert found.unit == "nats"
    assert found.untested == ()


def test_exchanged_runs_exchange_the_sign() -> None:
    first, second = several(FIRST), several(SECOND)
    there, back = compare(first, second).tests.iloc[0], compare(second, first).tests.iloc[0]
    assert there["difference"] == pytest.approx(-back["difference"])
    assert there["r"] == pytest.approx(-back["r"])
    assert there["p"] == pytest.approx(back["p"])


def test_a_run_compared_with_itself_differs_in_nothing() -> None:
    found = compare(several(FIRST), several(FIRST))
    assert found.numbers["difference"].eq(0).all()
    assert found.tests["difference"].eq(0).all()
    assert found.tests["p"].isna().all()
    assert list(found.changed["what"]) == ["Measured"]


def test_numbers_are_the_headlines_of_both() -> None:
    found = compare(scores(0.25), scores(-0.5, model="gpt2", created="2026-02-01T00:00:00Z"))
    (found_row,) = found.numbers.to_dict("records")
    assert (found_row["model"], found_row["first"], found_row["second"], found_row["difference"]) == (
        "bert → gpt2",
        0.25,
        -0.5,
        -0.75,
    )
    assert (found_row["unit"], found_row["above"]) == ("nats", "towards he")


def test_what_was_changed_is_named_with_both_values() -> None:
    found = compare(scores(word="nurse"), scores(word="cook", model="gpt2", created="2026-02-01T00:00:00Z"))
    changed = {row["what"]: (row["first"], row["second"]) for row in found.changed.to_dict("records")}
    assert changed["Measured"] == ("2026-01-02T03:04:05Z", "2026-02-01T00:00:00Z")
    assert changed["Attributes"] == ("words: nurse", "words: cook")
    assert "bert" in changed["Models"][0]
    assert "gpt2" in changed["Models"][1]
    assert len(changed) == 3


def test_runs_without_a_word_in_common_have_no_test_and_say_so() -> None:
    found = compare(several({"nurse": 1.0}), several({"cook": 1.0}))
    assert found.tests.empty
    assert found.untested == ("bert: the two runs have no value of a template and a word pair in common.",)


def test_runs_in_other_templates_are_paired_by_the_means_of_what_they_share() -> None:
    """The second run reads each word in two templates, 0.1 below and above the value that is paired."""
    first, second = several(FIRST), several(SECOND)
    templates = [Template(f"[TARGET] was the [ATTRIBUTE] {end}.") for end in ("here", "there")]
    rows = second["targets"]
    rows = pd.concat(
        rows.assign(template=template.text, association=rows["association"] + (rows["group"] == "he") * apart)
        for template, apart in zip(templates, (-0.1, 0.1), strict=True)
    )
    second = replace(
        second, spec=replace(second.spec, templates=tuple(templates)), tables={**second.tables, "targets": rows}
    )
    found = compare(first, second)
    (found_row,) = found.tests.to_dict("records")
    assert (found_row["n"], found_row["difference"]) == (8, pytest.approx(sum(SHIFTS) / 8))
    assert found_row["p"] == pytest.approx(stats.wilcoxon(SHIFTS).pvalue)
    assert found.untested == ()
    assert found.paired == (
        "bert: no value of the two runs is of the same template and words. What is paired is each attribute that both "
        "have, by the mean of its values in either run.",
    )
    assert compare(first, several(SECOND)).paired == ()


def test_a_measure_whose_items_are_no_pairs_says_so() -> None:
    found = compare(agreement_result(), agreement_result())
    assert found.tests.empty
    assert "are not paired" in found.untested[0]


def test_runs_whose_signs_point_the_other_way_are_not_subtracted() -> None:
    """The same pairs the other way round: +r would become −r, and their difference mean nothing."""
    shares = {f"w{number}": (0.1 * number, 10.0 * number) for number in range(7)}
    there = direction_result(shares)
    turned = replace(
        there.spec.pairs,
        pairs=tuple((second, first) for first, second in there.spec.pairs.pairs),
        names=there.spec.pairs.names[::-1],
    )
    results = there, replace(there, spec=replace(there.spec, pairs=turned))
    found = compare(*results)
    assert found.numbers.empty
    assert found.tests.empty
    assert "does not mean the same in both" in found.unnumbered[0]
    assert len(compare(results[0], results[0]).numbers)


def test_a_test_of_one_id_with_other_sets_is_not_subtracted() -> None:
    result = association_result([row("m", "weat1", "input-embedding", 0.5)])
    (first, *others) = result.spec.tests
    turned = replace(first, sets=(first.sets[1], first.sets[0], *first.sets[2:]))
    other = replace(result, spec=replace(result.spec, tests=(turned, *others)))
    assert compare(result, other).numbers.empty
    assert len(compare(result, result).numbers)


def test_two_measures_are_refused() -> None:
    with pytest.raises(OptionError, match="Only runs of one measure can be compared"):
        compare(scores(), agreement_result())
