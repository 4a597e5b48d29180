"""One op, one place: `@op("MatMul", out="product")` above a kernel makes the op type, its caller and its registry row.

The kernel is the definition. Positional parameters are inputs, keyword-only ones attributes, annotations say which
dtypes they take; rules hang from it (`@mat_mul.shape`). The first parameter tells the truth: a kernel that takes
`xp` (the array module) is pure, one that takes `run` touches the world (variables, random state).
State: `REGISTRY`, op type -> OpDef.
"""

from __future__ import annotations

import inspect
import types
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin

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

REGISTRY: dict[str, OpDef] = {}


# -- how a kernel's annotations speak of dtypes ------------------------------------------------------------------


class TypeVariable:
    """One letter of an op: every input marked with it has the same dtype, one of `allowed` (None: any)."""

    def __init__(
        self, name: str, allowed: Iterable[DType] | None = None, default: DType | None = None
    ) -> None:
        self.name = name
        self.allowed = None if allowed is None else tuple(allowed)
        self.default = default


def typevar(name: str, allowed: Iterable[DType] | None = None, default: DType | None = None) -> TypeVariable:
    """`T = typevar("T", (float32, int32))`; the order is the one in error messages."""
    return TypeVariable(name, allowed, default)


class _Wrapped:
    def __init__(self, inner: Any, count: str | None = None) -> None:
        self.inner = inner
        self.count = count


class Ref(_Wrapped):
    """`ref: Ref[T]`: takes the variable itself; as an output: passes it on."""

    def __class_getitem__(cls, inner: Any) -> Ref:
        return cls(inner)


class Many(_Wrapped):
    """`values: Many[T]` is a list of N tensors of one dtype; `Many[T, "num"]` counts them in attribute `num`."""

    def __class_getitem__(cls, inner: Any) -> Many:
        return cls(*inner) if isinstance(inner, tuple) else cls(inner, "N")


class Each(_Wrapped):
    """`args: Each["Tin"]` is a list of tensors of any dtypes, which attribute `Tin` lists."""

    def __class_getitem__(cls, inner: str) -> Each:
        return cls(inner)


class ShapeAttr:
    """Annotation of a shape attribute."""


class TensorAttr:
    """Annotation of an attribute that holds a NumPy value."""


class FuncAttr:
    """Annotation of an attribute that holds a Python callable by key."""


# -- definitions -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Arg:
    """One input or output of an op type."""

    name: str
    dtype: DType | None = None  # fixed dtype …
    type_attr: str | None = None  # … or the attribute that holds it
    number_attr: str | None = None  # a list of tensors of one dtype, counted here
    type_list_attr: str | None = None  # a list of tensors, their dtypes listed here
    is_ref: bool = False
    is_list: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_list", self.number_attr is not None or self.type_list_attr is not None)


@dataclass(frozen=True, slots=True)
class Attr:
    """One attribute of an op type."""

    name: str
    kind: str  # bool int float string type shape tensor func, or list(…) of them
    default: Any = inspect.Parameter.empty
    allowed: tuple[Any, ...] | None = None
    explicit: bool = True  # a keyword of the kernel, not just bound by an input

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


@dataclass(eq=False)
class OpDef:
    """Everything that is known about one op type."""

    type: str
    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    attrs: tuple[Attr, ...]
    kernel: Callable[..., Any]
    pure: bool
    stateful: bool = False
    aliases: str | None = None
    views: str | None = None
    expr: str | None = None
    fresh: bool = False
    shape_rule: Callable[..., Any] | None = None
    grad_rule: Callable[..., Any] | None = None
    ufunc: str | None = None
    allows_uninitialized: bool = False
    explicit: tuple[Attr, ...] = field(init=False)
    defaults: dict[str, Any] = field(init=False)
    simple: bool = field(init=False)
    flat: bool = field(init=False)
    takes_ref: bool = field(init=False)
    alias_index: int = field(init=False)
    view_index: int = field(init=False)
    allowed: dict[str, frozenset[int]] = field(init=False)
    result: Any = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.explicit = tuple(a for a in self.attrs if a.explicit)
        self.defaults = {a.name: a.default for a in self.explicit if not a.required}
        self.simple = len(self.outputs) == 1 and not self.outputs[0].is_list
        self.flat = not any(a.is_list for a in self.inputs)
        self.takes_ref = any(a.is_ref for a in self.inputs)
        self.allowed = {
            a.name: frozenset(t.as_datatype_enum for t in a.allowed)
            for a in self.attrs if a.kind == "type" and a.allowed
        }
        names = [a.name for a in self.inputs]
        self.alias_index = -1 if self.aliases is None else names.index(self.aliases)
        self.view_index = -1 if self.views is None else names.index(self.views)

    def passes(self, index: int) -> bool:
        """Whether the kernel passes the flat input `index` on as it is."""
        first = self.alias_index
        return index == first or (first >= 0 and index > first and self.inputs[first].is_list)

    @property
    def kernel_attrs(self) -> tuple[str, ...]:
        return tuple(a.name for a in self.explicit)

    def group(self, op: Operation, values: Sequence[Any]) -> Sequence[Any]:
        """The op's flat input values as the kernel takes them: a list for each list input."""
        return values if self.flat else self.group_by(op.attrs, values)

    def group_by(self, attrs: dict[str, Any], values: Sequence[Any]) -> Sequence[Any]:
        """`group` for a node that is not made yet."""
        grouped: list[Any] = []
        at = 0
        for arg in self.inputs:
            if arg.number_attr is not None:
                count = attrs[arg.number_attr]
            elif arg.type_list_attr is not None:
                count = len(attrs[arg.type_list_attr])
            else:
                grouped.append(values[at])
                at += 1
                continue
            grouped.append(list(values[at : at + count]))
            at += count
        return grouped


def _arg(name: str, annotation: Any) -> Arg:
    if isinstance(annotation, Ref):
        inner = _arg(name, annotation.inner)
        return Arg(name, inner.dtype, inner.type_attr, is_ref=True)
    if isinstance(annotation, Many):
        inner = _arg(name, annotation.inner)
        return Arg(name, inner.dtype, inner.type_attr, number_attr=annotation.count, is_ref=inner.is_ref)
    if isinstance(annotation, Each):
        return Arg(name, type_list_attr=annotation.inner)
    if isinstance(annotation, TypeVariable):
        return Arg(name, type_attr=annotation.name)
    if isinstance(annotation, DType):
        return Arg(name, annotation)
    if isinstance(annotation, str):
        return Arg(name, type_attr=annotation)
    raise TypeError(f"parameter {name!r} has no usable annotation: {annotation!r}")


_KINDS: dict[Any, str] = {
    bool: "bool", int: "int", float: "float", str: "string", DType: "type", ShapeAttr: "shape",
    TensorAttr: "tensor", FuncAttr: "func",
}  # fmt: skip


def _attr(parameter: inspect.Parameter) -> Attr:
    note = parameter.annotation
    allowed = None
    if isinstance(note, TypeVariable):
        kind, allowed = "type", note.allowed
    elif get_origin(note) is Literal:
        kind, allowed = "string", get_args(note)
    elif get_origin(note) is list:
        (inner,) = get_args(note)
        if isinstance(inner, TypeVariable):
            kind, allowed = "list(type)", inner.allowed
        else:
            kind = f"list({_KINDS[inner]})"
    else:
        kind = _KINDS[note]
    return Attr(parameter.name, kind, parameter.default, allowed)


def _variables(annotation: Any) -> Iterable[tuple[str, TypeVariable | None]]:
    """The implicit attributes that an input's annotation binds."""
    if isinstance(annotation, Many):
        yield from _variables(annotation.inner)
        assert annotation.count is not None
        yield annotation.count, None
    elif isinstance(annotation, Ref):
        yield from _variables(annotation.inner)
    elif isinstance(annotation, Each):
        yield annotation.inner, None
    elif isinstance(annotation, TypeVariable):
        yield annotation.name, annotation


def op(
    type: str,
    *,
    out: str = "output",
    shape: Callable[..., Any] | None = None,
    aliases: str | None = None,
    views: str | None = None,
    stateful: bool = False,
    expr: str | None = None,
    fresh: bool = False,
    ufunc: str | None = None,
    allows_uninitialized: bool = False,
    order: str = "",
) -> Callable[[Callable[..., Any]], Any]:
    """Defines op `type` from the kernel below it; returns the caller, to which rules can be attached.

    out: the outputs' names. aliases: the input that the kernel passes on as it is. views: the input whose buffer the
    output shows in another shape. expr: the op as a Python
    expression of its inputs, as "{x} + {y}". fresh: the kernel always returns memory of its own. ufunc: the array
    module's function that the kernel is. order: the attributes' positions in the caller where they differ.
    """

    def define(kernel: Callable[..., Any]) -> Any:
        if type in REGISTRY:
            raise ValueError(f"op {type!r} is defined twice")
        signature = inspect.signature(kernel, eval_str=True)
        first, *params = signature.parameters.values()
        input_params = [p for p in params if p.kind is not p.KEYWORD_ONLY]
        inputs = tuple(_arg(p.name, p.annotation) for p in input_params)
        explicit = {p.name: _attr(p) for p in params if p.kind is p.KEYWORD_ONLY}
        attrs: dict[str, Attr] = {}
        for p in input_params:
            for name, variable in _variables(p.annotation):
                if name in explicit or name in attrs:
                    continue
                if variable is None:
                    counted = isinstance(p.annotation, Many)
                    attrs[name] = Attr(name, "int" if counted else "list(type)", explicit=False)
                else:
                    default = inspect.Parameter.empty if variable.default is None else variable.default
                    attrs[name] = Attr(name, "type", default, variable.allowed, explicit=False)
        attrs.update(explicit)
        returns = signature.return_annotation
        if returns is None or returns is inspect.Signature.empty:
            outputs: tuple[Arg, ...] = ()
        else:
            several = list(get_args(returns)) if get_origin(returns) is tuple else [returns]
            outputs = tuple(_arg(n, a) for n, a in zip(out.split(), several, strict=True))
        definition = OpDef(
            type, inputs, outputs, tuple(attrs.values()), kernel, first.name == "xp", stateful, aliases, views, expr, fresh,
            shape, None, ufunc, allows_uninitialized,
        )  # fmt: skip
        if len(outputs) > 1:
            definition.result = namedtuple(type, [a.name for a in outputs])  # type: ignore[misc]
        REGISTRY[type] = definition
        return _caller(definition, kernel, order.split())

    return define


def _caller(d: OpDef, kernel: Callable[..., Any], order: list[str]) -> Any:
    """The function that adds a node of this type: inputs, required attributes, other attributes, name."""
    required = [a.name for a in d.explicit if a.required]
    optional = [a.name for a in d.explicit if not a.required]
    count = len(d.inputs)
    keys = [a.name for a in d.inputs] + (order or required + optional)
    defaults = d.defaults
    easy = not required
    name_of = kernel.__name__

    def call(*args: Any, **kwargs: Any) -> Any:
        name = kwargs.pop("name", None)
        if easy and not kwargs and len(args) == count:
            return build(d, args, defaults.copy(), name)
        if len(args) > len(keys):
            if len(args) > len(keys) + 1 or name is not None:
                raise TypeError(
                    f"{name_of}() takes at most {len(keys) + 1} positional arguments ({len(args)} given)"
                )
            *args, name = args  # type: ignore[assignment]
        given = dict(zip(keys, args))
        for key, value in kwargs.items():
            if key in given:
                raise TypeError(f"{name_of}() got multiple values for argument '{key}'")
            if key not in keys:
                raise TypeError(f"{name_of}() got an unexpected keyword argument '{key}'")
            given[key] = value
        missing = [key for key in keys if key not in given and key not in defaults]
        if missing:
            plural = "s" if len(missing) > 1 else ""
            raise TypeError(
                f"{name_of}() missing {len(missing)} required positional argument{plural}: "
                + ", ".join(f"'{key}'" for key in missing)
            )
        values = tuple([given.pop(arg.name) for arg in d.inputs])
        return build(d, values, {**defaults, **given}, name)

    def shape(rule: Callable[..., Any]) -> Callable[..., Any]:
        d.shape_rule = _renamed(rule, f"{name_of}.shape")
        return rule

    def grad(rule: Callable[..., Any]) -> Callable[..., Any]:
        d.grad_rule = _renamed(rule, f"{name_of}.grad")
        return rule

    call.__name__ = call.__qualname__ = name_of
    call.__doc__ = inspect.getdoc(kernel)
    call.__module__ = kernel.__module__
    call.__signature__ = _signature(keys, defaults)  # type: ignore[attr-defined]
    call.definition, call.shape, call.grad = d, shape, grad  # type: ignore[attr-defined]
    return call


def _signature(keys: list[str], defaults: dict[str, Any]) -> inspect.Signature:
    parameters = []
    open_default = False
    for key in [*keys, "name"]:
        default = defaults.get(key, inspect.Parameter.empty) if key != "name" else None
        # Python allows no plain parameter behind one with a default: from there on by keyword.
        open_default = open_default or default is not inspect.Parameter.empty
        by_keyword = open_default and default is inspect.Parameter.empty
        kind = inspect.Parameter.KEYWORD_ONLY if by_keyword else inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(inspect.Parameter(key, kind, default=default))
    parameters.sort(key=lambda p: p.kind)
    return inspect.Signature(parameters)


def _renamed(rule: types.FunctionType | Any, name: str) -> Any:
    rule.__code__ = rule.__code__.replace(co_name=name)
    return rule


# -- families ----------------------------------------------------------------------------------------------------


def same_shape(x: Sym, *_: Sym, **__: Any) -> Shape:
    """The first input's shape."""
    return x.shape


def broadcast_shape(x: Sym, y: Sym, **_: Any) -> Shape:
    """The shape that two inputs broadcast to."""
    return shapes.broadcast(x.shape, y.shape)


def unary(
    type: str,
    function: str,
    T: TypeVariable,
    doc: str,
    *,
    name: str,
    out: str = "y",
    returns: Any = None,
    **options: Any,
) -> Any:
    """An elementwise op that is the array module's function `function`."""

    def kernel(xp: Any, x: Any) -> Any:
        return getattr(xp, function)(x)

    result = T if returns is None else returns
    return _member(
        kernel, type, name, doc, {"x": T}, result, out=out, shape=same_shape, ufunc=function, **options
    )


def binary(
    type: str,
    function: str,
    T: TypeVariable,
    doc: str,
    *,
    name: str,
    out: str = "z",
    returns: Any = None,
    **options: Any,
) -> Any:
    """An elementwise op of two inputs with broadcasting that is the array module's function `function`."""

    def kernel(xp: Any, x: Any, y: Any) -> Any:
        return getattr(xp, function)(x, y)

    notes = {"x": T, "y": T}
    result = T if returns is None else returns
    return _member(
        kernel, type, name, doc, notes, result, out=out, shape=broadcast_shape, ufunc=function, **options
    )


def compare(type: str, function: str, T: TypeVariable, doc: str, *, name: str, **options: Any) -> Any:
    """An elementwise comparison with broadcasting; gives bool."""
    return binary(type, function, T, doc, name=name, returns=dtypes.bool, **options)


def _member(
    kernel: Any, type: str, name: str, doc: str, notes: dict[str, Any], returns: Any, **options: Any
) -> Any:
    kernel.__name__, kernel.__doc__ = name, doc
    kernel.__annotations__ = {"xp": Any, **notes, "return": returns}
    return op(type, fresh=True, **options)(kernel)


# -- building a node ---------------------------------------------------------------------------------------------


def build(d: OpDef, values: Sequence[Any], attrs: dict[str, Any], name: str | None) -> Any:
    """Adds one node of type `d` to the graph; on a failure the graph is as before.

    Raises: TypeError for dtypes and attributes, ValueError for shapes; the message names the user's line.
    """
    graph = get_default_graph()
    for value in values:
        if type(value) is Tensor:
            if value.op.graph is not graph:
                graph = _graph_of(values) or graph
                break
        elif type(value) in (list, tuple):
            graph = _graph_of(values) or graph
            break
    if graph._finalized:
        raise RuntimeError("Graph is finalized and cannot be modified.")
    site = sites.here()
    with Transaction(graph):
        if name is None:
            full = graph.unique_name(d.type)
        else:
            full = _full_name(graph, name)
        outer = graph._name_scope
        graph._name_scope = full
        try:
            inputs, bound = _bind_inputs(d, values, attrs)
            for attr in d.explicit:
                if attr.name in attrs:
                    value = attrs[attr.name]
                    kind = attr.kind
                    if kind == "bool" and (value is True or value is False):
                        bound[attr.name] = value
                    else:
                        bound[attr.name] = _attr_value(d, attr, value)
            if d.takes_ref:
                with _beside_references(graph, d, inputs):
                    op = _add(graph, d, full, inputs, bound, site)
            else:
                op = _add(graph, d, full, inputs, bound, site)
        finally:
            graph._name_scope = outer
    return results(d, op)


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
        return list(outputs)
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
        if isinstance(value, (list, tuple)):
            flat.extend(v for v in value if isinstance(v, Tensor))
        elif isinstance(value, Tensor):
            flat.append(value)
    return graph_of(flat)


def _full_name(graph: Graph, name: str) -> str:
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
    types_out: list[DType] = []
    for arg in d.outputs:
        types_out.extend(_output_types(arg, attrs))
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
    syms: Sequence[Any] = [Sym(t) for t in inputs]
    if not d.flat:
        syms = d.group_by(attrs, syms)
    try:
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
    for arg, value in zip(d.inputs, values):
        if arg.is_list:
            _bind_list(d, arg, value, bound, origin, attrs, tensors)
            continue
        type_attr = arg.type_attr
        dtype = arg.dtype
        if type_attr is not None:
            dtype = bound.get(type_attr)
            if dtype is None and type_attr in attrs:
                dtype = attrs[type_attr] = as_dtype(attrs[type_attr])
        if type(value) is Tensor and (dtype is None or value.dtype is dtype):
            tensor = value
        else:
            tensor = _convert(d, arg, value, dtype, origin)
        if arg.is_ref and not tensor.dtype.is_ref:
            raise TypeError(
                f"'{d.type}' Op requires that input '{arg.name}' be a mutable tensor (e.g.: a tf.Variable)"
            )
        base = tensor.dtype.base_dtype
        if type_attr is not None and type_attr not in bound:
            if type_attr in d.allowed and base.as_datatype_enum not in d.allowed[type_attr]:
                _refuse(d, type_attr, base, arg.name)
            bound[type_attr] = base
            origin[type_attr] = arg.name
        tensors.append(tensor)
    return tuple(tensors), bound


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
        if isinstance(value, np.ndarray) or (
            hasattr(value, "__iter__") and not isinstance(value, (Tensor, str, bytes))
        ):
            value = list(value)
        else:
            raise TypeError(f"Expected list for '{arg.name}' argument to '{d.type}' Op, not {value}.")
    if arg.type_list_attr is not None:
        wanted = attrs.get(arg.type_list_attr)
        found = [
            convert_to_tensor(
                v, None if wanted is None else wanted[i], name=f"{arg.name}_{i}"
            )
            for i, v in enumerate(value)
        ]
        bound[arg.type_list_attr] = [t.dtype.base_dtype for t in found]
        tensors.extend(found)
        return
    assert arg.number_attr is not None
    known = bound.get(arg.number_attr)
    if known is not None and known != len(value):
        raise ValueError(
            f"List argument '{arg.name}' to '{d.type}' Op with length {len(value)} must match length {known} of "
            f"argument '{origin[arg.number_attr]}'."
        )
    bound[arg.number_attr] = len(value)
    origin.setdefault(arg.number_attr, arg.name)
    dtype = arg.dtype if arg.type_attr is None else bound.get(arg.type_attr) or attrs.get(arg.type_attr)
    if dtype is None:
        # A tensor in the list decides for the literals beside it.
        dtype = next((v.dtype.base_dtype for v in value if isinstance(v, Tensor)), None)
    found = []
    for i, v in enumerate(value):
        try:
            tensor = convert_to_tensor(v, dtype, name=f"{arg.name}_{i}", as_ref=arg.is_ref)
        except (TypeError, ValueError):
            kinds = ", ".join(_type_name(x) for x in value)
            if arg.dtype is not None or dtype is None:
                raise TypeError(
                    f"Tensors in list passed to '{arg.name}' of '{d.type}' Op have types [{kinds}] that do not match "
                    f"expected type {'of ' if dtype is None else ''}{'' if dtype is None else dtype.name}."
                ) from None
            raise TypeError(
                f"Tensors in list passed to '{arg.name}' of '{d.type}' Op have types [{kinds}] that don't all match."
            ) from None
        found.append(tensor)
    if len({t.dtype.base_dtype.as_datatype_enum for t in found}) > 1:
        kinds = ", ".join(t.dtype.base_dtype.name for t in found)
        raise TypeError(f"Tensors in list passed to '{arg.name}' of '{d.type}' Op have types [{kinds}] that don't all match.")
    if arg.type_attr is not None and found and arg.type_attr not in bound:
        base = found[0].dtype.base_dtype
        if arg.type_attr in d.allowed and base.as_datatype_enum not in d.allowed[arg.type_attr]:
            _refuse(d, arg.type_attr, base, arg.name)
        bound[arg.type_attr] = found[0].dtype.base_dtype
        origin[arg.type_attr] = arg.name
    tensors.extend(found)


def _type_name(value: Any) -> str:
    dtype = getattr(value, "dtype", None)
    if isinstance(dtype, DType):
        return dtype.base_dtype.name
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
            except (TypeError, ValueError):
                raise ValueError(
                    f"Tried to convert '{arg.name}' to a tensor and failed. Error: {_short(value)}"
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
            raise TypeError(f"Expected list for attr {attr.name}, obtained {type(value).__name__} instead.")
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
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        raise TypeError(f"Expected bool for argument '{attr.name}' not {value!r}.")
    if kind == "int":
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            return int(value)
        if isinstance(value, (float, np.floating)) and float(value).is_integer():
            return int(value)
        try:
            return int(value.__index__()) if hasattr(value, "__index__") else int(value.__int__())
        except (AttributeError, TypeError):
            raise TypeError(f"Expected int for argument '{attr.name}' not {value!r}.") from None
    if kind == "float":
        try:
            return float(value)
        except (TypeError, ValueError):
            raise TypeError(f"Expected float for argument '{attr.name}' not {value!r}.") from None
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
    """Adds a node of any type, also of one that tfedu does not know: such a node can be drawn but not run."""
    graph = self
    graph._check_not_finalized()
    for index, tensor in enumerate(inputs):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"Input #{index} is not a tensor: {tensor}")
    definition = REGISTRY.get(op_type)
    site = sites.here()
    with Transaction(graph):
        full = _full_name(graph, name) if name else graph.unique_name(op_type)
        stored = dict(attrs or {})
        if definition is not None:
            for attr in definition.explicit:
                if attr.name not in stored and not attr.required:
                    stored[attr.name] = attr.default
            _bind_given(definition, inputs, stored)
            return _add(graph, definition, full, tuple(inputs), stored, site)
        types_out = [as_dtype(t) for t in dtypes or ()]
        return graph.add_node(
            op_type, full, tuple(inputs), stored, types_out, [None] * len(types_out), None, site
        )
