"""A sentence as a model is asked: the word that is hidden, what is read there, and whether its twin fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....engine.causal import CausalScorer
from ....engine.interventions import Question
from ....engine.loading import LoadedModel
from ....engine.mask_texts import filled
from ....engine.masked import MaskedScorer
from ....engine.pieces import Span, Tokenized, tokenize
from ....errors import UnsupportedModel
from ....result import Group
from ....sources.marking import MarkedSentence
from ....sources.templates import MASK
from .spec import Outcome, hidden_word

Words = tuple[tuple[int, float], ...]  # tokens and their weights in the outcome


@dataclass(frozen=True)
class Asked:
    """What a sentence is asked by. ``prior`` has the occupation hidden too, for LPBS.

    ``gendered`` are the places of the tokens of its other gendered words; ``missing`` are words of the groups that
    have no token of their own, with the reason.
    """

    present: Question
    prior: Question | None
    gendered: frozenset[int]
    missing: tuple[tuple[str, str, str], ...]  # group, word, reason

    @property
    def questions(self) -> tuple[Question, ...]:
        """The one or two inputs."""
        return (self.present,) if self.prior is None else (self.present, self.prior)


class Asker:
    """Makes questions for one model. Raises its refusal, or UnsupportedModel where it has no such outcome."""

    def __init__(self, model: LoadedModel, groups: Sequence[Group], outcome: Outcome) -> None:
        self._model, self._groups, self._outcome = model, groups, outcome
        self._causal = CausalScorer(model) if model.info.kind == "causal" else None
        self._masked = None if self._causal else MaskedScorer(model)
        if self._causal is not None and outcome == Outcome.LPBS:
            raise UnsupportedModel(
                f"{model.info.name} is a causal (left-to-right) model: LPBS of one sentence hides its occupation, and "
                "there is no mask to hide it; choose the log odds."
            )

    @property
    def note(self) -> str:
        """What a reader must know of a causal model's outcome; empty for a masked one."""
        if self._causal is None:
            return ""
        note = "is a causal (left-to-right) model: the outcome is read after what stands before the hidden word."
        return f"{note} {self._causal.note[:1].upper()}{self._causal.note[1:]}".strip()

    def asked(self, sentence: MarkedSentence) -> Asked | str:
        """The questions, or why there are none; the reason follows the sentence."""
        hidden = hidden_word(sentence)
        if hidden is None:
            return "has no “he” or “she” to hide"
        if MASK in sentence.text:
            return f"holds {MASK} itself"
        start, end = hidden
        text = sentence.text[:start] + MASK + sentence.text[end:]
        others = [span for span in (*sentence.male, *sentence.female) if span != hidden]
        if self._masked is not None:
            return self._of_mask(self._masked, text, hidden, others, sentence.occupation)
        return self._of_beginning(sentence.text, text, start, [span for span in others if span[1] <= start])

    def _of_mask(
        self, scorer: MaskedScorer, text: str, hidden: Span, others: Sequence[Span], occupation: Span
    ) -> Asked | str:
        (start, end), grown = hidden, len(MASK) - (hidden[1] - hidden[0])

        def moved(span: Span) -> Span:
            return (span[0] + grown, span[1] + grown) if span[0] >= end else span

        job = moved(occupation)
        mask, of_job, *gendered = scorer.pieces(
            [(text, (start, start + len(MASK))), (text, job), *((text, moved(span)) for span in others)]
        )
        if len(mask.ids) > self._model.max_tokens:
            return self._too_long(len(mask.ids))
        words, missing = self._words(
            scorer.tokens_of(text, 0, [word for group in self._groups for word in group.words])
        )
        if isinstance(words, str):
            return words
        present = Question(mask.ids, self._place(mask), words)
        prior = None
        if self._outcome == Outcome.LPBS:
            masks = " ".join([MASK] * max(1, of_job.last - of_job.first))
            text = text[: job[0]] + masks + text[job[1] :]
            start += len(masks) - (job[1] - job[0]) if job[0] < start else 0
            (mask,) = scorer.pieces([(text, (start, start + len(MASK)))])
            if len(mask.ids) > self._model.max_tokens:
                return self._too_long(len(mask.ids))
            prior = Question(mask.ids, self._place(mask), words)
        return Asked(present, prior, _places(gendered), missing)

    def _of_beginning(self, text: str, masked: str, start: int, others: Sequence[Span]) -> Asked | str:
        assert self._causal is not None
        tokenizer, put_before = self._model.tokenizer, self._causal.start
        candidates = [word for group in self._groups for word in group.words]
        found = tokenize(tokenizer, [filled(masked, 0, word) for word in candidates])
        beginnings = {item.ids[: item.first] for item in found}
        words, missing = self._words([_reason(item) or item.ids[item.first] for item in found])
        if isinstance(words, str):
            return words
        if len(beginnings) > 1:
            return "has a beginning that is read in different ways before the words of the groups"
        if not text[:start].strip(" \"'“‘«([{"):
            return "begins with the hidden word, and a causal (left-to-right) model has read nothing of it there"
        ids = put_before + beginnings.pop()
        if len(ids) > self._model.max_tokens:
            return self._too_long(len(ids))
        gendered = _places(tokenize(tokenizer, [(text, span) for span in others]), len(put_before))
        return Asked(Question(ids, len(ids) - 1, words), None, gendered, missing)

    def _words(self, tokens: Sequence[int | str]) -> tuple[Words | str, tuple[tuple[str, str, str], ...]]:
        """Each token with its weight, or why there is no outcome; and the words that have no token."""
        left, weighted, missing = iter(tokens), list[tuple[int, float]](), list[tuple[str, str, str]]()
        for group, sign in zip(self._groups, (1.0, -1.0), strict=True):
            found = [(word, next(left)) for word in group.words]
            own = [token for _, token in found if isinstance(token, int)]
            missing += [(group.name, word, token) for word, token in found if isinstance(token, str)]
            if not own:
                reasons = "; ".join(f"“{word}” {reason}" for word, reason in found)
                return f"has no word of the group “{group.name}” that can be read there: {reasons}", tuple(missing)
            weighted += [(token, sign / len(own)) for token in own]
        return tuple(weighted), tuple(missing)

    def _place(self, mask: Tokenized) -> int:
        mask_id = self._model.tokenizer.mask_token_id
        return next(place for place in range(mask.first, mask.last) if mask.ids[place] == mask_id)

    def _too_long(self, tokens: int) -> str:
        return f"is {tokens:,} tokens long; {self._model.info.name} reads {self._model.max_tokens:,}"


def misfit(sentence: Asked, twin: Asked) -> str:
    """Why heads of a twin cannot be put into the sentence, as a phrase that follows it; empty where they can.

    Both must have as many tokens, the hidden word and the gendered words at the same places, and no other difference.
    """
    first, second = sentence.present, twin.present
    if len(first.ids) != len(second.ids):
        return f"has {len(first.ids)} tokens and its twin {len(second.ids)}"
    if first.position != second.position:
        return "has its hidden word at another place than the twin"
    if sentence.gendered != twin.gendered:
        return "has its gendered words at other places than the twin"
    if sentence.prior is not None and twin.prior is not None:
        masked = [
            (prior.position, [place for place, token in enumerate(prior.ids) if token == prior.ids[prior.position]])
            for prior in (sentence.prior, twin.prior)
        ]
        if masked[0] != masked[1]:
            return "has its occupation at another place than the twin"
    differing = {place for place, (own, other) in enumerate(zip(first.ids, second.ids, strict=True)) if own != other}
    if not differing:
        return "is the same input as its twin to this model: no gendered word that differs is read"
    if not differing <= sentence.gendered:
        return "differs from its twin in more than its gendered words"
    return ""


def _places(items: Sequence[Tokenized], shift: int = 0) -> frozenset[int]:
    return frozenset(place + shift for item in items for place in range(item.first, item.last))


def _reason(item: Tokenized) -> str:
    if item.unknown:
        return "is unknown to this model"
    if not item.exact:
        return f"is read as one token with its neighbour here ({' + '.join(item.pieces) or 'nothing'})"
    return f"= {' + '.join(item.pieces)}: not scored" if item.last - item.first > 1 else ""
