"""Forms: nodes that look alike share their attributes, output dtypes and output shapes.

A form is identified by the dtypes and shapes of the node's inputs and by its attributes (`form_key`). The first node of a form
goes through conversion, checks and shape inference (create.py); for the others `known_form` returns the result. Building a node
then takes half the time. Compiling a plan takes three quarters of it, since constant_folding.py applies a shape rule once for
all nodes of a form, which it knows by the identity of their attributes. A node whose output shapes depend on the value of a
constant has no form. State: `OpDef.forms`, at most `_MOST` for each op type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from ..base.dtypes import DType
from ..graph.graph import Graph
from ..graph.nodes import Tensor
from .definition import Form, OpDef

Key = tuple[Any, ...]

_COMPARABLE: Final = frozenset((bool, int, str, DType, type(None)))  # equal values of these types are the same attribute
_IMMUTABLE: Final = _COMPARABLE | {float}  # 0.0 == -0.0
_MOST: Final = 1000  # a program with more forms of one op type has shapes that hardly come again


def known_form(graph: Graph, d: OpDef, values: Sequence[Any], attrs: Mapping[str, Any]) -> Form | None:
    """The form of a node that takes these values; None if it is new, or if they are not all tensors of the graph outside
    of branches and loops. An op type that takes lists has none here: its inputs have to be checked first."""
    if not d.flat:
        return None
    for value in values:
        if type(value) is not Tensor or value.op.graph is not graph or value.op._context is not None:
            return None
    return d.forms.get(form_key(d, values, values, attrs))


def form_key(d: OpDef, values: Sequence[Any], inputs: Sequence[Tensor], attrs: Mapping[str, Any]) -> Key | None:
    """The key of the node's form; None when its attributes cannot be compared. values: the arguments that became `inputs`."""
    key: list[Any] = []
    if not d.flat:
        key += [len(value) for arg, value in zip(d.inputs, values) if arg.is_list]
    for tensor in inputs:
        key += tensor.dtype.as_datatype_enum, tensor.raw_shape
    if attrs is not d.defaults:
        for attr in d.explicit:
            value = attrs.get(attr.name)
            if type(value) not in _COMPARABLE:
                return None
            key += type(value), value
    return tuple(key)


def keep_form(d: OpDef, key: Key, form: Form) -> Form:
    """Keeps the form for later nodes, if its attributes can be shared; returns it with attributes that nobody can change."""
    if not all(type(value) in _IMMUTABLE for value in form.attrs.values()):
        return form
    if len(d.forms) == _MOST:
        d.forms.clear()
    shared = d.forms[key] = form._replace(attrs=MappingProxyType(dict(form.attrs)))
    return shared


__all__ = ["form_key", "keep_form", "known_form"]
