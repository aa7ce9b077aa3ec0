"""What leaves as a picture says what it shows, of which models, and from which words and data."""

from __future__ import annotations

from core.measures.agreement.result import AgreementResult, DivergenceResult
from core.measures.lpbs.result import LpbsResult

KINDS = (
    AgreementResult,
    DivergenceResult,
    LpbsResult,
)
