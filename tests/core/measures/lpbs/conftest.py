"""A result made by hand: three groups, two models, and whatever scores a test asks for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pytest

from core.measures.lpbs.result import LpbsResult
from core.result import Group, ModelInfo, Provenance
from core.sources.templates import Template
from tests.support.lpbs import by_hand, spec_of

Scores = Mapping[str, Mapping[str, float | None]]  # model → attribute → he − she
MakeResult = Callable[..., LpbsResult]


def _model(name: str, kind: str) -> ModelInfo:
    return ModelInfo(
        name=name,
        id=name,
        revision=None,
        digest="0" * 64,
        family="bert",
        kind=kind,
        layers=6,
        heads=12,
        parameters=1,
        languages=("en",),
        cased=False,
        dtype="float32",
        device="cpu",
        attention="sdpa",
    )


def _make(
    scores: Scores,
    *,
    groups: tuple[str, ...] = ("he", "she", "they"),
    intervals: Mapping[str, tuple[float, float]] | None = None,
    kind: str = "masked",
) -> LpbsResult:
    """P(he | attribute) = .2 and .1 without it; P(she | attribute) = .3 and .15 without it.

    ``scores`` are the first group minus the second; every further pair of groups holds a tenth of it.
    """
    spec = spec_of(
        [Template.parse("[TARGET] is a [ATTRIBUTE].")],
        [Group(name, (f"{name}1", f"{name}2")) for name in groups],
        tuple(dict.fromkeys(attribute for column in scores.values() for attribute in column)),
    )
    rows, overall, targets = [], [], []
    for model, column in scores.items():
        for contrast in spec.comparisons:
            share = 1.0 if contrast == spec.comparisons[0] else 0.1
            for attribute, lpbs in column.items():
                low, high = (intervals or {}).get(attribute, (None, None))
                rows.append(
                    {
                        "model": model,
                        "attribute": attribute,
                        "contrast": contrast.label,
                        "n": 9,
                        "lpbs": None if lpbs is None else share * lpbs,
                        "ci_low": low,
                        "ci_high": high,
                        "p_value": None if low is None else 0.0312,
                        "p_adjusted": None if low is None else 0.0625,
                    }
                )
            # The mean over all attributes, which no bar may show.
            overall.append({**rows[-1], "lpbs": 77.0})
        for attribute in column:
            for at, group in enumerate(groups):
                target, prior = (0.2, 0.1) if at == 0 else (0.3, 0.15)
                # Two words each, at twice and at half the probability: their geometric mean is the one above.
                for word, factor in ((f"{group}1", 2.0), (f"{group}2", 0.5)):
                    targets.append(
                        {
                            "model": model,
                            "template": "[TARGET] is a [ATTRIBUTE].",
                            "attribute": attribute,
                            "group": group,
                            "target": word,
                            "form": word,
                            "ln_p_target": math.log(target * factor),
                            "ln_p_prior": math.log(prior * factor),
                            "association": math.log(target / prior),
                        }
                    )
    provenance = Provenance("tiltmeter", tuple(_model(name, kind) for name in scores), (), 0, (), "2026-01-01")
    return by_hand(spec, {"attributes": rows, "overall": overall, "targets": targets}, provenance=provenance)


@pytest.fixture
def make_result() -> MakeResult:
    return _make


@pytest.fixture
def sixty() -> dict[str, dict[str, float | None]]:
    """Sixty attributes in two models, from −1.475 to +1.475 in steps of .05, shuffled by a fixed stride."""
    order = [at * 23 % 60 for at in range(60)]
    first: dict[str, float | None] = {f"job {at:02d}": round(0.05 * at - 1.475, 3) for at in order}
    second: dict[str, float | None] = {f"job {at:02d}": round(0.04 * at - 0.9, 3) for at in order}
    return {"model-a": first, "model-b": second}
