"""How far a template's blank is from another's, by what the model expects in it (Delobelle et al. 2022, Table 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.loading import LoadedModel
from ...engine.masked import STOPPED, MaskedScorer
from ...errors import NothingToScore, TiltmeterError
from ...result import Excluded
from ...run import Run, Watch, continued
from ...sources.blanks import BlankTemplate, Words
from ..shared import provenance
from .metric import among, contributions, kl
from .result import FULL, GENDERED, AgreementResult
from .spec import AgreementSpec

FloatArray = NDArray[np.float64]
Row = dict[str, Any]
MOST = 15  # words of the vocabulary shown for each template, by the size of what they contribute


def measure(spec: AgreementSpec, models: Sequence[LoadedModel], run: Run[Any]) -> AgreementResult:
    """KL of each template's blank from the base template's, over the vocabulary and over the gendered words.

    What was read of each blank is kept in ``run.memory``. Raises the models' refusals (a causal model has no blank),
    or NothingToScore.
    """
    templates, base = spec.templates.templates, spec.base_id
    rows, words, left_out = list[Row](), list[Row](), list[Excluded]()
    refusals: list[TiltmeterError] = []
    measured, stopped = list[LoadedModel](), False
    for model in models:
        name = model.info.name
        try:
            scorer = MaskedScorer(model)
            ln_p = _expected(scorer, model, templates, run.memory, run)
        except TiltmeterError as error:
            refusals.append(error)
            left_out.append(Excluded(name, "model", name, str(error)))
            continue
        if ln_p is None:
            stopped = True
            left_out.append(Excluded(name, "model", name, f"{name} {STOPPED}"))
            continue
        measured.append(model)
        gendered = _gendered_tokens(scorer, templates, spec.words, name, left_out)
        part = _Model(name, tuple(spec.texts), ln_p, scorer.vocabulary(ln_p.shape[1]), gendered)
        for template in spec.texts:
            if template != base:
                rows.append(part.row(template, base))
                words += part.words(template, base)
    if not measured:
        raise refusals[0] if refusals else NothingToScore("The run was stopped before any template was read.")
    names = [{"name": template.id, "title": template.text, "source": template.source} for template in templates]
    return AgreementResult(
        spec=spec,
        tables=AgreementResult.SCHEMA.frames(names=names, divergence=rows, words=words),
        excluded=tuple(dict.fromkeys(left_out)),
        notes=(),
        provenance=provenance.of([model.info for model in measured], data=spec.data, seed=spec.seed),
        stopped=stopped,
    )


def _expected(
    scorer: MaskedScorer,
    model: LoadedModel,
    templates: Sequence[BlankTemplate],
    memory: dict[Any, Any],
    run: Watch,
) -> FloatArray | None:
    """ln P of the vocabulary in each blank [template, word]; None where the run was stopped before the last one."""
    queries = [template.masked() for template in templates]
    distinct = list(dict.fromkeys(queries))
    missing = [query for query in distinct if (model.info, query) not in memory]
    watch = continued(run, len(distinct) - len(missing))
    for query, row in zip(missing, scorer.distributions(missing, run=watch), strict=True):
        if not np.isnan(row).any():
            memory[model.info, query] = row
    if any((model.info, query) not in memory for query in queries):
        return None
    return np.stack([memory[model.info, query] for query in queries])


def _gendered_tokens(
    scorer: MaskedScorer, templates: Sequence[BlankTemplate], words: Words, model: str, left_out: list[Excluded]
) -> dict[str, list[int]]:
    """The token of each gendered word in each template; a word that is no single token in one of them is excluded."""
    gendered = (*words.a.words, *words.b.words)
    tokens = [scorer.tokens_of(*template.masked(), gendered) for template in templates]
    kept: dict[str, list[int]] = {}
    for word, of_word in zip(gendered, zip(*tokens, strict=True), strict=True):
        reasons = [token for token in of_word if isinstance(token, str)]
        if reasons:
            left_out.append(Excluded(model, "target", word, f"“{word}” {reasons[0]}"))
        else:
            kept[word] = [token for token in of_word if isinstance(token, int)]
    return kept


@dataclass(frozen=True, eq=False)
class _Model:
    """What one model expects in the blank of each template.

    ``ln_p`` [template, vocabulary]; ``words``: the token of each gendered word in each template.
    """

    name: str
    templates: tuple[str, ...]
    ln_p: FloatArray
    vocabulary: Sequence[str]
    gendered: dict[str, list[int]]

    def row(self, template: str, base: str) -> Row:
        """How far a template is from the base."""
        of_words = kl(*self._of_words(template, base)) if len(self.gendered) > 1 else np.nan
        full = kl(*self._full(template, base))
        return {"model": self.name, "template": template, "base": base, "kl_full": full, "kl_gendered": of_words}

    def words(self, template: str, base: str) -> list[Row]:
        """What contributes most, and the gendered words."""
        ln_p, ln_q = self._full(template, base)
        parts = contributions(ln_p, ln_q)
        most = np.argsort(-np.abs(parts), kind="stable")[:MOST]
        rows = self._rows(template, FULL, [self.vocabulary[i] for i in most], ln_p[most], ln_q[most])
        if len(self.gendered) > 1:
            rows += self._rows(template, GENDERED, list(self.gendered), *self._of_words(template, base))
        return rows

    def _rows(self, template: str, scope: str, words: Sequence[str], ln_p: FloatArray, ln_q: FloatArray) -> list[Row]:
        values = zip(words, np.exp(ln_p), np.exp(ln_q), contributions(ln_p, ln_q), strict=True)
        where = {"model": self.name, "template": template, "scope": scope}
        return [{**where, "word": word, "p": p, "p_base": q, "contribution": part} for word, p, q, part in values]

    def _full(self, template: str, base: str) -> tuple[FloatArray, FloatArray]:
        return self.ln_p[self.templates.index(template)], self.ln_p[self.templates.index(base)]

    def _of_words(self, template: str, base: str) -> tuple[FloatArray, FloatArray]:
        first, second = (
            among(self.ln_p[row], [tokens[row] for tokens in self.gendered.values()])
            for row in (self.templates.index(template), self.templates.index(base))
        )
        return first, second
