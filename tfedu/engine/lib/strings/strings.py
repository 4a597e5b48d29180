"""`tf.strings`: what the public functions do besides making one node. The ragged ones are in `ragged_strings.py`. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.composites import SparseTensor, SparseTensorValue
from ...op.constant import constant
from ...ops import strings as ops
from ...ops import text_conversion as text_ops
from ...ops import unicode as unicode_ops
from ..arrays import array, sequences
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named

as_string = text_ops.as_string
lower, upper, strip = ops.string_lower, ops.string_upper, ops.string_strip
string_strip = strip
to_hash_bucket_fast, to_hash_bucket_strong = ops.string_to_hash_bucket_fast, ops.string_to_hash_bucket_strong
string_to_hash_bucket_fast, string_to_hash_bucket_strong = to_hash_bucket_fast, to_hash_bucket_strong
encode_base64, decode_base64 = ops.encode_base64, ops.decode_base64
decode_compressed = text_ops.decode_compressed
unicode_transcode, unicode_script = unicode_ops.unicode_transcode, unicode_ops.unicode_script


def length(input: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """How many bytes, or characters (unit="UTF8_CHAR"), each string has."""
    made: Tensor = ops.string_length(input, unit=unit, name=name)
    return made


def substr(input: Any, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """`len` bytes (or characters) of each string from `pos` on; a negative pos counts from the end."""
    made: Tensor = ops.substr(input, pos, len, unit=unit, name=name)
    return made


def join(inputs: Any, separator: str = "", name: str | None = None) -> Tensor:
    """The elements of several tensors joined one by one; scalars go with every element."""
    made: Tensor = ops.string_join(inputs, separator=separator, name=name)
    return made


string_join = join


@atomic
def reduce_join(
    inputs: Any,
    axis: Any = None,
    keep_dims: bool | None = None,
    separator: str = "",
    name: str | None = None,
    reduction_indices: Any = None,
    keepdims: bool | None = None,
) -> Tensor:
    """The elements along axes joined, the first axis named first; without axes all of them, row by row."""
    keep = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    axis = renamed("axis", axis, "reduction_indices", reduction_indices)
    with named(None, "ReduceJoin", [inputs, axis]):
        texts = convert_to_tensor(inputs)
        if axis is None:
            raw = texts.raw_shape
            if raw is None:
                axis = sequences.range(array.rank(texts) - 1, -1, -1)
            else:
                axis = constant(np.arange(len(raw) - 1, -1, -1), dtypes.int32)
        made: Tensor = ops.reduce_join(
            texts, axis, keep_dims=bool(keep), separator=separator, name=name
        )
        return made


def unsorted_segment_join(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: str = "", name: str | None = None
) -> Tensor:
    """The rows of each segment joined, element by element."""
    made: Tensor = ops.unsorted_segment_join(inputs, segment_ids, num_segments, separator=separator, name=name)
    return made


def _is_text(value: Any) -> bool:
    return isinstance(value, (str, bytes))


def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Whether each string as a whole matches an RE2 pattern."""
    if _is_text(pattern):
        made: Tensor = ops.static_regex_full_match(input, pattern=pattern, name=name)
    else:
        made = ops.regex_full_match(input, pattern, name=name)
    return made


def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None
) -> Tensor:
    """Each match of an RE2 pattern (or the first alone) rewritten; `\\1` in the rewrite is the first group."""
    if _is_text(pattern) and _is_text(rewrite):
        made: Tensor = ops.static_regex_replace(
            input, pattern=pattern, rewrite=rewrite, replace_global=replace_global, name=name
        )
    else:
        made = ops.regex_replace(input, pattern, rewrite, replace_global=replace_global, name=name)
    return made


@atomic
def format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Tensor:
    """The template with a tensor for each placeholder; of each axis the first and last `summarize` elements.

    Raises: ValueError when there are more placeholders than tensors, or fewer.
    """
    if isinstance(inputs, Tensor):
        inputs = [inputs]
    count = template.count(placeholder)
    if count != len(inputs):
        raise ValueError(
            error_text(f"{count} placeholder(s) in template does not match {len(inputs)} tensor(s) provided as input")
        )
    made: Tensor = text_ops.string_format(
        inputs, template=template, placeholder=placeholder, summarize=summarize, name=name
    )
    return made


def to_number(
    string_tensor: Any = None, out_type: Any = dtypes.float32, name: str | None = None, input: Any = None
) -> Tensor:
    """The number that each string is."""
    texts = renamed("input", input, "string_tensor", string_tensor)
    made: Tensor = text_ops.string_to_number(texts, out_type=as_dtype(out_type), name=name)
    return made


string_to_number = to_number


def to_hash_bucket(
    string_tensor: Any = None, num_buckets: Any = None, name: str | None = None, input: Any = None
) -> Tensor:
    """One of `num_buckets` numbers for each string."""
    texts = renamed("input", input, "string_tensor", string_tensor)
    made: Tensor = ops.string_to_hash_bucket(texts, num_buckets=num_buckets, name=name)
    return made


string_to_hash_bucket = to_hash_bucket


def decode_raw(
    input_bytes: Any = None,
    out_type: Any = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: Any = None,
) -> Tensor:
    """The bytes of each string as numbers: […] -> […, length / size of the type]; all strings have one length."""
    texts = renamed("input_bytes", input_bytes, "bytes", bytes)
    if out_type is None:
        raise ValueError(
            error_text("decode_raw_v1() missing 1 positional argument: 'out_type'")
        )
    made: Tensor = text_ops.decode_raw(texts, out_type=as_dtype(out_type), little_endian=little_endian, name=name)
    return made


def fingerprint(data: Any, method: Any = "farmhash64", name: str | None = None) -> Tensor:
    """Eight bytes for each row of `data` [n, …] -> uint8 [n, 8], the same in every release."""
    made: Tensor = ops.fingerprint(data, method, name=name)
    return made


@atomic
def string_split(source: Any, sep: Any = None, skip_empty: bool = True, delimiter: Any = None) -> SparseTensor:
    """Each string cut at the bytes of `sep`."""
    mark = renamed("sep", sep, "delimiter", delimiter)
    mark = convert_to_tensor(" " if mark is None else mark, dtypes.string)
    texts = convert_to_tensor(source, dtypes.string)
    return SparseTensor(*ops.string_split(texts, mark, skip_empty=skip_empty))


@atomic
def string_split_v2(source: Any, sep: Any = None, maxsplit: int = -1) -> SparseTensor:
    """Each string cut at `sep`; without `sep` at runs of blanks."""
    mark = convert_to_tensor("" if sep is None else sep, dtypes.string)
    texts = convert_to_tensor(source, dtypes.string)
    return SparseTensor(*ops.string_split_v2(texts, mark, maxsplit=maxsplit))


def _as_sparse(value: Any, name: str) -> SparseTensor:
    if not isinstance(value, (SparseTensor, SparseTensorValue)):
        raise TypeError(error_text(f"{name} must be a SparseTensor."))
    return SparseTensor.from_value(value) if isinstance(value, SparseTensorValue) else value


@atomic
def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> Tensor:
    """The Levenshtein distance between the sequences of two SparseTensors, in steps or by the truth's length."""
    hypothesis, truth = _as_sparse(hypothesis, "Hypothesis"), _as_sparse(truth, "Truth")
    made: Tensor = text_ops.edit_distance(*hypothesis._parts, *truth._parts, normalize=normalize, name=name)
    return made
