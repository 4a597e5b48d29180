"""Signatures of op types: `signature("MatMul")`, from the registry or from a table of all TF's op types.

A graph file may contain ops that tfedu cannot run: they are imported and drawn by the table `known_ops.txt`, which
`tools/known_ops.py` writes. `op_def_message` is TF's OpDef of a signature, `summary` its line in error texts.
State: caches of the table's lines and of the signatures read from it.
"""

from __future__ import annotations

import functools
import inspect
import json
import pathlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..base import dtypes, proto
from ..base.dtypes import DType
from ..op.definition import REGISTRY, Arg, Attr, OpDef
from . import attr_messages as attributes

_MISSING = inspect.Parameter.empty


@dataclass(eq=False, frozen=True)
class Signature:
    """Inputs, outputs and attributes of an op type; `definition` is None when tfedu has no kernel."""

    type: str
    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    attrs: tuple[Attr, ...]
    definition: OpDef | None = None
    by_name: Mapping[str, Attr] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {a.name: a for a in self.attrs})


def signature(type: str) -> Signature | None:
    """The signature of an op type, or None for an unknown type."""
    definition = REGISTRY.get(type)
    return signature_in_tf(type) if definition is None else _defined(definition)


@functools.cache
def _defined(definition: OpDef) -> Signature:
    tf_signature = signature_in_tf(definition.type)
    minima = {} if tf_signature is None else {a.name: a.minimum for a in tf_signature.attrs}
    attrs = tuple(replace(a, minimum=minima.get(a.name)) for a in definition.attrs)
    return Signature(definition.type, definition.inputs, definition.outputs, attrs, definition)


@functools.cache
def _table() -> dict[str, str]:
    text = pathlib.Path(__file__).with_name("known_ops.txt").read_text(encoding="utf-8")
    return dict(line.split(" ", 1) for line in text.splitlines())


@functools.cache
def signature_in_tf(type: str) -> Signature | None:
    """The signature in TF's own registry, or None."""
    line = _table().get(type)
    if line is None:
        return None
    head, *rest = line.split(" ; ")
    inputs, outputs = (tuple(_arg(a) for a in side.strip().split(",") if a) for side in head.split("->"))
    return Signature(type, inputs, outputs, tuple(map(_attr, rest)))


def _arg(text: str) -> Arg:
    name, kind = text.split(":", 1)
    count, star, kind = kind.rpartition("*")
    is_ref = kind.startswith("&")
    kind = kind.removeprefix("&")
    number = count if star else None
    if kind.startswith("["):
        return Arg(name, type_list_attr=kind[1:-1])
    if kind.endswith("!"):
        return Arg(name, dtypes.as_dtype(kind[:-1]), number_attr=number, is_ref=is_ref)
    return Arg(name, type_attr=kind, number_attr=number, is_ref=is_ref)


def _attr(text: str) -> Attr:
    name, rest = text.split(":", 1)
    declared, default = re.fullmatch(r"([^=>]*(?:>=-?\d+)?)(?:=(.*))?", rest).groups()  # type: ignore[union-attr]
    kind, _, minimum = declared.partition(">=")
    default_value = _MISSING if default is None else _default(kind, json.loads(default))
    return Attr(name, kind, default_value, minimum=int(minimum) if minimum else None)


def _default(kind: str, value: Any) -> Any:
    if kind == "type":
        return dtypes.as_dtype(value)
    if kind == "list(type)":
        return [dtypes.as_dtype(v) for v in value]
    if kind == "shape" and value is not None:
        return tuple(value)
    if kind == "list(shape)":
        return [None if v is None else tuple(v) for v in value]
    if kind == "func":
        return proto.NameAttrList(name=value["func"])
    return value


# -- as text and message -------------------------------------------------------------------------------------------


def summary(s: Signature) -> str:
    """`Op<name=Identity; signature=input:T -> output:T; attr=T:type>`, as TF's errors name an op."""
    inputs, outputs = (", ".join(_arg_text(a) for a in side) for side in (s.inputs, s.outputs))
    parts = [f"Op<name={s.type}", f"signature={inputs} -> {outputs}"]
    for a in s.attrs:
        text = f"{a.name}:{a.kind}"
        if not a.required:
            text += f",default={attributes.text(a.kind, a.default)}"
        if a.allowed is not None:
            kind = a.kind.removeprefix("list(").removesuffix(")")
            text += ",allowed=[" + ", ".join(attributes.text(kind, v) for v in a.allowed) + "]"
        parts.append(f"attr={text}")
    if s.definition is not None and s.definition.stateful:
        parts.append("is_stateful=true")
    return "; ".join(parts) + ">"


def _arg_text(arg: Arg) -> str:
    if arg.type_list_attr is not None:
        return f"{arg.name}:{arg.type_list_attr}"
    kind = arg.type_attr or type_text(arg.dtype)
    if arg.is_ref:
        kind = f"Ref({kind})"
    return f"{arg.name}:{arg.number_attr}*{kind}" if arg.number_attr else f"{arg.name}:{kind}"


def type_text(dtype: DType | None) -> str:
    """The name of a dtype in TF's runtime: `float`, `double_ref`."""
    if dtype is None:
        return "invalid"
    return dtypes.runtime_name(dtype.base_dtype) + ("_ref" if dtype.is_ref else "")


def op_def_message(s: Signature) -> Any:
    """The op type as TF's OpDef message."""
    message = proto.OpDef(name=s.type)
    for side, args in ((message.input_arg, s.inputs), (message.output_arg, s.outputs)):
        for arg in args:
            entry = side.add(name=arg.name, is_ref=arg.is_ref)
            if arg.dtype is not None:
                entry.type = arg.dtype.as_datatype_enum
            for key in ("type_attr", "number_attr", "type_list_attr"):
                if getattr(arg, key):
                    setattr(entry, key, getattr(arg, key))
    for attr in s.attrs:
        row = message.attr.add(name=attr.name, type=attr.kind)
        if not attr.required:
            attributes.fill(row.default_value, attr.kind, attr.default)
        if attr.allowed is not None:
            kind = attr.kind.removeprefix("list(").removesuffix(")")
            attributes.fill(row.allowed_values, f"list({kind})", list(attr.allowed))
    if s.definition is not None:
        message.is_stateful = s.definition.stateful
        message.allows_uninitialized_input = s.definition.allows_uninitialized
    return message
