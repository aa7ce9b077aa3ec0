"""The data of benchmarks: their formats, and the word lists of those that need no file."""

from .crows_pairs import CROWS_PAIRS
from .disco import Words, disco_words, own_words, published_words
from .formats import MAX_BYTES, File, Format
from .honest import Lexicon, honest_prompts, read_hurtful_words
from .hub import from_library, is_library_name
from .items import (
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
from .pronouns import WINOBIAS, WINOGENDER
from .stereoset import STEREOSET

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
