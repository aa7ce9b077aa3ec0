"""A file with its genders swapped: every change with its reason, what is doubtful, and what cannot be undone."""

from __future__ import annotations

from typing import ClassVar

import pandas as pd

from ....result import Better, Headline, Result, Schema, Table, count, flag, number, text

SUMMARY, DOCUMENTS, CHANGES, DOUBTS, UNRESTORED, TEXTS = (
    "summary",
    "documents",
    "changes",
    "doubts",
    "unrestored",
    "texts",
)
DOCUMENT = text("document", "The ID of a GAP file's row, or the line that the document begins in.")
_START = count("start", "The character it starts at in the document, from 0.")


def _restored(result: SwapResult) -> pd.DataFrame:
    rows = result[SUMMARY]
    return rows[(rows["what"] == "tokens") & (rows["kind"] == "restored")]


class SwapResult(Result):
    """A file with the genders of some documents swapped.

    Tables: ``summary``, ``documents``, ``changes`` (each with its reason), ``doubts`` (what to look at),
    ``unrestored`` (tokens that swapping back does not restore), ``texts`` (the swapped documents before and after).
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number("restored", "Share of the tokens of swapped documents that swapping back restores", unit="%"),
            _restored,
            "percent",
            n="n",
            neutral=None,
            better=Better.HIGHER,
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "swap",
        1,
        {
            SUMMARY: Table(
                "a count over the file",
                (
                    text("what", "What is counted: documents, changes, doubts or tokens."),
                    text("kind", "Which of them."),
                    count("n", "How many."),
                    number("percent", "Share of all documents, changes, doubts or tokens.", unit="%", decimals=2),
                ),
            ),
            DOCUMENTS: Table(
                "a document",
                (
                    DOCUMENT,
                    count("line", "The line of the file that it begins in, from 1."),
                    flag("swapped", "Whether it was chosen to be swapped."),
                    count("changes", "Words and names that were changed."),
                    count("doubts", "Places to look at."),
                    count("tokens", "Words and signs, of a document that was swapped."),
                    count("unrestored", "Tokens that swapping back does not restore."),
                ),
                long=True,
            ),
            CHANGES: Table(
                "a change",
                (
                    DOCUMENT,
                    _START,
                    text("before", "What stood there."),
                    text("after", "What stands there now."),
                    text("kind", "pronoun, word, title or name."),
                    text("reason", "Why it was changed so."),
                ),
                long=True,
            ),
            DOUBTS: Table(
                "a place to look at",
                (
                    DOCUMENT,
                    _START,
                    text("word", "The word, as it stood there."),
                    text(
                        "kind",
                        "A grammatical doubt, a half-swapped name, a word that only one side has, or a name or word.",
                    ),
                    text("reason", "What was done, and what speaks against it."),
                ),
                long=True,
            ),
            UNRESTORED: Table(
                "a token that swapping back does not restore",
                (
                    DOCUMENT,
                    count("token", "Its number in the document, from 1."),
                    text("before", "The token as it stood there."),
                    text("after", "The token after swapping twice."),
                ),
                long=True,
            ),
            TEXTS: Table(
                "a swapped document",
                (DOCUMENT, text("before", "Its text."), text("after", "Its text with the genders swapped.")),
                long=True,
            ),
        },
    )

    def n(self, what: str, kind: str = "all") -> int:
        """A count of the summary; 0 where there is none."""
        rows = self[SUMMARY]
        found = rows.loc[(rows["what"] == what) & (rows["kind"] == kind), "n"]
        return int(found.iloc[0]) if len(found) else 0

    @property
    def restored_share(self) -> float:
        """Share (0–1) of the tokens of swapped documents that swapping back restores; 1 where there is no token."""
        tokens = self.n("tokens")
        return 1.0 if not tokens else self.n("tokens", "restored") / tokens
