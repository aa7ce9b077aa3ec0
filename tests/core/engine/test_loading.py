"""Loading from a folder: what comes back, what is known of it, and what a checkpoint without a head is good for."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from core.engine import loading
from core.engine.causal import CausalScorer
from core.engine.checkpoints import ModelRequest, fetch
from core.engine.loading import load
from core.engine.masked import MaskedScorer
from core.errors import ModelError, NoPredictionHead, OptionError, UnsafeModel, UnsupportedModel
from tests.support.tiny import CAUSAL, HEADLESS, MASKED, POSITIONS, build, tiny_folder
from tests.support.watching import a_few_numbers, change_settings, copy_of, load_folder, load_tiny

WEIGHTS = "model.safetensors"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tiny BERT that may be spoilt."""
    return copy_of("bert", tmp_path / "spoilt")


@pytest.mark.parametrize("family", ["bert", "roberta", "gpt2"])
def test_what_is_known_of_a_model(family: str) -> None:
    info = load_tiny(family).info
    state = load_file(tiny_folder(family) / WEIGHTS)
    assert (info.name, info.id, info.revision) == (family, family, None)  # no path of this machine
    assert (info.layers, info.heads, info.dtype, info.device, info.attention) == (2, 4, "float32", "cpu", "default")
    assert info.kind == ("causal" if family == "gpt2" else "masked")
    assert info.cased == (family != "bert")
    assert info.parameters == sum(tensor.numel() for tensor in state.values())  # tied ones are stored once
    assert load_tiny(family).nbytes() >= 4 * info.parameters
    assert load_tiny(family).nbytes() <= 4 * info.parameters + 24 * POSITIONS  # and buffers of positions
    assert not load_tiny(family).module.training
    assert not any(parameter.requires_grad for parameter in load_tiny(family).module.parameters())


@pytest.mark.parametrize("family", [*MASKED, *CAUSAL, *HEADLESS])
def test_positions_a_model_reads(family: str) -> None:
    """RoBERTa, XLM-R and MPNet have 130 rows of positions, of which two are before the first word's."""
    assert load_tiny(family).max_tokens == POSITIONS


def test_a_length_that_only_the_tokenizer_claims_is_not_believed(folder: Path) -> None:
    change_settings(folder, "tokenizer_config.json", model_max_length=int(1e30))
    assert load_folder(folder).max_tokens == POSITIONS


def test_a_tokenizer_that_cuts_or_pads_is_told_not_to(folder: Path) -> None:
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["truncation"] = {"max_length": 4, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    tokenizer["padding"] = {
        "strategy": {"Fixed": 40},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    assert a_few_numbers(load_folder(folder)) == pytest.approx(a_few_numbers(load_tiny("bert")), abs=1e-6)


def digest_by_hand(folder: Path, *names: str) -> str:
    """SHA-256 of what ``sha256sum`` prints for these files, in the order of their names."""
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in sorted(names)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def test_the_digest_is_that_of_all_files_that_decide_and_follows_them(folder: Path) -> None:
    def sha256() -> str:
        return digest_by_hand(folder, WEIGHTS, "config.json", "tokenizer.json", "tokenizer_config.json")

    before = fetch(ModelRequest(str(folder))).digest
    assert before == sha256()
    state = load_file(folder / WEIGHTS)
    state["bert.embeddings.word_embeddings.weight"][7, 3] += 1e-3
    save_file(state, folder / WEIGHTS, metadata={"format": "pt"})
    assert fetch(ModelRequest(str(folder))).digest == sha256() != before
    assert load_folder(folder).info.digest == sha256()


def test_a_change_of_the_same_size_is_noticed(folder: Path) -> None:
    before = fetch(ModelRequest(str(folder))).digest
    changed = bytearray((folder / WEIGHTS).read_bytes())
    changed[-1] ^= 1
    (folder / WEIGHTS).write_bytes(changed)
    os.utime(folder / WEIGHTS, ns=(1, 1))
    assert fetch(ModelRequest(str(folder))).digest != before


@pytest.mark.parametrize(
    "name",
    ["config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt", "a.model"],
)
def test_a_changed_tokenizer_or_configuration_is_another_model(folder: Path, name: str) -> None:
    digests = {fetch(ModelRequest(str(folder))).digest}
    text = (folder / name).read_text() if (folder / name).exists() else "{}"
    for more in (" ", "  "):
        (folder / name).write_text(text + more)
        digests.add(fetch(ModelRequest(str(folder))).digest)
    assert len(digests) == 3


def test_what_decides_nothing_leaves_the_digest(folder: Path) -> None:
    before = fetch(ModelRequest(str(folder))).digest
    for name in ("README.md", "generation_config.json", "trainer_state.json", "notes.txt"):
        (folder / name).write_text("{}")
    assert fetch(ModelRequest(str(folder))).digest == before


def test_weights_in_several_files(tmp_path: Path) -> None:
    """The digest runs over all of them in the order of their names."""
    whole = transformers.AutoModelForMaskedLM.from_pretrained(tiny_folder("bert"), local_files_only=True)
    folder = copy_of("bert", tmp_path / "spoilt")
    (folder / WEIGHTS).unlink()
    whole.save_pretrained(folder, max_shard_size="40KB")
    shards = sorted(folder.glob("*.safetensors"))
    assert len(shards) > 1
    model = load_folder(folder)
    rest = ("model.safetensors.index.json", "config.json", "tokenizer.json", "tokenizer_config.json")
    assert model.info.digest == digest_by_hand(folder, *(path.name for path in shards), *rest)
    assert a_few_numbers(model) == pytest.approx(a_few_numbers(load_tiny("bert")), abs=1e-6)


@pytest.mark.parametrize("model_type", ["own-model", "bert"])
def test_code_of_a_checkpoint_never_runs(folder: Path, tmp_path: Path, model_type: str) -> None:
    """A family of its own is refused; a known family is loaded as transformers knows it."""
    ran = tmp_path / "ran"
    for module in ("configuration_own", "modeling_own", "tokenization_own"):
        (folder / f"{module}.py").write_text(f"open({str(ran)!r}, 'w')\n")
    own = {"AutoConfig": "configuration_own.Own", "AutoModelForMaskedLM": "modeling_own.Own"}
    change_settings(folder, model_type=model_type, auto_map=own)
    change_settings(folder, "tokenizer_config.json", auto_map={"AutoTokenizer": ["tokenization_own.Own", None]})
    if model_type == "bert":
        assert a_few_numbers(load_folder(folder)) == a_few_numbers(load_tiny("bert"))
    else:
        with pytest.raises(UnsafeModel, match="asks to run code of its own, which is never done here"):
            load_folder(folder)
    assert not ran.exists()


def without_mask(folder: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    tokenizer.mask_token = None
    tokenizer.save_pretrained(folder)


@pytest.mark.parametrize(
    ("family", "spoil", "error", "keywords"),
    [
        ("bert", without_mask, NoPredictionHead, ("no mask token", "no word can be hidden")),
        ("bert-encoder", None, NoPredictionHead, ("no trained prediction head",)),
        ("electra-discriminator", None, UnsupportedModel, ("discriminator", "Take the generator", "electra-generator")),
    ],
)
def test_a_model_that_cannot_be_scored_is_still_there_for_the_rest(
    tmp_path: Path,
    family: str,
    spoil: Callable[[Path], None] | None,
    error: type[ModelError],
    keywords: tuple[str, ...],
) -> None:
    folder = copy_of(family, tmp_path / "headless")
    if spoil:
        spoil(folder)
    model = load_folder(folder)
    assert model.info.kind == "encoder"
    assert type(model.refusal) is error
    for keyword in (*keywords, "headless", "LPBS is not possible, embeddings and attention are"):
        assert keyword in str(model.refusal)
    for scorer in (MaskedScorer, CausalScorer):
        with pytest.raises(error):
            scorer(model)
    inputs = model.tokenizer("The nurse was tired.", return_tensors="pt")
    with torch.inference_mode():
        states = model.module.base_model(**inputs)[0]
        attentions = loading.with_attentions(model).module(**inputs, output_attentions=True).attentions
    assert states.shape == (1, inputs.input_ids.shape[1], 32)
    assert bool(states.isfinite().all())
    assert len(attentions) == 2
    assert torch.allclose(attentions[0].sum(-1), torch.ones(()), atol=1e-5)


def test_an_encoders_states_are_those_of_a_plain_load() -> None:
    model = load_tiny("bert-encoder")
    plain = transformers.AutoModel.from_pretrained(tiny_folder("bert-encoder"), local_files_only=True).eval()
    inputs = model.tokenizer("The nurse was tired.", return_tensors="pt")
    with torch.inference_mode():
        assert torch.allclose(model.module.base_model(**inputs)[0], plain(**inputs)[0], atol=1e-6)


def test_a_precision_that_does_not_exist(folder: Path) -> None:
    with pytest.raises(OptionError, match="no precision “int8”; choose float32, bfloat16, float16"):
        load_folder(folder, dtype="int8")


@pytest.mark.parametrize("family", ["bert", "modernbert", "gpt2", "llama"])
@pytest.mark.parametrize(("dtype", "tolerance"), [("bfloat16", 0.5), ("float16", 0.1)])
def test_half_precision_is_near_to_full(family: str, dtype: str, tolerance: float) -> None:
    """8 and 11 bits of mantissa over a sum of at most five log probabilities."""
    half = load_folder(tiny_folder(family), dtype=dtype)
    assert half.info.dtype == dtype
    assert {parameter.dtype for parameter in half.module.parameters()} == {loading.DTYPES[dtype]}
    assert half.nbytes() < 0.6 * load_tiny(family).nbytes()
    assert a_few_numbers(half) == pytest.approx(a_few_numbers(load_tiny(family)), abs=tolerance)
    assert a_few_numbers(half) != a_few_numbers(load_tiny(family))


def test_a_checkpoint_stored_in_half_precision_is_computed_in_full(tmp_path: Path) -> None:
    model = transformers.AutoModelForMaskedLM.from_pretrained(tiny_folder("bert"), dtype=torch.float16)
    folder = copy_of("bert", tmp_path / "half")
    model.save_pretrained(folder)
    assert {p.dtype for p in load_folder(folder).module.parameters()} == {torch.float32}


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device on this machine")
@pytest.mark.parametrize("family", [*MASKED, *CAUSAL])
def test_a_gpu_gives_the_numbers_of_the_processor(family: str) -> None:
    on_gpu = load(fetch(ModelRequest(str(tiny_folder(family)))))
    assert on_gpu.info.device == "cuda"
    assert a_few_numbers(on_gpu) == pytest.approx(a_few_numbers(load_tiny(family)), abs=1e-3)


def test_the_best_device_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for cuda, mps in ((True, True), (False, True), (False, False)):
        monkeypatch.setattr(torch.cuda, "is_available", lambda cuda=cuda: cuda)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda mps=mps: mps)
        found.append(loading.best_device())
    assert found == ["cuda", "mps", "cpu"]


def test_a_catalog_name_gives_its_family_and_languages() -> None:
    info = load(fetch(ModelRequest()), device="cpu").info
    assert (info.name, info.family, info.languages, info.cased) == ("minilm-mlm", "BERT", ("en",), False)
    assert (info.layers, info.heads, info.kind) == (6, 12, "masked")


def test_a_folder_with_a_catalog_name_is_not_the_catalogs_model(tmp_path: Path) -> None:
    """What somebody keeps in a folder named gpt2 may be of another family and language."""
    info = load_folder(copy_of("bert", tmp_path / "gpt2")).info
    assert (info.name, info.family, info.languages) == ("gpt2", "bert", ())


def test_two_builds_are_two_models(tmp_path: Path) -> None:
    other = build("bert", tmp_path / "other", seed=1)
    assert fetch(ModelRequest(str(other))).digest != load_tiny("bert").info.digest
    assert load_tiny("bert").info.digest == load_folder(tiny_folder("bert")).info.digest
