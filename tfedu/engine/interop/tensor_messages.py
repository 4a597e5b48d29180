"""Values and shapes as messages: `make_tensor_proto([1., 2.])`, `make_ndarray(message)`, and the same for a graph's constants.

A TensorProto may hold fewer values than its shape asks for: the last one stands for the rest. Such a claim is unpacked up to
`MOST_BYTES`. No state.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ..base import dtypes, proto, shapes
from ..base.dtypes import DType
from ..base.errors import error_text
from ..base.shapes import Shape, TensorShape
from ..op import constant

MOST_BYTES: Final = 1 << 28
"""How much memory a TensorProto may claim beyond what it holds."""

# those stand in tensor_content where there are several
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
    """`values` as TensorProto, with the dtype and shape that `tf.constant` would choose.

    Raises: TypeError when a value does not fit the dtype, ValueError for ragged lists and too many values.
    """
    if allow_broadcast and verify_shape:
        raise ValueError(error_text("allow_broadcast and verify_shape are not both allowed."))
    if isinstance(values, proto.TensorProto):
        return values
    wanted = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    sizes = None if shape is None else tuple(int(size) for size in shape)
    if sizes is not None and 0 in sizes and not isinstance(values, np.ndarray | np.generic):
        array: Any = np.empty(sizes, (wanted or dtypes.float32).numpy)
    else:
        array = np.asarray(_plain(constant.as_array(bytes(values) if isinstance(values, bytes) else values, wanted)))
    found = wanted or (dtypes.string if array.dtype == object else dtypes.as_dtype(array.dtype))
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
    return filled(array, found, sizes)


def filled(array: Any, dtype: DType, sizes: tuple[int, ...]) -> Any:
    """A TensorProto of the given sizes that holds the array's elements; the last one stands for those that lack."""
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


def value_proto(value: Any, dtype: DType | None, given: Any = None) -> Any:
    """A node's value as TensorProto; `given` is what the program gave where the shape was filled up."""
    array = np.asarray(_plain(value))
    if dtype is None:
        dtype = dtypes.string if array.dtype == object else dtypes.as_dtype(array.dtype)
    held = array if given is None else np.asarray(_plain(given))
    return filled(held, dtype, array.shape)


# -- messages to values --------------------------------------------------------------------------------------------


def make_ndarray(tensor: Any) -> np.ndarray:
    """The value of a TensorProto.

    Raises: TypeError for a dtype without values, ValueError when the message is malformed or claims too much memory.
    """
    try:
        dtype = dtypes.as_dtype(tensor.dtype)
    except TypeError:
        raise TypeError(error_text(f"Unsupported tensor type: {tensor.dtype}")) from None
    sizes = [dim.size for dim in tensor.tensor_shape.dim]
    if any(size < 0 for size in sizes) or tensor.tensor_shape.unknown_rank:
        raise ValueError(f"Shape {shapes.fmt(None) if not sizes else _listed(sizes)} is not fully defined")
    if dtype is dtypes.resource or dtype is dtypes.variant:
        raise TypeError(f"Unsupported tensor type: {tensor.dtype}")
    return _expanded(_held(tensor, dtype.base_dtype), dtype.base_dtype, tuple(sizes), bool(tensor.tensor_content))


def _listed(sizes: list[int]) -> str:
    return "[" + ",".join(map(str, sizes)) + "]"


def _held(tensor: Any, dtype: DType) -> Any:
    """The elements that the message itself holds, as a vector."""
    numpy = dtype.numpy
    assert numpy is not None
    if tensor.tensor_content:
        if dtype is dtypes.string:
            raise ValueError("Cannot parse tensor from proto: strings do not stand in tensor_content")
        if len(tensor.tensor_content) % numpy.itemsize:
            raise ValueError(
                f"Cannot parse tensor from proto: {len(tensor.tensor_content)} bytes are no whole number of {dtype.name}s"
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


def _expanded(held: Any, dtype: DType, sizes: tuple[int, ...], exact: bool) -> Any:
    count = math.prod(sizes)
    assert dtype.numpy is not None
    if held.size == count:
        return held.reshape(sizes)
    if exact or held.size > count:
        raise ValueError(
            f"Cannot parse tensor from proto: shape {_listed(list(sizes))} needs {count} elements, and {held.size} are there"
        )
    if count * dtype.numpy.itemsize > MOST_BYTES:
        raise ValueError(
            f"Cannot parse tensor from proto: shape {_listed(list(sizes))} claims {count * dtype.numpy.itemsize} bytes, "
            f"and {held.size} of {count} elements are there"
        )
    if held.size == 0:
        out = np.zeros(count, dtype.numpy)
        if dtype is dtypes.string:
            out[:] = b""
    else:
        out = np.empty(count, dtype.numpy)
        out[: held.size] = held
        out[held.size :] = held[-1]
    return out.reshape(sizes)


def read_tensor(graph: Any, tensor: Any) -> Any:
    """The value of a TensorProto that a program gives as an attribute."""
    return stored_value(tensor)[0]


def stored_value(tensor: Any) -> tuple[Any, Any]:
    """The value of a TensorProto as a node keeps it, and what the message held where that is less (else None)."""
    array = make_ndarray(tensor)
    dtype = dtypes.as_dtype(tensor.dtype).base_dtype
    given = None
    if array.size > 1 and not tensor.tensor_content:
        held = _held(tensor, dtype)
        if held.size < array.size:
            given = held
    if array.shape == ():
        return array[()], given
    array.flags.writeable = False
    return array, given
