"""``attention``: one sentence and its gender-swapped twin, head by head."""

from __future__ import annotations

import argparse

from core import sources
from core.cli import shared
from core.errors import OptionError, WordListError
from core.result import Result
from core.run import Callbacks
from core.sources.marking import MarkedSentence

NAME = "attention"
HELP = "attention from an occupation to the gendered words of a sentence, head by head"
DESCRIPTION = (
    "Attention bias of a sentence and its gender-swapped twin (Li et al. 2021), for every head and detector. "
    "A degree above 0: the head turns to the same gender in both. Bias: above 0 to male words."
)
EPILOG = "Words are found by lists; --male, --female and --occupation say otherwise."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--sentence", required=True, metavar="TEXT", help="with male and female words, an occupation")
    parser.add_argument("--twin", metavar="TEXT", help="default: made by the embedded model")
    parser.add_argument("--male", metavar="WORDS", help="the male words of the sentence, separated by commas")
    parser.add_argument("--female", metavar="WORDS", help="the female words of the sentence, separated by commas")
    parser.add_argument("--occupation", metavar="WORD", help="the occupation; the last one of several by default")
    shared.add_models(parser)


def run(asked: argparse.Namespace) -> Result:
    """Measure what was asked."""
    text = sources.parse_sentence(asked.sentence)
    roles = sources.found_roles(text)
    chosen = sources.roles_of(
        text,
        male=shared.words(asked.male) if asked.male else (),
        female=shared.words(asked.female) if asked.female else (),
        occupation=asked.occupation or "",
    )
    given = {"male": asked.male, "female": asked.female, "occupation": asked.occupation}
    kept = {span: role for span, role in roles.items() if not given[role]}
    sentence = sources.marked(text, {**kept, **chosen})
    names = shared.check_models(asked.model or ["default"])
    twin = _twin(asked, text, sentence)
    from core.measures.attention import compute

    with shared.lent_models(names, asked, attention="eager") as lent:
        return lent.complete(compute.run(lent.models, sentence, twin, run=Callbacks(shared.show_progress)))


def _twin(asked: argparse.Namespace, text: str, sentence: MarkedSentence) -> MarkedSentence:
    """The twin with its words marked; an occupation said by the user is sought there too."""
    if asked.twin:
        twin = sources.parse_sentence(asked.twin)
    else:
        from core.engine.masked import MaskedScorer
        from core.measures.attention import twins

        with shared.lent_models(["default"], asked) as lent:
            (made,) = twins.twin(MaskedScorer(lent.models[0]), [text])
        if made is None:
            raise OptionError("No twin could be made of this sentence; write it with --twin.")
        twin = made
        shared.say(f"Twin: {twin}")
    roles = sources.found_roles(twin)
    if asked.occupation:
        word = text[slice(*sentence.occupation)]
        try:
            chosen = sources.roles_of(twin, male=(), female=(), occupation=word)
        except WordListError as error:
            raise OptionError(f"The twin does not hold “{word}”; write it with --twin.") from error
        roles = {span: role for span, role in roles.items() if role != "occupation"} | chosen
    return sources.marked(twin, roles)
