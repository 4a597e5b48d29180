"""Checks of a NodeDef against its op type: attributes, and the dtypes of inputs and outputs.

`attributes_of(node, signature, name, {})` reads and checks attributes; `types_of(signature.inputs, attrs, name)` is the list
of its inputs' dtypes. No state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base import proto
from ..base.dtypes import DType
from ..base.errors import error_text
from ..op.definition import Arg
from . import attr_messages as attributes
from . import op_signatures, tensor_messages
from .op_signatures import Signature, type_text


def attributes_of(
    definition: Any, signature: Signature, name: str, producer_ops: Mapping[str, Any]
) -> tuple[dict[str, Any], Any]:
    """The node's attributes with defaults, and a constant's unfilled value (see `tensor_messages.stored_value`).

    Raises: ValueError in TF's words for attributes that the op type does not allow.
    """
    attrs: dict[str, Any] = {}
    unfilled: Any = None
    dropped = _at_producers_default(definition, signature, producer_ops)
    declared_order = {attr.name: at for at, attr in enumerate(signature.attrs)}
    # A map of protobuf has another order in each process; the attributes of a node made here stand as they are declared.
    for key in sorted(definition.attr, key=lambda key: (declared_order.get(key, len(declared_order)), key)):
        if key in dropped:
            continue
        message = definition.attr[key]
        declared = signature.by_name.get(key)
        kind = None if declared is None else declared.kind
        try:
            if key == "_class":
                value = [bytes(s) for s in message.list.s]
            elif key == "_output_shapes":
                # TF ignores values that are no list of shapes.
                if attributes.value_kind(message) not in ("list(shape)", "list"):
                    continue
                value = attributes.read("list(shape)", message)
            else:
                value = attributes.read(kind, message)
            if kind == "tensor":
                value, unfilled = tensor_messages.stored_value(value)
                declared_type = definition.attr["dtype"].type if "dtype" in definition.attr else 0
                if definition.op == "Const" and declared_type and declared_type != message.tensor.dtype:
                    raise attributes.WrongAttr(
                        f"Type mismatch between value ({_type_name(message.tensor.dtype)}) "
                        f"and dtype ({_type_name(declared_type)})"
                    )
        except attributes.WrongAttr as wrong:
            if str(wrong).startswith("Shape ["):
                # TF finds a size below -1 only when it infers the node's shapes.
                raise ValueError(error_text(_shape_error_text(wrong, signature, name))) from None
            where = f"; NodeDef: {{{{node {name}}}}}; {op_signatures.summary(signature)}"
            raise ValueError(error_text(f"{wrong}\n\t for attr '{key}'\n\t{where}")) from None
        except (TypeError, ValueError) as error:
            raise ValueError(error_text(_shape_error_text(error, signature, name))) from None
        attrs[key] = value
    for attr in signature.attrs:
        if attr.name not in attrs:
            if attr.required:
                raise ValueError(
                    error_text(
                        f"NodeDef missing attr '{attr.name}' from {op_signatures.summary(signature)}; "
                        f"NodeDef: {{{{node {name}}}}}"
                    )
                )
            attrs[attr.name] = attr.default
        else:
            _check_value(attr, attrs[attr.name], signature, name)
    return attrs, unfilled


def _shape_error_text(error: Exception, signature: Signature, name: str) -> str:
    return f"{error} for '{name}' (op: '{signature.type}') with input shapes: ."


def _check_value(attr: Any, value: Any, signature: Signature, name: str) -> None:
    items = value if attr.kind.startswith("list(") else [value]
    wrong = None
    if attr.minimum is not None:
        size = len(items) if items is value else value
        if size < attr.minimum:
            wrong = f"Value for attr '{attr.name}' of {size} must be at least minimum {attr.minimum}"
            if items is value:
                wrong = f"Length for attr '{attr.name}' of {size} must be at least minimum {attr.minimum}"
    for item in items if attr.allowed is not None else ():
        if item not in attr.allowed:
            names = [type_text(v) if isinstance(v, DType) else f'"{v}"' for v in attr.allowed]
            item_text = type_text(item) if isinstance(item, DType) else f'"{item}"'
            wrong = f"Value for attr '{attr.name}' of {item_text} is not in the list of allowed values: {', '.join(names)}"
    if wrong is not None:
        raise ValueError(
            error_text(f"{wrong}\n\t; NodeDef: {{{{node {name}}}}}; {op_signatures.summary(signature)}")
        )


def _at_producers_default(
    definition: Any, signature: Signature, producer_ops: Mapping[str, Any]
) -> set[str]:
    """The undeclared attributes that have the default values of the program that wrote the file."""
    producer = producer_ops.get(definition.op)
    if producer is None:
        return set()
    defaults = {a.name: a.default_value for a in producer.attr if a.HasField("default_value")}
    return {
        key
        for key, value in definition.attr.items()
        if key not in signature.by_name
        and key in defaults
        and value.SerializeToString(deterministic=True) == defaults[key].SerializeToString(deterministic=True)
    }


def types_of(args: tuple[Arg, ...], attrs: dict[str, Any], name: str, at_most: int | None = None) -> list[DType] | None:
    """The dtypes of a node's inputs or outputs, or None for more than `at_most`."""
    types: list[DType] = []
    for arg in args:
        if arg.type_list_attr is not None:
            types.extend(attrs[arg.type_list_attr])
        else:
            dtype = arg.dtype if arg.type_attr is None else attrs[arg.type_attr]
            assert dtype is not None
            if arg.is_ref:
                dtype = dtype.as_ref
            count = 1 if arg.number_attr is None else attrs[arg.number_attr]
            if count < 0:
                first = f"Value for attr '{arg.number_attr}' of {count} must be at least minimum 0"
                raise ValueError(error_text(f"{first}\n\t; NodeDef: {{{{node {name}}}}}"))
            if at_most is not None and count > at_most:
                return None
            types.extend([dtype] * count)
        if at_most is not None and len(types) > at_most:
            return None
    return types


def _type_name(number: int) -> str:
    return proto.DATA_TYPES.get(number, str(number)).removeprefix("DT_").lower()
