"""Models with fixed probabilities: a real tokenizer around a module that answers from a table.

The scorers, the tokenizer and the reading run for real; only the numbers are ours. A piece that the table does not
name gets an equal share of what is left. Pieces are written as the vocabulary has them, "Ġhe" or "##woman", and
joined by spaces.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn
from transformers import PreTrainedTokenizerBase

from core.engine.loading import LoadedModel
from core.result import ModelInfo
from core.sources.templates import Template
from tests.support.tiny_tokenizers import BERT_SPECIALS, BertTokenizer, wordpiece_vocabulary

Probabilities = Mapping[str, float]
LEAST = 1e-9  # what the pieces that are not named share at least, so that no log is infinite


class FixedModule(nn.Module):
    """Gives ``answer(pieces, place)`` at every place; ``asked`` keeps the inputs, special tokens around included."""

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, answer: Callable[[tuple[str, ...], int], Probabilities]
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(tokenizer), 1)
        self.tokenizer = tokenizer
        self.answer = answer
        self.asked: list[str] = []

    def get_input_embeddings(self) -> nn.Embedding:
        return self.embedding

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> SimpleNamespace:
        logits = torch.zeros(*input_ids.shape, len(self.tokenizer))
        for row, (ids, length) in enumerate(zip(input_ids.tolist(), attention_mask.sum(dim=1).tolist(), strict=True)):
            pieces = tuple(self.tokenizer.convert_ids_to_tokens(ids[:length]))
            self.asked.append(" ".join(pieces))
            for place in range(length):
                logits[row, place] = self._logits(self.answer(pieces, place))
        return SimpleNamespace(logits=logits)

    def _logits(self, probabilities: Probabilities) -> torch.Tensor:
        size = len(self.tokenizer)
        rest = max(1 - math.fsum(probabilities.values()), LEAST) / (size - len(probabilities))
        logits = torch.full((size,), math.log(rest))
        for piece, probability in probabilities.items():
            index = self.tokenizer.get_vocab()[piece]  # a KeyError is a misspelt piece in a test
            logits[index] = math.log(probability)
        return logits


def masked_stub(
    tokenizer: PreTrainedTokenizerBase,
    texts: Mapping[str, Sequence[Probabilities]],
    *,
    name: str = "stub",
    max_tokens: int = 64,
) -> LoadedModel:
    """A masked model: for each text, without the special tokens around it, one table a mask from left to right.

    Being asked any other text is an error: it shows a wrong masking.
    """

    def answer(pieces: tuple[str, ...], place: int) -> Probabilities:
        mask = tokenizer.mask_token
        text = " ".join(pieces[1:-1])
        if text not in texts:
            raise AssertionError(f"asked “{text}”, which is not among {sorted(texts)}")
        return texts[text][pieces[:place].count(mask)] if pieces[place] == mask else {}

    return _loaded(FixedModule(tokenizer, answer), tokenizer, "masked", name, max_tokens)


def causal_stub(
    tokenizer: PreTrainedTokenizerBase, after: Mapping[str, Probabilities], *, name: str = "stub", max_tokens: int = 64
) -> LoadedModel:
    """A causal model: the next piece after each beginning, start token included; any other gives equal shares."""

    def answer(pieces: tuple[str, ...], place: int) -> Probabilities:
        return after.get(" ".join(pieces[: place + 1]), {})

    return _loaded(FixedModule(tokenizer, answer), tokenizer, "causal", name, max_tokens)


SAID = Template.parse("The [ATTRIBUTE] said that [TARGET] was tired.")


def said(attribute: str) -> str:
    """``SAID`` as BERT's pieces, the target masked."""
    return f"the {attribute} said that [MASK] was tired ."


def said_model(
    attributes: Mapping[str, Probabilities],
    prior: Probabilities,
    name: str = "stub",
    *,
    without: tuple[str, ...] = (),
) -> LoadedModel:
    """A masked model to be asked with ``SAID`` about attributes of one piece; its vocabulary may lack pieces.

    The other mask of the prior, the attribute's, holds nothing that may be read.
    """
    vocabulary = wordpiece_vocabulary(specials=BERT_SPECIALS, cased=False)
    pieces = [piece for piece in vocabulary if piece not in without]
    tokenizer = BertTokenizer(vocab={piece: index for index, piece in enumerate(pieces)}, do_lower_case=True)
    texts: dict[str, list[Probabilities]] = {said(word): [table] for word, table in attributes.items()}
    return masked_stub(tokenizer, {**texts, said("[MASK]"): [{}, prior]}, name=name)


def renamed(model: LoadedModel, name: str) -> LoadedModel:
    """The same model under another name."""
    return replace(model, info=replace(model.info, name=name))


def asked(model: LoadedModel) -> list[str]:
    """What a stub was asked, sorted; an input stands there as often as it went through the model."""
    found: list[str] = sorted(model.module.asked)
    return found


def _loaded(module: Any, tokenizer: PreTrainedTokenizerBase, kind: str, name: str, max_tokens: int) -> LoadedModel:
    info = ModelInfo(
        name=name,
        id=name,
        revision=None,
        digest="0" * 64,
        family="stub",
        kind=kind,
        layers=1,
        heads=1,
        parameters=len(tokenizer),
        languages=("en",),
        cased=False,
        dtype="float32",
        device="cpu",
        attention="default",
    )
    return LoadedModel(info, module.eval(), tokenizer, max_tokens, padding_leaks=False, refusal=None)
