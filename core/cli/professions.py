"""``professions``: person words and professions against the labour market (BEC-Pro)."""

from __future__ import annotations

import argparse
from pathlib import Path

from core import sources
from core.cli import shared
from core.errors import OptionError
from core.measures.lpbs.professions.result import ProfessionOptions
from core.result import Result
from core.run import Callbacks
from core.sources import Corpus, Shares

NAME = "professions"
HELP = "professions against labour statistics (BEC-Pro), in English and German"
DESCRIPTION = (
    "Association of female and male person words with professions (Bartl, Nissim & Gatt 2020), compared with the share "
    "of women in each. A positive difference means a stronger association with the female words."
)
EPILOG = "Files hold one entry a line. " + shared.FILES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    languages = ", ".join(f"{corpus.language} ({corpus.name})" for corpus in sources.corpora())
    parser.add_argument(
        "--language",
        action="append",
        metavar="CODE",
        help=f"{languages}; repeatable; default: en",
    )
    parser.add_argument(
        "--persons",
        choices=("words", "names"),
        default="words",
        help="female and male words (default), or the African and European American names of WEAT 3 against percent "
        "Black",
    )
    tables = ", ".join(name for name, _ in sources.share_tables())
    parser.add_argument(
        "--statistic",
        default=sources.BLS,
        metavar="NAME",
        help=f"{tables}, or @FILE; default: bls",
    )
    parser.add_argument(
        "--year",
        type=int,
        metavar="YEAR",
        help=f"of the BLS table, {sources.BLS_YEARS[0]} (default) to {sources.BLS_YEARS[-1]}",
    )
    parser.add_argument("--template", action="append", metavar="TEXT", help="instead of the corpus's; repeatable")
    parser.add_argument("--pair", action="append", metavar="FEMALE/MALE", help="instead of the corpus's; repeatable")
    parser.add_argument(
        "--profession", action="append", metavar="WORD", help="instead of the corpus's, or @FILE; repeatable"
    )
    shared.add_option(parser, ProfessionOptions, "masking", "how a profession is hidden for the prior")
    shared.add_option(parser, ProfessionOptions, "form", shared.FORM)
    shared.add_option(
        parser,
        ProfessionOptions,
        "signed_rank",
        "p exact where it can be, or the paper's normal approximation",
    )
    shared.add_option(
        parser, ProfessionOptions, "several_pieces", "person words split into several tokens: excluded, or joint"
    )
    parser.add_argument("--all-words", action="store_true", help="keep words that not every model can score")
    shared.add_option(parser, ProfessionOptions, "seed", "for the bootstrap")
    shared.add_models(parser)


def run(asked: argparse.Namespace) -> Result:
    """Measure what was asked."""
    corpora = _corpora(asked)
    shares = _shares(asked)
    options = shared.options_of(ProfessionOptions, asked, common_words=not asked.all_words)
    names = shared.check_models(asked.model or ["default"])
    from core.measures.lpbs.professions import compute, labour

    with shared.lent_models(names, asked) as lent:
        measured = lent.complete(compute.run(lent.models, corpora, options, run=Callbacks(shared.show_progress)))
    return labour.against(measured, shares)


def _corpora(asked: argparse.Namespace) -> list[Corpus]:
    languages = list(dict.fromkeys(asked.language or ["en"]))
    if asked.persons == "names":
        if languages != ["en"]:
            raise OptionError("The names of WEAT 3 stand in English sentences; omit --language.")
        if asked.pair:
            raise OptionError("Names are not pairs; omit --pair or --persons.")
        corpora = [sources.names_corpus()]
    else:
        corpora = [sources.corpus(language) for language in languages]
    if len(corpora) > 1 and (asked.template or asked.pair or asked.profession):
        raise OptionError("Own templates, pairs and professions belong to one language; give --language once.")
    words = [word for text in asked.profession or [] for word in shared.words(text)]
    return [
        one.changed(
            templates="\n".join(asked.template or one.templates),
            pairs="\n".join(asked.pair) if asked.pair else one.pairs_text,
            professions="\n".join(words) or one.professions_text,
        )
        for one in corpora
    ]


def _shares(asked: argparse.Namespace) -> Shares:
    of = "Black" if asked.persons == "names" else "women"
    if asked.year is not None and asked.statistic != sources.BLS:
        raise OptionError("--year chooses a year of the BLS table; omit it, or use --statistic bls.")
    if asked.statistic.startswith("@"):
        path = asked.statistic[1:]
        return sources.read_shares(shared.read_file(path), Path(path).name, of=of)
    return sources.shares(asked.statistic, year=asked.year or sources.BLS_YEARS[0], of=of)
