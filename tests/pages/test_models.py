"""Models on the pages: names that tell them apart, one that cannot be had, files that change."""

from __future__ import annotations

import os
from pathlib import Path

from core.measures.association.spec import AskedTest, AssociationSpec
from core.run import Run
from core.sources import own_test
from pages.shared import resources
from tests.pages.visiting import bars, charts, errors, findings, playground
from tests.support.tiny import build, tiny_folder


def test_two_folders_of_one_name_stand_side_by_side(tmp_path: Path) -> None:
    folders = [str(build("bert", tmp_path / run / "checkpoint-500", seed=seed)) for seed, run in enumerate("ab")]
    at = playground(models=folders)
    assert not errors(at)
    assert len(bars(charts(at)[0])) == 2
    assert [finding.partition(":")[0] for finding in findings(at)] == ["a/checkpoint-500", "b/checkpoint-500"]
    lines = [caption.value for caption in at.sidebar.caption]
    for run, folder in zip("ab", folders, strict=True):
        assert any(f"{run}/checkpoint-500" in line and folder in line for line in map(plain, lines))


def test_a_model_that_cannot_be_had_hides_no_other() -> None:
    at = playground(models=["/no/such/folder", str(tiny_folder("bert"))])
    assert not errors(at)
    assert len(findings(at)) == 1
    (warning,) = [plain(box.value) for box in at.warning]
    assert warning.startswith("/no/such/folder was not measured: There is no folder /no/such/folder")
    assert any(plain(line.value) == "/no/such/folder: there is no such folder" for line in at.sidebar.caption)


def test_a_changed_file_of_vectors_is_measured_anew(tmp_path: Path) -> None:
    """cases.md, 5, on two words a set: d of the exchanged file is that of the first with the sign turned round."""
    path = tmp_path / "v.txt"
    words = {"x1": "1 0", "x2": "4 3", "y1": "3 4", "y2": "0 1", "a": "1 0", "b": "0 1"}
    test = own_test(("x1", "x2"), ("y1", "y2"), ("a",), ("b",))
    spec = AssociationSpec(tests=(AskedTest.of(test),), representations=(), vectors=path)

    def d() -> float:
        return float(resources.measure(spec, Run(spec))["tests"]["effect_size"].iloc[0])

    path.write_text("".join(f"{word} {numbers}\n" for word, numbers in words.items()))
    first = d()
    exchanged = {**words, "a": words["b"], "b": words["a"]}
    path.write_text("".join(f"{word} {numbers}\n" for word, numbers in exchanged.items()))
    os.utime(path, ns=(1, 1))
    assert d() == -first
    assert d() == -first


def plain(text: str) -> str:
    return text.replace("\\", "")
