"""`load_img`, `save_img`, `img_to_array`, `array_to_img`: pictures of Pillow and arrays of their pixels. No state.

Pillow comes with `pip install tfedu[images]`.
"""

from __future__ import annotations

import io
import warnings
from typing import Any

import numpy as np

from ...base import budget
from ...base.errors import error_text
from ..keras_parts.keras_config import floatx, image_data_format

_MODES = {"grayscale": "L", "rgb": "RGB", "rgba": "RGBA"}
_FORMATS = ("PNG", "JPEG", "BMP", "PPM", "TIFF", "GIF", "WEBP")
_RESAMPLING = ("nearest", "bilinear", "bicubic", "hamming", "box", "lanczos")


def pillow(name: str = "Image") -> Any:
    """A module of Pillow. Raises: ImportError that names the extra."""
    try:
        import PIL.Image
        import PIL.ImageEnhance
    except ImportError as missing:
        fix = 'this installs it: pip install "tfedu[images]"'
        raise ImportError(
            error_text("Pictures in files need Pillow", fix=fix), name=missing.name
        ) from missing
    return getattr(PIL, name)


def load_img(
    path: Any,
    grayscale: bool = False,
    color_mode: str = "rgb",
    target_size: Any = None,
    interpolation: str = "nearest",
) -> Any:
    """The picture in a file, as Pillow's Image. color_mode: "grayscale", "rgb", "rgba"; target_size: (height, width).

    Raises: ValueError for an unknown mode or interpolation; ImportError without Pillow; OSError for what is no picture.
    """
    if grayscale:
        warnings.warn('grayscale is deprecated. Please use color_mode = "grayscale"', stacklevel=2)
        color_mode = "grayscale"
    Image = pillow()
    if color_mode not in _MODES:
        raise ValueError(error_text('color_mode must be "grayscale", "rgb", or "rgba"'))
    with open(path, "rb") as file:
        picture = Image.open(io.BytesIO(file.read()), formats=_FORMATS)
    budget.current().account(f"The picture {path}").take("bytes", picture.width * picture.height * 4)
    keeps = picture.mode in ("I;16", "I") and color_mode == "grayscale"
    if not keeps and picture.mode != _MODES[color_mode]:
        picture = picture.convert(_MODES[color_mode])
    picture.load()
    if target_size is not None and picture.size != (target_size[1], target_size[0]):
        if interpolation not in _RESAMPLING:
            raise ValueError(
                error_text(
                    f"Invalid interpolation method {interpolation} specified. Supported methods are {', '.join(_RESAMPLING)}"
                )
            )
        picture = picture.resize(
            (target_size[1], target_size[0]), getattr(Image.Resampling, interpolation.upper())
        )
    return picture


def save_img(
    path: Any,
    x: Any,
    data_format: str | None = None,
    file_format: str | None = None,
    scale: bool = True,
    **kwargs: Any,
) -> None:
    """Writes an array as a picture. file_format: by default as the name of the file ends; kwargs: options of Pillow's `save`.

    Raises: as `array_to_img`.
    """
    picture = array_to_img(x, data_format=data_format, scale=scale)
    if picture.mode == "RGBA" and file_format in ("jpg", "jpeg"):
        warnings.warn("The JPG format does not support RGBA images, converting to RGB.", stacklevel=2)
        picture = picture.convert("RGB")
    picture.save(path, format=file_format, **kwargs)


def array_to_img(x: Any, data_format: str | None = None, scale: bool = True, dtype: Any = None) -> Any:
    """Pillow's Image of pixels [h, w, channels], or [channels, h, w]. scale: brings the pixels to 0 … 255.

    Raises: ValueError for another rank or number of channels; ImportError without Pillow.
    """
    Image = pillow()
    x = np.asarray(x, dtype=dtype or floatx())
    if x.ndim != 3:
        raise ValueError(
            error_text(f"Expected image array to have rank 3 (single image). Got array with shape: {x.shape}")
        )
    if _checked(data_format, "Invalid data_format: {}") == "channels_first":
        x = x.transpose(1, 2, 0)
    if scale:
        x = x - np.min(x)
        largest = np.max(x)
        if largest != 0:
            x /= largest
        x *= 255
    channels = x.shape[2]
    if channels not in (1, 3, 4):
        raise ValueError(error_text(f"Unsupported channel number: {channels}"))
    if channels > 1:
        return Image.fromarray(x.astype("uint8"))
    return Image.fromarray(x[:, :, 0].astype("int32" if np.max(x) > 255 else "uint8"))


def img_to_array(img: Any, data_format: str | None = None, dtype: Any = None) -> Any:
    """The pixels of a picture, [h, w, channels] or [channels, h, w].

    Raises: ValueError for what has neither two nor three axes.
    """
    is_first = _checked(data_format, "Unknown data_format: {}") == "channels_first"
    x = np.array(img, dtype=dtype or floatx())
    if x.ndim not in (2, 3):
        raise ValueError(error_text(f"Unsupported image shape: {x.shape}"))
    if x.ndim == 2:
        x = x[:, :, None]
    return x.transpose(2, 0, 1) if is_first else x


def _checked(data_format: str | None, text: str) -> str:
    data_format = data_format or image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(error_text(text.format(data_format)))
    return data_format


__all__ = ["array_to_img", "img_to_array", "load_img", "pillow", "save_img"]
