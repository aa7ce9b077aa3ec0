"""Small networks on frozen vectors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy.special import log_softmax

from core.engine.training.probes import Fitted, Network, fit
from core.run import Callbacks

SMALL = Network(8, batch_norm=False, dropout=0.5, l2=0.01, patience=5, most_epochs=40)
Examples = tuple[NDArray[np.float32], NDArray[np.int64]]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def examples(n: int, seed: int) -> Examples:
    """Three clouds of points, one a class."""
    generator = np.random.default_rng(seed)
    labels = generator.integers(3, size=n)
    centres = np.array([[4, 0, 0, 1], [0, 4, 0, 1], [0, 0, 4, 1]])
    return (centres[labels] + generator.normal(size=(n, 4))).astype(np.float32), labels.astype(np.int64)


def fitted(network: Network = SMALL, seed: int = 0) -> Fitted:
    found = fit(network, examples(90, 1), examples(60, 2), examples(50, 3)[0], classes=3, seed=seed)
    assert found is not None
    return found


@pytest.mark.parametrize("batch_norm", [False, True])
def test_it_learns_what_can_be_told_apart(batch_norm: bool) -> None:
    found = fitted(Network(8, batch_norm=batch_norm, dropout=0.5, l2=0.01, rate=0.01, patience=10))
    assert (found.test.argmax(axis=1) == examples(50, 3)[1]).mean() > 0.9
    assert found.test.shape == (50, 3)


def test_equal_seeds_give_equal_networks_whatever_others_draw() -> None:
    first = fitted(seed=4)
    torch.manual_seed(99)
    torch.rand(7)
    again = fitted(seed=4)
    assert np.array_equal(first.test, again.test)
    assert (first.epochs, first.validation_loss) == (again.epochs, again.validation_loss)
    assert not np.allclose(first.test, fitted(seed=5).test)


def test_no_draw_is_made_of_the_generator_that_all_share() -> None:
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    fitted()
    assert torch.equal(torch.rand(3), expected)


def test_the_weights_of_the_lowest_validation_loss_are_kept() -> None:
    found = fitted()
    labels = examples(60, 2)[1]
    loss = -log_softmax(found.validation, axis=1)[np.arange(60), labels].mean()
    assert loss == pytest.approx(found.validation_loss, abs=1e-5)
    longer = fitted(Network(8, batch_norm=False, dropout=0.5, l2=0.01, patience=40, most_epochs=40))
    assert longer.validation_loss <= found.validation_loss


def test_training_ends_when_nothing_is_learned() -> None:
    still = fitted(Network(8, batch_norm=False, rate=0.0, patience=3, most_epochs=1000))
    assert still.epochs == 1


def test_one_that_is_stopped_gives_nothing() -> None:
    asked = iter([False, False, True])
    found = fit(
        SMALL, examples(90, 1), examples(60, 2), examples(50, 3)[0], classes=3, seed=0,
        run=Callbacks(cancelled=lambda: next(asked)),
    )  # fmt: skip
    assert found is None


def test_without_examples_nothing_is_trained() -> None:
    with pytest.raises(ValueError, match="at least one"):
        fit(SMALL, examples(0, 1), examples(60, 2), examples(50, 3)[0], classes=3, seed=0)
