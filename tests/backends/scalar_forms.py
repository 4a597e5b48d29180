"""The elementwise kernels as formulas of single numbers: `forms()` gives each with each dtype, `example` numbers for it."""

import itertools
import re

import numpy as np

# These round differently in the libraries of NumPy, C and CUDA, in the last places.
_ROUNDED = re.compile(r"\b(exp|expm1|log|log1p|pow|sin|cos|tan|a?sinh?|a?cosh?|a?tanh?|atan2)\(")
_CLOSE = {"e": 4e-3, "f": 4e-6, "d": 1e-13}
_NUMBERS = {
    "f": [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, 1e-30, -7.25, 88.0, 1e10],
    "i": [0, 1, -1, 2, -7, 100, -128, 127], "u": [0, 1, 2, 100, 255], "b": [False, True],
}  # fmt: skip


def written(function, dtypes, **attrs):
    """The formula of single numbers of these dtypes."""
    from tfedu.engine.backends.scalar_code import Code, ScalarCode

    code = Code()
    inputs = [code.input(np.dtype(dtype), f"in{i}") for i, dtype in enumerate(dtypes)]
    return ScalarCode(code, inputs, [function(code, *inputs, **attrs)])


def forms():
    """(type, dtypes of the inputs, attributes, formula) of the elementwise kernels, for each dtype that they take."""
    from tfedu.engine.backends.scalar_code import DTYPES
    from tfedu.engine.op.definition import REGISTRY
    from tfedu.engine.ops import gpu_kernels

    for type, d in sorted(REGISTRY.whole().items()):
        formula = gpu_kernels.formula_of(d)
        if formula is None or not d.flat or any(a.name not in d.defaults for a in d.explicit):
            continue
        variables = {a.type_attr for a in d.inputs if a.type_attr}
        allowed = {a.name: a.allowed for a in d.attrs if a.name in variables}
        for dtype in DTYPES if variables else [np.dtype(bool)]:
            if all(options is None or any(o.numpy == dtype for o in options) for options in allowed.values()):
                dtypes = [dtype if a.type_attr else np.dtype(a.dtype.numpy) for a in d.inputs if a.type_attr or a.dtype.numpy]
                if len(dtypes) != len(d.inputs):
                    continue
                try:
                    code = written(formula.kernel, dtypes, **d.defaults)
                except Exception:  # not elementwise for this dtype
                    continue
                yield type, dtypes, d.defaults, code


def example(type, dtypes, attrs):
    """Arrays of all numbers with all others, NaN, infinite and extreme ones among them, and what NumPy makes of them."""
    from tfedu.engine.op.definition import REGISTRY

    pairs = itertools.product(*[_NUMBERS[dtype.kind] for dtype in dtypes])
    with np.errstate(all="ignore"):
        columns = [np.array(column).astype(dtype) for column, dtype in zip(zip(*pairs), dtypes)]
        if type == "BiasAdd":
            columns = [columns[0].reshape(-1, 1), columns[1][:1]]
        return columns, np.asarray(REGISTRY[type].kernel(np, *columns, **attrs))


def difference(code, got, expected):
    """How a result differs from NumPy's, by more than what their libraries of functions differ; empty where it does not."""
    if (got.dtype, got.shape) != (expected.dtype, expected.shape):
        return f"{got.dtype}{got.shape}, not {expected.dtype}{expected.shape}"
    if _ROUNDED.search(code.body):
        equal = np.isclose(got, expected, rtol=_CLOSE[got.dtype.char], atol=1e-30, equal_nan=True)
    else:
        equal = (got == expected) | ((got != got) & (expected != expected))
    if equal.all():
        return ""
    return f"{got[~equal][:3]}, not {expected[~equal][:3]}"
