"""A model's scores of the templates that LPBS tests ask: each text once, whatever the number of tests."""

from __future__ import annotations

from collections.abc import Sequence

from core.engine.loading import LoadedModel
from core.engine.pieces import tokenize
from core.measures.lpbs.result import LpbsOptions
from core.measures.lpbs.scoring import Scores, score
from core.result import Group
from core.run import Watch
from core.sources import AssociationTest
from core.sources.association_tests import LpbsFrame
from core.sources.templates import Template


class FrameScores:
    """Scores of the frames of all tests, asked frame by frame when first needed, for the words of all tests."""

    def __init__(
        self,
        model: LoadedModel,
        tests: Sequence[AssociationTest],
        form: str,
        run: Watch,
    ) -> None:
        self._model = model
        self._form = form
        self._run = run
        self._attributes: dict[LpbsFrame, dict[str, int]] = {}
        self._scores: dict[LpbsFrame, Scores] = {}
        for test in tests:
            if test.lpbs is not None:
                sets = dict(test.sets)
                words = [word for letter in test.lpbs.permuted for word in sets[letter].members]
                for frame in test.lpbs.frames:
                    asked = self._attributes.setdefault(frame, {})
                    for word in words:
                        asked.setdefault(word, len(asked))

    def of(self, frame: LpbsFrame, attributes: Sequence[str]) -> Scores:
        """The frame's scores for these attributes, target words group 1 then 2; a prior mean is over these alone.

        Raises the model's refusal.
        """
        asked = self._attributes[frame]
        if frame not in self._scores:
            self._scores[frame] = score(
                self._model,
                [Template.parse(frame.template)],
                list(asked),
                [Group("group 1", frame.group1), Group("group 2", frame.group2)],
                LpbsOptions(form=self._form),
                run=self._run,
            )
        every = self._scores[frame]
        rows = [asked[word] for word in attributes]
        part = Scores(
            model=every.model,
            ln_p_target=every.ln_p_target[:, rows],
            ln_p_prior=every.ln_p_prior[:, rows],
            ln_p_sentence=every.ln_p_sentence[:, rows],
            mean_prior=every.mean_prior,
            why_word=every.why_word,
            why_attribute={
                (0, a): every.why_attribute[0, row] for a, row in enumerate(rows) if (0, row) in every.why_attribute
            },
            inputs=tuple(every.inputs[row] for row in rows),
            notes=every.notes,
        )
        part.count_attributes_once(attributes)
        part.fill_mean_priors()
        return part

    def pieces(self, frame: LpbsFrame, attributes: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The pieces of each attribute as it stands in the frame."""
        template = Template.parse(frame.template)
        filled = [template.fill(frame.group1[0], word, self._form) for word in attributes]
        found = tokenize(self._model.tokenizer, [(one.text, one.attribute) for one in filled])
        return {word: one.pieces for word, one in zip(attributes, found, strict=True)}
