"""The runs that the page shows, and what can be done with one: stop, resume, open its result."""

from __future__ import annotations

from typing import Any

from streamlit.delta_generator import DeltaGenerator

from core.history.difference import changed_inputs
from core.inputs import DIGEST_LENGTH, Reference, Text
from core.measures.measure import MeasureSpec
from core.run import Run, State
from core.runs import Ended
from pages.jobs import words
from pages.shared import jobs, links, resources
from pages.shared.frame import path_of
from pages.shared.places import PAGE_OF

RUN = Text("run", "Run")  # the id of the one that is looked at

Known = Run[Any] | Ended


def known() -> tuple[Known, ...]:
    """The measurements among the runs of the server."""
    return tuple(run for run in resources.runs().known() if isinstance(run.spec, MeasureSpec))


def line(run: Known) -> str:
    """What a run measures, with the inputs that tell it from the others of the same line."""
    spec = run.spec
    others = [other.spec for other in known() if type(other.spec) is type(spec) and other.spec.line == spec.line]
    apart = {label: mine for other in others for label, mine, _ in changed_inputs(spec, other)}
    return " · ".join((spec.line, *(f"{label}: {value}" for label, value in apart.items())))


def stop(run: Run[Any]) -> None:
    """End a run for everybody."""
    me = jobs.visitor()
    run.end(others=sum(who != me for who in waiting(run)))


def waiting(run: Run[Any]) -> tuple[Any, ...]:
    """The sessions that wait for a run and are there."""
    return tuple(who for who in run.waiting() if jobs.connected(who))


def stop_button(place: DeltaGenerator, run: Run[Any]) -> None:
    """Ends the run for everybody."""
    place.button(
        "Stop",
        key=f"stop {run.id}",
        help="Ends it for everybody who waits for it. What is complete by then is kept, and can be resumed.",
        disabled=run.ending,
        on_click=stop,
        args=(run,),
    )


def resume_button(place: DeltaGenerator, run: Ended) -> None:
    """Begins the run again where it ended, and shows it."""
    place.button(
        "Try again" if run.state == State.FAILED else "Resume",
        key=f"resume {run.id}",
        help="Measures what is missing; you wait for it then.",
        on_click=_resume,
        args=(run.id,),
    )


def _resume(id: str) -> None:
    resources.runs().resume(id, jobs.visitor())
    look_at(id)


def result_links(place: DeltaGenerator, run: Ended) -> None:
    """To the result on its page, and to its line in the history."""
    page = PAGE_OF.get(run.spec.COMMAND)
    if run.saved is None or page is None:
        return
    place.page_link(
        path_of(page), label="Result", query_params={links.SAVED.name: links.SAVED.write((saved_file(run),))}
    )
    if run.saved.history:
        place.page_link("pages/10_History.py", label="History", query_params={"run": run.saved.history})


def saved_file(run: Ended) -> Reference:
    """Its result, as a page opens it."""
    assert run.saved is not None
    return Reference(run.saved.digest[:DIGEST_LENGTH], f"{run.spec.COMMAND}-{run.id[:8]}.tilt")


def open_button(place: DeltaGenerator, run: Known) -> None:
    """Shows the run alone, at an address of its own: a link for others."""
    place.button(
        "Open", key=f"open {run.id}", help="Shows this run, with a link to it.", on_click=look_at, args=(run.id,)
    )


def look_at(id: str) -> None:
    """Show the run of this id, or all of them where it is empty."""
    links.change(RUN, id)


def since(seconds: float) -> str:
    """When that was, by the clock of the runs."""
    return words.ago(resources.runs().now() - seconds)
