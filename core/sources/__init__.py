"""Words: the published lists on offer, and the user's own from a text box or a file.

Every published list cites its paper; every word that leaves this package is one plain printable line.
"""

from .association_tests import (
    AssociationTest,
    LpbsDesign,
    LpbsFrame,
    Placement,
    PublishedValue,
    TestTemplates,
    association_test,
    association_tests,
)
from .bleached import Placed
from .corpora import (
    PROFESSION_GROUPS,
    Corpus,
    CorpusSentence,
    Profession,
    corpora,
    corpus,
    ethnicity_corpora,
    language_name,
    names_corpus,
)
from .corpus_files import CorpusFile
from .files import MAX_BYTES, FileWords, columns, read_lines, read_words
from .gender import FoundWords, Span, counterparts, find_words, gender_pairs, gender_sources, occupations, pair_sources
from .labour import BLS, BLS_YEARS, Shares, read_shares, share_tables, shares
from .lists import (
    GroupPreset,
    Source,
    WordList,
    attribute_list,
    attribute_lists,
    group_preset,
    group_presets,
)
from .marking import found_roles, marked, parse_sentence, roles_of, word_spans
from .own_tests import own_test, read_test
from .parsing import (
    MAX_GROUPS,
    MAX_WORD_LENGTH,
    MAX_WORDS,
    format_groups,
    format_words,
    parse_groups,
    parse_words,
)
from .sentences import (
    NO_GENDER,
    NO_OCCUPATION,
    ONLY_FEMALE,
    ONLY_MALE,
    REASONS,
    Sifted,
    sift,
    split_sentences,
)
from .swap import Part, SwapPlan

__all__ = [
    "BLS",
    "BLS_YEARS",
    "MAX_BYTES",
    "MAX_GROUPS",
    "MAX_WORDS",
    "MAX_WORD_LENGTH",
    "NO_GENDER",
    "NO_OCCUPATION",
    "ONLY_FEMALE",
    "ONLY_MALE",
    "PROFESSION_GROUPS",
    "REASONS",
    "AssociationTest",
    "Corpus",
    "CorpusFile",
    "CorpusSentence",
    "FileWords",
    "FoundWords",
    "GroupPreset",
    "LpbsDesign",
    "LpbsFrame",
    "Part",
    "Placed",
    "Placement",
    "Profession",
    "PublishedValue",
    "Shares",
    "Sifted",
    "Source",
    "Span",
    "SwapPlan",
    "TestTemplates",
    "WordList",
    "association_test",
    "association_tests",
    "attribute_list",
    "attribute_lists",
    "columns",
    "corpora",
    "corpus",
    "counterparts",
    "ethnicity_corpora",
    "find_words",
    "format_groups",
    "format_words",
    "found_roles",
    "gender_pairs",
    "gender_sources",
    "group_preset",
    "group_presets",
    "language_name",
    "marked",
    "names_corpus",
    "occupations",
    "own_test",
    "pair_sources",
    "parse_groups",
    "parse_sentence",
    "parse_words",
    "read_lines",
    "read_shares",
    "read_test",
    "read_words",
    "roles_of",
    "share_tables",
    "shares",
    "sift",
    "split_sentences",
    "word_spans",
]
