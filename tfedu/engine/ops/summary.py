"""Summaries: numbers, histograms, pictures, sounds and tensors as serialized `Summary` messages, which TensorBoard shows.

State: `_limits`, the limits of a histogram's buckets, computed on first use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import as_dtype, runtime_name
from ..files import media, sounds
from ..op.define import AtLeast, Many, TensorAttr, op, typevar
from ..op.gradient_rules import SUMMARY
from ..op.shape_checks import REALS, Any_, Real, as_array, invalid, kinds, scalar_rule, text_of

string = dtypes.string
Value = typevar("T", REALS, default=dtypes.float32)
Picture = typevar("T", kinds("uint8 float half double"), default=dtypes.float32)

_RED = np.array([255, 0, 0, 255], np.uint8)
_LARGEST = float(np.finfo(np.float64).max)
_limits: Any = None


def _messages() -> Any:
    from ..base import proto

    return proto


def tag_text(tag: Any, refusal: str) -> str:
    """The text of a tag, a scalar. Raises: InvalidArgumentError with the text `refusal` for another shape."""
    array = as_array(tag)
    if array.ndim:
        raise invalid(refusal)
    return _text(array[()])


def _text(tag: bytes) -> str:
    try:
        return tag.decode("utf-8")
    except UnicodeDecodeError:
        raise invalid(f"The tag of a summary must be UTF-8, got {tag!r}") from None


def numbers(values: Any) -> Any:
    """Values of any real dtype as float64."""
    array = np.asarray(values)
    if array.dtype == dtypes.bfloat16.numpy:
        array = dtypes.bfloat16_values(array)
    return array.astype(np.float64)


@op("ScalarSummary", not_differentiable=SUMMARY, role="summary", out="summary", shape=scalar_rule)
def scalar_summary(xp: Any, tags: string, values: Real) -> string:
    """One number for each tag, as a serialized Summary: tags and values any shape, the same for both -> scalar.

    Raises: InvalidArgumentError when the shapes differ.
    """
    labels, shape = as_array(tags), np.shape(values)
    if labels.shape != shape:
        tag_note = f" (tag '{_text(labels.ravel()[0])}')" if labels.size == 1 else ""
        raise invalid(f"tags and values are not the same shape: {text_of(labels.shape)} != {text_of(shape)}{tag_note}")
    message = _messages().Summary()
    with np.errstate(over="ignore"):  # beyond float32 is infinite, as in C
        singles = numbers(values).astype(np.float32).ravel().tolist()
    for tag, value in zip(labels.ravel(), singles):
        message.value.add(tag=_text(tag), simple_value=value)
    data: bytes = message.SerializeToString()
    return data  # type: ignore[return-value]


# -- histograms ------------------------------------------------------------------------------------------------------


def bucket_limits() -> Any:
    """The upper limits of TF's buckets: 0 and ±1e-12 · 1.1^i up to 1e20, then the largest double."""
    global _limits
    if _limits is None:
        up, border = [], 1e-12
        while border < 1e20:
            up.append(border)
            border *= 1.1
        up.append(_LARGEST)
        _limits = np.array([-x for x in reversed(up)] + [0.0] + up)
    return _limits


class Distribution:
    """The distribution of numbers that come one by one; `write` fills a HistogramProto."""

    def __init__(self) -> None:
        self._counts = np.zeros(len(bucket_limits()), np.int64)
        self._least, self._most = _LARGEST, -_LARGEST
        self._sum = self._sum_squares = 0.0

    def add(self, value: float) -> None:
        limits = bucket_limits()
        self._counts[min(np.searchsorted(limits, value, "right"), len(limits) - 1)] += 1
        self._least, self._most = min(self._least, value), max(self._most, value)
        self._sum += value
        self._sum_squares += value * value

    def write(self, into: Any) -> None:
        into.min, into.max, into.num = self._least, self._most, self._counts.sum()
        into.sum, into.sum_squares = self._sum, self._sum_squares
        write_buckets(self._counts, into)


def write_buckets(counts: Any, into: Any) -> None:
    """Fills the buckets of a HistogramProto; the last of a run of empty ones is kept, as the lower limit of the next one."""
    filled = counts > 0
    # an empty bucket is kept if a filled one, or none, follows
    kept = filled | np.append(filled[1:], True)
    into.bucket_limit.extend(bucket_limits()[kept].tolist())
    into.bucket.extend(counts[kept].tolist())


def histogram_of(values: Any, into: Any) -> None:
    """Fills a HistogramProto."""
    flat = numbers(values).ravel()
    limits = bucket_limits()
    # the largest double belongs to the last bucket
    places = np.minimum(np.searchsorted(limits, flat, "right"), len(limits) - 1)
    counts = np.bincount(places, minlength=len(limits))
    into.min = flat.min() if flat.size else _LARGEST
    into.max = flat.max() if flat.size else -_LARGEST
    into.num = flat.size
    if flat.size:
        with np.errstate(over="ignore"):
            # summed in sequence, as in TF
            into.sum = np.add.accumulate(flat)[-1]
            into.sum_squares = np.add.accumulate(flat * flat)[-1]
    write_buckets(counts, into)


def add_histogram(summary: Any, name: str, values: Any) -> None:
    """Adds the distribution of values [...] to a Summary.

    Raises: InvalidArgumentError for NaN or an infinity.
    """
    flat = numbers(values).ravel()
    wrong = ~np.isfinite(flat)
    if wrong.any():
        first = flat[np.argmax(wrong)]
        raise invalid(f"{'Nan in summary histogram' if np.isnan(first) else 'Infinity in Histogram'} for: {name}")
    histogram_of(flat, summary.value.add(tag=name).histo)


@op("HistogramSummary", not_differentiable=SUMMARY, role="summary", out="summary", shape=scalar_rule)
def histogram_summary(xp: Any, tag: string, values: Value) -> string:
    """The distribution of the values, as a serialized Summary: tag scalar, values any shape -> scalar.

    Raises: InvalidArgumentError for NaN or an infinity.
    """
    message = _messages().Summary()
    add_histogram(message, tag_text(tag, "tags must be scalar"), values)
    data: bytes = message.SerializeToString()
    return data  # type: ignore[return-value]


# -- pictures --------------------------------------------------------------------------------------------------------


def as_pixels(picture: Any, bad_color: Any) -> Any:
    """A picture [h, w, channels] of floats as uint8; pixels that are not finite get `bad_color`.

    Without negative values the largest becomes 255; else 0 becomes 128 and the farthest from it 1 or 255.
    """
    single, kind = np.float32, picture.dtype.type
    finite = np.isfinite(picture).all(axis=-1)
    good = picture[finite]
    # the scale has single precision whatever the picture's dtype, as in TF
    with np.errstate(over="ignore"):
        low, high = (single(good.min()), single(good.max())) if good.size else (single(0), single(0))
    reach, room, offset = (max(abs(low), abs(high)), 127, kind(128)) if low < 0 else (high, 255, kind(0))
    scale = kind(0) if reach < single(1e-6) else kind(single(room) / reach)
    pixels = np.empty(picture.shape, np.uint8)
    pixels[finite] = (good * scale + offset).astype(np.uint8)
    pixels[~finite] = bad_color[: picture.shape[-1]]
    return pixels


@op("ImageSummary", not_differentiable=SUMMARY, role="summary", out="summary", shape=scalar_rule)
def image_summary(
    xp: Any, tag: string, tensor: Picture, *, max_images: AtLeast[1] = 3, bad_color: TensorAttr = _RED
) -> string:
    """The first max_images pictures of a batch as PNG, in a serialized Summary: tag scalar, tensor [n, h, w, c], c one
    of 1, 3, 4 -> scalar.
    """
    if bad_color.dtype != np.uint8:
        raise invalid(f"bad_color must be uint8, got {runtime_name(as_dtype(bad_color.dtype))}")
    if bad_color.ndim != 1:
        raise invalid(f"bad_color must be a vector, got shape {text_of(bad_color.shape)}")
    message = _messages().Summary()
    add_pictures(message, tag_text(tag, "Tags must be a scalar"), tensor, bad_color, max_images)
    data: bytes = message.SerializeToString()
    return data  # type: ignore[return-value]


def add_pictures(summary: Any, name: str, tensor: Any, bad_color: Any, max_images: int) -> None:
    """Adds the first max_images pictures of a batch [n, h, w, c] to a Summary.

    Raises: InvalidArgumentError for another shape, or a bad_color [k] with fewer than c channels.
    """
    shape = np.shape(tensor)
    if len(shape) != 4 or shape[3] not in (1, 3, 4):
        raise invalid(f"Tensor must be 4-D with last dim 1, 3, or 4, not {text_of(shape)}")
    count, height, width, channels = shape
    if tensor.dtype != np.uint8 and channels > len(bad_color):
        raise invalid(f"expected depth <= bad_color.size, got depth = {channels}, bad_color.size = {len(bad_color)}")
    for i in range(min(max_images, count)):
        picture = tensor[i] if tensor.dtype == np.uint8 else as_pixels(tensor[i], bad_color)
        # the tag depends on max_images, not on the number of pictures
        image = summary.value.add(tag=f"{name}/image/{i}" if max_images > 1 else f"{name}/image").image
        image.height, image.width, image.colorspace = height, width, channels
        image.encoded_image_string = media.png(picture)


# -- sounds ----------------------------------------------------------------------------------------------------------


@op("AudioSummaryV2", not_differentiable=SUMMARY, role="summary", out="summary", shape=scalar_rule)
def audio_summary(
    xp: Any, tag: string, tensor: dtypes.float32, sample_rate: dtypes.float32, *, max_outputs: AtLeast[1] = 3
) -> string:
    """The first max_outputs sounds of a batch as WAV, in a serialized Summary: tag scalar, tensor [n, frames] or [n,
    frames, channels], sample_rate scalar, in hertz -> scalar.
    """
    message = _messages().Summary()
    add_sounds(message, tag_text(tag, "Tag must be a scalar"), tensor, sample_rate, max_outputs)
    data: bytes = message.SerializeToString()
    return data  # type: ignore[return-value]


def add_sounds(summary: Any, name: str, tensor: Any, sample_rate: Any, max_outputs: int) -> None:
    """Adds the first max_outputs sounds of a batch [n, frames] or [n, frames, channels] to a Summary; sample_rate in hertz.

    Raises: InvalidArgumentError for another shape, or a rate that is not positive.
    """
    shape = np.shape(tensor)
    if len(shape) not in (2, 3):
        raise invalid(f"Tensor must be 3-D or 2-D, got: {text_of(shape)}")
    if np.size(sample_rate) != 1:
        raise invalid("sample_rate must be rank-0 or contain a single value")
    rate = float(np.asarray(sample_rate).ravel()[0])
    if not rate > 0:
        raise invalid("sample_rate must be > 0")
    count, frames = shape[:2]
    channels = shape[2] if len(shape) == 3 else 1
    if count and not channels:
        raise invalid("audio is null")
    for i in range(min(max_outputs, count)):
        audio = summary.value.add(tag=f"{name}/audio/{i}" if max_outputs > 1 else f"{name}/audio").audio
        audio.sample_rate, audio.num_channels, audio.length_frames = rate, channels, frames
        audio.content_type = "audio/wav"
        audio.encoded_audio_string = sounds.to_wav(tensor[i].reshape(frames, channels), max(1, round(rate)))


# -- tensors, and summaries of summaries -------------------------------------------------------------------------------


@op("TensorSummaryV2", not_differentiable=SUMMARY, role="summary", out="summary", shape=scalar_rule)
def tensor_summary(xp: Any, tag: string, tensor: Any_, serialized_summary_metadata: string) -> string:
    """A tensor and how to show it, as a serialized Summary: tag scalar, tensor any shape, serialized_summary_metadata
    scalar -> scalar.
    """
    name = tag_text(tag, "tag must be scalar")
    metadata = as_array(serialized_summary_metadata)
    if metadata.ndim:
        raise invalid("serialized_summary_metadata must be scalar")
    message = _messages().Summary()
    add_tensor(message, name, tensor, metadata[()]).metadata.SetInParent()
    data: bytes = message.SerializeToString()
    return data  # type: ignore[return-value]


def add_tensor(summary: Any, name: str, tensor: Any, metadata: bytes) -> Any:
    """Adds a tensor [...] and how to show it to a Summary; returns the new value."""
    value = summary.value.add(tag=name)
    _store(as_array(tensor), value.tensor)
    if metadata:
        try:
            value.metadata.ParseFromString(metadata)
        except _messages().DecodeError:
            value.metadata.Clear()
            value.metadata.SetInParent()
    return value


def _store(array: Any, stored: Any) -> None:
    """Writes an array into a TensorProto."""
    stored.dtype = (dtypes.string if array.dtype == object else as_dtype(array.dtype)).as_datatype_enum
    stored.tensor_shape.SetInParent()
    for size in array.shape:
        stored.tensor_shape.dim.add(size=size)
    if array.dtype == object:
        stored.string_val.extend(array.ravel().tolist())
    else:
        stored.tensor_content = np.ascontiguousarray(array).tobytes()


@op(
    "TensorSummary", not_differentiable=SUMMARY, role="summary", out="summary", shape=lambda tensor, **attributes: (),
    stateful=False, commutes=True,
)
def tensor_summary_v1(
    run: Any, tensor: Any_, *, description: str = "", labels: list[str] = [], display_name: str = ""  # noqa: B006
) -> string:
    """A tensor under the node's name, as a serialized Summary: any shape -> scalar. The attributes are notes for
    readers of the graph.
    """
    message = _messages().Summary()
    _store(as_array(tensor), message.value.add(node_name=run.node.name).tensor)
    data: bytes = message.SerializeToString()
    return data  # type: ignore[return-value]


@op("MergeSummary", not_differentiable=SUMMARY, role="summary", out="summary", shape=scalar_rule)
def merge_summary(xp: Any, inputs: Many[string]) -> string:
    """The values of n serialized summaries in one: n inputs of any shape -> scalar.

    Raises: InvalidArgumentError for a tag that occurs twice.
    """
    proto = _messages()
    message, tags = proto.Summary(), set()
    for part in inputs:
        for data in as_array(part).ravel():
            try:
                summary = proto.Summary.FromString(data)
            except proto.DecodeError:
                raise invalid("Could not parse one of the summary inputs") from None
            for value in summary.value:
                if value.tag and value.tag in tags:
                    raise invalid(f"Duplicate tag {value.tag} found in summary inputs")
                tags.add(value.tag)
            message.value.extend(summary.value)
    merged: bytes = message.SerializeToString()
    return merged  # type: ignore[return-value]


__all__ = ["as_pixels", "bucket_limits", "histogram_of"]
