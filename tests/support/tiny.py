"""Tiny random models of every family, saved as a real checkpoint is: safetensors, configuration, tokenizer.

Two layers, four heads, width 32, float32, and no training. All parameters, biases included, are drawn wide enough
that every piece at every position gets a clearly different probability, so a test notices a wrong position, piece or
padding. ``build`` makes a folder, ``tiny_folder`` makes each family once per test session.
"""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import (
    AlbertConfig,
    AlbertForMaskedLM,
    BertConfig,
    BertForMaskedLM,
    BertModel,
    DebertaV2Config,
    DebertaV2ForMaskedLM,
    DistilBertConfig,
    DistilBertForMaskedLM,
    ElectraConfig,
    ElectraForMaskedLM,
    ElectraForPreTraining,
    GPT2Config,
    GPT2LMHeadModel,
    GPTNeoXConfig,
    GPTNeoXForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    MobileBertConfig,
    MobileBertForMaskedLM,
    ModernBertConfig,
    ModernBertForMaskedLM,
    MPNetConfig,
    MPNetForMaskedLM,
    OPTConfig,
    OPTForCausalLM,
    PreTrainedTokenizerBase,
    RobertaConfig,
    RobertaForMaskedLM,
    XLMRobertaConfig,
    XLMRobertaForMaskedLM,
)

from tests.support import tiny_tokenizers

WIDTH = 32
POSITIONS = 128  # tokens a tiny model can read; RoBERTa, XLM-R, MPNet and OPT keep two more rows of positions
COMMON = {"hidden_size": WIDTH, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": POSITIONS}
ENCODER = {**COMMON, "intermediate_size": 64}


@dataclass(frozen=True)
class Recipe:
    """How a family is made. ``spare_rows``: rows of the vocabulary matrix beyond the last piece, as published."""

    config: Callable[..., Any]
    model: Callable[..., Any]
    tokenizer: Callable[[], PreTrainedTokenizerBase]
    settings: dict[str, Any] = field(default_factory=lambda: dict(ENCODER))
    spare_rows: int = 0


RECIPES = {
    "bert": Recipe(BertConfig, BertForMaskedLM, tiny_tokenizers.bert),
    "bert-cased": Recipe(BertConfig, BertForMaskedLM, tiny_tokenizers.bert_cased),
    "distilbert": Recipe(
        DistilBertConfig,
        DistilBertForMaskedLM,
        tiny_tokenizers.bert,
        {"dim": WIDTH, "n_layers": 2, "n_heads": 4, "hidden_dim": 64, "max_position_embeddings": POSITIONS},
    ),
    "albert": Recipe(AlbertConfig, AlbertForMaskedLM, tiny_tokenizers.albert, {**ENCODER, "embedding_size": 16}),
    "roberta": Recipe(
        RobertaConfig,
        RobertaForMaskedLM,
        tiny_tokenizers.roberta,
        {**ENCODER, "max_position_embeddings": POSITIONS + 2, "type_vocab_size": 1, "layer_norm_eps": 1e-5},
    ),
    "xlm-roberta": Recipe(
        XLMRobertaConfig,
        XLMRobertaForMaskedLM,
        tiny_tokenizers.xlm_roberta,
        {**ENCODER, "max_position_embeddings": POSITIONS + 2, "type_vocab_size": 1, "layer_norm_eps": 1e-5},
    ),
    "electra": Recipe(ElectraConfig, ElectraForMaskedLM, tiny_tokenizers.bert, {**ENCODER, "embedding_size": 16}),
    "deberta-v2": Recipe(
        DebertaV2Config,
        DebertaV2ForMaskedLM,
        tiny_tokenizers.deberta_v2,
        {
            **ENCODER,
            "relative_attention": True,
            "pos_att_type": ["p2c", "c2p"],
            "position_buckets": 8,
            "position_biased_input": False,
            "norm_rel_ebd": "layer_norm",
            "share_att_key": True,
        },
        spare_rows=9,
    ),
    "mpnet": Recipe(
        MPNetConfig, MPNetForMaskedLM, tiny_tokenizers.mpnet, {**ENCODER, "max_position_embeddings": POSITIONS + 2}
    ),
    "modernbert": Recipe(
        ModernBertConfig,
        ModernBertForMaskedLM,
        tiny_tokenizers.modernbert,
        # one layer of each kind, and a window shorter than the test sentences
        {**ENCODER, "layer_types": ["full_attention", "sliding_attention"], "local_attention": 8},
        spare_rows=11,
    ),
    "mobilebert": Recipe(
        MobileBertConfig,
        MobileBertForMaskedLM,
        tiny_tokenizers.bert,
        {**ENCODER, "embedding_size": 16, "intra_bottleneck_size": 16, "num_feedforward_networks": 2},
    ),
    "bert-wrong-case": Recipe(BertConfig, BertForMaskedLM, tiny_tokenizers.bert_wrong_case),
    "bert-encoder": Recipe(BertConfig, BertModel, tiny_tokenizers.bert),
    "electra-discriminator": Recipe(
        ElectraConfig, ElectraForPreTraining, tiny_tokenizers.bert, {**ENCODER, "embedding_size": 16}
    ),
    "gpt2": Recipe(
        GPT2Config,
        GPT2LMHeadModel,
        tiny_tokenizers.gpt2,
        {"n_embd": WIDTH, "n_layer": 2, "n_head": 4, "n_positions": POSITIONS},
    ),
    "opt": Recipe(
        OPTConfig, OPTForCausalLM, tiny_tokenizers.opt, {**COMMON, "ffn_dim": 64, "word_embed_proj_dim": WIDTH}
    ),
    "gpt-neox": Recipe(GPTNeoXConfig, GPTNeoXForCausalLM, tiny_tokenizers.gpt_neox, spare_rows=10),
    "llama": Recipe(
        LlamaConfig, LlamaForCausalLM, tiny_tokenizers.llama, {**ENCODER, "num_key_value_heads": 2, "head_dim": 8}
    ),
}
MASKED = (
    "bert",
    "bert-cased",
    "distilbert",
    "albert",
    "roberta",
    "xlm-roberta",
    "electra",
    "deberta-v2",
    "mpnet",
    "modernbert",
    "mobilebert",
)
CAUSAL = ("gpt2", "opt", "gpt-neox", "llama")
CASED = ("bert-cased", "roberta", "xlm-roberta", "deberta-v2", "modernbert", *CAUSAL)
HEADLESS = ("bert-encoder", "electra-discriminator")  # nothing trained that could fill a mask


def build(family: str, folder: Path, *, seed: int = 0, **overrides: Any) -> Path:
    """Save a tiny random model of ``family`` in ``folder`` and return the folder.

    ``overrides`` are settings of the family's configuration. The families are the keys of ``RECIPES``.
    """
    recipe = RECIPES[family]
    tokenizer = recipe.tokenizer()
    settings = {**recipe.settings, "vocab_size": len(tokenizer) + recipe.spare_rows, **special_ids(tokenizer)}
    model = recipe.model(recipe.config(**{**settings, **overrides}))
    randomise(model, seed)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def special_ids(tokenizer: PreTrainedTokenizerBase) -> dict[str, int]:
    """The special token ids that a configuration repeats; position numbers of some families rest on them."""
    tokens = {
        "pad_token_id": tokenizer.pad_token_id,
        "cls_token_id": tokenizer.cls_token_id,
        "sep_token_id": tokenizer.sep_token_id,
        "bos_token_id": tokenizer.cls_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id,
        "eos_token_id": tokenizer.sep_token_id if tokenizer.eos_token_id is None else tokenizer.eos_token_id,
    }
    return {name: token for name, token in tokens.items() if token is not None}


def randomise(model: nn.Module, seed: int) -> None:
    """Draw all parameters anew: matrices around 0, scales of a normalisation around 1, biases away from 0."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():  # tied ones come once
            parameter.normal_(0.0, 0.3, generator=generator)
            if parameter.ndim == 1 and name.endswith("weight"):
                parameter.add_(1.0)


@functools.cache
def tiny_folder(family: str) -> Path:
    """The folder of ``build(family)``, made once per process and removed at its end."""
    return build(family, session_folder() / family)


@functools.cache
def session_folder() -> Path:
    """A folder that goes when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="tiny-models-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
