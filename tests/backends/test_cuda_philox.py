"""Random numbers of a GPU are those of the CPU: the kernel's text, compiled for the host, and sessions with a GPU."""

import re

import host_compiler
import numpy as np
import pytest
import strict_arrays as strict
from stand_in_gpu import raw

import tfedu as tf
from tfedu.engine.backends.cuda_philox import GpuDraws
from tfedu.engine.backends.cupy import Gpu
from tfedu.engine.base import philox
from tfedu.engine.base.philox import Start

pytestmark = host_compiler.needs_compiler

# The last two: the lower and the upper half of the counter run over.
STARTS = [
    Start((0, 0), 0), Start((0x12345678, 0x9ABCDEF0), 77 << 64 | 5), Start((1, 2), (3 << 64) - 2), Start((9, 8), (1 << 128) - 3),
]  # fmt: skip
COUNTS = [1, 3, 4, 1023, 5000]


@pytest.fixture(scope="module")
def draws():
    return GpuDraws(Gpu(strict.xp, strict.Strict, lambda a: strict.wrap(np.array(a)), lambda a: a.host, raw=raw))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("dtype", [tf.float32, tf.float64, tf.float16])
@pytest.mark.parametrize("name", ["uniform", "standard_normal", "truncated_normal"])
def test_numbers_are_those_of_the_cpu(draws, name, dtype, start):
    for count in COUNTS:
        got, expected = getattr(draws, name)(start, count, dtype).host, getattr(philox, name)(start, count, dtype)
        assert got.dtype == expected.dtype
        if name == "uniform" or dtype is not tf.float64:
            np.testing.assert_array_equal(got, expected)
        else:
            np.testing.assert_array_max_ulp(got, expected, 4)


def test_many_normal_numbers_are_equal_bit_by_bit(draws):
    got = draws.standard_normal(STARTS[1], 400_000, tf.float32).host
    np.testing.assert_array_equal(got, philox.standard_normal(STARTS[1], 400_000, tf.float32))
    assert abs(got.mean()) < 0.01
    assert abs(got.std() - 1) < 0.01


@pytest.mark.parametrize("start", STARTS)
def test_integers_are_those_of_the_cpu(draws, start):
    for low, high, dtype in (
        (0, 10, tf.int32), (-(2**31), 2**31 - 1, tf.int32), (5, 6, tf.int32), (-7, 1000, tf.int64),
        (-(2**63), 2**63 - 1, tf.int64), (2**40, 2**40 + 3, tf.int64),
    ):  # fmt: skip
        for count in COUNTS:
            got = draws.uniform_int(start, count, low, high, dtype).host
            np.testing.assert_array_equal(got, philox.uniform_int(start, count, low, high, dtype))


def random_nodes():
    """Every op that draws on a GPU."""
    shape, seed = tf.placeholder_with_default([3, 5], [2]), tf.constant([7, -3], tf.int64)
    wide = {"minval": tf.constant(-3, tf.int64), "maxval": tf.constant(50, tf.int64), "dtype": tf.int64}
    tf.set_random_seed(5)
    return [
        tf.random_uniform(shape), tf.random_normal(shape, dtype=tf.float64), tf.truncated_normal(shape, seed=3),
        tf.random_uniform(shape, seed=1, **wide), tf.random_uniform([]), tf.random_uniform([0, 2]),
        tf.random_normal([2], dtype=tf.float16),
        tf.random.stateless_uniform(shape, seed), tf.random.stateless_normal(shape, seed),
        tf.random.stateless_truncated_normal(shape, seed), tf.random.stateless_uniform([4], seed, **wide),
    ]  # fmt: skip


def test_sessions_draw_the_same_numbers_run_after_run(fusing_gpu):
    results = []
    for gpus in (0, 1):
        tf.reset_default_graph()
        nodes = random_nodes()
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": gpus})) as session:
            results.append([session.run(nodes) for _ in range(3)])
            if gpus:
                devices = {session.stages(nodes)[1].device_of(t.op)[-5:] for t in nodes}
                sent = [pair for pair in session.transfers if pair.bytes and pair.target.endswith("GPU:0")]
    for on_cpu, on_gpu in zip(*results):
        for one, other in zip(on_cpu, on_gpu):
            np.testing.assert_allclose(other, one, rtol=1e-14)
            assert np.asarray(one).dtype == np.asarray(other).dtype
    assert devices == {"GPU:0"}
    assert len(fusing_gpu.sources) == 5
    assert len(sent) <= 1


def test_initial_values_do_not_travel(fusing_gpu):
    v = tf.get_variable("v", [100, 100], initializer=tf.random_normal_initializer(seed=1))
    with tf.Session() as session:
        for _ in range(2):
            session.run(v.initializer)
        assert max([pair.bytes for pair in session.transfers], default=0) < 100
        got = session.run(v)
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as session:
        for _ in range(2):
            session.run(v.initializer)
        np.testing.assert_array_equal(got, session.run(v))


def test_what_a_random_op_refuses_on_the_cpu_it_refuses_here(fusing_gpu):
    high = tf.placeholder(tf.int64, [])
    numbers = tf.random_uniform([3], 0, high, tf.int64, seed=1)
    with tf.Session() as session:
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape("Need minval < maxval, got 0 >= 0")):
                session.run(numbers, {high: 0})
        assert session.run(numbers, {high: 1}).tolist() == [0, 0, 0]
