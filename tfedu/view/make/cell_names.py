"""Cells by their numbers: after `name_cells()` a node that was made in a notebook says `Cell In[3], line 2`.

IPython is asked only where it is running already; nothing of it is imported. State: the namer of engine/base/site.py.
"""

from __future__ import annotations

import sys
from typing import Any

from ...engine.base.site import set_namer


def name_cells() -> None:
    """Lets sites name notebook cells as IPython does."""
    set_namer(cell_name)


def cell_name(file: str) -> str | None:
    """`Cell In[3]` for the file name under which IPython compiled a cell; None for any other file."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    format_name = getattr(getattr(shell, "compile", None), "format_code_name", None)
    found = format_name(file) if format_name is not None else None
    return " ".join(found) if found else None
