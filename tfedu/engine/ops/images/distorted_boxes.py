"""Random parts of images that cover enough of an object: what a net learns from instead of whole images. No state.

A box of the caller is (y1, x1, y2, x2) in parts of the image. The numbers for a seed are TensorFlow's, run after run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...base import dtypes
from ...base.philox import Draws
from ...base.shapes import Shape
from ...op.define import Sym, op, typevar
from ...op.gradient_rules import CHOICE
from ...op.shape_checks import invalid, kinds, of_rank, text_of, vector, with_value

float32 = dtypes.float32
ImageSize = typevar("T", kinds("uint8 int8 int16 int32 int64"))
_BEGIN: Final = "begin size bboxes"


class _Box(NamedTuple):
    """A box in pixels; the far edges are outside."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def area(self) -> float:
        return float(max(self.bottom - self.top, 0) * max(self.right - self.left, 0))

    def overlap(self, other: _Box) -> float:
        return _Box(*map(max, self[:2], other[:2]), *map(min, self[2:], other[2:])).area


def _rint(x: Any) -> int:
    return int(np.rint(np.float32(x)))


def _random_box(height: int, width: int, areas: Sequence[Any], ratio: Any, draws: Draws) -> _Box | None:
    """A box of that ratio of width to height whose area lies between two parts of the image's, or None when none fits."""
    if ratio <= 0 or areas[0] <= 0 or areas[0] > areas[1]:
        return None
    whole = np.float32(width) * np.float32(height)
    smallest, largest = (np.float32(part) * whole for part in areas)
    tall, tallest = _rint(np.sqrt(smallest / ratio)), _rint(np.sqrt(largest / ratio))
    if _rint(np.float32(tallest) * ratio) > width:
        tallest = int((np.float64(width) + 0.5 - np.float64(np.float32(1e-7))) / np.float64(ratio))
        if _rint(np.float32(tallest) * ratio) > width:
            tallest -= 1
    tallest = min(tallest, height)
    tall = min(tall, tallest)
    if tall < tallest:
        tall += draws.below(tallest - tall + 1)
    wide = _rint(np.float32(tall) * ratio)
    for is_outside, step in ((wide * tall < smallest, 1), (wide * tall > largest, -1)):
        if is_outside:
            tall += step
            wide = _rint(np.float32(tall) * ratio)
    if not smallest <= wide * tall <= largest or not 0 < wide <= width or not 0 < tall <= height:
        return None
    top = draws.below(height - tall) if tall < height else 0
    left = draws.below(width - wide) if wide < width else 0
    return _Box(top, left, top + tall, left + wide)


def _shapes_of_sample(image_size: Sym, bounding_boxes: Sym, *_: Sym, **__: Any) -> list[Shape]:
    length = vector(image_size)
    if length is not None:
        with_value(length, 3)
    shape = of_rank(bounding_boxes.shape, 3)
    with_value(shape[2], 4)
    return [(3,), (3,), (1, 1, 4)]


def _check_ranges(ratios: Sequence[float], areas: Sequence[float], attempts: int, least: float) -> None:
    for values, name in ((ratios, "Aspect ratio"), (areas, "Area")):
        if len(values) != 2:
            raise invalid(f"{name} range field must specify 2 dimensions")
        if min(values) <= 0:
            raise invalid(f"{name} range must be non-negative: [{values[0]:g}, {values[1]:g}]")
    if max(areas) > 1:
        raise invalid(f"Area range must be less then or equal to 1.0: [{areas[0]:g}, {areas[1]:g}]")
    if attempts <= 0:
        raise invalid(f"Max attempts must be non-negative: {attempts}")
    if least < 0:
        raise invalid(f"Min object covered must be non-negative: {least:g}")


def _sampled(
    run: Any, image_size: Any, bounding_boxes: Any, least: float, seed: int, seed2: int,
    ratios: Sequence[float], areas: Sequence[float], attempts: int, whole_if_none: bool,
) -> tuple[Any, Any, Any]:  # fmt: skip
    if image_size.ndim != 1:
        raise invalid("image_size must be 1-dimensional" + text_of(image_size.shape))
    if image_size.size != 3:
        raise invalid("image_size must contain 3 elements" + text_of(image_size.shape))
    height, width = (int(n) for n in image_size[:2])
    if height <= 0 or width <= 0:
        raise invalid(f"image {'height' if height <= 0 else 'width'} must be positive, got {min(height, width)}")
    _check_ranges(ratios, areas, attempts, least)
    if bounding_boxes.ndim != 3:
        raise invalid("input boxes must be 3-dimensional [batch, num_boxes, coords]: " + text_of(bounding_boxes.shape))
    if bounding_boxes.shape[2] != 4:
        raise invalid(f"bounding boxes must have shape [4] or [*, 4], got {text_of(bounding_boxes.shape)}")
    boxes = bounding_boxes.reshape(-1, 4)
    if ((boxes < 0) | (boxes > 1)).any():
        raise invalid(f"All bounding box coordinates must be in [0.0, 1.0]: {boxes[(boxes < 0) | (boxes > 1)][0]:g}")
    scale = np.array([height, width] * 2, np.float32)
    objects = [_Box(*(int(v) for v in box * scale)) for box in boxes]
    image = _Box(0, 0, height, width)
    if not objects:
        if not whole_if_none:
            raise invalid(
                "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes if you wish to not "
                "provide any bounding boxes."
            )
        objects = [image]
    found = image
    draws = Draws(run.rng(seed, seed2).reserve_numbers(4 * attempts))
    low, high = (np.float32(r) for r in ratios)
    for _ in range(attempts):
        ratio = _unit(draws) * (high - low) + low
        box = _random_box(height, width, areas, ratio, draws)
        if box is not None and box.area >= 1 and _covers(box, objects, least):
            found = box
            break
    dtype = image_size.dtype
    begin = np.array([found.top, found.left, 0], dtype)
    size = np.array([found.bottom - found.top, found.right - found.left, -1], dtype)
    return begin, size, (np.array(found, np.float32) / scale).reshape(1, 1, 4)


def _unit(draws: Draws) -> Any:
    """A float32 in [0, 1) of 23 random bits."""
    return np.uint32((127 << 23) | (draws.bits() & 0x7FFFFF)).view(np.float32) - np.float32(1)


def _covers(box: _Box, objects: Sequence[_Box], least: float) -> bool:
    return any(o.area >= 1 and np.float32(box.overlap(o) / o.area) >= np.float32(least) for o in objects)


@op("SampleDistortedBoundingBox", out=_BEGIN, shape=_shapes_of_sample, stateful=True, fresh=True, not_differentiable=CHOICE)
def sample_distorted_bounding_box(
    run: Any,
    image_size: ImageSize,
    bounding_boxes: float32,
    *,
    seed: int = 0,
    seed2: int = 0,
    min_object_covered: float = 0.1,
    aspect_ratio_range: list[float] = (0.75, 1.3300000429153442),
    area_range: list[float] = (0.05000000074505806, 1.0),
    max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False,
) -> tuple[ImageSize, ImageSize, float32]:
    """A random part of an image that covers enough of at least one of its objects: image_size [3], bounding_boxes [1, count, 4]
    -> begin [3] and size [3] for tf.slice, and the box [1, 1, 4]; the whole image after max_attempts.

    min_object_covered: the part of an object that counts as enough. aspect_ratio_range: width / height. area_range: parts of the
    image.

    Raises: InvalidArgumentError for boxes outside the image, and for no boxes unless use_image_if_no_bounding_boxes.
    """
    return _sampled(
        run, image_size, bounding_boxes, min_object_covered, seed, seed2, aspect_ratio_range, area_range, max_attempts,
        use_image_if_no_bounding_boxes,
    )  # fmt: skip


@op("SampleDistortedBoundingBoxV2", out=_BEGIN, shape=_shapes_of_sample, stateful=True, fresh=True, not_differentiable=CHOICE)
def sample_distorted_bounding_box_v2(
    run: Any,
    image_size: ImageSize,
    bounding_boxes: float32,
    min_object_covered: float32,
    *,
    seed: int = 0,
    seed2: int = 0,
    aspect_ratio_range: list[float] = (0.75, 1.3300000429153442),
    area_range: list[float] = (0.05000000074505806, 1.0),
    max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False,
) -> tuple[ImageSize, ImageSize, float32]:
    """SampleDistortedBoundingBox with min_object_covered as an input, a scalar."""
    return _sampled(
        run, image_size, bounding_boxes, float(min_object_covered), seed, seed2, aspect_ratio_range, area_range, max_attempts,
        use_image_if_no_bounding_boxes,
    )  # fmt: skip
