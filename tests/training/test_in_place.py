"""A step of an optimizer changes large variables in place, and nobody who has read one can see it."""

import sys
import threading
import types

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.backends import fused
from tfedu.engine.ops import optimizer_steps as ops
from tfedu.engine.runtime.node_turn import fetched
from tfedu.engine.runtime.store import Buffer

SIZE = 3 * ops._TILE + 7
METHODS = {
    "GradientDescent": lambda: tf.train.GradientDescentOptimizer(0.1),
    "ProximalGradientDescent": lambda: tf.train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02),
    "Momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "Nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "Adam": lambda: tf.train.AdamOptimizer(0.1),
    "Adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "Adadelta": lambda: tf.train.AdadeltaOptimizer(0.1),
    "AdagradDA": lambda: tf.train.AdagradDAOptimizer(0.1, tf.train.get_or_create_global_step(), l1_regularization_strength=0.1),
    "RMSProp": lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.5),
    "CenteredRMSProp": lambda: tf.train.RMSPropOptimizer(0.1, centered=True),
    "Ftrl": lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.1),
    "ProximalAdagrad": lambda: tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.1),
}
# What these compute is not rounded exactly in every operation (powers), or seldom asked for: NumPy's tiles serve them.
ROUNDED = {"ProximalGradientDescent", "AdagradDA", "Ftrl", "ProximalAdagrad"}


def trained(method, shape, start, use_resource):
    """The variable after three steps on (w - 1)⁴ / 4, and its storage."""
    with tf.Graph().as_default():
        w = tf.Variable(start.reshape(shape), use_resource=use_resource, name="w")
        step = METHODS[method]().minimize(tf.reduce_sum(tf.pow(w - 1.0, 4.0)) / 4)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                session.run(step)
            return session.run(w).ravel(), {b.name: b.value for b in session.store.buffers.values()}


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_tiles_give_the_numbers_of_one_piece(method, use_resource, monkeypatch):
    start = np.random.default_rng(1).normal(size=SIZE).astype("float32")
    tiled, _ = trained(method, [SIZE], start, use_resource)
    monkeypatch.setattr(ops, "_TILE", 10 * SIZE)
    whole, _ = trained(method, [SIZE], start, use_resource)
    np.testing.assert_array_equal(tiled, whole)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("method", METHODS)
def test_a_compiled_loop_gives_the_bits_of_the_tiles(method, dtype, monkeypatch):
    start = np.random.default_rng(1).normal(size=SIZE).astype(dtype)
    tiled, slots = trained(method, [SIZE], start, False)
    turns = []
    monkeypatch.setattr(fused, "WORTH", 0)
    ran = fused.Loop.ran
    monkeypatch.setattr(fused.Loop, "ran", lambda self, *given: turns.append(ran(self, *given)) or turns[-1])
    looped, new = trained(method, [SIZE], start, False)
    assert turns == ([] if method in ROUNDED else [True] * 3)
    np.testing.assert_array_equal(tiled, looped)
    for name, value in slots.items():
        np.testing.assert_array_equal(value, new[name], name)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("method", ["Momentum", "Adam", "Adadelta", "RMSProp", "CenteredRMSProp"])
def test_a_sum_that_fades_leaves_no_number_below_the_smallest_normal_one(method, dtype):
    tiny = np.finfo(dtype).tiny
    with tf.Graph().as_default(), tf.Session() as session:
        w, g = tf.Variable(np.ones(3, dtype), name="w"), tf.placeholder(dtype, [3])
        optimizer = METHODS[method]()
        step = optimizer.apply_gradients([(g, w)])
        slots = [optimizer.get_slot(w, name) for name in optimizer.get_slot_names()]
        session.run(tf.global_variables_initializer())
        for slot in slots:
            session.run(tf.assign(slot, tf.fill([3], 3 * tiny)))
        for _ in range(20):
            session.run(step, {g: [0, 0, 0]})
            for slot in slots:
                below = np.abs(session.run(slot))
                assert not ((below > 0) & (below < tiny)).any()


def test_a_loop_waits_until_it_is_worth_the_compiler_and_without_one_numpy_goes_on(monkeypatch):
    def formula(var, grad, one):
        var -= grad + one
        return (var,)

    monkeypatch.setattr(fused, "WORTH", 20)
    var, grad = np.zeros(10), np.ones(10)
    loop = fused.Loop(formula, 1)
    assert [loop.ran([var], grad, (np.float64(1),)) for _ in range(4)] == [False, False, True, True]
    assert var.tolist() == [-4.0] * 10
    monkeypatch.setattr(fused, "compiler", lambda: None)
    loop = fused.Loop(formula, 1)
    assert not any(loop.ran([var], grad, (np.float64(1),)) for _ in range(4))
    assert var.tolist() == [-4.0] * 10


def test_a_compiler_that_cannot_be_loaded_is_told_of(monkeypatch):
    finder = types.SimpleNamespace(find_spec=lambda name, *more: refuse() if name == "numba" else None)

    def refuse():
        raise ImportError("Numba needs NumPy 2.4 or less. Got NumPy 9.0.")

    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    fused.compiler.cache_clear()
    with pytest.warns(RuntimeWarning, match="cannot be loaded: Numba needs NumPy 2.4"):
        assert fused.compiler() is None
    fused.compiler.cache_clear()


def test_a_step_needs_no_new_array_for_the_variable_and_its_slots():
    w = tf.Variable(tf.zeros([SIZE]), name="w")
    step = tf.train.AdamOptimizer(0.1).apply_gradients([(tf.ones([SIZE]), w)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        buffers = [b for b in session.store.buffers.values() if np.size(b.value) == SIZE]
        before = [id(b.value) for b in buffers]
        for _ in range(4):
            session.run(step)
        assert len(before) == 3
        assert [id(b.value) for b in buffers] == before
        assert session.run(w)[-1] == pytest.approx(-0.4, rel=1e-5)


@pytest.mark.parametrize("use_resource", [False, True])
def test_what_was_read_before_the_step_stays_as_it_was(use_resource):
    """A value that another node has, that a fetch gave, and that another store shares."""
    w = tf.Variable(tf.zeros([SIZE]), use_resource=use_resource)
    before = tf.identity(w.read_value() if use_resource else w + 0.0)
    with tf.control_dependencies([before]):
        step = tf.train.GradientDescentOptimizer(1.0).apply_gradients([(tf.ones([SIZE]), w)])
    with tf.control_dependencies([step]):
        after = tf.identity(w.read_value())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for turn in range(3):
            twin = session.store.copy()
            given = session.run(w)
            one, other = session.run([before, after])
            (shared,) = [b.value for b in twin.buffers.values()]
            assert {one[0], given[0], shared[0], shared[-1]} == {-turn}
            assert other[0] == other[-1] == -turn - 1


def test_a_gradient_that_is_the_variable_itself():
    w = tf.Variable(tf.ones([SIZE]))
    step = tf.train.GradientDescentOptimizer(0.5).apply_gradients([(w.read_value(), w)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(step)
        assert set(session.run(w)) == {0.125}


def test_one_buffer_cannot_be_changed_twice_at_once():
    buffer = Buffer("w")
    buffer.value = np.zeros(3)
    again = []
    assert Buffer.changed([buffer], lambda arrays: again.append(Buffer.changed([buffer], again.append)))
    assert again == [False]
    held = buffer.value
    assert not Buffer.changed([buffer], again.append)
    assert held is buffer.value
    assert again == [False]


def test_a_reader_waits_for_the_end_of_a_change():
    buffer = Buffer("w")
    buffer.value = np.zeros(3)
    read = []
    reader = threading.Thread(target=lambda: read.append(fetched(buffer, 0)))

    def change(arrays):
        reader.start()
        for at in range(3):
            arrays[0][at] = 1
            reader.join(0.01)
        assert not read

    assert Buffer.changed([buffer], change)
    reader.join()
    assert read[0].tolist() == [1, 1, 1]
