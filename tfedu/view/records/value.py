"""The record of the looks of one value: its numbers as a table, heat map, image or histogram, or its text. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import RecordError, dataclass

Look = Literal["number", "string", "table", "heat", "image", "histogram", "name"]


@dataclass(frozen=True, slots=True)
class StatsRecord:
    """Statistics of all elements. low, high, mean, std: of the finite elements, as text; "" where there are none."""

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
    """The cells of a table or heat map, [rows, columns]. rows, columns: their indices as text.

    part: the slice of a tensor of more than two dimensions, as "[0, :, :]". all_rows, all_columns: how many the slice has; a
    table shows the first. block: how many rows and columns of elements one cell stands for, with the mean of the finite ones.
    levels: of a heat map, the mean of each cell on a scale from 0 to 8; below 0 for a cell with other elements: -1 NaN, -2 both
    infinities, -3 minus infinity, -4 infinity, -5 no element. low, high: the means of levels 0 and 8.
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
    """How many finite elements are in an interval; the last bar includes its upper end."""

    low: str
    high: str
    count: int


@dataclass(frozen=True, slots=True)
class PixelsRecord:
    """One image as a PNG file in base64. every: only one of so many pixels in each row and column is shown."""

    label: str
    width: int
    height: int
    every: int
    data: str


@dataclass(frozen=True, slots=True)
class GalleryRecord:
    """The first of `total` images. black, white: the values of black and white pixels."""

    images: tuple[PixelsRecord, ...]
    total: int
    black: str
    white: str


@dataclass(frozen=True, slots=True)
class TensorRecord:
    """One value. looks: the ways to show it, the best first; the numbers of a look that is None here come on request.

    text: the value in one line, or a complete string. length: of a string, in bytes.
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
        """Raises: RecordError for rows that are not as long as the columns, and for a record without looks."""
        if not self.looks:
            raise RecordError(f"{dot}looks", "a look", None)
        for name, grid in (("table", self.table), ("heat", self.heat)):
            if grid is None:
                continue
            tables = [grid.cells, grid.levels] if name == "heat" else [grid.cells]
            for cells in tables:
                if len(cells) != len(grid.rows) or any(len(row) != len(grid.columns) for row in cells):
                    raise RecordError(f"{dot}{name}.cells", "a cell for each row and column", len(cells))
