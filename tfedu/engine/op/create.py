"""Building a node: converts the inputs, checks dtypes and attributes, infers shapes; a failure leaves the graph as it was.

Every generated caller calls `build(definition, values, attrs, name)`; `create_op` adds a node of any type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ..base import shapes
from ..base import site as sites
from ..base.dtypes import as_dtype
from ..base.errors import ResourceExhaustedError, error_text
from ..base.plain_arrays import plain
from ..base.shapes import Shape, ShapeMismatch
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph, graph_of
from ..graph.nodes import Operation, Tensor
from ..graph.scopes import Setting, Settings
from .bind import (
    attr_value,
    bind_inputs,
    bind_types,
    check_references,
    output_types,
    refuse_captured_references,
)
from .definition import REGISTRY, Form, OpDef
from .forms import form_key, keep_form, known_form
from .infer import Sym


def build(d: OpDef, values: Sequence[Any], attrs: Mapping[str, Any], name: str | None) -> Any:
    """Adds one node of type `d` to the graph of its inputs; on a failure the graph is as before.

    Raises: TypeError for dtypes and attributes, ValueError for shapes; the message names the user's line.
    """
    graph = get_default_graph()
    form = known_form(graph, d, values, attrs)
    if form is None and not graph.takes_foreign_tensors:
        values_graph = graph_of(_items(values))
        if values_graph is not None and values_graph is not graph:
            return values_graph.attempt(_build_there, values_graph, d, values, attrs, name)
    graph._check_not_finalized()
    site = graph._line or sites.here(3)  # 3: past this function and the caller that `define` made
    if form is None or graph.changes_new_nodes():
        return graph.attempt(_build_with_care, graph, d, values, attrs, name, site)
    return graph.attempt(_build_again, graph, d, values, name, form, site)


def _build_there(graph: Graph, d: OpDef, values: Sequence[Any], attrs: Mapping[str, Any], name: str | None) -> Any:
    """`build` in the graph of the values: constants for literals among them belong there, too."""
    with graph.as_default():
        return build(d, values, attrs, name)


def _build_again(
    graph: Graph, d: OpDef, values: Sequence[Any], name: str | None, form: Form, site: sites.RawSite | None
) -> Any:
    """Adds a node of a known form: only its name can be wrong."""
    full = graph.unique_name(d.type) if name is None else full_name(graph, name)
    return results(d, graph.add_node(d.type, full, tuple(values), *form, d, site))


def _build_with_care(
    graph: Graph, d: OpDef, values: Sequence[Any], attrs: Mapping[str, Any], name: str | None, site: sites.RawSite | None
) -> Any:
    """Converts and checks the inputs, infers the outputs and adds the node."""
    full = graph.unique_name(d.type) if name is None else full_name(graph, name)
    try:
        with Setting(graph, "_name_scope", full):  # constants made of the inputs are named inside the node
            explicit = dict(attrs)
            if graph.takes_foreign_tensors:
                values = graph.taken_in(values)  # type: ignore[attr-defined]
            inputs, bound = bind_inputs(d, values, explicit)
            if graph.takes_foreign_tensors:
                inputs = graph.taken_in(inputs)  # type: ignore[attr-defined] # what a variable converted to
                if d.has_reference_inputs:
                    refuse_captured_references(d, inputs, full)
            key = form_key(d, values, inputs, attrs)
            form = d.forms.get(key) or _new_form(d, inputs, _all_attrs(d, explicit, bound), full, site, key)
            with _beside_references(graph, d, inputs) if d.has_reference_inputs else nullcontext():
                return results(d, _add(graph, d, full, inputs, form, site))
    except (TypeError, ValueError) as error:
        _locate(error, site, values)
        raise
    except MemoryError as error:
        where = None if site is None else sites.Site.of(site)
        text = error_text(f"OOM when building '{full}' (op: '{d.type}'): {error}", site=where)
        raise ResourceExhaustedError(None, None, text) from error


def _all_attrs(d: OpDef, explicit: Mapping[str, Any], bound: dict[str, Any]) -> Mapping[str, Any]:
    """The attributes that follow from the inputs (`bound`), and those that the call sets."""
    for attr in d.explicit:
        if attr.name in explicit:
            value = explicit[attr.name]
            kind = attr.kind
            if value is None and not attr.required:
                bound[attr.name] = attr.default
            elif kind == "bool" and (value is True or value is False):
                bound[attr.name] = value
            else:
                bound[attr.name] = attr_value(d, attr, value)
    return bound


def _new_form(
    d: OpDef,
    inputs: tuple[Tensor, ...],
    attrs: Mapping[str, Any],
    name: str,
    site: sites.RawSite | None,
    key: Any,
) -> Form:
    """The attributes, output dtypes and output shapes of a node, kept for others where they depend on its key alone."""
    inferred, is_general = infer_shapes(d, inputs, attrs, name, site)
    dtypes = tuple([dtype for arg in d.outputs for dtype in output_types(arg, attrs)])
    form = Form(attrs, dtypes, (None,) * len(dtypes) if inferred is None else tuple(inferred))
    return keep_form(d, key, form) if is_general and key is not None and not d.has_reference_inputs else form


def _locate(error: Exception, site: sites.RawSite | None, values: Sequence[Any]) -> None:
    """Adds the user's line and the inputs to the message of an error that lacks them."""
    if type(error) in (TypeError, ValueError) and site is not None and "\n  where: " not in str(error):
        tensors = [item for item in _items(values) if isinstance(item, Tensor)]
        error.args = (error_text(str(error), tensors, site=sites.Site.of(site)),)


def _beside_references(graph: Graph, d: OpDef, inputs: Sequence[Tensor]) -> Settings:
    """Colocates a node with the variables whose references it takes; of a list of references with the first, as in TF."""
    variables = tuple(t.op for t, arg in zip(inputs, d.inputs) if arg.is_ref)
    return Settings(
        Setting(graph, "_device_stack", ()),
        Setting(graph, "_colocation_stack", (*graph._colocation_stack, *variables)),
    )


def results(d: OpDef, op: Operation) -> Any:
    """The result of the op's function for a new node: its tensor, its tensors by name, or the operation."""
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


def _items(values: Sequence[Any]) -> list[Any]:
    """The values, with the items of lists and tuples in place of these."""
    return [item for value in values for item in (value if isinstance(value, (list, tuple)) else (value,))]


def full_name(graph: Graph, name: str | bytes, scoped: bool = True) -> str:
    """The unique name of a new node.

    scoped: TF opens a scope of that name while it converts the inputs, and so checks it as the name of a scope; it does not for
    a constant and in `create_op`. Raises: TypeError, ValueError for a name that no node may have."""
    if isinstance(name, bytes):
        name = name.decode()
    if not isinstance(name, str):
        raise TypeError(f"'name' must be a string, not {type(name).__name__}")
    back = name.endswith("/")
    full = name[:-1] if back else f"{graph._name_scope}/{name}" if graph._name_scope and name else name
    if not back or full != graph._name_scope:  # else the scope was opened for this node
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
        if tensor.op._context is not None:  # most nodes take no tensor of a branch or loop
            graph.check_inputs(d.type, name, inputs)
            break
    return graph.add_node(d.type, name, inputs, *form, d, site)


def infer_shapes(
    d: OpDef, inputs: tuple[Tensor, ...], attrs: Mapping[str, Any], name: str, site: sites.RawSite | None
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
            inferred = rule(*syms, **{a.name: attrs[a.name] for a in explicit})
        else:
            inferred = rule(*syms)
    except ShapeMismatch as mismatch:
        computed = ""
        values = [(i, s.value) for i, s in enumerate(flat) if s.value_was_read and not s.shape_was_read and s.value is not None]
        if values:
            listed = ", ".join(f"input[{i}] = <{_value_text(v)}>" for i, v in values)
            computed = f" and with computed input tensors: {listed}"
        partial = [(i, s.as_shape) for i, s in enumerate(flat) if s.shape_was_read and s.as_shape]
        if partial:
            listed = ",".join(f"input[{i}] = {shapes.fmt(v)}" for i, v in partial)
            computed += f" and with input tensors computed as partial shapes: {listed}"
        listed = ", ".join(shapes.fmt(t.raw_shape).replace(" ", "") for t in inputs)
        first = f"{mismatch} for '{name}' (op: '{d.type}') with input shapes: {listed}{computed}."
        made_at = None if site is None else sites.Site.of(site)
        raise ValueError(error_text(first, inputs, mismatch.fix, site=made_at)) from None
    return [inferred] if d.simple else list(inferred), not any(s.depends_on_value for s in flat)


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
    """Adds a node of any of TensorFlow's op types; one without a kernel in tfedu can be drawn but not run.

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

    def added() -> Operation:
        full = full_name(graph, name, scoped=False) if name else graph.unique_name(op_type)
        stored = {key: plain(value) for key, value in (attrs or {}).items()}
        if definition is None or not all(a.name in stored for a in definition.explicit if a.required) or any(
            hasattr(value, "WhichOneof") for value in stored.values()
        ):
            stored = graph._read_attrs(op_type, stored)
        if definition is not None:
            for attr in definition.explicit:
                if attr.name not in stored and not attr.required:
                    stored[attr.name] = attr.default
            bind_types(definition, inputs, stored)
            if definition.has_reference_inputs:
                check_references(definition, inputs, full)
            form = _new_form(definition, tuple(inputs), stored, full, site, None)
            return _add(graph, definition, full, tuple(inputs), form, site)
        types_out = [as_dtype(t) for t in dtypes or ()]
        graph.check_inputs(op_type, full, inputs)
        op: Operation = graph.add_node(
            op_type, full, tuple(inputs), stored, types_out, [None] * len(types_out), None, site
        )
        return op

    return graph.attempt(added)


