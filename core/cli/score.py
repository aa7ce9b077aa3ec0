"""``score``: log probability bias scores of a list of attributes."""

from __future__ import annotations

import argparse

from core import sources
from core.cli import shared
from core.errors import WordListError
from core.measures.lpbs.result import LpbsOptions
from core.result import Group, Result
from core.run import Callbacks
from core.sources.templates import Template

NAME = "score"
HELP = "log probability bias scores of a list of attributes"
DESCRIPTION = (
    "Log probability bias score (Kurita et al. 2019) of each attribute, group 1 minus group 2. "
    "A positive value leans towards the first group."
)
EPILOG = shared.FILES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--template",
        action="append",
        required=True,
        metavar="TEXT",
        help="a sentence with [TARGET] and [ATTRIBUTE]; may be repeated",
    )
    parser.add_argument(
        "--group",
        action="append",
        metavar="NAME=WORDS",
        help="a group of target words, such as male=he,him or male=@FILE; two or more",
    )
    presets = [preset.id for preset in sources.group_presets()]
    parser.add_argument("--groups", metavar="PRESET", help=f"instead: {', '.join(presets)}")
    parser.add_argument("--attribute", action="append", metavar="WORD", help="an attribute, or @FILE; may be repeated")
    lists = [words.id for words in sources.attribute_lists()]
    parser.add_argument("--attributes", metavar="LIST", help=f"a published list: {', '.join(lists)}")
    shared.add_option(parser, LpbsOptions, "masking", "how an attribute is hidden for the prior")
    shared.add_option(parser, LpbsOptions, "several_pieces", "targets split into several tokens: excluded, or joint")
    shared.add_option(parser, LpbsOptions, "contrasts", "every pair of groups, or each against the others")
    shared.add_option(parser, LpbsOptions, "form", shared.FORM)
    parser.add_argument("--unpaired", action="store_true", help="groups of equal length are no pairs by position")
    parser.add_argument("--all-words", action="store_true", help="keep words that not every model can represent")
    shared.add_option(parser, LpbsOptions, "seed", "for the bootstrap and sampled sign flips")
    shared.add_models(parser)


def run(asked: argparse.Namespace) -> Result:
    """Measure what was asked."""
    templates = [Template.parse(text) for text in asked.template]
    groups, group_source = _groups(asked)
    attributes, attribute_source = _attributes(asked)
    options = shared.options_of(LpbsOptions, asked, paired=not asked.unpaired, common_words=not asked.all_words)
    names = shared.check_models(asked.model or ["default"])
    from core.measures.lpbs import compute

    with shared.lent_models(names, asked) as lent:
        return lent.complete(
            compute.run(
                lent.models,
                templates,
                groups,
                attributes,
                options,
                data=tuple(source for source in (group_source, attribute_source) if source),
                run=Callbacks(shared.show_progress),
            )
        )


def _groups(asked: argparse.Namespace) -> tuple[tuple[Group, ...], str]:
    if asked.groups and asked.group:
        raise WordListError("Give either --groups or --group, not both.")
    if asked.groups:
        preset = sources.group_preset(asked.groups)
        return preset.groups, preset.citation
    groups = []
    for text in asked.group or []:
        name, equals, words = text.partition("=")
        if not equals or not name.strip() or ":" in name:
            raise WordListError(
                f"“{text}” is not a valid group; write NAME=WORDS, such as male=he, and no colon in the name."
            )
        groups.append(Group(name.strip(), shared.words(words)))
    if len(groups) < 2:
        raise WordListError(f"Found {len(groups)} --group, needs 2, such as --group male=he --group female=she.")
    source = "; ".join(shared.sources_of([text.partition("=")[2] for text in asked.group]))
    return sources.parse_groups(sources.format_groups(groups)), source


def _attributes(asked: argparse.Namespace) -> tuple[tuple[str, ...], str]:
    if asked.attributes and asked.attribute:
        raise WordListError("Give either --attributes or --attribute, not both.")
    if asked.attributes:
        words = sources.attribute_list(asked.attributes)
        return words.words, words.citation
    found = [word for text in asked.attribute or [] for word in shared.words(text)]
    if not found:
        raise WordListError("There is no attribute; give --attribute WORD, --attribute @FILE or --attributes LIST.")
    return tuple(dict.fromkeys(found)), "; ".join(shared.sources_of(asked.attribute))
