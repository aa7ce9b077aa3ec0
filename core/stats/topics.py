"""Topics of texts: tf-idf and non-negative matrix factorisation, without a random draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import norm, svds

FloatArray = NDArray[np.float64]

ITERATIONS = 400  # at most
_STILL = 1e-6  # share of the error by which an iteration must lower it, or the factors stand


@dataclass(frozen=True, eq=False)
class Topics:
    """``texts`` [text, topic] and ``words`` [topic, word], both at least 0; their product is near the matrix.

    The words of a topic sum to 1, so that ``texts`` says how much of a text each topic accounts for.
    """

    texts: FloatArray
    words: FloatArray


def tf_idf(counts: csr_array) -> csr_array:
    """Counts [text, word] weighted by ln((1 + n) / (1 + texts with the word)) + 1, each text of length 1 (or 0)."""
    n = counts.shape[0]
    with_word = np.bincount(counts.indices, minlength=counts.shape[1])
    weighted = csr_array(counts.astype(np.float64) @ diags_array(np.log((1 + n) / (1 + with_word)) + 1))
    lengths = norm(weighted, axis=1)
    return csr_array(diags_array(np.divide(1, lengths, out=np.zeros(n), where=lengths > 0)) @ weighted)


def factorise(matrix: csr_array, topics: int) -> Topics:
    """Non-negative factors of a matrix [text, word] of values of at least 0 that minimise the squared error.

    Begun from the leading singular vectors (NNDSVD with zeros filled; Boutsidis & Gallopoulos 2008), improved topic by
    topic (HALS; Cichocki & Phan 2009): equal matrices give equal topics. Topics come in the order of how much they
    account for. Raises ValueError for fewer than 1 topic, or as many as the matrix has rows or columns.
    """
    if not 1 <= topics < min(matrix.shape):
        raise ValueError(f"{topics} topics of a matrix {matrix.shape}; needs 1 to {min(matrix.shape) - 1}.")
    texts, words = _begun(matrix, topics)
    total = float((matrix.data**2).sum())
    before = np.inf
    for _ in range(ITERATIONS):
        _improve(texts, matrix @ words.T, words @ words.T)
        _improve(words.T, matrix.T @ texts, texts.T @ texts)
        cross = float((texts * (matrix @ words.T)).sum())
        error = total - 2 * cross + float(((texts.T @ texts) * (words @ words.T)).sum())
        if before - error <= _STILL * total:
            break
        before = error
    sums = words.sum(axis=1)
    words = np.divide(words, sums[:, None], out=np.zeros_like(words), where=sums[:, None] > 0)
    texts = texts * sums
    order = np.argsort(-texts.sum(axis=0), kind="stable")
    return Topics(texts[:, order], words[order])


def _improve(factor: FloatArray, toward: FloatArray, gram: FloatArray) -> None:
    """One pass over the columns of a factor, each set, in place, to what is best while the others stand."""
    for topic in range(factor.shape[1]):
        if gram[topic, topic] > 0:
            best = factor[:, topic] + (toward[:, topic] - factor @ gram[:, topic]) / gram[topic, topic]
            factor[:, topic] = np.maximum(best, 0)


def _begun(matrix: csr_array, topics: int) -> tuple[FloatArray, FloatArray]:
    left, values, right = svds(matrix, k=topics, v0=np.ones(min(matrix.shape)))
    texts, words = np.zeros((matrix.shape[0], topics)), np.zeros((topics, matrix.shape[1]))
    for topic, at in enumerate(np.argsort(-values)):
        # A singular vector is a side with one sign and a side with the other; the heavier pair is kept.
        pairs = [(np.maximum(sign * left[:, at], 0), np.maximum(sign * right[at], 0)) for sign in (1, -1)]
        sizes = [float(np.linalg.norm(u) * np.linalg.norm(v)) for u, v in pairs]
        u, v = pairs[int(sizes[1] > sizes[0])]
        size = max(sizes)
        if size > 0:
            scale = np.sqrt(values[at] * size)
            texts[:, topic], words[topic] = scale * u / np.linalg.norm(u), scale * v / np.linalg.norm(v)
    mean = float(matrix.mean())
    texts[texts == 0] = words[words == 0] = mean
    return texts, words
