"""tf.case: the first true condition, exclusive or not, with or without a default."""

import collections
import itertools

from harness import attempt, fresh, graph_of, program


def functions(tf):
    return [lambda k=k: tf.constant(float(k), name=f"f{k}") for k in range(4)]


def preds(tf, count):
    return [tf.placeholder(tf.bool, [], name=f"p{k}") for k in range(count)]


def cases(tf, count, **kwargs):
    """The graph of a case, and what it gives for all values of its predicates."""

    def run():
        ps, fs = preds(tf, count), functions(tf)
        default = {"default": fs[3]} if kwargs.get("with_default", True) else {}
        options = {k: v for k, v in kwargs.items() if k != "with_default"}
        r = tf.case(list(zip(ps, fs)), **default, **options)
        nodes = graph_of(tf)
        with tf.Session() as sess:
            given = itertools.product((False, True), repeat=count)
            return [r, nodes, [attempt(lambda q=q: sess.run(r, dict(zip(ps, q)))) for q in given]]

    return fresh(tf, run)


@program
def the_first_that_holds(tf, np):
    return [cases(tf, 1), cases(tf, 2), cases(tf, 3, name="mine")]


@program
def without_a_default(tf, np):
    return [cases(tf, count, with_default=False) for count in (1, 2, 3)]


@program
def exclusive(tf, np):
    return [cases(tf, 2, exclusive=True), cases(tf, 3, exclusive=True, with_default=False)]


@program
def dictionaries(tf, np):
    a, b = preds(tf, 2)
    fs = functions(tf)
    return [
        tf.case({b: fs[0], a: fs[1]}, default=fs[2]),
        tf.case({b: fs[0], a: fs[1]}, default=fs[2], exclusive=True),
        tf.case(collections.OrderedDict([(b, fs[0]), (a, fs[1])]), default=fs[2]),
        graph_of(tf),
    ]


@program
def structures(tf, np):
    a, b = preds(tf, 2)
    return [
        tf.case([(a, lambda: [1.0])], lambda: [2.0]),
        tf.case([(a, lambda: [1.0])], lambda: [2.0], strict=True),
        tf.case([(a, lambda: {"x": 1, "y": [2]}), (b, lambda: {"x": 1, "y": [3]})], default=lambda: {"x": 1, "y": [4]}),
        tf.case([(a, lambda: tf.no_op()), (b, lambda: tf.no_op())], default=lambda: tf.no_op()),
        tf.case(((a, lambda: 1), (b, lambda: 2)), lambda: 3, False, False, "by_position"),
    ]


@program
def only_the_chosen_branch_has_effects(tf, np):
    v, i = tf.Variable(0.0, name="v"), tf.placeholder(tf.int32, [], name="i")
    r = tf.case(
        [(tf.equal(i, k), lambda k=k: tf.assign_add(v, 10.0**k)) for k in range(3)],
        default=lambda: tf.assign(v, 0.0),
        exclusive=True,
    )
    with tf.Session() as sess:
        sess.run(v.initializer)
        return [sess.run(r, {i: k}) for k in (0, 1, 1, 2, 7, 2)]


@program
def a_case_in_a_loop(tf, np):
    def body(i):
        return tf.case([(i < 1, lambda: i + 1), (i < 2, lambda: i + 2)], default=lambda: i + 3, exclusive=True)

    return [tf.while_loop(lambda i: i < 3, body, [0]), graph_of(tf)]


@program
def refused_cases(tf, np):
    fs = functions(tf)

    def p():
        return tf.placeholder(tf.bool, [], name="p")

    calls = {
        "no list": lambda: tf.case(3, default=fs[0]),
        "no pair": lambda: tf.case([p()], default=fs[0]),
        "three": lambda: tf.case([(p(), fs[0], 1)], default=fs[0]),
        "a list": lambda: tf.case([[p(), fs[0]]], default=fs[0]),
        "a number": lambda: tf.case([(tf.constant(1, name="c"), fs[0])], default=fs[0]),
        "a python bool": lambda: tf.case([(True, fs[0])], default=fs[0]),
        "no function": lambda: tf.case([(p(), 3)], default=fs[0]),
        "no default function": lambda: tf.case([(p(), fs[0])], default=3),
        "empty": lambda: tf.case([], default=fs[0]),
        "dtypes": lambda: tf.case([(p(), lambda: 1), (p(), lambda: 2)], default=fs[0]),
        "vector": lambda: tf.case([(tf.placeholder(tf.bool, [2]), fs[0])], default=fs[0]),
    }
    return {name: fresh(tf, make) for name, make in calls.items()}


@program
def a_switch_by_number(tf, np):
    fs = functions(tf)

    def run(branches, **kwargs):
        with tf.Graph().as_default(), tf.Session() as sess:
            i = tf.placeholder(tf.int32, [], name="i")
            r = tf.switch_case(i, branches, **kwargs)
            return [r, [sess.run(r, {i: k}) for k in (-2, 0, 1, 2, 3, 9)]]

    found = [
        run(fs[:3]),
        run(fs[:2], default=fs[3]),
        run({1: fs[1], 0: fs[0]}),
        run([(1, fs[1]), (0, fs[0]), (2, fs[2])], name="mine"),
        run([fs[1]]),
        run([lambda: {"a": 1, "b": [2.0]}, lambda: {"a": 3, "b": [4.0]}]),
    ]
    return [values for _, values in found]


@program
def refused_switches(tf, np):
    fs, i = functions(tf), tf.placeholder(tf.int32, [], name="i")
    return [
        attempt(lambda: tf.switch_case(1, fs)),
        attempt(lambda: tf.switch_case(tf.constant(1.0), fs)),
        attempt(lambda: tf.switch_case(i, [])),
        attempt(lambda: tf.switch_case(i, [fs[0], 3])),
        attempt(lambda: tf.switch_case(i, [(0, 3)])),
        attempt(lambda: tf.switch_case(i, [(0, fs[0]), (2, fs[0])])),
        attempt(lambda: tf.switch_case(i, [("a", fs[0])])),
        attempt(lambda: tf.switch_case(i, [(0, fs[0], 1)])),
        attempt(lambda: tf.switch_case(i, 3)),
    ]
