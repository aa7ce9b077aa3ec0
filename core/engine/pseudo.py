"""Pseudo-log-likelihood of masked models: each token hidden in turn, the others in sight (Salazar et al. 2020).

The tokens of a split word give each other away, so that a rare word looks likely. Hidden together with what follows in
its word, a token is guessed from what stands before it and around the word (Kauf & Ivanova 2023, PLL-word-l2r).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from ..run import UNWATCHED, Watch
from . import reading
from .loading import LoadedModel
from .masked import STOPPED, check_masked, too_long
from .pieces import Tokenized, tokenize

Ids = tuple[int, ...]
Hidden = tuple[int, int]  # a token to be guessed, and where what is hidden with it ends, that place excluded


@dataclass(frozen=True, slots=True)
class PseudoScore:
    """``ln_p`` is the sum over ``tokens`` hidden tokens of ln P in nats, or None with the ``reason``."""

    ln_p: float | None
    tokens: int
    reason: str = ""


class PseudoScorer:
    """Asks one masked model. A function of its input: order, batch and padding change no number.

    Special tokens put around a text are never hidden. A word the model does not know is its unknown token, as in the
    authors' code.
    """

    def __init__(self, model: LoadedModel) -> None:
        check_masked(model)
        self._model = model

    def pairs(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        run: Watch = UNWATCHED,
    ) -> list[tuple[PseudoScore, PseudoScore]]:
        """Of both sentences of each pair, over the tokens they share (Nangia et al. 2020).

        Shared are the equal stretches that difflib's SequenceMatcher finds in the two sequences of tokens, the special
        ones around included, as in the authors' code; unlike there, frequent tokens count in long sentences too.
        """
        inputs = [(item.ids, _own(item)) for item in self._tokenized([text for pair in pairs for text in pair])]
        wanted: list[tuple[Ids, Sequence[Hidden]]] = []
        for (first, own), (second, others) in zip(inputs[::2], inputs[1::2], strict=True):
            blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
            equal = [(a + i, b + i) for a, b, size in blocks for i in range(size)]
            same = [(a, b) for a, b in equal if a in own and b in others]
            wanted += [(first, [(a, a + 1) for a, _ in same]), (second, [(b, b + 1) for _, b in same])]
        scores = self._scores(wanted, "shares no token with the other sentence", run)
        return list(zip(scores[::2], scores[1::2], strict=True))

    def sentences(
        self,
        texts: Sequence[str],
        *,
        by_word: bool = False,
        run: Watch = UNWATCHED,
    ) -> list[PseudoScore]:
        """Of each text, over all its tokens; ``by_word`` hides with each the tokens of its word that follow it.

        Kauf & Ivanova 2023.
        """
        wanted = [
            (item.ids, [(place, _end(item.words, place) if by_word else place + 1) for place in _own(item)])
            for item in self._tokenized(texts)
        ]
        return self._scores(wanted, "leaves no text to score", run)

    def _tokenized(self, texts: Sequence[str]) -> list[Tokenized]:
        return tokenize(self._model.tokenizer, [(text, (0, len(text))) for text in texts])

    def _scores(
        self,
        wanted: Sequence[tuple[Ids, Sequence[Hidden]]],
        nothing: str,
        run: Watch,
    ) -> list[PseudoScore]:
        """The sum over the given places of each input, each hidden with what is to be hidden with it."""
        mask = self._model.tokenizer.mask_token_id
        cells: list[reading.Cell] = []
        ends = []
        for ids, places in wanted:
            if len(ids) <= self._model.max_tokens:
                cells += [
                    reading.Cell((*ids[:place], *[mask] * (end - place), *ids[end:]), place, ids[place])
                    for place, end in places
                ]
            ends.append(len(cells))
        values = reading.read(
            self._model.module,
            cells,
            self._model.tokenizer.pad_token_id or 0,
            stage=f"Scoring with {self._model.info.name}",
            same_length=self._model.padding_leaks,
            run=run,
        )
        return [
            self._score(ids, places, values[start:end], nothing)
            for (ids, places), start, end in zip(wanted, [0, *ends], ends, strict=False)
        ]

    def _score(self, ids: Ids, places: Sequence[Hidden], values: NDArray[np.float64], nothing: str) -> PseudoScore:
        if len(ids) > self._model.max_tokens:
            return PseudoScore(None, 0, too_long(self._model, len(ids)))
        if not places:
            return PseudoScore(None, 0, nothing)
        total = float(values.sum())
        return PseudoScore(None, 0, STOPPED) if np.isnan(total) else PseudoScore(total, len(places))


def _own(item: Tokenized) -> range:
    """The places of the tokens that are the text's own."""
    return range(item.first, item.last)


def _end(words: Sequence[int | None], place: int) -> int:
    """Where the word of a token ends."""
    end = place + 1
    while end < len(words) and words[place] is not None and words[end] == words[place]:
        end += 1
    return end
