"""Values and shapes as messages: `make_tensor_proto([1., 2.])`, `make_ndarray(message)`, and the same for a graph's constants.

A TensorProto may hold fewer elements than its shape has: the last one is repeated. A budget (base/budget.py) limits to how many
bytes such a message expands. No state.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ..base import budget, dtypes, proto, shapes
from ..base.dtypes import DType
from ..base.errors import error_text
from ..base.shapes import Shape, TensorShape
from ..op import constant

_MAX_AXES: Final = 254  # of a shape in TF
_MAX_ELEMENTS: Final = (1 << 63) - 1
# dtypes whose elements are stored in tensor_content if there are several
_RAW: Final = frozenset(
    ("float32", "float64", "int32", "uint8", "int16", "int8", "int64", "qint8", "quint8", "qint16", "quint16", "qint32",
     "uint32", "uint64")
)  # fmt: skip
_BITS: Final = frozenset(("float16", "bfloat16"))


# -- shapes --------------------------------------------------------------------------------------------------------


def shape_proto(raw: Shape) -> Any:
    """A raw shape as TensorShapeProto."""
    message = proto.TensorShapeProto()
    fill_shape(message, raw)
    return message


def as_proto(shape: TensorShape) -> Any:
    """A TensorShape as TensorShapeProto."""
    return shape_proto(shape.raw)


def fill_shape(message: Any, raw: Shape) -> None:
    message.SetInParent()
    if raw is None:
        message.unknown_rank = True
        return
    for size in raw:
        message.dim.add().size = -1 if size is None else size


def raw_shape(message: Any) -> Shape:
    """A TensorShapeProto as raw shape.

    Raises: ValueError for a size below -1.
    """
    if message.unknown_rank:
        return None
    sizes = [dim.size for dim in message.dim]
    if any(size < -1 for size in sizes):
        listed = ",".join(map(str, sizes))
        raise ValueError(f"Shape [{listed}] has dimensions with values below -1 (where -1 means unknown)")
    return tuple(None if size == -1 else size for size in sizes)


# -- values to messages --------------------------------------------------------------------------------------------


def make_tensor_proto(
    values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False, allow_broadcast: bool = False
) -> Any:
    """`values` [...] as TensorProto, by default with the dtype and shape of `tf.constant(values)`.

    Raises: TypeError for values of another dtype, ValueError for ragged lists and too many values.
    """
    if allow_broadcast and verify_shape:
        raise ValueError(error_text("allow_broadcast and verify_shape are not both allowed."))
    if isinstance(values, proto.TensorProto):
        return values
    requested = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    sizes = None if shape is None else tuple(int(size) for size in shape)
    if sizes is not None and 0 in sizes and not isinstance(values, np.ndarray | np.generic):
        array: Any = np.empty(sizes, (requested or dtypes.float32).numpy)
    else:
        array = np.asarray(_plain(constant.as_array(bytes(values) if isinstance(values, bytes) else values, requested)))
    tensor_dtype = requested or (dtypes.string if array.dtype == object else dtypes.as_dtype(array.dtype))
    if sizes is None:
        sizes = array.shape
    else:
        count = math.prod(sizes)
        if allow_broadcast:
            fits = array.shape in ((1,), ()) or array.size == count
        else:
            fits = not verify_shape or array.shape == sizes
        if not fits:
            raise TypeError(error_text(f"Expected Tensor's shape: {sizes}, got {array.shape}."))
        if array.size > count and not allow_broadcast:
            raise ValueError(
                error_text(f"Too many elements provided. Needed at most {count}, but received {array.size}")
            )
    return filled(array, tensor_dtype, sizes)


def filled(array: Any, dtype: DType, sizes: tuple[int, ...]) -> Any:
    """A TensorProto of the given sizes with the array's elements; readers repeat the last one for missing elements."""
    message = proto.TensorProto(dtype=dtype.as_datatype_enum)
    fill_shape(message.tensor_shape, sizes)
    array = np.asarray(array)
    if dtype.name in _RAW and array.size == math.prod(sizes) > 1:
        if array.nbytes >= 1 << 31:
            raise ValueError(error_text("Cannot create a tensor proto whose content is larger than 2GB."))
        little = array if array.dtype.names else array.astype(array.dtype.newbyteorder("<"), copy=False)
        message.tensor_content = little.tobytes()
        return message
    flat = array.ravel()
    field = getattr(message, proto.VALUE_FIELDS[dtype.name])
    if dtype is dtypes.resource or dtype is dtypes.variant:
        raise TypeError(error_text(f"Element type not supported in TensorProto: {dtype.name}"))
    if dtype.name in _BITS:
        field.extend(np.ascontiguousarray(flat).view(np.uint16).tolist())
    elif dtype.is_complex:
        field.extend(np.ascontiguousarray(flat).view(flat.real.dtype).tolist())
    elif flat.dtype.names:
        field.extend(flat[flat.dtype.names[0]].tolist())
    else:
        field.extend(flat.tolist())
    return message


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        array = np.empty((), object)
        array[()] = bytes(value)
        return array
    return value


def value_proto(value: Any, dtype: DType | None, unfilled: Any = None) -> Any:
    """A node's value as TensorProto; unfilled: the fewer elements from which the value was filled to its shape."""
    array = np.asarray(_plain(value))
    if dtype is None:
        dtype = dtypes.string if array.dtype == object else dtypes.as_dtype(array.dtype)
    elements = array if unfilled is None else np.asarray(_plain(unfilled))
    return filled(elements, dtype, array.shape)


# -- messages to values --------------------------------------------------------------------------------------------


def make_ndarray(tensor: Any) -> np.ndarray:
    """The value of a TensorProto, [...].

    Raises: TypeError for a dtype without values, ValueError when the message is malformed, ResourceExhaustedError when it expands
    to more than the budget.
    """
    budget.current().account("The TensorProto").take("bytes", bytes_to_fill(tensor))
    return _value(tensor)


def _value(tensor: Any) -> np.ndarray:
    """The value of a TensorProto whose size is paid for. Raises: see make_ndarray."""
    try:
        dtype = dtypes.as_dtype(tensor.dtype)
    except TypeError:
        raise TypeError(error_text(f"Unsupported tensor type: {tensor.dtype}")) from None
    sizes = [dim.size for dim in tensor.tensor_shape.dim]
    if len(sizes) > _MAX_AXES:
        raise ValueError(f"Shape {_listed(sizes)} has too many dimensions")
    if any(size < 0 for size in sizes) or tensor.tensor_shape.unknown_rank:
        raise ValueError(f"Shape {shapes.fmt(None) if not sizes else _listed(sizes)} is not fully defined")
    if math.prod(size or 1 for size in sizes) > _MAX_ELEMENTS:
        raise ValueError(f"Shape {_listed(sizes)} is too large (more than 2**63 - 1 entries)")
    if dtype is dtypes.resource or dtype is dtypes.variant:
        raise TypeError(f"Unsupported tensor type: {tensor.dtype}")
    return _expanded(_elements(tensor, dtype.base_dtype), dtype.base_dtype, tuple(sizes), bool(tensor.tensor_content))


def bytes_to_fill(tensor: Any) -> int:
    """The bytes that the value takes beyond the elements that the message holds; 0 for a message without a sound value."""
    sizes = [dim.size for dim in tensor.tensor_shape.dim]
    if tensor.tensor_content or tensor.tensor_shape.unknown_rank or len(sizes) > _MAX_AXES or not sizes or min(sizes) < 0:
        return 0
    try:
        dtype = dtypes.as_dtype(tensor.dtype).base_dtype
    except TypeError:
        return 0
    if dtype.numpy is None or dtype.name not in proto.VALUE_FIELDS:
        return 0
    if math.prod(size or 1 for size in sizes) > _MAX_ELEMENTS:
        return 0
    held = len(getattr(tensor, proto.VALUE_FIELDS[dtype.name])) // (2 if dtype.is_complex else 1)
    return int(max(0, math.prod(sizes) - held) * np.dtype(dtype.numpy).itemsize)


def _listed(sizes: list[int]) -> str:
    shown = ",".join(map(str, sizes[:_MAX_AXES]))
    return f"[{shown}]" if len(sizes) <= _MAX_AXES else f"[{shown},…]"


def _elements(tensor: Any, dtype: DType) -> Any:
    """The elements that the message holds, [n]."""
    numpy = dtype.numpy
    assert numpy is not None
    if tensor.tensor_content:
        if dtype is dtypes.string:
            raise ValueError("Cannot parse tensor from proto: strings cannot be in tensor_content")
        if len(tensor.tensor_content) % numpy.itemsize:
            raise ValueError(
                f"Cannot parse tensor from proto: {len(tensor.tensor_content)} bytes are no multiple of the size of {dtype.name}"
            )
        return np.frombuffer(tensor.tensor_content, numpy).copy()
    field = getattr(tensor, proto.VALUE_FIELDS[dtype.name])
    if dtype is dtypes.string:
        strings = np.empty(len(field), object)
        strings[:] = list(field)
        return strings
    values = np.array(list(field))
    if dtype.is_complex:
        return values[: len(values) // 2 * 2].astype(numpy.type(0).real.dtype).view(numpy)
    if dtype.name in _BITS:
        return (values.astype(np.int64) & 0xFFFF).astype(np.uint16).view(numpy)
    if numpy.names:
        return values.astype(numpy[0]).view(numpy)
    return values.astype(numpy)


def _expanded(elements: Any, dtype: DType, sizes: tuple[int, ...], exact: bool) -> Any:
    """The elements [n] with the last one repeated, reshaped to `sizes`; exact: n must be the number of elements."""
    count = math.prod(sizes)
    assert dtype.numpy is not None
    if elements.size == count:
        return elements.reshape(sizes)
    if exact or elements.size > count:
        raise ValueError(
            f"Cannot parse tensor from proto: shape {_listed(list(sizes))} needs {count} elements, "
            f"the message has {elements.size}"
        )
    if elements.size == 0:
        out = np.zeros(count, dtype.numpy)
        if dtype is dtypes.string:
            out[:] = b""
    else:
        out = np.empty(count, dtype.numpy)
        out[: elements.size] = elements
        out[elements.size :] = elements[-1]
    return out.reshape(sizes)


def read_tensor(graph: Any, tensor: Any) -> Any:
    """The value of a TensorProto that a program passes as an attribute. Raises: see make_ndarray."""
    return make_ndarray(tensor)


def stored_value(tensor: Any) -> tuple[Any, Any]:
    """(the value of a TensorProto as a node stores it, the message's elements if they are fewer, else None).

    The caller has checked the size of the value against its budget.
    """
    array = _value(tensor)
    dtype = dtypes.as_dtype(tensor.dtype).base_dtype
    unfilled = None
    if array.size > 1 and not tensor.tensor_content:
        elements = _elements(tensor, dtype)
        if elements.size < array.size:
            unfilled = elements
    if array.shape == ():
        return array[()], unfilled
    array.flags.writeable = False
    return array, unfilled
