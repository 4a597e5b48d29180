"""The input pipeline of tf.train: the nodes and runners of producers and batches, their threads, how they end, what is refused."""

import re
import threading

from harness import attempt, fresh, graph_of, program


def built(tf, make, *attrs):
    """The nodes that a function makes, the runners, the summaries and the local variables."""

    def run():
        result = attempt(make)
        graph = tf.get_default_graph()
        runners = [
            [r.name, [op.name for op in r.enqueue_ops], r.close_op.name, r.cancel_op.name,
             [each.__name__ for each in r.queue_closed_exception_types]]
            for r in graph.get_collection("queue_runners")
        ]  # fmt: skip
        kept = {key: [item.name for item in graph.get_collection(key)] for key in ("summaries", "local_variables")}
        nodes = graph_of(tf, "capacity", "component_types", "shapes", "shared_name", "min_after_dequeue", "seed", "seed2", *attrs)
        return [nodes, runners, kept, result if isinstance(result, (list, tuple, dict)) else getattr(result, "name", result)]

    return fresh(tf, run)


def sparse(tf):
    return tf.SparseTensor([[0, 1]], [5.0], [2, 3])


def pair(tf):
    return [tf.constant([1.0, 2.0]), tf.constant(3)]


def ended_by(result):
    """The class of an error and its text, without the numbers that threads decide; another result as it is."""
    return [result.classes[0], re.sub(r"'_\d+_| .requested.*", " … ", result.text)] if hasattr(result, "whole") else result


def read_all(tf, fetch, limit=50):
    """What runs give until the input ends, and the error that ends it; all threads have ended."""
    before = threading.active_count()
    found = []
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        for _ in range(limit):
            result = attempt(lambda: sess.run(fetch))
            found.append(ended_by(result))
            if hasattr(result, "whole"):
                break
        coord.request_stop()
        joined = attempt(lambda: coord.join(threads))
    return [found, joined, len(threads), sum(thread.is_alive() for thread in threads), threading.active_count() - before]


@program
def nodes_of_producers(tf, np):
    train = tf.train
    return {
        "limit": built(tf, lambda: train.limit_epochs(tf.constant([1.0]), 3)),
        "no limit": built(tf, lambda: train.limit_epochs(tf.constant([1.0]))),
        "rows": built(tf, lambda: train.input_producer(tf.constant([1, 2, 3]))),
        "rows, all settings": built(tf, lambda: train.input_producer(
            tf.constant([[1], [2]]), num_epochs=2, shuffle=False, shared_name="sh", name="nm", summary_name="frac",
            cancel_op=tf.no_op("cc"), capacity=7)),
        "rows of a given shape": built(tf, lambda: train.input_producer(tf.placeholder(tf.float32), element_shape=[2], seed=5)),
        "strings": built(tf, lambda: train.string_input_producer(["a", "b"])),
        "strings of a tensor": built(tf, lambda: train.string_input_producer(tf.constant(["a"]), num_epochs=1, shuffle=False)),
        "a range": built(tf, lambda: train.range_input_producer(5, name="r")),
        "slices": built(tf, lambda: train.slice_input_producer(pair(tf)[:1] + [tf.constant([[1], [2]])], num_epochs=1)),
        "files": built(tf, lambda: train.match_filenames_once(["/none/*", "/other/*"])),
    }  # fmt: skip


@program
def nodes_of_batches(tf, np):
    train = tf.train

    def anything():
        return tf.placeholder(tf.float32, [None])

    return {
        "batch": built(tf, lambda: train.batch(pair(tf), 4)),
        "a dictionary": built(tf, lambda: train.batch({"b": pair(tf)[0], "a": pair(tf)[1]}, 4, capacity=9, shared_name="s", name="n")),
        "many": built(tf, lambda: train.batch([tf.constant([1.0, 2.0]), tf.constant([[1], [2]])], 4, enqueue_many=True)),
        "threads": built(tf, lambda: train.batch(pair(tf)[:1], 4, num_threads=2, allow_smaller_final_batch=True)),
        "padded": built(tf, lambda: train.batch([anything()], 4, dynamic_pad=True)),
        "shapes": built(tf, lambda: train.batch([tf.placeholder(tf.float32)], tf.placeholder(tf.int32, []), shapes=[[2]])),
        "sparse": built(tf, lambda: [t.name for t in train.batch([sparse(tf), pair(tf)[0]], 4)[1:]]),
        "sparse alone": built(tf, lambda: train.batch([sparse(tf)], 4).values.name),
        "sparse, many": built(tf, lambda: [t.name for t in train.batch([sparse(tf), pair(tf)[0]], 4, enqueue_many=True)[1:]]),
        "maybe": built(tf, lambda: train.maybe_batch(pair(tf), tf.placeholder(tf.bool, []), 4)),
        "maybe, many": built(tf, lambda: train.maybe_batch([anything()], tf.placeholder(tf.bool, [None]), 4, enqueue_many=True)),
        "maybe, surely": built(tf, lambda: train.maybe_batch(pair(tf), True, 4)),
        "maybe sparse": built(tf, lambda: train.maybe_batch([sparse(tf)], tf.placeholder(tf.bool, []), 4).values.name),
        "join": built(tf, lambda: train.batch_join([pair(tf), pair(tf)], 4)),
        "join of sparse": built(tf, lambda: train.batch_join([[sparse(tf)], [sparse(tf)]], 4).values.name),
        "maybe join": built(tf, lambda: train.maybe_batch_join([pair(tf), pair(tf)], tf.placeholder(tf.bool, []), 4)),
        "shuffle": built(tf, lambda: train.shuffle_batch(pair(tf), 4, capacity=20, min_after_dequeue=7)),
        "shuffle, all settings": built(tf, lambda: train.shuffle_batch(
            {"q": pair(tf)[0]}, 4, 20, 7, num_threads=2, seed=5, enqueue_many=True, allow_smaller_final_batch=True,
            shared_name="s", name="n")),
        "shuffle join": built(tf, lambda: train.shuffle_batch_join([pair(tf), pair(tf)], 4, 20, 7)),
        "maybe shuffle": built(tf, lambda: train.maybe_shuffle_batch(pair(tf), 4, 20, 7, tf.placeholder(tf.bool, []))),
        "maybe shuffle join": built(
            tf, lambda: train.maybe_shuffle_batch_join([pair(tf), pair(tf)], 4, 20, 7, tf.placeholder(tf.bool, []))),
    }  # fmt: skip


@program
def refused_input(tf, np):
    train = tf.train
    queue = [tf.FIFOQueue(5, tf.float32)]
    calls = {
        "no epochs": lambda: train.limit_epochs(tf.constant(1), 0),
        "rows of unknown shape": lambda: train.input_producer(tf.placeholder(tf.float32)),
        "no strings": lambda: train.string_input_producer([]), "no slices": lambda: train.slice_input_producer([]),
        "no rank": lambda: train.batch([tf.placeholder(tf.float32)], 4), "no tensors": lambda: train.batch([], 4),
        "an empty dictionary": lambda: train.batch({}, 4), "no elements": lambda: train.batch_join([], 4),
        "types": lambda: train.batch_join([[tf.constant(1.0)], [tf.constant(1)]], 4),
        "shapes": lambda: train.batch_join([[tf.zeros([2])], [tf.zeros([3])]], 4),
        "capacity": lambda: train.shuffle_batch([tf.constant(1)], 4, capacity=7, min_after_dequeue=7),
        "threads": lambda: train.batch([tf.constant(1)], 4, num_threads=0),
        "keep a vector": lambda: train.maybe_batch([tf.constant(1)], tf.constant([True]), 4),
        "keep a matrix": lambda: train.maybe_batch([tf.constant([1])], tf.constant([[True]]), 4, enqueue_many=True),
        "keep anything": lambda: train.maybe_batch([tf.constant(1)], tf.placeholder(tf.bool), 4),
        "no queue": lambda: train.QueueRunner(), "no enqueues": lambda: train.QueueRunner(queue[0], []),
        "queue and message": lambda: train.QueueRunner(queue[0], [tf.no_op()], queue_runner_def=1),
        "types of errors": lambda: train.QueueRunner(queue[0], [tf.no_op()], queue_closed_exception_types=5),
        "no session": lambda: train.start_queue_runners(), "a number for a session": lambda: train.start_queue_runners(sess=5),
    }  # fmt: skip
    return {label: fresh(tf, call) if label != "types of errors" else attempt(call) for label, call in calls.items()}


@program
def values_of_producers(tf, np):
    train = tf.train
    numbers = train.range_input_producer(3, num_epochs=2, shuffle=False)
    words = train.string_input_producer(["a", "b"], num_epochs=1, shuffle=False)
    rows = train.slice_input_producer([np.arange(6).reshape(3, 2), ["x", "y", "z"]], num_epochs=1, shuffle=False)
    shuffled = train.input_producer(tf.constant([1, 2, 3, 4]), num_epochs=1)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        threads = tf.train.start_queue_runners(sess, tf.train.Coordinator())
        found = [[sess.run(numbers.dequeue()) for _ in range(6)], [sess.run(words.dequeue()) for _ in range(2)]]
        found += [[sess.run(rows) for _ in range(3)], sorted(sess.run(shuffled.dequeue_many(4)).tolist())]
        ends = [type(attempt(lambda fetch=fetch: sess.run(fetch))).__name__ for fetch in (numbers.dequeue(), rows)]
        return [found, ends, sorted(thread.name for thread in threads)]


@program
def values_of_batches(tf, np):
    train = tf.train

    def element(epochs=2):
        return train.slice_input_producer([np.arange(5), np.arange(5) * 1.5], num_epochs=epochs, shuffle=False)

    def odd():
        number, half = element()
        return train.maybe_batch({"n": number, "h": half}, tf.equal(number % 2, 1), 2)

    def parts():
        numbers = train.slice_input_producer([np.arange(6).reshape(2, 3)], num_epochs=2, shuffle=False)
        return train.maybe_batch(numbers, numbers[0] > 0, 5, enqueue_many=True)

    def padded():
        number = element(1)[0]
        return train.batch([tf.fill([number], number)], 3, dynamic_pad=True, allow_smaller_final_batch=True)

    def of_sparse():
        number = element(1)[0]
        tensor = tf.SparseTensor([[number, 0]], tf.reshape(number, [1]), [5, 2])
        return train.batch([tensor, number], 2, allow_smaller_final_batch=True)

    def of_sparse_parts():
        number = element(1)[0]
        tensor = tf.SparseTensor([[0, 1], [2, 0]], tf.stack([number, -number]), [3, 2])
        return train.batch([tensor], 3, enqueue_many=True)

    makers = {
        "batch": lambda: train.batch(element(), 4), "smaller": lambda: train.batch(element(), 4, allow_smaller_final_batch=True),
        "one": lambda: train.batch(element()[:1], 5), "odd": odd, "parts": parts, "padded": padded, "sparse": of_sparse,
        "sparse parts": of_sparse_parts,
    }  # fmt: skip
    return {label: fresh(tf, lambda make=make: read_all(tf, make())) for label, make in makers.items()}


@program
def shuffled_batches(tf, np):
    train = tf.train
    number = train.range_input_producer(20, num_epochs=1, shuffle=False).dequeue()
    batch = train.shuffle_batch([number], 5, capacity=12, min_after_dequeue=4, num_threads=2)
    found, joined, *rest = read_all(tf, batch)
    return [sorted(np.concatenate(found[:-1]).tolist()), found[-1], joined, rest]


@program
def runners_as_messages(tf, np):
    queue = tf.FIFOQueue(5, tf.float32, name="q")
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)] * 2))
    text = str(tf.get_collection("queue_runners")[0].to_proto())
    graph = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(graph, import_scope="inside")
        runner = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0]
        again = [runner.name, [op.name for op in runner.enqueue_ops], runner.close_op.name, runner.cancel_op.name]
        outside = runner.to_proto("inside").queue_name, runner.to_proto("other")
    return [text.replace("\n", ";"), again, outside]


@program
def a_thread_that_fails(tf, np):
    def failing(coord, sess):
        queue = tf.FIFOQueue(3, [tf.float32], [[]])
        bad = queue.enqueue(tf.check_numerics(tf.log(tf.placeholder_with_default(-1.0, [])), "no number"))
        runner = tf.train.QueueRunner(queue, [bad])
        tf.train.add_queue_runner(runner)
        threads = tf.train.start_queue_runners(sess, coord)
        if coord is None:
            for thread in threads:
                thread.join()
            return [len(runner.exceptions_raised), runner.create_threads(sess, start=False) != []]
        taken = attempt(lambda: sess.run(queue.dequeue()))
        return [ended_by(taken), attempt(lambda: coord.join(threads)), [t.is_alive() for t in threads]]

    def run(coord):
        with tf.Session() as sess:
            return failing(coord, sess)

    return [fresh(tf, lambda: run(tf.train.Coordinator())), fresh(tf, lambda: run(None))]


@program
def threads_of_a_session(tf, np):
    queue = tf.FIFOQueue(5, tf.float32, name="q")
    runner = tf.train.QueueRunner(queue, [queue.enqueue(1.0)] * 2)
    tf.train.add_queue_runner(runner)
    coord = tf.train.Coordinator()
    with tf.Session() as sess:
        made = tf.train.start_queue_runners(sess, coord, start=False, daemon=False)
        again = tf.train.start_queue_runners(sess, coord)
        names = sorted([thread.name, thread.daemon] for thread in made)
    with tf.train.MonitoredSession() as sess:
        started = tf.train.start_queue_runners(sess, coord)
    return [names, again, started]


@program
def monitored_input(tf, np):
    batch = tf.train.batch(tf.train.slice_input_producer([np.arange(6)], num_epochs=1, shuffle=False), 2)
    before, found = threading.active_count(), []
    with tf.train.MonitoredTrainingSession() as sess:
        while not sess.should_stop():
            found.append(sess.run(batch))
    return [found, threading.active_count() - before]
