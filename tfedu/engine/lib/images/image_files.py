"""`tf.image`'s pictures in files: decoding whichever format they have, encoding, and what JPEG does to an image. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops.images import codecs as ops
from ..arrays import selection
from ..checks.asserts import Assert
from ..control.cond import cond
from ..framework.conversion import is_tensor
from ..framework.scope_blocks import control_dependencies, named
from ..math import math, random
from ..strings import strings
from .image_colours import convert_image_dtype

decode_and_crop_jpeg, decode_bmp, decode_gif = ops.decode_and_crop_jpeg, ops.decode_bmp, ops.decode_gif
decode_jpeg, decode_png, encode_jpeg, encode_png = ops.decode_jpeg, ops.decode_png, ops.encode_jpeg, ops.encode_png
extract_jpeg_shape = ops.extract_jpeg_shape


@atomic
def is_jpeg(contents: Any, name: str | None = None) -> Tensor:
    """Whether the bytes, a string scalar, begin as a JPEG picture does."""
    with named(name, "is_jpeg"):
        return math.equal(strings.substr(contents, 0, 3), b"\xff\xd8\xff")


@atomic
def _is_png(contents: Any) -> Tensor:
    with named(None, "is_png"):
        return math.equal(strings.substr(contents, 0, 3), b"\x89PN")


@atomic
def decode_image(
    contents: Any,
    channels: int | None = None,
    dtype: Any = dtypes.uint8,
    name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """The pixels of a JPEG, PNG, BMP or GIF picture, a string scalar: [h, w, channels], of GIF [frames, h, w, 3].

    channels: as the file has it for None or 0. expand_animations: False gives the first frame of a GIF. Because nobody knows the
    format before a run, the result's shape is unknown; `set_shape` says it.

    Raises: ValueError for other channels; InvalidArgumentError at run time for bytes that are no such picture.
    """
    with named(name, "decode_image"):
        if channels not in (None, 0, 1, 3, 4):
            raise ValueError(error_text("channels must be in (None, 0, 1, 3, 4)"))
        dtype = dtypes.as_dtype(dtype)
        count = channels or 0
        start = strings.substr(contents, 0, 3)

        def from_bmp() -> Tensor:
            is_bmp = math.equal(strings.substr(contents, 0, 2), "BM", name="is_bmp")
            is_format = Assert(is_bmp, ["Unable to decode bytes as JPEG, PNG, GIF, or BMP"])
            is_good = math.not_equal(count, 1, name="check_channels")
            has_channels = Assert(is_good, ["Channels must be in (None, 0, 3) when decoding BMP images"])
            with control_dependencies([is_format, has_channels]):
                return convert_image_dtype(decode_bmp(contents), dtype)

        def from_gif() -> Tensor:
            is_good = math.logical_and(
                math.not_equal(count, 1, name="check_gif_channels"), math.not_equal(count, 4, name="check_gif_channels")
            )
            has_channels = Assert(is_good, ["Channels must be in (None, 0, 3) when decoding GIF images"])
            with control_dependencies([has_channels]):
                frames = convert_image_dtype(decode_gif(contents), dtype)
                return frames if expand_animations else selection.gather(frames, 0)

        def from_gif_or_bmp() -> Tensor:
            return cond(math.equal(start, b"GIF", name="is_gif"), from_gif, from_bmp, name="cond_gif")  # type: ignore[no-any-return]

        def from_png() -> Tensor:
            samples = dtypes.uint8 if dtype == dtypes.uint8 else dtypes.uint16
            return convert_image_dtype(decode_png(contents, count, dtype=samples), dtype)

        def from_png_or_other() -> Tensor:
            return cond(_is_png(contents), from_png, from_gif_or_bmp, name="cond_png")  # type: ignore[no-any-return]

        def from_jpeg() -> Tensor:
            is_good = math.not_equal(count, 4, name="check_jpeg_channels")
            has_channels = Assert(is_good, ["Channels must be in (None, 0, 1, 3) when decoding JPEG images"])
            with control_dependencies([has_channels]):
                return convert_image_dtype(decode_jpeg(contents, count), dtype)

        return cond(is_jpeg(contents), from_jpeg, from_png_or_other, name="cond_jpeg")  # type: ignore[no-any-return]


@atomic
def adjust_jpeg_quality(image: Any, jpeg_quality: Any, name: str | None = None) -> Tensor:
    """The image [h, w, 1 or 3] as it looks after it was stored as JPEG. jpeg_quality: a scalar, 0 to 100."""
    with named(name, "adjust_jpeg_quality", [image]):
        image = convert_to_tensor(image, name="image")
        pixels = convert_image_dtype(image, dtypes.uint8)
        if not is_tensor(jpeg_quality):
            jpeg_quality = convert_to_tensor(jpeg_quality, dtypes.int32)
        stored = decode_jpeg(ops.encode_jpeg_variable_quality(pixels, jpeg_quality))
        return convert_image_dtype(stored, image.dtype)


@atomic
def random_jpeg_quality(
    image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: int | None = None
) -> Tensor:
    """`adjust_jpeg_quality` with a random quality in [min_jpeg_quality, max_jpeg_quality).

    Raises: ValueError unless 0 <= min_jpeg_quality < max_jpeg_quality <= 100.
    """
    if min(min_jpeg_quality, max_jpeg_quality) < 0 or max(min_jpeg_quality, max_jpeg_quality) > 100:
        raise ValueError(error_text("jpeg encoding range must be between 0 and 100."))
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError(error_text("`min_jpeg_quality` must be less than `max_jpeg_quality`."))
    quality = random.random_uniform([], min_jpeg_quality, max_jpeg_quality, seed=seed, dtype=dtypes.int32)
    return adjust_jpeg_quality(image, quality)


__all__ = [
    "adjust_jpeg_quality", "decode_and_crop_jpeg", "decode_bmp", "decode_gif", "decode_image", "decode_jpeg", "decode_png",
    "encode_jpeg", "encode_png", "extract_jpeg_shape", "is_jpeg", "random_jpeg_quality",
]  # fmt: skip
