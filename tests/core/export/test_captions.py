"""What leaves as a picture says what it shows, of which models, and from which words and data."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET

import pandas as pd
import plotly.graph_objects as go
import pytest

from core import results
from core.export import caption, to_html
from core.export.captions import Caption, material
from core.export.figures import _caption_lines
from core.export.renderer import find_browser
from core.export.tables import all_scores, score_table
from core.results import Contrast, Group, LpbsResult, Provenance, Result
from tests.support.association_results import association_result, row
from tests.support.benchmark_results import benchmark_result
from tests.support.profession_results import profession_result, sentences
from tests.support.ruler_results import agreement_result, divergence_result, pairs

KINDS = [kind for kind in vars(results).values() if isinstance(kind, type) and issubclass(kind, Result)]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not Result], ids=lambda kind: kind.__name__)
def test_every_kind_of_result_has_a_caption(kind: type) -> None:
    assert material.dispatch(kind) is not material.dispatch(object)


def test_a_score_names_models_template_groups_words_and_source(lpbs: LpbsResult) -> None:
    assert caption(lpbs, "LPBS, men − women") == Caption(
        "LPBS, men − women",
        (
            "Model: minilm-mlm. Template: “[TARGET] is a [ATTRIBUTE].”",
            "Groups: men (he, chairman); women (she, chairwoman). n = 2 attributes: nurse, pilot.",
            "Source: Occupations, Bureau of Labor Statistics 2019",
        ),
    )


def test_many_templates_are_counted(lpbs: LpbsResult) -> None:
    many = dataclasses.replace(lpbs, templates=tuple(f"{letter} [TARGET] [ATTRIBUTE]" for letter in "abcde"))
    first = caption(many, "").lines[0]
    assert first.endswith(
        "5 templates: “a [TARGET] [ATTRIBUTE]”, “b [TARGET] [ATTRIBUTE]”, “c [TARGET] [ATTRIBUTE]” and 2 more"
    )


def test_other_results_say_what_was_asked() -> None:
    professions = profession_result(sentences({"nurse": 1.0, "clerk": -1.0}))
    assert "n = 2 professions, 4 sentences." in " ".join(material(professions))
    assert "Template: “[TARGET] is a [ATTRIBUTE].”" in " ".join(material(professions))
    assert "weat6, by lpbs." in " ".join(material(association_result([row("m", "weat6", "lpbs", 1.0)])))
    assert "3 templates: " not in " ".join(material(divergence_result()))
    agreement = " ".join(material(agreement_result(pairs())))
    assert "3 templates: “This is the _.”" in agreement
    assert "n = 20 points." in agreement
    benchmark = benchmark_result()
    assert f"n = {len(benchmark.detail)} {benchmark.rows}" in " ".join(material(benchmark))


def test_own_lists_are_named_with_their_numbers() -> None:
    sets = tuple(results.WordSet(letter, (f"{letter}1", f"{letter}2")) for letter in "XYAB")
    asked = results.AskedTest(
        "own", "Own lists: X, Y × A, B", "", sets, ("[TARGET] is [ATTRIBUTE].",), ("he",), ("she",)
    )
    result = dataclasses.replace(association_result([row("m", "own", "lpbs", 1.0)]), tests=(asked,))
    text = " ".join(material(result))
    assert "X = X1, X2 (2); Y = Y1, Y2 (2); A = A1, A2 (2); B = B1, B2 (2)" in text
    assert "“[TARGET] is [ATTRIBUTE].”" in text


def test_html_shows_the_caption_as_text_and_as_its_title(lpbs: LpbsResult, provenance: Provenance) -> None:
    page = to_html(go.Figure(), provenance, "Method.", Caption("he < she", ("Template: “a & b”",))).decode()
    assert "<h1>he &lt; she</h1><p>Template: “a &amp; b”</p>" in page
    assert "<title>he &lt; she · Tiltmeter 0.1.0</title>" in page


def test_a_long_caption_is_wrapped_to_the_width() -> None:
    lines = _caption_lines(Caption("title " * 30, ("word " * 60,)), 400)
    assert all(0.62 * size * len(line) <= 400 for line, size in lines)
    assert " ".join(line for line, _ in lines).split() == ["title"] * 30 + ["word"] * 60


@pytest.mark.skipif(find_browser() is None, reason="no Chrome or Chromium here to draw with")
def test_the_picture_is_higher_by_its_caption_and_shows_it(provenance: Provenance) -> None:
    from core.export import to_svg

    figure = go.Figure(layout={"width": 500, "height": 300})
    plain = ET.fromstring(to_svg(figure, provenance))
    named = ET.fromstring(to_svg(figure, provenance, Caption("A title", ("One line.", "Another line."))))
    texts = ["".join(text.itertext()) for text in named.iter("{http://www.w3.org/2000/svg}text")]
    assert [text for text in texts if text in ("A title", "One line.", "Another line.")] == [
        "A title",
        "One line.",
        "Another line.",
    ]
    # 1.4 times 16 + 11 + 11 pixels of text, and twice 10 of space
    assert float(named.get("height", 0)) - float(plain.get("height", 0)) == pytest.approx(1.4 * 38 + 20)
    left, top, width, height = map(float, named.get("viewBox", "").split())
    assert (left, width) == (0, 500)
    assert top == pytest.approx(-(1.4 * 38 + 20))
    assert height == float(named.get("height", 0))


def test_a_file_of_scores_holds_every_contrast_and_the_templates(lpbs: LpbsResult) -> None:
    groups = tuple(Group(name, (name,)) for name in ("he", "she", "they"))
    contrasts = (Contrast("he", "she"), Contrast("he", "they"))
    summary = [
        {"model": "m", "kind": "attribute", "attribute": "nurse", "contrast": contrast.label, "lpbs": value, "n": 1}
        for contrast, value in zip(contrasts, (-1.0, 2.0), strict=True)
    ]
    detail = [
        {
            "model": "m",
            "attribute": "nurse",
            "group": group.name,
            "association": -0.5,
            "ln_p_target": -1,
            "ln_p_prior": 1,
        }
        for group in groups
    ]
    frame = pd.DataFrame(summary)
    result = dataclasses.replace(
        lpbs,
        summary=frame.assign(ci_low=None, ci_high=None, p_adjusted=None),
        detail=pd.DataFrame(detail),
        groups=groups,
        contrasts=contrasts,
        templates=("[TARGET] is a [ATTRIBUTE].", "A [ATTRIBUTE] is [TARGET]."),
    )
    table = all_scores(result)
    assert list(table["contrast"]) == ["he − she", "he − they"]
    assert list(table["lpbs"]) == [-1.0, 2.0]
    assert set(table["templates"]) == {"[TARGET] is a [ATTRIBUTE]. | A [ATTRIBUTE] is [TARGET]."}
    assert table["ln P they"].isna().tolist() == [True, False]
    assert list(table.columns)[-2:] == ["n", "templates"]
    for contrast in contrasts:
        part = table[table["contrast"] == contrast.label]
        assert list(part["lpbs"]) == list(score_table(result, contrast)["lpbs"])
