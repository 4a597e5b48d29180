"""Runs a block of an author's code and makes the figure of its last line: `python -m tfedu.publishing.block_run REQUEST ANSWER`.

A process of its own runs each block: so a block is the same whatever ran before it, and its result can be kept by its content.
Both files are JSON; figures.py writes the one and reads the other. No state.
"""

from __future__ import annotations

import ast
import importlib
import json
import linecache
import sys
import traceback
from importlib.abc import InspectLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

FILE: Final = "block"  # as which the lines of a block stand in pictures and errors
_SHOWN: Final = "_shown"


class _Block(InspectLoader):
    """Runs a block as a module, in which _SHOWN is the value of its last line."""

    def __init__(self, code: str) -> None:
        self._tree = ast.parse(code, FILE)
        last = self._tree.body[-1] if self._tree.body else None
        if isinstance(last, ast.Expr):
            target = ast.copy_location(ast.Name(_SHOWN, ast.Store()), last)
            self._tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self._tree, FILE)  # type: ignore[arg-type]

    def get_source(self, fullname: str) -> None:
        return None


def _value(code: str) -> Any:
    """Runs the code; returns the value of its last line, or the default graph where that is a statement."""
    from .. import widgets

    # The public names, which stand above this room: the block's own, and not ours.
    tf = importlib.import_module(__package__.partition(".")[0])
    linecache.cache[FILE] = (len(code), None, code.splitlines(keepends=True), FILE)
    module = ModuleType(FILE)
    vars(module).update(tf=tf, **{name: getattr(widgets, name) for name in widgets.__all__})
    _Block(code).exec_module(module)
    value = vars(module).get(_SHOWN)
    return tf.get_default_graph() if value is None else value


def _widget(value: Any, kind: str, options: dict[str, Any]) -> Any:
    """The widget of a value. kind: "graph", "steps" or "outcomes"."""
    from ..view.records import RECORDS
    from ..widgets import GraphView, OutcomeExplorer, StepThrough
    from ..widgets.base import Widget
    from ..widgets.pages.saved_records import widget_of

    if isinstance(value, Widget):
        return value
    if isinstance(value, tuple(RECORDS.values())):
        return widget_of(value, **options)
    return {"graph": GraphView, "steps": StepThrough, "outcomes": OutcomeExplorer}[kind](value, **options)


def _figure(request: dict[str, Any]) -> dict[str, Any]:
    try:
        widget = _widget(_value(request["code"]), request["widget"], request["options"])
        part = widget.page_part(request["options"].get("lang"))
        return {"traits": part.traits, "still": part.still, "svg": widget.svg(), "text": widget.in_words()}
    except SyntaxError as error:
        return {
            "error": f"SyntaxError: {error.msg}",
            "line": error.lineno if error.filename == FILE else None,
        }
    except (Exception, SystemExit) as error:
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE
        ]
        return {"error": f"{type(error).__name__}: {error}", "line": lines[-1] if lines else None}


def main() -> None:
    request = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    Path(sys.argv[2]).write_text(json.dumps(_figure(request)), encoding="utf-8")


if __name__ == "__main__":
    main()
