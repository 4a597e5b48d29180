"""Random numbers on a GPU, those of base/philox.py: `GpuDraws(gpu)` has its functions, whose arrays lie in the GPU's memory.

A number follows from its position in the sequence alone, so each thread computes one step of the counter, which gives four
numbers of 32 bits, and what becomes of them. Uniform numbers and integers are equal to the CPU's bit by bit, and so are normal
numbers of 32 bits: the constants and the order of their operations are those of base/float32_math.py. Normal numbers of 64 bits
differ in the last place, where CUDA's logarithm, sine and cosine do. Numbers of 16 bits are drawn on the host, and sent.

Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011). State: the compiled kernels.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..base import float32_math, philox
from ..base.dtypes import DType
from .scalar_code import c_type

if TYPE_CHECKING:
    from .cupy import Gpu

NAME: Final = "tfedu_random"
_THREADS: Final = 256

# The ten rounds of base/philox.py's _block; a product of two numbers of 32 bits has its halves in two places.
_PHILOX: Final = """
__device__ void philox(unsigned int key0, unsigned int key1, unsigned long long low, unsigned long long high,
                       unsigned long long step, unsigned int* x) {
  const unsigned long long position = low + step;
  high += position < low;
  unsigned int c0 = (unsigned int)position, c1 = (unsigned int)(position >> 32);
  unsigned int c2 = (unsigned int)high, c3 = (unsigned int)(high >> 32);
  for (int round = 0; round < ROUNDS; ++round) {
    const unsigned long long product0 = (unsigned long long)c0 * FACTOR0, product1 = (unsigned long long)c2 * FACTOR1;
    c0 = (unsigned int)(product1 >> 32) ^ c1 ^ key0;
    c1 = (unsigned int)product1;
    c2 = (unsigned int)(product0 >> 32) ^ c3 ^ key1;
    c3 = (unsigned int)product0;
    key0 += WEYL0;
    key1 += WEYL1;
  }
  x[0] = c0; x[1] = c1; x[2] = c2; x[3] = c3;
}
"""

# Numbers in [0, 1): random bits as the mantissa of a number in [1, 2).
_UNIT: Final = """
__device__ float unit_32(unsigned int bits) { return __int_as_float((bits & 0x7fffff) | 0x3f800000) - 1.0f; }
__device__ double unit_64(unsigned int first, unsigned int second) {
  const unsigned long long mantissa = ((unsigned long long)(first & 0xfffff) << 32) | second;
  return __longlong_as_double((long long)(mantissa | 0x3ff0000000000000ull)) - 1.0;
}
"""

# The functions of base/float32_math.py, and Box and Muller's method.
_NORMAL_32: Final = """
__device__ const double INVERSE[16] = {INVERSES}, LOGARITHM[16] = {LOGARITHMS};
__device__ float log_32(float x) {
  const int bits = __float_as_int(x), offset = bits - FIRST;
  const int part = (offset >> 19) & 15, power = offset >> 23;
  const double r = (double)__int_as_float(bits - (offset & -(1 << 23))) * INVERSE[part] - 1.0;
  const double squared = r * r, series = A4 * squared + (A3 * r + A2);
  return (float)(series * squared + (LOGARITHM[part] + power * LN2 + r));
}
__device__ void sin_cos_32(float x, float* sines, float* cosines) {
  const double wide = x, quarter = floor(wide * QUARTERS + 0.5), r = wide - quarter * QUARTER;
  const double r2 = r * r, r3 = r * r2, r4 = r2 * r2;
  const double sine = (r + r3 * S1) + r3 * r2 * (S2 + r2 * S3);
  const double cosine = (1.0 + r2 * C1 + r4 * C2) + r4 * r2 * (C3 + r2 * C4);
  const int turned = (int)quarter;
  const double first = turned & 1 ? cosine : sine, second = turned & 1 ? sine : cosine;
  *sines = (float)(turned & 2 ? -first : first);
  *cosines = (float)((turned + 1) & 2 ? -second : second);
}
__device__ void normal(const unsigned int* x, float* values) {
  for (int pair = 0; pair < 4; pair += 2) {
    const float unit = unit_32(x[pair]), radius = unit < 1e-7f ? 1e-7f : unit;
    const float angle = (float)(TURN * (double)unit_32(x[pair + 1])), length = sqrt(-2.0f * log_32(radius));
    float sine, cosine;
    sin_cos_32(angle, &sine, &cosine);
    values[pair] = sine * length;
    values[pair + 1] = cosine * length;
  }
}
"""
_NORMAL_64: Final = """
__device__ void normal(const unsigned int* x, double* values) {
  const double unit = unit_64(x[0], x[1]), radius = unit < 1e-7 ? 1e-7 : unit, angle = TURN * unit_64(x[2], x[3]);
  const double length = sqrt(-2.0 * log(radius));
  values[0] = sin(angle) * length;
  values[1] = cos(angle) * length;
}
"""

# What one step gives: the values of numbers of each size; `width` and `least` are the range of integers.
_VALUES: Final = {
    ("uniform", 4): "for (int k = 0; k < 4; ++k) values[k] = unit_32(x[k]);",
    ("uniform", 8): "for (int k = 0; k < 2; ++k) values[k] = unit_64(x[2 * k], x[2 * k + 1]);",
    ("normal", 4): "normal(x, values);",
    ("normal", 8): "normal(x, values);",
    ("integers", 4): "for (int k = 0; k < 4; ++k) values[k] = (NUMBER)(x[k] % (unsigned int)width + (unsigned int)least);",
    ("integers", 8): "for (int k = 0; k < 2; ++k) values[k] = (NUMBER)(wide(x + 2 * k) % width + least);",
}  # fmt: skip
_WIDE: Final = """
__device__ unsigned long long wide(const unsigned int* x) { return x[0] | (unsigned long long)x[1] << 32; }
"""

_EACH_STEP: Final = """
  unsigned int x[4];
  philox(key0, key1, low, high, at, x);
  VALUES
"""
# A number of 2 and more is drawn again: each thread takes the first small ones of a stretch of the sequence of its own.
_TRUNCATED: Final = """
  for (int found = 0, step = 0; found < PER_STEP; ++step) {
    unsigned int x[4];
    NUMBER drawn[PER_STEP];
    philox(key0, key1, low, high, at * STRIDE + step, x);
    normal(x, drawn);
    for (int k = 0; k < PER_STEP && found < PER_STEP; ++k)
      if (fabs(drawn[k]) < 2) values[found++] = drawn[k];
  }
"""
_KERNEL: Final = """
extern "C" __global__ void NAME(unsigned int key0, unsigned int key1, unsigned long long low, unsigned long long high,
                                unsigned long long width, unsigned long long least, long long count, NUMBER* out) {
  const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at * PER_STEP >= count) return;
  NUMBER values[PER_STEP];
  BODY
  for (int k = 0; k < PER_STEP && at * PER_STEP + k < count; ++k) out[at * PER_STEP + k] = values[k];
}
"""


def _defined(names: dict[str, Any]) -> str:
    """Constants as definitions of the preprocessor."""
    texts = {name: f"({_decimal(value)})" if isinstance(value, float) else str(value) for name, value in names.items()}
    return "".join([f"#define {name} {text}\n" for name, text in texts.items()])


def _decimal(number: float) -> str:
    """The number exactly; C++ has no hexadecimal floats before 2017, and CuPy 13 may ask for an older one."""
    return f"{number:.16e}"


def _listed(numbers: Any) -> str:
    return "{" + ", ".join([_decimal(float(number)) for number in numbers]) + "}"


@functools.cache
def source(kind: str, dtype: np.dtype[Any]) -> str:
    """The kernel that draws numbers of a kind (uniform, normal, truncated, integers) and dtype, in CUDA C."""
    size = dtype.itemsize
    per_step = 16 // size
    fm = float32_math
    names: dict[str, Any] = {
        "NAME": NAME, "NUMBER": c_type(dtype), "PER_STEP": per_step, "STRIDE": f"{per_step * philox.RESERVED // 4}ull",
        "ROUNDS": philox.ROUNDS, "FACTOR0": f"{philox.FACTORS[0]}u", "FACTOR1": f"{philox.FACTORS[1]}u",
        "WEYL0": f"{philox.WEYL[0]}u", "WEYL1": f"{philox.WEYL[1]}u", "TURN": 2.0 * np.pi,
    }  # fmt: skip
    if size == 4:
        names |= {
            "FIRST": int(fm.FIRST), "A4": fm.A4, "A3": fm.A3, "A2": fm.A2, "LN2": fm.LN2, "QUARTER": fm.QUARTER,
            "QUARTERS": fm.QUARTERS, "S1": fm.S1, "S2": fm.S2, "S3": fm.S3, "C1": fm.C1, "C2": fm.C2, "C3": fm.C3, "C4": fm.C4,
        }  # fmt: skip
    normal = _NORMAL_32.replace("{INVERSES}", _listed(fm.INVERSE)).replace("{LOGARITHMS}", _listed(fm.LOGARITHM))
    parts = [_defined(names), _PHILOX, _UNIT, _WIDE, normal if size == 4 else _NORMAL_64]
    body = _TRUNCATED if kind == "truncated" else _EACH_STEP.replace("VALUES", _VALUES[kind, size])
    if kind == "integers":
        parts.pop()
    return "".join([*parts, _KERNEL.replace("BODY", body)])


class GpuDraws:
    """The functions of base/philox.py of these names, on a GPU."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu

    def uniform(self, start: philox.Start, count: int, dtype: DType) -> Any:
        """[count] numbers in [0, 1)."""
        return self._drawn("uniform", philox.uniform, start, count, dtype)

    def standard_normal(self, start: philox.Start, count: int, dtype: DType) -> Any:
        """[count] numbers of mean 0 and deviation 1."""
        return self._drawn("normal", philox.standard_normal, start, count, dtype)

    def truncated_normal(self, start: philox.Start, count: int, dtype: DType) -> Any:
        """[count] numbers of the normal distribution, of absolute value below 2."""
        return self._drawn("truncated", philox.truncated_normal, start, count, dtype)

    def uniform_int(self, start: philox.Start, count: int, low: int, high: int, dtype: DType) -> Any:
        """[count] integers in [low, high)."""
        return self._launched("integers", start, count, np.dtype(dtype.numpy), high - low, low)

    def _drawn(self, kind: str, on_host: Any, start: philox.Start, count: int, dtype: DType) -> Any:
        number = dtype.numpy
        if number not in (np.dtype(np.float32), np.dtype(np.float64)):
            return self._gpu.send(on_host(start, count, dtype))
        return self._launched(kind, start, count, np.dtype(number))

    def _launched(
        self, kind: str, start: philox.Start, count: int, dtype: np.dtype[Any], width: int = 1, least: int = 0
    ) -> Any:
        assert self._gpu.raw is not None
        out = self._gpu.xp.empty(count, dtype)
        threads = -(-count * dtype.itemsize // 16)
        if threads:
            whole = (1 << 64) - 1
            numbers = [np.uint64(n & whole) for n in (start.counter, start.counter >> 64, width, least)]
            key = map(np.uint32, start.key)
            kernel = self._gpu.raw(source(kind, dtype), NAME)
            kernel((-(-threads // _THREADS),), (_THREADS,), (*key, *numbers, np.int64(count), out))
        return out


__all__ = ["NAME", "GpuDraws", "source"]
