"""Binds the arguments of a call to the inputs and attributes of a node: converts values to tensors and attributes to their types.

The error texts are those of TF 1.15. No state.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..base import dtypes, shapes
from ..base.dtypes import DType, as_dtype
from ..base.errors import error_text
from ..base.plain_arrays import plain
from ..base.suggest import nearest
from ..base.text_bytes import as_text
from ..graph.conversion import convert_to_tensor
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from ..graph.nodes import Tensor
from .definition import Arg, Attr, OpDef

_INT64: Final = dtypes.int64.as_datatype_enum
_LOW: Final = -(1 << 31)
_HIGH: Final = (1 << 31) - 1


def output_types(arg: Arg, attrs: Mapping[str, Any]) -> Sequence[DType]:
    if arg.type_list_attr is not None:
        return tuple(attrs[arg.type_list_attr])
    dtype = arg.dtype if arg.type_attr is None else attrs[arg.type_attr]
    assert dtype is not None
    if arg.is_ref:
        dtype = dtype.as_ref
    return (dtype,) if arg.number_attr is None else (dtype,) * attrs[arg.number_attr]


def bind_inputs(
    d: OpDef, values: Sequence[Any], attrs: dict[str, Any]
) -> tuple[tuple[Tensor, ...], dict[str, Any]]:
    """The inputs as tensors, and the attributes that follow from them."""
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


def refuse_captured_references(d: OpDef, inputs: Sequence[Tensor], name: str) -> None:
    """Raises: TypeError when an input that must be a reference is one that a function has captured, and so a value."""
    if any(arg.is_ref and not tensor.dtype.is_ref for arg, tensor in zip(d.inputs, inputs)):
        expected = [tensor.dtype.as_ref if arg.is_ref else tensor.dtype for arg, tensor in zip(d.inputs, inputs)]
        given, wanted = (", ".join(f"tf.{kind.name}" for kind in kinds) for kinds in ([t.dtype for t in inputs], expected))
        raise TypeError(
            error_text(
                f"In op '{name}', input types ([{given}]) are not compatible with expected types ([{wanted}])",
                inputs,
                fix="a function of a dataset gets a reference variable's value; use_resource=True makes one that it can change",
            )
        )


def _check_counts(d: OpDef, values: Sequence[Any]) -> None:
    """Checks the lengths of counted lists, as TF's generated function does before all else, under the name of that function."""
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
            items = [
                convert_to_tensor(v, None if wanted is None else wanted[i], name=f"{arg.name}_{i}")
                for i, v in enumerate(value)
            ]
        except (TypeError, ValueError):
            raise TypeError(f"{_in_list(d, arg, value)} that are invalid. Tensors: {list(value)}") from None
        _check_length(d, types, items)
        bound[types] = [t.dtype.base_dtype for t in items]
        allowed = next(a.allowed for a in d.attrs if a.name == types)
        if allowed is not None:
            for dtype in bound[types]:
                if dtype not in allowed:
                    _refuse(d, types, dtype, arg.name)
        tensors.extend(items)
        return
    assert number is not None
    count = bound.get(number)
    if count is None:
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
        # Literals in the list get the dtype of its first tensor.
        dtype = next((v.dtype.base_dtype for v in value if isinstance(v, Tensor)), None)
    try:
        items = [
            v if type(v) is Tensor and v.dtype is dtype
            else convert_to_tensor(v, dtype, name=f"{arg.name}_{i}", as_ref=arg.is_ref)
            for i, v in enumerate(value)
        ]
        fits = len({t.dtype.base_dtype.as_datatype_enum for t in items}) <= 1
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
        if not items:
            raise TypeError(
                f"Don't know how to infer type variable from empty input list passed to input '{arg.name}' of '{d.type}' Op."
            )
        base = items[0].dtype.base_dtype
        if type_attr in d.allowed and base.as_datatype_enum not in d.allowed[type_attr]:
            _refuse(d, type_attr, base, arg.name)
        bound[type_attr] = base
        origin[type_attr] = arg.name
    tensors.extend(items)


def snake_name(op_type: str) -> str:
    """The name of TF's generated function for an op type: concat_v2, string_n_grams, conv2d_backprop_input."""
    return re.sub(r"(?<=[0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", op_type).lower()


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
        literal_dtype = as_dtype(np.asarray(value).dtype)
        if not isinstance(value, np.generic | np.ndarray):
            # A literal has the narrow dtype.
            literal_dtype = {dtypes.int64: dtypes.int32, dtypes.float64: dtypes.float32}.get(literal_dtype, literal_dtype)
        return literal_dtype.name
    except TypeError:
        return "<NOT CONVERTIBLE TO TENSOR>"


def _convert(d: OpDef, arg: Arg, value: Any, dtype: DType | None, origin: dict[str, str]) -> Tensor:
    preferred = None
    if dtype is None and arg.type_attr is not None:
        preferred = next((a.default for a in d.attrs if a.name == arg.type_attr and not a.required), None)
        if preferred is dtypes.int32 and _is_wide(value) and _INT64 in d.allowed.get(arg.type_attr, ()):
            preferred = dtypes.int64
    try:
        return convert_to_tensor(value, dtype, name=arg.name, as_ref=arg.is_ref, preferred_dtype=preferred)
    except TypeError as error:
        if dtype is None:
            raise
        raise TypeError(
            error_text(
                f"Expected {dtype.name} passed to parameter '{arg.name}' of op '{d.type}', got {_short(value)} of type "
                f"'{type(value).__name__}' instead. Error: {_first_line(error)}"
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
        fix = _cast(observed, dtype, arg.type_attr in origin) if tensors else None
        raise TypeError(error_text(message, tensors, fix)) from None


def _is_wide(value: Any) -> bool:
    """Whether a number among the values does not fit int32, so that it would become another size."""
    if isinstance(value, list | tuple):
        return any(map(_is_wide, value))
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "iu" and value.size > 0 and not (value.min() >= _LOW and value.max() <= _HIGH)
    return isinstance(value, int) and not _LOW <= value <= _HIGH


def _cast(observed: DType, expected: DType, either: bool) -> str | None:
    """The advice that makes the dtypes of two numbers equal, without loss where either of them may be converted."""
    kinds = (observed.base_dtype, expected.base_dtype)
    if not all(kind.is_floating or kind.is_integer or kind.is_complex for kind in kinds):
        return None
    if either and kinds[1].is_integer and not kinds[0].is_integer:
        return f"convert the other one: tf.cast(x, tf.{kinds[0].name})"
    return f"convert this one: tf.cast(x, tf.{kinds[1].name})"


def _short(value: Any) -> str:
    text = str(value) if isinstance(value, Tensor) else repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _first_line(error: BaseException) -> str:
    return str(error).split("\n", 1)[0]


def _refuse(d: OpDef, attr_name: str, dtype: DType, parameter: str) -> None:
    allowed = next(attr.allowed for attr in d.attrs if attr.name == attr_name)
    listed = ", ".join(t.name for t in allowed or ())
    first = f"Value passed to parameter '{parameter}' has DataType {dtype.name} not in list of allowed values: {listed}"
    only_floats = allowed is not None and dtypes.float32 in allowed and not any(t.is_integer for t in allowed)
    raise TypeError(error_text(first, fix="tf.cast(x, tf.float32)" if only_floats and dtype.is_integer else None))


def attr_value(d: OpDef, attr: Attr, value: Any) -> Any:
    """The attribute's value in the form that a node stores.

    Raises: TypeError or ValueError in TF's words.
    """
    kind = attr.kind
    if kind.startswith("list("):
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"Expected list for '{attr.name}' argument to '{snake_name(d.type)}' Op, not {value!r}.")
        _check_length(d, attr.name, value)
        inner = Attr(attr.name, kind[5:-1], allowed=attr.allowed)
        return [attr_value(d, inner, item) for item in value]
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
    if kind == "func":
        if not isinstance(value, Graph):
            raise TypeError(f"Expected a function for argument '{attr.name}' not {value!r}.")
        return value
    if kind == "bool":
        raise TypeError(f"Expected bool for argument '{attr.name}' not {value!r}.")
    if kind == "int":
        number = _integer(attr, value)
        if attr.minimum is not None and number < attr.minimum:
            first = f"Attr '{attr.name}' of '{d.type}' Op passed {number} less than minimum {attr.minimum}."
            raise ValueError(error_text(first))
        return number
    if kind == "float":
        if not isinstance(value, (int, float, np.integer, np.floating)):
            raise TypeError(f"Expected float for argument '{attr.name}' not {value!r}.")
        # The message has a float32 field, and TF's kernel computes with it: a larger number is infinite.
        with np.errstate(over="ignore"):
            return float(np.float32(value))
    if kind == "string":
        if isinstance(value, bytes):
            value = as_text(value)
        if not isinstance(value, str):
            raise TypeError(f"Expected string for argument '{attr.name}' not {value!r}.")
        if attr.allowed is not None and value not in attr.allowed:
            listed = ", ".join(f'"{v}"' for v in attr.allowed)
            meant = nearest(value, attr.allowed)
            raise ValueError(
                error_text(
                    f"Attr '{attr.name}' of '{d.type}' Op passed string '{value}' not in: {listed}.",
                    fix=None if meant is None else f'{attr.name}="{meant}"',
                )
            )
        return value
    if kind == "shape":
        try:
            shape = shapes.as_raw(value)
        except (TypeError, ValueError) as error:
            text = f"Error converting {attr.name} to a TensorShape: {_first_line(error).rstrip('.')}."
            raise type(error)(text) from None
        for size in shape or ():
            _check_in_64_bits(size or 0, f"Error converting {attr.name} to a TensorShape: ")
        return shape
    if kind == "tensor" and hasattr(value, "tensor_shape"):
        # a TensorProto, which engine/interop reads
        return get_default_graph()._read_tensor(value)  # type: ignore[attr-defined]
    return plain(value)


def _integer(attr: Attr, value: Any) -> int:
    if not isinstance(value, str):
        try:
            number = int(value)
        except (TypeError, ValueError):
            pass
        else:
            _check_in_64_bits(number, "")
            return number
    raise TypeError(f"Expected int for argument '{attr.name}' not {value!r}.")


def _check_in_64_bits(number: int, subject: str) -> None:
    """Raises: ValueError for a number that the message of an attribute cannot hold."""
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError(f"{subject}Value out of range: {number}")


def bind_types(d: OpDef, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> None:
    """Adds the type attributes that follow from single inputs, unless `attrs` has them."""
    for arg, tensor in zip(d.inputs, inputs):
        if arg.is_list:
            return
        if arg.type_attr is not None:
            attrs.setdefault(arg.type_attr, tensor.dtype.base_dtype)


def check_references(d: OpDef, inputs: Sequence[Tensor], name: str) -> None:
    """Raises: ValueError when an input that must be a reference to a variable is not one."""
    for arg, tensor in zip(d.inputs, inputs) if d.flat else ((d.inputs[0], t) for t in inputs):
        if arg.is_ref and not tensor.dtype.is_ref:
            first = (
                f"Input '{arg.name}' passed {tensor.dtype.name} expected ref type while building NodeDef '{name}' "
                f"using Op<name={d.type}>"
            )
            raise ValueError(error_text(first, inputs))
