"""Tf-idf and non-negative matrix factorisation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from core.stats.topics import factorise, tf_idf


def test_tf_idf_by_hand() -> None:
    """Of 2 texts the first word is in both (weight 1), the second in one (ln(3/2) + 1 = 1.405)."""
    found = tf_idf(csr_array(np.array([[3, 0], [1, 2], [0, 0]])[:2])).toarray()
    rare = math.log(3 / 2) + 1
    length = math.hypot(1, 2 * rare)
    assert found == pytest.approx(np.array([[1, 0], [1 / length, 2 * rare / length]]))


def test_a_text_without_words_stays_empty() -> None:
    assert tf_idf(csr_array(np.array([[1, 1], [0, 0], [0, 1]]))).toarray()[1].tolist() == [0, 0]


def test_separate_blocks_are_found_as_topics() -> None:
    """A matrix that is the product of two topics without a common word: each comes back, the heavier one first."""
    words = np.array([[0.5, 0.5, 0, 0, 0], [0, 0, 0.2, 0.3, 0.5]])
    texts = np.array([[1.0, 0], [2, 0], [0, 4], [0, 1], [0, 3]])
    found = factorise(csr_array(texts @ words), 2)
    assert found.words == pytest.approx(words[::-1], abs=1e-6)
    assert found.texts == pytest.approx(texts[:, ::-1], abs=1e-6)


def test_factors_are_not_negative_sum_to_one_and_are_the_same_every_time() -> None:
    matrix = csr_array(np.random.default_rng(0).random((30, 20)) * (np.random.default_rng(1).random((30, 20)) > 0.6))
    found, again = factorise(matrix, 4), factorise(matrix, 4)
    assert (found.texts >= 0).all()
    assert (found.words >= 0).all()
    assert found.words.sum(axis=1) == pytest.approx(1)
    assert np.array_equal(found.words, again.words)
    assert (np.diff(found.texts.sum(axis=0)) <= 1e-12).all()


def test_no_small_step_lowers_the_error() -> None:
    matrix = csr_array(np.random.default_rng(2).random((12, 9)))
    found = factorise(matrix, 3)

    def error(texts: np.ndarray, words: np.ndarray) -> float:
        return float(((matrix.toarray() - texts @ words) ** 2).sum())

    best = error(found.texts, found.words)
    for row in range(12):
        for topic in range(3):
            for step in (0.01, -0.01):
                texts = found.texts.copy()
                texts[row, topic] = max(0, texts[row, topic] + step)
                assert error(texts, found.words) >= best - 1e-3


@pytest.mark.parametrize("topics", [0, 3])
def test_topics_that_there_cannot_be_are_refused(topics: int) -> None:
    with pytest.raises(ValueError, match="needs 1 to 2"):
        factorise(csr_array(np.ones((3, 5))), topics)
