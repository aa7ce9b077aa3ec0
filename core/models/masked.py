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

        The input is what the model's own tokenizer makes of the text with its mask token. The form of a word is
        the one it has in that place: after a space, or with a capital at a sentence's start.
        A word of several pieces is left out (``single``), or scored ``joint``: as many masks as pieces, and
        ln P = Σ ln P(piece | pieces to its left filled in, pieces to its right masked).
        """
        distinct, owner = batching.unique(queries)
        asked = [(query, word) for query in distinct for word in query.candidates]
        found = self.pieces([_filled(query, word) for query, word in asked])
        reasons = [self._obstacle(item, several_pieces) for item in found]
        # The text as it is sent: every single piece at one mask shares it.
        sent = [_with_masks(query, item.last - item.first) for (query, _), item in zip(asked, found, strict=True)]
        texts, place = batching.unique(text for text, reason in zip(sent, reasons, strict=True) if not reason)
        inputs = self.pieces(texts)
        places = iter(place)
        cells: list[reading.Cell] = []
        ends = []
        for item, reason in zip(found, reasons, strict=True):
            if not reason:
                cells.extend(self._cells(inputs[next(places)], item.ids[item.first : item.last]))
            ends.append(len(cells))
        tokenizer = self._model.tokenizer
        values = reading.read(
            self._model.module,
            cells,
            tokenizer.pad_token_id or 0,
            stage=f"Asking {self._model.info.name}",
            same_length=self._model.padding_leaks,
            progress=progress,
            cancelled=cancelled,
        )
        scores = iter(
            _score(word, item, values[start:end], reason)
            for (_, word), item, reason, start, end in zip(asked, found, reasons, [0, *ends], ends, strict=False)
        )
        answers = [tuple(next(scores) for _ in query.candidates) for query in distinct]
        return [answers[i] for i in owner]

    def top_fills(self, text: str, mask: int, count: int = 10) -> tuple[Fill, ...]:
        """The ``count`` likeliest pieces at one mask of the text, likeliest first."""
        start = _mask_place(text, mask)
        item = self.pieces([(text, (start, start + len(MASK)))])[0]
        if len(item.ids) > self._model.max_tokens:
            raise ModelError(f"The mask {too_long(self._model, len(item.ids))}.")
        tokens, probabilities = reading.top(self._model.module, item.ids, self._masks(item)[0], count)
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

    def _cells(self, masked: Tokenized, word: tuple[int, ...]) -> list[reading.Cell]:
        """A cell for each piece: those to its left are filled in, those to its right stay masked."""
        masks = self._masks(masked)
        cells = []
        ids = list(masked.ids)
        for position, piece in zip(masks, word, strict=True):
            cells.append(reading.Cell(tuple(ids), position, piece))
            ids[position] = piece
        return cells

    def _masks(self, masked: Tokenized) -> list[int]:
        """Places of the mask tokens in the stretch; SentencePiece may put pieces for a space between them."""
        mask_id = self._model.tokenizer.mask_token_id
        return [place for place in range(masked.first, masked.last) if masked.ids[place] == mask_id]


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


def _filled(query: MaskQuery, word: str) -> tuple[str, Span]:
    """The text with the word in the place of its mask, in the form the sentence gives it there."""
    start = _mask_place(query.text, query.mask)
    word = in_place(query.text[:start], word)
    return query.text[:start] + word + query.text[start + len(MASK) :], (start, start + len(word))


def _with_masks(query: MaskQuery, count: int) -> tuple[str, Span]:
    """The text with ``count`` masks in the place of the one that is read."""
    start = _mask_place(query.text, query.mask)
    masks = " ".join([MASK] * count)
    return query.text[:start] + masks + query.text[start + len(MASK) :], (start, start + len(masks))
