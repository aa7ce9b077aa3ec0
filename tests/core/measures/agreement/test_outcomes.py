"""Downstream results as columns: matched by the models' files, and nothing left out without a word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import OptionError
from core.measures.agreement import outcomes
from core.measures.agreement.outcomes import NO_RESULT, Brought
from core.measures.downstream.resolution.result import ResolutionResult
from core.result import Excluded, ModelInfo, Provenance
from core.spec import File
from tests.support.agreement_results import agreement_result
from tests.support.resolution_results import resolution_result

GAP = {"test": (File.of("test.tsv", b""),), "predictions": (File.of("p.csv", b""),)}
F1, NEITHER = "resolution-f1_difference", "resolution-p_neither_difference"


def info(name: str, digest: str = "", place: str = "here") -> ModelInfo:
    """A model of this name whose files have this digest, or one of their own."""
    kind = ("bert", "masked", 2, 2, 1, ("en",), False, "float32", "cpu", "default")
    return ModelInfo(name, f"{place}/{name}", None, digest or f"sha256:{name}", *kind)


def task(
    name: str, *models: ModelInfo, created: str = "2026-01-01T00:00:00Z", stopped: bool = False, **values: float
) -> Brought:
    """A pronoun resolution of these models: by each measure .5 for masculine, .5 + value for feminine pronouns."""
    made: ResolutionResult = resolution_result(
        {model.name: (0.5, 0.5 + values[model.name]) for model in models if model.name in values},
        provenance=Provenance("Tiltmeter", models, (), 0, (), created),
        **GAP,
    )
    return Brought(name, replace(made, stopped=stopped))


def reasons(excluded: list[Excluded]) -> list[str]:
    return [item.why for item in excluded if item.test != NEITHER]


def test_results_of_one_method_are_one_column_whatever_models_they_are_of() -> None:
    a, b = info("a"), info("b")
    (f1, neither), excluded, notes = outcomes.outcomes([task("1.tilt", a, a=0.1), task("2.tilt", b, b=-0.2)], [b, a])
    assert f1.values == pytest.approx({"a": 0.1, "b": -0.2})
    assert neither.values == pytest.approx({"a": 0.1, "b": -0.2})
    assert (f1.column.name, f1.column.title) == (F1, "GAP: F1, feminine − masculine")
    assert "above 0: higher for feminine pronouns" in f1.column.help
    assert f1.source.count("Pronoun resolution on GAP, resolution/1, measured 2026-01-01") == 2
    assert not excluded
    assert not notes


def test_a_model_is_known_by_its_files_and_not_by_its_name() -> None:
    compared = [info("bert", "sha256:1111"), info("copy", "sha256:2222", "elsewhere")]
    brought = task(
        "r.tilt", info("bert", "sha256:9999"), info("moved", "sha256:2222"), info("third"), bert=0.3, moved=0.1, third=0
    )
    (f1, _), excluded, _ = outcomes.outcomes([brought], compared)
    assert f1.values == pytest.approx({"copy": 0.1})
    assert reasons(excluded) == [
        "r.tilt: bert had other files (digest 9999) than the model that is compared (1111)",
        "r.tilt: third is not among the models that are compared",
        f"GAP: F1, feminine − masculine: {NO_RESULT}",
    ]
    assert [item.model for item in excluded][:2] == ["bert", "third"]


def test_a_model_without_a_number_has_the_reason_of_its_task() -> None:
    (f1, _), excluded, _ = outcomes.outcomes([task("r.tilt", info("a"), info("b"), b=0.1)], [info("a"), info("b")])
    assert f1.values == pytest.approx({"b": 0.1})
    assert reasons(excluded) == ["GAP: F1, feminine − masculine: no network on its vectors was scored for both genders"]


def test_what_was_stopped_or_names_no_model_is_said_and_not_compared() -> None:
    given = [task("s.tilt", info("a"), stopped=True, a=0.1), task("p.tilt", p=1.0)]
    (f1, _), excluded, _ = outcomes.outcomes(given, [info("a")])
    assert not f1.values
    assert reasons(excluded) == [
        "s.tilt: its run was stopped before its end; resume it and save it again",
        "p.tilt: it names no model, only predictions",
        f"GAP: F1, feminine − masculine: {NO_RESULT}",
    ]


def test_of_two_results_of_a_model_the_last_counts_and_another_number_is_said() -> None:
    old, new = task("a.tilt", info("a"), a=0.1), task("b.tilt", info("a"), a=0.3, created="2026-02-01T00:00:00Z")
    (f1, _), excluded, notes = outcomes.outcomes([new, old], [info("a")])
    assert f1.values == pytest.approx({"a": 0.3})
    assert not excluded
    assert [str(note) for note in notes] == [
        f"a: GAP: {measure}, feminine − masculine: measured more than once; the last number counts."
        for measure in ("F1", "Mean P(neither)")
    ]
    assert not outcomes.outcomes([old, old], [info("a")])[2]


def test_another_method_is_another_column_that_says_what_differs() -> None:
    first = task("a.tilt", info("a"), a=0.1)
    spec = replace(first.result.spec, layer=-1)
    other = Brought("b.tilt", replace(first.result, spec=spec))
    found, _, _ = outcomes.outcomes([first, other], [info("a")])
    assert [(column.column.name, column.column.title) for column in found] == [
        (f"{F1} 1", "GAP: F1, feminine − masculine (Layer: -3)"),
        (f"{NEITHER} 1", "GAP: Mean P(neither), feminine − masculine (Layer: -3)"),
        (f"{F1} 2", "GAP: F1, feminine − masculine (Layer: -1)"),
        (f"{NEITHER} 2", "GAP: Mean P(neither), feminine − masculine (Layer: -1)"),
    ]
    files = replace(first.result.spec, test=(File.of("other.tsv", b"other"),))
    elsewhere = Brought("c.tilt", replace(first.result, spec=files))
    found, _, _ = outcomes.outcomes([first, elsewhere], [info("a")])
    assert found[0].column.title.endswith("(1)")
    assert found[2].column.title.endswith("(2)")


def test_a_result_of_no_task_is_refused() -> None:
    other = agreement_result()
    with pytest.raises(OptionError, match=r"mine\.tilt is no result of a downstream task"):
        outcomes.read(File.of("mine.tilt", other.to_bytes()))
    kept = task("r.tilt", info("a"), a=0.1).result
    assert outcomes.read(File.of("r.tilt", kept.to_bytes())).result == kept
