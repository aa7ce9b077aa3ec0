"""``python -m core reliability`` through the program's own entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engine.checkpoints import digest, request
from core.measures.measure import load
from core.report.methods import methods_paragraph
from tests.core.measures.agreement.test_outcomes import F1, NEITHER, info, task
from tests.support.commands import Command
from tests.support.tiny import tiny_folder

OWN = ("--template", "This is the _.", "--template", "The _ is here.", "--template", "The _ is tired.")
QUICK = ("--subsets", "5", "--drawn", "3")


COMMAND = Command("reliability")
run, document = COMMAND.run, COMMAND.document


def test_templates(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "templates", *OWN, *QUICK, "--representation", "pooled-in-templates")
    tables = found["tables"]
    assert list(tables) == ["pairs", "points", "names", "stability", "divergence", "words"]
    assert [(row["a"], row["b"], row["n"]) for row in tables["pairs"]] == [
        ("own 1", "own 2", 5), ("own 1", "own 3", 5), ("own 2", "own 3", 5),
    ]  # fmt: skip
    assert {row["representation"] for row in tables["pairs"]} == {"pooled-in-templates"}
    spec = found["spec"]
    assert (spec["method"], spec["subsets"], spec["drawn"], spec["seed"]) == ("pearson", 5, 3, 0)
    assert len(tables["points"]) == 15


def test_stability_and_own_templates_reach_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("templates", *OWN, *QUICK, "--representation", "pooled-in-templates")
    found = document(capsys, *asked)["tables"]
    assert [(row["name"], row["title"]) for row in found["names"]] == [
        (f"own {at}", text) for at, text in enumerate(OWN[1::2], 1)
    ]
    (order,) = found["stability"]
    assert (order["of"], order["templates"], order["resamples"]) == ("words", 3, 1000)
    code, out, _ = run(capsys, *asked, "--format", "csv")
    assert code == 0
    assert len(out.splitlines()) == 1 + 3  # a CSV stays a CSV
    _, table, _ = run(capsys, *asked)
    assert f"{order['w']:.4f}" in table
    assert "The _ is tired." in table


def test_representations(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("--representation", "vulic", "--representation", "input-embedding")
    found = document(capsys, "representations", *OWN, *QUICK, *names, "--method", "spearman")
    (row,) = found["tables"]["pairs"]
    assert (row["a"], row["b"], row["n"]) == ("vulic", "input-embedding", 5)


def test_divergence(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "divergence", *OWN, "--base", "own 2")["tables"]["divergence"]
    assert list(found[0]) == ["model", "template", "base", "kl_full", "kl_gendered"]
    assert [row["template"] for row in found] == ["own 1", "own 3"]
    assert all(row["kl_full"] > 0 for row in found)


def test_metrics_of_many_models_with_the_users_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    families = ("bert", "distilbert", "roberta", "electra", "gpt2")
    models = [part for family in families for part in ("--model", str(tiny_folder(family)))]
    names = [tiny_folder(family).name for family in families]
    columns = tmp_path / "mine.csv"
    columns.write_text("model,task\n" + "".join(f"{name},{at}\n" for at, name in enumerate(names)))
    saved = tmp_path / "metrics.tilt"
    found = document(
        capsys, "metrics", "--metric", "weat", "--metric", "lauscher", "--columns", str(columns), *models,
        "--save", str(saved),
    )  # fmt: skip
    assert [(row["a"], row["b"], row["n"]) for row in found["tables"]["pairs"]] == [
        ("weat", "lauscher", 5), ("weat", "task", 5), ("lauscher", "task", 5),
    ]  # fmt: skip
    assert [info["name"] for info in found["provenance"]["models"]] == names
    # The user's file is not in it, and what was measured is.
    again = load(saved)
    assert list(again["pairs"]["b"]) == ["lauscher", "task", "task"]
    assert again.spec.columns.name == "mine.csv"
    assert "5 models" in methods_paragraph(again)


def test_metrics_with_saved_results_of_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [tiny_folder(family) for family in ("bert", "distilbert", "roberta", "electra")]
    infos = [info(folder.name, digest(request(str(folder)))) for folder in folders]
    first, second = tmp_path / "first.tilt", tmp_path / "second.tilt"
    task("", *infos[:2], info("away"), bert=0.1, distilbert=0.2, away=0.0).result.save(first)
    task("", *infos[2:], roberta=0.4, electra=0.3).result.save(second)
    asked = ("metrics", "--metric", "weat", "--downstream", str(first), "--downstream", str(second))
    found = document(capsys, *asked, *(part for folder in folders for part in ("--model", str(folder))))
    tables = found["tables"]
    assert [row["value"] for row in tables["points"] if row["name"] == F1] == pytest.approx([0.1, 0.2, 0.4, 0.3])
    assert [(row["a"], row["b"], row["n"]) for row in tables["pairs"]][:2] == [("weat", F1, 4), ("weat", NEITHER, 4)]
    assert [(row["name"], row["kind"]) for row in tables["names"]] == [
        ("weat", "metric"), (F1, "downstream"), (NEITHER, "downstream"),
    ]  # fmt: skip
    assert any(item["why"].startswith("first.tilt: away is not among the models") for item in found["excluded"])


def test_a_file_that_is_no_result_of_a_task_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.tilt"
    other.write_bytes(b"model,score")
    code, out, err = run(capsys, "metrics", "--downstream", str(other))
    assert (code, out) == (2, "")
    assert "other.tilt is damaged, or is not a result saved by Tiltmeter" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("templates", "--template", "This is fine."), "has 0 blanks, needs 1"),
        (("templates", "--set", "mine"), "delobelle"),
        (("templates", "--representation", "vulic"), "does not read words in templates"),
        (("divergence", "--base", "T99"), "“T99” is not among those chosen"),
        (("metrics", "--metric", "weta"), "“weta”, which does not exist. Choose weat, seat"),
        (("metrics", *OWN), "omit --template"),
        (("templates", *OWN, "--subsets", "2"), "“2” is not a whole number from 4 to 500"),
    ],
)
def test_what_is_wrong_is_a_sentence(arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
