"""``python -m core``: the experiments on the command line."""

import sys

from core.cli import main

sys.exit(main())
