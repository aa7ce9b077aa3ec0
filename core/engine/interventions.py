"""What heads do: what a model says once the output of some heads is another one.

The output of a head is its slice of the averaged attention (the context), before the output projection. It is set to
zero or another fixed value (knock-out), or to what the head gives in another input of the same length (patching).
Each input goes through the model once; an intervention begins at the lowest head that is changed, since what lies
below is the same (``resuming``). Heads and inputs share batches, which are cut by tokens and halved where memory runs
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import ModelError, UnsupportedModel
from ..result import Progress
from ..run import UNWATCHED, Callbacks, Watch
from . import attention_families as families
from . import batching, reading, resuming
from .attention_probe import probe
from .loading import LoadedModel

Head = tuple[int, int]  # layer and head of the layer, from 0
FloatArray = NDArray[np.float64]

# Numbers kept of a batch's inputs (256 MiB in float32): outputs and contexts of all layers.
KEPT = 1 << 26


@dataclass(frozen=True, slots=True)
class Question:
    """An input and what is read of it: Σ weight · ln P(token) at ``position``, in nats.

    ``ids`` are all its tokens, special ones included; ``weights`` are (token, weight).
    """

    ids: tuple[int, ...]
    position: int
    weights: tuple[tuple[int, float], ...]


@dataclass(frozen=True, eq=False)
class _States:
    """What a pass over some questions left: outputs of each layer, contexts [row, position, head, width] of each.

    The last layer's context may hold the position that is read alone.
    """

    ids: torch.Tensor
    attention: torch.Tensor
    outputs: list[object]
    contexts: list[torch.Tensor]
    values: FloatArray


class HeadEditor:
    """Asks one model with the output of heads changed. A function of its input: order and batch change no number.

    ``layers`` and ``heads`` (of each layer) are how many there are. ``resumes``: whether layers below a change are
    spared; a model whose layers cannot be is computed whole.

    Raises ModelError for a model loaded without attention outputs, UnsupportedModel for one whose heads cannot be told
    apart where they give their output.
    """

    def __init__(self, model: LoadedModel) -> None:
        name = model.info.name
        if model.info.attention != "eager":
            raise ModelError(f"{name} was loaded without attention outputs; request it with attention “eager”.")
        found = probe(model)
        if found.layout is None or "context" not in found.kinds:
            raise UnsupportedModel(
                f"The outputs of the heads of {name} cannot be told apart, so none can be knocked out or patched; "
                "choose another model, such as BERT or GPT-2."
            )
        self._model, self._width = model, found.width
        self._device = next(model.module.parameters()).device
        self.layers, self.heads = found.layers, found.heads
        body = model.module.base_model
        self.resumes = resuming.tap(body, families.attentions(body, found.layout)) and self._can_resume()

    @property
    def every(self) -> tuple[Head, ...]:
        """Every head, layer by layer."""
        return tuple((layer, head) for layer in range(self.layers) for head in range(self.heads))

    def changed(
        self,
        pairs: Sequence[tuple[Question, Question | None]],
        sets: Sequence[Sequence[Head]],
        *,
        instead: FloatArray | None = None,
        run: Watch = UNWATCHED,
    ) -> Iterator[tuple[Sequence[int], FloatArray]]:
        """What is read of each question with each set of heads changed.

        Yields (indices, float64 [pair, 1 + set]) until cancelled, the first column with no head changed; every index
        comes once, the longest first.

        Parameters
        ----------
        pairs : sequence of (Question, Question or None)
            The question, and the one of the same length whose heads' outputs are put into it; without one the heads
            give ``instead``.
        sets : sequence of sequences of (layer, head)
            Heads that are changed together; none of them changes nothing.
        instead : float64 [layer, head, width], optional
            What changed heads give at every position; zero where it is not given.
        run : Watch
            Hears of progress in questions × sets.

        Raises
        ------
        ValueError
            For a pair of two lengths.
        """
        for question, source in pairs:
            if source is not None and len(source.ids) != len(question.ids):
                raise ValueError(f"Inputs of {len(question.ids)} and {len(source.ids)} tokens; heads have no partner.")
        stage, total, done = f"Changing heads of {self._model.info.name}", len(pairs) * (1 + len(sets)), 0
        run.report(Progress(stage, 0, total))
        values = np.zeros((self.layers, self.heads, self._width)) if instead is None else instead
        fixed = torch.tensor(values, device=self._device, dtype=torch.float32)
        per_token = self.layers * (self.heads * self._width + self._model.module.config.hidden_size)

        def answer(batch: Sequence[int]) -> FloatArray | None:
            def report(part: Progress) -> None:
                run.report(Progress(stage, done + part.done, total))

            return self._chunk([pairs[i] for i in batch], sets, fixed, Callbacks(report, run.cancelled))

        lengths = [len(question.ids) for question, _ in pairs]
        chunks = batching.plan(
            lengths,
            max(1, min(reading.tokens_at_once(self._model.module), KEPT // per_token) // 2),
            same_length=self._model.padding_leaks,
        )
        for part, found in reading.in_batches(chunks, answer, stage="", run=Callbacks(cancelled=run.cancelled)):
            if found is None:
                return
            yield part, found
            done += len(part) * (1 + len(sets))
            run.report(Progress(stage, done, total))

    def mean_output(self, questions: Sequence[Question], *, run: Watch = UNWATCHED) -> FloatArray | None:
        """What each head gives on average over all tokens of the questions, float64 [layer, head, width].

        Each input counts once. None where the run was cancelled.
        """
        distinct, _ = batching.unique(question.ids for question in questions)
        sums, count = torch.zeros(self.layers, self.heads * self._width, dtype=torch.float64), 0

        def answer(batch: Sequence[int]) -> tuple[torch.Tensor, int]:
            ids, attention = self._padded([distinct[i] for i in batch])
            found: list[torch.Tensor] = []

            def take(taken: families.Taken) -> None:
                if taken.kind == "context":
                    found.append((taken.states.float() * attention[..., None]).sum(dim=(0, 1)))

            with torch.inference_mode(), families.taking(take):
                self._model.module.base_model(input_ids=ids, attention_mask=attention)
            return torch.stack(found).cpu().double(), int(attention.sum())

        batches = batching.plan(
            [len(ids) for ids in distinct],
            reading.tokens_at_once(self._model.module),
            same_length=self._model.padding_leaks,
        )
        stage, reached = f"Reading the mean outputs of the heads of {self._model.info.name}", 0
        for part, (total, tokens) in reading.in_batches(batches, answer, stage=stage, run=run):
            sums, count, reached = sums + total, count + tokens, reached + len(part)
        if reached < len(distinct) or not count:
            return None
        return np.asarray((sums / count).reshape(self.layers, self.heads, self._width).numpy())

    def _chunk(
        self,
        pairs: Sequence[tuple[Question, Question | None]],
        sets: Sequence[Sequence[Head]],
        fixed: torch.Tensor,
        run: Watch,
    ) -> FloatArray | None:
        """The numbers of pairs whose states are kept at the same time; None where the run was cancelled."""
        questions, places = batching.unique(item for pair in pairs for item in (pair[0], pair[1] or pair[0]))
        states = self._read(questions)
        values = np.full((len(pairs), 1 + len(sets)), np.nan)
        values[:, 0] = states.values[places[::2]]
        first = [min((layer for layer, _ in heads), default=self.layers - 1) for heads in sets]
        # By where they begin, so that all rows of a batch spare the same layers.
        order = sorted(range(len(sets)), key=lambda s: (first[s], s))
        rows = [(p, s) for s in order for p in range(len(pairs))]
        starts = [first[s] for _, s in rows]
        at_once = max(
            1,
            min(
                reading.tokens_at_once(self._model.module) // states.ids.shape[1],
                reading.LOGITS // self._model.module.get_input_embeddings().weight.shape[0],
            ),
        )

        def answer(batch: Sequence[int]) -> FloatArray:
            in_batch = [rows[r] for r in batch]
            return self._edited(
                states,
                [places[2 * p] for p, _ in in_batch],
                [places[2 * p + 1] if pairs[p][1] is not None else None for p, _ in in_batch],
                [sets[s] for _, s in in_batch],
                [questions[places[2 * p]] for p, _ in in_batch],
                starts[batch[0]],
                fixed,
            )

        for part, found in reading.in_batches(_runs(starts, at_once), answer, stage="", run=run):
            for r, value in zip(part, found, strict=True):
                p, s = rows[r]
                values[p, 1 + s] = value
        return None if np.isnan(values).any() else values

    def _read(self, questions: Sequence[Question]) -> _States:
        """One pass over the questions, whose states are kept."""
        ids, attention = self._padded([question.ids for question in questions])
        contexts: list[torch.Tensor] = []

        def take(taken: families.Taken) -> None:
            if taken.kind == "context":
                contexts.append(self._heads(taken))

        with resuming.passing() as now, families.taking(take):
            values = self._ask(ids, attention, questions)
        return _States(ids, attention, now.outputs, contexts, values)

    def _edited(
        self,
        states: _States,
        bases: Sequence[int],
        sources: Sequence[int | None],
        changes: Sequence[Sequence[Head]],
        questions: Sequence[Question],
        first: int,
        fixed: torch.Tensor,
    ) -> FloatArray:
        """What is read of rows of ``states`` with heads changed, none of them below the layer ``first``."""
        first = first if self.resumes else 0
        changed = np.zeros((len(bases), self.layers, self.heads), dtype=bool)
        for row, heads in enumerate(changes):
            for layer, head in heads:
                changed[row, layer, head] = True
        touched = {layer for heads in changes for layer, _ in heads}
        where = torch.tensor(changed, device=self._device)[:, :, None, :, None]  # [row, layer, position, head, width]
        rows = torch.tensor(bases, device=self._device)
        patched = torch.tensor([source is not None for source in sources], device=self._device)[:, None, None, None]
        others = torch.tensor([0 if source is None else source for source in sources], device=self._device)

        def take(taken: families.Taken) -> torch.Tensor | None:
            # A layer that is spared calls no attention, so that attentions do not count from the first layer on.
            layer = now.layer if self.resumes else taken.layer
            if taken.kind != "context" or layer not in touched:
                return None
            own = self._heads(taken)
            instead = torch.where(patched, states.contexts[layer][others], fixed[layer].to(own.dtype))
            return torch.where(where[:, layer], instead, own).flatten(-2)

        with torch.inference_mode():
            kept = [resuming.of_rows(output, rows) for output in states.outputs[:first]]
        with resuming.passing(first, kept) as now, families.taking(take):
            return self._ask(states.ids[rows], states.attention[rows], questions)

    def _ask(self, ids: torch.Tensor, attention: torch.Tensor, questions: Sequence[Question]) -> FloatArray:
        positions = torch.tensor([[question.position] for question in questions], device=self._device)
        log_probs, _ = reading.forward(self._model.module, ids, attention, positions)
        width = max(len(question.weights) for question in questions)
        read = [(*question.weights, *[(question.weights[0][0], 0.0)] * width)[:width] for question in questions]
        tokens = torch.tensor([[token for token, _ in row] for row in read], device=self._device)
        weights = np.array([[weight for _, weight in row] for row in read])
        found: FloatArray = (log_probs[:, 0].gather(1, tokens).cpu().double().numpy() * weights).sum(axis=1)
        return found

    def _heads(self, taken: families.Taken) -> torch.Tensor:
        """A context as [row, position, head, width]."""
        sliced: torch.Tensor = torch.unflatten(taken.states, -1, (self.heads, self._width))
        return sliced

    def _padded(self, rows: Sequence[tuple[int, ...]]) -> tuple[torch.Tensor, torch.Tensor]:
        ids, attention = reading.padded(rows, self._model.tokenizer.pad_token_id or 0)
        return ids.to(self._device), attention.to(self._device)

    def _can_resume(self) -> bool:
        """Whether a pass that begins at the last layer gives what the whole one gives: asked of the model itself."""
        ids = tuple(self._model.tokenizer("he she they")["input_ids"])
        question = Question(ids, len(ids) - 1, ((ids[0], 1.0), (ids[-1], -0.5)))
        states = self._read([question])
        if len(states.outputs) != self.layers:
            return False
        self.resumes = True
        fixed = torch.zeros(self.layers, self.heads, self._width, device=self._device)
        again = self._edited(states, [0], [None], [()], [question], self.layers - 1, fixed)
        noise = 1e-4 if self._model.info.dtype == "float32" else 0.05
        return bool(abs(again[0] - states.values[0]) <= noise * max(1.0, abs(states.values[0])))


def _runs(starts: Sequence[int], most: int) -> list[list[int]]:
    """Neighbours that begin at the same layer, at most so many at once."""
    batches: list[list[int]] = []
    for r, start in enumerate(starts):
        if batches and starts[batches[-1][0]] == start and len(batches[-1]) < most:
            batches[-1].append(r)
        else:
            batches.append([r])
    return batches
