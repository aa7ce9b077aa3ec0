"""Professions as the page measures them: the whole English corpus, another statistic, and how soon a run says or stops.

Both processors of a small machine are used, as by the program itself.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoTokenizer, BertConfig, BertForMaskedLM

from core.engine.loading import LoadedModel
from core.engine.masked import MaskedScorer, MaskQuery
from core.measures.lpbs.professions.spec import Comparison
from core.result import Progress
from core.run import Callbacks
from core.sources import corpus
from core.sources.templates import mask_spans
from tests.support.paths import EMBEDDED
from tests.support.profession_results import compared, run
from tests.support.watching import load_folder

pytestmark = pytest.mark.benchmark

TARGET = 5  # seconds for 5,400 sentences on two cores
GAP = 1  # seconds between two reports of a base-size model
LONG_ENOUGH = 2  # seconds of it


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(min(2, os.cpu_count() or 1))
    yield
    torch.set_num_threads(threads)


def test_the_whole_english_corpus(embedded: LoadedModel) -> None:
    english = corpus("en")
    run(
        [embedded], [english.changed(templates="[TARGET] is a [ATTRIBUTE].", pairs="she / he", professions="judge")]
    )  # warm
    started, cpu = time.perf_counter(), time.process_time()
    result = run([embedded], [english])
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    assert len(result["sentences"]) == 5_400
    started = time.perf_counter()
    another = compared(result, Comparison(year=2021))
    statistic = time.perf_counter() - started
    assert len(another["correlations"]) == 2
    print(
        f"\nProfessions, 5,400 sentences: {seconds:.1f} s, {cpu:.1f} s of CPU (target {TARGET}); "
        f"another year: {statistic:.2f} s"
    )


def test_a_base_size_model_reports_and_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve random layers, width 768. Stopped after a while, it goes on without asking again."""
    tokenizer = AutoTokenizer.from_pretrained(EMBEDDED, local_files_only=True)
    torch.manual_seed(0)
    BertForMaskedLM(BertConfig(vocab_size=len(tokenizer))).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    model, english = load_folder(tmp_path), corpus("en")
    asked: list[MaskQuery] = []
    plain = MaskedScorer.log_probs

    def noting(self: MaskedScorer, queries: list[MaskQuery], **more: Any) -> Any:
        asked.extend(queries)
        return plain(self, queries, **more)

    monkeypatch.setattr(MaskedScorer, "log_probs", noting)
    reports: list[tuple[float, int]] = []
    stopped: list[float] = []

    def report(progress: Progress) -> None:
        reports.append((time.perf_counter(), progress.done))

    def enough() -> bool:
        """After a while, once the first helping, ten professions, is done."""
        now = time.perf_counter()
        if now - started > LONG_ENOUGH and reports and reports[-1][1] > english.size / 6 and not stopped:
            stopped.append(now)
        return bool(stopped)

    memory: dict[Any, Any] = {}
    started = time.perf_counter()
    part = run([model], [english], memory=memory, run=Callbacks(report, enough))
    ended = time.perf_counter()
    assert part.stopped
    times = [started, *(moment for moment, _ in reports)]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    done = set(part["sentences"]["profession"])
    assert done
    print(
        f"\nProfessions, 12 layers: {len(reports)} reports in {ended - started:.0f} s, longest gap {max(gaps):.2f} s "
        f"(target {GAP}), first after {gaps[0]:.2f} s; from stop to result {ended - stopped[0]:.2f} s, "
        f"{len(done)} of 60 professions whole, {reports[-1][1] / (ended - started):.0f} sentences/s"
    )

    asked.clear()
    calls = len(reports)
    rest = run([model], [english], memory=memory, run=Callbacks(report, lambda: len(reports) > calls + 10))
    assert reports[calls][1] >= len(done) * english.size // 60, "it counts on from where it was"
    assert done <= set(rest["sentences"]["profession"])
    present = {
        mask_spans(sentence.text, [(sentence.noun, 1)])
        for sentence in english.sentences()
        if english.professions[sentence.place[2]].name in done
    }
    assert asked
    assert not present & {query.text for query in asked}
