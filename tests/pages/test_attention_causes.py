"""Effects of heads on the attention page without a browser."""

from __future__ import annotations

from pathlib import Path

from tests.pages.test_attention import ATTENTION, SHORT, heat
from tests.pages.visiting import charts, errors, findings, settle, visit
from tests.support.tiny import tiny_folder


def test_the_first_visit_shows_which_head_moves_the_outcome() -> None:
    at = visit(ATTENTION, what="causes")
    assert not errors(at)
    (finding,) = findings(at)
    assert finding.startswith("The twin’s value of L5 H8 moves the log odds most: by −3.67 nats towards she")
    grid, largest, scatter = charts(at)
    assert len(heat(grid)[0]["z"]) == 6
    assert len([trace for trace in largest["data"] if trace["type"] == "bar"]) == 1
    assert len(next(trace for trace in scatter["data"] if trace["name"] == "heads")["x"]) == 72
    assert at.selectbox(key="attention.details").value == "minilm-mlm · 5 · 8"
    assert any("do not add up" in caption.value for caption in at.caption)


def test_another_head_is_chosen_in_the_box() -> None:
    at = visit(ATTENTION, what="causes", models=[str(tiny_folder("bert"))], sentence=SHORT)
    at.selectbox(key="attention.details").set_value("bert · 1 · 2")
    settle(at)
    assert any(text.value.startswith("L1 H2: Effect ") for text in at.text)
    (frame,) = charts(at)[0]["layout"]["shapes"]
    assert (frame["x0"], frame["y0"]) == (1.5, 0.5)


def test_a_sentence_without_he_or_she_keeps_what_was_typed() -> None:
    at = visit(ATTENTION, what="causes", sentence="The man told the woman that the nurse was late.")
    assert errors(at)[0].startswith("The sentence “The man told the woman")
    assert errors(at)[0].endswith("has no “he” or “she” to hide; write one that has.")
    assert at.text_area(key="attention.sentence").value.startswith("The man told")


def test_three_groups_are_refused() -> None:
    at = visit(ATTENTION, what="causes", sentence=SHORT, groups="he-she-they")
    assert errors(at) == ["3 groups are given; an effect moves between two."]


def test_a_corpus_of_ones_own_is_measured(tmp_path: Path) -> None:
    corpus = tmp_path / "c.txt"
    corpus.write_text(f"{SHORT}\nIt rained.\n", encoding="utf-8")
    link = {"what": "causes", "over": "own", "models": [str(tiny_folder("bert"))], "intervention": "zero"}
    at = visit(ATTENTION, **link)
    assert not errors(at)
    assert any("Upload a text or CSV file" in caption.value for caption in at.caption)
    at.text_input(key="attention.corpus").set_value(str(corpus))
    settle(at)
    assert not errors(at)
    assert findings(at)[0].startswith("Knocking out L")
    at.text_input(key="attention.corpus").set_value(str(tmp_path / "none.txt"))
    settle(at)
    assert errors(at)[0].startswith(f"There is no file {tmp_path / 'none.txt'};")


def test_two_models_have_a_finding_each() -> None:
    folders = [str(tiny_folder("bert")), str(tiny_folder("distilbert"))]
    at = visit(ATTENTION, what="causes", models=folders, sentence=SHORT, outcome="lpbs", intervention="mean")
    assert not errors(at)
    assert [finding.partition(":")[0] for finding in findings(at)] == ["bert", "distilbert"]
    at.selectbox(key="attention.causes_model").set_value("distilbert")
    settle(at)
    assert any("LPBS" in finding for finding in findings(at))


def test_a_causal_model_alone_says_what_it_lacks() -> None:
    at = visit(ATTENTION, what="causes", models=[str(tiny_folder("gpt2"))], sentence=SHORT)
    assert "begins with the hidden word" in errors(at)[0]
