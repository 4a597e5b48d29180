"""The samplers of tf.contrib.training: their nodes and runners, what they keep, what is refused."""

from harness import fresh, program
from programs_queues_input import built


def pair(tf):
    return [tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int64, [])]


def many(tf):
    return [tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int64, [3])]


def summed(tf):
    return lambda tensors: 0.5 * tf.reduce_sum(tensors[0])


@program
def nodes_of_samplers(tf, np):
    T = tf.contrib.training
    label = lambda: tf.placeholder(tf.int32, [])
    return {
        "rejection": built(tf, lambda: T.rejection_sample(pair(tf), summed(tf), 4)),
        "rejection of many": built(
            tf,
            lambda: T.rejection_sample(
                many(tf), summed(tf), 4, 2, True, prebatch_capacity=3, prebatch_threads=2, runtime_checks=True, name="nm"
            ),
        ),
        "known": built(tf, lambda: T.rejection_sample([tf.constant([1.0, 2.0])], lambda _: 0.5, 4)),
        "stratified": built(tf, lambda: T.stratified_sample(pair(tf), label(), [0.5, 0.25, 0.25], 4)),
        "with shares": built(tf, lambda: T.stratified_sample(pair(tf), label(), [0.5, 0.5], 4, init_probs=[0.25, 0.75])),
        "all settings": built(
            tf,
            lambda: T.stratified_sample(
                many(tf), tf.placeholder(tf.int64, [3]), tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, []),
                tf.placeholder(tf.float32, [2]), enqueue_many=True, queue_capacity=9, threads_per_queue=2, name="nm",
            ),
        ),
        "at a rate": built(tf, lambda: T.resample_at_rate(many(tf), tf.constant([1.0, 2.0, 3.0]), "sc", 3, True)),
        "no inputs": built(tf, lambda: T.resample_at_rate([], tf.constant([1.0, 2.0]))),
        "weighted": built(tf, lambda: T.weighted_resample(many(tf), tf.constant([1.0, 2.0, 3.0]), 2.0)),
        "weighted settings": built(
            tf, lambda: T.weighted_resample(many(tf), tf.placeholder(tf.float32, [None]), tf.constant(0.5), "sc", 0.5, 7)
        ),
    }  # fmt: skip


@program
def refused_samplers(tf, np):
    T = tf.contrib.training
    label = lambda shape=(): tf.placeholder(tf.int32, shape)
    half = [0.5, 0.5]
    calls = {
        "no tensors": lambda: T.rejection_sample([], lambda x: 0.5, 4),
        "a dictionary": lambda: T.rejection_sample({"a": tf.constant([1.0])}, lambda x: 0.5, 4),
        "a vector of probabilities": lambda: T.rejection_sample(pair(tf), lambda x: x[0], 4),
        "one of many": lambda: T.rejection_sample(many(tf)[:1], lambda x: 0.5, 4, enqueue_many=True),
        "no tensors to stratify": lambda: T.stratified_sample([], label(), half, 4, half),
        "float labels": lambda: T.stratified_sample(pair(tf), tf.constant(1.0), half, 4),
        "float labels with shares": lambda: T.stratified_sample(pair(tf), tf.constant(1.0), half, 4, half),
        "a vector of labels": lambda: T.stratified_sample(pair(tf), label([1]), half, 4),
        "unknown shares": lambda: T.stratified_sample(pair(tf), label(), tf.placeholder(tf.float32), 4),
        "other lengths": lambda: T.stratified_sample(pair(tf), label(), half, 4, [0.3, 0.3, 0.4]),
        "negative shares": lambda: T.stratified_sample(pair(tf), label(), [-0.5, 1.5], 4, half),
        "other sizes": lambda: T.stratified_sample(
            [tf.placeholder(tf.float32, [2])], label([3]), half, 4, half, enqueue_many=True
        ),
        "dictionary to stratify": lambda: T.stratified_sample({"a": pair(tf)[0]}, label(), half, 4, half),
        "no rank": lambda: T.stratified_sample([tf.placeholder(tf.float32)], label(), half, 4, half),
        "weights in a list": lambda: T.weighted_resample([tf.zeros([2])], [1.0, 2.0], 1.0),
    }  # fmt: skip
    return {name: fresh(tf, call) for name, call in calls.items()}


def _batches(tf, make, count):
    """What `count` runs of the sampled batch give."""
    tf.set_random_seed(5)
    batch = make()
    found = []
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coordinator)
        for _ in range(count):
            found.append(sess.run(batch))
        coordinator.request_stop()
        coordinator.join(threads)
    return found


@program
def what_samplers_keep(tf, np):
    T = tf.contrib.training

    def all_of_them():
        return T.rejection_sample([tf.train.range_input_producer(5, shuffle=False).dequeue()], lambda _: 1.0, 4)

    def even_ones():
        return T.rejection_sample(
            [tf.train.range_input_producer(5, shuffle=False).dequeue()],
            lambda x: tf.cast(1 - x[0] % 2, tf.float32), 4, runtime_checks=True,
        )  # fmt: skip

    def one_class():
        number = tf.train.range_input_producer(6, shuffle=False).dequeue()
        return T.stratified_sample([number], number % 3, [0.0, 1.0, 0.0], 3, [0.3, 0.3, 0.4])

    return {make.__name__: fresh(tf, lambda make=make: _batches(tf, make, 3)) for make in (all_of_them, even_ones, one_class)}


@program
def resampled_rows(tf, np):
    def seeded(make):
        tf.set_random_seed(3)
        result = make()
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            return [sess.run(result) for _ in range(3)]

    T = tf.contrib.training
    rows = lambda: [tf.reshape(tf.range(8), [4, 2]), tf.constant(list("abcd"))]
    weights = [0.5, 1.0, 2.0, 4.0]
    return {
        "at a rate": fresh(tf, lambda: seeded(lambda: T.resample_at_rate(rows(), tf.constant(weights), seed=2))),
        "at rate 0": fresh(tf, lambda: seeded(lambda: T.resample_at_rate(rows(), tf.zeros([4]), seed=2))),
        "weighted": fresh(tf, lambda: seeded(lambda: T.weighted_resample(rows(), tf.constant(weights), 1.5, seed=2))),
    }


@program
def checked_in_a_run(tf, np):
    T = tf.contrib.training

    def failing(make):
        def run():
            batch = make()
            with tf.Session() as sess:
                sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
                for runner in tf.get_collection("queue_runners"):
                    sess.run(runner.enqueue_ops[0])
                return sess.run(batch)

        return fresh(tf, run)

    one = lambda: [tf.constant([1.0, 2.0])]
    fed = lambda value: tf.placeholder_with_default(tf.constant(value), [len(value)])
    return [
        failing(lambda: T.rejection_sample(one(), lambda _: tf.reshape(fed([1.5]), []), 1, runtime_checks=True)),
        failing(lambda: T.stratified_sample(one(), tf.reshape(fed([5]), []), [0.5, 0.5], 1, [0.5, 0.5])),
        failing(lambda: T.stratified_sample(one(), tf.reshape(fed([1]), []), fed([0.5, 0.9]), 1, [0.5, 0.5])),
        failing(lambda: T.stratified_sample(one(), tf.reshape(fed([1]), []), fed([0.5, 0.5]), 1, [0.0, 1.0])),
    ]
