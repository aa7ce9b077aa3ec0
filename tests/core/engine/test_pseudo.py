"""Pseudo-log-likelihood: which tokens are hidden, what their sum is, and that nothing else changes a number.

Expected sums come from one plain forward pass for each hidden token, alone and whole. Which tokens a pair shares is
written down by hand, from the pieces of BERT's tiny vocabulary, in which chairwoman is chair + ##woman.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import pytest
import torch

from core.engine import reading
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED, MaskedScorer, MaskQuery
from core.engine.pseudo import PseudoScore, PseudoScorer
from core.errors import NoPredictionHead, UnsupportedModel
from core.result import Progress
from core.run import Callbacks
from core.sources.templates import MASK
from tests.support.tiny import CAUSAL, MASKED, POSITIONS
from tests.support.watching import load_tiny, watching

TOLERANCE = 1e-4  # nats, float32, sums of up to twenty
PAIRS = [
    ("The man was tired.", "The woman was tired."),
    ("The man was very tired, and the boy was not.", "The man was tired, and the woman was not."),
    ("The chairwoman said that she was calm.", "The chairman said that he was calm."),
    ("A friend of the teacher was there.", "A friend of the nurse was not there."),
    ("He is a nurse.", "She is a nurse."),
]
TEXTS = [text for pair in PAIRS for text in pair]


def scorer(family: str = "bert") -> PseudoScorer:
    return PseudoScorer(load_tiny(family))


def plain(model: LoadedModel, text: str, places: Iterable[int] | None = None) -> float:
    """Σ ln P(token | it alone hidden) over the given places of the input, or over all but the special tokens."""
    encoded = model.tokenizer(text, return_special_tokens_mask=True)
    ids, total = encoded["input_ids"], []
    if places is None:
        places = [place for place, special in enumerate(encoded["special_tokens_mask"]) if not special]
    for place in places:
        hidden = torch.tensor([ids])
        hidden[0, place] = model.tokenizer.mask_token_id
        with torch.inference_mode():
            total.append(model.module(input_ids=hidden).logits[0, place].log_softmax(-1)[ids[place]].item())
    return math.fsum(total)


def flat(pairs: list[tuple[PseudoScore, PseudoScore]]) -> list[float | None]:
    return [score.ln_p for pair in pairs for score in pair]


@pytest.mark.parametrize("family", MASKED)
def test_a_sentence_has_the_sum_of_plain_calls(family: str) -> None:
    model = load_tiny(family)
    for text, score in zip(TEXTS, scorer(family).sentences(TEXTS), strict=True):
        assert score.ln_p == pytest.approx(plain(model, text), abs=TOLERANCE)
        frame = len(model.tokenizer("").input_ids)
        assert score.tokens == len(model.tokenizer(text).input_ids) - frame
        assert score.reason == ""


def test_of_a_real_model(embedded: LoadedModel) -> None:
    """Each word is one piece: hidden one after the other they are seven questions to ``MaskedScorer``."""
    words = ("the", "man", "said", "that", "he", "was", "tired")
    text = " ".join(words)
    hidden = [" ".join((*words[:at], MASK, *words[at + 1 :])) for at in range(len(words))]
    asked = MaskedScorer(embedded).log_probs([MaskQuery(item, 0, (w,)) for item, w in zip(hidden, words, strict=True)])
    (score,) = PseudoScorer(embedded).sentences([text])
    assert score.tokens == 7
    assert score.ln_p == pytest.approx(math.fsum(entry.ln_p or math.nan for (entry,) in asked), abs=TOLERANCE)
    assert score.ln_p == pytest.approx(plain(embedded, text), abs=TOLERANCE)


@pytest.mark.parametrize(
    ("first", "second", "shared", "others"),
    [
        # [CLS] the man was tired . [SEP]: one word for another
        ("The man was tired.", "The woman was tired.", (1, 3, 4, 5), (1, 3, 4, 5)),
        # very is put in
        ("The man was tired.", "The man was very tired.", (1, 2, 3, 4, 5), (1, 2, 3, 5, 6)),
        # two pieces against another: chairman is a piece of its own
        ("The chairwoman was calm.", "The chairman was calm.", (1, 4, 5, 6), (1, 3, 4, 5)),
        # chair is shared, ##woman is not
        ("The chairwoman was calm.", "The chair was calm.", (1, 2, 4, 5, 6), (1, 2, 3, 4, 5)),
        # "the man" stands twice in one: the one before the full stop is the longer stretch
        ("The man knew the man.", "The man.", (4, 5, 6), (1, 2, 3)),
        # "was" before the end, not the earlier one: with [SEP] it is the longer stretch, as in the authors' code
        ("Man was tired was", "The was", (4,), (2,)),
        # nothing between the two ends
        ("He", "She", (), ()),
        ("The man was tired.", "The man was tired.", (1, 2, 3, 4, 5), (1, 2, 3, 4, 5)),
    ],
)
def test_shared_tokens_are_hidden_in_turn(
    first: str, second: str, shared: tuple[int, ...], others: tuple[int, ...]
) -> None:
    model = load_tiny("bert")
    with watching(model) as watched:
        ((one, other),) = scorer().pairs([(first, second)])
    mask = model.tokenizer.mask_token_id
    expected = set()
    for text, places in ((first, shared), (second, others)):
        ids = model.tokenizer(text).input_ids
        expected |= {(*ids[:place], mask, *ids[place + 1 :]) for place in places}
    assert set(watched.inputs) == expected
    assert len(watched.inputs) == len(expected)
    for score, text, places in ((one, first, shared), (other, second, others)):
        if places:
            assert score.ln_p == pytest.approx(plain(model, text, places), abs=TOLERANCE)
            assert (score.tokens, score.reason) == (len(places), "")
        else:
            assert score == PseudoScore(None, 0, "shares no token with the other sentence")


def test_frequent_tokens_count_in_long_sentences_too() -> None:
    """difflib would drop tokens that make up over a hundredth of 200 or more; "she" is all of them here."""
    text = "she " * (POSITIONS - 2)
    pairs = [("he " + text[4:], text), (text + "he", text)]
    fits, too_long = scorer().pairs(pairs)
    assert [score.tokens for score in fits] == [POSITIONS - 3, POSITIONS - 3]
    assert too_long[0] == PseudoScore(
        None, 0, f"stands in a sentence of {POSITIONS + 1} tokens; bert reads {POSITIONS}"
    )


@pytest.mark.parametrize("family", MASKED)
def test_swapped_and_equal_sentences(family: str) -> None:
    """The other way round the scores change places; a sentence shares all of itself."""
    found = scorer(family).pairs([*PAIRS, *((b, a) for a, b in PAIRS), *((text, text) for text in TEXTS)])
    there, back, same = found[:5], found[5:10], found[10:]
    assert [(a.ln_p, b.ln_p) for a, b in there] == [
        (pytest.approx(b.ln_p, abs=TOLERANCE), pytest.approx(a.ln_p, abs=TOLERANCE)) for a, b in back
    ]
    for (item, other), whole in zip(same, scorer(family).sentences(TEXTS), strict=True):
        assert item == other
        assert item.ln_p == pytest.approx(whole.ln_p, abs=TOLERANCE)


@pytest.mark.parametrize("family", MASKED)
def test_the_same_numbers_in_any_company(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = [scorer(family).pairs([pair])[0] for pair in PAIRS]
    expected = pytest.approx(flat(alone), abs=TOLERANCE)
    for tokens in (1, 60, 4096):
        monkeypatch.setattr(reading, "TOKENS", tokens)
        assert flat(scorer(family).pairs(PAIRS)) == expected
        assert flat(scorer(family).pairs(PAIRS[::-1])[::-1]) == expected
    with watching(load_tiny(family), room=2) as watched:
        assert flat(scorer(family).pairs(PAIRS)) == expected
    assert watched.refused


def test_what_is_asked_twice_goes_through_once() -> None:
    reports: list[Progress] = []
    with watching(load_tiny("bert")) as watched:
        found = scorer().pairs(PAIRS * 3, run=Callbacks(reports.append))
    assert len(watched.inputs) == len(set(watched.inputs)) == reports[-1].done == reports[-1].total
    assert found[:5] == found[5:10] == found[10:]


def test_an_unknown_word_is_a_token() -> None:
    """☃ is [UNK], hidden and scored as such: 4 words and a full stop."""
    model = load_tiny("bert")
    text = "The ☃ was tired."
    ((one, other),) = scorer().pairs([(text, "The ☃ was calm.")])
    assert one.tokens == other.tokens == 4
    assert one.ln_p == pytest.approx(plain(model, text, (1, 2, 3, 5)), abs=TOLERANCE)
    assert scorer().sentences([text])[0].tokens == 5


@pytest.mark.parametrize("family", MASKED)
def test_a_text_without_tokens_and_one_that_is_too_long(family: str) -> None:
    """Up to and including the last position a model has; "she" is one piece each."""
    frame = len(load_tiny(family).tokenizer("").input_ids)
    texts = ["", "she " * (POSITIONS - frame), "she " * (POSITIONS - frame + 1)]
    empty, fits, long = scorer(family).sentences([text.strip() for text in texts])
    assert (empty.ln_p, empty.reason) == (None, "leaves no text to score")
    assert (fits.tokens, fits.reason) == (POSITIONS - frame, "")
    assert (long.ln_p, long.tokens) == (None, 0)
    assert long.reason == f"stands in a sentence of {POSITIONS + 1} tokens; {family} reads {POSITIONS}"


def test_nothing_asked() -> None:
    assert scorer().pairs([]) == []
    assert scorer().sentences([]) == []


def test_a_stop_keeps_whole_sentences_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a sum is no score. The longest come first, so some are whole when the run stops."""
    whole = scorer().pairs(PAIRS)
    monkeypatch.setattr(reading, "TOKENS", 12)
    asked = itertools.count()
    found = scorer().pairs(PAIRS, run=Callbacks(cancelled=lambda: next(asked) >= 30))
    scores = [score for pair in found for score in pair]
    stopped = [score for score in scores if score.reason]
    assert stopped
    assert all(score == PseudoScore(None, 0, STOPPED) for score in stopped)
    kept = [(a, b) for a, b in zip(scores, (s for pair in whole for s in pair), strict=True) if not a.reason]
    assert kept
    assert [a.ln_p for a, _ in kept] == pytest.approx([b.ln_p for _, b in kept], abs=TOLERANCE)


@pytest.mark.parametrize(
    ("family", "error"), [*((family, UnsupportedModel) for family in CAUSAL), ("bert-encoder", NoPredictionHead)]
)
def test_models_without_a_mask_are_refused(family: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        PseudoScorer(load_tiny(family))


def by_word(model: LoadedModel, text: str, words: list[list[int]]) -> float:
    """Σ ln P(token | it and the later tokens of its word hidden), one plain call each; ``words`` are places by word."""
    ids, total = model.tokenizer(text)["input_ids"], []
    for word in words:
        for at, place in enumerate(word):
            hidden = torch.tensor([ids])
            hidden[0, word[at:]] = model.tokenizer.mask_token_id
            with torch.inference_mode():
                total.append(model.module(input_ids=hidden).logits[0, place].log_softmax(-1)[ids[place]].item())
    return math.fsum(total)


def test_by_word_hides_what_follows_in_the_word() -> None:
    """[CLS] the chair ##woman was calm . [SEP]: chair is guessed with ##woman hidden, ##woman with chair in sight."""
    model, text = load_tiny("bert"), "The chairwoman was calm."
    (score,) = scorer().sentences([text], by_word=True)
    assert score.tokens == 6
    assert score.ln_p == pytest.approx(by_word(model, text, [[1], [2, 3], [4], [5], [6]]), abs=TOLERANCE)
    (alone,) = scorer().sentences([text])
    assert alone.ln_p != pytest.approx(score.ln_p, abs=TOLERANCE)


@pytest.mark.parametrize("family", MASKED)
def test_by_word_is_the_same_where_no_word_is_split(family: str) -> None:
    model = load_tiny(family)
    whole = [text for text in ("He is a nurse.", "The man was tired.") if _is_whole(model, text)]
    for text in whole:
        first, second = (scorer(family).sentences([text], by_word=by)[0].ln_p for by in (True, False))
        assert first == pytest.approx(second, abs=TOLERANCE)


def _is_whole(model: LoadedModel, text: str) -> bool:
    """Whether each word, and the stop, is a token of its own, and the stop no part of a word."""
    words = [word for word in model.tokenizer(text).word_ids() if word is not None]
    return len(set(words)) == len(words)


def test_a_hyphenated_word_is_one(embedded: LoadedModel) -> None:
    """[CLS] i am a non - binary parent . [SEP]: places 4 to 6 are one word."""
    text = "I am a non-binary parent."
    (score,) = PseudoScorer(embedded).sentences([text], by_word=True)
    assert score.tokens == 8
    assert score.ln_p == pytest.approx(by_word(embedded, text, [[1], [2], [3], [4, 5, 6], [7], [8]]), abs=TOLERANCE)
