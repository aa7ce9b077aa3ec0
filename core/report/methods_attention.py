"""The methods paragraphs of attention: one sentence, and a corpus."""

from __future__ import annotations

from core.measures.attention.result import AttentionResult, ScanResult
from core.report.methods import LIMITS, described_models, left_out_sentences, methods_paragraph, references
from core.report.numbers import counted
from core.report.wording import listed

LI_2021 = (
    "Li, B., Peng, H., Sainju, R., Yang, J., Yang, L., Liang, Y., Jiang, W., Wang, B., Liu, H. and Ding, C. (2021). "
    "Detecting Gender Bias in Transformer-based Models: A Case Study on BERT. arXiv:2110.15733."
)

_DEFINITION = (
    "For a head with attention AS, an occupation k, male words M and female words F of a sentence, T_m is the sum of "
    "AS[k, i] over M and T_f that over F; V = T / √(T_m² + T_f²); bias = V_m − V_f, from −1 (female) to 1 (male). "
    "degree = bias of the sentence × bias of its gender-swapped twin: above 0 the head turns to the same gender in "
    "both and is counted as biased; its direction is the sign of the sum of the two biases. Where an occupation has "
    "several pieces, the mean over them is taken. Heads without any attention to either gender are undefined."
)
_DETECTORS = (
    "Detectors with identity weights stand at the embedding output and at the query, key, value, averaged attention "
    "and output of each layer: AS = softmax(H Hᵀ / √width) of the states H sliced into heads, Q and K before any "
    "rotary step. Query, key and value of a layer are compared with the layer's input, averaged attention with the "
    "value, the output with the averaged attention."
)


@references.register
def _(_result: AttentionResult) -> tuple[str, ...]:
    return (LI_2021,)


@references.register
def _(_result: ScanResult) -> tuple[str, ...]:
    return (LI_2021,)


@methods_paragraph.register
def _(result: AttentionResult) -> str:
    return " ".join(
        [
            f"Attention was read in the sentence “{result.sentence.text}” and in its twin “{result.twin.text}” "
            f"(occupation “{_occupation(result)}”; Li et al. 2021).",
            described_models(result.provenance.models),
            _DEFINITION,
            _DETECTORS,
            *left_out_sentences(result.left_out),
            *map(str, result.notes),
            "A single sentence shows what a model can do, not what it does on the whole.",
            LIMITS,
            "References: " + LI_2021,
        ]
    )


@methods_paragraph.register
def _(result: ScanResult) -> str:
    counts = dict(result.counts)
    kept = counts.pop("kept")
    left = listed([f"{reason} ({n:,})" for reason, n in counts.items() if n])
    return " ".join(
        [
            f"Attention was read in {counted(kept, 'sentence')} of {result.corpus} that hold a male word, a female "
            f"word and an occupation, and in their gender-swapped twins ({'; '.join(result.provenance.data)}; Li et "
            "al. 2021).",
            *([f"Excluded: {left}."] if left else []),
            *([] if result.finished else ["The corpus was not read to its end."]),
            described_models(result.provenance.models),
            "“her” became “his” or “him” by whichever a masked model found likelier in its place.",
            _DEFINITION,
            _DETECTORS,
            "A sentence's value at a position is the mean over its defined heads; figures are means over sentences, "
            "and shares of sentences or of heads × sentences.",
            *map(str, result.notes),
            LIMITS,
            "References: " + LI_2021,
        ]
    )


def _occupation(result: AttentionResult) -> str:
    return result.sentence.text[slice(*result.sentence.occupation)]
