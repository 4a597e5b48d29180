"""Op definitions: the annotations of kernels' parameters, and `OpDef`, the record of an op type.

`REGISTRY["MatMul"]` is the record of one op type; `define.py` fills it, `create.py` adds nodes by it.
State: `REGISTRY`, op type -> OpDef, and the names of the op tables that are not imported yet.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from ..base.dtypes import DType
from ..base.shapes import Shape
from ..graph.nodes import Operation


class Registry(dict[str, "OpDef"]):
    """Every op type by name. The tables of rarely used ops are `unread` modules: the registry imports them, one after the
    other, when it does not have a type."""

    def __init__(self) -> None:
        super().__init__()
        self.unread: list[str] = []

    def whole(self) -> Registry:
        """The registry, with the types of all tables."""
        while self.unread:
            self._read_next()
        return self

    def __missing__(self, type: str) -> OpDef:
        while self.unread:
            self._read_next()
            if type in self:
                return self[type]
        raise KeyError(type)

    def _read_next(self) -> None:
        table = self.unread[0]
        importlib.import_module(table)
        if table in self.unread:  # it stays there until its import ends, so that another thread waits for it too
            self.unread.remove(table)

    def get(self, type: str, default: Any = None) -> Any:
        try:
            return self[type]
        except KeyError:
            return default


REGISTRY = Registry()


def definition_of(op: Operation) -> OpDef | None:
    """The definition of a node's type, also of a node that was imported without one; None where the type is not known."""
    return op.definition or REGISTRY.get(op.type)


def role_of(op: Operation) -> str:
    """The part that the node plays (one of ROLES); "op" also where its type is not known."""
    d = definition_of(op)
    return "op" if d is None else str(d.role)


def types_of_role(*roles: str) -> frozenset[str]:
    """The op types of these roles, in the tables imported so far: a table asks for roles that only its own ops have."""
    return frozenset([d.type for d in REGISTRY.values() if d.role in roles])


class Form(NamedTuple):
    """The attributes, output dtypes and output shapes that nodes of one form share (forms.py)."""

    attrs: Mapping[str, Any]
    dtypes: Sequence[DType]
    shapes: Sequence[Shape]


# -- annotations of kernels' parameters --------------------------------------------------------------------------


class TypeVariable:
    """A type attribute of an op: all inputs with this annotation have one dtype, one of `allowed` (None: any)."""

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
    def __init__(self, inner: Any, count: str | None = None, least: int = 1, allowed: Iterable[DType] | None = None) -> None:
        self.inner = inner
        self.count = count
        self.least = least
        self.allowed = None if allowed is None else tuple(allowed)


class Ref(_Wrapped):
    """`ref: Ref[T]`: an input or output that is a reference to a variable."""

    def __class_getitem__(cls, inner: Any) -> Ref:
        return cls(inner)


class Many(_Wrapped):
    """`values: Many[T]` is a list of N tensors of one dtype; `Many[T, "num"]` counts them in attribute `num`.

    There must be one at least; `Many[T, "N", 2]`: at least two.
    """

    def __class_getitem__(cls, inner: Any) -> Many:
        return cls(*inner) if isinstance(inner, tuple) else cls(inner, "N")


class Each(_Wrapped):
    """`args: Each["Tin"]` is a list of tensors of any dtypes, which attribute `Tin` lists.

    There must be one at least; `Each["Tin", 0]`: it may be empty. `Each["Tin", 0, (float32, int64)]`: only these dtypes.
    """

    def __class_getitem__(cls, inner: Any) -> Each:
        if not isinstance(inner, tuple):
            return cls(inner)
        name, least, allowed = inner if len(inner) == 3 else (*inner, None)
        return cls(name, None, least, allowed)


class AtLeast:
    """`num_buckets: AtLeast[1]`: an integer attribute that may not be smaller; `AtLeast[1, list[DType]]`: a list not shorter."""

    def __init__(self, minimum: int, inner: Any = int) -> None:
        self.minimum = minimum
        self.inner = inner

    def __class_getitem__(cls, bound: Any) -> AtLeast:
        return cls(*bound) if isinstance(bound, tuple) else cls(bound)


class ShapeAttr:
    """Annotation of a shape attribute."""


class TensorAttr:
    """Annotation of an attribute that holds a NumPy value."""


class FuncAttr:
    """Annotation of an attribute that holds a function (function_graph.py)."""


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
    minimum: int | None = None  # of an int, or of a list's length

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


# What a node does to the variable, file or other resource that an input refers to; `look`: it reads whether there is a value,
# or its shape, but not the value.
ACCESS: Final = ("read", "write", "update", "look")
# What the handles (or file names) of an op refer to.
RESOURCES: Final = (
    "variable", "temporary", "tensor_array", "stack", "mutex", "file", "iterator", "statistics", "queue", "staging",
    "map_staging", "ordered_map_staging", "table", "reader",
)  # fmt: skip
# The part that a node plays in a graph. The last row: an op without a special role.
ROLES: Final = (
    "constant", "placeholder", "placeholder_with_default",
    "variable", "temporary", "read", "update", "optimizer_step",
    "switch", "merge", "enter", "exit", "next_iteration", "loop_cond", "select_reference", "trigger", "noop",
    "identity", "shape", "shapes", "comparison", "reduction", "matmul", "activation",
    "check", "print", "summary", "is_initialized", "python", "session_handle",
    "op",
)  # fmt: skip


@dataclass(eq=False)
class OpDef:
    """The record of one op type. `define.op` describes the fields that a table sets."""

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
    ready_rule: Callable[..., bool] | None = None  # of a kernel that may wait: whether it can finish now
    begins_rule: Callable[..., bool] | None = None  # whether a waiting kernel can put in or take a part now
    lines_up_rule: Callable[..., bool] | None = None  # whether its place in line can matter to other nodes
    run_shapes: Callable[..., Any] | None = None  # the shapes of every run, where shape_rule, TF's, says less
    waits_to: str = ""  # "put", "take" or "close": what such a node does to a resource of several runs
    ufunc: str | None = None
    allows_uninitialized: bool = False
    value_safe: bool = False
    accepts_out: bool = False
    scalar: str | None = None
    stores: str | None = None
    returns_stored: bool = False
    access: Mapping[str, str] = field(default_factory=dict)  # input -> one of ACCESS
    resource: str = "variable"  # one of RESOURCES
    role: str = ""  # one of ROLES; left out, it follows from `access`
    range: tuple[float, float] | None = None  # of the elements of the result
    singular: str | None = None  # the input at some of whose finite values the gradient is not finite
    commutes: bool = False  # no result depends on when its nodes take their turns
    multiplies: bool = False  # the kernel calls the library of linear algebra, which divides its work among threads
    raw_names: Mapping[str, str] = field(default_factory=dict)  # what `tf.raw_ops` calls an input or attribute
    gradient: str | None = None  # what the gradient rule computes, in one line of mathematics
    not_differentiable: str | None = None  # why nodes of this type pass no gradient on, a code
    doc: str = ""  # the kernel's docstring and the family's shapes
    explicit: tuple[Attr, ...] = field(init=False)
    kernel_attrs: tuple[str, ...] = field(init=False)  # their names
    defaults: dict[str, Any] = field(init=False)
    simple: bool = field(init=False)  # one output, no list
    flat: bool = field(init=False)  # no input is a list
    has_reference_inputs: bool = field(init=False)
    alias_index: int = field(init=False)
    view_index: int = field(init=False)
    stored_index: int = field(init=False)
    singular_index: int = field(init=False)
    read_inputs: tuple[int, ...] = field(init=False)  # those whose resource the kernel reads
    written_inputs: tuple[int, ...] = field(init=False)
    accessed_inputs: tuple[int, ...] = field(init=False)
    allowed: dict[str, frozenset[int]] = field(init=False)
    result: Any = field(init=False, default=None)
    caller: Callable[..., Any] = field(init=False)  # adds a node of this type
    forms: dict[Any, Form] = field(init=False)  # of earlier nodes, by their keys (forms.py)

    def __post_init__(self) -> None:
        self.explicit = tuple(a for a in self.attrs if a.explicit)
        self.kernel_attrs = tuple([a.name for a in self.explicit])
        self.defaults = {a.name: a.default for a in self.explicit if not a.required}
        self.simple = len(self.outputs) == 1 and not self.outputs[0].is_list
        self.flat = not any(a.is_list for a in self.inputs)
        self.has_reference_inputs = any(a.is_ref for a in self.inputs)
        self.allowed = {
            a.name: frozenset(t.as_datatype_enum for t in a.allowed)
            for a in self.attrs if a.kind == "type" and a.allowed
        }
        self.forms = {}
        names = [a.name for a in self.inputs]
        self.alias_index = -1 if self.aliases is None else names.index(self.aliases)
        self.view_index = -1 if self.views is None else names.index(self.views)
        self.stored_index = -1 if self.stores is None else names.index(self.stores)
        self.singular_index = -1 if self.singular is None else names.index(self.singular)
        self.accessed_inputs = tuple([names.index(name) for name in self.access])
        self.read_inputs = tuple([i for i in self.accessed_inputs if self.access[names[i]] in ("read", "update")])
        self.written_inputs = tuple([i for i in self.accessed_inputs if self.access[names[i]] in ("write", "update")])
        if not self.role:
            self.role = "op"
            if self.resource == "variable" and self.access:
                self.role = "update" if self.written_inputs else "read" if self.read_inputs else "op"

    def reads_reference(self, index: int) -> bool:
        """Whether the kernel reads the value of the variable when the flat input `index` is a reference.

        An input that must be a reference is read as `access` says; another one is read unless it is passed on or stored.
        """
        if index in self.accessed_inputs or self.is_reference_input(index):
            return index in self.read_inputs
        return not self.passes_through(index) and index != self.view_index and not self.stores_input(index)

    def passes_through(self, index: int) -> bool:
        """Whether the kernel returns the flat input `index` without a copy."""
        first = self.alias_index
        return index == first or (first >= 0 and index > first and self.inputs[first].is_list)

    def stores_input(self, index: int) -> bool:
        """Whether the kernel keeps the flat input `index` for later without a copy, also a reference."""
        first = self.stored_index
        return index == first or (0 <= first < index and self.inputs[first].is_list)

    def is_reference_input(self, index: int) -> bool:
        """Whether the flat input `index` must be a reference."""
        # A list of references is the last input.
        return self.inputs[min(index, len(self.inputs) - 1)].is_ref

    def group(self, op: Operation, values: Sequence[Any]) -> Sequence[Any]:
        """The op's flat input values as the kernel takes them: a list for each list input."""
        return values if self.flat else self.group_by(op.attrs, values)

    def group_by(self, attrs: Mapping[str, Any], values: Sequence[Any]) -> Sequence[Any]:
        """`group` for a node that does not exist yet."""
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
