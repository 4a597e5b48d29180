"""Queues: what they hold, in which order it comes out, how they close, and what they refuse."""

import threading
import time

from harness import attempt, graph_of, program


def shared(tf, kind="FIFOQueue", capacity=10, types=None, shapes=((),), **given):
    """A queue with a shared name, which error messages then have."""
    types = [tf.int32] if types is None else types
    if kind == "RandomShuffleQueue":
        given["min_after_dequeue"] = given.get("min_after_dequeue", 0)
    return getattr(tf, kind)(capacity, shapes=shapes, shared_name="q", **given, **{
        "types" if kind == "PriorityQueue" else "dtypes": types
    })  # fmt: skip


def drained(sess, queue):
    return [sess.run(queue.dequeue()) for _ in range(sess.run(queue.size()))]


KINDS = ("FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue", "PriorityQueue")


@program
def the_nodes_of_each_kind(tf, np):
    results = []
    for kind in KINDS:
        with tf.Graph().as_default():
            with tf.name_scope("a"):
                given = {"seed": 4} if kind == "RandomShuffleQueue" else {}
                queue = shared(tf, kind, **given)
            value = (tf.constant(1, tf.int64), 2) if kind == "PriorityQueue" else 2
            values = (tf.constant([1], tf.int64), [2]) if kind == "PriorityQueue" else [[2]]
            queue.enqueue(value)
            queue.enqueue_many(values)
            taken = [queue.dequeue(), queue.dequeue_many(2), queue.dequeue_up_to(2), queue.dequeue(name="mine")]
            queue.close()
            results.append([
                graph_of(tf), queue.name, queue.names, str(queue.dtypes), str(queue.shapes), str(taken),
                queue.is_closed(), queue.size(), str(queue.queue_ref),
            ])  # fmt: skip
    return results


@program
def first_in_first_out(tf, np):
    queue = tf.FIFOQueue(10, [tf.int32, tf.string], shapes=[[], [2]])
    with tf.Session() as sess:
        sess.run(queue.enqueue((7, ["a", "b"])))
        sess.run(queue.enqueue_many(([8, 9, 10], [["c", "d"], ["e", "f"], ["g", "h"]])))
        before = sess.run(queue.size())
        return [before, sess.run(queue.dequeue()), sess.run(queue.dequeue_many(2)), sess.run(queue.size())]


@program
def components_without_shapes(tf, np):
    queue = tf.FIFOQueue(10, tf.float32, shared_name="q")
    with tf.Session() as sess:
        sess.run(queue.enqueue([[1.0, 2.0]]))
        sess.run(queue.enqueue(3.0))
        sess.run(queue.enqueue_many([[[4.0], [5.0]]]))
        many = queue.dequeue_many(2)
        return [str(many), attempt(lambda: sess.run(many)), drained(sess, queue)]


@program
def named_components(tf, np):
    queue = tf.FIFOQueue(10, [tf.int32, tf.float32], shapes=[[], []], names=["a", "b"])
    with tf.Session() as sess:
        sess.run(queue.enqueue({"b": 1.5, "a": 2}))
        sess.run(queue.enqueue_many({"b": [2.5, 3.5], "a": [3, 4]}))
        return [
            graph_of(tf), sess.run(queue.dequeue()), sess.run(queue.dequeue_many(1)),
            attempt(lambda: queue.enqueue((1, 2.0))), attempt(lambda: queue.enqueue({"a": 1})),
            attempt(lambda: queue.enqueue({"a": 1, "c": 2.0})), queue.names,
        ]  # fmt: skip


@program
def random_order(tf, np):
    results = []
    for seed, graph_seed, least in ((1, None, 2), (None, 5, 0), (7, 5, 3)):
        with tf.Graph().as_default(), tf.Session() as sess:
            if graph_seed is not None:
                tf.set_random_seed(graph_seed)
            queue = tf.RandomShuffleQueue(30, least, tf.int32, shapes=[[]], seed=seed)
            sess.run(queue.enqueue_many([list(range(20))]))
            one = queue.dequeue()
            results.append([sess.run(one) for _ in range(5)])
            results.append([sess.run(queue.dequeue_many(6)), sess.run(queue.size())])
            sess.run(queue.close())
            results.append(sess.run(queue.dequeue_up_to(20)))
    return results


@program
def padded(tf, np):
    queue = tf.PaddingFIFOQueue(10, [tf.int32, tf.string], shapes=[[None], [None, 2]])
    with tf.Session() as sess:
        sess.run(queue.enqueue(([1], [["a", "b"]])))
        sess.run(queue.enqueue(([1, 2, 3], [["a", "b"], ["c", "d"]])))
        sess.run(queue.enqueue(([], np.zeros((0, 2), "S"))))
        sess.run(queue.enqueue_many(([[4, 5]], [[["e", "f"]]])))
        taken = [queue.dequeue_many(3), queue.dequeue()]
        return [str(taken), [sess.run(each) for each in taken]]


@program
def by_priority(tf, np):
    queue = tf.PriorityQueue(30, [tf.int32], shapes=[[]])
    with tf.Session() as sess:
        sess.run(queue.enqueue_many((np.array([3, 1, 2, 1, 3, 1, 2, 2, 1, 3]), list(range(10)))))
        first = sess.run(queue.dequeue_many(7))
        sess.run(queue.enqueue_many((np.array([2, 2, 1, -5]), [20, 21, 22, 23])))
        return [first, drained(sess, queue)]


@program
def closing(tf, np):
    results = []
    for kind in KINDS[:3]:
        with tf.Graph().as_default(), tf.Session() as sess:
            queue = shared(tf, kind)
            put = queue.enqueue(1)
            for _ in range(2):
                sess.run(put)
            results.append([
                attempt(lambda fetch=fetch: sess.run(fetch))
                for fetch in (
                    queue.is_closed(), queue.close(), queue.close(), queue.close(cancel_pending_enqueues=True), queue.is_closed(),
                    put, queue.enqueue_many([[1, 2]]), queue.enqueue_many([np.zeros(0)]), queue.dequeue_many(3), queue.size(),
                    queue.dequeue_up_to(3), queue.dequeue_up_to(3), queue.dequeue(), queue.dequeue_many(0), queue.dequeue_up_to(0),
                )
            ])  # fmt: skip
    return results


@program
def what_enqueues_refuse(tf, np):
    queue = shared(tf, types=[tf.int32, tf.float32], shapes=[[], [2]])
    x = tf.placeholder(tf.float32)
    one, many = queue.enqueue((1, x)), queue.enqueue_many(([1, 2], x))
    plain = shared(tf, types=[tf.int32])
    with tf.Session() as sess:
        return [
            attempt(f)
            for f in (
                lambda: sess.run(one, {x: [1.0, 2.0, 3.0]}),
                lambda: sess.run(many, {x: [[1.0, 2.0]]}),
                lambda: sess.run(many, {x: [[1.0], [2.0]]}),
                lambda: sess.run(queue.enqueue(1)),
                lambda: queue.enqueue((1, 2.0, 3)),
                lambda: queue.enqueue((1.5, [1.0, 2.0])),
                lambda: queue.enqueue((1, [1.0, 2.0, 3.0])),
                lambda: queue.enqueue({"a": 1}),
                lambda: queue.enqueue_many((1, [1.0, 2.0])),
                lambda: queue.enqueue_many(([1, 2], [[1.0, 2.0]])),
                lambda: queue.enqueue_many(([1], [[1.0, 2.0, 3.0]])),
                lambda: sess.run(plain.dequeue_many(tf.placeholder_with_default(-1, []))),
                lambda: sess.run(plain.dequeue_up_to(tf.placeholder_with_default(-1, []))),
            )
        ]


@program
def what_queues_refuse(tf, np):
    def of(make):
        with tf.Graph().as_default(), tf.Session() as sess:
            return sess.run(make().size())

    return [
        attempt(lambda make=make: of(make))
        for make in (
            lambda: tf.FIFOQueue(0, tf.int32),
            lambda: tf.FIFOQueue(3, tf.int32, shapes=[None]),
            lambda: tf.FIFOQueue(3, tf.int32, shapes=[[None]]),
            lambda: tf.FIFOQueue(3, tf.int32, shapes=[]),
            lambda: tf.FIFOQueue(3, []),
            lambda: tf.FIFOQueue(3, [tf.int32, tf.int32], shapes=[[]]),
            lambda: tf.FIFOQueue(3, [tf.int32, tf.int32], names="a"),
            lambda: tf.FIFOQueue("a", tf.int32),
            lambda: tf.FIFOQueue(3, tf.int32, shared_name="_q"),
            lambda: tf.PaddingFIFOQueue(3, tf.int32, shapes=None),
            lambda: tf.PaddingFIFOQueue(3, tf.int32, shapes=[None]),
            lambda: tf.PaddingFIFOQueue(3, [tf.int32, tf.int32], shapes=[[]]),
            lambda: tf.RandomShuffleQueue(3, 3, tf.int32),
            lambda: tf.RandomShuffleQueue(3, -1, tf.int32),
            lambda: tf.RandomShuffleQueue(-1, 5, tf.int32),
            lambda: tf.PriorityQueue(3, tf.int32, shapes=None),
        )
    ]


@program
def shared_queues(tf, np):
    with tf.Session() as sess:
        first = shared(tf)
        sess.run(first.enqueue(5))
        answers = [sess.run(shared(tf).dequeue())]
        for other in (
            {"capacity": 4}, {"types": [tf.float32]}, {"shapes": [[1]]}, {"shapes": None}, {"kind": "RandomShuffleQueue"},
            {"kind": "PaddingFIFOQueue"},
        ):  # fmt: skip
            answers.append(attempt(lambda other=other: sess.run(shared(tf, **other).size())))
        return answers


@program
def shared_random_queues(tf, np):
    with tf.Session() as sess:
        sess.run(shared(tf, "RandomShuffleQueue", seed=1).size())
        return [
            attempt(lambda given=given: sess.run(shared(tf, "RandomShuffleQueue", **given).size()))
            for given in ({"seed": 1}, {"seed": 2}, {"seed": 1, "min_after_dequeue": 2})
        ]


@program
def one_of_a_list(tf, np):
    index = tf.placeholder(tf.int32, [])
    queues = [tf.FIFOQueue(3, tf.int32, shapes=[[]]) for _ in range(3)]
    chosen = tf.QueueBase.from_list(index, queues)
    with tf.Session() as sess:
        sess.run(chosen.enqueue(6), {index: 1})
        wide = tf.QueueBase.from_list(0, [queues[0], tf.FIFOQueue(3, tf.int32, shapes=[[2]])])
        return [
            graph_of(tf), [sess.run(queue.size()) for queue in queues], chosen.name, str(chosen.shapes), str(wide.shapes),
            attempt(lambda: tf.QueueBase.from_list(0, [])), attempt(lambda: tf.QueueBase.from_list(0, [queues[0], 1])),
            attempt(lambda: tf.QueueBase.from_list(0, [queues[0], tf.FIFOQueue(3, tf.float32)])),
            attempt(lambda: tf.QueueBase.from_list(0, [queues[0], tf.FIFOQueue(3, tf.int32, names=["a"])])),
        ]  # fmt: skip


@program
def in_one_run(tf, np):
    queue = tf.FIFOQueue(3, tf.int32, shapes=[[]])
    put, taken = queue.enqueue(4), queue.dequeue()
    with tf.Session() as sess:
        return [sess.run([taken, put]) for _ in range(3)] + [sess.run(queue.size())]


# -- accumulators --------------------------------------------------------------------------------------------------------


@program
def dense_accumulators(tf, np):
    results = []
    for how in ("MEAN", "SUM"):
        with tf.Graph().as_default(), tf.Session() as sess:
            acc = tf.ConditionalAccumulator(tf.float32, shape=[2], name="acc", reduction_type=how)
            first, second = acc.apply_grad([1.0, 2.0], local_step=0), acc.apply_grad([3.0, 5.0], local_step=1)
            one, two, count = acc.take_grad(1), acc.take_grad(2), acc.num_accumulated()
            answers = [graph_of(tf), acc.name, acc.dtype, str(acc.accumulator_ref), str(one)]
            for fetch in (first, second, count, two, first, count, second, one, acc.set_global_step(3), second, count):
                answers.append(sess.run(fetch))
            results.append(answers)
    return results


@program
def what_dense_accumulators_refuse(tf, np):
    acc = tf.ConditionalAccumulator(tf.float32, shape=[2])
    free = tf.ConditionalAccumulator(tf.float64)
    x = tf.placeholder(tf.float32)
    wrong = acc.apply_grad(x, local_step=9)
    with tf.Session() as sess:
        sess.run(free.apply_grad([1.0, 2.0]))
        return [
            attempt(f)
            for f in (
                lambda: sess.run(wrong, {x: [1.0, 2.0, 3.0]}),
                lambda: sess.run(free.apply_grad([1.0, 2.0, 3.0])),
                lambda: acc.apply_grad([1.0, 2.0, 3.0]),
                lambda: sess.run(acc.take_grad(0)),
                lambda: tf.ConditionalAccumulator(tf.float32, reduction_type="MAX"),
                lambda: sess.run(free.take_grad(1)),
            )
        ]


@program
def sparse_accumulators(tf, np):
    results = []
    for how in ("MEAN", "SUM"):
        with tf.Graph().as_default(), tf.Session() as sess:
            acc = tf.SparseConditionalAccumulator(tf.float32, shape=[4, 2], reduction_type=how, name="acc")

            def add(indices, values, shape=None, sess=sess, acc=acc):
                sess.run(acc.apply_grad(indices, values, shape, local_step=9))

            take = acc.take_grad(1)
            add([1, 3], [[1.0, 2.0], [3.0, 4.0]])
            add([0, 1], [[1.0, 1.0], [5.0, 6.0]])
            results.append([sess.run(acc.num_accumulated()), list(sess.run(take))])
            add([3, 1], [[1.0, 2.0], [3.0, 4.0]])
            add([1, 2], [[1.0, 1.0], [5.0, 6.0]])
            results.append(list(sess.run(take)))
            add([1, 1], [[1.0, 1.0], [2.0, 2.0]])
            add([1], [[5.0, 5.0]], [4, 2])
            results.append(list(sess.run(take)))
            slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([3]), tf.constant([4, 2]))
            sess.run(acc.apply_indexed_slices_grad(slices, local_step=10))
            taken = sess.run(acc.take_indexed_slices_grad(1))
            results.append([graph_of(tf), taken.indices, taken.values, taken.dense_shape])
    return results


@program
def what_sparse_accumulators_refuse(tf, np):
    acc = tf.SparseConditionalAccumulator(tf.float32, shape=[4, 2])
    free = tf.SparseConditionalAccumulator(tf.float32)

    def open_(value):
        return tf.placeholder_with_default(value, None)

    with tf.Session() as sess:

        def add(indices, values, shape=None, to=acc):
            return attempt(lambda: sess.run(to.apply_grad(indices, values, shape)))

        add([1], [[1.0, 1.0]], to=free)
        return [
            add(open_(np.array([1, 2])), open_([[1.0, 1.0]])),
            add([1], open_([[1.0, 1.0, 3.0]])),
            add([1], [[1.0, 1.0]], open_(np.array([5, 2]))),
            add(open_(np.array([[1]])), [[1.0, 1.0]]),
            add([1], open_(np.float32(1))),
            add([7], [[1.0, 1.0]], [4, 2]),
            add([1], open_([[1.0, 1.0, 3.0]]), to=free),
            list(sess.run(free.take_grad(1))),
        ]


# -- staging areas -------------------------------------------------------------------------------------------------------


@program
def staging_areas(tf, np):
    staging_area = tf.contrib.staging.StagingArea

    with tf.name_scope("scope"):
        area = staging_area([tf.float32, tf.int32], shapes=[[2], []])
        put = area.put([tf.constant([1.0, 2.0]), tf.constant(3)])
        again = area.put((tf.constant([4.0, 5.0]), tf.constant(6)), name="again")
        taken, looked, size, clear = area.get(), area.peek(1), area.size(), area.clear()
    named = staging_area([tf.float32], names=["x"], capacity=2, shared_name="mine")
    put_named, get_named = named.put({"x": tf.constant(7.0)}), named.get("get")
    with tf.Session() as sess:
        answers = [graph_of(tf), area.name, named.name, named.capacity, named.memory_limit, str(taken), str(get_named)]
        for fetch in (size, put, again, size, looked, taken, size, clear, size, put_named, get_named):
            answers.append(sess.run(fetch))
        answers.append(sess.run([put, taken]))
        return answers


@program
def what_staging_areas_refuse(tf, np):
    staging_area = tf.contrib.staging.StagingArea

    area, named = staging_area([tf.float32, tf.int32], shapes=[[2], []]), staging_area([tf.float32], names=["x"])
    small, one = staging_area([tf.float32], memory_limit=8), tf.constant(1)
    with tf.Session() as sess:
        return [
            attempt(f)
            for f in (
                lambda: sess.run(small.put([tf.constant([1.0, 2.0, 3.0])])),
                lambda: small.put([one]),
                lambda: area.put([tf.constant([1.0]), one]),
                lambda: area.put([tf.constant([1.0, 2.0]), one, one]),
                lambda: area.put([]),
                lambda: area.put([[1.0, 2.0], 3]),
                lambda: area.put({"a": one}),
                lambda: named.put(one),
                lambda: named.put({"y": one}),
                lambda: staging_area([tf.float32], shapes=[[], []]),
                lambda: staging_area([tf.float32], names=["a", "b"]),
            )
        ]


@program
def priority_queues_give_waiting_dequeues_the_lowest_numbers(tf, np):
    """A dequeue of many takes nothing before it can take all."""
    results = []
    for ends in (False, True):
        queue = tf.PriorityQueue(-1, [tf.int32], [[]], shared_name="q")
        numbers = tf.placeholder(tf.int64, [None])
        put, taken, size, close = queue.enqueue_many([numbers, tf.cast(numbers, tf.int32)]), queue.dequeue_many(3), queue.size(), queue.close()
        with tf.Session() as sess:
            found = []
            thread = threading.Thread(target=lambda sess=sess, taken=taken, found=found: found.append(attempt(lambda: sess.run(taken))))
            thread.start()
            time.sleep(0.2)
            sess.run(put, {numbers: [5, 2]})
            results.append(sess.run(size))
            sess.run(close if ends else put, {} if ends else {numbers: [1]})
            thread.join(10)
            results += [found, sess.run(size)]
    return results


@program
def refused_counts(tf, np):
    queue = tf.FIFOQueue(9, tf.int32, shapes=[[]])
    return [
        attempt(lambda: queue.dequeue_many(-1)), attempt(lambda: queue.dequeue_up_to(-1)),
        attempt(lambda: [queue.dequeue_many([2]).shape, queue.dequeue_many(2).shape]),
    ]  # fmt: skip


@program
def an_enqueue_of_more_than_the_queue_holds_beside_dequeues(tf, np):
    """The elements go in one by one, as dequeues of the same run make room; a dequeue of many takes them likewise."""
    results = []
    for kind in ("FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue"):
        given = {"capacity": 3, "seed": 3, "min_after_dequeue": 1} if kind == "RandomShuffleQueue" else {"capacity": 2}

        def made(kind=kind, given=given):
            return getattr(tf, kind)(dtypes=[tf.int32], shapes=[[]], **given)

        queue = made()
        first = queue.dequeue()
        with tf.control_dependencies([first]):
            second = queue.dequeue()
        one_by_one = [queue.enqueue_many([[1, 2, 3, 4]]), first, second]
        queue = made()
        many = [queue.enqueue_many([[1, 2, 3, 4, 5]]), queue.dequeue_many(4)]
        queue = made()
        up_to = [queue.enqueue_many([[1, 2, 3, 4, 5]]), queue.dequeue_up_to(4)]
        queue = made()
        singles = [queue.dequeue_many(3), *[queue.enqueue(5) for _ in range(4)]]
        with tf.Session() as sess:
            results += [sess.run(fetches) for fetches in (one_by_one, many, up_to)]
            results.append(sess.run(singles)[0])
    return results


@program
def a_loop_takes_what_an_enqueue_of_the_same_run_puts_in(tf, np):
    queue = tf.FIFOQueue(1, tf.int32, shapes=[[]])
    put = queue.enqueue_many([list(range(10))])
    total = tf.while_loop(lambda i, total: i < 10, lambda i, total: (i + 1, total * 2 + queue.dequeue()), [0, 0], parallel_iterations=1)
    with tf.Session() as sess:
        return [sess.run([put, total])[1], sess.run(queue.size())]


@program
def an_enqueue_that_a_run_gives_up(tf, np):
    """What it has put in stays."""
    queue = tf.FIFOQueue(2, tf.int32, shapes=[[]])
    put, taken, size = queue.enqueue_many([[1, 2, 3, 4]]), queue.dequeue(), queue.size()
    with tf.control_dependencies([taken]):
        close = queue.close(cancel_pending_enqueues=True)
    soon = tf.RunOptions(timeout_in_ms=500)
    with tf.Session() as sess:
        late = attempt(lambda: sess.run([put, taken], options=soon))
        results = [late, sess.run(size), drained(sess, queue)]
        closed = attempt(lambda: sess.run([put, close]))
        return [*results, closed, sess.run(size), sess.run(queue.is_closed())]


@program
def a_close_of_the_same_run_ends_an_enqueue_that_waits(tf, np):
    """Whether the enqueue has begun by then or not: so the texts are left out."""
    results = []
    for many in (False, True):
        queue = tf.FIFOQueue(1, tf.int32, shapes=[[]])
        with tf.control_dependencies([queue.enqueue(1)]):
            put = queue.enqueue_many([[2, 3]]) if many else queue.enqueue(2)
            close = queue.close(cancel_pending_enqueues=True)
        with tf.Session() as sess:
            try:
                sess.run([put, close], options=tf.RunOptions(timeout_in_ms=20_000))
            except tf.errors.CancelledError as error:
                results.append(error.op is put)
    return results


@program
def no_elements_wait_for_nothing(tf, np):
    full = tf.FIFOQueue(1, tf.int32, shapes=[[]])
    nothing = np.zeros([0], np.int32)
    put = full.enqueue_many([[1, 2, 3]])
    with tf.control_dependencies([full.enqueue_many([nothing])]):
        taken = full.dequeue_many(2)
    few = tf.RandomShuffleQueue(5, 3, tf.int32, shapes=[[]], seed=1)
    closed = tf.FIFOQueue(1, tf.int32, shapes=[[]])
    with tf.control_dependencies([closed.close()]):
        late = [closed.enqueue_many([nothing]), closed.dequeue_many(0)]
    soon = tf.RunOptions(timeout_in_ms=20_000)
    with tf.Session() as sess:
        return [
            sess.run([put, taken], options=soon), sess.run([few.dequeue_many(0), few.enqueue(1)], options=soon),
            sess.run(late, options=soon),
        ]  # fmt: skip


@program
def a_run_in_parts_that_waits_at_a_queue(tf, np):
    """A step ends when it has what it fetches; what waits goes on with the feeds of later steps."""
    queue = tf.FIFOQueue(1, tf.int32, shapes=[[]])
    elements, x = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [])
    first, put = queue.dequeue(), queue.enqueue_many([elements])
    with tf.control_dependencies([put]):
        done = tf.constant(5)
    with tf.control_dependencies([x + 1]):
        rest = queue.dequeue_many(2)
    with tf.Session() as sess:
        handle = sess.partial_run_setup([first, rest, done], [elements, x])
        steps = [sess.partial_run(handle, first, {elements: [1, 2, 3, 4]}), sess.partial_run(handle, [rest, done], {x: 4})]
        return [steps, sess.run(queue.size())]


@program
def a_python_function_runs_a_dequeue_while_an_enqueue_of_the_outer_run_waits(tf, np):
    queue = tf.FIFOQueue(1, tf.int32, shapes=[[]])
    sess = tf.Session()
    taken = queue.dequeue()
    put = queue.enqueue_many([[1, 2, 3]])
    first = tf.py_func(lambda: sess.run(taken), [], tf.int32)
    with tf.control_dependencies([first]):
        second = tf.py_func(lambda: sess.run(taken), [], tf.int32)
    return [sess.run([put, first, second]), sess.run(queue.size())]
