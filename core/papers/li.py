"""Li et al. 2021, Detecting Gender Bias in Transformer-based Models: attention heads, detectors, and a corpus."""

from __future__ import annotations

import math
from types import MappingProxyType

import pandas as pd

from ..measures.attention.result import HEADS, MAPS, AttentionResult
from ..measures.attention.scan.result import POSITIONS, ScanResult
from ..measures.attention.scan.spec import ScanSpec
from ..measures.attention.spec import EXAMPLE, EXAMPLE_TWIN, AttentionSpec
from ..measures.measure import MODELS
from ..measures.prepared import Prepared
from ..report.numbers import head_name
from .card import Card, Obtained, Paper, ask
from .inputs import Inputs

_BERT = "BERT (12 layers, 12 heads)"
_EMBEDDING = "embedding"
# Of every layer, in the order of the computation; what the paper calls them.
_KINDS = {
    "query": "query",
    "key": "key",
    "value": "value",
    "context": "averaged attention",
    "output": "rest of the layer",
}
_FIRST = ("query", "key")
# The paper's corpus is not at hand: what is scanned is another.
_SCANNED = (Inputs(of=ScanSpec, free=("folder",), other={"corpus": "another corpus"}),)

_CORPUS = (
    "The corpus: the paper scans the entire Wikipedia and keeps 60,548 sentences. Here it is the example "
    "corpus that comes with the program, 200 sentences of our own; choose a file of yours on the page Attention, "
    "a corpus, or by --corpus of the command scan."
)
_WORDS = (
    "The words: the paper prints no list of pronouns. Those here (he, him, his, himself and she, her, hers, herself) "
    "are inferred from its Figure 3 and its equations; nouns of persons and occupations are lists of this program."
)
_TWINS = (
    "The twins: “her” becomes “his” or “him”, by grammar. The paper points to the word lists of others for the swap; "
    "here the model that comes with the program decides."
)
_WORDS_ALONE = "none, since what is printed are words, which are the same or not."
_NOTHING = "none, since nothing is printed to compare with."
_AT_HAND = (
    "What the paper’s figures draw, and which of them stands here, is not available; what it says of them in words is "
    "what stands as printed."
)


def _own_heads(result: AttentionResult, model: str) -> Obtained:
    heads = result[HEADS]
    heads = heads[(heads["model"] == model) & (heads["kind"] == MAPS)].dropna(subset="degree")
    if heads.empty:
        return {}
    (largest,) = heads.nlargest(1, "degree").to_dict("records")
    return {
        ("largest degree of a head", "degree"): float(largest["degree"]),
        ("largest degree of a head", "head"): head_name(int(largest["layer"]), int(largest["head"])),
        ("heads with a degree above 0", "share"): float((heads["degree"] > 0).mean()),
    }


def _scans(models: tuple[str, ...]) -> tuple[Prepared, ...]:
    """A scan of the example corpus for each model: one scan takes one."""
    return tuple(Prepared(ScanSpec, MappingProxyType({MODELS.name: (model,)})) for model in models)


def _along(result: ScanResult, model: str) -> pd.DataFrame:
    """The detectors' positions of a model."""
    rows = result.profile
    return rows[rows["model"] == model]


def _flow(result: ScanResult, model: str) -> Obtained:
    rows = _along(result, model)
    found: dict[tuple[str, str], float | str] = {}
    added = {}
    for kind, title in _KINDS.items():
        change = float(rows.loc[rows["kind"] == kind, "difference"].mean())
        if not math.isnan(change):  # of a model whose layout the detectors cannot read, or of no sentence
            added[kind] = found[title, "mean change"] = change
            found[title, "against what it is computed from"] = _way(change)
    embedding = float(rows.loc[rows["kind"] == _EMBEDDING, "mean_degree"].mean())
    if not math.isnan(embedding):
        found[_EMBEDDING, "mean degree"] = embedding
    if len(added) == len(_KINDS) and not math.isnan(embedding):
        more = min(added[kind] for kind in _FIRST) > max(
            embedding, *(added[kind] for kind in added if kind not in _FIRST)
        )
        found["query and key", "add more than every other part"] = "yes" if more else "no"
    return found


def _way(change: float) -> str:
    return "rises" if change > 0 else "falls" if change < 0 else "stays"


def _spread(result: ScanResult, model: str) -> Obtained:
    rows = _along(result, model)
    columns = {"median degree": "median", "heads biased": "share_biased"}
    means = {
        (title, column): float(rows.loc[rows["kind"] == kind, name].mean())
        for kind, title in {_EMBEDDING: _EMBEDDING, **_KINDS}.items()
        for column, name in columns.items()
    }
    return {key: mean for key, mean in means.items() if not math.isnan(mean)}


def _kept(result: ScanResult, model: str) -> Obtained:
    return {("sentences kept", "n"): float(result.kept)} if model in set(result[POSITIONS]["model"]) else {}


PAPER = Paper(
    "li",
    "Li et al. 2021",
    (
        Card(
            id="li-sentence",
            place="The example sentence",
            title="Attention from an occupation to the gendered words of its sentence",
            shows=(
                f"“{EXAMPLE}” and its gender-swapped twin, as the paper writes them: does a head attend from “nurse” "
                "to the same gender in both? The degree of a head is its bias in the sentence times its bias in the "
                f"twin, from −1 to 1; above 0 it is biased. {_AT_HAND}"
            ),
            model=_BERT,
            asks=ask(AttentionSpec, sentence=EXAMPLE, twin=EXAMPLE_TWIN),
            inputs=(Inputs(of=AttentionSpec),),
            obtained=_own_heads,
            tolerance=_NOTHING,
            causes=(_WORDS,),
        ),
        Card(
            id="li-flow",
            place="The detectors along the model",
            title="Where the degree rises and where it falls",
            shows=(
                "Which part of a layer adds bias? The mean degree over sentences at each place, less that of the place "
                "it is computed from, as a mean over layers: query, key and value against the layer’s input, averaged "
                "attention against value, the rest of the layer (output projection, feed-forward part, residual "
                f"connections, normalisations) against averaged attention. Above 0 the degree rises. {_AT_HAND}"
            ),
            model=_BERT,
            asks=_scans,
            inputs=_SCANNED,
            obtained=_flow,
            tolerance=_WORDS_ALONE,
            causes=(
                _CORPUS,
                _WORDS,
                _TWINS,
                "The paper says “much more gender bias than other modules” in words. Here: the change at query and at "
                "key is larger than at value, averaged attention and the rest of the layer, and than the embedding’s "
                "degree.",
            ),
        ),
        Card(
            id="li-spread",
            place="The spread at each place",
            title="Degrees of the sentences, and heads that are biased",
            shows=(
                "How large is the degree of a sentence at each place (the median of the box plots), and in what share "
                "of heads and sentences is it above 0? Means over layers; the page Attention, a corpus, draws every "
                f"place. {_AT_HAND}"
            ),
            model=_BERT,
            asks=_scans,
            inputs=_SCANNED,
            obtained=_spread,
            tolerance=_NOTHING,
            causes=(_CORPUS, _WORDS, _TWINS),
        ),
        Card(
            id="li-corpus",
            place="The corpus",
            title="Sentences with a male word, a female word and an occupation",
            shows="How many sentences of the corpus fit, and are measured.",
            model=_BERT,
            asks=_scans,
            inputs=_SCANNED,
            obtained=_kept,
            tolerance="none, since it is another corpus.",
            causes=(_CORPUS, _WORDS),
            needs=(
                "For the paper’s corpus bring a text of the English Wikipedia, one sentence or paragraph per line: "
                "page Attention, a corpus, or the command scan --corpus FILE --out FOLDER, which resumes."
            ),
        ),
    ),
)
