"""The inputs of a comparison of templates, representations or metrics."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...engine import catalog
from ...engine.checkpoints import ModelRequest
from ...errors import ModelError, OptionError
from ...inputs import Choice, Several, Text, Upload
from ...result import Result
from ...run import Run
from ...sources import blanks, measured
from ...sources.benchmarks import MAX_BYTES
from ...sources.blanks import TemplateSet, Words, delobelle_words
from ...sources.files import read_lines
from ...sources.lists import OWN
from ...sources.measured import Column
from ...sources.published import Entry
from ...spec import File, given, one_of, seed_field, whole
from ..measure import MODELS
from ..shared.published import ShelvedSpec, published_field
from ..shared.representations import IN_TEMPLATES, OF_WORDS, representation_by_id
from . import outcomes
from .choices import Compared, Draws, Method
from .metrics import GIVEN, METRICS, Materials, Metric, metric_by_id, sources_of
from .outcomes import Brought
from .published import joined, obstacle
from .result import AgreementResult

if TYPE_CHECKING:
    from ...engine.loading import LoadedModel

REPRESENTATIONS = Several(
    "representations",
    "Representations",
    choices={name: representation_by_id(name).title for name in OF_WORDS},
    help="How a word is turned into a vector; if none is chosen, all that fit are used.",
    flag="--representation",
    metavar="NAME",
)
METRIC_NAMES = Several(
    "metrics",
    "Metrics",
    choices={metric.id: metric.title for metric in METRICS},
    help="One number per model; if none is chosen, all that can be computed are used. Those that need a file of yours "
    "are computed when it is there.",
    flag="--metric",
    metavar="NAME",
)
SET = Choice(
    "set",
    "Templates",
    choices={templates.id: templates.title for templates in blanks.template_sets()} | {OWN: "your own …"},
    own="own_templates",
    metavar="NAME",
)
OWN_TEMPLATES = Text(
    "own_templates",
    "Your templates, one per line",
    "This is the _.\nThe _ is here.\nThe _ is a [MASK].",
    height=160,
    help="Each has one blank, written as _, where professions and gendered words are put; [MASK] hides a word.",
    flag="--template",
    metavar="TEXT",
)
MORE_MODELS = Text(
    "more_models",
    "More models, one per line",
    height=110,
    help="Metrics need six models or more to be compared with a p. They are loaded one after the other.",
    flag=MODELS.flag,
)
BASE = Choice("base", "Base template", help="The template that the others are compared with.", metavar="ID")


def _models_read(chosen: Sequence[str], more: str) -> tuple[str, ...]:
    lines = (line.strip() for line in more.splitlines())
    return tuple(dict.fromkeys([*chosen, *(line for line in lines if line)]))


def _models_given(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _templates_read(chosen: str, own: str) -> TemplateSet:
    return blanks.own_set(own) if chosen == OWN else blanks.template_set(chosen)


def _templates_given(value: Any) -> TemplateSet:
    """Templates from a set or its id, or from texts. Raises InputError."""
    if isinstance(value, TemplateSet):
        return value
    return blanks.template_set(value) if isinstance(value, str) else blanks.own_set("\n".join(value))


def _names_given(value: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys((value,) if isinstance(value, str) else value))


def _file_read(files: Sequence[File]) -> File | None:
    return files[0] if files else None


@dataclass(frozen=True, kw_only=True)
class AgreementSpec(ShelvedSpec[AgreementResult]):
    """What is compared, and by what (Delobelle et al. 2022).

    Parameters
    ----------
    compare : Compared
        ``templates`` or ``representations`` by effect sizes over seeded subsets of professions, in each model;
        ``metrics`` over models, of which there may be any number; or the ``divergence`` of templates from a base.
    templates : TemplateSet, the id of one, or texts with a blank
        Sentences with one blank, which the professions and gendered words fill.
    words : Words
        Professions and gendered words that fill the blank: Delobelle's.
    representations, metrics : names
        None of them: all that fit, all that can be computed.
    base_template : str
        The id of the template that the others diverge from; empty for the first.
    method, subsets, drawn
        Correlations over so many subsets, each of so many professions of either kind.
    draws : Draws
        Subsets are drawn by the ``seed``, or as in the ``authors``' notebooks, where the k-th is that of the seed k of
        numpy's old generator: the same subsets as the paper's, so that its correlations can be compared to a digit.
    crows_pairs, stereoset, sentences : File or None
        The user's data, for the metrics that need them.
    columns : File or None
        A table of the user's own scores: a column of models, and one for each score.
    downstream : tuple of File
        Saved results of downstream tasks; what sums a model up in each is compared with the metrics.
    seed : int
        For every random draw.
    published : str, or several
        Ids of published results (``core.shelf``) that stand beside the models, or alone where there is no model.
    """

    RESULT: ClassVar[type[Result]] = AgreementResult
    COMMAND: ClassVar[str] = "reliability"
    TITLE: ClassVar[str] = "Agreement of templates, representations and metrics; divergence of templates"
    DESCRIPTION: ClassVar[str] = (
        "Correlations of effect sizes between templates or representations, over seeded subsets of professions; of "
        "metrics, over models; and how far what a model expects in a template's blank is from the base template's. An "
        "own template has one blank, written as _: “The _ is here.”"
    )

    models: tuple[str, ...] = given(
        MODELS, MORE_MODELS, read=_models_read, default=(catalog.DEFAULT,), coerce=_models_given
    )
    compare: Compared = one_of(Compared, "What is compared with each other", flag="WHAT")
    templates: TemplateSet = given(
        SET, OWN_TEMPLATES, read=_templates_read, default=blanks.template_sets()[0], coerce=_templates_given
    )
    words: Words = field(default_factory=delobelle_words)
    representations: tuple[str, ...] = given(REPRESENTATIONS, read=tuple, default=(), coerce=_names_given)
    base_template: str = given(BASE, read=lambda chosen: chosen or "", default="")
    metrics: tuple[str, ...] = given(METRIC_NAMES, read=tuple, default=(), coerce=_names_given)
    crows_pairs: File | None = given(
        Upload("crows_pairs", "CrowS-Pairs, for CrowS-Pairs, AUL and AULA", megabytes=MAX_BYTES >> 20, metavar="FILE"),
        read=_file_read,
        default=None,
    )
    stereoset: File | None = given(
        Upload("stereoset", "StereoSet (dev.json or a table)", megabytes=MAX_BYTES >> 20, metavar="FILE"),
        read=_file_read,
        default=None,
    )
    sentences: File | None = given(
        Upload("sentences", "Sentences, one per line, for CEAT", flag="--contexts", metavar="FILE"),
        read=_file_read,
        default=None,
    )
    columns: File | None = given(
        Upload(
            "columns",
            "Your own scores: a CSV file with a column of models and one for each score",
            help="From elsewhere. Models are matched by their name.",
            metavar="FILE",
        ),
        read=_file_read,
        default=None,
    )
    downstream: tuple[File, ...] = given(
        Upload(
            "downstream",
            "Saved results of downstream tasks (.tilt)",
            several=True,
            megabytes=64,
            help="Such as pronoun resolution. Models are matched by their files.",
            metavar="FILE",
        ),
        read=tuple,
        default=(),
        coerce=tuple,
    )
    method: Method = one_of(Method, "Correlation")
    subsets: int = whole("Subsets of professions", 20, 4, 500)  # fewer than 4 points have no correlation
    drawn: int = whole("Professions of each kind in a subset", 10, 2, 30)  # of the 30 of each kind
    draws: Draws = one_of(Draws, "How subsets are drawn", flag="--draws")
    seed: int = seed_field()
    published: tuple[str, ...] = published_field("reliability")

    def __post_init__(self) -> None:
        if not self.models and not self.published:
            raise OptionError("No model is chosen; choose at least one.")
        super().__post_init__()
        self.check_published()
        for name in self.representations:
            representation_by_id(name)
        for name in self.metrics:
            metric_by_id(name)
        if self.compare == Compared.METRICS:
            if self.templates.id == OWN:
                raise OptionError("Metrics have their own templates; omit --template.")
            return
        if self.compare == Compared.REPRESENTATIONS:
            self._check_representations(OF_WORDS, "words in templates or alone", least=2)
            return
        if len(self.templates.templates) < 2:
            raise OptionError(f"{len(self.templates.templates)} template chosen; needs two templates or more.")
        if self.compare == Compared.TEMPLATES:
            self._check_representations(IN_TEMPLATES, "words in templates", least=1)
        elif self.base_template and self.base_template not in self.texts:
            known = ", ".join(self.texts)
            raise OptionError(f"The base template “{self.base_template}” is not among those chosen: {known}.")

    def _check_representations(self, fitting: Sequence[str], what: str, least: int) -> None:
        for name in self.representations:
            if name not in fitting:
                raise OptionError(f"“{name}” does not read {what}; choose {', '.join(fitting)}.")
        if self.representations and len(self.representations) < least:
            raise OptionError(f"{len(self.representations)} representation chosen; choose {least} or more.")

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The spec of the values of inputs by name; its files are read, so that a fault in them is said at once."""
        spec = super().of(values)
        spec.materials()
        spec.scores()
        spec.brought()
        return spec

    @property
    def texts(self) -> dict[str, str]:
        """The text of each template by its id."""
        return {template.id: template.text for template in self.templates.templates}

    @property
    def base_id(self) -> str:
        """The id of the template that the others diverge from."""
        return self.base_template or next(iter(self.texts))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The ids of the representations that are read: those chosen, or all that fit."""
        if self.representations:
            return self.representations
        return IN_TEMPLATES if self.compare == Compared.TEMPLATES else OF_WORDS

    @property
    def chosen_metrics(self) -> tuple[Metric, ...]:
        """The metrics that are requested: those chosen, or all that the files given suffice for."""
        given_files = [name for name in GIVEN if getattr(self, name) is not None]
        if self.metrics:
            return tuple(map(metric_by_id, self.metrics))
        return tuple(metric for metric in METRICS if not metric.needs or metric.needs in given_files)

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        if self.compare == Compared.METRICS:
            what = [f"{len(self.chosen_metrics)} metrics", *(file.name for file in self.downstream)]
        elif self.compare == Compared.DIVERGENCE:
            what = [f"{len(self.texts)} templates", f"divergence from {self.base_id}"]
        else:
            what = [f"{len(self.texts)} templates", f"{len(self.kinds)} representations"]
        return " · ".join((*what, *self.names))

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the kinds of number that can sum its result up."""
        correlation, divergence = super().numbers
        return (divergence if self.compare == Compared.DIVERGENCE else correlation,)

    @property
    def data(self) -> tuple[str, ...]:
        """Where templates and words are from; of metrics, their papers and the user's data."""
        if self.compare == Compared.METRICS:
            return (
                *sources_of(self.chosen_metrics, self.materials()),
                *(brought.source for brought in self.brought()),
            )
        words = self.words.citations
        return (self.templates.citation, *(words[-1:] if self.compare == Compared.DIVERGENCE else words))

    def materials(self) -> Materials:
        """What the user's files hold. Raises InputError."""
        return _materials(self.crows_pairs, self.stereoset, self.sentences)

    def scores(self) -> tuple[Column, ...]:
        """The user's own scores. Raises InputError."""
        return () if self.columns is None else measured.read_columns(self.columns.data, self.columns.name)

    def brought(self) -> tuple[Brought, ...]:
        """The results of downstream tasks. Raises InputError."""
        return tuple(map(outcomes.read, self.downstream))

    def requests(self, device: str | None = None) -> tuple[ModelRequest, ...]:
        """The models as they are leased: with attention outputs where a metric weights by them."""
        eager = self.compare == Compared.METRICS and any(part.attention == "eager" for part in self.chosen_metrics)
        attention = "eager" if eager else self.ATTENTION
        return tuple(replace(request, attention=attention) for request in super().requests(device))

    @property
    def parts(self) -> tuple[AgreementSpec, ...]:
        """Metrics of one model each: they are measured one after the other, and any number can be compared."""
        alone = len(self.models) < 2 and self.columns is None and not self.downstream
        if self.compare != Compared.METRICS or alone:
            return ()
        return tuple(replace(self, models=(model,), columns=None, downstream=(), published=()) for model in self.models)

    def joined(self, results: Sequence[AgreementResult | ModelError | None]) -> AgreementResult:
        """The metrics of all models against each other; None stands for one that was not reached."""
        from . import compute

        return self.finish(compute.joined(self.base, results))

    @property
    def most(self) -> int | None:
        """As of every measure; over models there is no bound, since they are points."""
        return None if self.compare == Compared.METRICS else super().most

    def obstacle(self, entry: Entry) -> str:
        """As of every measure; and where what it compares, or the subsets of professions, are not those of the spec."""
        return super().obstacle(entry) or obstacle(self, entry)

    @property
    def base(self) -> Self:
        """The same without what was published, which asks no model."""
        return replace(self, published=()) if self.models else self

    def finish(self, result: AgreementResult) -> AgreementResult:
        """The result with what was published beside it."""
        return result if result.spec.published == self.published else joined(self, result)

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> AgreementResult:
        """Measure with the loaded models, which are those of the spec."""
        if not self.models:
            return joined(self, None)
        from . import compute

        return self.finish(compute.measure(self.base, models, run))


@functools.lru_cache(maxsize=8)
def _materials(crows_pairs: File | None, stereoset: File | None, sentences: File | None) -> Materials:
    from ..benchmarks.registry import benchmark

    def read(name: str, file: File | None) -> Any:
        return None if file is None else benchmark(name).read([(file.data, file.name)])

    lines = None if sentences is None else read_lines(sentences.data, sentences.name)
    return Materials(
        read("crows-pairs", crows_pairs),
        read("stereoset", stereoset),
        () if lines is None else lines.words,
        () if lines is None else lines.notes,
    )
