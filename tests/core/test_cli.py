from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from core import sources
from core.cli import main
from core.cli.shared import show_progress
from core.result import Progress
from core.run import Run
from tests.support.paths import ROOT
from tests.support.tiny import tiny_folder

ASKED = ["score", "--model", "default", "--template", "[TARGET] is a [ATTRIBUTE]", "--group", "male=he"]
ASKED += ["--group", "female=she", "--attribute", "nurse", "--attribute", "engineer", "--format", "json"]
SCORES = ["lpbs", "log_ratio", "prior_log_ratio", "ci_low", "ci_high", "p_value", "p_adjusted"]
ATTRIBUTES = ["model", "attribute", "contrast", "n", *SCORES]
TARGETS = ["model", "template", "attribute", "group", "target", "form", "ln_p_target", "ln_p_prior", "association"]
OPTIONS = ("masking", "several_pieces", "paired", "contrasts", "common_words", "seed", "form")
SAID = "The [ATTRIBUTE] said that [TARGET] was tired."


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    def document(self) -> dict[str, Any]:
        assert self.code == 0, self.err
        found: dict[str, Any] = json.loads(self.out)
        return found


class Shell:
    """Runs commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Answer:
        try:
            code = main(arguments)
        except SystemExit as stop:  # argparse's own refusals, and --help
            code = int(str(stop.code))
        captured = self._capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    def score(self, *arguments: str, model: str = "bert", template: str = SAID) -> Answer:
        """``score`` with a tiny model."""
        return self("score", "--model", str(tiny_folder(model)), "--template", template, *arguments)


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_the_time_left_beside_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", shown := Terminal())
    show_progress(Progress("Fine-tuning m", 1_200, 13_362), 2_460.0)
    show_progress(Progress("Fine-tuning m", 13_000, 13_362), 42.4)
    show_progress(Progress("Fine-tuning m", 13_362, 13_362))
    _, first, second, last = shown.getvalue().split("\r")
    assert first.rstrip() == "Fine-tuning m: 1,200 of 13,362, about 41 min left"
    assert second.rstrip() == "Fine-tuning m: 13,000 of 13,362, about 42 s left"
    assert last.rstrip() == "Fine-tuning m: 13,362 of 13,362"
    assert len(first) <= len(second) <= len(last) <= 80, "no end of a longer line stays"


def test_a_command_knows_the_time_left_of_its_run(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Run, "seconds_left", lambda run: 42.0)
    monkeypatch.setattr(sys, "stderr", shown := Terminal())
    assert shell.score(*HE_SHE, "--attribute", "nurse").code == 0
    assert ", about 42 s left" in shown.getvalue()


HE_SHE = ("--group", "male=he", "--group", "female=she")
JSON = ("--format", "json")


def test_the_command_of_the_manual(shell: Shell) -> None:
    document = shell(*ASKED).document()
    assert list(document) == ["schema", "spec", "tables", "excluded", "notes", "provenance"]
    attributes, overall, (share,), targets = document["tables"].values()
    assert [list(row) for row in attributes] == [ATTRIBUTES] * 2
    assert [list(row) for row in overall] == [["model", "contrast", "n", *SCORES]]
    assert [list(row) for row in targets] == [TARGETS] * 4
    assert [(row["attribute"], row["n"]) for row in attributes] == [("nurse", 1), ("engineer", 1)]
    assert {row["contrast"] for row in attributes + overall} == {"male − female"}
    assert {row["model"] for row in attributes + overall + targets} == {"minilm-mlm"}
    assert [(row["attribute"], row["group"], row["target"]) for row in targets] == [
        ("nurse", "male", "he"),
        ("nurse", "female", "she"),
        ("engineer", "male", "he"),
        ("engineer", "female", "she"),
    ]
    assert {row["template"] for row in targets} == {"[TARGET] is a [ATTRIBUTE]"}
    (nurse, engineer), (whole,) = attributes, overall
    assert (share["template"], share["n"]) == (None, 2)
    assert share["first"] == sum(row["lpbs"] > 0 for row in attributes)
    assert whole["n"] == 2
    he, she = (row["association"] for row in targets[:2])
    assert nurse["lpbs"] == pytest.approx(he - she, abs=1e-12)
    assert whole["lpbs"] == pytest.approx((nurse["lpbs"] + engineer["lpbs"]) / 2, abs=1e-12)
    # one value an attribute, and two attributes: no interval, no p, and said why
    for row in (nurse, whole):
        assert [row[name] for name in ("ci_low", "ci_high", "p_value", "p_adjusted")] == [None] * 4
    reasons = {item["what"]: item["why"] for item in document["excluded"] if item["kind"] == "statistic"}
    assert reasons.keys() == {"nurse", "engineer", "all attributes"}
    assert "n too small (2 of at least 6 attributes)" in reasons["all attributes"]
    assert "n too small (1 of at least 6 values)" in reasons["nurse"]
    assert {name: document["spec"][name] for name in OPTIONS} == {
        "masking": "wordpiece",
        "several_pieces": "single",
        "paired": True,
        "contrasts": "pairs",
        "common_words": True,
        "seed": 0,
        "form": "sentence",
    }
    (model,) = document["provenance"]["models"]
    assert (model["name"], model["kind"], len(model["digest"])) == ("minilm-mlm", "masked", 64)


def test_as_a_program() -> None:
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-m", "core", *ASKED], cwd=ROOT, env=environment, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    assert [row["attribute"] for row in document["tables"]["attributes"]] == ["nurse", "engineer"]
    assert b"Scoring with minilm-mlm" in done.stderr
    assert b"Traceback" not in done.stderr


def test_progress_goes_to_standard_error(shell: Shell) -> None:
    answer = shell.score(*HE_SHE, "--attribute", "nurse", *JSON)
    assert json.loads(answer.out)
    assert "Loading" in answer.err
    assert "Scoring with bert: 2 of 2\n" in answer.err


def test_a_lost_word_is_null_with_a_reason(shell: Shell) -> None:
    groups = ("--group", "men=he,chairman", "--group", "women=she,chairwoman")
    document = shell.score(*groups, "--attribute", "nurse, плотник", *JSON).document()
    nurse, unknown = document["tables"]["attributes"]
    assert unknown["attribute"] == "плотник"
    assert [unknown[name] for name in SCORES] == [None] * 7
    assert (nurse["n"], unknown["n"]) == (1, 0)
    reasons = {item["what"]: item["why"] for item in document["excluded"]}
    assert "unknown to this model" in reasons["плотник"]
    assert "chair + ##woman" in reasons["chairwoman"]
    assert "partner chairwoman" in reasons["chairman"]
    assert "chairwoman" not in {row["target"] for row in document["tables"]["targets"]}


def test_words_from_files(shell: Shell, tmp_path: Path) -> None:
    plain, table = tmp_path / "words.txt", tmp_path / "jobs.csv"
    plain.write_text("he\nhim\n", encoding="utf-8")
    table.write_text("nr;beruf;job\n1;Pflegerin;nurse\n2;Lehrer;teacher\n", encoding="utf-8-sig")
    document = shell.score(
        *("--group", f"male=@{plain}", "--group", "female=she,her"),
        *("--attribute", f"@{table}:job", "--attribute", "doctor", *JSON),
    ).document()
    assert [row["attribute"] for row in document["tables"]["attributes"]] == ["nurse", "teacher", "doctor"]
    assert [row["target"] for row in document["tables"]["targets"][:4]] == ["he", "him", "she", "her"]


def test_every_word_of_a_file_is_a_word(shell: Shell, tmp_path: Path) -> None:
    words = tmp_path / "words.csv"
    words.write_text("nurse\nnull\nNA\nNone\n=1+1\n", encoding="utf-8")
    document = shell.score(*HE_SHE, "--attribute", f"@{words}", *JSON).document()
    assert [row["attribute"] for row in document["tables"]["attributes"]] == ["nurse", "null", "NA", "None", "=1+1"]


def test_presets_are_cited(shell: Shell) -> None:
    document = shell.score("--groups", "he-she", "--attributes", "winogender", *JSON).document()
    preset, words = sources.group_preset("he-she"), sources.attribute_list("winogender")
    assert document["provenance"]["data"] == [preset.citation, words.citation]
    assert tuple(row["attribute"] for row in document["tables"]["attributes"]) == words.words


def test_csv(shell: Shell) -> None:
    answer = shell.score(*HE_SHE, "--attribute", "nurse,=1+1", "--format", "csv")
    assert answer.code == 0
    rows = list(csv.DictReader(io.StringIO(answer.out.removeprefix("\ufeff"))))
    assert list(rows[0]) == [*ATTRIBUTES, "provenance"]
    assert [row["attribute"] for row in rows] == ["nurse", "'=1+1"]
    assert rows[0]["p_value"] == ""
    exact = shell.score(*HE_SHE, "--attribute", "nurse,=1+1", *JSON).document()
    assert rows[1]["lpbs"] == ""  # no sign of it is in the vocabulary
    scores = [row["lpbs"] for row in exact["tables"]["attributes"]]
    assert [float(row["lpbs"]) if row["lpbs"] else None for row in rows] == scores


def test_table(shell: Shell) -> None:
    answer = shell.score(*HE_SHE, "--attribute", "nurse", "--group", "none=chairwoman")
    assert answer.code == 0
    title, header, first, *_ = answer.out.splitlines()
    assert title == "attributes:"
    assert header.split() == ATTRIBUTES
    assert "nurse" in first
    assert "male − female" in first
    exact = shell.score(*HE_SHE, "--attribute", "nurse", *JSON).document()["tables"]["attributes"][0]["lpbs"]
    assert f"{exact:.4f}".replace("-", "−") in first.split()
    assert "excluded: chairwoman" in answer.out


def test_options_reach_the_experiment(shell: Shell) -> None:
    options = ("--masking", "word", "--several-pieces", "joint", "--contrasts", "others", "--unpaired", "--all-words")
    options += ("--form", "typed")
    groups = (*HE_SHE, "--group", "they=they,chairwoman")
    document = shell.score(*groups, "--attribute", "nurse", *options, "--seed", "5", *JSON).document()
    assert {name: document["spec"][name] for name in OPTIONS} == {
        "masking": "word",
        "several_pieces": "joint",
        "paired": False,
        "contrasts": "others",
        "common_words": False,
        "seed": 5,
        "form": "typed",
    }
    assert document["provenance"]["seed"] == 5
    assert [row["contrast"] for row in document["tables"]["attributes"]] == [
        f"{name} − the others" for name in ("male", "female", "they")
    ]
    assert "chairwoman" in {row["target"] for row in document["tables"]["targets"]}


def test_two_models_and_two_templates(shell: Shell) -> None:
    more = ("--model", str(tiny_folder("gpt2")), "--template", "[TARGET] is a [ATTRIBUTE]")
    document = shell.score(*HE_SHE, "--attribute", "nurse", *more, *JSON).document()
    tables = document["tables"]
    assert [(row["model"], row["n"]) for row in tables["attributes"]] == [("bert", 2), ("gpt2", 2)]
    assert [(row["model"], row["n"]) for row in tables["overall"]] == [("bert", 1), ("gpt2", 1)]
    assert len(tables["targets"]) == 8


def test_a_group_s_name_with_a_colon_is_refused(shell: Shell) -> None:
    """And not cut at the colon, with the rest read as a word."""
    answer = shell.score("--group", "male: all=he", "--group", "female=she", "--attribute", "nurse", *JSON)
    assert (answer.code, answer.out) == (2, "")
    assert "has a colon and an equals sign (“male: all=he”)" in answer.err


def test_models_on_offer(shell: Shell) -> None:
    rows = json.loads(shell("models", *JSON).out)
    assert rows[0]["name"] == "minilm-mlm"
    assert {"bert-base-uncased", "gpt2"} <= {row["name"] for row in rows}
    assert "minilm-mlm" in shell("models").out


NURSE = ("--attribute", "nurse")
NOT_WELL_FORMED = {
    "Found 2 [TARGET] slots, needs 1: write [TARGET] once, where a word of a group such as “he” stands.": (
        "--template",
        "[TARGET] [TARGET] [ATTRIBUTE]",
        *HE_SHE,
        *NURSE,
    ),
    "--group is needed at least 2 times, each time as NAME=WORDS.": ("--group", "male=he", *NURSE),
    "Give either --groups or --group, not both.": ("--groups", "he-she", *HE_SHE, *NURSE),
    "Give either --attributes or --attribute, not both.": ("--attributes", "winogender", *HE_SHE, *NURSE),
    "There is no word in the list; write at least one.": (*HE_SHE, "--attribute", " "),
    "no-such-file.txt cannot be read: No such file or directory.": (*HE_SHE, "--attribute", "@no-such-file.txt"),
}
CANNOT_BE_MEASURED = {
    "There is no folder /no/such/model; give the folder that holds config.json and the weights.": "/no/such/model",
    "bert-encoder has no trained prediction head: LPBS is not possible, embeddings and attention are.": "bert-encoder",
    "bert-wrong-case gives no score here: He is unknown to this model; She is unknown to this model.": (
        "bert-wrong-case"
    ),
}


def check_refusal(answer: Answer, code: int, sentence: str) -> None:
    """Nothing on standard output; one sentence, as the last line, on standard error."""
    assert answer.code == code
    assert answer.out == ""
    assert answer.err.splitlines()[-1] == f"tiltmeter: {sentence}"
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(("sentence", "arguments"), NOT_WELL_FORMED.items())
def test_what_is_not_well_formed_exits_with_2(shell: Shell, sentence: str, arguments: tuple[str, ...]) -> None:
    check_refusal(shell.score(*arguments, *JSON), 2, sentence)


@pytest.mark.parametrize(("sentence", "model"), CANNOT_BE_MEASURED.items())
def test_what_cannot_be_measured_exits_with_1(shell: Shell, sentence: str, model: str) -> None:
    folder = model if model.startswith("/") else str(tiny_folder(model))
    template = "A [ATTRIBUTE] said that [TARGET] was there"  # lower case but for the words given
    groups = ("--group", "men=He", "--group", "women=She")
    check_refusal(shell("score", "--model", folder, "--template", template, *groups, *NURSE, *JSON), 1, sentence)


@pytest.mark.parametrize("arguments", [(), ("weigh",), ("score", "--template"), (*ASKED, "--format", "xml")])
def test_a_command_that_does_not_exist_exits_with_2(shell: Shell, arguments: tuple[str, ...]) -> None:
    answer = shell(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert "usage: python -m core" in answer.err


def test_help_and_version(shell: Shell) -> None:
    assert shell("--help").code == 0
    assert "--template" in shell("score", "--help").out
    assert shell("--version").out.startswith("Tiltmeter ")


@pytest.mark.parametrize(
    ("command", "there", "not_there"),
    [
        (
            "association",
            [
                "unknown: words the model does not know; several pieces:",
                "CEAT: samples; default: 1000",
                "for LPBS: templates; may be repeated",
            ],
            ["cEAT", "1,000"],
        ),
        ("benchmark", ["unit of the average; terms: target terms; pairs: items; default: terms"], ["one per line"]),
        ("reliability", ["CrowS-Pairs, for", "StereoSet (", "or folder; may be repeated"], ["default: --", "times"]),
        ("professions", ["English: templates; may be repeated"], ["english:", "one per line"]),
        ("scan", ["model, one at a time; catalog name"], ["times", "may be repeated", "@FILE"]),
        (
            "score",
            [
                "or folder; at most 4 times",
                "your groups; may be repeated",
                "precision; float32 (full precision); bfloat16",
                "--unpaired compare groups of equal length as groups",
                "@FILE",
            ],
            ["one per line", "turn off"],
        ),
        ("attention", ["(m male, f female, o occupation, n none)"], ["@FILE"]),
    ],
)
def test_the_help_of_an_option_keeps_names_and_says_what_the_command_takes(
    shell: Shell, command: str, there: list[str], not_there: list[str]
) -> None:
    text = " ".join(shell(command, "--help").out.split())
    assert [words for words in there if words not in text] == []
    assert [words for words in not_there if words in text] == []


def test_stopping_says_so(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("core.measures.lpbs.compute.measure", interrupted)
    check_refusal(shell.score(*HE_SHE, *NURSE, *JSON), 1, "stopped")


def test_one_bad_model_of_two_exits_with_1_and_prints_the_other(shell: Shell) -> None:
    bad = ("--model", "/no/such/model", "--model", str(tiny_folder("bert-encoder")))
    found = shell(*ASKED, *bad)
    assert found.code == 1
    document = json.loads(found.out)
    assert {row["model"] for row in document["tables"]["attributes"]} == {"minilm-mlm"}
    sentences = list(CANNOT_BE_MEASURED)[:2]
    names = ("/no/such/model", "bert-encoder")
    assert found.err.splitlines()[-2:] == [
        f"tiltmeter: {name} was not measured: {sentence}" for name, sentence in zip(names, sentences, strict=True)
    ]


def test_the_exit_codes_are_in_the_help(shell: Shell) -> None:
    text = " ".join(shell("--help").out.split())
    assert "1 it could not be measured, or not in all of the models (the result of the others is printed" in text
