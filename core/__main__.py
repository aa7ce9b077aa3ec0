"""``python -m core``: the experiments on the command line."""

import sys

from .cli import main

sys.exit(main())
