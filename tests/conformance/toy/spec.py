"""How many more tokens one word takes than another: a measure to try the house with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from core.errors import WordListError
from core.inputs import Text
from core.measures.measure import MeasureSpec, register
from core.measures.shared import provenance
from core.result import Excluded, Headline, Note, Progress, Result, Schema, Table, count, number, text
from core.run import Run
from core.spec import Labelled, given, one_of, whole, yes_or_no

if TYPE_CHECKING:
    from core.engine.loading import LoadedModel


class Case(Labelled):
    """How words are written."""

    TYPED = "typed", "as typed"
    UPPER = "upper", "in capitals"


def _lines(text: str) -> tuple[str, ...]:
    words = tuple(line.strip() for line in text.splitlines() if line.strip())
    if not words:
        raise WordListError("There is no word; give at least one.")
    return words


class ToyResult(Result):
    """Numbers of tokens."""

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number("difference", "Tokens beyond those of the other word", sign="more than the other word"),
            lambda result: result["words"],
            "difference",
            of=("word",),
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "toy",
        1,
        {
            "words": Table(
                "a word in a model",
                (
                    text("model", "The model."),
                    text("word", "The word."),
                    count("tokens", "Tokens of the word."),
                    number("difference", "Tokens beyond those of the other word", sign="more than the other word"),
                ),
            )
        },
    )


@register
@dataclass(frozen=True, kw_only=True)
class ToySpec(MeasureSpec[ToyResult]):
    """What the toy is asked for.

    Parameters
    ----------
    words : tuple of str
        Whose tokens are counted.
    other : str
        What they are compared with.
    case : Case
        How words are written.
    times : int
        By what counts are multiplied.
    exclude_long : bool
        Whether words of four tokens and more are left out.
    """

    RESULT: ClassVar[type[Result]] = ToyResult
    COMMAND: ClassVar[str] = "toy"
    TITLE: ClassVar[str] = "Tokens of words"
    DESCRIPTION: ClassVar[str] = "How many more tokens each word takes than another; positive where it takes more."

    words: tuple[str, ...] = given(
        Text("words", "Words", "nurse", height=80, flag="--word"), read=_lines, default=("nurse",)
    )
    other: str = given(Text("other", "Other word", "he"), read=str, default="he")
    case: Case = one_of(Case, "How words are written")
    times: int = whole("Times", 1, 1, 9)
    exclude_long: bool = yes_or_no("Exclude words of four tokens and more", False)

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> ToyResult:
        """Count, a word at a time; what is counted is in the run's memory."""
        rows, excluded, notes, stopped = [], [], [], False
        for model in models:
            notes.append(Note("counts tokens without its special ones.", model.info.name))
            for done, word in enumerate(self.words):
                key = (model.info.digest, word)
                if key not in run.memory:
                    if run.cancelled():
                        stopped = True
                        break
                    run.memory[key] = self._tokens(model, word), self._tokens(model, self.other)
                    run.report(Progress(f"Counting with {model.info.name}", done + 1, len(self.words)))
                tokens, others = run.memory[key]
                if self.exclude_long and tokens > 3:
                    excluded.append(Excluded(model.info.name, "target", word, f"{word} takes {tokens} tokens"))
                    continue
                rows.append({"model": model.info.name, "word": word, "tokens": tokens, "difference": tokens - others})
        return ToyResult(
            spec=self,
            tables=ToyResult.SCHEMA.frames(words=rows),
            excluded=tuple(excluded),
            notes=tuple(notes),
            provenance=provenance.of((model.info for model in models), data=self.data, seed=0),
            stopped=stopped,
        )

    def _tokens(self, model: LoadedModel, word: str) -> int:
        written = word.upper() if self.case == Case.UPPER else word
        return self.times * len(model.tokenizer.tokenize(written))
