"""Strings: case, substrings, joining, splitting, patterns, hashes. A string is `bytes`; arrays of them have dtype object.

Kernels work element by element through `each`. No state.
"""

from __future__ import annotations

import binascii
import itertools
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from ..base import dtypes, errors, hashing, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..base.text_bytes import as_bytes
from ..op import re2
from ..op.define import AtLeast, Many, Sym, op, same_shape, typevar
from ..op.gradient_rules import STRINGS
from ..op.shape_checks import (
    INDEX,
    as_array,
    at_most,
    invalid,
    of_rank,
    scalar,
    size_of,
    text_of,
    unwrapped,
    vector,
)

T = typevar("T", INDEX)
Tindices = typevar("Tindices", INDEX)
Tnumsegments = typevar("Tnumsegments", INDEX, default=dtypes.int32)
Tsplits = typevar("Tsplits", INDEX, default=dtypes.int64)
string = dtypes.string


def each(function: Callable[[bytes], Any], x: Any, dtype: Any = object) -> Any:
    """The function of each element: any shape -> the same shape, of NumPy's `dtype`."""
    if isinstance(x, bytes) or x.ndim == 0:
        result = function(x if isinstance(x, bytes) else x[()])
        return result if dtype is object else dtype(result)
    out = np.empty(x.shape, dtype)
    out.reshape(-1)[:] = [function(item) for item in x.reshape(-1)]
    return out


def display_text(text: bytes) -> str:
    """A string as error texts quote it."""
    return text.decode("utf-8", "replace")


# -- letters ---------------------------------------------------------------------------------------------------------


def _cased(x: Any, encoding: str, change: str) -> Any:
    if encoding.lower() == "utf-8":
        return each(lambda text: getattr(text.decode("utf-8", "replace"), change)().encode(), x)
    if encoding:
        raise invalid(f"only utf-8 or '' (no encoding) is supported, received {encoding}")
    return each(lambda text: getattr(text, change)(), x)


@op("StringLower", shape=same_shape)
def string_lower(xp: Any, input: string, *, encoding: str = "") -> string:
    """Lower case; of ASCII letters alone unless encoding is utf-8."""
    return _cased(input, encoding, "lower")


@op("StringUpper", shape=same_shape)
def string_upper(xp: Any, input: string, *, encoding: str = "") -> string:
    """Upper case; of ASCII letters alone unless encoding is utf-8."""
    return _cased(input, encoding, "upper")


@op("StringStrip", shape=same_shape)
def string_strip(xp: Any, input: string) -> string:
    """Each string without the white space at both ends."""
    return each(lambda text: text.strip(b" \t\n\v\f\r"), input)


def starts_of_chars(text: bytes) -> list[int]:
    """The positions at which the UTF-8 characters of a text begin."""
    return [at for at, byte in enumerate(text) if byte & 0xC0 != 0x80]


@op("StringLength", shape=same_shape)
def string_length(xp: Any, input: string, *, unit: Literal["BYTE", "UTF8_CHAR"] = "BYTE") -> dtypes.int32:
    """The length of each string in bytes, or in UTF-8 characters."""
    return each(len if unit == "BYTE" else lambda text: len(starts_of_chars(text)), input, np.int32)


# -- parts -----------------------------------------------------------------------------------------------------------


def _substr_shape(input: Sym, pos: Sym, len: Sym, *, unit: str) -> Shape:
    if len.shape is not None:
        rank = np.size(len.shape)
        of_rank(pos.shape, rank)
        if pos.shape is not None:
            for a, b in zip(pos.shape, len.shape):
                if a is not None and b is not None and a != b:
                    raise ShapeMismatch(
                        f"pos and len shapes must match: {shapes.fmt(pos.shape)} vs. {shapes.fmt(len.shape)}"
                    )
    return shapes.broadcast(input.shape, pos.shape)


def _part_of_bytes(text: bytes, pos: int, count: int, index: str) -> bytes:
    if not -len(text) <= pos <= len(text):
        raise invalid(f"pos {pos} out of range for string b'{display_text(text)}' at index {index}")
    pos += len(text) if pos < 0 else 0
    return text[pos:] if count < 0 else text[pos : pos + count]


def _part_of_chars(text: bytes, pos: int, count: int, index: str) -> bytes:
    starts = [*starts_of_chars(text), len(text)]
    if not -len(starts) < pos < len(starts):
        raise invalid(f"pos {pos} out of range for string at index {index}")
    pos += len(starts) - 1 if pos < 0 else 0
    end = len(starts) - 1 if count < 0 else min(pos + count, len(starts) - 1)
    return text[starts[pos] : starts[end]]


@op("Substr", shape=_substr_shape)
def substr(xp: Any, input: string, pos: T, len: T, *, unit: Literal["BYTE", "UTF8_CHAR"] = "BYTE") -> string:
    """`len` bytes (or characters) of each string from `pos` on: input any shape, pos and len one shape -> the broadcast
    shape; a negative pos counts from the end.

    Raises: InvalidArgumentError for a pos outside its string.
    """
    if np.shape(pos) != np.shape(len):
        raise invalid(f"pos and len should have the same shape, got: {text_of(np.shape(pos))} vs. {text_of(np.shape(len))}")
    texts = as_array(input)
    try:
        shape = np.broadcast_shapes(texts.shape, np.shape(pos))
    except ValueError:
        raise invalid(f"Incompatible shapes: {text_of(texts.shape)} vs. {text_of(np.shape(pos))}") from None
    expanded = np.broadcast_to(texts, shape)
    places, counts = np.broadcast_to(pos, shape), np.broadcast_to(len, shape)
    take = _part_of_bytes if unit == "BYTE" else _part_of_chars
    in_step = np.ndim(pos) == 0 or texts.shape == np.shape(pos) or expanded.ndim < 2
    out = np.empty(shape, object)
    for flat, index in enumerate(np.ndindex(shape)):
        where = str(flat) if in_step else f"({', '.join(map(str, index))})"
        out[index] = take(expanded[index], int(places[index]), int(counts[index]), where)
    return unwrapped(out)


# -- joining ---------------------------------------------------------------------------------------------------------


@op("StringJoin", not_differentiable=STRINGS)
def string_join(xp: Any, inputs: Many[string], *, separator: str = "") -> string:
    """Joins the elements of n tensors one by one: n inputs [d...] or scalars -> [d...].

    Raises: InvalidArgumentError when the shapes differ.
    """
    between = as_bytes(separator)
    arrays = [as_array(value) for value in inputs]
    full = [a.shape for a in arrays if a.ndim]
    for a in arrays:
        if a.ndim and a.shape != full[0]:
            raise invalid(f"Input shapes do not match: {text_of(full[0])} vs. {text_of(a.shape)}")
    shape = full[0] if full else ()
    rows = [np.broadcast_to(a, shape).reshape(-1) for a in arrays]
    out = np.empty(shape, object)
    out.reshape(-1)[:] = [between.join(row) for row in zip(*rows)] if rows else b""
    return unwrapped(out)


@string_join.shape
def _(inputs: Sequence[Sym], *, separator: str) -> Shape:
    full: Shape = ()
    for sym in inputs:
        if sym.shape:
            full = shapes.merge(full, sym.shape) if full else sym.shape
    return None if not full and any(sym.shape is None for sym in inputs) else full


def _joined_shape(inputs: Sym, reduction_indices: Sym, *, keep_dims: bool, separator: str) -> Shape:
    at_most(reduction_indices.shape, 1)
    axes = reduction_indices.value
    if axes is None or inputs.shape is None:
        return None
    rank = len(inputs.shape)
    reduced = set()
    for axis in np.ravel(axes).tolist():
        if not -rank <= axis < rank:
            raise ShapeMismatch(f"Invalid reduction dimension {axis} for input with {rank} dimensions.")
        reduced.add(axis % rank)
    if keep_dims:
        return tuple(1 if i in reduced else d for i, d in enumerate(inputs.shape))
    return tuple(d for i, d in enumerate(inputs.shape) if i not in reduced)


@op("ReduceJoin", not_differentiable=STRINGS, shape=_joined_shape)
def reduce_join(
    xp: Any, inputs: string, reduction_indices: dtypes.int32, *, keep_dims: bool = False, separator: str = ""
) -> string:
    """Joins the elements along axes, the first of reduction_indices first: inputs [d...], reduction_indices scalar or
    [k] -> [d...] without those axes, or with 1 there if keep_dims.

    Raises: OutOfRangeError for an axis outside, InvalidArgumentError for one named twice.
    """
    texts = as_array(inputs)
    rank = texts.ndim
    axes: list[int] = []
    for axis in np.ravel(reduction_indices).tolist():
        if not -rank <= axis < rank:
            raise errors.OutOfRangeError(
                None, None, f"Invalid reduction dimension {axis} for input with {rank} dimension(s)"
            )
        if axis % rank in axes:
            raise invalid(f"Duplicate reduction dimension {axis}")
        axes.append(axis % rank)
    if not axes:
        return inputs
    kept = [i for i in range(rank) if i not in axes]
    rows = texts.transpose([*kept, *axes[::-1]])
    sizes = rows.shape[: len(kept)]
    between = as_bytes(separator)
    out = np.empty(sizes, object)
    flat = rows.reshape(int(np.prod(sizes)), int(np.prod(rows.shape[len(kept) :])))
    out.reshape(-1)[:] = [between.join(row) for row in flat]
    if keep_dims:
        out = out.reshape([1 if i in axes else d for i, d in enumerate(texts.shape)])
    return unwrapped(out)


def _segments_shape(inputs: Sym, segment_ids: Sym, num_segments: Sym, *, separator: str) -> Shape:
    scalar(num_segments)
    count = size_of(num_segments, 2)
    if segment_ids.shape is None or inputs.shape is None:
        return None
    ids = segment_ids.shape
    if len(inputs.shape) < len(ids):
        raise ShapeMismatch(f"Shape must be at least rank {len(ids)} but is rank {len(inputs.shape)}")
    for a, b in zip(inputs.shape, ids):
        if a is not None and b is not None and a != b:
            raise ShapeMismatch(f"Dimensions must be equal, but are {a} and {b}")
    return (count, *inputs.shape[len(ids) :])


@op("UnsortedSegmentJoin", shape=_segments_shape)
def unsorted_segment_join(
    xp: Any, inputs: string, segment_ids: Tindices, num_segments: Tnumsegments, *, separator: str = ""
) -> string:
    """Joins each segment's rows, element by element: inputs [i..., ...], segment_ids [i...], num_segments scalar ->
    [num_segments, ...].

    Raises: InvalidArgumentError for an id outside [0, num_segments).
    """
    texts, ids = as_array(inputs), np.asarray(segment_ids)
    if np.ndim(num_segments):
        raise invalid("Number of segments must be a scalar")
    count = int(num_segments)
    if count < 0:
        raise invalid(f"Number of segments must be non-negative but got {count}")
    if not ids.ndim:
        raise invalid("Segment_id cannot have rank 0")
    if ids.ndim > texts.ndim:
        text = f"Invalid segment_id rank {ids.ndim} for input with {texts.ndim} dimension(s)"
        raise errors.OutOfRangeError(None, None, text)
    for axis, size in enumerate(ids.shape):
        if size != texts.shape[axis]:
            # TF's text has the input's rank here.
            raise invalid(f"Segment dimension is {size} while input dimension is {texts.ndim} in rank {axis}")
    if ((ids < 0) | (ids >= count)).any():
        raise invalid("segment_ids are not allowed to exceed num_segments or to have negative values.")
    inner = texts.shape[ids.ndim :]
    rows = texts.reshape(ids.size, int(np.prod(inner)))
    members: list[list[Any]] = [[] for _ in range(count)]
    for row, at in zip(rows, ids.reshape(-1).tolist()):
        members[at].append(row)
    between = as_bytes(separator)
    out = np.empty((count, rows.shape[1]), object)
    for at, segment in enumerate(members):
        out[at, :] = [between.join(column) for column in zip(*segment)] if segment else b""
    return out.reshape(count, *inner)


# -- cutting ---------------------------------------------------------------------------------------------------------


def _split_shape(input: Sym, delimiter: Sym, **_: Any) -> list[Shape]:
    vector(input)
    scalar(delimiter)
    return [(None, 2), (None,), (2,)]


def _vector(input: Any) -> Any:
    texts = as_array(input)
    if texts.ndim != 1:
        raise invalid(f"input must be a vector, got shape: {text_of(texts.shape)}")
    return texts


def _as_sparse(rows: Sequence[Sequence[bytes]]) -> tuple[Any, Any, Any]:
    """Rows of unequal lengths as the parts of a SparseTensor."""
    places = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
    values = np.empty(len(places), object)
    values[:] = [text for row in rows for text in row]
    shape = np.array([len(rows), max(map(len, rows), default=0)], np.int64)
    return np.array(places, np.int64).reshape(-1, 2), values, shape


def _split_at_any(text: bytes, delimiters: bytes, skip_empty: bool) -> list[bytes]:
    """The text split at each byte of `delimiters`; into single bytes without delimiters."""
    if not delimiters:
        return [text[i : i + 1] for i in range(len(text))]
    if not text:
        return []
    parts = text.translate(bytes.maketrans(delimiters, delimiters[:1] * len(delimiters))).split(delimiters[:1])
    return [part for part in parts if part] if skip_empty else parts


@op("StringSplit", not_differentiable=STRINGS, out="indices values shape", shape=_split_shape)
def string_split(
    xp: Any, input: string, delimiter: string, *, skip_empty: bool = True
) -> tuple[dtypes.int64, string, dtypes.int64]:
    """Cuts each string at any byte of `delimiter`: input [n], delimiter scalar -> a sparse tensor [n, longest]: indices
    [k, 2], values [k], shape [2].
    """
    texts, marks = _vector(input), only(delimiter, "delimiter must be a scalar, got shape: ")
    return _as_sparse([_split_at_any(text, marks, skip_empty) for text in texts])


def _split_at(text: bytes, sep: bytes, maxsplit: int) -> list[bytes]:
    if sep:
        return text.split(sep, maxsplit)
    parts: list[bytes] = []
    rest = text.lstrip(b" \t\n\v\f\r")
    while rest:
        if 0 <= maxsplit <= len(parts):
            parts.append(rest)
            break
        head = rest.split(None, 1)
        parts.append(head[0])
        behind = rest[len(head[0]) :]
        rest = behind.lstrip(b" \t\n\v\f\r")
        if len(head) == 1 and not rest and 0 <= maxsplit <= len(parts):
            parts.append(b"")
    return parts


@op("StringSplitV2", out="indices values shape", shape=_split_shape)
def string_split_v2(
    xp: Any, input: string, sep: string, *, maxsplit: int = -1
) -> tuple[dtypes.int64, string, dtypes.int64]:
    """Cuts each string at `sep`, or at white space if it is empty, at most maxsplit times: input [n], sep scalar -> a
    sparse tensor [n, longest]: indices [k, 2], values [k], shape [2].
    """
    texts, mark = _vector(input), only(sep, "sep must be a scalar, got shape: ")
    return _as_sparse([_split_at(text, mark, maxsplit) for text in texts])


def _check_splits(ends: list[int], count: int) -> None:
    if not ends:
        return
    if ends[0] != 0:
        raise invalid(f"First split value must be 0, got {ends[0]}")
    for before, end in itertools.pairwise(ends):
        if not before <= end <= count:
            raise invalid(f"Invalid split value {end}, must be in [{before}, {count}]")
    if ends[-1] != count:
        raise invalid(f"Last split value must be data size. Expected {count}, got {ends[-1]}")


def _ngrams_shape(data: Sym, data_splits: Sym, **_: Any) -> list[Shape]:
    vector(data)
    count = vector(data_splits)
    return [(None,), (count,)]


@op(
    "StringNGrams", out="ngrams ngrams_splits", shape=_ngrams_shape,
    order="separator ngram_widths left_pad right_pad pad_width preserve_short_sequences",
)  # fmt: skip
def string_ngrams(
    xp: Any,
    data: string,
    data_splits: Tsplits,
    *,
    separator: str,
    ngram_widths: list[int],
    left_pad: str,
    right_pad: str,
    pad_width: int,
    preserve_short_sequences: bool,
) -> tuple[string, Tsplits]:
    """Joins all runs of neighbours of the given widths in each row: data [values], data_splits [rows + 1] -> ngrams
    [n], ngrams_splits [rows + 1].

    Raises: InvalidArgumentError for splits that fall or do not end at the number of values.
    """
    data, ends = as_array(data).reshape(-1), np.ravel(data_splits).tolist()
    _check_splits(ends, len(data))
    between, left, right = as_bytes(separator), as_bytes(left_pad), as_bytes(right_pad)
    ngrams: list[bytes] = []
    splits = [0]
    for start, end in itertools.pairwise(ends):
        row = list(data[start:end])
        before = len(ngrams)
        for width in ngram_widths:
            pads = width - 1 if pad_width < 0 else min(pad_width, width - 1)
            padded = [left] * pads + row + [right] * pads
            ngrams.extend(between.join(padded[i : i + width]) for i in range(len(padded) - width + 1))
        if preserve_short_sequences and len(ngrams) == before and row:
            pads = 0 if pad_width <= 0 else pad_width
            ngrams.append(between.join([left] * pads + row + [right] * pads))
        splits.append(len(ngrams))
    out = np.empty(len(ngrams), object)
    out[:] = ngrams
    return out, np.array(splits[: max(len(ends), 1)], data_splits.dtype)


# -- patterns --------------------------------------------------------------------------------------------------------


def _pattern_shape(input: Sym, *patterns: Sym, **_: Any) -> Shape:
    for sym in patterns:
        scalar(sym)
    return input.shape


def only(value: Any, text: str) -> bytes:
    """A scalar's string. Raises: InvalidArgumentError with the text and the shape for an array."""
    if isinstance(value, bytes):
        return bytes(value)
    if value.ndim:
        raise invalid(f"{text}{text_of(value.shape)}")
    return bytes(value[()])


_PATTERN = "Pattern must be scalar, but received "


@op("RegexReplace", not_differentiable=STRINGS, shape=_pattern_shape)
def regex_replace(
    xp: Any, input: string, pattern: string, rewrite: string, *, replace_global: bool = True
) -> string:
    """Replaces each match of an RE2 pattern, or the first alone: input any shape, pattern and rewrite scalars -> the
    input's shape.

    Raises: InvalidArgumentError for a pattern that RE2 refuses.
    """
    ready, rewritten = re2.compiled(only(pattern, _PATTERN)), only(rewrite, "Rewrite must be scalar, but received ")
    return each(lambda text: re2.replaced(ready, rewritten, text, replace_global), input)


@op("StaticRegexReplace", shape=same_shape)
def static_regex_replace(
    xp: Any, input: string, *, pattern: str, rewrite: str, replace_global: bool = True
) -> string:
    """Replaces each match of the RE2 pattern `pattern`, or the first alone.

    Raises: InvalidArgumentError for a pattern that RE2 refuses.
    """
    ready, rewritten = re2.compiled(as_bytes(pattern)), as_bytes(rewrite)
    return each(lambda text: re2.replaced(ready, rewritten, text, replace_global), input)


@op("RegexFullMatch", shape=_pattern_shape)
def regex_full_match(xp: Any, input: string, pattern: string) -> dtypes.bool:
    """Whether the whole string matches an RE2 pattern: input any shape, pattern scalar -> the input's shape.

    Raises: InvalidArgumentError for a pattern that RE2 refuses.
    """
    ready = re2.compiled(only(pattern, _PATTERN))
    return each(lambda text: re2.full_match(ready, text), input, np.bool_)


@op("StaticRegexFullMatch", shape=same_shape)
def static_regex_full_match(xp: Any, input: string, *, pattern: str) -> dtypes.bool:
    """Whether the whole string matches the RE2 pattern `pattern`.

    Raises: InvalidArgumentError for a pattern that RE2 refuses.
    """
    ready = re2.compiled(as_bytes(pattern))
    return each(lambda text: re2.full_match(ready, text), input, np.bool_)


# -- hashes ----------------------------------------------------------------------------------------------------------


@op("StringToHashBucket", not_differentiable=STRINGS, shape=same_shape)
def string_to_hash_bucket(xp: Any, string_tensor: string, *, num_buckets: AtLeast[1]) -> dtypes.int64:
    """A number in [0, num_buckets) for each string, its hash modulo num_buckets."""
    return each(lambda text: hashing.hash64(text) % num_buckets, string_tensor, np.int64)


@op("StringToHashBucketFast", not_differentiable=STRINGS, shape=same_shape)
def string_to_hash_bucket_fast(xp: Any, input: string, *, num_buckets: AtLeast[1]) -> dtypes.int64:
    """A number in [0, num_buckets) for each string, its FarmHash fingerprint modulo num_buckets, which no release
    changes.
    """
    return each(lambda text: hashing.fingerprint64(text) % num_buckets, input, np.int64)


@op("StringToHashBucketStrong", not_differentiable=STRINGS, shape=same_shape)
def string_to_hash_bucket_strong(xp: Any, input: string, *, num_buckets: AtLeast[1], key: list[int]) -> dtypes.int64:
    """A number in [0, num_buckets) for each string, a hash that only the holder of the key can foresee."""
    if len(key) != 2:
        raise invalid("Key must have 2 elements")
    pair = (key[0], key[1])
    return each(lambda text: hashing.keyed_hash(text, pair) % num_buckets, input, np.int64)


def _fingerprint_shape(data: Sym, method: Sym) -> Shape:
    if data.shape is not None and not data.shape:
        raise ShapeMismatch("Shape must be at least rank 1 but is rank 0")
    scalar(method)
    name = method.value
    if name is None:
        return (data.shape[0] if data.shape else None, None)
    if name != b"farmhash64":
        raise ShapeMismatch(f"Unsupported method: {display_text(name)}")
    return (data.shape[0] if data.shape else None, 8)


@op("Fingerprint", out="fingerprint", shape=_fingerprint_shape)
def fingerprint(xp: Any, data: typevar("T"), method: string) -> dtypes.uint8:  # type: ignore[valid-type]
    """The FarmHash fingerprint of each row, 8 bytes: data [n, ...], method scalar -> [n, 8]."""
    data, name = as_array(data), only(method, "`method` should be a scalar string: ")
    if not data.ndim:
        raise invalid("`data` should have at least one dimension: []")
    if name != b"farmhash64":
        raise invalid(f"Unsupported method: {display_text(name)}")
    if data.dtype == object:
        marks = np.array([hashing.fingerprint64(text) for text in data.reshape(-1)], np.uint64)
        rows = marks.reshape(data.shape[0], int(np.prod(data.shape[1:])))
        if data.ndim > 1:
            # Each string of a row is hashed, and the row's hashes are hashed once more.
            rows = np.array([[hashing.fingerprint64(row.tobytes())] for row in rows], np.uint64)
    else:
        rows = np.array([[hashing.fingerprint64(np.ascontiguousarray(row).tobytes())] for row in data], np.uint64)
    return rows.astype("<u8").reshape(-1).view(np.uint8).reshape(data.shape[0], 8)


# -- base64 ----------------------------------------------------------------------------------------------------------


@op("EncodeBase64", not_differentiable=STRINGS, shape=same_shape)
def encode_base64(xp: Any, input: string, *, pad: bool = False) -> string:
    """Web-safe base64 of each string, filled up with = if `pad`."""
    return each(lambda text: _encoded(text) if pad else _encoded(text).rstrip(b"="), input)


def _encoded(text: bytes) -> bytes:
    return binascii.b2a_base64(text, newline=False).translate(_WEB_SAFE)


def _decoded(text: bytes) -> bytes:
    body = text.rstrip(b"=") if len(text) % 4 == 0 and not text.endswith(b"===") else text
    if any(byte not in _LETTERS for byte in body):
        raise invalid("Invalid character found in base64.")
    if len(body) % 4 == 1:
        raise invalid("Base64 string length cannot be 1 modulo 4.")
    try:
        return binascii.a2b_base64(body.translate(_STANDARD) + b"=" * (-len(body) % 4))
    except binascii.Error:
        raise invalid("Invalid character found in base64.") from None


_WEB_SAFE, _STANDARD = bytes.maketrans(b"+/", b"-_"), bytes.maketrans(b"-_", b"+/")
_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@op("DecodeBase64", not_differentiable=STRINGS, shape=same_shape)
def decode_base64(xp: Any, input: string) -> string:
    """The bytes of each string of web-safe base64. Raises: InvalidArgumentError for other characters."""
    return each(_decoded, input)
