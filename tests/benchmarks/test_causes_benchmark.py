"""Knock-out of every head over sentences, against passes of the whole model for every head."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import torch

from core.engine import attention_families as families
from core.engine import reading
from core.engine.interventions import HeadEditor, Question
from core.engine.loading import LoadedModel, with_attentions
from core.measures.attention.causes.questions import Asked, Asker
from core.measures.attention.causes.spec import CausesSpec, hidden_word
from core.sources import marked, sift
from core.sources.example_corpus import example_corpus

pytestmark = pytest.mark.benchmark
SENTENCES = 100
AT_ONCE = 1024  # tokens of a batch, as the engine's on a processor


def questions(model: LoadedModel) -> list[Question]:
    spec = CausesSpec()
    asker = Asker(model, spec.pair, spec.outcome)
    fitting = (
        marked(entry.text) for entry in sift(text for text, _ in example_corpus().sentences()) if not entry.reason
    )
    asked = [asker.asked(sentence) for sentence in fitting if hidden_word(sentence) is not None]
    return [item.present for item in asked if isinstance(item, Asked)][:SENTENCES]


def naive(model: LoadedModel, asked: list[Question], heads: int) -> list[float]:
    """Every head of every sentence by whole passes, batched, tensors ready, with a hook in front of its projection."""
    layout = families.tap(model.module.base_model)
    assert layout is not None
    outputs = [module.get_submodule(layout.out) for module in families.attentions(model.module.base_model, layout)]
    found = []
    for output in outputs:
        width = output.in_features // heads
        for head in range(heads):
            part = slice(head * width, (head + 1) * width)

            def knock_out(_module: object, inputs: tuple[torch.Tensor, ...], part: slice = part) -> object:
                context = inputs[0].clone()
                context[..., part] = 0
                return (context, *inputs[1:])

            handle = output.register_forward_pre_hook(knock_out)
            for batch in batches(asked):
                ids, attention = reading.padded([item.ids for item in batch], model.tokenizer.pad_token_id)
                positions = torch.tensor([[item.position] for item in batch])
                log_probs, _ = reading.forward(model.module, ids, attention, positions)
                for row, item in zip(log_probs[:, 0], batch, strict=True):
                    found.append(float(sum(weight * row[token] for token, weight in item.weights)))
            handle.remove()
    return found


def batches(asked: list[Question]) -> Iterator[list[Question]]:
    ordered = sorted(asked, key=lambda item: -len(item.ids))
    while ordered:
        size = max(1, AT_ONCE // len(ordered[0].ids))
        yield ordered[:size]
        ordered = ordered[size:]


def test_knock_out_of_all_heads_of_the_embedded_model(embedded: LoadedModel) -> None:
    model = with_attentions(embedded)
    asked, editor = questions(model), HeadEditor(model)
    assert len(asked) == SENTENCES
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other on a busy machine measure the machine
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        rows = dict.fromkeys(range(SENTENCES), 0.0)
        for part, values in editor.changed([(item, None) for item in asked], [[head] for head in editor.every]):
            rows.update(zip(part, values[:, 1:].sum(axis=1), strict=True))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        started, naive_cpu = time.perf_counter(), time.process_time()
        plain = naive(model, asked, editor.heads)
        naive_wall, naive_cpu = time.perf_counter() - started, time.process_time() - naive_cpu
    finally:
        torch.set_num_threads(threads)
    assert sum(rows.values()) == pytest.approx(sum(plain), rel=1e-4)
    heads = len(editor.every)
    print(f"\nknock-out of {heads} heads over {SENTENCES} sentences: {wall:.1f} s, {cpu:.1f} CPU s (target 60 s)")
    print(f"whole passes for every head: {naive_wall:.1f} s, {naive_cpu:.1f} CPU s")
    print(f"of the time of whole passes: {wall / naive_wall:.2f}; of their CPU seconds {cpu / naive_cpu:.2f}")
