"""The sentences of coreference skew: the facts for the templates beside this module."""

from __future__ import annotations

from typing import Any

from ....charts.rows import finite
from ....report.papers import PAPERS
from ....report.texts import Finding, finding_of, text_of
from ....stats.samples import is_enough, too_few
from .result import ALL, FEMININE_MASCULINE, PRO_ANTI, SCORES, SKEW, SKEWS, STEREO, CoreferenceResult

MANELA_2021 = (
    "de Vassimon Manela, D., Errington, D., Fisher, T., van Breugel, B. and Minervini, P. (2021). Stereotype and Skew: "
    "Quantifying Gender Bias in Pre-trained and Fine-tuned Language Models. Proceedings of EACL 2021."
)
ZHAO_2018 = (
    "Zhao, J., Wang, T., Yatskar, M., Ordonez, V. and Chang, K.-W. (2018). Gender Bias in Coreference Resolution: "
    "Evaluation and Debiasing Methods. Proceedings of NAACL-HLT 2018."
)


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
        genders=row[FEMININE_MASCULINE],
        genders_low=row[f"{FEMININE_MASCULINE}_low"],
        genders_high=row[f"{FEMININE_MASCULINE}_high"],
        genders_clear=not few and not row[f"{FEMININE_MASCULINE}_low"] <= 0 <= row[f"{FEMININE_MASCULINE}_high"],
        stereotype=row[PRO_ANTI],
        stereotype_low=row[f"{PRO_ANTI}_low"],
        stereotype_high=row[f"{PRO_ANTI}_high"],
        stereotype_clear=not few and not row[f"{PRO_ANTI}_low"] <= 0 <= row[f"{PRO_ANTI}_high"],
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
    return (MANELA_2021, ZHAO_2018, PAPERS["Delobelle et al. 2022"])


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
