"""What comes out of an experiment: frozen dataclasses, units and shapes in the docstrings.

Depends on nothing but the standard library, numpy and pandas, so that charts and exports can read a result
without knowing any model. One file an experiment; all names are imported from here.
"""

from core.results.association import AskedTest, AssociationCell, AssociationOptions, AssociationResult, WordSet
from core.results.attention import (
    ORIGINAL,
    TWIN,
    AttentionOptions,
    AttentionResult,
    MarkedSentence,
    ScanResult,
    SentenceMaps,
)
from core.results.benchmarks import BenchmarkOptions, BenchmarkResult, Measure
from core.results.common import (
    ALL_ATTRIBUTES,
    OTHERS,
    Contrast,
    Group,
    IsCancelled,
    LeftOut,
    ModelInfo,
    Note,
    Progress,
    Provenance,
    ReportProgress,
    Result,
    never_cancelled,
    no_progress,
    notes_of,
)
from core.results.limits import check_options
from core.results.lpbs import LpbsOptions, LpbsResult
from core.results.professions import ProfessionOptions, ProfessionResult, Statistic
from core.results.rulers import (
    METRICS,
    REPRESENTATIONS,
    TEMPLATES,
    AgreementOptions,
    AgreementResult,
    DivergenceOptions,
    DivergenceResult,
    Stability,
)

__all__ = [
    "ALL_ATTRIBUTES",
    "METRICS",
    "ORIGINAL",
    "OTHERS",
    "REPRESENTATIONS",
    "TEMPLATES",
    "TWIN",
    "AgreementOptions",
    "AgreementResult",
    "AskedTest",
    "AssociationCell",
    "AssociationOptions",
    "AssociationResult",
    "AttentionOptions",
    "AttentionResult",
    "BenchmarkOptions",
    "BenchmarkResult",
    "Contrast",
    "DivergenceOptions",
    "DivergenceResult",
    "Group",
    "IsCancelled",
    "LeftOut",
    "LpbsOptions",
    "LpbsResult",
    "MarkedSentence",
    "Measure",
    "ModelInfo",
    "Note",
    "ProfessionOptions",
    "ProfessionResult",
    "Progress",
    "Provenance",
    "ReportProgress",
    "Result",
    "ScanResult",
    "SentenceMaps",
    "Stability",
    "Statistic",
    "WordSet",
    "check_options",
    "never_cancelled",
    "no_progress",
    "notes_of",
]
