"""`python -m tfedu` is the command `tfedu`."""

import sys

from .cli import main

sys.exit(main())
