"""`tf.print`: text and tensors written in each run that executes the node. No state."""

from __future__ import annotations

import os
import sys
from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...op.composites import SparseTensor
from ...ops import text_conversion as ops
from ..framework import nest
from . import strings

_LEVELS = (("info", "log(info)"), ("warning", "log(warning)"), ("warn", "log(warning)"), ("error", "log(error)"))


def _stream(output_stream: Any) -> str:
    """The stream's name in the node.

    Raises: ValueError for another output_stream.
    """
    if isinstance(output_stream, str) and output_stream.startswith("file://"):
        return output_stream
    if output_stream in (sys.stdout, sys.__stdout__):
        return "stdout"
    if output_stream in (sys.stderr, sys.__stderr__):
        return "stderr"
    for module in (log, sys.modules.get("logging")):
        for level, name in _LEVELS:
            if output_stream in (getattr(module, level, name), getattr(module, level.upper(), name)):
                return name
    raise ValueError(
        error_text(
            f"Unsupported output stream, logging level, or file.{output_stream}. Supported streams are sys.stdout, sys.stderr, "
            "tf.logging.info, tf.logging.warning, tf.logging.error. File needs to be in the form of 'file://<filepath>'."
        )
    )


def _is_tensor(value: Any) -> bool:
    return isinstance(value, (Tensor, SparseTensor)) or hasattr(value, "_as_graph_element")


def _unused_placeholder(text: str) -> str:
    """A placeholder that does not occur in the text."""
    import random

    placeholder = "{}"
    numbers = random.Random(5)  # TF's seed, so that the node's template is TF's
    while placeholder in text:
        placeholder += str(numbers.randint(0, 9))
    return placeholder


@atomic
def print(*inputs: Any, **kwargs: Any) -> Operation:
    """The operation that writes the inputs, tensors as their values, separated by `sep`.

    output_stream: sys.stderr (the default), sys.stdout, tf.logging.info and its kin, or "file://path". summarize: the
    number of elements at each end of an axis [n] (3; -1: all). sep, end, name.

    Raises: ValueError for another output_stream or unknown keywords.
    """
    import pprint

    stream = _stream(kwargs.pop("output_stream", sys.stderr))
    name = kwargs.pop("name", None)
    summarize = kwargs.pop("summarize", 3)
    sep = kwargs.pop("sep", " ")
    end = kwargs.pop("end", os.linesep)
    if kwargs:
        raise ValueError(error_text(f"Unrecognized keyword arguments for tf.print: {kwargs}"))
    first = inputs[0] if inputs else None
    if len(inputs) == 1 and _is_tensor(first) and not isinstance(first, SparseTensor):
        if first.shape.ndims == 0 and first.dtype is dtypes.string:
            operation: Operation = ops.print_v2(first, output_stream=stream, end=end, name=name)
            return operation
    texts = nest.map_structure(lambda x: "" if _is_tensor(x) else x, list(inputs))
    placeholder = _unused_placeholder(" ".join(pprint.pformat(text) for text in texts))
    templates: list[str] = []
    tensors: list[Any] = []
    for argument in inputs:
        if isinstance(argument, str):
            templates.append(argument)
            continue
        parts: list[Any] = []
        for value in nest.flatten(argument):
            if isinstance(value, SparseTensor):
                tensors.extend(value._parts)
                value = f"SparseTensor(indices={placeholder}, values={placeholder}, shape={placeholder})"
            elif _is_tensor(value):
                tensors.append(value)
                value = placeholder
            parts.append(value)
        templates.append(pprint.pformat(nest.pack_sequence_as(argument, parts)))
    template = sep.join(templates).replace(f"'{placeholder}'", placeholder)
    formatted = strings.format(
        template, tensors, placeholder=placeholder, summarize=summarize, name=f"{name}_format" if name else None
    )
    operation = ops.print_v2(formatted, output_stream=stream, end=end, name=name)
    return operation


__all__ = ["print"]
