"""What leaves of attention: paragraphs, findings, and the whole result as JSON and CSV."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.engine import loading
from core.measures.attention import words
from core.measures.attention.result import AttentionResult, head_maps
from core.measures.attention.scan import words as scan_words
from core.measures.attention.scan.result import ScanResult
from core.report.methods import methods_paragraph, references
from core.result import Excluded
from core.sources import CorpusFile
from tests.support.attention_results import heads as heads_of
from tests.support.attention_results import maps, measured, profile, result, scanned
from tests.support.watching import load_tiny

TEXT, OTHER = "The woman told him that she was a nurse.", "The man told her that he was a nurse."


@pytest.fixture(scope="module")
def sentence() -> AttentionResult:
    return measured([loading.with_attentions(load_tiny("bert"))], TEXT, OTHER)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> ScanResult:
    folder = tmp_path_factory.mktemp("scan")
    (folder / "c.txt").write_text(f"{TEXT}\nHe was calm.\n", encoding="utf-8")
    model = load_tiny("bert")
    return scanned(loading.with_attentions(model), model, CorpusFile(folder / "c.txt"), folder / "out")


def heads(rows: list[tuple[float, str]]) -> pd.DataFrame:
    """The models' own heads of a summary: (degree, direction)."""
    return pd.DataFrame(
        {
            "model": "m",
            "position": None,
            "layer": 0,
            "kind": "attention",
            "head": range(len(rows)),
            "degree": [degree for degree, _ in rows],
            "direction": [direction for _, direction in rows],
            **dict.fromkeys(("t_male", "t_female", "bias", "bias_swapped"), 0.5),
        }
    )


def test_the_finding_counts_heads_and_names_the_strongest(sentence: AttentionResult) -> None:
    rows = [(0.2, "male"), (0.4, "female"), (0.1, "female"), (-0.5, "male"), (np.nan, "")]
    found = words.finding(result(heads(rows)), "m")
    assert found.text == (
        "3 of 4 heads attend to the same gender in both versions: 1 turn to male words, 2 to female words."
    )
    assert found.support.startswith("Mean degree +0.05. Strongest: L0 H1, degree +0.40, to female words. Degree: ")


def test_without_any_degree_the_finding_says_so(sentence: AttentionResult) -> None:
    found = words.finding(result(heads([(np.nan, "")])), "m")
    assert found.text == "No head can be judged; “Excluded” below says why."


def with_ends(corpus: ScanResult, kept: int) -> ScanResult:
    """The embedding, the query and the key of the first layer, with mean degrees of our own."""
    positions = corpus["positions"].head(3).assign(mean_degree=[0.1, -0.25, 0.3])
    counts = corpus["counts"].assign(n=[kept, *corpus["counts"]["n"][1:]])
    return replace(corpus, tables={**corpus.tables, "positions": positions, "counts": counts})


def test_the_finding_of_a_corpus_names_its_ends(corpus: ScanResult) -> None:
    found = scan_words.finding(with_ends(corpus, kept=6))
    assert found.text == (
        "Over 6 sentences the mean degree is highest at the key of L0 (+0.30), lowest at the query of L0 (−0.25)."
    )


def test_the_finding_of_one_sentence_is_a_value(corpus: ScanResult) -> None:
    assert scan_words.finding(with_ends(corpus, kept=1)).text == (
        "Mean degrees from −0.25 to +0.30 over 1 sentence: too few to say where it is highest (1 of at least 6)."
    )


def test_the_paragraph_of_a_sentence(sentence: AttentionResult) -> None:
    text = methods_paragraph(sentence)
    for part in (TEXT, OTHER, "occupation “nurse”", "degree = bias of the sentence × bias", "identity weights"):
        assert part in text
    assert "No word was excluded." in text
    assert references(sentence)[0] in text
    missing = replace(sentence, excluded=(Excluded("bert", "statistic", "heads", "2 heads undefined", test="heads"),))
    assert "2 heads undefined" in methods_paragraph(missing)


def test_the_paragraph_of_a_corpus(corpus: ScanResult) -> None:
    text = methods_paragraph(corpus)
    assert "1 sentence of c.txt that hold" in text
    assert "Excluded: only male words (1)." in text
    assert "not read to its end" not in text
    assert "The corpus was not read to its end." in methods_paragraph(replace(corpus, stopped=True))
    assert references(corpus)[0] in text


def test_the_parts_provenance_comes_back(corpus: ScanResult) -> None:
    assert corpus.provenance.models == (replace(load_tiny("bert").info, attention="eager"),)
    assert corpus.provenance.data[0].startswith("c.txt, SHA-256 ")


def test_a_head_says_its_degree_and_where_its_attention_goes() -> None:
    # Layer 0, head 0 attends by 1 to 9, row by row: “he” by 1/6, 2/6 and 3/6, the largest share; the twin reversed.
    pair = maps("m", ("he", "she", "nurse"), ("male", "female", "occupation"))
    found = result(heads([(0.5, "male"), (-0.25, "female")]))
    assert words.head_text(found, pair, 0, 0) == (
        "Attention between the tokens in L0 H0 of m: degree +0.50, to male words. Most attention in the sentence: “he” "
        "to “nurse”, 0.50; in its twin: “he” to “he”, 0.50."
    )
    assert "degree −0.25, it follows the swap." in words.head_text(found, pair, 0, 1)


def test_a_curve_says_where_it_is_highest_and_lowest() -> None:
    rows = profile("m", [0.5, -0.2, 0.1], share_biased=[0.25, 1.0, 0.5])
    assert words.profile_text(rows, "mean_degree", "Mean degree") == (
        "Mean degree. m: highest at the embedding (+0.50), lowest at the query of L0 (−0.20), of 3 positions."
    )
    assert words.profile_text(rows, "share_biased", "Share", share=True) == (
        "Share. m: highest at the query of L0 (100 %), lowest at the embedding (25 %), of 3 positions."
    )
    assert words.profile_text(profile("m", [None]), "mean_degree", "Mean degree") == (
        "Mean degree. No position can be judged."
    )


def test_occupations_name_the_most_frequent() -> None:
    counts = pd.DataFrame({"occupation": ["cook", "nurse", "judge", "maid"], "n": [2, 1000, 7, 1]})
    assert scan_words.occupations_text(counts) == (
        "Sentences kept by occupation: 1,010 sentences of 4 occupations; most of nurse 1,000, judge 7, cook 2."
    )


def test_the_strongest_head_is_that_of_the_largest_degree_and_not_of_the_largest_size() -> None:
    sides = (("male", "female"), ("neither", "male"))
    weak = heads_of("weak", ((0.1, None), (-0.9, 0.2)), sides)
    strong = heads_of("strong", ((None, 0.3), (0.4, -1.0)), sides)
    assert result(pd.concat([weak, strong], ignore_index=True)).strongest() == ("strong", 1, 0)
    assert result(heads_of("none", ((None, None), (None, None)), sides)).strongest() is None


def test_a_map_is_a_row_for_each_query_and_key_of_both_sentences() -> None:
    pair = maps("m", ("he", "is", "a", "nurse"), ("male", "", "", "occupation"))
    table = head_maps(pair, 1, 0)
    assert len(table) == 2 * 4 * 4
    row = table[(table["which"] == "twin") & (table["query"] == "nurse") & (table["key"] == "is")].iloc[0]
    assert (row["layer"], row["head"]) == (1, 0)
    assert row["attention"] == pair[1].attention[1, 0, 3, 1]
