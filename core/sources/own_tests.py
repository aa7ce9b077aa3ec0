"""An association test from four lists of the user's own, typed or read from a file."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import PurePath

from ..errors import WordListError
from .association_tests import (
    SETS,
    AssociationTest,
    LpbsDesign,
    LpbsFrame,
    Placement,
    TestTemplates,
    WordSet,
    set_title,
)
from .bleached import any_kind
from .files import file_text
from .parsing import MAX_WORDS, clean_words, quoted, shown, tidy
from .tables import Table, listed_names
from .templates import Template

_SHOWN_WORDS = 5


def own_test(
    x: tuple[str, ...],
    y: tuple[str, ...],
    a: tuple[str, ...],
    b: tuple[str, ...],
    *,
    names: tuple[str, str, str, str] = ("X", "Y", "A", "B"),
    templates: tuple[str, ...] = (),
    group1: tuple[str, ...] = (),
    group2: tuple[str, ...] = (),
) -> AssociationTest:
    """A test of four lists, targets X and Y and attributes A and B; ``names`` are the names of the sets.

    Log probability bias scores need ``templates`` with [TARGET] and [ATTRIBUTE] and the words of two groups that
    stand for X and Y in them; the words of A and B are then the attributes.

    Raises WordListError for a set or group that is empty, holds a word twice or one that ``clean_words`` refuses, for
    a word in X and Y, A and B or both groups, more than ``MAX_WORDS`` words, a name that is missing or used twice, and
    templates without groups or groups without templates; TemplateError for a template that cannot be read.
    """
    sets = dict(zip(SETS, (x, y, a, b), strict=True))
    total = sum(map(len, sets.values()))
    if total > MAX_WORDS:
        raise WordListError(
            f"The four sets hold {total:,} words; at most {MAX_WORDS:,} are allowed; take a part of them."
        )
    words = {letter: _clean(members, f"set {letter}") for letter, members in sets.items()}
    _check_apart(words["X"], words["Y"], "X and Y")
    _check_apart(words["A"], words["B"], "A and B")
    named = tuple(map(tidy, names))
    if "" in named or len(set(named)) < len(SETS):
        raise WordListError("The four sets need four different names; name each of X, Y, A and B.")
    named = clean_words(named)
    x_set, y_set, a_set, b_set = (WordSet(name, words[letter]) for name, letter in zip(named, SETS, strict=True))
    return AssociationTest(
        id="own",
        title=f"Own lists: {set_title((x_set, y_set, a_set, b_set))}",
        x=x_set,
        y=y_set,
        a=a_set,
        b=b_set,
        level="words",
        templates=TestTemplates(
            tuple(Placement(letter, word, any_kind(word)) for letter, members in words.items() for word in members)
        ),
        lpbs=_design(templates, group1, group2, (named[0], named[1])),
        published=(),
        source=None,
        note="In templates, every word stands in “This is …”, “That is …”, “There is …” and “It is …”.",
    )


def read_test(data: bytes, name: str) -> AssociationTest:
    """A test from a .csv or .tsv file of four columns; ``name`` is the file's name.

    The first row names the columns. Where four of them are x, y, a and b, in capitals or not, these are taken in
    whatever order; otherwise there must be just four, X, Y, A and B in this order, named as they are. Columns may be
    of different lengths: empty cells are dropped.

    Raises WordListError for a file that ``read_words`` refuses, for other columns, and for lists that ``own_test``
    refuses.
    """
    file = file_text(data, name)
    if PurePath(name).suffix.casefold() == ".txt":
        raise WordListError(f"{shown(name)} is plain text; a test is a CSV file with four columns: x, y, a and b.")
    table = Table.read(file.text, name)
    letters = [column.casefold() for column in table.names]
    for letter in SETS:
        if letters.count(letter.casefold()) > 1:
            raise WordListError(f"{shown(name)} has more than one column “{letter.casefold()}”; keep one of them.")
    if all(letter.casefold() in letters for letter in SETS):
        places = [letters.index(letter.casefold()) for letter in SETS]
        names: tuple[str, ...] = SETS
    elif len(letters) == len(SETS):
        places = list(range(len(SETS)))
        names = table.names
    else:
        columns = "1 column" if len(letters) == 1 else f"{len(letters):,} columns"
        raise WordListError(
            f"{shown(name)} has {columns} ({listed_names(table.names)}); a test needs four: x, y, a and b."
        )
    x, y, a, b = (tuple(row[place] for row in table.rest if row[place]) for place in places)
    test = own_test(x, y, a, b, names=(names[0], names[1], names[2], names[3]))
    return replace(test, reading=" ".join(file.notes))


def _clean(words: tuple[str, ...], where: str) -> tuple[str, ...]:
    """The words tidied and checked; a repetition is an error, since a word would count twice."""
    tidied = tuple(word for word in map(tidy, words) if word)
    if not tidied:
        raise WordListError(f"The {where} is empty; write at least one word.")
    twice = [word for word, count in Counter(tidied).items() if count > 1]
    if twice:
        raise WordListError(
            f"{quoted(twice, _SHOWN_WORDS)} {_appear(twice)} more than once in the {where}; keep each once."
        )
    return clean_words(tidied)


def _check_apart(first: tuple[str, ...], second: tuple[str, ...], where: str) -> None:
    others = frozenset(second)
    both = [word for word in first if word in others]
    if both:
        raise WordListError(f"{quoted(both, _SHOWN_WORDS)} {_appear(both)} in both {where}; keep each in one of them.")


def _design(
    templates: tuple[str, ...], group1: tuple[str, ...], group2: tuple[str, ...], groups: tuple[str, str]
) -> LpbsDesign | None:
    if not (templates or group1 or group2):
        return None
    if not templates:
        raise WordListError("There are group words and no template; write one with [TARGET] and [ATTRIBUTE].")
    if not (group1 or group2):
        raise WordListError("There is a template and no group words; write words for group 1 and group 2.")
    first, second = _clean(group1, "group 1"), _clean(group2, "group 2")
    _check_apart(first, second, "group 1 and group 2")
    parsed = tuple(dict.fromkeys(Template.parse(template).text for template in templates))
    return LpbsDesign(
        groups=groups,
        frames=tuple(LpbsFrame(template, first, second) for template in parsed),
        permuted=("A", "B"),
        partner_masked=parsed,
        source=None,
    )


def _appear(words: list[str]) -> str:
    return "appears" if len(words) == 1 else "appear"
