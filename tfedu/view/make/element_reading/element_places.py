"""Where the tensors of a picture of elements stand, and how the cells of each lie: `Places(elements)`.

A matrix product has its second factor above the result, so that a row and a column meet in the element that they give; a
convolution or pooling has its windows, with padding around the image; an operand that is broadcast is drawn in the size of the
result, its repeated cells outside of `inside`. All else lies in columns, in the order in which it is computed. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from ....engine.graph.nodes import Operation, Tensor
from ....engine.op.define import broadcast_shape
from ....engine.op.windows import Layout, Slide, layout_of, pairs, slides
from ...records import PanelRecord, WindowRecord
from .element_graph import ElementGraph, Stage
from .element_reads import Element

SLIDING: Final = frozenset(("Conv2D", "DepthwiseConv2dNative", "MaxPool", "AvgPool"))
# A matrix product and its attributes that say whether a factor is transposed.
PRODUCTS: Final = {
    "MatMul": ("transpose_a", "transpose_b"),
    "BatchMatMul": ("adj_x", "adj_y"),
    "BatchMatMulV2": ("adj_x", "adj_y"),
}


@dataclass(frozen=True)
class Sliding:
    """The windows of a stage's convolution or pooling. along: the slides of rows and columns; shape: of the node's output."""

    image: Tensor
    along: tuple[Slide, ...]
    layout: Layout
    shape: tuple[int, ...]

    def corner(self, at: int) -> tuple[int, int]:
        """Row and column of the window of an element, from the padded image's corner."""
        row, column = self.layout.pick(np.unravel_index(at, self.shape))
        return int(row) * self.along[0].stride, int(column) * self.along[1].stride


@dataclass
class Drawn:
    """How a tensor is drawn. rows, columns: the axes in a panel; pads: rows above and below, columns left and right."""

    axes: tuple[int, int] | None = None
    pads: tuple[int, int, int, int] = (0, 0, 0, 0)
    is_turned: bool = False
    size: tuple[int, ...] | None = None  # of the result to which it is broadcast
    column: int = 0
    lane: int = 0
    panels: tuple[PanelRecord, ...] = field(default=())


class Places:
    """The places and panels of all tensors of an ElementGraph."""

    def __init__(self, elements: ElementGraph) -> None:
        self.elements = elements
        self.numbers = {tensor: number for number, tensor in enumerate(elements.tensors)}
        self.drawn = {tensor: Drawn() for tensor in elements.tensors}
        for stage in elements.stages.values():
            self._note(stage)
        self._place()
        for tensor, drawn in self.drawn.items():
            drawn.panels = _panels(elements.values[tensor].shape, drawn)

    @cached_property
    def sliding(self) -> dict[Tensor, Sliding]:
        """The windows of the stages that have one convolution or pooling."""
        found = {tensor: self._sliding(stage) for tensor, stage in self.elements.stages.items()}
        return {tensor: sliding for tensor, sliding in found.items() if sliding is not None}

    def windows(self, stage: Stage, at: int, reads: Sequence[Element]) -> tuple[tuple[WindowRecord, ...], int]:
        """The frames around what an element reads, and how many of their cells are padding."""
        frames = []
        padding = 0
        for number, operand in enumerate(stage.operands):
            panels = self.drawn[operand].panels
            read = [i for o, i in reads if o == number]
            hits = [np.isin(panel.cells, read) for panel in panels]
            sliding = self.sliding.get(stage.tensor)
            has_windows = sliding is not None and operand is sliding.image
            for p, panel in enumerate(panels):
                # A window may cover padding alone.
                if not hits[p].any() and not (has_windows and not read):
                    continue
                rectangle = self._window(operand, stage, at) or _rectangle(hits[p])
                if rectangle is None:
                    continue
                row, column, height, width = rectangle
                frames.append(WindowRecord(self.numbers[operand], p, *rectangle))
                if has_windows:
                    covered = np.array(panel.cells)[row : row + height, column : column + width]
                    padding += int((covered < 0).sum())
        return tuple(frames), padding

    def _window(self, operand: Tensor, stage: Stage, at: int) -> tuple[int, int, int, int] | None:
        """The rectangle of an operand's panel that belongs to an element by its place; None where reads alone tell it."""
        drawn, sliding = self.drawn[operand], self.sliding.get(stage.tensor)
        if sliding is not None and operand is sliding.image:
            rows, columns = sliding.along
            row, column = sliding.corner(at)
            down, right = drawn.pads[0] - rows.before, drawn.pads[2] - columns.before
            return row + down, column + right, rows.extent, columns.extent
        if drawn.size is None:
            return None
        row, column = map(int, np.unravel_index(at, _matrix(drawn.size)))
        return row, column, 1, 1

    # -- what a stage says of how its tensors are drawn ------------------------------------------------------------

    def _note(self, stage: Stage) -> None:
        sliding = self.sliding.get(stage.tensor)
        if sliding is not None:
            self._note_windows(stage, sliding)
        elif (product := _product(stage)) is not None:
            for tensor, side in zip(product.inputs, PRODUCTS[product.type], strict=True):
                if tensor in stage.operands:
                    self.drawn[tensor].is_turned = bool(product.attrs.get(side))
        elif _is_broadcast(stage):
            result = self.elements.values[stage.tensor].shape
            for operand in stage.operands:
                users = [other for other in self.elements.stages.values() if operand in other.operands]
                if self.elements.values[operand].shape != result and len(users) == 1 and len(result) <= 2:
                    self.drawn[operand].size = result

    def _note_windows(self, stage: Stage, sliding: Sliding) -> None:
        spatial = (sliding.layout.spatial[0], sliding.layout.spatial[1])
        for tensor in (sliding.image, stage.tensor):
            if self.elements.values[tensor].ndim == 4:
                self.drawn[tensor].axes = spatial
        for operand in stage.operands:
            if operand is not sliding.image and self.elements.values[operand].ndim == 4:
                self.drawn[operand].axes = (0, 1)
        rows, columns = sliding.along
        now = self.drawn[sliding.image].pads
        wanted = (rows.before, rows.after, columns.before, columns.after)
        self.drawn[sliding.image].pads = tuple(map(max, now, wanted))  # type: ignore[assignment]

    def _sliding(self, stage: Stage) -> Sliding | None:
        found = [node for node in stage.nodes if node.type in SLIDING]
        if len(found) != 1:
            return None
        (node,) = found
        values = self.elements.values
        operands = {operand: values[operand] for operand in stage.operands}
        image, output = self.elements.run([node.inputs[0], node.outputs[0]], operands)
        layout = layout_of(str(node.attrs.get("data_format", "NHWC")))
        sizes = layout.pick(image.shape)
        # A reshaped or squeezed image keeps its order, so its matrix of rows and columns is the same.
        fitting = [o for o, value in operands.items() if value.size == image.size and _fits(value.shape, image.shape, sizes)]
        if not fitting or values[stage.tensor].size != output.size:
            return None
        if "ksize" in node.attrs:
            windows = layout.pick(node.attrs["ksize"])
        else:
            (kernel,) = self.elements.run([node.inputs[1]], operands)
            windows = kernel.shape[:2]
        dilations = layout.pick(node.attrs.get("dilations") or (1,) * image.ndim)
        explicit = layout.pick(pairs(node.attrs.get("explicit_paddings") or (0,) * 2 * image.ndim))
        padding = str(node.attrs["padding"])
        along = slides(sizes, windows, layout.pick(node.attrs["strides"]), dilations, padding, explicit)
        return Sliding(fitting[0], along, layout, output.shape)

    # -- columns and lanes -----------------------------------------------------------------------------------------

    def _place(self) -> None:
        placed: dict[tuple[int, int], Tensor] = {}
        ranks: dict[Tensor, int] = {}

        def put(tensor: Tensor, column: int, lane: int = 0) -> None:
            # Where a lane is taken, the next ones below; of many, some stand above.
            others = (0, 1, 2, -1) if lane == 0 else ()
            lane = next((free for free in (lane, *others) if (column, free) not in placed), lane)
            while (column, lane) in placed:
                lane += -1 if lane < 0 else 1
            placed[column, lane] = tensor
            ranks.setdefault(tensor, 0)
            self.drawn[tensor].column, self.drawn[tensor].lane = column, lane

        for tensor, stage in self.elements.stages.items():
            rank = 1 + max((ranks.get(operand, 0) for operand in stage.operands), default=0)
            product = _product(stage)
            new = [operand for operand in stage.operands if operand not in ranks]
            put(tensor, 3 * rank)
            ranks[tensor] = rank
            if product is not None and product.inputs[1] in new and product.inputs[0] is not product.inputs[1]:
                new.remove(product.inputs[1])
                put(product.inputs[1], 3 * rank, -1)
            for i, operand in enumerate(new):
                if product is None:
                    put(operand, 3 * rank - (2 if i == 0 else 1))
                elif self.elements.values[operand].ndim == 1:  # a bias stands under the columns to which it is added
                    put(operand, 3 * rank, 1)
                else:
                    put(operand, 3 * rank - 2)
        for tensor in self.elements.tensors:
            if tensor not in ranks:
                put(tensor, 0)
        columns = {column: i for i, column in enumerate(sorted({drawn.column for drawn in self.drawn.values()}))}
        for drawn in self.drawn.values():
            drawn.column = columns[drawn.column]


def _rectangle(hit: np.ndarray) -> tuple[int, int, int, int] | None:
    """The rectangle that these cells fill: first row and column, height and width; None for one cell, and for no rectangle."""
    rows, columns = np.flatnonzero(hit.any(1)), np.flatnonzero(hit.any(0))
    row, column = int(rows[0]), int(columns[0])
    height, width = int(rows[-1]) - row + 1, int(columns[-1]) - column + 1
    return (row, column, height, width) if 1 < hit.sum() == height * width else None


def _product(stage: Stage) -> Operation | None:
    """The stage's only matrix product, if its second factor is shown."""
    found = [node for node in stage.nodes if node.type in PRODUCTS]
    return found[0] if len(found) == 1 and found[0].inputs[1] in stage.operands else None


def _is_broadcast(stage: Stage) -> bool:
    """Whether the stage is one node that works element by element on two shown tensors."""
    op = stage.tensor.op
    if len(op.inputs) != 2 or not all(operand in stage.operands for operand in op.inputs):
        return False
    return op.type == "BiasAdd" or (op.definition is not None and op.definition.shape_rule is broadcast_shape)


def _fits(shape: tuple[int, ...], image: tuple[int, ...], sizes: Iterable[int]) -> bool:
    return shape == image or (len(shape) == 2 and shape == tuple(sizes))


# -- panels --------------------------------------------------------------------------------------------------------


def _panels(shape: tuple[int, ...], drawn: Drawn) -> tuple[PanelRecord, ...]:
    numbers = np.arange(int(np.prod(shape, dtype=int))).reshape(shape)
    if drawn.size is not None:
        return (_broadcast_panel(numbers, drawn.size),)
    if numbers.ndim < 2:
        numbers = numbers.reshape(1, -1)
    rows, columns = drawn.axes or (numbers.ndim - 2, numbers.ndim - 1)
    if drawn.is_turned:
        rows, columns = columns, rows
    others = [axis for axis in range(numbers.ndim) if axis not in (rows, columns)]
    sizes = [numbers.shape[axis] for axis in others]
    turned = numbers.transpose(*others, rows, columns)
    above, below, left, right = drawn.pads
    panels = []
    for index in np.ndindex(*sizes):
        inner = turned[index]
        cells = np.pad(inner, ((above, below), (left, right)), constant_values=-1)
        label = _label(index, others, numbers.ndim) if np.prod(sizes) > 1 else ""
        panels.append(PanelRecord(label, _cells(cells), (above, left, inner.shape[0], inner.shape[1])))
    return tuple(panels)


def _broadcast_panel(numbers: np.ndarray, size: tuple[int, ...]) -> PanelRecord:
    """An operand in the size of the result."""
    whole = np.broadcast_to(numbers, size).reshape(_matrix(size))
    own = (1,) * (2 - numbers.ndim) + numbers.shape if numbers.ndim < 2 else numbers.shape
    return PanelRecord("", _cells(whole), (0, 0, int(own[0]), int(own[1])))


def _matrix(shape: tuple[int, ...]) -> tuple[int, int]:
    rows, columns = (1,) * (2 - len(shape)) + shape
    return int(rows), int(columns)


def _label(index: Sequence[int], axes: Sequence[int], rank: int) -> str:
    places = [":"] * rank
    for axis, at in zip(axes, index, strict=True):
        places[axis] = str(at)
    return f"[{', '.join(places)}]"


def _cells(numbers: np.ndarray) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple(row) for row in numbers.tolist()])


__all__ = ["Places", "Sliding"]
