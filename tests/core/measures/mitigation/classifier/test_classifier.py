from __future__ import annotations

import math
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.charts import LIGHT
from core.cli import main
from core.engine import catalog
from core.errors import ModelError, NothingToScore, OptionError, WordListError
from core.measures.association.spec import AssociationSpec
from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import measures
from core.measures.mitigation.classifier import figures, words
from core.measures.mitigation.classifier.metric import held_out, label_scores, macro_f1, majority
from core.measures.mitigation.classifier.result import (
    AFTER,
    BEFORE,
    LABELS,
    LOSSES,
    MAJORITY,
    MODELS,
    SCORES,
    ClassifierResult,
)
from core.measures.mitigation.classifier.spec import EXAMPLE, ClassifierSpec, Rate
from core.run import Run
from core.spec import File
from tests.support.classifier_results import classifier_result
from tests.support.tiny import tiny_folder

WHO = {"woman": ("she", "her sister", "the woman", "her mother"), "man": ("he", "her brother", "the man", "his father")}
ENDS = ("was late.", "was right.", "is a teacher.", "is a nurse.", "is tired.", "is a doctor.", "is here.", "was calm.")
ROWS = [(f"{who} {end}", label) for label, people in WHO.items() for who in people for end in ENDS]
DATA = File.of("people.csv", ("text,label\n" + "".join(f"{text},{label}\n" for text, label in ROWS)).encode())


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of the user's models that is nobody's."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def spec_into(folder: Path | None, **changed: Any) -> ClassifierSpec:
    spec = ClassifierSpec(
        models=(str(tiny_folder("albert")),), file=DATA, max_steps=4, epochs=99, batch=8, rate=Rate.HIGHEST, out=folder
    )
    return replace(spec, **changed)


def same(result: ClassifierResult, expected: ClassifierResult) -> bool:
    """Equal numbers, whatever the folders are called and however long it took."""
    loose = ["model", "folder", "digest", "seconds"]
    return all(
        result[table].drop(columns=loose, errors="ignore").equals(expected[table].drop(columns=loose, errors="ignore"))
        for table in result.tables
    )


# -- pure numbers -----------------------------------------------------------------------------------------------------


def test_a_tenth_of_each_label_is_held_out_at_even_distances() -> None:
    # a: 20 texts at places 0 to 19, of which the 6th and the 16th; b: 3 texts, of which the second; c: a single one.
    assert held_out(["a"] * 20 + ["b"] * 3 + ["c"]) == (5, 15, 21)
    assert held_out(["a", "b", "a", "b"]) == (2, 3)
    assert held_out(["a"]) == ()


def test_the_majority_is_the_most_frequent_label_and_of_several_the_first() -> None:
    assert majority([2, 0, 2, 1]) == 2
    assert majority([2, 1, 2, 1]) == 1


def test_label_scores_by_hand() -> None:
    # Label 0: texts 4, said 3, right 2; label 1: texts 2, said 2, right 1; label 2: no text, said once.
    first, second, third = label_scores([0, 0, 0, 0, 1, 1], [0, 0, 1, 2, 0, 1], 3)
    assert (first.n, first.predicted, first.precision, first.recall) == (4, 3, 2 / 3, 2 / 4)
    assert first.f1 == pytest.approx(2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2))
    assert (second.precision, second.recall, second.f1) == (1 / 2, 1 / 2, 1 / 2)
    assert (third.n, third.predicted, third.precision, third.recall, third.f1) == (0, 1, 0.0, None, None)
    assert macro_f1((first, second, third)) == pytest.approx((4 / 7 + 1 / 2) / 2)
    (never, _) = label_scores([0, 1], [1, 1], 2)
    assert (never.precision, never.recall, never.f1) == (None, 0.0, 0.0)


# -- measuring --------------------------------------------------------------------------------------------------------


def test_some_steps_raise_the_held_out_accuracy_above_the_majority(cache: Path) -> None:
    result = ClassifierSpec(max_steps=8, batch=8, rate=Rate.HIGHEST).run()
    (row,) = result[MODELS].to_dict("records")
    name = "minilm-mlm-example_labelled"
    assert (row["model"], row["folder"], row["steps"]) == (name, str(cache / "tiltmeter" / "models" / name), 8)
    assert row["last_loss"] < row["first_loss"] - 0.05
    assert len(result[LOSSES]) == 8
    scores = result[SCORES].set_index("classifier")
    # Held out are 3 of 30 texts a label: the majority label is right in half of them, and its F1 is 2·3 / (3 + 6).
    assert list(scores["n"]) == [6, 6, 6]
    assert scores.loc[MAJORITY, "accuracy"] == 50.0
    assert scores.loc[MAJORITY, "macro_f1"] == pytest.approx((2 * 3 / (3 + 6)) / 2)
    assert scores.loc[AFTER, "accuracy"] > 80.0
    assert scores.loc[AFTER, "accuracy"] > scores.loc[BEFORE, "accuracy"]
    labels = result[LABELS].set_index("label")
    assert labels["n_trained"].to_dict() == {"kitchen": 27, "weather": 27}
    assert labels["n_held_out"].to_dict() == {"kitchen": 3, "weather": 3}
    entry = catalog.find(name)
    assert entry is not None
    assert entry.kind == "encoder"


def test_its_associations_are_measured_beside_those_of_the_base_and_lpbs_refuses_it(tmp_path: Path) -> None:
    base = str(tiny_folder("albert"))
    result = spec_into(tmp_path / "judge").run()
    test = AssociationSpec(models=(base, "judge"), tests=("irani",), representations=("layer-11-mean",)).run()
    before, after = test["tests"]["effect_size"]
    assert math.isfinite(before)
    assert math.isfinite(after)
    assert before != after
    (info,) = (info for info in test.provenance.models if info.name == "judge")
    assert info.digest == result[MODELS]["digest"].iloc[0]
    assert "to tell 2 labels of texts apart from albert" in info.notes[0]
    assert "on people.csv (text, label) (SHA-256" in info.notes[0]
    with pytest.raises(ModelError, match="has no trained prediction head: LPBS is not possible, embeddings"):
        LpbsSpec(models=("judge",)).run()


def test_seeds_are_one_job_and_hold_out_the_same_texts(tmp_path: Path) -> None:
    spec = spec_into(tmp_path / "m", seeds=2, seed=5)
    result = spec.run()
    assert list(result[MODELS]["model"]) == ["m-seed-5", "m-seed-6"]
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == ["m-seed-5", "m-seed-6"]
    assert result[MODELS]["digest"].nunique() == 2
    assert list(result[SCORES]["classifier"]) == [MAJORITY, BEFORE, BEFORE, AFTER, AFTER]
    assert list(result[SCORES]["seed"].dropna()) == [5, 6, 5, 6]
    assert same(spec.run(), result)
    alone = spec_into(tmp_path / "alone", seed=6).run()
    assert list(alone[MODELS]["digest"]) == [result[MODELS]["digest"][1]]
    assert any("Give three seeds" in note.text for note in alone.notes)


def test_stopped_and_resumed_is_as_if_never_stopped(tmp_path: Path) -> None:
    expected = spec_into(tmp_path / "whole", seeds=2).run()
    spec = spec_into(tmp_path / "m", seeds=2)
    for patience in (2, 4, 9):
        run: Run[Any] = Run(spec)
        asked = iter(range(patience))
        run.cancelled = lambda asked=asked: next(asked, None) is None  # type: ignore[method-assign]
        part = spec.run(run)
        assert part.stopped
        assert part[SCORES].empty
        assert "the texts held out were not labelled" in words.finding(part).text
        assert figures.draw(part, model="", theme=LIGHT).data
    assert same(spec.run(), expected)


def test_a_run_that_is_stopped_at_once_has_nothing(tmp_path: Path) -> None:
    spec = spec_into(tmp_path / "m")
    run: Run[Any] = Run(spec)
    run.cancelled = lambda: True  # type: ignore[method-assign]
    with pytest.raises(NothingToScore, match="No step was made"):
        spec.run(run)
    assert not (tmp_path / "m").exists()


def test_labelling_reports_its_progress_and_is_not_done_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_into(tmp_path / "m", max_steps=1)
    run: Run[Any] = Run(spec)
    heard: list[str] = []
    monkeypatch.setattr(run, "report", lambda progress: heard.append(progress.stage))
    result = spec.run(run)
    assert [f"Labelling texts held out, {when} training, seed 0" in heard for when in (BEFORE, AFTER)] == [True, True]
    heard.clear()
    assert same(spec.run(run), result)
    assert not any("Labelling" in stage for stage in heard)


def test_what_was_passed_over_or_cut_is_said(tmp_path: Path) -> None:
    rows = f"text,label\na,x\na,y\nb,\n{'nurse ' * 30},x\nc d,y\ne f,y\nit,z\n"
    result = spec_into(tmp_path / "m", file=File.of("t.csv", rows.encode()), length=16).run()
    notes = " ".join(note.text for note in result.notes)
    assert "t.csv: texts cut to 16 tokens or what the model takes: 1." in notes
    assert "rows without a text or a label were passed over: 1." in notes
    assert "that no text is both trained on and held out: 1, 1 of them with another label." in notes
    assert "n too small (2 of at least 6 texts held out)" in notes
    assert "single text, which is trained on and not held out: z." in notes
    assert result[SCORES]["ci_low"].isna().all()
    assert "too few for an interval and a verdict" in words.finding(result).support


def test_the_example_is_balanced_and_ours() -> None:
    found = ClassifierSpec().labelled()
    assert Counter(found.labels) == {"kitchen": 30, "weather": 30}
    assert (found.repeated, found.blank) == (0, 0)
    assert EXAMPLE.name == "example_labelled.csv"
    assert len(held_out(found.labels)) == 6


# -- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dtype": "bfloat16"}, "fine-tuned in float32"),
        ({"models": ("default", "gpt2")}, "one at a time is fine-tuned"),
        ({"rate": "7"}, "Learning rate: “7” is not possible"),
        ({"seed": 2**31 - 1, "seeds": 2}, "choose a smaller seed"),
        ({"text_column": " "}, "No column is named"),
        ({"length": 4}, "Tokens read of a text is 4"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        ClassifierSpec(**changed)


def test_the_command_refuses_with_a_sentence_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    albert, out = str(tiny_folder("albert")), str(tmp_path / "out")
    path = tmp_path / "people.csv"
    path.write_bytes(DATA.data)

    def refused(*arguments: str, model: str = albert) -> str:
        assert main(["classify", "--model", model, "--data", str(path), *arguments]) in (1, 2)
        error = capsys.readouterr().err
        assert "Traceback" not in error
        return error

    assert "no column “comment”" in refused("--text-column", "comment", "--out", out)
    assert "as the column of texts and of labels" in refused("--text-column", "label", "--out", out)
    assert "something else" in refused("--out", str(tmp_path))
    assert "something else" in refused("--out", str(tmp_path), "--seeds", "3")
    assert "called as its model" in refused("--out", str(tmp_path / "albert"))
    assert "choose a masked model" in refused("--out", out, model=str(tiny_folder("gpt2")))
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))
        assert "has 0.0 GB left" in refused("--out", out)
    assert sorted(found.name for found in tmp_path.iterdir()) == ["people.csv"]
    with pytest.raises(WordListError, match="one label only"):
        ClassifierSpec(file=File.of("t.csv", b"text,label\na,x\nb,x\n")).labelled()


def test_another_column_is_another_model(tmp_path: Path) -> None:
    rows = "text,label,other\na,x,y\nb,x,x\nc,y,y\nd,y,x\n"
    spec = spec_into(tmp_path / "m", file=File.of("t.csv", rows.encode()), max_steps=1)
    spec.run()
    with pytest.raises(OptionError, match="another fine-tuning"):
        replace(spec, label_column="other").run()


def test_it_is_a_command() -> None:
    assert measures()["classify"] is ClassifierSpec


# -- texts and figures ------------------------------------------------------------------------------------------------


def test_the_finding_says_accuracy_beside_the_majority() -> None:
    found = words.finding(classifier_result())
    assert found.text == (
        "After training, 90.0 % of 20 texts held out get their own of 2 labels; before 40.0 %, always saying the most "
        "frequent label 50.0 %."
    )
    assert found.support == (
        "That is above the most frequent label: its share lies below the 95 % interval. Macro F1 0.90. Loss 0.700 at "
        "first, 0.200 at last, in nats, means over 10 steps."
    )
    several = words.finding(classifier_result([(50.0, 0.3), (40.0, 0.4), (90.0, 0.9), (60.0, 0.6)]))
    assert "75.0 % of 20 texts held out get their own of 2 labels, mean of 2 seeds; before" in several.text
    # Of the second seed the interval is 40 to 80 %.
    assert "Inconclusive: the 95 % interval of a seed includes or lies below" in several.support
    assert "seeds from 60.0 to 90.0 % right." in several.support
    few = words.finding(classifier_result(n=4))
    assert "Fewer than 6 texts are held out" in few.support
    stopped = words.finding(classifier_result(stopped=True))
    assert stopped.text == "minilm-mlm was trained for 50 steps; the texts held out were not labelled."
    assert stopped.support == "Loss 0.700 at first, 0.200 at last, in nats, means over 10 steps."


def test_marks_are_accuracies_with_their_intervals() -> None:
    figure = figures.scores(classifier_result(), theme=LIGHT)
    (accuracy,) = (trace for trace in figure.data if trace.name == "accuracy" and trace.x != (None,))
    assert list(accuracy.x) == [50.0, 40.0, 90.0]
    assert [list(data) for data in accuracy.customdata] == [[MAJORITY, ""], [BEFORE, "0"], [AFTER, "0"]]
    (lines,) = (trace for trace in figure.data if trace.name == "95 % interval")
    assert list(lines.x) == [30.0, 70.0, None, 20.0, 60.0, None, 70.0, 110.0, None]  # ± 20
    (f1,) = (trace for trace in figure.data if trace.name == "macro F1")
    assert list(f1.x) == pytest.approx([30.0, 40.0, 90.0])
    (dotted,) = figure.layout.shapes
    assert dotted.x0 == 50.0
    with pytest.raises(NothingToScore, match="stopped before the texts held out were labelled"):
        figures.scores(classifier_result(stopped=True), theme=LIGHT)


def test_the_chart_is_told_in_words() -> None:
    assert words.scores_text(classifier_result()) == (
        "Accuracy on texts held out: majority label 50.0 % (95 % interval 30.0 to 70.0 %), macro F1 0.300; before, "
        "seed 0 40.0 % (95 % interval 20.0 to 60.0 %), macro F1 0.400; after, seed 0 90.0 % (95 % interval 70.0 to "
        "110.0 %), macro F1 0.900."
    )
