"""The kernels that tfedu writes in CUDA C, run on a GPU and compared with NumPy: `checked(gpu, part, parts)`.

They are the formulas of the elementwise kernels, the steps of the optimizers, the random numbers, the kernels of rows, and the
reductions. tests/backends runs the same checks on a stand-in, whose kernels the C++ compiler of the host compiles. No state.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

# A check: its name, and a function that says how the GPU's result differs from NumPy's (empty: it does not).
Check = tuple[str, Callable[[Any], str]]
# What libraries of functions and sums in another order may differ in.
_CLOSE = {"f": (2e-5, 1e-6), "d": (1e-12, 1e-14)}


def checked(gpu: Any, part: int = 0, parts: int = 1) -> tuple[int, dict[str, str]]:
    """(how many checks passed, the difference or the error of each other one). part: of `parts`, every so many."""
    passed, failed = 0, {}
    for name, check in itertools.islice(checks(), part, None, parts):
        try:
            text = check(gpu)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"[:300]
        if text:
            failed[name] = text
        else:
            passed += 1
    return passed, failed


def checks() -> Iterator[Check]:
    """All checks."""
    yield from _formulas()
    yield from _steps()
    yield from _draws()
    yield from _rows()
    yield from _reductions()


def _differ(got: Any, expected: Any, exactly: bool = False) -> str:
    if (got.dtype, got.shape) != (expected.dtype, expected.shape):
        return f"{got.dtype}{got.shape}, not {expected.dtype}{expected.shape}"
    rtol, atol = (0, 0) if exactly or got.dtype.char not in _CLOSE else _CLOSE[got.dtype.char]
    if np.allclose(got, expected, rtol=rtol, atol=atol, equal_nan=got.dtype.kind == "f"):
        return ""
    return f"{got.ravel()[:3]}, not {expected.ravel()[:3]}"


# -- each kind ---------------------------------------------------------------------------------------------------------


def _formulas() -> Iterator[Check]:
    import scalar_forms

    def check(form: Any, gpu: Any) -> str:
        type, dtypes, attrs, code = form
        columns, expected = scalar_forms.example(type, dtypes, attrs)
        (got,) = gpu.elementwise(code)(*map(gpu.send, columns))
        return str(scalar_forms.difference(code, gpu.fetch(got), expected))

    for form in scalar_forms.forms():
        names = " ".join([dtype.name for dtype in form[1]])
        yield f"formula {form[0]} of {names}", lambda gpu, form=form: check(form, gpu)

    def between(gpu: Any) -> str:
        """Numbers of 16 bits that no array holds: CuPy's kernel does not know of them."""

        def formula(xp: Any, x: Any) -> Any:
            return (x.astype(np.float16) * np.float16(1.1)).astype(np.float32)

        x = np.linspace(-3, 70000, 999, dtype=np.float32)
        with np.errstate(all="ignore"):
            expected = formula(np, x)
        (got,) = gpu.elementwise(scalar_forms.written(formula, [np.float32]))(gpu.send(x))
        return _differ(gpu.fetch(got), expected, exactly=True)

    yield "formula of float32 by float16", between


def _steps() -> Iterator[Check]:
    from tfedu.engine.backends.multi_tensor import MultiTensor
    from tfedu.engine.backends.scalar_code import Code, ScalarCode
    from tfedu.engine.op.definition import REGISTRY
    from tfedu.engine.ops.gpu_kernels import STATEFUL
    from tfedu.engine.ops.optimizer_steps import DENSE_STEPS

    def check(type: str, flag: bool, dtype: Any, gpu: Any) -> str:
        step, draw = DENSE_STEPS[type], np.random.RandomState(0)
        rest = [*[flag] * len(step.flags), *step.limits(dtype)]
        count = len(REGISTRY[type].inputs)
        code = Code()
        numbers = [code.input(dtype, f"in{i}") for i in range(count)]
        scalar_code = ScalarCode(code, numbers, step.formula(*[number.copy() for number in numbers], *rest))
        rows = []
        for size in (3000, 1, 77):
            arrays = [(0.5 + draw.rand(size)).astype(dtype) for _ in range(step.states + 1)]
            rows.append([*arrays, *[np.array(0.1 + 0.8 * draw.rand(), dtype) for _ in range(count - len(arrays))]])
        sent = [[gpu.send(array) for array in row] for row in rows]
        MultiTensor(gpu, scalar_code, step.states)(sent)
        for row, changed in zip(rows, sent):
            with np.errstate(all="ignore"):
                expected = step.formula(*row, *rest)
            for got, array in zip(changed, expected):
                if text := _differ(gpu.fetch(got), np.asarray(array)):
                    return text
        return ""

    for type in sorted(STATEFUL & DENSE_STEPS.keys()):
        for flag in (False, True) if DENSE_STEPS[type].flags else (False,):
            for dtype in map(np.dtype, (np.float32, np.float64)):
                name = f"step {type} of {dtype}, {flag}"
                yield name, lambda gpu, type=type, flag=flag, dtype=dtype: check(type, flag, dtype, gpu)


def _draws() -> Iterator[Check]:
    import tfedu as tf
    from tfedu.engine.backends.cuda_philox import GpuDraws
    from tfedu.engine.base import philox

    start = philox.Start((0x12345678, 0x9ABCDEF0), (5 << 64) - 300)

    def check(function: str, dtype: Any, bounds: tuple[int, ...], gpu: Any) -> str:
        got = gpu.fetch(getattr(GpuDraws(gpu), function)(start, 10_001, *bounds, dtype))
        return _differ(got, getattr(philox, function)(start, 10_001, *bounds, dtype), dtype is not tf.float64)

    for function in ("uniform", "standard_normal", "truncated_normal"):
        for dtype in (tf.float32, tf.float64):
            yield f"{function} of {dtype.name}", lambda gpu, f=function, t=dtype: check(f, t, (), gpu)
    for dtype, bounds in ((tf.int32, (-7, 1000)), (tf.int64, (-(2**60), 2**61))):
        yield f"integers of {dtype.name}", lambda gpu, t=dtype, b=bounds: check("uniform_int", t, b, gpu)


def _rows() -> Iterator[Check]:
    from tfedu.engine.backends.row_kernels import RowKernels
    from tfedu.engine.op.definition import REGISTRY

    def check(function: str, type: str, shape: tuple[int, int], dtype: Any, gpu: Any) -> str:
        draw = np.random.RandomState(0)
        values = [(5 * draw.randn(*shape)).astype(dtype)]
        if function == "cross_entropy":
            values.append(draw.rand(*shape).astype(dtype))
        if function == "sparse_cross_entropy":
            values.append(draw.randint(0, shape[1], shape[0]))
        got = getattr(RowKernels(gpu), function)(*map(gpu.send, values))
        expected = REGISTRY[type].kernel(np, *values)
        pairs = zip(got, expected, strict=True) if isinstance(got, tuple) else [(got, expected)]
        return next((text for one, other in pairs if (text := _differ(gpu.fetch(one), np.asarray(other)))), "")

    types = {
        "softmax": "Softmax", "log_softmax": "LogSoftmax", "cross_entropy": "SoftmaxCrossEntropyWithLogits",
        "sparse_cross_entropy": "SparseSoftmaxCrossEntropyWithLogits",
    }  # fmt: skip
    for function, type in types.items():
        for shape in ((5, 10), (3, 1000)):
            for dtype in (np.float32, np.float64):
                name = f"{function} of {np.dtype(dtype)} {shape}"
                yield name, lambda gpu, f=function, y=type, s=shape, t=dtype: check(f, y, s, t, gpu)


def _reductions() -> Iterator[Check]:
    from tfedu.engine.backends.gpu_reductions import Reductions
    from tfedu.engine.op.definition import REGISTRY
    from tfedu.engine.ops.gpu_kernels import REDUCTIONS

    def check(type: str, shape: tuple[int, ...], axes: tuple[int, ...], dtype: Any, gpu: Any) -> str:
        def otherwise(*_: Any, **__: Any) -> Any:
            raise AssertionError("the kernel of reductions was not used")

        array = np.random.RandomState(0).randn(*shape).astype(dtype)
        rest: Any = () if type == "L2Loss" else (np.array(axes, np.int32),)
        attrs = {"keep_dims": False} if rest else {}
        kernel = REDUCTIONS[type](Reductions(gpu), otherwise)
        got = [gpu.fetch(kernel(gpu.xp, gpu.send(array), *rest, **attrs)) for _ in range(2)]
        if got[0].tobytes() != got[1].tobytes():
            return "the second launch gave other bits"
        return _differ(got[0], np.asarray(REGISTRY[type].kernel(np, array.astype(np.float64), *rest, **attrs)).astype(dtype))

    for type in REDUCTIONS:
        for shape, axes in (((9_001,), (0,)), ((5, 300), (1,)), ((2_101, 6), (0,))):
            for dtype in (np.float32, np.float64):
                name = f"{type} of {np.dtype(dtype)} {shape}"
                yield name, lambda gpu, y=type, s=shape, a=axes, t=dtype: check(y, s, a, t, gpu)


__all__ = ["checked", "checks"]
