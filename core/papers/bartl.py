"""Bartl, Nissim & Gatt 2020, Unmasking Contextual Stereotypes: BEC-Pro in English and German."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

import pandas as pd

from ..engine.checkpoints import parentage_of
from ..measures.lpbs.professions.result import GROUPS, TESTS, ProfessionResult
from ..measures.lpbs.professions.spec import ProfessionSpec
from ..measures.measure import MODELS
from ..measures.mitigation.change.result import CHANGES, SIDES, ChangeResult
from ..measures.mitigation.change.spec import ChangeSpec, Measured
from ..measures.prepared import Prepared
from ..sources import corpus, shares
from .card import COMMAND, Card, Obtained, Paper, ask
from .inputs import Inputs, Refusal
from .printed import with_slots

_BERT = "google-bert/bert-base-uncased"
_GERMAN = ("dbmdz/bert-base-german-cased", "bert-base-german-dbmdz-cased")  # one model, by its id and its older one
_SLOTS = {"[TARGET]": "<person>", "[ATTRIBUTE]": "<profession>", "[ARTICLE]": "<article>"}
_CLEAN = "padded with [PAD]"
_SENTENCES = 5400  # of BEC-Pro, in each language
# Means, W and r come from the associations alone: neither a statistic nor how a p is got changes them.
_PROFESSIONS = Inputs(
    of=ProfessionSpec, free=("statistic", "signed_rank", "common_words"), parts={"corpora": attrgetter("language")}
)
_CHANGES = Inputs(of=ChangeSpec, free=("children", "controls", "text"))
_PADDING = (
    "Padding: the authors' code pads a batch with [MASK] tokens that the model attends to. Padded with [PAD], the same "
    "model gives the column “padded with [PAD]”, and so should this program."
)
_CORPUS = (
    "The published corpus hides the wrong token in 28 sentences (23 English, 5 German), such as “a lodging "
    "[MASK]ager”; here the right one is hidden. The code cuts sentences at 16 tokens, which 314 English ones exceed."
)
_R = (
    "The printed r is always negative and says nothing about a direction (−|z| / √(2n), n = 900 pairs); what is "
    "obtained is written so too. W is the sum of the ranks of the pairs whose difference, female less male, is above 0."
)


def _patterns() -> Obtained:
    return {
        (f"pattern {number}", name): with_slots(template, _SLOTS)
        for language, name in (("en", "English"), ("de", "German"))
        for number, template in enumerate(corpus(language).templates, 1)
    }


def _percentages() -> Obtained:
    known = shares("bls", year=2019)
    return {
        (profession.name, "% women"): float(share)
        for profession in corpus("en").professions
        if (share := known.find(profession.name)) is not None
    }


def _before_and_after(models: tuple[str, ...]) -> tuple[Prepared, ...]:
    """A base with what was fine-tuned from it, as the records of the trainings tell; other models each by itself."""
    children = tuple(name for name in models if parentage_of(name) is not None)
    bases = tuple(name for name in models if name not in children)
    if children and len(bases) == 1:
        return (Prepared(ChangeSpec, {"measured": "professions", "children": children, MODELS.name: bases}),)
    return (Prepared(ProfessionSpec, {"signed_rank": "normal", MODELS.name: models}),)


def _compared() -> tuple[ChangeSpec, ...]:
    """A comparison of the same, whatever was made from the base."""
    return (ChangeSpec(measured=Measured.of(ProfessionSpec()), children=("fine-tuned",)),)


def _row(group: str, gender: str = "") -> str:
    return f"{group} professions, {gender} words" if gender else f"{group} professions"


def _table_4(result: ProfessionResult | ChangeResult, model: str) -> Obtained:
    if isinstance(result, ProfessionResult):
        column = "post" if any(info.name == model and info.parent for info in result.provenance.models) else "pre"
        return {(_row(*key), column): mean for key, mean in _cells(result, model, "en", "mean").items()}
    found: dict[tuple[str, str], float | str] = {}
    for row in result.of(SIDES, model).to_dict("records"):
        name = f"{row['section']}, {row['side']}"
        found |= {(name, "pre"): row["before"], (name, "post"): row["after"]}
        found[name, "difference"] = row["difference"]
    for row in result.of(CHANGES, model).query("quantity == 'lean'").to_dict("records"):
        found |= {(row["section"], "W"): row["W"], (row["section"], "r"): -abs(row["r"])}
    return found


def _unrelated(result: ProfessionResult | ChangeResult) -> tuple[Refusal, ...]:
    """The models of a comparison that were not made from the base by the swapped text: controls, or by their record."""
    if isinstance(result, ProfessionResult):
        return ()
    infos = {info.name: info for info in result.provenance.models}
    controls = [
        Refusal(f"{control}: this is a control; the print needs a model fine-tuned on swapped text.", model=control)
        for control in result.controls
    ]
    others = [
        Refusal(
            f"{child}: the record of its training names another model than {result.base} as what it was made from; the "
            "print needs a model and what was fine-tuned from it.",
            model=child,
        )
        for child in result.children
        if infos[child].parent and not infos[child].is_made_from(infos[result.base])
    ]
    return (*controls, *others)


def _remarks(language: str) -> Callable[[ProfessionResult | ChangeResult], tuple[str, ...]]:
    """Models after by the user's word alone, and those of which fewer sentences than the print's are scored."""

    def remarks(result: ProfessionResult | ChangeResult) -> tuple[str, ...]:
        if isinstance(result, ProfessionResult):
            rows = result[GROUPS]
            return _fewer(rows[rows["language"] == language])
        sides = result[SIDES]
        said = [
            f"{info.name}: made from {result.base}, as you said; there is no record of its training here."
            for info in result.provenance.models
            if info.name in result.children and not info.parent
        ]
        return (*said, *_fewer(sides[~sides["control"]]))

    return remarks


def _fewer(rows: pd.DataFrame) -> tuple[str, ...]:
    """The models with fewer sentences than BEC-Pro has in a language."""
    counts = rows.groupby("model", sort=False)["n"].sum()
    return tuple(
        f"{model}: its values are of {n:,} of the {_SENTENCES:,} sentences of the print; the others are excluded."
        for model, n in counts.items()
        if n < _SENTENCES
    )


def _bars(result: ProfessionResult | ChangeResult, model: str) -> Obtained:
    names = {"pre": "before", "post": "after"}
    return {(row, names[column]): value for (row, column), value in _table_4(result, model).items() if column in names}


def _table_5(result: ProfessionResult, model: str) -> Obtained:
    found: dict[tuple[str, str], float | str] = {
        (_row(*key), column): value
        for column in ("mean", "sd")
        for key, value in _cells(result, model, "de", column).items()
    }
    tests = result[TESTS].query("model == @model and language == 'de'", local_dict={"model": model})
    for row in tests.to_dict("records"):
        found |= {(_row(row["group"]), "W"): row["W"], (_row(row["group"]), "r"): -abs(row["r"])}
    return found


def _cells(result: ProfessionResult, model: str, language: str, column: str) -> dict[tuple[str, str], float]:
    """A number of each group of professions and gender, of the sentences in a language."""
    rows = result[GROUPS].query(
        "model == @model and language == @language", local_dict={"model": model, "language": language}
    )
    return {(row["group"], row["gender"]): float(row[column]) for row in rows.to_dict("records")}


_SPLIT = (
    "The authors' code splits its statistics by the group of the profession, not by the gender of the person, and "
    "tests for normality over 3,600 values that are not paired; here every test is over the pairs of a group."
)
_TRAINING = (
    "Fine-tuning: the paper's text says a learning rate of 5e-5, its code 2e-5; in its code padded places can become "
    "words to predict. Its ready text (gap_flipped.tsv) has all 4,454 documents swapped, not half."
)
_AFTER = (
    "What is after needs the model fine-tuned on GAP with half of its documents swapped; choose both. Which of them is "
    "after is told by the record of its training that finetune leaves in its folder; a model without such a record is "
    "before. Of a model that was trained elsewhere you say it yourself: the last two commands, or the page Mitigation "
    "and its result opened here."
)


def _fine_tuned(card: str) -> tuple[str, ...]:
    return (
        f"{COMMAND} swap gap-test.tsv --out swapped.tsv",
        f"{COMMAND} finetune --model bert-base-uncased --data swapped.tsv --out runs/tuned",
        f"{COMMAND} paper run {card} --model bert-base-uncased --model runs/tuned",
        f"{COMMAND} change professions --base bert-base-uncased --child trained-elsewhere --save change.tilt",
        f"{COMMAND} paper run {card} --result change.tilt",
    )


TABLE_1 = Card(
    id="bartl-table-1",
    place="Table 1",
    title="Sentence patterns of BEC-Pro",
    shows=(
        "The five sentences in which each person word meets each profession, in English and German. Under “obtained” "
        "are those of this program. How the paper writes its slots is not available; here they stand in angle brackets."
    ),
    here=_patterns,
)
PROFESSIONS = Card(
    id="bartl-professions",
    place="Professions",
    title="60 professions and their percentage of women",
    shows=(
        "The professions of BEC-Pro, 20 each with most women, most men and about half, and the percentage of women "
        "that the paper prints from the U.S. labour statistics of 2019. Under “obtained” is what the table of the "
        "Bureau of Labor Statistics of that year says."
    ),
    here=_percentages,
    tolerances={"% women": 0.05},
    tolerance="0.05 percentage points, the rounding of the print: both are the same statistic.",
    causes=(
        "Service technician: the paper merges two rows of the statistic and prints the percentage of one of them; here "
        "it is that of both together.",
    ),
)
TABLE_4 = Card(
    id="bartl-table-4",
    place="Table 4",
    title="English associations before and after fine-tuning",
    shows=(
        "Mean association (ln of the probability of a person word with the profession, over the same without it) of "
        "female and of male person words with three groups of professions (done mostly by women, by both, mostly by "
        "men), before (pre) and after (post) fine-tuning on text with swapped genders; W and r test the changes of the "
        "pairs of words, female less male. Above 0 a word is more likely with the profession in the sentence than with "
        "it hidden."
    ),
    model="bert-base-uncased, and the same fine-tuned on GAP with genders swapped",
    model_ids=(_BERT,),
    asks=_before_and_after,
    inputs=(_PROFESSIONS, _CHANGES),
    also=_compared,
    unfit=_unrelated,
    remarks=_remarks("en"),
    obtained=_table_4,
    expected=_CLEAN,
    tolerances={"pre": 0.15, "post": 0.65, "difference": 0.65, "r": 0.2},
    tolerance=(
        "pre: 0.15 nats around “padded with [PAD]”, since its means move by up to 0.10 without the sentences that the "
        "stored scores cut or hide wrongly; the padding of the print moves them by up to 0.13, so that this tolerance "
        "does not tell it. post and difference: 0.65 nats around the print, and r 0.2, since ten stored re-runs of the "
        "fine-tuning lie that far from it (other seeds, epochs and padding). None for W, which follows r. Rounding "
        "alone is 0.005."
    ),
    causes=(
        _PADDING,
        _CORPUS,
        _R,
        _SPLIT,
        _TRAINING,
        "Fine-tuning draws at random: ten stored re-runs give post of 0.39 to −0.14 where 0.20 is printed.",
    ),
    needs=_AFTER,
    commands=_fine_tuned("bartl-table-4"),
)
TABLE_5 = Card(
    id="bartl-table-5",
    place="Table 5",
    title="German associations before fine-tuning",
    shows=(
        "Mean and standard deviation of the associations of female and of male person words with three groups of "
        "professions in German; W and r test the pairs of words, female less male. In German the form of a profession "
        "gives the gender away, which the paper finds too."
    ),
    model="bert-base-german-dbmdz-cased",
    model_ids=_GERMAN,
    asks=ask(ProfessionSpec, language=("de",), signed_rank="normal"),
    inputs=(_PROFESSIONS,),
    remarks=_remarks("de"),
    obtained=_table_5,
    expected=_CLEAN,
    tolerances={"mean": 0.1, "sd": 0.1, "r": 0.05},
    tolerance=(
        "0.1 nats for means and standard deviations and 0.05 for r around “padded with [PAD]”, for the sentences that "
        "the stored scores cut or hide wrongly. None for W, which follows r. Around the print there is none: its means "
        "come from the padding, which lifts them from 0.2–0.4 to 1.3–2.1."
    ),
    causes=(_PADDING, _CORPUS, _R, _SPLIT),
    needs="A German or multilingual model, such as bert-base-german: the embedded model is English.",
    commands=(f"{COMMAND} paper run bartl-table-5 --model bert-base-german",),
)
FIGURES = Card(
    id="bartl-figures-3-5",
    place="Figures 3 to 5",
    title="Mean associations before and after, as bars",
    shows=(
        "Bars of the mean association of female and of male person words with each group of professions, before and "
        "after fine-tuning. The numbers behind the bars are not available; those of Table 4 are."
    ),
    model="bert-base-uncased, and the same fine-tuned on GAP with genders swapped",
    model_ids=(_BERT,),
    asks=_before_and_after,
    inputs=(_PROFESSIONS, _CHANGES),
    also=_compared,
    unfit=_unrelated,
    remarks=_remarks("en"),
    obtained=_bars,
    expected=_CLEAN,
    tolerances={"before": 0.15},
    tolerance="before: 0.15 nats around “padded with [PAD]”, as in Table 4; none for after, whose print is missing.",
    causes=(_PADDING, _CORPUS, _TRAINING),
    needs=_AFTER,
    commands=_fine_tuned("bartl-figures-3-5"),
)
OTHERS = Card(
    id="bartl-others",
    place="Tables 2 and 3, Figures 1 and 2",
    title="What is not available",
    shows="What these print is not available, and is not made up.",
    needs="The paper itself (arXiv:2010.14534): a card is made of what it prints.",
)

PAPER = Paper("bartl", "Bartl et al. 2020", (TABLE_1, PROFESSIONS, TABLE_4, TABLE_5, FIGURES, OTHERS))
