"""`tf.strings`: public functions that differ from their ops' callers. Ragged results are in `ragged_strings.py`. No
state.
"""

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
from ..framework.dispatch import takes_ragged
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named

as_string = takes_ragged(text_ops.as_string)
lower, upper, strip = ops.string_lower, ops.string_upper, takes_ragged(ops.string_strip)
string_strip = strip
to_hash_bucket_fast = takes_ragged(ops.string_to_hash_bucket_fast)
to_hash_bucket_strong = takes_ragged(ops.string_to_hash_bucket_strong)
string_to_hash_bucket_fast, string_to_hash_bucket_strong = to_hash_bucket_fast, to_hash_bucket_strong
encode_base64, decode_base64 = map(takes_ragged, (ops.encode_base64, ops.decode_base64))
decode_compressed = takes_ragged(text_ops.decode_compressed)
unicode_transcode, unicode_script = unicode_ops.unicode_transcode, takes_ragged(unicode_ops.unicode_script)


@takes_ragged
def length(input: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """The length of each string [...] in bytes, or in characters for unit="UTF8_CHAR"."""
    output: Tensor = ops.string_length(input, unit=unit, name=name)
    return output


@takes_ragged
def substr(input: Any, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """`len` bytes (or characters) of each string [...] from `pos`; a negative pos counts from the end."""
    output: Tensor = ops.substr(input, pos, len, unit=unit, name=name)
    return output


@takes_ragged
def join(inputs: Any, separator: str = "", name: str | None = None) -> Tensor:
    """Tensors of strings [...] joined elementwise with the separator; scalars broadcast."""
    output: Tensor = ops.string_join(inputs, separator=separator, name=name)
    return output


string_join = join


@takes_ragged
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
    """The strings joined along the axes: [m, n] with axis 1 -> [m]; without axes, all of them in row-major order."""
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
        output: Tensor = ops.reduce_join(
            texts, axis, keep_dims=bool(keep), separator=separator, name=name
        )
        return output


def unsorted_segment_join(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: str = "", name: str | None = None
) -> Tensor:
    """The strings with the same segment id, joined: inputs [n, ...], segment_ids [n] -> [num_segments, ...]."""
    output: Tensor = ops.unsorted_segment_join(inputs, segment_ids, num_segments, separator=separator, name=name)
    return output


def _is_text(value: Any) -> bool:
    return isinstance(value, (str, bytes))


@takes_ragged
def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Whether each string [...] as a whole matches an RE2 pattern, as bool."""
    if _is_text(pattern):
        output: Tensor = ops.static_regex_full_match(input, pattern=pattern, name=name)
    else:
        output = ops.regex_full_match(input, pattern, name=name)
    return output


@takes_ragged
def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None
) -> Tensor:
    r"""Each string [...] with its matches of an RE2 pattern (or the first match) rewritten; `\1` in the rewrite is
    the first group.
    """
    if _is_text(pattern) and _is_text(rewrite):
        output: Tensor = ops.static_regex_replace(
            input, pattern=pattern, rewrite=rewrite, replace_global=replace_global, name=name
        )
    else:
        output = ops.regex_replace(input, pattern, rewrite, replace_global=replace_global, name=name)
    return output


@atomic
def format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Tensor:
    """The template with a tensor's text for each placeholder, a string scalar; `summarize` elements at each end of
    an axis.

    Raises: ValueError when the numbers of placeholders and tensors differ.
    """
    if isinstance(inputs, Tensor):
        inputs = [inputs]
    count = template.count(placeholder)
    if count != len(inputs):
        raise ValueError(
            error_text(f"{count} placeholder(s) in template does not match {len(inputs)} tensor(s) provided as input")
        )
    output: Tensor = text_ops.string_format(
        inputs, template=template, placeholder=placeholder, summarize=summarize, name=name
    )
    return output


def to_number(
    string_tensor: Any = None, out_type: Any = dtypes.float32, name: str | None = None, input: Any = None
) -> Tensor:
    """The number that each string [...] represents.

    Raises: in the run InvalidArgumentError for another string.
    """
    texts = renamed("input", input, "string_tensor", string_tensor)
    output: Tensor = text_ops.string_to_number(texts, out_type=as_dtype(out_type), name=name)
    return output


string_to_number = to_number


def to_hash_bucket(
    string_tensor: Any = None, num_buckets: Any = None, name: str | None = None, input: Any = None
) -> Tensor:
    """A number below num_buckets for each string [...], by its hash."""
    texts = renamed("input", input, "string_tensor", string_tensor)
    output: Tensor = ops.string_to_hash_bucket(texts, num_buckets=num_buckets, name=name)
    return output


string_to_hash_bucket = to_hash_bucket


def decode_raw(
    input_bytes: Any = None,
    out_type: Any = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: Any = None,
) -> Tensor:
    """The bytes of each string as numbers: [...] -> [..., length / size of out_type]; all strings have one length.

    Raises: ValueError without out_type.
    """
    texts = renamed("input_bytes", input_bytes, "bytes", bytes)
    if out_type is None:
        raise ValueError(
            error_text("decode_raw_v1() missing 1 positional argument: 'out_type'")
        )
    output: Tensor = text_ops.decode_raw(texts, out_type=as_dtype(out_type), little_endian=little_endian, name=name)
    return output


def fingerprint(data: Any, method: Any = "farmhash64", name: str | None = None) -> Tensor:
    """A hash of eight bytes for each row: data [n, ...] -> uint8 [n, 8]; the same in every release."""
    output: Tensor = ops.fingerprint(data, method, name=name)
    return output


@atomic
def string_split(source: Any, sep: Any = None, skip_empty: bool = True, delimiter: Any = None) -> SparseTensor:
    """Each string [n] split at any of the bytes of `sep`: sparse [n, parts]."""
    separator = renamed("sep", sep, "delimiter", delimiter)
    separator = convert_to_tensor(" " if separator is None else separator, dtypes.string)
    texts = convert_to_tensor(source, dtypes.string)
    return SparseTensor(*ops.string_split(texts, separator, skip_empty=skip_empty))


@atomic
def string_split_v2(source: Any, sep: Any = None, maxsplit: int = -1) -> SparseTensor:
    """Each string [n] split at the string `sep`, by default at runs of blanks: sparse [n, parts]."""
    separator = convert_to_tensor("" if sep is None else sep, dtypes.string)
    texts = convert_to_tensor(source, dtypes.string)
    return SparseTensor(*ops.string_split_v2(texts, separator, maxsplit=maxsplit))


def _as_sparse(value: Any, name: str) -> SparseTensor:
    if not isinstance(value, (SparseTensor, SparseTensorValue)):
        raise TypeError(error_text(f"{name} must be a SparseTensor."))
    return SparseTensor.from_value(value) if isinstance(value, SparseTensorValue) else value


@atomic
def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> Tensor:
    """The Levenshtein distances of the sequences in the last axis of two SparseTensors: [..., m] and [..., n] ->
    [...].

    normalize: divides by the truth's length. Raises: TypeError unless both are sparse.
    """
    hypothesis, truth = _as_sparse(hypothesis, "Hypothesis"), _as_sparse(truth, "Truth")
    output: Tensor = text_ops.edit_distance(*hypothesis._parts, *truth._parts, normalize=normalize, name=name)
    return output
