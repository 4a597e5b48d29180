"""String functions with ragged results: `split`, `ngrams`, `unicode_decode`, …. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.composites import SparseTensor
from ...ops import strings as string_ops
from ...ops import unicode as ops
from ..arrays import array
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from ..strings import strings
from .ragged_tensor import RaggedTensor, as_ragged_or_dense

_REPLACEMENT = 65533


def _flat_values_of(value: Any) -> list[Any]:
    return [value.flat_values if isinstance(value, RaggedTensor) else value]


def _from_sparse(sparse: SparseTensor) -> RaggedTensor:
    """The rows of a sparse matrix whose rows are packed to the left."""
    rows = sparse.indices[:, 0]  # type: ignore[index]
    count = sparse.dense_shape[0]  # type: ignore[index]
    return RaggedTensor.from_value_rowids(sparse.values, rows, count, validate=False)


# -- splits ---------------------------------------------------------------------------------------------------------


@atomic
def string_split(
    source: Any,
    sep: Any = None,
    skip_empty: bool = True,
    delimiter: Any = None,
    result_type: str = "SparseTensor",
    name: str | None = None,
) -> Any:
    """Each string of a vector [n], split at any of the bytes of `sep` (a blank): a SparseTensor [n, parts], or
    ragged on request.

    Raises: ValueError for another result_type.
    """
    with named(name, "StringSplit", [source]):
        parts = strings.string_split(source, sep, skip_empty, delimiter)
        if result_type == "SparseTensor":
            return parts
        if result_type == "RaggedTensor":
            return _from_sparse(parts)
        raise ValueError(error_text("result_type must be 'RaggedTensor' or 'SparseTensor'."))


@atomic
def split(
    input: Any = None,
    sep: Any = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: Any = None,
    name: str | None = None,
) -> Any:
    """Each string [...], split at the string `sep`, by default at runs of blanks: SparseTensor [..., parts], or
    ragged on request.

    Raises: ValueError for another result_type.
    """
    input = renamed("input", input, "source", source)
    with named(name, "StringSplit", _flat_values_of(input)):
        texts = as_ragged_or_dense(input, dtypes.string, name="input")
        if result_type == "SparseTensor" and texts.shape.ndims == 1:
            return strings.string_split_v2(texts, sep, maxsplit)
        parts = _split(texts, sep, maxsplit)
        if result_type == "SparseTensor":
            if not isinstance(parts, RaggedTensor):
                parts = RaggedTensor.from_row_starts(parts, [0], validate=False)
            return parts.to_sparse()
        if result_type == "RaggedTensor":
            return parts
        raise ValueError(error_text("result_type must be 'RaggedTensor' or 'SparseTensor'."))


@atomic
def _split(texts: Any, sep: Any, maxsplit: int) -> Any:
    with named(None, "StringSplit", _flat_values_of(texts)):
        if isinstance(texts, RaggedTensor):
            return texts.with_flat_values(_split(texts.flat_values, sep, maxsplit))
        rank = texts.shape.ndims
        if rank == 0:
            return _split(array.stack([texts]), sep, maxsplit)[0]
        if rank in (1, None):
            return _from_sparse(strings.string_split_v2(texts, sep, maxsplit))
        return _split(RaggedTensor.from_tensor(texts, ragged_rank=rank - 1), sep, maxsplit)


@atomic
def bytes_split(input: Any, name: str | None = None) -> Any:
    """The bytes of each string: [...] -> ragged [..., (bytes)].

    Raises: ValueError for an input of unknown rank.
    """
    with named(name, "StringsByteSplit", _flat_values_of(input)):
        texts = as_ragged_or_dense(input, name="input")
        if isinstance(texts, RaggedTensor):
            return texts.with_flat_values(bytes_split(texts.flat_values))
        rank = texts.shape.ndims
        if rank is None:
            raise ValueError(error_text("input must have a statically-known rank."))
        if rank == 0:
            return bytes_split(array.stack([texts]))[0]
        if rank > 1:
            return bytes_split(RaggedTensor.from_tensor(texts, ragged_rank=rank - 1))
        return _from_sparse(SparseTensor(*string_ops.string_split(texts, "", skip_empty=False)))


@atomic
def ngrams(
    data: Any,
    ngram_width: Any,
    separator: str = " ",
    pad_values: Any = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Any:
    """All runs of ngram_width neighbours in each row, joined by the separator: [..., n] -> [..., (n - width + 1)].

    ngram_width: an int, or a list of ints. pad_values: the strings before and after each row, `padding_width` times.

    Raises: TypeError for other pad_values, ValueError for widths that are not positive.
    """
    with named(name, "StringNGrams", _flat_values_of(data)):
        pads = pad_values if isinstance(pad_values, (list, tuple)) else (pad_values, pad_values)
        if pad_values is None:
            pads = ("", "")
        if len(pads) < 2 or not all(isinstance(pad, (str, bytes)) for pad in pads[:2]):
            raise TypeError(error_text("pad_values must be a string, tuple of strings, or None."))
        if padding_width is not None and padding_width < 1:
            raise ValueError(error_text("padding_width must be greater than 0."))
        if padding_width is not None and pad_values is None:
            raise ValueError(error_text("pad_values must be provided if padding_width is set."))
        widths = list(ngram_width) if isinstance(ngram_width, (list, tuple)) else [ngram_width]
        if any(width < 1 for width in widths):
            raise ValueError(error_text(f"All ngram_widths must be greater than 0. Got {ngram_width}"))
        pad_width = 0 if pad_values is None else -1 if padding_width is None else padding_width
        texts = as_ragged_or_dense(data, dtypes.string, name="data")
        return _ngrams(texts, {
            "separator": separator, "ngram_widths": widths, "left_pad": pads[0], "right_pad": pads[1],
            "pad_width": pad_width, "preserve_short_sequences": preserve_short_sequences,
        })  # fmt: skip


def _ngrams(texts: Any, options: dict[str, Any]) -> Any:
    if isinstance(texts, RaggedTensor):
        if texts.ragged_rank > 1:
            return texts.with_values(_ngrams(texts.values, options))
        rows_ngrams = string_ops.string_ngrams(texts.flat_values, texts.row_splits, **options)
        return RaggedTensor.from_row_splits(rows_ngrams.ngrams, rows_ngrams.ngrams_splits, validate=False)
    rank = texts.shape.ndims
    if rank is None:
        raise ValueError(error_text("Rank of data must be known."))
    if rank == 0:
        raise ValueError(error_text("Data must have rank>0"))
    if rank == 1:
        return _ngrams(RaggedTensor.from_row_starts(texts, [0], validate=False), options)[0]
    shape = array.concat([array.shape(texts)[:-1], [-1]], axis=0)  # type: ignore[index]
    rows = _ngrams(RaggedTensor.from_tensor(texts, ragged_rank=rank - 1), options)
    return array.reshape(rows.flat_values, shape)


# -- Unicode ---------------------------------------------------------------------------------------------------------


@atomic
def unicode_decode(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """The code points of each string: [...] -> ragged int32 [..., (characters)].

    errors: "replace", "ignore" or "strict". Raises: ValueError for an input of unknown rank.
    """
    with named(name, "UnicodeDecode", _flat_values_of(input)):
        return _decode(input, ops.unicode_decode, input_encoding, errors, replacement_char, replace_control_characters)[0]


@atomic
def unicode_decode_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """(code points, offsets in bytes) of the characters of each string: [...] -> ragged [..., (characters)] each.

    errors: "replace", "ignore" or "strict". Raises: ValueError for an input of unknown rank.
    """
    with named(name, "UnicodeDecodeWithOffsets", _flat_values_of(input)):
        return tuple(
            _decode(
                input, ops.unicode_decode_with_offsets, input_encoding, errors, replacement_char, replace_control_characters
            )
        )


def _decode(input: Any, decode: Any, encoding: str, errors: str, replacement: int, controls: bool) -> list[Any]:
    """Code points, and offsets if `decode` returns them, in the shape of the input."""
    texts = as_ragged_or_dense(input, name="input")
    rank = texts.shape.ndims
    if rank is None:
        raise ValueError(error_text("Rank of `input` must be statically known."))
    if rank > 1 and not isinstance(texts, RaggedTensor):
        texts = RaggedTensor.from_tensor(texts, ragged_rank=rank - 1)
    flat = array.reshape(texts.flat_values if isinstance(texts, RaggedTensor) else texts, [-1])
    splits, *columns = decode(
        flat, input_encoding=encoding, errors=errors, replacement_char=replacement, replace_control_characters=controls
    )
    if rank == 0:
        return columns
    rows = [RaggedTensor.from_row_splits(column, splits, validate=False) for column in columns]
    return [texts.with_flat_values(row) for row in rows] if isinstance(texts, RaggedTensor) else rows


@atomic
def unicode_encode(
    input: Any,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    name: str | None = None,
) -> Any:
    """The string of each row of code points: [..., n] -> [...].

    Raises: ValueError for an input of rank 0 or unknown rank.
    """
    with named(name, "UnicodeEncode", _flat_values_of(input)):
        codes = as_ragged_or_dense(input)
        rank = codes.shape.ndims
        if rank is None:
            raise ValueError(error_text("Rank of input_tensor must be statically known."))
        if rank == 0:
            raise ValueError(error_text("input_tensor's rank must be at least 1."))
        options = (output_encoding, errors, replacement_char)
        if isinstance(codes, RaggedTensor):
            if len(codes.flat_values.shape) > 1:
                return codes.with_flat_values(unicode_encode(codes.flat_values, *options))
            if codes.ragged_rank > 1:
                return codes.with_values(unicode_encode(codes.values, *options))
            return ops.unicode_encode(
                codes.values, codes.row_splits, output_encoding=output_encoding, errors=errors,
                replacement_char=replacement_char,
            )  # fmt: skip
        if rank == 1:
            ends = array.stack([0, array.shape(codes)[0]])  # type: ignore[index]
            single_row = RaggedTensor.from_row_splits(codes, ends, validate=False)
            return array.reshape(unicode_encode(single_row, *options), [])
        if rank == 2:
            return unicode_encode(RaggedTensor.from_tensor(codes), *options)
        sizes: Any = array.shape(codes)
        flat = array.reshape(codes, array.stack([-1, sizes[-1]]))
        return array.reshape(unicode_encode(flat, *options), sizes[:-1])


@atomic
def unicode_split(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    name: str | None = None,
) -> Any:
    """The characters of each string: [...] -> ragged [..., (characters)].

    Raises: ValueError for an input of unknown rank.
    """
    with named(name, "UnicodeSplit", _flat_values_of(input)):
        codes = _decode(input, ops.unicode_decode, input_encoding, errors, replacement_char, False)[0]
        return _characters(codes, input_encoding, errors, replacement_char)


@atomic
def unicode_split_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    name: str | None = None,
) -> Any:
    """(characters, offsets in bytes) of each string: [...] -> ragged [..., (characters)] each.

    Raises: ValueError for an input of unknown rank.
    """
    with named(name, "UnicodeSplitWithOffsets", _flat_values_of(input)):
        codes, starts = _decode(
            input, ops.unicode_decode_with_offsets, input_encoding, errors, replacement_char, False
        )
        return _characters(codes, input_encoding, errors, replacement_char), starts


def _characters(codes: Any, encoding: str, errors: str, replacement: int) -> Any:
    """Each code point as a string."""
    flat: Tensor = codes.flat_values if isinstance(codes, RaggedTensor) else codes
    chars = unicode_encode(array.expand_dims(flat, -1), encoding, errors, replacement)
    return codes.with_flat_values(chars) if isinstance(codes, RaggedTensor) else chars
