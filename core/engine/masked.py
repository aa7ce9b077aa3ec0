"""Masked models: what stands behind the mask, by log probability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError, UnsupportedModel
from ..run import UNWATCHED, Watch
from ..sources.templates import AS_THE_SENTENCE_SHOWS, MASK
from . import batching, reading
from .loading import LoadedModel
from .mask_texts import filled, mask_place, with_masks
from .pieces import Span, Tokenized, shown, tokenize

T = TypeVar("T")
# Word, its pieces in its place, ln P of its cells, and the reason where it has none.
_Answer = tuple[str, Tokenized, NDArray[np.float64], str]

STOPPED = "was not reached: the run was stopped"
SEVERAL_TOKENS = ": not scored"  # ends the reason of a word that ``single`` excludes


@dataclass(frozen=True, slots=True)
class MaskQuery:
    """``text`` hides words behind ``MASK``; mask number ``mask`` (from 0) is read for each candidate word.

    ``form`` is how a candidate is written there (``templates.in_place``).
    """

    text: str
    mask: int
    candidates: tuple[str, ...]
    form: str = AS_THE_SENTENCE_SHOWS


@dataclass(frozen=True, slots=True)
class WordScore:
    """ln P of one candidate in nats, or None with the ``reason``; ``pieces`` are those of the word in its place.

    A reason follows the word: "chairwoman" + "= chair + ##woman: not scored".
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


@dataclass(frozen=True, slots=True)
class PieceScores:
    """ln P in nats of each of a candidate's tokens; None with the ``reason`` of ``WordScore``."""

    word: str
    ln_p: tuple[float, ...] | None
    pieces: tuple[str, ...]
    reason: str = ""


def check_masked(model: LoadedModel) -> None:
    """Raise a model's own refusal, or UnsupportedModel for one that has no mask."""
    if model.refusal is not None:
        raise model.refusal
    if model.info.kind != "masked":
        raise UnsupportedModel(
            f"{model.info.name} is a causal (left-to-right) model and has no mask to fill; choose a masked model here."
        )


class MaskedScorer:
    """Asks one masked model. A function of its input: order, batch and padding change no number."""

    def __init__(self, model: LoadedModel) -> None:
        check_masked(model)
        self._model = model

    def pieces(self, texts: Sequence[tuple[str, Span]]) -> list[Tokenized]:
        """How the model reads the stretch (start, end) of each text; masks are written as ``MASK``."""
        return tokenize(self._model.tokenizer, texts)

    def log_probs(
        self,
        queries: Sequence[MaskQuery],
        *,
        several_pieces: str = "single",
        run: Watch = UNWATCHED,
    ) -> list[tuple[WordScore, ...]]:
        """ln P of each candidate at its mask, a tuple a query in the order of its candidates.

        The input is what the model's own tokenizer makes of the text with its mask token. A word has the tokens of
        that place, such as those after a space, and the form of its query: with a capital where a sentence begins.
        A word of several tokens is excluded (``single``), or scored ``joint``: as many masks as tokens, and
        ln P = Σ ln P(token | tokens to its left filled in, tokens to its right masked).
        """
        answers = self._ask(queries, several_pieces, self._cells, run)
        return [tuple(_score(*answer) for answer in of_query) for of_query in answers]

    def together(
        self,
        queries: Sequence[MaskQuery],
        *,
        run: Watch = UNWATCHED,
    ) -> list[tuple[PieceScores, ...]]:
        """ln P of every token of each candidate, as many masks as tokens and none of them filled (StereoSet)."""
        answers = self._ask(queries, "together", self._together, run)
        return [tuple(_piece_scores(*answer) for answer in of_query) for of_query in answers]

    def revealed(
        self,
        queries: Sequence[MaskQuery],
        *,
        run: Watch = UNWATCHED,
    ) -> list[tuple[PieceScores, ...]]:
        """ln P of every token of each candidate at a single mask behind the tokens to its left, as StereoSet's authors.

        Nothing stands for the tokens to its right: "he is a [MASK].", then "he is a chair[MASK].".
        """
        answers = self._ask(queries, "revealed", self._revealed, run)
        return [tuple(_piece_scores(*answer) for answer in of_query) for of_query in answers]

    def fills(
        self,
        queries: Sequence[tuple[str, int]],
        count: int,
        *,
        run: Watch = UNWATCHED,
    ) -> list[tuple[Fill, ...]]:
        """The ``count`` likeliest tokens at mask number ``mask`` of each (text, mask), likeliest first.

        Nothing for queries that a stop left unreached. Raises ModelError for a text the model cannot read whole.
        """
        likeliest = self._at_masks(queries, reading.best(count), run)
        return [
            ()
            if best is None
            else tuple(Fill(shown(self._model.tokenizer, token), p) for token, p in zip(*best, strict=True))
            for best in likeliest
        ]

    def distributions(
        self,
        queries: Sequence[tuple[str, int]],
        *,
        run: Watch = UNWATCHED,
    ) -> NDArray[np.float64]:
        """ln P of every token of the vocabulary at a mask of each (text, mask): [query, token], NaN where not reached.

        Raises ModelError for a text the model cannot read whole.
        """
        distributions = self._at_masks(queries, reading.whole, run)
        values = np.full((len(distributions), self._model.module.get_input_embeddings().weight.shape[0]), np.nan)
        for row, ln_p in zip(values, distributions, strict=True):
            if ln_p is not None:
                row[:] = ln_p
        return values

    def vocabulary(self, count: int) -> tuple[str, ...]:
        """The first ``count`` tokens as a person reads them."""
        return tuple(shown(self._model.tokenizer, token) for token in range(count))

    def tokens_of(self, text: str, mask: int, words: Sequence[str]) -> list[int | str]:
        """The token of each word in the place of a mask, or why it has none of its own there (see ``WordScore``)."""
        items = self.pieces([filled(text, mask, word) for word in words])
        return [self._obstacle(item, "single") or item.ids[item.last - 1] for item in items]

    def top_fills(self, text: str, mask: int, count: int = 10) -> tuple[Fill, ...]:
        """The ``count`` likeliest tokens at one mask of the text, likeliest first."""
        return self.fills([(text, mask)], count)[0]

    def _at_masks(
        self,
        queries: Sequence[tuple[str, int]],
        take: Callable[[Any], Sequence[T]],
        run: Watch,
    ) -> list[T | None]:
        starts = [mask_place(text, mask) for text, mask in queries]
        items = self.pieces([(text, (at, at + len(MASK))) for (text, _), at in zip(queries, starts, strict=True)])
        for item in items:
            if len(item.ids) > self._model.max_tokens:
                raise ModelError(f"The mask {too_long(self._model, len(item.ids))}.")
        return reading.at_positions(
            self._model.module,
            [(item.ids, self._masks(item)[0]) for item in items],
            self._model.tokenizer.pad_token_id or 0,
            take,
            stage=f"Scoring with {self._model.info.name}",
            same_length=self._model.padding_leaks,
            run=run,
        )

    def _ask(
        self,
        queries: Sequence[MaskQuery],
        several_pieces: str,
        cells_of: Callable[[Tokenized, tuple[int, ...]], list[reading.Cell]],
        run: Watch,
    ) -> list[list[_Answer]]:
        """Word, tokens, values of its cells, and the reason where there are none, of each candidate of each query."""
        distinct, owner = batching.unique(queries)
        candidates = [(query, word) for query in distinct for word in query.candidates]
        items = self.pieces([filled(query.text, query.mask, word, query.form) for query, word in candidates])
        reasons = [self._obstacle(item, several_pieces) for item in items]
        # The text as it is sent: every single piece at one mask shares it.
        sent = [
            with_masks(query.text, query.mask, 1 if several_pieces == "revealed" else item.last - item.first)
            for (query, _), item in zip(candidates, items, strict=True)
        ]
        texts, text_of = batching.unique(text for text, reason in zip(sent, reasons, strict=True) if not reason)
        inputs = self.pieces(texts)
        next_text = iter(text_of)
        cells: list[reading.Cell] = []
        ends = []
        for item, reason in zip(items, reasons, strict=True):
            if not reason:
                cells.extend(cells_of(inputs[next(next_text)], item.ids[item.first : item.last]))
            ends.append(len(cells))
        tokenizer = self._model.tokenizer
        values = reading.read(
            self._model.module,
            cells,
            tokenizer.pad_token_id or 0,
            stage=f"Scoring with {self._model.info.name}",
            same_length=self._model.padding_leaks,
            run=run,
        )
        answered = iter(
            (word, item, values[start:end], reason)
            for (_, word), item, reason, start, end in zip(candidates, items, reasons, [0, *ends], ends, strict=False)
        )
        answers = [[next(answered) for _ in query.candidates] for query in distinct]
        return [answers[i] for i in owner]

    def _obstacle(self, item: Tokenized, several_pieces: str) -> str:
        if item.unknown:
            return "is unknown to this model"
        if not item.exact:
            return f"is read as one token with its neighbour here ({' + '.join(item.pieces) or 'nothing'})"
        if several_pieces == "single" and item.last - item.first > 1:
            return f"= {' + '.join(item.pieces)}{SEVERAL_TOKENS}"
        if len(item.ids) > self._model.max_tokens:
            return too_long(self._model, len(item.ids))
        return ""

    def _cells(self, masked: Tokenized, word: tuple[int, ...]) -> list[reading.Cell]:
        """A cell for each token: those to its left are filled in, those to its right stay masked."""
        masks = self._masks(masked)
        cells = []
        ids = list(masked.ids)
        for position, piece in zip(masks, word, strict=True):
            cells.append(reading.Cell(tuple(ids), position, piece))
            ids[position] = piece
        return cells

    def _together(self, masked: Tokenized, word: tuple[int, ...]) -> list[reading.Cell]:
        """A cell for each token, every one of them masked."""
        return [
            reading.Cell(masked.ids, position, piece) for position, piece in zip(self._masks(masked), word, strict=True)
        ]

    def _revealed(self, masked: Tokenized, word: tuple[int, ...]) -> list[reading.Cell]:
        """A cell for each token: those to its left stand before the one mask, those to its right are not there."""
        (place,) = self._masks(masked)
        before, after = masked.ids[:place], masked.ids[place:]
        return [
            reading.Cell((*before, *word[:count], *after), place + count, piece) for count, piece in enumerate(word)
        ]

    def _masks(self, masked: Tokenized) -> list[int]:
        """Places of the mask tokens in the stretch; SentencePiece may put tokens for a space between them."""
        mask_id = self._model.tokenizer.mask_token_id
        return [place for place in range(masked.first, masked.last) if masked.ids[place] == mask_id]


def _piece_scores(word: str, item: Tokenized, values: NDArray[np.float64], reason: str) -> PieceScores:
    if not reason and np.isnan(values).any():
        reason = STOPPED
    return PieceScores(word, None if reason else tuple(map(float, values)), item.pieces, reason)


def _score(word: str, item: Tokenized, values: NDArray[np.float64], reason: str) -> WordScore:
    if reason:
        return WordScore(word, None, item.pieces, reason)
    total = float(values.sum())
    if np.isnan(total):
        return WordScore(word, None, item.pieces, STOPPED)
    return WordScore(word, total, item.pieces)


def too_long(model: LoadedModel, pieces: int) -> str:
    """The reason for a sentence that does not fit into a model."""
    return f"stands in a sentence of {pieces:,} tokens; {model.info.name} reads {model.max_tokens:,}"
