"""``import tiltmeter``: the wheel has this file as ``tiltmeter/__init__.py``, beside the folders of the clone."""

from .core import __version__ as __version__
from .core.api import *  # noqa: F403
from .core.api import __all__ as __all__
