"""What an op declares beside its kernel: accesses of variables and files, role, range, names in raw_ops."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import dtypes
from tfedu.engine.op.define import op
from tfedu.engine.op.definition import ACCESS, REGISTRY, RESOURCES, ROLES, types_of_role
from tfedu.engine.op.raw import raw
from tfedu.engine.replay.accesses import accesses
from tfedu.engine.replay.recorder import reads_of
from tfedu.engine.replay.trace import record
from tfedu.engine.runtime.store import Buffer, Handle
from tfedu.view.make.graph_records import role_of

OPS = dict(REGISTRY.whole())
READING = [d.type for d in OPS.values() if d.resource == "variable" and d.read_inputs]


@pytest.mark.parametrize("type", sorted(OPS))
def test_what_an_op_declares_is_of_its_own_inputs_and_of_known_words(type):
    d = OPS[type]
    assert set(d.access.values()) <= set(ACCESS)
    assert d.resource in RESOURCES
    assert d.role in ROLES
    names = [argument.name for argument in d.inputs]
    assert set(d.access) <= set(names)
    # The place of such an input among all inputs must not depend on how long a list is.
    assert not any(argument.is_list for argument in d.inputs[: max(d.accessed_inputs, default=0)])
    assert set(d.raw_names) <= {*names, *d.kernel_attrs}


@pytest.mark.parametrize("type", sorted(OPS))
def test_who_takes_a_variable_or_a_handle_declares_what_it_does_to_it(type):
    """A pure kernel may only pass it on."""
    d = OPS[type]
    taken = {a.name for a in d.inputs if a.is_ref or a.dtype is dtypes.resource}
    if d.pure:
        assert not d.access
    else:
        assert taken <= set(d.access)


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


def test_assign_reads_nothing_and_a_question_is_no_read():
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


SAMPLES = np.concatenate([np.linspace(-50, 50, 2001), np.linspace(-1, 1, 2001), [0.0, -0.0, 1e30, -1e30]]).astype(np.float32)


@pytest.mark.parametrize("type", sorted(d.type for d in OPS.values() if d.range is not None))
def test_no_result_is_outside_the_declared_range(type):
    d = OPS[type]
    if not d.pure:
        with tf.Graph().as_default(), tf.Session() as session:
            values = session.run(getattr(tf.raw_ops, type)(shape=[5000], dtype=tf.float32))
    else:
        with np.errstate(all="ignore"):
            inputs = [SAMPLES if i == 0 else SAMPLES[::-1] for i in range(len(d.inputs))]
            values = d.kernel(np, *inputs)
    low, high = d.range
    real = values[~np.isnan(values)]
    assert real.size
    assert real.min() >= low
    assert real.max() <= high


@pytest.mark.parametrize("type", sorted(d.type for d in OPS.values() if d.singular is not None))
def test_a_singular_input_makes_some_gradient_infinite_or_nan(type):
    with tf.Graph().as_default(), tf.Session() as session:
        d = OPS[type]
        points = tf.constant([-1.0, 0.0, 1.0])
        others = tf.constant([0.5, 0.5, 0.5])
        names = [argument.name for argument in d.inputs]
        raw = getattr(tf.raw_ops, type)
        y = raw(**{name: points if name == d.singular else others for name in names})
        (gradient,) = tf.gradients(y, points)
        assert not all(map(math.isfinite, session.run(gradient)))


def test_the_words_of_roles_are_all_in_use():
    assert {role for role in ROLES if not types_of_role(role)} == set()


@pytest.fixture
def planted():
    """An op that reads a variable, as a table would define it."""

    @op(
        "PlantedSum", shape=lambda resource, **_: (), stateful=True, access={"resource": "read"},
        raw_names={"resource": "handle"},
    )
    def planted_sum(run, resource: dtypes.resource, *, scale: float = 1.0) -> dtypes.float32:
        """The sum of the variable's elements, times `scale`."""
        return np.float32(resource.buffer.value.sum() * scale)

    yield planted_sum
    del REGISTRY["PlantedSum"]


def test_an_op_is_known_everywhere_by_its_declaration_alone(planted):
    with tf.Graph().as_default() as graph:
        x = tf.Variable([1.0, 2.0], use_resource=True, name="x")
        total = raw("PlantedSum")(handle=x.handle, scale=2.0)
        assign = tf.assign(x, [5.0, 5.0]).op
        with tf.Session() as session:
            session.run(x.initializer)
            assert session.run(total) == 6.0
            trace = record([total, assign], runs=1, session=session)
        assert role_of(total.op) == "read"
    (step,) = [step for step in trace.runs[0].steps if step.op is total.op]
    assert [name for name, _ in step.reads] == ["x"]
    touched = accesses(trace.schedule.placed.pruned)
    assert touched[total.op].conflicts(touched[assign]) == {("variable", "", "x")}
    loaded = tf.Graph()
    with loaded.as_default():
        tf.import_graph_def(graph.as_graph_def(), name="")
    assert loaded.get_operation_by_name(total.op.name).definition is planted.definition
