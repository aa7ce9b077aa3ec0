"""The metrics there are, by name. Imports no model library: what is asked for is checked before any is started.

Every number is of gender and the same way round: the higher, the more the female-typical goes with the female words,
or the stereotype is preferred. To add a metric, add a line to ``METRICS``, and how it is computed to ``metric_table``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import OptionError
from core.sources.benchmarks import Data


@dataclass(frozen=True)
class Materials:
    """What the user brings: pairs of CrowS-Pairs, items of StereoSet, sentences for CEAT. None or empty: not given.

    ``notes`` say what was assumed in reading the sentences.
    """

    crows_pairs: Data[Any] | None = None
    stereoset: Data[Any] | None = None
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Metric:
    """One number of a model. ``needs`` is the field of ``Materials`` it cannot be computed without, or empty.

    ``attention`` is how a model must be lent for it.
    """

    id: str
    title: str
    source: str
    needs: str = ""
    attention: str = "default"


METRICS = (
    Metric("weat", "WEAT, input embedding", "Caliskan et al. 2017"),
    Metric("seat", "SEAT, [CLS]", "May et al. 2019"),
    Metric("ceat", "CEAT", "Guo & Caliskan 2021", "sentences"),
    Metric("tan-celis", "Tan & Celis", "Tan & Celis 2019"),
    Metric("lauscher", "Lauscher, layers 1–4", "Lauscher et al. 2021"),
    Metric("lpbs", "LPBS", "Kurita et al. 2019"),
    Metric("becpro", "BEC-Pro", "Bartl et al. 2020"),
    Metric("disco", "DisCo, top 3", "Webster et al. 2020"),
    Metric("disco-probability", "DisCo, P > .1", "Lauscher et al. 2021"),
    Metric("crows-pairs", "CrowS-Pairs", "Nangia et al. 2020", "crows_pairs"),
    Metric("aul", "AUL", "Kaneko & Bollegala 2022", "crows_pairs"),
    Metric("aula", "AULA", "Kaneko & Bollegala 2022", "crows_pairs", "eager"),
    Metric("stereoset", "StereoSet, stereotype score", "Nadeem et al. 2021", "stereoset"),
)
_BY_ID = {metric.id: metric for metric in METRICS}
GIVEN = {
    "crows_pairs": "the file of CrowS-Pairs",
    "stereoset": "the file of StereoSet",
    "sentences": "sentences, one a line",
}


def metric(name: str) -> Metric:
    """The metric of that id. Raises OptionError with the ids there are."""
    if name in _BY_ID:
        return _BY_ID[name]
    raise OptionError(f"There is no metric “{name}”; choose {', '.join(_BY_ID)}.")


def attention(names: Sequence[str]) -> str:
    """How models must be lent for these metrics."""
    return "eager" if any(metric(name).attention == "eager" for name in names) else "default"


def computable(materials: Materials) -> list[str]:
    """The metrics that can be computed from what the user brings."""
    return [metric.id for metric in METRICS if not metric.needs or getattr(materials, metric.needs)]
