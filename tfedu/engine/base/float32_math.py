"""log, sin and cos of float32 numbers, bit for bit as the C library computes them, which TensorFlow's random kernels call.

Each works in float64 and rounds once; that is not always the nearest float32, so NumPy's own functions differ now and then.
The constants are public: a GPU's kernel is written with them (backends/cuda_philox.py). No state.

Source: Arm, "Optimized Routines" (MIT or Apache-2.0 with LLVM exception): logf and sincosf, which glibc has too.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, Any]"


def _numbers(*texts: str) -> list[float]:
    return [float.fromhex(text) for text in texts]


# One sixteenth of [0.7, 1.4) each: the inverse of a point in it, and the point's logarithm.
INVERSE: Final = np.array(_numbers(
    "0x1.661ec79f8f3bep+0", "0x1.571ed4aaf883dp+0", "0x1.49539f0f010bp+0", "0x1.3c995b0b80385p+0",
    "0x1.30d190c8864a5p+0", "0x1.25e227b0b8eap+0", "0x1.1bb4a4a1a343fp+0", "0x1.12358f08ae5bap+0",
    "0x1.0953f419900a7p+0", "0x1p+0", "0x1.e608cfd9a47acp-1", "0x1.ca4b31f026aap-1",
    "0x1.b2036576afce6p-1", "0x1.9c2d163a1aa2dp-1", "0x1.886e6037841edp-1", "0x1.767dcf5534862p-1",
))  # fmt: skip
LOGARITHM: Final = np.array(_numbers(
    "-0x1.57bf7808caadep-2", "-0x1.2bef0a7c06ddbp-2", "-0x1.01eae7f513a67p-2", "-0x1.b31d8a68224e9p-3",
    "-0x1.6574f0ac07758p-3", "-0x1.1aa2bc79c81p-3", "-0x1.a4e76ce8c0e5ep-4", "-0x1.1973c5a611cccp-4",
    "-0x1.252f438e10c1ep-5", "0x0p+0", "0x1.aa5aa5df25984p-5", "0x1.c5e53aa362eb4p-4",
    "0x1.526e57720db08p-3", "0x1.bc2860d22477p-3", "0x1.1058bc8a07ee1p-2", "0x1.4043057b6ee09p-2",
))  # fmt: skip
A4, A3, A2 = _numbers("-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2")
(LN2,) = _numbers("0x1.62e42fefa39efp-1")
FIRST: Final = np.int32(0x3F330000)  # the bits of about 0.7

S1, S2, S3 = _numbers("-0x1.555545995a603p-3", "0x1.1107605230bc4p-7", "-0x1.994eb3774cf24p-13")
C1, C2, C3, C4 = _numbers(
    "-0x1.ffffffd0c621cp-2", "0x1.55553e1068f19p-5", "-0x1.6c087e89a359dp-10", "0x1.99343027bf8c3p-16"
)
QUARTER, QUARTERS = _numbers("0x1.921fb54442d18p+0", "0x1.45f306dc9c883p-1")  # pi / 2 and its inverse


def log(x: Array) -> Array:
    """The natural logarithm of positive, finite, normal float32 numbers."""
    bits = x.view(np.int32)
    offset = bits - FIRST
    part = (offset >> 19) & 15
    power = offset >> 23
    reduced = (bits - (offset & np.int32(-(1 << 23)))).view(np.float32).astype(np.float64)
    r = reduced * INVERSE[part] - 1
    squared = r * r
    series = A4 * squared + (A3 * r + A2)
    return np.asarray((series * squared + (LOGARITHM[part] + power * LN2 + r)).astype(np.float32))


def sin_cos(x: Array) -> tuple[Array, Array]:
    """The sine and the cosine of float32 angles that are not negative and below 120."""
    wide = x.astype(np.float64)
    quarter = np.floor(wide * QUARTERS + 0.5)
    r = wide - quarter * QUARTER
    r2 = r * r
    r3, r4 = r * r2, r2 * r2
    sine = (r + r3 * S1) + r3 * r2 * (S2 + r2 * S3)
    cosine = (1 + r2 * C1 + r4 * C2) + r4 * r2 * (C3 + r2 * C4)
    turned = quarter.astype(np.int8)
    odd = (turned & 1).astype(bool)
    sines, cosines = np.where(odd, cosine, sine), np.where(odd, sine, cosine)
    np.negative(sines, out=sines, where=(turned & 2) != 0)
    np.negative(cosines, out=cosines, where=((turned + 1) & 2) != 0)
    return sines.astype(np.float32), cosines.astype(np.float32)
