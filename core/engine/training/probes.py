"""A small network on frozen vectors: one hidden layer, trained until the loss of a validation split stops falling.

Every random draw (first weights, order of the examples, dropout) is made by a generator of its own from the seed, so
that equal seeds give equal networks whatever else the program computes.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ...run import UNWATCHED, Watch

FloatArray = NDArray[np.float64]
Vectors = NDArray[np.float32]
Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Network:
    """The shape and training of a network: vectors → ``hidden`` units → ReLU → dropout → classes.

    ``l2`` weights the sum of the squares of the output layer's weights in the loss. Training is by Adam at ``rate``,
    ``batch`` examples at a time, until the validation loss has not fallen for ``patience`` epochs, at most
    ``most_epochs``; the weights of the lowest validation loss are kept.
    """

    hidden: int
    batch_norm: bool
    dropout: float = 0.6
    l2: float = 0.1
    rate: float = 1e-3
    batch: int = 32
    patience: int = 20
    most_epochs: int = 300


@dataclass(frozen=True, eq=False)
class Fitted:
    """A trained network: ``epochs`` until the lowest validation loss, that loss (nats), and its logits.

    ``validation`` and ``test`` are float64 [example, class].
    """

    epochs: int
    validation_loss: float
    validation: FloatArray
    test: FloatArray


def fit(
    network: Network,
    train: tuple[Vectors, Labels],
    validation: tuple[Vectors, Labels],
    test: Vectors,
    *,
    classes: int,
    seed: int,
    run: Watch = UNWATCHED,
) -> Fitted | None:
    """Train on vectors ``(n, width)`` with labels ``(n,)`` from 0, and answer for the others; None when cancelled.

    Equal inputs and seeds give equal numbers on one machine. Always on the processor: such a network is too small for
    a GPU to be quicker. Raises ValueError for no examples.
    """
    if not len(train[1]) or not len(validation[1]):
        raise ValueError("No examples; needs at least one for training and one for validation.")
    generator = torch.Generator().manual_seed(seed)
    layers = _Layers(network, train[0].shape[1], classes, generator)
    optimizer = torch.optim.Adam(layers.parameters(), lr=network.rate)
    inputs, labels = torch.from_numpy(train[0]), torch.from_numpy(train[1])
    held, held_labels = torch.from_numpy(validation[0]), torch.from_numpy(validation[1])
    best, best_loss, best_epoch = copy.deepcopy(layers.state_dict()), np.inf, 0
    for epoch in range(1, network.most_epochs + 1):
        if run.cancelled():
            return None
        order = torch.randperm(len(labels), generator=generator)
        for part in torch.split(order, network.batch):
            if network.batch_norm and len(part) == 1 and len(labels) > 1:
                continue  # one example has no variance to normalise by
            logits = layers.forward(inputs[part], generator)
            loss = torch.nn.functional.cross_entropy(logits, labels[part]) + network.l2 * layers.output.square().sum()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        with torch.no_grad():
            found = float(torch.nn.functional.cross_entropy(layers.forward(held), held_labels))
        if found < best_loss:
            best, best_loss, best_epoch = copy.deepcopy(layers.state_dict()), found, epoch
        elif epoch - best_epoch >= network.patience:
            break
    layers.load_state_dict(best)
    with torch.no_grad():
        answers = [layers.forward(part).double().numpy() for part in (held, torch.from_numpy(test))]
    return Fitted(best_epoch, best_loss, *answers)


class _Layers(torch.nn.Module):
    """The network's weights."""

    def __init__(self, network: Network, width: int, classes: int, generator: torch.Generator) -> None:
        super().__init__()
        self._dropout = network.dropout
        self.hidden = torch.nn.Parameter(torch.empty(width, network.hidden))
        self.output = torch.nn.Parameter(torch.empty(network.hidden, classes))
        for weights in (self.hidden, self.output):
            torch.nn.init.xavier_uniform_(weights, generator=generator)
        self.hidden_bias = torch.nn.Parameter(torch.zeros(network.hidden))
        self.output_bias = torch.nn.Parameter(torch.zeros(classes))
        self.norm = torch.nn.BatchNorm1d(network.hidden) if network.batch_norm else None

    def forward(self, inputs: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
        """Logits [example, class]; with a generator as in training: dropout, and the batch's own mean and variance."""
        states = inputs @ self.hidden + self.hidden_bias
        if self.norm is not None:
            self.norm.train(generator is not None)
            states = self.norm(states)
        states = torch.relu(states)
        if generator is not None:
            kept = torch.rand(states.shape, generator=generator) >= self._dropout
            states = states * kept / (1 - self._dropout)
        return states @ self.output + self.output_bias
