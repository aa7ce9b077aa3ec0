"""LPBS in the manner of WEAT: its values are the playground's, its d and sign as metrics.md says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.engine.loading import LoadedModel
from core.errors import NothingToScore
from core.measures.association.result import AssociationResult
from core.result import Group
from core.sources import AssociationTest, LpbsDesign, association_test, own_test
from core.sources.templates import Template
from tests.support import lpbs as playground
from tests.support.association import Cell, cells, document, lost, plain_d, refusals, row, run
from tests.support.stubs import SAID, Probabilities, said_model
from tests.support.watching import load_tiny

X, Y = ("engineer", "programmer"), ("nurse", "secretary")
A, B = ("doctor", "teacher", "manager"), ("housekeeper", "friend", "chairwoman")
TEMPLATES = ("[TARGET] is a [ATTRIBUTE].", "The [ATTRIBUTE] said that [TARGET] was tired.")
MEN, WOMEN = ("he", "him"), ("she", "her")


def test_of(**changes: Any) -> AssociationTest:
    return own_test(
        **{"x": X, "y": Y, "a": A, "b": B, "templates": TEMPLATES, "group1": MEN, "group2": WOMEN, **changes}
    )


test_of.__test__ = False  # type: ignore[attr-defined]


def lpbs(model: LoadedModel, test: AssociationTest, **options: Any) -> AssociationResult:
    return run([model], [test], ["lpbs"], **options)


def cell(result: AssociationResult) -> Cell:
    (found,) = cells(result)
    return found


def by_playground(model: LoadedModel, template: str, words: tuple[str, ...], groups: tuple[Any, Any]) -> list[float]:
    """The playground's LPBS per attribute, from a run of its own for one template."""
    first, second = groups
    pair = (Group("first", first), Group("second", second))
    result = playground.run([model], [Template.parse(template)], pair, words)
    one = result["attributes"].set_index("attribute")["lpbs"]
    return [float(one[word]) for word in words]


@pytest.mark.parametrize("family", ["bert", "roberta", "gpt2"])
def test_values_are_the_playground_s(family: str) -> None:
    """Per template, averaged over the templates; pooled, all values of all templates side by side."""
    model = load_tiny(family)
    values = np.array([by_playground(model, template, A + B, (MEN, WOMEN)) for template in TEMPLATES])
    found = lpbs(model, test_of())
    np.testing.assert_allclose(cell(found).s_x, values[:, :3].mean(axis=0), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(cell(found).s_y, values[:, 3:].mean(axis=0), rtol=1e-5, atol=1e-5)
    assert (cell(found).members_x, cell(found).members_y) == (A, B)
    one = row(found, representation="lpbs")
    assert one.effect_size == pytest.approx(plain_d(*np.split(values.mean(axis=0), [3])), rel=1e-4)
    assert (one.n_x, one.n_y, one.n_a, one.n_b, one.templates) == (3, 3, 2, 2, 2)
    assert one.n_permutations == 20  # 6 over 3

    pooled = lpbs(model, test_of(), lpbs_values="pool")
    one = row(pooled, representation="lpbs")
    assert one.effect_size == pytest.approx(plain_d(values[:, :3].ravel(), values[:, 3:].ravel()), rel=1e-4)
    assert (one.n_x, one.n_y, one.n_a, one.n_b, one.templates) == (6, 6, 2, 2, 2)
    assert cell(pooled).members_x == A + A


def test_frames_with_groups_of_their_own() -> None:
    """As in the published designs: each frame has the words that fit its grammar, and n counts each word once."""
    frames = (
        ("They know [TARGET], a [ATTRIBUTE].", ("him",), ("her",)),
        ("[TARGET] is a [ATTRIBUTE].", ("he", "man"), ("she", "woman")),
    )
    model, plain = load_tiny("bert"), test_of()
    assert plain.lpbs is not None
    design = replace(
        plain.lpbs, frames=tuple(replace(plain.lpbs.frames[0], template=t, group1=g, group2=h) for t, g, h in frames)
    )
    found = lpbs(model, replace(plain, lpbs=design))
    values = np.mean([by_playground(model, t, A + B, (g, h)) for t, g, h in frames], axis=0)
    np.testing.assert_allclose([*cell(found).s_x, *cell(found).s_y], values, rtol=1e-5, atol=1e-5)
    one = row(found, representation="lpbs")
    assert (one.n_x, one.n_y, one.n_a, one.n_b) == (3, 3, 3, 3)


def test_attributes_may_be_x_and_y() -> None:
    """As in WEAT 7 and 8: the groups stand for A and B, and the words of X and Y are permuted."""
    model, test = load_tiny("bert"), test_of()
    assert test.lpbs is not None
    found = lpbs(model, replace(test, lpbs=replace(test.lpbs, permuted=("X", "Y"))))
    values = np.mean([by_playground(model, template, X + Y, (MEN, WOMEN)) for template in TEMPLATES], axis=0)
    np.testing.assert_allclose([*cell(found).s_x, *cell(found).s_y], values, rtol=1e-5, atol=1e-5)
    one = row(found, representation="lpbs")
    assert (one.n_x, one.n_y) == (2, 2)
    assert one.effect_size == pytest.approx(plain_d(*np.split(values, [2])), rel=1e-4)


GROUPS = ("group1", "group2")
DESIGNS = [("weat1", "A", "B"), ("weat3", "A", "B"), ("weat6", "A", "B"), ("weat7", "X", "Y"), ("weat8", "X", "Y")]


@pytest.mark.parametrize(("name", "first", "second"), DESIGNS)
def test_published_designs(embedded: LoadedModel, name: str, first: str, second: str) -> None:
    """Which sets are permuted, and that the groups stand for the two others, the first for the first."""
    test = association_test(name)
    sets, design = dict(test.sets), test.lpbs
    assert isinstance(design, LpbsDesign)
    assert design.permuted == (first, second)
    groups = {"weat1": ("flowers", "insects"), "weat3": ("white", "black")}.get(name, ("male", "female"))
    assert design.groups == groups
    titles = {"weat1": ("flower", "insect"), "weat3": ("European", "African")}.get(name, ("male", "female"))
    for fixed, title in zip(design.fixed, titles, strict=True):
        assert title in sets[fixed].name
    found = lpbs(embedded, test)
    one = row(found, test=name)
    gone = {letter for letter, _ in lost(found, "lpbs")}
    assert gone <= {first, second}
    assert (one.n_x, one.n_y) == (
        len(sets[first].members) - sum(letter == first for letter, _ in lost(found, "lpbs")),
        len(sets[second].members) - sum(letter == second for letter, _ in lost(found, "lpbs")),
    )
    words = {
        group: {word for frame in design.frames for word in getattr(frame, group)} for group in ("group1", "group2")
    }
    assert (one.n_a, one.n_b) == (len(words["group1"]), len(words["group2"]))
    values = np.mean(
        [
            by_playground(embedded, frame.template, sets[first].members[:2], (frame.group1, frame.group2))
            for frame in design.frames
        ],
        axis=0,
    )
    np.testing.assert_allclose(cell(found).s_x[:2], values, rtol=1e-4, atol=1e-4)


TIRED = {"he": 0.1, "she": 0.1}


def stub(table: Mapping[str, Probabilities], prior: Probabilities) -> LoadedModel:
    """A stub that says of itself, as an encoder wants to know, that it is no decoder."""
    model = said_model(table, prior)
    model.module.config = SimpleNamespace(model_type="bert")
    return model


def said_test(*, group1: tuple[str, ...] = ("he",), group2: tuple[str, ...] = ("she",)) -> AssociationTest:
    return own_test(
        ("man", "son"), ("woman", "wife"), ("doctor", "teacher"), ("nurse", "friend"),
        templates=(SAID.text,), group1=group1, group2=group2,
    )  # fmt: skip


def test_positive_where_group_1_goes_with_a() -> None:
    """he : she is 4 and 3 after doctor and teacher, 1/2 and 1/3 after nurse and friend; the prior is even.

    The values are their logs, so S = ln 12 / 2 + ln 6 / 2 = ln 72 / 2.
    """
    table: dict[str, Probabilities] = {
        "doctor": {"he": 0.4, "she": 0.1}, "teacher": {"he": 0.3, "she": 0.1},
        "nurse": {"he": 0.1, "she": 0.2}, "friend": {"he": 0.1, "she": 0.3},
    }  # fmt: skip
    found = lpbs(stub(table, TIRED), said_test())
    one = row(found, representation="lpbs")
    logs = np.log([4, 3, 1 / 2, 1 / 3])
    assert one.test_statistic == pytest.approx(np.log(72) / 2, abs=1e-5)
    assert one.effect_size == pytest.approx(plain_d(logs[:2], logs[2:]), abs=1e-5)
    assert one.effect_size > 0
    assert one.p_one_sided == pytest.approx(1 / 6)
    assert one.p_two_sided == pytest.approx(2 / 6)
    swapped = row(lpbs(stub(table, TIRED), said_test(group1=("she",), group2=("he",))), representation="lpbs")
    assert swapped.effect_size == pytest.approx(-one.effect_size, abs=1e-6)
    np.testing.assert_allclose(cell(found).matrix[:, 0] - cell(found).matrix[:, 1], logs, atol=1e-5)
    assert (cell(found).members_a, cell(found).members_b) == (("X",), ("Y",))


def test_a_group_word_that_cannot_be_scored_takes_its_partner_and_both_are_listed() -> None:
    """chairwoman is two pieces, so chairman goes too: what is left is he and she alone, and n counts them."""
    words: Probabilities = {"he": 0.2, "she": 0.1, "chairman": 0.3}
    others: Probabilities = {"he": 0.1, "she": 0.3, "chairman": 0.1}
    table = {"doctor": words, "teacher": words, "nurse": others, "friend": others}
    test = said_test(group1=("he", "chairman"), group2=("she", "chairwoman"))
    found = lpbs(stub(table, dict.fromkeys(words, 0.1)), test)
    values = [np.log(2)] * 2 + [-np.log(3)] * 2
    np.testing.assert_allclose([*cell(found).s_x, *cell(found).s_y], values, atol=1e-5)
    reasons = {item.what: item.why.removesuffix(".") for item in found.excluded}
    assert reasons["chairwoman"] == "chairwoman = chair + ##woman: not scored"
    assert "partner" in reasons["chairman"]
    one = row(found, representation="lpbs")
    assert (one.n_a, one.n_b) == (1, 1)
    # The matrix behind the row: the difference of its columns is the value.
    np.testing.assert_allclose(cell(found).matrix[:, 0] - cell(found).matrix[:, 1], values, atol=1e-5)


def test_a_lost_attribute_is_listed_by_set() -> None:
    """A is asked for three words and keeps two."""
    found = lpbs(load_tiny("bert"), test_of(a=("doctor", "teacher", "日本")))
    assert lost(found, "lpbs") == {("A", "日本"): "日本 is unknown to this model"}
    one = row(found, representation="lpbs")
    assert (one.n_x, one.n_y) == (2, 3)
    assert not np.isnan(one.effect_size)


def test_kurita_s_rule_and_equal_sets_hold_for_the_permuted_words() -> None:
    """B loses chairwoman, which is several pieces; with ``drop`` A then loses as many, drawn by seed."""
    model = load_tiny("bert")
    found = lpbs(model, test_of(), lost="several pieces")
    assert lost(found, "lpbs") == {("B", "chairwoman"): "chairwoman = chair + ##woman: not a single token"}
    assert row(found, representation="lpbs").n_y == 2
    equal = row(lpbs(model, test_of(), lost="several pieces", unequal="drop"), representation="lpbs")
    assert (equal.n_x, equal.n_y) == (2, 2)


NO_HEAD = "bert-encoder has no trained prediction head: LPBS is not possible, embeddings and attention are"


def test_tests_without_templates_and_models_without_a_head() -> None:
    models = [load_tiny("bert"), load_tiny("bert-encoder")]
    result = run(models, [association_test("weat2"), test_of()], ["lpbs"])
    assert [reason.rstrip(".") for reason in refusals(result.excluded)] == [
        "weat2 by lpbs: not computed, no template",
        "weat2 by lpbs: not computed, no template",
        f"own by lpbs: not computed, {NO_HEAD}",
    ]
    assert [line["effect_size"] is None for line in document(result)["tables"]["tests"]] == [True, False, True, True]


@pytest.mark.parametrize(
    ("family", "test", "reason"),
    [("bert", own_test(X, Y, A, B), "no template"), ("bert-encoder", test_of(), NO_HEAD)],
)
def test_nothing_to_score_is_one_sentence_with_the_reason(family: str, test: AssociationTest, reason: str) -> None:
    with pytest.raises(NothingToScore) as caught:
        lpbs(load_tiny(family), test)
    assert str(caught.value) == f"No test could be computed. own by lpbs: not computed, {reason}."


def test_group_words_that_cannot_be_scored_at_all() -> None:
    with pytest.raises(NothingToScore, match=r"kept 0 of 3, [YB] kept 0 of 3"):
        lpbs(load_tiny("bert"), test_of(group1=("日本",), group2=("she",)))


def test_what_a_causal_score_is_stands_in_the_notes() -> None:
    """metrics.md §1: a start token, words scored with the attribute and the mean prior are said on screen."""
    model, test = load_tiny("gpt2"), test_of()
    told = {
        note
        for template in TEMPLATES
        for note in playground.run(
            [model], [Template.parse(template)], (Group("men", MEN), Group("women", WOMEN)), A + B
        ).notes
    }
    assert told
    assert told <= set(lpbs(model, test).notes)
