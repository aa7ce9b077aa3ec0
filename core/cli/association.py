"""``association``: WEAT, SEAT, CEAT and LPBS, by every way of representing a word."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from core import sources
from core.cli import shared
from core.errors import OptionError, WordListError
from core.measures.association.result import AssociationOptions
from core.measures.shared import provenance
from core.measures.shared.representations import CEAT, REPRESENTATIONS, VECTORS, representation_by_id
from core.result import Result
from core.run import Callbacks
from core.sources import AssociationTest

NAME = "association"
HELP = "association tests: WEAT, SEAT, CEAT and LPBS"
DESCRIPTION = (
    "Association tests: is X more strongly associated with A, and Y with B? "
    "A positive effect size says so; a negative one says the opposite."
)
EPILOG = shared.FILES + " --list names the tests and representations."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--list", action="store_true", help="name the tests and representations, and stop")
    parser.add_argument("--test", action="append", metavar="TEST", help="a published test, such as weat6; repeatable")
    parser.add_argument(
        "--representation",
        action="append",
        metavar="NAME",
        help="how a word is represented, such as pooled-in-templates or lpbs; repeatable; default: lpbs "
        "where a test has templates for it, else pooled-in-templates",
    )
    for letter, what in (("x", "targets X"), ("y", "targets Y"), ("a", "attributes A"), ("b", "attributes B")):
        parser.add_argument(f"--{letter}", metavar="WORDS", help=f"own {what}, separated by commas, or @FILE")
    parser.add_argument("--own", metavar="FILE", help="own lists from a CSV file with the columns x, y, a and b")
    parser.add_argument(
        "--template", action="append", metavar="TEXT", help="for LPBS on own lists: [TARGET] and [ATTRIBUTE]"
    )
    parser.add_argument("--group1", metavar="WORDS", help="for LPBS on own lists: the target words that stand for X")
    parser.add_argument("--group2", metavar="WORDS", help="for LPBS on own lists: the target words that stand for Y")
    parser.add_argument("--vectors", metavar="FILE", help="static vectors: a GloVe, word2vec or fastText text file")
    parser.add_argument("--contexts", metavar="FILE", help="sentences, one a line: CEAT reads the words in them")
    for name, what in {
        "layer": "read this layer instead (0 is the embedding output)",
        "ddof": "of the standard deviation in d",
        "lost": "which members are excluded: those unknown to the model, or all split into several tokens",
        "unequal": "sets that lost members unequally: keep them, or drop members at random",
        "lpbs_values": "LPBS of a word: the mean over templates, or all templates' values pooled",
        "ceat_variance": "the variance of CEAT's samples: the authors' code, or the paper's formula",
        "ceat_samples": "samples of CEAT",
        "form": shared.FORM,
        "seed": "for every random draw",
    }.items():
        shared.add_option(parser, AssociationOptions, name, what)
    shared.add_models(parser)


def run(asked: argparse.Namespace) -> Result:
    """Run what was asked, or list what can be."""
    if asked.list:
        return _listing()
    tests = _tests(asked)
    options = shared.options_of(AssociationOptions, asked)
    for name in asked.representation or []:
        representation_by_id(name)
    sentences: tuple[str, ...] = ()
    data = [test.citation for test in tests]
    data += shared.sources_of(
        [text for text in (asked.x, asked.y, asked.a, asked.b, asked.group1, asked.group2) if text]
    )
    if asked.contexts:
        found = shared.sentences(asked.contexts)
        sentences = found.words
        data += [f"sentences of {Path(asked.contexts).name}", *found.notes]
    if asked.vectors:
        shared.check_file(asked.vectors)
    names = asked.representation or ([] if asked.vectors or sentences else _default(tests))
    # Static vectors need no model; asking for one by name still runs it.
    models = shared.check_models(asked.model or ([] if asked.vectors and not names and not sentences else ["default"]))
    from core.measures.association import compute

    with shared.lent_models(models, asked) as lent:
        return lent.complete(
            compute.run(
                lent.models,
                tests,
                names,
                options,
                vectors=Path(asked.vectors) if asked.vectors else None,
                sentences=sentences,
                data=data,
                run=Callbacks(shared.show_progress),
            )
        )


def _default(tests: list[AssociationTest]) -> list[str]:
    return ["lpbs"] if all(test.lpbs for test in tests) else ["pooled-in-templates"]


def _tests(asked: argparse.Namespace) -> list[AssociationTest]:
    tests = [sources.association_test(name) for name in dict.fromkeys(asked.test or [])]
    given = [getattr(asked, letter) for letter in ("x", "y", "a", "b")]
    if asked.own and any(given):
        raise WordListError("Give own lists either by --own FILE or by --x, --y, --a and --b.")
    if asked.own:
        tests.append(sources.read_test(shared.read_file(asked.own), Path(asked.own).name))
    if any(given):
        if not all(given):
            raise WordListError("Own lists need all four of --x, --y, --a and --b.")
        tests.append(
            sources.own_test(
                *(shared.words(words) for words in given),
                templates=tuple(asked.template or ()),
                group1=shared.words(asked.group1) if asked.group1 else (),
                group2=shared.words(asked.group2) if asked.group2 else (),
            )
        )
    elif asked.template or asked.group1 or asked.group2:
        raise OptionError("--template, --group1 and --group2 need own lists (--x, --y, --a and --b).")
    if not tests:
        raise OptionError("No test is chosen; give --test NAME or own lists. --list names the tests.")
    return tests


def _listing() -> Result:
    rows = [
        ("test", test.id, test.title, str(test.source), test.lpbs is not None) for test in sources.association_tests()
    ]
    rows += [("representation", kind.id, kind.title, kind.source, kind.id == "lpbs") for kind in REPRESENTATIONS]
    rows += [("representation", CEAT.id, f"{CEAT.title} (--contexts)", CEAT.source, False)]
    rows += [("representation", VECTORS.id, f"{VECTORS.title} (--vectors)", VECTORS.source, False)]
    summary = pd.DataFrame(rows, columns=["kind", "name", "title", "source", "lpbs"])
    return Result(summary, summary.iloc[:0], (), {}, provenance.of((), data=(), seed=0))
