"""What is said of a run: where it stands, when that was, who waits for it."""

from __future__ import annotations

from core.report.numbers import counted
from core.run import State
from core.runs import Ended

_MINUTE, _HOUR, _DAY = 60.0, 3_600.0, 86_400.0


def ago(seconds: float) -> str:
    """When something was, so many seconds later: "just now", "3 minutes ago"."""
    for unit, name in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= unit:
            return f"{counted(seconds // unit, name)} ago"
    return "just now"


def lasted(seconds: float) -> str:
    """How long something took: "less than a second", "12 seconds", "3 minutes", "1 hour 5 minutes"."""
    if seconds < 1:
        return "less than a second"
    if seconds < 2 * _MINUTE:
        return counted(int(seconds), "second")
    hours, minutes = divmod(int(seconds // _MINUTE), 60)
    parts = (counted(hours, "hour") if hours else "", counted(minutes, "minute") if minutes else "")
    return " ".join(filter(None, parts))


def waiting(sessions: int) -> str:
    """Who waits for a run."""
    if not sessions:
        return "Nobody waits for it"
    return f"{counted(sessions, 'session')} {'waits' if sessions == 1 else 'wait'} for it"


def became(run: Ended) -> str:
    """What became of a run, without when."""
    if run.state == State.FINISHED:
        return f"Finished after {lasted(run.seconds)}"
    if run.state == State.FAILED:
        return "Failed"
    how = "Stopped" if run.state == State.STOPPED else "Left by everybody who waited"
    done = run.progress
    where = f" at {done.done:,} of {done.total:,} ({done.stage})" if done is not None and done.done else ""
    others = f" while {counted(run.others, 'other session')} waited for it" if run.others else ""
    return f"{how}{where}{others}"
