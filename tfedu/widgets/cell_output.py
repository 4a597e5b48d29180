"""A cell's output that can change later: `show(widget)`, then `renew(widget)` with its present picture.

A saved notebook has the last displayed picture. No state here; the notebook knows the outputs by the widget's id.
"""

from __future__ import annotations

from typing import Any


def show(widget: Any) -> None:
    """Displays the widget in the output of the running cell."""
    _display(widget, update=False)


def renew(widget: Any) -> None:
    """Displays it again wherever it was shown."""
    _display(widget, update=True)


def _display(widget: Any, update: bool) -> None:
    from IPython.display import display

    bundle = widget._repr_mimebundle_()
    if bundle is not None:
        data, metadata = bundle
        display(data, metadata=metadata, raw=True, display_id=widget.model_id, update=update)
