"""Asserts fail exactly where NumPy says that the condition does not hold: at construction when all is known, else in the run."""

import numpy as np
import pytest

import tfedu as tf

TWO = {
    "assert_equal": np.equal,
    "assert_none_equal": np.not_equal,
    "assert_less": np.less,
    "assert_less_equal": np.less_equal,
    "assert_greater": np.greater,
    "assert_greater_equal": np.greater_equal,
}
ONE = {
    "assert_positive": lambda x: x > 0,
    "assert_negative": lambda x: x < 0,
    "assert_non_positive": lambda x: x <= 0,
    "assert_non_negative": lambda x: x >= 0,
}


def cases(arity):
    rng = np.random.default_rng(arity)
    for dtype in (np.int32, np.float32):
        for shape in ((), (1,), (3,), (2, 2), (0,)):
            for _ in range(4):
                low, high = sorted(rng.integers(-2, 3, 2))
                yield [rng.integers(low, high + 1, shape).astype(dtype) for _ in range(arity)]


def fails(function):
    try:
        function()
    except tf.errors.InvalidArgumentError as error:
        return "did not hold element-wise" in error.message
    return False


@pytest.mark.parametrize(("name", "holds"), [*TWO.items(), *ONE.items()], ids=[*TWO, *ONE])
def test_an_assert_fails_exactly_where_its_condition_does_not_hold(name, holds):
    check = getattr(tf, name)
    outcomes = set()
    for arrays in cases(2 if name in TWO else 1):
        with tf.Graph().as_default(), tf.Session() as session:
            expected = not np.all(holds(*arrays))
            outcomes.add(expected)
            fed = [tf.placeholder(a.dtype, a.shape) for a in arrays]
            op = check(*fed)
            feed = dict(zip(fed, arrays))
            for _ in range(2):  # the interpreter, then the plan
                assert fails(lambda op=op, feed=feed, session=session: session.run(op, feed)) == expected
            assert fails(lambda arrays=arrays: check(*[tf.constant(a) for a in arrays])) == expected
    assert outcomes == {True, False}


def test_an_assert_checks_only_the_runs_that_wait_for_it():
    x = tf.placeholder(tf.float32, [])
    check = tf.assert_positive(x)
    plain = tf.identity(x)
    with tf.control_dependencies([check]):
        checked = tf.identity(x)
    with tf.Session() as session:
        assert session.run(plain, {x: -1.0}) == -1.0
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Condition x > 0"):
            session.run(checked, {x: -1.0})


def test_a_failed_static_assert_leaves_nothing_behind():
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.assert_equal([1, 2], [1, 3])
    with pytest.raises(TypeError):
        tf.assert_type(1.0, tf.int32)
    with pytest.raises(ValueError, match="rank"):
        tf.assert_rank([1.0], 0)
    assert tf.get_default_graph().get_operations() == []


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("rank", [0, 1, 2])
@pytest.mark.parametrize("wanted", [0, 1, 2])
def test_a_rank_is_checked_as_soon_as_it_is_known(known, rank, wanted):
    x = tf.placeholder(tf.float32, [2] * rank if known else None)
    for check, good in (
        (lambda: tf.assert_rank(x, wanted), rank == wanted),
        (lambda: tf.assert_rank_at_least(x, wanted), rank >= wanted),
        (lambda: tf.assert_rank_in(x, [wanted, 5]), rank == wanted),
    ):
        if known and not good:
            with pytest.raises(ValueError, match="must have rank"):
                check()
            continue
        op = check()
        with tf.Session() as session:
            feed = {x: np.zeros([2] * rank)}
            if good:
                session.run(op, feed)
            else:
                with pytest.raises(tf.errors.InvalidArgumentError, match="must have rank"):
                    session.run(op, feed)


def test_near_is_a_matter_of_tolerance():
    x = tf.placeholder(tf.float32, [2])
    near = tf.debugging.assert_near(x, [1.0, 100.0], rtol=0.01, atol=0.0)
    with tf.Session() as session:
        session.run(near, {x: [1.005, 100.5]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="tolerance"):
            session.run(near, {x: [1.005, 102.0]})


def test_print_writes_to_standard_error_the_first_times(capfd):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    p = tf.Print(x, [x, "a"], message="x = ", first_n=2, summarize=3)
    one, other = tf.Session(), tf.Session()
    for _ in range(3):
        assert one.run(p).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert capfd.readouterr().err == "x = [[1 2][3...]...][a]\n" * 2
    other.run(p)
    assert capfd.readouterr().err == "x = [[1 2][3...]...][a]\n"


def test_what_tf_learns_only_in_the_run_is_not_refused_before():
    x = tf.constant([1.0, -1.0])
    computed = [x * 2.0, tf.reshape(x, [1, 2]), tf.shape(x)[0] - 3, tf.reduce_sum(x) - 1.0, tf.identity(x)]
    checks = [tf.assert_positive(value) for value in computed]
    with tf.Session() as session:
        for check in checks:
            with pytest.raises(tf.errors.InvalidArgumentError, match="did not hold"):
                session.run(check)
    for known in (x, tf.zeros([300, 300]), tf.stack([0, 1]), tf.cast(x, tf.int32)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="did not hold"):
            tf.assert_positive(known)


def test_print_takes_a_list():
    x = tf.constant([1.0])
    with pytest.raises(TypeError, match="Expected list for 'data' argument to 'Print' Op"):
        tf.Print(x, x)
