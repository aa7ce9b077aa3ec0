"""The mitigation page: what it shows is what the swap gives."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.engine import parentage
from core.measures.lpbs.spec import LpbsSpec
from core.measures.mitigation.change import words as change_words
from core.measures.mitigation.change.spec import ChangeSpec
from core.measures.mitigation.classifier import words as classifier_words
from core.measures.mitigation.classifier.spec import ClassifierSpec
from core.measures.mitigation.swap import compute as swap
from core.measures.mitigation.swap import words
from core.measures.mitigation.swap.spec import SwapSpec
from core.measures.mitigation.texts_given import EXAMPLE
from core.measures.mitigation.tuning import words as tuning_words
from core.measures.mitigation.tuning.result import LOSSES, MODELS, PERPLEXITY
from core.measures.mitigation.tuning.spec import TuningSpec
from core.spec import File
from pages.shared.uploads import digest_of
from tests.pages.visiting import charts, errors, findings, html, settle, visit
from tests.support.finetuning import TEXTS
from tests.support.tiny import tiny_folder

PAGE = "pages/7_Mitigation.py"
TEXT = b"Mary Thomas lost her keys <b>.\nHe said that Jackson was his.\n"


def of_file(content: bytes, name: str = "x.txt", **link: str) -> AppTest:
    at = visit(PAGE, **link)
    at.file_uploader(key="mitigation.text_file").set_value([(name, content, "text/plain")])
    return settle(at)


def test_the_first_visit_shows_a_result() -> None:
    at = visit(PAGE)
    assert findings(at) == [words.finding(SwapSpec().run()).text]
    assert not errors(at)
    assert len(charts(at)) == 1
    assert [button.label for button in at.get("download_button")][:1] == ["Download the swapped file"]


def test_a_file_before_and_after_with_reasons() -> None:
    at = of_file(TEXT, every="yes")
    spec = SwapSpec(file=File.of("x.txt", TEXT), every=True)
    assert findings(at) == [words.finding(spec.run()).text]
    shown = re.sub(r' title="[^"]*"', "", html(at))
    assert "<del>Mary</del><sup>1</sup> Thomas lost <del>her</del><sup>2</sup> keys &lt;b&gt;." in shown
    assert "<ins>John</ins><sup>1</sup> Thomas lost <ins>his</ins><sup>2</sup> keys &lt;b&gt;." in shown
    assert "pronoun: stands alone" in shown
    assert "<b>Jackson</b>: name or word; stays" in shown
    at.segmented_control(key="mitigation.which").set_value("doubtful")
    assert "Thomas lost" not in html(settle(at))


def test_a_path_on_the_server(tmp_path: Path) -> None:
    path = tmp_path / "y.txt"
    path.write_bytes(TEXT)
    at = visit(PAGE, text_path=str(path), every="yes")
    assert findings(at) == [words.finding(SwapSpec(file=path, every=True).run()).text]
    assert "no-such.txt cannot be read" in errors(visit(PAGE, text_path="/no-such.txt"))[0]


def test_two_models_are_one_too_many() -> None:
    at = visit(PAGE, models=["default", str(tiny_folder("bert"))])
    assert "one decides between" in errors(at)[0]


def test_wrong_files_get_a_sentence() -> None:
    assert "is empty" in errors(of_file(b""))[0]
    assert "not plain text" in errors(of_file(b"\x00\x01"))[0]
    assert "lacks the columns" in errors(of_file(b"a\tb\n1\t2\n", "x.tsv"))[0]
    assert "spreadsheet" in errors(of_file(b"PK\x03\x04", "x.xlsx"))[0]


# -- fine-tuning ------------------------------------------------------------------------------------------------------

DATA = "\n".join(TEXTS).encode()


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of the user's models that is nobody's."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def tuning(content: bytes = DATA, **link: str) -> AppTest:
    """The tab with a text of five documents, for five steps of a tiny model; not started."""
    at = visit(PAGE, **{"what": "tuned", "models": str(tiny_folder("bert")), "max_steps": "5", **link})
    at.file_uploader(key="mitigation.tuning_data").set_value([("swapped.txt", content, "text/plain")])
    return settle(at)


def started(at: AppTest) -> AppTest:
    at.button(key="measure").click()
    return settle(at)


def test_fine_tuning_starts_by_its_button_alone(cache: Path, tmp_path: Path) -> None:
    at = tuning(tuned_folder=str(tmp_path / "m"))
    assert not findings(at)
    assert not errors(at)
    assert "It costs time" in at.info[0].value
    assert "It costs disk" in at.info[0].value
    assert "embedded model and a small text" in at.info[0].value
    assert not (tmp_path / "m").exists()
    assert not cache.exists()


def test_five_steps_end_with_their_finding_and_a_model(cache: Path, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    at = started(tuning(tuned_folder=str(folder)))
    assert not errors(at)
    assert parentage.read(folder) is not None
    spec = TuningSpec(
        models=str(tiny_folder("bert")), file=File.of("swapped.txt", DATA), max_steps=5, out=tmp_path / "again" / "m"
    )
    expected = spec.run()
    assert findings(at) == [tuning_words.finding(expected).text]
    (curve,) = charts(at)[0]["data"]
    assert curve["y"] == pytest.approx(list(expected[LOSSES]["loss"]))
    models, prices = (table.value for table in at.dataframe)
    assert list(models["digest"]) == list(expected[MODELS]["digest"])
    assert list(prices["perplexity"]) == pytest.approx(list(expected[PERPLEXITY]["perplexity"]))
    written = (folder / "model.safetensors").stat().st_mtime_ns
    at.number_input(key="mitigation.max_steps").set_value(6)
    settle(at)  # other inputs start nothing
    assert "not what is chosen above" in " ".join(text.value for text in at.text)
    at.number_input(key="mitigation.max_steps").set_value(5)
    assert findings(started(at)) == [tuning_words.finding(expected).text]
    assert (folder / "model.safetensors").stat().st_mtime_ns == written  # finished, so nothing is trained again


def test_fine_tuning_without_a_text_and_into_another_folder_gets_a_sentence(cache: Path, tmp_path: Path) -> None:
    at = started(visit(PAGE, what="tuned", models=str(tiny_folder("bert"))))
    assert errors(at) == ["There is no text to train on; upload a file."]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear reader")
    assert "holds something else" in errors(started(tuning(tuned_folder=str(tmp_path / "mine"))))[0]
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]
    assert "is empty" in errors(started(tuning(b"")))[0]
    assert "masked" in errors(started(tuning(models=str(tiny_folder("gpt2")))))[0]


def test_a_finished_swap_is_trained_on_without_a_file(cache: Path, tmp_path: Path) -> None:
    at = of_file(DATA, "five.txt", every="yes", models=str(tiny_folder("bert")), tuned_folder=str(tmp_path / "m"))
    next(button for button in at.button if button.label == "Fine-tune on this text").click()
    settle(at)
    assert not errors(at)
    texts = [text.value for text in at.text]
    assert ["five-swapped.txt" in texts, "five.txt" in texts] == [True, True]
    expected = swap.swapped_file(
        SwapSpec(file=File.of("five.txt", DATA), every=True, models=str(tiny_folder("bert"))).run()
    )
    assert expected != DATA
    link = {name: str(at.query_params[name]) for name in ("what", "models", "tuning_data", "tuning_control")}
    assert link["tuning_data"] == f"{digest_of(expected)}:five-swapped.txt"
    assert link["tuning_control"] == f"{digest_of(DATA)}:five.txt"
    # By its link the page has both texts again, and trains on them.
    again = visit(PAGE, **link, max_steps="2", tuned_folder=str(tmp_path / "m"))
    assert not errors(again)
    models = started(again).dataframe[0].value
    assert models["control"].tolist() == [False, True]
    assert (tmp_path / "m").is_dir()


def test_the_example_is_trained_on_too(cache: Path) -> None:
    at = visit(PAGE)
    next(button for button in at.button if button.label == "Fine-tune on this text").click()
    settle(at)
    assert not errors(at)
    assert str(at.query_params["tuning_control"]).startswith(digest_of(EXAMPLE.read_bytes()))


def test_a_saved_fine_tuning_opens_here(cache: Path, tmp_path: Path) -> None:
    spec = TuningSpec(
        models=str(tiny_folder("bert")), file=File.of("swapped.txt", DATA), max_steps=3, out=tmp_path / "m"
    )
    result = spec.run()
    at = visit("pages/1_Playground.py")
    box = next(box for box in at.sidebar.get("file_uploader") if ".tilt" in box.label)
    box.set_value([("mine.tilt", result.to_bytes(), "application/zip")])
    settle(at)
    next(button for button in at.button if button.label == "Open it on Mitigation").click()
    at = settle(at)
    at.switch_page(PAGE)
    assert findings(settle(at)) == [tuning_words.finding(result).text]
    assert len(charts(at)) == 1
    assert not errors(at)


# -- text classifiers -------------------------------------------------------------------------------------------------

LABELLED = (
    "comment,kind\n" + "".join(f'"{text}",{"nurse" if "nurse" in text else "other"}\n' for text in TEXTS)
).encode()


def classifying(content: bytes = LABELLED, **link: str) -> AppTest:
    """The tab with a table of five texts, for five steps of a tiny model; not started."""
    given = {"text_column": "comment", "label_column": "kind", "classifier_steps": "5", "classifier_batch": "2"}
    at = visit(PAGE, **{"what": "classified", "models": str(tiny_folder("bert")), **given, **link})
    at.file_uploader(key="mitigation.labelled_data").set_value([("labelled.csv", content, "text/csv")])
    return settle(at)


def test_a_classifier_is_trained_by_its_button_alone(cache: Path, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    at = classifying(classifier_folder=str(folder))
    assert not findings(at)
    assert not errors(at)
    assert "It costs time" in at.info[0].value
    assert not folder.exists()
    at = started(at)
    assert not errors(at)
    parent = parentage.read(folder)
    assert parent is not None
    assert parent.labels == ("nurse", "other")
    spec = ClassifierSpec(
        models=str(tiny_folder("bert")),
        file=File.of("labelled.csv", LABELLED),
        text_column="comment",
        label_column="kind",
        max_steps=5,
        batch=2,
        out=tmp_path / "again" / "m",
    )
    expected = spec.run()
    assert findings(at) == [classifier_words.finding(expected).text]
    scores, labels, models = (table.value for table in at.dataframe)
    assert list(scores["accuracy"]) == list(expected["scores"]["accuracy"])
    assert list(labels["label"]) == ["nurse", "other"]
    assert list(models["digest"]) == list(expected["models"]["digest"])
    assert len(charts(at)) == 2
    at.number_input(key="mitigation.classifier_steps").set_value(6)
    settle(at)  # other inputs start nothing
    assert "not what is chosen above" in " ".join(text.value for text in at.text)


def test_wrong_labelled_files_get_a_sentence(cache: Path) -> None:
    assert "no column “kind”" in errors(started(classifying(b"comment,label\na,b\n")))[0]
    one = errors(started(classifying(b"comment,kind\nIt rained.,wet\nIt poured.,wet\n")))[0]
    assert "holds one label only, “wet”; a classifier needs two or more" in one
    assert "choose a masked model" in errors(started(classifying(models=str(tiny_folder("gpt2")))))[0]


def test_a_saved_classifier_opens_here(cache: Path, tmp_path: Path) -> None:
    result = ClassifierSpec(
        models=str(tiny_folder("bert")),
        file=File.of("labelled.csv", LABELLED),
        text_column="comment",
        label_column="kind",
        max_steps=2,
        out=tmp_path / "m",
    ).run()
    at = visit("pages/1_Playground.py")
    box = next(box for box in at.sidebar.get("file_uploader") if ".tilt" in box.label)
    box.set_value([("mine.tilt", result.to_bytes(), "application/zip")])
    settle(at)
    next(button for button in at.button if button.label == "Open it on Mitigation").click()
    at = settle(at)
    at.switch_page(PAGE)
    assert findings(settle(at)) == [classifier_words.finding(result).text]
    assert len(charts(at)) == 2
    assert not errors(at)


# -- before and after -------------------------------------------------------------------------------------------------

_WORDS = ("nurse", "engineer", "teacher", "doctor", "clerk", "mechanic")


def comparison(**link: str | list[str]) -> AppTest:
    """The tab with two tiny models that are not related, by scores of six words."""
    return visit(
        PAGE,
        **{
            "what": "changed",
            "models": str(tiny_folder("bert")),
            "children": str(tiny_folder("distilbert")),
            "measured": "score",
            "score_attributes": "own",
            "score_own_attributes": "\n".join(_WORDS),
            **link,
        },
    )


def _clicked(traces: list[dict[str, Any]]) -> list[str]:
    """What a click on each mark of a model after gives first."""
    marks = (trace for trace in traces if trace["name"] == "after" and "customdata" in trace)
    return [point[0] for trace in marks for point in trace["customdata"]]


def test_before_and_after_shows_what_the_comparison_gives() -> None:
    at = comparison()
    spec = ChangeSpec(
        models=str(tiny_folder("bert")),
        measured=LpbsSpec(attributes=_WORDS),
        children=str(tiny_folder("distilbert")),
    )
    expected = spec.run()
    assert not errors(at)
    assert findings(at) == [change_words.finding(expected).text]
    bars, differences, dots = (chart["data"] for chart in charts(at))
    assert {trace["name"] for trace in bars} >= {"before", "after"}
    assert sorted(_clicked(dots)) == sorted(_WORDS)
    assert _clicked(differences) == ["distilbert"]
    captions = " ".join(caption.value for caption in at.caption)
    assert "There is no control" in captions
    assert "nothing in its folder says" in captions
    at.segmented_control(key="mitigation.quantity").set_value("size")
    assert not errors(settle(at))


def test_a_control_and_a_price_by_link() -> None:
    at = comparison(controls=str(tiny_folder("electra")))
    at.file_uploader(key="mitigation.price_text").set_value(
        [("held.txt", b"She was late.\nHe was late.\n", "text/plain")]
    )
    at = settle(at)
    assert not errors(at)
    assert "The price: pseudo-perplexity on 2 documents" in html(at)
    assert "Control: size" in html(at)


def test_models_fine_tuned_here_are_found_by_themselves(cache: Path, tmp_path: Path) -> None:
    text = File.of("swapped.txt", DATA)
    spec = TuningSpec(models=str(tiny_folder("bert")), file=text, control=text, max_steps=2, out=tmp_path / "m")
    spec.run()
    at = comparison(children=[])
    assert at.multiselect(key="mitigation.children").value == ["m-seed-0"]
    assert at.multiselect(key="mitigation.controls").value == ["m-control-seed-0"]
    assert not errors(at)
    assert "so it is none" in " ".join(caption.value for caption in at.caption)
    assert "fine-tuned" not in (at.info[0].value if at.info else "")


def test_gender_erased_needs_no_model_after() -> None:
    link = {"association_tests": "weat6", "association_representations": "input-embedding"}
    at = comparison(measured="association", erased="yes", **link)
    assert not errors(at)
    assert "clearly smaller in" in findings(at)[0]
    assert "Nothing was trained" in " ".join(caption.value for caption in at.caption)
    with pytest.raises(KeyError):
        at.multiselect(key="mitigation.children")


def test_without_a_model_after_it_says_where_one_is_made(cache: Path) -> None:
    at = visit(PAGE, what="changed")
    assert not errors(at)
    assert not findings(at)
    assert "make one in the tab “Fine-tuning”" in at.info[0].value


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"models": ["default", str(tiny_folder("bert"))]}, "chosen as the base"),
        ({"children": str(tiny_folder("bert"))}, "chosen twice"),
        ({"children": "no-such-model"}, "no model named “no-such-model”"),
        ({"measured": "benchmark"}, "choose another benchmark"),
    ],
)
def test_what_cannot_be_compared_gets_a_sentence(link: dict[str, str | list[str]], said: str) -> None:
    assert said in errors(comparison(**link))[0]
