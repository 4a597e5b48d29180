"""`Reductions(gpu)` computes a mean, a Euclidean norm or half of a sum of squares on a GPU, each by one kernel.

CuPy would take a kernel for the squares, one or two for their sum and another one for the root, and write the squares to memory
in between. Here the array is a view [outer, count, inner] of which the middle axis is summed. The threads of a block stand for
some rows of the outer axis, lanes of the middle one and columns of the inner one, so that they read memory in order; they add
up their partial sums in shared memory. Where few sums have many numbers each, several blocks share a sum: each block writes the
partial sum of its piece of the middle axis, and the last block to finish, which a counter tells, adds all partial sums in the
order of the pieces. So the same array always gives the same bits.
State: the compiled kernels; the counters, which are 0 between launches.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .scalar_code import c_type

if TYPE_CHECKING:
    from .cupy import Gpu

NAME: Final = "tfedu_reduction"
_THREADS: Final = 256
# Neighbours that a block reads side by side: what a warp reads of float32 at once.
_MOST_COLUMNS: Final = 32
# A thread adds at least so many numbers before a sum is divided among blocks, of which so many fill a large GPU.
_LEAST_EACH: Final = 16
_ENOUGH_BLOCKS: Final = 1024

# What becomes of each number, and of the sum of all: {0}; `count` of them were added.
_FORMS: Final = {
    "mean": ("{0}", "{0} / (NUMBER)count"),
    "norm": ("{0} * {0}", "sqrt({0})"),
    "half_of_squares": ("{0} * {0}", "{0} * (NUMBER)0.5"),
}
_KERNEL: Final = """
__device__ void add_lanes(NUMBER* shared, int lane, NUMBER sum) {
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int half = LANES / 2; half; half /= 2) {
    if (lane < half) shared[threadIdx.x] += shared[threadIdx.x + half * COLUMNS];
    __syncthreads();
  }
}
extern "C" __global__ void NAME(
    const NUMBER* array, NUMBER* result, NUMBER* found, unsigned int* counters, long long outer, long long count, long long inner,
    long long piece) {
  __shared__ NUMBER shared[THREADS];
  __shared__ bool is_last;
  const int lane = threadIdx.x / COLUMNS % LANES;
  const long long groups = (inner + COLUMNS - 1) / COLUMNS, column = blockIdx.x % groups * COLUMNS + threadIdx.x % COLUMNS;
  const long long row = blockIdx.x / groups * ROWS + threadIdx.x / (COLUMNS * LANES);
  const long long place = row * inner + column, begin = blockIdx.y * piece;
  const long long end = begin + piece < count ? begin + piece : count;
  const bool is_inside = row < outer && column < inner, writes = is_inside && lane == 0;
  NUMBER sum = 0;
  if (is_inside) {
    const NUMBER* numbers = array + row * count * inner + column;
    for (long long k = begin + lane; k < end; k += LANES) {
      const NUMBER number = numbers[k * inner];
      sum += EACH;
    }
  }
  add_lanes(shared, lane, sum);
  if (gridDim.y == 1) {
    if (writes) result[place] = WHOLE;
    return;
  }
  // `volatile`: a multiprocessor's L1 cache does not see what the blocks of other multiprocessors write.
  volatile NUMBER* const of_pieces = found;
  if (writes) of_pieces[blockIdx.y * outer * inner + place] = shared[threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&counters[blockIdx.x], 1u) == gridDim.y - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  sum = 0;
  if (is_inside)
    for (long long k = lane; k < gridDim.y; k += LANES) sum += of_pieces[k * outer * inner + place];
  add_lanes(shared, lane, sum);
  if (writes) result[place] = WHOLE;
  if (threadIdx.x == 0) counters[blockIdx.x] = 0;
}
"""


@functools.cache
def source(kind: str, dtype: np.dtype[Any], rows: int, lanes: int, columns: int) -> str:
    """The kernel in CUDA C. rows, lanes, columns: what the threads of a block stand for; lanes is a power of two."""
    each, whole = _FORMS[kind]
    constants = {"NUMBER": c_type(dtype), "THREADS": rows * lanes * columns, "ROWS": rows, "LANES": lanes, "COLUMNS": columns}
    texts = {"EACH": each.format("number"), "WHOLE": whole.format("shared[threadIdx.x]"), "NAME": NAME}
    kernel = _KERNEL
    for name, text in texts.items():
        kernel = kernel.replace(name, text)
    return "".join([f"#define {name} {text}\n" for name, text in constants.items()]) + kernel


class Reductions:
    """The functions. They take arrays of float32 or float64 (`takes`)."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._counters: Any = None

    @staticmethod
    def takes(array: Any) -> bool:
        """Whether the kernels can reduce this array: they take float32 and float64, and no empty array."""
        return array.dtype.char in "fd" and array.size > 0

    def mean(self, array: Any, axes: tuple[int, ...], keep: bool) -> Any:
        """The mean over axes: array [d...] -> [d...] without these axes, or with 1 there if keep."""
        return self._reduced("mean", array, axes, keep)

    def norm(self, array: Any, axes: tuple[int, ...], keep: bool) -> Any:
        """The Euclidean norm over axes: array [d...] -> [d...] without these axes, or with 1 there if keep."""
        return self._reduced("norm", array, axes, keep)

    def half_of_squares(self, array: Any) -> Any:
        """Half the sum of all squares: array [d...] -> []."""
        return self._reduced("half_of_squares", array, tuple(range(array.ndim)), False)

    def _reduced(self, kind: str, array: Any, axes: tuple[int, ...], keep: bool) -> Any:
        xp, shape = self._gpu.xp, array.shape
        left = [1 if axis in axes else size for axis, size in enumerate(shape) if keep or axis not in axes]
        # Axes of size 1 are in no other's way. Reduced axes that are no neighbours are moved to the end, which takes a copy.
        real = [axis for axis in range(array.ndim) if shape[axis] > 1]
        summed = [at for at, axis in enumerate(real) if axis in axes]
        first, last = (summed[0], summed[-1] + 1) if summed else (0, 0)
        if last - first != len(summed):
            others = [axis for axis in real if axis not in axes]
            moved = [axis for axis in real if axis in axes]
            array = array.transpose(*others, *moved, *[axis for axis in range(array.ndim) if axis not in real])
            sizes, first, last = [shape[axis] for axis in (*others, *moved)], len(others), len(real)
        else:
            sizes = [shape[axis] for axis in real]
        outer, count, inner = math.prod(sizes[:first]), math.prod(sizes[first:last]), math.prod(sizes[last:])
        result = xp.empty(left, array.dtype)
        self._launch(kind, xp.ascontiguousarray(array), result, outer, count, inner)
        return result

    def _launch(self, kind: str, array: Any, result: Any, outer: int, count: int, inner: int) -> None:
        assert self._gpu.raw is not None
        columns = min(_power_of_two(inner), _MOST_COLUMNS)
        lanes = min(_power_of_two(count), _THREADS // columns)
        rows = _THREADS // (lanes * columns)
        groups = -(-outer // rows) * -(-inner // columns)
        pieces = max(min(_ENOUGH_BLOCKS // groups, count // (lanes * _LEAST_EACH)), 1)
        piece = -(-count // pieces)
        pieces = -(-count // piece)
        found = self._gpu.xp.empty(pieces * outer * inner if pieces > 1 else 1, array.dtype)
        if self._counters is None:
            self._counters = self._gpu.xp.zeros(_ENOUGH_BLOCKS, np.uint32)
        kernel = self._gpu.raw(source(kind, array.dtype, rows, lanes, columns), NAME)
        sizes = map(np.int64, (outer, count, inner, piece))
        kernel((groups, pieces), (_THREADS,), (array, result, found, self._counters, *sizes))


def _power_of_two(count: int) -> int:
    """The smallest power of two that is not less than `count`."""
    return 1 << (count - 1).bit_length()


__all__ = ["NAME", "Reductions", "source"]
