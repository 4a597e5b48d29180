"""Complex numbers: Complex builds them from two parts; parts, angles, absolute values and conjugates. No state."""

from __future__ import annotations

from typing import Any

from ..base import dtypes
from ..base.dtypes import DType
from ..base.shapes import Shape
from ..op import tensor_functions as functions
from ..op.constant import constant
from ..op.define import Sym, broadcast_shape, op, same_shape, typevar
from ..op.gradient_rules import (
    back,
    repeats_at_run_time,
)  # fmt: skip
from ..op.name_scopes import waiting_for
from ..op.shape_checks import (
    COMPLEX,
    kinds,
)  # fmt: skip
from .math import div_no_nan, reciprocal

ComplexT = typevar("T", COMPLEX, default=dtypes.complex64)
Parts = typevar("Tout", kinds("float double"))


@op("Complex", out="out", shape=lambda real, imag, *, Tout: broadcast_shape(real, imag), fresh=True)
def complex_(
    xp: Any,
    real: typevar("T", kinds("float double"), default=dtypes.float32),
    imag: "T",  # noqa: F821
    *,
    Tout: typevar("Tout", COMPLEX) = dtypes.complex64,
) -> "Tout":  # noqa: F821
    """real + i · imag: two shapes that broadcast -> the broadcast shape."""
    # Part by part: the sum 0 + inf · i would have a real part of NaN.
    real, imag = xp.broadcast_arrays(real, imag)
    out = xp.empty(real.shape, Tout.numpy)
    out.real, out.imag = real, imag
    return out[()]


@complex_.grad
def _(op: Any, g: Any) -> Any:
    at_x, at_y = repeats_at_run_time(*op.inputs)
    return back(functions.real(g), at_x), back(functions.imag(g), at_y)


def _part_shape(input: Sym, *, Tout: DType) -> Shape:
    return input.shape


@op("Real", shape=_part_shape, fresh=True)
def real(xp: Any, input: ComplexT, *, Tout: Parts = dtypes.float32) -> "Tout":  # noqa: F821
    """The real part: any shape -> the same shape."""
    return xp.real(input).astype(Tout.numpy)


@real.grad
def _(op: Any, g: Any) -> Any:
    return functions.complex(g, constant(0, dtype=g.dtype.base_dtype))


@op("Imag", shape=_part_shape, fresh=True)
def imag(xp: Any, input: ComplexT, *, Tout: Parts = dtypes.float32) -> "Tout":  # noqa: F821
    """The imaginary part: any shape -> the same shape."""
    return xp.imag(input).astype(Tout.numpy)


@imag.grad
def _(op: Any, g: Any) -> Any:
    return functions.complex(constant(0, dtype=g.dtype.base_dtype), g)


@op("Angle", shape=_part_shape, fresh=True)
def angle(xp: Any, input: ComplexT, *, Tout: Parts = dtypes.float32) -> "Tout":  # noqa: F821
    """The angle with the real axis, in radians from -π to π: any shape -> the same shape."""
    return xp.angle(input).astype(Tout.numpy)


@angle.grad
def _(op: Any, g: Any) -> Any:
    x = op.inputs[0]
    with waiting_for([g]):
        re, im = functions.real(x), functions.imag(x)
        z = reciprocal(functions.complex(im, re))
        return -functions.complex(g, constant(0, dtype=g.dtype.base_dtype)) * z


@op("ComplexAbs", out="y", shape=lambda x, *, Tout: x.shape, fresh=True)
def complex_abs(xp: Any, x: ComplexT, *, Tout: Parts = dtypes.float32) -> "Tout":  # noqa: F821
    """The absolute value |x|: any shape -> the same shape."""
    return xp.abs(x).astype(Tout.numpy)


@complex_abs.grad
def _(op: Any, g: Any) -> Any:
    product = functions.complex(g, functions.zeros_like(g)) * op.inputs[0]
    y = op.outputs[0]
    return div_no_nan(product, functions.complex(y, functions.zeros_like(y)), name="div_no_nan")


@op("Conj", shape=same_shape, fresh=True)
def conj(
    xp: Any,
    input: typevar("T", kinds("complex64 complex128 variant"), default=dtypes.complex64),
) -> "T":  # noqa: F821
    """The complex conjugate."""
    return xp.conj(input)


@conj.grad
def _(op: Any, g: Any) -> Any:
    return functions.conj(g)
