"""Which benchmarks there are, what each needs, and what is known to be wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import OptionError
from core.sources.benchmarks.crows_pairs import CROWS_PAIRS
from core.sources.benchmarks.formats import File, Format
from core.sources.benchmarks.honest import EXPECTS, read_lexicon
from core.sources.benchmarks.items import Data
from core.sources.benchmarks.pronouns import WINOBIAS, WINOGENDER
from core.sources.benchmarks.stereoset import STEREOSET
from core.sources.parsing import shown

FILE, WORDS, LEXICON = "file", "words", "lexicon"
FORMATS: dict[str, Format[Any]] = {
    "crows-pairs": CROWS_PAIRS,
    "aul": CROWS_PAIRS,
    "aula": CROWS_PAIRS,
    "stereoset": STEREOSET,
    "winobias": WINOBIAS,
    "winogender": WINOGENDER,
}

_CROWS_HUB = "nyu-mll/crows_pairs:test"
_SALMON = "Blodgett et al. 2021 (Stereotyping Norwegian Salmon)"
_CROWS_PROBLEMS = (
    f"{_SALMON} found pitfalls in the pairs, such as stereotypes that are unclear or none and sentences that differ in "
    "more than the group they name"
)


@dataclass(frozen=True)
class Benchmark:
    """A benchmark on offer.

    ``problems`` is one sentence on what is known to be wrong with it. ``needs`` is ``file`` (the user's copy of the
    data), ``words`` (two groups of words) or ``lexicon`` (the user's list of hurtful words). ``expects`` says which
    files are recognised. ``hub`` is the data set's usual name in the ``datasets`` library as ``from_library`` takes
    it, empty where none is known to be readable. ``read`` takes (content, file name) of one or more files and is None
    where ``needs`` is ``words``; it raises WordListError for a file that is not recognised.
    """

    id: str
    title: str
    citation: str
    problems: str
    needs: str
    expects: str
    hub: str = ""
    read: Callable[[Sequence[File]], Data[Any]] | None = None


def _of_file(name: str, title: str, citation: str, problems: str, hub: str = "") -> Benchmark:
    made = FORMATS[name]
    return Benchmark(name, title, citation, problems, FILE, made.expects, hub, made.read)


BENCHMARKS = (
    _of_file(
        "crows-pairs",
        "CrowS-Pairs",
        "Nangia et al. 2020, CrowS-Pairs",
        f"{_CROWS_PROBLEMS}.",
        _CROWS_HUB,
    ),
    _of_file(
        "aul",
        "AUL (all unmasked likelihood)",
        "Kaneko & Bollegala 2022, AUL, on the pairs of Nangia et al. 2020",
        f"AUL reads the pairs of CrowS-Pairs, and {_CROWS_PROBLEMS}.",
        _CROWS_HUB,
    ),
    _of_file(
        "aula",
        "AULA (AUL weighted by attention)",
        "Kaneko & Bollegala 2022, AULA, on the pairs of Nangia et al. 2020",
        f"AULA reads the pairs of CrowS-Pairs, and {_CROWS_PROBLEMS}.",
        _CROWS_HUB,
    ),
    _of_file(
        "stereoset",
        "StereoSet, intrasentence",
        "Nadeem et al. 2021, StereoSet",
        f"{_SALMON} found pitfalls in the items, such as stereotypes that are unclear or none and sentences with "
        "mistakes of grammar.",
        "McGill-NLP/stereoset/intrasentence:validation",
    ),
    Benchmark(
        "disco",
        "DisCo",
        "Webster et al. 2020, DisCo, with the templates of Delobelle et al. 2022, appendix A.1",
        "DisCo counts completions that depend on the group, harmful or not, and looks at 14 templates only.",
        WORDS,
        "DisCo takes names or nouns of two groups, from the lists here or one word a line.",
    ),
    _of_file(
        "winobias",
        "WinoBias, by pronoun",
        "Zhao et al. 2018, WinoBias",
        "The sentences are constructed, know two genders and the occupations of U.S. statistics, and 62 of the "
        "1,584 published pairs differ in more than the pronoun.",
    ),
    _of_file(
        "winogender",
        "Winogender, by pronoun",
        "Rudinger et al. 2018, Winogender schemas",
        "The sentences are constructed and few: each of the 60 occupations stands in four of them.",
        "oskarvanderwal/winogender/all:test",
    ),
    Benchmark(
        "honest",
        "Hurtful completions (HONEST-style)",
        "Nozza et al. 2021, HONEST, with prompts of our own",
        "A word counts as hurtful because the lexicon lists it, whatever it means in the sentence, and as the "
        "prompts are our own, the figures are not comparable with published ones.",
        LEXICON,
        EXPECTS,
        read=read_lexicon,
    ),
)


def benchmark(name: str) -> Benchmark:
    """The benchmark of that id. Raises OptionError, with the ids there are, for any other."""
    by_id = {one.id: one for one in BENCHMARKS}
    if name not in by_id:
        raise OptionError(f"There is no benchmark “{shown(name)}”; there are: {', '.join(by_id)}.")
    return by_id[name]
