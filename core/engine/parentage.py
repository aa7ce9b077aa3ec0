"""What a fine-tuned model says of itself: the file ``tiltmeter.json`` in its folder. Needs no torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from ..errors import SavedFileError
from ..plain import plain, restored

FILE = "tiltmeter.json"


@dataclass(frozen=True)
class Settings:
    """How a model is trained on texts: to predict hidden tokens, or the texts' labels.

    Parameters
    ----------
    epochs, max_steps : int
        Times that the text is read; the steps after which training ends earlier, 0 for none.
    batch : int
        Texts a step.
    rate : float
        AdamW's learning rate, which rises linearly over ``warmup`` of the steps and falls linearly to 0 after them.
    warmup, hidden : float
        Shares, 0 to 1: of the steps, and of the tokens that are predicted.
    length : int
        Tokens that a labelled text is cut to; 0 for what the model takes.
    lora_rank : int
        Rank of the low-rank adapters that are trained in place of all weights; 0 for all weights.
    seed : int
        For order, hidden tokens, dropout, and the first weights of adapters or of a new head.
    """

    epochs: int = 3
    max_steps: int = 0
    batch: int = 1
    rate: float = 5e-5
    warmup: float = 0.0
    hidden: float = 0.15
    length: int = 0
    lora_rank: int = 0
    seed: int = 0

    def steps(self, texts: int) -> int:
        """Steps of the whole training on so many texts."""
        steps = self.epochs * -(-texts // self.batch)
        return min(steps, self.max_steps) if self.max_steps else steps


@dataclass(frozen=True)
class Parentage:
    """Where a fine-tuned model comes from: the model it began as, the text, and the settings.

    ``base`` is a catalog name, hub id or folder name, ``base_digest`` and ``data_digest`` are SHA-256; ``texts``
    counts what it was trained on, ``steps`` the steps. ``family``, ``languages`` and ``cased`` are those of the base.
    ``labels`` are those that a classifier tells apart, in the order of its outputs; a masked model has none.
    """

    base: str
    revision: str | None
    base_digest: str
    data: str
    data_digest: str
    texts: int
    steps: int
    settings: Settings
    family: str
    languages: tuple[str, ...]
    cased: bool
    labels: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """In a sentence, for whoever reads the model's numbers."""
        how = f", LoRA of rank {self.settings.lora_rank}" if self.settings.lora_rank else ""
        task = f" to tell {len(self.labels)} labels of texts apart" if self.labels else ""
        return (
            f"Fine-tuned{task} from {self.base} (SHA-256 {self.base_digest[:12]}) on {self.data} (SHA-256 "
            f"{self.data_digest[:12]}): {self.texts:,} texts, {self.steps:,} steps of {self.settings.batch}, learning "
            f"rate {self.settings.rate:g}, seed {self.settings.seed}{how}."
        )

    def write(self, folder: Path) -> None:
        """Put it into a folder. Raises OSError."""
        text = json.dumps(plain(self), ensure_ascii=False, indent=2)
        (folder / FILE).write_text(text + "\n", encoding="utf-8")


def read(folder: Path) -> Parentage | None:
    """The parentage of the model in a folder; None where it was not fine-tuned here."""
    try:
        found: Parentage = restored(Parentage, json.loads((folder / FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, SavedFileError):
        return None
    return found
