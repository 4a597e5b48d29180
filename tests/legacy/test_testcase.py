"""`tf.test.TestCase`: what its assertions accept, what they refuse, and how a test is set up."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.testing import test_case


class Case(tf.test.TestCase):
    __test__ = False

    def runTest(self):
        pass


@pytest.fixture
def case():
    made = Case()
    made.setUp()
    yield made
    made.tearDown()
    made.doCleanups()


ACCEPTED = [
    lambda c: c.assertAllEqual([1, 2], np.array([1, 2])),
    lambda c: c.assertAllEqual([np.nan], [np.nan]),
    lambda c: c.assertAllEqual([b"a"], ["a"]),
    lambda c: c.assertAllEqual(tf.constant([1, 2]), [1, 2]),
    lambda c: c.assertAllClose([1.0], [1.0 + 1e-7]),
    lambda c: c.assertAllClose({"a": [1.0], "b": (2.0, [3.0])}, {"a": [1.0], "b": (2.0, [3.0])}),
    lambda c: c.assertAllClose([[1.0], [2.0, 3.0]], [[1.0], [2.0, 3.0]]),
    lambda c: c.assertAllClose(tf.constant([1.0]), [1.0]),
    lambda c: c.assertAllCloseAccordingToType(np.float16([1]), np.float16([1.0001])),
    lambda c: c.assertNear(1.0, 1.05, 0.1),
    lambda c: c.assertArrayNear([1.0, 2.0], [1.0, 2.05], 0.1),
    lambda c: c.assertNDArrayNear(np.ones(2), np.ones(2), 0.1),
    lambda c: c.assertShapeEqual(np.ones([2, 3]), tf.zeros([2, 3])),
    lambda c: c.assertStartsWith("abc", "ab"),
    lambda c: c.assertAllInRange([1, 2], 1, 2),
    lambda c: c.assertAllGreater([2, 3], 1),
    lambda c: c.assertAllLess([0], 1),
    lambda c: c.assertAllGreaterEqual([1], 1),
    lambda c: c.assertAllLessEqual([1], 1),
    lambda c: c.assertAllInSet([1, 2], {1, 2}),
    lambda c: c.assertNotAllEqual([1], [2]),
    lambda c: c.assertNotAllClose([1.0], [2.0]),
    lambda c: c.assertDTypeEqual(np.ones(1, np.float32), np.float32),
    lambda c: c.assertDTypeEqual(tf.constant(1), tf.int32),
    lambda c: c.assertDeviceEqual("/cpu:0", "/device:CPU:0"),
    lambda c: c.assertEquals(1, 1),
    lambda c: c.assertItemsEqual([1, 2], [2, 1]),
    lambda c: c.assertRegexpMatches("abc", "b"),
    lambda c: c.assertProtoEquals("name: 'x' op: 'NoOp'", tf.NodeDef(name="x", op="NoOp")),
    lambda c: c.assertProtoEquals(tf.NodeDef(name="x"), tf.NodeDef(name="x")),
]
REFUSED = {
    "Arrays are not equal": lambda c: c.assertAllEqual([1, 2, 3], [1, 5, 3]),
    r"Shape mismatch: expected \(3,\), got \(2,\)": lambda c: c.assertAllEqual([1, 2, 3], [1, 5]),
    "Not equal to tolerance rtol=1e-06, atol=1e-06": lambda c: c.assertAllClose([1.0, 2.0], [1.0, 2.1]),
    r"Mismatched value: a\[a\] is different from b\[a\]": lambda c: c.assertAllClose({"a": [1.0]}, {"a": [2.0]}),
    "mismatched keys": lambda c: c.assertAllClose({"a": [1.0]}, {"b": [2.0]}),
    "Can't compare dict to non-dict": lambda c: c.assertAllClose({"a": 1.0}, [1.0]),
    r"1\.000000 != 1\.100000 \+/- 0\.010000 \(m\)": lambda c: c.assertNear(1.0, 1.1, 0.01, msg="m"),
    "rtol=0.001": lambda c: c.assertAllCloseAccordingToType(np.float16([1]), np.float16([1.01])),
    "'abc' does not start with 'b'": lambda c: c.assertStartsWith("abc", "b"),
    r"1 of the 3 element\(s\) are outside the range \[0, 10\]": lambda c: c.assertAllInRange([1, 2, 30], 0, 10),
    "1 not greater than 1": lambda c: c.assertAllGreater([1, 2], 1),
    r"1 unique element\(s\) are not in the set": lambda c: c.assertAllInSet([1, 7], {1, 2}),
    "The two values are equal at all elements": lambda c: c.assertNotAllEqual([1], [1]),
    "The two values are close at all elements": lambda c: c.assertNotAllClose([1.0], [1.0]),
    "Devices /device:CPU:0 and /device:CPU:1 are not equal": lambda c: c.assertDeviceEqual("/cpu:0", "/cpu:1"),
    "lhs = array": lambda c: c.assertShapeEqual(np.ones([2, 3]), tf.zeros([2, 4])),
    "name": lambda c: c.assertProtoEquals("name: 'y'", tf.NodeDef(name="x")),
}


@pytest.mark.parametrize("accepted", ACCEPTED)
def test_what_holds_is_accepted(case, accepted):
    accepted(case)


@pytest.mark.parametrize(("text", "refused"), REFUSED.items())
def test_what_does_not_hold_is_refused_in_tfs_words(case, text, refused):
    with pytest.raises(AssertionError, match=text):
        refused(case)


def test_types_are_checked(case):
    with pytest.raises(TypeError, match="np_array must be"):
        case.assertShapeEqual([1], tf.constant(1))
    with pytest.raises(TypeError, match="tf_tensor must be"):
        case.assertShapeEqual(np.ones(1), [1])
    with pytest.raises(TypeError, match="Can't compare protos"):
        case.assertProtoEquals(3, tf.NodeDef())


def test_errors_are_matched_by_pattern_or_by_function(case):
    x = tf.placeholder(tf.float32, name="p")
    with case.session() as sess:
        with case.assertRaisesOpError("must feed a value"):
            sess.run(x)
        with case.assertRaisesOpError(lambda e: e.op.name == "p"):
            sess.run(x)
        with pytest.raises(AssertionError, match="Exception of type"), case.assertRaisesOpError("something else"):
            sess.run(x)
    with pytest.raises(AssertionError, match="not raised"), case.assertRaisesWithPredicateMatch(ValueError, "x"):
        pass
    with case.assertRaisesRegexp(ValueError, "x"):
        raise ValueError("x")


def test_each_test_starts_on_a_fresh_graph_with_the_same_seed(case):
    draws = []
    for _ in range(2):
        case.setUp()
        assert tf.get_default_graph().seed == test_case.SEED
        assert not tf.get_default_graph().get_operations()
        with case.session():
            draws.append(tf.random_uniform([3]).eval())
    np.testing.assert_array_equal(*draws)


def test_sessions_are_default_inside_and_place_on_the_cpu(case):
    with case.session() as sess:
        assert tf.get_default_session() is sess
        assert tf.constant(1).device == "/device:CPU:0"
    with case.session(use_gpu=True):
        assert tf.constant(1).device == ""
    graph = tf.Graph()
    with case.session(graph=graph) as sess:
        assert sess.graph is graph
        assert tf.get_default_graph() is graph


def test_the_cached_session_is_one(case):
    with case.cached_session() as one, case.cached_session() as other:
        assert one is other
    with pytest.raises(ValueError, match="used to get the cached session is different"), case.cached_session(graph=tf.Graph()):
        pass
    with case.test_session() as again:
        assert again is one


def test_evaluate_takes_structures(case):
    assert case.evaluate({"a": tf.constant(1), "b": [tf.constant(2)]}) == {"a": 1, "b": [2]}
    with case.session():
        assert case.evaluate(tf.constant(3)) == 3


def test_temporary_folders_are_there_and_go(case):
    folder = case.get_temp_dir()
    assert folder == case.get_temp_dir()
    assert tf.gfile.IsDirectory(folder)
    case.doCleanups()
    assert not tf.gfile.Exists(folder)
    assert tf.gfile.IsDirectory(tf.test.get_temp_dir())


def test_a_checked_thread_fails_the_test_that_joins_it(case):
    thread = case.checkedThread(lambda: 1 // 0)
    thread.start()
    with pytest.raises(AssertionError, match="Error in checkedThread"):
        thread.join()
    fine = case.checkedThread(target=sum, args=([1, 2],))
    fine.start()
    fine.join()


def test_graphs_are_compared_node_by_node():
    def graph(value):
        with tf.Graph().as_default() as g:
            tf.constant(value, name="c")
        return g.as_graph_def()

    tf.test.assert_equal_graph_def(graph(1), graph(1))
    with pytest.raises(AssertionError, match="attributes of node 'c'"):
        tf.test.assert_equal_graph_def(graph(1), graph(2))
    with pytest.raises(AssertionError, match=r"only in expected: \['c'\]"):
        tf.test.assert_equal_graph_def(tf.GraphDef(), graph(1))
    with pytest.raises(TypeError, match=r"Expected tf\.GraphDef for actual"):
        tf.test.assert_equal_graph_def(1, graph(1))


def test_stubs_are_put_back():
    class Thing:
        value = 1

    with tf.test.StubOutForTesting() as stubs:
        stubs.Set(Thing, "value", 2)
        stubs.SmartSet(Thing, "value", 3)
        assert Thing.value == 3
    assert Thing.value == 1


def test_benchmarks_measure(capsys):
    class Adding(tf.test.Benchmark):
        pass

    with tf.Session() as sess:
        found = Adding().run_op_benchmark(sess, tf.add(1, 2), min_iters=3, name="add")
    assert found["iters"] == 3
    assert found["wall_time"] > 0
    assert "name: add" in capsys.readouterr().out
