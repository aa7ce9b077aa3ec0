from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
import torch

from core.cli import main
from core.engine import catalog
from core.errors import ExportError, NothingToScore, OptionError
from core.measures.lpbs.professions.spec import ProfessionSpec
from core.measures.mitigation.texts_given import EXAMPLE
from core.measures.mitigation.trainings import end_steps, ends
from core.measures.mitigation.tuning import words
from core.measures.mitigation.tuning.metric import held_out, perplexity
from core.measures.mitigation.tuning.result import LOSSES, MODELS, PERPLEXITY, TuningResult
from core.measures.mitigation.tuning.spec import Rate, TuningSpec
from core.report.frames import to_table
from core.report.methods import methods_paragraph
from core.run import Run
from core.sources import corpus
from core.spec import File
from tests.support.finetuning import TEXTS, loaded
from tests.support.tiny import tiny_folder

SWAPPED = File.of("swapped.txt", "\n".join(TEXTS).encode())
UNSWAPPED = File.of("unswapped.txt", "\n".join((*TEXTS[1:], TEXTS[0])).encode())


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of the user's models that is nobody's."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def spec_into(folder: Path | None, **changed: Any) -> TuningSpec:
    spec = TuningSpec(
        models=(str(tiny_folder("bert")),), file=SWAPPED, max_steps=50, epochs=99, rate=Rate.HIGHEST, out=folder
    )
    return replace(spec, **changed)


def same(result: TuningResult, expected: TuningResult) -> bool:
    """Equal numbers, whatever the folders are called and however long it took."""
    loose = ["model", "folder", "digest", "seconds"]
    return all(
        result[table].drop(columns=loose, errors="ignore").equals(expected[table].drop(columns=loose, errors="ignore"))
        for table in result.tables
    )


# -- pure numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "places"),
    [(0, ()), (1, ()), (2, (1,)), (9, (4,)), (20, (5, 15)), (39, (6, 19, 32))],
)
def test_a_tenth_of_the_documents_is_held_out_at_even_distances(count: int, places: tuple[int, ...]) -> None:
    assert held_out(count) == places


def test_at_most_twenty_documents_are_held_out() -> None:
    assert len(set(held_out(4_454))) == 20
    assert max(held_out(4_454)) < 4_454


def test_first_and_last_losses_are_means_over_ten_steps_or_a_tenth() -> None:
    assert [end_steps(count) for count in (1, 2, 5, 20, 50, 100, 1_000)] == [1, 1, 2, 10, 10, 10, 100]
    assert ends([8.0, 6.0, 4.0, 2.0], [1, 1, 1, 1]) == (7.0, 3.0)
    # 5 steps listed as means of 2, 2 and 1: the first two steps, and the last two, of which the last mean is of one.
    assert ends([8.0, 6.0, 3.0], [2, 2, 1]) == (8.0, (3.0 + 2 * 6.0) / 3)
    assert ends([], []) == (None, None)


def test_perplexity_is_the_inverse_of_the_geometric_mean() -> None:
    # Tokens of probability 1/2, 1/2 and 1/16: (2·2·16)^(1/3) = 4.
    assert perplexity([2 * math.log(1 / 2), math.log(1 / 16)], [2, 1]) == pytest.approx(4.0)


# -- measuring --------------------------------------------------------------------------------------------------------


def test_the_loss_falls_and_the_professions_change(tmp_path: Path, cache: Path) -> None:
    spec = spec_into(None)
    result = spec.run()
    (row,) = result[MODELS].to_dict("records")
    folder = cache / "tiltmeter" / "models" / "bert-swapped"
    assert (row["model"], row["folder"], row["steps"]) == ("bert-swapped", str(folder), 50)
    assert row["last_loss"] < row["first_loss"] - 0.3
    assert list(result[LOSSES]["step"]) == list(range(1, 51))
    assert row["first_loss"] == pytest.approx(result[LOSSES]["loss"][:10].mean())
    assert result[LOSSES]["learning_rate"].iloc[[0, -1]].tolist() == pytest.approx([1e-3, 1e-3 / 50])
    assert catalog.find("bert-swapped") is not None
    texts = {
        "templates": ("[TARGET] is a [ATTRIBUTE].",),
        "pairs": ("she / he",),
        "professions": ("nurse", "engineer", "teacher"),
    }
    small = corpus("en").changed(**{name: "\n".join(lines) for name, lines in texts.items()})
    found = ProfessionSpec(models=(str(tiny_folder("bert")), "bert-swapped"), corpora=(small,)).run()
    before, after = (found["professions"].query("model == @model") for model in found.models)
    assert len(before) == len(after) == 3
    assert (before["difference"].to_numpy() != after["difference"].to_numpy()).all()
    (info,) = [info for info in found.provenance.models if info.name == "bert-swapped"]
    assert info.digest == row["digest"]
    assert info.notes[0].startswith("Fine-tuned from bert (SHA-256 ")
    assert "on swapped.txt (SHA-256 " in info.notes[0]


def test_the_price_is_the_pseudo_perplexity_of_the_held_out_document(tmp_path: Path) -> None:
    result = spec_into(tmp_path / "m", max_steps=5).run()
    (held,) = held_out(len(TEXTS))
    before, after = result[PERPLEXITY].to_dict("records")
    for row, folder in ((before, tiny_folder("bert")), (after, tmp_path / "m")):
        model = loaded(folder)
        ids = model.tokenizer(TEXTS[held])["input_ids"]
        total = 0.0
        for place in range(1, len(ids) - 1):  # one token at a time
            masked = torch.tensor([[*ids[:place], model.tokenizer.mask_token_id, *ids[place + 1 :]]])
            with torch.no_grad():
                total += float(model.module(input_ids=masked).logits[0, place].log_softmax(-1)[ids[place]])
        assert row["tokens"] == len(ids) - 2
        assert row["perplexity"] == pytest.approx(math.exp(-total / (len(ids) - 2)), rel=1e-4)
    assert math.isnan(before["change"])
    assert after["change"] == pytest.approx(100 * (after["perplexity"] / before["perplexity"] - 1))
    assert (before["model"], after["model"]) == ("bert", "m")


def test_seeds_and_control_are_one_job(tmp_path: Path) -> None:
    spec = spec_into(tmp_path / "m", control=UNSWAPPED, seeds=2, seed=5, max_steps=3)
    result = spec.run()
    names = ["m-seed-5", "m-control-seed-5", "m-seed-6", "m-control-seed-6"]
    assert list(result[MODELS]["model"]) == names
    assert list(result[MODELS]["control"]) == [False, True, False, True]
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == sorted(names)
    assert result[MODELS]["digest"].nunique() == 4
    assert len(result[PERPLEXITY]) == 2 * 5
    assert [info.name for info in result.provenance.models] == ["bert", *names]
    assert result.provenance.models[2].notes[0].startswith("Fine-tuned from bert (SHA-256")
    assert "unswapped.txt" in result.provenance.models[2].notes[0]
    assert not any("no control" in note.text for note in result.notes)
    assert same(spec.run(), result)


def test_stopped_and_resumed_is_as_if_never_stopped(tmp_path: Path) -> None:
    changed = {"seeds": 2, "max_steps": 6, "lora": 2}
    expected = spec_into(tmp_path / "whole", **changed).run()
    spec = spec_into(tmp_path / "m", **changed)
    for patience in (3, 6):
        run: Run[Any] = Run(spec)
        asked = iter(range(patience))
        run.cancelled = lambda asked=asked: next(asked, None) is None  # type: ignore[method-assign]
        part = spec.run(run)
        assert part.stopped
        assert words.finding(part).support.startswith("Losses are those")
        for text in (to_table(part), methods_paragraph(part)):
            assert text.count("stopped before its end") == 1
        assert 0 < part[MODELS]["steps"].sum() < 12
        assert set(part[MODELS]["folder"]) <= {"", str(tmp_path / "m" / "m-seed-0")}
    assert same(spec.run(), expected)


def test_a_run_that_is_stopped_at_once_has_nothing(tmp_path: Path) -> None:
    spec = spec_into(tmp_path / "m")
    run: Run[Any] = Run(spec)
    run.cancelled = lambda: True  # type: ignore[method-assign]
    with pytest.raises(NothingToScore, match="No step was made"):
        spec.run(run)
    assert not (tmp_path / "m").exists()


def test_long_empty_and_few_documents_are_said(tmp_path: Path) -> None:
    long = " ".join(["nurse"] * 300)
    notes = [
        note.text for note in spec_into(tmp_path / "a", file=File.of("t.txt", f"{long}\nA b.".encode())).run().notes
    ]
    assert any("longer than the 128 tokens of the model were read in parts: 1." in note for note in notes)
    result = spec_into(tmp_path / "b", file=File.of("t.txt", b"The nurse is late."), max_steps=2).run()
    assert any("single document" in note.text for note in result.notes)
    assert result[PERPLEXITY].empty
    assert "pseudo-perplexity" not in words.finding(result).support


# -- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dtype": "bfloat16"}, "fine-tuned in float32"),
        ({"models": ("default", "gpt2")}, "one at a time is fine-tuned"),
        ({"rate": "7"}, "Learning rate: “7” is not possible"),
        ({"seed": 2**31 - 1, "seeds": 2}, "choose a smaller seed"),
        ({"hidden": 0}, "Tokens predicted, % is 0"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        TuningSpec(**changed)


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["finetune", *arguments]) in (1, 2)
    error = capsys.readouterr().err
    assert "Traceback" not in error
    return error


def test_the_command_refuses_with_a_sentence_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    empty, text = tmp_path / "empty.txt", tmp_path / "text.txt"
    empty.write_text(" \n\n")
    text.write_text("\n".join(TEXTS))
    fewer = tmp_path / "fewer.txt"
    fewer.write_text("\n".join(TEXTS[:2]))
    bert, out = str(tiny_folder("bert")), str(tmp_path / "out")
    data = ["--data", str(text)]
    assert "is empty" in refused(["--model", bert, "--data", str(empty), "--out", out], capsys)
    assert "cannot be read" in refused(["--model", bert, "--data", str(tmp_path / "no.txt"), "--out", out], capsys)
    assert "something else" in refused(["--model", bert, *data, "--out", str(tmp_path)], capsys)
    assert "something else" in refused(["--model", bert, *data, "--out", str(tmp_path), "--seeds", "3"], capsys)
    assert "has 2 documents and text.txt 5" in refused(["--model", bert, *data, "--control", str(fewer)], capsys)
    assert "called as its model" in refused(["--model", bert, *data, "--out", str(tmp_path / "bert")], capsys)
    assert "choose a masked model" in refused(["--model", str(tiny_folder("gpt2")), *data, "--out", out], capsys)
    headless = str(tiny_folder("bert-encoder"))
    assert "no trained prediction head" in refused(["--model", headless, *data, "--out", out], capsys)
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))
        assert "has 0.0 GB left" in refused(["--model", bert, *data, "--out", out], capsys)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.txt", "fewer.txt", "text.txt"]


def test_a_folder_with_another_model_of_ours_is_refused(tmp_path: Path) -> None:
    spec_into(tmp_path / "m", max_steps=1).run()
    with pytest.raises(OptionError, match="another fine-tuning"):
        spec_into(tmp_path / "m", max_steps=2).run()


def test_a_list_of_models_that_cannot_be_written_is_a_sentence_and_loses_no_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ExportError, match="nothing is lost: make room or give access"):
        spec_into(tmp_path / "m", max_steps=1).run()
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "other"))
    assert spec_into(tmp_path / "m", max_steps=1).run()["models"]["steps"].tolist() == [1]


# -- texts ------------------------------------------------------------------------------------------------------------


def result_of(losses: list[tuple[float, float]], perplexities: list[float]) -> TuningResult:
    rows = [
        {
            "model": f"m-seed-{seed}",
            "seed": seed,
            "control": False,
            "folder": f"/m/m-seed-{seed}",
            "digest": "ab",
            "steps": 50,
            "seconds": 2.0,
            "first_loss": first,
            "last_loss": last,
        }
        for seed, (first, last) in enumerate(losses)
    ]
    prices = [
        {
            "model": "minilm-mlm" if at == 0 else f"m-seed-{at - 1}",
            "text": "data",
            "documents": 2,
            "tokens": 20,
            "perplexity": value,
            "change": None if at == 0 else 100 * (value / perplexities[0] - 1),
        }
        for at, value in enumerate(perplexities)
    ]
    from tests.support.attention_results import NOBODY

    tables = TuningResult.SCHEMA.frames(models=rows, perplexity=prices, losses=pd.DataFrame())
    return TuningResult(spec=TuningSpec(), tables=tables, excluded=(), notes=(), provenance=NOBODY)


def test_the_finding_says_loss_and_price() -> None:
    one = words.finding(result_of([(3.0, 2.5)], [10.0, 12.0]))
    assert one.text == "The loss of minilm-mlm fell from 3.000 to 2.500 over 50 steps."
    assert one.support == (
        "The price: pseudo-perplexity on 2 documents held out 10.00 before, 12.00 after. Losses are those of the "
        "hidden tokens, in nats, each a mean over 10 steps."
    )
    two = words.finding(result_of([(3.0, 2.5), (3.2, 3.5)], [10.0, 12.0, 9.0]))
    assert two.text == "The loss of minilm-mlm fell from 3.100 to 3.000 over 50 steps, mean of 2 seeds."
    assert "10.00 before, 9.00 to 12.00 after" in two.support
    risen = words.finding(result_of([(2.0, 2.5)], []))
    assert risen.text == "The loss of minilm-mlm did not fall: 2.000 at first, 2.500 at last, over 50 steps."


def test_the_saved_result_holds_where_the_models_lie(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--model", str(tiny_folder("bert")), "--data", str(EXAMPLE), "--max-steps", "2"]
    assert main(["finetune", *arguments, "--out", str(tmp_path / "m"), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["schema"] == "finetune/1"
    assert printed["tables"]["models"][0]["folder"] == str(tmp_path / "m")
