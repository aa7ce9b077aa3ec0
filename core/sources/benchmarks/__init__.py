"""The data of benchmarks: their formats, and the word lists of those that need no file."""

from core.sources.benchmarks.crows_pairs import CROWS_PAIRS
from core.sources.benchmarks.disco import Words, disco_words, own_words, published_words
from core.sources.benchmarks.formats import MAX_BYTES, File, Format
from core.sources.benchmarks.honest import Lexicon, honest_prompts, read_hurtful_words
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
from core.sources.benchmarks.pronouns import WINOBIAS, WINOGENDER
from core.sources.benchmarks.stereoset import STEREOSET

__all__ = [
    "BLANK",
    "CROWS_PAIRS",
    "MAX_BYTES",
    "STEREOSET",
    "WINOBIAS",
    "WINOGENDER",
    "WORD",
    "Association",
    "Data",
    "File",
    "Format",
    "HurtfulWords",
    "Lexicon",
    "NounGroups",
    "Problem",
    "PronounItem",
    "SentencePair",
    "Words",
    "disco_words",
    "from_library",
    "honest_prompts",
    "is_library_name",
    "own_words",
    "published_words",
    "read_hurtful_words",
]
