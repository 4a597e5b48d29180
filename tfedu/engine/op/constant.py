"""Constants: `constant([1, 2])` adds a Const node for a Python or NumPy value and chooses its dtype and shape.

`convert_to_tensor` calls it for every value that is not a tensor yet. Nothing is promoted: a literal gets the requested dtype
or raises an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base import site as sites
from ..base.dtypes import DType, as_dtype
from ..base.errors import ResourceExhaustedError, error_text
from ..base.memory_limit import check_constant
from ..base.plain_arrays import plain
from ..base.shapes import Dimension, Shape, TensorShape
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor, register_tensor_conversion_function
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from ..graph.nodes import Tensor
from .create import full_name
from .definition import REGISTRY
from .raw import raw

_INT32 = np.iinfo(np.int32)
_PLAIN = frozenset((float, int, bool))
_MOST_AXES = 64  # of an array of NumPy 2


def constant(
    value: Any, dtype: Any = None, shape: Any = None, name: str | None = "Const", verify_shape: bool = False
) -> Tensor:
    """A node whose output is always `value`.

    dtype: by default int32, float32, bool or string, as the value has it. shape: a value with fewer elements is repeated from
    its last one on.
    Raises: TypeError when a literal does not fit the dtype, ValueError for ragged lists and shapes that do not fit.
    """
    try:
        requested = None if dtype is None else as_dtype(dtype).base_dtype
        if shape is None and type(value) in _PLAIN:
            # Most constants are one number, whose shape needs no check.
            array, unfilled = as_array(value, requested), None
        else:
            array, unfilled = _value_of(value, requested, shape, verify_shape)
    except MemoryError as error:
        raise ResourceExhaustedError(None, None, error_text(f"OOM when building a constant: {error}")) from error
    except (TypeError, ValueError) as error:
        first = str(error)
        if "\n" in first or type(error) not in (TypeError, ValueError):
            raise
        raise type(error)(error_text(first)) from None
    tensor = _const(array, _dtype_of(array) if requested is None else requested, name)
    if unfilled is not None:
        # A GraphDef holds the elements before filling, and the shape.
        tensor.op.unfilled_value = unfilled  # type: ignore[attr-defined]
    return tensor


def _value_of(value: Any, wanted: DType | None, shape: Any, verify_shape: bool) -> tuple[Any, Any]:
    """The value as NumPy data in its shape; and before it was repeated to fill the shape, None where it was not."""
    sizes = None if shape is None else _sizes(shape)
    if sizes is not None and 0 in sizes and not isinstance(value, (np.ndarray, np.generic)):
        # TF ignores a literal here, also its dtype, but counts the elements of an array.
        return np.empty(sizes, (wanted or dtypes.float32).numpy), None
    array = as_array(value, wanted)
    if isinstance(array, np.ndarray) and array.nbytes > _INT32.max:
        raise ValueError("Cannot create a tensor proto whose content is larger than 2GB.")
    if array.shape and not hasattr(value, "__array__"):
        _check_dense(value, list(array.shape))
    elements = array
    if sizes is not None:
        array = _shaped(array, sizes, verify_shape)
    is_filled = isinstance(array, np.ndarray) and (isinstance(elements, bytes) or elements.size < array.size)
    return array, elements if is_filled else None


def _check_dense(value: Any, shape: list[int]) -> None:
    # Only nested lists make a constant: an array in a list, or a range, is an error as in TF.
    wanted = []
    item = value
    while isinstance(item, (list, tuple)):
        wanted.append(len(item))
        if not item:
            break
        item = item[0]
    if wanted != shape:
        raise ValueError(f"Argument must be a dense tensor: {_short(value)} - got shape {shape}, but wanted {wanted}.")


def _const(array: Any, dtype: DType, name: str | None) -> Tensor:
    graph = get_default_graph()
    graph._check_not_finalized()
    raw = array.shape
    if isinstance(array, bytes):
        array = bytes(array)
    elif type(array) is np.ndarray:
        if raw == ():
            array = array[()]
        else:
            # The caller may change its array later, but the node's value never changes.
            array = array.copy()
            array.flags.writeable = False
    return graph.attempt(_add_constant, graph, array, dtype, raw, name, sites.here())


def _add_constant(graph: Graph, array: Any, dtype: DType, raw: Shape, name: str | None, site: sites.RawSite | None) -> Tensor:
    full = graph.unique_name("Const") if name is None else full_name(graph, name, scoped=False)
    op = graph.add_node("Const", full, (), {"dtype": dtype, "value": array}, (dtype,), (raw,), REGISTRY["Const"], site)
    return op.outputs[0]


def _dtype_of(array: Any) -> DType:
    if array.dtype.kind in "OSU":
        return dtypes.string
    return as_dtype(array.dtype)


class _Bytes(bytes):
    """A scalar string with the two attributes that every value has."""

    shape = ()
    dtype = np.dtype(object)


def as_array(value: Any, dtype: DType | None = None) -> Any:
    """The value as NumPy data of the dtype; rank 0 gives a scalar.

    Raises: TypeError "Expected int32, got 1.5 of type 'float' instead."; ValueError for None and ragged lists.
    """
    kind = type(value)
    if dtype is None or dtype is dtypes.float32:
        if kind is float:
            return np.float32(value)
        if kind is int and dtype is not None:
            return np.float32(value)
    if kind is int and (dtype is None or dtype is dtypes.int32) and _INT32.min <= value <= _INT32.max:
        return np.int32(value)
    if value is None:
        raise ValueError("None values not supported.")
    if isinstance(value, np.generic | np.ndarray):
        return _from_numpy(plain(value), dtype)
    if isinstance(value, Tensor):
        raise TypeError("List of Tensors when single Tensor expected")
    if dtype is not None:
        _check_literals(value, dtype)
        if dtype.numpy is None:
            raise TypeError(f"{dtype.name} has no NumPy type here: install ml_dtypes for bfloat16")
    return _from_python(value, dtype)


def _from_numpy(value: Any, dtype: DType | None) -> Any:
    if value.dtype.kind in "SU" or value.dtype == object:
        if dtype is not None and dtype is not dtypes.string:
            raise TypeError(
                f"Expected {dtype.name}, got {_short(value)} of type '{type(value).__name__}' instead."
            )
        return _strings(value)
    if dtype is dtypes.string:
        raise TypeError(f"Expected string, got {_short(value)} of type '{type(value).__name__}' instead.")
    if dtype is not None and dtype.numpy is not None:
        return value.astype(dtype.numpy, copy=False)
    try:
        as_dtype(value.dtype)
    except TypeError:
        raise TypeError(f"Unrecognized data type: {value.dtype}") from None
    return value


def check_depth(value: Any) -> None:
    """Raises: ValueError for lists nested more deeply than an array has axes."""
    depth = 0
    while isinstance(value, (list, tuple)) and value:
        value, depth = value[0], depth + 1
        if depth > _MOST_AXES:
            raise ValueError(
                "setting an array element with a sequence. The requested array would exceed the maximum number of dimension "
                f"of {_MOST_AXES}."
            )


def _from_python(value: Any, dtype: DType | None) -> Any:
    check_depth(value)
    try:
        if dtype is dtypes.bfloat16:
            array = dtypes.bfloat16_bits(np.array(value, np.float32))
        elif dtype is not None and dtype.is_integer:
            # A literal that is too large wraps round, as it does in TF.
            array = np.array(value, dtype=np.uint64 if dtype is dtypes.uint64 else np.int64).astype(dtype.numpy)
        elif dtype is not None and dtype is not dtypes.string:
            array = np.array(value, dtype=dtype.numpy)
        else:
            array = np.array(value)
    except UnicodeDecodeError:  # text beside bytes that are no ASCII
        array = np.array(value, object)
    except (ValueError, OverflowError) as error:
        ragged = _ragged(value)
        if ragged:
            raise ValueError(ragged) from None
        if isinstance(error, OverflowError):
            raise ValueError(f"{_short(value)} does not fit {dtype.name if dtype else 'int64'}.") from None
        raise ValueError(f"Failed to convert a Python value to a Tensor: {_short(value)}") from None
    except NotImplementedError:
        raise TypeError("List of Tensors when single Tensor expected") from None
    except TypeError:
        raise TypeError(_unsupported(value)) from None
    if array.dtype.kind in "SU" or array.dtype == object or dtype is dtypes.string:
        if dtype is None or dtype is dtypes.string:
            # NumPy converts numbers to text in a list that also has text: take the values themselves.
            return _strings(np.array(value, dtype=object), value)
        raise TypeError(
            f"Expected {dtype.name}, got {_short(value)} of type '{type(value).__name__}' instead."
        )
    if dtype is None:
        # A list gets the narrow dtype even if it has NumPy numbers in it.
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        elif array.dtype == np.int64:
            small = array.astype(np.int32)
            array = small if np.array_equal(small, array) else array
        as_dtype(array.dtype)
    return array if array.ndim else array[()]


def _strings(array: Any, source: Any = None) -> Any:
    flat = np.asarray(array, dtype=object)
    if flat.ndim and set(map(type, flat.flat)) == {bytes}:
        return flat.copy()
    out = np.empty(flat.shape, dtype=object)
    for index in np.ndindex(flat.shape):
        item = flat[index]
        if isinstance(item, str):
            item = item.encode()
        elif not isinstance(item, bytes):
            ragged = _ragged(source)
            if ragged:
                raise ValueError(ragged)
            raise TypeError(_unsupported(item if source is None else source))
        out[index] = item
    return out if out.ndim else _Bytes(out[()])


def _unsupported(value: Any) -> str:
    return (
        f"Failed to convert object of type {type(value)} to Tensor. Contents: {_cut(str(value))}. "
        "Consider casting elements to a supported type."
    )


_ACCEPTS: dict[str, tuple[type, ...]] = {
    # A bool is an int in Python.
    "float": (float, int, np.floating, np.integer, np.bool_),
    "int": (int, np.integer, np.bool_),
    "complex": (complex, float, int, np.number, np.bool_),
    "bool": (bool, np.bool_),
    "string": (str, bytes),
}


def _check_literals(value: Any, dtype: DType) -> None:
    if dtype.is_floating:
        kind = "float"
    elif dtype.is_complex:
        kind = "complex"
    elif dtype.is_bool:
        kind = "bool"
    elif dtype is dtypes.string:
        kind = "string"
    elif dtype.is_integer or dtype.is_quantized:
        kind = "int"
    else:
        return
    accepted = _ACCEPTS[kind]
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, (list, tuple)):
            stack.extend(reversed(item))
            continue
        if isinstance(item, np.ndarray):
            continue
        if isinstance(item, Dimension):
            item = item.value
        if isinstance(item, accepted):
            continue
        if isinstance(item, Tensor):
            raise TypeError("List of Tensors when single Tensor expected")
        if item is None or isinstance(item, (bool, int, float, complex, str, bytes, np.generic)):
            raise TypeError(f"Expected {dtype.name}, got {_short(item)} of type '{type(item).__name__}' instead.")


def _ragged(value: Any) -> str | None:
    """TF's error text for lists of unequal lengths, None when the lengths are equal."""
    if not isinstance(value, (list, tuple)):
        return None
    wanted: list[int] = []
    item = value
    while isinstance(item, (list, tuple)):
        wanted.append(len(item))
        if not item:
            break
        item = item[0]
    level: list[Any] = [value]
    for depth, length in enumerate(wanted):
        for part in level:
            if not isinstance(part, (list, tuple)) or len(part) != length:
                got = [len(part)] if isinstance(part, (list, tuple)) else []
                return (
                    f"Argument must be a dense tensor: {_short(value)} - got shape "
                    f"{wanted[:depth] + got}, but wanted {wanted}."
                )
        level = [inner for part in level for inner in part]
    return None


def _sizes(shape: Any) -> tuple[int, ...]:
    raw = shapes.as_raw(list(shape) if isinstance(shape, TensorShape) else shape) if hasattr(shape, "__iter__") else None
    if raw is None:
        raise TypeError(f"'{type(shape).__name__}' object is not iterable")
    sizes = tuple([size for size in raw if size is not None])
    if len(sizes) != len(raw):
        raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
    return sizes


def _shaped(array: Any, shape: tuple[int, ...], verify: bool) -> Any:
    size = math.prod(shape)
    current = array.shape
    if verify and current != shape:
        raise TypeError(f"Expected Tensor's shape: {TensorShape.of(shape)}, got {TensorShape.of(current)}.")
    flat = np.asarray(array, dtype=object if isinstance(array, bytes) else None).ravel()
    if flat.size > size:
        raise ValueError(f"Too many elements provided. Needed at most {size}, but received {flat.size}")
    if flat.size < size:
        if flat.size == 0:
            raise ValueError(f"Cannot fill a constant of shape {TensorShape.of(shape)} from an empty value")
        check_constant(size * flat.itemsize)
        flat = np.concatenate([flat, np.repeat(flat[-1:], size - flat.size)])
    return flat.reshape(shape)


def _short(value: Any) -> str:
    return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"


# -- conversions ---------------------------------------------------------------------------------------------------


def _to_constant(
    value: Any, dtype: DType | None = None, name: str | None = None, as_ref: bool = False
) -> Any:
    return constant(value, dtype, name=name or "Const")


@atomic
def _pack_list(value: Any, dtype: DType | None = None, name: str | None = None, as_ref: bool = False) -> Any:
    """`[x, 1]` with a tensor inside becomes a Pack of its parts."""
    tensor_dtype = None if as_ref else _tensor_dtype(value)  # a list is no reference
    if tensor_dtype is None:
        return NotImplemented
    if dtype is not None and dtype.base_dtype is not tensor_dtype:
        tensor_dtype = dtype.base_dtype
        value = _cast_parts(value, tensor_dtype)
    return _pack(value, tensor_dtype, name or "packed")


def _cast_parts(value: Any, dtype: DType) -> Any:
    if isinstance(value, (list, tuple)):
        return [_cast_parts(item, dtype) for item in value]
    if (isinstance(value, Tensor) or hasattr(value, "_as_graph_element")) and value.dtype.base_dtype is not dtype:
        return raw("Cast")(x=value, DstT=dtype)
    return value


def _pack(value: Any, dtype: DType, name: str) -> Tensor:
    graph = get_default_graph()
    with graph.name_scope(name) as scope:
        parts = []
        for item in value:
            if isinstance(item, Tensor) and item.dtype.base_dtype is not dtype:
                raise TypeError(
                    f"Cannot convert a list containing a tensor of dtype {item.dtype} to {dtype} (Tensor is: {item!r})"
                )
        for index, item in enumerate(value):
            if isinstance(item, (list, tuple)):
                if _tensor_dtype(item) is not None:
                    parts.append(_pack(item, dtype, str(index)))
                    continue
                item = constant(item, dtype, name=str(index))
            parts.append(convert_to_tensor(item, dtype, name=str(index)))
        packed: Tensor = raw("Pack")(values=parts, name=scope)
    return packed


def _tensor_dtype(value: Any) -> DType | None:
    stack = list(value)[::-1]
    while stack:
        item = stack.pop()
        if isinstance(item, (list, tuple)):
            stack.extend(reversed(item))
        elif isinstance(item, Tensor) or hasattr(item, "_as_graph_element"):
            return item.dtype.base_dtype
    return None


ConversionFunction = Callable[..., Any]

def _from_shape(value: TensorShape, dtype: DType | None = None, name: str | None = None, as_ref: bool = False) -> Any:
    if not value.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape to a Tensor: {value}")
    return _from_size(value.as_list(), dtype, name)


def _from_dimension(value: Dimension, dtype: DType | None = None, name: str | None = None, as_ref: bool = False) -> Any:
    if value.value is None:
        raise ValueError(f"Cannot convert an unknown Dimension to a Tensor: {value}")
    return _from_size(value.value, dtype, name)


def _from_size(value: Any, dtype: DType | None, name: str | None) -> Tensor:
    if dtype is not None and dtype is not dtypes.int32 and dtype is not dtypes.int64:
        raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype}")
    wide = np.asarray(value, np.int64)
    if dtype is None:
        dtype = dtypes.int32 if np.all(wide <= _INT32.max) else dtypes.int64
    elif dtype is dtypes.int32 and np.any(wide > _INT32.max):
        raise ValueError(f"Cannot convert a TensorShape to dtype int32; a dimension is too large ({wide.max()})")
    return constant(wide, dtype, name=name or "shape_as_tensor")


register_tensor_conversion_function(TensorShape, _from_shape, 100)
register_tensor_conversion_function(Dimension, _from_dimension, 100)
register_tensor_conversion_function((list, tuple), _pack_list, 99)
register_tensor_conversion_function(object, _to_constant, 200)
