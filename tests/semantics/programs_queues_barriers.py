"""Barriers: which elements are whole, which come out and in which order, what closing does, and what they refuse."""

import threading
import time

from harness import attempt, graph_of, program


def barrier_of(tf):
    """Barrier, which has no public name."""
    if tf.__name__ == "tfedu":
        from tfedu.legacy.modules import data_flow_ops
    else:
        from tensorflow.python.ops import data_flow_ops

    return data_flow_ops.Barrier


class Pairs:
    """A barrier of pairs of numbers in a session: each call runs its node."""

    def __init__(self, tf):
        self.barrier = barrier_of(tf)((tf.int32, tf.int32), shapes=((), ()), shared_name="pairs")
        self.sess = tf.Session()

    def put(self, component, keys, values=None):
        node = self.barrier.insert_many(component, list(keys), values or list(range(len(keys))))
        return attempt(lambda: self.sess.run(node))

    def take(self, n, small=False):
        taken = self.barrier.take_many(n, small)
        return attempt(lambda: list(self.sess.run(taken)))

    def close(self, cancel=False):
        node = self.barrier.close(cancel)
        return attempt(lambda: self.sess.run(node))

    def sizes(self):
        return self.sess.run([self.barrier.ready_size(), self.barrier.incomplete_size()])


@program
def its_nodes(tf, np):
    make = barrier_of(tf)
    with tf.name_scope("scope"):
        barrier = make((tf.float32, tf.int32), shapes=((), (2,)))
        barrier.insert_many(0, ["a", "b"], [1.0, 2.0])
        barrier.insert_many(1, ["a"], [[1, 2]], name="put")
        taken = [barrier.take_many(2), barrier.take_many(tf.placeholder(tf.int32, [])), barrier.take_many(2, True)]
        taken.append(barrier.take_many(3, name="take"))
        sizes = [barrier.ready_size(), barrier.incomplete_size()]
        closes = [barrier.close().name, barrier.close(True, name="end").name]
    open_shapes = make(tf.float32, shared_name="mine").take_many(3)
    one_shape = make((tf.float32,), shapes=(3,)).take_many(2)
    given = [barrier.name, str(barrier.barrier_ref), str(taken), str(sizes), closes, str(open_shapes), str(one_shape)]
    return [graph_of(tf), given]


@program
def references(tf, np):
    handles = [barrier_of(tf)((tf.int32,), shared_name="mine").barrier_ref]
    with tf.container("box"):
        handles.append(tf.raw_ops.Barrier(component_types=[tf.int32], shapes=[[]], shared_name="b"))
        handles.append(tf.raw_ops.FIFOQueue(component_types=[tf.int32], shared_name="q"))
    with tf.Session() as sess:
        return [[sess.run(handle), sess.run(tf.identity(handle))] for handle in handles]


@program
def elements_in_parts(tf, np):
    pairs = Pairs(tf)
    results = [pairs.put(0, "ab"), pairs.sizes(), pairs.put(0, "ab"), pairs.sizes(), pairs.put(1, "bc"), pairs.sizes()]
    results += [pairs.put(1, "a"), pairs.sizes(), pairs.put(0, "a"), pairs.sizes()]
    results += [pairs.take(2), pairs.sizes(), pairs.take(0)]
    return [*results, pairs.put(1, "xcy"), pairs.sizes(), pairs.put(1, "ww"), pairs.sizes()]


@program
def the_oldest_key_comes_out_first(tf, np):
    pairs = Pairs(tf)
    results = [pairs.put(0, [f"k{i}"], [i]) for i in range(6)]
    results += [pairs.put(1, [f"k{i}"], [10 * i]) for i in (4, 2, 5, 0)]
    results += [pairs.take(2), pairs.take(2), pairs.put(0, ["b", "k1", "c"]), pairs.put(0, ["d"]), pairs.put(1, ["b", "d"])]
    return [*results, pairs.take(2)]


@program
def one_component(tf, np):
    barrier = barrier_of(tf)((tf.string,), shapes=((),))
    put = barrier.insert_many(0, ["a", "b", "a"], ["1", "2", "3"])
    with tf.Session() as sess:
        sess.run(put)
        return [list(sess.run(barrier.take_many(3))), sess.run([barrier.ready_size(), barrier.incomplete_size()])]


@program
def closed(tf, np):
    pairs = Pairs(tf)
    results = [pairs.put(0, [f"k{i}"], [i]) for i in range(6)] + [pairs.put(1, [f"k{i}"], [i]) for i in (4, 2, 5)]
    results += [pairs.close(), pairs.sizes(), pairs.put(0, ["new"]), pairs.sizes(), pairs.put(1, ["k1", "new"]), pairs.sizes()]
    results += [pairs.take(9), pairs.put(1, ["k3", "k0"]), pairs.sizes(), pairs.take(9), pairs.put(1, ["k1"])]
    results += [pairs.take(1), pairs.take(9, True), pairs.take(9, True), pairs.take(1), pairs.take(0), pairs.take(0, True)]
    return [*results, pairs.close(), pairs.close(True), pairs.close(True), pairs.put(1, ["k1"])]


@program
def closed_with_elements_that_miss_components(tf, np):
    pairs = Pairs(tf)
    results = [pairs.put(0, "ab"), pairs.put(1, "a"), pairs.close(), pairs.sizes(), pairs.take(3), pairs.take(3, True)]
    return [*results, pairs.sizes(), pairs.take(1, True), pairs.take(2), pairs.put(0, "b"), pairs.put(1, "b"), pairs.take(1)]


@program
def closed_with_cancels(tf, np):
    pairs = Pairs(tf)
    results = [pairs.put(0, "abcd"), pairs.put(1, "db"), pairs.close(True), pairs.sizes(), pairs.put(1, "a"), pairs.put(1, "d")]
    return [*results, pairs.take(3), pairs.take(1), pairs.take(2, True), pairs.take(1), pairs.close(), pairs.close(True)]


def while_a_take_waits(tf, n, small, steps):
    """What a take gives that began before these steps, and the sizes after each."""
    pairs, taken = Pairs(tf), []
    thread = threading.Thread(target=lambda: taken.append(pairs.take(n, small)))
    nodes = [step(pairs.barrier) for step in steps]
    sizes = [pairs.barrier.ready_size(), pairs.barrier.incomplete_size()]
    thread.start()
    time.sleep(0.2)
    results = []
    for node in nodes:
        results.append(attempt(lambda node=node: pairs.sess.run(node)))
        time.sleep(0.05)
        results.append(pairs.sess.run(sizes))
    thread.join(10)
    return [results, taken]


@program
def a_take_that_waits(tf, np):
    first, second = (lambda b: b.insert_many(0, ["a", "b"], [1, 2])), (lambda b: b.insert_many(1, ["b"], [3]))
    last, close, cancel = (lambda b: b.insert_many(1, ["a"], [4])), (lambda b: b.close()), (lambda b: b.close(True))
    return [
        while_a_take_waits(tf, 2, False, [first, second, last]),
        while_a_take_waits(tf, 2, True, [first, second, last]),
        while_a_take_waits(tf, 2, False, [first, second, close, last]),
        while_a_take_waits(tf, 2, False, [first, second, cancel]),
        while_a_take_waits(tf, 3, False, [first, second, last, close]),
        while_a_take_waits(tf, 3, False, [close]),
    ]


@program
def what_nodes_refuse(tf, np):
    make, raw = barrier_of(tf), tf.raw_ops
    with tf.Session() as sess:
        barrier = make((tf.float32, tf.int32), shapes=((), (2,)), shared_name="refuses")

        def put(index, value):
            return sess.run(raw.BarrierInsertMany(handle=barrier.barrier_ref, keys=["q"], values=[value], component_index=index))

        def take(n, types, **given):
            return sess.run(raw.BarrierTakeMany(handle=barrier.barrier_ref, num_elements=n, component_types=types, **given))

        def size_of(**given):
            return sess.run(raw.BarrierReadySize(handle=raw.Barrier(component_types=[tf.int32], **given)))

        def mine(types, shapes, name="mine"):
            return sess.run(make(types, shapes, shared_name=name).ready_size())

        queue = raw.FIFOQueue(component_types=[tf.int32], shared_name="q")
        return [
            attempt(f)
            for f in (
                lambda: put(2, 1.0),
                lambda: put(0, 1),
                lambda: put(1, [1, 2, 3]),
                lambda: put(0, 1.0),
                lambda: sess.run([barrier.ready_size(), barrier.incomplete_size()]),
                lambda: take([1], [tf.float32, tf.int32]),
                lambda: take(1, [tf.float32]),
                lambda: take(1, [tf.float32, tf.float32]),
                lambda: take(1, [tf.float32, tf.int32], timeout_ms=5),
                lambda: size_of(),
                lambda: size_of(shapes=[[], []]),
                lambda: size_of(shapes=[[None]]),
                lambda: size_of(shapes=[[]], capacity=3),
                lambda: size_of(shapes=[[]]),
                lambda: mine((tf.int32,), ((2,),)),
                lambda: mine((tf.int32,), ((3,),)),
                lambda: mine((tf.int32, tf.int32), ((2,), ())),
                lambda: mine((tf.int32,), ((2,),), "_mine"),
                lambda: sess.run(raw.BarrierReadySize(handle=queue)),
                lambda: make(()),
                lambda: make((tf.float32,), shapes=((None,),)),
                lambda: barrier.insert_many(0, ["a", "b"], [1.0], name="p"),
                lambda: barrier.insert_many(0, "a", 1.0),
                lambda: barrier.take_many(1.5),
                lambda: barrier.take_many(1, timeout=5),
            )
        ]


@program
def empty_components(tf, np):
    return attempt(lambda: barrier_of(tf)((tf.float32,), shapes=((0,),)))
