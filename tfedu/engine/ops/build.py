"""Building a node: inputs become tensors, dtypes and attributes are checked, shapes inferred; on a failure nothing is left.

`build(definition, values, attrs, name)` is what every generated caller comes to; `create_op` adds a node of any type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..base import dtypes, errors, shapes
from ..base import site as sites
from ..base.dtypes import DType, as_dtype
from ..base.shapes import Shape, ShapeMismatch
from ..graph.conversion import convert_to_tensor
from ..graph.graph import Graph, Transaction, graph_of
from ..graph.nodes import Operation, Tensor
from ..graph.scopes import Setting, Settings
from ..graph.stacks import get_default_graph
from .infer import Sym
from .opdef import REGISTRY, Arg, Attr, OpDef


def build(d: OpDef, values: Sequence[Any], attrs: dict[str, Any], name: str | None) -> Any:
    """Adds one node of type `d` to the graph; on a failure the graph is as before.

    Raises: TypeError for dtypes and attributes, ValueError for shapes; the message names the user's line.
    """
    graph = get_default_graph()
    for value in values:
        kind = type(value)
        if kind is Tensor:
            if value.op.graph is graph:
                continue
        elif kind is not list and kind is not tuple and not hasattr(kind, "_as_graph_element"):
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
    with Transaction(graph):
        if name is None:
            full = graph.unique_name(d.type)
        else:
            full = full_name(graph, name)
        outer = graph._name_scope
        graph._name_scope = full
        try:
            inputs, bound = _bind_inputs(d, values, attrs)
            for attr in d.explicit:
                if attr.name in attrs:
                    value = attrs[attr.name]
                    kind = attr.kind
                    if value is None and not attr.required:
                        bound[attr.name] = attr.default
                    elif kind == "bool" and (value is True or value is False):
                        bound[attr.name] = value
                    else:
                        bound[attr.name] = _attr_value(d, attr, value)
            if d.lone_type is not None:
                bound = d.attributes(bound[d.lone_type])  # type: ignore[assignment]
            if d.takes_ref:
                with _beside_references(graph, d, inputs):
                    op = _add(graph, d, full, inputs, bound, site)
            else:
                op = _add(graph, d, full, inputs, bound, site)
        except (TypeError, ValueError) as error:
            _locate(error, site, values)
            raise
        finally:
            graph._name_scope = outer
    return results(d, op)


def _locate(error: Exception, site: sites.RawSite | None, values: Sequence[Any]) -> None:
    """Adds the user's line and the inputs to an error that does not tell them yet."""
    if type(error) in (TypeError, ValueError) and site is not None and "\n  where: " not in str(error):
        flat = [item for value in values for item in (value if isinstance(value, (list, tuple)) else (value,))]
        tensors = [item for item in flat if isinstance(item, Tensor)]
        error.args = (explained(str(error), sites.Site(*site), tensors),)


def _beside_references(graph: Graph, d: OpDef, inputs: Sequence[Tensor]) -> Settings:
    """What takes a variable's reference has to run where the variable is."""
    variables = tuple(t.op for t in inputs if t.dtype.is_ref) if not d.flat else tuple(
        t.op for t, arg in zip(inputs, d.inputs) if arg.is_ref
    )
    return Settings(
        Setting(graph, "_device_stack", ()),
        Setting(graph, "_colocation_stack", (*graph._colocation_stack, *variables)),
    )


def results(d: OpDef, op: Operation) -> Any:
    """What a caller returns for a new node: its tensor, its tensors by name, or the operation."""
    outputs = op.outputs
    if d.simple:
        return outputs[0]
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


def full_name(graph: Graph, name: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"'name' must be a string, not {type(name).__name__}")
    if name.endswith("/"):
        return name[:-1]
    if not graph._name_scope:
        graph.check_op_name(name)
    elif not name:
        return graph._name_scope
    else:
        graph.check_op_name(f"{graph._name_scope}/{name}")
    return graph.unique_name(name)


def _add(
    graph: Graph,
    d: OpDef,
    name: str,
    inputs: tuple[Tensor, ...],
    attrs: dict[str, Any],
    site: sites.RawSite | None,
) -> Operation:
    shapes_out = infer_shapes(d, inputs, attrs, name, site)
    types_out: Sequence[DType]
    if d.simple:
        types_out = _output_types(d.outputs[0], attrs)
    else:
        types_out = [dtype for arg in d.outputs for dtype in _output_types(arg, attrs)]
    if shapes_out is None:
        shapes_out = [None] * len(types_out)
    return graph.add_node(d.type, name, inputs, attrs, types_out, shapes_out, d, site)


def infer_shapes(
    d: OpDef, inputs: tuple[Tensor, ...], attrs: dict[str, Any], name: str, site: sites.RawSite | None
) -> list[Shape] | None:
    """The outputs' shapes by the op's rule, or None when it has no rule.

    Raises: ValueError in TF's words when the inputs' shapes do not fit.
    """
    rule = d.shape_rule
    if rule is None:
        return None
    syms: Sequence[Any] = ()
    try:
        # A rule that looks at nothing but shapes says so, and is spared the rest.
        of_shapes = getattr(rule, "of_shapes", None)
        if of_shapes is not None:
            return [of_shapes(*[t.raw_shape for t in inputs])]
        syms = [Sym(t) for t in inputs]
        if not d.flat:
            syms = d.group_by(attrs, syms)
        explicit = d.explicit
        if explicit:
            given = rule(*syms, **{a.name: attrs[a.name] for a in explicit})
        else:
            given = rule(*syms)
    except ShapeMismatch as mismatch:
        flat = [s for group in syms for s in (group if isinstance(group, list) else [group])]
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
        made_at = None if site is None else sites.Site(*site)
        raise ValueError(explained(first, made_at, inputs, mismatch.fix)) from None
    return [given] if d.simple else list(given)


def _value_text(value: Any) -> str:
    """The elements as TF prints them: `1 2 3`, and `[1 2][3 4]` for rows."""
    array = np.asarray(value)
    if array.ndim == 0:
        return str(array[()])
    if array.ndim == 1:
        return " ".join(map(str, array))
    return "".join(f"[{_value_text(row)}]" for row in array)


def explained(
    first: str, site: sites.Site | None, inputs: Iterable[Tensor] = (), fix: str | None = None
) -> str:
    """TF's own line, then where it happened and where the inputs come from (design.md, section 5)."""
    described = [
        f"{t.name} {t.dtype.name}{shapes.fmt(t.raw_shape)}  from {sites.describe(t.op.site)}" for t in inputs
    ]
    return errors.layout(first, None if site is None else sites.describe(site), described, fix)


def _output_types(arg: Arg, attrs: dict[str, Any]) -> Sequence[DType]:
    if arg.type_list_attr is not None:
        return tuple(attrs[arg.type_list_attr])
    dtype = arg.dtype if arg.type_attr is None else attrs[arg.type_attr]
    assert dtype is not None
    if arg.is_ref:
        dtype = dtype.as_ref
    return (dtype,) if arg.number_attr is None else (dtype,) * attrs[arg.number_attr]


def _bind_inputs(
    d: OpDef, values: Sequence[Any], attrs: dict[str, Any]
) -> tuple[tuple[Tensor, ...], dict[str, Any]]:
    """The inputs as tensors, and the attributes that they fix."""
    bound: dict[str, Any] = {}
    origin: dict[str, str] = {}
    tensors: list[Tensor] = []
    allowed = d.allowed
    if not d.flat:
        _check_counts(d, values)
    for arg, value in zip(d.inputs, values):
        if arg.is_list:
            _bind_list(d, arg, value, bound, origin, attrs, tensors)
            continue
        type_attr = arg.type_attr
        if type_attr is None:
            dtype = arg.dtype
        else:
            dtype = bound.get(type_attr)
            if dtype is None and attrs and attrs.get(type_attr) is not None:
                dtype = attrs[type_attr] = as_dtype(attrs[type_attr])
        if type(value) is Tensor and (dtype is None or value.dtype is dtype):
            tensor = value
        else:
            tensor = _convert(d, arg, value, dtype, origin)
        if type_attr is not None and type_attr not in bound:
            base = tensor.dtype.base_dtype
            if type_attr in allowed and base.as_datatype_enum not in allowed[type_attr]:
                _refuse(d, type_attr, base, arg.name)
            bound[type_attr] = base
            origin[type_attr] = arg.name
        if arg.is_ref and not tensor.dtype.is_ref:
            raise TypeError(
                f"'{d.type}' Op requires that input '{arg.name}' be a mutable tensor (e.g.: a tf.Variable)"
            )
        tensors.append(tensor)
    return tuple(tensors), bound


def _check_counts(d: OpDef, values: Sequence[Any]) -> None:
    """What TF's generated function checks of counted lists, before all else and under its own name."""
    first: dict[str, tuple[str, int]] = {}
    for arg, value in zip(d.inputs, values):
        if arg.number_attr is None:
            continue
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"Expected list for '{arg.name}' argument to '{snake_name(d.type)}' Op, not {value!r}.")
        name, count = first.setdefault(arg.number_attr, (arg.name, len(value)))
        if len(value) != count:
            raise ValueError(
                f"List argument '{arg.name}' to '{snake_name(d.type)}' Op with length {len(value)} must match length "
                f"{count} of argument '{name}'."
            )


def _bind_list(
    d: OpDef,
    arg: Arg,
    value: Any,
    bound: dict[str, Any],
    origin: dict[str, str],
    attrs: dict[str, Any],
    tensors: list[Tensor],
) -> None:
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"Expected list for '{arg.name}' argument to '{d.type}' Op, not {value}.")
    number, types = arg.number_attr, arg.type_list_attr
    if types is not None:
        wanted = attrs.get(types)
        try:
            found = [
                convert_to_tensor(v, None if wanted is None else wanted[i], name=f"{arg.name}_{i}")
                for i, v in enumerate(value)
            ]
        except (TypeError, ValueError):
            raise TypeError(f"{_in_list(d, arg, value)} that are invalid. Tensors: {list(value)}") from None
        _check_length(d, types, found)
        bound[types] = [t.dtype.base_dtype for t in found]
        tensors.extend(found)
        return
    assert number is not None
    known = bound.get(number)
    if known is None:
        bound[number] = len(value)
        origin.setdefault(number, arg.name)
        minimum = next((a.minimum for a in d.attrs if a.name == number), None)
        if minimum is not None and len(value) < minimum:
            raise ValueError(
                f"List argument '{arg.name}' to '{d.type}' Op with length {len(value)} shorter than minimum length {minimum}."
            )
    type_attr = arg.type_attr
    earlier = None if type_attr is None else bound.get(type_attr)
    dtype = arg.dtype if type_attr is None else earlier or attrs.get(type_attr)
    if dtype is None:
        # A tensor in the list decides for the literals beside it.
        dtype = next((v.dtype.base_dtype for v in value if isinstance(v, Tensor)), None)
    try:
        found = [
            convert_to_tensor(v, dtype, name=f"{arg.name}_{i}", as_ref=arg.is_ref) for i, v in enumerate(value)
        ]
        fits = len({t.dtype.base_dtype.as_datatype_enum for t in found}) <= 1
    except (TypeError, ValueError):
        fits = False
    if not fits:
        text = _in_list(d, arg, value)
        if arg.dtype is not None:
            raise TypeError(f"{text} that do not match expected type {arg.dtype.name}.")
        if earlier is not None:
            raise TypeError(f"{text} that do not match type {earlier.name} inferred from earlier arguments.")
        raise TypeError(f"{text} that don't all match.")
    if type_attr is not None and type_attr not in bound:
        if not found:
            raise TypeError(
                f"Don't know how to infer type variable from empty input list passed to input '{arg.name}' of '{d.type}' Op."
            )
        base = found[0].dtype.base_dtype
        if type_attr in d.allowed and base.as_datatype_enum not in d.allowed[type_attr]:
            _refuse(d, type_attr, base, arg.name)
        bound[type_attr] = base
        origin[type_attr] = arg.name
    tensors.extend(found)


def snake_name(op_type: str) -> str:
    """The name of TF's generated function for an op type: concat_v2, string_n_grams."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-zA-Z])|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", op_type).lower()


def _in_list(d: OpDef, arg: Arg, values: Sequence[Any]) -> str:
    kinds = ", ".join(_type_name(v) for v in values)
    return f"Tensors in list passed to '{arg.name}' of '{d.type}' Op have types [{kinds}]"


def _check_length(d: OpDef, attr_name: str, items: Sequence[Any]) -> None:
    minimum = next((a.minimum for a in d.attrs if a.name == attr_name), None)
    if minimum is not None and len(items) < minimum:
        raise ValueError(
            f"Attr '{attr_name}' of '{d.type}' Op passed list of length {len(items)} less than minimum {minimum}."
        )


def _type_name(value: Any) -> str:
    dtype = getattr(value, "dtype", None)
    if isinstance(dtype, DType):
        return dtype.base_dtype.name
    if value is None or isinstance(value, dict):
        return "<NOT CONVERTIBLE TO TENSOR>"
    if isinstance(value, (list, tuple)) and value and any(isinstance(item, (Tensor, list, tuple)) for item in value):
        return _type_name(next(item for item in value if isinstance(item, (Tensor, list, tuple))))
    try:
        found = as_dtype(np.asarray(value).dtype)
        if not isinstance(value, np.generic | np.ndarray):
            # A literal would become the narrow type.
            found = {dtypes.int64: dtypes.int32, dtypes.float64: dtypes.float32}.get(found, found)
        return found.name
    except TypeError:
        return "<NOT CONVERTIBLE TO TENSOR>"


def _convert(d: OpDef, arg: Arg, value: Any, dtype: DType | None, origin: dict[str, str]) -> Tensor:
    preferred = None
    if dtype is None and arg.type_attr is not None:
        preferred = next((a.default for a in d.attrs if a.name == arg.type_attr and not a.required), None)
    try:
        return convert_to_tensor(value, dtype, name=arg.name, as_ref=arg.is_ref, preferred_dtype=preferred)
    except TypeError as error:
        if dtype is None:
            raise
        site = sites.capture()
        raise TypeError(
            explained(
                f"Expected {dtype.name} passed to parameter '{arg.name}' of op '{d.type}', got {_short(value)} of type "
                f"'{type(value).__name__}' instead. Error: {_first_line(error)}",
                site,
            )
        ) from None
    except ValueError:
        observed = value.dtype if isinstance(value, Tensor) else getattr(value, "dtype", None)
        if not isinstance(observed, DType):
            try:
                observed = convert_to_tensor(value, as_ref=arg.is_ref).dtype
            except ValueError as error:
                raise ValueError(
                    f"Tried to convert '{arg.name}' to a tensor and failed. Error: {_first_line(error)}"
                ) from None
        prefix = f"Input '{arg.name}' of '{d.type}' Op has type {observed.name} that does not match"
        assert dtype is not None
        if arg.type_attr is None or arg.type_attr not in origin:
            message = f"{prefix} expected type of {dtype.name}."
        else:
            message = f"{prefix} type {dtype.name} of argument '{origin[arg.type_attr]}'."
        tensors = [value] if isinstance(value, Tensor) else []
        raise TypeError(explained(message, sites.capture(), tensors)) from None


def _short(value: Any) -> str:
    text = str(value) if isinstance(value, Tensor) else repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _first_line(error: BaseException) -> str:
    return str(error).split("\n", 1)[0]


def _refuse(d: OpDef, attr_name: str, dtype: DType, parameter: str) -> None:
    allowed = next(attr.allowed for attr in d.attrs if attr.name == attr_name)
    listed = ", ".join(t.name for t in allowed or ())
    first = f"Value passed to parameter '{parameter}' has DataType {dtype.name} not in list of allowed values: {listed}"
    raise TypeError(explained(first, sites.capture()))


def _attr_value(d: OpDef, attr: Attr, value: Any) -> Any:
    """The attribute as it is stored.

    Raises: TypeError or ValueError in TF's words.
    """
    kind = attr.kind
    if kind.startswith("list("):
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"Expected list for '{attr.name}' argument to '{snake_name(d.type)}' Op, not {value!r}.")
        _check_length(d, attr.name, value)
        inner = Attr(attr.name, kind[5:-1], allowed=attr.allowed)
        return [_attr_value(d, inner, item) for item in value]
    if kind == "type":
        try:
            dtype = as_dtype(value)
        except TypeError:
            raise TypeError(f"Expected DataType for argument '{attr.name}' not {value!r}.") from None
        if attr.allowed is not None and dtype.base_dtype not in attr.allowed:
            listed = ", ".join(t.name for t in attr.allowed)
            raise TypeError(
                f"Value passed to parameter '{attr.name}' has DataType {dtype.name} not in list of allowed values: {listed}"
            )
        return dtype.base_dtype
    if kind == "bool":
        raise TypeError(f"Expected bool for argument '{attr.name}' not {value!r}.")
    if kind == "int":
        number = _integer(attr, value)
        if attr.minimum is not None and number < attr.minimum:
            first = f"Attr '{attr.name}' of '{d.type}' Op passed {number} less than minimum {attr.minimum}."
            raise ValueError(explained(first, sites.capture()))
        return number
    if kind == "float":
        if not isinstance(value, (int, float, np.integer, np.floating)):
            raise TypeError(f"Expected float for argument '{attr.name}' not {value!r}.")
        # A message holds a float32, and so does TF's kernel.
        return float(np.float32(value))
    if kind == "string":
        if isinstance(value, bytes):
            value = value.decode()
        if not isinstance(value, str):
            raise TypeError(f"Expected string for argument '{attr.name}' not {value!r}.")
        if attr.allowed is not None and value not in attr.allowed:
            listed = ", ".join(f'"{v}"' for v in attr.allowed)
            raise ValueError(f"Attr '{attr.name}' of '{d.type}' Op passed string '{value}' not in: {listed}.")
        return value
    if kind == "shape":
        try:
            return shapes.as_raw(value)
        except (TypeError, ValueError) as error:
            text = f"Error converting {attr.name} to a TensorShape: {_first_line(error).rstrip('.')}."
            raise type(error)(text) from None
    return value


def _integer(attr: Attr, value: Any) -> int:
    if not isinstance(value, str):
        try:
            return int(value)
        except (TypeError, ValueError):
            pass
    raise TypeError(f"Expected int for argument '{attr.name}' not {value!r}.")


def _bind_given(d: OpDef, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> None:
    """The type attributes that plain inputs fix, where `create_op` was not given them."""
    for arg, tensor in zip(d.inputs, inputs):
        if arg.is_list:
            return
        if arg.type_attr is not None:
            attrs.setdefault(arg.type_attr, tensor.dtype.base_dtype)


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
        full = full_name(graph, name) if name else graph.unique_name(op_type)
        stored = dict(attrs or {})
        if definition is None or not all(a.name in stored for a in definition.explicit if a.required) or any(
            hasattr(value, "WhichOneof") for value in stored.values()
        ):
            stored = graph._read_attrs(op_type, stored)
        if definition is not None:
            for attr in definition.explicit:
                if attr.name not in stored and not attr.required:
                    stored[attr.name] = attr.default
            _bind_given(definition, inputs, stored)
            if definition.takes_ref:
                _check_references(definition, inputs, full)
            return _add(graph, definition, full, tuple(inputs), stored, site)
        types_out = [as_dtype(t) for t in dtypes or ()]
        op: Operation = graph.add_node(
            op_type, full, tuple(inputs), stored, types_out, [None] * len(types_out), None, site
        )
        return op


def _check_references(d: OpDef, inputs: Sequence[Tensor], name: str) -> None:
    """Raises: ValueError when a node that changes a variable is given a plain value in its place."""
    for arg, tensor in zip(d.inputs, inputs) if d.flat else ((d.inputs[0], t) for t in inputs):
        if arg.is_ref and not tensor.dtype.is_ref:
            first = (
                f"Input '{arg.name}' passed {tensor.dtype.name} expected ref type while building NodeDef '{name}' "
                f"using Op<name={d.type}>"
            )
            raise ValueError(explained(first, sites.capture(), inputs))
