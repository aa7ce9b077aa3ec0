"""A classifier is trained by the loop of every training; what it becomes is an encoder for the measures."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.engine import catalog
from core.engine.embeddings import Encoder
from core.engine.masked import MaskedScorer
from core.engine.training import folders, places
from core.engine.training.classifying import Classifier, labelled
from core.engine.training.masking import order
from core.errors import NoPredictionHead, OptionError, UnsupportedModel
from core.run import Callbacks, Watch
from tests.support.classifying import EASY, LABELS, SETTINGS, items, trained
from tests.support.finetuning import loaded
from tests.support.paths import ROOT
from tests.support.tiny import MASKED, build, tiny_folder

WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def bert() -> Path:
    return tiny_folder("bert")


def stopping_after(steps: int) -> Watch:
    asked = iter(range(steps))
    return Callbacks(cancelled=lambda: next(asked, None) is None)


def logits(base: Path, folder: Path) -> np.ndarray:
    found = Classifier.opened(loaded(folder), folder).logits(items(loaded(base)))
    assert found is not None
    return found


def test_texts_are_cut_and_keep_their_special_tokens(bert: Path) -> None:
    model = loaded(bert)
    (long, short), cut = labelled(model, ["nurse " * 20, "nurse"], [1, 0], 8)
    assert (len(long.ids), long.label, len(short.ids), cut) == (8, 1, 3, 1)
    assert (long.ids[0], long.ids[-1]) == (short.ids[0], short.ids[-1])
    (whole,), cut = labelled(model, ["nurse " * 400], [0], 8192)
    assert (len(whole.ids), cut) == (model.max_tokens, 1)


def test_the_loss_falls_the_easy_set_is_learned_and_the_saved_model_gives_the_same_logits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, seen = tiny_folder("albert"), []
    publish = folders.publish

    def watched(folder: Path, identity: object, history: object, module: torch.nn.Module, tokenizer: Path) -> None:
        found = Classifier("live", module, 0, "cpu").logits(items(loaded(base)))
        seen.append(found)
        publish(folder, identity, history, module, tokenizer)  # type: ignore[arg-type]

    monkeypatch.setattr(folders, "publish", watched)
    history, finished = trained(base, tmp_path / "m", max_steps=50, rate=3e-3, batch=8)
    assert finished
    losses = [step.loss for step in history.steps]
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.2
    after = logits(base, tmp_path / "m")
    assert (after == seen[0]).all()
    right = after.argmax(axis=1) == [LABELS.index(label) for _, label in EASY]
    assert right.mean() > 0.9


def test_training_is_that_of_a_plain_loop(tmp_path: Path) -> None:
    """One step of plain gradient maths: AdamW's first step moves each weight by the rate, against its gradient."""
    base = build("bert", tmp_path / "base", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    trained(base, tmp_path / "m", max_steps=1, batch=3, rate=1e-3, seed=4)
    model = loaded(base)
    begun = Classifier.begun(model, base, LABELS, 4)
    texts = [items(model)[place] for place in order(4, 0, len(EASY))[:3]]
    module = begun.module.requires_grad_(True)
    before = {name: weight.detach().clone() for name, weight in module.named_parameters()}
    loss = sum(
        -module(input_ids=torch.tensor([text.ids])).logits[0].log_softmax(-1)[text.label] for text in texts
    ) / len(texts)
    loss.backward()
    found = Classifier.opened(loaded(tmp_path / "m"), tmp_path / "m").module.state_dict()
    weights = dict(module.named_parameters())
    clear = 0
    for name in ("classifier.weight", "bert.pooler.dense.weight", "bert.encoder.layer.0.output.dense.weight"):
        gradient = weights[name].grad
        large = gradient.abs() > 1e-4  # beyond AdamW's epsilon and rounding
        clear += int(large.sum())
        moved = found[name] - before[name]
        torch.testing.assert_close(moved[large], -1e-3 * gradient.sign()[large], atol=2e-5, rtol=0.0)
    assert clear > 100


def test_a_new_head_follows_from_its_seed_alone(bert: Path) -> None:
    model = loaded(bert)
    torch.manual_seed(1)
    first = Classifier.begun(model, bert, LABELS, 7).module.state_dict()
    torch.manual_seed(2)
    again = Classifier.begun(model, bert, LABELS, 7).module.state_dict()
    other = Classifier.begun(model, bert, LABELS, 8).module.state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)
    changed = {name for name in first if not torch.equal(first[name], other[name])}
    assert changed == {"classifier.weight", "bert.pooler.dense.weight"}
    base = load_file(bert / WEIGHTS)
    kept = [name for name in first if name in base]
    assert len(kept) > 30
    assert all(torch.equal(first[name], base[name]) for name in kept)


def test_a_classifier_trained_further_begins_with_a_head_that_has_learned_nothing(bert: Path, tmp_path: Path) -> None:
    """Its labels are others, or in another order: what the old head says of them would be no beginning."""
    trained(bert, tmp_path / "judge", max_steps=2)
    held = load_file(tmp_path / "judge" / WEIGHTS)
    begun = Classifier.begun(loaded(tmp_path / "judge"), tmp_path / "judge", ("cold", "warm"), 7).module.state_dict()
    fresh = Classifier.begun(loaded(bert), bert, ("cold", "warm"), 7).module.state_dict()
    assert torch.equal(begun["classifier.weight"], fresh["classifier.weight"])
    assert not torch.equal(begun["classifier.weight"], held["classifier.weight"])
    assert (begun["classifier.bias"] == 0).all()
    encoder = [name for name in held if name.startswith("bert.")]
    assert len(encoder) > 30
    assert all(torch.equal(begun[name], held[name]) for name in encoder)


def test_batches_of_one_length_need_no_padding(bert: Path) -> None:
    """Alone or among others a text has the same logits."""
    model = loaded(bert)
    classifier = Classifier.begun(model, bert, LABELS, 0)
    texts = items(model)
    together = classifier.logits(texts)
    assert together is not None
    alone = [classifier.logits([text]) for text in texts]
    assert together == pytest.approx(np.concatenate([row for row in alone if row is not None]), abs=1e-5)
    assert classifier.logits(texts, stopping_after(0)) is None


def test_stopped_and_resumed_is_as_if_never_stopped(bert: Path, tmp_path: Path) -> None:
    expected, _ = trained(bert, tmp_path / "whole")
    for steps in (1, 7):
        folder = tmp_path / f"stopped {steps}"
        part, finished = trained(bert, folder, run=stopping_after(steps))
        assert not finished
        assert not folder.exists()
        assert part.steps == expected.steps[:steps]
        history, finished = trained(bert, folder)
        assert finished
        assert history.steps == expected.steps
        assert (folder / WEIGHTS).read_bytes() == (tmp_path / "whole" / WEIGHTS).read_bytes()


def test_a_killed_training_resumes_to_the_same_weights(bert: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.support.classifying", str(bert), str(tmp_path / "killed")]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"}) as process:
        state = places.part_of(tmp_path / "killed") / "state.json"
        deadline = time.monotonic() + 300
        while not (state.is_file() and json.loads(state.read_text())["done"] >= 5):
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "killed").exists()
    settings = replace(SETTINGS, max_steps=50)
    trained(bert, tmp_path / "killed", settings=settings)
    trained(bert, tmp_path / "never", settings=settings)
    assert (tmp_path / "killed" / WEIGHTS).read_bytes() == (tmp_path / "never" / WEIGHTS).read_bytes()


@pytest.mark.parametrize("family", [*MASKED, "bert-encoder"])
def test_the_encoder_of_a_classifier_is_read_and_its_missing_head_refused(family: str, tmp_path: Path) -> None:
    base = tiny_folder(family)
    trained(base, tmp_path / "m", max_steps=3)
    model = loaded(tmp_path / "m")
    assert model.info.kind == "encoder"
    with pytest.raises(NoPredictionHead, match="has no trained prediction head: LPBS is not possible, embeddings"):
        MaskedScorer(model)
    before, after = (Encoder(found).input_vectors(["nurse"]).vectors for found in (loaded(base), model))
    assert after.shape == before.shape
    assert not np.allclose(before, after, atol=1e-6)
    assert "Fine-tuned to tell 2 labels of texts apart from" in model.info.notes[0]


def test_a_classifier_stands_in_the_list_as_an_encoder(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    trained(bert, tmp_path / "tiltmeter" / "models" / "judge", max_steps=1)
    entry = catalog.find("judge")
    assert entry is not None
    assert (entry.kind, entry.origin, entry.languages) == ("encoder", "local", ("en",))


def test_what_cannot_be_trained_is_refused(bert: Path, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedModel, match="choose a masked model, or an encoder"):
        trained(tiny_folder("gpt2"), tmp_path / "m")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(OptionError, match="something else than a model fine-tuned here"):
        trained(bert, tmp_path / "mine")
    trained(bert, tmp_path / "m", max_steps=1)
    with pytest.raises(OptionError, match="another fine-tuning"):
        trained(bert, tmp_path / "m", max_steps=2)
