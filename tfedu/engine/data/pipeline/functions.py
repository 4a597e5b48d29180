"""The functions of datasets: `structured(func, "Dataset.map()", spec)` calls `func` once, to build the graph of its body.

The body's nodes keep the user's lines, so an error in a pass names the line in the function. State: the number of functions
built, which makes their names differ.
"""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable
from typing import Any

from ...base import site as sites
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...op.function_graph import FunctionGraph
from ...ops import basic
from . import structure

_numbers = itertools.count(1)


class StructuredFunction:
    """A function of an element: its graph, the tensors outside that it captures, and the structure of what it returns."""

    def __init__(self, graph: FunctionGraph, output_spec: Any) -> None:
        self.graph = graph
        self.output_spec = output_spec

    @property
    def captured(self) -> list[Tensor]:
        return list(self.graph.captures)

    @property
    def output_types(self) -> Any:
        return structure.types(self.output_spec)

    @property
    def output_shapes(self) -> Any:
        return structure.shapes(self.output_spec)


def structured(func: Callable[..., Any], transformation: str, spec: Any, *, unpack: bool | None = None) -> StructuredFunction:
    """The body of `func`, which gets an element of structure `spec`: its parts, if that is a tuple.

    transformation: "Dataset.map()", for names and messages. unpack: whether the parts become arguments; None: by the structure.

    Raises: ValueError for no function, TypeError for a result that no element can be; what `func` raises.
    """
    if not callable(func):
        raise ValueError(error_text("Argument must be callable", fix=f"`{transformation}` needs a function, not {func!r}"))
    name = _name(transformation, func)
    body = FunctionGraph(name, get_default_graph(), sites.capture())
    output_spec = None

    def build() -> None:
        nonlocal output_spec
        with body.as_default():
            flat = [body.add_argument(*facts) for facts in zip(structure.flat_types(spec), structure.flat_shapes(spec))]
            value = structure.from_tensors(spec, flat)
            whole = unpack is False or (unpack is None and type(value) is not tuple)
            result = _called(func, transformation, (value,) if whole else value)
            # A list is most often what tf.py_func returned: several tensors, which need not have one shape.
            result = tuple(result) if isinstance(result, list) else result
            try:
                result = structure.mapped(_component, result)
                output_spec = structure.spec_of(result)
            except (TypeError, ValueError) as error:
                text = f"Unsupported return value from function passed to {transformation}: {result}."
                raise TypeError(error_text(text)) from error
            outputs = structure.to_tensors(output_spec, result)
            body.close(_returned(body, outputs))

    get_default_graph().attempt(build)
    return StructuredFunction(body, output_spec)


def _called(func: Callable[..., Any], transformation: str, arguments: tuple[Any, ...]) -> Any:
    """Calls the function and returns its result. Raises: its errors; TypeError for a wrong number of arguments."""
    try:
        return func(*arguments)
    except TypeError as error:
        if _takes(func, arguments):
            raise
        gets = f"{len(arguments)} arguments, the parts of an element's tuple"
        if len(arguments) == 1:
            parts = arguments[0]
            gets = f"one dict with the keys {sorted(parts)}" if isinstance(parts, dict) else "one argument, the element"
        raise TypeError(error_text(str(error), fix=f"{transformation} calls the function with {gets}")) from error


def _takes(func: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """Whether a function takes so many arguments; True where it cannot tell."""
    try:
        inspect.signature(func).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # of a function without a signature
        return True
    return True


def _component(value: Any) -> Any:
    if value is None or isinstance(value, Operation):
        raise TypeError("no component")
    return value


def _returned(body: FunctionGraph, outputs: list[Tensor]) -> list[Tensor]:
    """An identity of each output, which waits for all nodes with effects: a call runs them, though no output needs them."""
    with body.control_dependencies([op for op in body.operations if _has_effect(op)]):
        return [basic.identity(tensor) for tensor in outputs]


def _has_effect(op: Operation) -> bool:
    d = op.definition
    return d is not None and d.stateful and not _DRAWS.search(op.type) and op._context is None


_DRAWS = re.compile(r"Random|Multinomial|TruncatedNormal|Placeholder")


def _name(transformation: str, func: Callable[..., Any]) -> str:
    own = getattr(func, "__name__", type(func).__name__)
    parts = re.sub(r"[().]+", "_", transformation).strip("_")
    return f"__inference_{parts}_{own}_{next(_numbers)}"


__all__ = ["StructuredFunction", "structured"]
