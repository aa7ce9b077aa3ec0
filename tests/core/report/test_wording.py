from __future__ import annotations

import dataclasses

import pytest

from core.measures.lpbs.result import LpbsResult
from core.report.wording import digest, exclusion_lines, footer_parts, listed, provenance_line, provenance_lines
from core.result import Excluded, Provenance


def test_listed_names_all_or_counts_the_rest() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c"], most=3) == "a, b and c"
    assert listed(["a", "b", "c", "d"], most=2) == "a, b and 2 more"


def test_digest_is_short_with_and_without_a_prefix(provenance: Provenance) -> None:
    model = provenance.models[0]
    prefixed = dataclasses.replace(model, digest="sha256:" + model.digest)
    assert digest(model) == digest(prefixed) == "ab12cd34ef56"


def test_provenance_line_names_the_model_asked_for_or_all(two_models: Provenance) -> None:
    assert (
        provenance_line(two_models, "minilm-mlm") == "Tiltmeter 0.1.0; minilm-mlm sha256:ab12cd34ef56 float32 cpu; "
        "data: Occupations, Bureau of Labor Statistics 2019; seed 0; 2026-11-27T23:31:00Z"
    )
    for line in (provenance_line(two_models), provenance_line(two_models, "another")):
        assert "minilm-mlm sha256:ab12cd34ef56 float32 cpu; gpt sha256:999999999999 float32 cpu" in line


def test_footer_shares_what_all_models_share(two_models: Provenance) -> None:
    assert footer_parts(two_models) == (
        "Tiltmeter 0.1.0",
        "minilm-mlm ab12cd34",  # no revision: the digest
        "gpt 3f2a9c1b",
        "float32, cpu",
        "seed 0",
        "2026-11-27",
    )


def test_footer_tells_models_on_different_devices_apart(two_models: Provenance) -> None:
    first, second = two_models.models
    mixed = dataclasses.replace(two_models, models=(first, dataclasses.replace(second, dtype="float16", device="cuda")))
    assert footer_parts(mixed)[1:4] == ("minilm-mlm ab12cd34 (float32, cpu)", "gpt 3f2a9c1b (float16, cuda)", "seed 0")


def test_provenance_lines_hold_every_fact(two_models: Provenance) -> None:
    text = "\n".join(provenance_lines(two_models))
    for fact in (
        "Tiltmeter 0.1.0",
        "2026-11-27T23:31:00Z",
        "seed 0",
        "ab12cd34ef56" + "0" * 52,
        "revision 3f2a9c1b77",
        "22,000,000 parameters",
        "A small model.",
        "Bureau of Labor Statistics 2019",
        "torch 2.13.0",
    ):
        assert fact in text


def test_what_is_excluded_has_a_line_and_a_shared_reason_is_said_once(lpbs: LpbsResult) -> None:
    assert exclusion_lines(lpbs.excluded) == (
        "excluded: chairwoman is split into several tokens: chair + ##woman [women; minilm-mlm]",
        "excluded: chairman cannot be paired, since its partner chairwoman could not be scored [men; minilm-mlm]",
        "nurse and pilot: interval and p not computed, n too small [he − she; minilm-mlm]",
    )


ROLES = {
    "target": "excluded: x is unknown to this model [m]",
    "attribute": "excluded: x is unknown to this model [m]",
    "profession": "excluded: x is unknown to this model [m]",
    "corpus": "excluded: x is unknown to this model [m]",
    "item": "excluded: x is unknown to this model [m]",
    "statistic": "not computed: x is unknown to this model [m]",
    "model": "not measured: x is unknown to this model [m]",
}


@pytest.mark.parametrize(("role", "line"), ROLES.items())
def test_every_role_reads_well(role: str, line: str) -> None:
    assert exclusion_lines([Excluded("m", role, "x", "x is unknown to this model.")]) == (line,)
    # a reason that does not name what it is about gets the name in front, and only then
    (named,) = exclusion_lines([Excluded("m", role, "x", "unknown to this model")])
    assert named == line.replace("x is unknown", "x: unknown")


def test_no_line_says_a_name_twice() -> None:
    (line,) = exclusion_lines([Excluded("m", "statistic", "nurse", "nurse: interval and p not computed")])
    assert line.count("nurse") == 1
    (line,) = exclusion_lines([Excluded("bert", "model", "bert", "bert has no trained prediction head")])
    assert line == "not measured: bert has no trained prediction head"


def test_places_are_joined_and_many_names_counted() -> None:
    items = [Excluded("m", "target", "x", "x is unknown", template=f"T{at}") for at in range(5)]
    assert exclusion_lines(items) == ("excluded: x is unknown [“T0”, “T1”, “T2” and 2 more; m]",)
    items = [Excluded("m", "statistic", f"w{at}", f"w{at}: n too small") for at in range(12)]
    assert exclusion_lines(items) == (
        "not computed: w0, w1, w2, w3, w4, w5, w6, w7, w8, w9 and 2 more: n too small [m]",
    )


def test_a_reason_that_goes_on_from_its_word_is_said_once_for_all_words() -> None:
    lacking = [Excluded("m", "profession", word, f"{word} has no row in the statistic") for word in ("mason", "welder")]
    assert exclusion_lines(lacking) == ("excluded: mason and welder: has no row in the statistic [m]",)
    assert exclusion_lines(lacking[:1]) == ("excluded: mason has no row in the statistic [m]",)
    # "masonry" is another word, whose reason is not that of "mason".
    other = Excluded("m", "profession", "mason", "masonry has no row in the statistic")
    assert exclusion_lines([other]) == ("excluded: mason: masonry has no row in the statistic [m]",)
