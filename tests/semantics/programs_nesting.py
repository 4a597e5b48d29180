"""A tensor of one loop or branch in another one: what TensorFlow refuses, in which words, and what it lets through."""

from harness import attempt, program


def inside_of_a_loop(tf):
    kept = []
    tf.while_loop(lambda i: i < 3, lambda i: kept.append(i + 1) or kept[0], [0])
    return kept[0]


def inside_of_a_branch(tf):
    kept = []
    tf.cond(tf.constant(True), lambda: kept.append(tf.constant(2) * 3) or kept[0], lambda: tf.constant(1))
    return kept[0]


def alone(tf, build):
    """What building gives on a graph of its own: tfedu takes a refused loop back, names and all."""
    with tf.Graph().as_default():
        return attempt(build)


@program
def a_value_of_a_loop_elsewhere(tf, np):
    def in_a_branch():
        x = inside_of_a_loop(tf)
        return tf.cond(tf.constant(True), lambda: x + 1, lambda: tf.constant(0))

    def in_another_loop():
        x = inside_of_a_loop(tf)
        return tf.while_loop(lambda i: i < 3, lambda i: i + x, [0])

    def in_another_condition():
        x = inside_of_a_loop(tf)
        return tf.while_loop(lambda i: i < x, lambda i: i + 1, [0])

    def before_a_value_of_another_loop():
        x = inside_of_a_loop(tf)

        def body(i):
            with tf.control_dependencies([x]):
                return tf.identity(i)

        return tf.while_loop(lambda i: i < 3, body, [0])

    return [
        alone(tf, lambda: inside_of_a_loop(tf) * 2),
        *[alone(tf, way) for way in (in_a_branch, in_another_loop, in_another_condition, before_a_value_of_another_loop)],
    ]


@program
def a_value_of_an_inner_loop_around_it(tf, np):
    def in_body(i):
        return i + inside_of_a_loop(tf)

    def in_condition(i):
        return inside_of_a_loop(tf) < i

    return [
        alone(tf, lambda: tf.while_loop(lambda i: i < 3, in_body, [0])),
        alone(tf, lambda: tf.while_loop(in_condition, lambda i: i + 1, [0])),
    ]


@program
def a_body_that_leaves_its_loop(tf, np):
    def outside_of_it(i):
        with tf.control_dependencies(None):
            return i + 1

    def with_a_number(i):
        with tf.control_dependencies(None):
            one = tf.constant(1)
        return i + one

    with tf.Session() as sess:
        return [
            attempt(lambda: tf.while_loop(lambda i: i < 3, outside_of_it, [0])),
            sess.run(tf.while_loop(lambda i: i < 3, with_a_number, [0])),
        ]


@program
def a_value_of_the_condition_in_the_body(tf, np):
    kept = []

    def condition(i):
        kept.append(i + 5)
        return i < 3

    with tf.Session() as sess:
        return sess.run(tf.while_loop(condition, lambda i: i + kept[0], [0]))


@program
def a_value_of_a_branch_elsewhere(tf, np):
    x = inside_of_a_branch(tf)

    def after():
        with tf.control_dependencies([x]):
            return tf.constant(5)

    def skipped():
        kept = []
        tf.cond(tf.constant(False), lambda: kept.append(tf.constant(2) * 3) or kept[0], lambda: tf.constant(1))
        return kept[0] + 1

    with tf.Session() as sess:
        return {
            "outside": sess.run(x + 1),
            "in a loop": sess.run(tf.while_loop(lambda i: i < 8, lambda i: i + x, [0])),
            "before a number of another branch": sess.run(tf.cond(tf.constant(True), after, lambda: tf.constant(1))),
            "of a branch that is not taken": attempt(lambda: sess.run(skipped())),
        }


@program
def variables_that_a_loop_or_branch_would_begin(tf, np):
    def begun(i):
        return i + tf.Variable(i, name="v")

    def constant(i):
        return i + tf.Variable(1, name="w")

    x = tf.constant(1.0)
    loop = tf.while_loop(lambda i: i < 3, constant, [0])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [
            attempt(lambda: tf.while_loop(lambda i: i < 3, begun, [0])),
            attempt(lambda: tf.cond(x > 0, lambda: tf.Variable(x * 2.0, name="v") + 0.0, lambda: 1.0)),
            sess.run(loop),
        ]
