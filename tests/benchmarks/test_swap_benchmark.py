"""A GAP file swapped and swapped back: seconds, of which those of the rules alone, and what comes back."""

from __future__ import annotations

import pytest
import torch

from core.measures.mitigation.swap.spec import SwapSpec
from core.run import Run
from core.sources.documents import read_documents
from core.sources.substitution import plan_text
from core.spec import File
from tests.support.paths import SHARED
from tests.support.timing import seconds

pytestmark = pytest.mark.benchmark
FILES = [SHARED / "data" / "benchmarks" / f"gap-{split}.tsv" for split in ("development", "test", "validation")]
EVERY = 20  # of the 4,454 rows; 1 for all of them


@pytest.mark.skipif(not all(path.is_file() for path in FILES), reason="needs the three files of GAP")
def test_a_part_of_gap_there_and_back() -> None:
    heading, *_ = FILES[0].read_text(encoding="utf-8").splitlines(keepends=True)
    rows = [row for path in FILES for row in path.read_text(encoding="utf-8").splitlines(keepends=True)[1:]]
    content = "".join((heading, *rows[::EVERY])).encode()
    documents = read_documents(content, "gap.tsv").documents
    spec = SwapSpec(file=File.of("gap.tsv", content), every=True)
    SwapSpec(every=True).run()  # loads the model
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    results = []
    try:
        taken = seconds(lambda: results.append(spec.run(Run(spec))))
    finally:
        torch.set_num_threads(threads)
    rules = seconds(lambda: [plan_text(document.text) for document in documents])
    share = results[0].restored_share
    print(f"\n{len(documents):,} of {len(rows):,} GAP texts there and back: {taken.wall:.1f} s, CPU {taken.cpu:.1f} s")
    print(f"of which the rules, one way: {rules.wall:.1f} s; all texts would take {taken.cpu * EVERY / 60:.1f} CPU min")
    print(f"tokens restored: {100 * share:.2f} % (target 99 %)")
    assert share >= 0.99
