"""`make gpu` checks the generated kernels: the checks pass on a stand-in, and find kernels that are wrong."""

import dataclasses
import pathlib
import sys

import host_compiler
import strict_arrays as strict
from stand_in_gpu import raw

from tfedu.engine.backends import cupy

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import gpu_generated

pytestmark = host_compiler.needs_compiler


def a_gpu(elementwise):
    return cupy.Gpu(
        strict.xp, strict.Strict, lambda a: strict.wrap(a.copy()), lambda a: a.host.copy(), elementwise=elementwise, raw=raw,
        address=lambda array: array.host.ctypes.data,
    )  # fmt: skip


def elementwise_of_all():
    """The formulas' kernels, compiled at once; what is no form of one op, by itself."""
    codes = list({code for *_, code in gpu_generated_forms()})
    kernels = dict(zip(codes, host_compiler.compiled(codes)))

    def elementwise(code):
        kernel = kernels.get(code) or host_compiler.compiled([code])[0]
        return lambda *arrays: tuple([strict.wrap(r) for r in kernel(*[a.host for a in arrays])])

    return elementwise


def gpu_generated_forms():
    import scalar_forms

    return scalar_forms.forms()


def test_all_generated_kernels_give_what_numpy_gives():
    passed, failed = gpu_generated.checked(a_gpu(elementwise_of_all()))
    assert failed == {}
    assert passed == len(list(gpu_generated.checks())) > 400


def test_kernels_that_compute_something_else_are_found():
    changes = {
        "\nout0 = ": "\nout0 = 1 + ", "1 / sum": "2 / sum", "log(sum)": "log(2 * sum)", "key0 += WEYL0": "key0 -= WEYL0",
        "sum += number": "sum += 2 * number",
    }  # fmt: skip

    def wrong(source, name):
        for text, other in changes.items():
            source = source.replace(text, other)
        return raw(source, name)

    gpu = dataclasses.replace(a_gpu(lambda code: lambda *arrays: arrays[:1]), raw=wrong)
    checks = list(gpu_generated.checks())
    whole = [name for name, check in checks[::5] if not name.startswith("formula") and not check(gpu)]
    assert whole == []
    # These give their first input: the formulas of numbers that are what they were, such as the absolute of a natural number.
    formulas = [name for name, check in checks if name.startswith("formula") and not check(gpu)]
    assert 0 < len(formulas) < 100
