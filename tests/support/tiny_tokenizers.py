"""Real tokenizers of every family, made from a small English text, for the tiny models of ``tiny.py``.

Each is of the class and kind that the family's published checkpoints use, down to how the mask token treats the
space before it: that is what decides where a mask stands and which form a word has there. In all of them "he",
"she", "nurse" and "chairman" are single pieces inside a sentence, "chairwoman" is several, and "Engineer" with a
capital letter is several where the vocabulary is cased, although "engineer" is one.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    AlbertTokenizer,
    BertTokenizer,
    DebertaV2Tokenizer,
    GPT2Tokenizer,
    GPTNeoXTokenizer,
    LlamaTokenizer,
    MPNetTokenizer,
    PreTrainedTokenizerBase,
    PreTrainedTokenizerFast,
    RobertaTokenizer,
    XLMRobertaTokenizer,
)

TEXT = """
The man said that he was tired. The woman said that she was tired.
He is a nurse. She is an engineer. They are doctors, and he is a teacher.
The chairman asked her to sit on the chair. The chairman asked him to wait.
This man is a doctor; that woman is a doctor too. My brother is a nurse, my sister is a teacher.
Her mother works as a programmer. His father works as a secretary. Him they know, her they do not know.
A doctor told the nurse that she had done it. A nurse told the doctor that he had done it.
"I know her," said the teacher. "Do you know him?" asked the engineer. It is not clear who was there.
They said the girl was kind and the boy was strong! The engineer and the secretary were very calm.
People say that a good teacher is calm, and that an engineer is clever. Women and men work here.
The housekeeper knew that the manager had a daughter, a son, a wife, a husband and a friend.
"""
WORDS = tuple(sorted({word.lower() for word in re.findall(r"[A-Za-z]+", TEXT)}))
UNSEEN_CAPITALISED = "engineer"
PUNCTUATION = ".,;:!?'\"-()"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
ENDINGS = ("woman", "man", "s")  # pieces that only continue a word


def forms() -> tuple[str, ...]:
    """Every word in lower case, and with a capital letter unless it is the one left out on purpose."""
    return WORDS + tuple(word.capitalize() for word in WORDS if word != UNSEEN_CAPITALISED)


def wordpiece_vocabulary(*, specials: tuple[str, ...], cased: bool, last: tuple[str, ...] = ()) -> dict[str, int]:
    """Special tokens, characters, words and continuations, in this order; ``last`` goes to the end."""
    letters = LETTERS + (LETTERS.upper() if cased else "") + "0123456789"
    pieces = [*specials, *PUNCTUATION, *letters, *(f"##{letter}" for letter in letters)]
    pieces += [word for word in (forms() if cased else WORDS) if len(word) > 1]
    pieces += [f"##{ending}" for ending in ENDINGS if len(ending) > 1]
    return {piece: index for index, piece in enumerate([*pieces, *last])}


def unigram_pieces(*, cased: bool) -> list[tuple[str, float]]:
    """SentencePiece unigram pieces with log probabilities: words by frequency, characters as a last resort."""
    counts = Counter(word.lower() for word in re.findall(r"[A-Za-z]+", TEXT))
    total = sum(counts.values())
    words = [word for word in (forms() if cased else WORDS) if len(word) > 1]
    pieces = [(f"▁{word}", math.log(counts[word.lower()] / total)) for word in words]
    pieces += [(ending, -6.0) for ending in ENDINGS if len(ending) > 1]
    # bare words as well: what follows a quotation mark or a bracket carries no space
    pieces += [(word, -9.0) for word in words if word not in ENDINGS]
    pieces += [("▁", -4.0), *((mark, -3.0) for mark in PUNCTUATION)]
    letters = LETTERS + (LETTERS.upper() if cased else "") + "0123456789"
    pieces += [(f"▁{letter}", -7.0 if letter in "aAI" else -14.0) for letter in letters]
    return pieces + [(letter, -12.0) for letter in letters]


def training_lines() -> Iterator[str]:
    """The text, then every form alone: first without and then with a space before it."""
    yield from TEXT.strip().splitlines()
    yield from (f"{form} {form}" for form in forms())


def bpe_pieces(splitter: pre_tokenizers.PreTokenizer, alphabet: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Train byte-pair merges until every form is one piece; pieces in the order of their ids, and the merges."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = splitter
    trainer = trainers.BpeTrainer(vocab_size=4000, min_frequency=1, show_progress=False, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(training_lines(), trainer)
    vocabulary = tokenizer.get_vocab()
    merges = [(left, right) for left, right in json.loads(tokenizer.to_str())["model"]["merges"]]
    return sorted(vocabulary, key=vocabulary.__getitem__), merges


def byte_level(*, first: tuple[str, ...] = (), last: tuple[str, ...] = ()) -> dict[str, Any]:
    """Vocabulary and merges of a byte-level tokenizer, with special tokens ``first`` and ``last``."""
    splitter = pre_tokenizers.ByteLevel(add_prefix_space=False)
    pieces, merges = bpe_pieces(splitter, sorted(pre_tokenizers.ByteLevel.alphabet()))
    return {"vocab": {piece: index for index, piece in enumerate([*first, *pieces, *last])}, "merges": merges}


def taking_the_space(mask: str) -> AddedToken:
    """A mask token that swallows the space before it."""
    return AddedToken(mask, lstrip=True, rstrip=False, normalized=False, special=True)


BERT_SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def bert() -> PreTrainedTokenizerBase:
    return BertTokenizer(vocab=wordpiece_vocabulary(specials=BERT_SPECIALS, cased=False), do_lower_case=True)


def bert_cased() -> PreTrainedTokenizerBase:
    return BertTokenizer(vocab=wordpiece_vocabulary(specials=BERT_SPECIALS, cased=True), do_lower_case=False)


def bert_wrong_case() -> PreTrainedTokenizerBase:
    """A lower-case vocabulary whose lower-casing is switched off: "She" is unknown."""
    return BertTokenizer(vocab=wordpiece_vocabulary(specials=BERT_SPECIALS, cased=False), do_lower_case=False)


def albert() -> PreTrainedTokenizerBase:
    specials = [(token, 0.0) for token in ("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")]
    return AlbertTokenizer(
        vocab=specials + unigram_pieces(cased=False), do_lower_case=True, mask_token=taking_the_space("[MASK]")
    )


def roberta() -> PreTrainedTokenizerBase:
    return RobertaTokenizer(
        **byte_level(first=("<s>", "<pad>", "</s>", "<unk>"), last=("<mask>",)), mask_token=taking_the_space("<mask>")
    )


def xlm_roberta() -> PreTrainedTokenizerBase:
    specials = [(token, 0.0) for token in ("<s>", "<pad>", "</s>", "<unk>")]
    vocabulary = specials + unigram_pieces(cased=True) + [("<mask>", 0.0)]
    return XLMRobertaTokenizer(vocab=vocabulary, mask_token=taking_the_space("<mask>"))


def deberta_v2() -> PreTrainedTokenizerBase:
    """The mask is an added token behind the SentencePiece vocabulary and leaves the space before it alone."""
    specials = [(token, 0.0) for token in ("[PAD]", "[CLS]", "[SEP]", "[UNK]")]
    return DebertaV2Tokenizer(vocab=specials + unigram_pieces(cased=True), do_lower_case=False)


def mpnet() -> PreTrainedTokenizerBase:
    """RoBERTa's special tokens around BERT's word pieces; the class itself lets the mask swallow the space."""
    specials = ("<s>", "<pad>", "</s>", "[UNK]")
    vocabulary = wordpiece_vocabulary(specials=specials, cased=False, last=("<mask>",))
    return MPNetTokenizer(vocab=vocabulary, do_lower_case=True)


def modernbert() -> PreTrainedTokenizerBase:
    """Byte-level pieces with BERT's special tokens behind them, and no tokenizer class of its own."""
    backend = Tokenizer(models.BPE(**byte_level(last=("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"))))
    backend.normalizer = normalizers.NFC()
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:0 [SEP]:0",
        special_tokens=[(token, backend.token_to_id(token)) for token in ("[CLS]", "[SEP]")],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        mask_token=taking_the_space("[MASK]"),
        model_input_names=["input_ids", "attention_mask"],
    )


def gpt2() -> PreTrainedTokenizerBase:
    """No token in front, and none for padding."""
    return GPT2Tokenizer(**byte_level(last=("<|endoftext|>",)))


def opt() -> PreTrainedTokenizerBase:
    """GPT-2's class, but ``</s>`` is put in front of every text."""
    return GPT2Tokenizer(
        **byte_level(first=("<s>", "<pad>", "</s>", "<unk>")),
        unk_token="</s>",
        bos_token="</s>",
        eos_token="</s>",
        pad_token="<pad>",
        add_bos_token=True,
    )


def gpt_neox() -> PreTrainedTokenizerBase:
    """No token in front; the padding token is published with the vocabulary but never seen in training."""
    return GPTNeoXTokenizer(**byte_level(first=("<|endoftext|>", "<|padding|>")))


def llama() -> PreTrainedTokenizerBase:
    """SentencePiece byte pairs: a space before the first word, single bytes for the rest, ``<s>`` in front."""
    spaces = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="first")
    splitter = pre_tokenizers.Sequence([spaces, pre_tokenizers.Punctuation(behavior="isolated")])
    pieces, merges = bpe_pieces(splitter, [*LETTERS, *LETTERS.upper(), *PUNCTUATION])
    specials = ("<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)))
    vocabulary = {piece: index for index, piece in enumerate([*specials, *pieces])}
    return LlamaTokenizer(vocab=vocabulary, merges=merges, add_bos_token=True)
