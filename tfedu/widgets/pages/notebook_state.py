"""Widgets from the state that a saved notebook keeps: `part_of_state(state, lang)`, for a page without Python.

The state is data from a file: each record in it is checked, each other trait must have the type that it has in the widget, and
what the widget does not know is left out. No state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import traitlets

from ...view.records import (
    BranchRecord,
    BreaksRecord,
    LeavesRecord,
    PredictRecord,
    PredictResult,
    RunFactsRecord,
    TrainingRecord,
    from_json,
)
from ..base import Widget, of_page
from ..predict import Predict
from .exported_page import PagePart
from .saved_records import WIDGETS

_OURS: Final = "tfedu."
_BY_KIND: Final[dict[str, type[Widget]]] = {widget.KIND: widget for widget in WIDGETS.values()}
# Traits that hold a record beside the widget's own; any other dictionary is plain JSON.
_RECORDS: Final[dict[str, type]] = {
    "leaves": LeavesRecord,
    "breaks": BreaksRecord,
    "facts": RunFactsRecord,
    "news": TrainingRecord,
}
# What `of_record`, `of_answer` and `page_part` decide.
_DECIDED: Final = frozenset({"kind", "record", "lang", "title", "result", "committed", "explains", "locked"})


class SavedWidgetError(ValueError):
    """The saved state of a widget cannot be shown without Python. Its text says why."""


def is_ours(state: Any) -> bool:
    """Whether the saved state of a model is that of a widget of tfedu."""
    return (
        isinstance(state, Mapping)
        and str(state.get("_anywidget_id", "")).startswith(_OURS)
        and "kind" in state
    )


def part_of_state(state: Mapping[str, Any], lang: str | None = None) -> PagePart:
    """What a page needs to show the widget of a saved state, at the step at which its reader left it.

    lang: by default the widget's. Raises: SavedWidgetError for a widget that needs Python, for a record of another version, and
    for a state that is damaged.
    """
    try:
        widget = _widget(state)
        part = widget.page_part(lang)
        known = {
            name: trait
            for name, trait in widget.traits(sync=True).items()
            if of_page(name) and name not in _DECIDED
        }
        own = {name: _checked(widget, trait, state[name]) for name, trait in known.items() if name in state}
        return part._replace(traits={**part.traits, **own, **_forks(state, own.get("branches", 0))})
    except SavedWidgetError:
        raise
    except (ValueError, TypeError, traitlets.TraitError, RecursionError) as error:
        raise SavedWidgetError(str(error).partition("\n")[0]) from None


def _widget(state: Mapping[str, Any]) -> Widget:
    kind, title, lang = state.get("kind"), _text(state, "title"), _text(state, "lang") or None
    if kind == Predict.KIND:
        if state.get("committed") is not True or not state.get("result"):
            raise SavedWidgetError("the question was not answered when the notebook was saved")
        asked = from_json(state.get("record"), PredictRecord)
        return Predict.of_answer(asked, from_json(state["result"], PredictResult), title=title, lang=lang)
    widget = _BY_KIND.get(kind) if isinstance(kind, str) else None
    if widget is None:
        raise SavedWidgetError(f"a widget of the kind {str(kind)[:40]!r} needs Python, or a newer tfedu")
    if state.get("locked"):
        raise SavedWidgetError("the question before it was not answered when the notebook was saved")
    record = from_json(state.get("record"))
    if WIDGETS.get(type(record)) is not widget:
        raise SavedWidgetError(
            f"a record of the kind {record.KIND!r} is not for a widget of the kind {kind!r}"
        )
    return widget.of_record(record, title=title, lang=lang)


def _text(state: Mapping[str, Any], name: str) -> str:
    value = state.get(name, "")
    if not isinstance(value, str):
        raise SavedWidgetError(f"{name} must be text, not {type(value).__name__}")
    return value


def _checked(widget: Widget, trait: Any, value: Any) -> Any:
    """The value of a trait. Raises: TraitError, RecordError."""
    kind = _RECORDS.get(trait.name)
    if kind is not None and value:
        from_json(value, kind)
    return trait._validate(widget, value)


def _forks(state: Mapping[str, Any], count: int) -> dict[str, Any]:
    """The timelines beside the first one of a StepThrough."""
    names = [f"branch_{number}" for number in range(1, count + 1) if f"branch_{number}" in state]
    if len(names) != max(count, 0):
        raise SavedWidgetError(f"{count} timelines were saved, and {len(names)} are there")
    for name in names:
        from_json(state[name], BranchRecord)
    return {name: state[name] for name in names}


__all__ = ["SavedWidgetError", "is_ours", "part_of_state"]
