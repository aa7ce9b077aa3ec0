"""The methods paragraph of association tests."""

from __future__ import annotations

from core.measures.association.result import AssociationResult
from core.report.methods import (
    BENJAMINI_HOCHBERG_1995,
    KURITA_2019,
    LIMITS,
    described_models,
    form_sentence,
    methods_paragraph,
    references,
)
from core.report.numbers import counted
from core.report.wording import listed
from core.stats.samples import LEAST

CALISKAN_2017 = (
    "Caliskan, A., Bryson, J. J. and Narayanan, A. (2017). Semantics derived automatically from language corpora "
    "contain human-like biases. Science, 356(6334), 183–186."
)
MAY_2019 = (
    "May, C., Wang, A., Bordia, S., Bowman, S. R. and Rudinger, R. (2019). On Measuring Social Biases in Sentence "
    "Encoders. Proceedings of NAACL-HLT 2019."
)
GUO_2021 = (
    "Guo, W. and Caliskan, A. (2021). Detecting Emergent Intersectional Biases: Contextualized Word Embeddings Contain "
    "a Distribution of Human-like Biases. Proceedings of AIES 2021."
)
DELOBELLE_2022 = (
    "Delobelle, P., Tokpo, E. K., Calders, T. and Berendt, B. (2022). Measuring Fairness with Biased Rulers. "
    "Proceedings of NAACL-HLT 2022."
)
IRANI_2020 = "Irani et al. (2020), on SEAT in fine-tuned models."
_CITED = {
    "lpbs": (KURITA_2019,),
    "partner-masked": (KURITA_2019,),
    "cls-in-templates": (MAY_2019,),
    "layer-11-mean": (IRANI_2020,),
    "last-two-layers-mean": (IRANI_2020,),
    "cls-no-context": (DELOBELLE_2022,),
    "pooled-no-context": (DELOBELLE_2022,),
    "pooled-in-templates": (DELOBELLE_2022,),
    "first-piece-in-templates": (DELOBELLE_2022,),
    "vulic": (DELOBELLE_2022,),
    "ceat": (GUO_2021,),
}


@references.register
def _(result: AssociationResult) -> tuple[str, ...]:
    cited = [CALISKAN_2017]
    for representation in result.summary["representation"].unique():
        cited += _CITED.get(representation, ())
    return tuple(dict.fromkeys([*cited, BENJAMINI_HOCHBERG_1995]))


@methods_paragraph.register
def _(result: AssociationResult) -> str:
    options, rows = result.options, result.summary
    representations = listed(list(rows["representation"].unique()))
    computed = rows.dropna(subset="effect_size")
    sentences = [
        f"Association tests ({'; '.join(result.provenance.data) or listed(list(rows['test'].unique()))}) were run by "
        f"{counted(rows['representation'].nunique(), 'representation')} ({representations}).",
        *([described_models(result.provenance.models)] if result.provenance.models else []),
        *_own_lists(result),
        "The association of a target w is s(w, A, B) = mean cosine with A − mean cosine with B; the effect size is "
        f"d = (mean of s over X − mean of s over Y) / standard deviation of s over both (ddof {options.ddof}). "
        "Positive: X is more strongly associated with A, and Y with B.",
        f"Intervals: 95 % percentile bootstrap, X and Y resampled within their set, A and B fixed, 10,000 resamples, "
        f"seed {options.seed}, where X and Y have at least {LEAST} members each. "
        f"p values: permutation test over re-partitions of X and Y of the same sizes, exact up to "
        "100,000 partitions, else 100,000 sampled with the observed one counted; adjusted by Benjamini and Hochberg "
        f"(1995) over the {counted(result.family_size, 'two-sided p value')} of the figure.",
    ]
    if (rows["representation"] == "lpbs").any():
        values = (
            "one value per word, its mean over templates" if options.lpbs_values == "mean" else "all templates' values"
        )
        sentences.append(
            "For WEAT-style LPBS (Kurita et al. 2019), s is the log probability bias score of a word of "
            f"the permuted sets, for target words that stand for the other two sets ({values})."
        )
    if (rows["representation"] == "ceat").any():
        variance = "of s over X∪Y, as in the authors' code" if options.ceat_variance == "authors" else "by formula"
        sentences.append(
            f"CEAT (Guo and Caliskan 2021): {options.ceat_samples:,} samples of one sentence per word, effect sizes "
            f"combined by DerSimonian and Laird's random-effects model, variances {variance}; p = 2(1 − Φ|CES/SE|)."
        )
    if rows["representation"].isin(["lpbs", "partner-masked"]).any():
        sentences.append(form_sentence(options.form))
    if options.layer is not None:
        sentences.append(f"Layer {options.layer} was read in place of each representation's own.")
    rule = "unknown to the model" if options.lost == "unknown" else "unknown to the model or split into several tokens"
    sentences.append(f"Words {rule} were excluded; a set reduced to fewer than 2 or to less than half was not tested.")
    if options.unequal == "drop":
        sentences.append("Sets of unequal size were made equal at random.")
    if len(rows) > len(computed):
        sentences.append(f"{counted(len(rows) - len(computed), 'combination')} could not be computed.")
    sentences += [*map(str, result.notes), LIMITS, "References: " + " ".join(references(result))]
    return " ".join(sentences)


def _own_lists(result: AssociationResult) -> list[str]:
    """The user's own lists, each with its first words and their number."""
    sentences = []
    for test in result.tests:
        if not test.source:
            lists = [
                f"{letter} ({words.name}): {listed(words.members, most=5)}, {counted(len(words.members), 'word')}"
                for letter, words in test.named_sets
            ]
            templates = f"; templates: {listed([f'“{text}”' for text in test.templates])}" if test.templates else ""
            groups = f"; target words: {listed(test.group1)} against {listed(test.group2)}" if test.group1 else ""
            sentences.append(f"Own lists: {'; '.join(lists)}{templates}{groups}.")
    return sentences
