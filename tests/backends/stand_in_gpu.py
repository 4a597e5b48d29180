"""A GPU of strict arrays in the place of a real one: the fixtures `gpu` and `fusing_gpu`."""

import functools
from collections import defaultdict

import numpy as np
import pytest
import strict_arrays as strict

import tfedu as tf
from tfedu.engine.backends import cupy
from tfedu.engine.base import foreign


class Pool:
    """CuPy's memory pool, as far as its limit goes."""

    size = 0

    def set_limit(self, size=None, fraction=None):
        self.size = size or int(fraction * (1 << 30))

    def get_limit(self):
        return self.size


class Machine:
    """What the arrays of the GPU pass on their way: a test replaces `send` and `fetch`."""

    send = staticmethod(lambda array: strict.wrap(np.array(array)))
    fetch = staticmethod(lambda array: array.host.copy())

    def __init__(self):
        self.codes, self.sources, self.launches = [], [], defaultdict(list)

    def noting(self, name, kernel):
        """The kernel of that name, which notes its launches."""

        def launch(grid, block, arguments):
            self.launches[name].append(grid)
            kernel(grid, block, arguments)

        return launch


def elementwise(code):
    """A kernel as CuPy makes it of a formula, compiled for the host: of strict arrays and single numbers, one array at least."""
    import host_compiler

    (function,) = host_compiler.compiled([code])

    def kernel(*values):
        if not any(isinstance(value, strict.Strict) for value in values):
            raise ValueError("Loop size is undecided.")
        return tuple([strict.wrap(result) for result in function(*[strict.unwrap(value, "a kernel") for value in values])])

    return kernel


def raw(source, name):
    """A kernel as CuPy makes it of CUDA C, compiled for the host."""
    import host_compiler

    kernel = host_compiler.kernel(source, name)

    def launch(grid, block, arguments):
        kernel(grid, block, [value.host if isinstance(value, strict.Strict) else value for value in arguments])

    return launch


@pytest.fixture
def gpu(monkeypatch):
    """A GPU of strict arrays that computes node by node."""
    return _machine(monkeypatch)


@pytest.fixture
def fusing_gpu(monkeypatch):
    """A GPU of strict arrays with generated kernels. codes: the formulas of groups that were compiled; sources: whole kernels;
    launches: by name, the numbers of blocks of their launches.
    """
    machine = _machine(
        monkeypatch,
        elementwise=functools.cache(lambda code: machine.codes.append(code) or elementwise(code)),
        raw=functools.cache(lambda source, name: machine.sources.append(source) or machine.noting(name, raw(source, name))),
        address=lambda array: array.host.ctypes.data,
    )
    return machine


def _machine(monkeypatch, **kernels):
    monkeypatch.setattr(strict.Strict, "__cuda_array_interface__", property(lambda self: None), raising=False)
    monkeypatch.setattr(strict.Strict, "get", lambda self: self.host.copy())
    # These modules stand for CuPy: what they raise is a kernel's error.
    stand_ins = {__name__, "strict_arrays", "test_gpu_sessions"}
    monkeypatch.setattr(foreign, "_COMPUTING", foreign._COMPUTING | stand_ins)
    machine = Machine()
    found = cupy.Gpu(
        strict.xp, strict.Strict, lambda a: machine.send(a), lambda a: machine.fetch(a), "strict", (9, 0), 1 << 30, pool=Pool(),
        **kernels,
    )  # fmt: skip
    monkeypatch.setattr(cupy, "_found", lambda: (found, ""))
    return machine


def on_both(make, runs=3, feed=None):
    """What a session without and one with the GPU give, each in as many runs, interpreted and compiled."""
    results = []
    for gpus in (0, 1):
        tf.reset_default_graph()
        fetches, feed_dict = make()
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": gpus})) as session:
            session.run(tf.global_variables_initializer())
            results.append([session.run(fetches, feed_dict) for _ in range(runs)])
            assert (session.store.gpu is not None) == bool(gpus)
    return results
