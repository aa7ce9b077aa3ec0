"""Data sets by name: folders are really loaded by the library, and the network is refused in every way it can be."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request

import datasets
import pytest
from datasets import ClassLabel, Dataset, Features, List, Value

from core.errors import WordListError
from core.sources.benchmarks import (
    CROWS_PAIRS,
    STEREOSET,
    WINOBIAS,
    WINOGENDER,
    Association,
    SentencePair,
    from_library,
    is_library_name,
)
from core.sources.benchmarks import hub as under_test

INSTEAD = "Download the file from the authors and give that instead."


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    datasets.disable_progress_bars()


def folder(tmp_path: Path, **splits: Dataset) -> str:
    place = tmp_path / "set"
    (place / "data").mkdir(parents=True)
    for name, table in splits.items():
        table.to_parquet(place / "data" / f"{name}-00000-of-00001.parquet")
    return str(place)


def pairs(first: int = 0) -> Dataset:
    types = ClassLabel(names=["age", "gender"])
    features = Features(
        {
            "id": Value("int32"),
            "sent_more": Value("string"),
            "sent_less": Value("string"),
            "stereo_antistereo": ClassLabel(names=["stereo", "antistereo"]),
            "bias_type": types,
            "annotations": List(List(types)),
        }
    )
    return Dataset.from_dict(
        {
            "id": [first, first + 1],
            "sent_more": ["He ran.", "Old men sat."],
            "sent_less": ["She ran.", "Young men sat."],
            "stereo_antistereo": [1, 0],
            "bias_type": [1, 0],
            "annotations": [[[1], [0, 1]], []],
        },
        features=features,
    )


def test_numbers_of_labels_become_their_names(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    name = folder(tmp_path, test=pairs())
    capfd.readouterr()
    found = from_library(CROWS_PAIRS, name)
    assert found.items == (
        SentencePair("0", "gender", "He ran.", "She ran.", "antistereo"),
        SentencePair("1", "age", "Old men sat.", "Young men sat.", "stereo"),
    )
    assert found.source == "set, split test, read by the datasets library"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("labels", [ClassLabel(names=["anti-stereotype", "stereotype", "unrelated"]), Value("int32")])
@pytest.mark.parametrize("listed", [True, False])
def test_stereoset_with_named_and_with_bare_numbers(tmp_path: Path, labels: Any, listed: bool) -> None:
    texts = ["It is cold.", "It is hot.", "It is cup."]
    plain = {"sentence": Value("string"), "gold_label": labels}
    sentences: Any = [{"sentence": text, "gold_label": number} for number, text in enumerate(texts)]
    if not listed:
        sentences = {"sentence": texts, "gold_label": [0, 1, 2]}
    inner: Any = List(plain) if listed else {key: List(value) for key, value in plain.items()}
    columns = {"id": "a", "target": "Peru", "bias_type": "race", "context": "It is BLANK."}
    features = Features({**{key: Value("string") for key in columns}, "sentences": inner})
    table = Dataset.from_list([{**columns, "sentences": sentences}], features=features)
    found = from_library(STEREOSET, folder(tmp_path, validation=table))
    assert found.items == (Association("a", "race", "Peru", "It is BLANK.", "hot", "cold", "cup"),)


def test_a_split_is_named_where_there_are_several(tmp_path: Path) -> None:
    name = folder(tmp_path, train=pairs(), test=pairs(5))
    assert [item.item for item in from_library(CROWS_PAIRS, f"{name}:test").items] == ["5", "6"]
    with pytest.raises(WordListError, match=r"has the splits train, test; name one, such as .*:train"):
        from_library(CROWS_PAIRS, name)
    with pytest.raises(WordListError, match="has no split dev; there are: train, test"):
        from_library(CROWS_PAIRS, f"{name}:dev")


def test_a_csv_file_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "all.tsv").write_text(
        "sentid\tsentence\ncook.guest.1.male.txt\tThe cook won, he said.\n"
        "cook.guest.1.female.txt\tThe cook won, she said.\n",
        encoding="utf-8",
    )
    (item,) = from_library(WINOGENDER, str(tmp_path / "set")).items
    assert (item.text, item.first, item.second) == ("The cook won, [MASK] said.", "he", "she")


def test_rows_of_another_kind_are_told_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(
        WordListError, match="is not recognised as WinoBias: its columns are “id”, “sent_more”"
    ) as caught:
        from_library(WINOBIAS, folder(tmp_path, test=pairs()))
    assert str(caught.value).endswith(WINOBIAS.expects)


def test_too_many_rows_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "MAX_ROWS", 1)
    with pytest.raises(WordListError, match="has 2 rows; at most 1 are allowed"):
        from_library(CROWS_PAIRS, folder(tmp_path, test=pairs()))


def test_code_of_a_data_set_is_not_run(tmp_path: Path) -> None:
    place = tmp_path / "set"
    place.mkdir()
    (place / "set.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    with pytest.raises(WordListError, match="asks to run code of its own, which is not done here") as caught:
        from_library(CROWS_PAIRS, str(place))
    assert str(caught.value).endswith(INSTEAD)
    assert not (tmp_path / "ran").exists()


def test_a_folder_without_data(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    with pytest.raises(
        WordListError, match=r"cannot be read \(EmptyDatasetError: .*doesn't contain any data files\). Download"
    ):
        from_library(CROWS_PAIRS, str(tmp_path / "set"))


def test_without_a_network_nothing_is_tried_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Any] = []

    def closed(*asked: Any, **_: Any) -> Any:
        tried.append(asked)
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(socket, "getaddrinfo", closed)
    before = datasets.config.HF_HUB_OFFLINE
    for name in ("nobody-of-that-name/no-such-set", "nobody-of-that-name/no-such-set/part:test"):
        with pytest.raises(WordListError, match="is not on this machine and the hub could not be reached") as caught:
            from_library(CROWS_PAIRS, name)
        assert str(caught.value).endswith(INSTEAD)
    assert len(tried) <= 2
    assert before == datasets.config.HF_HUB_OFFLINE


def test_two_sessions_without_a_hub_do_not_keep_the_library_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first load restores the flag only after the second has read it: what was read then would stay for good."""
    both = threading.Barrier(2)
    flags: list[bool] = []

    def load(place: str, config: str | None) -> Any:
        flags.append(datasets.config.HF_HUB_OFFLINE)
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(timeout=0.3)  # where both could load at once, they would meet here
        return {"test": pairs()}

    monkeypatch.setattr(datasets, "load_dataset", load)
    monkeypatch.setattr(under_test, "_answers", lambda address: False)
    before = datasets.config.HF_HUB_OFFLINE
    sessions = [threading.Thread(target=from_library, args=(CROWS_PAIRS, "owner/name")) for _ in range(2)]
    for session in sessions:
        session.start()
    for session in sessions:
        session.join()
    assert flags == [True, True]
    assert before == datasets.config.HF_HUB_OFFLINE
    assert both.broken


def test_a_name_that_the_hub_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str | None]] = []

    def unknown(place: str, config: str | None) -> Any:
        asked.append((place, config))
        raise datasets.exceptions.DatasetNotFoundError("not there")

    monkeypatch.setattr(datasets, "load_dataset", unknown)
    monkeypatch.setattr(under_test, "_answers", lambda address: True)
    with pytest.raises(WordListError, match="There is no data set owner/name/part:test, or it asks for a login"):
        from_library(CROWS_PAIRS, "owner/name/part:test")
    assert asked == [("owner/name", "part")]


def test_the_source_names_configuration_and_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "load_dataset", lambda place, config: {"test": pairs()})
    monkeypatch.setattr(under_test, "_answers", lambda address: True)
    found = from_library(CROWS_PAIRS, "owner/name/part:test")
    assert found.source == "owner/name, configuration part, split test, read by the datasets library"


def test_a_server_that_refuses_is_there_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(request: Request, timeout: float) -> Any:
        raise HTTPError(request.full_url, 403, "no", None, None)  # type: ignore[arg-type]

    monkeypatch.setattr(under_test, "urlopen", refuses)
    assert under_test._answers("https://example.org")


@pytest.mark.parametrize("name", ["csv", "a b", "a/b/c/d", "", "/nowhere/x", "a/b:", "https://a/b"])
def test_what_is_no_name(name: str) -> None:
    assert not is_library_name(name)
    with pytest.raises(WordListError, match="names no data set; write owner/name or"):
        from_library(CROWS_PAIRS, name)


def test_what_is_a_name() -> None:
    assert is_library_name("owner/name")
    assert is_library_name("owner/name/part:test")


def test_a_full_disk_is_not_a_missing_network(monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")

    def fail(place: str, config: str | None) -> Any:
        raise ConnectionError("while writing") from full

    monkeypatch.setattr(datasets, "load_dataset", fail)
    monkeypatch.setattr(under_test, "_answers", lambda address: True)
    with pytest.raises(WordListError, match="could not be put on this machine: the disk is full"):
        from_library(CROWS_PAIRS, "owner/name")


CAUSES = {
    "the hub could not be reached": ConnectionResetError("in the middle"),
    "could not be put on this machine: the disk can only be read": OSError(errno.EROFS, "Read-only file system"),
    "cannot be read (KeyError: 'features')": KeyError("features"),
    "cannot be read (TypeError: none)": TypeError("none\nand more"),
}


@pytest.mark.parametrize(("sentence", "error"), CAUSES.items())
def test_each_cause_has_its_own_sentence(sentence: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(place: str, config: str | None) -> Any:
        raise error

    monkeypatch.setattr(datasets, "load_dataset", fail)
    monkeypatch.setattr(under_test, "_answers", lambda address: True)
    with pytest.raises(WordListError) as caught:
        from_library(CROWS_PAIRS, "owner/name")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is error
