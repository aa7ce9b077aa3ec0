"""Vectors of words and sentences: the states of every layer, pooled, and the rows of the input embedding.

The last layer is the one transformers calls ``hidden_states[-1]``: what the prediction head reads. In families that
normalise once more behind their last layer (GPT-2, OPT, GPT-NeoX, Llama and its kin, ModernBERT) it is taken after
that normalisation, all other layers before it.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import OptionError, UnsupportedModel
from ..run import UNWATCHED, Watch, continued
from ..sources.templates import MASK
from . import batching, reading
from .loading import LoadedModel, is_decoder
from .masked import STOPPED, too_long
from .pieces import Span, SpanText, Tokenized, tokenize, unreadable
from .vectors import StaticVectors

POOLINGS = ("first-token", "span-mean", "span-first", "all-mean")
# Numbers the states of one batch may take up (256 MiB in float32), all layers counted.
STATES = 1 << 26

# What was read of a stretch of an input, by its tokens, the stretch and the layer requested: [layer, width].
Memory = MutableMapping[Hashable, NDArray[np.float32]]


@dataclass(frozen=True, eq=False)
class Embedded:
    """``vectors`` float32 [pooling, item, layer, width]; layer 0 is the embedding output. NaN for lost items.

    Where one layer alone was requested, the axis has that one.

    ``lost``: for each item why it has no vector, empty where it has one; the reason follows the item's words.
    ``unknown``: for each item whether its text holds the unknown token, in the span or elsewhere. ``pieces``: those of
    each item's span, for rules that want words of a single token. ``same``: equal for items whose text and span are the
    same input to the model. ``first_token`` names what the pooling first-token
    read: the model's own token, such as [CLS], or ``last token`` for a decoder.
    """

    poolings: tuple[str, ...]
    vectors: NDArray[np.float32]
    lost: tuple[str, ...]
    unknown: tuple[bool, ...]
    pieces: tuple[tuple[str, ...], ...]
    same: tuple[Hashable, ...]
    first_token: str

    def of(self, pooling: str) -> NDArray[np.float32]:
        """[item, layer, width] of one pooling."""
        found: NDArray[np.float32] = self.vectors[self.poolings.index(pooling)]
        return found


class Encoder:
    """Asks one model of any kind for vectors. A function of its input: order, batch and padding change no number."""

    def __init__(self, model: LoadedModel) -> None:
        self._model = model
        self._decoder = is_decoder(model.module.config)
        frame = model.tokenizer.backend_tokenizer.encode("a")
        self._first = str(model.tokenizer.convert_ids_to_tokens(frame.ids[0]))
        self._behind = frame.special_tokens_mask[::-1].index(0)  # tokens put behind every text

    def embed(
        self,
        items: Sequence[SpanText],
        poolings: Sequence[str],
        *,
        layer: int | None = None,
        whole: bool = False,
        run: Watch = UNWATCHED,
        memory: Memory | None = None,
    ) -> Embedded:
        """Vectors of each item, by every pooling requested, in every layer or in ``layer`` alone (−1 is the last).

        Poolings: ``first-token`` (for a decoder the text's last token, an end token that the tokenizer adds not
        counted), ``span-mean`` and ``span-first`` (the mean or the first of the span's tokens; a token that writes
        the space before the word is one of them), ``all-mean`` (all tokens, special ones included, padding not).
        ``whole``: the items are texts and no words, so that an unknown token in one hides a part of it and not all.
        Each distinct text goes through the model once, whatever the number of items and poolings. ``memory`` holds
        what earlier, stopped runs read with this model, which is not read again, and takes up what this one does.

        Raises OptionError for an unknown pooling, UnsupportedModel for a model whose layers differ in width.
        """
        for pooling in poolings:
            if pooling not in POOLINGS:
                raise OptionError(f"There is no pooling “{pooling}”; choose {', '.join(POOLINGS)}.")
        texts, owner = batching.unique((item.text, item.span or (0, len(item.text))) for item in items)
        tokenized = tokenize(self._model.tokenizer, texts)
        obstacles = [self._obstacle(text, item, whole) for (text, _), item in zip(texts, tokenized, strict=True)]
        readable = [i for i, a in enumerate(owner) if not obstacles[a]]
        inputs, rows = batching.unique(tokenized[owner[i]].ids for i in readable)
        # Every pooling is a mean over neighbouring places: each stretch of an input is pooled once, for all who ask.
        stretches: list[dict[Span, list[tuple[int, int]]]] = [{} for _ in inputs]
        for i, row in zip(readable, rows, strict=True):
            for p, pooling in enumerate(poolings):
                stretches[row].setdefault(self._stretch(pooling, tokenized[owner[i]]), []).append((p, i))
        layers = self._model.info.layers + 1 if layer is None else 1
        width = int(self._model.module.config.hidden_size)
        vectors = np.full((len(poolings), len(items), layers, width), np.nan, np.float32)
        lost = [obstacles[a] or STOPPED for a in owner]
        memory = {} if memory is None else memory
        keys = [[(ids, stretch, layer) for stretch in own] for ids, own in zip(inputs, stretches, strict=True)]
        known = {row: [memory[key] for key in own] for row, own in enumerate(keys) if all(key in memory for key in own)}
        for row, found in chain(known.items(), self._passes(inputs, stretches, known, layer, run)):
            for key, vector, askers in zip(keys[row], found, stretches[row].values(), strict=True):
                for p, i in askers:
                    vectors[p, i] = vector
                    lost[i] = ""
                memory[key] = vectors[askers[0]]  # a view, which takes no room of its own
        pieces = tuple(tokenized[a].pieces for a in owner)
        unknown = tuple(tokenized[a].unknown_anywhere for a in owner)
        same = tuple((tokenized[a].ids, tokenized[a].first, tokenized[a].last) for a in owner)
        first_token = "last token" if self._decoder else self._first
        return Embedded(tuple(poolings), vectors, tuple(lost), unknown, pieces, same, first_token)

    def input_vectors(self, words: Sequence[str]) -> StaticVectors:
        """The static input embedding of each word: the mean of its tokens' rows in the input embedding matrix.

        The word has the form it has inside a sentence: as given, after a space.
        """
        before = "a "
        spans = [(before + word, (len(before), len(before) + len(word))) for word in words]
        tokenized = tokenize(self._model.tokenizer, spans)
        lost = [unreadable(item) for item in tokenized]
        kept = [w for w, reason in enumerate(lost) if not reason]
        pieces = [tokenized[w].ids[tokenized[w].first : tokenized[w].last] for w in kept]
        matrix = self._model.module.get_input_embeddings().weight
        vectors = np.full((len(words), matrix.shape[1]), np.nan, np.float32)
        with torch.inference_mode():
            rows = matrix[[piece for word in pieces for piece in word]]
            ends = list(accumulate(map(len, pieces)))
            vectors[kept] = _Bags(zip([0, *ends], ends, strict=False), matrix.device).means(rows).cpu().numpy()
        return StaticVectors(vectors, tuple(lost), tuple(item.pieces for item in tokenized))

    def _obstacle(self, text: str, item: Tokenized, whole: bool) -> str:
        if MASK in text and (self._decoder or self._model.tokenizer.mask_token is None):
            return f"stands in a sentence with a mask, which {self._model.info.name} does not have"
        if (reason := unreadable(item)) and not (whole and item.first < item.last):
            return reason
        return too_long(self._model, len(item.ids)) if len(item.ids) > self._model.max_tokens else ""

    def _stretch(self, pooling: str, item: Tokenized) -> Span:
        """The places whose mean a pooling is."""
        if pooling == "span-mean":
            return item.first, item.last
        if pooling == "span-first":
            return item.first, item.first + 1
        if pooling == "all-mean":
            return 0, len(item.ids)
        first = len(item.ids) - self._behind - 1 if self._decoder else 0
        return first, first + 1

    def _passes(
        self,
        inputs: Sequence[tuple[int, ...]],
        stretches: Sequence[Collection[Span]],
        known: Container[int],
        layer: int | None,
        run: Watch,
    ) -> Iterator[tuple[int, list[NDArray[np.float32]]]]:
        """Row and vectors [layer, width], one for each stretch, of each input whose row is not known, until cancelled.

        The batches are those of a run that was not stopped, so that its numbers are the same to the last digit.
        """
        states, width = self._model.info.layers + 1, int(self._model.module.config.hidden_size)
        plan = batching.plan(
            [len(ids) for ids in inputs],
            min(reading.tokens_at_once(self._model.module), STATES // (states * width)),
            same_length=self._model.padding_leaks,
        )
        batches = [rows for batch in plan if (rows := [row for row in batch if row not in known])]
        done = len(inputs) - sum(map(len, batches))

        def answer(batch: Sequence[int]) -> NDArray[np.float32]:
            return self._pooled([inputs[row] for row in batch], [list(stretches[row]) for row in batch])

        stage = f"Reading vectors of {self._model.info.name}"
        for part, pooled in reading.in_batches(batches, answer, stage=stage, run=continued(run, done)):
            chosen = pooled if layer is None else pooled[:, [layer]]
            ends = list(accumulate(len(stretches[row]) for row in part))
            for row, start, end in zip(part, [0, *ends], ends, strict=False):
                yield row, list(chosen[start:end])

    def _pooled(self, inputs: Sequence[tuple[int, ...]], stretches: Sequence[Sequence[Span]]) -> NDArray[np.float32]:
        """[stretch, layer, width], the stretches of one input after those of the other."""
        module = self._model.module
        device = next(module.parameters()).device
        ids, attention = reading.padded(inputs, self._model.tokenizer.pad_token_id or 0)
        longest = ids.shape[1]
        spans = ((r * longest + first, r * longest + last) for r, row in enumerate(stretches) for first, last in row)
        bags = _Bags(spans, device)
        with torch.inference_mode():
            # The body alone: no prediction head is needed, and nothing is cut outside ``reading.read``.
            states = module.base_model(
                input_ids=ids.to(device), attention_mask=attention.to(device), output_hidden_states=True
            ).hidden_states
            if len({state.shape[-1] for state in states}) > 1:
                raise UnsupportedModel(
                    f"The layers of {self._model.info.name} differ in width, so there is no one vector space to "
                    "compare words in; choose another model for embeddings."
                )
            pooled = torch.stack([bags.means(state.flatten(0, 1)) for state in states], dim=1)
            return np.asarray(pooled.cpu().numpy())


class _Bags:
    """Stretches (first, last) of the rows of a matrix, to take means over; summed one by one, in any company."""

    def __init__(self, spans: Iterable[Span], device: torch.device) -> None:
        spans = list(spans)
        rows = [row for first, last in spans for row in range(first, last)]
        starts = [0, *accumulate(last - first for first, last in spans)][:-1]
        self._rows = torch.tensor(rows, dtype=torch.long, device=device)
        self._starts = torch.tensor(starts, dtype=torch.long, device=device)

    def means(self, matrix: torch.Tensor) -> torch.Tensor:
        """float32 [stretch, width] of a matrix [row, width]."""
        return torch.nn.functional.embedding_bag(self._rows, matrix.float(), self._starts, mode="mean")
