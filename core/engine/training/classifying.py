"""A model with a new head that tells labels of texts apart, trained whole (Irani et al. 2020).

What is saved is a folder as transformers writes it. Its encoder is read like that of any model without a prediction
head.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from numpy.typing import NDArray

from ...errors import BrokenModel, ModelError, UnsupportedModel
from ...result import Progress
from ...run import UNWATCHED, Watch
from ...sources.failures import first_line
from ..loading import LoadedModel
from ..parentage import Parentage, Settings
from ..pieces import tokenize
from . import folders
from .batches import chosen, padded
from .folders import History
from .loop import KEEP_EVERY, train
from .masking import Draw, seed_of

_AT_ONCE = 32  # texts that are classified together


@dataclass(frozen=True, slots=True)
class LabelledText:
    """The token ids of a text, special ones included, and the place of its label."""

    ids: tuple[int, ...]
    label: int


def check_encoder(model: LoadedModel) -> None:
    """Raise UnsupportedModel for a causal model, whose tokens do not see those behind them."""
    if model.info.kind == "causal":
        raise UnsupportedModel(
            f"{model.info.name} is a causal (left-to-right) model; choose a masked model, or an encoder without a "
            "prediction head, to be trained on labels."
        )


def labelled(
    model: LoadedModel, texts: Sequence[str], labels: Sequence[int], length: int
) -> tuple[tuple[LabelledText, ...], int]:
    """The texts as the model reads them, cut to ``length`` tokens or what it takes, and how many were cut.

    A text without a token has none but the special ones.
    """
    most = min(length or model.max_tokens, model.max_tokens)
    items, cut = [], 0
    for read, label in zip(tokenize(model.tokenizer, [(text, (0, len(text))) for text in texts]), labels, strict=True):
        before, own, after = read.ids[: read.first], read.ids[read.first : read.last], read.ids[read.last :]
        room = most - len(before) - len(after)
        cut += len(own) > room
        items.append(LabelledText((*before, *own[:room], *after), label))
    return tuple(items), cut


class Classifier:
    """A model with a head for labels, on a device, in evaluation mode."""

    def __init__(self, name: str, module: Any, pad: int, device: str) -> None:
        self.name, self.module, self.pad = name, module.float().eval().to(device), pad

    @classmethod
    def begun(cls, model: LoadedModel, source: Path, labels: Sequence[str], seed: int) -> Classifier:
        """A copy of the model in the folder ``source`` with a head that has learned nothing.

        Weights that the folder lacks, of the head and of a pooler in front of it, are drawn from a generator of their
        own, and so is the head of a folder that is a classifier already. Raises UnsupportedModel for a family without
        such a head, BrokenModel for a folder that cannot be read.
        """
        check_encoder(model)
        names = dict(enumerate(labels))
        module, report = _opened(
            model.info.name, source, num_labels=len(labels), id2label=names, label2id={v: k for k, v in names.items()}
        )
        _draw(
            module,
            {*report["missing_keys"], *(str(key[0]) for key in report["mismatched_keys"]), *_taught(module)},
            seed,
        )
        return cls(model.info.name, module, model.tokenizer.pad_token_id or 0, model.info.device)

    @classmethod
    def opened(cls, model: LoadedModel, folder: Path) -> Classifier:
        """The classifier in a folder, of which ``model`` is the encoder. Raises BrokenModel."""
        module, report = _opened(model.info.name, folder)
        if report["missing_keys"] or report["mismatched_keys"]:
            raise BrokenModel(f"{folder} holds no whole classifier; train it again.")
        return cls(model.info.name, module, model.tokenizer.pad_token_id or 0, model.info.device)

    def logits(
        self, texts: Sequence[LabelledText], run: Watch = UNWATCHED, stage: str = "Labelling texts"
    ) -> NDArray[np.float64] | None:
        """What the head gives for each text: [text, label]; None where the run was stopped.

        Texts of one length share a batch, so that nothing is padded.
        """
        found, done = np.empty((len(texts), self.module.config.num_labels)), 0
        device = next(self.module.parameters()).device
        places = sorted(range(len(texts)), key=lambda at: len(texts[at].ids))
        for _, alike in groupby(places, key=lambda at: len(texts[at].ids)):
            same = list(alike)
            for start in range(0, len(same), _AT_ONCE):
                run.report(Progress(stage, done, len(texts)))
                if run.cancelled():
                    return None
                some = same[start : start + _AT_ONCE]
                inputs, seen = padded([texts[at].ids for at in some], self.pad)
                with torch.inference_mode():
                    read = self.module(input_ids=inputs.to(device), attention_mask=seen.to(device))
                found[some] = read.logits.double().cpu().numpy()
                done += len(some)
        return found


def _opened(name: str, folder: Path, **settings: Any) -> tuple[Any, Mapping[str, Any]]:
    try:
        module, report = transformers.AutoModelForSequenceClassification.from_pretrained(
            folder,
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=False,
            output_loading_info=True,
            ignore_mismatched_sizes=True,
            dtype=torch.float32,
            **settings,
        )
    except ModelError:
        raise
    except ValueError as error:
        raise UnsupportedModel(
            f"{name} is of a family that has no head for labels in this version of transformers "
            f"({first_line(error)}); choose another model, such as a BERT."
        ) from error
    except Exception as error:
        raise BrokenModel(f"{name} could not be loaded ({first_line(error)}); download or copy it again.") from error
    return module, report


def _taught(module: Any) -> set[str]:
    """The weights of a head that was trained to tell other labels apart, which a classifier's folder brings along."""
    kinds = module.config.architectures or ()
    if not any("SequenceClassification" in kind for kind in kinds):
        return set()
    encoder = f"{module.base_model_prefix}."
    return {name for name, _ in module.named_parameters() if not name.startswith(encoder)}


def _draw(module: Any, missing: set[str], seed: int) -> None:
    """Draw the weights that the checkpoint lacks: matrices around 0, biases 0, scales of a normalisation 1."""
    deviation = float(getattr(module.config, "initializer_range", 0.02))
    with torch.no_grad():
        for place, (name, weight) in enumerate(sorted(module.named_parameters())):
            if name not in missing:
                continue
            if weight.ndim > 1:
                generator = torch.Generator().manual_seed(seed_of(Draw.HEAD, seed, place))
                weight.copy_(torch.empty(weight.shape).normal_(0.0, deviation, generator=generator))
            else:
                weight.fill_(1.0 if name.endswith("weight") else 0.0)


def train_classifier(
    model: LoadedModel,
    texts: Sequence[LabelledText],
    identity: Parentage,
    folder: Path,
    *,
    source: Path,
    run: Watch = UNWATCHED,
    stage: str = "Fine-tuning",
    keep_every: float = KEEP_EVERY,
) -> tuple[History, bool]:
    """Train a copy of the model in the folder ``source`` on labelled texts, into a folder; as ``finetuning.finetune``.

    Raises as that does, and as ``Classifier.begun``.
    """
    check_encoder(model)
    done = folders.finished(folder, identity)
    if done is not None:
        return done, True
    begun = Classifier.begun(model, source, identity.labels, identity.settings.seed)
    objective = _Labels(begun, texts, identity.settings)
    return train(objective, identity, folder, tokenizer_of=source, run=run, stage=stage, keep_every=keep_every)


class _Labels:
    """A classifier, and the labelled texts it is trained on."""

    def __init__(self, begun: Classifier, texts: Sequence[LabelledText], settings: Settings) -> None:
        self.name, self.module, self._pad = begun.name, begun.module, begun.pad
        self._texts, self._settings = texts, settings
        self._device = next(self.module.parameters()).device

    def batch(self, step: int) -> Mapping[str, torch.Tensor]:
        """Some texts and their labels."""
        _, places = chosen(self._settings, step, len(self._texts))
        texts = [self._texts[place] for place in places]
        inputs, seen = padded([text.ids for text in texts], self._pad)
        batch = {
            "input_ids": inputs,
            "attention_mask": seen,
            "labels": torch.tensor([text.label for text in texts]),
        }
        return {name: tensor.to(self._device) for name, tensor in batch.items()}
