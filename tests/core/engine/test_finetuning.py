from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.engine import catalog, parentage
from core.engine.masked import MaskedScorer
from core.engine.parentage import Settings
from core.engine.training import folders, loop, places
from core.engine.training.dropout import OwnDropout
from core.engine.training.finetuning import examples
from core.engine.training.loop import rate_at
from core.engine.training.masking import NOT_PREDICTED, hide, order
from core.errors import ExportError, ModelError, NoPredictionHead, OptionError, UnsupportedModel
from core.result import Progress
from core.run import Callbacks, Watch
from tests.support.finetuning import SETTINGS, TEXTS, loaded, trained
from tests.support.paths import ROOT
from tests.support.tiny import build, tiny_folder

WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def bert() -> Path:
    return tiny_folder("bert")


@pytest.fixture(scope="module")
def whole(bert: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A training that nobody stopped."""
    folder = tmp_path_factory.mktemp("whole") / "model"
    trained(bert, folder)
    return folder


def stopping_after(steps: int) -> Watch:
    asked = iter(range(steps))
    return Callbacks(cancelled=lambda: next(asked, None) is None)


def logits(folder: Path) -> torch.Tensor:
    model = loaded(folder)
    ids = torch.tensor([examples(model, TEXTS[:1]).items[0].ids])
    with torch.no_grad():
        return model.module(input_ids=ids).logits


# -- what is hidden, and in which order -------------------------------------------------------------------------------


def test_hidden_tokens_are_fifteen_percent_of_a_text_eighty_ten_ten() -> None:
    ids, count = np.arange(1_000, 21_002), 20_000
    inputs, labels = hide(
        ids, range(1, 1 + count), share=0.15, mask=7, vocabulary=500, seed=1, epoch=0, text=0
    )  # no random token is an id of the text
    chosen = labels != NOT_PREDICTED
    assert not chosen[0]
    assert not chosen[-1]
    assert (labels[chosen] == ids[chosen]).all()
    assert (inputs[~chosen] == ids[~chosen]).all()
    # Within four standard deviations of a binomial count: 4·√(20,000·.15·.85) = 202, of 3,000: 88 and 66.
    assert abs(chosen.sum() - 3_000) < 202
    masked, kept = (inputs[chosen] == 7).sum(), (inputs[chosen] == ids[chosen]).sum()
    assert abs(masked - 0.8 * chosen.sum()) < 92
    assert abs(kept - 0.1 * chosen.sum()) < 70
    assert ((inputs < 500) & (inputs != 7))[chosen].sum() == chosen.sum() - masked - kept


def test_a_short_text_hides_one_token_at_least_and_never_a_special_one() -> None:
    for text in range(50):
        _, labels = hide([2, 11, 3], range(1, 2), share=0.15, mask=7, vocabulary=20, seed=0, epoch=0, text=text)
        assert list(labels) == [NOT_PREDICTED, 11, NOT_PREDICTED]


def test_order_and_masks_follow_from_seed_epoch_and_text_alone() -> None:
    assert sorted(order(3, 0, 50)) == list(range(50))
    assert list(order(3, 1, 50)) == list(order(3, 1, 50)) != list(order(3, 0, 50))
    assert list(order(3, 1, 50)) != list(order(4, 1, 50))

    def labels(**changed: int) -> list[int]:
        place = {"seed": 0, "epoch": 0, "text": 0, **changed}
        return list(hide(range(60), range(1, 59), share=0.15, mask=7, vocabulary=20, **place)[1])

    different = [labels(), labels(seed=1), labels(epoch=1), labels(text=1)]
    assert labels() == different[0]
    assert len({tuple(found) for found in different}) == 4


def test_the_rate_rises_and_falls_linearly() -> None:
    plain, warm = Settings(rate=1.0), Settings(rate=1.0, warmup=0.4)
    assert [rate_at(plain, step, 4) for step in range(4)] == [1.0, 0.75, 0.5, 0.25]
    assert [rate_at(warm, step, 5) for step in range(5)] == pytest.approx([1 / 2, 1.0, 1.0, 2 / 3, 1 / 3])


def test_steps_are_those_of_whole_epochs_or_fewer() -> None:
    assert Settings(epochs=3, batch=2).steps(5) == 9
    assert Settings(epochs=3, batch=2, max_steps=4).steps(5) == 4
    assert Settings(epochs=1, max_steps=50).steps(5) == 5


def test_a_text_longer_than_the_model_takes_is_read_in_parts(bert: Path) -> None:
    model = loaded(bert)
    text = " ".join(["nurse"] * 300)
    found = examples(model, [text, "nurse nurse", " "])
    room = model.max_tokens - 2
    assert [len(item.own) for item in found.items] == [room, room, 300 - 2 * room, 2]
    assert all(len(item.ids) == len(item.own) + 2 and len(item.ids) <= model.max_tokens for item in found.items)
    assert (found.split, found.empty) == (1, 1)


def test_dropout_has_a_generator_of_its_own() -> None:
    states = torch.ones(4, 1_000)
    before = torch.get_rng_state()
    with OwnDropout(torch.device("cpu")) as dropout:
        dropout.seed(5)
        first = torch.nn.functional.dropout(states, 0.2)
        second = torch.nn.Dropout(0.2)(states)
        dropout.seed(5)
        again = torch.nn.functional.dropout(states, 0.2)
        assert torch.equal(torch.nn.functional.dropout(states, 0.2, training=False), states)
    assert torch.equal(first, again)
    assert not torch.equal(first, second)
    assert set(first.unique().tolist()) == {0.0, 1.25}
    assert abs(float(first.mean()) - 1) < 0.05
    assert torch.equal(torch.get_rng_state(), before)


# -- training ---------------------------------------------------------------------------------------------------------


def test_fifty_steps_lower_the_loss_and_the_model_reloads_to_the_same_numbers(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = []
    publish = folders.publish

    def watched(folder: Path, identity: object, history: object, module: torch.nn.Module, tokenizer: Path) -> None:
        published.append(module)
        publish(folder, identity, history, module, tokenizer)  # type: ignore[arg-type]

    monkeypatch.setattr(folders, "publish", watched)
    history, finished = trained(bert, tmp_path / "m", max_steps=50, epochs=99, rate=1e-2)
    assert finished
    losses = [step.loss for step in history.steps]
    assert len(losses) == 50
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.5
    ids = torch.tensor([examples(loaded(bert), TEXTS[:1]).items[0].ids])
    with torch.no_grad():
        live = published[0](input_ids=ids).logits
    assert torch.equal(live, logits(tmp_path / "m"))
    assert not torch.allclose(live, logits(bert), atol=1e-2)
    assert not places.part_of(tmp_path / "m").exists()
    assert (tmp_path / "m" / "tokenizer.json").read_bytes() == (bert / "tokenizer.json").read_bytes()


def test_training_is_that_of_a_plain_loop(tmp_path: Path) -> None:
    """AdamW by its formula (Kingma and Ba 2015), on gradients of the model's own loss, without dropout."""
    base = build("bert", tmp_path / "base", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    steps, rate = 3, 1e-3
    trained(base, tmp_path / "m", max_steps=steps, batch=1, rate=rate, seed=4)
    model = loaded(base)
    module = model.module.train().requires_grad_(True)
    weights = dict(module.named_parameters())
    first = {name: torch.zeros_like(weight) for name, weight in weights.items()}
    second = {name: torch.zeros_like(weight) for name, weight in weights.items()}
    items = examples(model, TEXTS).items
    mask, vocabulary = model.tokenizer.mask_token_id, len(model.tokenizer)
    for step in range(steps):
        text = int(order(4, 0, len(items))[step])
        inputs, labels = hide(
            items[text].ids,
            items[text].own,
            share=0.15,
            mask=mask,
            vocabulary=vocabulary,
            seed=4,
            epoch=0,
            text=text,
        )
        predicted = module(input_ids=torch.tensor(inputs[None])).logits[0].log_softmax(-1)
        at = np.flatnonzero(labels != NOT_PREDICTED)
        loss = -predicted[at, labels[at]].mean()
        module.zero_grad()
        loss.backward()
        gradients = {name: weight.grad for name, weight in weights.items() if weight.grad is not None}
        norm = torch.sqrt(sum(gradient.square().sum() for gradient in gradients.values()))
        with torch.no_grad():
            for name, gradient in gradients.items():
                gradient = gradient * min(1.0, 1.0 / float(norm))
                first[name] = 0.9 * first[name] + 0.1 * gradient
                second[name] = 0.999 * second[name] + 0.001 * gradient**2
                mean = first[name] / (1 - 0.9 ** (step + 1))
                variance = second[name] / (1 - 0.999 ** (step + 1))
                weights[name] -= rate * (steps - step) / steps * mean / (variance.sqrt() + 1e-8)
    found = dict(loaded(tmp_path / "m").module.named_parameters())
    for name, weight in weights.items():
        if not name.endswith("key.bias"):  # softmax takes no notice of it: its gradient is rounding alone
            torch.testing.assert_close(found[name], weight.detach(), atol=5e-5, rtol=1e-4)  # of steps of 1e-3


@pytest.mark.parametrize("changed", [{}, {"lora_rank": 2}], ids=["all weights", "adapters"])
def test_stopped_and_resumed_is_as_if_never_stopped(bert: Path, tmp_path: Path, changed: dict[str, int]) -> None:
    expected, _ = trained(bert, tmp_path / "whole", **changed)
    for steps in (1, 5, 11):
        folder = tmp_path / f"stopped {steps}"
        part, finished = trained(bert, folder, run=stopping_after(steps), **changed)
        assert not finished
        assert part.steps == expected.steps[:steps]
        assert not folder.exists()
        history, finished = trained(bert, folder, **changed)
        assert finished
        assert history.steps == expected.steps
        assert (folder / WEIGHTS).read_bytes() == (tmp_path / "whole" / WEIGHTS).read_bytes()


def test_whoever_watches_sees_the_loss_fall(bert: Path, tmp_path: Path) -> None:
    """All twelve losses one by one; of more than forty steps, the mean of two each."""
    heard: list[Progress] = []
    history, _ = trained(bert, tmp_path / "m", run=Callbacks(heard.append))
    losses = [(step.step, step.loss) for step in history.steps]
    assert [report.losses for report in heard] == [tuple(losses[:done]) for done in range(13)]
    long, _ = trained(bert, tmp_path / "long", run=Callbacks(heard.append), settings=Settings(max_steps=43, epochs=99))
    steps = [step.loss for step in long.steps]
    expected = [(step, (steps[step - 2] + steps[step - 1]) / 2) for step in range(2, 43, 2)] + [(43, steps[42])]
    assert dict(heard[-1].losses) == pytest.approx(dict(expected))


def test_a_killed_training_resumes_to_the_same_weights(bert: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.support.finetuning", str(bert), str(tmp_path / "killed")]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"}) as process:
        state = places.part_of(tmp_path / "killed") / "state.json"
        deadline = time.monotonic() + 300
        while not (state.is_file() and json.loads(state.read_text())["done"] >= 10):
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "killed").exists()
    settings = Settings(max_steps=80, epochs=99)
    trained(bert, tmp_path / "killed", settings=settings)
    trained(bert, tmp_path / "never", settings=settings)
    assert (tmp_path / "killed" / WEIGHTS).read_bytes() == (tmp_path / "never" / WEIGHTS).read_bytes()


def test_a_finished_training_is_not_done_again(bert: Path, whole: Path) -> None:
    before = (whole / WEIGHTS).stat().st_mtime_ns
    history, finished = trained(bert, whole)
    assert finished
    assert len(history.steps) == 12
    assert (whole / WEIGHTS).stat().st_mtime_ns == before


@pytest.mark.parametrize("family", ["bert", "distilbert", "albert", "roberta", "deberta-v2", "modernbert"])
def test_adapters_live_merged_and_reloaded_are_the_same_and_leave_the_head_alone(
    family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = tiny_folder(family)
    ids = torch.tensor([examples(loaded(base), TEXTS[:1]).items[0].ids])
    seen = {}
    merged_of: Callable[..., torch.nn.Module] = loop.Training.merged

    def watched(training: loop.Training) -> torch.nn.Module:
        training.module.eval()
        with torch.no_grad():
            seen["live"] = training.module(input_ids=ids).logits
        module = merged_of(training)
        with torch.no_grad():
            seen["merged"] = module(input_ids=ids).logits
        return module

    monkeypatch.setattr(loop.Training, "merged", watched)
    trained(base, tmp_path / "m", lora_rank=4)
    with torch.no_grad():
        again = loaded(tmp_path / "m").module(input_ids=ids).logits
        before = loaded(base).module(input_ids=ids).logits
    torch.testing.assert_close(seen["live"], seen["merged"], atol=1e-4, rtol=1e-5)
    torch.testing.assert_close(seen["merged"], again, atol=1e-5, rtol=1e-5)
    assert not torch.allclose(before, again, atol=1e-3)
    old, new = load_file(base / WEIGHTS), load_file(tmp_path / "m" / WEIGHTS)
    assert old.keys() == new.keys()
    changed = {name for name in old if not torch.equal(old[name], new[name])}
    assert changed
    assert all("layer" in name for name in changed)
    assert all(new[name].ndim == 2 for name in changed)


# -- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "error", "said"),
    [("gpt2", UnsupportedModel, "choose a masked model"), ("bert-encoder", NoPredictionHead, "no trained prediction")],
)
def test_a_model_without_masks_or_head_is_refused(
    family: str, error: type[ModelError], said: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=said):
        trained(tiny_folder(family), tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_something_else_is_refused(bert: Path, whole: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OptionError, match="something else than a model fine-tuned here"):
        trained(bert, tmp_path)
    with pytest.raises(OptionError, match="is a file"):
        trained(bert, tmp_path / "notes.txt")
    with pytest.raises(OptionError, match="another fine-tuning"):
        trained(bert, whole, seed=9)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_read_only_folder_is_refused(bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # an administrator may write everywhere
    with pytest.raises(OptionError, match="read-only"):
        trained(bert, tmp_path / "m")


def test_what_is_kept_of_another_training_or_damaged_is_refused(bert: Path, tmp_path: Path) -> None:
    trained(bert, tmp_path / "m", run=stopping_after(3))
    with pytest.raises(OptionError, match="unfinished fine-tuning of another model, text or settings"):
        trained(bert, tmp_path / "m", seed=9)
    (tensors,) = places.part_of(tmp_path / "m").glob("*.safetensors")
    tensors.write_bytes(tensors.read_bytes()[:-8])
    with pytest.raises(OptionError, match="damaged"):
        trained(bert, tmp_path / "m")
    (places.part_of(tmp_path / "m") / "state.json").write_text("{}")
    with pytest.raises(OptionError, match=r"damaged; delete .* to start anew"):
        trained(bert, tmp_path / "m")


def test_a_disk_without_room_is_refused_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2_000_000_000))
    places.check_room(tmp_path / "not" / "there", 1_999_999_999)
    with pytest.raises(ExportError, match=r"has 2\.0 GB left; the fine-tuning needs 3\.0 GB"):
        places.check_room(tmp_path, 3_000_000_000)


def test_a_disk_that_fills_up_leaves_the_last_state_whole(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained(bert, tmp_path / "m", run=stopping_after(4))
    part = places.part_of(tmp_path / "m")
    kept = {path.name: path.read_bytes() for path in part.iterdir()}

    def full(_tensors: object, path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(folders, "save_file", full)
        with pytest.raises(ExportError, match="the disk is full"):
            trained(bert, tmp_path / "m", run=stopping_after(2))
    assert {path.name: path.read_bytes() for path in part.iterdir()} == kept
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "copyfile", lambda _, path: full(None, path))
        with pytest.raises(ExportError, match="the disk is full"):
            trained(bert, tmp_path / "m")
    assert not (tmp_path / "m").exists()
    assert {path.name: path.read_bytes() for path in part.iterdir()} == kept
    trained(bert, tmp_path / "m")
    trained(bert, tmp_path / "never")
    assert (tmp_path / "m" / WEIGHTS).read_bytes() == (tmp_path / "never" / WEIGHTS).read_bytes()


def test_a_loss_that_is_no_number_ends_it_and_saves_nothing(bert: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="choose a lower learning rate"):
        trained(bert, tmp_path / "m", rate=1e30)
    assert not (tmp_path / "m").exists()


def test_two_trainings_do_not_write_to_one_folder(bert: Path, tmp_path: Path) -> None:
    with folders.held(tmp_path / "m"), pytest.raises(OptionError, match="Another fine-tuning writes to"):
        trained(bert, tmp_path / "m")


# -- afterwards -------------------------------------------------------------------------------------------------------


def test_a_fine_tuned_model_is_on_the_list_and_says_where_it_comes_from(
    bert: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    models = tmp_path / "tiltmeter" / "models"
    for place in ("swapped", "several/several-seed-1", ".hidden.part/model"):
        shutil.copytree(whole, models / place)
    elsewhere = shutil.copytree(whole, tmp_path / "elsewhere")
    catalog.remember(elsewhere)
    catalog.remember(elsewhere)
    catalog.remember(models / "swapped")
    local = [entry for entry in catalog.entries() if entry.origin == "local"]
    assert [entry.name for entry in local] == ["several-seed-1", "swapped", "elsewhere"]
    assert {(entry.family, entry.languages, entry.kind) for entry in local} == {("bert", ("en",), "masked")}
    assert catalog.locate("elsewhere") == ("elsewhere", str(elsewhere))
    shutil.rmtree(elsewhere)
    assert "elsewhere" not in [entry.name for entry in catalog.entries()]
    model = loaded(models / "swapped")
    (note,) = model.info.notes
    base = loaded(bert)
    assert note == (
        f"Fine-tuned from bert (SHA-256 {base.info.digest[:12]}) on texts.txt (SHA-256 abababababab): 5 texts, "
        "12 steps of 2, learning rate 0.001, seed 0."
    )
    assert model.info.parent == base.info.digest
    assert model.info.is_made_from(base.info)
    assert not base.info.is_made_from(model.info)
    assert not base.info.parent
    assert MaskedScorer(model)
    found = parentage.read(models / "swapped")
    assert found is not None
    assert found.settings == SETTINGS
    (models / "swapped" / parentage.FILE).write_text("{}")
    assert parentage.read(models / "swapped") is None


def test_a_folder_with_an_adapter_is_refused(bert: Path, tmp_path: Path) -> None:
    shutil.copytree(bert, tmp_path / "m")
    (tmp_path / "m" / "adapter_config.json").write_text('{"base_model_name_or_path": "owner/other"}')
    with pytest.raises(UnsupportedModel, match="holds an adapter"):
        loaded(tmp_path / "m")
