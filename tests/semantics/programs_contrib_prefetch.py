"""tf.contrib.slim.prefetch_queue: its nodes, and the batches that come out."""

from harness import program


def nodes_of(tf):
    return [(op.name, op.type, [t.name for t in op.inputs]) for op in tf.get_default_graph().get_operations()]


@program
def nodes(tf, np):
    make = tf.contrib.slim.prefetch_queue.prefetch_queue
    queues = [
        make([tf.zeros([2, 3]), tf.constant([1, 2])]),
        make({"b": tf.zeros([2, 3]), "a": tf.constant([1, 2])}, capacity=4, num_threads=2, dynamic_pad=True, name="mine"),
    ]
    return [nodes_of(tf), [queue.name for queue in queues], sorted(queues[1].dequeue()), len(tf.get_collection("queue_runners"))]


@program
def batches(tf, np):
    count = tf.assign_add(tf.Variable(0), 1)
    queue = tf.contrib.slim.prefetch_queue.prefetch_queue({"n": count * 2})
    following = queue.dequeue()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coordinator)
        found = [sess.run(following)["n"] for _ in range(4)]
        coordinator.request_stop()
        coordinator.join(threads)
    return found
