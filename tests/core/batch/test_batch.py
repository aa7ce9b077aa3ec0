"""A batch file: what it may hold, what it refuses in which line, and that a second run goes on where the first was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core import archives
from core.batch.audit import Audit, audit
from core.batch.outcome import Outcome, report, to_json, to_markdown
from core.batch.running import Done, judgements, run
from core.batch.thresholds import sentences
from core.batch.writing import written
from core.cli import main
from core.cli.batch import Commands
from core.errors import BatchFileError, ModelNotFound
from core.history.history import Query, history
from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import MeasureSpec, load
from core.publication import verification
from core.publication.document import to_html
from core.report.renderer import find_browser
from core.result import Excluded, Note, Result
from tests.support.past import scores
from tests.support.paths import ROOT
from tests.support.tiny import tiny_folder

WORDS = ("nurse", "engineer", "teacher", "pilot", "cook", "judge")


def read(text: str) -> Audit:
    return audit(text, "audit.yaml", Commands())


def specs(text: str) -> list[MeasureSpec[Any]]:
    return [planned.spec for planned in read(text).planned]


def test_each_measure_is_measured_for_each_model_with_the_options_of_its_command() -> None:
    found = read(
        "title: An audit\nauthor: A. B.\nmodels: [default, owner/gpt]\nmeasures:\n"
        "- measure: score\n  groups: he-she\n  attribute: [nurse, no, 007]\n  masking: word\n  unpaired: true\n"
        "  seed: 5\n"
        "- measure: benchmark disco\n  words: nouns\n"
        "- measure: association\n  model: [owner/a, owner/b]\n  test: weat6\n  representation: lpbs\n"
        "fail_if: lpbs.overall.abs > 0.8\nout: there\n"
    )
    assert (found.title, found.author, str(found.out)) == ("An audit", "A. B.", "there")
    assert [planned.title for planned in found.planned] == [
        "score · default",
        "score · owner/gpt",
        "benchmark disco · default",
        "benchmark disco · owner/gpt",
        "association · owner/a, owner/b",
    ]
    expected = LpbsSpec(
        models=("owner/gpt",), groups="he-she", attributes=("nurse", "no", "007"), masking="word", paired=False, seed=5
    )
    assert found.planned[1].spec == expected
    assert [threshold.written for threshold in found.thresholds] == ["lpbs.overall.abs > 0.8"]


def test_without_models_or_a_folder_there_is_the_embedded_one_and_a_name() -> None:
    found = read("measures: [{measure: score}]")
    assert found.planned[0].spec == LpbsSpec()
    assert (found.title, str(found.out), found.thresholds) == ("audit", "audit-results", ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The file is empty"),
        ("measures: [", "line 1: this is not YAML"),
        ("a: b: c", "line 1: this is not YAML"),
        ("- score", "line 1: a batch file has to be keys with values"),
        ("title: x", "line 1: “measures:” is missing"),
        ("measures: []", "line 1: “measures:” is empty"),
        ("title: x\nmeasure: score", "line 2: “measure” is not a key of a batch file. Did you mean measures?"),
        ("measures:\n- name: x", "line 2: “measure:” is missing"),
        ("measures:\n- measure: scores", "line 2: there is no measure “scores”. Did you mean score"),
        ("measures:\n- score", "line 2: a measure has to be keys with values"),
        ("measures:\n- measure: score\n  atribute: nurse", "line 3: “atribute” is not a key of the measure score"),
        ("measures:\n- measure: score\n  save: x", "line 3: “save” is not a key"),
        ("measures:\n- measure: score\n  masking: foo", "line 3: masking: invalid choice: 'foo'"),
        ("measures:\n- measure: score\n  seed: -1", "line 3: seed: “-1” is not a whole number"),
        ("measures:\n- measure: score\n  unpaired: maybe", "line 3: unpaired is yes or no, not “maybe”"),
        ("measures:\n- measure: score\n  template: A [TARGET].", "line 2: "),
        ("measures:\n- measure: score\n  groups:", "line 3: “groups” has to be a text"),
        ("measures:\n- measure: score\n  attribute: [a, [b]]", "line 3: “attribute” has to be a text"),
        ("measures:\n- measure: score --masking word", "line 2: “--masking” is an option; write it as a key"),
        ("measures:\n- measure: change", "line 2: change needs a measure behind it: "),
        ("measures:\n- measure: benchmark foo", "line 2: "),
        ("measures:\n- measure: score\n- measure: score", "line 3: two measures are called “score”"),
        ("models: [a, a]\nmeasures:\n- measure: score", "line 1: the model “a” appears twice"),
        ("models: []\nmeasures:\n- measure: score", "line 1: “models:” is empty"),
        ("title: a\ntitle: b\nmeasures:\n- measure: score", "line 2: the key “title” appears twice"),
        ("measures:\n- measure: score\nfail_if:\n- lpbs.overal > 1", "line 4: the measures of this file"),
        ("measures:\n- measure: score\nfail_if: association.effect_size > 1", "line 3: the measures of this"),
        ("a: &x 1\nb: *x", "line 1: names with & and *"),
        ("title: !!python/object/apply:os.system [echo]", "line 1: the tag "),
        ("title: !mine x", "line 1: the tag "),
        ("measures:\n- measure: score\n  spec: {masking: foo}", "line 3: "),
        ("measures:\n- measure: score\n  spec: {nothing: 1}", "line 3: "),
        ("measures:\n- measure: score\n  spec: {}\n  seed: 1", "line 4: “seed” is not a key of a measure with a spec"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_its_line_and_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(BatchFileError) as caught:
        read(text)
    assert str(caught.value).startswith(said), caught.value
    assert str(caught.value).endswith((".", "?"))


def test_a_threshold_is_about_the_measures_that_give_its_number() -> None:
    two = "measures:\n- measure: benchmark disco\n- measure: reliability divergence\n"
    with pytest.raises(BatchFileError, match=r"no number “benchmarks\.crows-pairs”"):
        read(f"{two}fail_if: benchmarks.crows-pairs > 1")
    with pytest.raises(BatchFileError, match=r"There are: benchmarks\.disco, agreement\.divergence\.$"):
        read(f"{two}fail_if: agreement.correlation < 0.5")
    asked = read(f"{two}fail_if: benchmarks.disco > 1")
    found = [judgements(asked, Done(planned, why="No.")) for planned in asked.planned]
    assert [len(judgement) for judgement in found] == [1, 0]


def test_a_threshold_that_no_model_has_the_number_of_could_not_be_judged() -> None:
    asked = read("measures:\n- measure: reliability divergence\n- measure: score\nfail_if: agreement.divergence > 1")
    outcome = Outcome(asked, (Done(asked.planned[1], scores(1.0)),))
    (found,) = outcome.judgements
    assert list(sentences([found])) == [
        "agreement.divergence > 1: could not be judged (no model here has this number)."
    ]
    assert outcome.code == 1


def test_a_file_that_is_too_deep_or_too_long_is_refused() -> None:
    with pytest.raises(BatchFileError, match="line 1: this is nested too deeply"):
        read(f"title: {'[' * 5000}{']' * 5000}")
    with pytest.raises(BatchFileError, match="at most"):
        read("#" * (1 << 21))


def test_a_result_writes_the_file_that_measures_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = written(scores(-0.25)).decode()
    (spec,) = specs(text)
    assert spec == scores().spec
    assert "#   lpbs.overall of he − she: −0.250 nats (bert); 0 is neutral; " in text
    named = text.replace("fail_if: []", "fail_if:\n- lpbs.overall of he − she.abs > 0.1")
    assert read(named).thresholds[0].of == "he - she"


def measured_by(numbers: Sequence[float]) -> Any:
    """A stand-in for measuring: a mean LPBS each, and how often it was called."""
    left, asked = list(numbers), list[str]()

    def measure(spec: MeasureSpec[Any], file: Path) -> Result:
        asked.extend(spec.models)
        value = left.pop(0)
        if value != value:
            raise ModelNotFound(f"There is no model {spec.models[0]}.")
        result = scores(value, model=spec.models[0])
        result.save(file)
        return result

    return measure, asked


def two_models(tmp_path: Path, fail_if: str = "lpbs.overall.abs > 0.8") -> Audit:
    models = [tiny_folder("bert"), tiny_folder("gpt2")]
    return read(
        f"title: Two\nauthor: A. B.\nmodels: {json.dumps([str(model) for model in models])}\n"
        f"measures:\n- measure: score\n  attribute: nurse\nfail_if:\n- {fail_if}\nout: {tmp_path / 'out'}\n"
    )


@pytest.mark.parametrize(
    ("numbers", "fail_if", "code"),
    [
        ((0.1, -0.2), "lpbs.overall.abs > 0.8", 0),
        ((0.1, -0.9), "lpbs.overall.abs > 0.8", 3),
        ((0.1, float("nan")), "lpbs.overall.abs > 0.8", 1),
        ((0.9, float("nan")), "lpbs.overall.abs > 0.8", 3),
        ((0.1, 0.2), "lpbs.share > 0.9", 1),  # the result has no share
        ((0.1, 0.2), "lpbs.overall of she - he > 0.9", 1),
    ],
)
def test_the_exit_code_says_what_became_of_the_thresholds(
    numbers: tuple[float, ...], fail_if: str, code: int, tmp_path: Path
) -> None:
    asked = two_models(tmp_path, fail_if)
    measure, _ = measured_by(numbers)
    outcome = Outcome(asked, tuple(run(asked, measure, lambda line: None)))
    assert outcome.code == code
    counts = {
        0: "0 crossed, 1 not crossed",
        1: "0 crossed, 0 not crossed, 1 could not be judged",
        3: "1 crossed, 0 not",
    }
    assert counts[code] in outcome.lines[1]
    made = json.loads(to_json(outcome))
    assert made["exit_code"] == code
    assert [item["crossed"] for item in made["judgements"]] == [
        None if code == 1 and "overall.abs" not in fail_if else None if value != value else abs(value) > 0.8
        for value in numbers
    ]


def test_what_was_measured_is_not_measured_again_and_what_failed_is(tmp_path: Path) -> None:
    asked = two_models(tmp_path)
    measure, first = measured_by((0.1, float("nan")))
    done = tuple(run(asked, measure, lambda line: None))
    assert [item.complete for item in done] == [True, False]
    assert "There is no model" in done[1].why
    heard: list[str] = []
    measure, second = measured_by((0.5,))
    again = tuple(run(asked, measure, heard.append))
    assert (len(first), len(second)) == (2, 1)
    assert second == [first[1]]
    assert [item.again for item in again] == [True, False]
    assert again[0].result == done[0].result
    assert heard[0].endswith("measured before")


def test_a_result_that_cannot_be_read_is_measured_again(tmp_path: Path) -> None:
    asked = two_models(tmp_path)
    done = tuple(run(asked, measured_by((0.1, 0.2))[0], lambda line: None))
    assert done[0].file is not None
    done[0].file.write_bytes(b"PK\x03\x04 half of it")
    measure, again = measured_by((0.1,))
    assert all(item.complete for item in run(asked, measure, lambda line: None))
    assert len(again) == 1


def test_a_changed_file_measures_what_changed(tmp_path: Path) -> None:
    asked = two_models(tmp_path)
    tuple(run(asked, measured_by((0.1, 0.2))[0], lambda line: None))
    other = read(
        f"models: {json.dumps([item.spec.models[0] for item in asked.planned])}\nmeasures:\n- measure: score\n"
        f"  attribute: engineer\nout: {tmp_path / 'out'}\n"
    )
    measure, again = measured_by((0.1, 0.2))
    tuple(run(other, measure, lambda line: None))
    assert len(again) == 2


def test_a_failure_inside_the_program_loses_no_other_measurement(tmp_path: Path) -> None:
    def measure(spec: MeasureSpec[Any], file: Path) -> Result:
        if "bert" in spec.models[0]:
            raise RuntimeError("boom")
        return scores(0.1, model=spec.models[0])

    asked = two_models(tmp_path)
    done = tuple(run(asked, measure, lambda line: None))
    assert [item.result is None for item in done] == [True, False]
    assert done[0].why == "Something failed inside the program (RuntimeError: boom)."


def test_the_report_holds_every_threshold_with_wording_value_limit_and_model(tmp_path: Path) -> None:
    asked = two_models(tmp_path)
    outcome = Outcome(asked, tuple(run(asked, measured_by((0.1, -0.9))[0], lambda line: None)))
    made = report(outcome)
    assert made is not None
    page = to_html(made).decode()
    first, second = (item.result.models[0] for item in outcome.done if item.result is not None)
    for text in (
        "A. B.",
        "Thresholds, fixed before the run: 1 crossed, 0 not crossed.",
        f"lpbs.overall.abs &gt; 0.8: not crossed (score, {first}, he − she: 0.100 nats).",
        f"lpbs.overall.abs &gt; 0.8: crossed (score, {second}, he − she: −0.900 nats, compared as 0.900).",
    ):
        assert text in page, text
    assert "1 crossed" in to_markdown(outcome).decode()


DOUBT = Note("Pronouns, such as “he”, are not grammatical there.")


def test_what_a_page_warns_of_stands_beside_the_numbers_and_in_the_line_of_a_crossed_threshold(tmp_path: Path) -> None:
    left_out = (Excluded("bert", "attribute", "pilot", "pilot is not known."),)
    found = [
        replace(scores(value, model=model), notes=(DOUBT, Note("It is small.", "bert"), Note("It is old.", "gpt2")))
        for value, model in ((-0.9, "bert"), (0.1, "gpt2"))
    ]
    asked = two_models(tmp_path)
    bert, gpt2 = (
        Done(planned, replace(result, excluded=left_out if planned is asked.planned[0] else ()))
        for planned, result in zip(asked.planned, found, strict=True)
    )
    outcome = Outcome(asked, (bert, gpt2))
    crossed = (
        "lpbs.overall.abs > 0.8: crossed (score, bert, he − she: −0.900 nats, compared as 0.900). "
        f"Note: {DOUBT.text} Note: bert: It is small."
    )
    assert outcome.lines[2:] == (crossed,)
    summary = to_markdown(outcome).decode().replace("\\", "")
    assert summary.count("0.8: crossed") == 1
    assert crossed in summary
    numbers = summary.partition("## Numbers")[2]
    assert numbers.count(f"- score: Note: {DOUBT.text}") == 2
    assert numbers.count("- score: 1 word was excluded: pilot is not known.") == 1
    runs = json.loads(to_json(outcome))["runs"]
    assert [len(item["notes"]) for item in runs] == [3, 3]
    assert runs[0]["notes"][1] == {"text": "It is small.", "model": "bert"}
    assert [(item["excluded"], item["why_excluded"]) for item in runs] == [
        (1, ["1 word was excluded: pilot is not known."]),
        (0, []),
    ]
    made = report(outcome)
    assert made is not None
    said = [pin.text for pin in made.report.pins if pin.text]
    assert said[0] == f"Threshold, fixed before the run: {crossed}"
    assert [DOUBT.text in text for text in said] == [True] * 4  # two judgements, two results
    assert "1 word was excluded: pilot is not known." in said[2]


def test_a_threshold_is_listed_once_however_many_numbers_cross_it_and_however_it_is_written(tmp_path: Path) -> None:
    asked = two_models(tmp_path, "lpbs.overall.abs > 0.8\n- lpbs.overall.abs>0.80")
    assert [threshold.written for threshold in asked.thresholds] == ["lpbs.overall.abs > 0.8"]
    numbers = (0.9, 1.0)
    done = [
        Done(planned, scores(value, model=str(value))) for planned, value in zip(asked.planned, numbers, strict=True)
    ]
    outcome = Outcome(asked, tuple(done))
    assert outcome.lines[1:] == (
        "Thresholds, fixed before the run: 1 crossed, 0 not crossed.",
        "lpbs.overall.abs > 0.8: crossed (score, 0.9, he − she: 0.900 nats; score, 1.0, he − she: 1.000 nats).",
    )


def test_where_nothing_was_measured_there_is_no_report_but_a_summary(tmp_path: Path) -> None:
    asked = two_models(tmp_path)
    outcome = Outcome(asked, tuple(run(asked, measured_by((float("nan"),) * 2)[0], lambda line: None)))
    assert report(outcome) is None
    assert outcome.code == 1
    assert to_markdown(outcome).decode().count("Not measured") == 2


def batch_file(folder: Path, fail_if: str = "lpbs.overall.abs > 50", more: str = "") -> Path:
    """Two tiny models by three lists of words, in a folder of its own."""
    folder.mkdir()
    measures = "".join(
        f"- measure: score\n  name: words {number}\n  groups: he-she\n  attribute: {json.dumps(WORDS[: 6 - number])}\n"
        for number in range(3)
    )
    models = json.dumps([str(tiny_folder("bert")), str(tiny_folder("gpt2"))])
    path = folder / "audit.yaml"
    path.write_text(f"title: Tiny\nmodels: {models}\nmeasures:\n{measures}{more}fail_if:\n- {fail_if}\n", "utf-8")
    return path


def files(folder: Path) -> dict[str, Result]:
    return {path.name: load(path) for path in sorted((folder / "audit-results" / "results").glob("*.tilt"))}


def test_a_batch_that_is_killed_and_run_again_equals_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BROWSER_PATH", "/nowhere")
    killed = batch_file(tmp_path / "killed")
    results = killed.parent / "audit-results" / "results"
    going = subprocess.Popen(
        [sys.executable, "-m", "core", "batch", str(killed)],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 300
    while not list(results.glob("*.tilt")) and time.monotonic() < deadline:
        time.sleep(0.005)
    going.send_signal(signal.SIGKILL)
    going.wait()
    before = len(list(results.glob("*.tilt")))
    assert 1 <= before < 6, "it was not killed in the middle"
    assert not (results.parent / "summary.json").exists()
    assert main(["batch", str(killed)]) == 0
    assert capsys.readouterr().err.count("measured before") == before
    whole = batch_file(tmp_path / "whole")
    assert main(["batch", str(whole)]) == 0
    assert (results.parent / "summary.json").read_bytes() == (
        whole.parent / "audit-results" / "summary.json"
    ).read_bytes()
    first, second = files(whole.parent), files(killed.parent)
    assert list(first) == list(second)
    for name, result in first.items():
        assert result.spec == second[name].spec
        assert (result.excluded, result.notes) == (second[name].excluded, second[name].notes)
        assert all(result[table].equals(second[name][table]) for table in result.tables)


def test_the_command_leaves_report_bundle_and_summary_and_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = batch_file(tmp_path / "one", "lpbs.overall.abs > 0")
    here = Path.cwd()
    assert main(["batch", str(path), "--format", "json"]) == 3
    said = capsys.readouterr()
    assert Path.cwd() == here
    assert {row["judged"] for row in json.loads(said.out)} == {"crossed"}
    assert "Thresholds, fixed before the run: 1 crossed, 0 not crossed." in said.err
    out = path.parent / "audit-results"
    assert "lpbs.overall.abs &gt; 0: crossed" in (out / "report.html").read_text("utf-8")
    assert json.loads((out / "summary.json").read_text("utf-8"))["exit_code"] == 3
    if find_browser():
        bundle = archives.files((out / "report.zip").read_bytes(), "report.zip", archives.REPORT)
        assert all(check.outcome is verification.Outcome.SAME for check in verification.checked(bundle, "report.zip"))
        assert sum(name.endswith(".tilt") for name in bundle) == 6
        with zipfile.ZipFile(out / "report.zip") as archive:
            assert archive.testzip() is None
    else:
        assert "report.zip was not made" in said.err


def test_its_runs_are_in_the_history_under_the_title_of_the_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILTMETER_HISTORY", f"sqlite:///{tmp_path / 'history.db'}")
    path = tmp_path / "audit.yaml"
    path.write_text(
        f"title: Our audit\nmodels: ['{tiny_folder('bert')}']\nmeasures: [{{measure: score, attribute: nurse}}]\n",
        "utf-8",
    )
    assert main(["batch", str(path)]) == 0
    assert main(["batch", str(path)]) == 0  # nothing was measured, so that nothing is added
    kept = history()
    assert kept is not None
    found = kept.find(Query(words="our audit"))
    assert [entry.note for entry in found.entries] == ["Batch: Our audit"]


def test_a_model_that_is_not_there_does_not_end_the_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "audit.yaml"
    path.write_text(
        f"models: [/no/such/folder, {tiny_folder('bert')}]\nmeasures:\n- measure: score\n  attribute: nurse\n"
        "fail_if: lpbs.overall.abs > 50\n",
        "utf-8",
    )
    assert main(["batch", str(path)]) == 1
    said = capsys.readouterr()
    assert "could not be judged for score, /no/such/folder (There is no folder /no/such/folder" in said.err
    assert "1 of 2 measurements complete." in said.err
    assert "not crossed" in said.out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"measures:\n- measure: scores\n", "audit.yaml, line 2: there is no measure “scores”. Did you mean score"),
        (b"\xff\xfe\x00", "is not text in UTF-8"),
        (b"", "The file is empty"),
    ],
)
def test_an_invalid_file_is_exit_code_2(
    content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "audit.yaml"
    path.write_bytes(content)
    assert main(["batch", str(path)]) == 2
    assert said in capsys.readouterr().err
    assert main(["batch", str(tmp_path / "none.yaml")]) == 2
    assert not (tmp_path / "audit-results").exists()


def test_a_stop_keeps_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = batch_file(tmp_path / "stopped")
    from core.cli import batch

    measured, asked = batch.measured, []

    def once(spec: MeasureSpec[Any], **options: Any) -> Result:
        asked.append(spec)
        if len(asked) > 1:
            raise KeyboardInterrupt
        return measured(spec, **options)

    monkeypatch.setattr(batch, "measured", once)
    assert main(["batch", str(path)]) == 1
    assert "run it again to go on" in capsys.readouterr().err
    assert len(files(path.parent)) == 1


def test_done_says_what_is_missing() -> None:
    planned = read("measures: [{measure: score}]").planned[0]
    assert Done(planned, why="No.").missing == ("No.",)
    assert not Done(planned, why="No.").complete
    assert Done(planned, scores()).missing == ()
