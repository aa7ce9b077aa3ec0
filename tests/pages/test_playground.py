from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core import sources
from core.engine.loading import LoadedModel
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.result import Progress
from core.run import Run
from pages.shared import resources
from tests.pages.visiting import (
    OWN,
    PLAYGROUND,
    bars,
    button_group,
    charts,
    errors,
    findings,
    html,
    opened,
    playground,
    scores,
    settle,
    visit,
)
from tests.support.tiny import build, tiny_folder
from tests.support.watching import load_tiny

WORDS = ("nurse", "engineer", "teacher")
Measured = Callable[..., LpbsResult]


def test_first_visit_shows_a_measurement_that_can_be_changed(measured: Measured) -> None:
    words = sources.attribute_list("professions").words
    at = visit(PLAYGROUND)
    expected = scores(measured(words), "minilm-mlm")
    (panel,) = bars(charts(at)[0])
    assert list(panel) == list(expected)[:13] + list(expected)[-13:]
    assert panel == pytest.approx({word: expected[word] for word in panel}, abs=1e-5)

    at.toggle(key="playground.all").set_value(True)
    (panel,) = bars(charts(settle(at))[0])
    assert list(panel) == list(expected)


def test_own_words_in_the_order_of_their_lean_or_by_name(measured: Measured) -> None:
    at = playground()
    expected = scores(measured(WORDS), "minilm-mlm")
    (panel,) = bars(charts(at)[0])
    assert list(panel) == list(expected)
    assert panel == pytest.approx(expected, abs=1e-5)
    assert at.dataframe[0].value["lpbs"].tolist() == pytest.approx(list(expected.values()), abs=1e-5)

    button_group(at, "playground.order").set_value("name")
    settle(at)
    assert list(bars(charts(at)[0])[0]) == sorted(WORDS)
    assert at.dataframe[0].value["attribute"].tolist() == sorted(WORDS)


def test_scores_without_an_interval_are_counted_without_their_mean() -> None:
    """Three words in one template: three scores of one value each, and a mean of 3 of at least 6 attributes.

    In six templates each score has its six values, and only the mean has no interval, which more templates do not mend.
    """
    (said,) = [text.value for text in playground().caption if "single score" in text.value]
    assert said.startswith("No interval or p for 3 single scores:")
    more = "\n".join(f"The [ATTRIBUTE] said on day {day} that [TARGET] was tired." for day in range(2, 7))
    at = playground(more_templates=more)
    assert not [text.value for text in at.caption if "single score" in text.value]
    assert "n = 3 of at least 6 attributes" in html(at)


def test_groups_in_the_other_order_turn_every_sign() -> None:
    (one,) = bars(charts(playground(groups=OWN, own_groups="he\nshe"))[0])
    (other,) = bars(charts(playground(groups=OWN, own_groups="she\nhe"))[0])
    assert other == pytest.approx({word: -value for word, value in one.items()}, abs=1e-6)
    assert list(other) == list(reversed(one))


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        ("[TARGET] is [TARGET] and a [ATTRIBUTE].", "Found 2 [TARGET] slots, needs 1: write"),
        ("[TARGET] is a nurse.", "Found 0 [ATTRIBUTE] slots, needs 1: write"),
        ("[MASK] is a [ATTRIBUTE].", "Found [MASK]"),
        ("[target] is a [ATTRIBUTE].", "write the slot as [TARGET]"),
        ("[TARGET][ATTRIBUTE]", "touch"),
        ("", "The template is empty"),
    ],
)
def test_wrong_template_is_said_once_and_what_was_measured_before_is_not_shown_as_its_result(
    template: str, sentence: str
) -> None:
    at = playground()
    at.text_input(key="playground.template").set_value(template)
    settle(at)
    (said,) = errors(at)
    assert sentence in said.replace("\\", "")
    assert any("Shown below is the last measurement" in text.value for text in at.text)
    assert at.text_input(key="playground.template").value == template, "what was typed stays"


def test_wrong_template_in_a_link() -> None:
    (said,) = errors(playground(template="[TARGET] is a nurse."))
    assert "Found 0 [ATTRIBUTE] slots" in said.replace("\\", "")


def test_one_good_template_after_another(measured: Measured) -> None:
    """A page that runs itself again for every new template must stop when it has drawn it."""
    at = playground()
    at.text_input(key="playground.template").set_value("[TARGET] is a [ATTRIBUTE].")
    settle(at)
    expected = scores(measured(WORDS, template="[TARGET] is a [ATTRIBUTE]."), "minilm-mlm")
    assert bars(charts(at)[0])[0] == pytest.approx(expected, abs=1e-5)


def test_template_is_corrected_after_an_error(measured: Measured) -> None:
    at = playground(template="[TARGET] is a nurse.")
    at.text_input(key="playground.template").set_value("[TARGET] is a [ATTRIBUTE].")
    settle(at)
    assert not errors(at)
    expected = scores(measured(WORDS, template="[TARGET] is a [ATTRIBUTE]."), "minilm-mlm")
    assert bars(charts(at)[0])[0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("key", "text", "sentence"),
    [
        ("own_groups", "he: he", "Found 1 of at least 2 groups"),
        ("own_groups", "he: he\n: she", "Line 2 has no name"),
        ("own_groups", "he: he\nhe: she", "named “he”"),
        ("own_attributes", " , ,", "no word in the list"),
        ("own_attributes", "x" * 101, "101 characters"),
        ("own_attributes", "a [TARGET]", "belongs into a template"),
        ("more_templates", "[TARGET] is tired.", "Found 0 [ATTRIBUTE] slots"),
    ],
)
def test_words_that_cannot_be_read_get_their_sentence(key: str, text: str, sentence: str) -> None:
    at = playground(groups=OWN)
    at.text_area(key=f"playground.{key}").set_value(text)
    settle(at)
    (said,) = errors(at)
    assert sentence in said.replace("\\", "")
    assert at.text_area(key=f"playground.{key}").value == text

    at.text_area(key=f"playground.{key}").set_value(
        {"own_groups": "he\nshe", "own_attributes": "nurse", "more_templates": ""}[key]
    )
    settle(at)
    assert not errors(at)
    assert len(findings(at)) == 1


def test_presets_change_the_measurement(measured: Measured) -> None:
    at = playground("lawyer, doctor")
    preset = sources.group_preset("men-women")
    at.selectbox(key="playground.groups").set_value(preset.id)
    settle(at)
    expected = measured(["lawyer", "doctor"], groups=sources.format_groups(preset.groups))
    (contrast,) = expected.contrasts
    assert bars(charts(at)[0])[0] == pytest.approx(scores(expected, "minilm-mlm", contrast.label), abs=1e-5)

    words = sources.attribute_list("weat-temporary-permanent")
    at.selectbox(key="playground.attributes").set_value(words.id)
    settle(at)
    expected = scores(measured(words.words, groups=sources.format_groups(preset.groups)), "minilm-mlm", contrast.label)
    assert bars(charts(at)[0])[0] == pytest.approx(expected, abs=1e-5)
    assert f"of {len(expected)}" in findings(at)[0]
    assert words.noun_plural in findings(at)[0]


def test_options_reach_the_result(measured: Measured) -> None:
    words = ("registered nurse", "steel worker")
    at = playground(", ".join(words))
    default = bars(charts(at)[0])[0]
    at.selectbox(key="playground.masking").set_value("single")
    settle(at)
    single = bars(charts(at)[0])[0]
    assert single == pytest.approx(scores(measured(words, options={"masking": "single"}), "minilm-mlm"), abs=1e-5)
    assert single != pytest.approx(default, abs=1e-3)

    at.text_area(key="playground.more_templates").set_value("[TARGET] is a [ATTRIBUTE].")
    at.number_input(key="playground.seed").set_value(7)
    settle(at)
    both = measured(
        words,
        template="The [ATTRIBUTE] said that [TARGET] was tired.\n[TARGET] is a [ATTRIBUTE].",
        options={"masking": "single", "seed": 7},
    )
    assert bars(charts(at)[0])[0] == pytest.approx(scores(both, "minilm-mlm"), abs=1e-5)
    assert "2 templates" in html(at)


def test_word_of_several_pieces_is_left_out_by_name_or_scored_jointly() -> None:
    groups = "m: chairman, man\nf: chairwoman, woman"
    at = playground("nurse", groups=OWN, own_groups=groups)
    assert any("chairwoman" in text.value for text in at.text), "the list of words left out names it"
    at.selectbox(key="playground.several_pieces").set_value("joint")
    settle(at)
    assert not errors(at)
    assert not any("chairwoman" in item.value for item in at.text)


def test_three_groups_give_contrasts_to_choose_from(measured: Measured) -> None:
    preset = sources.group_preset("he-she-they")
    at = playground(groups=preset.id)
    contrasts = button_group(at, "playground.contrast")
    assert contrasts.options == ["he − she", "he − they", "she − they"]
    contrasts.set_value("she − they")
    settle(at)
    result = measured(WORDS, groups="he\nshe\nthey")
    assert bars(charts(at)[0])[0] == pytest.approx(scores(result, "minilm-mlm", "she − they"), abs=1e-5)
    assert "he" not in findings(at)[0].replace("she", "").replace("they", "").replace("the", "").split()

    at.selectbox(key="playground.contrasts").set_value("others")
    settle(at)
    result = measured(WORDS, groups="he\nshe\nthey", options={"contrasts": "others"})
    assert button_group(at, "playground.contrast").options == [contrast.label for contrast in result.contrasts]
    assert bars(charts(at)[0])[0] == pytest.approx(scores(result, "minilm-mlm", result.contrasts[0].label), abs=1e-5)


def test_a_preset_that_does_not_fit_proposes_a_template_that_does(measured: Measured) -> None:
    at = playground(groups="religion")
    (warning,) = at.warning
    assert "Adjectives, such as “Christian”" in warning.value.replace("\\", "")
    assert any("stands for the unaffiliated" in caption.value for caption in at.caption)
    better = "The [TARGET] [ATTRIBUTE] was tired."
    (button,) = [item for item in at.button if item.label.replace("\\", "") == f"Use “{better}”"]
    button.click()
    settle(at)
    assert not at.warning
    assert at.text_input(key="playground.template").value == better
    preset = sources.group_preset("religion")
    result = measured(WORDS, template=better, groups=sources.format_groups(preset.groups))
    assert at.selectbox(key="playground.contrast").options == [contrast.label for contrast in result.contrasts]
    assert bars(charts(at)[0])[0] == pytest.approx(scores(result, "minilm-mlm", "Christian − Muslim"), abs=1e-5)
    assert "too few attributes to say" in html(at)


def test_contrast_without_any_score_is_a_sentence() -> None:
    at = playground(groups=OWN, own_groups="x: chairwoman\nhe: he\nshe: she")
    assert not charts(at) or findings(at)[0].startswith("No score in this contrast")
    button_group(at, "playground.contrast").set_value("he − she")
    settle(at)
    assert "3 words: too few to say" in findings(at)[0]


def test_two_masked_models_side_by_side_and_one_against_the_other(measured: Measured, embedded: LoadedModel) -> None:
    at = playground(models=["minilm-mlm", str(tiny_folder("bert"))])
    result = measured(WORDS, models=[embedded, load_tiny("bert")])
    first, second = bars(charts(at)[0])
    assert first == pytest.approx(scores(result, "minilm-mlm"), abs=1e-5)
    assert second == pytest.approx(scores(result, "bert"), abs=1e-5)
    assert list(first) == list(second), "one row a word across the panels"
    assert [finding.split(":")[0] for finding in findings(at)] == ["minilm-mlm", "bert"]

    button_group(at, "playground.view").set_value("scatter")
    settle(at)
    (points,) = [trace for trace in charts(at)[0]["data"] if trace["name"] == "he − she"]
    across, up = scores(result, "minilm-mlm"), scores(result, "bert")
    drawn = {mark[0]: (x, y) for mark, x, y in zip(points["customdata"], points["x"], points["y"], strict=True)}
    assert set(drawn) == set(WORDS)
    for word, (x, y) in drawn.items():
        assert (x, y) == pytest.approx((across[word], up[word]), abs=1e-5)


@pytest.mark.parametrize("template", ["The [ATTRIBUTE] said that [TARGET] was tired.", "[TARGET] is a [ATTRIBUTE]."])
def test_masked_beside_causal(template: str, measured: Measured, embedded: LoadedModel) -> None:
    at = playground(models=["minilm-mlm", str(tiny_folder("gpt2"))], template=template)
    result = measured(WORDS, template=template, models=[embedded, load_tiny("gpt2")])
    first, second = bars(charts(at)[0])
    assert first == pytest.approx(scores(result, "minilm-mlm"), abs=1e-5)
    assert second == pytest.approx(scores(result, "gpt2"), abs=1e-5)
    captions = [item.value for item in at.caption]
    assert result.notes
    assert all(any(str(note) in caption.replace("\\", "") for caption in captions) for note in result.notes)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ("no-such-model", "There is no model named “no-such-model”"),
        ("minilm", "Did you mean minilm-mlm"),
        ("/no/such/folder", "There is no folder /no/such/folder"),
    ],
)
def test_unknown_model_is_a_sentence_and_the_inputs_stay(model: str, sentence: str) -> None:
    at = playground(models=model)
    (said,) = errors(at)
    assert sentence in said.replace("\\", "")
    assert not charts(at)
    assert at.text_area(key="playground.own_attributes").value == "nurse, engineer, teacher"
    at.multiselect(key="playground.models").set_value(["minilm-mlm"])
    settle(at)
    assert not errors(at)
    assert set(bars(charts(at)[0])[0]) == set(WORDS)


def test_model_without_a_prediction_head_is_refused() -> None:
    at = playground(models=str(tiny_folder("bert-encoder")))
    (said,) = errors(at)
    assert "no trained prediction head: LPBS is not possible, embeddings and attention are" in said
    assert not charts(at)


def test_no_model_asks_for_one() -> None:
    at = playground()
    at.multiselect(key="playground.models").set_value([])
    settle(at)
    assert "Choose a model" in at.info[0].value
    assert not charts(at)


def test_measure_tries_again_what_failed(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    at = playground(models=str(folder))
    assert "There is no folder" in errors(at)[0]
    build("bert", folder)
    at.button(key="measure").click()
    settle(at)
    assert not errors(at)
    assert len(findings(at)) == 1


def test_text_stands_as_typed() -> None:
    """Cases 12: in Markdown `[MASK] [MASK]` would be a link and vanish."""
    at = playground("steel worker", template="[TARGET] is a [ATTRIBUTE].")
    page = html(at)
    assert "<code>[MASK] is a steel worker.</code>" in page
    assert "<code>[MASK] is a [MASK] [MASK].</code>" in page


def test_words_of_a_user_are_text_and_never_markup() -> None:
    at = playground("<b>bold</b> & co, *nurse*", groups=OWN, own_groups="<i>he: he\nshe: she")
    page = html(at)
    assert "<b>bold" not in page
    assert "<i>" not in page
    assert "&lt;i&gt;he" in page
    assert set(bars(charts(at)[0])[0]) == {"<b>bold</b> & co", "*nurse*"}


def test_stop_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch, measured: Measured) -> None:
    """The work is a stub that has one model of two done when Stop is pressed."""
    started = threading.Event()

    def one_of_two(_spec: LpbsSpec, run: Run[LpbsResult]) -> LpbsResult:
        run.report(Progress("Asking bert", 3, 8))
        started.set()
        while not run.cancelled():
            threading.Event().wait(0.01)
        return measured(WORDS)

    monkeypatch.setattr(resources, "measure", one_of_two)
    at = opened(
        PLAYGROUND,
        models=["minilm-mlm", str(tiny_folder("bert"))],
        attributes=OWN,
        own_attributes=", ".join(WORDS),
    ).run()
    assert started.is_set()
    assert "3 of 8" in at.get("progress")[0].proto.text
    assert not findings(at)
    next(button for button in at.button if button.label == "Stop").click()
    settle(at)
    (said,) = findings(at)
    assert said.startswith("minilm-mlm: "), "of two that were asked for, one has a finding"
    assert bars(charts(at)[0])[0] == pytest.approx(scores(measured(WORDS), "minilm-mlm"), abs=1e-5)


def test_how_many_lean_which_way_is_said_and_drawn(measured: Measured) -> None:
    templates = "[TARGET] is a [ATTRIBUTE].\nThe [ATTRIBUTE] said that [TARGET] was tired."
    first, second = templates.splitlines()
    at = playground(", ".join(WORDS), template=first, more_templates=second)
    assert not errors(at)
    rows = measured(WORDS, template=templates)["shares"]
    captions = [caption.value.replace("\\", "") for caption in at.caption]
    (said,) = (caption for caption in captions if caption.startswith("Towards he: "))
    assert "single templates" in said
    drawn = next(
        trace
        for chart in charts(at)
        for trace in chart["data"]
        if trace.get("name") == "minilm-mlm" and trace["type"] == "scatter"
    )
    assert drawn["x"] == pytest.approx([100 * share for share in rows["share"]])
    assert "How many lean which way" in [heading.value for heading in at.subheader]


def test_only_what_has_a_score_is_counted_on_the_switch() -> None:
    """28 words, of which a sentence shows one as another: 27 have a score, which all fit on the screen."""
    words = [f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"] + ["nurse", "Nurse"]
    at = playground(", ".join(words))
    assert len(bars(charts(at)[0])[0]) == 27
    assert not at.toggle
