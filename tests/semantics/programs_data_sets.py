"""tf.data: nodes, elements and errors of datasets and iterators."""

from harness import attempt, graph_of, program


def taken(tf, build, most=20, sess=None):
    """The elements of a dataset in a graph of its own, then the class and first line of the error that ended them."""
    with tf.Graph().as_default(), tf.Session() as sess:
        iterator = build(tf.data.Dataset).make_initializable_iterator()
        x = iterator.get_next()
        sess.run(iterator.initializer)
        return elements(tf, sess, x, most)


def elements(tf, sess, x, most=20):
    found = []
    for _ in range(most):
        try:
            found.append(sess.run(x))
        except tf.errors.OutOfRangeError as error:
            return [*found, error.message.split("\n")[0]]
        except tf.errors.OpError as error:
            found.append([type(error).__name__, error.message.split("\n")[0].rpartition("}} ")[2].strip()])
    return found


def nodes(tf, build):
    with tf.Graph().as_default():
        built = build(tf.data.Dataset)
        kinds = [(op.name, op.type, [t.name for t in op.inputs]) for op in tf.get_default_graph().get_operations()]
        return [kinds, str(built.output_types), str(built.output_shapes)] if hasattr(built, "output_types") else kinds


@program
def nodes_of_the_stages(tf, np):
    return [
        nodes(tf, lambda d: d.from_tensor_slices([1, 2, 3]).shuffle(3, seed=5).repeat(2).map(lambda x: x * 2).batch(2)),
        nodes(tf, lambda d: d.from_tensors({"a": 1.0, "b": [2, 3]}).filter(lambda e: e["a"] > 0).prefetch(1)),
        nodes(tf, lambda d: d.range(5).flat_map(lambda i: d.range(i)).interleave(lambda i: d.from_tensors(i), 2, 1).enumerate()),
        nodes(tf, lambda d: d.range(5).take(3).skip(1).cache().padded_batch(2, [])),
        nodes(tf, lambda d: d.range(9).concatenate(d.range(3)).window(3).shard(2, 1)),
        nodes(tf, lambda d: d.range(3).map(lambda x: x, num_parallel_calls=2).make_initializable_iterator()),
        nodes(tf, lambda d: d.range(3).make_one_shot_iterator()),
        nodes(tf, lambda d: d.zip((d.range(3), {"a": d.from_tensors(1.0)}))),
    ]


@program
def nodes_of_reinitializable_and_feedable_iterators(tf, np):
    d = tf.data.Dataset.range(5)
    reinitializable = tf.data.Iterator.from_structure(d.output_types, d.output_shapes)
    initializer = reinitializable.make_initializer(d)
    handle = tf.placeholder(tf.string, [])
    feedable = tf.data.Iterator.from_string_handle(handle, d.output_types, d.output_shapes)
    x = feedable.get_next()
    with tf.Session() as sess:
        sess.run(initializer)
        feed = {handle: sess.run(reinitializable.string_handle())}
        return [graph_of(tf), [sess.run(x, feed) for _ in range(3)], sess.run(reinitializable.get_next())]


@program
def shuffles_with_seeds(tf, np):
    ways = [
        lambda d: d.range(5).shuffle(3, seed=1),
        lambda d: d.range(5).shuffle(3, seed=1).map(lambda x: x).repeat(3),
        lambda d: d.range(5).shuffle(3, seed=1, reshuffle_each_iteration=False).repeat(3),
        lambda d: d.range(5).repeat(3).shuffle(4, seed=2),
        lambda d: d.range(12).batch(2).shuffle(4, seed=3),
        lambda d: d.range(7).shuffle(100, seed=9).batch(3),
    ]
    return [[taken(tf, way), taken(tf, way)] for way in ways]


@program
def random_functions(tf, np):
    def run(build, initializations=2):
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.set_random_seed(3)
            iterator = build(tf.data.Dataset).make_initializable_iterator()
            x = iterator.get_next()
            found = []
            for _ in range(initializations):
                sess.run(iterator.initializer)
                found.append(elements(tf, sess, x))
            return found

    return [
        run(lambda d: d.range(3).map(lambda i: tf.random_uniform([], seed=1))),
        run(lambda d: d.range(3).map(lambda i: tf.random_uniform([], seed=1)).repeat(2)),
        run(lambda d: d.range(4).map(lambda x: tf.random_uniform([], seed=1)).cache().repeat(2)),
        run(lambda d: d.range(10).shuffle(100).map(lambda x: x + tf.random_uniform([], 0, 100, tf.int64))),
    ]


@program
def errors_take_the_place_of_elements(tf, np):
    def inverse(x):
        return tf.check_numerics(1.0 / tf.cast(x - 1, tf.float32), "oops")

    return [
        taken(tf, lambda d: d.range(5).map(inverse).batch(2)),
        taken(tf, lambda d: d.range(5).map(inverse).shuffle(2, seed=1)),
        taken(tf, lambda d: d.range(5).map(inverse).repeat(2)),
        taken(tf, lambda d: d.range(4).map(lambda x: tf.range(x)).batch(2)),
        taken(tf, lambda d: d.range(4).map(lambda x: tf.range(x)).padded_batch(3, [2])),
        taken(tf, lambda d: d.range(4).map(lambda x: tf.range(x)).padded_batch(3, [None], padding_values=tf.constant(-1, tf.int64))),
    ]


@program
def order_of_windows_and_interleaving(tf, np):
    return [
        taken(tf, lambda d: d.range(5).window(2, shift=1, stride=1, drop_remainder=True).flat_map(lambda w: w.batch(2))),
        taken(tf, lambda d: d.range(5).window(3, shift=2, stride=2).flat_map(lambda w: w.batch(3))),
        taken(tf, lambda d: d.range(9).window(2, shift=4).flat_map(lambda w: w)),
        taken(tf, lambda d: d.range(3).interleave(lambda x: d.from_tensors(x).repeat(3), cycle_length=2, block_length=2)),
        taken(tf, lambda d: d.range(4).interleave(lambda x: d.from_tensors(x).repeat(x), cycle_length=3, block_length=1)),
        taken(tf, lambda d: d.range(4).interleave(lambda x: d.from_tensors(x).repeat(x), 3, 2, num_parallel_calls=2)),
        taken(tf, lambda d: d.range(5).take(-1).skip(2)),
        taken(tf, lambda d: d.zip((d.range(2), d.range(5).shard(2, 1), {"a": d.from_tensors(b"x").repeat()}))),
    ]


@program
def generators(tf, np):
    def stops():
        yield 1
        yield 2
        raise ValueError("boom")

    ways = [
        lambda d: d.from_generator(stops, tf.int32),
        lambda d: d.from_generator(lambda: iter([(1, "a"), (2, "b")]), (tf.int32, tf.string), ([], [])),
        lambda d: d.from_generator(lambda: iter([[1, 2], 3]), tf.int32, [2]),
        lambda d: d.from_generator(lambda: iter(["a"]), tf.int32, []),
        lambda d: d.from_generator(lambda: iter([(1, 2)]), (tf.int32, tf.int32, tf.int32)),
        lambda d: d.from_generator(lambda n: iter(range(n)), tf.int64, [], args=(3,)).repeat(2).batch(2),
        lambda d: d.from_generator(lambda: iter([{"a": 1, "b": [1.0]}]), {"a": tf.int32, "b": tf.float32}),
    ]
    return [taken(tf, way) for way in ways]


@program
def a_reduction_is_one_run(tf, np):
    d = tf.data.Dataset.range(5)
    with tf.Session() as sess:
        return [
            sess.run(d.reduce(np.int64(0), lambda a, b: a + b)),
            sess.run(d.reduce((np.int64(0), 1.0), lambda s, x: (s[0] + x, s[1] * 2.0))),
        ]


@program
def captured_tensors_and_variables(tf, np):
    rate, v = tf.placeholder_with_default(2.0, []), tf.get_variable("v", initializer=1.0, use_resource=True)
    r = tf.get_variable("r", initializer=10.0, use_resource=False)
    iterator = tf.data.Dataset.range(4).map(lambda x: tf.cast(x, tf.float32) * rate + v + r).make_initializable_iterator()
    x = iterator.get_next()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(iterator.initializer, {rate: 3.0})
        first = [sess.run(x)]
        sess.run([v.assign(100.0), r.assign(1000.0)])
        return [*first, sess.run(x), sess.run(x)]


@program
def refusals(tf, np):
    d = tf.data.Dataset
    x, v = tf.placeholder(tf.float32), tf.get_variable("v", initializer=1.0, use_resource=False)
    return [
        attempt(build)
        for build in (
            lambda: d.from_tensors(x).make_one_shot_iterator(),
            lambda: d.from_tensors(1.0).map(lambda a: a + v).make_one_shot_iterator(),
            lambda: d.from_tensor_slices(3),
            lambda: d.from_tensor_slices(([1, 2], [3])),
            lambda: d.range(),
            lambda: d.range(2).filter(lambda x: x),
            lambda: d.zip([d.range(2)]),
            lambda: d.range(3).map(lambda a: None),
            lambda: iter(d.range(2)),
            lambda: d.from_generator(3, tf.int32),
            lambda: tf.data.Iterator.from_structure(tf.int32, ()).make_initializer(d.range(3)),
            lambda: tf.data.Iterator.from_structure(tf.int64, (2,)).make_initializer(d.range(3)),
            lambda: tf.data.Iterator.from_structure(tf.int64, ()).initializer,
        )
    ]


@program
def refusals_of_runs(tf, np):
    ways = [
        lambda d: d.range(5).batch(0),
        lambda d: d.range(5).shuffle(0),
        lambda d: d.range(5).shard(2, 2),
        lambda d: d.range(0, 5, 0),
        lambda d: d.from_tensor_slices((tf.placeholder_with_default([1, 2, 3], [None]), tf.placeholder_with_default([1, 2], [None]))),
        lambda d: d.range(5).window(0),
    ]
    found = []
    for way in ways:
        with tf.Graph().as_default(), tf.Session() as sess:
            iterator = way(tf.data.Dataset).make_initializable_iterator()
            found.append(attempt(lambda iterator=iterator: sess.run(iterator.initializer)))
    uninitialized = tf.data.Dataset.range(3).make_initializable_iterator().get_next()
    other = tf.data.Dataset.range(3).make_initializable_iterator()
    with tf.Session() as sess:
        handle = sess.run(other.string_handle())
        found.append(attempt(lambda: sess.run(uninitialized)))
        for text, kind, shape in ((handle, tf.float32, ()), (handle, tf.int64, (2,)), ("foo", tf.int64, ())):
            x = tf.data.Iterator.from_string_handle(text, kind, shape).get_next()
            found.append(attempt(lambda x=x: sess.run(x)))
    return found


@program
def functions_that_update_a_variable(tf, np):
    count = tf.get_variable("count", [], tf.int64, tf.zeros_initializer(), use_resource=True)
    iterator = tf.data.Dataset.range(5).map(lambda x: x * 10 + count.assign_add(1)).make_initializable_iterator()
    x = iterator.get_next()
    reference = tf.get_variable("reference", [], use_resource=False)
    refused = attempt(lambda: tf.data.Dataset.range(3).map(lambda x: tf.assign_add(reference, 1.0)))
    with tf.Session() as sess:
        sess.run([count.initializer, iterator.initializer])
        return [sess.run(x), sess.run(x), sess.run(count), refused]


@program
def generators_that_fail(tf, np):
    x = tf.data.experimental

    def mixed():
        yield from (1, None, "a", 2)

    def broken():
        yield 1
        raise KeyError("x")

    def shapes():
        yield from ([1], [1, 2], [3])

    class Numbers:
        def __init__(self):
            self.number = 0

        def __iter__(self):
            return self

        def __next__(self):
            self.number += 1
            if self.number == 2:
                raise ValueError("two")
            if self.number > 4:
                raise StopIteration
            return self.number

    def of(generator, shape=None, then=lambda d: d):
        found = taken(tf, lambda d: then(d.from_generator(generator, tf.int32, shape)), 6)
        # the texts end with the program's own traceback
        return [each[0] if isinstance(each, list) and isinstance(each[0], str) else each for each in found]

    return [
        of(mixed), of(mixed, then=lambda d: d.apply(x.ignore_errors())), of(broken), of(shapes, [1]), of(Numbers),
        of(broken, then=lambda d: d.repeat(2)), of(mixed, then=lambda d: d.batch(2)), of(mixed, then=lambda d: d.shuffle(3, seed=1)),
        of(broken, then=lambda d: d.concatenate(tf.data.Dataset.from_tensors(9))),
        of(broken, then=lambda d: d.prefetch(2).map(lambda n: n * 2)),
    ]  # fmt: skip


@program
def other_refusals(tf, np):
    d, e = tf.data.Dataset, tf.data.experimental
    two = np.int64([1, 2]), np.int64([1, 2, 3])
    builds = [
        lambda: d.range(3).map(5), lambda: d.range(3).filter(None), lambda: d.range(3).flat_map("f"),
        lambda: d.range(3).apply(e.map_and_batch(5, 2)), lambda: d.range(3).concatenate(5),
        lambda: d.from_tensors(([1], [2])).apply(e.unique()), lambda: d.from_tensors(two).apply(e.unbatch()),
        lambda: tf.data.Iterator.from_structure(tf.int64, []).make_initializer(d.from_tensors(two)),
    ]
    one = lambda x: d.from_tensors(x)
    runs = [
        lambda d: d.range(5).interleave(one, 3, 1, num_parallel_calls=5), lambda d: d.range(5).interleave(one, 3, 1, 3),
        lambda d: d.range(5).apply(e.parallel_interleave(one, 0)), lambda d: d.range(5).apply(e.parallel_interleave(one, 2, 0)),
        lambda d: d.range(5).apply(e.map_and_batch(lambda x: x, 0)),
    ]
    # A map before the batch is joined with it, and says it in other words.
    shapes = [lambda d: d.range(4).flat_map(lambda x: one(tf.range(x))).batch(2), lambda d: d.range(4).map(tf.range).batch(2)]
    return [
        [attempt(build) for build in builds], [attempt(lambda run=run: taken(tf, run)) for run in runs],
        [taken(tf, build) for build in shapes], taken(tf, lambda d: d.range(2).enumerate(-1)),
    ]


@program
def numbers_of_windows(tf, np):
    windows = [(2,), (2, 1), (3, 2, 1, True), (2, 1, 3, True), (9, 1, 1, True), (3, 1, 2), (2, 3, 1, True)]
    count = tf.data.experimental.cardinality
    with tf.Session() as sess:
        return sess.run([count(tf.data.Dataset.range(n).window(*each)) for n in (0, 1, 5, 7) for each in windows])
