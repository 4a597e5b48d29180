"""`import tfedu.compat.v1 as tf`: tfedu itself."""

import sys

sys.modules[__name__] = sys.modules["tfedu"]
