"""Kernels written down as CUDA C compute what they compute as functions of NumPy: the host's compiler tells, without a GPU."""

import host_compiler
import kernel_calls
import numpy as np
import pytest
import scalar_forms
from scalar_forms import written

from tfedu.engine.backends.scalar_code import NotScalar
from tfedu.engine.ops import gpu_kernels
from tfedu.engine.runtime.devices import elementwise_groups
from tfedu.engine.runtime.devices.elementwise_groups import Group


@host_compiler.needs_compiler
def test_every_elementwise_kernel_gives_what_numpy_gives():
    """All numbers with all others, NaN, infinite and extreme ones among them; exactly, but for exp and its like."""
    found = list(scalar_forms.forms())
    assert len({type for type, *_ in found}) > 70
    assert len(found) > 250
    for (type, dtypes, attrs, code), function in zip(found, host_compiler.compiled([code for *_, code in found])):
        columns, expected = scalar_forms.example(type, dtypes, attrs)
        (got,) = function(*columns)
        label = f"{type} {[t.name for t in dtypes]}"
        text = scalar_forms.difference(code, got, expected)
        assert not text, f"{label}: {text}\n{code.body}"


@host_compiler.needs_compiler
def test_the_calls_of_the_op_table_give_what_numpy_gave():
    found = {}
    for call in kernel_calls.calls():
        formula = gpu_kernels.formula_of(call.op.definition)
        if formula is None or not kernel_calls.computes_on_gpu(call) or len(found.get(call.type, ())) > 20:
            continue
        group = Group((), [call.op])
        try:
            code, inputs = elementwise_groups.scalar_code(group, {}, [call.op.outputs[0]])
        except Exception:  # not elementwise
            continue
        value_of = dict(zip(call.op.inputs, call.values))
        values = [np.asarray(value_of[t]) for t in inputs]
        if formula.fits([np.shape(v) for v in call.values], np.shape(call.result[0])):
            found.setdefault(call.type, []).append((call, code, values))
    assert len(found) > 60
    flat = [row for rows in found.values() for row in rows]
    for (call, _, values), function in zip(flat, host_compiler.compiled([code for _, code, _ in flat])):
        assert not kernel_calls.difference(call, function(*values)), call.row


def test_what_is_not_elementwise_is_refused():
    for formula in (
        lambda xp, x: xp.sum(x),
        lambda xp, x: x.reshape(-1),
        lambda xp, x: x[1:],
        lambda xp, x: x if x > 0 else -x,
        lambda xp, x: np.asarray(x),
        lambda xp, x: xp.clip(x, 0, 1),
        lambda xp, x: x + np.ones(3, np.float32),
        lambda xp, x: xp.add.reduce(x),
        lambda xp, x: xp.zeros(x.shape),
        lambda xp, x: list(x),
    ):
        with pytest.raises((NotScalar, AttributeError)):
            written(formula, ["float32"])
    for dtype in ("complex64", ">f4", ">f2", "object"):
        with pytest.raises(NotScalar):
            written(lambda xp, x: x + x, [dtype])
    with pytest.raises(NotScalar):
        written(lambda xp, x: xp.nextafter(x, x), ["float16"])


@host_compiler.needs_compiler
def test_operations_in_place_and_literals_are_written_as_numpy_computes_them():
    def formula(xp, x):
        y = xp.exp(x)
        z = y
        y += np.float32(0.1)
        z *= y
        return xp.where(x > 0.5, np.float32(np.inf), z) + 2

    def literals(xp, x):
        return xp.where(x > np.float32(1e-45), np.float32(16777217.0), np.float32(-0.0))

    def integers(xp, x):
        return x * np.int64(-(2**63)) + 7

    x, whole = np.linspace(-1, 1, 7, dtype=np.float32), np.arange(-3, 4)
    codes = [written(formula, ["float32"]), written(literals, ["float32"]), written(integers, ["int64"])]
    with np.errstate(all="ignore"):
        for function, numbers, run in zip((formula, literals, integers), (x, x, whole), host_compiler.compiled(codes)):
            (got,), expected = run(numbers), function(np, numbers)
            np.testing.assert_allclose(got, expected, rtol=1e-6)
            assert got.dtype == expected.dtype
            assert (np.signbit(got) == np.signbit(expected)).all()
