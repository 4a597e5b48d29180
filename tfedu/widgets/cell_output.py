"""The output of a cell that changes when the cell is over: `show(widget)`, then `renew(widget)` gives it the picture of now.

A saved notebook, and a page made of it, show what was displayed last. State: none here; the notebook knows the outputs by
the widget's id.
"""

from __future__ import annotations

from typing import Any


def show(widget: Any) -> None:
    """Displays the widget where the running cell has its outputs."""
    _display(widget, update=False)


def renew(widget: Any) -> None:
    """Displays it anew wherever it was shown."""
    _display(widget, update=True)


def _display(widget: Any, update: bool) -> None:
    from IPython.display import display

    found = widget._repr_mimebundle_()
    if found is not None:
        data, metadata = found
        display(data, metadata=metadata, raw=True, display_id=widget.model_id, update=update)
