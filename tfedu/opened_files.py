"""Files as widgets: `opened("graph.pb")` has the widgets that show a graph's file, a saved model, a checkpoint's graph, a record,
an ONNX model, or the text of StableHLO or HLO.

No state.
"""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable
from typing import Any, Final

from .engine.base import errors, proto
from .engine.interop.message_files import load_message
from .engine.training.saved_models.saved_model_loader import maybe_saved_model_directory, parse_saved_model
from .engine.training.saved_models.saved_model_names import (
    SAVED_MODEL_FILENAME_PB,
    SAVED_MODEL_FILENAME_PBTXT,
)
from .view.adapters import onnx_graphs
from .view.adapters.foreign_graphs import record_of_text
from .view.adapters.graph_messages import graph_of_message
from .view.adapters.record_parts import GraphReadError
from .view.records import GraphRecord, RecordError, from_json

KINDS: Final = (
    "a graph (.pb, .pbtxt), the folder of a saved model, the graph of a checkpoint (.meta), an ONNX model (.onnx), StableHLO or "
    "HLO text (.mlir, .hlo), or a record that `save` wrote (.json)"
)
_MOST_TEXT: Final = 1 << 26  # bytes of a text that is read


class FileKindError(ValueError):
    """A file is none of those that can be opened."""


def opened(path: str | os.PathLike[str], lang: str | None = None) -> list[Any]:
    """The widgets that show a file: one, or one for each graph of a saved model.

    Raises: FileNotFoundError for a missing file; ImportError for one that is read with a library that is missing; FileKindError
    for a file of another kind, and for one that is damaged or has a graph that cannot be imported, with what is wrong;
    ResourceExhaustedError for one that expands to more than tf.io.Budget allows.
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
    if ending == ".onnx":
        return [_foreign(file, lang, onnx_graphs.record_of_file, file)]
    if ending in (".mlir", ".hlo"):
        return [_foreign(file, lang, record_of_text, _text(file))]
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

    try:
        graph = graph_of_message(message)
    except GraphReadError as error:
        raise FileKindError(f"{file}: {error}") from None
    return GraphView(graph, title=title, lang=lang)


def _text(file: pathlib.Path) -> str:
    size = file.stat().st_size
    if size > _MOST_TEXT:
        raise FileKindError(f"{file} has {size:,} bytes, and a text of at most {_MOST_TEXT:,} is read")
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FileKindError(f"{file} is no text in UTF-8\n  it can be: {KINDS}") from None


def _foreign(file: pathlib.Path, lang: str | None, read: Callable[[Any], GraphRecord], given: Any) -> Any:
    """The widget of another library's graph."""
    from .widgets.graph_view import GraphView

    try:
        return GraphView(read(given), title=file.name, lang=lang)
    except (GraphReadError, TypeError) as error:
        raise FileKindError(f"{file}: {error}") from None


def _record(file: pathlib.Path, lang: str | None) -> Any:
    from .widgets.pages.saved_records import widget_of

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
