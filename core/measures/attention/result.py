"""Attention: from an occupation to the gendered words of its sentence, head by head, and through a corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core import spec as limits
from core.result import Result
from core.sources.marking import MarkedSentence

ORIGINAL, TWIN = "sentence", "twin"
MAPS = "attention"  # the kind of the model's own maps, beside those of the detectors
Span = tuple[int, int]


@dataclass(frozen=True)
class AttentionOptions:
    """The choices of an attention measurement: none but the ``seed`` that every result names; nothing is drawn."""

    seed: int = limits.seed()


@dataclass(frozen=True, eq=False)
class SentenceMaps:
    """A model's own attention over one sentence: ``attention`` float32 [layer, head, query, key], rows sum to 1.

    Large, and so no part of a result: made for who looks at it (``compute.maps``). ``which`` is ``sentence`` or
    ``twin``. ``pieces`` are the tokens as a person reads them, special ones included; ``roles`` say of each ``male``,
    ``female``, ``occupation``, or nothing.
    """

    model: str
    which: str
    pieces: tuple[str, ...]
    roles: tuple[str, ...]
    attention: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class AttentionResult(Result):
    """One sentence and its gender-swapped twin in one or more models (metrics: attention; Li et al. 2021).

    ``summary`` columns: model, position (0 to 5 · layers, missing for the model's own maps), layer (from 0, missing
    for the embedding), kind (embedding, query, key, value, context, output; attention for the model's own maps), head
    (from 0), t_male, t_female, bias (V_m − V_f, −1 to 1, positive to male), bias_swapped (of the twin), degree (their
    product; above 0: biased), direction (``male``, ``female`` or ``neither``, by the sum of the two biases).
    Undefined heads (no attention to either) have no bias, degree and direction and are counted in ``left_out``.

    ``detail`` columns: model, which (``sentence`` or ``twin``), token, piece, role.
    ``profile`` columns, a row per model and detector position: model, position, layer, kind, mean_degree (over the
    defined heads), difference (to the position it follows), share_rising (0–1), share_biased (0–1, of heads), n (heads
    here), low, q1, median, q3, high (of the heads' degrees).
    """

    options: AttentionOptions
    sentence: MarkedSentence
    twin: MarkedSentence
    profile: pd.DataFrame


@dataclass(frozen=True, eq=False)
class ScanResult(Result):
    """A corpus in one model: what was kept of it, and its figures at each position.

    ``summary`` columns: model, position, layer, kind (the detectors', then ``attention`` of each layer with position
    missing), mean_degree (over sentences, each its mean over heads), difference (to the position it follows),
    share_biased (of heads × sentences with degree above 0), share_rising (of sentences), n (sentences defined there),
    low, q1, median, q3, high (of the sentences' degrees, to 0.001).
    ``detail`` columns: occupation, n (sentences kept).
    ``counts`` pairs ``kept`` and each reason for leaving a sentence out with its number. ``seconds`` pairs a stage with
    its time: making the twins, and reading attention. ``finished``: the whole corpus was read.
    """

    options: AttentionOptions
    corpus: str
    counts: tuple[tuple[str, int], ...]
    seconds: tuple[tuple[str, float], ...]
    finished: bool

    @property
    def stopped(self) -> bool:
        """Whether the corpus was not read to its end."""
        return not self.finished

    @property
    def profile(self) -> pd.DataFrame:
        """The detectors' rows of the summary, as ``AttentionResult.profile``."""
        return self.summary.dropna(subset="position")
