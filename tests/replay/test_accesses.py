"""Traces and orders agree on which nodes read and write a variable: both read the declarations of the ops."""

from types import SimpleNamespace

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import dtypes
from tfedu.engine.op.definition import REGISTRY
from tfedu.engine.replay.accesses import accesses
from tfedu.engine.replay.recorder import reads_of
from tfedu.engine.replay.trace import record
from tfedu.engine.runtime.store import Buffer, Handle

OPS = dict(REGISTRY.whole())
READING = [d.type for d in OPS.values() if d.resource == "variable" and d.read_inputs]


@pytest.mark.parametrize("type", sorted(READING))
def test_every_declared_read_of_a_variable_shows_in_a_trace(type):
    d = OPS[type]
    buffers = [Buffer(f"v{i}", dtypes.float32, ()) for i in range(len(d.inputs))]
    inputs = [
        buffer if argument.is_ref else Handle(buffer) if argument.dtype is dtypes.resource else np.float32(0)
        for argument, buffer in zip(d.inputs, buffers)
    ]
    reads = reads_of(SimpleNamespace(definition=d), inputs, {buffer.name: 7.0 for buffer in buffers})
    assert reads == [(f"v{i}", 7.0) for i in d.read_inputs]


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize(
    "step",
    [
        lambda x: tf.gather(x, [2, 0]),
        lambda x: tf.gather_nd(x, [[1]]),
        lambda x: tf.scatter_add(x, [0], [1.0]),
        lambda x: tf.assign_sub(x, [1.0, 1.0, 1.0]),
        lambda x: tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(tf.gather(x, [1, 1]))),
    ],
    ids=["gather", "gather_nd", "scatter_add", "assign_sub", "minimize"],
)
def test_a_trace_and_the_order_agree_on_who_reads_a_variable(step, use_resource):
    with tf.Graph().as_default():
        x = tf.Variable([1.0, 2.0, 3.0], use_resource=use_resource, name="x")
        fetched = step(x)
        with tf.Session() as session:
            session.run(x.initializer)
            trace = record(fetched, runs=1, session=session)
    touched = accesses(trace.schedule.placed.pruned)
    reading = [step for step in trace.runs[0].steps if step.reads]
    ((name, value),) = reading[0].reads
    assert name == "x"
    np.testing.assert_array_equal(value, [1.0, 2.0, 3.0])
    assert {step.op for step in reading} <= set(touched)


def test_assign_and_is_variable_initialized_read_nothing():
    with tf.Graph().as_default():
        for use_resource in (False, True):
            x = tf.Variable(1.0, use_resource=use_resource)
            with tf.Session() as session:
                session.run(x.initializer)
                run = record([tf.is_variable_initialized(x), tf.assign(x, 3.0).op], runs=1, session=session).runs[0]
            assert not [step.op.type for step in run.steps if step.reads]


def test_an_update_through_ref_select_may_write_each_of_its_variables():
    with tf.Graph().as_default():
        x, y = (tf.Variable(value, use_resource=False, name=name) for name, value in (("x", 1.0), ("y", 2.0)))
        chosen = tf.raw_ops.RefSelect(index=0, inputs=[x._ref(), y._ref()])
        update = tf.raw_ops.AssignAdd(ref=chosen, value=tf.constant(1.0)).op
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            trace = record(update, runs=1, session=session)
    written = accesses(trace.schedule.placed.pruned)[update].writes
    assert written == {("variable", "", "x"), ("variable", "", "y")}
    assert [step.op for step in trace.runs[0].steps if step.reads] == [update]
