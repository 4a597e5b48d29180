"""Numbers and bytes as text and back: AsString, StringToNumber, DecodeRaw, StringFormat, PrintV2; EditDistance. No state."""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import budget, dtypes, errors
from ..base.dtypes import DType, runtime_name
from ..base.shapes import Shape, ShapeMismatch
from ..base.text_bytes import as_bytes
from ..files.decompress import Decompressor, inflate_failure
from ..op import tensor_text
from ..op.define import Each, Sym, op, same_shape, typevar
from ..op.gradient_rules import EFFECT, STRINGS, WHOLE_NUMBERS
from ..op.shape_checks import (
    COMPLEX,
    REALS,
    as_array,
    invalid,
    kinds,
    of_rank,
    size_of,
    text_of,
    unwrapped,
)
from .strings import display_text, each, only

string = dtypes.string
T = typevar("T")
Text = typevar("T", (*REALS, *COMPLEX, dtypes.bool, string))
Parsed = typevar("out_type", kinds("float double int32 int64"), default=dtypes.float32)
Raw = typevar("out_type", kinds("half float double int32 uint16 uint8 int16 int8 int64 complex64 complex128 bool bfloat16"))
Padded = typevar("out_type", kinds("half float double int32 uint16 uint8 int16 int8 int64 bfloat16"))


# -- numbers ---------------------------------------------------------------------------------------------------------


@op("AsString", not_differentiable=STRINGS, shape=same_shape)
def as_string(
    xp: Any,
    input: Text,
    *,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
) -> string:
    """Each element as text.

    precision: digits after the decimal point; width: the least number of characters, filled up with `fill`; scientific,
    shortest: other notations of floats.
    """
    array = as_array(input)
    kind = array.dtype.kind
    is_float = kind in "fcV"
    name = _kind_name(array.dtype)
    if len(fill) > 1:
        raise invalid("Fill string must be one or fewer characters")
    if scientific and shortest:
        raise invalid("Cannot select both scientific and shortest notation")
    if not is_float and (scientific or shortest):
        raise invalid(f"scientific and shortest format not supported for datatype {name}")
    if not is_float and precision > -1:
        raise invalid(f"precision not supported for datatype {name}")
    if fill and fill not in " +-0#":
        raise invalid(f'Fill argument not supported: "{fill}"')
    if kind == "O":
        return input
    if kind == "V":
        array = dtypes.bfloat16_values(array)
    form = "%" + fill + (str(width) if width > -1 else "")
    if is_float:
        form += (f".{precision}" if precision > -1 else "") + ("e" if scientific else "g" if shortest else "f")
    else:
        form += "d"
    out = np.empty(array.shape, object)
    out.reshape(-1)[:] = [_written(item, form) for item in array.reshape(-1)]
    return unwrapped(out)


def _kind_name(dtype: Any) -> str:
    return "string" if dtype.kind == "O" else runtime_name(dtypes.as_dtype(dtype))


def _written(item: Any, form: str) -> bytes:
    if isinstance(item, np.bool_):
        return b"true" if item else b"false"
    if isinstance(item, np.complexfloating):
        return f"({form % item.real},{form % item.imag})".encode()
    return as_bytes(form % item)


_FLOAT = re.compile(rb"\s*([+-]?)(0[xX]([0-9a-fA-F]+)|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|nan)\s*", re.ASCII)
_INTEGER = re.compile(rb"\s*(-?[0-9]+)\s*", re.ASCII)


def number_in(text: bytes, dtype: DType) -> Any:
    """The number of that dtype that the text spells, or None."""
    kind = dtype.as_numpy_dtype
    if dtype.is_integer:
        if text.isdigit() and len(text) < 10:
            return kind(int(text))
        integer_match = _INTEGER.fullmatch(text)
        if integer_match is not None and len(integer_match[1]) < 40:
            number = int(integer_match[1])
            if dtype.min <= number <= dtype.max:
                return kind(number)
    else:
        float_match = _FLOAT.fullmatch(text.lower() if len(text) < 20 else text)
        if float_match is not None:
            value = float(int(float_match[3], 16)) if float_match[3] else float(float_match[2])
            return kind(-value if float_match[1] == b"-" else value)
    return None


@op("StringToNumber", not_differentiable=STRINGS, shape=lambda string_tensor, *, out_type: string_tensor.shape)
def string_to_number(xp: Any, string_tensor: string, *, out_type: Parsed = dtypes.float32) -> "out_type":  # noqa: F821
    """The number that each string spells: any shape -> the same shape.

    Raises: InvalidArgumentError for a string that is no number of out_type.
    """

    def parsed(text: bytes) -> Any:
        number = number_in(text, out_type)
        if number is None:
            raise invalid(f"StringToNumberOp could not correctly convert string: {display_text(text)}")
        return number

    return each(parsed, string_tensor, out_type.as_numpy_dtype)


# -- bytes -----------------------------------------------------------------------------------------------------------


def _one_more_axis(bytes: Sym, **_: Any) -> Shape:
    return None if bytes.shape is None else (*bytes.shape, None)


def _numbers(rows: Sequence[bytes], out_type: DType, little_endian: bool) -> Any:
    kind = out_type.numpy
    assert kind is not None
    data = np.frombuffer(b"".join(rows), np.uint8 if kind.kind == "V" else kind.newbyteorder("<" if little_endian else ">"))
    if kind.kind == "V":
        pairs = data.view("<u2" if little_endian else ">u2").astype(np.uint16)
        return pairs.view(kind)
    return data.astype(kind)


@op("DecodeRaw", not_differentiable=STRINGS, shape=_one_more_axis)
def decode_raw(xp: Any, bytes: string, *, out_type: Raw, little_endian: bool = True) -> "out_type":  # noqa: F821
    """The bytes of each string as numbers: [...] -> [..., length / size of out_type].

    Raises: InvalidArgumentError when the strings' lengths differ or are no multiple of the size.
    """
    array = as_array(bytes)
    rows = list(array.reshape(-1))
    if not rows:
        return np.empty((*array.shape, 0), out_type.numpy)
    length, size = len(rows[0]), out_type.size
    for at, row in enumerate(rows):
        if len(row) != length:
            raise invalid(
                "DecodeRaw requires input strings to all be the same size, but element "
                f"{at} has size {len(rows[0])} != {len(row)}"
            )
    if length % size:
        raise invalid(
            f"Input to DecodeRaw has length {length} that is not a multiple of {size}, the size of {runtime_name(out_type)}"
        )
    return _numbers(rows, out_type, little_endian).reshape(*array.shape, length // size)


@op(
    "DecodePaddedRaw", not_differentiable=STRINGS,
    shape=lambda input_bytes, fixed_length, **_: _padded_shape(input_bytes, fixed_length, **_),
)  # fmt: skip
def decode_padded_raw(
    xp: Any, input_bytes: string, fixed_length: dtypes.int32, *, out_type: Padded, little_endian: bool = True
) -> "out_type":  # noqa: F821
    """The bytes of each string, cut or filled with zeros to fixed_length bytes, as numbers: input_bytes [...],
    fixed_length scalar -> [..., fixed_length / size of out_type].

    Raises: InvalidArgumentError when fixed_length is no multiple of the size.
    """
    if np.ndim(fixed_length):
        raise invalid(f"k must be scalar, got shape {text_of(np.shape(fixed_length))}")
    array, length, size = as_array(input_bytes), int(fixed_length), out_type.size
    if length % size:
        raise invalid(f"fixed_length ({length}) must be a multiple of the size of out_type ({size})")
    if length <= 0:
        raise invalid(f"fixed_length ({length}) must be greater than zero.")
    rows = [row[:length].ljust(length, b"\0") for row in array.reshape(-1)]
    return _numbers(rows, out_type, little_endian).reshape(*array.shape, length // size)


def _padded_shape(input_bytes: Sym, fixed_length: Sym, *, out_type: DType, little_endian: bool) -> Shape:
    if input_bytes.shape is None:
        return None
    length = size_of(fixed_length, 1)
    if length is None:
        return (*input_bytes.shape, None)
    if length % out_type.size:
        raise ShapeMismatch(f"Dimension size must be evenly divisible by {out_type.size} but is {int(length)}")
    return (*input_bytes.shape, int(length) // out_type.size)


@op("DecodeCompressed", shape=same_shape)
def decode_compressed(xp: Any, bytes: string, *, compression_type: str = "") -> string:
    """The bytes that ZLIB or GZIP compressed; of a text that is cut off, what comes before the cut.

    Raises: DataLossError for bytes that are not compressed so, ResourceExhaustedError for more than the budget (tf.io.Budget).
    """
    if compression_type not in ("", "ZLIB", "GZIP"):
        raise invalid("Only ZLIB, GZIP or NONE are supported compressions")
    if not compression_type:
        return bytes
    import zlib

    account = budget.current().account("DecodeCompressed")
    window = zlib.MAX_WBITS if compression_type == "ZLIB" else zlib.MAX_WBITS + 16

    def unpacked(text: Any) -> Any:
        pieces = iter((text,))
        stream = Decompressor(lambda: next(pieces, b""), window, account, is_one=compression_type == "ZLIB")
        try:
            content = stream.read(account.left("bytes") + 1)
        except zlib.error as cause:
            raise errors.DataLossError(None, None, inflate_failure(cause)) from None
        return content

    return each(unpacked, bytes)


# -- messages --------------------------------------------------------------------------------------------------------


def _format_shape(inputs: Sequence[Sym], *, template: str, placeholder: str, summarize: int) -> Shape:
    count = template.count(placeholder)
    if count != len(inputs):
        raise ShapeMismatch(f"num placeholders in template and num inputs must match: {count} vs. {len(inputs)}")
    return ()


@op("StringFormat", shape=_format_shape)
def string_format(
    xp: Any, inputs: Each["T", 0], *, template: str = "%s", placeholder: str = "%s", summarize: int = 3
) -> string:
    """The template with a tensor for each placeholder: inputs of any shapes -> scalar; of each axis the first and last
    `summarize` elements.
    """
    parts = template.split(placeholder) if placeholder else [template]
    text = parts[0]
    for value, rest in zip(inputs, parts[1:]):
        text += tensor_text.pretty(value, summarize) + rest
    return as_bytes(text)


_LOGGED = {"log(info)": "I", "log(warning)": "W", "log(error)": "E"}


def _print_shape(input: Sym, **_: Any) -> tuple[()]:
    if input.shape:
        raise ShapeMismatch(f"input must be a scalar, but has rank: {len(input.shape)}")
    return ()


@op("PrintV2", stateful=True, shape=_print_shape, role="print", commutes=True)
def print_v2(run: Any, input: string, *, output_stream: str = "stderr", end: str = "\n") -> None:
    """Writes the string (a scalar) and `end` to the standard output or error, a log, or the end of a file.

    Raises: InvalidArgumentError for an unknown stream.
    """
    text = only(input, "Input is expected to be scalar, but got ").decode("utf-8", "replace") + end
    if output_stream.startswith("file://"):
        try:
            with open(output_stream.removeprefix("file://"), "a", encoding="utf-8", newline="") as file:
                file.write(text)
        except OSError as error:
            raise invalid(f"Could not write to {output_stream}: {error.strerror}") from None
    elif output_stream == "stdout":
        print(text, end="", flush=True)
    elif output_stream in ("stderr", *_LOGGED):
        # Logs go to the standard error, each line with its level.
        mark = f"{_LOGGED[output_stream]} " if output_stream in _LOGGED else ""
        print(mark + text, end="" if text.endswith("\n") or not mark else "\n", file=sys.stderr, flush=True)
    else:
        listed = ", ".join(["stdout", "stderr", *_LOGGED])
        raise invalid(f"Unknown output stream: {output_stream}, must be one of: {listed}, or file://<filename>")
    return ()  # type: ignore[return-value]


@op("Timestamp", not_differentiable=EFFECT, out="ts", stateful=True, shape=lambda: ())
def timestamp(run: Any) -> dtypes.float64:
    """Seconds since 1970, UTC -> scalar."""
    return np.float64(time.time())


# -- sequences -------------------------------------------------------------------------------------------------------


def _distance_shape(*parts: Sym, normalize: bool) -> Shape:
    for i, rank in enumerate((2, 1, 1, 2, 1, 1)):
        of_rank(parts[i].shape, rank)
    for indices, values, shape in (parts[:3], parts[3:]):
        rows, columns = of_rank(indices.shape, 2)
        count, rank = of_rank(values.shape, 1)[0], of_rank(shape.shape, 1)[0]
        if None not in (rows, count) and rows != count:
            raise ShapeMismatch(f"Number of elements in index ({rows}) and values ({count}) do not match.")
        if None not in (columns, rank) and columns != rank:
            raise ShapeMismatch(f"Index rank ({columns}) and shape rank ({rank}) do not match.")
    one, other = parts[2].value, parts[5].value
    if one is None or other is None:
        return None
    if len(one) != len(other):
        raise ShapeMismatch(f"Num elements of hypothesis_shape does not match truth_shape: {len(one)} vs. {len(other)}")
    if len(one) < 2:
        raise ShapeMismatch(
            f"Input Hypothesis SparseTensors must have rank at least 2, but hypothesis_shape rank is: {len(one)}"
        )
    return tuple(max(a, b) for a, b in zip(one[:-1].tolist(), other[:-1].tolist()))


def _groups(indices: Any, values: Any) -> dict[tuple[int, ...], list[Any]]:
    """Coordinates without the last axis -> the sequence of a SparseTensor there."""
    sequences: dict[tuple[int, ...], list[Any]] = {}
    for place, value in zip(indices.tolist(), values):
        sequences.setdefault(tuple(place[:-1]), []).append(value)
    return sequences


def _distance(one: list[Any], other: list[Any]) -> int:
    """The Levenshtein distance: the number of insertions, deletions and substitutions."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@op("EditDistance", not_differentiable=WHOLE_NUMBERS, shape=_distance_shape)
def edit_distance(
    xp: Any,
    hypothesis_indices: dtypes.int64,
    hypothesis_values: T,
    hypothesis_shape: dtypes.int64,
    truth_indices: dtypes.int64,
    truth_values: T,
    truth_shape: dtypes.int64,
    *,
    normalize: bool = True,
) -> dtypes.float32:
    """The Levenshtein distance between two sparse tensors' sequences along the last axis, in edits, or divided by the
    truth's length: indices [n, rank], values [n] and shape [rank] of each -> the shape without its last axis, [...].
    """
    both = (
        ("hypothesis", hypothesis_indices, as_array(hypothesis_values), hypothesis_shape),
        ("truth", truth_indices, as_array(truth_values), truth_shape),
    )
    for name, indices, values, shape in both:
        for part, array, rank in (("indices", indices, 2), ("values", values, 1), ("shape", shape, 1)):
            if np.ndim(array) != rank:
                kind = "matrix" if rank == 2 else "vector"
                raise invalid(f"{name}_{part} should be a {kind}, but got shape: {text_of(np.shape(array))}")
    for name, indices, values, shape in both:
        if name == "truth" and len(shape) < 2:
            raise invalid(f"Input SparseTensors must have rank at least 2, but truth_shape rank is: {len(shape)}")
        for part, what, have, want in (("values", "rows", values, 0), ("shape", "cols", shape, 1)):
            if len(have) != indices.shape[want]:
                raise invalid(
                    f"Expected {name}_{part}.NumElements == #{what}({name}_indices), their shapes are: "
                    f"{text_of(have.shape)} and {text_of(indices.shape)}"
                )
    for size in (*hypothesis_shape.tolist(), *truth_shape.tolist()):
        if size < 0:
            raise invalid(f"Dimension {size} must be >= 0")
    if len(hypothesis_shape) != len(truth_shape):
        raise invalid(
            "Expected hypothesis_shape.NumElements() == truth_shape.NumElements(), but they are "
            f"{len(hypothesis_shape)} and {len(truth_shape)}"
        )
    sizes = tuple(max(a, b) for a, b in zip(hypothesis_shape[:-1].tolist(), truth_shape[:-1].tolist()))
    ours, theirs = _groups(hypothesis_indices, hypothesis_values), _groups(truth_indices, truth_values)
    strides = [math.prod(sizes[i + 1 :]) for i in range(len(sizes))]
    out = np.zeros(math.prod(sizes), np.float32)
    for place in dict.fromkeys([*ours, *theirs]):
        at = sum(p * s for p, s in zip(place, strides))
        if not 0 <= at < out.size:
            raise errors.InternalError(
                None,
                None,
                f"Got an inner product {at} which would require writing to outside of the buffer for the output tensor "
                f"(max elements {out.size})",
            )
        one, truth = ours.get(place, []), theirs.get(place, [])
        steps = float(_distance(one, truth))
        if normalize:
            steps = steps / len(truth) if truth else math.inf if one else 0.0
        out[at] = steps
    return out.reshape(sizes)


