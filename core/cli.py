"""The experiments without a browser: ``python -m core COMMAND …``.

Every command prints one result, ``{"summary", "detail", "left_out", "options", "provenance"}`` in JSON. Progress
goes to standard error. Exit codes: 0 done, 1 it could not be measured, 2 what was asked is not well formed.

To add a command: a function that takes the parsed arguments and returns a ``Result``, and its lines in ``_parser``.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import pandas as pd

from core import __version__, lexicon
from core.errors import InputError, TiltmeterError, WordListError
from core.export import to_csv, to_json, to_table
from core.results import Group, LpbsOptions, Progress, Result
from core.templates import Template

Command = Callable[[argparse.Namespace], Result]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        result = asked.command(asked)
        _write(result, asked.format)
    except TiltmeterError as error:
        _say(f"tiltmeter: {error}")
        return 2 if isinstance(error, InputError) else 1
    except KeyboardInterrupt:
        _say("tiltmeter: stopped")
        return 1
    except BrokenPipeError:
        # The reader of a pipe went away, as `… | head` does: nothing is wrong, and nobody is left to tell.
        with contextlib.suppress(OSError):
            sys.stdout.close()
        return 0
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m core", description="Tiltmeter: measure the social lean of language models."
    )
    parser.add_argument("--version", action="version", version=f"Tiltmeter {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--format", choices=("json", "table", "csv"), default="table", help="default: table")

    score = commands.add_parser(
        "score",
        parents=[shared],
        help="log probability bias scores of a list of attributes",
        description="Log probability bias score (Kurita et al. 2019) of each attribute, group 1 minus group 2. "
        "A positive value leans to the first group.",
        epilog="@FILE reads words from a text or CSV file, @FILE:COLUMN from one column of it.",
    )
    score.add_argument(
        "--model",
        action="append",
        metavar="MODEL",
        help="catalog name, hub id (owner/name, owner/name@revision) or folder; up to four times; default: default",
    )
    score.add_argument(
        "--template",
        action="append",
        required=True,
        metavar="TEXT",
        help="a sentence with [TARGET] and [ATTRIBUTE]; may be repeated",
    )
    score.add_argument(
        "--group",
        action="append",
        metavar="NAME=WORDS",
        help="a group of target words, such as male=he,him or male=@FILE; two or more",
    )
    score.add_argument("--groups", metavar="PRESET", help="a preset of groups instead, such as he-she")
    score.add_argument("--attribute", action="append", metavar="WORD", help="an attribute, or @FILE; may be repeated")
    score.add_argument("--attributes", metavar="LIST", help="a published list of attributes, such as professions")
    score.add_argument("--masking", default="wordpiece", metavar="HOW", help="wordpiece (default), word or single")
    score.add_argument("--several-pieces", default="single", metavar="HOW", help="single (default) or joint")
    score.add_argument("--contrasts", default="pairs", metavar="HOW", help="pairs (default) or others")
    score.add_argument("--unpaired", action="store_true", help="groups of equal length are no pairs by position")
    score.add_argument("--all-words", action="store_true", help="keep words that not every model can represent")
    score.add_argument("--seed", type=int, default=0, help="for the bootstrap and sampled sign flips; default 0")
    _add_hardware(score)
    score.set_defaults(command=_score)

    models = commands.add_parser(
        "models",
        parents=[shared],
        help="the models on offer by name",
        description="The models on offer by name. Any hub id or folder works as well.",
    )
    models.set_defaults(command=_models)
    return parser


def _add_hardware(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dtype", default="float32", metavar="TYPE", help="float32 (default), bfloat16 or float16")
    parser.add_argument("--device", choices=("cuda", "mps", "cpu"), help="default: the best there is")


def _score(asked: argparse.Namespace) -> Result:
    # Everything cheap is checked before the seconds that torch needs to start.
    templates = [Template.parse(text) for text in asked.template]
    groups, group_source = _groups(asked)
    attributes, attribute_source = _attributes(asked)
    options = LpbsOptions(
        masking=asked.masking,
        several_pieces=asked.several_pieces,
        paired=not asked.unpaired,
        contrasts=asked.contrasts,
        common_words=not asked.all_words,
        seed=asked.seed,
    )
    from core.experiments import playground
    from core.models.catalog import MAX_MODELS
    from core.models.loading import request
    from core.models.pool import ModelPool

    pool = ModelPool(max_models=MAX_MODELS)
    with ExitStack() as lent:
        models = []
        for name in asked.model or ["default"]:
            _say(f"Loading {name} …")
            models.append(lent.enter_context(pool.lease(request(name, dtype=asked.dtype, device=asked.device))))
        return playground.run(
            models,
            templates,
            groups,
            attributes,
            options,
            data=tuple(source for source in (group_source, attribute_source) if source),
            progress=_show_progress,
        )


def _groups(asked: argparse.Namespace) -> tuple[tuple[Group, ...], str]:
    if asked.groups and asked.group:
        raise WordListError("Give either --groups or --group, not both.")
    if asked.groups:
        preset = lexicon.group_preset(asked.groups)
        return preset.groups, preset.citation
    groups = []
    for text in asked.group or []:
        name, equals, words = text.partition("=")
        if not equals or not name.strip() or ":" in name:
            raise WordListError(f"“{text}” is no group; write NAME=WORDS, such as male=he, and no colon in the name.")
        groups.append(Group(name.strip(), _words(words)))
    if len(groups) < 2:
        raise WordListError(f"Found {len(groups)} --group, needs 2, such as --group male=he --group female=she.")
    return lexicon.parse_groups(lexicon.format_groups(groups)), ""


def _attributes(asked: argparse.Namespace) -> tuple[tuple[str, ...], str]:
    if asked.attributes and asked.attribute:
        raise WordListError("Give either --attributes or --attribute, not both.")
    if asked.attributes:
        words = lexicon.attribute_list(asked.attributes)
        return words.words, words.citation
    found = [word for text in asked.attribute or [] for word in _words(text)]
    if not found:
        raise WordListError("There is no attribute; give --attribute WORD, --attribute @FILE or --attributes LIST.")
    return tuple(dict.fromkeys(found)), ""


def _words(text: str) -> tuple[str, ...]:
    if not text.startswith("@"):
        return lexicon.parse_words(text)
    path, _, column = text[1:].partition(":") if not Path(text[1:]).exists() else (text[1:], "", "")
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise WordListError(f"{path} cannot be read: {error.strerror or error}.") from None
    return lexicon.read_words(data, Path(path).name, column or None)


def _models(_asked: argparse.Namespace) -> Result:
    from core.experiments import provenance
    from core.models import catalog

    summary = pd.DataFrame([vars(entry) for entry in catalog.entries()])
    summary["languages"] = [", ".join(languages) for languages in summary["languages"]]
    return Result(summary, summary.iloc[:0], (), {}, provenance.of((), data=(), seed=0))


def _write(result: Result, form: str) -> None:
    if form == "json":
        sys.stdout.write(to_json(result).decode())
    elif form == "csv":
        sys.stdout.write(to_csv(result.summary, result.provenance).decode())
    else:
        sys.stdout.write(to_table(result))
    sys.stdout.flush()


def _show_progress(progress: Progress) -> None:
    end = "\n" if progress.done == progress.total else ""
    if sys.stderr.isatty() or end:
        sys.stderr.write(f"\r{progress.stage}: {progress.done:,} of {progress.total:,} inputs{end}")
        sys.stderr.flush()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
