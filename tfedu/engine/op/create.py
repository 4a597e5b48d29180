"""Building a node: inputs become tensors, dtypes and attributes are checked, shapes inferred; on a failure nothing is left.

`build(definition, values, attrs, name)` is what every generated caller comes to; `create_op` adds a node of any type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import get_ident
from types import MappingProxyType
from typing import Any

import numpy as np

from ..base import shapes
from ..base import site as sites
from ..base.dtypes import DType, as_dtype
from ..base.shapes import Shape, ShapeMismatch
from ..graph.graph import Graph, graph_of
from ..graph.nodes import Operation, Tensor
from ..graph.scopes import Setting, Settings
from ..graph.stacks import get_default_graph
from ..graph.transactions import Transaction
from .bind import attr_value, bind_given, bind_inputs, check_references, output_types
from .definition import REGISTRY, Form, OpDef
from .error_text import explained
from .infer import Sym


def build(d: OpDef, values: Sequence[Any], attrs: Mapping[str, Any], name: str | None) -> Any:
    """Adds one node of type `d` to the graph; on a failure the graph is as before.

    Most nodes look like one that was made before: op type, attributes given, dtypes and shapes of the inputs. Such a node
    has what that one has (`OpDef.forms`), and there is nothing left to convert, to check or to infer.
    Raises: TypeError for dtypes and attributes, ValueError for shapes; the message names the user's line.
    """
    graph = get_default_graph()
    looks: list[Any] | None = []
    for value in values:
        kind = type(value)
        if kind is Tensor:
            source = value.op
            if source.graph is graph:
                if looks is not None:
                    looks += value.dtype.as_datatype_enum, value.raw_shape
                if source._context is not None:
                    looks = None
                continue
        elif kind is not list and kind is not tuple and not hasattr(kind, "_as_graph_element"):
            looks = None
            continue
        looks = None
        if kind is list or kind is tuple:
            for item in value:
                if type(item) is not Tensor or item.op.graph is not graph:
                    break
            else:
                continue
        found = _graph_of(values) or graph
        if found is not graph:
            # Whatever is converted on the way belongs to that graph too.
            with found.as_default():
                return build(d, values, attrs, name)
        break
    if graph._finalized:
        graph._check_not_finalized()
    site = graph._line or sites.here(3)  # this function and the caller that `define` made are no user's
    with graph._lock:
        if graph._scope_owner != get_ident():
            graph.claim_names()
        if looks is not None and not graph._device_stack and graph._marks is None and graph._context is None:
            form = d.forms.get(_key(d, looks, attrs))
            if form is not None:
                # A name is all that can still be wrong, and it is asked for first: there is nothing to undo.
                full = graph.unique_name(d.type) if name is None else full_name(graph, name)
                shared, types_out, shapes_out = form
                op = graph.add_node(d.type, full, tuple(values), shared, types_out, shapes_out, d, site)
                return op.outputs[0] if d.simple else results(d, op)
        return results(d, _build_with_care(graph, d, values, attrs, name, site))


def _build_with_care(
    graph: Graph, d: OpDef, values: Sequence[Any], attrs: Mapping[str, Any], name: str | None, site: sites.RawSite | None
) -> Operation:
    """The node, whatever it looks like; a failure on the way undoes all."""
    with Transaction(graph):
        full = graph.unique_name(d.type) if name is None else full_name(graph, name)
        outer = graph._name_scope
        graph._name_scope = full
        try:
            given = dict(attrs)
            inputs, bound = bind_inputs(d, values, given)
            key = _key(d, _looks(d, values, inputs), attrs)
            form = d.forms.get(key)
            if form is None:
                form = _form(d, inputs, _all_attrs(d, given, bound), full, site, key)
            if d.takes_ref:
                with _beside_references(graph, d, inputs):
                    return _add(graph, d, full, inputs, form, site)
            return _add(graph, d, full, inputs, form, site)
        except (TypeError, ValueError) as error:
            _locate(error, site, values)
            raise
        finally:
            graph._name_scope = outer


def _all_attrs(d: OpDef, given: Mapping[str, Any], bound: dict[str, Any]) -> Mapping[str, Any]:
    """The attributes that the inputs fix, and those that the call gives."""
    for attr in d.explicit:
        if attr.name in given:
            value = given[attr.name]
            kind = attr.kind
            if value is None and not attr.required:
                bound[attr.name] = attr.default
            elif kind == "bool" and (value is True or value is False):
                bound[attr.name] = value
            else:
                bound[attr.name] = attr_value(d, attr, value)
    return bound


_TELLING = frozenset((bool, int, str, DType, type(None)))  # equal values of these types are the same attribute
_LASTING = _TELLING | {float}  # and these never change
_MANY = 1000  # forms of one op type; a program with more has shapes that hardly come again


def _looks(d: OpDef, values: Sequence[Any], inputs: tuple[Tensor, ...]) -> list[Any]:
    """Dtypes and shapes of the inputs, and how long the lists among them are."""
    if d.flat:
        return [part for tensor in inputs for part in (tensor.dtype.as_datatype_enum, tensor.raw_shape)]
    looks: list[Any] = [len(value) for arg, value in zip(d.inputs, values) if arg.is_list]
    numbers, shapes_in = [t.dtype.as_datatype_enum for t in inputs], [t.raw_shape for t in inputs]
    for parts in numbers, shapes_in:
        # What is alike for all, as mostly in a long list, is said once.
        looks += parts[:1] if parts and parts.count(parts[0]) == len(parts) else parts
    return looks


def _key(d: OpDef, looks: list[Any], attrs: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """What a node looks like; None when its attributes do not tell that."""
    if attrs is not d.defaults:
        for attr in d.explicit:
            value = attrs.get(attr.name)
            kind = type(value)
            if kind not in _TELLING:
                return None
            looks += kind, value
    return tuple(looks)


def _form(
    d: OpDef,
    inputs: tuple[Tensor, ...],
    attrs: Mapping[str, Any],
    name: str,
    site: sites.RawSite | None,
    key: tuple[Any, ...] | None,
) -> Form:
    """The attributes, output dtypes and output shapes of a node; what depends on its key alone is kept under it."""
    inferred, is_general = infer_shapes(d, inputs, attrs, name, site)
    if d.simple:
        types_out = tuple(output_types(d.outputs[0], attrs))
    else:
        types_out = tuple([dtype for arg in d.outputs for dtype in output_types(arg, attrs)])
    shapes_out = (None,) * len(types_out) if inferred is None else tuple(inferred)
    if is_general and key is not None and not d.takes_ref and all(type(value) in _LASTING for value in attrs.values()):
        if len(d.forms) == _MANY:
            d.forms.clear()
        attrs = MappingProxyType(dict(attrs))  # which all nodes of this form share, and by which they are known
        d.forms[key] = attrs, types_out, shapes_out
    return attrs, types_out, shapes_out


def _locate(error: Exception, site: sites.RawSite | None, values: Sequence[Any]) -> None:
    """Adds the user's line and the inputs to an error that does not tell them yet."""
    if type(error) in (TypeError, ValueError) and site is not None and "\n  where: " not in str(error):
        flat = [item for value in values for item in (value if isinstance(value, (list, tuple)) else (value,))]
        tensors = [item for item in flat if isinstance(item, Tensor)]
        error.args = (explained(str(error), sites.Site.of(site), tensors),)


def _beside_references(graph: Graph, d: OpDef, inputs: Sequence[Tensor]) -> Settings:
    """What takes a variable's reference has to run where the variable is; of a list of them where the first is, as in TF."""
    variables = tuple(t.op for t, arg in zip(inputs, d.inputs) if arg.is_ref)
    return Settings(
        Setting(graph, "_device_stack", ()),
        Setting(graph, "_colocation_stack", (*graph._colocation_stack, *variables)),
    )


def results(d: OpDef, op: Operation) -> Any:
    """What a caller returns for a new node: its tensor, its tensors by name, or the operation."""
    if d.simple:
        return op.outputs[0]
    outputs = op.outputs
    if not d.outputs:
        return op
    if len(d.outputs) == 1:
        return list(outputs) if outputs else op
    if d.result is None or any(a.is_list for a in d.outputs):
        grouped: list[Any] = []
        at = 0
        for arg in d.outputs:
            if arg.is_list:
                count = (
                    op.attrs[arg.number_attr] if arg.number_attr else len(op.attrs[arg.type_list_attr or ""])
                )
                grouped.append(list(outputs[at : at + count]))
                at += count
            else:
                grouped.append(outputs[at])
                at += 1
        return d.result(*grouped)
    return d.result(*outputs)


def _graph_of(values: Sequence[Any]) -> Graph | None:
    flat: list[Any] = []
    for value in values:
        for item in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(item, Tensor):
                flat.append(item)
            elif hasattr(item, "_as_graph_element"):
                flat.append(item._as_graph_element())
    return graph_of(flat)


def full_name(graph: Graph, name: str, scoped: bool = True) -> str:
    """The name of a new node for which `name` was asked. scoped: TF opens a scope of that name around what it makes of the
    inputs, so it is a scope's name that is refused; a constant and `create_op` have none."""
    if not isinstance(name, str):
        raise TypeError(f"'name' must be a string, not {type(name).__name__}")
    back = name.endswith("/")
    full = name[:-1] if back else f"{graph._name_scope}/{name}" if graph._name_scope and name else name
    if not back or full != graph._name_scope:  # else it is a scope that was opened for this node
        if scoped and name:
            graph.check_scope_name(name)
        if back or not scoped or not name:
            graph.check_op_name(full)
    return full if back else graph.unique_name(name)


def _add(
    graph: Graph,
    d: OpDef,
    name: str,
    inputs: tuple[Tensor, ...],
    form: Form,
    site: sites.RawSite | None,
) -> Operation:
    for tensor in inputs:
        if tensor.op._context is not None:  # asked here: most nodes take nothing of a branch or loop
            graph.check_inputs(d.type, name, inputs)
            break
    return graph.add_node(d.type, name, inputs, *form, d, site)


def infer_shapes(
    d: OpDef, inputs: tuple[Tensor, ...], attrs: dict[str, Any], name: str, site: sites.RawSite | None
) -> tuple[list[Shape] | None, bool]:
    """The outputs' shapes by the op's rule, None when it has no rule; and whether they follow from dtypes, shapes and
    attributes alone.

    Raises: ValueError in TF's words when the inputs' shapes do not fit.
    """
    rule = d.shape_rule
    if rule is None:
        return None, True
    flat = [Sym(t) for t in inputs]
    try:
        syms: Sequence[Any] = flat if d.flat else d.group_by(attrs, flat)
        explicit = d.explicit
        if explicit:
            given = rule(*syms, **{a.name: attrs[a.name] for a in explicit})
        else:
            given = rule(*syms)
    except ShapeMismatch as mismatch:
        computed = ""
        values = [(i, s.value) for i, s in enumerate(flat) if s.looked and not s.looked_as_shape and s.value is not None]
        if values:
            listed = ", ".join(f"input[{i}] = <{_value_text(v)}>" for i, v in values)
            computed = f" and with computed input tensors: {listed}"
        partial = [(i, s.as_shape) for i, s in enumerate(flat) if s.looked_as_shape and s.as_shape]
        if partial:
            listed = ",".join(f"input[{i}] = {shapes.fmt(v)}" for i, v in partial)
            computed += f" and with input tensors computed as partial shapes: {listed}"
        listed = ", ".join(shapes.fmt(t.raw_shape).replace(" ", "") for t in inputs)
        first = f"{mismatch} for '{name}' (op: '{d.type}') with input shapes: {listed}{computed}."
        made_at = None if site is None else sites.Site.of(site)
        raise ValueError(explained(first, made_at, inputs, mismatch.fix)) from None
    return [given] if d.simple else list(given), not any(s.open for s in flat)


def _value_text(value: Any) -> str:
    """The elements as TF prints them: `1 2 3`, and `[1 2][3 4]` for rows."""
    array = np.asarray(value)
    if array.ndim == 0:
        return str(array[()])
    if array.ndim == 1:
        return " ".join(map(str, array))
    return "".join(f"[{_value_text(row)}]" for row in array)


def create_op(
    self: Graph,
    op_type: str,
    inputs: Sequence[Tensor],
    dtypes: Sequence[Any] | None = None,
    input_types: Sequence[Any] | None = None,
    name: str | None = None,
    attrs: dict[str, Any] | None = None,
    op_def: Any = None,
    compute_shapes: bool = True,
    compute_device: bool = True,
) -> Operation:
    """Adds a node of a type that TensorFlow has; one that tfedu has no kernel for can be drawn but not run.

    attrs: values, or AttrValue messages. Raises: NotFoundError when there is no such type, TypeError for an input that is
    no tensor, ValueError for attributes that are missing or of another kind.
    """
    graph: Any = self
    graph._check_not_finalized()
    for index, tensor in enumerate(inputs):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"Input #{index} is not a tensor: {tensor}")
    definition = REGISTRY.get(op_type)
    site = sites.here()
    with Transaction(graph):
        full = full_name(graph, name, scoped=False) if name else graph.unique_name(op_type)
        stored = dict(attrs or {})
        if definition is None or not all(a.name in stored for a in definition.explicit if a.required) or any(
            hasattr(value, "WhichOneof") for value in stored.values()
        ):
            stored = graph._read_attrs(op_type, stored)
        if definition is not None:
            for attr in definition.explicit:
                if attr.name not in stored and not attr.required:
                    stored[attr.name] = attr.default
            bind_given(definition, inputs, stored)
            if definition.takes_ref:
                check_references(definition, inputs, full)
            given = tuple(inputs)
            return _add(graph, definition, full, given, _form(definition, given, stored, full, site, None), site)
        types_out = [as_dtype(t) for t in dtypes or ()]
        graph.check_inputs(op_type, full, inputs)
        op: Operation = graph.add_node(
            op_type, full, tuple(inputs), stored, types_out, [None] * len(types_out), None, site
        )
        return op


