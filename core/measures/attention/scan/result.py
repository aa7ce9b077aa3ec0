"""A corpus in one model: what was kept of it, and its figures at each position."""

from __future__ import annotations

from typing import ClassVar

import pandas as pd

from ....result import Headline, Result, Schema, Table, count, number, text
from ..result import DIFFERENCE, KIND, LAYER, MAPS, MODEL

POSITIONS, OCCUPATIONS, COUNTS = "positions", "occupations", "counts"
KEPT = "kept"


def _layers(result: ScanResult) -> pd.DataFrame:
    rows = result[POSITIONS]
    own = rows[rows["kind"] == MAPS]
    return own.assign(name=[f"layer {layer:.0f}" for layer in own["layer"]])


class ScanResult(Result):
    """A corpus in one model.

    Tables: ``positions`` (the detectors', then ``attention`` of each layer), ``occupations`` (sentences kept) and
    ``counts`` (sentences ``kept``, and excluded for each reason). ``stopped``: the corpus is not read to its end.
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number(
                "mean_degree",
                "Mean degree of the model's own heads over the sentences, by layer",
                "mean degree",
                sign="heads attend to the same gender in a sentence and in its twin",
            ),
            _layers,
            "mean_degree",
            n="n",
            of=("name",),
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "scan",
        1,
        {
            POSITIONS: Table(
                "a position along the model",
                (
                    MODEL,
                    number("position", "Detector, from 0 (embedding); missing for the model's own heads.", decimals=0),
                    LAYER,
                    KIND,
                    number("mean_degree", "Mean over sentences, each its mean over heads", sign="biased", decimals=4),
                    DIFFERENCE,
                    number("share_biased", "Share (0–1) of heads × sentences with a degree above 0."),
                    number("share_rising", "Share (0–1) of sentences whose degree rises from the position before."),
                    count("n", "Sentences with a degree here."),
                    number("low", "Lowest degree of a sentence, to 0.001."),
                    number("q1", "A quarter of the sentences lie below.", "first quartile"),
                    number("median", "Half of the sentences lie below."),
                    number("q3", "A quarter of the sentences lie above.", "third quartile"),
                    number("high", "Highest degree of a sentence."),
                ),
            ),
            OCCUPATIONS: Table(
                "an occupation",
                (text("occupation", "The occupation in the sentence."), count("n", "Sentences kept.")),
            ),
            COUNTS: Table(
                "what became of the corpus's sentences",
                (text("reason", "kept, or why they were excluded."), count("n", "Sentences.")),
            ),
        },
    )

    @property
    def profile(self) -> pd.DataFrame:
        """The detectors' rows of the positions."""
        return self[POSITIONS].dropna(subset="position")

    @property
    def kept(self) -> int:
        """Sentences kept."""
        return self.counts[KEPT]

    @property
    def counts(self) -> dict[str, int]:
        """Sentences kept, and excluded by reason."""
        rows = self[COUNTS]
        return dict(zip(rows["reason"], rows["n"].astype(int), strict=True))
