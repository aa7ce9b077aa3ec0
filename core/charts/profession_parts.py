"""What the charts of professions share: a series and its rows, sections by group, words for sides, hues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.charts.rows import Gap, finite
from core.charts.theme import Theme
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.professions.result import ProfessionResult
from core.result import Contrast
from core.sources import corpora

Series = tuple[str, str]  # one model in one language: (model, ISO 639-1 code)

_PEOPLE = {"female": "women", "male": "men"}


@dataclass(frozen=True)
class Means:
    """One profession: mean associations (nats) of the contrast's first and second words, None where none was scored.

    ``counts`` are the sentences behind each.
    """

    profession: str
    group: str
    first: float | None
    second: float | None
    counts: tuple[int, int]

    @property
    def difference(self) -> float | None:
        """First minus second; None where one of them is missing."""
        return None if self.first is None or self.second is None else self.first - self.second


@dataclass(frozen=True)
class Heading:
    """The row above a section: its group and how many professions it has."""

    group: str
    count: int


def check_series(result: ProfessionResult, wanted: Iterable[Series]) -> None:
    """Raises OptionError for a series the result does not hold, NothingToScore where it holds none."""
    held = result.series
    if not held:
        raise NothingToScore("No profession was scored; the list of exclusions says why.")
    for model, language in wanted:
        if (model, language) not in held:
            known = ", ".join(f"{name} ({code})" for name, code in held)
            raise OptionError(f"The result holds no {model} ({language}); it holds {known}.")


def series_title(result: ProfessionResult, series: Series) -> str:
    """The model, and the language in parentheses where the result holds several."""
    model, language = series
    if len({code for _, code in result.series}) < 2:
        return model
    return f"{model} ({next((one.name for one in corpora() if one.language == language), language)})"


def means_of(result: ProfessionResult, series: Series) -> tuple[Means, ...]:
    """The professions of a series with their mean associations, in the order they were scored.

    Raises as ``check_series``.
    """
    check_series(result, [series])
    detail = result.detail
    own = detail[(detail["model"] == series[0]) & (detail["language"] == series[1])]
    sides = (result.contrast.first, result.contrast.second)
    by_side = own.groupby(["profession", "gender"], observed=True)["association"].agg(["mean", "count"])
    found = {(str(row[0][0]), str(row[0][1])): (finite(row[1]), int(row[2])) for row in by_side.itertuples()}
    rows = []
    for profession, group in own[["profession", "group"]].drop_duplicates("profession").itertuples(index=False):
        (first, n_first), (second, n_second) = (found.get((str(profession), side), (None, 0)) for side in sides)
        rows.append(Means(str(profession), str(group), first, second, (n_first, n_second)))
    return tuple(rows)


def sections(
    rows: Sequence[Means], groups: Sequence[str], limit: int | None = None
) -> tuple[Heading | Means | Gap, ...]:
    """The rows under the headings of their groups, the largest difference first, those without one last.

    ``limit`` is the most rows of a section; the others are counted in one. Raises OptionError for one below 1.
    """
    if limit is not None and limit < 1:
        raise OptionError(f"A limit of {limit} shows no profession; it must be at least 1.")
    found: list[Heading | Means | Gap] = []
    for group in dict.fromkeys((*groups, *(row.group for row in rows))):
        own = sorted((row for row in rows if row.group == group), key=_by_size)
        if not own:
            continue
        # A row that says "1 more" would take the place of the very row it hides.
        kept = len(own) if limit is None or len(own) <= limit + 1 else limit
        found += [Heading(group, len(own)), *own[:kept]]
        if kept < len(own):
            found.append(Gap(len(own) - kept))
    return tuple(found)


def _by_size(row: Means) -> tuple[bool, float]:
    return (row.difference is None, -abs(row.difference or 0.0))


def heading_text(heading: Heading) -> str:
    """The heading as the chart shows it."""
    return f"{heading.group} · {heading.count} {'profession' if heading.count == 1 else 'professions'}"


def people(name: str) -> str:
    """Whom a side of the contrast stands for, to end "leans to": women for female, men for male, else its name."""
    return _PEOPLE.get(name, name)


def words(name: str) -> str:
    """What a side of the contrast is called: female words, male words, else its name."""
    return f"{name} words" if name in _PEOPLE else name


def side_hue(theme: Theme, contrast: Contrast, name: str) -> str:
    """The hue of a side of the contrast, and of the professions named like it; neutral for other professions.

    The first side is female words, which have the hue of group 2 all over the project.
    """
    return {contrast.first: theme.groups[1], contrast.second: theme.groups[0]}.get(name, theme.neutral)
