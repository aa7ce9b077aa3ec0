"""The sentences of a gender direction: the facts for the templates beside this module."""

from __future__ import annotations

from typing import Any

from ....charts.rows import finite
from ....report.texts import Finding, finding_of, text_of
from ....report.wording import listed, some
from ....report.works import cited
from ....result import Group
from ....stats.samples import ALPHA, LEAST, is_enough, too_few
from ...shared.representations import SOURCES, TITLES
from ..words import erased
from .figures import side_names
from .result import ALTERNATIVES, COMPONENTS, CORRELATIONS, DIRECTIONS, ERASED, DirectionResult, Which
from .spec import PEOPLE


def groups(result: DirectionResult) -> tuple[Group, Group]:
    """Both sides as groups, for their hues."""
    first, second = side_names(result)
    return Group(second, ()), Group(first, ())


def finding(result: DirectionResult, which: Which) -> Finding:
    """Whether words lie further along one direction the more women there are, and how firm the direction is."""
    (row,) = result.of(DIRECTIONS, which).to_dict("records")
    components = result.of(COMPONENTS, which)
    correlations = result.of(CORRELATIONS, which)
    found = correlations[correlations["method"] == "pearson"].to_dict("records")
    first, second = side_names(result)
    r = finite(found[0]["r"]) if found else None
    p = finite(found[0]["p_adjusted"]) if found else None
    n = int(found[0]["n"]) if found else 0
    towards = None if r is None or p is None or p >= ALPHA else first if r > 0 else second
    facts: dict[str, Any] = {
        name: finite(row[name])
        for name in ("direct_bias_low", "direct_bias_high", "cosine", "cosine_low", "cosine_high")
    }
    return finding_of(
        __file__,
        "finding",
        nouns=result.spec.words.noun_plural,
        first=first,
        towards=towards,
        r=r,
        p=p,
        low=finite(found[0]["ci_low"]) if found else None,
        high=finite(found[0]["ci_high"]) if found else None,
        n=n,
        few="" if r is None or is_enough(n) else too_few(n),
        people=PEOPLE,
        share=row["share"],
        random=finite(components["random"].iloc[0]),
        pairs=int(row["n_pairs"]),
        words=int(row["n_words"]),
        direct_bias=row["direct_bias"],
        strictness=result.spec.strictness,
        erased=not result.of(ERASED, which).empty,
        mean=row["mean_projection"],
        **facts,
    )


def methods(result: DirectionResult) -> tuple[str, ...]:
    """How the numbers were made."""
    spec = result.spec
    counted = "" if spec.statistic is None else spec.statistic.statistic(PEOPLE).title
    return (
        text_of(
            __file__,
            "methods",
            pairs=spec.pairs,
            spec=spec,
            kinds=[TITLES[kind] for kind in result[DIRECTIONS]["representation"].unique()],
            words=spec.words.citation,
            first=side_names(result)[0],
            statistic=counted,
            family=int(result[CORRELATIONS]["p_value"].notna().sum()),
            least=LEAST,
            ways=list(result[ALTERNATIVES]["way"].unique()),
        ),
        *erased(
            result[ERASED],
            before="the direction was found",
            apart="each representation and model",
            held_out="words of the pairs, words that are projected",
        ),
    )


def references(result: DirectionResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    sources = [SOURCES[kind] for kind in result[DIRECTIONS]["representation"].unique()]
    erasure = [] if result[ERASED].empty else ["Belrose et al. 2023"]
    tested = ["Benjamini and Hochberg 1995"] if result[CORRELATIONS]["p_value"].notna().any() else []
    return cited(["Bolukbasi et al. 2016", "Basta et al. 2019", "Zhao et al. 2019", *sources, *erasure, *tested])


def material(result: DirectionResult) -> tuple[str, ...]:
    """What was put to the models, for the caption of a figure."""
    spec = result.spec
    pairs = some([" / ".join(pair) for pair in spec.pairs.pairs])
    kinds = listed([TITLES[kind] for kind in result[DIRECTIONS]["representation"].unique()], 3)
    without = [] if result[ERASED].empty else ["Gender erased before (LEACE)."]
    pairs = f"Direction from {len(spec.pairs.pairs)} pairs ({pairs}), by {kinds}."
    return (pairs, *without, f"Words: {spec.words.title}.")


def scatter_text(result: DirectionResult, which: Which) -> str:
    """The scatter in words."""
    return " ".join(filter(None, (finding(result, which).text, finding(result, which).support)))


def variance_text(result: DirectionResult, which: Which) -> str:
    """The shares of the components in words."""
    rows = result.of(COMPONENTS, which)
    return text_of(
        __file__,
        "variance",
        shares=rows["share"].head(3).tolist(),
        random=[value for value in rows["random"].head(3).tolist() if value == value],
        pairs=int(result.of(DIRECTIONS, which)["n_pairs"].iloc[0]),
    )
