"""Trees of texts, by hand and against the set of all beginnings."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from core.engine.prefix_trees import Ids, Tree, cut, grow, saved

TEXTS = st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=7).map(tuple), max_size=25)


def beginnings(texts: list[Ids]) -> set[Ids]:
    """Every beginning of every text, the whole text included."""
    return {text[:length] for text in texts for length in range(1, len(text) + 1)}


def test_a_tree_by_hand() -> None:
    """Two texts share 7 8, the third is a beginning of the second, the last starts anew."""
    assert grow([(7, 8, 1), (7, 8, 2, 3), (7, 8, 2), (9, 8)]) == Tree(
        tokens=(7, 8, 1, 2, 3, 9, 8), depths=(0, 1, 2, 2, 3, 0, 1), paths=((0, 1, 2), (0, 1, 3, 4), (0, 1, 3), (5, 6))
    )


def test_the_same_token_behind_another_beginning_is_another_place() -> None:
    assert grow([(1, 5), (2, 5)]).tokens == (1, 5, 2, 5)


def test_cutting_by_hand() -> None:
    """With room for 5 tokens: 7 8 1 and then 2 are 4, with 9 9 they would be 6; 4 4 4 4 4 4 has a row of its own."""
    texts = [(7, 8, 1), (7, 8, 2), (9, 9), (4, 4, 4, 4, 4, 4), (5,), (5, 6)]
    assert cut(texts, 5) == [range(2), range(2, 3), range(3, 4), range(4, 6)]


def test_what_a_tree_saves_by_hand() -> None:
    """Of 3 + 4 + 2 tokens 7 8 are shared by two; a text given twice is no saving of the tree."""
    assert saved([(7, 8, 1), (9, 9), (7, 8, 2, 3), (9, 9)]) == 2


def test_no_texts() -> None:
    assert grow([]) == Tree((), (), ())
    assert cut([], 5) == []
    assert saved([]) == 0


@given(texts=TEXTS)
def test_every_path_spells_its_text_from_the_first_place_on(texts: list[Ids]) -> None:
    tree = grow(texts)
    assert [tuple(tree.tokens[place] for place in path) for path in tree.paths] == texts
    assert [[tree.depths[place] for place in path] for path in tree.paths] == [[*range(len(text))] for text in texts]


@given(texts=TEXTS)
def test_sorted_texts_have_each_beginning_once(texts: list[Ids]) -> None:
    distinct = sorted(set(texts))
    assert len(grow(distinct).tokens) == len(beginnings(texts))
    assert saved(texts) == sum(map(len, distinct)) - len(beginnings(texts))


@given(texts=TEXTS, room=st.integers(1, 20))
def test_rows_hold_every_text_once_and_keep_to_their_room(texts: list[Ids], room: int) -> None:
    rows = cut(texts, room)
    assert [t for row in rows for t in row] == [*range(len(texts))]
    assert all(len(grow(texts[t] for t in row).tokens) <= room or len(row) == 1 for row in rows)
    for row, after in itertools.pairwise(rows):  # no row stops early
        assert len(grow(texts[t] for t in (*row, after[0])).tokens) > room
