"""A corpus scan: equal to the sentences one by one, in parts, stopped, killed, gone on with, and refused."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from core.engine import loading
from core.engine.loading import LoadedModel
from core.engine.masked import MaskedScorer
from core.errors import NothingToScore, OptionError, WordListError
from core.measures.attention.scan import compute as scan
from core.measures.attention.scan import store
from core.measures.attention.scan.result import ScanResult
from core.measures.shared.twins import twin
from core.result import Progress
from core.run import Callbacks
from core.sources import CorpusFile
from tests.support.attention_results import measured
from tests.support.attention_results import scanned as run
from tests.support.watching import load_tiny

NAMES = ("nurse", "teacher", "doctor", "engineer", "secretary", "manager", "programmer", "housekeeper")


@pytest.fixture
def eager() -> LoadedModel:
    return loading.with_attentions(load_tiny("bert"))


@pytest.fixture
def corpus(tmp_path: Path) -> CorpusFile:
    """60 sentences: 40 that fit, 20 that do not, for three different reasons."""
    lines = []
    for at in range(20):
        name = NAMES[at % len(NAMES)]
        lines.append(f"The woman told him that the {name} was tired, number {at}.")
        lines.append(("He was calm.", "She asked him.", "It is not clear who was there.")[at % 3])
        lines.append(f"She told the {name} that he had done it {at} times, and the man asked her.")
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return CorpusFile(path)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "PART", 8)


def scanned(eager: LoadedModel, corpus: CorpusFile, folder: Path) -> ScanResult:
    return run(eager, load_tiny("bert"), corpus, folder)


def test_the_figures_are_those_of_the_sentences_one_by_one(
    eager: LoadedModel, corpus: CorpusFile, tmp_path: Path
) -> None:
    result = scanned(eager, corpus, tmp_path / "out")
    texts = [line for line in corpus.path.read_text(encoding="utf-8").splitlines() if "told" in line]
    values, heads = [], []
    for text, other in zip(texts, twin(MaskedScorer(load_tiny("bert")), texts), strict=True):
        assert other is not None
        one = measured([eager], text, other)
        detectors = one["heads"][one["heads"]["position"].notna()]
        heads.append(detectors["degree"].to_numpy().reshape(11, 4))
        values.append(one["positions"]["mean_degree"].to_numpy())
    found = result.profile
    np.testing.assert_allclose(found["mean_degree"], np.mean(values, axis=0), atol=1e-5)
    np.testing.assert_allclose(found["share_biased"], (np.array(heads) > 0).mean(axis=(0, 2)))
    rising = np.array(values)[:, 1] > np.array(values)[:, 0]
    assert found["share_rising"].iloc[1] == pytest.approx(rising.mean())
    assert (found["n"] == 40).all()
    np.testing.assert_allclose(found["median"], np.median(values, axis=0), atol=0.05)
    np.testing.assert_allclose(found["low"], np.min(values, axis=0), atol=1e-3)
    np.testing.assert_allclose(found["high"], np.max(values, axis=0), atol=1e-3)


def test_what_was_kept_and_why_not_is_counted(eager: LoadedModel, corpus: CorpusFile, tmp_path: Path) -> None:
    result = scanned(eager, corpus, tmp_path / "out")
    assert result.counts == {
        "kept": 40,
        "only male words": 7,
        "no occupation": 7,
        "no male or female word": 6,
    }
    assert not result.stopped
    assert result["occupations"]["n"].sum() == 40
    assert result["occupations"].iloc[0].tolist() == ["nurse", 6]  # 20 numbers over 8 names, twice each


def test_parts_hold_sentences_twins_degrees_and_provenance(
    eager: LoadedModel, corpus: CorpusFile, tmp_path: Path
) -> None:
    scanned(eager, corpus, tmp_path / "out")
    parts = sorted((tmp_path / "out").glob("part-*.parquet"))
    tables = [pq.read_table(path) for path in parts]
    assert [len(table) for table in tables] == [8, 8, 8, 8, 8, 0]
    first = tables[0].to_pylist()[0]
    assert first["sentence"] == "The woman told him that the nurse was tired, number 0."
    assert first["twin"] == "The man told her that the nurse was tired, number 0."
    assert (first["occupation"], len(first["degree"])) == ("nurse", (11 + 2) * 4)
    for path in parts:
        meta = pq.read_schema(path).metadata[b"tiltmeter"].decode()
        assert corpus.digest() in meta
        assert load_tiny("bert").info.digest in meta


class _After:
    """Cancels after so many questions."""

    def __init__(self, most: int) -> None:
        self.left = most

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def test_a_stopped_scan_keeps_its_parts_and_goes_on(
    eager: LoadedModel, corpus: CorpusFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = scanned(eager, corpus, tmp_path / "whole")
    folder = tmp_path / "out"
    asked: list[str] = []

    def noting(scorer: MaskedScorer, texts: list[str], **kwargs: object) -> tuple[str | None, ...]:
        asked.extend(texts)
        return twin(scorer, texts, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(scan, "twin", noting)
    stop = _After(12)
    part = run(eager, load_tiny("bert"), corpus, folder, run=Callbacks(cancelled=stop))
    done = part.counts["kept"]
    assert 0 < done < 40
    assert part.stopped
    begun = len(asked)
    assert begun - done <= 8  # no more than a part is lost
    rest = run(eager, load_tiny("bert"), corpus, folder)
    assert len(asked) - begun == 40 - done
    assert not rest.stopped
    assert rest.counts == whole.counts
    assert rest["positions"].equals(whole["positions"])


def test_a_killed_scan_loses_the_part_it_was_at(
    eager: LoadedModel, corpus: CorpusFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    plain, calls = store.pq.write_table, []

    def killed(table: object, path: Path) -> None:
        calls.append(path)
        if len(calls) == 3:
            path.write_bytes(b"half a part")
            raise KeyboardInterrupt
        plain(table, path)

    monkeypatch.setattr(store.pq, "write_table", killed)
    with pytest.raises(KeyboardInterrupt):
        scanned(eager, corpus, folder)
    monkeypatch.setattr(store.pq, "write_table", plain)
    assert scan.read(folder).counts["kept"] == 16  # a page may open it meanwhile
    rest = scanned(eager, corpus, folder)
    assert rest["positions"].equals(scanned(eager, corpus, tmp_path / "whole")["positions"])
    assert not list(folder.glob("*.tmp"))


def test_a_finished_scan_is_only_read(eager: LoadedModel, corpus: CorpusFile, tmp_path: Path) -> None:
    first = scanned(eager, corpus, tmp_path / "out")
    reports: list[Progress] = []
    again = run(eager, load_tiny("bert"), corpus, tmp_path / "out", run=Callbacks(reports.append))
    assert again["positions"].equals(first["positions"])
    assert not reports


def test_progress_counts_kilobytes_up_to_the_end(eager: LoadedModel, corpus: CorpusFile, tmp_path: Path) -> None:
    reports: list[Progress] = []
    run(eager, load_tiny("bert"), corpus, tmp_path / "out", run=Callbacks(reports.append))
    done = [report.done for report in reports]
    assert done == sorted(done)
    assert reports[-1].done == reports[-1].total == corpus.size() // 1024


def test_the_page_order_of_sentences_changes_no_figure(eager: LoadedModel, corpus: CorpusFile, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("\n".join(reversed(corpus.path.read_text(encoding="utf-8").splitlines())), encoding="utf-8")
    one, two = scanned(eager, corpus, tmp_path / "a"), scanned(eager, CorpusFile(other), tmp_path / "b")
    for column in ("mean_degree", "difference", "share_biased", "share_rising", "n"):
        np.testing.assert_allclose(
            one["positions"][column].astype(float), two["positions"][column].astype(float), atol=1e-6, equal_nan=True
        )


def test_a_model_that_looks_back_leaves_out_what_stands_behind(corpus: CorpusFile, tmp_path: Path) -> None:
    model = loading.with_attentions(load_tiny("gpt2"))
    path = tmp_path / "behind.txt"
    path.write_text("\n".join(f"The nurse told her that he saw {at}." for at in range(20)), encoding="utf-8")
    with pytest.raises(NothingToScore, match=r"behind the occupation \(the model reads left to right\): 20"):
        run(model, load_tiny("bert"), CorpusFile(path), tmp_path / "c")
    kept = run(model, load_tiny("bert"), corpus, tmp_path / "d").counts
    assert kept["kept"] == 20
    assert kept[scan.BEHIND] == 20


def test_a_sentence_too_long_is_counted(eager: LoadedModel, tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    long = "He told her that " + "the teacher was calm and " * 60 + "she was a nurse."
    path.write_text(f"{long}\nThe woman told him that the nurse was tired.\n", encoding="utf-8")
    assert scanned(eager, CorpusFile(path), tmp_path / "out").counts == {"kept": 1, "too long for the model": 1}


@pytest.mark.parametrize("text", ["", "It is not clear who was there.\n"])
def test_a_corpus_with_nothing_to_keep_says_so(eager: LoadedModel, tmp_path: Path, text: str) -> None:
    path = tmp_path / "c.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NothingToScore, match=r"No sentence of c.txt was kept"):
        scanned(eager, CorpusFile(path), tmp_path / "out")


def test_folders_that_hold_something_else_are_refused(eager: LoadedModel, corpus: CorpusFile, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="holds other files"):
        scanned(eager, corpus, tmp_path)
    with pytest.raises(OptionError, match="is a file"):
        scanned(eager, corpus, corpus.path)
    with pytest.raises(OptionError, match="holds no scan"):
        scan.read(tmp_path / "none")
    with pytest.raises(WordListError, match="There is no file"):
        scanned(eager, CorpusFile(tmp_path / "none.txt"), tmp_path / "out")
    scanned(eager, corpus, tmp_path / "out")
    other = tmp_path / "other.txt"
    other.write_text("The woman told him that the nurse was tired.", encoding="utf-8")
    with pytest.raises(OptionError, match="holds a scan of another corpus"):
        scanned(eager, CorpusFile(other), tmp_path / "out")
    with pytest.raises(OptionError, match="holds a scan of another model"):
        scanned(loading.with_attentions(load_tiny("distilbert")), corpus, tmp_path / "out")
    (tmp_path / "out" / "scan.json").write_text("{", encoding="utf-8")
    with pytest.raises(OptionError, match="is damaged"):
        scan.read(tmp_path / "out")


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("part-*.parquet"))


def test_parts_say_which_range_of_the_corpus_they_hold(eager: LoadedModel, corpus: CorpusFile, tmp_path: Path) -> None:
    """The 8th sentence kept is the 12th of the corpus: the first and the third of every three fit."""
    scanned(eager, corpus, tmp_path / "out")
    ranges = []
    for path in parts(tmp_path / "out"):
        meta = json.loads(pq.read_schema(path).metadata[b"tiltmeter"])
        ranges.append((meta["start"], meta["next"], meta["finished"]))
        assert path.name == f"part-{meta['start']:010d}.parquet"
    assert ranges == [
        (0, 12, False),
        (12, 24, False),
        (24, 36, False),
        (36, 48, False),
        (48, 60, False),
        (60, 60, True),
    ]


def test_a_second_writer_is_told_who_writes_and_nothing_is_doubled(
    eager: LoadedModel, corpus: CorpusFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second scan begins while the first is at its third part, and a reader opens the folder."""
    folder = tmp_path / "out"
    said: list[str] = []
    plain = store.write_part

    def between(at: Path, *arguments: object) -> None:
        if len(parts(at)) == 2 and not said:
            with pytest.raises(OptionError) as caught:
                scanned(eager, corpus, folder)
            said.append(str(caught.value))
            said.append(store.writer(folder))
            assert scan.read(folder).counts["kept"] == 16
        plain(at, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "write_part", between)
    result = scanned(eager, corpus, folder)
    who = f"process {os.getpid()} on {socket.gethostname()} since "
    assert said[0].startswith(f"Another scan is writing to {folder} ({who}")
    assert said[0].endswith("; wait until it ends, or open the scan to see its figures so far.")
    assert said[1].startswith(who)
    assert result.counts["kept"] == 40
    assert store.writer(folder) == ""
    assert store.writer(tmp_path) == ""


def test_another_process_is_kept_out_too(eager: LoadedModel, corpus: CorpusFile, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    take = "import sys; from filelock import FileLock; lock = FileLock(sys.argv[1]); lock.acquire()"
    code = f"{take}; print(1, flush=True); input()"  # a lock that has no name would be let go at once
    arguments = [sys.executable, "-c", code, str(folder / "scan.lock")]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert store.writer(folder) == "another program"
        with pytest.raises(OptionError, match="Another scan is writing to"):
            scanned(eager, corpus, folder)
        assert not parts(folder)
        other.kill()  # what was killed locks nothing
    assert scanned(eager, corpus, folder).counts["kept"] == 40


@pytest.mark.parametrize("damage", ["missing", "twice", "foreign", "unreadable"])
def test_parts_that_do_not_fit_together_are_said(
    eager: LoadedModel, corpus: CorpusFile, tmp_path: Path, damage: str
) -> None:
    folder, other = tmp_path / "out", tmp_path / "other"
    whole = scanned(eager, corpus, folder)
    second, third = parts(folder)[1:3]
    wrong = second
    if damage == "missing":
        second.unlink()
        wrong, message = (
            third,
            f"sentences 13 to 24 of the corpus are in no part; delete {third.name} and the parts after",
        )
    elif damage == "twice":
        wrong = folder / "part-0000000013.parquet"
        shutil.copy(second, wrong)
        message = f"sentences 13 to 24 of the corpus are in two parts and would count twice; delete {wrong.name}"
    elif damage == "foreign":
        changed = tmp_path / "changed.txt"
        changed.write_text(corpus.path.read_text(encoding="utf-8") + "\nShe left.", encoding="utf-8")
        scanned(eager, CorpusFile(changed), other)
        shutil.copy(other / second.name, second)
        message = f"{second.name} is a part of another scan; delete"
    else:
        second.write_bytes(second.read_bytes()[:-9])
        message = f"{second.name} cannot be read; delete it and those after it"
    for attempt in (lambda: scan.read(folder), lambda: scanned(eager, corpus, folder)):
        with pytest.raises(OptionError, match=re.escape(message)):
            attempt()
    # Following the advice gives the whole again.
    for path in parts(folder):
        if path.name >= wrong.name:
            path.unlink()
    assert scanned(eager, corpus, folder)["positions"].equals(whole["positions"])


def test_a_folder_is_never_made_with_its_parents(eager: LoadedModel, corpus: CorpusFile, tmp_path: Path) -> None:
    with pytest.raises(OptionError) as caught:
        scanned(eager, corpus, tmp_path / "none" / "out")
    assert str(caught.value) == (
        f"The folder {tmp_path / 'none'}, which should hold out, does not exist; create it first, or give another."
    )
    assert not (tmp_path / "none").exists()


def test_folders_of_others_stay_as_they_are(eager: LoadedModel, corpus: CorpusFile, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(OptionError, match="holds other files"):
        scanned(eager, corpus, tmp_path)
    assert sorted(tmp_path.iterdir()) == before


def test_an_assumed_encoding_is_in_the_result(eager: LoadedModel, tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    path.write_bytes("Zoë told him that the nurse was late, and she went to the café.\n".encode("cp1252"))
    result = scanned(eager, CorpusFile(path), tmp_path / "out")
    assert "c.txt is not UTF-8 text; it was read as Windows-1252, which gives “Zoë”, “café.”" in result.notes[0].text
    assert scan.read(tmp_path / "out").notes == result.notes
    assert pq.read_table(parts(tmp_path / "out")[0])["sentence"].to_pylist() == [
        "Zoë told him that the nurse was late, and she went to the café."
    ]


def test_a_signature_changes_with_every_part(eager: LoadedModel, corpus: CorpusFile, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    scanned(eager, corpus, folder)
    before = store.signature(folder)
    assert before == store.signature(folder)
    parts(folder)[-1].unlink()
    assert store.signature(folder) != before


def test_an_uneven_row_is_said_before_anything_is_scanned(eager: LoadedModel, tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    row = "1,The woman told him that the nurse was tired.\n"
    path.write_text("id,text\n" + row * 40 + "2,She left, he stayed.\n", encoding="utf-8")
    with pytest.raises(WordListError, match=r"Line 42 of c\.csv has 3 cells where the first row has 2"):
        run(eager, load_tiny("bert"), CorpusFile(path, "text"), tmp_path / "out")
    assert not (tmp_path / "out").exists()
