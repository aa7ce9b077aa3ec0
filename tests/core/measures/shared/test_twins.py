"""Twins on the embedded model: swapping gives the twin, swapping the twin gives the sentence back."""

from __future__ import annotations

import pytest

from core.engine.loading import LoadedModel
from core.engine.masked import MaskedScorer, MaskQuery
from core.measures.shared.twins import REACH, twin
from core.result import Progress
from core.run import Callbacks
from core.sources.templates import MASK
from tests.support.stubs import asked, masked_stub
from tests.support.tiny_tokenizers import BERT_SPECIALS, BertTokenizer, wordpiece_vocabulary

# Written by hand; none was chosen by what the model answers.
PAIRS = [
    ("The doctor put her coat over the chair.", "The doctor put his coat over the chair."),
    ("She told the nurse that his mother was ill.", "He told the nurse that her father was ill."),
    ("Her boss praised the carpenter in front of him.", "His boss praised the carpenter in front of her."),
    ("The manager asked her about the plan.", "The manager asked him about the plan."),
    ("The judge did not believe her.", "The judge did not believe him."),
    ("The keys on the lawyer's desk are hers.", "The keys on the lawyer's desk are his."),
    ("The engineer said the idea was his, not ours.", "The engineer said the idea was hers, not ours."),
    ("He is a pilot, and the small plane is his own.", "She is a pilot, and the small plane is her own."),
    ("The secretary called her yesterday.", "The secretary called him yesterday."),
    ("The nurse gave her a glass of water.", "The nurse gave him a glass of water."),
    ("The baker sold his shop to her brother.", "The baker sold her shop to his sister."),
    ("The accountant checked her figures twice.", "The accountant checked his figures twice."),
    ("His first novel made the author famous.", "Her first novel made the author famous."),
    ("The guard let her in without a word.", "The guard let him in without a word."),
    ("I saw her leave the office with the editor.", "I saw him leave the office with the editor."),
    ("The surgeon washed her hands before she saw him.", "The surgeon washed his hands before he saw her."),
    ("The farmer helped her with the heavy boxes.", "The farmer helped him with the heavy boxes."),
    ("She thanked the teacher who had taught him.", "He thanked the teacher who had taught her."),
    ("The librarian kept the book for her.", "The librarian kept the book for him."),
    ("The mechanic said that the red car was hers.", "The mechanic said that the red car was his."),
    ("Hers was the only desk near the receptionist.", "His was the only desk near the receptionist."),
    ("The reporter wrote about her and the strike.", "The reporter wrote about him and the strike."),
    ("The waitress told her husband that she was tired.", "The waiter told his wife that he was tired."),
    ("The chef burned his hand, and she bandaged it.", "The chef burned her hand, and he bandaged it."),
    ("The dentist's son says his father works too much.", "The dentist's daughter says her mother works too much."),
    ("The coach was proud of her when she won.", "The coach was proud of him when he won."),
    ("The director wanted her to read the part again.", "The director wanted him to read the part again."),
    ("The president thanked her for the long years of work.", "The president thanked him for the long years of work."),
    ("He earns less as a cleaner than his sister does.", "She earns less as a cleaner than her brother does."),
    ("The scientist shared the prize with her old teacher.", "The scientist shared the prize with his old teacher."),
    ("The plumber left his tools in her kitchen.", "The plumber left her tools in his kitchen."),
    ("Her daughter wants to become an electrician.", "His son wants to become an electrician."),
    ("The policeman stopped her at the corner.", "The policewoman stopped him at the corner."),
    ("He cut himself, so the nurse took him to her room.", "She cut herself, so the nurse took her to his room."),
    ("The painter showed her his new studio.", "The painter showed him her new studio."),
    ("The choice was his alone, the senator told her.", "The choice was hers alone, the senator told him."),
    ("“Is this umbrella his?” the cashier asked her.", "“Is this umbrella hers?” the cashier asked him."),
    ("The tailor measured him while her assistant wrote.", "The tailor measured her while his assistant wrote."),
    ("She's sure that the photographer remembers her.", "He's sure that the photographer remembers him."),
    ("The poet read one of her poems, then one of his.", "The poet read one of his poems, then one of hers."),
]  # fmt: skip


@pytest.fixture(scope="module")
def scorer(embedded: LoadedModel) -> MaskedScorer:
    return MaskedScorer(embedded)


def test_forty_sentences_there_and_back(scorer: MaskedScorer) -> None:
    sentences, twins = zip(*PAIRS, strict=True)
    assert len(set(sentences)) == 40
    assert twin(scorer, sentences) == twins
    assert twin(scorer, twins) == sentences


def test_each_text_has_its_twin_whatever_stands_beside_it(scorer: MaskedScorer) -> None:
    sentences = [sentence for sentence, _ in PAIRS[:6]]
    assert twin(scorer, sentences[::-1]) == twin(scorer, sentences)[::-1]
    assert twin(scorer, sentences[:1] * 3) == (PAIRS[0][1],) * 3


def test_a_long_text_is_asked_about_in_part(scorer: MaskedScorer) -> None:
    """Over 512 pieces on either side; its own near words still decide."""
    long = "The baker spoke and spoke. " * 200
    text = f"{long}The doctor lost her keys, and the nurse told her. {long}"
    expected = f"{long}The doctor lost his keys, and the nurse told him. {long}"
    assert twin(scorer, [text]) == (expected,)
    glued = "x" * 3 * REACH
    assert twin(scorer, [f"{glued} said the doctor lost her keys. {glued}"]) == (
        f"{glued} said the doctor lost his keys. {glued}",
    )


def test_capitals_and_masks_in_the_text(scorer: MaskedScorer) -> None:
    assert twin(scorer, ["HER BOSS IS A NURSE. Her boss is not."]) == ("HIS BOSS IS A NURSE. His boss is not.",)
    assert twin(scorer, [f"{MASK} said the doctor lost her keys."]) == (f"{MASK} said the doctor lost his keys.",)


def test_a_stop_leaves_only_what_needs_no_answer(scorer: MaskedScorer) -> None:
    texts = ["The judge believed her.", "The judge believed him.", "The judge was tired."]
    found = twin(scorer, texts, run=Callbacks(cancelled=lambda: True))
    assert found == (None, "The judge believed her.", "The judge was tired.")


def test_progress_is_passed_on(scorer: MaskedScorer) -> None:
    reports: list[Progress] = []
    twin(scorer, ["The judge believed her.", "She left."], run=Callbacks(reports.append))
    assert reports[-1].done == reports[-1].total == 1


def stub(without: str = "") -> LoadedModel:
    """Says "him" at the first of two places, "his" at the second; knows no other text than the two it must be asked."""
    pieces = [piece for piece in wordpiece_vocabulary(specials=BERT_SPECIALS, cased=False) if piece != without]
    pieces += [word for word in ("his", "him", "her") if word not in pieces and word != without]
    tokenizer = BertTokenizer(vocab={piece: index for index, piece in enumerate(pieces)}, do_lower_case=True)
    return masked_stub(
        tokenizer,
        {
            "he said that [MASK] was her .": [{"him": 0.3, "his": 0.2} if not without else {}],
            "he said that her was [MASK] .": [{"him": 0.1, "his": 0.6} if not without else {}],
        },
    )


def test_what_the_model_is_asked() -> None:
    """Every place in the twin, what is certain swapped, the other "her" as it stands; a text without "her" not."""
    model = stub()
    assert twin(MaskedScorer(model), ["She said that her was her.", "He said that."]) == (
        "He said that him was his.",
        "She said that.",
    )
    assert asked(model) == ["[CLS] he said that [MASK] was her . [SEP]", "[CLS] he said that her was [MASK] . [SEP]"]


def test_a_model_without_one_of_the_words_gives_no_twin() -> None:
    assert twin(MaskedScorer(stub(without="him")), ["She said that her was her."]) == (None,)


def test_nothing_to_ask_does_not_run_the_model(scorer: MaskedScorer, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(queries: list[MaskQuery], **_: object) -> None:
        raise AssertionError("asked")

    monkeypatch.setattr(scorer, "log_probs", refuse)
    assert twin(scorer, []) == ()
    assert twin(scorer, ["The baker saw him."]) == ("The baker saw her.",)
