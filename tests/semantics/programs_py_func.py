"""Python functions as nodes: their arguments, their results, and how their exceptions end a run."""

import re

from harness import Failure, attempt, fresh, graph_of, program


def outcome(tf, func, inp, Tout, runs=1, **options):
    """What py_func builds and what a run of it gives; tokens, which count up in a process, are made alike."""

    def go():
        built = tf.py_func(func, inp(tf), Tout, **options)
        with tf.Session() as sess:
            values = [attempt(lambda: sess.run(built)) for _ in range(runs)]
        for value in values:
            if isinstance(value, Failure):
                value.text = re.sub(r"pyfunc_\d+", "pyfunc_N", value.text)
        return [built, graph_of(tf, "Tin", "Tout")["nodes"], values]

    return fresh(tf, go)


def nothing(tf):
    return []


@program
def what_the_function_is_given(tf, np):
    seen = []

    def look(*args):
        seen.append([[type(a).__name__.removesuffix("_"), str(getattr(a, "dtype", None)), list(getattr(a, "shape", ())), a] for a in args])
        return np.float32(len(args))

    inputs = lambda tf: [tf.constant(1.5), tf.constant(2), "a", [b"a", b"bc"], [[1, 2], [3, 4]], True, tf.constant([], tf.float64)]
    return [outcome(tf, look, inputs, tf.float32), seen]


@program
def what_it_may_return(tf, np):
    rows = [
        (lambda: 1.5, tf.float64), (lambda: 1, tf.int64), (lambda: True, tf.bool), (lambda: 1j, tf.complex128), (lambda: np.float16(1), tf.float16),
        (lambda: np.uint8(3), tf.uint8), (lambda: "ä", tf.string), (lambda: b"ab\x00", tf.string), (lambda: [["a", "bcd"]], tf.string),
        (lambda: np.array(["a", "bcd"]), tf.string), (lambda: np.array([b"a", b"bc"]), tf.string), (lambda: np.array(["a", b"bb"], object), tf.string),
        (lambda: [np.float32(2)], tf.float32), (lambda: np.ones((2, 0), np.float32), tf.float32), (lambda: np.ones((2, 3)).T, tf.float64),
    ]  # fmt: skip
    return [outcome(tf, f, nothing, T) for f, T in rows]


@program
def several_or_no_outputs(tf, np):
    pair = lambda: (np.float32(1), np.int64(2))
    return [
        outcome(tf, pair, nothing, [tf.float32, tf.int64]),
        outcome(tf, pair, nothing, (tf.float32, tf.int64)),
        outcome(tf, lambda: np.float32(1), nothing, [tf.float32]),
        outcome(tf, lambda: None, nothing, []),
        outcome(tf, list, nothing, []),
        outcome(tf, lambda: [np.ones(2, np.float32), "x"], nothing, [tf.float32, tf.string]),
    ]


@program
def what_it_may_not_return(tf, np):
    rows = [
        (lambda: 1.0, tf.float32), (lambda: 1, tf.int32), (lambda: "a", tf.float32), (lambda: 1.0, tf.string), (lambda: [1.0, 2.0], tf.float64),
        (lambda: None, tf.float32), (lambda: 1.0, []), (lambda: (np.float32(1),), [tf.float32, tf.int64]), (lambda: np.ones(2, np.float32), [tf.float32] * 2),
        (lambda: object(), tf.float32), (dict, tf.float32), (lambda: [[1.0, 2.0], [3.0]], tf.float32), (lambda: [None], tf.float32),
    ]  # fmt: skip
    return [outcome(tf, f, nothing, T) for f, T in rows]


class Mine(Exception):
    pass


@program
def exceptions_end_the_run_by_their_type(tf, np):
    def raising(error):
        def function():
            raise error

        return function

    errors = [
        ValueError("boom"), TypeError("boom"), StopIteration("done"), MemoryError("full"), NotImplementedError("later"), KeyError("k"),
        ZeroDivisionError("z"), Mine("q"), RuntimeError("two\nlines"), AssertionError(), OSError("os"), IndexError("i"), AttributeError("a"),
        UnicodeDecodeError("utf-8", b"a", 0, 1, "bad"), tf.errors.NotFoundError(None, None, "nf"), tf.errors.OutOfRangeError(None, None, "oor"),
    ]  # fmt: skip
    wrong_call = outcome(tf, lambda x: x, nothing, tf.float32)
    return [*[outcome(tf, raising(e), nothing, tf.float32, runs=2) for e in errors], wrong_call]


@program
def it_keeps_state_between_runs(tf, np):
    calls = []

    def count(x):
        calls.append(x)
        return np.int64(len(calls))

    x = tf.placeholder(tf.float32, [])
    y = tf.py_func(count, [x], tf.int64)
    z = tf.py_func(count, [x * 2], tf.int64, stateful=False, name="mine")
    with tf.Session() as sess:
        values = [sess.run(y, {x: i}) for i in range(4)]
        both = sess.run([z], {x: 5.0})
    return [values, both, calls, y.op.type, z.op.type, y.shape, z.name]


@program
def its_input_is_its_own(tf, np):
    def change(x):
        x[0] = 100
        return x

    v = tf.Variable([1, 2], dtype=tf.int64)
    y = tf.py_func(change, [v], tf.int64)
    with tf.control_dependencies([y]):
        after = tf.identity(v) + 0
    with tf.Session() as sess:
        sess.run(v.initializer)
        return [sess.run(y), sess.run(y), sess.run(after)[1]]


@program
def it_is_part_of_the_graph(tf, np):
    a = tf.constant(3.0)
    y = tf.py_func(np.square, [a], tf.float32)
    y.set_shape([])
    z = y + 1
    with tf.control_dependencies([z]):
        w = tf.py_func(lambda: None, [], [], name="effect")
    with tf.Session() as sess:
        values = [sess.run(z), sess.run(w), sess.run(y, {a: 2.0}), sess.run(z, {y: 7.0})]
    return [values, graph_of(tf), y, w]


@program
def numpy_function_is_the_same(tf, np):
    y = tf.numpy_function(lambda x: x + 1, [np.float64(1)], tf.float64, name="mine")
    with tf.Session() as sess:
        return [sess.run(y), graph_of(tf)]


@program
def in_a_branch_it_is_called_when_taken(tf, np):
    calls = []

    def note(word):
        def function():
            calls.append(word)
            return np.int32(1)

        return function

    p = tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: tf.py_func(note("yes"), [], tf.int32), lambda: tf.py_func(note("no"), [], tf.int32))
    with tf.Session() as sess:
        values = [sess.run(y, {p: p_}) for p_ in (True, False, False)]
    return [values, calls]


@program
def calls_that_are_refused(tf, np):
    return [
        fresh(tf, lambda: tf.py_func(3, [], tf.float32)),
        fresh(tf, lambda: tf.py_func(lambda x: x, [None], tf.float32)),
        fresh(tf, lambda: tf.py_func(lambda: 1, [], "nope")),
    ]


@program
def the_clock_and_a_promise(tf, np):
    a, b = tf.timestamp(name="now"), tf.guarantee_const([1, 2])
    with tf.Session() as sess:
        first, second = sess.run(a), sess.run(a)
        return [second >= first > 1e9, type(first).__name__, sess.run(b), graph_of(tf)]


@program
def a_function_without_results(tf, np):
    functions = {"none": lambda *a: None, "one": lambda *a: 1, "empty": lambda *a: []}
    return [
        [name, stateful, outcome(tf, f, lambda tf: [tf.constant([1.0, 2.0])], [], stateful=stateful)]
        for name, f in functions.items()
        for stateful in (True, False)
    ]


@program
def arrays_that_no_tensor_can_hold(tf, np):
    values = {
        "structured": np.zeros(2, [("a", np.int32), ("b", np.float32)]), "void": np.void(b"ab"), "date": np.datetime64("2020-01-01"),
        "duration": np.timedelta64(3, "s"), "long double": np.longdouble(1), "long complex": np.clongdouble(1),
    }  # fmt: skip
    return [
        [name, outcome(tf, lambda v=value: v, nothing, kind)]
        for name, value in values.items()
        for kind in (tf.float32, tf.string)
    ]
