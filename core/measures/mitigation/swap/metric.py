"""When a choice is a doubt, and tokens before and after swapping twice."""

from __future__ import annotations

import math
import re
from difflib import SequenceMatcher

LEAST_MARGIN = math.log(3)  # nats: below, a choice between "his" and "him" is a doubt
_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens(text: str) -> list[str]:
    """Words and signs of a text, white space aside."""
    return _TOKEN.findall(text)


def unrestored(before: str, again: str) -> list[tuple[int, str, str]]:
    """The tokens of a text that differ after swapping twice: number from 1, the token, and what stands there then.

    Where the number of tokens differs, tokens are aligned; one that has no place then is paired with nothing.
    """
    first, second = tokens(before), tokens(again)
    if len(first) == len(second):
        pairs = enumerate(zip(first, second, strict=True), 1)
        return [(number, token, then) for number, (token, then) in pairs if token != then]
    found = []
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    for tag, start, stop, other_start, other_stop in matcher.get_opcodes():
        if tag == "equal":
            continue
        rest = " ".join(second[other_start:other_stop])
        found += [(place + 1, first[place], rest) for place in range(start, stop)]
    return found
