"""A bundle is checked file by file, and its results against a new measurement: what was changed is found and named."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core import shelf
from core.cli import main
from core.measures.benchmarks.spec import BenchmarkSpec
from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import MeasureSpec
from core.measures.mitigation.swap.spec import SwapSpec
from core.publication.verification import Check, Outcome, checked, measured_again, results
from core.report.frames import to_json
from core.result import Result
from core.spec import File
from tests.core.test_archives import zipped

SAME, DIFFERS, UNCHECKED = Outcome.SAME, Outcome.DIFFERS, Outcome.UNCHECKED
SPEC = LpbsSpec(attributes=("nurse", "engineer"))
PAIRS = b"""sent_more,sent_less,stereo_antistereo,bias_type
She is a nurse.,He is a nurse.,stereo,gender
He is a doctor.,She is a doctor.,antistereo,gender
"""


@pytest.fixture(scope="module")
def result() -> Result:
    return SPEC.run()


def again(files: Mapping[str, bytes], uploads: Mapping[str, bytes] | None = None) -> dict[str, Check]:
    """What becomes of the results of these files."""
    kept, unopened = results(files)
    measured = measured_again(kept, lambda spec: spec.run(), uploads or {}, lambda line: None)
    return {check.path: check for check in (*unopened, *measured)}


def one(result: Result) -> Check:
    (check,) = again({"a.tilt": result.to_bytes()}).values()
    return check


def changed(result: Result, table: str, column: str, row: int, value: Any) -> Result:
    frame = result[table].copy()
    frame[column] = frame[column].where(frame.index != row, value)
    return replace(result, tables={**result.tables, table: frame})


def bundle(files: Mapping[str, bytes]) -> bytes:
    """A ZIP whose manifest is right."""
    listed = [{"path": p, "bytes": len(d), "sha256": hashlib.sha256(d).hexdigest()} for p, d in files.items()]
    manifest = json.dumps({"format": 1, "files": listed}).encode()
    return zipped(("manifest.json", manifest), *files.items())


def test_missing_and_added_files_are_named() -> None:
    manifest = {"format": 1, "files": [{"path": "a", "bytes": 1, "sha256": hashlib.sha256(b"a").hexdigest()}]}
    found = checked({"manifest.json": json.dumps(manifest).encode(), "b": b""}, "x")
    assert {check.path: (check.outcome, check.says) for check in found} == {
        "a": (DIFFERS, "is missing"),
        "b": (DIFFERS, "is not in the manifest"),
    }


def test_the_same_numbers_are_the_same(result: Result) -> None:
    floats = sum(frame.select_dtypes("number").size for frame in result.tables.values())
    check = one(result)
    assert check.outcome is SAME
    assert check.says == f"{floats:,} numbers measured again, all equal"


def test_a_number_that_was_changed_is_found_with_its_row(result: Result) -> None:
    before = float(result["attributes"]["lpbs"][1])
    check = one(changed(result, "attributes", "lpbs", 1, before + 0.5))
    assert check.outcome is DIFFERS
    assert check.says == (
        "table attributes, lpbs differs by up to 0.5 nats in row 2 (minilm-mlm, engineer, he − she): "
        f"{before + 0.5:.6g} exported, {before:.6g} measured again"
    )


def test_within_the_tolerance_is_the_same_and_just_beyond_is_not(result: Result) -> None:
    before = float(result["attributes"]["lpbs"][0])
    beyond = 1e-4 + 1e-4 * abs(before)  # absolute, and as a share
    check = one(changed(result, "attributes", "lpbs", 0, before + 0.99 * beyond))
    assert check.outcome is SAME
    assert check.says.endswith(f" numbers measured again, at most {0.99 * beyond:.1g} apart")
    assert one(changed(result, "attributes", "lpbs", 0, before + 1.01 * beyond)).outcome is DIFFERS


def test_a_number_that_was_taken_out_and_a_text_that_was_changed_are_found(result: Result) -> None:
    gone = one(changed(result, "attributes", "lpbs", 0, float("nan")))
    assert gone.outcome is DIFFERS
    assert "lpbs differs in row 1 (minilm-mlm, nurse, he − she): none exported, " in gone.says
    text = one(changed(result, "attributes", "attribute", 0, "doctor"))
    assert (
        "attribute differs in row 1 (minilm-mlm, doctor, he − she): doctor exported, nurse measured again" in text.says
    )
    fewer = replace(result, tables={**result.tables, "attributes": result["attributes"].head(1)})
    assert one(fewer).says == "table attributes has 1 row, and 2 measured again"


def test_other_versions_are_named_beside_a_difference(result: Result) -> None:
    old = replace(result.provenance, tool="Tiltmeter 0.1", versions=(("torch", "1.0"),))
    check = one(replace(changed(result, "overall", "lpbs", 0, 9.0), provenance=old))
    assert "made with Tiltmeter 0.1, here " in check.says
    assert "torch 1.0, here " in check.says


def test_what_cannot_be_checked_says_why_and_the_others_are(result: Result) -> None:
    (model,) = result.provenance.models
    elsewhere = replace(result, provenance=replace(result.provenance, models=(replace(model, digest="sha256:0"),)))
    found = again(
        {
            "broken.tilt": b"x",
            "elsewhere.tilt": elsewhere.to_bytes(),
            "gone.tilt": replace(result, spec=replace(SPEC, models=("./no-such",))).to_bytes(),
            "good.tilt": result.to_bytes(),
            "stopped.tilt": replace(result, stopped=True).to_bytes(),
        }
    )
    assert {path: check.outcome for path, check in found.items() if check.outcome is not UNCHECKED} == {
        "good.tilt": SAME
    }
    assert found["broken.tilt"].says.startswith("cannot be opened: broken.tilt is damaged")
    assert found["elsewhere.tilt"].says.startswith("minilm-mlm has other files here")
    assert "There is no folder ./no-such" in found["gone.tilt"].says
    assert found["stopped.tilt"].says.startswith("was stopped before its end")


def test_a_spec_that_writes_is_not_run(tmp_path: Path) -> None:
    text = File.of("text.txt", b"He said that she was right.\n")
    made = SwapSpec(file=text, every=True).run()
    target = tmp_path / "mine.txt"
    target.write_text("mine", encoding="utf-8")
    asked = replace(made, spec=replace(made.spec, out=target))
    (check,) = again({"a.tilt": asked.to_bytes()}, {text.sha256: text.data}).values()
    assert check.outcome is UNCHECKED
    assert f"writes to {target}" in check.says
    assert target.read_text(encoding="utf-8") == "mine"
    (check,) = again({"a.tilt": made.to_bytes()}, {text.sha256: text.data}).values()
    assert check.outcome is SAME


def test_a_file_that_was_uploaded_is_asked_for_and_brought(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "renamed.csv"
    data.write_bytes(PAIRS)
    made = BenchmarkSpec(benchmark="crows-pairs", files=(File.of("crows.csv", PAIRS),)).run()
    target = tmp_path / "report.zip"
    target.write_bytes(bundle({"data/01-benchmark.tilt": made.to_bytes()}))
    assert main(["verify", str(target), "--numbers"]) == 1
    digest = hashlib.sha256(PAIRS).hexdigest()[:12]
    assert f"was measured with crows.csv (SHA-256 {digest}), which a bundle does not hold" in capsys.readouterr().out
    assert main(["verify", str(target), "--numbers", "--file", str(data)]) == 0


def test_equal_specs_are_measured_once_and_those_of_a_model_together(
    result: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[MeasureSpec[Any]] = []

    def measure(spec: MeasureSpec[Any]) -> Result:
        ran.append(spec)
        return result

    kept, _ = results({name: result.to_bytes() for name in ("b.tilt", "a.tilt")})
    heard: list[str] = []
    assert [check.path for check in measured_again(kept, measure, {}, heard.append)] == ["a.tilt", "b.tilt"]
    assert ran == [SPEC]
    assert heard == [f"[{n} of 2] {name}.tilt: {SPEC.line}" for n, name in ((1, "a"), (2, "b"))]
    other = replace(result, spec=replace(SPEC, models=("other",)))
    files = {"1.tilt": other.to_bytes(), "2.tilt": result.to_bytes(), "3.tilt": other.to_bytes()}
    assert [item.path for item in results(files)[0]] == ["2.tilt", "1.tilt", "3.tilt"]


def test_a_published_result_is_made_again_from_its_scores() -> None:
    assert one(shelf.result(shelf.entries()[0].id)).outcome is SAME


def test_the_json_of_a_result_holds_its_numbers(result: Result) -> None:
    files = {"a.tilt": result.to_bytes(), "a.json": to_json(result)}
    assert results(files)[1] == ()
    for other in (b"{", to_json(changed(result, "overall", "lpbs", 0, 9.0))):
        assert results({**files, "a.json": other})[1] == (
            Check("a.json", DIFFERS, "does not hold the numbers of a.tilt"),
        )


def test_a_bundle_whose_manifest_was_written_anew_is_found_out(
    result: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report.zip"
    target.write_bytes(bundle({"data/01-score.tilt": changed(result, "overall", "lpbs", 0, 9.0).to_bytes()}))
    assert main(["verify", str(target)]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == [
        "1",
        "file",
        "as",
        "exported",
        "SHA-256",
        "as",
        "in",
        "the",
        "manifest",
    ]
    assert main(["verify", str(target), "--numbers", "--format", "json"]) == 1
    said = capsys.readouterr()
    first, second = json.loads(said.out)
    assert first == {"file": "1 file", "outcome": "as exported", "what": "SHA-256 as in the manifest"}
    assert second["file"] == "data/01-score.tilt"
    assert second["outcome"] == "differs"
    assert "9 exported" in second["what"]
    assert "[1 of 1] data/01-score.tilt: " in said.err
    assert "1 result: 1 differs." in said.err


def test_a_bundle_without_a_result_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "report.zip"
    target.write_bytes(bundle({"a.txt": b""}))
    assert main(["verify", str(target), "--numbers"]) == 0
    assert "The bundle holds no result." in capsys.readouterr().err
