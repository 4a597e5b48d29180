"""Windows that slide over images: output sizes, padding, and the windows themselves as a view. Convolution and pooling share it.

`slides(sizes, windows, …)` is the arithmetic of one kernel call, a `Slide` for each spatial axis; `output_shape` is the same
arithmetic in a shape rule, where sizes may be unknown. A kernel computes from `windows(xp, image, …)`, a view, or goes through
the `elements` of the window. State: caches of slices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from ..base.shapes import Shape, ShapeMismatch
from .shape_checks import invalid

# -- which axis is what --------------------------------------------------------------------------------------------


class Layout(NamedTuple):
    """Where a data format has its axes: "NHWC" has channels at 3, spatial axes at (1, 2); the batch is always axis 0."""

    channels: int
    spatial: tuple[int, ...]

    def pick(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """The entries of the spatial axes in a list with one entry for each axis: strides [1, 2, 3, 1] -> (2, 3)."""
        return tuple([values[axis] for axis in self.spatial])

    def shape(self, batch: Any, sizes: Iterable[Any], channels: Any) -> tuple[Any, ...]:
        """A list with one entry for each axis: NHWC's (batch, h, w, channels), NCHW's (batch, channels, h, w)."""
        whole = [batch, *sizes]
        whole.insert(self.channels, channels)
        return tuple(whole)

    def others(self, values: Sequence[Any]) -> tuple[Any, Any]:
        """The entries of the batch and of the channels."""
        return values[0], values[self.channels]


@lru_cache(maxsize=16)
def layout_of(data_format: str) -> Layout:
    """The layout of "NWC", "NCW", "NHWC", "NCHW", "NDHWC" or "NCDHW"."""
    channels = data_format.index("C")
    return Layout(channels, tuple([axis for axis in range(1, len(data_format)) if axis != channels]))


# -- sizes and padding ---------------------------------------------------------------------------------------------


class Slide(NamedTuple):
    """How a window slides along one axis. All numbers are elements.

    size: of the axis without padding. window: its number of elements, `dilation` apart. stride: from one position to the next.
    before, after: padding at either end. places: the number of positions, which is the size of the output.
    """

    size: int
    window: int
    stride: int
    dilation: int
    before: int
    after: int
    places: int

    @property
    def extent(self) -> int:
        """The elements from the first to the last one of the window, with the gaps between them."""
        return (self.window - 1) * self.dilation + 1


def slide(
    size: int,
    window: int,
    stride: int,
    dilation: int,
    padding: str,
    around: tuple[int, int] = (0, 0),
    refuse: Callable[[str], Exception] = invalid,
) -> Slide:
    """The slide of a window along an axis. around: (before, after), which counts for padding "EXPLICIT" alone.

    Raises: InvalidArgumentError, or what `refuse` makes of its text, for a window that is larger than the padded axis by a
    stride or more.
    """
    extent = (window - 1) * dilation + 1
    if padding == "SAME":
        count = -(-size // stride)
        total = max((count - 1) * stride + extent - size, 0)
        return Slide(size, window, stride, dilation, total // 2, total - total // 2, count)
    before, after = around if padding == "EXPLICIT" else (0, 0)
    room = size + before + after - extent + stride
    if room <= -stride:
        raise refuse(
            f"Computed output size would be negative: {-(-room // stride)} [input_size: {size}, "
            f"effective_filter_size: {extent}, stride: {stride}]"
        )
    return Slide(size, window, stride, dilation, before, after, max(room, 0) // stride)


def slides(
    sizes: Sequence[int],
    windows: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: str,
    explicit: Sequence[tuple[int, int]] = (),
) -> tuple[Slide, ...]:
    """The slide along each spatial axis. explicit: (before, after) for each of them, for padding "EXPLICIT".

    Raises: InvalidArgumentError as `slide`.
    """
    around = explicit or ((0, 0),) * len(sizes)
    return tuple([slide(*axis[:4], padding, axis[4]) for axis in zip(sizes, windows, strides, dilations, around)])


def pairs(explicit_paddings: Sequence[int]) -> list[tuple[int, int]]:
    """The attribute of an op, (before, after) of each axis in a flat list, as pairs."""
    return list(zip(explicit_paddings[::2], explicit_paddings[1::2]))


def output_size(
    size: int | None,
    window: int | None,
    stride: int,
    dilation: int,
    padding: str,
    around: tuple[int, int] = (0, 0),
) -> int | None:
    """The output's size along an axis, as far as it is known before the run.

    Raises: ShapeMismatch for a window that is larger than the padded axis.
    """
    if size is None or (window is None and padding != "SAME"):
        return None
    if padding == "SAME":
        return -(-size // stride)
    assert window is not None
    if padding == "EXPLICIT":
        size += sum(around)
    extent = (window - 1) * dilation + 1
    if extent > size:
        raise ShapeMismatch(
            f"Negative dimension size caused by subtracting {extent} from {size}",
            f'the window of {extent} does not fit into {size}; with padding="SAME" it may reach beyond the edges',
        )
    return (size - extent + stride) // stride


def output_shape(
    layout: Layout,
    shape: Shape,
    windows: Sequence[int | None],
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: str,
    channels: int | None,
    explicit: Sequence[tuple[int, int]] = (),
) -> tuple[int | None, ...]:
    """The static shape of the output of images of this shape, with that many channels.

    windows, strides, dilations, explicit: one entry for each spatial axis.

    Raises: ShapeMismatch for a window that is larger than the padded axis.
    """
    sizes = (None,) * len(layout.spatial) if shape is None else layout.pick(shape)
    around = explicit or ((0, 0),) * len(sizes)
    counts = [output_size(*axis[:4], padding, axis[4]) for axis in zip(sizes, windows, strides, dilations, around)]
    return layout.shape(None if shape is None else shape[0], counts, channels)


# -- windows of an image -------------------------------------------------------------------------------------------


def padded(xp: Any, image: Any, layout: Layout, along: Sequence[Slide], fill: Any = 0) -> Any:
    """The image surrounded by `fill` as the slides say; the image itself where there is no padding.

    A negative padding cuts elements off.
    """
    if not any(s.before or s.after for s in along):
        return image
    shape, source, target = list(image.shape), [slice(None)] * image.ndim, [slice(None)] * image.ndim
    for axis, s in zip(layout.spatial, along):
        shape[axis] = s.before + s.size + s.after
        first, kept = max(-s.before, 0), s.size + min(s.before, 0) + min(s.after, 0)
        source[axis] = slice(first, first + max(kept, 0))
        target[axis] = slice(max(s.before, 0), max(s.before, 0) + max(kept, 0))
    if all(s.before <= 0 and s.after <= 0 for s in along):
        return image[tuple(source)]
    out = xp.full(shape, fill, image.dtype) if fill else xp.zeros(shape, image.dtype)
    out[tuple(target)] = image[tuple(source)]
    return out


def windows(xp: Any, image: Any, layout: Layout, along: Sequence[Slide]) -> Any:
    """All windows of a padded image, without a copy: [n, h, w, c] -> [n, places h, places w, c, window h, window w].

    The spatial axes become the windows' positions, in either data format; the axes of the window come last. Elements in
    several windows are the same memory: read only.
    """
    shape, steps = list(image.shape), list(image.strides)
    for axis, s in zip(layout.spatial, along):
        shape[axis] = s.places
        shape.append(s.window)
        steps.append(steps[axis] * s.dilation)
        steps[axis] *= s.stride
    return xp.lib.stride_tricks.as_strided(image, shape, steps)


Index = tuple[slice, ...]


@lru_cache(maxsize=4096)
def meetings(s: Slide) -> tuple[tuple[slice, slice], ...]:
    """For each element of the window along one axis: (places where it meets the axis, what it meets)."""
    met = []
    for i in range(s.window):
        start = i * s.dilation - s.before  # what it meets at place 0
        first = max(-(start // s.stride), 0)
        end = min((s.size - 1 - start) // s.stride + 1, s.places)
        if first < end:
            axis = slice(start + first * s.stride, start + (end - 1) * s.stride + 1, s.stride)
            met.append((slice(first, end), axis))
        else:
            met.append((slice(0, 0), slice(0, 0)))
    return tuple(met)


@lru_cache(maxsize=1024)
def elements(layout: Layout, along: tuple[Slide, ...]) -> tuple[tuple[Index, Index], ...]:
    """For each element of the window, row by row: (index of the places where it meets the image, index of what it meets).

    image[met] has the sizes of output[places]; nothing is padded, for a place where the element meets padding is left out.
    """
    return tuple(
        [
            (_at(layout, [places for places, _ in met]), _at(layout, [axis for _, axis in met]))
            for met in product(*map(meetings, along))
        ]
    )


def _at(layout: Layout, parts: Sequence[slice]) -> Index:
    index = [slice(None)] * (layout.spatial[-1] + 1)
    for axis, part in zip(layout.spatial, parts):
        index[axis] = part
    return tuple(index)
