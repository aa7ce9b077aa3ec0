"""A measure: a spec that can be run. Each lies in a folder of its own, and this package finds it there."""

from __future__ import annotations

import functools
import hashlib
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from .. import tilt
from ..engine import catalog, checkpoints
from ..engine.checkpoints import ModelRequest
from ..errors import ModelError, NothingToScore, OptionError, SavedFileError, log_cause
from ..inputs import Choice, Option, Several
from ..result import Result
from ..run import UNWATCHED, Run, Watch
from ..spec import Spec, given
from .comparable import Comparable

if TYPE_CHECKING:
    from ..engine.loading import LoadedModel
    from ..engine.pool import ModelPool

R = TypeVar("R", bound=Result)

MODELS = Several(
    "models",
    "Models",
    default=(catalog.DEFAULT,),
    most=catalog.MAX_MODELS,
    free=True,
    help="Pick one to four to compare. Any model of the Hugging Face Hub works by its owner/name "
    "(owner/name@revision), any folder by its path. Only safetensors are read.",
    flag="--model",
    metavar="MODEL",
)
PRECISION = Choice(
    "dtype",
    "Precision",
    choices={"float32": "float32 (full precision)", "bfloat16": "bfloat16 (GPU)", "float16": "float16 (GPU)"},
    help="Half precision saves memory on a GPU. On a CPU it is slower.",
)


def models_given(value: Any) -> tuple[str, ...]:
    """The names of 1 to 4 models, from a sequence of them or one. Raises OptionError."""
    names = (value,) if isinstance(value, str) else tuple(value)
    if not 1 <= len(names) <= catalog.MAX_MODELS:
        raise OptionError(f"{len(names)} models chosen; 1 to {catalog.MAX_MODELS} can be compared.")
    return names


def precision_given(value: Any) -> str:
    """The name of a precision. Raises OptionError."""
    if value not in catalog.PRECISIONS:
        raise OptionError(f"Precision: “{value}” is not possible; choose {', '.join(catalog.PRECISIONS)}.")
    return str(value)


@dataclass(frozen=True, kw_only=True)
class MeasureSpec(Spec, Generic[R]):
    """The inputs of a measurement, and how it is made.

    A measure's class says ``RESULT``, the class of its results, ``COMMAND``, its name on the command line, ``TITLE``,
    what it is called, and ``DESCRIPTION``, what it measures and which way a positive value points. ``ATTENTION`` is
    how its models are leased: ``default``, or ``eager`` with attention outputs. ``EXAMINES`` is whether it looks inside
    a model, instead of at what it answers. ``COMPARABLE`` says what of its results
    can be compared between a model and those made from it, where something can.

    Parameters
    ----------
    models : names, or one
        1 to 4: catalog names, hub ids (owner/name, owner/name@revision) or folders.
    dtype : str
        Precision: ``float32``, ``bfloat16`` or ``float16``.
    """

    RESULT: ClassVar[type[Result]]
    COMMAND: ClassVar[str]
    TITLE: ClassVar[str]
    DESCRIPTION: ClassVar[str]
    ATTENTION: ClassVar[str] = "default"
    EXAMINES: ClassVar[bool] = False
    COMPARABLE: ClassVar[Comparable | None] = None

    models: tuple[str, ...] = given(MODELS, read=models_given, default=(catalog.DEFAULT,), coerce=models_given)
    dtype: str = given(PRECISION, read=precision_given, default="float32", coerce=precision_given)

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        return f"{self.TITLE} · {' · '.join(self.models)}"

    @property
    def data(self) -> tuple[str, ...]:
        """Where its words, sentences and figures are from, for the provenance."""
        return ()

    @property
    def paths(self) -> tuple[Path, ...]:
        """Files of this machine that are read by their path while it is measured; what they hold decides too."""
        return ()

    @property
    def writes(self) -> Path | None:
        """The file or folder that measuring it writes, besides giving a result; None where it writes nothing."""
        return None

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the kinds of number that can sum its result up."""
        return tuple(self.RESULT.numbers())

    @classmethod
    def inner(cls) -> Mapping[str, tuple[Option, ...]]:
        """Where it is made with another measure: the inputs that each brings along, by the measure's command."""
        return {}

    @property
    def parts(self) -> tuple[MeasureSpec[R], ...]:
        """Specs that are measured one after the other in its place, so that any number of models can be compared."""
        return ()

    def joined(self, results: Sequence[R | ModelError | None]) -> R:
        """The result of what its parts gave: a refusal of one, None for one that was not reached."""
        raise NotImplementedError

    def run_parts(self, run: Run[Any], measure: Callable[[MeasureSpec[R]], R]) -> R:
        """Measure part by part, and join what they gave."""
        results: list[R | ModelError | None] = []
        for part in self.parts:
            if run.cancelled():
                results.append(None)
                continue
            try:
                results.append(measure(part))
            except ModelError as error:
                log_cause(error)
                results.append(error)
            except NothingToScore:
                if not run.cancelled():
                    raise
                results.append(None)
        return self.joined(results)

    def requests(self, device: str | None = None) -> tuple[ModelRequest, ...]:
        """The models as they are leased."""
        wanted = (checkpoints.request(name, dtype=self.dtype, device=device) for name in self.models)
        return tuple(replace(request, attention=self.ATTENTION) for request in wanted)

    def key(self, run: Watch = UNWATCHED) -> str:
        """What its result depends on, as a SHA-256: the spec, the models' files, and the files read by their path.

        Raises the error of a model that cannot be found.
        """
        from ..sources.digests import file_digest

        digests = [checkpoints.digest(request, run) for request in self.requests()]
        files = [file_digest(path) if path.is_file() else "" for path in self.paths]
        return hashlib.sha256("\n".join((str(self.RESULT.SCHEMA), self.digest, *digests, *files)).encode()).hexdigest()

    @property
    def base(self) -> Self:
        """The spec whose result this one's is made from without asking a model again; itself where there is none."""
        return self

    def finish(self, result: R) -> R:
        """This spec's result from that of its ``base``."""
        return result

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> R:
        """Measure with the loaded ``self.models``, resuming from ``run.memory`` and keeping there what is done."""
        raise NotImplementedError

    def run(self, run: Run[Any] | None = None, *, pool: ModelPool | None = None, device: str | None = None) -> R:
        """Measure with the models of the spec.

        Parameters
        ----------
        run : Run or None
            Hears of progress, can stop it, and lets it resume.
        pool : ModelPool or None
            Lends the models; None for the pool of this program.
        device : str or None
            ``cuda``, ``mps`` or ``cpu``; None for the best there is.

        Returns
        -------
        Result
            Of the class ``RESULT``.

        Raises
        ------
        TiltmeterError
            Where nothing could be measured; its text says why.
        """
        from ..engine.lending import lend
        from ..engine.pool import shared_pool

        run = run or Run(self)
        if self.parts:
            return self.run_parts(run, lambda part: part.run(run, pool=pool, device=device))
        with lend(pool or shared_pool(), self.requests(device), run) as lent:
            return lent.complete(self.measure(lent.models, run))


@functools.cache
def measures() -> Mapping[str, type[MeasureSpec[Any]]]:
    """Every measure by its command: each folder of this package whose ``spec.py`` declares one, and those beside it."""
    package = importlib.import_module(__package__ or "core.measures")
    for found in sorted(pkgutil.walk_packages(package.__path__, f"{package.__name__}."), key=lambda item: item.name):
        if found.name.rpartition(".")[2] == "spec":
            importlib.import_module(found.name)
    return MappingProxyType({spec.COMMAND: spec for spec in _declared(MeasureSpec) if "COMMAND" in vars(spec)})


def register(spec: type[MeasureSpec[Any]]) -> type[MeasureSpec[Any]]:
    """Make a measure known that lies elsewhere; for a class, as a decorator."""
    measures.cache_clear()
    return spec


def load(path: Path | str) -> Result:
    """The result in a file that was saved.

    Parameters
    ----------
    path : Path or str
        Of the ``.tilt`` file.

    Returns
    -------
    Result
        Of the measure that made it.

    Raises
    ------
    SavedFileError
        For a file that is none, damaged, or of another version.
    """
    return opened(tilt.read_bytes(Path(path)), Path(path).name)


def opened(data: bytes, called: str) -> Result:
    """The result in the bytes of a file named ``called``. Raises SavedFileError."""
    saved = tilt.unpacked(data, called)
    name, _, version = str(saved.document.get("schema", "")).partition("/")
    spec = {kind.RESULT.SCHEMA.name: kind for kind in measures().values()}.get(name)
    if spec is None or not version.isdecimal():
        raise SavedFileError(f"{called} holds a result of a kind this Tiltmeter does not know (“{name}”).")
    if int(version) != spec.RESULT.SCHEMA.version:
        raise SavedFileError(
            f"{called} holds {name}/{version}, and this Tiltmeter reads {spec.RESULT.SCHEMA}; "
            "open it with the Tiltmeter that saved it."
        )
    return spec.RESULT.restored(spec.restored(saved.document.get("spec")), saved)


def _declared(kind: type[MeasureSpec[Any]]) -> Iterable[type[MeasureSpec[Any]]]:
    for below in kind.__subclasses__():
        yield below
        yield from _declared(below)
