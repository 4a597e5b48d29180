"""Messages in files: `write_graph(graph, "/tmp/model", "graph.pbtxt")`, `load_graph_def("/tmp/model/graph.pbtxt")`.

Writing replaces a file atomically. Every defect of a message is a `tf.errors.DataLossError` (binary) or a
`tf.errors.InvalidArgumentError` (text). No state.
"""

from __future__ import annotations

import os
from typing import Any, Final

from ..base import errors, proto
from ..base.errors import error_text
from ..files.atomic_write import remove_leftovers, replace_file
from ..files.gfile import op_error
from ..graph.graph import Graph

_TEXT_ENDINGS: Final = (".pbtxt", ".txt", ".prototxt")
# errors of the text parser besides ParseError
_PARSER_ERRORS: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError, RecursionError)
_MAX_DEPTH: Final = 100  # nesting levels of a message, as in the binary reader


def write_graph(graph_or_graph_def: Any, logdir: Any, name: str, as_text: bool = True) -> str:
    """Writes a Graph, a GraphDef or another message to the file `name` in the folder `logdir`; returns its path.

    Raises: ResourceExhaustedError for a full disk, and other OpErrors; the file of that name is then as it was.
    """
    message = graph_or_graph_def.as_graph_def() if isinstance(graph_or_graph_def, Graph) else graph_or_graph_def
    folder = os.fspath(logdir)
    path = os.path.join(folder, name)
    if as_text:
        data = proto.text_format.MessageToString(message).encode("utf-8")
    else:
        data = message.SerializeToString()
    try:
        if folder:
            os.makedirs(folder, exist_ok=True)
        remove_leftovers(os.path.dirname(path))
        replace_file(path, data)
    except OSError as error:
        raise op_error(path, error) from None
    return path


def load_graph_def(source: Any) -> Any:
    """The GraphDef in a file (a path) or in bytes, binary or text.

    Raises: NotFoundError for a missing file, DataLossError or InvalidArgumentError for an invalid GraphDef.
    """
    return load_message(proto.GraphDef, source)


def load_message(message_class: Any, source: Any) -> Any:
    """A message of this class from a file or from bytes; see load_graph_def."""
    with errors.memory_errors("when reading a message"):
        return _loaded(message_class, source)


def _loaded(message_class: Any, source: Any) -> Any:
    name = message_class.DESCRIPTOR.name
    if isinstance(source, bytes | bytearray | memoryview):
        data, where, is_text = bytes(source), f"{name} bytes", False
    else:
        where = os.fspath(source)
        try:
            with open(where, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            raise errors.NotFoundError(
                None, None, error_text(f"{where}; No such file or directory")
            ) from None
        except OSError as error:
            raise errors.FailedPreconditionError(
                None, None, error_text(f"{where}; {error.strerror}")
            ) from None
        is_text = str(where).endswith(_TEXT_ENDINGS)
    if not is_text:
        try:
            return message_class.FromString(data)
        except (proto.DecodeError, *_PARSER_ERRORS):
            if not _is_text(data):
                raise errors.DataLossError(
                    None, None, error_text(f"Can't parse {where} as binary proto")
                ) from None
    return _parse_text(message_class, data, where)


def _is_text(data: bytes) -> bool:
    head = data[:4096]
    return bool(head.strip()) and not any(byte < 9 or 13 < byte < 32 for byte in head)


def _parse_text(message_class: Any, data: bytes, where: str) -> Any:
    prefix = f"Can't parse {where} as text proto"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise errors.InvalidArgumentError(
            None, None, error_text(f"{prefix}: byte {error.start} is no UTF-8")
        ) from None
    if _depth(text) > _MAX_DEPTH:
        raise errors.InvalidArgumentError(
            None, None, error_text(f"{prefix}: its messages are nested deeper than {_MAX_DEPTH} levels")
        )
    message = message_class()
    try:
        proto.text_format.Parse(text, message)
        # The binary form refuses some strings that the text parser accepts.
        message.SerializeToString()
    except (proto.text_format.ParseError, proto.EncodeError, *_PARSER_ERRORS) as error:
        reason = str(error).split("\n", 1)[0]
        reason = reason if len(reason) <= 300 else f"{reason[:300]}…"
        raise errors.InvalidArgumentError(None, None, error_text(f"{prefix}: {reason}")) from None
    return message


def _depth(text: str) -> int:
    """The maximum nesting of braces; counts those in strings, too, of which only hostile texts have many."""
    maximum = depth = 0
    for char in text:
        if char in "{<":
            depth += 1
            maximum = max(maximum, depth)
        elif char in "}>" and depth:
            depth -= 1
    return maximum
