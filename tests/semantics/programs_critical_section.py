"""tf.CriticalSection: the nodes of an execution, its results, and what it refuses."""

from contextlib import contextmanager

from harness import attempt, graph_of, program


@contextmanager
def initialized(tf):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        yield sess


def variable(tf, name="v", resource=True):
    return tf.get_variable(name, [], initializer=tf.zeros_initializer(), use_resource=resource)


def refused(tf, build):
    """The answer in a graph of its own."""
    with tf.Graph().as_default():
        section, other, v = tf.CriticalSection(name="one"), tf.CriticalSection(name="two"), variable(tf)
        return attempt(lambda: build(section, other, v))


@program
def an_update_of_a_resource_variable(tf, np):
    section, v = tf.CriticalSection(name="section"), variable(tf)
    first = section.execute(lambda: v.assign_add(1.0))
    second = section.execute(lambda: v.assign(v * 10.0), name="mine")
    with initialized(tf) as sess:
        return [section.name, graph_of(tf), first.name, second.name, sess.run(first), sess.run(second), sess.run(v)]


@program
def an_update_of_a_reference_variable(tf, np):
    section, v = tf.CriticalSection(), variable(tf, resource=False)
    x = tf.constant(2.0, name="x")
    with tf.control_dependencies([tf.no_op(name="before")]):
        total = section.execute(lambda: tf.assign_add(v, x))
    with initialized(tf) as sess:
        return [graph_of(tf), sess.run(total), sess.run(v)]


@program
def several_results(tf, np):
    section, x = tf.CriticalSection(), tf.constant(3.0, name="x")
    results = [
        section.execute(lambda: (x + 1.0, x * 2.0)),
        section.execute(lambda: {"a": x, "b": [tf.constant(2)]}),
        section.execute(lambda: 5),
    ]
    with tf.Session() as sess:
        return [graph_of(tf), sess.run(results), sess.run(tf.gradients(section.execute(lambda: x * x), x))]


@program
def an_operation_as_the_result(tf, np):
    section, v = tf.CriticalSection(), variable(tf)
    update = section.execute(lambda: v.assign_add(1.0, read_value=False))
    nothing = section.execute(lambda: tf.no_op())
    with initialized(tf) as sess:
        return [graph_of(tf), sess.run([nothing]), type(update).__name__ in ("Operation", "_UnreadVariable"), sess.run(v)]


@program
def in_a_branch_and_in_a_loop(tf, np):
    section, v = tf.CriticalSection(), variable(tf)
    p = tf.placeholder(tf.bool, [], name="p")
    taken = tf.cond(p, lambda: section.execute(lambda: v.assign_add(1.0)), lambda: tf.constant(-1.0))
    loop = tf.while_loop(lambda i: i < 5, lambda i: tf.group(section.execute(lambda: v.assign_add(10.0))) and i + 1, [0])
    with initialized(tf) as sess:
        return [graph_of(tf), sess.run(taken, {p: True}), sess.run(taken, {p: False}), sess.run(v), sess.run(loop)]


@program
def names(tf, np):
    sections = [tf.CriticalSection(name="a"), tf.CriticalSection(name="a"), tf.CriticalSection(shared_name="shared")]
    with tf.name_scope("s"):
        sections.append(tf.CriticalSection())
    return [[s.name for s in sections], graph_of(tf)]


@program
def refusals(tf, np):
    return [
        refused(tf, lambda a, b, v: a.execute(lambda: a.execute(lambda: v.assign_add(1.0)))),
        refused(tf, lambda a, b, v: a.execute(list)),
        refused(tf, lambda a, b, v: a.execute(lambda: None)),
        refused(tf, lambda a, b, v: a.execute(3)),
        attempt(lambda: tf.CriticalSection(name="a", critical_section_def=3)),
    ]
