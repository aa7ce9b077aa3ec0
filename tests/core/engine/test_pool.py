"""The pool: loaded once for everybody, bounded, lent, really freed; and the instance that gives attentions."""

from __future__ import annotations

import gc
import json
import shutil
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch

from core.engine import checkpoints, loading
from core.engine.checkpoints import ModelRequest
from core.engine.loading import LoadedModel
from core.engine.pool import ModelPool
from core.errors import ModelError, ModelNotFound
from tests.support.tiny import build, tiny_folder
from tests.support.watching import a_few_numbers, copy_of, load_tiny


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the models that were loaded, one entry per load."""
    names: list[str] = []
    real = loading.load

    def counting(checkpoint: checkpoints.Checkpoint, **options: Any) -> LoadedModel:
        names.append(checkpoint.name)
        return real(checkpoint, **options)

    monkeypatch.setattr(loading, "load", counting)
    return names


def ask(folder: Path | str, **options: Any) -> ModelRequest:
    return ModelRequest(str(folder), **{"device": "cpu", **options})


def use(pool: ModelPool, *folders: Path | str) -> None:
    """Borrow each model for a moment, one after the other."""
    for folder in folders:
        with pool.lease(ask(folder)):
            pass


@pytest.fixture
def three(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Folders named a, b and c with three different models of one size."""
    a, b, c = (build("bert", tmp_path / name, seed=seed) for seed, name in enumerate("abc"))
    return a, b, c


def test_a_model_is_loaded_once(loads: list[str]) -> None:
    pool = ModelPool()
    with pool.lease(ask(tiny_folder("bert"))) as first, pool.lease(ask(tiny_folder("bert"))) as second:
        assert first is second
    with pool.lease(ask(tiny_folder("bert"))) as third:
        assert third is first
    assert loads == ["bert"]
    assert pool.held() == ("bert",)


def test_threads_that_ask_at_once_share_one_load(loads: list[str]) -> None:
    """Eight threads, two models, both kinds of attention: two loads, and one instance of each kind per model."""
    expected = {family: a_few_numbers(load_tiny(family)) for family in ("bert", "gpt2")}
    loads.clear()
    pool = ModelPool()
    start = threading.Barrier(8)

    def borrow(i: int) -> tuple[str, str, int]:
        family, attention = ("bert", "gpt2")[i % 2], ("default", "eager")[i // 4]
        start.wait()
        with pool.lease(ask(tiny_folder(family), attention=attention)) as model:
            assert a_few_numbers(model) == pytest.approx(expected[family], abs=1e-5)
            return family, attention, id(model)

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(borrow, range(8)))
    assert sorted(loads) == ["bert", "gpt2"]
    assert len(set(found)) == 4


def test_the_least_recently_used_goes_first(three: tuple[Path, Path, Path], loads: list[str]) -> None:
    a, b, c = three
    pool = ModelPool(max_models=2)
    use(pool, a, b, a, c)
    assert pool.held() == ("a", "c")
    use(pool, b)
    assert pool.held() == ("c", "b")
    assert loads == ["a", "b", "c", "b"]


def test_bytes_are_a_bound_as_well(three: tuple[Path, Path, Path]) -> None:
    size = load_tiny("bert").nbytes()
    pool = ModelPool(max_models=10, max_bytes=2 * size)
    use(pool, *three)
    assert pool.held() == ("b", "c")
    pool = ModelPool(max_models=10, max_bytes=2 * size - 1)
    use(pool, *three)
    assert pool.held() == ("c",)


def test_a_lent_model_stays_until_it_comes_back(three: tuple[Path, Path, Path], loads: list[str]) -> None:
    a, b, c = three
    pool = ModelPool(max_models=1)
    with pool.lease(ask(a)) as lent:
        use(pool, b, c)
        assert "a" in pool.held()
        with pool.lease(ask(a)) as again:
            assert again is lent
        pool.clear()
        assert pool.held() == ("a",)
        assert a_few_numbers(lent)
    assert pool.held() == ("a",)
    assert loads == ["a", "b", "c"]


def test_all_that_are_lent_at_once_stay_and_one_is_left(three: tuple[Path, Path, Path]) -> None:
    a, b, c = three
    pool = ModelPool(max_models=1)
    with pool.lease(ask(a)), pool.lease(ask(b)), pool.lease(ask(c)):
        assert pool.held() == ("a", "b", "c")
    assert pool.held() == ("a",)  # returned last: c and b went when they came back


def test_a_model_comes_back_when_its_use_fails(three: tuple[Path, Path, Path]) -> None:
    a, b, _ = three
    pool = ModelPool(max_models=1)
    with pytest.raises(ZeroDivisionError), pool.lease(ask(a)):
        raise ZeroDivisionError
    use(pool, b)
    assert pool.held() == ("b",)


@pytest.mark.parametrize("attention", ["default", "eager"])
def test_an_evicted_model_is_freed(three: tuple[Path, Path, Path], attention: str) -> None:
    """Its module and its largest weight are gone, without waiting for a collection some time later."""
    a, b, _ = three
    pool = ModelPool(max_models=1)
    with pool.lease(ask(a, attention=attention)) as model:
        a_few_numbers(model)
        module, weight = weakref.ref(model.module), weakref.ref(model.module.get_input_embeddings().weight)
    del model
    gc.disable()
    try:
        assert module() is not None  # kept by the pool, nobody else
        use(pool, b)
        assert module() is None
        assert weight() is None
    finally:
        gc.enable()


def test_clear_frees_everything(three: tuple[Path, Path, Path]) -> None:
    pool = ModelPool()
    use(pool, *three)
    with pool.lease(ask(three[0])) as model:
        module = weakref.ref(model.module)
    del model
    pool.clear()
    assert pool.held() == ()
    assert module() is None


def test_room_is_made_before_the_next_is_loaded(
    three: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise two would be in memory where there is room for one."""
    a, b, _ = three
    pool = ModelPool(max_models=1)
    with pool.lease(ask(a)) as model:
        module = weakref.ref(model.module)
    del model
    alive: list[bool] = []
    real = loading.load

    def looking(checkpoint: checkpoints.Checkpoint, **options: Any) -> LoadedModel:
        alive.append(module() is not None)
        return real(checkpoint, **options)

    monkeypatch.setattr(loading, "load", looking)
    use(pool, b)
    assert alive == [False]


def test_changed_weights_are_loaded_anew(three: tuple[Path, Path, Path], loads: list[str]) -> None:
    a, b, _ = three
    pool = ModelPool()
    with pool.lease(ask(a)) as before:
        first = a_few_numbers(before)
    shutil.copy(b / "model.safetensors", a / "model.safetensors")
    with pool.lease(ask(a)) as after:
        assert a_few_numbers(after) != first
        assert after.info.digest != before.info.digest
    assert loads == ["a", "a"]


def test_precisions_are_models_of_their_own(loads: list[str]) -> None:
    pool = ModelPool()
    with pool.lease(ask(tiny_folder("bert"))) as full, pool.lease(ask(tiny_folder("bert"), dtype="bfloat16")) as half:
        assert (full.info.dtype, half.info.dtype) == ("float32", "bfloat16")
        assert half.module.dtype is torch.bfloat16
    assert loads == ["bert", "bert"]


def test_two_folders_with_the_same_weights_keep_their_own_names(tmp_path: Path) -> None:
    pool = ModelPool()
    for name in ("one", "two"):
        with pool.lease(ask(copy_of("bert", tmp_path / name))) as model:
            assert model.info.name == name


def test_a_model_that_cannot_be_had_leaves_the_pool_as_it_was(three: tuple[Path, Path, Path], tmp_path: Path) -> None:
    pool = ModelPool(max_models=2)
    use(pool, three[0])
    with pytest.raises(ModelNotFound), pool.lease(ask(tmp_path / "nothing")):
        pass
    broken = copy_of("bert", tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"")
    with pytest.raises(ModelError), pool.lease(ask(broken)):
        pass
    assert pool.held() == ("a",)
    use(pool, *three)
    assert pool.held() == ("b", "c")


def test_many_threads_on_a_small_pool(three: tuple[Path, Path, Path]) -> None:
    """Loads, loans and evictions at once: every borrower gets the model it asked for, and the bound holds after."""
    pool = ModelPool(max_models=1)
    expected = {}
    for folder in three:
        with pool.lease(ask(folder)) as model:
            expected[folder] = a_few_numbers(model)

    def borrow(i: int) -> bool:
        folder = three[i % 3]
        with pool.lease(ask(folder)) as model:
            return a_few_numbers(model) == pytest.approx(expected[folder], abs=1e-5)

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(borrow, range(24)))
    assert len(pool.held()) == 1


def test_a_changed_tokenizer_is_another_model(tmp_path: Path) -> None:
    """A lent model of the old files is not handed out for the new ones, though the weights are the same."""
    folder, pool = copy_of("bert", tmp_path / "model"), ModelPool()
    with pool.lease(ask(folder)) as before:
        numbers = a_few_numbers(before)
    settings = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = settings["model"]["vocab"]
    vocabulary["he"], vocabulary["she"] = vocabulary["she"], vocabulary["he"]
    (folder / "tokenizer.json").write_text(json.dumps(settings))
    with pool.lease(ask(folder)) as after:
        assert after.info.digest != before.info.digest
        assert a_few_numbers(after)[:2] != pytest.approx(numbers[:2], abs=1e-6)
