"""All of BEC-Pro English on the embedded model: against one sentence at a time, and against the bare model.

Every ratio is of two times measured in this one run, in turns, so that a busy machine slows both.
"""

from __future__ import annotations

import csv
import functools
import itertools
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

from core.lexicon import attribute_list, group_preset
from core.models import reading
from core.models.batching import plan
from core.models.loading import LoadedModel
from core.models.masked import MaskedScorer, MaskQuery
from core.results import Progress
from core.templates import MASK, in_place
from tests.support.paths import EMBEDDED, SHARED

pytestmark = pytest.mark.benchmark

# Bartl, Nissim & Gatt 2020, Table 1. Only the noun of a person is masked.
TEMPLATES = (
    "{} is a {}.",
    "{} works as a {}.",
    "{} applied for the position of {}.",
    "{}, the {}, had a good day at work.",
    "{} wants to become a {}.",
)
DETERMINERS = {"he": "", "she": "", "man": "this ", "woman": "this "}  # and "my " before the others
SAMPLE = 100
ROUNDS = 3


def sentence(template: str, noun: str, profession: str) -> str:
    return in_place("", template.format(DETERMINERS.get(noun, "my ") + noun, profession))


def queries_of(template: str, noun: str, profession: str) -> tuple[MaskQuery, MaskQuery]:
    """The noun masked; and each word of the profession as well (masking ``word``)."""
    hidden = " ".join([MASK] * len(profession.split()))
    present, prior = (sentence(template, noun, words) for words in (profession, hidden))
    start = len(DETERMINERS.get(noun, "my "))
    masked = (MASK + text[start + len(noun) :] for text in (present, prior))
    first, second = (MaskQuery(present[:start] + text, 0, (noun,)) for text in masked)
    return first, second


@functools.cache
def corpus() -> tuple[tuple[str, str, str], ...]:
    """(template, noun, profession) of the 5,400 sentences."""
    nouns = [noun for group in group_preset("person-words").groups for noun in group.words]
    return tuple(itertools.product(TEMPLATES, nouns, attribute_list("professions").words))


@functools.cache
def all_queries() -> tuple[MaskQuery, ...]:
    return tuple(query for parts in corpus() for query in queries_of(*parts))


@dataclass(frozen=True)
class Seconds:
    """``wall`` is what a user waits; ``cpu``, over all threads, is less disturbed by others on the machine."""

    wall: float
    cpu: float


def seconds(work: Callable[[], Any]) -> Seconds:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Seconds(time.perf_counter() - wall, time.process_time() - cpu)


def in_turns(*works: Callable[[], Any]) -> list[Seconds]:
    """The median seconds of each piece of work, measured one after the other, several times round."""
    for work in works:
        work()
    rounds = [[seconds(work) for work in works] for _ in range(ROUNDS)]
    return [
        Seconds(statistics.median(s.wall for s in column), statistics.median(s.cpu for s in column))
        for column in zip(*rounds, strict=True)
    ]


def bare_batches(model: LoadedModel) -> list[dict[str, torch.Tensor]]:
    """The distinct inputs in the batches that the scorer makes of them, as tensors."""
    tokenizer = model.tokenizer
    texts = {query.text.replace(MASK, tokenizer.mask_token) for query in all_queries()}
    inputs = [tokenizer(text).input_ids for text in sorted(texts)]
    return [
        dict(tokenizer.pad({"input_ids": [inputs[i] for i in batch]}, return_tensors="pt"))
        for batch in plan([len(ids) for ids in inputs], reading.TOKENS)
    ]


def test_the_corpus_is_the_published_one() -> None:
    """All sentences, and all masked ones but those whose masks the published file is known to have misplaced."""
    published = SHARED / "data" / "benchmarks" / "BEC-Pro_EN.tsv"
    if not published.is_file():
        pytest.skip("the published corpus is not beside this checkout")
    ours = {sentence(*parts): tuple(query.text for query in queries_of(*parts)) for parts in corpus()}
    with published.open(newline="", encoding="utf-8") as file:
        theirs = {row["Sentence"]: (row["Sent_TM"], row["Sent_TAM"]) for row in csv.DictReader(file, delimiter="\t")}
    assert ours.keys() == theirs.keys()
    assert len(ours) == 5_400
    misplaced = SHARED / "data" / "reference" / "becpro_mask_anomalies.csv"
    with misplaced.open(newline="", encoding="utf-8") as file:
        known = {row["sentence"] for row in csv.DictReader(file) if row["lang"] == "en"}
    assert {text for text in ours if ours[text] != theirs[text]} <= known


@torch.inference_mode()
def test_against_one_sentence_at_a_time(embedded: LoadedModel) -> None:
    """One plain transformers call for each target and each prior, timed on a seeded sample and scaled up."""
    tokenizer = AutoTokenizer.from_pretrained(EMBEDDED, local_files_only=True)
    module = AutoModelForMaskedLM.from_pretrained(EMBEDDED, local_files_only=True, dtype=torch.float32).eval()
    sample = [query for parts in random.Random(0).sample(corpus(), SAMPLE) for query in queries_of(*parts)]

    def one_at_a_time() -> list[float]:
        found = []
        for query in sample:
            inputs = tokenizer(query.text.replace(MASK, tokenizer.mask_token), return_tensors="pt")
            place = (inputs.input_ids[0] == tokenizer.mask_token_id).nonzero()[0, 0]
            log_probs = module(**inputs).logits[0, place].log_softmax(-1)
            found.append(log_probs[tokenizer.convert_tokens_to_ids(query.candidates[0])].item())
        return found

    scorer = MaskedScorer(embedded)
    reports: list[Progress] = []
    answers = scorer.log_probs(all_queries(), progress=reports.append)
    scored = dict(zip(all_queries(), answers, strict=True))
    assert [scored[query][0].ln_p for query in sample] == pytest.approx(one_at_a_time(), abs=1e-4)
    ours, plain = in_turns(lambda: scorer.log_probs(all_queries()), one_at_a_time)
    scale = len(all_queries()) / len(sample)
    print(f"\nBEC-Pro, distinct inputs of {len(all_queries()):,} queries: {reports[-1].total}")
    print(f"BEC-Pro, here: {ours.wall:.2f} s")
    print(f"BEC-Pro, one sentence at a time, scaled from {len(sample)} queries: {scale * plain.wall:.0f} s")
    print(
        f"BEC-Pro, ratio to one at a time: 1/{scale * plain.wall / ours.wall:.0f}, "
        f"in CPU seconds 1/{scale * plain.cpu / ours.cpu:.0f} (target 1/50)"
    )


@torch.inference_mode()
def test_against_the_bare_model(embedded: LoadedModel) -> None:
    """The same batches of the same distinct inputs, tensors ready: whole, and with the head at the masks only."""
    batches = bare_batches(embedded)
    scorer = MaskedScorer(embedded)
    module = embedded.module
    firsts = [(batch["input_ids"] == embedded.tokenizer.mask_token_id).int().argmax(1) for batch in batches]

    def whole() -> None:
        for batch in batches:
            module(**batch)

    def head_at_the_masks() -> None:
        for batch, first in zip(batches, firsts, strict=True):
            states = module.bert(**batch)[0]
            module.cls(states[torch.arange(len(first)), first])

    ours, bare, cut = in_turns(lambda: scorer.log_probs(all_queries()), whole, head_at_the_masks)
    inputs = sum(len(batch["input_ids"]) for batch in batches)
    print(f"\nBEC-Pro, bare passes over {inputs} inputs in {len(batches)} batches, ready: {bare.wall:.2f} s")
    print(f"BEC-Pro, the same with the head at the masks only: {cut.wall:.2f} s")
    for name, other in (("bare passes", bare), ("bare passes, head at the masks only", cut)):
        print(
            f"BEC-Pro, ratio to {name}: {ours.wall / other.wall:.2f}, "
            f"in CPU seconds {ours.cpu / other.cpu:.2f} (target 1.25)"
        )
