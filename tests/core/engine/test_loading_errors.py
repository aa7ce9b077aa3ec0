"""One typed error, with a sentence of help, for each thing that can be wrong with a folder."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file

from core.engine import loading
from core.engine.checkpoints import ModelRequest, fetch
from core.errors import BrokenModel, ModelError, ModelNotFound, UnsafeModel, UnsupportedModel
from tests.support.watching import a_few_numbers, change_settings, copy_of, load_folder, load_tiny

WEIGHTS = "model.safetensors"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tiny BERT that may be spoilt."""
    return copy_of("bert", tmp_path / "spoilt")


def refuses(folder: Path, error: type[ModelError], *keywords: str) -> str:
    """The folder is refused with this error and a whole sentence that names the model."""
    with pytest.raises(error) as caught:
        load_folder(folder)
    assert type(caught.value) is error, caught.value
    message = str(caught.value)
    for keyword in (folder.name, *keywords):
        assert keyword in message
    assert re.search(r"[.!?]$", message), message  # not cut off
    assert str(folder) not in message  # the folder's name is enough
    assert "\n" not in message
    return message


@pytest.mark.parametrize("text", ["./nothing/here", "/nothing/here", "~/nothing/here"])
def test_a_folder_that_does_not_exist(text: str) -> None:
    with pytest.raises(ModelNotFound, match=f"There is no folder {text}; give the folder that holds config.json"):
        fetch(ModelRequest(text))


def test_a_folder_without_a_configuration(folder: Path) -> None:
    (folder / "config.json").unlink()
    refuses(folder, BrokenModel, "no config.json")


def test_a_folder_with_pickled_weights_only(folder: Path) -> None:
    """They would load, and could run code."""
    torch.save(load_file(folder / WEIGHTS), folder / "pytorch_model.bin")
    (folder / WEIGHTS).unlink()
    refuses(folder, UnsafeModel, "no safetensors file", "can run code", "safe_serialization=True")


def test_pickled_weights_beside_safetensors_are_not_opened(folder: Path) -> None:
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04 not even a pickle")
    assert a_few_numbers(load_folder(folder)) == a_few_numbers(load_tiny("bert"))


@pytest.mark.parametrize(
    "config",
    [
        transformers.T5Config(d_model=16, d_kv=4, d_ff=16, num_layers=1, num_heads=2, vocab_size=164),
        transformers.BartConfig(d_model=16, encoder_layers=1, decoder_layers=1, vocab_size=164),
        transformers.ViTConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=2),
    ],
    ids=["T5", "BART", "ViT"],
)
def test_a_family_that_neither_fills_nor_continues(folder: Path, config: Any) -> None:
    config.save_pretrained(folder)
    refuses(folder, UnsupportedModel, f"is a {config.model_type} model", "BERT", "GPT")


def test_xlnet_is_refused_as_what_it_is(folder: Path) -> None:
    transformers.XLNetConfig(d_model=16, n_layer=1, n_head=2, d_inner=16, vocab_size=164).save_pretrained(folder)
    refuses(folder, UnsupportedModel, "is XLNet, a permutation language model", "BERT", "GPT")


@pytest.mark.parametrize(("stated", "read"), [(-1, 512), (0, 512), (64, 64)])
def test_a_longest_input_that_is_not_stated(stated: int, read: int) -> None:
    assert loading._max_tokens(transformers.BertConfig(max_position_embeddings=stated)) == read


def test_a_family_nobody_knows(folder: Path) -> None:
    change_settings(folder, model_type="novelty")
    refuses(folder, UnsupportedModel, "novelty")


@pytest.mark.parametrize("kept", [0, 20, 0.5, 0.999], ids=["nothing", "20 bytes", "half", "nearly all"])
def test_a_weights_file_cut_short(folder: Path, kept: float) -> None:
    whole = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(whole[: int(kept if kept > 1 else kept * len(whole))])
    refuses(folder, BrokenModel, "damaged or cut short", "download or copy it again")


def test_a_weights_file_that_is_an_error_page(folder: Path) -> None:
    (folder / WEIGHTS).write_text("<html>404 not found</html>" * 10)
    refuses(folder, BrokenModel, "damaged or cut short")


@pytest.mark.parametrize(
    "changes",
    [{"vocab_size": 99}, {"vocab_size": 999}, {"hidden_size": 64}, {"max_position_embeddings": 64}],
    ids=["fewer pieces", "more pieces", "width", "positions"],
)
def test_weights_of_another_size_than_the_configuration(folder: Path, changes: dict[str, int]) -> None:
    change_settings(folder, **changes)
    refuses(folder, BrokenModel, "do not fit its configuration")


@pytest.mark.parametrize(("family", "layers"), [("bert", "num_hidden_layers"), ("gpt2", "n_layer")])
def test_weights_of_fewer_layers_than_the_configuration(tmp_path: Path, family: str, layers: str) -> None:
    """Loaded as they are, the third layer would be random numbers."""
    folder = copy_of(family, tmp_path / "spoilt")
    change_settings(folder, **{layers: 3})
    refuses(folder, BrokenModel, "do not fit its configuration", "missing")


def test_one_of_several_weights_files_is_missing(folder: Path) -> None:
    whole = transformers.AutoModelForMaskedLM.from_pretrained(folder, local_files_only=True)
    (folder / WEIGHTS).unlink()
    whole.save_pretrained(folder, max_shard_size="40KB")
    shards = sorted(folder.glob("*.safetensors"))
    shards[0].unlink()
    refuses(folder, BrokenModel, shards[0].name)


@pytest.mark.parametrize("text", ["{broken", "", "[]", "\xff"], ids=["cut", "empty", "a list", "no UTF-8"])
def test_a_broken_configuration(folder: Path, text: str) -> None:
    (folder / "config.json").write_bytes(text.encode("latin-1"))
    refuses(folder, BrokenModel, "config.json")


@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer_config.json"])
def test_a_broken_tokenizer_file(folder: Path, file: str) -> None:
    (folder / file).write_text("{broken")
    refuses(folder, BrokenModel, "not valid JSON")


@pytest.mark.parametrize("family", ["bert", "roberta", "deberta-v2", "mpnet", "gpt2", "llama"])
def test_a_folder_without_a_tokenizer(tmp_path: Path, family: str) -> None:
    """transformers makes up an empty vocabulary of special tokens, in which every word is unknown."""
    folder = copy_of(family, tmp_path / "spoilt")
    for path in folder.glob("tokenizer*"):
        path.unlink()
    refuses(folder, BrokenModel, "tokenizer")


def test_a_tokenizer_larger_than_its_model(folder: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    tokenizer.add_tokens([f"zzq{i}" for i in range(1000)])
    tokenizer.save_pretrained(folder)
    refuses(folder, BrokenModel, "knows 1,164 tokens", "only 164", "do not belong together")


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_a_device_that_is_not_here(folder: Path, device: str) -> None:
    """Said of the device, not of the weights, and before they are read."""
    if torch.cuda.is_available() if device == "cuda" else torch.backends.mps.is_available():
        pytest.skip(f"there is a {device} device on this machine")
    with pytest.raises(ModelError, match=f"The device “{device}” cannot be used here") as caught:
        load_folder(folder, device=device)
    assert "cpu" in str(caught.value)
    assert "\n" not in str(caught.value)


BACKENDS = {"cuda": (torch.backends.cuda, torch.cuda), "mps": (torch.backends.mps, torch.backends.mps)}


@pytest.mark.parametrize("device", BACKENDS)
@pytest.mark.parametrize(
    ("built", "reason"), [(False, "PyTorch came without it"), (True, "no such device was found, or its driver")]
)
def test_why_there_is_no_device(device: str, built: bool, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What PyTorch was built with, and what it finds, are asked of it."""
    has_built, has_device = BACKENDS[device]
    monkeypatch.setattr(has_built, "is_built", lambda: built)
    monkeypatch.setattr(has_device, "is_available", lambda: False)
    with pytest.raises(ModelError, match=re.escape(f"The device “{device}” cannot be used here ({reason}")):
        loading.check_device(device)


DEVICE_ERRORS = {
    "its memory is full": torch.OutOfMemoryError("CUDA out of memory. Tried to allocate"),
    "AcceleratorError: CUDA error: no kernel image is available": torch.AcceleratorError(
        "CUDA error: no kernel image is available\nCompile with TORCH_USE_CUDA_DSA"
    ),
    "NotImplementedError: no such operator": NotImplementedError("no such operator"),
}


@pytest.mark.parametrize(("reason", "error"), DEVICE_ERRORS.items())
def test_a_device_that_does_not_compute(reason: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch, "ones", fail)
    with pytest.raises(ModelError) as caught:
        loading.check_device("cuda")
    assert str(caught.value) == f"The device “cuda” cannot be used here ({reason}). Choose another, such as cpu."
    assert caught.value.__cause__ is error


@pytest.mark.parametrize(
    "error", [torch.AcceleratorError("CUDA error: device lost"), NotImplementedError("no such operator")]
)
@pytest.mark.parametrize("step", ["move", "run"])
def test_a_model_that_does_not_run_is_not_a_damaged_one(
    folder: Path, error: Exception, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    if step == "move":
        monkeypatch.setattr(transformers.PreTrainedModel, "to", fail)
    else:
        monkeypatch.setattr(loading, "padding_leaks", fail)
    with pytest.raises(ModelError) as caught:
        load_folder(folder)
    assert str(caught.value) == (
        f"{folder.name} does not run on the device “cpu” ({type(error).__name__}: {error}); choose another model."
    )
    assert caught.value.__cause__ is error


def test_a_model_that_fails_of_itself_is_not_told_to_change_the_device(tmp_path: Path) -> None:
    """The library finds the positions of RoBERTa from its padding, and does not check that there is one."""
    folder = copy_of("roberta", tmp_path / "spoilt")
    change_settings(folder, pad_token_id=None)
    assert "such as cpu" not in refuses(folder, ModelError, "does not run on the device “cpu” (TypeError: ")


FULL = {
    "does not fit into memory": torch.OutOfMemoryError("CUDA out of memory"),
    "does not fit into memory;": MemoryError(),
    "the disk is full": OSError(errno.ENOSPC, "No space left on device"),
    "this user may not read or write /models/x": PermissionError(errno.EACCES, "Permission denied", "/models/x"),
    "/models/y is on a disk that can only be read": OSError(errno.EROFS, "Read-only file system", "/models/y"),
    "this user's share of the disk is used up": OSError(errno.EDQUOT, "Disk quota exceeded"),
    "/models/z: Input/output error": OSError(errno.EIO, "Input/output error", "/models/z"),
    "access was denied": PermissionError("Permission denied: /models/x"),  # safetensors' own, without a number
    "cannot be read: the disk is full": RuntimeError("I/O error: No space left on device (os error 28)"),
    "needs a library that is not installed here (ImportError: optimum)": ImportError("optimum"),
    "could not be loaded (ValueError: something else)": ValueError("something else\nand much more"),
    "could not be loaded (KeyError: 'a key')": KeyError("a key"),
}


@pytest.mark.parametrize(("sentence", "error"), FULL.items())
def test_each_cause_has_its_own_sentence(
    folder: Path, error: Exception, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(transformers.AutoModelForMaskedLM, "from_pretrained", fail)
    with pytest.raises(ModelError) as caught:
        load_folder(folder)
    assert sentence in str(caught.value)
    assert caught.value.__cause__ is error


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"hidden_size": "wide"}, "ValidationError"),
        ({"hidden_act": "no such"}, "KeyError"),
        ({"num_attention_heads": 3}, "ValueError"),
        ({"pad_token_id": 9999}, "AssertionError"),
    ],
)
def test_a_value_that_the_configuration_cannot_have(folder: Path, changes: dict[str, Any], cause: str) -> None:
    """Said of the configuration, not of the weights, by whatever type the library has for it."""
    change_settings(folder, **changes)
    refuses(folder, BrokenModel, "The config.json of", "a value", cause)


def test_a_quantized_model_whose_library_is_not_here(folder: Path) -> None:
    change_settings(folder, quantization_config={"quant_method": "gptq", "bits": 4})
    refuses(folder, UnsupportedModel, "needs a library that is not installed here (ImportError: ", "optimum")


@pytest.mark.parametrize("text", ["[]", "{}", '{"weight_map": []}', '{"weight_map": {"a": 3}}'])
def test_an_index_of_weights_that_says_nothing(folder: Path, text: str) -> None:
    (folder / "model.safetensors.index.json").write_text(text)
    refuses(folder, BrokenModel, "model.safetensors.index.json", "does not say which file holds what")


def test_weights_that_are_a_link_to_nowhere(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).symlink_to(folder / "gone")
    refuses(folder, BrokenModel, f"lacks its file {WEIGHTS}")


@pytest.mark.parametrize(
    "config",
    [
        transformers.FNetConfig(vocab_size=164, hidden_size=16, num_hidden_layers=1),
        transformers.MambaConfig(vocab_size=164, hidden_size=16, num_hidden_layers=1),
    ],
    ids=["FNet", "Mamba"],
)
def test_a_family_without_attention_heads(folder: Path, config: Any) -> None:
    config.save_pretrained(folder)
    refuses(folder, UnsupportedModel, f"is a {config.model_type} model", "no attention heads")


def test_a_folder_that_may_not_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that runs as root could read anything, so the refusal is played."""
    opened = Path.read_text

    def denied(self: Path, *args: Any, **options: Any) -> str:
        if self.name == "tokenizer_config.json":
            raise PermissionError(errno.EACCES, "Permission denied", "tokenizer_config.json")
        return opened(self, *args, **options)

    monkeypatch.setattr(Path, "read_text", denied)
    refuses(folder, ModelError, "this user may not read or write tokenizer_config.json")
