"""Pictures from bytes and back: JPEG, PNG, GIF by Pillow, which `pip install tfedu[images]` installs, and BMP. No state.

Pixels are arrays [h, w, channels], uint8 or, from PNG, uint16. A picture may claim more pixels than there is memory for: each
reader asks the budget (`tfedu.Budget`) before it allocates.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from typing import Any, Final

import numpy as np

from ..base import budget
from ..base.errors import error_text


class BadPicture(ValueError):
    """Bytes that are no whole picture of their format."""


def _pillow() -> Any:
    """Pillow's Image module. Raises: ImportError that names the extra."""
    try:
        from PIL import Image
    except ImportError as missing:
        fix = 'this installs it: pip install "tfedu[images]"'
        raise ImportError(error_text("JPEG, PNG and GIF pictures need Pillow", fix=fix), name=missing.name) from missing
    return Image


def _open(data: bytes, format: str) -> Any:
    """The picture, of which only the header is read."""
    Image = _pillow()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of large pictures; the budget counts their bytes
        try:
            return Image.open(io.BytesIO(data), formats=[format])
        except Image.DecompressionBombError as damaged:
            raise BadPicture(str(damaged)) from None
        except (OSError, SyntaxError, ValueError, struct.error):
            raise BadPicture("its header is damaged") from None


def _reserve(format: str, *sizes: int) -> None:
    budget.current().account(f"The {format} picture").take("bytes", int(np.prod(sizes, dtype=object)))


def _loaded(image: Any) -> Any:
    try:
        image.load()
    except (OSError, SyntaxError, ValueError, IndexError, struct.error, zlib.error) as damaged:
        raise BadPicture(str(damaged)) from None
    return image


# -- JPEG ----------------------------------------------------------------------------------------------------------------


def jpeg_size(data: bytes) -> tuple[int, int, int]:
    """(height, width, channels) of a JPEG picture. Raises: BadPicture."""
    image = _open(data, "JPEG")
    return image.height, image.width, len(image.getbands())


_END_OF_IMAGE: Final = b"\xff\xd9"


def from_jpeg(data: bytes, channels: int = 0, ratio: int = 1, recovers: bool = False) -> Any:
    """The pixels uint8 [h, w, channels] of a JPEG picture. channels: 1 grey, 3 RGB, 0 as the file has it.

    ratio: 1, 2, 4 or 8; the picture is decoded that much smaller. recovers: a truncated file is no error, and what is missing is
    filled.

    Raises: BadPicture; ImportError without Pillow.
    """
    image = _open(data + _END_OF_IMAGE if recovers else data, "JPEG")
    mode = {0: "L" if image.mode == "L" else "RGB", 1: "L", 3: "RGB"}[channels]
    wanted = tuple([-(-side // ratio) for side in image.size])
    _reserve("JPEG", *wanted, len(mode))
    if image.mode != "CMYK":  # Pillow mixes the four inks itself
        image.draft(mode, tuple([max(side // ratio, 1) for side in image.size]))
    if image.size != wanted:
        raise BadPicture(f"a picture of {image.height} by {image.width} pixels cannot be decoded {ratio} times smaller")
    image = _loaded(image)
    if image.mode != mode:
        image = image.convert(mode)
    pixels = np.array(image)
    return pixels[..., None] if pixels.ndim == 2 else pixels


def to_jpeg(
    pixels: Any,
    quality: int = 95,
    progressive: bool = False,
    optimize: bool = False,
    chroma_downsampling: bool = True,
    unit: str = "in",
    density: tuple[int, int] = (300, 300),
    xmp: bytes = b"",
) -> bytes:
    """A JPEG picture of pixels uint8 [h, w, 1 or 3]. unit: "in" or "cm", of the density in pixels."""
    Image = _pillow()
    image = Image.fromarray(pixels[..., 0] if pixels.shape[-1] == 1 else pixels)
    more: dict[str, Any] = {"xmp": xmp} if xmp else {}
    if image.mode == "RGB":
        more["subsampling"] = 2 if chroma_downsampling else 0
    out = io.BytesIO()
    # quality 0 is the worst for TF, and Pillow's default for Pillow
    image.save(
        out, "JPEG", quality=max(quality, 1), progressive=progressive, optimize=optimize,
        dpi=density, **more,
    )  # fmt: skip
    data = bytearray(out.getvalue())
    if unit == "cm":
        data[13] = 2  # the unit in the JFIF header, which Pillow always writes as inches
    return bytes(data)


# -- PNG -----------------------------------------------------------------------------------------------------------------

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by PNG's colour type; 3 is a palette


def from_png(data: bytes, channels: int = 0, bits: int = 8) -> Any:
    """The pixels [h, w, channels] of a PNG picture, uint8 or, for 16 bits, uint16.

    channels: 0 as the file has it, 1 grey, 3 RGB, 4 RGBA. bits: samples of 8 bits are stretched to 16, and of samples of 16 bits
    the upper 8 count.

    Raises: BadPicture; ImportError without Pillow, for pictures of 8 bits.
    """
    if len(data) < 33 or data[:8] != _SIGNATURE or data[12:16] != b"IHDR":
        raise BadPicture("no PNG header")
    width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
    if not width or not height or colour not in _CHANNELS:
        raise BadPicture("a damaged PNG header")
    _reserve("PNG", height, width, 4, bits // 8)
    pixels = _deep_png(data, width, height, _CHANNELS[colour]) if depth == 16 else _shallow_png(data, channels)
    pixels = _with_channels(pixels, channels, depth)
    if pixels.dtype == np.uint8:
        return pixels if bits == 8 else pixels.astype(np.uint16) * np.uint16(257)
    return pixels if bits == 16 else (pixels >> 8).astype(np.uint8)


def _shallow_png(data: bytes, channels: int) -> Any:
    """Up to 8 bits a sample. A transparent colour of a palette makes an alpha channel, another one only if four are wanted."""
    image = _loaded(_open(data, "PNG"))
    grey = image.mode in ("1", "L", "LA")
    has_alpha = image.mode in ("LA", "RGBA") or ("transparency" in image.info and (image.mode == "P" or channels == 4))
    mode = ("L" if grey else "RGB") + ("A" if has_alpha else "")
    pixels = np.array(image if image.mode == mode else image.convert(mode))
    return pixels[..., None] if pixels.ndim == 2 else pixels


def _deep_png(data: bytes, width: int, height: int, channels: int) -> Any:
    """16 bits a sample, which Pillow reads as 8 bits unless there is one channel."""
    if data[28]:
        raise BadPicture("interlaced pictures of 16 bits cannot be read")
    at, packed = 8, []
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            packed.append(data[at + 8 : at + 8 + length])
        at += 12 + length
    step = 2 * channels  # bytes of a pixel
    size = height * (1 + width * step)
    try:
        raw = zlib.decompressobj().decompress(b"".join(packed), size)
    except zlib.error as damaged:
        raise BadPicture(str(damaged)) from None
    if len(raw) != size:
        raise BadPicture("the file is truncated")
    rows = np.frombuffer(raw, np.uint8).reshape(height, 1 + width * step)
    out = np.zeros((height + 1, width * step), np.uint8)  # the row above the first is 0
    for i, row in enumerate(rows):
        out[i + 1] = _unfiltered(int(row[0]), row[1:], out[i], step)
    return out[1:].view(">u2").astype(np.uint16).reshape(height, width, channels)


def _unfiltered(kind: int, row: Any, above: Any, step: int) -> Any:
    """A row's bytes from their differences to the bytes on the left and above. Source: the PNG specification, section 9."""
    if kind == 0:
        return row
    if kind == 1:
        return np.add.accumulate(row.reshape(-1, step), 0, np.uint8).reshape(-1)
    if kind == 2:
        return row + above
    if kind not in (3, 4):
        raise BadPicture(f"no filter has the number {kind}")
    values, over = row.tolist(), above.tolist()
    for i, value in enumerate(values):
        left, up = (values[i - step] if i >= step else 0), over[i]
        if kind == 3:
            values[i] = (value + (left + up) // 2) & 255
        else:
            corner = over[i - step] if i >= step else 0
            values[i] = (value + _paeth(left, up, corner)) & 255
    return np.array(values, np.uint8)


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda each: abs(each - guess))


_GREY: Final = np.array([9797, 19234, 3737], np.uint32)
"""How much red, green and blue count in grey, in units of 2^-15."""


def _with_channels(pixels: Any, channels: int, depth: int) -> Any:
    """Grey, RGB or RGBA from any of them. depth: bits of a sample in the file; as in TF, alpha is the largest number of so many
    bits where the file has none, whatever the pixels' type.
    """
    has = pixels.shape[-1]
    if channels in (0, has):
        return pixels
    colours, alpha = (pixels[..., :1], pixels[..., 1:]) if has < 3 else (pixels[..., :3], pixels[..., 3:])
    if channels == 1:
        if has < 3:
            return colours
        half = 1 << 14 if pixels.dtype == np.uint16 else 0  # only 16 bits are rounded
        return ((colours @ _GREY + half) >> 15).astype(pixels.dtype)[..., None]
    if has < 3:
        colours = np.repeat(colours, 3, -1)
    if channels == 3:
        return colours
    if not alpha.shape[-1]:
        alpha = np.full((*colours.shape[:2], 1), (1 << depth) - 1, pixels.dtype)
    return np.concatenate([colours, alpha], -1)


# -- GIF -----------------------------------------------------------------------------------------------------------------


def from_gif(data: bytes) -> Any:
    """The frames uint8 [n, h, w, 3] of a GIF picture, each drawn over the one before. Raises: BadPicture; ImportError."""
    image = _open(data, "GIF")
    try:
        count = image.n_frames
    except (OSError, SyntaxError, ValueError, EOFError, struct.error) as damaged:
        raise BadPicture(str(damaged)) from None
    _reserve("GIF", count, *image.size, 3)
    frames = []
    for i in range(count):
        try:
            image.seek(i)
            frames.append(np.array(image.convert("RGB")))
        except (OSError, SyntaxError, ValueError, EOFError, struct.error) as damaged:
            raise BadPicture(str(damaged)) from None
    return np.stack(frames)


# -- BMP -----------------------------------------------------------------------------------------------------------------


def bmp_header(data: bytes) -> tuple[int, int, int, int]:
    """(where the pixels begin, width, height, bits of a pixel) of a BMP picture; a negative height: the top row comes first.

    Raises: BadPicture.
    """
    if len(data) < 32:
        raise BadPicture("Incomplete bmp content, requires at least 32 bytes to find the header size, width, height, and bpp")
    start, width, height, bits = struct.unpack("<10xI4xiixxH", data[:30])
    return start, width, height, bits


def from_bmp(data: bytes, channels: int) -> Any:
    """The pixels uint8 [h, w, channels] of an uncompressed BMP picture with 8 · channels bits a pixel. Raises: BadPicture."""
    start, width, height, _bits = bmp_header(data)
    rows, stride = abs(height), -(-width * channels // 4) * 4  # each row is filled to 4 bytes
    _reserve("BMP", rows, width, channels)
    body = np.frombuffer(data[start : start + rows * stride], np.uint8)
    if len(body) < (rows - 1) * stride + width * channels:
        least = start + (rows - 1) * stride + width * channels
        raise BadPicture(f"Incomplete bmp content, requires at least {least} bytes")
    padded = np.zeros(rows * stride, np.uint8)
    padded[: len(body)] = body
    pixels = padded.reshape(rows, stride)[:, : width * channels].reshape(rows, width, channels)
    if height > 0:
        pixels = pixels[::-1]
    if channels == 1:
        return pixels.copy()
    return np.concatenate([pixels[..., 2::-1], pixels[..., 3:]], -1)  # blue comes first in the file


__all__ = ["BadPicture", "bmp_header", "from_bmp", "from_gif", "from_jpeg", "from_png", "jpeg_size", "to_jpeg"]
