"""``python -m core reliability`` through the program's own entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Command
from tests.support.tiny import tiny_folder

OWN = ("--template", "This is the _.", "--template", "The _ is here.", "--template", "The _ is tired.")
QUICK = ("--subsets", "5", "--drawn", "3")


COMMAND = Command("reliability")
run, document = COMMAND.run, COMMAND.document


def test_templates(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "templates", *OWN, *QUICK, "--representation", "pooled-in-templates")
    assert list(found["summary"][0]) == [
        "model",
        "representation",
        "template_a",
        "template_b",
        "r",
        "p",
        "n",
        "critical",
        "significant",
    ]
    assert [(row["template_a"], row["template_b"], row["n"]) for row in found["summary"]] == [
        ("own 1", "own 2", 5), ("own 1", "own 3", 5), ("own 2", "own 3", 5),
    ]  # fmt: skip
    assert {row["representation"] for row in found["summary"]} == {"pooled-in-templates"}
    assert found["options"] == {"method": "pearson", "subsets": 5, "drawn": 3, "seed": 0}
    assert len(found["detail"]) == 15


def test_stability_and_own_templates_reach_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("templates", *OWN, *QUICK, "--representation", "pooled-in-templates")
    found = document(capsys, *asked)
    assert found["names"] == [[f"own {at}", text] for at, text in enumerate(OWN[1::2], 1)]
    (order,) = found["stabilities"]
    assert (order["of"], order["templates"], order["resamples"]) == ("words", 3, 1000)
    code, out, err = run(capsys, *asked, "--format", "csv")
    assert code == 0
    assert len(out.splitlines()) == 1 + 3  # a CSV stays a CSV
    _, table, _ = run(capsys, *asked)
    for text in (err, table):
        assert "Kendall W" in text
        assert f"{order['w']:.4f}" in text
        assert "own 3, The _ is tired." in text


def test_representations(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("--representation", "vulic", "--representation", "input-embedding")
    found = document(capsys, "representations", *OWN, *QUICK, *names, "--method", "spearman")
    (row,) = found["summary"]
    assert (row["representation_a"], row["representation_b"], row["n"]) == ("vulic", "input-embedding", 5)


def test_divergence(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "divergence", *OWN, "--base", "own 2")
    assert list(found["summary"][0]) == ["model", "template", "base", "kl_full", "kl_gendered"]
    assert [row["template"] for row in found["summary"]] == ["own 1", "own 3"]
    assert all(row["kl_full"] > 0 for row in found["summary"])


def test_metrics_of_many_models_with_the_users_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    families = ("bert", "distilbert", "roberta", "electra", "gpt2")
    models = [part for family in families for part in ("--model", str(tiny_folder(family)))]
    names = [tiny_folder(family).name for family in families]
    columns = tmp_path / "mine.csv"
    columns.write_text("model,task\n" + "".join(f"{name},{at}\n" for at, name in enumerate(names)))
    found = document(capsys, "metrics", "--metric", "weat", "--metric", "lauscher", "--columns", str(columns), *models)
    assert list(found["summary"][0]) == [
        "model",
        "representation",
        "metric_a",
        "metric_b",
        "r",
        "p",
        "n",
        "critical",
        "significant",
    ]
    assert [(row["metric_a"], row["metric_b"], row["n"]) for row in found["summary"]] == [
        ("weat", "lauscher", 5), ("weat", "task", 5), ("lauscher", "task", 5),
    ]  # fmt: skip
    assert [info["name"] for info in found["provenance"]["models"]] == names


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("templates", "--template", "This is fine."), "has 0 blanks, needs 1"),
        (("templates", "--set", "mine"), "no set of templates “mine”"),
        (("templates", "--representation", "vulic"), "does not read words in templates"),
        (("divergence", "--base", "T99"), "“T99” is not among those chosen"),
        (("metrics", "--metric", "weta"), "no metric “weta”"),
        (("metrics", *OWN), "omit --template"),
        (("templates", *OWN, "--subsets", "2"), "“2” is not a whole number from 4 to 500"),
    ],
)
def test_what_is_wrong_is_a_sentence(arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
