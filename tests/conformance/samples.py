"""A sample of each measure for the conformance suite. A new measure adds its line to ``SAMPLES``.

The suite fails for a registered measure without a sample, so nothing can be forgotten.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.measures.agreement.spec import AgreementSpec
from core.measures.association.direction.spec import DirectionSpec
from core.measures.association.spec import AskedTest, AssociationSpec
from core.measures.attention.causes.spec import CausesSpec
from core.measures.attention.scan.spec import ScanSpec
from core.measures.attention.spec import AttentionSpec
from core.measures.benchmarks.spec import BenchmarkSpec
from core.measures.descriptors.spec import DescriptorSpec
from core.measures.downstream.coreference.spec import CoreferenceSpec
from core.measures.downstream.occupations.spec import Erase as Erased
from core.measures.downstream.occupations.spec import OccupationSpec
from core.measures.downstream.occupations.spec import Texts as Seen
from core.measures.downstream.resolution.spec import ResolutionSpec
from core.measures.lpbs.professions.spec import Comparison, ProfessionSpec
from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import MeasureSpec
from core.measures.mitigation.change.spec import ChangeSpec
from core.measures.mitigation.classifier.spec import ClassifierSpec
from core.measures.mitigation.classifier.spec import Rate as ClassifierRate
from core.measures.mitigation.swap.spec import SwapSpec
from core.measures.mitigation.tuning.spec import Rate, TuningSpec
from core.result import Group
from core.sources import Corpus, corpus, own_test
from core.sources.blanks import delobelle_words
from core.sources.descriptors import read_axes
from core.sources.gap import demonstration
from core.sources.marking import MarkedSentence, marked
from core.spec import File
from tests.conformance.toy.spec import Case, ToySpec
from tests.support.coreference_results import WINO_TABLES, wino_table
from tests.support.descriptor_results import NOUNS, TEMPLATE, descriptor_table
from tests.support.gap import demo_files, gap_file, predictions_file
from tests.support.gap import exchanged as of_the_other_gender
from tests.support.occupation_results import BIOS_TABLES, bios_table
from tests.support.tiny import tiny_folder


def exchanged(text: str) -> MarkedSentence:
    """The sentence with its male words called female and the other way round."""
    found = marked(text)
    return replace(found, male=found.female, female=found.male)


@dataclass(frozen=True)
class Sample:
    """One small measurement, and what a promise needs to know of it.

    ``arguments``: the same on the command line. ``swapped``: two measurements whose two sides are exchanged; each of
    ``signed`` (columns by table) has the other sign in the rows that are equal in ``keys`` (columns that name a row).
    ``reordered``: the same words in another order. ``excluding``: one that excludes something. ``bad``: arguments that
    no measurement has. ``without``: promises that cannot hold, each with the reason.
    """

    spec: MeasureSpec[Any]
    arguments: tuple[str, ...]
    bad: tuple[str, ...]
    excluding: MeasureSpec[Any]
    swapped: tuple[MeasureSpec[Any], MeasureSpec[Any]] | None = None
    reordered: MeasureSpec[Any] | None = None
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    signed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    without: Mapping[str, str] = field(default_factory=dict)


_FEMALE, _MALE = ("she", "sister", "mother", "wife"), ("he", "brother", "father", "husband")
_DISCO = BenchmarkSpec(words=(_FEMALE, _MALE), seed=3)
_TOY = ToySpec(words=("nurse", "bookkeeper"), other="nurse", case=Case.UPPER, times=2)
_SECOND = str(tiny_folder("gpt2"))  # so that a run can be stopped between two models
_LPBS = LpbsSpec(
    models=("default", _SECOND),
    templates=("[TARGET] is a [ATTRIBUTE].", "The [ATTRIBUTE] said that [TARGET] was tired."),
    groups={"male": ("he",), "female": ("she",)},
    attributes=("nurse", "engineer", "bookkeeper"),
    masking="word",
    seed=3,
)
_THIRD = str(tiny_folder("bert"))
_TEMPLATES = ("[TARGET] is a [ATTRIBUTE].", "The [ATTRIBUTE] said that [TARGET] was tired.")
_PAIRS = ("she / he", "my sister / my brother")
_JOBS = ("registered nurse", "secretary", "carpenter", "plumber", "judge", "roofer")  # enough for resampled intervals


def _corpus(pairs: Sequence[str] = _PAIRS, professions: Sequence[str] = _JOBS) -> Corpus:
    texts = {"templates": _TEMPLATES, "pairs": pairs, "professions": professions}
    return corpus("en").changed(**{name: "\n".join(lines) for name, lines in texts.items()})


_PROFESSIONS = ProfessionSpec(
    models=("default", _THIRD),
    corpora=(_corpus(),),
    statistic=Comparison(year=2021),
    masking="wordpiece",
    signed_rank="normal",
    seed=3,
)
_LPBS_NUMBERS = ("lpbs", "log_ratio", "prior_log_ratio")
_TEXT, _TWIN = "She told him that the nurse was late.", "He told her that the nurse was late."
_ATTENTION = AttentionSpec(sentence=_TEXT, twin=_TWIN)
_CORPUS = Path(tempfile.mkdtemp(prefix="tiltmeter-conformance-")) / "corpus.txt"
_CORPUS.write_text(f"{_TEXT}\nIt rained.\nThe man told her that the teacher was calm.\n", encoding="utf-8")
_SCAN = ScanSpec(corpus=_CORPUS, folder=_CORPUS.parent / "scan")
_CAUSES = CausesSpec(
    models=(_THIRD,),
    corpus=_CORPUS.parent / "causes.txt",
    most=9,
    outcome="lpbs",
    groups={"male": ("he", "man"), "female": ("she", "woman")},
    seed=3,
)
_CAUSES_TEXTS = (
    _TEXT,
    "It rained.",
    "The nurse told her that he was late.",
    "While the mechanic was speaking, she smiled at the man.",
)
(_CORPUS.parent / "causes.txt").write_text("\n".join(_CAUSES_TEXTS), encoding="utf-8")
_LISTS = {"x": ("he", "man"), "y": ("she", "woman"), "a": ("engineer", "doctor"), "b": ("nurse", "teacher")}
_KINDS = ("input-embedding", "pooled-in-templates", "lpbs")
_DESIGN: dict[str, Any] = {"templates": ("[TARGET] is a [ATTRIBUTE].",), "group1": ("he",), "group2": ("she",)}


def _association(letters: str = "xyab", *, swapped: bool = False, **lists: tuple[str, ...]) -> AssociationSpec:
    """Own lists by three representations; ``swapped``: the groups of LPBS change sides with X and Y."""
    words = {**_LISTS, **lists}
    design = {**_DESIGN, "group1": ("she",), "group2": ("he",)} if swapped else _DESIGN
    test = own_test(*(words[letter] for letter in letters), **design)
    return AssociationSpec(tests=(AskedTest.of(test),), representations=_KINDS)


_DIRECTION_PAIRS = (*zip(_FEMALE, _MALE, strict=True), ("woman", "man"), ("girl", "boy"))
_DIRECTION = DirectionSpec(
    models=("default", _SECOND),
    pairs=_DIRECTION_PAIRS,
    words=_JOBS,
    representations=("pooled-no-context", "input-embedding"),
    seed=3,
)
_GAP = demo_files()
_GAP_FOLDER = Path(tempfile.mkdtemp(prefix="tiltmeter-conformance-"))
for _file in _GAP.values():
    (_GAP_FOLDER / _file.name).write_bytes(_file.data)
_RESOLUTION = ResolutionSpec(
    models=(_THIRD,),
    train=(_GAP["training"],),
    validation=(_GAP["validation"],),
    test=(_GAP["test"],),
    layer=-1,
    topics=4,
    seed=3,
)
_TESTED = demonstration()["test"].documents
_PREDICTED = File.of(
    "predictions.csv",
    predictions_file({item.id: (0.5, 0.3, 0.2) if at % 3 else (0.1, 0.2, 0.7) for at, item in enumerate(_TESTED)}),
)
_DECIDED = File.of(
    "decisions.csv", predictions_file({item.id: ("TRUE", "FALSE") for item in _TESTED}, "ID,A-coref,B-coref")
)


def _predicted(*files: File, other: bool = False) -> ResolutionSpec:
    """Predictions alone, on the documents as they are or with pronouns of the other gender."""
    documents = [of_the_other_gender(item) if other else item for item in _TESTED]
    return ResolutionSpec(models=(_THIRD,), test=(File.of("test.tsv", gap_file(documents)),), predictions=files)


_WINO = {name: File.of(f"{name}.csv", wino_table(**how)) for name, how in WINO_TABLES.items()}
for _file in _WINO.values():
    (_GAP_FOLDER / _file.name).write_bytes(_file.data)
_COREFERENCE = CoreferenceSpec(models=(_THIRD,), sentences=(_WINO["wino"],), answers=(_WINO["answers"],), seed=3)
_BIOS = {name: File.of(f"{name}.csv", bios_table(**how)) for name, how in BIOS_TABLES.items()}
for _file in _BIOS.values():
    (_GAP_FOLDER / _file.name).write_bytes(_file.data)
_OCCUPATIONS = OccupationSpec(
    models=(_THIRD,),
    biographies=(_BIOS["bios"],),
    texts=Seen.BOTH,
    text="bio",
    split="part",
    seed=3,
    erase=Erased.BOTH,
)
(_GAP_FOLDER / "descriptors.csv").write_bytes(descriptor_table())
_DESCRIPTORS = DescriptorSpec(
    models=("default", _SECOND),
    axes=read_axes(descriptor_table(), "descriptors.csv"),
    nouns=NOUNS,
    templates=(TEMPLATE, "I am a [PERSON]."),
    seed=3,
)
_WORDS = delobelle_words()
_RELIABILITY = AgreementSpec(
    models=("default", _SECOND),
    templates=("This is the _.", "The _ is here.", "The _ is tired."),
    representations=("pooled-in-templates", "cls-in-templates"),
    subsets=6,
    method="spearman",
)
_DOCUMENTS = _CORPUS.parent / "documents.txt"
_DOCUMENTS.write_text(f"{_TEXT}\nMary Thomas lost her keys, and Will Smith helped her.\n", encoding="utf-8")
_SWAP = SwapSpec(file=_DOCUMENTS, every=True, seed=3)
_TUNED = Path(tempfile.mkdtemp(prefix="tiltmeter-conformance-"))
for _name, _last in (("text", "He said that she was right."), ("unswapped", "She said that he was right.")):
    (_TUNED / f"{_name}.txt").write_text("\n".join((*_CAUSES_TEXTS, _last)), encoding="utf-8")
_TUNING = TuningSpec(
    models=(_THIRD,),
    file=_TUNED / "text.txt",
    control=_TUNED / "unswapped.txt",
    max_steps=4,
    rate=Rate.HIGHEST,
    seeds=2,
    seed=3,
    out=_TUNED / "models",
)
_FOURTH = str(tiny_folder("distilbert"))
_FIFTH = str(tiny_folder("electra"))
(_TUNED / "held.txt").write_text(f"{_TEXT}\n{'He said that she was right. ' * 60}\n", encoding="utf-8")
_CHANGE = ChangeSpec(
    models=(_THIRD,),
    measured=replace(_PROFESSIONS, signed_rank="exact"),
    children=(_FOURTH,),
    controls=(_FIFTH,),
    text=_TUNED / "held.txt",
)
_LABELLED = _TUNED / "labelled.csv"
_LABELLED.write_text(
    "comment;class\n"
    + "".join(f"{text};{'late' if 'late' in text else 'other'}\n" for text in (*_CAUSES_TEXTS, "She was late."))
    + "It rained.;late\n",
    encoding="utf-8",
)
_CLASSIFIER = ClassifierSpec(
    models=(_THIRD,),
    file=_LABELLED,
    text_column="comment",
    label_column="class",
    max_steps=4,
    batch=2,
    rate=ClassifierRate.HIGHEST,
    seeds=2,
    seed=3,
    out=_TUNED / "classifiers",
)
SAMPLES: dict[str, Sample] = {
    "change": Sample(
        _CHANGE,
        (
            *("professions", "--base", _THIRD, "--child", _FOURTH, "--control", _FIFTH, "--seed", "3"),
            *(part for text in _TEMPLATES for part in ("--template", text)),
            *(part for text in _PAIRS for part in ("--pair", text)),
            *(part for text in _JOBS for part in ("--profession", text)),
            *("--masking", "wordpiece", "--text", str(_TUNED / "held.txt")),
        ),
        bad=("professions", "--base", _THIRD),
        excluding=_CHANGE,
        swapped=(
            replace(_CHANGE, controls=(), text=None),
            replace(_CHANGE, models=(_FOURTH,), children=(_THIRD,), controls=(), text=None),
        ),
        reordered=replace(_CHANGE, measured=replace(_PROFESSIONS, corpora=(_corpus(_PAIRS[::-1], _JOBS[::-1]),))),
        keys={"changes": ("section", "quantity"), "sides": ("section", "side"), "spread": ("section", "quantity")},
        signed={"changes": ("difference", "r"), "sides": ("difference",), "spread": ("difference",)},
        without={"defaults": "it compares a base with models that only the user knows"},
    ),
    "reliability": Sample(
        _RELIABILITY,
        (
            *("templates", "--model", "default", "--model", _SECOND, "--subsets", "6", "--method", "spearman"),
            *("--template", "This is the _.", "--template", "The _ is here.", "--template", "The _ is tired."),
            *("--representation", "pooled-in-templates", "--representation", "cls-in-templates"),
        ),
        bad=("templates", "--template", "There is no blank."),
        excluding=replace(_RELIABILITY, words=replace(_WORDS, x=Group("X", (*_WORDS.x.words, "☃")))),
        swapped=(_RELIABILITY, replace(_RELIABILITY, words=replace(_WORDS, a=_WORDS.b, b=_WORDS.a))),
        reordered=replace(
            _RELIABILITY,
            words=replace(_WORDS, **{name: Group(name, getattr(_WORDS, name).words[::-1]) for name in "ab"}),
        ),
        keys={"points": ("model", "representation", "name", "point")},
        signed={"points": ("value",)},
    ),
    "association": Sample(
        _association(),
        (
            *(part for letter, words in _LISTS.items() for part in (f"--{letter}", ",".join(words))),
            *("--template", "[TARGET] is a [ATTRIBUTE].", "--group1", "he", "--group2", "she"),
            *(part for kind in _KINDS for part in ("--representation", kind)),
        ),
        bad=("--test", "weat99"),
        excluding=_association(x=("he", "man", "日本")),
        swapped=(_association(), _association("yxab", swapped=True)),
        reordered=_association(**{letter: words[::-1] for letter, words in _LISTS.items()}),
        keys={"tests": ("model", "test", "representation")},
        signed={"tests": ("test_statistic", "effect_size")},
    ),
    "direction": Sample(
        _DIRECTION,
        (
            *("--model", "default", "--model", _SECOND, "--seed", "3"),
            *(part for pair in _DIRECTION_PAIRS for part in ("--pair", "/".join(pair))),
            *(part for word in _JOBS for part in ("--word", word)),
            *("--representation", "pooled-no-context", "--representation", "input-embedding"),
        ),
        bad=("--pair", "she/he"),
        excluding=replace(_DIRECTION, words=(*_JOBS, "日本"), pairs=(*_DIRECTION_PAIRS, ("日本", "man"))),
        swapped=(_DIRECTION, replace(_DIRECTION, pairs=tuple(pair[::-1] for pair in _DIRECTION_PAIRS))),
        reordered=replace(_DIRECTION, pairs=_DIRECTION_PAIRS[::-1], words=_JOBS[::-1]),
        keys={
            "directions": ("model", "representation"),
            "projections": ("model", "representation", "word"),
            "correlations": ("model", "representation", "method"),
        },
        signed={"directions": ("mean_projection",), "projections": ("projection",), "correlations": ("r",)},
    ),
    "attention": Sample(
        _ATTENTION,
        ("--sentence", _TEXT, "--twin", _TWIN),
        bad=("--sentence", "It rained."),
        # A causal model sees no word behind the occupation.
        excluding=AttentionSpec(
            models=("minilm-mlm", str(tiny_folder("gpt2"))),
            sentence="The nurse told him that she was late.",
            twin="The nurse told her that he was late.",
        ),
        swapped=(_ATTENTION, replace(_ATTENTION, sentence=exchanged(_TEXT), twin=exchanged(_TWIN))),
        keys={"heads": ("model", "position", "layer", "kind", "head")},
        signed={"heads": ("bias", "bias_swapped")},
        without={"order": "a sentence has one order of its words"},
    ),
    "scan": Sample(
        _SCAN,
        ("--corpus", str(_CORPUS), "--out", str(_CORPUS.parent / "scan")),
        bad=("--corpus", "no-such-file", "--out", "nowhere"),
        excluding=_SCAN,
        without={
            "resume": "its folder holds what is done, which test_scan stops, kills and resumes",
            "swap": "a degree has no side",
            "order": "figures of a corpus are kept in its order, part by part",
            "exclusions": "sentences left out are counted by reason, in a table",
        },
    ),
    "causes": Sample(
        _CAUSES,
        (
            *(
                "--model",
                _THIRD,
                "--corpus",
                str(_CORPUS.parent / "causes.txt"),
                "--most",
                "9",
                "--outcome",
                "lpbs",
                "--seed",
                "3",
            ),
            *("--group", "male=he, man", "--group", "female=she, woman"),
        ),
        bad=("--sentence", "The man told the woman that the nurse was late."),
        # A causal model has read nothing before the hidden word of the first sentence.
        excluding=CausesSpec(models=(_SECOND,), corpus=_CORPUS.parent / "causes.txt", intervention="zero"),
        swapped=(_CAUSES, replace(_CAUSES, groups={"female": ("she", "woman"), "male": ("he", "man")})),
        reordered=replace(_CAUSES, groups={"male": ("man", "he"), "female": ("woman", "she")}),
        keys={"heads": ("model", "layer", "head"), "totals": ("model", "quantity"), "sentences": ("model", "sentence")},
        signed={"heads": ("effect", "direct"), "totals": ("mean",), "sentences": ("outcome", "total", "together")},
    ),
    "professions": Sample(
        _PROFESSIONS,
        (
            *("--model", "default", "--model", _THIRD, "--year", "2021", "--seed", "3"),
            *(part for text in _TEMPLATES for part in ("--template", text)),
            *(part for text in _PAIRS for part in ("--pair", text)),
            *(part for text in _JOBS for part in ("--profession", text)),
            *("--masking", "wordpiece", "--signed-rank", "normal"),
        ),
        bad=("--statistic", "becpro", "--year", "2021"),
        excluding=replace(_PROFESSIONS, corpora=(_corpus(("she / he", "the chairwoman / the chairman")),)),
        swapped=(
            _PROFESSIONS,
            replace(_PROFESSIONS, corpora=(replace(_corpus(), persons=_corpus().persons[::-1]),)),
        ),
        reordered=replace(_PROFESSIONS, corpora=(_corpus(_PAIRS[::-1], _JOBS[::-1]),)),
        keys={
            "professions": ("model", "language", "profession"),
            "tests": ("model", "language", "group"),
            "correlations": ("model", "language", "method"),
        },
        signed={
            "professions": ("difference", "line", "residual"),
            "tests": ("z", "median_difference"),
            "correlations": ("r",),
        },
    ),
    "score": Sample(
        _LPBS,
        (
            *("--model", "default", "--model", _SECOND),
            *("--template", "[TARGET] is a [ATTRIBUTE].", "--group", "male=he", "--group", "female=she"),
            *("--template", "The [ATTRIBUTE] said that [TARGET] was tired.", "--masking", "word", "--seed", "3"),
            *("--attribute", "nurse", "--attribute", "engineer, bookkeeper"),
        ),
        bad=("--group", "male=he", "--attribute", "nurse"),
        excluding=replace(_LPBS, groups={"men": ("he", "chairman"), "women": ("she", "chairwoman")}),
        swapped=(_LPBS, replace(_LPBS, groups={"female": ("she",), "male": ("he",)})),
        reordered=replace(_LPBS, attributes=("bookkeeper", "nurse", "engineer")),
        keys={"attributes": ("model", "attribute"), "overall": ("model",)},
        signed={"attributes": _LPBS_NUMBERS, "overall": _LPBS_NUMBERS},
    ),
    "benchmark": Sample(
        _DISCO,
        ("disco", "--female", ",".join(_FEMALE), "--male", ",".join(_MALE), "--seed", "3"),
        bad=("crows-pairs",),
        excluding=replace(_DISCO, words=((*_FEMALE, "she"), _MALE)),
        swapped=(_DISCO, replace(_DISCO, words=(_MALE, _FEMALE))),
        reordered=replace(_DISCO, words=(_FEMALE[::-1], _MALE[::-1])),
        keys={"items": ("model", "item", "first")},
        signed={"items": ("difference",)},
    ),
    "descriptors": Sample(
        _DESCRIPTORS,
        (
            *("--model", "default", "--model", _SECOND, "--data", str(_GAP_FOLDER / "descriptors.csv"), "--seed", "3"),
            *(part for noun in NOUNS for part in ("--noun", noun)),
            *("--template", TEMPLATE, "--template", "I am a [PERSON]."),
        ),
        bad=("--template", "There is nobody."),
        excluding=replace(_DESCRIPTORS, axes={"mood": ("calm", "Calm", "tired")}),
        reordered=replace(
            _DESCRIPTORS,
            axes=tuple(replace(axis, descriptors=axis.descriptors[::-1]) for axis in _DESCRIPTORS.axes[::-1]),
            nouns=NOUNS[::-1],
        ),
        without={"swap": "which descriptor of a pair is the first is the alphabet's choice"},
    ),
    "swap": Sample(
        _SWAP,
        (str(_DOCUMENTS), "--all", "--seed", "3"),
        bad=("no-such-file.txt",),
        excluding=_SWAP,
        without={
            "swap": "a text has no side",
            "order": "a change belongs to its place in the file",
            "exclusions": "a text is left out only where a model has no token for “his” or “him”",
        },
    ),
    "finetune": Sample(
        _TUNING,
        (
            *("--model", _THIRD, "--data", str(_TUNED / "text.txt"), "--control", str(_TUNED / "unswapped.txt")),
            *("--max-steps", "4", "--rate", "1e-3", "--seeds", "2", "--seed", "3", "--out", str(_TUNED / "models")),
        ),
        bad=("--data", str(_TUNED / "text.txt"), "--out", str(_TUNED)),
        # Of two documents the second is held out, and this one is longer than the model takes.
        excluding=replace(
            _TUNING,
            file=File.of("long.txt", f"It rained.\n{'He said that she was right. ' * 60}".encode()),
            control=None,
            seeds=1,
            out=_TUNED / "long",
        ),
        without={
            "resume": "its folder holds what is done, which test_finetuning and test_tuning stop, kill and resume",
            "swap": "a training has no side",
            "order": "documents are trained on in an order drawn from their places",
        },
    ),
    "classify": Sample(
        _CLASSIFIER,
        (
            *("--model", _THIRD, "--data", str(_LABELLED), "--text-column", "comment", "--label-column", "class"),
            *("--max-steps", "4", "--batch", "2", "--rate", "1e-3", "--seeds", "2", "--seed", "3"),
            *("--out", str(_TUNED / "classifiers")),
        ),
        bad=("--data", str(_LABELLED), "--text-column", "no such"),
        excluding=_CLASSIFIER,
        without={
            "resume": "its folder holds what is done, which test_classifying and test_classifier stop, kill and resume",
            "swap": "a training has no side",
            "order": "texts are trained on in an order drawn from their places",
            "exclusions": "rows that are passed over are counted in the notes",
        },
    ),
    "resolve": Sample(
        _RESOLUTION,
        (
            *("--model", _THIRD, "--layer", "-1", "--topics", "4", "--seed", "3"),
            *("--train", str(_GAP_FOLDER / "train.tsv"), "--validation", str(_GAP_FOLDER / "validation.tsv")),
            *("--test", str(_GAP_FOLDER / "test.tsv")),
        ),
        bad=("--test", str(_GAP_FOLDER / "test.tsv")),
        excluding=_predicted(_DECIDED),
        swapped=(_predicted(_PREDICTED), _predicted(_PREDICTED, other=True)),
        reordered=replace(
            _RESOLUTION,
            **{
                field: (demo_files(reverse=True)[split],)
                for field, split in (("train", "training"), ("validation", "validation"), ("test", "test"))
            },
        ),
        keys={"differences": ("model", "labels", "measure")},
        signed={"differences": ("difference",)},
    ),
    "coreference": Sample(
        _COREFERENCE,
        (
            *("--model", _THIRD, "--seed", "3", "--data", str(_GAP_FOLDER / "wino.csv")),
            *("--predictions", str(_GAP_FOLDER / "answers.csv")),
        ),
        bad=("--predictions", str(_GAP_FOLDER / "answers.csv")),
        excluding=replace(_COREFERENCE, sentences=(_WINO["single"],)),
        # Pro and anti change places.
        swapped=(
            replace(_COREFERENCE, answers=()),
            replace(_COREFERENCE, sentences=(_WINO["exchanged"],), answers=()),
        ),
        reordered=replace(_COREFERENCE, sentences=(_WINO["reversed"],)),
        keys={"skews": ("model", "type", "split")},
        signed={"skews": ("pro_anti",)},
    ),
    "occupations": Sample(
        _OCCUPATIONS,
        (
            *("--model", _THIRD, "--seed", "3", "--data", str(_GAP_FOLDER / "bios.csv")),
            *("--text", "bio", "--split", "part", "--texts", "both", "--erase", "both"),
        ),
        bad=("--data", str(_GAP_FOLDER / "bios.csv")),
        excluding=replace(_OCCUPATIONS, biographies=(_BIOS["few"],)),
        # Men and women change places.
        swapped=(
            OccupationSpec(models=(_THIRD,), predictions=(_BIOS["predicted"],)),
            OccupationSpec(models=(_THIRD,), predictions=(replace(_BIOS["exchanged"], name="predicted.csv"),)),
        ),
        keys={
            "occupations": ("model", "texts", "occupation"),
            "overall": ("model", "texts"),
            "erased": ("model", "texts"),
        },
        signed={"occupations": ("gap",), "overall": ("mean_gap",)},
        without={"order": "a biography is called by its line, which changes with the order; test_occupations compares"},
    ),
    "toy": Sample(
        _TOY,
        ("--word", "nurse", "--word", "bookkeeper", "--other", "nurse", "--case", "upper", "--times", "2"),
        bad=("--times", "10"),
        excluding=replace(_TOY, words=("nurse", "electroencephalography"), exclude_long=True),
        swapped=(
            replace(_TOY, words=("bookkeeper",), other="nurse"),
            replace(_TOY, words=("nurse",), other="bookkeeper"),
        ),
        reordered=replace(_TOY, words=("bookkeeper", "nurse")),
        keys={"words": ("model",)},
        signed={"words": ("difference",)},
    ),
}
