"""The declarations of ops are true: accesses of variables and files, role, range, names in raw_ops."""

from __future__ import annotations

import inspect
import math
import re

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import dtypes
from tfedu.engine.op.define import op
from tfedu.engine.op.definition import ACCESS, REGISTRY, RESOURCES, ROLES, types_of_role
from tfedu.engine.op.raw import raw
from tfedu.engine.replay.accesses import accesses
from tfedu.engine.replay.trace import record
from tfedu.view.make.graph_records import role_of

OPS = dict(REGISTRY.whole())


@pytest.mark.parametrize("type", sorted(OPS))
def test_declarations_name_inputs_of_the_op_and_known_words(type):
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
def test_an_op_with_a_reference_or_handle_declares_its_access(type):
    """A pure kernel may only pass it on."""
    d = OPS[type]
    taken = {a.name for a in d.inputs if a.is_ref or a.dtype is dtypes.resource}
    if d.pure:
        assert not d.access
    else:
        assert taken <= set(d.access)


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


def test_every_role_has_an_op():
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


# Products of integers, the places of elements: NumPy computes them itself.
INTEGERS = {"SparseReduceMax", "SparseReduceSum", "SparseReshape"}
MULTIPLYING = re.compile(
    r"\bxp\.(matmul|linalg|einsum|dot)\b|\.dot\(| @ |\b(summed|_convolved|images_gradient|kernel_gradient)\(|np\.linalg\."
)


@pytest.mark.parametrize("type", sorted(OPS))
def test_a_kernel_that_calls_the_library_of_linear_algebra_declares_it(type):
    d = OPS[type]
    source = inspect.getsource(inspect.unwrap(d.kernel))
    if MULTIPLYING.search(source.partition('"""')[2].partition('"""')[2] or source):
        assert d.multiplies or type in INTEGERS
