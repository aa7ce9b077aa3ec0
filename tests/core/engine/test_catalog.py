"""Names of models: what is on offer, what a typed text is taken for, and the help when it is neither."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.engine import catalog
from core.engine.catalog import DEFAULT, EXTRA, CatalogEntry, entries, find, locate, looks_like_path, user_models
from core.engine.checkpoints import ModelRequest, request
from core.errors import BadModelName
from tests.support.paths import EMBEDDED


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, so that a model this machine's user has converted plays no part."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_embedded_model_comes_first_and_is_the_default() -> None:
    first = entries()[0]
    assert (first.name, first.kind, first.origin, first.cased) == (DEFAULT, "masked", "embedded", False)
    assert Path(first.id) == EMBEDDED
    assert {path.name for path in EMBEDDED.iterdir()} >= {"config.json", "model.safetensors", "tokenizer.json"}
    assert find("default") == find(DEFAULT) == first


def test_every_entry_is_complete_and_found_by_name_and_by_id() -> None:
    names = [entry.name for entry in entries()]
    assert len(set(names)) == len(names)
    for entry in entries():
        assert find(entry.name) == find(entry.id) == entry
        assert entry.kind in ("masked", "causal")
        assert entry.languages
        assert entry.family
        assert entry.origin == "embedded" or entry.id.count("/") == 1
        assert locate(entry.name) == locate(entry.id) == (entry.name, entry.id)


def test_the_families_that_are_promised_are_on_offer() -> None:
    families = {entry.family for entry in entries()}
    promised = "BERT DistilBERT ALBERT RoBERTa XLM-R ELECTRA MPNet ModernBERT MobileBERT GPT-2 OPT GPT-NeoX Llama"
    assert families >= {*promised.split(), "Qwen", "Gemma"}
    assert any("de" in entry.languages for entry in entries())


def test_a_converted_model_is_listed_once_it_is_there(own_cache: Path) -> None:
    folder = own_cache / "tiltmeter" / "models" / EXTRA.name
    assert find(EXTRA.name) is None
    folder.mkdir(parents=True)
    assert find(EXTRA.name) is None  # a folder without a model in it
    (folder / "config.json").write_text("{}")
    assert find(EXTRA.name) == CatalogEntry(EXTRA.name, str(folder), "causal", "Llama", ("en",), True, "local")
    assert entries()[1].name == EXTRA.name
    assert locate(EXTRA.name) == (EXTRA.name, str(folder))


def test_where_converted_models_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert user_models() == tmp_path / "cache" / "tiltmeter" / "models"
    monkeypatch.delenv("TILTMETER_CACHE")
    assert user_models() == tmp_path / "xdg" / "tiltmeter" / "models"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert user_models() == tmp_path / "home" / ".cache" / "tiltmeter" / "models"


def test_a_folder_is_known_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "my-model"
    folder.mkdir()
    assert locate(str(folder)) == locate(f" {folder}/ ") == ("my-model", str(folder))
    monkeypatch.chdir(tmp_path)
    assert locate("my-model") == locate("./my-model") == ("my-model", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert locate("~/my-model") == ("my-model", str(folder))


def test_a_hub_id_is_known_by_its_last_part() -> None:
    assert locate("someone/some-model") == ("some-model", "someone/some-model")


@pytest.mark.parametrize("path", ["/nowhere/at-all", "./at-all", "../at-all", "~/at-all", "C:\\at-all", ".\\at-all"])
def test_a_path_stays_a_path_when_nothing_is_there(path: str) -> None:
    assert looks_like_path(path)
    assert locate(path)[1] == path


@pytest.mark.parametrize("text", ["bert-base-uncased", "owner/name", "default", "a.b/c.d"])
def test_a_name_is_no_path(text: str) -> None:
    assert not looks_like_path(text)


@pytest.mark.parametrize(
    ("typed", "meant"), [("bert-base-uncasd", "bert-base-uncased"), ("gpt-2", "gpt2"), ("roberta", "roberta-base")]
)
def test_a_misspelt_name_gets_the_nearest_ones(typed: str, meant: str) -> None:
    with pytest.raises(BadModelName, match="Did you mean") as caught:
        locate(typed)
    assert typed in str(caught.value)
    assert meant in str(caught.value)


def test_a_name_like_no_other_gets_the_command_that_names_all() -> None:
    with pytest.raises(BadModelName, match=f"“python -m core models” names all {len(entries())}\\.") as caught:
        locate("zzzzzzzz")
    assert "owner/name" in str(caught.value)


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_text_names_no_model(text: str) -> None:
    """The folder the program happens to run in is not what was meant."""
    with pytest.raises(BadModelName):
        locate(text)


@settings(deadline=None)
@example("~nobody-of-this-name")
@example("x" * 300)
@example("a/" + "x" * 300)
@example("null\0byte")
@given(st.text(max_size=30))
def test_any_text_is_located_or_refused_with_a_sentence(text: str) -> None:
    with suppress(BadModelName):
        assert locate(text)[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("owner/name@rev", ModelRequest("owner/name", "rev")),
        (" owner/name@refs/pr/1 ", ModelRequest("owner/name", "refs/pr/1")),
        ("gpt2@main", ModelRequest("gpt2", "main")),
        ("owner/name", ModelRequest("owner/name")),
        ("owner/name@", ModelRequest("owner/name")),
        ("default", ModelRequest()),
        ("/folder/a@b", ModelRequest("/folder/a@b")),
        ("./a@b", ModelRequest("./a@b")),
    ],
)
def test_a_request_from_what_was_typed(text: str, expected: ModelRequest) -> None:
    assert request(text) == expected


def test_a_folder_with_an_at_sign_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a@b").mkdir()
    monkeypatch.chdir(tmp_path)
    assert request("a@b") == ModelRequest("a@b")
    assert catalog.locate("a@b") == ("a@b", str(tmp_path / "a@b"))


def test_a_request_carries_precision_and_device() -> None:
    assert request("gpt2", dtype="float16", device="cpu") == ModelRequest("gpt2", None, "float16", "cpu")
