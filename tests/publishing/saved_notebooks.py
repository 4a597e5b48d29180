"""Notebooks as JupyterLab saves them, made from widgets without a kernel."""

from __future__ import annotations

import json

import nbformat.v4 as v4

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"


def saved(*widgets, with_state=True):
    """A notebook with an output for each widget."""
    notebook = v4.new_notebook(metadata={"title": "A lesson"})
    notebook.cells = [v4.new_markdown_cell("# A lesson")]
    models = {}
    for number, widget in enumerate(widgets):
        id = f"{number:032x}"
        traits = {
            name: value for name, value in widget.get_state().items() if name not in ("front_end", "layout")
        }
        models[id] = {
            "model_module": "anywidget",
            "model_name": "AnyModel",
            "model_module_version": "~0.11.0",
            "state": traits,
        }
        data = {VIEW: {"model_id": id, "version_major": 2, "version_minor": 1}, "text/plain": repr(widget)}
        if widget.svg() is not None:
            data["image/svg+xml"] = widget.svg()
        output = v4.new_output("execute_result", data, execution_count=1)
        notebook.cells.append(v4.new_code_cell(f"widget_{number}", outputs=[output], execution_count=1))
    if with_state:
        notebook.metadata["widgets"] = {STATE: {"version_major": 2, "version_minor": 0, "state": models}}
    # As from a file: lists and numbers of JSON.
    return json_round(notebook)


def json_round(notebook):
    return v4.to_notebook(json.loads(json.dumps(notebook)))


def state_of(notebook, number=0):
    """The saved traits of a widget."""
    return notebook.metadata["widgets"][STATE]["state"][f"{number:032x}"]["state"]
