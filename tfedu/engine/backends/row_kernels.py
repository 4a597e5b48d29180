"""Softmax and the cross entropies on a GPU, one kernel each: `RowKernels(gpu)` has them as functions of the GPU's arrays.

A block of threads takes a row: it finds the largest number, then the sum of the exponentials, then writes the results, so that
the row is read from memory once and from the cache after that. The formulas are those of ops/activations.py and ops/nn.py; the
sums are taken in another order. A class that does not exist gives NaN, as TensorFlow's GPU does. State: the compiled kernels.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .scalar_code import c_type

if TYPE_CHECKING:
    from .cupy import Gpu

NAME: Final = "tfedu_rows"
_LEAST_THREADS, _MOST_THREADS = 32, 256
# CUDA's limit; of more rows each block takes several.
_MOST_BLOCKS = (1 << 31) - 1

_REDUCED: Final = """
__device__ NUMBER NAME(NUMBER* shared, NUMBER value) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = THREADS / 2; half; half /= 2) {
    if (threadIdx.x < half) {
      const NUMBER one = shared[threadIdx.x], other = shared[threadIdx.x + half];
      shared[threadIdx.x] = BOTH;
    }
    __syncthreads();
  }
  const NUMBER result = shared[0];
  __syncthreads();
  return result;
}
"""
# NaN is larger than all, as in NumPy.
_LARGER: Final = "one >= other || one != one ? one : other"
_KERNEL: Final = """
extern "C" __global__ void NAME(const NUMBER* features, const LABEL* labels, long long rows, long long width, NUMBER* first,
                                NUMBER* second) {
  __shared__ NUMBER shared[THREADS];
  for (long long at = blockIdx.x; at < rows; at += gridDim.x) {
  const long long begin = at * width;
  const NUMBER* row = features + begin;
  NUMBER one = LOWEST;
  for (long long k = threadIdx.x; k < width; k += THREADS) {
    const NUMBER other = row[k];
    one = LARGER;
  }
  const NUMBER largest = largest_of(shared, one);
  NUMBER part = 0;
  for (long long k = threadIdx.x; k < width; k += THREADS) part += exp(row[k] - largest);
  const NUMBER sum = sum_of(shared, part);
  BODY
  }
}
"""
_EACH: Final = "for (long long k = threadIdx.x; k < width; k += THREADS)"
_BODIES: Final = {
    "softmax": f"const NUMBER inverse = 1 / sum;\n  {_EACH} first[begin + k] = exp(row[k] - largest) * inverse;",
    "log_softmax": f"const NUMBER log_sum = log(sum);\n  {_EACH} first[begin + k] = row[k] - largest - log_sum;",
    "cross_entropy": f"""const NUMBER log_sum = log(sum);
  NUMBER cost = 0;
  {_EACH} {{
    const NUMBER shifted = row[k] - largest, label = labels[begin + k];
    cost += label * (log_sum - shifted);
    second[begin + k] = exp(shifted) / sum - label;
  }}
  cost = sum_of(shared, cost);
  if (threadIdx.x == 0) first[at] = cost;""",
    "sparse_cross_entropy": f"""const long long label = labels[at];
  const bool inside = label >= 0 && label < width;
  {_EACH} second[begin + k] = inside ? exp(row[k] - largest) / sum - (NUMBER)(k == label) : UNKNOWN;
  if (threadIdx.x == 0) first[at] = inside ? log(sum) - (row[label] - largest) : UNKNOWN;""",
}


@functools.cache
def source(kind: str, dtype: np.dtype[Any], label: np.dtype[Any], threads: int) -> str:
    """The kernel in CUDA C. threads: how many a block has, a power of two."""
    lowest, unknown = ("__int_as_float(0xff800000)", "__int_as_float(0x7fc00000)")
    if dtype.itemsize == 8:
        lowest, unknown = ("__longlong_as_double(0xfff0000000000000ll)", "__longlong_as_double(0x7ff8000000000000ll)")
    constants = {
        "NUMBER": c_type(dtype), "LABEL": c_type(label), "THREADS": threads, "LOWEST": lowest, "UNKNOWN": unknown,
    }  # fmt: skip
    return "".join([
        *[f"#define {name} {text}\n" for name, text in constants.items()],
        _REDUCED.replace("NAME", "largest_of").replace("BOTH", _LARGER),
        _REDUCED.replace("NAME", "sum_of").replace("BOTH", "one + other"),
        _KERNEL.replace("NAME", NAME).replace("LARGER", _LARGER).replace("BODY", _BODIES[kind]),
    ])  # fmt: skip


class RowKernels:
    """The functions of rows. They take arrays of float32 or float64 with one number in each row at least (`takes`)."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu

    @staticmethod
    def takes(features: Any) -> bool:
        """Whether the kernels take these features [..., k]: float32 or float64, and not empty."""
        return features.dtype.char in "fd" and features.ndim > 0 and features.size > 0

    def softmax(self, logits: Any) -> Any:
        """exp(x) / sum(exp(x)): logits [..., k] -> the same shape."""
        return self._each("softmax", logits)

    def log_softmax(self, logits: Any) -> Any:
        """log(softmax(x)): logits [..., k] -> the same shape."""
        return self._each("log_softmax", logits)

    def cross_entropy(self, features: Any, labels: Any) -> tuple[Any, Any]:
        """features [n, k], labels [n, k], probabilities -> the cost of each row [n], its gradient [n, k]."""
        return self._costs("cross_entropy", features, labels)

    def sparse_cross_entropy(self, features: Any, labels: Any) -> tuple[Any, Any]:
        """features [n, k], labels [n], class numbers -> the cost of each row [n], its gradient [n, k]."""
        return self._costs("sparse_cross_entropy", features, labels)

    def _each(self, kind: str, logits: Any) -> Any:
        result = self._gpu.xp.empty(logits.shape, logits.dtype)
        self._launch(kind, logits, logits, result, result)
        return result

    def _costs(self, kind: str, features: Any, labels: Any) -> tuple[Any, Any]:
        xp = self._gpu.xp
        loss, backprop = xp.empty(features.shape[:1], features.dtype), xp.empty(features.shape, features.dtype)
        self._launch(kind, features, labels, loss, backprop)
        return loss, backprop

    def _launch(self, kind: str, features: Any, labels: Any, first: Any, second: Any) -> None:
        assert self._gpu.raw is not None
        contiguous = self._gpu.xp.ascontiguousarray
        width = features.shape[-1]
        threads = min(max(1 << math.ceil(math.log2(width)), _LEAST_THREADS), _MOST_THREADS)
        kernel = self._gpu.raw(source(kind, features.dtype, labels.dtype, threads), NAME)
        rows = features.size // width
        values = contiguous(features), contiguous(labels), np.int64(rows), np.int64(width), first, second
        kernel((min(rows, _MOST_BLOCKS),), (threads,), values)


__all__ = ["NAME", "RowKernels", "source"]
