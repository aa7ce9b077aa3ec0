"""Several models beside each other: effect sizes and cosines, the first model as the base."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
import torch

from core.charts import LIGHT
from core.errors import NothingToScore
from core.measures.association import words
from core.measures.association.result import AssociationResult
from core.measures.association.side_by_side import cosine_plot, cosine_table, effects_by_model
from core.measures.association.spec import AssociationSpec
from core.result import Excluded
from core.sources import association_test
from tests.support.association_results import asked_test, association_result, matrix, row
from tests.support.finetuning import loaded
from tests.support.tiny import tiny_folder

NARROW = replace(LIGHT, width=358)
TEST, KIND = "irani", "layer-11-mean"
WORDS = ((("x1", "x2"), ("y1",)), (("joy",), ("fear", "war")))
BASE = [[0.5, 0.1, 0.3], [0.7, 0.2, 0.4], [0.4, 0.6, 0.8]]
CHILD = [[0.9, 0.1, 0.1], [0.7, 0.1, 0.3], [0.2, 0.5, 0.5]]


def traces(figure: go.Figure, name: str) -> list[Any]:
    return [found for found in figure.data if found.name == name and found.x != (None,)]


def texts(figure: go.Figure) -> str:
    return "\n".join(str(found.text) for found in figure.layout.annotations)


def two_models(**more: Any) -> AssociationResult:
    """One test in a base and a child, with a matrix of two members of X and one of Y, one of A and two of B."""
    which = [("base", "weat1", KIND), ("child", "weat1", KIND)]
    return association_result(
        [row(*which[0], -0.54, p_observed_direction=0.145, significant=False), row(*which[1], -1.76)],
        tests=[asked_test("weat1", "A title")],
        matrix=[*matrix(BASE, *WORDS, which[0]), *matrix(CHILD, *WORDS, which[1])],
        **more,
    )


def test_effect_sizes_stand_below_each_other_the_base_on_top() -> None:
    figure = effects_by_model(two_models(), "weat1", KIND, theme=LIGHT)
    (base,), (child,) = traces(figure, "base"), traces(figure, "child")
    assert (base.x, child.x) == ((-0.54,), (-1.76,))
    assert base.y[0] < child.y[0]
    assert figure.layout.yaxis.ticktext == ("base (base)", "child")
    assert [list(data) for data in child.customdata] == [["child", "weat1", KIND]]
    # Hollow: not significant; the rows' intervals are d ± .5.
    assert (base.marker.color[0], child.marker.color[0] != LIGHT.paper) == (LIGHT.paper, True)
    assert traces(figure, "95 % interval")[0].x == (-1.04, pytest.approx(-0.04), None)
    (dotted,) = figure.layout.shapes
    assert (dotted.x0, dotted.x1) == (-0.54, -0.54)
    assert "d = −0.54, p = 0.145" in texts(figure)
    assert "child, taken" not in texts(figure)
    assert "base, taken as the base" in texts(figure).replace("<br>", " ")


def test_one_model_is_no_base_and_a_narrow_page_has_its_numbers_in_the_names() -> None:
    result = association_result([row("m", "weat1", KIND, 0.5)], tests=[asked_test("weat1", "A title")])
    assert "base" not in texts(effects_by_model(result, "weat1", KIND, theme=LIGHT))
    narrow = effects_by_model(two_models(), "weat1", KIND, theme=NARROW)
    assert "child  d = −1.76, p = 0.010" in texts(narrow)


def test_a_model_without_a_value_says_so() -> None:
    result = association_result(
        [row("base", "weat1", KIND, 0.5), row("child", "weat1", KIND, None)],
        tests=[asked_test("weat1", "A title")],
        excluded=[Excluded("child", "statistic", "weat1", "weat1: X kept 1", test="weat1", representation=KIND)],
    )
    figure = effects_by_model(result, "weat1", KIND, theme=LIGHT)
    (found,) = (text for text in figure.layout.annotations if text.text == "not computed")
    assert found.hovertext == "weat1: X kept 1."
    finding = words.models_finding(result, "weat1", KIND)
    assert finding is not None
    assert "Not computed in child." in finding.support


def test_nothing_to_draw_is_said() -> None:
    result = association_result([row("m", "weat1", KIND, None)], tests=[asked_test("weat1", "A title")])
    for draw in (effects_by_model, cosine_plot):
        with pytest.raises(NothingToScore, match="A title: no model has a"):
            draw(result, "weat1", KIND, theme=LIGHT)
    assert words.models_finding(result, "weat1", KIND) is None


def test_cosines_are_means_over_the_members_of_x_and_of_y() -> None:
    found = cosine_table(two_models(), "weat1", KIND)
    assert list(found) == ["model", "other_set", "word", "set", "n", "mean", "low", "high"]
    joy, war = (
        found[(found["model"] == "base") & (found["word"] == word) & (found["set"] == "X")].iloc[0]
        for word in ("joy", "war")
    )
    # joy: (.5 + .7) / 2; war: (.3 + .4) / 2.
    assert (joy["n"], joy["mean"], joy["low"], joy["high"]) == (2, pytest.approx(0.6), 0.5, 0.7)
    assert (war["other_set"], war["mean"]) == ("B", pytest.approx(0.35))
    assert len(found) == 2 * 3 * 2


def test_panels_have_one_scale_and_the_base_comes_first() -> None:
    result = two_models()
    figure = cosine_plot(result, "weat1", KIND, theme=LIGHT)
    x, y = traces(figure, "X"), traces(figure, "Y")
    assert len(x) == len(y) == 2
    assert x[0].x == pytest.approx((0.6, 0.15, 0.35))
    assert y[1].x == pytest.approx((0.2, 0.5, 0.5))
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range
    assert figure.layout.xaxis.domain[0] < figure.layout.xaxis2.domain[0]
    # Row 0 names A, row 1 is joy, row 2 names B; X stands above Y.
    assert [round(at) for at in x[0].y] == [1, 3, 4]
    assert all(above < below for above, below in zip(x[0].y, y[0].y, strict=True))
    assert {tuple(data) for data in x[1].customdata} == {("child", "weat1", KIND)}
    titles = [" ".join(text.text.split()) for text in figure.layout.annotations if text.text.startswith("<b>")]
    assert titles[0].startswith("<b>base</b><br>base<br>d = −0.54")
    assert titles[1].startswith("<b>child</b><br>d = −1.76")
    narrow = cosine_plot(result, "weat1", KIND, theme=replace(LIGHT, width=280))
    assert narrow.layout.yaxis2.domain[1] < narrow.layout.yaxis.domain[0]  # below each other


def test_where_the_base_has_no_cosine_no_other_model_is_called_the_base() -> None:
    which = ("child", "weat1", KIND)
    result = association_result(
        [row("first", "weat1", KIND, None), row(*which, -1.76), row("second", "weat1", KIND, 0.5)],
        tests=[asked_test("weat1", "A title")],
        matrix=[*matrix(CHILD, *WORDS, which), *matrix(BASE, *WORDS, ("second", "weat1", KIND))],
    )
    drawn = texts(cosine_plot(result, "weat1", KIND, theme=LIGHT)).replace("<br>", " ")
    assert "<b>child</b> d\u00a0=\u00a0−1.76" in drawn
    assert "base: first, the first model" in drawn


def test_sentences_are_taken_together_by_the_word_they_are_about() -> None:
    """Irani's test in a tiny model: cosines by hand from its hidden states, as the paper's figures group them."""
    folder = tiny_folder("bert")
    result = AssociationSpec(models=(str(folder),), tests=(TEST,), representations=(KIND,)).run()
    found = cosine_table(result, TEST, KIND)
    assert list(dict.fromkeys(found.loc[found["other_set"] == "A", "word"])) == [
        *("fear", "scared", "dreadful", "horrible", "terrified", "anxious", "discouraged", "threatened", "shocked"),
    ]
    assert set(found["n"]) == {8 * 3}
    model, test = loaded(folder), association_test(TEST)

    def state(sentence: str) -> torch.Tensor:
        with torch.no_grad():
            read = model.module(**model.tokenizer(sentence, return_tensors="pt"), output_hidden_states=True)
        return read.hidden_states[-2][0].mean(dim=0)

    white = [state(member) for member in test.x.members]
    fear = [state(member) for member in test.a.members if "fear" in member]
    assert len(fear) == 3
    cosines = [float(torch.cosine_similarity(a, b, dim=0)) for a in white for b in fear]
    line = found[(found["word"] == "fear") & (found["set"] == "X")].iloc[0]
    assert (line["mean"], line["low"], line["high"]) == pytest.approx(
        (np.mean(cosines), min(cosines), max(cosines)), abs=1e-5
    )


def test_the_printed_effect_sizes_of_the_paper_are_drawn_as_printed() -> None:
    """Table I (and Figures 2 and 3) of Irani et al. 2020: five models, of which Jigsaws alone is significant."""
    printed = association_test(TEST).published
    result = association_result(
        [
            row(
                line.model,
                TEST,
                KIND,
                line.effect_size,
                p_observed_direction=line.p_value,
                significant=line.p_value is not None and line.p_value < 0.01,
            )
            for line in printed
        ],
        tests=[asked_test(TEST, "Irani")],
    )
    figure = effects_by_model(result, TEST, KIND, theme=LIGHT)
    for line in printed:
        assert traces(figure, line.model)[0].x == (line.effect_size,)
    assert "d = −1.76, p &lt; 0.001" in texts(figure)
    finding = words.models_finding(result, TEST, KIND)
    assert finding is not None
    assert finding.text == (
        "Irani (next to last layer, all tokens): d is −0.54 in BERT-base, the base; +0.20 in MSRP, −1.76 in Jigsaws, "
        "+0.57 in COVID, +0.54 in Hate."
    )
    assert finding.support.startswith("Largest change from the base: −1.22 (Jigsaws). Interval")


def test_the_charts_are_told_in_words() -> None:
    result = two_models()
    assert words.models_text(result, "weat1", KIND, "Drawn") == (
        "Drawn. base (base) d = −0.54, p = 0.145, 95 % interval −1.04 to −0.04; child d = −1.76, p = 0.010, "
        "95 % interval −2.26 to −1.26."
    )
    # Base: X with A (.5 + .7) / 2, with B (.1 + .3 + .2 + .4) / 4; Y with A .4, with B .7.
    assert words.cosines_text(result, "weat1", KIND, "Drawn").startswith(
        "Drawn. Means: base: X with A 0.600, X with B 0.250, Y with A 0.400, Y with B 0.700; child: "
    )
