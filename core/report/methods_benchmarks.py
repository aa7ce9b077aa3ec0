"""The methods paragraph of benchmarks."""

from __future__ import annotations

from core.measures.benchmarks.result import BenchmarkOptions, BenchmarkResult
from core.report.methods import LIMITS, described_models, methods_paragraph, references
from core.report.missing import missing_sentence
from core.report.numbers import counted, short
from core.stats.samples import LEAST

BLODGETT_2021 = (
    "Blodgett, S. L., Lopez, G., Olteanu, A., Sim, R. and Wallach, H. (2021). Stereotyping Norwegian Salmon: An "
    "Inventory of Pitfalls in Fairness Benchmark Datasets. Proceedings of ACL-IJCNLP 2021."
)

_PAIRS = "A pair counts when its first side has the higher value; ties count in n alone."
_CAUSAL = {
    "crows-pairs": "In causal models the log likelihoods of the whole sentences are compared.",
    "stereoset": (
        "In causal models the value of a candidate is the mean log likelihood per token of the context with the "
        "candidate in its place."
    ),
    "winobias": "In causal models the log likelihoods of the whole sentences with either pronoun are compared.",
    "winogender": (
        "In causal models the difference is that of the log likelihoods of the whole sentences with he and with she."
    ),
}
_TEXT = {
    "exact": "Sentences were scored as the file has them.",
    "normalised": "Before scoring, sentences were normalised (Unicode NFC, white space made single spaces).",
}
_SMALL = f"For fewer than {LEAST} of what a value rests on, no interval is given."
_HOW = {
    "crows-pairs": (
        "Each sentence's pseudo-log-likelihood is the sum of the log probabilities of the tokens that both sentences "
        f"of a pair share, masked one at a time. {_PAIRS}"
    ),
    "aul": f"The value of a sentence is the mean log probability of all of its tokens with nothing masked. {_PAIRS}",
    "aula": (
        "The value of a sentence is the mean log probability of all of its tokens with nothing masked, weighted by the "
        f"attention each receives, averaged over layers, heads and queries. {_PAIRS}"
    ),
    "winobias": (
        "At the mask of the pronoun, ln P of the pronoun of the stereotype is compared with that of the other; "
        f"coreference is not resolved. {_PAIRS}"
    ),
    "winogender": (
        "At the mask of the pronoun, ln P(he) − ln P(she), in the form the sentence asks for, was averaged over the "
        "sentences of an occupation; the means were averaged over occupations and correlated (Pearson's r) with the "
        "percentage of women."
    ),
    "honest": (
        "The share of a model's 20 most probable completions of each prompt that are in the lexicon given; both are "
        "compared in the model's own normal form, without regard to capitals."
    ),
}


@references.register
def _(result: BenchmarkResult) -> tuple[str, ...]:
    return (result.citation, BLODGETT_2021) if "Blodgett" in result.problems else (result.citation,)


@methods_paragraph.register
def _(result: BenchmarkResult) -> str:
    data = "; ".join(source for source in result.provenance.data if source != result.citation)
    count = result.detail["item"].nunique()
    sentences = [
        f"{result.title} was run{f' on {data}' if data else ''}: {counted(count, 'item')} with a number.",
        described_models(result.provenance.models),
        *_how(result),
        *_measures(result),
        *_ties(result),
        f"Intervals: {'; '.join(dict.fromkeys(map(result.interval_of, result.measures)))}{_bootstrap(result)}.",
        _SMALL,
    ]
    if result.stopped:
        sentences.append("The run was stopped before its end; only the items that were reached are counted.")
    sentences += [
        missing_sentence(result.left_out),
        *map(str, result.notes),
        *([f"Known problems: {result.problems.rstrip('.')}."] if result.problems else []),
        LIMITS,
        "References: " + " ".join(references(result)),
    ]
    return " ".join(sentences)


def _how(result: BenchmarkResult) -> list[str]:
    kinds = {model.kind for model in result.provenance.models}
    name, options = result.benchmark, result.options
    how = {**_HOW, "stereoset": _stereoset(options), "disco": _disco(options)}.get(name)
    sentences = [how] if how else []
    if name not in ("disco", "honest"):
        sentences.append(_TEXT[options.text])
    if "causal" in kinds and name in _CAUSAL:
        sentences.append(_CAUSAL[name])
    return sentences


def _stereoset(options: BenchmarkOptions) -> str:
    over = "averaged per target term, then over terms" if options.average == "terms" else "over all pairs"
    how = (
        "all tokens of one are masked together and its value is their mean log probability"
        if options.pieces == "together"
        else "each token of one is read at a single mask behind the tokens to its left, without those to its right, "
        "and its value is their mean probability, as in the authors' code"
    )
    return (
        f"Of the three candidates for a blank, {how}. SS is the percentage of pairs in which the stereotype has a "
        "higher value than the anti-stereotype; LMS = (stereotype over unrelated + anti-stereotype over unrelated) / "
        f"2N; both {over}. ICAT = LMS · min(SS, 100 − SS) / 50."
    )


def _disco(options: BenchmarkOptions) -> str:
    fills = "the three most probable fills" if options.fills == "top" else "all fills with a probability above .1"
    return (
        f"For each template and each name or noun of two groups, {fills} were taken; a fill counts if it depends on "
        "the group by a chi-squared test (2 × 2, no continuity correction) at .05 divided by the number of distinct "
        "fills of the template. The score is the mean count per template."
    )


def _measures(result: BenchmarkResult) -> list[str]:
    found = []
    for measure in result.measures:
        if measure.neutral is not None and measure.below:
            unit = " %" if measure.unit == "%" else f" {measure.unit}" if measure.unit == "nats" else ""
            found.append(
                f"{measure.title}: above {short(measure.neutral)}{unit} {measure.above}, below it {measure.below}."
            )
    return found


def _ties(result: BenchmarkResult) -> list[str]:
    """How many ties lie in each rate of preference over all of the data."""
    rows = result.summary[(result.summary["bias_type"] == "all") & result.summary["ties"].notna()]
    found = [
        f"{result.measure(row['measure']).title}, {row['model']}: {row['ties']:,} of {row['n']:,}"
        for row in rows.to_dict("records")
    ]
    return [f"Ties: {'; '.join(found)}."] if found else []


def _bootstrap(result: BenchmarkResult) -> str:
    return f" (10,000 resamples, seed {result.options.seed})" if "bootstrap" in result.intervals else ""
