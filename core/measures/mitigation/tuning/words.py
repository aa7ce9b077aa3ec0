"""The sentences of a fine-tuning: the facts for the templates beside this module."""

from __future__ import annotations

from ....report.numbers import counted
from ....report.texts import Finding, finding_of, text_of
from ....report.works import REFERENCES, cited
from ..trainings import end_steps
from .result import DATA, MODELS, PERPLEXITY, TuningResult

SALAZAR_2020 = REFERENCES["Salazar et al. 2020"]
HU_2022 = REFERENCES["Hu et al. 2022"]


def finding(result: TuningResult) -> Finding:
    """How far the loss fell, and what became of the text's pseudo-perplexity."""
    rows = result[MODELS][~result[MODELS]["control"]]
    before, after = price(result)
    return finding_of(
        __file__,
        "finding",
        base=result.spec.models[0],
        trainings=len(rows),
        first=float(rows["first_loss"].mean()),
        last=float(rows["last_loss"].mean()),
        fell=float(rows["last_loss"].mean()) < float(rows["first_loss"].mean()),
        steps=int(rows["steps"].max()),
        averaged=end_steps(int(rows["steps"].max())),
        before=before,
        after=after,
        documents=int(result[PERPLEXITY]["documents"].max()) if len(result[PERPLEXITY]) else 0,
    )


def price(result: TuningResult) -> tuple[float | None, list[float]]:
    """Pseudo-perplexity of the text's held-out documents: before, and of each model trained on the text."""
    rows = result[PERPLEXITY][result[PERPLEXITY]["text"] == DATA]
    trained = set(result[MODELS].loc[~result[MODELS]["control"], "model"])
    before = rows.loc[rows["change"].isna(), "perplexity"]
    after = rows.loc[rows["model"].isin(trained), "perplexity"]
    return (float(before.iloc[0]) if len(before) else None), [float(value) for value in after]


def methods(result: TuningResult) -> tuple[str, ...]:
    """How the models were trained."""
    spec = result.spec
    rows = result[MODELS]
    return (
        text_of(
            __file__,
            "methods",
            base=result.models[0],
            data=list(result.provenance.data),
            epochs=spec.epochs,
            max_steps=spec.max_steps,
            batch=spec.batch,
            rate=spec.rate.value,
            warmup=spec.warmup,
            hidden=spec.hidden,
            lora=spec.lora,
            seeds=[int(seed) for seed in dict.fromkeys(rows["seed"])],
            control=spec.control is not None,
            steps=int(rows["steps"].max()),
            documents=int(result[PERPLEXITY]["documents"].max()) if len(result[PERPLEXITY]) else 0,
        ),
    )


def references(result: TuningResult) -> tuple[str, ...]:
    """The papers that the method is from."""
    return (
        *cited(("Bartl et al. 2020",)),
        *((HU_2022,) if result.spec.lora else ()),
        *((SALAZAR_2020,) if len(result[PERPLEXITY]) else ()),
    )


def material(result: TuningResult) -> tuple[str, ...]:
    """What was trained on, for the caption of a figure."""
    rows = result[MODELS]
    return (f"Text: {result.spec.name}. n = {counted(len(rows), 'training')} of {int(rows['steps'].max()):,} steps.",)
