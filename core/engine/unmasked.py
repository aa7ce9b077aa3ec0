"""All tokens of a text with nothing hidden: AUL and AULA (Kaneko & Bollegala 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ..run import UNWATCHED, Watch
from . import batching, reading
from .attention import MAPS, AttentionReader
from .loading import LoadedModel
from .masked import STOPPED, check_masked, too_long
from .pieces import tokenize

# Of each token: ln P, and the attention it receives where weights are asked for.
_Tokens = tuple[NDArray[np.float64], NDArray[np.float64] | None]


@dataclass(frozen=True, slots=True)
class UnmaskedScore:
    """``aul``: the mean of ln P over ``tokens`` tokens, in nats; ``aula``: that of ln P times the attention received.

    Both None with the ``reason``; ``aula`` None too where weights were not requested.
    """

    aul: float | None
    aula: float | None
    tokens: int
    reason: str = ""


class UnmaskedScorer:
    """Asks one masked model. A function of its input: order, batch and padding change no number.

    Special tokens put around a text are not counted. With ``weighted``, a token's weight is the attention it receives,
    the mean over layers, heads and queries, special tokens among the queries. As in the authors' code the weights are
    not made to sum to 1. Raises what ``AttentionReader`` does where weights are requested and the model has none.
    """

    def __init__(self, model: LoadedModel, *, weighted: bool) -> None:
        check_masked(model)
        if weighted:
            AttentionReader(model)  # refuses a model that has no maps to weight by
        self._model, self._weighted = model, weighted

    def scores(
        self,
        texts: Sequence[str],
        *,
        run: Watch = UNWATCHED,
    ) -> list[UnmaskedScore]:
        """Of each text, in the order requested; each distinct text goes through the model once."""
        model = self._model
        distinct, owner = batching.unique(texts)
        items = tokenize(model.tokenizer, [(text, (0, len(text))) for text in distinct])
        places = [range(item.first, item.last) for item in items]
        answers = [UnmaskedScore(None, None, 0, STOPPED) for _ in distinct]
        kept = []
        for i, item in enumerate(items):
            if len(item.ids) > model.max_tokens:
                answers[i] = UnmaskedScore(None, None, 0, too_long(model, len(item.ids)))
            elif not places[i]:
                answers[i] = UnmaskedScore(None, None, 0, "leaves no text to score")
            else:
                kept.append(i)

        def answer(batch: Sequence[int]) -> list[_Tokens]:
            return self._batch([(items[kept[r]].ids, places[kept[r]]) for r in batch])

        longest = max((len(items[i].ids) for i in kept), default=1)
        tokens = reading.tokens_at_once(model.module)
        if self._weighted:
            tokens = min(tokens, MAPS // (model.info.layers * model.info.heads * longest))
        vocabulary = model.module.get_input_embeddings().weight.shape[0]
        batches = batching.plan(
            [len(items[i].ids) for i in kept],
            min(tokens, reading.LOGITS // vocabulary),
            same_length=model.padding_leaks,
        )
        stage = f"Scoring with {model.info.name}"
        for part, found in reading.in_batches(batches, answer, stage=stage, run=run):
            for r, (ln_p, received) in zip(part, found, strict=True):
                weighted = None if received is None else float((ln_p * received).mean())
                answers[kept[r]] = UnmaskedScore(float(ln_p.mean()), weighted, len(ln_p))
        return [answers[i] for i in owner]

    def _batch(self, inputs: Sequence[tuple[tuple[int, ...], range]]) -> list[_Tokens]:
        """ln P of the tokens at the given places of each input, and the attention they receive."""
        module = self._model.module
        device = next(module.parameters()).device
        ids, attention = reading.padded([row for row, _ in inputs], self._model.tokenizer.pad_token_id or 0)
        width = max(len(own) for _, own in inputs)
        wanted = torch.tensor([[*own, *[0] * (width - len(own))] for _, own in inputs]).to(device)
        ids, attention = ids.to(device), attention.to(device)
        log_probs, maps = reading.forward(module, ids, attention, wanted, maps=self._weighted)
        ln_p = log_probs.gather(-1, ids.gather(1, wanted)[..., None])[..., 0].double().cpu().numpy()
        if not self._weighted:
            return [(row[: len(own)], None) for row, (_, own) in zip(ln_p, inputs, strict=True)]
        # [layer][row, head, query, key] → mean over layers and heads, then over the text's own queries.
        mean = torch.stack([layer.float().mean(dim=1) for layer in maps]).mean(dim=0)
        queries = attention[..., None].float()
        received = ((mean * queries).sum(dim=1) / queries.sum(dim=1)).gather(1, wanted).double().cpu().numpy()
        return [(ln_p[r, : len(own)], received[r, : len(own)]) for r, (_, own) in enumerate(inputs)]
