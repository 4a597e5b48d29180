"""Patches of images and volumes: each window as one vector, and glimpses around places. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ...base import dtypes, errors, philox
from ...base.shapes import Shape, ShapeMismatch
from ...op import tensor_functions as functions
from ...op.callers import nodes
from ...op.constant import constant
from ...op.define import AtLeast, Sym, op, typevar
from ...op.gradient_rules import NO_RULE_IN_TF
from ...op.shape_checks import invalid, kinds, of_rank, same, text_of, unimplemented, vector, with_value
from ...op.windows import Slide, elements, layout_of, slide

Padding = Literal["SAME", "VALID"]
Pixel = typevar(
    "T",
    kinds("bfloat16 half float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128 bool"),
)
Voxel = typevar("T", kinds("float double int32 uint8 int16 int8 int64 bfloat16 uint16 half uint32 uint64"))

# -- patches -------------------------------------------------------------------------------------------------------------


def _slides(
    shape: Sequence[int], ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str, refuse: Any = invalid
) -> tuple[Slide, ...]:
    axes = zip(shape[1:-1], ksizes[1:-1], strides[1:-1], rates[1:-1])
    return tuple([slide(*axis, padding, refuse=refuse) for axis in axes])


def _check_lists(lists: dict[str, Sequence[int]], rank: int) -> None:
    """Raises: UnimplementedError, InvalidArgumentError for lists that are not [1, positive, ..., 1]."""
    for name, values in lists.items():
        if values[0] != 1 or values[-1] != 1:
            raise unimplemented(
                "Only support ksizes across space." if name == "ksizes" else f"Only support {name} across space."
            )
        if any(v <= 0 for v in values):
            raise errors.OutOfRangeError(None, None, f"{name} is out of range.")


def _patches(xp: Any, images: Any, ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str) -> Any:
    layout = layout_of("NHWC" if images.ndim == 4 else "NDHWC")
    along = _slides(images.shape, ksizes, strides, rates, padding)
    channels = images.shape[-1]
    count = int(np.prod([s.window for s in along]))
    out = xp.zeros((len(images), *[s.places for s in along], count * channels), images.dtype)
    for i, (places, met) in enumerate(elements(layout, along)):
        out[places][..., i * channels : (i + 1) * channels] = images[met]
    return out


def _patches_shape(shape: Shape, lists: dict[str, Sequence[int]], rank: int, padding: str) -> Shape:
    known = of_rank(shape, rank)
    for name, values in lists.items():
        if len(values) != rank:
            raise ShapeMismatch(
                f"ExtractImagePatches requires the {name} attribute to contain {rank} values, but got: {len(values)}"
            )
    for stride in lists["strides"][1:-1] if shape is not None else ():
        if stride <= 0:
            raise ShapeMismatch(f"Stride must be > 0, but got {stride}")
    ksizes = lists["ksizes"]
    rates = lists.get("rates", (1,) * rank)
    count = int(np.prod(ksizes[1:-1]))
    depth = None if known[-1] is None else known[-1] * count
    sizes = [
        None if size is None else slide(size, *rest, padding, refuse=ShapeMismatch).places
        for size, *rest in zip(known[1:-1], ksizes[1:-1], lists["strides"][1:-1], rates[1:-1])
    ]
    return (known[0], *sizes, depth)


@op("ExtractImagePatches", out="patches", fresh=True)
def extract_image_patches(
    xp: Any, images: Pixel, *, ksizes: AtLeast[4, list[int]], strides: AtLeast[4, list[int]], rates: AtLeast[4, list[int]],
    padding: Padding,
) -> Pixel:
    """Each window of the images as one vector: images [n, h, w, c] -> [n, places, places, kh · kw · c].

    ksizes, strides, rates: [1, y, x, 1]; rates: how far apart the pixels of a window are.
    """
    if images.ndim != 4:
        raise invalid(f"input must be 4-dimensional{text_of(images.shape)}")
    _check_lists({"ksizes": ksizes, "strides": strides, "rates": rates}, 4)
    return _patches(xp, images, ksizes, strides, rates, padding)


@extract_image_patches.shape
def _(images: Sym, *, ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str) -> Shape:
    return _patches_shape(images.shape, {"ksizes": ksizes, "strides": strides, "rates": rates}, 4, padding)


@op("ExtractVolumePatches", out="patches", fresh=True)
def extract_volume_patches(
    xp: Any, input: Voxel, *, ksizes: AtLeast[5, list[int]], strides: AtLeast[5, list[int]], padding: Padding
) -> Voxel:
    """Each window of volumes as one vector: input [n, d, h, w, c] -> [n, places, places, places, kd · kh · kw · c]."""
    if input.ndim != 5:
        raise invalid(f"input must be 5-dimensional{text_of(input.shape)}")
    _check_lists({"ksizes": ksizes, "strides": strides}, 5)
    return _patches(xp, input, ksizes, strides, (1,) * 5, padding)


@extract_volume_patches.shape
def _(input: Sym, *, ksizes: Sequence[int], strides: Sequence[int], padding: str) -> Shape:
    return _patches_shape(input.shape, {"ksizes": ksizes, "strides": strides}, 5, padding)


def _patches_grad(op: Any, g: Any) -> Any:
    """Adds up the gradients of all copies of a pixel. The same op on the pixels' numbers, 1 to their count, says which copy is of
    which pixel; 0 is padding.
    """
    images = op.inputs[0]
    size = functions.shape(images)
    of_one = functions.concat([[1], size[1:]], 0)
    count = nodes.Prod(of_one, [0])
    numbers = nodes.Reshape(functions.range(1, count + 1), of_one)
    attrs = {name: op.attrs[name] for name in op.definition.kernel_attrs}
    places = nodes.Reshape(getattr(nodes, op.type)(numbers, **attrs), [-1]) - constant(1)
    by_place = functions.transpose(nodes.Reshape(g, functions.stack([size[0], -1])))
    sums = nodes.UnsortedSegmentSum(by_place, places, count)
    return nodes.Reshape(functions.transpose(sums), size)


extract_image_patches.grad(_patches_grad)
extract_volume_patches.grad(_patches_grad)

# -- glimpses ------------------------------------------------------------------------------------------------------------


@op("ExtractGlimpse", out="glimpse", fresh=True, not_differentiable=NO_RULE_IN_TF)
def extract_glimpse(
    run: Any,
    input: dtypes.float32,
    size: dtypes.int32,
    offsets: dtypes.float32,
    *,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    noise: str = "uniform",
) -> dtypes.float32:
    """A window of each image around its place: input [n, h, w, c], size [2], offsets [n, 2] (y, x) -> [n, height, width, c].

    normalized: offsets are parts of the image. centered: they count from its centre, to 1 at the border; else from the top left.
    noise: what is outside the image: uniform, gaussian, or zero.
    """
    if input.ndim != 4:
        raise invalid("input must be 4-dimensional (batch_size, height, width, depth)" + text_of(input.shape))
    if size.shape != (2,):
        raise invalid("input must be a vector of size 2 (height, width)" + text_of(size.shape))
    if offsets.ndim != 2 or offsets.shape[1] != 2:
        raise invalid("input must be a matrix" + text_of(offsets.shape))
    if len(offsets) != len(input):
        raise invalid(f"first dimension should be batch{text_of(offsets.shape)}")
    kind = noise.decode() if isinstance(noise, bytes) else noise
    height, width = size.tolist()
    n, rows, columns, channels = input.shape
    out = _noise(run, input, (n, height, width, channels), "uniform" if kind == "uniform" and uniform_noise else kind)
    whole = np.array([rows, columns], np.float32)
    for image, glimpse, place in zip(input, out, offsets):
        at = place * whole if normalized else place
        if centered:
            at = at / np.float32(2) + whole / np.float32(2)
        top, left = (int(v) for v in at - np.array([height, width], np.float32) / np.float32(2))
        y, x = slice(max(top, 0), min(top + height, rows)), slice(max(left, 0), min(left + width, columns))
        if y.start < y.stop and x.start < x.stop:
            glimpse[y.start - top : y.stop - top, x.start - left : x.stop - left] = image[y, x]
    return out


def _noise(run: Any, images: Any, shape: tuple[int, ...], kind: str) -> Any:
    """What surrounds the images: numbers distributed as their own are, or zeros."""
    out = np.zeros(shape, np.float32)
    if kind == "zero" or not images.size:
        return out
    draw = philox.standard_normal if kind == "gaussian" else philox.uniform
    numbers = draw(run.rng(0, 0).reserve_outputs(out.size), out.size, dtypes.float32).reshape(shape)
    axes = (1, 2, 3)
    if kind == "gaussian":
        return numbers * images.std(axes, keepdims=True) + images.mean(axes, keepdims=True)
    low, high = images.min(axes, keepdims=True), images.max(axes, keepdims=True)
    return numbers * (high - low) + low


@extract_glimpse.shape
def _(input: Sym, size: Sym, offsets: Sym, **_: Any) -> Shape:
    n, _height, _width, channels = of_rank(input.shape, 4)
    length = vector(size)
    if length is not None:
        with_value(length, 2)
    n = same(n, of_rank(offsets.shape, 2)[0])
    new = size.value
    return (n, *((None, None) if new is None else [None if v is None else int(v) for v in new]), channels)
