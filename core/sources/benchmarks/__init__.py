"""Benchmarks: their formats, what is known to be wrong with them, and the word lists of those that need no file."""

from core.sources.benchmarks.disco import disco_words, own_words, published_words
from core.sources.benchmarks.formats import MAX_BYTES
from core.sources.benchmarks.honest import honest_prompts, read_hurtful_words
from core.sources.benchmarks.hub import from_library, is_library_name
from core.sources.benchmarks.items import (
    BLANK,
    WORD,
    Association,
    Data,
    HurtfulWords,
    NounGroups,
    Problem,
    PronounItem,
    SentencePair,
)
from core.sources.benchmarks.registry import BENCHMARKS, Benchmark, benchmark

__all__ = [
    "BENCHMARKS",
    "BLANK",
    "MAX_BYTES",
    "WORD",
    "Association",
    "Benchmark",
    "Data",
    "HurtfulWords",
    "NounGroups",
    "Problem",
    "PronounItem",
    "SentencePair",
    "benchmark",
    "disco_words",
    "from_library",
    "honest_prompts",
    "is_library_name",
    "own_words",
    "published_words",
    "read_hurtful_words",
]
