"""tf.data.experimental: elements, static shapes and refusals of its transformations."""

from harness import attempt, in_folder, program
from programs_data_sets import taken


def each(tf, ways):
    found = []
    for way in ways:
        with tf.Graph().as_default():
            shapes = str(way(tf.data.Dataset).output_shapes)
        found.append([shapes, taken(tf, way, 14)])
    return found


def inverse(tf):
    return lambda x: tf.check_numerics(1.0 / tf.cast(x - 1, tf.float32), "oops")


@program
def batches(tf, np):
    x = tf.data.experimental
    return each(tf, [
        lambda d: d.range(5).apply(x.map_and_batch(inverse(tf), 2)),
        lambda d: d.range(5).apply(x.map_and_batch(lambda x: x, 2, drop_remainder=True, num_parallel_calls=2)),
        lambda d: d.range(5).apply(x.map_and_batch(lambda x: (x, x * 2), 2, num_parallel_batches=2)),
        lambda d: d.range(4).map(inverse(tf)).apply(x.ignore_errors()),
        lambda d: d.range(4).batch(3).apply(x.unbatch()),
    ])  # fmt: skip


@program
def states(tf, np):
    x = tf.data.experimental
    return each(tf, [
        lambda d: d.range(4).apply(x.scan(np.int64(0), lambda a, b: (a + b, a))),
        lambda d: d.range(4).apply(x.take_while(lambda x: x < 2)),
        lambda d: d.from_tensor_slices([1, 2, 1, 3, 2]).apply(x.unique()),
        lambda d: x.Counter(2, 3),
        lambda d: d.range(3).apply(x.enumerate_dataset(5)),
    ])  # fmt: skip


@program
def groups(tf, np):
    x = tf.data.experimental

    def words(d):
        return d.from_tensor_slices([1, 4, 2, 5, 3, 3]).map(lambda n: tf.fill([n], n))

    def length(word):
        return tf.shape(word)[0]

    reducer = x.Reducer(lambda k: (k, np.int64(0)), lambda s, x: (s[0], s[1] + x), lambda s, t: t)
    return each(tf, [
        lambda d: d.range(7).apply(x.group_by_window(lambda x: x % 2, lambda k, w: w.batch(3), 3)),
        lambda d: d.range(7).apply(x.group_by_window(lambda x: x % 2, lambda k, w: w.batch(4), window_size_func=lambda k: k + 1)),
        lambda d: d.range(7).apply(x.group_by_reducer(lambda x: x % 2, reducer)),
        lambda d: words(d).apply(x.bucket_by_sequence_length(length, [3], [2, 2])),
        lambda d: words(d).apply(x.bucket_by_sequence_length(length, [3, 7], [2, 2, 2], pad_to_bucket_boundary=True)),
    ])  # fmt: skip


@program
def several_datasets(tf, np):
    x = tf.data.experimental
    return each(tf, [
        lambda d: x.sample_from_datasets([d.range(4), d.range(10, 14)], [0.7, 0.3], seed=3),
        lambda d: x.sample_from_datasets([d.range(4), d.range(10, 14)], seed=3),
        lambda d: x.choose_from_datasets([d.range(4), d.range(10, 14)], d.range(2).repeat(3)),
        lambda d: x.RandomDataset(3),
        lambda d: d.range(5).apply(x.shuffle_and_repeat(3, 2, seed=1)),
        lambda d: d.range(3).apply(x.parallel_interleave(lambda x: d.from_tensors(x).repeat(2), 2)),
    ])  # fmt: skip


@program
def numbers_of_elements(tf, np):
    d, x = tf.data.Dataset, tf.data.experimental
    datasets = [
        d.range(3), d.range(3).repeat(), d.range(3).repeat(2), d.range(3).filter(lambda x: True), d.range(7).batch(2),
        d.range(7).batch(2, drop_remainder=True), d.range(7).shuffle(2).map(lambda x: x).take(3), d.range(7).skip(9),
        d.zip((d.range(7), d.range(3))), d.range(2).concatenate(d.range(3)), d.range(7).shard(3, 1), d.range(0).repeat(),
        d.range(5).take(-1), d.range(5).take(-5), d.range(5).repeat().take(-2), d.range(3).filter(lambda x: True).take(0),
        d.range(5).skip(-1), d.range(5).repeat().skip(-1), d.range(3).filter(lambda x: True).skip(-1),
    ]  # fmt: skip
    with tf.Session() as sess:
        return sess.run([x.cardinality(each) for each in datasets])


@program
def single_elements(tf, np):
    d, x = tf.data.Dataset, tf.data.experimental
    with tf.Session() as sess:
        return [attempt(lambda each=each: sess.run(x.get_single_element(each))) for each in (d.from_tensors(3), d.range(2), d.range(0))]


@program
def refusals(tf, np):
    d, x = tf.data.Dataset, tf.data.experimental
    return [
        attempt(build)
        for build in (
            lambda: d.range(3).apply(x.unbatch()),
            lambda: d.range(3).apply(x.scan(np.int64(0), lambda a, b: a)),
            lambda: d.range(3).apply(x.group_by_window(lambda x: x, lambda k, w: w)),
            lambda: d.range(3).apply(lambda dataset: 3),
            lambda: x.choose_from_datasets([d.range(3)], d.from_tensors(1.0)),
            lambda: d.range(3).apply(x.take_while(lambda x: x)),
        )
    ]


@program
def nodes_of_transformations(tf, np):
    d, x = tf.data.Dataset, tf.data.experimental
    reducer = x.Reducer(lambda k: k, lambda s, x: s + x, lambda s: s)

    def types(build):
        """The op types of the nodes, and of those in functions."""
        with tf.Graph().as_default() as graph:
            build()
            outside = [op.type for op in graph.get_operations()]
            return [outside, sorted(node.op for f in graph.as_graph_def().library.function for node in f.node_def)]

    ways = [
        lambda: x.choose_from_datasets([d.range(4), d.range(9)], d.range(2)),
        lambda: d.range(4).apply(x.scan(np.int64(0), lambda a, b: (a + b, a))).apply(x.unique()).apply(x.ignore_errors()),
        lambda: d.range(4).apply(x.take_while(lambda x: x < 2)).batch(2).apply(x.unbatch()),
        lambda: d.range(7).apply(x.group_by_window(lambda x: x % 2, lambda k, w: w.batch(3), 3)),
        lambda: d.range(7).apply(x.group_by_reducer(lambda x: x % 2, reducer)).apply(x.map_and_batch(lambda x: x, 2)),
        lambda: x.get_single_element(x.RandomDataset(3).apply(x.shuffle_and_repeat(3, 2, seed=1)).take(1)),
        lambda: x.cardinality(d.range(3).interleave(lambda i: d.range(i), 2, 1, num_parallel_calls=2)),
        lambda: d.range(3).reduce(np.int64(0), lambda a, b: a + b),
        lambda: d.from_sparse_tensor_slices(tf.SparseTensor([[0, 0]], [1], [1, 2])),
        lambda: d.from_generator(lambda: iter([1]), tf.int32),
        lambda: (tf.data.TextLineDataset("a"), tf.data.TFRecordDataset("a"), tf.data.FixedLengthRecordDataset("a", 3)),
    ]
    return [types(way) for way in ways]


# -- devices ---------------------------------------------------------------------------------------------------------------


@program
def copies_on_a_device(tf, np):
    x = tf.data.experimental
    return each(tf, [
        lambda d: d.range(4).apply(x.copy_to_device("/cpu:0")),
        lambda d: d.range(4).apply(x.copy_to_device("/device:CPU:0", "/cpu:0")),
        lambda d: d.range(4).apply(x.copy_to_device(None)),
        lambda d: d.from_tensor_slices({"a": [[1.0], [2.0]]}).apply(x.prefetch_to_device("/cpu:0")),
        lambda d: d.range(4).batch(3).apply(x.prefetch_to_device("/cpu:0", 2)),
        lambda d: d.range(4).apply(x.copy_to_device("/cpu:0")).map(lambda y: y * 2).batch(3),
    ])  # fmt: skip


@program
def what_copies_refuse(tf, np):
    x, dataset = tf.data.experimental, tf.data.Dataset.range(3)
    options = dataset.apply(x.copy_to_device("/cpu:0")).options().experimental_optimization
    ways = [
        lambda: dataset.apply(x.copy_to_device("nonsense")),
        lambda: dataset.apply(x.copy_to_device(3)),
        lambda: dataset.apply(x.prefetch_to_device("nonsense")),
        lambda: dataset.apply(x.prefetch_to_device("/cpu:0", "x")),
    ]
    return [options.apply_default_optimizations, options.autotune, *map(attempt, ways)]


@program
def options_by_name_and_type(tf, np):
    """Which there are, what they are at first, and which values they take; texts that name a class of TensorFlow are left out."""
    x = tf.data.experimental
    results = []
    for kind in (
        tf.data.Options, x.OptimizationOptions, x.ThreadingOptions, x.StatsOptions, x.DistributeOptions, x.MapVectorizationOptions,
    ):  # fmt: skip
        for name in [name for name in dir(kind) if not name.startswith("_") and name != "merge"]:
            first = getattr(kind(), name)
            has_options = type(first).__name__.endswith("Options")
            found = [kind.__name__, name, type(first).__name__ if has_options else first]
            for value in (True, 3, "x", None, []):
                tried = attempt(lambda kind=kind, name=name, value=value: setattr(kind(), name, value))
                found.append(tried.classes[0] if tried is not None and (has_options or name == "aggregator") else tried)
            results.append(found)
    return results


@program
def merged_options(tf, np):
    first, second, dataset = tf.data.Options(), tf.data.Options(), tf.data.Dataset.range(3)
    first.experimental_deterministic, second.experimental_deterministic = True, False
    first.experimental_threading.private_threadpool_size = 3
    first.experimental_optimization.map_vectorization.enabled = True
    chosen = dataset.with_options(first)
    both = tf.data.Options().merge(first)
    return [
        both.experimental_threading.private_threadpool_size, both.experimental_optimization.map_vectorization.enabled,
        both == first, both != first, both == second, tf.data.Options() == tf.data.Options(), attempt(lambda: first.merge(second)),
        attempt(lambda: chosen.with_options(second)), chosen.map(lambda y: y).options() == first,
        attempt(lambda: tf.data.Dataset.zip((chosen, dataset.with_options(second))).options()),
        attempt(lambda: setattr(first, "other", 1)), attempt(lambda: first.other), attempt(lambda: first.merge(3)).classes[0],
    ]  # fmt: skip


@program
def sliding_windows(tf, np):
    windows = tf.contrib.data.sliding_window_batch
    given = [
        ((3,), {}), ((3, 2), {}), ((3,), {"window_shift": 2}), ((3,), {"window_shift": 2, "window_stride": 2}), ((9,), {}),
        ((2, 5), {}), ((2,), {"window_shift": 3, "window_stride": 3}),
    ]  # fmt: skip

    def refused(*args, **named):
        iterator = tf.data.Dataset.range(7).apply(windows(*args, **named)).make_initializable_iterator()
        with tf.Session() as sess:
            sess.run(iterator.initializer)

    found = each(tf, [lambda d, a=args, k=named: d.range(7).apply(windows(*a, **k)) for args, named in given])
    found += each(tf, [
        lambda d: d.from_tensor_slices({"a": [1, 2, 3], "b": [[1], [2], [3]]}).apply(windows(2)),
        lambda d: d.range(1, 4).map(lambda y: (y, tf.fill([y], 1))).apply(windows(2)),
    ])  # fmt: skip
    tf.data.Dataset.range(7).apply(windows(3, 2))
    nodes = [(op.name, op.type, [t.name for t in op.inputs]) for op in tf.get_default_graph().get_operations()[-4:]]
    refusals = [lambda: refused(0), lambda: refused(3, 0), lambda: refused(3, window_stride=0), lambda: refused(3, 1, 1)]
    return [found, nodes, *map(attempt, refusals)]


@program
def batches_of_features_of_files(tf, np):
    def found(folder):
        with tf.python_io.TFRecordWriter("a") as writer:
            for i in range(4):
                example = tf.train.Example()
                example.features.feature["x"].int64_list.value.append(i)
                writer.write(example.SerializeToString())
        features = {"x": tf.FixedLenFeature([], tf.int64)}
        batch = tf.contrib.data.read_batch_features("a", 3, features, randomize_input=False, num_epochs=1)
        with tf.Session() as sess:
            return [str(batch["x"].shape), sess.run(batch), sess.run(batch), attempt(lambda: sess.run(batch))]

    return in_folder(found)


@program
def elements_taken_apart(tf, np):
    """TensorFlow's method gives a dataset without the methods that make iterators."""
    dataset = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "b": [[1], [2], [3]]}).batch(2).unbatch()
    x = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
    nodes = [(op.name, op.type) for op in tf.get_default_graph().get_operations()]
    with tf.Session() as sess:
        return [nodes, [sess.run(x) for _ in range(3)], attempt(lambda: sess.run(x)), attempt(tf.data.Dataset.range(3).unbatch)]


@program
def padded_elements_with_scalars(tf, np):
    def pairs(d):
        return d.range(1, 5).map(lambda n: (tf.fill([n], n), n, tf.as_string(n), tf.cast(n, tf.float32)))

    return each(tf, [
        lambda d: d.range(3).padded_batch(2, []),
        lambda d: pairs(d).padded_batch(3, ([None], [], [], [])),
        lambda d: pairs(d).padded_batch(2, pairs(d).output_shapes, (tf.constant(-1, tf.int64), tf.constant(0, tf.int64), "?", 0.5)),
        lambda d: pairs(d).map(lambda x, y, *_: {"x": x, "y": y}).padded_batch(2, {"x": [5], "y": []}, drop_remainder=True),
    ])  # fmt: skip


@program
def windows_by_keys_of_other_types(tf, np):
    x = tf.data.experimental
    reducer = x.Reducer(lambda k: tf.constant(0, tf.int64), lambda s, n: s + 1, lambda s: s)
    keys = {
        "int32": lambda n: tf.cast(n, tf.int32), "a vector": lambda n: tf.stack([n]), "int64": lambda n: n % 2, "number": lambda n: 1,
        "unknown shape": lambda n: tf.placeholder_with_default(n, None), "float": lambda n: tf.cast(n, tf.float32),
    }  # fmt: skip
    found = []
    for name, key in sorted(keys.items()):
        ways = [x.group_by_window(key, lambda k, w: w.batch(2), 2)]
        ways.append(x.group_by_window(lambda n: n, lambda k, w: w.batch(2), window_size_func=key))
        if name != "a vector":
            ways.append(x.group_by_reducer(key, reducer))
        for way in ways:
            result = attempt(lambda way=way: taken(tf, lambda d: d.range(1, 4).apply(way)))
            # the texts differ: 1.15 says first in which code the error happened
            found.append([name, "refused" if type(result).__name__ == "Failure" else result])
    return found


@program
def elements_beyond_the_last_bucket(tf, np):
    x = tf.data.experimental

    def build(d):
        words = d.from_tensor_slices([1, 5, 2, 2, 8, 3]).map(lambda n: tf.fill([n], n))
        return words.apply(x.bucket_by_sequence_length(
            lambda e: tf.shape(e)[0], [3, 6], [2, 2, 1], pad_to_bucket_boundary=True
        ))  # fmt: skip

    with tf.Graph().as_default(), tf.Session() as sess:
        iterator = build(tf.data.Dataset).make_initializable_iterator()
        element = iterator.get_next()
        sess.run(iterator.initializer)
        found = []
        for _ in range(2):
            try:
                found.append(sess.run(element))
            except tf.errors.InvalidArgumentError as error:
                found.append("elements must have length < max(bucket_boundaries)" in error.message)
    return found
