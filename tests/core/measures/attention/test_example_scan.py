"""The scan that comes with the program: that of its corpus in its model, made again here."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from core.engine import loading
from core.engine.loading import LoadedModel
from core.measures.attention.scan import compute as scan
from core.measures.attention.scan import store
from core.sources.example_corpus import EXAMPLE_SCAN, example_corpus, example_note
from core.sources.sentences import sift
from tests.support.attention_results import scanned as run


def test_the_stored_figures_are_those_of_the_model_that_comes_with_the_program(
    embedded: LoadedModel, tmp_path: Path
) -> None:
    stored = scan.read(EXAMPLE_SCAN)
    again = run(loading.with_attentions(embedded), embedded, example_corpus(), tmp_path / "out")
    assert stored.counts == again.counts
    assert not stored.stopped
    assert stored["occupations"].equals(again["occupations"])
    for column in ("mean_degree", "difference", "share_biased", "share_rising", "n", "median"):
        np.testing.assert_allclose(
            stored["positions"][column].astype(float),
            again["positions"][column].astype(float),
            atol=2e-3,
            equal_nan=True,
        )
    settings = store.read_settings(EXAMPLE_SCAN)
    assert settings.corpus_digest == example_corpus().digest()
    assert (settings.model.id, settings.model.digest) == (embedded.info.id, embedded.info.digest)
    assert [path.suffix for path in sorted(EXAMPLE_SCAN.iterdir())] == [".parquet", ".json"]


def test_the_corpus_is_what_its_note_says() -> None:
    """180 of 200, 30 occupations 6 times each, the excluded by reason 5 times each."""
    found = list(sift(text for text, _ in example_corpus().sentences()))
    assert len(found) == len({sentence.text for sentence in found}) == 200
    assert set(Counter(sentence.reason for sentence in found if sentence.reason).values()) == {5}
    kept = [sentence for sentence in found if not sentence.reason]
    occupations = Counter(sentence.text[slice(*sentence.found.occupation)].lower() for sentence in kept)
    assert (len(kept), len(occupations), set(occupations.values())) == (180, 30, {6})
    assert "180 with a male word, a female word and one of 30 occupations, 6 sentences each" in example_note()
