"""The record of what one value looks like: its numbers as a table, heat map, image or histogram, or its text. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import RecordError, dataclass

Look = Literal["number", "string", "table", "heat", "image", "histogram", "name"]


@dataclass(frozen=True, slots=True)
class StatsRecord:
    """All elements in a few numbers. low, high, mean, std: of the finite ones, as they print; "" where there is none."""

    count: int
    nan: int
    inf: int
    zero: int
    low: str
    high: str
    mean: str
    std: str


@dataclass(frozen=True, slots=True)
class GridRecord:
    """Cells in rows and columns, each with its index. part: the slice that is shown of more than two dimensions, as "[0, :, :]".

    all_rows, all_columns: how many there are of those that the first are shown of. block: how many rows and columns one
    cell stands for, with the mean of its finite elements. levels: how high each cell is, from 0 to 8; of what is no finite
    number the least one that it holds of -1 for NaN, -2 for both infinities, -3 for minus infinity, -4 for infinity, -5 for
    no number at all; none of a table.
    """

    part: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    all_rows: int
    all_columns: int
    block: tuple[int, int]
    cells: tuple[tuple[str, ...], ...]
    levels: tuple[tuple[int, ...], ...]
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class BarRecord:
    """How many finite elements lie from one number to another; the last bar holds its upper end, too."""

    low: str
    high: str
    count: int


@dataclass(frozen=True, slots=True)
class PixelsRecord:
    """One image as a PNG file in base64. every: of so many pixels in a row or column one is shown."""

    label: str
    width: int
    height: int
    every: int
    data: str


@dataclass(frozen=True, slots=True)
class GalleryRecord:
    """The first images of `total`; what is black in them, and what is white."""

    images: tuple[PixelsRecord, ...]
    total: int
    black: str
    white: str


@dataclass(frozen=True, slots=True)
class TensorRecord:
    """What one value looks like. looks: how it may be shown, the most fitting first; what is None of these can be asked for.

    text: the value in one line, or a string whole. length: of a string in bytes.
    """

    KIND: ClassVar[str] = "tensor"
    name: str
    dtype: str
    shape: tuple[int, ...]
    looks: tuple[Look, ...]
    text: str
    length: int | None = None
    stats: StatsRecord | None = None
    table: GridRecord | None = None
    heat: GridRecord | None = None
    bars: tuple[BarRecord, ...] | None = None
    gallery: GalleryRecord | None = None

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for rows of other lengths than the columns, and where there is no look."""
        if not self.looks:
            raise RecordError(f"{dot}looks", "a look", None)
        for name, grid in (("table", self.table), ("heat", self.heat)):
            if grid is None:
                continue
            tables = [grid.cells, grid.levels] if name == "heat" else [grid.cells]
            for cells in tables:
                if len(cells) != len(grid.rows) or any(len(row) != len(grid.columns) for row in cells):
                    raise RecordError(f"{dot}{name}.cells", "a cell for each row and column", len(cells))
