"""Causal models: the log likelihood of a text, or of its end given its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..errors import ModelError, UnsupportedModel
from ..run import UNWATCHED, Watch
from . import prefix_trees, reading
from .loading import LoadedModel
from .masked import STOPPED, Fill, too_long
from .pieces import Span, shown, tokenize


@dataclass(frozen=True, slots=True)
class TextQuery:
    """ln P(characters from ``span`` start to ``span`` end | all characters before them)."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class TextScore:
    """ln P in nats over ``tokens`` tokens, or None with the ``reason``."""

    ln_p: float | None
    tokens: int
    reason: str = ""


class CausalScorer:
    """Asks one causal model. A function of its input: order, batch and padding change no number."""

    def __init__(self, model: LoadedModel) -> None:
        if model.refusal is not None:
            raise model.refusal
        if model.info.kind != "causal":
            raise UnsupportedModel(f"{model.info.name} is a masked model, not a causal one; choose a causal one here.")
        self._model = model
        tokenizer = model.tokenizer
        start = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
        own = tokenizer.backend_tokenizer.encode("a").ids
        self.start: tuple[int, ...] = () if start is None or own[0] == start else (start,)

    @property
    def note(self) -> str:
        """A sentence about the start token, empty when the tokenizer sets one by itself."""
        if not self.start:
            return ""
        token = self._model.tokenizer.convert_ids_to_tokens(self.start[0])
        return f"start token added ({token}), so that the first word has a probability."

    def log_likelihood(
        self,
        queries: Sequence[TextQuery],
        *,
        run: Watch = UNWATCHED,
    ) -> list[TextScore]:
        """ln P of each query's stretch of text, in the order requested.

        A token counts when any of it lies in the stretch, the space before the stretch included. An end token
        that a tokenizer adds is not scored.
        """
        found = [
            replace(item, ids=self.start + item.ids, first=item.first + shift, last=item.last + shift)
            for item in tokenize(self._model.tokenizer, [(query.text, query.span) for query in queries])
            for shift in (len(self.start),)
        ]
        cells: list[reading.Cell] = []
        plans: list[tuple[str, int, int]] = []
        for item in found:
            first = len(cells)
            reason = ""
            if len(item.ids) > self._model.max_tokens:
                reason = too_long(self._model, len(item.ids))
            elif item.unknown:
                reason = "is unknown to this model"
            elif item.first == item.last:
                reason = "leaves no text to score"
            elif item.first == 0:
                reason = f"stands first, and {self._model.info.name} has no start token to give it a probability"
            else:
                cells.extend(
                    reading.Cell(item.ids, place - 1, item.ids[place]) for place in range(item.first, item.last)
                )
            plans.append((reason, first, len(cells)))
        tokenizer = self._model.tokenizer
        # Finding out whether a model reads trees takes a row and a text, which has to be worth it.
        worth_it = prefix_trees.saved(cell.ids for cell in cells) > reading.TREE + reading.LONGEST_IN_TREE
        values = reading.read(
            self._model.module,
            cells,
            tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0,
            stage=f"Scoring with {self._model.info.name}",
            same_length=self._model.padding_leaks,
            trees=worth_it and self._model.reads_trees,
            run=run,
        )
        return [_score(values[first:last], reason) for reason, first, last in plans]

    def top_next(self, text: str, count: int = 10) -> tuple[Fill, ...]:
        """The ``count`` likeliest tokens after ``text``, likeliest first."""
        # Up to the text's last piece: an end token a tokenizer adds is not what the text continues from. The one
        # before an empty text is the start token, the tokenizer's own or the one put in front.
        (item,) = tokenize(self._model.tokenizer, [(text, (0, len(text)))])
        ids = self.start + (item.ids[: item.last] if item.last else item.ids[:1])
        if not text and self.start:
            ids = self.start
        if not ids:
            raise ModelError(f"{self._model.info.name} has no start token, so nothing comes after an empty text.")
        if len(ids) > self._model.max_tokens:
            raise ModelError(f"The text {too_long(self._model, len(ids))}.")
        (found,) = reading.at_positions(self._model.module, [(ids, len(ids) - 1)], 0, reading.best(count), stage="")
        tokens, probabilities = found or ((), ())
        return tuple(
            Fill(shown(self._model.tokenizer, token), p) for token, p in zip(tokens, probabilities, strict=True)
        )


def _score(values: np.ndarray, reason: str) -> TextScore:
    if reason:
        return TextScore(None, 0, reason)
    total = float(values.sum())
    return TextScore(None, 0, STOPPED) if np.isnan(total) else TextScore(total, len(values))
