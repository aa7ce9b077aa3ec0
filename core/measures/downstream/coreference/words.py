"""The sentences of coreference skew: the facts for the templates beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ....charts.rows import finite
from ....report.texts import Finding, finding_of, text_of
from ....report.works import REFERENCES
from ....stats.samples import is_enough, too_few
from .result import ALL, FEMININE_MASCULINE, PRO_ANTI, SCORES, SKEW, SKEWS, STEREO, CoreferenceResult

MANELA_2021 = REFERENCES["de Vassimon Manela et al. 2021"]
ZHAO_2018 = REFERENCES["Zhao et al. 2018"]


@dataclass(frozen=True)
class _Mean:
    """A mean with its sign, and the ends of its interval; None where no resample differs from another."""

    value: float
    low: float | None
    high: float | None

    @classmethod
    def of(cls, row: Mapping[Any, Any], name: str) -> _Mean:
        return cls(row[name], finite(row[f"{name}_low"]), finite(row[f"{name}_high"]))

    @property
    def clear(self) -> bool:
        """Whether all resamples lie on one side of 0."""
        low, high = (self.value if end is None else end for end in (self.low, self.high))
        return not low <= 0 <= high


def finding(result: CoreferenceResult, resolver: str) -> Finding:
    """Which gender is matched better, and what the stereotype does to it, over all sentences."""
    row = _overall(result, resolver)
    few = not is_enough(row["n"])
    return finding_of(
        __file__,
        "finding",
        demonstration=result.spec.is_demonstration,
        resolver=resolver,
        few=few,
        too_few=too_few(row["n"]),
        n=f"{row['n']:,}",
        genders=_Mean.of(row, FEMININE_MASCULINE),
        stereotype=_Mean.of(row, PRO_ANTI),
        skew=row[SKEW],
        stereo=row[STEREO],
        masculine=finite(row["masculine_share"]),
    )


def methods(result: CoreferenceResult) -> tuple[str, ...]:
    """How the numbers were made."""
    spec = result.spec
    return (
        text_of(
            __file__,
            "methods",
            demonstration=spec.is_demonstration,
            n=f"{result[SKEWS]['n'].max():,}",
            models=[model.name for model in result.provenance.models],
            causal=any(model.kind == "causal" for model in result.provenance.models),
            answers=[file.name for file in spec.answers],
            seed=spec.seed,
        ),
    )


def references(result: CoreferenceResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    return (MANELA_2021, ZHAO_2018, REFERENCES["Delobelle et al. 2022"])


def material(result: CoreferenceResult) -> tuple[str, ...]:
    """What was asked, for the caption of a figure."""
    names = ", ".join(file.name for file in result.spec.sentences) or "a demonstration on sentences of our own"
    n = int(result[SKEWS]["n"].max())
    return (f"WinoBias: {names}. n = {n:,} pairs of sentences.",)


def _overall(result: CoreferenceResult, resolver: str) -> dict[Any, Any]:
    rows = result[SKEWS]
    of = (rows["model"] == resolver) & (rows["type"] == ALL) & (rows["split"] == ALL)
    found: dict[Any, Any] = rows[of].to_dict("records")[0]
    return found


def scores_text(result: CoreferenceResult, kind: str) -> str:
    """The F1 of a type of sentences, for readers who do not see the chart."""
    rows = result[SCORES]
    rows = rows[(rows["type"] == kind) & (rows["split"] == ALL)]
    return "; ".join(
        f"{row['model']}, {row['condition']}, {row['gender']}: {row['f1']:.3f}" for row in rows.to_dict("records")
    )
