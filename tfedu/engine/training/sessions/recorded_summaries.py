"""`tf.contrib.summary.scalar` …: nodes that write a summary by the default writer, at the global step, where it is recorded.

    writer = tf.contrib.summary.create_file_writer("/tmp/log")
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        tf.contrib.summary.scalar("loss", loss)

Each is a bool tensor: whether something was written. State: that of `lib/summaries/summary_writers.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base import dtypes, proto
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.graph import Graph
from ...graph.nodes import Operation, Tensor
from ...graph.stacks import get_default_session
from ...lib.control.grouping import identity, no_op
from ...lib.control.smart_cond import smart_cond
from ...lib.framework.collections import add_to_collection
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.placeholders import placeholder
from ...lib.framework.scope_blocks import control_dependencies, device
from ...lib.summaries.summary import summary_scope
from ...lib.summaries.summary_writers import (
    default_writer,
    needed_writer,
    recording_every,
    resource_of,
    should_record_summaries,
    summary_writer_initializer_op,
)  # fmt: skip
from ...op.constant import constant
from ...ops import summary_writers as ops
from .global_step import get_or_create_global_step


def _step_of(step: Any) -> Any:
    """An int64 scalar: the global step, or the given number."""
    if step is None:
        return get_or_create_global_step()
    return step if isinstance(step, Tensor) else constant(step, dtypes.int64)


@atomic
def _recorded(name: str, tensor: Any, write: Callable[[str, str], Operation], family: str | None) -> Any:
    """A bool scalar: True after `write(tag, scope)` has run, False where nothing is recorded. Without a writer, a NoOp."""
    if default_writer() is None:
        return no_op()

    def record() -> Tensor:
        with summary_scope(name, family, [tensor]) as (tag, scope):
            with control_dependencies([write(tag, scope)]):
                return constant(True)

    with device("cpu:0"):
        recorded = smart_cond(should_record_summaries(), record, lambda: constant(False), name="")
    add_to_collection(GraphKeys._SUMMARY_COLLECTION, recorded)
    return recorded


def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes a number, a scalar; its tag is its node's name, after `family/`.

    step: an int64 scalar, by default the global step.
    """
    return _recorded(
        name,
        tensor,
        lambda tag, scope: ops.write_scalar_summary(  # type: ignore[no-any-return]
            resource_of(needed_writer()), _step_of(step), tag, identity(tensor), name=scope
        ),
        family,
    )


def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes the distribution of a tensor [...]; a run fails for values that are not finite."""
    return _recorded(
        name,
        tensor,
        lambda tag, scope: ops.write_histogram_summary(  # type: ignore[no-any-return]
            resource_of(needed_writer()), _step_of(step), tag, identity(tensor), name=scope
        ),
        family,
    )


def image(
    name: str, tensor: Any, bad_color: Any = None, max_images: int = 3, family: str | None = None, step: Any = None
) -> Any:
    """Writes the first max_images images of a batch [n, h, w, c] of uint8 or floats.

    bad_color: the colour [c] of pixels that are not finite, by default red.
    """

    def write(tag: str, scope: str) -> Operation:
        color = constant([255, 0, 0, 255], dtypes.uint8) if bad_color is None else bad_color
        operation: Operation = ops.write_image_summary(
            resource_of(needed_writer()), _step_of(step), tag, identity(tensor), color, max_images=max_images, name=scope
        )
        return operation

    return _recorded(name, tensor, write, family)


def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int, family: str | None = None, step: Any = None
) -> Any:
    """Writes the first max_outputs clips of a batch [n, frames, channels] in [-1, 1]; sample_rate in hertz."""
    return _recorded(
        name,
        tensor,
        lambda tag, scope: ops.write_audio_summary(  # type: ignore[no-any-return]
            resource_of(needed_writer()),
            _step_of(step),
            tag,
            identity(tensor),
            sample_rate,
            max_outputs=max_outputs,
            name=scope,
        ),
        family,
    )


def generic(name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None) -> Any:
    """Writes a tensor [...]. metadata: how to show it, a SummaryMetadata or its serialized form."""

    def write(tag: str, scope: str) -> Operation:
        if metadata is None:
            shown: Any = constant("")
        else:
            shown = constant(metadata.SerializeToString()) if hasattr(metadata, "SerializeToString") else metadata
        operation: Operation = ops.write_summary(
            resource_of(needed_writer()), _step_of(step), identity(tensor), tag, shown, name=scope
        )
        return operation

    return _recorded(name, tensor, write, family)


@atomic
def graph(param: Any, step: Any = None, name: str | None = None) -> Operation:
    """Writes a graph. param: a serialized GraphDef, a string scalar.

    Raises: TypeError unless `param` is a tensor.
    """
    if not isinstance(param, Tensor):
        raise TypeError(
            error_text(
                f"graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: {type(param)}",
                fix="initialize(graph=…) writes a graph",
            )
        )
    writer = default_writer()
    if writer is None:
        return no_op()
    with device("cpu:0"):
        text = identity(param)
        operation: Operation = ops.write_graph_summary(resource_of(writer), _step_of(step), text, name=name)
        return operation


def initialize(graph: Any = None, session: Any = None) -> None:
    """Opens the files of the default graph's writers in a session. graph: a graph that is then written.

    Raises: RuntimeError without a default writer, ValueError without a session.
    """
    needed_writer()
    session = get_default_session() if session is None else session
    if session is None:
        raise ValueError(error_text("session must be passed if no default session exists"))
    session.run(summary_writer_initializer_op())
    if graph is not None:
        message = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
        if not isinstance(message, proto.GraphDef):
            raise TypeError(error_text(f"graph must be a Graph or a GraphDef, got {type(graph)}"))
        text = placeholder(dtypes.string)
        session.run(_written(text), feed_dict={text: message.SerializeToString()})


def _written(text: Tensor) -> Operation:
    return graph(text, step=0)


def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> Any:
    """A block in which summaries are recorded in every n-th step. global_step: by default the graph's."""
    return recording_every(n, get_or_create_global_step() if global_step is None else global_step)


__all__ = [
    "audio", "generic", "graph", "histogram", "image", "initialize", "record_summaries_every_n_global_steps", "scalar",
]  # fmt: skip
