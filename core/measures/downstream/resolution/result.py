"""Pronoun resolution: who is found, by gender, and what that depends on."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import pandas as pd

from ....result import Column, Headline, Schema, Table, count, number, p_value, text
from ..task import DownstreamResult

SCORES, DIFFERENCES, CLASSES, NETWORKS, SPLITS = "scores", "differences", "classes", "networks", "splits"
CORRELATIONS, TOPICS, WORDS, DOCUMENTS = "correlations", "topics", "words", "documents"
PUBLISHED, CORRECTED = "as published", "corrected"
ALL = "all"
ACCURACY, F1, LOG_LOSS, P_NEITHER = "accuracy", "f1", "log_loss", "p_neither"
MEASURES = (ACCURACY, F1, LOG_LOSS, P_NEITHER)
TITLES = {ACCURACY: "Accuracy", F1: "F1", LOG_LOSS: "Log loss", P_NEITHER: "Mean P(neither)"}

_MODEL = text("model", "The model whose vectors were read, or the file of predictions.")
_LABELS = text("labels", "Which labels count: as published, or corrected by the list that was given.")
_GENDER = text("gender", "Gender of the pronoun; all is both.")
_WORDS_BY = text("words_by", "The model whose scores of words make the topics' scores.", "topic scores by")


def _valued(name: str, what: str, *, unit: str = "") -> tuple[Column, ...]:
    title = TITLES[name]
    return (
        number(name, what, title, unit=unit),
        number(f"{name}_sd", "Standard deviation over the networks; missing for predictions.", f"{title}, SD"),
        number(f"{name}_low", "Lower end of its 95 % interval over the documents.", f"{title}, 95 % CI low"),
        number(f"{name}_high", "Upper end of its 95 % interval over the documents.", f"{title}, 95 % CI high"),
    )


def _differences(measure: str, result: ResolutionResult) -> pd.DataFrame:
    """Feminine minus masculine, with the labels that charts and sentences are about; none of a demonstration."""
    rows = result[DIFFERENCES]
    wanted = (rows["labels"] == result.labels) & (rows["measure"] == TITLES[measure])
    return rows[wanted & (not result.spec.is_demonstration)]


def _why_none(result: ResolutionResult, model: str) -> str:
    if result.spec.is_demonstration:
        return "a demonstration on texts of our own, which measures nothing"
    return "no network on its vectors was scored for both genders"


class ResolutionResult(DownstreamResult):
    """Pronoun resolution on GAP with one or more models, and of predictions brought along.

    Values are means over the networks of a model. Intervals are over documents, standard deviations over networks.
    Tables: ``scores`` and ``differences`` (by gender), ``classes`` (by label), ``networks``, ``splits`` (what the
    documents hold), ``correlations``, ``topics`` and ``words`` (their scores), ``documents`` (each answer).
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = tuple(
        Headline(
            number(
                f"{measure}_difference",
                f"{TITLES[measure]} of pronoun resolution, feminine minus masculine",
                f"GAP: {TITLES[measure]}, feminine − masculine",
                sign="higher for feminine pronouns",
            ),
            partial(_differences, measure),
            "difference",
            "ci_low",
            "ci_high",
            "p",
            why_none=_why_none,
        )
        for measure in (F1, P_NEITHER)
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "resolution",
        1,
        {
            SCORES: Table(
                "a resolver on the test documents of a gender",
                (
                    _MODEL,
                    _LABELS,
                    _GENDER,
                    count("n", "Documents scored."),
                    count("missing", "Of these, documents without an answer: wrong, and in F1 as the method says."),
                    count("networks", "Networks that the values are means over; 1 for predictions."),
                    *_valued(ACCURACY, "Share (0–1) of documents with the right one of A, B and neither."),
                    *_valued(F1, "Micro F1 (0–1) over the decisions (pronoun, name), two a document."),
                    *_valued(LOG_LOSS, "Mean −ln P of the label, calibrated for networks", unit="nats"),
                    *_valued(P_NEITHER, "Mean probability (0–1) of neither, calibrated for networks."),
                    number("share_neither", "Share (0–1) of documents whose label is neither.", "labelled neither"),
                ),
            ),
            DIFFERENCES: Table(
                "a measure of a resolver: feminine against masculine pronouns",
                (
                    _MODEL,
                    _LABELS,
                    text("measure", "What is compared."),
                    number("masculine", "Its value for masculine pronouns."),
                    number("feminine", "Its value for feminine pronouns."),
                    number("difference", "Feminine minus masculine", sign="higher for feminine pronouns"),
                    number("ci_low", "Lower end of the 95 % interval of the difference.", "95 % CI low"),
                    number("ci_high", "Upper end of the 95 % interval of the difference.", "95 % CI high"),
                    p_value("p", "Two-sided permutation test of the difference of means over documents; none of F1."),
                    number("ratio", "Feminine divided by masculine; GAP calls that of F1 the bias."),
                    number("ratio_low", "Lower end of the 95 % interval of the ratio.", "ratio, 95 % CI low"),
                    number("ratio_high", "Upper end of the 95 % interval of the ratio.", "ratio, 95 % CI high"),
                    count("n_masculine", "Documents with masculine pronouns.", "n, masculine"),
                    count("n_feminine", "Documents with feminine pronouns.", "n, feminine"),
                ),
            ),
            CLASSES: Table(
                "a resolver on the test documents of a label and a gender",
                (
                    _MODEL,
                    _LABELS,
                    text("label", "Whom the pronoun refers to: A, B or neither."),
                    _GENDER,
                    count("n", "Documents scored."),
                    number("recall", "Share (0–1) of them that were resolved so."),
                    number("recall_sd", "Standard deviation over the networks.", "recall, SD"),
                    number("log_loss", "Mean −ln P of the label", "log loss", unit="nats"),
                    number("p_neither", "Mean probability (0–1) of neither.", "mean P(neither)"),
                ),
            ),
            NETWORKS: Table(
                "a network of a model, on all test documents as published",
                (
                    _MODEL,
                    count("network", "Its number."),
                    count("seed", "Its seed."),
                    count("epochs", "Epochs until its lowest validation loss."),
                    number("validation_loss", "That loss, before calibration", unit="nats"),
                    number("temperature", "By which its logits were divided, fitted on the validation documents."),
                    number(ACCURACY, "Share (0–1) of documents resolved."),
                    number(F1, "Micro F1 (0–1).", "F1"),
                    number("f1_masculine", "Micro F1 (0–1) for masculine pronouns.", "F1, masculine"),
                    number("f1_feminine", "Micro F1 (0–1) for feminine pronouns.", "F1, feminine"),
                    number("bias", "F1 for feminine divided by F1 for masculine pronouns."),
                    number(LOG_LOSS, "Mean −ln P of the label, calibrated", "log loss", unit="nats"),
                    number(P_NEITHER, "Mean probability (0–1) of neither, calibrated.", "mean P(neither)"),
                ),
            ),
            SPLITS: Table(
                "the documents of a split and a gender",
                (
                    text("split", "What the documents are for."),
                    _GENDER,
                    count("n", "Documents."),
                    count("a", "Of these, with the label A.", "A"),
                    count("b", "With the label B.", "B"),
                    count("neither", "With the label neither."),
                    number("share_neither", "Share (0–1) of neither: the prior.", "labelled neither"),
                    number("ci_low", "Lower end of its 95 % interval (Wilson).", "95 % CI low"),
                    number("ci_high", "Upper end of its 95 % interval (Wilson).", "95 % CI high"),
                ),
            ),
            CORRELATIONS: Table(
                "a resolver: topic scores against P(neither), over the documents of a gender",
                (
                    _MODEL,
                    _WORDS_BY,
                    _GENDER,
                    number("r", "Spearman's rank correlation", sign="P(neither) is higher in topics closer to men"),
                    number("ci_low", "Lower end of its 95 % interval.", "95 % CI low"),
                    number("ci_high", "Upper end of its 95 % interval.", "95 % CI high"),
                    p_value(
                        "p", "Two-sided, as if documents were independent; not adjusted; missing under 6 documents."
                    ),
                    count("n", "Documents."),
                ),
            ),
            TOPICS: Table(
                "a topic of the test documents, with a resolver",
                (
                    _MODEL,
                    _WORDS_BY,
                    count("topic", "Its number, by how much of the texts it accounts for."),
                    text("words", "Its heaviest words."),
                    number("score", "Σ weight × LPBS of its words", unit="nats", sign="closer to men"),
                    count("scored", "Words with a score, of its 15 heaviest.", "words scored"),
                    count("n_masculine", "Documents whose heaviest topic it is, masculine.", "n, masculine"),
                    count("n_feminine", "Documents whose heaviest topic it is, feminine.", "n, feminine"),
                    number("p_masculine", "Their mean P(neither), masculine.", "P(neither), masculine"),
                    number("p_feminine", "Their mean P(neither), feminine.", "P(neither), feminine"),
                ),
            ),
            WORDS: Table(
                "one of the heaviest words of a topic",
                (
                    _WORDS_BY,
                    count("topic", "The topic's number."),
                    text("word", "The word."),
                    number("weight", "Its share (0–1) of the topic."),
                    number("lpbs", "Log probability bias score, men minus women", "LPBS", unit="nats", sign="men"),
                ),
                long=True,
            ),
            DOCUMENTS: Table(
                "a test document and a resolver",
                (
                    _MODEL,
                    text("id", "The document's ID."),
                    text("gender", "Gender of its pronoun."),
                    text("label", "Whom the pronoun refers to, as published."),
                    text("corrected", "The label with corrections, where a list was given."),
                    number("correct", "Share (0–1) of networks that found the published label."),
                    number("p_a", "Mean P(A).", "P(A)"),
                    number("p_b", "Mean P(B).", "P(B)"),
                    number("p_neither", "Mean P(neither).", "P(neither)"),
                    count("topic", "Number of its heaviest topic.", missing=True),
                ),
                long=True,
            ),
        },
    )

    @property
    def resolvers(self) -> tuple[str, ...]:
        """The models and files of predictions that have scores."""
        return tuple(dict.fromkeys(self[SCORES]["model"]))

    @property
    def labels(self) -> str:
        """The labels that charts and sentences are about: the corrected ones where there are any."""
        return CORRECTED if CORRECTED in set(self[SCORES]["labels"]) else PUBLISHED
