"""The record of a value of any size: `tensor_record(value)` has the looks in which it can be shown, and their numbers.

    tensor_record(array)                    with the numbers of all looks
    tensor_record(array, look="heat")       with the numbers of one look
    small_record(array)                     at most a few KB, for a trace; None for a scalar

A large tensor is shown by means, counts and its first rows, and the record says which. No state.
"""

from __future__ import annotations

import math
from base64 import b64encode
from typing import Any, Final, cast

import numpy as np

from ...engine.base.dtypes import bfloat16, bfloat16_values
from ...engine.files.media import png
from ...engine.replay.recorder import Trace
from ...engine.replay.tensor_array_accesses import Elements
from ...engine.runtime.store import Buffer, Handle
from ..labels import shorten
from ..records import BarRecord, GalleryRecord, GridRecord, Look, PixelsRecord, StatsRecord, TensorRecord
from .graph_records import element_text, value_text

# A table has at most ROWS rows and COLUMNS columns. A heat map has at most BLOCKS cells in each direction; of a larger array each
# cell shows the mean of a block of elements.
ROWS: Final = 24
COLUMNS: Final = 12
BLOCKS: Final = 64
LEVELS: Final = 8
BARS: Final = 20
# An image of a gallery is at most so many pixels wide and high. A gallery has at most so many of the largest images; of smaller
# ones as many as have no more pixels together, up to IMAGES.
PIXELS: Final = 96
LARGE_IMAGES: Final = 4
IMAGES: Final = 16
# A string is cut to so many characters.
STRING: Final = 4000
# The record of a value in a trace has a table of at most so many cells, with at most so many characters each.
SMALL_CELLS: Final = 64
ELEMENT: Final = 40
LOOKS: Final[tuple[Look, ...]] = ("number", "string", "table", "heat", "image", "histogram", "name")


def tensor_record(value: Any, name: str = "", *, look: str | None = None, part: int = 0) -> TensorRecord:
    """The record of `value`: an array, a number, a string, or any other result of a run.

    look: only this look gets its numbers. part: the number of the matrix [rows, columns] that a table or heat map shows of a
    tensor of more than two dimensions.
    Raises: ValueError for a look that the value does not have, and for a part that does not exist.
    """
    named = _named(value, name)
    if named is not None:
        return named
    array = plain(value)
    looks = looks_of(array)
    if look is not None and look not in looks:
        raise ValueError(f"a value of dtype {_dtype(array)} and shape {array.shape} cannot be shown as {str(look)[:20]!r}")
    parts = _parts(array)
    if isinstance(part, bool) or not isinstance(part, int) or not 0 <= part < max(1, parts):
        raise ValueError(f"part must be a whole number from 0 to {max(1, parts) - 1}, not {part!r:.40}")
    wanted: tuple[str, ...] = looks if look is None else (look,)
    numbers = _numbers(array)
    return TensorRecord(
        name=shorten(name, 200),
        dtype=_dtype(array),
        shape=array.shape,
        looks=looks,
        text=_text(array),
        length=_length(array),
        stats=None if numbers is None or array.ndim == 0 else _stats(numbers),
        table=_table(array, part) if "table" in wanted else None,
        heat=_heat(numbers, part) if "heat" in wanted and numbers is not None else None,
        bars=_bars(numbers) if "histogram" in wanted and numbers is not None else None,
        gallery=_gallery(array) if "image" in wanted else None,
    )


def small_record(value: Any, name: str = "") -> TensorRecord | None:
    """The record of a value in a trace: a table of a small value, a histogram of a large one; None where the text is enough."""
    named = _named(value, name)
    if named is not None:
        return None
    array = plain(value)
    if array.ndim == 0:  # the text of a number is enough
        return None if array.dtype.kind not in "OSU" or len(value_text(value)) < 100 else tensor_record(array, name)
    if not array.size:
        return None
    if _numbers(array) is None or array.size <= SMALL_CELLS:
        # No histogram of elements that are not numbers; and strings may be long.
        return tensor_record(array, name, look="table") if array.size <= SMALL_CELLS else None
    return tensor_record(array, name, look="histogram")


def has_more(value: Any) -> bool:
    """Whether the value has more looks than its text and its small record."""
    if isinstance(value, Elements):
        return bool(value.values)
    if _named(value, "") is not None:
        return False
    array = plain(value)
    return array.ndim > 0 and array.size > 0 and (len(looks_of(array)) > 1 or array.size > SMALL_CELLS)


def looks_of(array: Any) -> tuple[Look, ...]:
    """The looks of an array, the best first."""
    if array.ndim == 0:
        return ("string",) if array.dtype.kind in "OSU" else ("number",)
    if not array.size:
        return ("table",)
    if _numbers(array) is None:
        return ("table",)
    looks: list[Look] = ["table"]
    rows, columns = _matrix(array.shape)
    if columns > 1 or rows > 1:
        looks.append("heat")
    if array.size >= BARS:
        looks.append("histogram")
    fits_table = rows <= ROWS and columns <= COLUMNS and (array.ndim <= 2 or array.size <= 4 * SMALL_CELLS)
    if _is_image(array.shape, array.dtype.kind, array.dtype.itemsize):
        looks.append("image")
        if min(_picture(array.shape)[1:3]) >= 8:
            return ("image", *(look for look in looks if look != "image"))
    if fits_table:
        return tuple(looks)
    first: Look = "heat" if array.ndim == 2 and rows > 1 and array.size <= 1 << 16 else "histogram"
    if first not in looks:
        first = looks[0]
    return (first, *(look for look in looks if look != first))


def value_at(trace: Trace, run: int, step: int, output: int) -> Any:
    """The value of an output of a step. Steps are counted as in the trace's record: first the fed nodes, then the turns.

    Raises: ValueError for an output that the trace does not have.
    """
    fed: dict[int, dict[int, Any]] = {}
    for tensor, value in trace.fed.items():
        fed.setdefault(tensor.op.id, {})[tensor.index] = value
    place = [fed[id] for id in sorted(fed)]
    try:
        if min(run, step, output) < 0:
            raise IndexError
        steps = trace.runs[run].steps
        if step < len(place):
            return place[step][output]
        stored = steps[step - len(place)].outputs[output]
    except (IndexError, KeyError):
        raise ValueError(f"the trace has no output {output} of step {step} in run {run}") from None
    if stored.dead:
        raise ValueError(f"output {output} of step {step} in run {run} is dead")
    return stored.elements if stored.elements is not None else stored.value


# -- kinds of values -------------------------------------------------------------------------------------------------


def _named(value: Any, name: str) -> TensorRecord | None:
    """The record of a value that is no array: None, a resource, a TensorArray; None for arrays."""
    if value is None:
        return TensorRecord(shorten(name, 200), "", (), ("name",), "None")
    if isinstance(value, Buffer):
        return _named(value.value, name)
    if isinstance(value, Handle):
        return TensorRecord(shorten(name, 200), "resource", (), ("name",), value_text(value))
    if not isinstance(value, Elements):
        return None
    elements = value.values[:ROWS]
    cells = tuple([(shorten(element_text(element), ELEMENT * 2),) for element in elements])
    rows = tuple([str(index) for index in range(len(elements))])
    grid = GridRecord(
        part="",
        rows=rows,
        columns=("",),
        all_rows=len(value.values),
        all_columns=1,
        block=(1, 1),
        cells=cells,
        levels=(),
        low="",
        high="",
    )
    return TensorRecord(
        name=shorten(name, 200),
        dtype="TensorArray",
        shape=(len(value.values),),
        looks=("table",),
        text=shorten(value.name, 200),
        table=grid,
    )


def plain(value: Any) -> Any:
    """The value as an array of a dtype that NumPy can compute with; a string becomes a scalar of objects."""
    if isinstance(value, (bytes, str)):
        array = np.empty((), object)
        array[()] = value
        return array
    array = np.asarray(value)
    if array.dtype.names is not None:  # a dtype that NumPy lacks: its bits in a field of that name
        return bfloat16_values(array) if array.dtype == bfloat16.numpy else array[array.dtype.names[0]]
    return array


def _numbers(array: Any) -> Any:
    """The elements as ordered numbers; None for strings, complex numbers and other objects."""
    if array.dtype.kind == "b":
        return array.astype(np.int8)
    return array if array.dtype.kind in "iuf" else None


def _dtype(array: Any) -> str:
    return "string" if array.dtype.kind in "OSU" else str(array.dtype.name)


def _text(array: Any) -> str:
    if array.ndim == 0 and array.dtype.kind in "OSU":
        return string_text(array.item(), STRING)
    return value_text(array)


def string_text(value: Any, limit: int = STRING) -> str:
    """A string with all characters visible: text in quotation marks; bytes that are no UTF-8 as b'…' with \\x escapes."""
    if isinstance(value, bytes):
        start = value[: limit + 4]
        for cut in range(4):  # the limit may fall inside a character
            try:
                text = start[: len(start) - cut].decode("utf-8")
                break
            except UnicodeDecodeError:
                if cut == 3 or len(value) <= limit + 4:
                    return shorten(repr(value[: limit + 1]), limit)
    elif isinstance(value, str):
        text = value[: limit + 1]
    else:
        return value_text(value)
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return shorten(f'"{quoted}"', limit)


def _length(array: Any) -> int | None:
    if array.ndim or array.dtype.kind not in "OSU":
        return None
    item = array.item()
    return len(item.encode("utf-8", "surrogatepass")) if isinstance(item, str) else len(item) if isinstance(item, bytes) else None


def number_text(value: Any) -> str:
    """A number with at most six digits; a whole number with all digits."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (complex, np.complexfloating)):
        return value_text(np.asarray(value), ELEMENT)
    number = float(value)
    return str(number) if not math.isfinite(number) else f"{number:.6g}"


def _cell(value: Any) -> str:
    if isinstance(value, (bytes, str)):
        return string_text(value, ELEMENT)
    return number_text(value) if isinstance(value, (np.generic, int, float)) else shorten(str(value), ELEMENT)


# -- statistics -----------------------------------------------------------------------------------


def _stats(numbers: Any) -> StatsRecord:
    count = int(numbers.size)
    zero = count - int(np.count_nonzero(numbers))
    if numbers.dtype.kind != "f":
        if not count:
            return StatsRecord(count=0, nan=0, inf=0, zero=0, low="", high="", mean="", std="")
        finite = numbers
        nan = inf = 0
    else:
        nan = int(np.count_nonzero(np.isnan(numbers)))
        inf = int(np.count_nonzero(np.isinf(numbers)))
        finite = numbers[np.isfinite(numbers)] if nan or inf else numbers
        if not finite.size:
            return StatsRecord(count, nan, inf, zero, low="", high="", mean="", std="")
    wide = finite.astype(np.float64)
    largest = float(np.abs(wide).max())
    size = 2.0 ** (math.frexp(largest)[1] - 1) if largest > 1e100 else 1.0  # their squares overflow
    mean, std = number_text((wide / size).mean() * size), number_text((wide / size).std() * size)
    low, high = number_text(finite.min()), number_text(finite.max())
    return StatsRecord(count, nan, inf, zero, low=low, high=high, mean=mean, std=std)


def _bars(numbers: Any) -> tuple[BarRecord, ...]:
    finite = numbers[np.isfinite(numbers)] if numbers.dtype.kind == "f" else numbers
    if not finite.size:
        return ()
    if finite.dtype.kind in "iu":
        low, high = int(finite.min()), int(finite.max())
        if high - low < BARS:  # one bar for each whole number
            counts = np.bincount((finite.reshape(-1).astype(object) - low).astype(np.int64), minlength=high - low + 1)
            return tuple([BarRecord(str(low + at), str(low + at), int(n)) for at, n in enumerate(counts)])
    wide = finite.astype(np.float64)
    first, last = float(wide.min()), float(wide.max())
    ends = number_text(first), number_text(last)
    if ends[0] == ends[1]:
        return (BarRecord(*ends, int(finite.size)),)
    # Halves, since the difference of two doubles may overflow.
    share = (wide / 2 - first / 2) / (last / 2 - first / 2)
    counts = np.bincount(np.clip((share * BARS).astype(np.int64), 0, BARS - 1).reshape(-1), minlength=BARS)
    edges = [number_text(first * (1 - at / BARS) + last * (at / BARS)) for at in range(BARS + 1)]
    return tuple([BarRecord(edges[at], edges[at + 1], int(n)) for at, n in enumerate(counts)])


# -- rows and columns ------------------------------------------------------------------------------------------------


def _matrix(shape: tuple[int, ...]) -> tuple[int, int]:
    """How many rows and columns a table has; a vector is one column."""
    return (shape[0], 1) if len(shape) == 1 else (shape[-2], shape[-1]) if shape else (1, 1)


def _parts(array: Any) -> int:
    """How many matrices the array has."""
    return math.prod(array.shape[:-2]) if array.ndim > 2 else 1


def _part(array: Any, part: int) -> tuple[Any, str]:
    """One matrix of the array, and its index as text."""
    if array.ndim <= 2:
        return array, ""
    index = tuple(map(int, np.unravel_index(part, array.shape[:-2])))
    return array[index], f"[{', '.join(map(str, index))}, :, :]"


def _table(array: Any, part: int) -> GridRecord:
    if not array.size:
        rows, columns = _matrix(array.shape)
        return GridRecord(
            part="",
            rows=(),
            columns=(),
            all_rows=rows,
            all_columns=columns,
            block=(1, 1),
            cells=(),
            levels=(),
            low="",
            high="",
        )
    matrix, slice_text = _part(array, part)
    is_row = matrix.ndim == 1
    if is_row:
        matrix = matrix.reshape(-1, 1)
    all_rows, all_columns = matrix.shape
    corner = matrix[:ROWS, :COLUMNS]
    return GridRecord(
        part=slice_text,
        rows=tuple([str(row) for row in range(corner.shape[0])]),
        columns=("",) if is_row else tuple([str(column) for column in range(corner.shape[1])]),
        all_rows=all_rows,
        all_columns=all_columns,
        block=(1, 1),
        cells=tuple([tuple([_cell(item) for item in row]) for row in corner]),
        levels=(),
        low="",
        high="",
    )


def _heat(numbers: Any, part: int) -> GridRecord:
    matrix, slice_text = _part(numbers, part)
    is_row = matrix.ndim == 1
    if is_row:
        matrix = matrix.reshape(1, -1)
    all_rows, all_columns = matrix.shape
    tall, wide = math.ceil(all_rows / BLOCKS), math.ceil(all_columns / BLOCKS)
    blocks = [
        [matrix[row : row + tall, column : column + wide] for column in range(0, all_columns, wide)]
        for row in range(0, all_rows, tall)
    ]
    means = [[_mean(block) for block in row] for row in blocks]
    known = [mean for row in means for mean in row if mean is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    levels = tuple(
        [
            tuple([_level(block, mean, low, high) for block, mean in zip(row, of_row, strict=True)])
            for row, of_row in zip(blocks, means, strict=True)
        ]
    )
    single = tall == wide == 1
    cells = tuple(
        [
            tuple(
                [
                    number_text(block.reshape(-1)[0]) if single else "" if mean is None else number_text(mean)
                    for block, mean in zip(row, of_row, strict=True)
                ]
            )
            for row, of_row in zip(blocks, means, strict=True)
        ]
    )
    return GridRecord(
        part=slice_text,
        rows=("",) if is_row else _spans(all_rows, tall),
        columns=_spans(all_columns, wide),
        all_rows=all_rows,
        all_columns=all_columns,
        block=(tall, wide),
        cells=cells,
        levels=levels,
        low=number_text(low) if known else "",
        high=number_text(high) if known else "",
    )


def _spans(total: int, size: int) -> tuple[str, ...]:
    """The indices of each block, as text."""
    ends = [(at, min(at + size, total) - 1) for at in range(0, total, size)]
    return tuple([str(first) if first == last else f"{first}–{last}" for first, last in ends])


def _mean(block: Any) -> float | None:
    finite = block[np.isfinite(block)] if block.dtype.kind == "f" else block
    return None if not finite.size else float((finite.astype(np.float64) / finite.size).sum())


def _level(block: Any, mean: float | None, low: float, high: float) -> int:
    if block.dtype.kind == "f":
        if np.isnan(block).any():
            return -1
        up, down = bool(np.isposinf(block).any()), bool(np.isneginf(block).any())
        if up or down:
            return -2 if up and down else -4 if up else -3
    if mean is None:
        return -5
    if high <= low:
        return LEVELS // 2
    # Halves, since the difference of two doubles may overflow.
    share = (mean / 2 - low / 2) / (high / 2 - low / 2)
    return max(0, min(LEVELS, round(share * LEVELS)))


def levels_of(array: Any) -> tuple[int, ...]:
    """The level of each element on the scale of a heat map of the array, in the order of its elements."""
    numbers = _numbers(array).reshape(-1)
    finite = numbers[np.isfinite(numbers)].astype(np.float64)
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    return tuple([_level(number, _mean(number), low, high) for number in numbers.reshape(-1, 1)])


# -- images ----------------------------------------------------------------------------------------------------------


def _picture(shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The shape as [n, h, w, channels]."""
    return (1, *shape) if len(shape) == 3 else cast("tuple[int, int, int, int]", shape)


def _is_image(shape: tuple[int, ...], kind: str, size: int) -> bool:
    if len(shape) not in (3, 4) or shape[-1] not in (1, 3, 4) or not (kind == "f" or (kind == "u" and size == 1)):
        return False
    return min(_picture(shape)[1:3]) > 1


def _gallery(array: Any) -> GalleryRecord:
    total, height, width, channels = _picture(array.shape)
    every = max(1, math.ceil(max(height, width) / PIXELS))
    fitting = LARGE_IMAGES * PIXELS**2 // (math.ceil(height / every) * math.ceil(width / every))
    images = array.reshape(total, height, width, channels)[: min(fitting, IMAGES)]
    black, white = _range(images)
    pictures = []
    for number, image in enumerate(images):
        pixels = _bytes(image[::every, ::every], black, white)
        label = f"[{number}]" if array.ndim == 4 else ""
        data = b64encode(png(pixels)).decode("ascii")
        pictures.append(PixelsRecord(label, pixels.shape[1], pixels.shape[0], every, data))
    return GalleryRecord(tuple(pictures), total, number_text(black), number_text(white))


def _range(images: Any) -> tuple[Any, Any]:
    """The values drawn black and white: 0 and 255 for bytes, 0 and 1 for numbers in [0, 1], else the least and largest number."""
    if images.dtype.kind == "u":
        return 0, 255
    finite = images[np.isfinite(images)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    return (0, 1) if low >= 0.0 and high <= 1.0 else (low, high)


def _bytes(image: Any, black: Any, white: Any) -> Any:
    if image.dtype.kind == "u":
        return np.ascontiguousarray(image)
    wide = image.astype(np.float64)
    span = float(white) / 2 - float(black) / 2 or 0.5
    with np.errstate(all="ignore"):
        share = np.nan_to_num((wide / 2 - float(black) / 2) / span, nan=0.0, posinf=1.0, neginf=0.0)
    return np.ascontiguousarray(np.clip(share * 255 + 0.5, 0, 255).astype(np.uint8))


__all__ = ["levels_of", "looks_of", "number_text", "plain", "small_record", "string_text", "tensor_record", "value_at"]
