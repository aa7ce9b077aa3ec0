"""The words by which texts are told apart: no function words, and none that only one text has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy.sparse import csr_array

from .lists import Source, read_json

FEWEST_TEXTS = 2  # that a word must stand in
_WORD = re.compile(r"[^\W_]{2,}")


@cache
def function_words() -> frozenset[str]:
    """Words of English that say nothing about a topic, pronouns among them."""
    return frozenset(read_json("function_words.json")["words"])


@cache
def function_words_source() -> Source:
    """Where they are from."""
    return Source(**read_json("function_words.json")["source"])


def word_counts(texts: Sequence[str]) -> tuple[csr_array, tuple[str, ...]]:
    """How often each word stands in each text, int64 [text, word], and the words in alphabetical order.

    Words are runs of at least two letters or digits in lower case, without function words and without those that stand
    in fewer than ``FEWEST_TEXTS``.
    """
    counts = [Counter(_WORD.findall(text.casefold())) for text in texts]
    in_texts = Counter(word for count in counts for word in count)
    words = tuple(sorted(word for word, n in in_texts.items() if n >= FEWEST_TEXTS and word not in function_words()))
    place = {word: column for column, word in enumerate(words)}
    cells = [(row, place[word], n) for row, count in enumerate(counts) for word, n in count.items() if word in place]
    rows, columns, values = np.array(cells, dtype=np.int64).reshape(-1, 3).T
    return csr_array((values, (rows, columns)), shape=(len(texts), len(words))), words
