"""One op, one place: `@op("MatMul", out="product")` above a kernel makes the op type, its caller and its registry row.

The kernel is the definition. Positional parameters are inputs, keyword-only ones attributes, and annotations say which
dtypes they take; the shape and gradient rules hang from the caller (`@mat_mul.shape`). The first parameter says whether the op
is pure: a pure kernel takes `xp`, the array module; one that reads or writes variables or random generators takes `run`.
"""

from __future__ import annotations

import inspect
import re
import types
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, NoReturn, get_args, get_origin

from ..base import dtypes, shapes
from ..base.dtypes import DType
from ..base.errors import error_text
from ..base.shapes import Shape
from ..graph.nodes import Tensor
from .create import build
from .definition import (
    REGISTRY,
    Arg,
    AtLeast,
    Attr,
    Each,
    FuncAttr,
    Many,
    OpDef,
    Ref,
    ShapeAttr,
    TensorAttr,
    TypeVariable,
    typevar,
)  # fmt: skip
from .infer import Sym


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


def _attr(name: str, note: Any, default: Any) -> Attr:
    allowed = None
    if isinstance(note, AtLeast):
        return replace(_attr(name, note.inner, default), minimum=note.minimum)
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
    return Attr(name, kind, default, allowed)


def _annotations(kernel: Callable[..., Any]) -> dict[str, Any]:
    """The kernel's annotations as objects; most are names of its module, which need no evaluation."""
    module_names = kernel.__globals__
    notes = kernel.__annotations__
    if all(not isinstance(note, str) or note in module_names or note in _BUILTINS for note in notes.values()):
        return {
            name: (module_names[note] if note in module_names else _BUILTINS[note]) if isinstance(note, str) else note
            for name, note in notes.items()
        }
    return inspect.get_annotations(kernel, eval_str=True)


# A kernel with this keyword can write its result into that array, as a ufunc can.
OUT = "out"


def _parameters(kernel: Callable[..., Any]) -> tuple[str, dict[str, Any], dict[str, tuple[Any, Any]], Any]:
    """A kernel's first parameter, its inputs and attributes with their annotations (and defaults), and what it returns."""
    plain: Any = inspect.unwrap(kernel)  # a decorated kernel has the parameters of the function below the decorators
    signature = getattr(plain, "__signature__", None)
    if signature is not None:  # the kernel of a family of ops, which sets its signature
        first, *rest = signature.parameters.values()
        inputs = {p.name: p.annotation for p in rest if p.kind is not p.KEYWORD_ONLY}
        attrs = {p.name: (p.annotation, p.default) for p in rest if p.kind is p.KEYWORD_ONLY}
        return first.name, inputs, attrs, signature.return_annotation
    code, notes, defaults = plain.__code__, _annotations(plain), plain.__kwdefaults__ or {}
    names = code.co_varnames
    inputs = {name: notes[name] for name in names[1 : code.co_argcount]}
    attrs = {
        name: (notes[name], defaults.get(name, inspect.Parameter.empty))
        for name in names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        if name != OUT
    }
    return names[0], inputs, attrs, notes.get("return")


_BUILTINS = {"bool": bool, "int": int, "float": float, "str": str, "None": None}


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
    value_safe: bool = False,
    scalar: str | None = None,
    stores: str | None = None,
    returns_stored: bool = False,
    access: Mapping[str, str] | None = None,
    resource: str = "variable",
    role: str = "",
    range: tuple[float, float] | None = None,
    singular: str | None = None,
    commutes: bool = False,
    multiplies: bool = False,
    raw_names: Mapping[str, str] | None = None,
    order: str = "",
    gradient: str | None = None,
    not_differentiable: str | None = None,
) -> Callable[[Callable[..., Any]], Any]:
    """Defines op `type` from the kernel below it; returns the caller, to which rules can be attached.

    Names:
    out: the outputs' names. order: the attributes' positions in the caller where they differ. raw_names: what `tf.raw_ops`
    calls an input or attribute.

    The kernel:
    aliases: the input that it returns without a copy. views: the input whose buffer the output shares in another shape.
    stores: the input that it puts into a tensor array, stack or dataset without a copy, also a reference. returns_stored: it
    returns such a value. fresh: its results never share memory with its inputs. ufunc: the function of the array module that it
    calls.
    expr: the op as a Python expression of its inputs, as "{x} + {y}"; scalar: an expression for single real numbers only.
    multiplies: it calls the library of linear algebra, which divides large products among threads.
    value_safe: only sizes can make it fail, not the values of floating-point inputs, as is true of every ufunc.
    allows_uninitialized: its reference inputs may be variables without a value.

    Facts for other parts of the program:
    access: what the kernel does to the resource behind an input, as {"resource": "update"}: read, write (without reading the
    old value), update, look (only whether there is a value, and of which shape). resource: what the handles refer to.
    commutes: no result depends on when the node takes its turn. role: the part that a node plays in a graph
    (definition.ROLES). range: the smallest and the largest possible element of the result. gradient: what the gradient rule
    computes, in one line of mathematics (autodiff/formulas.py). singular: the input for which the gradient is infinite or nan at
    some values. not_differentiable: why no gradient passes, a code of
    gradient_rules.py.
    """

    def define(kernel: Callable[..., Any]) -> Any:
        if type in REGISTRY and not _is_again(REGISTRY[type].kernel, kernel):
            raise ValueError(f"op {type!r} is defined twice")
        first, input_notes, keywords, returns = _parameters(kernel)
        inputs = tuple([_arg(name, note) for name, note in input_notes.items()])
        explicit = {name: _attr(name, note, default) for name, (note, default) in keywords.items()}
        attrs: dict[str, Attr] = {}
        for note in input_notes.values():
            for name, variable in _variables(note):
                if name in explicit or name in attrs:
                    continue
                if variable is None:
                    counted = isinstance(note, Many)
                    kind = "int" if counted else "list(type)"
                    attrs[name] = Attr(name, kind, allowed=note.allowed, explicit=False, minimum=note.least)
                else:
                    default = inspect.Parameter.empty if variable.default is None else variable.default
                    attrs[name] = Attr(name, "type", default, variable.allowed, explicit=False)
        attrs.update(explicit)
        if returns is None:
            outputs: tuple[Arg, ...] = ()
        else:
            output_notes = list(get_args(returns)) if get_origin(returns) is tuple else [returns]
            outputs = tuple(_arg(n, a) for n, a in zip(out.split(), output_notes, strict=True))
        definition = OpDef(
            type, inputs, outputs, tuple(attrs.values()), kernel, pure=first == "xp", stateful=stateful, aliases=aliases,
            views=views, expr=expr, fresh=fresh, shape_rule=shape, ufunc=ufunc, allows_uninitialized=allows_uninitialized,
            value_safe=value_safe, accepts_out=ufunc is not None or OUT in (kernel.__kwdefaults__ or ()), scalar=scalar,
            stores=stores, returns_stored=returns_stored, access=access or {}, resource=resource, role=role, range=range,
            singular=singular, commutes=commutes, multiplies=multiplies, raw_names=raw_names or {}, gradient=gradient,
            not_differentiable=not_differentiable, doc=_documentation(kernel, shape),
        )  # fmt: skip
        if len(outputs) > 1:
            definition.result = namedtuple(type, [a.name for a in outputs])  # type: ignore[misc]
        REGISTRY[type] = definition
        return _caller(definition, kernel, order.split())

    return define


def _is_again(earlier: Callable[..., Any], kernel: Callable[..., Any]) -> bool:
    """Whether the module of the kernel is executed once more, because Ctrl-C or an error ended its import the first time."""
    before, now = (inspect.unwrap(k).__globals__ for k in (earlier, kernel))
    return before is not now and before["__name__"] == now["__name__"]


def _caller(d: OpDef, kernel: Callable[..., Any], order: list[str]) -> Any:
    """The function that adds a node of this type: inputs, required attributes, other attributes, name."""
    required = [a.name for a in d.explicit if a.required]
    optional = [a.name for a in d.explicit if not a.required]
    count = len(d.inputs)
    keys = [a.name for a in d.inputs] + (order or required + optional)
    defaults = d.defaults
    all_defaults = not required
    name_of = kernel.__name__

    def call(*args: Any, **kwargs: Any) -> Any:
        name = kwargs.pop("name", None)
        if all_defaults and not kwargs and len(args) == count:
            return build(d, args, defaults, name)
        if len(args) > len(keys):
            if len(args) > len(keys) + 1 or name is not None:
                _refuse(f"{name_of}() takes at most {len(keys) + 1} positional arguments ({len(args)} given)", args)
            *args, name = args  # type: ignore[assignment]
        arguments = dict(zip(keys, args))
        for key, value in kwargs.items():
            if key in arguments:
                _refuse(f"{name_of}() got multiple values for argument '{key}'", args)
            if key not in keys:
                _refuse(f"{name_of}() got an unexpected keyword argument '{key}'", args)
            arguments[key] = value
        missing = [key for key in keys if key not in arguments and key not in defaults]
        if missing:
            plural = "s" if len(missing) > 1 else ""
            named = ", ".join(f"'{key}'" for key in missing)
            _refuse(f"{name_of}() missing {len(missing)} required positional argument{plural}: {named}", args)
        values = tuple([arguments.pop(arg.name) for arg in d.inputs])
        return build(d, values, {**defaults, **arguments}, name)

    def shape(rule: Callable[..., Any]) -> Callable[..., Any]:
        d.shape_rule = _renamed(rule, f"{name_of}.shape")
        return rule

    def grad(rule: Callable[..., Any]) -> Callable[..., Any]:
        d.grad_rule = _renamed(rule, f"{name_of}.grad")
        return rule

    def ready(waits_to: Literal["put", "take", "close"]) -> Callable[..., Any]:
        def add(rule: Callable[..., Any]) -> Callable[..., Any]:
            d.ready_rule, d.waits_to = _renamed(rule, f"{name_of}.ready"), waits_to
            return rule

        return add

    def begins(rule: Callable[..., Any]) -> Callable[..., Any]:
        d.begins_rule = _renamed(rule, f"{name_of}.begins")
        return rule

    def lines_up(rule: Callable[..., Any]) -> Callable[..., Any]:
        d.lines_up_rule = _renamed(rule, f"{name_of}.lines_up")
        return rule

    def run_shapes(rule: Callable[..., Any]) -> Callable[..., Any]:
        d.run_shapes = _renamed(rule, f"{name_of}.run_shapes")
        return rule

    call.__name__ = call.__qualname__ = name_of
    call.__doc__ = d.doc
    call.__module__ = kernel.__module__
    call.__signature__ = _signature(keys, defaults)  # type: ignore[attr-defined]
    call.definition, call.shape, call.grad = d, shape, grad  # type: ignore[attr-defined]
    call.ready, call.begins, call.lines_up = ready, begins, lines_up  # type: ignore[attr-defined]
    call.run_shapes = run_shapes  # type: ignore[attr-defined]
    d.caller = call
    return call


def _refuse(text: str, values: Iterable[Any]) -> NoReturn:
    raise TypeError(error_text(text, [v for v in values if isinstance(v, Tensor)]))


def _signature(keys: list[str], defaults: dict[str, Any]) -> inspect.Signature:
    parameters = []
    open_default = False
    for key in [*keys, "name"]:
        default = defaults.get(key, inspect.Parameter.empty) if key != "name" else None
        # Python allows no positional parameter without a default after one with a default: those are keywords.
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


_SHAPES_IN_WORDS: dict[Callable[..., Shape], str] = {}


def in_words(words: str) -> Callable[[Callable[..., Shape]], Callable[..., Shape]]:
    """A decorator for a shape rule that several ops share: the documentation of each of them tells the shapes in these words."""

    def decorate(rule: Callable[..., Shape]) -> Callable[..., Shape]:
        _SHAPES_IN_WORDS[rule] = words
        return rule

    return decorate


@in_words("Any shape -> the same shape.")
def same_shape(x: Sym, *_: Sym, **__: Any) -> Shape:
    """The first input's shape."""
    return x.shape


@in_words("Two shapes that broadcast -> the broadcast shape.")
def broadcast_shape(x: Sym, y: Sym, **_: Any) -> Shape:
    """The shape that two inputs broadcast to."""
    return shapes.broadcast(x.shape, y.shape)


@in_words("The result is a scalar.")
def always_scalar(*_: Sym, **__: Any) -> Shape:
    """A scalar, whatever the inputs are."""
    return ()


_NOTES = re.compile(r"\n\n|\s+(?:Raises|Source|Differs from TF): ")


def _documentation(kernel: Callable[..., Any], shape: Callable[..., Any] | None) -> str:
    """The kernel's docstring; where the shape rule is a family's, the shapes come before the notes."""
    doc = inspect.getdoc(kernel) or ""
    words = None if shape is None else _SHAPES_IN_WORDS.get(shape)
    if words is None:
        return doc
    notes = _NOTES.search(doc)
    end = len(doc) if notes is None else notes.start()
    return f"{doc[:end]} {words}{doc[end:]}"


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
    return binary(
        type, function, T, doc, name=name, returns=dtypes.bool, role="comparison",
        not_differentiable="true_or_false", **options,
    )


def _member(
    kernel: Any, type: str, name: str, doc: str, notes: dict[str, Any], returns: Any, **options: Any
) -> Any:
    kernel.__name__, kernel.__doc__ = name, doc
    kernel.__annotations__ = {"xp": Any, **notes, "return": returns}
    return op(type, fresh=True, **options)(kernel)


__all__ = [
    "REGISTRY", "AtLeast", "Each", "FuncAttr", "Many", "Ref", "ShapeAttr", "Sym", "TensorAttr", "binary", "broadcast_shape",
    "compare", "in_words", "op", "same_shape", "typevar", "unary",
]  # fmt: skip
