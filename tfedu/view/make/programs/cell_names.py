"""Names of notebook cells: after `name_cells()` the site of a node from a notebook is `Cell In[3], line 2`.

This asks IPython only where it is running, and does not import it. State: the namer of engine/base/site.py.
"""

from __future__ import annotations

import sys
from typing import Any

from ....engine.base.site import set_namer


def name_cells() -> None:
    """Lets sites name notebook cells as IPython does."""
    set_namer(cell_name)


def cell_name(file: str) -> str | None:
    """`Cell In[3]` for the file name under which IPython compiled a cell; None for any other file."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    format_name = getattr(getattr(shell, "compile", None), "format_code_name", None)
    parts = format_name(file) if format_name is not None else None
    return " ".join(parts) if parts else None
