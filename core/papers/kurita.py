"""Kurita et al. 2019, Measuring Bias in Contextualized Word Representations: Tables 1 to 6."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

from ..measures.association.result import AssociationResult
from ..measures.association.spec import AssociationSpec
from ..measures.downstream.resolution.result import (
    CORRELATIONS,
    DIFFERENCES,
    P_NEITHER,
    PUBLISHED,
    SPLITS,
    TITLES,
    TOPICS,
)
from ..measures.downstream.resolution.result import ResolutionResult as Resolution
from ..measures.downstream.resolution.spec import ResolutionSpec
from ..measures.lpbs.result import SHARES, LpbsResult
from ..measures.lpbs.spec import LpbsSpec
from ..measures.measure import MODELS
from ..measures.prepared import Prepared
from ..measures.shared.published import alone
from ..measures.shared.representations import LPBS
from ..sources import association_test
from ..sources.published import PREFIX, entry
from ..spec import File
from .card import COMMAND, Card, Obtained, Paper, ask
from .inputs import Inputs
from .printed import with_slots

_BERT = "google-bert/bert-base-uncased"
_TESTS = {
    "weat1": "WEAT 1: flowers, insects",
    "weat3": "WEAT 3: European, African American",
    "weat6": "WEAT 6: career, family",
    "weat7": "WEAT 7: math, arts",
    "weat8": "WEAT 8: science, arts",
}
# The print does not say which layer is read and how networks are averaged. Of the scores those with the labels as
# published are read here: corrections give others beside them.
_RESOLVED = (
    Inputs(
        of=ResolutionSpec,
        free=("predictions", "corrections", "layer", "networks", "missing"),
        only={"topics": ("topics, female pronouns",)},
    ),
)
# Topics are of the texts alone: no network and no other file decides them.
_TOPICS = (
    Inputs(
        of=ResolutionSpec,
        free=("train", "validation", "predictions", "corrections", "network", "layer", "networks", "missing"),
    ),
)
_KINDS = {"vectors": "WEAT on GloVe", "partner-masked": "WEAT on BERT", LPBS: "LPBS"}
_GAP = (
    "GAP's files (gap-development.tsv, gap-validation.tsv, gap-test.tsv; Webster et al. 2018, Apache-2.0) and a model."
)


def _on_gap() -> tuple[ResolutionSpec, ...]:
    """The networks of the paper on GAP, by the SHA-256 of its files."""
    digests = {
        "development": "b9a01434fcf58d8c2f9bc762480c27e58ce466cf1ffe8b09cfecbc7a20d2d634",
        "validation": "2d784f66b390404f554704b9aef6dcde8845e79dda9886b8391cf7e9a24fdb98",
        "test": "1c35e36d5b14f6313ec3f6cd67b275de282595dd59e59390e00cfff9897a6819",
    }
    train, validation, test = (File(f"gap-{split}.tsv", digest) for split, digest in digests.items())
    return (ResolutionSpec(train=(train,), validation=(validation,), test=(test,)),)


def _with_gap(card: str) -> tuple[str, ...]:
    files = "--train gap-development.tsv --validation gap-validation.tsv --test gap-test.tsv"
    return (
        f"{COMMAND} resolve {files} --model bert-base-uncased --save gap.tilt",
        f"{COMMAND} paper run {card} --result gap.tilt",
    )


def _as_in_paper(template: str) -> str:
    """A template as the paper writes it: T the target, A the attribute, no full stop, no capital."""
    short = with_slots(template, {"[TARGET]": "T", "[ATTRIBUTE]": "A"}).removesuffix(".")
    return short.replace("The ", "the ")


def _in_order(words: Iterable[str], of: Sequence[str]) -> str:
    """Words as a list, in the order of another one where they stand in it."""
    places = {word: place for place, word in enumerate(of)}
    return ", ".join(sorted(dict.fromkeys(words), key=lambda word: places.get(word, len(of))))


def _partner_templates() -> Obtained:
    designs = {test: association_test(test).lpbs for test in _TESTS}
    return {
        (_TESTS[test], "templates"): ", ".join(map(_as_in_paper, design.partner_masked))
        for test, design in designs.items()
        if design is not None
    }


def _target_words() -> Obtained:
    printed = {value.key: value.printed for value in TABLE_2.values}
    found = {}
    for test, row in _TESTS.items():
        design = association_test(test).lpbs
        frames = () if design is None else design.frames
        words = [word for frame in frames for word in (*frame.group1, *frame.group2)]
        found[row, "targets"] = _in_order(words, printed[row, "targets"].split(", "))
        found[row, "templates"] = ", ".join(_as_in_paper(frame.template) for frame in frames)
    return found


def _effect_sizes(result: AssociationResult, model: str) -> Obtained:
    return {
        (_TESTS[row["test"]], _KINDS[row["representation"]]): float(row["effect_size"])
        for row in result["tests"].dropna(subset="effect_size").to_dict("records")
        if row["model"] == model and row["test"] in _TESTS and row["representation"] in _KINDS
    }


def _resolved(result: Resolution, model: str) -> Obtained:
    """Shares of neither in what is scored, and the mean P(neither), by gender; with the labels as published."""
    found: dict[tuple[str, str], float | str] = {}
    for row in result[SPLITS].query("split == 'test'").to_dict("records"):
        if row["gender"] in _GENDERS:
            found[_GENDERS[row["gender"]], "prior probability"] = float(row["share_neither"])
    for row in result[DIFFERENCES].to_dict("records"):
        if row["model"] == model and row["labels"] == PUBLISHED and row["measure"] == TITLES[P_NEITHER]:
            found["Male", "average predicted probability"] = float(row["masculine"])
            found["Female", "average predicted probability"] = float(row["feminine"])
            found["permutation test", "p"] = float(row["p"])
    for row in result[CORRELATIONS].to_dict("records"):
        if row["model"] == model and row["words_by"] == model and row["gender"] == "feminine":
            found["topics, female pronouns", "Spearman r"] = float(row["r"])
            found["topics, female pronouns", "p"] = float(row["p"])
    return found


_GENDERS = {"masculine": "Male", "feminine": "Female"}
_TRAITS = {"traits-positive": "Pos-Traits", "traits-negative": "Neg-Traits"}
_PUBLISHED = {  # the authors' lists with their stored scores, by their id on the shelf
    "kurita-job-titles-bert-base-uncased": "Salary",
    "kurita-positive-traits-bert-base-uncased": "Pos-Traits",
    "kurita-negative-traits-bert-base-uncased": "Neg-Traits",
    "kurita-skills-bert-base-uncased": "Skills",
}
_SHARE = "towards he, %"


def _traits(models: tuple[str, ...]) -> tuple[Prepared, ...]:
    """The two lists that come with the program, in the template of section 5."""
    inputs: dict[str, Any] = {"template": "[TARGET] is [ATTRIBUTE].", "groups": "he-she", MODELS.name: models}
    return tuple(Prepared(LpbsSpec, inputs | {"attributes": words}) for words in _TRAITS)


def _lists() -> tuple[Any, ...]:
    """The lists that the authors published scores of: their own words, in their own templates."""
    return tuple(alone(LpbsSpec, (entry(id),)) for id in _PUBLISHED)


def _shares(result: LpbsResult, model: str) -> Obtained:
    """The share of the list that was measured."""
    words = result.spec.attributes
    row = _TRAITS.get(words.id) or next(
        row for row, spec in zip(_PUBLISHED.values(), _lists(), strict=True) if spec.attributes.words == words.words
    )
    rows = result[SHARES].query("model == @model", local_dict={"model": model})
    shares = rows.loc[rows["template"].isna(), "share"]
    return {(row, _SHARE): 100 * float(shares.iloc[0])} if len(shares) else {}


def _of_list(result: LpbsResult) -> tuple[str, ...]:
    """The models whose share is of fewer words than the list has."""
    whole = len(result.spec.attributes.words)
    rows = result[SHARES]
    return tuple(
        f"{row['model']}: the share is of {row['n']:,} of the list’s {whole:,} words; the others are excluded."
        for row in rows[rows["template"].isna()].to_dict("records")
        if row["n"] < whole
    )


def _topics(result: Resolution, model: str) -> Obtained:
    """For each printed topic, the words of the topic that shares most with it; topics have no order of their own."""
    rows = result[TOPICS].query("model == @model", local_dict={"model": model})
    topics = list(dict.fromkeys(rows["words"]))
    return {
        value.key: max(topics, key=lambda words: len(set(value.printed.split(", ")) & set(words.split(", "))))
        for value in (TABLE_6.values if topics else ())
    }


TABLE_1 = Card(
    id="kurita-table-1",
    place="Table 1",
    title="Templates of WEAT on BERT",
    shows=(
        "The sentences from which the vectors of a word are taken: T is a target, A an attribute, and the slot that "
        "the word does not fill is masked. Under “obtained” are the templates that this program uses for the "
        "representation “partner masked”; the table has no numbers."
    ),
    here=_partner_templates,
)
TABLE_2 = Card(
    id="kurita-table-2",
    place="Table 2",
    title="Target words and templates of LPBS",
    shows=(
        "The words whose probability is read, and their sentences: T is the target, A the attribute. Under “obtained” "
        "are those that this program uses, words in the order of the print, groups by their template; the table has no "
        "numbers."
    ),
    here=_target_words,
    causes=(
        "The authors' code does not keep to the table: it asks for bugs in place of insects, writes “the flowers is” "
        "and “flower are”, and adds up the probabilities of boys and men, and of girls and women.",
        "Sentences end with a full stop here and begin with a capital, which lower-case models do not see.",
    ),
)
TABLE_3 = Card(
    id="kurita-table-3",
    place="Table 3",
    title="Effect sizes on the words of WEAT",
    shows=(
        "Do three ways of measuring find the associations that people hold? Effect sizes d of WEAT on GloVe's vectors, "
        "of WEAT on BERT's vectors (a word in a template whose other slot is masked) and of log probability bias "
        "scores. A value above 0 is the association that people hold: flowers and European American names with "
        "pleasant, male words with career, math and science. A star marks what is printed as significant."
    ),
    model="bert-base-uncased, and GloVe",
    model_ids=(_BERT,),
    asks=ask(AssociationSpec, tests=tuple(_TESTS), representations=("partner-masked", LPBS), lpbs_values="pool"),
    inputs=(
        Inputs(
            of=AssociationSpec,
            free=("sentences", "vectors", "ceat_variance", "ceat_samples"),
            only={"lpbs_values": ("LPBS",), "layer": ("WEAT on BERT",), "form": ("WEAT on BERT", "LPBS")},
            parts={"tests": attrgetter("id"), "representations": str},
        ),
    ),
    obtained=_effect_sizes,
    tolerances={"WEAT on BERT": 0.2, "LPBS": 0.2},
    tolerance=(
        "0.2 standard deviations, the conventional size of a small effect: below it the table reads the same. Rounding "
        "alone would be 0.0005 at most, but the words of the groups and the place of the prior are not those of the "
        "authors' code (see the causes), so that the same model need not give the same d. None for GloVe, since there "
        "are several files of its vectors."
    ),
    causes=(
        "The prior: the authors' code reads it at the token before the last mask, not at the target's mask. Here both "
        "probabilities are read at the target's mask, as the paper says.",
        "LPBS of WEAT 1: the paper prints 0.8744. The authors' stored scores give 0.4458, and 0.8792 without the "
        "prior: the print looks like a log ratio from which no prior was subtracted.",
        "WEAT 3: the columns of WEAT on GloVe and on BERT are swapped in the print; the stored outputs are 1.0030 on "
        "GloVe and 1.0120 on BERT. The code takes black first, so that its values are negative; here white comes "
        "first, and the stored values are shown with that sign.",
        "WEAT on BERT: the stored outputs give 0.6928 for WEAT 1 and 0.5725 for WEAT 8, where the paper prints 0.6688 "
        "and 0.8815.",
        "Words: the code asks for bugs in place of insects, adds up the probabilities of boys and men (girls and "
        "women), and takes one list of arts for math and science. Here the words are those of Table 2 and of WEAT, "
        "each with a value of its own.",
    ),
    needs="WEAT on GloVe needs a file of GloVe vectors; everything else runs.",
    commands=(
        f"{COMMAND} association {' '.join(f'--test {test}' for test in _TESTS)} --vectors glove.txt --save glove.tilt",
        f"{COMMAND} paper run kurita-table-3 --result glove.tilt",
    ),
)
TABLE_4 = Card(
    id="kurita-table-4",
    place="Table 4",
    title="Probability that a pronoun refers to neither name",
    shows=(
        "How often a resolver says that a pronoun of GAP refers to neither of the two names, by gender of the pronoun, "
        "beside how often the labels say so. More for female pronouns than the labels explain means that women are "
        "found less often. Below it the permutation test of that difference and the correlation of section 4: above "
        "0, neither is more likely in topics closer to men."
    ),
    model="networks on bert-base-uncased",
    model_ids=(_BERT,),
    inputs=_RESOLVED,
    also=_on_gap,
    obtained=_resolved,
    tolerances={"prior probability": 0.02, "average predicted probability": 0.03, "Spearman r": 0.1},
    tolerance=(
        "0.02 for the labels, since those of the test split, which is scored here, lie up to 0.018 from the printed "
        "ones; 0.03 for the predicted probabilities (the printed genders are 0.024 apart, so that more would change "
        "what the table says) and 0.1 for the correlation. None for p values."
    ),
    causes=(
        "The printed prior probabilities are the labels of GAP's development split (103 of 1,000 male and 98 of 1,000 "
        "female pronouns refer to neither name). In the test split it is 111 and 116: there, more female than male "
        "pronouns are labelled so.",
        "Here several networks with seeds of their own are averaged, read a layer that is chosen (--layer), and are "
        "calibrated on the validation split.",
        "Some of GAP's labels are wrong; a community list corrects 159 of them, and the scores by gender move with it "
        "(--corrections). The print is with the labels as published, and so is what is compared here.",
    ),
    needs=_GAP,
    commands=_with_gap("kurita-table-4"),
)
TABLE_5 = Card(
    id="kurita-table-5",
    place="Table 5",
    title="Percentage of a list that leans towards he",
    shows=(
        "How many attributes of a list are more strongly associated with he than with she (LPBS above 0): the job "
        "titles of a list of salaries, positive and negative traits, skills. Above 50 % the list leans towards he."
    ),
    model="bert-base-uncased",
    model_ids=(_BERT,),
    asks=_traits,
    # Two groups of one word each are compared in one way alone, paired or not.
    inputs=(Inputs(of=LpbsSpec, free=("contrasts", "paired", "common_words")),),
    also=_lists,
    remarks=_of_list,
    obtained=_shares,
    tolerances={_SHARE: 5.0},
    tolerance=(
        "5 percentage points, about the half-width of the 95 % interval of a share of 80 % of 230 traits: a smaller "
        "difference is one that other traits of the same kind would make too. Rounding alone is 0.05."
    ),
    causes=(
        "The prior: the authors' code reads it at the token before the last mask. Without any prior their stored "
        "scores lean towards he for 94 to 98 % of each list: how far the table leans depends on the prior.",
        "Negative traits: the first 110 lines of the authors' file are a list of neutral traits. Without them their "
        "stored scores give 82.0 %, with them the printed 78.9 %. Here they are excluded.",
        "Skills: the stored outputs give 14 of 25, 56.0 %; the printed 84.0 % would be 21 of 25 and occurs nowhere in "
        "them. The notebook's template is “is good at”, the paper's “can do”.",
        "Words: the stored scores have one job title that is empty, and two negative traits twice (aggressive, soft). "
        "The print counts them; the published result on the shelf has each word once, and gives 88.48 % and 79.06 %.",
        "Sentences end with a full stop here.",
    ),
    needs=(
        "The two lists of traits are measured. What the authors stored of all four lists is on the shelf of "
        "published results, not measured here. Job titles and skills of your own stand beside no print, since they are "
        "other lists."
    ),
    commands=tuple(f"{COMMAND} paper run kurita-table-5 --result {PREFIX}{id}" for id in _PUBLISHED),
)
TABLE_6 = Card(
    id="kurita-table-6",
    place="Table 6",
    title="The 20 topics of GAP",
    shows=(
        "The heaviest words of the topics that non-negative matrix factorisation finds in GAP's texts. Beside each "
        "printed topic stands the topic found here that shares most words with it."
    ),
    inputs=_TOPICS,
    also=_on_gap,
    obtained=_topics,
    causes=(
        "Topics depend on the start of the factorisation, the weighting, the list of function words, and the split; "
        "the same 20 topics are not to be expected.",
    ),
    needs=_GAP,
    commands=_with_gap("kurita-table-6"),
)

PAPER = Paper("kurita", "Kurita et al. 2019", (TABLE_1, TABLE_2, TABLE_3, TABLE_4, TABLE_5, TABLE_6))
