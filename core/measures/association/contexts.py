"""Where the words of association tests stand in a user's sentences: the contexts of CEAT."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...engine.pieces import SpanText

Contexts = Mapping[str, tuple[SpanText, ...]]
MAX_CONTEXTS = 200  # a word's sentences beyond that are drawn from by seed; each costs a pass through the model

_RUN = re.compile(r"\w+")


@dataclass(frozen=True)
class _Sought:
    """A word, cut at its letters: runs of letters in any case, and what stands before, between and behind them."""

    key: str
    before: str
    runs: tuple[str, ...]
    between: tuple[str, ...]
    behind: str


def contexts(sentences: Sequence[str], words: Sequence[str], seed: int) -> dict[str, tuple[SpanText, ...]]:
    """For each word the places where it stands whole in the sentences, whatever its case; at most ``MAX_CONTEXTS``.

    Each word is looked for apart, so that York is found in New York too. The places kept are drawn by ``seed`` for
    each word apart, so that other words change nothing.
    """
    places: dict[str, list[SpanText]] = {word.casefold(): [] for word in words}
    by_first_run: defaultdict[str, list[_Sought]] = defaultdict(list)
    marks = []  # words without a letter or digit
    for key, word in {word.casefold(): word for word in words}.items():
        sought = _cut(key, word)
        if sought is None:
            marks.append((key, re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")))
        else:
            by_first_run[sought.runs[0]].append(sought)
    for sentence in sentences:
        for key, span in _found(sentence, by_first_run):
            places[key].append(SpanText(sentence, span))
        for key, pattern in marks:
            places[key] += [SpanText(sentence, match.span()) for match in pattern.finditer(sentence)]
    chosen = {}
    for word in words:
        every = places[word.casefold()]
        if len(every) > MAX_CONTEXTS:
            rows = np.sort(np.random.default_rng(seed).choice(len(every), MAX_CONTEXTS, replace=False))
            every = [every[row] for row in rows]
        chosen[word] = tuple(every)
    return chosen


def _cut(key: str, word: str) -> _Sought | None:
    runs = list(_RUN.finditer(word))
    if not runs:
        return None
    between = (word[first.end() : second.start()] for first, second in pairwise(runs))
    return _Sought(
        key,
        word[: runs[0].start()],
        tuple(run.group().casefold() for run in runs),
        tuple(between),
        word[runs[-1].end() :],
    )


def _found(sentence: str, by_first_run: Mapping[str, Sequence[_Sought]]) -> Iterator[tuple[str, tuple[int, int]]]:
    """(key, span) of every word in a sentence. Its runs of letters are looked up, not its words searched one by one."""
    runs = [(match.group().casefold(), match.start(), match.end()) for match in _RUN.finditer(sentence)]
    for at, (run, _, _) in enumerate(runs):
        for word in by_first_run.get(run, ()):
            stretch = runs[at : at + len(word.runs)]
            if tuple(letters for letters, _, _ in stretch) != word.runs:
                continue
            gaps = tuple(sentence[a[2] : b[1]] for a, b in pairwise(stretch))
            start, end = stretch[0][1] - len(word.before), stretch[-1][2] + len(word.behind)
            if (
                gaps == word.between
                and start >= 0
                and sentence[start : stretch[0][1]] == word.before
                and sentence[stretch[-1][2] : end] == word.behind
                and not _is_letter(sentence[max(start - 1, 0) : start])
                and not _is_letter(sentence[end : end + 1])
            ):
                yield word.key, (start, end)


def _is_letter(text: str) -> bool:
    return _RUN.match(text) is not None
