"""The published association tests: WEAT, SEAT, Kurita's categories and Irani's test, read from ``assets/data``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal

from ..errors import WordListError, instead
from .bleached import Placed, every_form, own_form, place
from .lists import Source, read_json
from .parsing import shown

SETS = ("X", "Y", "A", "B")
Level = Literal["words", "sentences"]


@dataclass(frozen=True)
class WordSet:
    """A named set of members: words (WEAT) or whole sentences (SEAT)."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class Placement:
    """The sentences in which one member of one set stands: a word's templates, or the one sentence that is the member.

    ``set_name`` is X, Y, A or B.
    """

    set_name: str
    member: str
    sentences: tuple[Placed, ...]


@dataclass(frozen=True)
class TestTemplates:
    """Where every member of a test stands in sentences, in the order of the sets X, Y, A, B and of their members.

    At level ``words`` a member has several sentences, at level ``sentences`` it is its only one.
    """

    placements: tuple[Placement, ...]

    def sentences(self, member: str, set_name: str) -> tuple[Placed, ...]:
        """The sentences of one member of X, Y, A or B, each with the offsets of its word. KeyError for no member."""
        return self._by_member[set_name, member]

    def spans(self, set_name: str) -> tuple[tuple[int, int], ...]:
        """The offsets of the word in the first sentence of each member; at level ``sentences`` that is the member."""
        return tuple(found.sentences[0].span for found in self.placements if found.set_name == set_name)

    @cached_property
    def _by_member(self) -> dict[tuple[str, str], tuple[Placed, ...]]:
        return {(found.set_name, found.member): found.sentences for found in self.placements}


@dataclass(frozen=True)
class LpbsFrame:
    """A template with [TARGET] and [ATTRIBUTE], and the words of both groups that fit it in number and grammar."""

    template: str
    group1: tuple[str, ...]
    group2: tuple[str, ...]


@dataclass(frozen=True)
class LpbsDesign:
    """How a test is asked as WEAT-style log probability bias scores (Kurita et al. 2019).

    The groups, named ``groups``, stand for the two sets ``fixed``, the first for the first; the words of the two sets
    ``permuted`` are the attributes. ``partner_masked``: the templates that place a word for the representation of
    §3.1, where the other slot is masked; words of ``fixed`` take [TARGET], those of ``permuted`` [ATTRIBUTE], and
    each is put into every template as it stands. ``source`` is None for a design of the user's own.
    """

    groups: tuple[str, str]
    frames: tuple[LpbsFrame, ...]
    permuted: tuple[str, str]
    partner_masked: tuple[str, ...]
    source: Source | None

    @property
    def fixed(self) -> tuple[str, str]:
        """The two sets that the groups stand for: X and Y, or A and B."""
        return ("A", "B") if self.permuted == ("X", "Y") else ("X", "Y")


@dataclass(frozen=True)
class PublishedValue:
    """An effect size as printed. ``p_value`` or ``significant`` (the paper's own mark) is None where it has none.

    ``representation`` is an id such as ``partner-masked``; ``model`` the name the paper uses.
    """

    representation: str
    model: str
    effect_size: float
    p_value: float | None
    significant: bool | None
    source: Source


@dataclass(frozen=True)
class AssociationTest:
    """Targets X and Y, attributes A and B. Positive: X is more strongly associated with A, and Y with B.

    ``level`` says whether the members are words (WEAT) or sentences (SEAT). ``templates`` and ``lpbs`` are None where
    a test has none. ``source`` is None for a user's own lists. ``note`` is empty, or what a reader must know.
    ``reading`` says what was assumed in reading the user's file, empty where nothing was. ``axis`` is what the groups
    differ in, such as age, empty where the sets are no groups of people; ``caution`` what their words do not tell.
    """

    id: str
    title: str
    x: WordSet
    y: WordSet
    a: WordSet
    b: WordSet
    level: Level
    templates: TestTemplates | None
    lpbs: LpbsDesign | None
    published: tuple[PublishedValue, ...]
    source: Source | None
    note: str
    reading: str = ""
    axis: str = ""
    caution: str = ""

    @property
    def choice(self) -> str:
        """What a box calls it: its axis, where it has one, and its title."""
        return f"{self.axis} · {self.title}" if self.axis else self.title

    @property
    def sets(self) -> tuple[tuple[str, WordSet], ...]:
        """The four sets in order, each with its letter."""
        return tuple(zip(SETS, (self.x, self.y, self.a, self.b), strict=True))

    @property
    def citation(self) -> str:
        """One line for provenance: the title and where the test comes from."""
        if self.source is not None:
            return f"{self.title}, {self.source}"
        counts = ", ".join(f"{letter} {len(words.members):,}" for letter, words in self.sets)
        return f"{self.title} (words: {counts})"


@cache
def association_tests() -> tuple[AssociationTest, ...]:
    """Every published test on offer, in the order of the select box."""
    content = read_json("association_tests.json")
    return tuple(_test(entry, content["sets"], content["designs"]) for entry in content["tests"])


def association_test(test_id: str) -> AssociationTest:
    """The test of that id. Raises WordListError, with near ids and how to list all, for any other."""
    by_id = {test.id: test for test in association_tests()}
    if test_id in by_id:
        return by_id[test_id]
    raise WordListError(
        f"There is no association test “{shown(test_id)}”. "
        + instead(test_id, by_id, f"“python -m core association --help” names all {len(by_id)}.")
    )


def set_title(sets: tuple[WordSet, WordSet, WordSet, WordSet]) -> str:
    """The names of the four sets as titles write them: “flowers, insects × pleasant, unpleasant”."""
    x, y, a, b = (words.name for words in sets)
    return f"{x}, {y} × {a}, {b}"


def _test(entry: Mapping[str, Any], sets: Mapping[str, Any], designs: Mapping[str, Any]) -> AssociationTest:
    chosen = {letter: sets[key] for letter, key in zip(SETS, entry["sets"], strict=True)}
    if "sentences" in entry or "frames" in entry:
        level: Level = "sentences"
        placed = {letter: _sentences(entry, letter, chosen[letter]) for letter in SETS}
        members = {letter: tuple(sentence.text for sentence in placed[letter]) for letter in SETS}
        templates = TestTemplates(
            tuple(Placement(letter, sentence.text, (sentence,)) for letter in SETS for sentence in placed[letter])
        )
    else:
        level = "words"
        members = {letter: tuple(chosen[letter]["words"]) for letter in SETS}
        templates = TestTemplates(
            tuple(Placement(letter, word, own_form(word)) for letter in SETS for word in members[letter])
        )
    x, y, a, b = (WordSet(chosen[letter]["name"], members[letter]) for letter in SETS)
    people: Mapping[str, Any] = next((chosen[letter] for letter in SETS if "axis" in chosen[letter]), {})
    return AssociationTest(
        id=entry["id"],
        title=f"{entry['title']}: {set_title((x, y, a, b))}",
        x=x,
        y=y,
        a=a,
        b=b,
        level=level,
        templates=templates,
        lpbs=_design(designs[entry["lpbs"]], entry["permuted"]) if "lpbs" in entry else None,
        published=_published(entry["published"]) if "published" in entry else (),
        source=Source(**entry["source"]),
        note=entry["note"],
        axis=people.get("axis", ""),
        caution=people.get("caution", ""),
    )


def _sentences(entry: Mapping[str, Any], letter: str, chosen: Mapping[str, Any]) -> tuple[Placed, ...]:
    """The sentences of one set, word by word.

    May et al. dropped sentences of some sets, so that X and Y are of one size: ``left_out`` names the few that are
    gone, ``kept`` the few that stayed.
    """
    if "frames" in entry:
        frames = entry["frames"]["targets" if letter in ("X", "Y") else "attributes"]
        return tuple(place(frame, word) for word in chosen["words"] for frame in frames)
    every = tuple(sentence for word in chosen["words"] for sentence in every_form(word))
    left_out = entry.get("left_out", {}).get(letter, ())
    kept = entry.get("kept", {}).get(letter)
    return tuple(
        sentence for sentence in every if sentence.text not in left_out and (kept is None or sentence.text in kept)
    )


def _design(entry: Mapping[str, Any], permuted: str) -> LpbsDesign:
    first, second = entry["groups"]
    return LpbsDesign(
        groups=(first, second),
        frames=tuple(
            LpbsFrame(frame["template"], tuple(frame["group1"]), tuple(frame["group2"])) for frame in entry["frames"]
        ),
        permuted=(permuted[0], permuted[1]),
        partner_masked=tuple(entry["partner_masked"]),
        source=Source(**entry["source"]),
    )


def _published(entry: Mapping[str, Any]) -> tuple[PublishedValue, ...]:
    source = Source(**entry["source"])
    return tuple(PublishedValue(**value, source=source) for value in entry["values"])
