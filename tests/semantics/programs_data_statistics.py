"""tf.data.experimental's statistics: their nodes, what an aggregator holds, what is refused. Times are not compared."""

from harness import fresh, graph_of, program


def watched(tf, dataset, prefix="", aggregator=None):
    """The dataset, whose stages tell an aggregator, and the aggregator."""
    aggregator = aggregator or tf.data.experimental.StatsAggregator()
    options = tf.data.Options()
    options.experimental_stats.aggregator = aggregator
    options.experimental_stats.prefix = prefix
    options.experimental_optimization.apply_default_optimizations = False
    return dataset.with_options(options), aggregator


def contents(tf, text):
    """The values of a summary by their tags: numbers, and of histograms their sums and buckets."""
    found = []
    for value in tf.Summary.FromString(text).value:
        if value.WhichOneof("value") == "simple_value":
            found.append([value.tag, value.simple_value])
        elif "latency" in value.tag:
            found.append([value.tag, value.histo.num])
        else:
            histogram = value.histo
            found.append(
                [value.tag, histogram.num, histogram.min, histogram.max, histogram.sum, histogram.sum_squares,
                 list(histogram.bucket_limit), list(histogram.bucket)]
            )  # fmt: skip
    return sorted(found)


def followed(tf, make, prefix="", steps=8):
    """What the aggregator holds before the first element, after one, and after all."""

    def run():
        dataset, aggregator = watched(tf, make(), prefix)
        iterator = dataset.make_initializable_iterator()
        element, summary = iterator.get_next(), aggregator.get_summary()
        with tf.Session() as sess:
            found = [contents(tf, sess.run(summary))]
            sess.run(iterator.initializer)
            for step in range(steps):
                try:
                    sess.run(element)
                except tf.errors.InvalidArgumentError:
                    pass
                except tf.errors.OutOfRangeError:
                    break
                if step == 0:
                    found.append(contents(tf, sess.run(summary)))
            found.append(contents(tf, sess.run(summary)))
        return found

    return fresh(tf, run)


@program
def nodes_of_statistics(tf, np):
    experimental = tf.data.experimental
    dataset = tf.data.Dataset.range(5).apply(experimental.bytes_produced_stats("b")).apply(experimental.latency_stats("l"))
    dataset, aggregator = watched(tf, dataset, "pre")
    iterator = dataset.make_initializable_iterator()
    summary = aggregator.get_summary()
    return [graph_of(tf), summary.dtype.name, summary.shape.as_list(), iterator.output_types.name]


@program
def what_is_counted(tf, np):
    data, experimental = tf.data.Dataset, tf.data.experimental

    def inverse(x):
        return tf.check_numerics(1.0 / tf.cast(x, tf.float32), "oops")

    of_bytes, of_time = experimental.bytes_produced_stats, experimental.latency_stats
    return {
        "bytes": followed(tf, lambda: data.range(5).batch(2).apply(of_bytes("bytes")), "pre"),
        "strings": followed(tf, lambda: data.from_tensor_slices(["a", "bbb", ""]).apply(of_bytes("bytes"))),
        "components": followed(tf, lambda: data.range(3).map(lambda x: (x, tf.zeros([x]))).apply(of_bytes("bytes"))),
        "both": followed(
            tf, lambda: data.range(3).apply(of_bytes("bytes")).apply(of_time("latency")).apply(of_bytes("bytes")), "pre"
        ),
        "filters": followed(tf, lambda: data.range(6).filter(lambda x: x > 2).filter(lambda x: x < 4), "pre"),
        "errors": followed(tf, lambda: data.range(3).map(inverse).apply(of_bytes("bytes")).apply(of_time("latency"))),
        "inner datasets": followed(
            tf, lambda: data.range(3).flat_map(lambda x: data.from_tensors(x).repeat(x).apply(of_bytes("bytes")))
        ),
    }


@program
def statistics_without_an_aggregator(tf, np):
    experimental = tf.data.experimental
    dataset = tf.data.Dataset.range(3).apply(experimental.bytes_produced_stats("b")).apply(experimental.latency_stats("l"))
    element = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        return [sess.run(element) for _ in range(3)]


@program
def an_aggregator_of_two_datasets(tf, np):
    aggregator = tf.data.experimental.StatsAggregator()
    iterators = []
    for size in (2, 3):
        dataset = tf.data.Dataset.range(size).apply(tf.data.experimental.bytes_produced_stats("bytes"))
        iterators.append(watched(tf, dataset, "all", aggregator)[0].make_initializable_iterator())
    elements = [iterator.get_next() for iterator in iterators]
    with tf.Session() as sess:
        sess.run([iterator.initializer for iterator in iterators])
        sess.run(elements)
        sess.run(elements)
        return contents(tf, sess.run(aggregator.get_summary()))


@program
def refused_statistics(tf, np):
    experimental = tf.data.experimental

    def set_option(name, value):
        setattr(tf.data.Options().experimental_stats, name, value)

    def two_aggregators():
        return watched(tf, watched(tf, tf.data.Dataset.range(3))[0])[0].options()

    calls = {
        "a number as tag": lambda: tf.data.Dataset.range(3).apply(experimental.bytes_produced_stats(3)),
        "two tags": lambda: tf.data.Dataset.range(3).apply(experimental.latency_stats(["a", "b"])),
        "a number as prefix": lambda: set_option("prefix", 3), "bytes": lambda: set_option("counter_prefix", b"a"),
        "a number": lambda: set_option("latency_all_edges", 1),
        "a one-shot iterator": lambda: watched(tf, tf.data.Dataset.range(3))[0].make_one_shot_iterator(),
    }  # fmt: skip
    found = {name: fresh(tf, call) for name, call in calls.items()}
    for name, call in {"no aggregator": lambda: set_option("aggregator", 3), "two": two_aggregators}.items():
        try:
            found[name] = call()
        except (TypeError, ValueError) as error:
            found[name] = type(error).__name__
    return found
