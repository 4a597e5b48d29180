"""One kernel over many arrays: the steps of an optimizer for all variables. `MultiTensor(gpu, code, states)` launches one.

A model has dozens of variables, most of them small: a kernel for each takes longer to launch than to run. One kernel gets a table
with a row for each variable: the number of its elements, and the addresses of its arrays and of its single numbers. blockIdx.y
chooses the row, and further rows where there are more rows than blocks; the threads along x divide the elements of a row.
State: the table of the last launch, which the GPU has already. Most steps find their arrays where those of the last one were.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .scalar_code import ScalarCode, c_type

if TYPE_CHECKING:
    from .cupy import Gpu

NAME: Final = "tfedu_steps"
_THREADS: Final = 256
# Each thread takes four elements of the largest variable or more; no more blocks than fill the largest GPU several times.
_ELEMENTS: Final = 4
_MOST_BLOCKS: Final = 4096
# CUDA's limit along the second axis.
_MOST_ROWS: Final = 65_535


def source(code: ScalarCode, states: int) -> str:
    """The kernel in CUDA C. The inputs of the code are `states` arrays that change, the gradient, and single numbers; its outputs
    are the new values of the arrays.
    """
    types = [c_type(dtype) for dtype in code.inputs]
    width = len(types) + 1
    lines = [
        f'extern "C" __global__ void {NAME}(const long long* table, long long rows) {{',
        "for (long long at = blockIdx.y; at < rows; at += gridDim.y) {",
        f"const long long* row = table + at * {width};",
    ]
    for at, type in enumerate(types):
        lines.append(f"{type}* array{at} = ({type}*)row[{at + 1}];")
    lines += [f"const {types[at]} in{at} = *array{at};" for at in range(states + 1, len(types))]
    lines += [
        "const long long step = (long long)gridDim.x * blockDim.x;",
        "for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < row[0]; i += step) {",
    ]
    lines += [f"const {types[at]} in{at} = array{at}[i];" for at in range(states + 1)]
    lines += [f"{c_type(dtype)}& out{at} = array{at}[i];" for at, dtype in enumerate(code.outputs)]
    return "\n".join([*lines, code.body, "}", "}", "}"])


class MultiTensor:
    """Launches the kernel: a call with a row of arrays for each variable changes the first `states` arrays of each row."""

    def __init__(self, gpu: Gpu, code: ScalarCode, states: int) -> None:
        assert gpu.raw is not None
        assert gpu.address is not None
        self._gpu, self._address = gpu, gpu.address
        self._kernel = gpu.raw(source(code, states), NAME)
        self._last: tuple[bytes, Any] = (b"", None)

    def __call__(self, rows: Sequence[Sequence[Any]]) -> None:
        """rows: arrays of the GPU in the order of the code's inputs, contiguous; a single number is an array of rank 0."""
        address = self._address
        table = np.array([[row[0].size, *[address(array) for array in row]] for row in rows], np.int64)
        blocks = -(-int(table[:, 0].max()) // (_THREADS * _ELEMENTS))
        if not blocks:
            return
        text = table.tobytes()
        last, sent = self._last
        if text != last:
            sent = self._gpu.send(table)
            self._last = text, sent
        grid = min(blocks, _MOST_BLOCKS), min(len(rows), _MOST_ROWS)
        self._kernel(grid, (_THREADS,), (sent, np.int64(len(rows))))


__all__ = ["MultiTensor", "source"]
