"""The inputs of a comparison before and after: a measure, a base, and models made from it."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from ....engine.checkpoints import located, request
from ....errors import ModelError, OptionError
from ....inputs import Choice, Option, Several, Upload
from ....report.numbers import counted
from ....result import Result
from ....sources.documents import MAX_BYTES
from ....spec import File, given, yes_or_no
from ...comparable import Comparable
from ...measure import MODELS, MeasureSpec, measures
from ..texts_given import documents_of, file_given, file_read
from .price import PriceSpec
from .result import ChangeResult

MOST = 8  # children, and controls
MEASURED = Choice(
    "measured", "Measure", default="professions", help="What is measured before and after.", metavar="MEASURE"
)
CHILDREN = Several(
    "children",
    "Models after, such as one for each seed",
    most=MOST,
    free=True,
    help="Models made from the base: fine-tuned, or changed otherwise. Names, owner/name or folders.",
    flag="--child",
    metavar="MODEL",
)
CONTROLS = Several(
    "controls",
    "Controls",
    most=MOST,
    free=True,
    help="Models made from the base in the same way without the change that is studied: fine-tuned on the unswapped "
    "text. They show what any fine-tuning changes.",
    flag="--control",
    metavar="MODEL",
)
TEXT = Upload(
    "price_text",
    "Text for the price",
    megabytes=MAX_BYTES >> 20,
    help="On which no model was fine-tuned: how well is it predicted before and after? Plain text or a GAP file.",
    flag="--text",
    metavar="FILE",
)


@functools.cache
def comparable() -> Mapping[str, type[MeasureSpec[Any]]]:
    """The measures whose results can be compared, by their command."""
    return {name: kind for name, kind in measures().items() if kind.COMPARABLE is not None}


def measure_named(name: str) -> type[MeasureSpec[Any]]:
    """The measure of a command. Raises OptionError for one whose results cannot be compared."""
    if name not in comparable():
        raise OptionError(f"“{name}” cannot be measured before and after; choose {', '.join(comparable())}.")
    return comparable()[name]


@dataclass(frozen=True)
class Measured:
    """A measure with its options: its command, and its spec."""

    command: str
    spec: Any  # a MeasureSpec; its plain form while a saved one is opened

    def __post_init__(self) -> None:
        if isinstance(self.spec, Mapping):
            object.__setattr__(self, "spec", measure_named(self.command).restored(self.spec))

    @classmethod
    def of(cls, spec: MeasureSpec[Any]) -> Measured:
        """Of a spec. Raises OptionError for one whose results cannot be compared."""
        of = measure_named(spec.COMMAND).COMPARABLE
        reason = of.cannot(spec) if of is not None else ""
        if reason:
            raise OptionError(reason)
        return cls(spec.COMMAND, spec.base)


def measured_given(value: Any) -> Measured:
    """A measure from its spec, or its command for its defaults. Raises OptionError."""
    if isinstance(value, str):
        return Measured.of(measure_named(value)())
    return value if isinstance(value, Measured) else Measured.of(value)


def base_given(value: Any) -> tuple[str, ...]:
    """The name of the base. Raises OptionError for several."""
    names = (value,) if isinstance(value, str) else tuple(value)
    if len(names) != 1:
        raise OptionError(f"{len(names)} models chosen as the base; choose one; what was made from it comes after.")
    return names


def models_given(value: Any) -> tuple[str, ...]:
    """The names of models. Raises OptionError for too many."""
    names = (value,) if isinstance(value, str) else tuple(value)
    if len(names) > MOST:
        raise OptionError(f"{len(names)} models chosen; at most {MOST} can be compared with their base.")
    return names


@dataclass(frozen=True, kw_only=True)
class ChangeSpec(MeasureSpec[ChangeResult]):
    """The inputs of a comparison before and after (Bartl et al. 2020, Table 4, for any measure).

    Parameters
    ----------
    models : name
        The base.
    measured : MeasureSpec, or the command of a measure for its defaults
        What is measured; its models and precision are those here.
    children : names
        Models made from the base, 1 to 8, such as one for each seed.
    controls : names
        Models made from the base without the change that is studied.
    text : File, its path, or None
        On which pseudo-perplexity is compared. None: no price.
    erased : bool
        Whether the base is compared with itself, gender erased from its vectors (LEACE), in place of children.
    """

    RESULT: ClassVar[type[Result]] = ChangeResult
    COMMAND: ClassVar[str] = "change"
    TITLE: ClassVar[str] = "Before and after"
    DESCRIPTION: ClassVar[str] = (
        "A measure on a base and on models made from it, such as fine-tuned ones: what changed, item by item, with "
        "paired tests, the spread over the models, controls, and the price in pseudo-perplexity. A positive difference "
        "means that the value is higher after than before."
    )

    models: tuple[str, ...] = given(
        replace(MODELS, label="Base", flag="--base"), read=base_given, default=MODELS.default, coerce=base_given
    )
    measured: Measured = given(MEASURED, read=measured_given, default=MEASURED.default, coerce=measured_given)
    children: tuple[str, ...] = given(CHILDREN, read=tuple, default=(), coerce=models_given)
    controls: tuple[str, ...] = given(CONTROLS, read=tuple, default=(), coerce=models_given)
    text: File | None = given(TEXT, read=file_read, default=None, coerce=file_given)
    erased: bool = yes_or_no(
        "After: the base itself, gender erased from its vectors (LEACE)",
        False,
        help="A mitigation without training, for association tests and the gender direction: no model after is needed, "
        "and nothing is paid.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        inner = replace(self.measured.spec, models=self.models, dtype=self.dtype)
        object.__setattr__(self, "measured", replace(self.measured, spec=inner))
        if self.erased:
            self._check_erased()
        elif not self.children:
            raise OptionError("There is no model to compare with the base; choose at least one made from it.")
        places = [_place(name) for name in self.every]
        if len(set(places)) < len(places):
            raise OptionError("The same model is chosen twice; choose different ones.")

    def _check_erased(self) -> None:
        erased = self.comparable.erased
        if erased is None:
            can = [kind.TITLE.lower() for kind in comparable().values() if kind.COMPARABLE and kind.COMPARABLE.erased]
            raise OptionError(f"Gender is erased from vectors, which only these measures read: {', '.join(can)}.")
        if self.children or self.controls or self.text is not None:
            raise OptionError(
                "With gender erased the base is compared with itself; omit models after, controls and the text."
            )
        whole, _ = erased(self.measured.spec)
        object.__setattr__(self, "measured", replace(self.measured, spec=whole))

    @classmethod
    def inner(cls) -> Mapping[str, tuple[Option, ...]]:
        """The inputs of each measure that can be compared, by its command."""
        return {name: inner_inputs(kind) for name, kind in comparable().items()}

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The spec of the values of its inputs and of those of its measure, by name.

        Raises InputError, or ModelError for a model that cannot be looked for.
        """
        kind = measure_named(values.get(MEASURED.name, MEASURED.default))
        own = {
            name: how.read(*(values.get(item.name, item.default) for item in how.inputs))
            for name, how in cls.givens().items()
            if name != "measured"
        }
        inner = {name: value for name, value in values.items() if name in {item.name for item in inner_inputs(kind)}}
        measured = kind.of({**inner, "models": own["models"], "dtype": own["dtype"]})
        spec = cls(**own, measured=Measured.of(measured))
        for name in spec.every:
            located(request(name))
        if spec.text is not None:
            documents_of(spec.text)
        return spec

    @property
    def comparable(self) -> Comparable:
        """What of the measure is compared."""
        found = measure_named(self.measured.command).COMPARABLE
        assert found is not None
        return found

    @property
    def every(self) -> tuple[str, ...]:
        """The base, the children, the controls."""
        return (*self.models, *self.children, *self.controls)

    @property
    def seed(self) -> int:
        """Of every random draw: that of the measure, 0 where it has none."""
        return int(getattr(self.measured.spec, "seed", 0))

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        after = "gender erased" if self.erased else counted(len(self.children), "model after", "models after")
        controls = (counted(len(self.controls), "control"),) if self.controls else ()
        return " · ".join((self.TITLE, self.measured.spec.line, after, *controls))

    @property
    def data(self) -> tuple[str, ...]:
        """Where words and sentences of the measure are from, and the text."""
        text = () if self.text is None else (f"text for the price: {self.text.name}, SHA-256 {self.text.sha256[:12]}",)
        return (*self.measured.spec.data, *text)

    @property
    def parts(self) -> tuple[MeasureSpec[Any], ...]:
        """The measure in each model by itself, and the text in it: each is loaded once, whatever their number."""
        erased = self.comparable.erased
        if self.erased and erased is not None:
            return erased(self.measured.spec)
        inner = [replace(self.measured.spec, models=(name,)) for name in self.every]
        if self.text is None:
            return tuple(inner)
        return tuple(
            part for spec in inner for part in (spec, PriceSpec(models=spec.models, dtype=self.dtype, file=self.text))
        )

    def joined(self, results: Sequence[Any]) -> ChangeResult:
        """The comparison from what its parts gave."""
        from . import compute

        return compute.joined(self, results)

    def options(self) -> tuple[tuple[str, str], ...]:
        """The choices of the measure that decide what is compared."""
        unused = {item.label for item in type(self.measured.spec).inputs() if item.name in self.comparable.unused}
        return tuple((label, held) for label, held in self.measured.spec.options() if label not in unused)


def inner_inputs(kind: type[MeasureSpec[Any]]) -> tuple[Option, ...]:
    """The inputs of a measure that decide what is compared; models and precision are those of the comparison."""
    unused = kind.COMPARABLE.unused if kind.COMPARABLE is not None else ()
    return tuple(item for item in kind.inputs() if item.name not in (MODELS.name, "dtype", *unused))


def _place(name: str) -> tuple[str, str | None]:
    """What tells a model from others: where it is, and its revision."""
    wanted = request(name)
    try:
        return located(wanted)[1], wanted.revision
    except ModelError:
        return wanted.name, wanted.revision
