"""StereoSet: the published JSON, a flat table, and the word in the blank."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.errors import WordListError
from core.sources.benchmarks import Association, Data, Problem
from core.sources.benchmarks.formats import MAX_BYTES
from core.sources.benchmarks.stereoset import STEREOSET
from tests.support.reference import corpus_file

HEAD = "id\tkind\tbias_type\ttarget\tcontext\tstereotype\tanti_stereotype\tunrelated\n"
LABELS = ("unrelated", "stereotype", "anti-stereotype")


def _one(reason: str, name: str) -> Problem:
    return Problem(1, reason, (name,), reason)


def flat(context: str, *sentences: str) -> tuple[str, str, str] | str:
    """The three words of one row, or why there are none."""
    text = "context\tstereotype\tanti_stereotype\tunrelated\n" + "\t".join((context, *sentences))
    try:
        (item,) = STEREOSET.read([(text.encode(), "a.tsv")]).items
    except WordListError as error:
        return str(error)
    return item.stereotype, item.anti_stereotype, item.unrelated


def published(**changes: Any) -> bytes:
    sentences = [
        {"id": str(place), "sentence": f"The cook was {word}.", "labels": [], "gold_label": label}
        for place, (word, label) in enumerate(zip(("blue", "fat", "thin"), LABELS, strict=True))
    ]
    entry = {"id": "x1", "target": "cook", "bias_type": "profession", "context": "The cook was BLANK."}
    data = {"intersentence": [{"id": "y"}, {"id": "z"}], "intrasentence": [entry | {"sentences": sentences} | changes]}
    return json.dumps({"version": "1.1", "data": data}, indent=1).encode()


def test_the_published_json() -> None:
    found: Data[Association] = STEREOSET.read([(published(), "dev.json")])
    assert found.items == (Association("x1", "profession", "cook", "The cook was BLANK.", "fat", "thin", "blue"),)
    assert found.left_out == (Problem(2, "items are intersentence, which is not read"),)
    assert STEREOSET.read([(b"\xef\xbb\xbf" + published(), "data")]).items == found.items


def test_two_lists_with_numbered_labels_as_the_library_gives_them() -> None:
    texts = [f"The cook was {word}." for word in ("thin", "fat", "blue")]
    changed = published(sentences={"sentence": texts, "gold_label": [0, 1, 2]})
    (item,) = STEREOSET.read([(changed, "dev.json")]).items
    assert (item.stereotype, item.anti_stereotype, item.unrelated) == ("fat", "thin", "blue")


@pytest.mark.parametrize("labels", [[1, 0, 2], ["1", "0", "2"], ["stereotype", "anti-stereotype", "unrelated"]])
def test_json_lines_as_the_hub_has_them(labels: list[Any]) -> None:
    """0 anti-stereotype, 1 stereotype, 2 unrelated are the ClassLabel names of McGill-NLP/stereoset."""
    entries = [
        {
            "id": name,
            "target": "sister",
            "bias_type": "gender",
            "context": "My sister  is BLANK.",
            "sentences": {"sentence": [f"My sister is {word}." for word in ("calm", "strong", "clear")],
                          "id": ["x", "y", "z"], "gold_label": labels},
        }
        for name in ("a1", "a2")
    ]  # fmt: skip
    for kept in (entries, entries[:1]):
        text = "\n".join(map(json.dumps, kept))
        found = STEREOSET.read([(text.encode(), "ss.jsonl")])
        # The context keeps its two spaces, which its sentences do not have.
        words = ("gender", "sister", "My sister  is BLANK.", "calm", "strong", "clear")
        assert found.items == tuple(Association(entry["id"], *words) for entry in kept)


def test_two_sentences_of_one_label_are_not_guessed_between() -> None:
    texts = [f"The cook was {word}." for word in ("thin", "fat", "tall", "blue")]
    changed = published(sentences={"sentence": texts, "gold_label": [0, 1, 1, 2]})
    with pytest.raises(WordListError, match="has not one sentence for each label"):
        STEREOSET.read([(changed, "dev.json")])


def test_the_flat_table() -> None:
    rows = (
        "a\tintrasentence\trace\tPeru\tPeru is BLANK\tPeru is hot\tPeru is cold\tPeru is cup\n"
        "b\tintersentence\trace\tPeru\tI know Peru.\tIt is hot.\tIt is cold.\tCats purr.\n"
    )
    found = STEREOSET.read([((HEAD + rows).encode(), "a.tsv")])
    assert found.items == (Association("a", "race", "Peru", "Peru is BLANK", "hot", "cold", "cup"),)
    assert found.left_out == (Problem(1, "item is intersentence, which is not read"),)


def test_a_table_without_target_and_type_takes_the_context_for_the_target() -> None:
    text = b"context;stereotype;anti-stereotype;unrelated\nHe is BLANK.;He is a.;He is b.;He is c.\n"
    found = STEREOSET.read([(text, "a.csv")])
    assert found.items == (Association("1", "not stated", "He is BLANK.", "He is BLANK.", "a", "b", "c"),)


@pytest.mark.parametrize(
    ("context", "sentences", "words"),
    [
        ("BLANK men are here.", ("Tall men are here.", "tall men are here", "TALL men are here."), "Tall tall TALL"),
        ("He is very BLANK.", ("he is very a.", "He is very b", "He is very c!"), "a b c"),
        ("He is very BLANK", ("He is very a.", "He is very b...", "He is very c ."), "a b c"),
        ("Ethiopian men are BLANK here.", ("ethiopian  men are a here.", "Ethiopian men are b here", "x"), None),
        ("The BLANK's hat.", ("The cook's hat.", "The man's hat.", "The cup's hat."), "cook man cup"),
        ("He is (BLANK) now.", ("He is (a) now.", "He is (b) now.", "He is (c) now."), "a b c"),
        ("He is BLANK BLANK.", ("He is a b.", "He is c d.", "He is e f."), None),
        ("He is BLANK.", ("He is .", "He is b.", "He is c."), None),
    ],
)
def test_the_word_in_the_blank(context: str, sentences: tuple[str, ...], words: str | None) -> None:
    found = flat(context, *sentences)
    if words is None:
        assert isinstance(found, str)
        assert "There is no item of StereoSet to measure: 1 " in found
    else:
        assert found == tuple(words.split())


def test_several_words_in_a_blank_stay_together() -> None:
    assert flat("He is BLANK here.", "He is very old here.", "He is b here.", "He is c here.") == ("very old", "b", "c")


def test_what_cannot_be_used_is_counted_by_reason() -> None:
    rows = (
        "a\t\t\tP\tP is BLANK.\tP is a.\tP is b.\tP is c.\n"
        "b\t\t\tP\tP is BLANK.\tP is a.\t\tP is c.\n"
        "c\t\t\tP\tP is here.\tP is a.\tP is b.\tP is c.\n"
        "d\t\t\tP\tP is BLANK.\tQ was a.\tP is b.\tP is c.\n"
    )
    found = STEREOSET.read([((HEAD + rows).encode(), "a.tsv")])
    assert [item.item for item in found.items] == ["a"]
    assert found.left_out == (
        _one("item lacks its context, or has not one sentence for each label", "b"),
        _one("context does not hold BLANK once", "c"),
        _one("item has a sentence unlike its context", "d"),
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (published()[:-30], "begins like JSON but is not"),
        (b"[1, 2]", "Entry 1 of dev.json is not a record with named values."),
        (b'{"rows": 1}', "has no data.intrasentence; it holds rows"),
        (b"{" + b" " * MAX_BYTES + b"}", "is larger than 32 MB"),
        (b"[" * 100_000, "begins like JSON but is not"),
        (published(sentences="x"), "1 item lacks its context, or has not one sentence for each label"),
        (b"context,stereotype\nHe is BLANK.,a\n", "its columns are “context”, “stereotype”"),
    ],
)
def test_a_wrong_file_is_told_what_is_expected(content: bytes, said: str) -> None:
    name = "dev.json" if content[:1] in b"{[" else "dev.csv"
    with pytest.raises(WordListError) as caught:
        STEREOSET.read([(content, name)])
    assert said in str(caught.value)
    assert str(caught.value).endswith(STEREOSET.expects)


def test_the_published_items() -> None:
    file = corpus_file("stereoset_dev.csv", "StereoSet")
    found = STEREOSET.read([(file.read_bytes(), file.name)])
    # 2,106 intrasentence items; two contexts have more than one blank.
    assert len(found.items) == 2104
    assert found.left_out == (
        Problem(2123, "items are intersentence, which is not read"),
        Problem(
            2,
            "contexts do not hold BLANK once",
            ("ce50e6e3cece7dfe561b0b85334c393c", "d64c83851c8ae0442679f3a5a395767a"),
            "context does not hold BLANK once",
        ),
    )
    # In every item the words are what is left when the context's words are taken away, counted another way.
    for item in found.items:
        assert all(len(word.split()) == 1 for word in (item.stereotype, item.anti_stereotype, item.unrelated)), item
