"""Pictures in files: decoding and encoding JPEG, PNG, GIF and BMP. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import numpy as np

from ...base import dtypes, errors
from ...base.shapes import Shape, ShapeMismatch
from ...base.text_bytes import as_bytes
from ...files import media, pictures
from ...files.contents import named
from ...files.pictures import BadPicture
from ...op.define import Sym, op, typevar
from ...op.shape_checks import (
    INDEX,
    as_array,
    invalid,
    kinds,
    of_rank,
    scalar,
    text_of,
    unimplemented,
    vector,
    with_value,
)

string, uint8, int32 = dtypes.string, dtypes.uint8, dtypes.int32
Sample = typevar("dtype", kinds("uint8 uint16"), default=uint8)

# -- decoding ------------------------------------------------------------------------------------------------------------

_FORMATS: Final = ((b"\xff\xd8\xff", "JPEG"), (b"\x89PNG\r\n\x1a\n", "PNG"), (b"GIF8", "GIF"))


def _bytes_of(contents: Any, name: str = "contents") -> bytes:
    array = as_array(contents)
    if array.ndim:
        raise invalid(f"{name} must be scalar, got shape {text_of(array.shape)}")
    data: bytes = array[()]
    return data


def _format(data: bytes) -> str:
    for start, name in _FORMATS:
        if data.startswith(start):
            return name
    what = "empty file" if not data else f"unknown format starting with '{_printable(data[:16])}'"
    fix = f"the file{named(data)} is no such picture" if named(data) else None
    raise invalid(f"Expected image (JPEG, PNG, or GIF), got {what}", fix)


def _printable(data: bytes) -> str:
    return "".join(chr(b) if 32 <= b < 127 else f"\\{b:03o}" for b in data)


def _decoded(
    data: bytes, channels: int, bits: int, wants_frames: bool, from_jpeg: Callable[..., Any] = pictures.from_jpeg
) -> Any:
    """The pixels of a JPEG, PNG or GIF picture, whichever it is: [h, w, c], or [n, h, w, c] where frames are wanted."""
    if channels not in (0, 1, 3, 4):
        raise invalid(f"channels must be 0, 1, 3, or 4, got {channels}")
    kind = _format(data)
    allowed = {"JPEG": (0, 1, 3), "PNG": (0, 1, 3, 4), "GIF": (0, 3)}[kind]
    if channels not in allowed:
        text = {"JPEG": "0, 1, or 3", "PNG": "0, 1, 3, or 4", "GIF": "0 or 3"}[kind]
        raise invalid(f"channels must be {text} for {kind}, got {channels}")
    try:
        if kind == "JPEG":
            pixels = from_jpeg(data, channels)
        elif kind == "PNG":
            pixels = pictures.from_png(data, channels, bits)
        else:
            pixels = pictures.from_gif(data)
    except BadPicture as bad:
        text = {
            "JPEG": f"Invalid JPEG data or crop window, data size {len(data)}",
            "PNG": f"Invalid PNG header, data size {len(data)}" if len(data) < 33 else f"Invalid PNG data, size {len(data)}",
            "GIF": f"Invalid GIF data (size {len(data)}), {bad}",
        }[kind]
        raise invalid(text, f"the file{named(data)} is damaged: {bad}") from None
    if kind == "GIF":
        if not wants_frames:
            if len(pixels) != 1:
                raise invalid(
                    f"Got {len(pixels)} frames, but animated gifs can only be decoded by tf.image.decode_gif or "
                    "tf.image.decode_image"
                )
            return pixels[0]
        return pixels
    return pixels[None] if wants_frames else pixels


def _decoded_shape(contents: Sym, *, channels: int, **_: Any) -> Shape:
    scalar(contents)
    if channels < 0:
        raise ShapeMismatch(f"channels must be non-negative, got {channels}")
    return (None, None, channels or None)


_DCT: Final = ("", "INTEGER_FAST", "INTEGER_ACCURATE")


def _jpeg_reader(
    ratio: int, fancy_upscaling: bool, try_recover_truncated: bool, dct_method: Any
) -> Callable[[bytes, int], Any]:
    method = dct_method.decode() if isinstance(dct_method, bytes) else dct_method
    if ratio not in (1, 2, 4, 8):
        raise invalid(f"ratio must be 1, 2, 4, or 8, got {ratio}")
    if method not in _DCT:
        raise invalid("dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}")
    if not fancy_upscaling:
        fix = "Pillow always smooths the colours that JPEG stores coarsely"
        raise unimplemented("fancy_upscaling=False is not supported", fix)
    return lambda data, channels: pictures.from_jpeg(data, channels, ratio, try_recover_truncated)


@op("DecodeJpeg", out="image", shape=_decoded_shape, fresh=True)
def decode_jpeg(
    xp: Any,
    contents: string,
    *,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1.0,
    dct_method: str = "",
) -> uint8:
    """The pixels of a JPEG picture, or of a PNG or still GIF picture: a scalar -> uint8 [h, w, channels].

    channels: 0 as the file has it, 1 grey, 3 RGB. ratio: 1, 2, 4 or 8, how much smaller it is decoded.

    Raises: InvalidArgumentError for bytes that are no picture; ImportError without Pillow.
    """
    read = _jpeg_reader(ratio, fancy_upscaling, try_recover_truncated, dct_method)
    return _decoded(_bytes_of(contents), channels, 8, False, read)


def _cropped_shape(contents: Sym, crop_window: Sym, *, channels: int, **_: Any) -> Shape:
    scalar(contents)
    length = vector(crop_window)
    if length is not None:
        with_value(length, 4)
    window = crop_window.value
    height, width = (None, None) if window is None else (int(window[2]), int(window[3]))
    return (height, width, channels or None)


@op("DecodeAndCropJpeg", out="image", shape=_cropped_shape, fresh=True)
def decode_and_crop_jpeg(
    xp: Any,
    contents: string,
    crop_window: int32,
    *,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1.0,
    dct_method: str = "",
) -> uint8:
    """A part of a JPEG picture: a scalar, crop_window [4] (y, x, height, width) -> uint8 [height, width, channels].

    Raises: InvalidArgumentError as decode_jpeg, and for a window that is not inside the picture.
    """
    read = _jpeg_reader(ratio, fancy_upscaling, try_recover_truncated, dct_method)
    data = _bytes_of(contents)
    if crop_window.ndim != 1:
        raise invalid(f"crop_window must be 1-D, got shape {text_of(crop_window.shape)}")
    if crop_window.size != 4:
        raise invalid(f"crop_size must have four elements {text_of(crop_window.shape)}")
    top, left, height, width = crop_window.tolist()
    pixels = _decoded(data, channels, 8, False, read)
    if min(top, left) < 0 or min(height, width) <= 0 or top + height > pixels.shape[0] or left + width > pixels.shape[1]:
        raise invalid(
            f"Invalid JPEG data or crop window, data size {len(data)}",
            f"the window [{top}, {left}, {height}, {width}] must lie inside the picture [{pixels.shape[0]}, {pixels.shape[1]}]",
        )
    return pixels[top : top + height, left : left + width].copy()


@op("DecodePng", out="image", shape=lambda contents, *, channels, dtype: _decoded_shape(contents, channels=channels), fresh=True)
def decode_png(xp: Any, contents: string, *, channels: int = 0, dtype: Sample = uint8) -> "dtype":  # noqa: F821
    """The pixels of a PNG picture, or of a JPEG or still GIF picture: a scalar -> [h, w, channels].

    channels: 0 as the file has it, 1 grey, 3 RGB, 4 RGBA.

    Raises: InvalidArgumentError for bytes that are no picture; ImportError without Pillow.
    """
    data = _bytes_of(contents)
    if dtype == dtypes.uint16 and channels in (0, 1, 3, 4) and _format(data) != "PNG":
        raise invalid(f"{_format(data)} does not support uint16 output", "only PNG has samples of 16 bits")
    return _decoded(data, channels, 8 * dtype.numpy.itemsize, False)


def _frames_shape(contents: Sym) -> Shape:
    scalar(contents)
    return (None, None, None, 3)


@op("DecodeGif", out="image", shape=_frames_shape, fresh=True)
def decode_gif(xp: Any, contents: string) -> uint8:
    """The frames of a GIF picture, or one of a JPEG or PNG picture: a scalar -> uint8 [n, h, w, 3].

    Raises: InvalidArgumentError for bytes that are no picture; ImportError without Pillow.
    """
    return _decoded(_bytes_of(contents), 3, 8, True)


@op("DecodeBmp", out="image", shape=_decoded_shape, fresh=True)
def decode_bmp(xp: Any, contents: string, *, channels: int = 0) -> uint8:
    """The pixels of an uncompressed BMP picture: a scalar -> uint8 [h, w, channels].

    channels: 0 as the file has it, else what the file must have: 1 grey, 3 RGB, 4 RGBA.

    Raises: InvalidArgumentError for bytes that are no such picture.
    """
    data = _bytes_of(contents)
    if channels not in (0, 1, 3, 4):
        raise invalid(f"channels must be 0, 1, 3 or 4, got {channels}")
    try:
        _start, width, height, bits = pictures.bmp_header(data)
        has = bits // 8
        if channels and channels != has:
            raise invalid(f"channels attribute {channels} does not match bits per pixel from file {has}")
        if has not in (1, 3, 4):
            raise invalid(f"Number of channels must be 1, 3 or 4, was {has}")
        if width <= 0 or not height:
            raise invalid("Width must be positive" if width <= 0 else "Height cannot be zero")
        return pictures.from_bmp(data, has)
    except BadPicture as bad:
        raise invalid(f"{bad}, got {len(data)} bytes") from None


@op("ExtractJpegShape", out="image_shape", shape=lambda contents, *, output_type: (3,), fresh=True)
def extract_jpeg_shape(
    xp: Any, contents: string, *, output_type: typevar("output_type", INDEX) = dtypes.int32
) -> "output_type":  # noqa: F821
    """The shape (height, width, channels) of a JPEG picture, without decoding it: a scalar -> [3]."""
    data = _bytes_of(contents)
    try:
        return np.array(pictures.jpeg_size(data), output_type.numpy)
    except BadPicture as bad:
        raise invalid(f"Invalid JPEG data, size {len(data)}", str(bad)) from None


# -- encoding ------------------------------------------------------------------------------------------------------------


def _pixels_shape(image: Sym, **_: Any) -> Shape:
    of_rank(image.shape, 3)
    return ()


def _checked_pixels(image: Any, channels: tuple[int, ...], kind: str) -> None:
    if image.ndim != 3:
        raise invalid(f"image must be 3-dimensional{text_of(image.shape)}")
    if image.shape[2] not in channels:
        if kind == "PNG":
            raise invalid(f"image must have 1, 2, 3, or 4 channels, got {image.shape[2]}")
        raise invalid(f"image must have 1 or 3 channels, got {text_of(image.shape)}")
    if not image.size:
        raise errors.InternalError(None, None, f"{kind} encoding failed")


@op("EncodeJpeg", out="contents", shape=_pixels_shape, fresh=True)
def encode_jpeg(
    xp: Any,
    image: uint8,
    *,
    format: Literal["", "grayscale", "rgb"] = "",
    quality: int = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: Literal["in", "cm"] = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: str = "",
) -> string:
    """A JPEG picture: image uint8 [h, w, 1 or 3] -> a scalar. quality: 0 to 100. density: pixels per inch or centimetre.

    Raises: InvalidArgumentError for other shapes and qualities; ImportError without Pillow.
    """
    _checked_pixels(image, (1, 3), "JPEG")
    wanted, unit = ((v.decode() if isinstance(v, bytes) else v) for v in (format, density_unit))
    if wanted and image.shape[2] != {"grayscale": 1, "rgb": 3}[wanted]:
        raise invalid(f"format {wanted} expects {1 if wanted == 'grayscale' else 3} channels, got {text_of(image.shape)}")
    if not 0 <= quality <= 100:
        raise invalid(f"quality must be in [0,100], got {quality}")
    xmp = as_bytes(xmp_metadata)
    density = (x_density, y_density)
    return pictures.to_jpeg(image, quality, progressive, optimize_size, chroma_downsampling, unit, density, xmp)


@op("EncodeJpegVariableQuality", out="contents", fresh=True)
def encode_jpeg_variable_quality(xp: Any, images: uint8, quality: int32) -> string:
    """A JPEG picture: images uint8 [h, w, 1 or 3], quality a scalar, 0 to 100 -> a scalar.

    Raises: InvalidArgumentError for other shapes and qualities; ImportError without Pillow.
    """
    _checked_pixels(images, (1, 3), "JPEG")
    if quality.ndim:
        raise invalid(f"Quality tensor must be scalar, got shape {text_of(quality.shape)}")
    if not 0 <= quality <= 100:
        raise invalid(f"quality must be in [0,100], got {int(quality)}")
    return pictures.to_jpeg(images, int(quality))


@encode_jpeg_variable_quality.shape
def _(images: Sym, quality: Sym) -> Shape:
    of_rank(images.shape, 3)
    scalar(quality)
    return ()


@op("EncodePng", out="contents", shape=_pixels_shape, fresh=True)
def encode_png(xp: Any, image: typevar("T", kinds("uint8 uint16"), default=uint8), *, compression: int = -1) -> string:
    """A PNG picture: image uint8 or uint16 [h, w, 1 to 4] -> a scalar. compression: -1 for zlib's own choice, 0 to 9.

    Raises: InvalidArgumentError for other shapes.
    """
    if not -1 <= compression <= 9:
        raise invalid(f"compression should be in [-1,9], got {compression}")
    _checked_pixels(image, (1, 2, 3, 4), "PNG")
    return media.png(image, compression)
