"""All tokens of a text with nothing hidden: AUL and AULA (Kaneko & Bollegala 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.errors import ModelError
from core.models import batching, reading
from core.models.attention import MAPS
from core.models.loading import LoadedModel
from core.models.masked import STOPPED, check_masked, too_long
from core.models.pieces import tokenize
from core.results import IsCancelled, ReportProgress, never_cancelled, no_progress


@dataclass(frozen=True, slots=True)
class UnmaskedScore:
    """``aul``: the mean of ln P over ``tokens`` tokens, in nats; ``aula``: that of ln P times the attention received.

    Both None with the ``reason``; ``aula`` None too where weights were not asked for.
    """

    aul: float | None
    aula: float | None
    tokens: int
    reason: str = ""


class UnmaskedScorer:
    """Asks one masked model. A function of its input: order, batch and padding change no number.

    Special tokens put around a text are not counted. With ``weighted``, a token's weight is the attention it receives,
    the mean over layers, heads and queries, special tokens among the queries. As in the authors' code the weights are
    not made to sum to 1. Raises ModelError where weights are asked for and the model was lent without its maps.
    """

    def __init__(self, model: LoadedModel, *, weighted: bool) -> None:
        check_masked(model)
        if weighted and model.info.attention != "eager":
            raise ModelError(
                f"{model.info.name} was loaded without its attention maps; ask for it with attention “eager”."
            )
        self._model, self._weighted = model, weighted

    def scores(
        self,
        texts: Sequence[str],
        *,
        progress: ReportProgress = no_progress,
        cancelled: IsCancelled = never_cancelled,
    ) -> list[UnmaskedScore]:
        """Of each text, in the order asked; each distinct text goes through the model once."""
        model = self._model
        distinct, owner = batching.unique(texts)
        items = tokenize(model.tokenizer, [(text, (0, len(text))) for text in distinct])
        places = [list(range(item.first, item.last)) for item in items]
        answers = [UnmaskedScore(None, None, 0, STOPPED) for _ in distinct]
        kept = []
        for i, item in enumerate(items):
            if len(item.ids) > model.max_tokens:
                answers[i] = UnmaskedScore(None, None, 0, too_long(model, len(item.ids)))
            elif not places[i]:
                answers[i] = UnmaskedScore(None, None, 0, "leaves no text to score")
            else:
                kept.append(i)

        def run(batch: Sequence[int]) -> list[tuple[NDArray[np.float64], NDArray[np.float64] | None]]:
            return self._batch([items[kept[r]].ids for r in batch])

        longest = max((len(items[i].ids) for i in kept), default=1)
        tokens = reading.tokens_at_once(model.module)
        if self._weighted:
            tokens = min(tokens, MAPS // (model.info.layers * model.info.heads * longest))
        vocabulary = model.module.get_input_embeddings().weight.shape[0]
        for part, found in reading.in_batches(
            [len(items[i].ids) for i in kept],
            min(tokens, reading.LOGITS // vocabulary),
            run,
            stage=f"Asking {model.info.name}",
            same_length=model.padding_leaks,
            progress=progress,
            cancelled=cancelled,
        ):
            for r, (ln_p, received) in zip(part, found, strict=True):
                own = places[kept[r]]
                weighted = None if received is None else float((ln_p[own] * received[own]).mean())
                answers[kept[r]] = UnmaskedScore(float(ln_p[own].mean()), weighted, len(own))
        return [answers[i] for i in owner]

    def _batch(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[NDArray[np.float64], NDArray[np.float64] | None]]:
        """ln P of every token of each input, and the attention it receives."""
        module = self._model.module
        ids, attention = reading.padded(inputs, self._model.tokenizer.pad_token_id or 0)
        device = next(module.parameters()).device
        ids, attention = ids.to(device), attention.to(device)
        with torch.inference_mode():
            output = module(input_ids=ids, attention_mask=attention, output_attentions=self._weighted)
            logits = output.logits.float()
            ln_p = (logits.gather(-1, ids[..., None]).squeeze(-1) - logits.logsumexp(-1)).double().cpu().numpy()
            received = None
            if self._weighted:
                # [layer][row, head, query, key] → mean over layers and heads, then over the text's own queries.
                maps = torch.stack([layer.float().mean(dim=1) for layer in output.attentions]).mean(dim=0)
                queries = attention[..., None].float()
                received = ((maps * queries).sum(dim=1) / queries.sum(dim=1)).double().cpu().numpy()
        return [
            (ln_p[r, : len(row)], None if received is None else received[r, : len(row)]) for r, row in enumerate(inputs)
        ]
