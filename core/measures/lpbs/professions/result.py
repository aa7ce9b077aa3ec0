"""Professions: associations of person words with professions, and the labour statistics they are held against."""

from __future__ import annotations

from dataclasses import dataclass

from core import spec as limits
from core.result import Contrast, Result
from core.sources.labour import Statistic


@dataclass(frozen=True)
class ProfessionOptions:
    """The choices of a profession corpus (metrics: professions).

    ``masking``: how a profession is hidden for the prior, one mask per whitespace ``word`` (as the BEC-Pro code
    does), per ``wordpiece``, or a ``single`` mask. ``several_pieces``: a person word of several pieces is left out
    (``single``) or scored ``joint``. ``common_words``: with several models in one language, what not all can score
    is left out for all. ``seed`` feeds the bootstrap. ``form`` as in ``LpbsOptions``. ``signed_rank``: p of the
    signed-rank test is ``exact`` where it can be, or ``normal`` throughout, the paper's approximation.
    """

    masking: str = limits.choice("word", "wordpiece", "single")
    several_pieces: str = limits.choice("single", "joint")
    common_words: bool = True
    seed: int = limits.seed()
    form: str = limits.choice("sentence", "typed", "capital")
    signed_rank: str = limits.choice("exact", "normal")


@dataclass(frozen=True, eq=False)
class ProfessionResult(Result):
    """A corpus of professions and person words in one or more models and languages. Associations in nats.

    ``contrast`` names the two kinds of person words, such as female − male: a positive ``difference`` is a higher
    mean association of the profession with the first. ``statistic`` is what they are held against, None before.

    ``summary`` columns: model, language (ISO 639-1), kind, and by kind
    ``cell``: group (of professions), gender (``contrast.first`` or ``second``), mean, sd (ddof 1), n (sentences);
    ``test``: group, W (sum of the ranks of the positive first − second differences), z, r (≥ 0, |z| / √(2n)), p
    (two-sided), p_kind (``exact`` or ``normal``), p_adjusted (Benjamini–Hochberg over all rows of the kind),
    median_difference, n (pairs kept);
    ``correlation``: method (``pearson`` or ``spearman``), r, ci_low, ci_high, p, p_adjusted, n (professions);
    ``profession``: profession, group, a percent column (0–100, of ``statistic.of``), difference, n (sentences).
    For women the percent column is named ``percent_women``, for Black ``percent_black``; there is one or none.

    ``detail`` columns, a row per sentence scored: model, language, template, person (as written), pair (such as
    "she / he"; None where persons are no pairs), gender, profession, form (as written), group, ln_p_target, ln_p_prior,
    association = ln_p_target − ln_p_prior.

    ``groups`` are the profession groups in the order of a table. ``sentences`` is how many the corpus has, a
    (language, number) each. ``stopped`` says that the run was stopped before its end: only whole professions are in.
    """

    options: ProfessionOptions
    contrast: Contrast
    groups: tuple[str, ...]
    sentences: tuple[tuple[str, int], ...]
    statistic: Statistic | None = None
    stopped: bool = False

    @property
    def series(self) -> tuple[tuple[str, str], ...]:
        """Each (model, language) with numbers, in the order of the summary."""
        return tuple(dict.fromkeys(zip(self.summary["model"], self.summary["language"], strict=True)))

    @property
    def percent_column(self) -> str | None:
        """The column of the summary that holds the statistic's percentages; None before there is a statistic."""
        return None if self.statistic is None else f"percent_{self.statistic.of.lower()}"
