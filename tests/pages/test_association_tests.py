from __future__ import annotations

from typing import Any

import pytest

from core import sources
from core.engine.loading import LoadedModel
from core.measures.association import words
from core.measures.association.spec import AssociationSpec
from tests.pages.visiting import charts, errors, findings, html, visit
from tests.support import association
from tests.support.tiny import tiny_folder

PAGE = "pages/2_Association_tests.py"
OWN: dict[str, Any] = {
    "own_x": "he\nman",
    "own_y": "she\nwoman",
    "own_a": "engineer\ndoctor",
    "own_b": "nurse\nteacher",
}


def marks(figure: dict[str, Any]) -> dict[tuple[str, ...], float]:
    """d of every mark of the forest, by (model, test, representation)."""
    return {
        tuple(mark[:3]): float(x)
        for trace in figure["data"]
        if trace.get("customdata") and "markers" in trace.get("mode", "")
        for mark, x in zip(trace["customdata"], trace["x"], strict=True)
    }


def test_the_chart_holds_what_the_experiment_gives(embedded: LoadedModel) -> None:
    at = visit(PAGE, tests=["weat7"], representations=["lpbs", "input-embedding"])
    assert not errors(at)
    result = association.run([embedded], [sources.association_test("weat7")], ["lpbs", "input-embedding"])
    expected = {
        (row.model, row.test, row.representation): row.effect_size for row in result["tests"].itertuples(index=False)
    }
    assert marks(charts(at)[0]) == pytest.approx(expected, abs=1e-5)
    assert findings(at)[0].startswith("X is more strongly associated with A in ")
    assert "of 2" in findings(at)[0]


def test_tables_have_the_titles_of_the_controls() -> None:
    at = visit(PAGE, tests=["weat6"], representations=["lpbs", "input-embedding"])
    assert not errors(at)
    for table in at.dataframe:
        assert set(table.value["test"]) == {sources.association_test("weat6").title}
    assert set(at.dataframe[0].value["representation"]) == {"LPBS", "input embedding"}


def test_own_lists_are_measured_beside_published_tests() -> None:
    at = visit(PAGE, tests=["weat8"], representations=["pooled-no-context"], **OWN)
    assert not errors(at)
    assert {test for _, test, _ in marks(charts(at)[0])} == {"weat8", "own"}


def test_published_groups_stand_for_x_and_y() -> None:
    lists = {"own_a": "kind\nwise", "own_b": "rude\nweak"}
    at = visit(PAGE, tests=["weat10"], representations=["input-embedding"], own_xy="disability", **lists)
    assert not errors(at)
    assert {test for _, test, _ in marks(charts(at)[0])} == {"weat10", "own"}
    said = "\n".join(caption.value for caption in at.caption).replace("\\", "")
    assert "WEAT 10: The list is older than the young of today" in said
    assert "Own lists: Words that name the person by the disability" in said
    assert "X and Y: disability: with / without, 3 words each, U.S. Census Bureau 2008" in said


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({**OWN, "own_xy": "age"}, "X and Y are typed and from groups"),
        ({"own_x": "he\nman"}, "Your own lists need all four sets; Targets Y and Attributes A and Attributes B"),
        ({**OWN, "own_y": "he\nwoman"}, "he"),
        ({**OWN, "own_x": "he\nhe, man", "own_templates": "[TARGET] is [ATTRIBUTE]."}, "group"),
        (
            {**OWN, "own_templates": "[TARGET] is nice.", "own_group1": "he", "own_group2": "she"},
            "Found 0 [ATTRIBUTE] slots",
        ),
        ({"layer": "three"}, "“three” is not a valid layer"),
        ({"vectors": "/no/such/file.vec"}, "There is no file /no/such/file.vec"),
    ],
)
def test_bad_input_is_a_sentence(link: dict[str, Any], sentence: str) -> None:
    at = visit(PAGE, tests=["weat7"], representations=["input-embedding"], **link)
    said = " ".join(errors(at)).replace("\\", "")
    assert sentence in said
    assert not charts(at)


def test_what_cannot_be_computed_says_why() -> None:
    at = visit(PAGE, tests=["weat2", "weat7"], representations=["lpbs"])
    assert any("weat2 by lpbs: not computed, no template" in text.value for text in at.text)


def test_a_layer_that_does_not_exist_is_a_sentence() -> None:
    at = visit(PAGE, tests=["weat7"], representations=["pooled-no-context"], layer="40")
    assert "Layer 40 does not exist" in errors(at)[0]


def test_an_encoder_without_a_head_has_vectors_but_no_lpbs() -> None:
    folder = str(tiny_folder("bert-encoder"))
    at = visit(PAGE, models=[folder], tests=["weat7"], representations=["lpbs", "input-embedding"], **OWN)
    assert not errors(at)
    assert {representation for _, _, representation in marks(charts(at)[0])} == {"input-embedding"}
    assert any("no trained prediction head" in text.value for text in at.text)


def test_sources_and_limits_are_on_the_page() -> None:
    at = visit(PAGE, tests=["weat7"], representations=["input-embedding"])
    assert any("Caliskan" in text.value for text in at.text)
    assert "adjusted p &lt; .05" in html(at)


def test_several_models_stand_side_by_side_the_first_as_the_base() -> None:
    child = str(tiny_folder("bert"))
    at = visit(PAGE, models=["default", child], tests=["irani"], representations=["layer-11-mean"])
    assert not errors(at)
    spec = AssociationSpec(models=("default", child), tests=("irani",), representations=("layer-11-mean",))
    expected = words.models_finding(spec.run(), "irani", "layer-11-mean")
    assert expected is not None
    assert findings(at)[-1] == expected.text
    effects, cosines = charts(at)[-2:]
    assert [trace["x"][0] for trace in effects["data"] if trace.get("customdata")] == pytest.approx(
        [row.effect_size for row in spec.run()["tests"].itertuples()]
    )
    assert len([trace for trace in cosines["data"] if trace["name"] == "X" and trace.get("customdata")]) == 2
    assert "The models side by side" in [heading.value for heading in at.subheader]


def test_one_model_has_nothing_beside_it() -> None:
    at = visit(PAGE, tests=["weat7"], representations=["input-embedding"])
    assert "The models side by side" not in [heading.value for heading in at.subheader]


def test_erasing_gender_is_a_choice_and_its_table_is_shown() -> None:
    """LPBS says why it cannot take part; the view over layers says why there is none."""
    chosen = {"tests": ["weat7"], "representations": ["lpbs", "pooled-no-context"], "erase": "leace"}
    at = visit(PAGE, **chosen, view="layers")
    assert not errors(at)
    assert any("LEACE" in item.value for item in at.caption)
    assert any("LPBS reads no vectors" in item.value for item in at.text)
    (erased,) = (table.value for table in at.dataframe if "rank" in table.value)
    assert erased["rank"].tolist() == [1]
    assert erased["held_out"].tolist() == [16]  # male, man, boy, brother, he, him, his, son and their partners
    assert any("gender was erased" in item.value for item in at.info)
