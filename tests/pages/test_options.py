"""Declarations of inputs: what a link may hold of each, and back."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import pytest

from core.inputs import Choice, Number, Option, Reference, Roles, Several, Span, Switch, Text, Upload, abridged
from pages.shared.uploads import Uploads

GROUPS = Choice("groups", "Groups", choices={"he-she": "he / she", "own": "your own …"})
TESTS = Several("tests", "Tests", ("weat6",), {f"weat{n}": f"WEAT {n}" for n in range(1, 9)}, most=3)
MODELS = Several("models", "Models", ("a",), most=2, free=True)
SEED = Number("seed", "Seed", 0, 0, 100)
PAIRED = Switch("paired", "Pairs", True)
WORDS = Text("words", "Words", "nurse")
LAYERS = Span("layers", "Layers", (0, 5), 0, 5)
ROLES = Roles("roles", "Roles", words=11)
FILE = Upload("file", "File")
FILES = Upload("files", "Files", several=True)
DIGEST = "0123456789abcdef"


@pytest.mark.parametrize(
    ("option", "value", "texts"),
    [
        (GROUPS, "own", ["own"]),
        (TESTS, ("weat8", "weat1"), ["weat8", "weat1"]),
        (TESTS, (), [""]),
        (MODELS, ("owner/name@rev", "/a folder/x"), ["owner/name@rev", "/a folder/x"]),
        (SEED, 7, ["7"]),
        (PAIRED, False, ["no"]),
        (WORDS, "a\nb, c & d=e", ["a\nb, c & d=e"]),
        (WORDS, "", [""]),
        (LAYERS, (2, 4), ["2-4"]),
        (ROLES, ((2, "male"), (11, "")), ["2m", "11n"]),
        (FILE, (Reference(DIGEST, "a: b.csv"),), [f"{DIGEST}:a: b.csv"]),
        (FILES, (Reference(DIGEST, "a"), Reference(DIGEST[::-1], "b")), [f"{DIGEST}:a", f"{DIGEST[::-1]}:b"]),
    ],
)
def test_a_link_gives_the_value_that_was_written(option: Option, value: Any, texts: list[str]) -> None:
    assert option.write(value) == texts
    assert option.read(texts) == (value, None)


@pytest.mark.parametrize(
    ("option", "texts", "value", "problem"),
    [
        (GROUPS, ["bogus"], "he-she", "“bogus”, which does not exist"),
        (GROUPS, ["he / she"], "he-she", "“he / she”, which does not exist"),  # what the box shows is no id
        (GROUPS, [""], "he-she", "“”, which does not exist"),
        (GROUPS, ["own", "he-she"], "he-she", "“own” and “he-she”, of which one is possible"),
        (TESTS, ["weat99"], ("weat6",), "“weat99”, which does not exist"),
        (TESTS, ["weat1", "x", "y"], ("weat1",), "“x” and “y”, which do not exist"),
        (
            TESTS,
            ["weat1", "weat2", "weat3", "weat4"],
            ("weat1", "weat2", "weat3"),
            "“weat1”, “weat2”, “weat3” and “weat4”, of which at most 3 are possible",
        ),
        (MODELS, ["a", "b", "c"], ("a", "b"), "“a”, “b” and “c”, of which at most 2 are possible"),
        (SEED, ["-5"], 0, "“-5”, which is not from 0 to 100"),
        (SEED, ["101"], 0, "“101”, which is not from 0 to 100"),
        (SEED, ["1.5"], 0, "“1.5”, which is not a whole number"),
        (SEED, ["1e2"], 0, "“1e2”, which is not a whole number"),
        (SEED, ["7 "], 0, "“7”, which is not a whole number"),
        (SEED, ["٣"], 0, "“٣”, which is not a whole number"),
        (SEED, [""], 0, "“”, which is not a whole number"),
        (SEED, ["9" * 40], 0, f"“{'9' * 40}”, which is not a whole number"),
        (PAIRED, ["true"], True, "“true”, which is neither yes nor no"),
        (WORDS, ["a", "b"], "nurse", "“a” and “b”, of which one is possible"),
        (LAYERS, ["4-2"], (0, 5), "“4-2”, which is not a range such as 2-5"),
        (LAYERS, ["2-6"], (0, 5), "“2-6”, which is not a range such as 2-5"),
        (ROLES, ["2m", "12f"], ((2, "male"),), "“12f”, which names no word and role"),
        (ROLES, ["0m"], (), "“0m”, which names no word and role"),
        (ROLES, ["2x"], (), "“2x”, which names no word and role"),
        (FILE, ["data.csv"], (), "“data.csv”, which names no file"),
        (FILE, [f"{DIGEST.upper()}:a"], (), f"“{DIGEST.upper()}:a”, which names no file"),
        (
            FILE,
            [f"{DIGEST}:a", f"{DIGEST}:b"],
            (Reference(DIGEST, "a"),),
            "“a” and “b”, of which one is possible",
        ),
    ],
)
def test_what_cannot_be_followed_is_said_and_the_rest_is_kept(
    option: Option, texts: list[str], value: Any, problem: str
) -> None:
    assert option.read(texts) == (value, problem)
    assert option.holds(value)


def test_a_long_text_of_a_link_is_abridged_on_one_line() -> None:
    assert abridged("x" * 60) == "x" * 60
    assert abridged("x" * 61) == "x" * 59 + "…"
    assert abridged("a\nb") == "a b"


def test_uploads_are_found_by_their_content_and_the_longest_unused_goes_first() -> None:
    texts = [b"12345", b"abcde", b"x"]
    uploads = Uploads(max_bytes=sum(map(sys.getsizeof, texts)) - 1)  # room for any two of them
    first, second = map(uploads.put, texts[:2])
    assert first == hashlib.sha256(b"12345").hexdigest()[:16]
    assert (uploads.get(first), uploads.get(second)) == (b"12345", b"abcde")
    uploads.get(first)  # used last, so that the second goes
    third = uploads.put(texts[2])
    assert (uploads.get(first), uploads.get(second), uploads.get(third)) == (b"12345", None, b"x")
    assert uploads.put(b"12345") == first
