"""Attention maps of a text, and what an occupation's attention gives to the gendered words of its sentence.

Detectors with identity weights follow Li et al. 2021 (``detectors``). The embedding output and the layers' outputs
are transformers' ``hidden_states``: in families that normalise once more behind their last layer (GPT-2, OPT,
GPT-NeoX, Llama and its kin, ModernBERT) the last one is taken after that normalisation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import ModelError
from ..result import Progress
from ..run import UNWATCHED, Callbacks, Watch
from ..sources.templates import MASK
from . import attention_families as families
from . import batching, reading
from .attention_probe import forward, probe
from .detectors import Asking, Batch
from .loading import LoadedModel, is_decoder
from .pieces import Span, Tokenized, shown, tokenize, unreadable

# Numbers the maps of one batch may hold (512 MiB in float32), all layers and heads counted.
MAPS = 1 << 27
# Sentences that are tokenized and sorted by length together: memory does not grow with the corpus.
WINDOW = 1024
TOO_LONG, UNREADABLE = "too long for the model", "a word the model cannot read"
LAYER_KINDS = ("query", "key", "value", "context", "output")


@dataclass(frozen=True)
class Position:
    """A place of the model where a detector stands.

    ``kind`` is ``embedding`` (the embedding output, ``layer`` None), or one of ``query``, ``key``, ``value``,
    ``context`` (the averaged attention AS·V, before the output projection) and ``output`` of a layer, from 0.
    """

    kind: str
    layer: int | None


@dataclass(frozen=True)
class Tokens:
    """A text as a model reads it.

    ``ids`` are the tokens and ``pieces`` the same as a person reads them; ``spans`` their (start, end) in the text,
    (0, 0) for the special tokens put around it, which ``is_special`` marks.
    """

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    spans: tuple[Span, ...]
    is_special: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class AttentionQuery:
    """A sentence with the character spans of its occupation, its male and its female words."""

    text: str
    occupation: Span
    male: tuple[Span, ...]
    female: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HeadSums:
    """Attention from the occupation to the male (T_m) and to the female words (T_f), each between 0 and 1.

    ``maps_…`` float64 [layer, head] are those of the model's own maps. ``detector_…`` float64 [position, head] are
    those of the detectors, in the order of ``AttentionReader.positions``, NaN at positions the model lacks; None when
    detectors were not requested. Sums over the words' tokens, means over the occupation's.
    ``detector_ln_ratio`` is ln(T_m / T_f) of the detectors: it holds where both are too small to be told from 0, and
    is NaN where both are 0.
    """

    maps_male: NDArray[np.float64]
    maps_female: NDArray[np.float64]
    detector_male: NDArray[np.float64] | None
    detector_female: NDArray[np.float64] | None
    detector_ln_ratio: NDArray[np.float64] | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a sentence has no sums; the reason follows the sentence: "is 600 tokens long; …".

    ``kind`` is ``TOO_LONG`` or ``UNREADABLE``, for counting.
    """

    reason: str
    kind: str


class AttentionReader:
    """Asks one model for attention. A function of its input: order, batch and padding change no number.

    ``positions`` are the places of the detectors, 5 · layers + 1; ``missing`` is a sentence about those the model
    lacks, empty when it has all; ``looks_back``: each token attends only to itself and those before it.

    Raises ModelError for a model loaded without attention outputs, UnsupportedModel for one that has none to return.
    """

    def __init__(self, model: LoadedModel) -> None:
        if model.info.attention != "eager":
            raise ModelError(
                f"{model.info.name} was loaded without attention outputs; request it with attention “eager”."
            )
        self._model = model
        self._found = probe(model)
        self._device = next(model.module.parameters()).device
        self.looks_back = is_decoder(model.module.config)
        self.missing = self._found.missing
        self.positions: tuple[Position, ...] = (
            Position("embedding", None),
            *(Position(kind, layer) for layer in range(self._found.layers) for kind in LAYER_KINDS),
        )

    def tokens(self, text: str) -> Tokens:
        """All tokens of a text, special ones included.

        Raises ModelError for a text without tokens, or with more than the model reads.
        """
        tokenizer = self._model.tokenizer
        mask = tokenizer.mask_token or MASK
        native = text.replace(MASK, mask)
        encoding = tokenizer.backend_tokenizer.encode(native)
        ids = encoding.ids
        if not ids:
            raise ModelError("There is no text to look at; write a sentence.")
        if len(ids) > self._model.max_tokens:
            raise ModelError(f"The text {self._too_long(len(ids))}.")
        shift = len(mask) - len(MASK)
        # Offsets count the model's own mask, spans the text as it was written.
        spans = [tuple(at - shift * native.count(mask, 0, at) for at in offset) for offset in encoding.offsets]
        return Tokens(
            tuple(ids),
            tuple(shown(tokenizer, token) for token in ids),
            tuple((start, end) for start, end in spans),
            # A mask is a special token, yet it is part of the text.
            tuple(
                bool(special) and start == end
                for special, (start, end) in zip(encoding.special_tokens_mask, spans, strict=True)
            ),
        )

    def maps(self, text: str) -> NDArray[np.float32]:
        """The model's own attention [layer, head, query, key] over ``tokens`` of a text.

        Each row sums to 1, or to less in a family that can attend to nothing (the sinks of GPT-OSS). Raises ModelError
        as ``tokens`` does.
        """
        tensor = torch.tensor([self.tokens(text).ids], device=self._device)
        maps = forward(self._model, tensor, torch.ones_like(tensor), states=False).attentions
        return np.asarray(torch.stack([layer[0].float() for layer in maps]).cpu().numpy())

    def sums(
        self,
        sentences: Sequence[AttentionQuery],
        *,
        detectors: bool,
        run: Watch = UNWATCHED,
    ) -> Iterator[tuple[Sequence[int], list[HeadSums | Refusal]]]:
        """What each occupation's attention gives to the gendered words: yields (indices, answers), batch by batch.

        Every index comes once, unless the run is cancelled, the longest first among a thousand sentences at a time.
        One forward pass for each distinct query serves maps and detectors. Memory depends on the longest
        sentence, not on how many there are.
        """
        stage, done = f"Looking at {self._model.info.name}", 0
        run.report(Progress(stage, 0, len(sentences)))
        for start in range(0, len(sentences), WINDOW):
            if run.cancelled():
                return
            distinct, owner = batching.unique(sentences[start : start + WINDOW])
            members: list[list[int]] = [[] for _ in distinct]
            for i, query in enumerate(owner):
                members[query].append(start + i)
            for part, answers in self._window(distinct, detectors, run):
                indices = [i for query in part for i in members[query]]
                yield indices, [answer for query, answer in zip(part, answers, strict=True) for _ in members[query]]
                done += len(indices)
                run.report(Progress(stage, done, len(sentences)))

    def _window(
        self, queries: Sequence[AttentionQuery], detectors: bool, run: Watch
    ) -> Iterator[tuple[Sequence[int], Sequence[HeadSums | Refusal]]]:
        found = self._find(queries)
        refused = [q for q, item in enumerate(found) if isinstance(item, Refusal)]
        if refused:
            yield refused, [item for item in found if isinstance(item, Refusal)]
        rows = [(q, *item) for q, item in enumerate(found) if not isinstance(item, Refusal)]
        lengths = [asking.length for _, _, asking in rows]

        def answer(batch: Sequence[int]) -> list[HeadSums]:
            return self._batch([rows[r][1] for r in batch], [rows[r][2] for r in batch], detectors)

        batches = batching.plan(
            lengths,
            min(
                reading.tokens_at_once(self._model.module),
                MAPS // (self._found.layers * self._found.heads * max(lengths, default=1)),
            ),
            same_length=self._model.padding_leaks,
        )
        for part, answers in reading.in_batches(batches, answer, stage="", run=Callbacks(cancelled=run.cancelled)):
            yield [rows[r][0] for r in part], answers

    def _find(self, queries: Sequence[AttentionQuery]) -> list[tuple[tuple[int, ...], Asking] | Refusal]:
        """Token ids of each sentence and the places of its words in them."""
        spans = [(query.occupation, *query.male, *query.female) for query in queries]
        tokenized = iter(
            tokenize(
                self._model.tokenizer,
                [(query.text, span) for query, words in zip(queries, spans, strict=True) for span in words],
            )
        )
        return [
            self._places(query, [next(tokenized) for _ in words]) for query, words in zip(queries, spans, strict=True)
        ]

    def _places(self, query: AttentionQuery, items: Sequence[Tokenized]) -> tuple[tuple[int, ...], Asking] | Refusal:
        ids = items[0].ids
        if len(ids) > self._model.max_tokens:
            return Refusal(self._too_long(len(ids)), TOO_LONG)
        for (start, end), item in zip((query.occupation, *query.male, *query.female), items, strict=True):
            if reason := unreadable(item):
                return Refusal(f"holds “{query.text[start:end]}”, which {reason}", UNREADABLE)
        occupation, *words = [tuple(range(item.first, item.last)) for item in items]
        males = len(query.male)
        sides = tuple(
            tuple(dict.fromkeys(place for word in side for place in word)) for side in (words[:males], words[males:])
        )
        return ids, Asking(len(ids), occupation, sides)

    def _batch(self, inputs: Sequence[tuple[int, ...]], rows: Sequence[Asking], detectors: bool) -> list[HeadSums]:
        ids, attention = reading.padded(inputs, self._model.tokenizer.pad_token_id or 0)
        device, found = self._device, self._found
        batch = Batch(rows, ids.shape[1], looks_back=self.looks_back, device=device)
        size = (len(rows), found.heads, 2)
        places = torch.full((len(self.positions), *size), torch.nan, device=device, dtype=batch.exact)

        def keep(kind: str, layer: int, states: torch.Tensor) -> None:
            sums = batch.of_states(states)
            place = 1 + len(LAYER_KINDS) * layer + LAYER_KINDS.index(kind)
            # Keys and values of a group serve all its query heads.
            places[place] = sums.repeat_interleave(found.heads // sums.shape[1], dim=1)

        def take(taken: families.Taken) -> None:
            if detectors and taken.kind in found.kinds and found.layout is not None:
                keep(taken.kind, taken.layer, families.heads(found.layout, taken, found.heads, found.width))

        with torch.inference_mode(), families.taking(take):
            output = forward(self._model, ids.to(device), attention.to(device), states=detectors)
            maps = torch.stack([batch.of_map(layer) for layer in output.attentions])
            if detectors and "embedding" in found.kinds:
                places[0] = batch.of_states(output.hidden_states[0].unflatten(-1, (found.heads, -1)))
            if detectors and "output" in found.kinds:
                for layer, states in enumerate(output.hidden_states[1:]):
                    keep("output", layer, states.unflatten(-1, (found.heads, -1)))
        own, ln_of_places = (np.moveaxis(sums.cpu().double().numpy(), (1, 3), (0, 1)) for sums in (maps, places))
        if not detectors:
            return [HeadSums(male, female, None, None, None) for male, female in own]
        with np.errstate(invalid="ignore"):  # −∞ − −∞: no attention to either
            ln_ratios = ln_of_places[:, 0] - ln_of_places[:, 1]
        of_places = np.exp(ln_of_places)
        return [
            HeadSums(own[r, 0], own[r, 1], of_places[r, 0], of_places[r, 1], ln_ratios[r]) for r in range(len(rows))
        ]

    def _too_long(self, pieces: int) -> str:
        return f"is {pieces:,} tokens long; {self._model.info.name} reads {self._model.max_tokens:,}"
