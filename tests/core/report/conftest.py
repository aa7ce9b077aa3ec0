from __future__ import annotations

import dataclasses

import pandas as pd
import pytest

from core.measures.lpbs.result import LpbsResult
from core.result import Contrast, Group, LeftOut, ModelInfo, Note, Provenance

MASKED = ModelInfo(
    name="minilm-mlm",
    id="assets/minilm-mlm",
    revision=None,
    digest="ab12cd34ef56" + "0" * 52,
    family="bert",
    kind="masked",
    layers=6,
    heads=12,
    parameters=22_000_000,
    languages=("English",),
    cased=False,
    dtype="float32",
    device="cpu",
    attention="sdpa",
)
CAUSAL = dataclasses.replace(
    MASKED,
    name="gpt",
    id="someone/gpt",
    revision="3f2a9c1b77",
    digest="99" * 32,
    kind="causal",
    notes=("A small model.",),
)


def provenance_of(*models: ModelInfo) -> Provenance:
    return Provenance(
        tool="Tiltmeter 0.1.0",
        models=models,
        data=("Occupations, Bureau of Labor Statistics 2019",),
        seed=0,
        versions=(("torch", "2.13.0"),),
        created="2026-11-27T23:31:00Z",
    )


@pytest.fixture
def provenance() -> Provenance:
    return provenance_of(MASKED)


@pytest.fixture
def two_models() -> Provenance:
    return provenance_of(MASKED, CAUSAL)


@pytest.fixture
def lpbs(provenance: Provenance) -> LpbsResult:
    summary = pd.DataFrame(
        {
            "model": ["minilm-mlm", "minilm-mlm"],
            "kind": ["attribute", "all"],
            "attribute": ["nurse", None],
            "contrast": ["he − she", "he − she"],
            "n": [1, 1],
            "lpbs": [-3.6888794541139363, -0.5],
            "p_value": [float("nan"), 0.00002],
        }
    )
    detail = pd.DataFrame({"model": ["minilm-mlm"], "target": ["he"], "form": ["he"], "ln_p_target": [float("-inf")]})
    return LpbsResult(
        summary=summary,
        detail=detail,
        left_out=(
            LeftOut(
                "minilm-mlm",
                "target",
                "chairwoman",
                "chairwoman is split into several tokens: chair + ##woman",
                group="women",
            ),
            LeftOut(
                "minilm-mlm",
                "target",
                "chairman",
                "chairman cannot be paired, since its partner chairwoman could not be scored",
                group="men",
            ),
            *(
                LeftOut(
                    "minilm-mlm",
                    "statistic",
                    word,
                    f"{word}: interval and p not computed, n too small",
                    contrast="he − she",
                )
                for word in ("nurse", "pilot")
            ),
        ),
        options={},
        provenance=provenance,
        templates=("[TARGET] is a [ATTRIBUTE].",),
        groups=(Group("men", ("he", "chairman")), Group("women", ("she", "chairwoman"))),
        contrasts=(Contrast("men", "women"),),
        attributes=("nurse", "pilot"),
        family_sizes=(("attribute", 2), ("all", 1)),
        notes=(Note("A start token was added."),),
    )
