"""Who reads a variable when: seven programs, for both kinds of variable.

Each row is built by a function ``(tf, resource) -> fetch``; ``LEGAL`` holds every outcome that the graph allows, written by
hand; recording fails if the oracle shows another one in 60 fresh sessions.
"""

import collections
import json

from harness import graph_of, program

RUNS = 60


def _variable(tf, resource, value=0.0):
    return tf.Variable(value, name="x", use_resource=resource)


def identity_in_the_block(tf, resource):
    x = _variable(tf, resource)
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        return tf.identity(x)


def read_value_outside_the_block(tf, resource):
    x = _variable(tf, resource)
    r = x.read_value()
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        y = tf.identity(r)
    return [r, y]


def variable_and_its_update(tf, resource):
    x = _variable(tf, resource)
    return [x, tf.assign_add(x, 1.0)]


def two_unordered_updates(tf, resource):
    x = _variable(tf, resource)
    return [tf.assign_add(x, 1.0), tf.assign_add(x, 10.0)]


def a_reader_of_the_first_update_against_the_second(tf, resource):
    x = _variable(tf, resource)
    first = tf.assign_add(x, 1.0)
    b = first * 1.0
    with tf.control_dependencies([first]):
        second = tf.assign_add(x, 10.0)
    return [b, second]


def reader_against_assignment(tf, resource):
    a = _variable(tf, resource, 1.0)
    c = a + 2.0
    return [tf.assign(a, 5.0), c]


def add_in_the_block(tf, resource):
    x = _variable(tf, resource)
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        return x + 0.5


ROWS = [
    identity_in_the_block,
    read_value_outside_the_block,
    variable_and_its_update,
    two_unordered_updates,
    a_reader_of_the_first_update_against_the_second,
    reader_against_assignment,
    add_in_the_block,
]

# (row, resource) -> every outcome that the graph allows
LEGAL = {
    ("identity_in_the_block", False): [1],
    ("identity_in_the_block", True): [1],
    ("read_value_outside_the_block", False): [[1, 1]],
    ("read_value_outside_the_block", True): [[0, 0], [1, 1]],
    ("variable_and_its_update", False): [[1, 1]],
    ("variable_and_its_update", True): [[0, 1], [1, 1]],
    ("two_unordered_updates", False): [[11, 11]],
    ("two_unordered_updates", True): [[1, 11], [11, 10], [11, 11]],
    ("a_reader_of_the_first_update_against_the_second", False): [[1, 11], [11, 11]],
    ("a_reader_of_the_first_update_against_the_second", True): [[1, 11], [11, 11]],
    ("reader_against_assignment", False): [[5, 3], [5, 7]],
    ("reader_against_assignment", True): [[5, 3], [5, 7]],
    ("add_in_the_block", False): [1.5],
    ("add_in_the_block", True): [1.5],
}


def outcome(tf, row, resource, config=None):
    """One fresh session's values, as plain numbers."""
    with tf.Graph().as_default():
        fetch = row(tf, resource)
        with tf.Session(config=config) as sess:
            sess.run(tf.global_variables_initializer())
            got = sess.run(fetch)
    return plain(got)


def plain(got):
    """Fetched values as nested lists of floats."""
    if isinstance(got, list):
        return [plain(v) for v in got]
    return [float(v) for v in got] if getattr(got, "ndim", 0) else float(got)


def legal(row, resource, table=LEGAL):
    """The legal outcomes as JSON texts."""
    return sorted(json.dumps(plain(o)) for o in table[row.__name__, resource])


@program
def graphs_of_the_rows(tf, np):
    return graphs(tf, ROWS)


def graphs(tf, rows):
    """The nodes of each row's graph."""
    out = {}
    for row in rows:
        for resource in (False, True):
            with tf.Graph().as_default():
                row(tf, resource)
                out[f"{row.__name__}, {'resource' if resource else 'reference'}"] = graph_of(tf)["nodes"]
    return out


def check_oracle(tf):
    """Runs every row in RUNS fresh sessions of the oracle and prints what it showed.

    Raises: AssertionError when the oracle shows an outcome that LEGAL does not have.
    """
    show_outcomes(tf, ROWS, LEGAL)


def show_outcomes(tf, rows, table):
    """Prints what the rows give in RUNS fresh sessions, which must be legal."""
    for row in rows:
        for resource in (False, True):
            seen = collections.Counter(json.dumps(outcome(tf, row, resource)) for _ in range(RUNS))
            print(row.__name__, "resource" if resource else "reference", dict(seen))
            assert set(seen) <= set(legal(row, resource, table)), (row.__name__, resource, seen)
