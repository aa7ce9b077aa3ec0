"""Masked models: what stands behind the mask, by log probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import ModelError, UnsupportedModel
from core.models import batching, reading
from core.models.loading import LoadedModel
from core.models.pieces import Span, Tokenized, shown, tokenize
from core.results import IsCancelled, ReportProgress, never_cancelled, no_progress
from core.templates import MASK, in_place

STOPPED = "was not reached: the run was stopped"


@dataclass(frozen=True, slots=True)
class MaskQuery:
    """``text`` hides words behind ``MASK``; mask number ``mask`` (from 0) is read for each candidate word."""

    text: str
    mask: int
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordScore:
    """ln P of one candidate in nats, or None with the ``reason``; ``pieces`` are those of the word in its place.

    A reason goes on from the word: "chairwoman" + "= chair + ##woman: not scored".
    """

    word: str
    ln_p: float | None
    pieces: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fill:
    """A word the model would put in, and its probability (0–1)."""

    word: str
    probability: float


class MaskedScorer:
    """Asks one masked model. A function of its input: order, batch and padding change no number."""

    def __init__(self, model: LoadedModel) -> None:
        if model.refusal is not None:
            raise model.refusal
        if model.info.kind != "masked":
            raise UnsupportedModel(f"{model.info.name} continues text and has no mask; it is scored as a causal model.")
        self._model = model

    def pieces(self, texts: Sequence[tuple[str, Span]]) -> list[Tokenized]:
        """How the model reads the stretch (start, end) of each text; masks are written as ``MASK``."""
        return tokenize(self._model.tokenizer, texts)

    def log_probs(
        self,
        queries: Sequence[MaskQuery],
        *,
        several_pieces: str = "single",
        progress: ReportProgress = no_progress,
        cancelled: IsCancelled = never_cancelled,
    ) -> list[tuple[WordScore, ...]]:
        """ln P of each candidate at its mask, a tuple a query in the order of its candidates.

        The form of a word is the one it has in that place: after a space, or with a capital at a sentence's start.
        A word of several pieces is left out (``single``), or scored ``joint``: as many masks as pieces, and
        ln P = Σ ln P(piece | pieces to its left filled in, pieces to its right masked).
        """
        distinct, owner = batching.unique(queries)
        words = [word for query in distinct for word in query.candidates]
        found = self.pieces([_in_text(query, word) for query in distinct for word in query.candidates])
        cells: list[reading.Cell] = []
        plans: list[tuple[str, int, int]] = []  # reason, first cell, last cell
        for item in found:
            reason = self._obstacle(item, several_pieces)
            first = len(cells)
            if not reason:
                cells.extend(self._cells(item))
            plans.append((reason, first, len(cells)))
        tokenizer = self._model.tokenizer
        values = reading.read(
            self._model.module,
            cells,
            tokenizer.pad_token_id or 0,
            stage=f"Asking {self._model.info.name}",
            progress=progress,
            cancelled=cancelled,
        )
        scores = iter(
            _score(word, item, values[first:last], reason)
            for word, item, (reason, first, last) in zip(words, found, plans, strict=True)
        )
        answers = [tuple(next(scores) for _ in query.candidates) for query in distinct]
        return [answers[i] for i in owner]

    def top_fills(self, text: str, mask: int, count: int = 10) -> tuple[Fill, ...]:
        """The ``count`` likeliest pieces at one mask of the text, likeliest first."""
        start = _mask_place(text, mask)
        item = self.pieces([(text, (start, start + len(MASK)))])[0]
        if len(item.ids) > self._model.max_tokens:
            raise ModelError(f"The mask {too_long(self._model, len(item.ids))}.")
        tokens, probabilities = reading.top(self._model.module, item.ids, item.last - 1, count)
        return tuple(
            Fill(shown(self._model.tokenizer, token), p) for token, p in zip(tokens, probabilities, strict=True)
        )

    def _obstacle(self, item: Tokenized, several_pieces: str) -> str:
        if item.unknown:
            return "is unknown to this model"
        if not item.exact:
            return f"is read as one piece with its neighbour here ({' + '.join(item.pieces) or 'nothing'})"
        if several_pieces == "single" and item.last - item.first > 1:
            return f"= {' + '.join(item.pieces)}: not scored"
        if len(item.ids) > self._model.max_tokens:
            return too_long(self._model, len(item.ids))
        return ""

    def _cells(self, item: Tokenized) -> list[reading.Cell]:
        mask = self._model.tokenizer.mask_token_id
        before, word, after = item.ids[: item.first], item.ids[item.first : item.last], item.ids[item.last :]
        return [
            reading.Cell((*before, *word[:k], *(mask for _ in word[k:]), *after), item.first + k, word[k])
            for k in range(len(word))
        ]


def _score(word: str, item: Tokenized, values: np.ndarray, reason: str) -> WordScore:
    if reason:
        return WordScore(word, None, item.pieces, reason)
    total = float(values.sum())
    if np.isnan(total):
        return WordScore(word, None, item.pieces, STOPPED)
    return WordScore(word, total, item.pieces)


def too_long(model: LoadedModel, pieces: int) -> str:
    """The reason for a sentence that does not fit into a model."""
    return f"stands in a sentence of {pieces:,} pieces; {model.info.name} reads {model.max_tokens:,}"


def _mask_place(text: str, mask: int) -> int:
    """Where mask number ``mask`` starts."""
    start = -1
    for _ in range(mask + 1):
        start = text.index(MASK, start + 1)
    return start


def _in_text(query: MaskQuery, word: str) -> tuple[str, Span]:
    start = _mask_place(query.text, query.mask)
    word = in_place(query.text[:start], word)
    return query.text[:start] + word + query.text[start + len(MASK) :], (start, start + len(word))
