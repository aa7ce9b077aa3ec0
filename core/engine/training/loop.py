"""The loop that every training goes through: a plain one whose every draw follows from the seed.

A training that is stopped or killed and resumed gives the weights, bit for bit on a processor, of one that never was.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import torch

from ...errors import ModelError
from ...result import Progress
from ...run import UNWATCHED, Watch
from ..parentage import Parentage, Settings
from . import folders, places
from .dropout import OwnDropout
from .folders import History, State, Step
from .masking import Draw, seed_of

KEEP_EVERY = 300.0  # seconds between two states that are kept
MOST_LISTED = 500  # steps
_MOST_WATCHED = 40  # points of the curve of a training under way; a single step's loss says little
CLIP = 1.0  # of the gradient's norm
_BETAS, _EPSILON, _DECAY = (0.9, 0.999), 1e-8, 0.0


class Objective(Protocol):
    """What is trained, and on what: ``module`` is trained in place, and its loss on ``batch`` is what falls.

    ``name`` is that of the model in messages.
    """

    name: str
    module: Any

    def batch(self, step: int) -> Mapping[str, torch.Tensor]:
        """The inputs of a step, a function of the step alone."""


def bytes_needed(parameters: int, models: int) -> int:
    """Bytes on the disk of ``models`` trainings one after the other: each model, and two states of one training."""
    size = 4 * parameters
    return models * size + 2 * 3 * size  # of an adapter's state little is left; better too much than a full disk


def rate_at(settings: Settings, step: int, steps: int) -> float:
    """The learning rate of a step, from 0: a linear rise over the warm-up, then a linear fall that ends at 0."""
    rise = math.ceil(settings.warmup * steps)
    if step < rise:
        return settings.rate * (step + 1) / rise
    return settings.rate * (steps - step) / (steps - rise)


def train(
    objective: Objective,
    identity: Parentage,
    folder: Path,
    *,
    tokenizer_of: Path,
    run: Watch = UNWATCHED,
    stage: str = "Fine-tuning",
    keep_every: float = KEEP_EVERY,
) -> tuple[History, bool]:
    """Train what an objective holds, into a folder; its history, and whether it was finished.

    Resumes from what an earlier training into this folder kept. A run that is cancelled keeps its state, and so does
    one that is killed, every ``keep_every`` seconds.

    Raises OptionError for a folder of something else, ExportError where the disk refuses, ModelError where the loss is
    no number any more.
    """
    places.check(folder)
    with folders.held(folder):
        training = Training(objective, identity.settings, identity.steps)
        state = folders.load_state(folder, identity)
        if state is not None:
            training.resume(state)
        whole = training.go(run, stage, lambda: folders.save_state(folder, identity, training.state()), keep_every)
        history = training.history()
        if whole:
            folders.publish(folder, identity, history, training.merged(), tokenizer_of)
    return history, whole


class Training:
    """A model under training, its optimizer and how far they are."""

    def __init__(self, objective: Objective, settings: Settings, steps: int) -> None:
        self._objective, self._settings, self._steps = objective, settings, steps
        self.module = objective.module
        self._attention = self.module.config._attn_implementation
        self.module.requires_grad_(True)
        self.module.set_attn_implementation("eager")  # the others draw their dropout where nobody can seed it
        self._adapted = _adapted(self.module, settings) if settings.lora_rank else None
        self._device = next(self.module.parameters()).device
        self._weights = {name: weight for name, weight in self.module.named_parameters() if weight.requires_grad}
        self._optimizer = torch.optim.AdamW(
            self._weights.values(), lr=settings.rate, betas=_BETAS, eps=_EPSILON, weight_decay=_DECAY
        )
        self._losses: list[float] = []
        self._seconds = 0.0

    def go(self, run: Watch, stage: str, keep: Any, keep_every: float) -> bool:
        """Train to the end, or until the run is cancelled, which keeps the state; whether the end was reached."""
        began = kept = time.monotonic()
        before = self._seconds
        self.module.train()
        with torch.enable_grad(), OwnDropout(self._device) as dropout:
            while len(self._losses) < self._steps:
                run.report(Progress(stage, len(self._losses), self._steps, self._curve()))
                stopped = run.cancelled()
                if stopped or time.monotonic() - kept >= keep_every:
                    self._seconds = before + time.monotonic() - began
                    keep()
                    kept = time.monotonic()
                if stopped:
                    return False
                dropout.seed(seed_of(Draw.DROPOUT, self._settings.seed, len(self._losses)))
                self._losses.append(self._step(len(self._losses)))
        run.report(Progress(stage, self._steps, self._steps, self._curve()))
        self._seconds = before + time.monotonic() - began
        return True

    def _step(self, step: int) -> float:
        for group in self._optimizer.param_groups:
            group["lr"] = rate_at(self._settings, step, self._steps)
        loss = self.module(**self._objective.batch(step)).loss
        value = float(loss.detach())
        if not math.isfinite(value):
            raise ModelError(
                f"The loss of {self._objective.name} is no number any more at step {step + 1:,}, so nothing was "
                "saved; choose a lower learning rate."
            )
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self._weights.values()), CLIP)
        self._optimizer.step()
        self._optimizer.zero_grad()
        return value

    def state(self) -> State:
        """Everything that a training goes on from."""
        tensors = {}
        for name, weight in self._weights.items():
            tensors[f"weight.{name}"] = weight.detach().cpu()
            for moment in ("exp_avg", "exp_avg_sq"):
                if moment in self._optimizer.state[weight]:
                    tensors[f"{moment}.{name}"] = self._optimizer.state[weight][moment].cpu()
        return State(len(self._losses), tuple(self._losses), self._seconds, tensors)

    def resume(self, state: State) -> None:
        """Go on from a state."""
        with torch.no_grad():
            for name, weight in self._weights.items():
                weight.copy_(state.tensors[f"weight.{name}"])
                if f"exp_avg.{name}" in state.tensors:
                    self._optimizer.state[weight] = {
                        "step": torch.tensor(float(state.done)),
                        **{
                            moment: state.tensors[f"{moment}.{name}"].to(self._device)
                            for moment in ("exp_avg", "exp_avg_sq")
                        },
                    }
        self._losses = list(state.losses)
        self._seconds = state.seconds

    def history(self) -> History:
        """The steps so far, at most some hundred of them listed."""
        every = -(-self._steps // MOST_LISTED)
        return History(tuple(self._listed(every)), self._seconds)

    def _curve(self) -> tuple[tuple[int, float], ...]:
        """The losses so far, for whoever watches."""
        return tuple((step.step, step.loss) for step in self._listed(max(1, -(-len(self._losses) // _MOST_WATCHED))))

    def _listed(self, every: int) -> Iterator[Step]:
        for first in range(0, len(self._losses), every):
            some = self._losses[first : first + every]
            last = first + len(some)
            yield Step(last, math.fsum(some) / len(some), rate_at(self._settings, last - 1, self._steps))

    def merged(self) -> Any:
        """The trained module, adapters merged into its weights, as it is saved."""
        module = self._adapted.merge_and_unload() if self._adapted is not None else self.module
        module.set_attn_implementation(self._attention)
        return module.eval()


def _adapted(module: Any, settings: Settings) -> Any:
    """Put adapters on every matrix of attention and feed-forward layers; the others stay as they are.

    None on the prediction head: where it is tied to the embeddings, what an adapter there learns is lost when the
    model is saved.
    """
    from peft import LoraConfig, get_peft_model

    layers = [path for path, found in module.named_modules() if isinstance(found, torch.nn.ModuleList)]
    targets = [
        path
        for path, found in module.named_modules()
        if isinstance(found, torch.nn.Linear) and any(path.startswith(f"{layer}.") for layer in layers)
    ]
    rank = settings.lora_rank
    config = LoraConfig(r=rank, lora_alpha=2 * rank, lora_dropout=0.0, target_modules=targets)
    with warnings.catch_warnings(action="ignore", category=FutureWarning):  # peft asks transformers by an older name
        adapted = get_peft_model(module, config)
    for place, (name, weight) in enumerate(adapted.named_parameters()):
        if "lora_A" in name:
            generator = torch.Generator().manual_seed(seed_of(Draw.ADAPTERS, settings.seed, place))
            drawn = torch.empty(weight.shape)
            torch.nn.init.kaiming_uniform_(drawn, a=math.sqrt(5), generator=generator)
            weight.data.copy_(drawn)
    return adapted
