"""Boxes on images: drawing them, and cutting them out and resizing what was cut. No state.

A box is (y1, x1, y2, x2) in parts of the image: (0, 0, 1, 1) is the whole image.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from ...base import dtypes, errors
from ...base.shapes import Shape, ShapeMismatch
from ...op import tensor_functions as functions
from ...op.define import Sym, op, typevar
from ...op.gradient_rules import NO_RULE_IN_TF
from ...op.shape_checks import invalid, kinds, of_rank, same, sizes_of, text_of, vector, with_value

float32, int32 = dtypes.float32, dtypes.int32
Drawn = typevar("T", kinds("float half"), default=float32)

# -- drawing -------------------------------------------------------------------------------------------------------------

# the colours of boxes, one after the other: yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia
_COLOURS: Final = np.array(
    [
        [1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0.5, 1],
        [0.5, 0.5, 0, 1], [0.5, 0, 0, 1], [0, 0, 0.5, 1], [0, 1, 1, 1], [1, 0, 1, 1],
    ],
    np.float32,
)  # fmt: skip


_CHANNELS: Final = "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)"


def _drawn_shape(images: Sym, boxes: Sym, *_: Sym) -> Shape:
    shape = of_rank(images.shape, 4)
    if shape[3] not in (None, 1, 3, 4):
        raise ShapeMismatch(_CHANNELS)
    with_value(of_rank(boxes.shape, 3)[2], 4)
    return images.shape


def _with_boxes(images: Any, boxes: Any, colours: Any) -> Any:
    if images.ndim != 4:
        raise invalid("The rank of the images should be 4")
    if boxes.ndim != 3:
        raise invalid("The rank of the boxes tensor should be 3")
    if len(images) != len(boxes):
        raise invalid("The batch sizes should be the same")
    channels = images.shape[3]
    if channels not in (1, 3, 4):
        raise invalid(_CHANNELS)
    if not len(colours):
        colours = _COLOURS
        if channels == 1:
            colours = np.ones((1, 1), np.float32)
    out = images.copy()
    for image, of_image in zip(out, boxes):
        for i, box in enumerate(of_image):
            _draw(image, box, colours[i % len(colours)][:channels])
    return out


def _draw(image: Any, box: Any, colour: Any) -> None:
    """Draws the edges of a box that lie inside the image."""
    height, width = image.shape[:2]
    scale = np.array([height - 1, width - 1] * 2, np.float32)
    top, left, bottom, right = (int(v) for v in box * scale)
    if top > bottom or left > right or top >= height or bottom < 0 or left >= width or right < 0:
        return
    rows, columns = slice(max(top, 0), min(bottom, height - 1) + 1), slice(max(left, 0), min(right, width - 1) + 1)
    if top >= 0:
        image[top, columns] = colour
    if bottom < height:
        image[bottom, columns] = colour
    if left >= 0:
        image[rows, left] = colour
    if right < width:
        image[rows, right] = colour


@op("DrawBoundingBoxes", shape=_drawn_shape, fresh=True, not_differentiable=NO_RULE_IN_TF)
def draw_bounding_boxes(xp: Any, images: Drawn, boxes: float32) -> Drawn:
    """The images with the edges of boxes drawn in ten colours in turn: images [n, h, w, c] with c 1, 3 or 4, boxes [n, count, 4]
    -> [n, h, w, c].
    """
    return _with_boxes(images, boxes, ())


@op("DrawBoundingBoxesV2", shape=_drawn_shape, fresh=True)
def draw_bounding_boxes_v2(xp: Any, images: Drawn, boxes: float32, colors: float32) -> Drawn:
    """DrawBoundingBoxes in the colours [count, c] in turn; without any, in ten of its own."""
    if colors.size and colors.shape[-1] != images.shape[-1]:
        raise invalid(f"colors.shape[-1] must be the number of channels, {images.shape[-1]}, but is {colors.shape[-1]}")
    return _with_boxes(images, boxes, colors)


# -- cutting out ---------------------------------------------------------------------------------------------------------

Method = Literal["bilinear", "nearest"]
Cropped = typevar("T", kinds("uint8 uint16 int8 int16 int32 int64 half float double"))


class _Places(NamedTuple):
    """Where the pixels of each crop lie along one axis of the image: all float32 [boxes, count], ratio a number.

    at: the place. low, high: the neighbours. share: how much of `high` counts. is_inside: the others are extrapolated.
    ratio: old pixels per new one for a box that is the whole image.
    """

    at: Any
    low: Any
    high: Any
    share: Any
    is_inside: Any
    ratio: Any


def _axis(start: Any, end: Any, size: int, count: int) -> _Places:
    last = np.float32(size - 1)
    new = np.arange(count, dtype=np.float32)
    if count > 1:
        scale = (end - start) * last / np.float32(count - 1)
        at = (start * last)[:, None] + new * scale[:, None]
        ratio = last / np.float32(count - 1)
    else:
        at, ratio = (np.float32(0.5) * (start + end) * last)[:, None], np.float32(0)
    is_inside = (at >= 0) & (at <= last)
    held = np.where(is_inside, at, np.float32(0))
    low = np.floor(held)
    return _Places(at, low.astype(np.intp), np.ceil(held).astype(np.intp), held - low, is_inside, ratio)


def _checked_boxes(boxes: Any, box_ind: Any, batch: int) -> None:
    if not boxes.size and not box_ind.size:
        return
    if boxes.ndim != 2:
        raise invalid("boxes must be 2-D" + text_of(boxes.shape))
    if boxes.shape[1] != 4:
        raise invalid("boxes must have 4 columns")
    if box_ind.ndim != 1:
        raise invalid("box_index must be 1-D" + text_of(box_ind.shape))
    if len(boxes) != len(box_ind):
        raise invalid("box_index has incompatible shape")
    if ((box_ind < 0) | (box_ind >= batch)).any():
        raise errors.OutOfRangeError(None, None, "box_index has values outside [0, batch_size)")


def _grid(boxes: Any, sizes: Sequence[int], counts: Sequence[int]) -> tuple[_Places, _Places]:
    boxes = boxes.reshape(-1, 4)
    rows = _axis(boxes[:, 0], boxes[:, 2], sizes[0], counts[0])
    return rows, _axis(boxes[:, 1], boxes[:, 3], sizes[1], counts[1])


def _corners(image: Any, box_ind: Any, rows: _Places, columns: _Places) -> tuple[Any, Any, Any, Any]:
    """The four neighbours of each pixel of crops, each [boxes, height, width, c]: top left and right, bottom left and right."""
    of_box = box_ind[:, None, None]

    def at(y: Any, x: Any) -> Any:
        return image[of_box, y[:, :, None], x[:, None, :]].astype(np.float32, copy=False)

    return at(rows.low, columns.low), at(rows.low, columns.high), at(rows.high, columns.low), at(rows.high, columns.high)


def _crops_shape(image: Sym, boxes: Sym, box_ind: Sym, crop_size: Sym, **_: Any) -> Shape:
    channels = of_rank(image.shape, 4)[3]
    of_rank(boxes.shape, 2)
    count = same(of_rank(boxes.shape, 2)[0], vector(box_ind))
    with_value(of_rank(boxes.shape, 2)[1], 4)
    length = vector(crop_size)
    if length is not None:
        with_value(length, 2)
    size = sizes_of(crop_size)
    return (count, *(size if size is not None and len(size) == 2 else (None, None)), channels)


def _sides(crop_size: Any, name: str = "crop_size") -> tuple[int, int]:
    if crop_size.ndim != 1:
        raise invalid(f"{name} must be 1-D" + text_of(crop_size.shape))
    if crop_size.size != 2:
        raise invalid(f"{name} must have two elements" + text_of(crop_size.shape))
    height, width = crop_size.tolist()
    if height <= 0 or width <= 0:
        raise invalid("crop dimensions must be positive")
    return height, width


@op("CropAndResize", out="crops", shape=_crops_shape, fresh=True)
def crop_and_resize(
    xp: Any,
    image: Cropped,
    boxes: float32,
    box_ind: int32,
    crop_size: int32,
    *,
    method: Method = "bilinear",
    extrapolation_value: float = 0.0,
) -> float32:
    """Parts of images, each resized to the same size: image [n, h, w, c], boxes [count, 4], box_ind [count] (which image each box
    is of), crop_size [2] -> float32 [count, height, width, c].

    extrapolation_value: of pixels outside the image. A box whose y2 is smaller than y1 gives a crop upside down.

    Raises: InvalidArgumentError for shapes that do not belong together; OutOfRangeError for the number of an image.
    """
    if image.ndim != 4:
        raise invalid("input image must be 4-D" + text_of(image.shape))
    counts = _sides(crop_size)
    _checked_boxes(boxes, box_ind, len(image))
    if 0 in image.shape[1:3]:
        raise invalid("image dimensions must be positive")
    rows, columns = _grid(boxes, image.shape[1:3], counts)
    if method in ("nearest", b"nearest"):
        y, x = (_nearest(axis) for axis in (rows, columns))
        crops = image[box_ind[:, None, None], y[:, :, None], x[:, None, :]].astype(np.float32)
    else:
        top_left, top_right, bottom_left, bottom_right = _corners(image, box_ind, rows, columns)
        along_x, along_y = columns.share[:, None, :, None], rows.share[:, :, None, None]
        top = top_left + (top_right - top_left) * along_x
        bottom = bottom_left + (bottom_right - bottom_left) * along_x
        crops = top + (bottom - top) * along_y
    is_inside = rows.is_inside[:, :, None] & columns.is_inside[:, None, :]
    crops[~is_inside] = extrapolation_value
    return crops


def _nearest(axis: _Places) -> Any:
    """The nearest pixel; halves are rounded away from zero."""
    return np.where(axis.is_inside, np.floor(axis.at + np.float32(0.5)), 0).astype(np.intp)


@crop_and_resize.grad
def _(op: Any, g: Any) -> Any:
    image, boxes, box_ind = op.inputs[:3]
    static = image.shape
    size = static.as_list() if static.is_fully_defined() else functions.shape(image)
    d_image = None
    if image.dtype in (dtypes.float16, dtypes.float32, dtypes.float64):
        d_image = crop_and_resize_grad_image(g, boxes, box_ind, size, T=image.dtype, method=op.attrs["method"])
    return d_image, crop_and_resize_grad_boxes(g, image, boxes, box_ind), None, None


def _image_size_shape(grads: Sym, boxes: Sym, box_ind: Sym, image_size: Sym, **_: Any) -> Shape:
    size = sizes_of(image_size)
    return (None,) * 4 if size is None else size


@op("CropAndResizeGradImage", shape=_image_size_shape, fresh=True)
def crop_and_resize_grad_image(
    xp: Any,
    grads: float32,
    boxes: float32,
    box_ind: int32,
    image_size: int32,
    *,
    T: typevar("T", kinds("float half double")),
    method: Method = "bilinear",
) -> "T":  # noqa: F821
    """The gradient of CropAndResize with respect to the images: grads [count, height, width, c], image_size [4] -> [n, h, w,
    c].
    """
    if grads.ndim != 4:
        raise invalid("grads image must be 4-D" + text_of(grads.shape))
    if image_size.shape != (4,):
        raise invalid("image_size must have four elements" + text_of(image_size.shape))
    size = image_size.tolist()
    _checked_boxes(boxes, box_ind, size[0])
    rows, columns = _grid(boxes, size[1:3], grads.shape[1:3])
    is_inside = (rows.is_inside[:, :, None] & columns.is_inside[:, None, :])[..., None]
    inner, out = np.where(is_inside, grads, np.float32(0)), np.zeros(size, np.float32)
    of_box = box_ind[:, None, None]
    if method in ("nearest", b"nearest"):
        y, x = (_nearest(axis) for axis in (rows, columns))
        np.add.at(out, (of_box, y[:, :, None], x[:, None, :]), inner)
    else:
        one, along_x, along_y = np.float32(1), columns.share[:, None, :, None], rows.share[:, :, None, None]
        for y, of_y in ((rows.low, one - along_y), (rows.high, along_y)):
            for x, of_x in ((columns.low, one - along_x), (columns.high, along_x)):
                np.add.at(out, (of_box, y[:, :, None], x[:, None, :]), of_x * (of_y * inner))
    return out.astype(T.numpy, copy=False)


@op(
    "CropAndResizeGradBoxes", fresh=True,
    shape=lambda grads, image, boxes, box_ind, **_: boxes.shape,
)
def crop_and_resize_grad_boxes(
    xp: Any,
    grads: float32,
    image: Cropped,
    boxes: float32,
    box_ind: int32,
    *,
    method: Literal["bilinear"] = "bilinear",
) -> float32:
    """The gradient of CropAndResize with respect to the boxes: grads [count, height, width, c], image [n, h, w, c] -> [count,
    4].
    """
    _checked_boxes(boxes, box_ind, len(image))
    height, width = image.shape[1:3]
    rows, columns = _grid(boxes, (height, width), grads.shape[1:3])
    top_left, top_right, bottom_left, bottom_right = _corners(image, box_ind, rows, columns)
    one, along_x, along_y = np.float32(1), columns.share[:, None, :, None], rows.share[:, :, None, None]
    of_y = (bottom_left - top_left) * (one - along_x) + (bottom_right - top_right) * along_x
    of_x = (top_right - top_left) * (one - along_y) + (bottom_right - bottom_left) * along_y
    is_inside = (rows.is_inside[:, :, None] & columns.is_inside[:, None, :])[..., None]
    inner = np.where(is_inside, grads, np.float32(0))
    by_row, by_column = (of_y * inner).sum((2, 3)), (of_x * inner).sum((1, 3))
    ends = []
    for sums, axis, size in ((by_row, rows, height), (by_column, columns, width)):
        last, count = np.float32(size - 1), sums.shape[1]
        if count > 1:
            of_end = np.arange(count, dtype=np.float32) * axis.ratio
            ends.append((sums * (last - of_end), sums * of_end))
        else:
            ends.append((sums * (np.float32(0.5) * last),) * 2)
    (y1, y2), (x1, x2) = ends
    return np.stack([side.sum(1) for side in (y1, x1, y2, x2)], 1)
