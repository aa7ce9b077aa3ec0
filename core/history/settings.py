"""Where the history is kept: one setting."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from ..errors import HistoryError

if TYPE_CHECKING:
    from sqlalchemy import URL

SETTING = "TILTMETER_HISTORY"
OFF = "off"


def data_folder() -> Path:
    """The folder of what a user keeps (``TILTMETER_DATA`` moves it)."""
    moved = os.environ.get("TILTMETER_DATA")
    return Path(moved) if moved else platformdirs.user_data_path("tiltmeter", appauthor=False)


def location() -> URL | None:
    """The database of the history: a file in the user's data folder, or what ``TILTMETER_HISTORY`` says.

    Returns
    -------
    URL or None
        None where the setting is ``off``: nothing is kept.

    Raises
    ------
    HistoryError
        Where the setting is neither ``off`` nor the URL of a database.
    """
    setting = os.environ.get("TILTMETER_HISTORY", "").strip()
    if setting == OFF:
        return None
    # Here, since every command reads the names above and few need a database.
    from sqlalchemy import URL, make_url
    from sqlalchemy.exc import ArgumentError

    if not setting:
        return URL.create("sqlite", database=str(data_folder() / "history.db"))
    try:
        url = make_url(setting)
        if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
            raise HistoryError(
                f"{SETTING} names a SQLite database without a file, which would keep nothing; it can be {OFF}, or a "
                "URL such as sqlite:////home/me/history.db."
            )
        return url
    except ArgumentError:
        raise HistoryError(
            # Not quoted: what is mistyped may hold a password.
            f"{SETTING} is not the URL of a database; it can be {OFF}, or a URL such as "
            "sqlite:////home/me/history.db or postgresql+psycopg://me@server/history."
        ) from None
