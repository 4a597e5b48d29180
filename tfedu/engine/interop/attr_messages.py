"""Attributes as messages and back: `fill(message, "type", tf.float32)`, `read("type", message)`.

`kind` is the declaration of the op type ("int", "list(shape)", …), None for an undeclared attribute, whose kind follows from
the value or message. No state.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..base import dtypes, proto
from ..base.dtypes import DType
from ..base.shapes import Shape, TensorShape
from ..base.text_bytes import as_bytes, as_text
from . import tensor_messages

# kind -> its field in AttrValue and in AttrValue.list
_FIELDS = {
    "string": "s", "int": "i", "float": "f", "bool": "b", "type": "type", "shape": "shape", "tensor": "tensor", "func": "func",
}  # fmt: skip
_KINDS = {field: kind for kind, field in _FIELDS.items()}


# Undeclared attributes of these kinds stay messages, since their Python values do not tell the kind: a shape is a tuple.
_AS_MESSAGES = frozenset(("", "placeholder", "shape", "tensor", "list(shape)", "list(tensor)"))


class WrongAttr(Exception):
    """An AttrValue of another kind than the op type declares; the text is TF's."""


# -- values to messages --------------------------------------------------------------------------------------------


def fill(message: Any, kind: str | None, value: Any, dtype: DType | None = None, unfilled: Any = None) -> None:
    """Writes a node's attribute into an AttrValue; unfilled: see `tensor_messages.value_proto`."""
    if isinstance(value, proto.AttrValue):
        message.CopyFrom(value)
        return
    if kind is None:
        kind = _python_kind(value)
    if not kind.startswith("list("):
        _fill_one(message, kind, value, dtype, unfilled)
        return
    message.list.SetInParent()
    inner = kind[5:-1]
    items = getattr(message.list, _FIELDS.get(inner, "s"))
    if inner == "shape":
        for item in value:
            tensor_messages.fill_shape(items.add(), _raw(item))
    elif inner == "tensor":
        items.extend(_tensor(item, None, None) for item in value)
    elif inner == "func":
        items.extend(_function(item) for item in value)
    else:
        items.extend(_scalar(inner, item) for item in value)


def _fill_one(message: Any, kind: str, value: Any, dtype: DType | None, unfilled: Any) -> None:
    if kind == "shape":
        tensor_messages.fill_shape(message.shape, _raw(value))
    elif kind == "tensor":
        message.tensor.CopyFrom(_tensor(value, dtype, unfilled))
    elif kind == "func":
        message.func.CopyFrom(_function(value))
    else:
        setattr(message, _FIELDS[kind], _scalar(kind, value))


def _scalar(kind: str, value: Any) -> Any:
    if kind == "type":
        return value.as_datatype_enum if isinstance(value, DType) else dtypes.as_dtype(value).as_datatype_enum
    if kind == "string":
        return as_bytes(value) if isinstance(value, str) else bytes(value)
    if kind == "int":
        return int(value)
    if kind == "float":
        return float(value)
    return bool(value)


def _raw(value: Any) -> Shape:
    return value.raw if isinstance(value, TensorShape) else value


def _tensor(value: Any, dtype: DType | None, unfilled: Any) -> Any:
    return value if isinstance(value, proto.TensorProto) else tensor_messages.value_proto(value, dtype, unfilled)


def _function(value: Any) -> Any:
    return value if isinstance(value, proto.NameAttrList) else proto.NameAttrList(name=str(value))


def _python_kind(value: Any) -> str:
    """The kind of an undeclared attribute, from its Python value."""
    if isinstance(value, (list, tuple)):
        return f"list({_python_kind(value[0]) if value else 'string'})"
    for types, kind in (
        ((bool, np.bool_), "bool"), ((int, np.integer), "int"), ((float, np.floating), "float"), ((str, bytes), "string"),
        (DType, "type"), (TensorShape, "shape"), (proto.NameAttrList, "func"),
    ):  # fmt: skip
        if isinstance(value, types):
            return kind
    return "tensor"


# -- messages to values --------------------------------------------------------------------------------------------


def value_kind(message: Any) -> str:
    """The kind of an AttrValue's value: "int", "list(type)", "list" for an empty list, "placeholder", or "" for no value."""
    field = message.WhichOneof("value")
    if field is None:
        return ""
    if field != "list":
        return _KINDS.get(field, field)
    for descriptor, items in message.list.ListFields():
        if items:
            return f"list({_KINDS[descriptor.name]})"
    return "list"


def read(kind: str | None, message: Any) -> Any:
    """The value of an AttrValue as a node stores it; an undeclared attribute may have any kind.

    Raises: WrongAttr for a value of another kind, or none.
    """
    actual_kind = value_kind(message)
    undeclared = kind is None
    if kind is None:
        if actual_kind in _AS_MESSAGES or not _is_readable(actual_kind, message):
            return _copied(message)
        kind = actual_kind
        if kind == "list":
            return []
    elif not actual_kind:
        raise WrongAttr(f"AttrValue missing value with expected type '{kind}'")
    elif actual_kind != kind and not (actual_kind == "list" and kind.startswith("list(")):
        raise WrongAttr(f"AttrValue had value with type '{actual_kind}' when '{kind}' expected")
    inner = kind[5:-1] if kind.startswith("list(") else kind
    # Only a declared string is known to be text.
    decode = bytes if undeclared and inner == "string" else functools.partial(_read_one, inner)
    if inner is kind:
        return decode(getattr(message, _FIELDS[kind]))
    return [decode(item) for item in getattr(message.list, _FIELDS[inner])]


def _is_readable(kind: str, message: Any) -> bool:
    """Whether an undeclared attribute is of one kind, with dtypes of tfedu: TF keeps any number, and lists of several kinds."""
    if len(message.list.ListFields()) > 1:
        return False
    if not kind.endswith(("type", "type)")):
        return True
    try:
        for number in message.list.type if kind == "list(type)" else (message.type,):
            _dtype(number)
    except WrongAttr:
        return False
    return True


def _copied(message: Any) -> Any:
    copy = proto.AttrValue()
    copy.CopyFrom(message)
    return copy


def _read_one(kind: str, item: Any) -> Any:
    if kind == "type":
        return _dtype(item)
    if kind == "string":
        return as_text(item)
    if kind == "shape":
        try:
            return tensor_messages.raw_shape(item)
        except ValueError as error:
            raise WrongAttr(str(error)) from None
    if kind == "tensor" or kind == "func":
        copy = type(item)()
        copy.CopyFrom(item)
        return copy
    return item


def _dtype(number: int) -> DType:
    if number == 0:
        raise WrongAttr("AttrValue has invalid DataType")
    name = proto.DATA_TYPES.get(number)
    if name is None:
        raise WrongAttr(f"AttrValue has invalid DataType enum: {number}")
    if name.endswith("_REF"):
        raise WrongAttr(f"AttrValue must not have reference type value of {name.removeprefix('DT_').lower()}")
    try:
        return dtypes.as_dtype(number)
    except TypeError:
        raise WrongAttr(f"AttrValue has DataType {name}, which tfedu has not") from None


# -- values as text ------------------------------------------------------------------------------------------------


def text(kind: str, value: Any) -> str:
    """A value as in the error texts of TF's runtime: `DT_FLOAT`, `"abc"`, `[2,?]`."""
    if kind.startswith("list("):
        return "[" + ", ".join(text(kind[5:-1], item) for item in value) + "]"
    if kind == "type":
        return proto.DATA_TYPES[value.as_datatype_enum]
    if kind == "string":
        return '"' + (value.decode("utf-8", "replace") if isinstance(value, bytes) else value) + '"'
    if kind == "bool":
        return "true" if value else "false"
    if kind == "shape":
        return "<unknown>" if value is None else "[" + ",".join("?" if d is None else str(d) for d in value) + "]"
    return str(value)
