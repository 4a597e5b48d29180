"""Widgets in pages without Python: `tfedu.export_html([stepper, picture], "page.html")`. No state."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ...view.records import RECORDS
from ..base import Widget, write_page
from ..checked_arguments import checked_language
from ..graph_view import GraphView
from .saved_records import widget_of


def export_html(
    widgets: Any, path: str | os.PathLike[str], *, title: str | None = None, lang: str | None = None
) -> Path:
    """Writes a page with a widget, or with each of a list, completely or not at all; returns its path.

    What is no widget is shown by one: a graph, tensors and operations by `GraphView`, a record by the widget of its kind. The
    page needs no Python and no network; it says what Python alone could answer. title: of the page, by default that of the first
    widget. lang: "en", "ko" or "zh", by default the reader's choice.
    Raises: ValueError for no widget at all, for a language without messages, and for a widget whose answer Python must check or
    hand out: a Predict without an answer, a locked widget, a puzzle; TypeError for what has no picture; OSError where the file
    cannot be written.
    """
    checked_language(lang)
    each = widgets if isinstance(widgets, (list, tuple)) else [widgets]
    if not each:
        raise ValueError("export_html needs at least one widget")
    return write_page([_widget(one) for one in each], path, title, lang)


def _widget(shown: Any) -> Widget:
    if isinstance(shown, Widget):
        return shown
    return widget_of(shown) if isinstance(shown, tuple(RECORDS.values())) else GraphView(shown)


__all__ = ["export_html"]
