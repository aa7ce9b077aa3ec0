"""What leaves of attention: paragraphs, findings, and the whole result as JSON and CSV."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.engine import loading
from core.measures.attention import compute, scan
from core.measures.attention.result import AttentionResult, ScanResult
from core.report.finding_attention import attention_finding, scan_finding
from core.report.frames import to_csv, to_json
from core.report.methods import methods_paragraph, references
from core.result import LeftOut
from core.sources import CorpusFile, marked
from tests.support.watching import load_tiny

TEXT, OTHER = "The woman told him that she was a nurse.", "The man told her that he was a nurse."


@pytest.fixture(scope="module")
def sentence() -> AttentionResult:
    return compute.run([loading.with_attentions(load_tiny("bert"))], marked(TEXT), marked(OTHER))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> ScanResult:
    folder = tmp_path_factory.mktemp("scan")
    (folder / "c.txt").write_text(f"{TEXT}\nHe was calm.\n", encoding="utf-8")
    model = load_tiny("bert")
    return scan.run(loading.with_attentions(model), model, CorpusFile(folder / "c.txt"), folder / "out")


def heads(rows: list[tuple[float, str]]) -> pd.DataFrame:
    """The models' own heads of a summary: (degree, direction)."""
    return pd.DataFrame(
        {
            "model": "m",
            "position": pd.array([None] * len(rows), dtype="Int64"),
            "layer": 0,
            "kind": "attention",
            "head": range(len(rows)),
            "degree": [degree for degree, _ in rows],
            "direction": [direction for _, direction in rows],
        }
    )


def test_the_finding_counts_heads_and_names_the_strongest(sentence: AttentionResult) -> None:
    rows = [(0.2, "male"), (0.4, "female"), (0.1, "female"), (-0.5, "male"), (np.nan, "")]
    found = attention_finding(replace(sentence, summary=heads(rows)), "m")
    assert found.text == (
        "3 of 4 heads attend to the same gender in both versions: 1 turn to male words, 2 to female words."
    )
    assert found.support.startswith("Mean degree +0.05. Strongest: L0 H1, degree +0.40, to female words. Degree: ")


def test_without_any_degree_the_finding_says_so(sentence: AttentionResult) -> None:
    found = attention_finding(replace(sentence, summary=heads([(np.nan, "")])), "m")
    assert found.text == "No head can be judged; the list below says why."


def test_the_finding_of_a_corpus_names_its_ends(corpus: ScanResult) -> None:
    summary = corpus.summary.head(3).assign(mean_degree=[0.1, -0.25, 0.3])
    counts = tuple((name, 6 if name == "kept" else count) for name, count in corpus.counts)
    found = scan_finding(replace(corpus, summary=summary, counts=counts))
    assert found.text == (
        "Over 6 sentences the mean degree is highest at the key of L0 (+0.30), lowest at the query of L0 (−0.25)."
    )


def test_the_finding_of_one_sentence_is_a_value(corpus: ScanResult) -> None:
    summary = corpus.summary.head(3).assign(mean_degree=[0.1, -0.25, 0.3])
    assert scan_finding(replace(corpus, summary=summary)).text == (
        "Mean degrees from −0.25 to +0.30 over 1 sentence: too few to say where it is highest (1 of at least 6)."
    )


def test_the_paragraph_of_a_sentence(sentence: AttentionResult) -> None:
    text = methods_paragraph(sentence)
    for part in (TEXT, OTHER, "occupation “nurse”", "degree = bias of the sentence × bias", "identity weights"):
        assert part in text
    assert "No word was excluded." in text
    assert references(sentence)[0] in text
    missing = replace(sentence, left_out=(LeftOut("bert", "statistic", "heads", "2 heads undefined", test="heads"),))
    assert "2 heads undefined" in methods_paragraph(missing)


def test_the_paragraph_of_a_corpus(corpus: ScanResult) -> None:
    text = methods_paragraph(corpus)
    assert "1 sentence of c.txt that hold" in text
    assert "Excluded: only male words (1)." in text
    assert "not read to its end" not in text
    assert "The corpus was not read to its end." in methods_paragraph(replace(corpus, finished=False))
    assert references(corpus)[0] in text


def test_json_and_csv_hold_the_rows(sentence: AttentionResult, corpus: ScanResult) -> None:
    for result in (sentence, corpus):
        rows = json.loads(to_json(result))["summary"]
        assert len(rows) == len(result.summary)
        assert rows[0]["position"] == (None if isinstance(result, AttentionResult) else 0)
        table = to_csv(result.summary, result.provenance).decode("utf-8-sig").splitlines()
        assert len(table) == len(rows) + 1


def test_the_parts_provenance_comes_back(corpus: ScanResult) -> None:
    assert corpus.provenance.models == (replace(load_tiny("bert").info, attention="eager"),)
    assert corpus.provenance.data[0].startswith("c.txt, SHA-256 ")
