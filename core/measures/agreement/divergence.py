"""How far a template's blank is from another's, by what the model expects in it (Delobelle et al. 2022, Table 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED, MaskedScorer
from core.errors import NothingToScore, OptionError, TiltmeterError
from core.measures.agreement.metric import among, contributions, kl
from core.measures.agreement.result import DivergenceOptions, DivergenceResult
from core.measures.shared import provenance
from core.measures.shared.checks import check_models
from core.result import LeftOut
from core.run import UNWATCHED, Watch, continued
from core.sources import blanks
from core.sources.blanks import BlankTemplate

FloatArray = NDArray[np.float64]
MOST = 15  # words of the vocabulary shown for each template, by the size of what they contribute
COLUMNS = ("model", "template", "scope", "word", "p", "p_base", "contribution")


def divergence(
    models: Sequence[LoadedModel],
    templates: Sequence[BlankTemplate],
    options: DivergenceOptions | None = None,
    *,
    data: Sequence[str] = (),
    memory: dict[Any, Any] | None = None,
    run: Watch = UNWATCHED,
) -> DivergenceResult:
    """KL of each template's blank from the base template's, over the vocabulary and over the gendered words.

    ``memory`` takes up what was read of each blank, so that a run that was stopped goes on where it was; the models
    that were finished are in its result. Raises OptionError, the models' refusals (a causal model has no blank), or
    NothingToScore.
    """
    options = options or DivergenceOptions(templates[0].id if templates else "")
    check_models(models)
    names = [template.id for template in templates]
    if options.base not in names:
        raise OptionError(f"The base template “{options.base}” is not among those chosen: {', '.join(names)}.")
    if len(templates) < 2:
        raise OptionError("Divergence needs two templates or more.")
    memory = {} if memory is None else memory
    summary: list[tuple[Any, ...]] = []
    detail: list[tuple[Any, ...]] = []
    left_out: list[LeftOut] = []
    read: dict[str, None] = {}
    refusals: list[TiltmeterError] = []
    asked = []
    for model in models:
        name = model.info.name
        try:
            scorer = MaskedScorer(model)
            ln_p = _expected(scorer, model, templates, memory, run)
        except TiltmeterError as error:
            refusals.append(error)
            left_out.append(LeftOut(name, "model", name, str(error)))
            continue
        if ln_p is None:
            left_out.append(LeftOut(name, "model", name, STOPPED))
            continue
        asked.append(model)
        words = _gendered_tokens(scorer, templates, name, left_out)
        read |= dict.fromkeys(words)
        part = _Model(name, tuple(names), ln_p, scorer.vocabulary(ln_p.shape[1]), words)
        for template in names:
            if template != options.base:
                summary.append(part.row(template, options.base))
                detail += part.words(template, options.base)
    if not asked:
        raise refusals[0] if refusals else NothingToScore("The run was stopped before any template was read.")
    return DivergenceResult(
        summary=pd.DataFrame(summary, columns=["model", "template", "base", "kl_full", "kl_gendered"]),
        detail=pd.DataFrame(detail, columns=list(COLUMNS)),
        left_out=tuple(dict.fromkeys(left_out)),
        options=options,
        provenance=provenance.of(
            [model.info for model in asked], data=(*data, blanks.gendered_words()[0].citation), seed=0
        ),
        templates=tuple((template.id, template.text) for template in templates),
        gendered=tuple(read),
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
    scorer: MaskedScorer, templates: Sequence[BlankTemplate], model: str, left_out: list[LeftOut]
) -> dict[str, list[int]]:
    """The token of each gendered word in each template; a word that is no single token in one of them is left out."""
    words = [word for group in blanks.gendered_words() for word in group.words]
    tokens = [scorer.tokens_of(*template.masked(), words) for template in templates]
    kept: dict[str, list[int]] = {}
    for word, of_word in zip(words, zip(*tokens, strict=True), strict=True):
        reasons = [token for token in of_word if isinstance(token, str)]
        if reasons:
            left_out.append(LeftOut(model, "target", word, f"“{word}” {reasons[0]}"))
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

    def row(self, template: str, base: str) -> tuple[Any, ...]:
        """A row of the summary."""
        of_words = kl(*self._of_words(template, base)) if len(self.gendered) > 1 else np.nan
        return self.name, template, base, kl(*self._full(template, base)), of_words

    def words(self, template: str, base: str) -> list[tuple[Any, ...]]:
        """Rows of the detail: what contributes most, and the gendered words."""
        ln_p, ln_q = self._full(template, base)
        parts = contributions(ln_p, ln_q)
        most = np.argsort(-np.abs(parts), kind="stable")[:MOST]
        rows = self._rows(template, "full", [self.vocabulary[i] for i in most], ln_p[most], ln_q[most])
        if len(self.gendered) > 1:
            rows += self._rows(template, "gendered", list(self.gendered), *self._of_words(template, base))
        return rows

    def _rows(
        self, template: str, scope: str, words: Sequence[str], ln_p: FloatArray, ln_q: FloatArray
    ) -> list[tuple[Any, ...]]:
        values = zip(words, np.exp(ln_p), np.exp(ln_q), contributions(ln_p, ln_q), strict=True)
        return [(self.name, template, scope, word, float(p), float(q), float(part)) for word, p, q, part in values]

    def _full(self, template: str, base: str) -> tuple[FloatArray, FloatArray]:
        return self.ln_p[self.templates.index(template)], self.ln_p[self.templates.index(base)]

    def _of_words(self, template: str, base: str) -> tuple[FloatArray, FloatArray]:
        first, second = (
            among(self.ln_p[row], [tokens[row] for tokens in self.gendered.values()])
            for row in (self.templates.index(template), self.templates.index(base))
        )
        return first, second
