"""Files as widgets: `opened("graph.pb")` has the widgets that show a graph's file, a saved model, a checkpoint's graph, a record.

No state.
"""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Final

from .engine.base import errors, proto
from .engine.graph.graph import Graph
from .engine.interop.graph_import import import_graph_def
from .engine.interop.message_files import load_message
from .engine.training.saved_models.saved_model_loader import maybe_saved_model_directory, parse_saved_model
from .engine.training.saved_models.saved_model_names import (
    SAVED_MODEL_FILENAME_PB,
    SAVED_MODEL_FILENAME_PBTXT,
)
from .view.records import RecordError, from_json

KINDS: Final = (
    "a graph (.pb, .pbtxt), the folder of a saved model, the graph of a checkpoint (.meta), or a record that `save` wrote (.json)"
)


class FileKindError(ValueError):
    """A file is none of those that can be opened."""


def opened(path: str | os.PathLike[str], lang: str | None = None) -> list[Any]:
    """The widgets that show a file: one, or one for each graph of a saved model.

    Raises: FileNotFoundError for a missing file; FileKindError for a file of another kind, and for one that is damaged or has a
    graph that cannot be imported, with what is wrong; ResourceExhaustedError for one that expands to more than tf.io.Budget
    allows.
    """
    file = pathlib.Path(path)
    if not file.exists():
        raise FileNotFoundError(f"there is no file {file}")
    ending = file.suffix.lower()
    if file.is_dir() or file.name in (SAVED_MODEL_FILENAME_PB, SAVED_MODEL_FILENAME_PBTXT):
        return _saved_model(file if file.is_dir() else file.parent, lang)
    if ending == ".json":
        return [_record(file, lang)]
    if ending == ".meta":
        return [_graph(file, _message(proto.MetaGraphDef, file), file.name, lang)]
    if ending in (".pb", ".pbtxt"):
        message = _message(proto.GraphDef, file)
        if not message.node:
            raise FileKindError(f"{file} has no graph with nodes\n  it can be: {KINDS}")
        return [_graph(file, proto.MetaGraphDef(graph_def=message), file.name, lang)]
    raise FileKindError(f"{file} is not known by its ending\n  it can be: {KINDS}")


def _saved_model(folder: pathlib.Path, lang: str | None) -> list[Any]:
    if not maybe_saved_model_directory(folder):
        raise FileKindError(f"{folder} is a folder without a saved model\n  it can be: {KINDS}")
    try:
        model = parse_saved_model(folder)
    except (OSError, errors.OpError) as error:
        raise FileKindError(f"{folder}: {_first_line(error)}") from None
    if not model.meta_graphs:
        raise FileKindError(f"{folder} has a saved model without graphs")
    titles = [", ".join(graph.meta_info_def.tags) for graph in model.meta_graphs]
    name = folder.resolve().name
    return [
        _graph(folder, graph, f"{name}: {tags}" if tags else name, lang)
        for graph, tags in zip(model.meta_graphs, titles, strict=True)
    ]


def _message(kind: Any, file: pathlib.Path) -> Any:
    try:
        return load_message(kind, file)
    except errors.ResourceExhaustedError:
        raise
    except errors.OpError as error:
        raise FileKindError(f"{file} is no {kind.DESCRIPTOR.name}: {_first_line(error)}\n  it can be: {KINDS}") from None


def _graph(file: pathlib.Path, message: Any, title: str, lang: str | None) -> Any:
    """The nodes alone: a picture shows no collections, and a file's classes of variables are of no use here."""
    from .widgets.graph_view import GraphView

    info = message.meta_info_def
    graph = Graph()
    with graph.as_default():
        try:
            import_graph_def(
                message.graph_def, name="", producer_op_list=info.stripped_op_list if info.HasField("stripped_op_list") else None
            )
        except errors.ResourceExhaustedError:
            raise
        except (ValueError, TypeError, errors.OpError) as error:
            raise FileKindError(f"{file} has a graph that cannot be imported: {_first_line(error)}") from None
    for node in graph.get_operations():
        node.forget_site()
    return GraphView(graph, title=title, lang=lang)


def _record(file: pathlib.Path, lang: str | None) -> Any:
    from .widgets.saved_records import widget_of

    try:
        data = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise FileKindError(f"{file} is no JSON: {error}") from None
    try:
        return widget_of(from_json(data), title=file.name, lang=lang)
    except (RecordError, TypeError, RecursionError) as error:
        raise FileKindError(f"{file}: {error}") from None


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
