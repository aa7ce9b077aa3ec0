from __future__ import annotations

import dataclasses

import pytest

from core.measures.lpbs.result import LpbsResult
from core.result import Excluded, Group, ModelInfo, Note, Provenance
from core.sources.templates import Template
from tests.support.lpbs import by_hand, spec_of

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
    spec = spec_of(
        [Template.parse("[TARGET] is a [ATTRIBUTE].")],
        (Group("men", ("he", "chairman")), Group("women", ("she", "chairwoman"))),
        ("nurse", "pilot"),
    )
    row = {"model": "minilm-mlm", "contrast": "men − women"}
    return by_hand(
        spec,
        {
            "attributes": [{**row, "attribute": "nurse", "lpbs": -3.6888794541139363}],
            "overall": [{**row, "lpbs": -0.5, "p_value": 0.00002}],
            "targets": [
                {"model": "minilm-mlm", "target": "he", "form": "he", "group": "men", "ln_p_target": float("-inf")}
            ],
        },
        excluded=(
            Excluded(
                "minilm-mlm",
                "target",
                "chairwoman",
                "chairwoman is split into several tokens: chair + ##woman",
                group="women",
            ),
            Excluded(
                "minilm-mlm",
                "target",
                "chairman",
                "chairman cannot be paired, since its partner chairwoman could not be scored",
                group="men",
            ),
            *(
                Excluded(
                    "minilm-mlm",
                    "statistic",
                    word,
                    f"{word}: interval and p not computed, n too small",
                    contrast="he − she",
                )
                for word in ("nurse", "pilot")
            ),
        ),
        notes=[Note("A start token was added.")],
        provenance=provenance,
    )
