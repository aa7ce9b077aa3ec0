"""``python -m core benchmark`` through the program's own entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Command
from tests.support.tiny import tiny_folder

MEASURES = ["model", "measure", "bias_type", "value", "ci_low", "ci_high", "unit", "n", "ties", "from_neutral", "clear"]
ITEMS = ["model", "item", "bias_type", "first", "second", "value_first", "value_second", "difference"]
PAIRS = (
    "sent_more,sent_less,stereo_antistereo,bias_type\n"
    "She is a nurse.,He is a nurse.,stereo,gender\n"
    "He is a doctor.,She is a doctor.,antistereo,gender\n"
)


COMMAND = Command("benchmark")
run, document = COMMAND.run, COMMAND.document


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return str(path)


@pytest.mark.parametrize("name", ["crows-pairs", "aul", "aula"])
def test_pairs_have_rows_by_type_and_one_each(name: str, pairs: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, name, "--data", pairs, "--model", str(tiny_folder("bert")))
    assert list(found["tables"]["measures"][0]) == MEASURES
    assert [row["bias_type"] for row in found["tables"]["measures"]] == ["all", "stereo", "antistereo"]
    assert {row["measure"] for row in found["tables"]["measures"]} == {name}
    assert [list(row)[:8] for row in found["tables"]["items"]] == [ITEMS] * 2
    assert found["provenance"]["data"][1].startswith("pairs.csv, the user's copy, SHA-256 ")
    assert found["provenance"]["models"][0]["attention"] == ("eager" if name == "aula" else "default")


def test_a_causal_model_is_measured_by_likelihood(pairs: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "crows-pairs", "--data", pairs, "--model", str(tiny_folder("gpt2")))
    assert {row["measure"] for row in found["tables"]["measures"]} == {"crows-pairs-likelihood"}


def test_own_words_for_disco(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--female", "she,sister,mother,wife", "--male", "he,brother,father,husband")
    found = document(capsys, "disco", *words, "--model", str(tiny_folder("bert")))
    (row,) = found["tables"]["measures"]
    assert (row["measure"], row["n"]) == ("disco", 14)
    assert {row["item"] for row in found["tables"]["items"]} >= {"[WORD] likes [MASK]."}


def test_a_lexicon_for_honest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lexicon = tmp_path / "hurtful.txt"
    lexicon.write_text("chair\nnurse\n")
    found = document(capsys, "honest", "--data", str(lexicon), "--model", str(tiny_folder("bert")))
    assert [row["bias_type"] for row in found["tables"]["measures"]] == ["all", "female", "male"]


def test_winobias_takes_its_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side, pronoun in (("pro", "he"), ("anti", "she")):
        path = tmp_path / f"{side}_stereotyped_type1.txt.dev"
        path.write_text(f"1 [The doctor] told the nurse that [{pronoun}] was tired.\n")
    files = [part for path in sorted(tmp_path.iterdir()) for part in ("--data", str(path))]
    found = document(capsys, "winobias", *files, "--model", str(tiny_folder("bert")))
    assert [(row["measure"], row["bias_type"], row["n"]) for row in found["tables"]["measures"]] == [
        ("winobias", "all", 1)
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("crows-pairs",), "CrowS-Pairs needs your copy of its data; give --data FILE."),
        (("crowspairs",), "invalid choice: 'crowspairs' (choose from"),
        (("disco", "--data", __file__), "DisCo needs words, no file"),
        (("disco", "--female", "she,her,wife,girl"), "Own words need both --female and --male."),
        (("crows-pairs", "--data", "nowhere.csv"), "nowhere.csv cannot be read"),
        (("disco", "--fills", "all"), "invalid choice: 'all' (choose from"),
    ],
)
def test_what_is_wrong_is_a_sentence(arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *arguments, "--model", str(tiny_folder("bert")))
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_a_file_of_another_kind_says_what_is_expected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "words.csv"
    path.write_text("word,count\nnurse,1\n")
    code, _, err = run(capsys, "stereoset", "--data", str(path))
    assert code == 2
    assert "word" in err
    assert "context" in err
