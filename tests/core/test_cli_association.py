"""``python -m core association`` through the program's own entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.measures.shared.representations import REPRESENTATIONS
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
    assert {"summary", "detail", "left_out", "options", "provenance", "notes"} <= set(found)
    (row,) = found["summary"]
    assert set(row) == ROW
    # Groups stand for X and Y, the eight career and eight family words are permuted: C(16, 8) = 12,870.
    assert (row["n_x"], row["n_y"], row["n_permutations"], row["p_kind"]) == (8, 8, 12870, "exact")
    assert row["effect_size"] > 0
    assert len(found["detail"]) == 16


def test_own_lists_with_templates_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    model = str(tiny_folder("bert"))
    lpbs = ("--template", "[TARGET] is a [ATTRIBUTE].", "--group1", "he", "--group2", "she")
    found = document(capsys, *OWN, *lpbs, "--model", model, "--representation", "lpbs")
    assert found["summary"][0]["test"] == "own"
    assert found["summary"][0]["n_permutations"] == 6  # C(4, 2)


def test_words_from_files_and_a_file_of_vectors(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("he\nman\n")
    vectors = {"he": "1 0", "man": "4 3", "she": "3 4", "woman": "0 1", "engineer": "1 0", "nurse": "0 1"}
    (tmp_path / "own.vec").write_text("".join(f"{word} {numbers}\n" for word, numbers in vectors.items()))
    words = ("--x", f"@{tmp_path / 'x.txt'}", "--y", "she,woman", "--a", "engineer", "--b", "nurse")
    found = document(capsys, *words, "--vectors", str(tmp_path / "own.vec"))
    (row,) = found["summary"]
    # s = 1, .2 | −.2, −1: S = 1.2; d = 1.2 / sqrt((1 + .04 + .04 + 1) / 3) = 1.4412, the worked case.
    assert (row["model"], row["representation"]) == ("own.vec", "vectors")
    assert row["test_statistic"] == pytest.approx(1.2, abs=1e-6)
    assert row["effect_size"] == pytest.approx(1.4412, abs=1e-4)
    assert (row["p_one_sided"], row["p_two_sided"]) == (pytest.approx(1 / 6), pytest.approx(1 / 3))


def test_the_list_names_tests_and_representations(capsys: pytest.CaptureFixture[str]) -> None:
    names = {row["name"] for row in document(capsys, "--list")["summary"]}
    assert {"weat1", "weat10", "irani", "ceat", "vectors", *(one.id for one in REPRESENTATIONS)} <= names


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "No test is chosen"),
        (("--test", "weat66"), "There is no association test “weat66”. Did you mean"),
        (("--test", "weat6", "--representation", "pooled"), "There is no representation “pooled”"),
        (("--x", "he"), "Own lists need all four of --x, --y, --a and --b."),
        (("--test", "weat6", "--group1", "he"), "need own lists"),
        ((*OWN[:-1], "nurse,engineer"), "engineer"),
        (("--test", "weat6", "--ddof", "2"), "invalid choice: 2 (choose from 1, 0)"),
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
