"""``benchmark``: CrowS-Pairs, AUL, AULA, StereoSet, DisCo, WinoBias, Winogender and HONEST on the user's copy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from core.cli import shared
from core.errors import OptionError
from core.measures.benchmarks.registry import BENCHMARKS, benchmark
from core.measures.benchmarks.spec import BenchmarkOptions
from core.result import Result
from core.run import Callbacks
from core.sources import benchmarks
from core.sources.benchmarks import Data, Words

NAME = "benchmark"
HELP = "published benchmarks on your copy of their data"
DESCRIPTION = "What a model prefers in a published data set, by type of bias, with intervals and each pair."
EPILOG = (
    "Data: a file, several for WinoBias's text files, or a data set by name (owner/name[/configuration][:split]) where "
    "there is a network. " + shared.FILES
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("name", metavar="NAME", help=", ".join(benchmark.id for benchmark in BENCHMARKS))
    parser.add_argument("--data", action="append", metavar="FILE", help="the data, or HONEST's lexicon; repeatable")
    parser.add_argument("--words", choices=("names", "nouns"), default="names", help="for DisCo; default: names")
    parser.add_argument("--female", metavar="WORDS", help="for DisCo: own female words, with --male")
    parser.add_argument("--male", metavar="WORDS", help="for DisCo: own male words, with --female")
    shared.add_option(
        parser,
        BenchmarkOptions,
        "pieces",
        "for StereoSet, a candidate of several tokens: masked together and mean log probability, or revealed from left "
        "to right and mean probability, as in the authors' code",
    )
    shared.add_option(parser, BenchmarkOptions, "average", "for StereoSet: the mean over")
    shared.add_option(parser, BenchmarkOptions, "fills", "for DisCo: the top 3, or those of probability > .1")
    shared.add_option(
        parser,
        BenchmarkOptions,
        "text",
        "sentences as the file has them, or normalised: with Unicode NFC and single spaces",
    )
    shared.add_option(parser, BenchmarkOptions, "seed", "for every bootstrap")
    shared.add_models(parser)


def run(asked: argparse.Namespace) -> Result:
    """Run what was asked."""
    data = _data(asked)
    options = shared.options_of(BenchmarkOptions, asked)
    names = shared.check_models(asked.model or ["default"])
    from core.measures.benchmarks import compute

    with shared.lent_models(names, asked, attention=benchmark(asked.name).attention) as lent:
        return lent.complete(compute.run(lent.models, asked.name, data, options, run=Callbacks(shared.show_progress)))


def _data(asked: argparse.Namespace) -> Data[Any]:
    chosen = benchmark(asked.name)
    if not isinstance(chosen.reads, Words):
        return benchmark_data(chosen.id, asked.data or [])
    if asked.data:
        raise OptionError(f"{chosen.title} needs words, no file; omit --data, or give --female and --male.")
    if bool(asked.female) != bool(asked.male):
        raise OptionError("Own words need both --female and --male.")
    if asked.female:
        return benchmarks.own_words(shared.words(asked.female), shared.words(asked.male))
    return benchmarks.published_words(asked.words)


def benchmark_data(name: str, given: list[str]) -> Data[Any]:
    """The data of a benchmark from files, or from a data set by its name. Raises OptionError or WordListError."""
    chosen = benchmark(name)
    if not given:
        raise OptionError(f"{chosen.title} needs your copy of its data; give --data FILE. {chosen.expects}")
    if len(given) == 1 and not Path(given[0]).exists() and benchmarks.is_library_name(given[0]):
        return chosen.named(given[0])
    return chosen.read([(shared.read_file(path), Path(path).name) for path in given])
