"""Words: the published lists on offer, and the user's own from a text box or a file.

Every published list cites its paper; every word that leaves this package is one plain printable line.
"""

from core.lexicon.association_tests import (
    AssociationTest,
    LpbsDesign,
    LpbsFrame,
    Placement,
    PublishedValue,
    TestTemplates,
    association_test,
    association_tests,
)
from core.lexicon.bleached import Placed
from core.lexicon.files import MAX_BYTES, columns, read_lines, read_words
from core.lexicon.lists import (
    GroupPreset,
    Source,
    WordList,
    attribute_list,
    attribute_lists,
    group_preset,
    group_presets,
)
from core.lexicon.own_tests import own_test, read_test
from core.lexicon.parsing import (
    MAX_GROUPS,
    MAX_WORD_LENGTH,
    MAX_WORDS,
    format_groups,
    format_words,
    parse_groups,
    parse_words,
)

__all__ = [
    "MAX_BYTES",
    "MAX_GROUPS",
    "MAX_WORDS",
    "MAX_WORD_LENGTH",
    "AssociationTest",
    "GroupPreset",
    "LpbsDesign",
    "LpbsFrame",
    "Placed",
    "Placement",
    "PublishedValue",
    "Source",
    "TestTemplates",
    "WordList",
    "association_test",
    "association_tests",
    "attribute_list",
    "attribute_lists",
    "columns",
    "format_groups",
    "format_words",
    "group_preset",
    "group_presets",
    "own_test",
    "parse_groups",
    "parse_words",
    "read_lines",
    "read_test",
    "read_words",
]
