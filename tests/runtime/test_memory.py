"""A session with a memory limit refuses a node whose outputs do not fit, before it allocates them, and goes on after that."""

import tracemalloc
import types

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tfedu as tf
from tfedu.engine.base import memory_limit
from tfedu.engine.op.definition import REGISTRY

MB = 1 << 20
SLACK = 2 * MB


def limited(megabytes):
    return tf.Session(config=tf.ConfigProto(memory_limit_mb=megabytes))


def peak(call):
    tracemalloc.start()
    try:
        result = call()
    finally:
        reached = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return result, reached


def refused(sess, fetch, feeds=None):
    """The error of a run that does not fit; the run must not have allocated what it refused."""

    def run():
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            sess.run(fetch, feeds)
        return caught.value

    error, reached = peak(run)
    assert reached < 12 * MB + SLACK, reached
    return error


# what each row allocates follows from the fed size n: each is given 2^26 elements, 256 MB, for a limit of 10 MB
ROWS = {
    "Fill": lambda n: tf.fill([n], 1.0),
    "Range": lambda n: tf.range(n),
    "Tile": lambda n: tf.tile([1.0], [n]),
    "RandomUniform": lambda n: tf.random_uniform([n]),
    "RandomStandardNormal": lambda n: tf.random_normal([n]),
    "OneHot": lambda n: tf.one_hot([1], n),
    "Pad": lambda n: tf.pad([1.0], [[0, n]]),
    "LinSpace": lambda n: tf.linspace(0.0, 1.0, n),
    "ScatterNd": lambda n: tf.scatter_nd([[0]], [1.0], [n]),
    "UnsortedSegmentSum": lambda n: tf.unsorted_segment_sum([1.0], [0], n),
    "MatrixDiag": lambda n: tf.diag(tf.fill([n // 8192], 1.0)),
    "MatMul": lambda n: tf.matmul(tf.fill([n // 8192, 1], 1.0), tf.fill([1, 8192], 1.0)),
    "AddV2": lambda n: tf.fill([n // 8192, 1], 1.0) + tf.fill([1, 8192], 1.0),
    "ConcatV2": lambda n: tf.concat([tf.fill([n // 200], 1.0)] * 200, 0),
    "Pack": lambda n: tf.stack([tf.fill([n // 200], 1.0)] * 200),
    "GatherV2": lambda n: tf.gather(tf.fill([1, n // 512], 1.0), tf.fill([512], 0)),
}


@pytest.mark.parametrize("kind", ROWS)
def test_an_op_that_cannot_fit_is_refused_with_its_shape_and_bytes(kind):
    with tf.Graph().as_default(), limited(10) as sess:
        n = tf.placeholder(tf.int32, [])
        big = ROWS[kind](n)
        small = tf.reduce_sum(tf.cast(big, tf.float32))
        for _ in range(3):  # the interpreter, then the plan
            error = refused(sess, small, {n: 1 << 26})
            assert error.op.type in (kind, "Cast", "Diag"), error.op.type
            assert error.message.startswith("OOM when allocating tensor with shape[")
            assert "needs 268435456 bytes" in error.message or error.op.type == "ScatterNd" or "needs 26843" in error.message
            assert f"[[{{{{node {error.op.name}}}}}]]" in error.message
            assert "\n  where: " in str(error)
            assert "memory_limit_mb" in str(error)
            assert np.isfinite(sess.run(small, {n: 1 << 13}))


@pytest.mark.parametrize("interpreted", [True, False])
def test_what_a_run_holds_counts_together(interpreted):
    with tf.Graph().as_default(), limited(10) as sess:
        sess.interpreted = interpreted
        n = tf.placeholder(tf.int32, [])
        parts = [tf.fill([n], float(i)) for i in range(12)]
        total = tf.add_n([part[0] for part in parts]) + tf.add_n([part[-1] for part in parts])
        with tf.control_dependencies(parts):
            together = tf.add_n([tf.reduce_sum(part) for part in parts])
        for _ in range(3):
            refused(sess, together, {n: MB // 4})
            assert sess.run(together, {n: MB // 8}) == sum(range(12)) * MB // 8
            assert sess.run(total, {n: MB // 8}) == 2 * sum(range(12))


@pytest.mark.parametrize("interpreted", [True, False])
def test_a_loop_that_collects_ends_at_the_limit(interpreted):
    with tf.Graph().as_default(), limited(10) as sess:
        sess.interpreted = interpreted

        def body(i, array, grown):
            return i + 1, array.write(i, tf.fill([MB // 8], 1.0)), tf.concat([grown, [1.0]], 0)

        start = 0, tf.TensorArray(tf.float32, 1000), tf.ones([1])
        shapes = tf.TensorShape([]), tf.TensorShape(None), tf.TensorShape([None])
        count, array, _ = tf.while_loop(lambda i, *_: i < 1000, body, start, shape_invariants=shapes)
        for _ in range(2):
            assert refused(sess, [count, array.size()]).op.type == "Fill"


def test_a_gradient_of_a_loop_counts_what_it_stacks():
    with tf.Graph().as_default(), limited(10) as sess:
        x = tf.fill([MB // 8], 1.0)
        _, y = tf.while_loop(lambda i, _: i < 1000, lambda i, y: (i + 1, tf.sin(y)), (0, x))
        (slope,) = tf.gradients(y, x)
        for _ in range(2):
            refused(sess, slope)


@pytest.mark.parametrize("use_resource", [True, False])
def test_variables_count_and_their_writes_do(use_resource):
    with tf.Graph().as_default(), limited(10) as sess:
        n = tf.placeholder(tf.int32, [])
        value = tf.placeholder(tf.float32, [None])
        variables = [
            tf.Variable(value, use_resource=use_resource, validate_shape=False, expected_shape=[None]) for _ in range(4)
        ]
        feeds = {value: np.ones(3 * MB // 4, np.float32)}  # 3 MB
        for v in variables[:3]:
            sess.run(v.initializer, feeds)
        assert refused(sess, variables[3].initializer, feeds).op.type in ("Assign", "AssignVariableOp")
        refused(sess, tf.reduce_sum(tf.fill([n], 1.0)), {n: MB})
        assert sess.run(tf.reduce_sum(tf.fill([n], 1.0)), {n: MB // 8}) == MB // 8
        assert sess.run(tf.reduce_sum(variables[0])) == 3 * MB // 4  # to read a variable needs no memory


def test_what_earlier_runs_returned_belongs_to_the_caller():
    with tf.Graph().as_default(), limited(4) as sess:
        n = tf.placeholder(tf.int32, [])
        y = tf.fill([n], 1.0)
        kept = [sess.run(y, {n: MB // 4}) for _ in range(20)]
        assert sum(array.nbytes for array in kept) == 20 * MB


def test_a_partial_run_and_a_callable_have_the_limit():
    with tf.Graph().as_default(), limited(4) as sess:
        n = tf.placeholder(tf.int32, [])
        y = tf.reduce_sum(tf.fill([n], 1.0))
        call = sess.make_callable(y, [n])
        for _ in range(3):
            with pytest.raises(tf.errors.ResourceExhaustedError, match="Fill needs"):
                call(1 << 30)
            assert call(100) == 100
        handle = sess.partial_run_setup([y], [n])
        with pytest.raises(tf.errors.ResourceExhaustedError, match="Fill needs"):
            sess.partial_run(handle, y, {n: 1 << 30})


UNARY = [tf.sin, tf.square, lambda x: tf.reverse(x, [0]), lambda x: tf.concat([x, x], 0), lambda x: x[: tf.size(x) // 2 + 1],
         lambda x: tf.cast(tf.cast(x, tf.float64), tf.float32), lambda x: tf.reshape(x, [1, -1])[0]]  # fmt: skip
BINARY = [lambda x, y: x[:1] + y, lambda x, y: tf.concat([x, y], 0), lambda x, y: x * tf.reduce_max(y)]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100), st.integers(0, 9)), min_size=1, max_size=12), st.data())
def test_a_run_gives_the_same_or_is_refused_and_never_holds_more(steps, data):
    with tf.Graph().as_default() as graph:
        n = tf.placeholder(tf.int32, [])
        values = [tf.fill([n], 0.5)]
        for left, right, kind in steps:
            x, y = values[left % len(values)], values[right % len(values)]
            values.append(UNARY[kind](x) if kind < len(UNARY) else BINARY[kind - len(UNARY)](x, y))
        fetch = tf.add_n([tf.reduce_sum(v) for v in values])
        size = {n: data.draw(st.sampled_from([100, 30_000, 200_000]))}
        with tf.Session() as free:
            wanted = free.run(fetch, size)
        with limited(3) as sess:
            for _ in range(3):

                def run(sess=sess):
                    try:
                        return sess.run(fetch, size)
                    except tf.errors.ResourceExhaustedError as error:
                        return error

                result, reached = peak(run)
                assert reached < 3 * MB + SLACK
                if not isinstance(result, Exception):
                    np.testing.assert_allclose(result, wanted, rtol=1e-5)
                elif size[n] == 100:
                    raise result
            assert sess.run(n, {n: 1}) == 1
        assert graph.get_operations()


# -- the setting -------------------------------------------------------------------------------------------------------------


def test_the_environment_limits_sessions_and_constants(monkeypatch):
    monkeypatch.setenv(memory_limit.ENVIRONMENT, "10")
    with tf.Graph().as_default() as graph:
        with tf.Session() as sess:
            refused(sess, tf.fill([1 << 26], 1.0))
        with limited(300) as sess:
            assert sess.run(tf.fill([1 << 22], 1.0)).size == 1 << 22
        before = len(graph.get_operations())
        text = "a constant: it needs 268435456 bytes, and the limit is 10485760"
        with pytest.raises(tf.errors.ResourceExhaustedError, match=text):
            tf.constant(1.0, shape=[1 << 26])
        assert len(graph.get_operations()) == before
    for wrong in ("lots", "-1", "1.5"):
        monkeypatch.setenv(memory_limit.ENVIRONMENT, wrong)
        with tf.Graph().as_default(), pytest.raises(tf.errors.InvalidArgumentError, match="must be a number of megabytes"):
            tf.Session()


def test_a_negative_limit_is_refused():
    with tf.Graph().as_default(), pytest.raises(tf.errors.InvalidArgumentError, match="memory_limit_mb must be a number"):
        limited(-1)


# -- MemoryError -------------------------------------------------------------------------------------------------------------


def test_without_a_limit_a_memory_error_is_typed_and_tells_the_shape():
    with tf.Graph().as_default(), tf.Session() as sess:
        n = tf.placeholder(tf.int64, [1])
        y = tf.fill(n, 1.0)
        for _ in range(3):
            text = r"shape\[4398046511104\] and type float .*Fill needs 17592186044416"
            with pytest.raises(tf.errors.ResourceExhaustedError, match=text):
                sess.run(y, {n: [1 << 42]})
            assert sess.run(y, {n: [2]}).tolist() == [1, 1]
        with pytest.raises(tf.errors.ResourceExhaustedError, match=r"OOM in Session\.run"):
            sess.run(n, {n: np.broadcast_to(np.int8(1), [1 << 42])})


def failing():
    """A function as of a kernel's module that finds no memory."""

    def fail(*values, **attrs):
        raise MemoryError("no more")

    return types.FunctionType(fail.__code__, {"__name__": "tfedu.engine.ops.math", "MemoryError": MemoryError})


@pytest.mark.parametrize("times", [1, 3])
def test_a_memory_error_anywhere_in_a_run_is_typed(monkeypatch, times):
    """Raised by the kernel of each node in turn, and by the copy of what is fetched."""
    from tfedu.engine.runtime import node_turn
    from tfedu.engine.runtime.plans import plan_lines

    fail = failing()
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None])
        y = tf.reduce_sum(tf.matmul(tf.reshape(x, [1, -1]), tf.reshape(tf.exp(x), [-1, 1])))
        for _ in range(times):
            wanted = sess.run(y, {x: [1.0, 2.0]})
        for kind in ("Exp", "MatMul", "Sum"):
            with monkeypatch.context() as patch, tf.Session() as other:
                patch.setattr(REGISTRY[kind], "kernel", fail)
                patch.setattr(REGISTRY[kind], "ufunc", None)
                patch.setattr(REGISTRY[kind], "expr", None)
                patch.setattr(REGISTRY[kind], "scalar", None)
                for _ in range(times):
                    with pytest.raises(tf.errors.ResourceExhaustedError, match="no more") as caught:
                        other.run(y, {x: [1.0, 2.0]})
                    assert caught.value.op.type == kind
        assert sess.run(y, {x: [1.0, 2.0]}) == wanted
        with monkeypatch.context() as patch, tf.Session() as other:
            patch.setattr(node_turn, "_copied", fail)
            assert plan_lines.fetched is node_turn.fetched
            big = tf.identity(tf.zeros([1 << 17]))[:]
            for _ in range(times):
                with pytest.raises(tf.errors.ResourceExhaustedError, match="no more"):
                    other.run(big)


def test_a_memory_error_while_building_leaves_the_graph_as_it_was(monkeypatch):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None])
        before = len(graph.get_operations())
        with pytest.raises(tf.errors.ResourceExhaustedError, match=r"OOM when building a constant.*\n  where: "):
            tf.constant(1.0, shape=[1 << 45])

        monkeypatch.setattr(REGISTRY["Exp"], "shape_rule", failing())
        with pytest.raises(tf.errors.ResourceExhaustedError, match=r"OOM when building 'Exp'[^\n]*: no more\n  where: "):
            tf.exp(x[::2, None, None])
        names = [op.name for op in graph.get_operations()]
        assert before <= len(names)
        assert "Exp" not in names
        message = tf.GraphDef()
        message.node.add(name="p", op="Placeholder").attr["dtype"].type = 1
        node = message.node.add(name="e", op="Exp", input=["p"])
        node.attr["T"].type = 1
        with pytest.raises(tf.errors.ResourceExhaustedError, match=r"no more|OOM when importing"):
            tf.import_graph_def(message)
        assert [op.name for op in graph.get_operations()] == names
