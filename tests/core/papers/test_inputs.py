"""A number that was measured with other inputs than a card's stands beside no print, and it is said which."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from core import shelf
from core.measures.association.spec import AskedTest, AssociationSpec
from core.measures.lpbs.professions.spec import ProfessionSpec
from core.measures.measure import MeasureSpec
from core.measures.mitigation.change.spec import ChangeSpec, Measured
from core.papers.card import Card
from core.papers.comparison import compared, refused
from core.papers.inputs import Inputs
from core.papers.registry import card, cards
from core.result import Group, ModelInfo, Provenance, Result
from core.sources import Corpus
from core.sources.blanks import TemplateSet, Words
from core.sources.lists import GroupPreset, WordList
from core.sources.marking import MarkedSentence
from core.sources.templates import Template
from core.spec import File, Labelled

MEASURED = [(found, inputs) for found in cards().values() for inputs in found.inputs]
INFO = ModelInfo("m", "me/m", None, "sha256:0", "bert", "masked", 2, 2, 1, ("en",), False, "float32", "cpu", "sdpa")


def id_of(value: Any) -> str:
    return value.id if isinstance(value, Card) else value.of.COMMAND if isinstance(value, Inputs) else str(value)


def empty(spec: MeasureSpec[Any], **more: Any) -> Result:
    """A result of this spec without a row, of one model."""
    return type(spec).RESULT(
        spec=spec,
        tables=type(spec).RESULT.SCHEMA.frames(),
        excluded=(),
        notes=(),
        provenance=Provenance("Tiltmeter", (INFO,), (), 0, (), "2026-01-01T00:00:00Z"),
        **more,
    )


def full(found: Card) -> Card:
    """The card, which reads 1.0 everywhere, whatever the result holds."""
    return replace(found, obtained=lambda result, model: {value.key: 1.0 for value in found.values})


def with_field(spec: Any, name: str, value: Any) -> Any:
    """The spec with another value, which no check has seen: a saved file may hold anything."""
    changed = copy.copy(spec)
    object.__setattr__(changed, name, value)
    return changed


def other(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case Labelled():
            members = list(type(value))
            return members[(members.index(value) + 1) % len(members)]
        case bool():
            return not value
        case int():
            return 0 if value == 1 else value + 1
        case str():
            return "bfloat16"
        case tuple():
            return tuple(map(other, value)) if value else (File("more.tsv", "0" * 64),)
        case Template():
            return Template.parse("[TARGET] was never [ATTRIBUTE].")
        case File():
            return replace(value, sha256="0" * 64)
        case _:
            return _other_words(value)


def _other_words(value: Any) -> Any:
    match value:
        case WordList():
            return replace(value, words=value.words[1:])
        case GroupPreset():
            return replace(value, groups=value.groups[::-1])
        case AskedTest():
            return replace(value, sets=value.sets[::-1])
        case Corpus():
            return replace(value, professions=value.professions[1:])
        case TemplateSet():
            return replace(value, templates=value.templates[1:])
        case Words():
            return replace(value, x=Group("x", value.x.words[1:]))
        case MarkedSentence():
            return replace(value, text="She met him, a nurse.")
        case None:
            return 3
    raise AssertionError(f"no other value of {value!r} is known here")


def changes(spec: Any, inputs: Inputs, every: tuple[Inputs, ...]) -> Iterator[tuple[str, Any, Inputs]]:
    """Each decisive input of a spec, the spec with another value there, and where it is declared."""
    for name in inputs.decisive:
        value = getattr(spec, name)
        if isinstance(value, Measured):
            (inner,) = (item for item in every if item.of is type(value.spec))
            for below, changed, _ in changes(value.spec, inner, every):
                yield below, with_field(spec, name, Measured(value.command, changed)), inner
        else:
            yield name, with_field(spec, name, other(value)), inputs


@pytest.mark.parametrize(("found", "inputs"), MEASURED, ids=id_of)
def test_each_decisive_input_refuses_what_it_decides_and_says_so(found: Card, inputs: Inputs) -> None:
    of_kind = [spec for spec in found.needed if type(spec) is inputs.of]
    assert of_kind, "a measure that is taken, and nothing of it that would do"
    for spec in of_kind:
        assert not refused(found, [empty(spec)])
        assert all(row.obtained == 1.0 for row in compared(full(found), [empty(spec)]))
        for name, changed, declared in changes(spec, inputs, found.inputs):
            said = found.refusals(empty(changed))
            (refusal,) = said
            assert refusal.only == declared.only.get(name, ())
            label, _, rest = refusal.text.partition(": this result has ")
            has, _, needs = rest.removesuffix(".").partition("; the print needs ")
            assert all((label, has, needs)), refusal.text
            assert has not in needs.split(" or "), refusal.text
            for row in compared(full(found), [empty(changed)]):
                decided = not refusal.only or bool({row.value.row, row.value.column} & set(refusal.only))
                assert (row.obtained is None) == decided, (name, row.value.key)
        for name in ("models", "seed", *inputs.free, *inputs.other):
            if name in vars(spec):
                assert not found.refusals(empty(with_field(spec, name, "anything"))), name


@pytest.mark.parametrize(("found", "inputs"), MEASURED, ids=id_of)
def test_what_is_said_of_inputs_is_of_fields_and_values_that_there_are(found: Card, inputs: Inputs) -> None:
    known = {name for spec in found.needed if type(spec) is inputs.of for name in vars(spec)}
    assert {*inputs.free, *inputs.only, *inputs.parts, *inputs.other} <= known
    assert not {*inputs.only, *inputs.parts, *inputs.free} & set(inputs.other)
    assert not {*inputs.only, *inputs.parts} & set(inputs.free)
    places = {place for value in found.values for place in value.key}
    assert {place for only in inputs.only.values() for place in only} <= places


@pytest.mark.parametrize(
    ("id", "command", "names"),
    [
        ("kurita-table-3", "association", "dtype tests representations lpbs_values ddof lost unequal form layer erase"),
        ("kurita-table-4", "resolve", "train validation test network topics"),
        ("kurita-table-5", "score", "dtype templates groups attributes masking several_pieces form"),
        ("kurita-table-6", "resolve", "test topics"),
        ("bartl-table-4", "professions", "dtype corpora masking several_pieces form"),
        ("bartl-table-4", "change", "dtype measured erased"),
        ("bartl-table-5", "professions", "dtype corpora masking several_pieces form"),
        ("irani-table-1", "association", "dtype tests representations ddof lost unequal form layer erase"),
        ("li-sentence", "attention", "dtype sentence twin"),
        ("delobelle-table-4", "reliability", "dtype compare templates words"),
        ("delobelle-figure-2a", "reliability", "dtype compare templates words draws subsets drawn method"),
        ("delobelle-figure-3", "reliability", "dtype compare templates words draws subsets drawn method"),
        ("delobelle-figure-4", "reliability", "dtype compare metrics"),
        ("delobelle-figure-4", "occupations", "dtype vector layer erase"),
    ],
)
def test_what_moves_the_numbers_of_a_card_decides(id: str, command: str, names: str) -> None:
    (inputs,) = (item for item in card(id).inputs if command == item.of.COMMAND)
    assert set(names.split()) <= set(inputs.decisive)


def test_an_input_is_named_with_what_it_is_and_what_is_needed() -> None:
    irani = card("irani-table-1")
    (spec,) = irani.needed
    assert refused(irani, [empty(replace(spec, ddof=0))]) == (
        "Not beside the print. ddof of the standard deviation in d: this result has “0”; the print needs “1”.",
    )
    kurita = card("kurita-table-3")
    (spec,) = kurita.needed
    assert refused(kurita, [empty(replace(spec, lpbs_values="mean", layer=3))]) == (
        "Not beside the print in WEAT on BERT. Layer to read instead of each representation’s own: this result has 3; "
        "the print needs none.",
        "Not beside the print in LPBS. LPBS: values tested: this result has “a word’s mean over templates”; the print "
        "needs “all templates together (Kurita’s code)”.",
    )


def test_what_a_comparison_measured_before_and_after_decides() -> None:
    found = card("bartl-table-4")
    for inputs, said in (
        ({"masking": "single"}, "How the profession is hidden for the prior: this result has “a single mask”"),
        ({"several_pieces": "joint"}, "Person words split into several tokens: this result has"),
        ({"corpora": "de"}, "Corpora: this result has German (templates: 5, professions: 60)"),
    ):
        spec = ChangeSpec(measured=ProfessionSpec(**inputs), children=["tuned"])
        (refusal,) = found.refusals(empty(spec))
        assert refusal.text.startswith(said)
    score = ChangeSpec(measured="score", children=["tuned"])
    (refusal,) = found.refusals(empty(score))
    assert refusal.text.startswith("Measure: this result has “Log probability bias scores")


def test_of_several_things_that_would_do_the_nearest_is_named_and_its_equals() -> None:
    found = card("kurita-table-5")
    asked = found.needed[0]
    few = empty(replace(asked, attributes=("nurse", "pilot", "judge", "cook")))
    (refusal,) = found.refusals(few)
    assert refusal.text.startswith(
        "Attributes: this result has nurse, pilot, judge and 1 more; the print needs 230 positive traits (Kurita) or "
        "257 negative traits (Kurita) or "
    )


def test_a_part_of_what_a_card_reads_may_be_missing_but_not_be_another() -> None:
    irani = card("irani-table-1")
    (spec,) = irani.needed
    assert isinstance(spec, AssociationSpec)
    more = replace(spec, tests=("weat1", *spec.tests), representations=("lpbs", "layer-11-mean"))
    assert not irani.refusals(empty(more))
    (refusal,) = irani.refusals(empty(replace(spec, tests=("weat1",))))
    assert refusal.text.startswith("Tests: this result has ")
    (refusal,) = irani.refusals(empty(replace(spec, representations=("vulic",))))
    assert refusal.text.startswith("Representations: this result has “Vulić")
    both = with_field(more, "tests", (*spec.tests, other(spec.tests[0])))
    (refusal,) = irani.refusals(empty(both))
    assert ", but with other content; the print needs" in refusal.text


def test_a_run_that_was_stopped_stands_beside_no_print() -> None:
    irani = card("irani-table-1")
    (spec,) = irani.needed
    (said,) = refused(irani, [empty(spec, stopped=True)])
    assert "stopped before its end" in said
    assert all(row.obtained is None for row in compared(full(irani), [empty(spec, stopped=True)]))


def test_of_several_results_each_is_named() -> None:
    irani = card("irani-table-1")
    (spec,) = irani.needed
    (said,) = refused(irani, [empty(spec), empty(replace(spec, ddof=0, models=("gpt2",)))])
    assert said.startswith(
        "Irani: white, black × negative emotions, positive emotions · 2 representations · gpt2: Not beside the print. "
        "ddof"
    )


@pytest.mark.parametrize("entry", [entry.id for entry in shelf.entries()])
def test_every_published_result_stands_beside_a_print_or_is_refused_with_a_sentence(entry: str) -> None:
    result = shelf.result(entry)
    for found in cards().values():
        if type(result.spec) in found.kinds:
            assert refused(found, [result]) or any(row.obtained is not None for row in compared(found, [result]))
