"""The swap of a file: each fault of the known ways is a test. Expected texts are written by hand.

The faults are those of the ready file of Bartl et al. 2020 (gap_flipped.tsv) and of lists walked in order.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from core import whole
from core.api import draw
from core.cli import main
from core.errors import ExportError, InputError, NothingToScore, UnsupportedModel, WordListError
from core.measures.mitigation.swap import compute
from core.measures.mitigation.swap.metric import tokens, unrestored
from core.measures.mitigation.swap.result import SwapResult
from core.measures.mitigation.swap.spec import SwapSpec
from core.measures.mitigation.texts_given import EXAMPLE
from core.run import Run
from core.sources.documents import read_documents
from core.spec import File
from tests.support.paths import SHARED
from tests.support.tiny import tiny_folder

HEAD = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
GAP = SHARED / "data" / "benchmarks" / "gap-test.tsv"
FLIPPED = GAP.with_name("gap_flipped.tsv")
TEXT = """\
He said that the book was his. The doctor lost his keys.
Mary Thomas lost her keys. Thomas asked Will Smith, and he helped her. Will you believe it? Mary did.
In May, May Brown told McKenzie Grant that MARY was late.
"""


def of(text: str, name: str = "x.txt", **more: Any) -> SwapSpec:
    return SwapSpec(file=File.of(name, text.encode()), every=True, **more)


def rows(result: SwapResult, table: str, *columns: str) -> list[tuple[Any, ...]]:
    return list(result[table][list(columns)].itertuples(index=False, name=None))


@pytest.fixture(scope="module")
def result() -> SwapResult:
    return of(TEXT).run()


def test_a_text_by_hand(result: SwapResult) -> None:
    assert compute.swapped_file(result).decode() == (
        "She said that the book was hers. The doctor lost her keys.\n"
        "John Thomas lost his keys. Thomas asked Krystal Smith, and she helped him. Will you believe it? John did.\n"
        "In May, Luca Brown told Bentley Grant that JOHN was late.\n"
    )


def test_each_change_has_a_place_and_a_reason(result: SwapResult) -> None:
    changes = result["changes"]
    for row in changes.to_dict("records"):
        text = TEXT.splitlines()[int(str(row["document"]).removeprefix("line ")) - 1]
        assert text[row["start"] :].startswith(row["before"])
        assert row["reason"]
    of_second = changes[changes["document"] == "line 2"]
    assert list(zip(of_second["before"], of_second["after"], of_second["kind"], strict=True)) == [
        ("Mary", "John", "name"),
        ("her", "his", "pronoun"),
        ("Will", "Krystal", "name"),
        ("he", "she", "pronoun"),
        ("her", "him", "pronoun"),
        ("Mary", "John", "name"),
    ]
    reasons = list(of_second["reason"])
    assert reasons[0] == "first name before a surname"
    assert re.fullmatch(r"the model finds “his” [\d,.]+ times as likely as “him” here|.*over 1,000 times.*", reasons[1])
    assert reasons[5] == "first name, as elsewhere in this text"
    first = changes[changes["document"] == "line 1"]
    assert list(first["reason"]) == ["pronoun", "stands alone", "before a noun"]


def test_the_counts_are_those_of_the_tables(result: SwapResult) -> None:
    # By hand: 3 + 6 + 3 changes; tokens: 8 + 6, 6 + 10 + 5 + 3, 13 (each full stop and comma is one).
    assert rows(result, "summary", "what", "kind", "n")[:8] == [
        ("documents", "all", 3),
        ("documents", "swapped", 3),
        ("documents", "kept", 0),
        ("changes", "all", 12),
        ("changes", "pronoun", 6),
        ("changes", "word", 0),
        ("changes", "title", 0),
        ("changes", "name", 6),
    ]
    assert result.n("tokens") == sum(len(tokens(line)) for line in TEXT.splitlines())
    assert tokens("In May, he's “so-so”.") == ["In", "May", ",", "he", "'", "s", "“", "so", "-", "so", "”", "."]
    assert draw(result).data[0].x[:4] == (6, 0, 0, 6)


def test_half_of_the_documents_by_the_seed_not_all_of_them() -> None:
    text = "".join(f"He came, number {at}.\n" for at in range(400))
    file = File.of("x.txt", text.encode())
    chosen = {seed: compute.chosen(400, SwapSpec(file=file, seed=seed)) for seed in range(20)}
    assert chosen[3] == compute.chosen(400, SwapSpec(file=file, seed=3))
    assert len({tuple(places) for places in chosen.values()}) == 20
    counts = [len(places) for places in chosen.values()]
    assert sum(counts) / len(counts) == pytest.approx(200, abs=10)  # three standard errors are 6.7
    assert all(150 < count < 250 for count in counts)  # five standard deviations
    assert compute.chosen(400, SwapSpec(file=file, every=True)) == list(range(400))


def test_documents_that_are_not_chosen_stay_byte_for_byte() -> None:
    text = "".join(f"He came, number {at}.\r\n" for at in range(20))
    spec = SwapSpec(file=File.of("x.txt", text.encode()), seed=1)
    result = spec.run()
    chosen = compute.chosen(20, spec)
    expected = "".join(f"{'She' if at in chosen else 'He'} came, number {at}.\r\n" for at in range(20))
    assert compute.swapped_file(result).decode() == expected
    assert result.n("documents", "swapped") == len(chosen)
    assert sorted(result["documents"].loc[result["documents"]["swapped"], "line"]) == [at + 1 for at in chosen]


def test_labels_and_offsets_of_a_gap_file_move_along() -> None:
    text = "Elizabeth met Ann Brown. Later she gave Ann her hat, and Elizabeth's brother his."
    cells = [
        "d-1",
        text,
        "her",
        str(text.index("her hat")),
        "Elizabeth",
        "0",
        "TRUE",
        "Ann",
        str(text.index("Ann her")),
    ]
    cells += ["FALSE", "http://en.wikipedia.org/wiki/Elizabeth"]
    spec = of(f"{HEAD}\n" + "\t".join(cells) + "\n", "gap.tsv")
    written = compute.swapped_file(spec.run()).decode()
    after = "William met Carl Brown. Later he gave Carl his hat, and William's sister hers."
    moved = ["d-1", after, "his", str(after.index("his hat")), "William", "0", "TRUE", "Carl"]
    moved += [str(after.index("Carl his")), "FALSE", "http://en.wikipedia.org/wiki/Elizabeth"]
    assert written == f"{HEAD}\n" + "\t".join(moved) + "\n"
    (document,) = read_documents(written.encode(), "gap.tsv").documents
    assert [document.text[label.start : label.stop] for label in document.labels] == ["his", "William", "Carl"]


def test_what_swapping_back_does_not_restore_is_listed() -> None:
    result = of("Ms. Brown sings. The poetess came.").run()  # Mr, then Mrs; poet, which stays
    assert rows(result, "unrestored", "token", "before", "after") == [(1, "Ms", "Mrs"), (7, "poetess", "poet")]
    assert result.restored_share == 1 - 2 / 9
    assert unrestored("a b c", "a x c") == [(2, "b", "x")]
    assert unrestored("ma'am came", "sir came") == [(1, "ma", "sir"), (2, "'", "sir"), (3, "am", "sir")]


def test_a_choice_that_the_model_is_unsure_of_is_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "LEAST_MARGIN", 1e9)
    found = of("Mary saw her bag.").run()["doubts"]
    assert list(found["kind"]) == ["grammatical doubt"]
    assert found["reason"].iloc[0].startswith("became “his”, which the model finds only")


def test_a_run_that_is_stopped_writes_no_file_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "CHUNK", 1)
    spec = of(TEXT, out=tmp_path / "out.txt")
    first: Run[Any] = Run(spec)
    heard: list[int] = []
    first.report = lambda progress: heard.append(progress.done)  # type: ignore[method-assign]
    first.cancelled = lambda: heard[-1:] == [1]  # type: ignore[method-assign]
    part = spec.run(first)
    assert part.stopped
    assert part.n("documents") == 1
    assert not list(tmp_path.iterdir())
    assert any("no file was written" in note.text for note in part.notes)
    second: Run[Any] = Run(spec)
    second.memory = first.memory
    whole, again = of(TEXT).run(), spec.run(second)
    assert all(again[table].equals(whole[table]) for table in whole.tables)
    assert (tmp_path / "out.txt").read_bytes() == compute.swapped_file(whole)
    stopped: Run[Any] = Run(spec)
    stopped.cancelled = lambda: True  # type: ignore[method-assign]
    with pytest.raises(NothingToScore):
        spec.run(stopped)


def test_the_command_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, out = tmp_path / "in.txt", tmp_path / "out.txt"
    given.write_text(TEXT, encoding="utf-8")
    assert main(["swap", str(given), "--out", str(out), "--all", "--seed", "4"]) == 0
    assert out.read_bytes() == compute.swapped_file(of(TEXT).run())
    assert "first name" not in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt", "out.txt"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no-such.txt"], "no-such.txt cannot be read"),
        (["empty.txt"], "is empty"),
        (["table.csv"], "lacks the columns"),
        (["in.txt", "--out", "in.txt"], "holds the text that is to be swapped"),
        (["in.txt", "--out", "copy.txt"], "holds the text that is to be swapped"),
        (["in.txt", "--out", "nowhere/out.txt"], "There is no folder"),
        (["in.txt", "--out", "."], "is a folder"),
        (["in.txt", "--model", "default", "--model", "x/y"], "one decides"),
    ],
)
def test_bad_requests_are_refused_with_a_sentence_and_nothing_is_written(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in {"in.txt": TEXT, "copy.txt": TEXT, "empty.txt": "", "table.csv": "a,b\n1,2\n"}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr("core.engine.loading.load", None)
    assert main(["swap", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ExportError, match=r"cannot be written: No space left on device\."):
        whole.write(tmp_path / "out.txt", b"x")
    assert not list(tmp_path.iterdir())


def test_a_model_that_has_no_mask_is_refused() -> None:
    with pytest.raises(UnsupportedModel):
        of(TEXT, models=(str(tiny_folder("gpt2")),)).run()


def test_the_example_shows_every_kind() -> None:
    result = SwapSpec(every=True).run()
    assert (result["summary"].set_index("kind").loc[["pronoun", "word", "title", "name"], "n"] > 0).all()
    assert result.n("doubts") > 0
    assert result.restored_share > 0.99
    assert SwapSpec().run().n("documents", "swapped") not in (0, 8)
    assert read_documents(EXAMPLE.read_bytes(), EXAMPLE.name).kind == "lines"


@pytest.mark.skipif(not FLIPPED.is_file(), reason="needs gap_flipped.tsv")
def test_the_ready_file_is_refused_since_its_labels_did_not_move() -> None:
    with pytest.raises(WordListError, match=r"Line 2 of .* 4,4\d\d other lines have a fault too"):
        SwapSpec.of({"text_file": (File.of(FLIPPED.name, FLIPPED.read_bytes()),)})


@pytest.mark.skipif(not GAP.is_file(), reason="needs gap-test.tsv")
def test_a_part_of_gap_comes_back_and_keeps_its_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """20 rows: at least 99 % of the tokens restored, each name the same everywhere, no surname swapped."""
    lines = GAP.read_text(encoding="utf-8").splitlines(keepends=True)
    spec = of("".join((lines[0], *lines[1:2000:100])), GAP.name)
    result = spec.run()
    assert result.restored_share >= 0.99
    read_documents(compute.swapped_file(result), GAP.name)  # refuses labels that do not fit
    texts = result["texts"].set_index("document")["before"]
    for name, changes in result["changes"].groupby("document"):
        names = changes[changes["kind"] == "name"]
        assert names.empty or names.groupby("before")["after"].nunique().max() == 1
        places = set(names["start"])
        for row in names.to_dict("records"):
            # Whatever stands behind a first name that is swapped is its second one or a surname, which stays.
            before = re.search(r"(\w+) $", texts[name][: row["start"]])
            if before is not None and before.start() in places:
                assert row["reason"] in ("second first name", "first name before a surname"), (name, row)


def test_the_seed_is_a_number_of_the_spec() -> None:
    with pytest.raises(InputError):
        SwapSpec(seed=-1)
