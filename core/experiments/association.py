"""Association tests over models, tests and rulers: does a model hold the associations people hold?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from core.errors import NothingToScore, OptionError
from core.experiments import provenance
from core.experiments.association_rows import COLUMNS, Collected, ceat_row, contextual_row, lpbs_row, static_rows
from core.experiments.members import TextVectors, wanted
from core.experiments.representations import VECTORS, Ruler, ruler
from core.lexicon import AssociationTest
from core.models.embeddings import Encoder
from core.models.loading import LoadedModel
from core.models.vectors import read_vectors
from core.results import (
    AssociationCell,
    AssociationOptions,
    AssociationResult,
    IsCancelled,
    ReportProgress,
    never_cancelled,
    no_progress,
)
from core.stats.corrections import benjamini_hochberg

CHOICES = {
    "ddof": (1, 0),
    "lost": ("unknown", "several pieces"),
    "unequal": ("keep", "drop"),
    "lpbs_values": ("mean", "pool"),
    "ceat_variance": ("authors", "formula"),
}


def run(
    models: Sequence[LoadedModel],
    tests: Sequence[AssociationTest],
    representations: Sequence[str],
    options: AssociationOptions | None = None,
    *,
    vectors: Path | None = None,
    sentences: Sequence[str] = (),
    data: Sequence[str] = (),
    progress: ReportProgress = no_progress,
    cancelled: IsCancelled = never_cancelled,
) -> AssociationResult:
    """Every test by every representation in every model, each row with its d, interval and p (metrics: WEAT, CEAT).

    ``vectors`` is a file of static vectors, a model of its own in the result; ``sentences`` are the contexts of CEAT,
    which runs when there are any. A combination that cannot be computed is a row without values, its reason in
    ``left_out``. Raises OptionError, WordListError for a bad vector file, or NothingToScore.
    """
    options = options or AssociationOptions()
    _check(models, tests, representations, options, vectors is not None)
    rulers = [ruler(name) for name in representations]
    out = Collected()
    for model in models:
        if cancelled():
            break
        _one_model(out, model, tests, rulers, sentences, options, progress, cancelled)
    if vectors is not None and not cancelled():
        words = list(dict.fromkeys(word for test in tests for _, words in test.sets for word in words.members))
        static_rows(out, vectors.name, VECTORS, tests, words, read_vectors(vectors, words, progress=progress), options)
    if all(np.isnan(float(str(row["effect_size"]))) for row in out.rows):
        reasons = list(dict.fromkeys(item.reason for item in out.left_out if item.role == "statistic"))
        raise NothingToScore("No test could be computed. " + "; ".join(reasons[:5]) + ".")
    summary = pd.DataFrame(out.rows, columns=list(COLUMNS))
    # Counts stay whole numbers beside rows that have none.
    summary = summary.astype(dict.fromkeys(("ddof", "n_permutations", "n_x", "n_y", "n_a", "n_b"), "Int64"))
    adjusted = benjamini_hochberg(summary["p_two_sided"].to_numpy(dtype=float))
    summary.insert(list(summary.columns).index("p_kind"), "p_adjusted", adjusted)
    return AssociationResult(
        summary=summary,
        detail=_detail(out.cells),
        left_out=tuple(dict.fromkeys(out.left_out)),
        options=options,
        provenance=provenance.of((model.info for model in models), data=data, seed=options.seed),
        cells=tuple(out.cells),
        layers=pd.DataFrame(out.layers, columns=["model", "test", "representation", "layer", "effect_size"]),
        published=_published(tests),
        family_size=int(summary["p_two_sided"].notna().sum()),
        notes=tuple(dict.fromkeys(out.notes)),
    )


def _check(
    models: Sequence[LoadedModel],
    tests: Sequence[AssociationTest],
    representations: Sequence[str],
    options: AssociationOptions,
    has_vectors: bool,
) -> None:
    for name, choices in CHOICES.items():
        if getattr(options, name) not in choices:
            shown = ", ".join(map(str, choices))
            raise OptionError(f"{name} is “{getattr(options, name)}”; it can be {shown}.")
    if options.ceat_samples < 2:
        raise OptionError(f"CEAT takes {options.ceat_samples} samples; give 2 or more.")
    if not tests:
        raise OptionError("No association test is chosen; choose at least one.")
    if not representations and not has_vectors:
        raise OptionError("No representation is chosen; choose at least one.")
    if not models and not has_vectors:
        raise OptionError("No model is chosen; choose at least one.")
    deepest = min((model.info.layers for model in models), default=0)
    if options.layer is not None and models and not 0 <= options.layer <= deepest:
        raise OptionError(f"Layer {options.layer} does not exist in every model; choose 0 (embeddings) to {deepest}.")


def _one_model(
    out: Collected,
    model: LoadedModel,
    tests: Sequence[AssociationTest],
    rulers: Sequence[Ruler],
    sentences: Sequence[str],
    options: AssociationOptions,
    progress: ReportProgress,
    cancelled: IsCancelled,
) -> None:
    encoder = Encoder(model)
    asked = wanted(rulers, tests)
    vectors = TextVectors(encoder, asked, progress, cancelled) if asked else None
    if vectors is not None and vectors.first_token == "last token":
        out.notes.append(f"{model.info.name} reads from left to right and has no [CLS]: its last token stands for it.")
    if cancelled():
        return
    words = list(dict.fromkeys(word for test in tests for _, members in test.sets for word in members.members))
    for one in rulers:
        if one.place == "static":
            static_rows(out, model.info.name, one, tests, words, encoder.input_vectors(words), options)
        elif one.place == "scores":
            for test in tests:
                lpbs_row(out, model, test, options, progress, cancelled)
        elif vectors is not None:
            for test in tests:
                contextual_row(out, model.info.name, one, test, vectors, options)
    if sentences:
        for test in tests:
            ceat_row(out, model, encoder, test, sentences, options, progress, cancelled)


def _detail(cells: Sequence[AssociationCell]) -> pd.DataFrame:
    rows = [
        (cell.model, cell.test, cell.representation, letter, member, float(value))
        for cell in cells
        for letter, names, values in (("X", cell.members_x, cell.s_x), ("Y", cell.members_y, cell.s_y))
        for member, value in zip(names, values, strict=True)
    ]
    return pd.DataFrame(rows, columns=["model", "test", "representation", "set", "member", "association"])


def _published(tests: Sequence[AssociationTest]) -> pd.DataFrame:
    rows = [
        (test.id, value.representation, str(value.source), value.model, value.effect_size, value.p_value)
        for test in tests
        for value in test.published
    ]
    return pd.DataFrame(rows, columns=["test", "representation", "source", "model", "effect_size", "p_value"])
