"""``python -m core association`` through the program's own entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.measures.association.spec import AssociationSpec
from core.measures.shared.representations import REPRESENTATIONS
from core.sources.lists import group_preset
from tests.support.commands import Command
from tests.support.tiny import tiny_folder

ROW = {
    *("model", "test", "representation", "layer", "templates", "test_statistic", "effect_size", "ddof", "ci_low"),
    *("ci_high", "p_one_sided", "p_two_sided", "p_observed_direction", "p_adjusted", "p_kind", "n_permutations"),
    *("n_x", "n_y", "n_a", "n_b"),
}
OWN = ("--x", "he,man", "--y", "she,woman", "--a", "engineer,doctor", "--b", "nurse,teacher")


COMMAND = Command("association")
run, document = COMMAND.run, COMMAND.document


def test_the_command_of_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "--test", "weat6", "--representation", "lpbs", "--model", "default")
    assert list(found["tables"]) == ["tests", "members", "layers", "published", "matrix", "distribution", "erased"]
    (row,) = found["tables"]["tests"]
    assert set(row) >= ROW
    # Groups stand for X and Y, the eight career and eight family words are permuted: C(16, 8) = 12,870.
    assert (row["n_x"], row["n_y"], row["n_permutations"], row["p_kind"]) == (8, 8, 12870, "exact")
    assert row["effect_size"] > 0
    assert len(found["tables"]["members"]) == 16
    assert found["spec"]["tests"][0]["sets"][2]["name"] == "career"


def test_own_lists_with_templates_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    model = str(tiny_folder("bert"))
    lpbs = ("--template", "[TARGET] is a [ATTRIBUTE].", "--group1", "he", "--group2", "she")
    found = document(capsys, *OWN, *lpbs, "--model", model, "--representation", "lpbs")
    assert found["tables"]["tests"][0]["test"] == "own"
    assert found["tables"]["tests"][0]["n_permutations"] == 6  # C(4, 2)


def test_published_groups_as_targets_of_a_test_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    lists = ("--a", "kind,wise", "--b", "rude,weak")
    found = document(capsys, "--xy", "age", *lists, "--representation", "input-embedding", "--model", "default")
    (test,) = found["spec"]["tests"]
    assert [(part["name"], part["members"]) for part in test["sets"]] == [
        ("young", ["young", "younger"]),
        ("old", ["old", "older"]),
        ("A", ["kind", "wise"]),
        ("B", ["rude", "weak"]),
    ]
    typed = ("--x", "young,younger", "--y", "old,older", *lists)
    same = document(capsys, *typed, "--representation", "input-embedding", "--model", "default")
    assert found["tables"]["tests"] == same["tables"]["tests"]
    preset = group_preset("age")
    assert [note["text"] for note in found["notes"]] == [
        f"X and Y: {preset.citation}.",
        f"Own lists: {preset.note}",
    ]
    assert same["notes"] == []


def test_the_caution_of_tests_on_one_axis_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    tests = ("--test", "weat4", "--test", "weat5", "--test", "weat6")
    found = document(capsys, *tests, "--representation", "input-embedding", "--model", "default")
    notes = [note["text"] for note in found["notes"] if "First names" in note["text"]]
    assert notes == [f"WEAT 4 and WEAT 5: {group_preset('ethnicity-names').note}"]


def test_words_from_files_and_a_file_of_vectors(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("he\nman\n")
    vectors = {"he": "1 0", "man": "4 3", "she": "3 4", "woman": "0 1", "engineer": "1 0", "nurse": "0 1"}
    (tmp_path / "own.vec").write_text("".join(f"{word} {numbers}\n" for word, numbers in vectors.items()))
    words = ("--x", f"@{tmp_path / 'x.txt'}", "--y", "she,woman", "--a", "engineer", "--b", "nurse")
    found = document(capsys, *words, "--vectors", str(tmp_path / "own.vec"))
    (row,) = found["tables"]["tests"]
    # s = 1, .2 | −.2, −1: S = 1.2; d = 1.2 / sqrt((1 + .04 + .04 + 1) / 3) = 1.4412, the worked case.
    assert (row["model"], row["representation"]) == ("own.vec", "vectors")
    assert row["test_statistic"] == pytest.approx(1.2, abs=1e-6)
    assert row["effect_size"] == pytest.approx(1.4412, abs=1e-4)
    assert (row["p_one_sided"], row["p_two_sided"]) == (pytest.approx(1 / 6), pytest.approx(1 / 3))


def test_the_help_names_tests_and_representations(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    words = set(out.replace(",", " ").replace(";", " ").split())
    assert {"weat1", "weat10", "irani", *(kind.id for kind in REPRESENTATIONS if len(kind.id) < 10)} <= words


def test_without_a_choice_the_first_measurement_of_the_page_is_made() -> None:
    spec = AssociationSpec.of({})
    assert [test.id for test in spec.tests] == ["weat1", "weat6", "weat7", "weat8"]
    assert len(spec.representations) == 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--test", "weat66"), "--test cannot be “weat66”, which does not exist. Did you mean weat6"),
        (
            ("--test", "weat6", "--representation", "pooled"),
            "--representation cannot be “pooled”, which does not exist. Choose",
        ),
        (
            ("--x", "he"),
            "Your own lists need all four sets; Targets Y and Attributes A and Attributes B is still empty.",
        ),
        (("--test", "weat6", "--group1", "he"), "need own lists"),
        ((*OWN, "--xy", "age"), "X and Y are typed and from groups; empty the two lists, or choose no groups."),
        (("--xy", "age", "--a", "kind,wise"), "Your own lists need all four sets; Attributes B is still empty."),
        (("--xy", "religion"), "argument --xy: invalid choice: 'religion'"),
        ((*OWN[:-1], "nurse,engineer"), "engineer"),
        (("--test", "weat6", "--ddof", "2"), "“2” is not a whole number from 0 to 1"),
        (("--test", "weat6", "--contexts", "no-such-file.txt"), "no-such-file.txt cannot be read"),
    ],
)
def test_what_is_not_well_formed_exits_with_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert sentence in err.splitlines()[-1]
    assert "Traceback" not in err


def test_what_cannot_be_measured_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "--test", "weat2", "--representation", "lpbs")
    assert (code, out) == (1, "")
    assert "no template" in err
