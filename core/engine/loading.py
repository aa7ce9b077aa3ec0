"""Making a model of a checkpoint's files: safetensors only, no remote code; device and dtype.

A checkpoint without a trained prediction head is loaded as an encoder that refuses to be scored.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import safe_open
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
)

from ..errors import BrokenModel, ModelError, NoPredictionHead, OptionError, UnsafeModel, UnsupportedModel
from ..result import ModelInfo
from ..sources.failures import first_line, of_the_disk
from . import catalog, parentage, positions
from .checkpoints import Checkpoint
from .reading import is_out_of_memory, padding_leaks, reads_trees

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()

DTYPES: dict[str, torch.dtype] = {name: getattr(torch, name) for name in catalog.PRECISIONS}
_VOCABULARIES = ("tokenizer.json", "vocab.*", "*.model", "*.tiktoken")
_TOKENIZER_SETTINGS = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json")
# Position tables of these families keep rows 0…padding index for themselves.
_POSITIONS_AFTER_PADDING = {"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "mpnet", "data2vec-text"}


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model in memory. ``refusal`` is the reason why it cannot be scored, None when it can.

    ``max_tokens`` counts special tokens. ``padding_leaks``: padding changes this model's numbers, so that only
    inputs of one length may share a batch. Tensors stay inside this package.
    """

    info: ModelInfo
    module: Any
    tokenizer: Any
    max_tokens: int
    padding_leaks: bool
    refusal: ModelError | None

    @cached_property
    def reads_trees(self) -> bool:
        """Whether texts that begin alike can be read as a tree in one row; found out when it is first asked."""
        return reads_trees(self.module)

    def nbytes(self) -> int:
        """Bytes of all parameters and buffers, shared ones once."""
        tensors = {t.data_ptr(): t for t in (*self.module.parameters(), *self.module.buffers())}
        return sum(t.numel() * t.element_size() for t in tensors.values())


def best_device() -> str:
    """``cuda`` where there is one, else ``mps``, else ``cpu``."""
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def load(checkpoint: Checkpoint, *, dtype: str = "float32", device: str | None = None) -> LoadedModel:
    """Make a model of a checkpoint's files, in evaluation mode on its device.

    Raises UnsafeModel, UnsupportedModel, BrokenModel or OptionError. A model without a trained prediction head
    does not raise: it comes back as an ``encoder`` with a ``refusal``.
    """
    if dtype not in DTYPES:
        raise OptionError(f"There is no precision “{dtype}”; choose {', '.join(DTYPES)}.")
    device = device or best_device()
    if not any(next(checkpoint.folder.glob(pattern), None) for pattern in _VOCABULARIES):
        # Without one, transformers makes up a tokenizer to which every word is unknown.
        raise BrokenModel(f"{checkpoint.name} has no tokenizer file; put tokenizer.json beside its weights.")
    if (checkpoint.folder / "adapter_config.json").is_file():
        # With peft, transformers would load the adapter too, from any format, and perhaps another base.
        raise UnsupportedModel(
            f"{checkpoint.name} holds an adapter (adapter_config.json); merge it into the model (merge_and_unload of "
            "peft), and save that in a folder of its own."
        )
    check_device(device)
    config = _config(checkpoint)
    kind = _kind(checkpoint, config)
    tokenizer = _tokenizer(checkpoint)
    module, refusal = _load_module(checkpoint, kind, config, tokenizer, DTYPES[dtype])
    with _translated(checkpoint, lambda error: _failing(checkpoint.name, device, error)):
        module = module.eval().requires_grad_(False).to(device)
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    if len(tokenizer) > module.get_input_embeddings().weight.shape[0]:
        raise BrokenModel(
            f"The tokenizer of {checkpoint.name} knows {len(tokenizer):,} tokens, its model only "
            f"{module.get_input_embeddings().weight.shape[0]:,}: they do not belong together."
        )
    positions.install(module)
    entry = catalog.find(checkpoint.id)
    parent = parentage.read(checkpoint.folder)
    info = ModelInfo(
        name=checkpoint.name,
        id=checkpoint.id if checkpoint.revision else Path(checkpoint.id).name,
        revision=checkpoint.revision,
        digest=checkpoint.digest,
        family=entry.family if entry else config.model_type,
        kind="encoder" if refusal else kind,
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        parameters=sum(p.numel() for p in module.parameters()),
        languages=entry.languages if entry else (),
        cased=tokenizer("HE", add_special_tokens=False)["input_ids"]
        != tokenizer("he", add_special_tokens=False)["input_ids"],
        dtype=dtype,
        device=device,
        attention="default",
        notes=() if parent is None else (parent.sentence,),
        parent="" if parent is None else parent.base_digest,
    )
    with _translated(checkpoint, lambda error: _failing(checkpoint.name, device, error)):
        leaks = padding_leaks(module, tokenizer.pad_token_id or 0, tokenizer("he she they")["input_ids"])
    return LoadedModel(info, module, tokenizer, _max_tokens(config), leaks, refusal)


def with_attentions(loaded: LoadedModel) -> LoadedModel:
    """A second instance that returns attention maps and shares every weight tensor of the first."""
    shared = {id(t): t for t in (*loaded.module.parameters(), *loaded.module.buffers())}
    twin = copy.deepcopy(loaded.module, shared)
    twin.set_attn_implementation("eager")
    return replace(loaded, module=twin, info=replace(loaded.info, attention="eager"))


def is_decoder(config: Any) -> bool:
    """Whether each position of a model sees only those before it, so that no first token can stand for the text."""
    return config.model_type not in MODEL_FOR_MASKED_LM_MAPPING_NAMES or bool(getattr(config, "is_decoder", False))


def _kind(checkpoint: Checkpoint, config: Any) -> str:
    if config.model_type == "xlnet":
        raise UnsupportedModel(
            f"{checkpoint.name} is XLNet, a permutation language model: it guesses words in an order of its own, "
            "neither behind a mask nor from left to right; choose a masked model (BERT and its kin) or a causal one "
            "(GPT and its kin)."
        )
    causal = config.model_type in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    decoder = is_decoder(config)
    if getattr(config, "is_encoder_decoder", False) or (decoder and not causal):
        raise UnsupportedModel(
            f"{checkpoint.name} is a {config.model_type} model, which is neither masked nor causal; "
            "choose a masked model (BERT and its kin) or a causal one (GPT and its kin)."
        )
    if not getattr(config, "num_attention_heads", None):
        raise UnsupportedModel(
            f"{checkpoint.name} is a {config.model_type} model, which has no attention heads; "
            "choose a masked model (BERT and its kin) or a causal one (GPT and its kin)."
        )
    return "causal" if decoder else "masked"


def _load_module(
    checkpoint: Checkpoint, kind: str, config: Any, tokenizer: Any, dtype: torch.dtype
) -> tuple[Any, ModelError | None]:
    options: dict[str, Any] = {
        "local_files_only": True,
        "use_safetensors": True,
        "trust_remote_code": False,
        "output_loading_info": True,
        "ignore_mismatched_sizes": True,  # they are in the report
        "dtype": dtype,
    }
    if not tokenizer.is_fast:
        raise UnsupportedModel(f"The tokenizer of {checkpoint.name} cannot say where its tokens are in a text.")
    _check_weights(checkpoint)
    auto = transformers.AutoModelForMaskedLM if kind == "masked" else transformers.AutoModelForCausalLM
    # Without weights first: what goes wrong here is the configuration's fault.
    with _translated(checkpoint, lambda error: _misconfigured(checkpoint.name, error)), torch.device("meta"):
        auto.from_config(copy.deepcopy(config))
    with _translated(checkpoint, lambda error: _unread(checkpoint.name, error)):
        module, report = auto.from_pretrained(checkpoint.folder, **options)
    if not report["missing_keys"] and not report["mismatched_keys"]:
        if kind == "masked" and tokenizer.mask_token_id is None:
            return module, NoPredictionHead(
                f"{checkpoint.name} has no mask token, so no word can be hidden from it: LPBS is not possible, "
                "embeddings and attention are."
            )
        return module, None
    with _translated(checkpoint, lambda error: _unread(checkpoint.name, error)):
        module, report = transformers.AutoModel.from_pretrained(checkpoint.folder, **options)
    # A pooler is missing from many encoders and read by no one here but "pooled" representations of its own.
    missing = [key for key in report["missing_keys"] if "pooler" not in key]
    if missing:
        raise BrokenModel(
            f"The weights of {checkpoint.name} do not fit its configuration: {len(missing)} are missing, "
            f"such as {min(missing)}. Download or save the model again."
        )
    if report["mismatched_keys"]:
        raise BrokenModel(
            f"The weights of {checkpoint.name} do not fit its configuration (another vocabulary or width); "
            "put config.json and weights of the same model together."
        )
    return module, _headless(checkpoint.name, config)


def _headless(name: str, config: Any) -> ModelError:
    if config.model_type == "electra" and "ElectraForPreTraining" in (config.architectures or []):
        return UnsupportedModel(
            f"{name} is ELECTRA's discriminator, which tells real words from replaced ones and never guesses a word: "
            "LPBS is not possible, embeddings and attention are. Take the generator, such as electra-generator."
        )
    return NoPredictionHead(
        f"{name} has no trained prediction head: LPBS is not possible, embeddings and attention are."
    )


def _max_tokens(config: Any) -> int:
    longest = int(getattr(config, "max_position_embeddings", 0) or 0)
    if longest < 1:  # not stated, or stated as "no limit"
        return 512
    if config.model_type in _POSITIONS_AFTER_PADDING:
        longest -= int(config.pad_token_id) + 1
    return longest


def _config(checkpoint: Checkpoint) -> Any:
    """The configuration, of a family that transformers knows."""
    name = checkpoint.name
    try:
        settings = _settings(checkpoint, "config.json")
    except BrokenModel as error:
        raise BrokenModel(f"The config.json of {name} is not one that transformers can read; copy it again.") from error
    kind = settings.get("model_type") if isinstance(settings, dict) else None
    if not isinstance(kind, str) or not kind:
        raise BrokenModel(f"The config.json of {name} is not one that transformers can read; copy it again.")
    if kind not in CONFIG_MAPPING:
        if "auto_map" in settings:
            raise UnsafeModel(
                f"{name} asks to run code of its own, which is never done here; "
                "choose a model of a family that transformers knows."
            )
        raise UnsupportedModel(f"{name} is a {kind} model, a family that this version of transformers does not know.")
    with _translated(checkpoint, lambda error: _misconfigured(name, error)):
        return transformers.AutoConfig.from_pretrained(
            checkpoint.folder, local_files_only=True, trust_remote_code=False
        )


def _tokenizer(checkpoint: Checkpoint) -> Any:
    for file in _TOKENIZER_SETTINGS:
        if (checkpoint.folder / file).is_file():
            _settings(checkpoint, file)
    with _translated(
        checkpoint,
        lambda error: BrokenModel(
            f"The tokenizer of {checkpoint.name} cannot be loaded ({first_line(error)}); copy its files again."
        ),
    ):
        return transformers.AutoTokenizer.from_pretrained(
            checkpoint.folder, local_files_only=True, trust_remote_code=False
        )


def _settings(checkpoint: Checkpoint, file: str) -> Any:
    """A JSON file of the model. Raises BrokenModel where it cannot be read."""
    with _translated(
        checkpoint, lambda _: BrokenModel(f"{file} of {checkpoint.name} is not valid JSON; copy it again.")
    ):
        return json.loads((checkpoint.folder / file).read_text(encoding="utf-8"))


def _check_weights(checkpoint: Checkpoint) -> None:
    """Raise BrokenModel where a weights file is missing or damaged."""
    index = "model.safetensors.index.json"
    files = set(checkpoint.folder.glob("*.safetensors"))
    if (checkpoint.folder / index).is_file():
        settings = _settings(checkpoint, index)
        with _translated(
            checkpoint,
            lambda _: BrokenModel(f"{index} of {checkpoint.name} does not say which file holds what; copy it again."),
        ):
            files |= {checkpoint.folder / file for file in settings["weight_map"].values()}
    for path in sorted(files):
        if not path.is_file():  # a link to nowhere is none either
            raise BrokenModel(f"{checkpoint.name} lacks its file {path.name}; download or copy the model again.")
        with (
            _translated(
                checkpoint,
                lambda error: BrokenModel(
                    f"The weights file of {checkpoint.name} is damaged or cut short; download or copy it again."
                ),
            ),
            safe_open(path, framework="pt"),
        ):
            pass


def check_device(device: str) -> None:
    """Raise ModelError for a device that is not here or does not compute."""
    backend = {"cuda": torch.cuda, "mps": torch.backends.mps}.get(device)
    if backend is not None and not backend.is_available():
        built = (torch.backends.cuda if device == "cuda" else torch.backends.mps).is_built()
        reason = "no such device was found, or its driver is missing or too old" if built else "PyTorch came without it"
        raise ModelError(_unusable(device, reason))
    try:
        torch.ones(1, device=device).add(1).item()
    except Exception as error:  # RuntimeError, AssertionError or NotImplementedError, as the device has it
        reason = "its memory is full" if is_out_of_memory(error) else first_line(error)
        raise ModelError(_unusable(device, reason)) from error


def _unusable(device: str, reason: str) -> str:
    return f"The device “{device}” cannot be used here ({reason}). Choose another, such as cpu."


def _failing(name: str, device: str, error: Exception) -> ModelError:
    """For a model that was read and does not run: whose fault that is, its own or the device's, nobody can tell."""
    instead = "choose another model" if device == "cpu" else "choose another device, such as cpu"
    return ModelError(f"{name} does not run on the device “{device}” ({first_line(error)}); {instead}.")


def _misconfigured(name: str, error: Exception) -> ModelError:
    return BrokenModel(
        f"The config.json of {name} lacks a value or has one that transformers cannot use ({first_line(error)}); "
        "copy it again."
    )


def _unread(name: str, error: Exception) -> ModelError:
    if isinstance(error, ImportError):
        return UnsupportedModel(
            f"{name} needs a library that is not installed here ({first_line(error)}); choose a model that is not "
            "quantized, or install it."
        )
    return BrokenModel(f"{name} could not be loaded ({first_line(error)}); download or copy it again.")


@contextmanager
def _translated(checkpoint: Checkpoint, otherwise: Callable[[Exception], ModelError]) -> Iterator[None]:
    """Turn what goes wrong in one step of loading into a sentence: by its type, else what it means in that step."""
    try:
        yield
    except ModelError:
        raise
    except Exception as error:
        if is_out_of_memory(error):
            raise ModelError(
                f"{checkpoint.name} does not fit into memory; choose a smaller model, or half precision on a GPU."
            ) from error
        if disk := of_the_disk(error):
            raise ModelError(f"{checkpoint.name} cannot be read: {disk}.") from error
        raise otherwise(error) from error
