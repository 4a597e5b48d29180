"""What a node of a file must have by its op type: its attributes, and how many inputs and outputs of which dtypes.

`attributes_of(node, signature, name, {})` reads and checks a NodeDef's attributes; `types_of(signature.inputs, attrs, name)`
tells what it takes. No state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..base import proto
from ..base.dtypes import DType
from ..base.errors import error_text
from ..op.definition import Arg
from . import attr_messages as attributes
from . import op_signatures, tensor_messages
from .op_signatures import Signature, type_text

MOST_ARGS: Final = 1 << 18
"""So many inputs or outputs may one node have."""


def attributes_of(
    definition: Any, found: Signature, name: str, producer_ops: Mapping[str, Any]
) -> tuple[dict[str, Any], Any]:
    """The node's attributes as they are kept, with defaults; and what a constant's message held (tensors.stored_value).

    Raises: ValueError in TF's words for what the op type does not allow.
    """
    attrs: dict[str, Any] = {}
    given: Any = None
    dropped = _at_producers_default(definition, found, producer_ops)
    for key, message in definition.attr.items():
        if key in dropped:
            continue
        declared = found.by_name.get(key)
        kind = None if declared is None else declared.kind
        try:
            if key == "_class":
                value = [bytes(s) for s in message.list.s]
            elif key == "_output_shapes":
                # TF takes no notice of one that is not a list of shapes.
                if attributes.held_kind(message) not in ("list(shape)", "list"):
                    continue
                value = attributes.read("list(shape)", message)
            else:
                value = attributes.read(kind, message)
            if kind == "tensor" or (kind is None and isinstance(value, proto.TensorProto)):
                value, given = tensor_messages.stored_value(value)
                wanted = definition.attr["dtype"].type if "dtype" in definition.attr else 0
                if definition.op == "Const" and wanted and wanted != message.tensor.dtype:
                    raise attributes.WrongAttr(
                        f"Type mismatch between value ({_type_name(message.tensor.dtype)}) and dtype ({_type_name(wanted)})"
                    )
        except attributes.WrongAttr as wrong:
            if str(wrong).startswith("Shape ["):
                # TF meets a size below -1 only when it infers the node's shapes.
                raise ValueError(error_text(_as_a_shape_error(wrong, found, name))) from None
            where = f"; NodeDef: {{{{node {name}}}}}; {op_signatures.summary(found)}"
            raise ValueError(error_text(f"{wrong}\n\t for attr '{key}'\n\t{where}")) from None
        except (TypeError, ValueError) as error:
            raise ValueError(error_text(_as_a_shape_error(error, found, name))) from None
        attrs[key] = value
    for attr in found.attrs:
        if attr.name not in attrs:
            if attr.required:
                raise ValueError(
                    error_text(
                        f"NodeDef missing attr '{attr.name}' from {op_signatures.summary(found)}; NodeDef: {{{{node {name}}}}}"
                    )
                )
            attrs[attr.name] = attr.default
        else:
            _check_value(attr, attrs[attr.name], found, name)
    return attrs, given


def _as_a_shape_error(error: Exception, found: Signature, name: str) -> str:
    return f"{error} for '{name}' (op: '{found.type}') with input shapes: ."


def _check_value(attr: Any, value: Any, found: Signature, name: str) -> None:
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
            shown = type_text(item) if isinstance(item, DType) else f'"{item}"'
            wrong = f"Value for attr '{attr.name}' of {shown} is not in the list of allowed values: {', '.join(names)}"
    if wrong is not None:
        raise ValueError(
            error_text(f"{wrong}\n\t; NodeDef: {{{{node {name}}}}}; {op_signatures.summary(found)}")
        )


def _at_producers_default(
    definition: Any, found: Signature, producer_ops: Mapping[str, Any]
) -> set[str]:
    """The attributes that this op type does not know, and that are at the defaults of the program that wrote the file."""
    producer = producer_ops.get(definition.op)
    if producer is None:
        return set()
    defaults = {a.name: a.default_value for a in producer.attr if a.HasField("default_value")}
    return {
        key
        for key, value in definition.attr.items()
        if key not in found.by_name
        and key in defaults
        and value.SerializeToString(deterministic=True) == defaults[key].SerializeToString(deterministic=True)
    }


def types_of(args: tuple[Arg, ...], attrs: dict[str, Any], name: str) -> list[DType] | None:
    """The dtypes of a node's inputs or outputs, or None when there would be too many."""
    found: list[DType] = []
    for arg in args:
        if arg.type_list_attr is not None:
            found.extend(attrs[arg.type_list_attr])
        else:
            dtype = arg.dtype if arg.type_attr is None else attrs[arg.type_attr]
            assert dtype is not None
            if arg.is_ref:
                dtype = dtype.as_ref
            count = 1 if arg.number_attr is None else attrs[arg.number_attr]
            if count < 0:
                first = f"Value for attr '{arg.number_attr}' of {count} must be at least minimum 0"
                raise ValueError(error_text(f"{first}\n\t; NodeDef: {{{{node {name}}}}}"))
            if count > MOST_ARGS:
                return None
            found.extend([dtype] * count)
        if len(found) > MOST_ARGS:
            return None
    return found


def _type_name(number: int) -> str:
    return proto.DATA_TYPES.get(number, str(number)).removeprefix("DT_").lower()
