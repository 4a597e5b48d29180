"""Who reads a variable when parts of it are written: rows like those of programs_order, for both kinds of variable.

Each row is built by a function ``(tf, resource) -> fetch``; ``LEGAL`` holds every outcome that the graph allows; recording
fails if the oracle shows another one in 60 fresh sessions.
"""

import programs_order
from harness import attempt, graph_of, program


def _variable(tf, resource):
    return tf.Variable([0.0, 0.0], name="x", use_resource=resource)


def identity_after_a_scatter(tf, resource):
    x = _variable(tf, resource)
    with tf.control_dependencies([tf.scatter_add(x, [0], [1.0])]):
        return tf.identity(x)


def identity_after_a_slice_was_assigned(tf, resource):
    x = _variable(tf, resource)
    with tf.control_dependencies([x[1:].assign([7.0])]):
        return tf.identity(x)


def variable_and_its_scatter(tf, resource):
    x = _variable(tf, resource)
    return [x, tf.scatter_add(x, [0, 0], [1.0, 2.0])]


def two_unordered_scatters(tf, resource):
    x = _variable(tf, resource)
    return [tf.scatter_add(x, [0], [1.0]), tf.scatter_nd_update(x, [[1]], [5.0])]


def reader_against_a_slice(tf, resource):
    x = _variable(tf, resource)
    c = x + 2.0
    return [x[:1].assign([5.0]), c]


def a_reader_of_a_scatter_against_a_slice(tf, resource):
    x = _variable(tf, resource)
    first = tf.scatter_sub(x, [0], [1.0])
    b = first * 1.0
    with tf.control_dependencies([first]):
        second = x[1:].assign([7.0])
    return [b, second]


ROWS = [
    identity_after_a_scatter,
    identity_after_a_slice_was_assigned,
    variable_and_its_scatter,
    two_unordered_scatters,
    reader_against_a_slice,
    a_reader_of_a_scatter_against_a_slice,
]

# (row, resource) -> every outcome that the graph allows
LEGAL = {
    ("identity_after_a_scatter", False): [[1, 0]],
    ("identity_after_a_scatter", True): [[1, 0]],
    ("identity_after_a_slice_was_assigned", False): [[0, 7]],
    ("identity_after_a_slice_was_assigned", True): [[0, 7]],
    ("variable_and_its_scatter", False): [[[3, 0], [3, 0]]],
    ("variable_and_its_scatter", True): [[[0, 0], [3, 0]], [[3, 0], [3, 0]]],
    ("two_unordered_scatters", False): [[[1, 5], [1, 5]]],
    ("two_unordered_scatters", True): [[[1, 0], [1, 5]], [[1, 5], [0, 5]], [[1, 5], [1, 5]]],
    ("reader_against_a_slice", False): [[[5, 0], [2, 2]], [[5, 0], [7, 2]]],
    ("reader_against_a_slice", True): [[[5, 0], [2, 2]], [[5, 0], [7, 2]]],
    ("a_reader_of_a_scatter_against_a_slice", False): [[[-1, 0], [-1, 7]], [[-1, 7], [-1, 7]]],
    ("a_reader_of_a_scatter_against_a_slice", True): [[[-1, 0], [-1, 7]], [[-1, 7], [-1, 7]]],
}


def check_oracle(tf):
    """Raises: AssertionError when the oracle shows an outcome that LEGAL does not have."""
    programs_order.show_outcomes(tf, ROWS, LEGAL)


@program
def graphs_of_the_scatter_rows(tf, np):
    return programs_order.graphs(tf, ROWS)


@program
def updates_follow_one_another(tf, np):
    out = {}
    for resource in (False, True):
        with tf.Graph().as_default():
            x = tf.Variable(np.zeros((3, 2), np.float32), use_resource=resource)
            steps = [
                tf.scatter_add(x, [0, 2], np.ones((2, 2), np.float32)),
                tf.scatter_mul(x, [0], [[3.0, 4.0]]),
                tf.scatter_nd_sub(x, [[2, 1]], [0.5]),
                x[1].assign([8.0, 9.0]),
                x[:, ::-1].assign(tf.ones([3, 2]) * x),
            ]
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                seen = []
                for _ in range(3):
                    seen.append([sess.run(step) for step in steps])
                out["resource" if resource else "reference"] = [*seen, sess.run(x)]
    return out


@program
def what_was_fetched_stays_as_it_was(tf, np):
    out = []
    for resource in (False, True):
        with tf.Graph().as_default():
            x = tf.Variable([1.0, 2.0], use_resource=resource)
            update = tf.scatter_update(x, [0], [9.0])
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                before = sess.run(x)
                after = sess.run(update)
                out.append([before, after, sess.run(x)])
    return out


@program
def a_refused_index_changes_nothing(tf, np):
    out = []
    for resource in (False, True):
        with tf.Graph().as_default():
            x = tf.Variable([1.0, 2.0], name="x", use_resource=resource)
            update = tf.scatter_add(x, [0, 5], [1.0, 1.0])
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                out.append([attempt(lambda sess=sess, u=update: sess.run(u)) for _ in range(3)])
    return out


@program
def a_part_of_what_is_no_variable_is_not_assigned(tf, np):
    x = tf.Variable([1.0, 2.0], name="x")
    part = x[:1]
    before = graph_of(tf)["nodes"]
    made = part.assign([3.0])
    return [before, made, made.op.colocation_groups()[0].decode(), x[0].assign(4.0, name="mine")]
