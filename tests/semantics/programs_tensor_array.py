"""tf.TensorArray: written once, read once, anew in each run; as a loop variable; its gradients."""

from harness import attempt, fresh, graph_of, program, raw

ATTRS = ("source", "dynamic_size", "element_shape", "identical_element_shapes", "element_shape_except0")


def value(tf, *fetches, **given):
    with tf.Session() as sess:
        return attempt(lambda: sess.run(list(fetches), **given))


@program
def nodes_names_and_places(tf, np):
    a = tf.TensorArray(tf.float32, 3).write(0, [1.0, 2.0]).write(1, [3.0, 4.0])
    p = tf.placeholder(tf.float32, [None, 2], name="p")
    b = tf.TensorArray(tf.float32, size=tf.constant(3), name="own", dynamic_size=True, tensor_array_name="kind").unstack(p)
    g = b.grad("gradients")
    with tf.name_scope("scope"), tf.device("/cpu:0"):
        c = tf.TensorArray(tf.float32, size=3, infer_shape=False).scatter([0, 1], p).write(2, p, name="w").identity()
        read, whole = c.read(0, name="r"), c.stack(name="all")
        d = tf.TensorArray(tf.float32, size=3, element_shape=[None, 2], infer_shape=False).split(np.ones([3, 2]), [2, 1, 0])
        joined = d.concat()
    with tf.control_dependencies([a.flow]):
        late = tf.TensorArray(tf.float32, 2, colocate_with_first_write_call=False).write(0, p).read(0)
    ends = [a.stack(), b.gather([1, 0]), g.read(0), a.size(), d.close(), b.concat()]
    return [graph_of(tf, *ATTRS), [t.name for t in (read, whole, joined, late, *ends)]]


@program
def what_an_array_tells(tf, np):
    def told(a):
        return [a.dtype.name, str(a.element_shape), a.handle.name, a.flow.name]

    a = tf.TensorArray("float64", 3, dynamic_size=True)
    b = a.write(0, tf.placeholder(tf.float64, [None, 2]))
    c = b.write(1, tf.placeholder(tf.float64, [5, None]))
    open_ = tf.TensorArray(tf.int32, 1, infer_shape=False, element_shape=[None])
    return [
        told(a), told(b), told(c), a.dynamic_size, b.dynamic_size, told(open_.write(0, [1, 2])), told(c.identity()),
        told(c.grad("gradients")), a.handle.dtype.name, a.flow.dtype.name, [str(a.handle.shape), str(a.flow.shape)],
    ]  # fmt: skip


@program
def what_cannot_be_made(tf, np):
    a = tf.TensorArray(tf.float32, 3)
    made = tf.TensorArray
    return [
        fresh(tf, lambda: made(tf.float32)),
        attempt(lambda: made(tf.float32, handle=a.handle, tensor_array_name="kind", flow=a.flow)),
        fresh(tf, lambda: made(tf.float32, handle=3)),
        attempt(lambda: made(tf.float32, 3, handle=a.handle, flow=a.flow)),
        attempt(lambda: made(tf.float32, handle=a.handle, flow=a.flow, element_shape=[2])),
        attempt(lambda: made(tf.float32, handle=a.handle, flow=a.flow, dynamic_size=True)),
        attempt(lambda: made(tf.float32, handle=a.handle, flow=a.flow, clear_after_read=True)),
        attempt(lambda: made(tf.float32, handle=a.handle)),
        fresh(tf, lambda: made("nothing", 3)),
        fresh(tf, lambda: made(tf.float32, [1, 2])),
        fresh(tf, lambda: made(tf.float32, 3.5)),
        fresh(tf, lambda: made(tf.float32, 3, element_shape=[-3])),
        fresh(tf, lambda: made()),
    ]


@program
def each_run_begins_anew(tf, np):
    x = tf.placeholder(tf.float32, [], name="x")
    a = tf.TensorArray(tf.float32, 2, element_shape=[])
    written = a.write(0, x)
    both = [written.read(0), a.read(1)]
    with tf.Session() as sess:
        first = [sess.run(both, {x: v}) for v in (1.0, 2.0)]
        bad = attempt(lambda: sess.run(written.write(0, 5.0).flow, {x: 1.0}))
        return [first, bad, sess.run(both, {x: 3.0})]


@program
def written_once_and_read_once(tf, np):
    def twice(**given):
        a = tf.TensorArray(tf.float32, 3, **given).write(2, 1.0)
        first = a.read(2)
        with tf.control_dependencies([first]):
            again = a.read(2)
        return value(tf, first, again)

    def written_after_read(**given):
        a = tf.TensorArray(tf.float32, 3, **given).write(2, 1.0)
        with tf.control_dependencies([a.read(2)]):
            return value(tf, a.write(2, 2.0).flow)

    return [
        fresh(tf, lambda: value(tf, tf.TensorArray(tf.float32, 3).write(2, 1.0).write(2, 1.0).flow)),
        fresh(tf, lambda: value(tf, tf.TensorArray(tf.float32, 3).write(2, 1.0).scatter([2], [1.0]).flow)),
        fresh(tf, twice),
        fresh(tf, lambda: twice(clear_after_read=False)),
        fresh(tf, written_after_read),
        fresh(tf, lambda: written_after_read(clear_after_read=False)),
        fresh(tf, lambda: value(tf, tf.TensorArray(tf.float32, 3).unstack([1.0, 2.0, 3.0]).gather([1, 1]))),
    ]


@program
def closed(tf, np):
    def after(f):
        a = tf.TensorArray(tf.float32, 2)
        with tf.control_dependencies([a.write(0, [1.0]).close()]):
            return value(tf, f(a))

    uses = [
        lambda a: a.read(0), lambda a: a.write(1, [1.0]).flow, lambda a: a.size(), lambda a: a.gather([0]), lambda a: a.concat(),
        lambda a: a.scatter([1], [[1.0]]).flow, lambda a: a.close(), lambda a: a.grad("gradients").size(),
    ]  # fmt: skip
    return [fresh(tf, lambda use=use: after(use)) for use in uses]


@program
def shapes_that_do_not_fit(tf, np):
    def fed(shape, v):
        return tf.placeholder_with_default(np.float32(v), shape)

    def inferred(a):
        return value(tf, a.write(0, fed(None, [1.0])).write(1, fed(None, [[2.0]])).flow)

    return [
        fresh(tf, lambda: inferred(tf.TensorArray(tf.float32, 2))),
        fresh(tf, lambda: inferred(tf.TensorArray(tf.float32, 2, infer_shape=False))),
        fresh(tf, lambda: inferred(tf.TensorArray(tf.float32, 2, element_shape=[None]))),
        fresh(tf, lambda: tf.TensorArray(tf.float32, 2).write(0, [1.0]).write(1, [1.0, 2.0])),
        fresh(tf, lambda: tf.TensorArray(tf.float32, 2, element_shape=[3]).unstack([[1.0]])),
        fresh(tf, lambda: tf.TensorArray(tf.float32, 2, element_shape=[3]).split([1.0, 2.0], [1, 1])),
        fresh(tf, lambda: tf.TensorArray(tf.float32, 2, element_shape=[3]).grad("g").write(0, [1.0])),
        fresh(tf, lambda: value(tf, tf.TensorArray(tf.float32, 2).read(0))),
        fresh(tf, lambda: value(tf, tf.TensorArray(tf.float32, 2).stack())),
    ]


# -- in loops and branches -----------------------------------------------------------------------------------------------


@program
def fibonacci(tf, np):
    n = tf.placeholder(tf.int32, [], name="n")
    numbers = tf.TensorArray(tf.int32, n, dynamic_size=False, clear_after_read=False).write(0, 1).write(1, 1)
    _, numbers = tf.while_loop(
        lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, a.read(i - 1) + a.read(i - 2))), [tf.constant(2), numbers]
    )
    whole = numbers.stack(name="whole")
    with tf.Session() as sess:
        return [graph_of(tf, *ATTRS), [sess.run(whole, {n: v}) for v in (2, 3, 9)], attempt(lambda: sess.run(whole, {n: 1}))]


@program
def several_in_one_loop(tf, np):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    rows = tf.TensorArray(tf.float32, tf.shape(x)[0]).unstack(x)
    sums = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    words = tf.TensorArray(tf.string, 0, dynamic_size=True, infer_shape=False)

    def body(i, total, sums, words):
        total = total + rows.read(i)
        return i + 1, total, sums.write(i, total), words.write(i, tf.as_string(total))

    i, total, sums, words = tf.while_loop(lambda i, *_: i < tf.shape(x)[0], body, (0, tf.zeros([2]), sums, words))
    fetched = [i, total, sums.stack(), sums.size(), words.concat()]
    with tf.Session() as sess:
        out = [sess.run(fetched, {x: v}) for v in ([[1, 2], [3, 4], [5, 6]], [[1, 1]])]
        return [out, attempt(lambda: sess.run(fetched, {x: np.zeros([0, 2])})), [str(t.shape) for t in fetched]]


@program
def loops_in_loops(tf, np):
    def row(i, table):
        _, cells = tf.while_loop(
            lambda j, cells: j <= i, lambda j, cells: (j + 1, cells.write(j, i * 10 + j)), (0, tf.TensorArray(tf.int32, i + 1))
        )
        return i + 1, table.write(i, cells.stack())

    _, table = tf.while_loop(lambda i, t: i < 4, row, (0, tf.TensorArray(tf.int32, 4, infer_shape=False)))
    return [graph_of(tf, *ATTRS), value(tf, table.concat())]


@program
def one_written_by_two_loops(tf, np):
    def fill(a, start):
        return tf.while_loop(lambda i, a: i < 6, lambda i, a: (i + 2, a.write(i, tf.square(i))), (start, a))[1]

    a = fill(fill(tf.TensorArray(tf.int32, 6), 0), 1)
    return [value(tf, a.stack()), fresh(tf, lambda: value(tf, fill(fill(tf.TensorArray(tf.int32, 6), 0), 0).stack()))]


@program
def in_branches(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    a = tf.TensorArray(tf.float32, 2)
    b = tf.cond(p, lambda: a.write(0, [1.0, 2.0]), lambda: a.write(0, [3.0, 4.0]).write(1, [5.0, 6.0]))
    one = tf.cond(p, lambda: b.size(), lambda: tf.constant(-1))
    with tf.Session() as sess:
        return [graph_of(tf), [sess.run([b.stack(), one], {p: v}) for v in (True, False)]]


@program
def branches_in_loops(tf, np):
    def body(i, a):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: a.write(i, i * 10), lambda: a)

    _, a = tf.while_loop(lambda i, a: i < 5, body, (0, tf.TensorArray(tf.int32, 5, element_shape=[])))
    return value(tf, a.stack())


@program
def written_twice_in_a_loop(tf, np):
    loop = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a.write(0, i)), (0, tf.TensorArray(tf.int32, 3)))
    lost = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a.write(i + 1, i)), (0, tf.TensorArray(tf.int32, 3)))

    def reading(i, a):
        with tf.control_dependencies([a.read(i)]):
            return i + 1, a

    missing = tf.while_loop(lambda i, a: i < 3, reading, (0, tf.TensorArray(tf.int32, 3)))
    return [value(tf, t[1].flow) for t in (loop, lost, missing)]


@program
def what_a_body_may_not_give(tf, np):
    def loop(body, *start):
        return lambda: tf.while_loop(lambda i, a: i < 3, body, start or (0, tf.TensorArray(tf.int32, 3)))

    return [
        fresh(tf, loop(lambda i, a: (i + 1, a.flow))),
        fresh(tf, loop(lambda i, a: (i + 1, a.stack()))),
        fresh(tf, loop(lambda i, a: i + 1)),
        fresh(tf, loop(lambda i, a: (i + 1, tf.TensorArray(tf.int32, 3)))),
        fresh(tf, lambda: tf.while_loop(
            lambda i, a: i < 3, lambda i, a: (i + 1, a), (tf.constant(0), tf.TensorArray(tf.int32, 3)), shape_invariants=(tf.TensorShape([]), tf.TensorShape([]))
        )),
    ]  # fmt: skip


# -- gradients -----------------------------------------------------------------------------------------------------------


@program
def gradients(tf, np):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    a = tf.TensorArray(tf.float32, 3, clear_after_read=False, name="a").unstack(x)
    y = tf.reduce_sum(a.read(0) * a.read(1)) + tf.reduce_sum(a.gather([2, 2]))
    one = tf.gradients(y, x)[0]
    b = tf.TensorArray(tf.float32, 2, name="b").write(0, x).write(1, 2.0 * x)
    two = tf.gradients(b.stack(), x)[0]
    c = tf.TensorArray(tf.float32, 2, name="c", infer_shape=False).split(x, [2, 1])
    three = tf.gradients(c.concat(), x, name="gradients_of_c")[0]
    return value(tf, one, two, three, feed_dict={x: [[1, 2], [3, 4], [5, 6]]})


@program
def each_call_has_an_array_of_its_own(tf, np):
    x = tf.placeholder(tf.float32, [2], name="x")
    a = tf.TensorArray(tf.float32, 2).unstack(x)
    y = a.stack()
    first, second = tf.gradients(y, x)[0], tf.gradients(y * y, x)[0]
    return [
        value(tf, first, second, feed_dict={x: [2.0, 3.0]}),
        attempt(lambda: tf.gradients(y, x, name="mine")),
        value(tf, *tf.gradients(y, x, name="gradients_again"), feed_dict={x: [2.0, 3.0]}),
        attempt(lambda: value(tf, *tf.gradients(first * y, x), feed_dict={x: [2.0, 3.0]})),
    ]


@program
def parts_that_nothing_depends_on(tf, np):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    a = tf.TensorArray(tf.float32, 3).unstack(x)
    some = tf.gradients(a.read(1), x)[0]
    w, v = tf.constant([1.0, 2.0]), tf.constant([3.0])
    b = tf.TensorArray(tf.float32, 2, infer_shape=False).write(0, w).write(1, v)
    apart = tf.gradients(b.read(0), [w, v])
    stopped = tf.gradients(tf.stop_gradient(b.read(1)), [w, v])
    return [value(tf, some, *[g for g in apart if g is not None], feed_dict={x: np.ones([3, 2])}), [g is None for g in (*apart, *stopped)]]


@program
def specs(tf, np):
    spec = tf.TensorArraySpec([2, None], tf.int32, True, False)
    a = tf.TensorArray(tf.int32, 3, dynamic_size=True, infer_shape=False, element_shape=[2, 5])
    other = tf.TensorArraySpec([2, 3], "int32", dynamic_size=True)
    return [
        repr(spec), spec == tf.TensorArraySpec([2, None], tf.int32, True, False), spec == other,
        repr(tf.TensorArraySpec.from_value(a)),
        [spec.is_compatible_with(x) for x in (spec, other, a, tf.TensorArraySpec([2, 3], tf.int64, True), tf.TensorSpec([2]), 3)],
        repr(spec.most_specific_compatible_type(other)), spec.value_type.__name__, hash(spec) == hash(other),
    ]  # fmt: skip


@program
def references_are_kept_as_they_are(tf, np):
    """A reference variable that is written or pushed is read when it is used: its changes show; a resource variable is read before."""

    def changed(start, resource, **given):
        v = tf.Variable(start, use_resource=resource)
        a = tf.TensorArray(tf.float32, 1, **given).write(0, v)
        with tf.control_dependencies([a.flow]):
            up = tf.assign_add(v, start)
        with tf.control_dependencies([up]):
            read = a.identity().read(0)
            return v, [read, read + 0.0]

    def stacked(start, resource, whole):
        v = tf.Variable(start, use_resource=resource)
        a = tf.TensorArray(tf.float32, 2).write(0, v).write(1, v)
        with tf.control_dependencies([a.flow]):
            up = tf.assign_add(v, start)
        with tf.control_dependencies([up]):
            return v, whole(a.identity())

    def pushed(start, resource):
        v = tf.Variable(start, use_resource=resource)
        handle = raw(tf, "StackV2", max_size=1, elem_type=tf.float32)
        push = raw(tf, "StackPushV2", handle=handle, elem=v)
        with tf.control_dependencies([push]):
            up = tf.assign_add(v, start)
        with tf.control_dependencies([up]):
            return v, [raw(tf, "StackPopV2", handle=handle, elem_type=tf.float32) + 0.0, push]

    def history(start, resource):
        v = tf.Variable(start, use_resource=resource)

        def body(i, a):
            with tf.control_dependencies([tf.assign_add(v, start)]):
                return i + 1, a.write(i, v.read_value() if resource else v)

        array = tf.TensorArray(tf.float32, 3)
        return v, tf.while_loop(lambda i, _: i < 3, body, (0, array), parallel_iterations=1)[1].stack()

    def of(make, *arguments, **given):
        with tf.Graph().as_default():
            v, fetches = make(*arguments, **given)
            with tf.Session() as sess:
                return [(sess.run(v.initializer), sess.run(fetches))[1] for _ in range(3)]

    one, two = np.float32(1.0), np.float32([1.0, 2.0])
    kinds = [(start, resource) for start in (one, two) for resource in (False, True)]
    return [
        [of(changed, *kind) for kind in kinds], [of(changed, *kind, clear_after_read=False) for kind in kinds],
        [of(stacked, *kind, lambda a: a.stack()) for kind in kinds], [of(stacked, two, r, lambda a: a.concat()) for r in (False, True)],
        [of(pushed, *kind) for kind in kinds], [of(history, *kind) for kind in kinds],
    ]  # fmt: skip
