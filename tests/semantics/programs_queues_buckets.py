"""tf.contrib.training.bucket: its nodes and runners, batches of elements of one kind, what is refused."""

from harness import attempt, fresh, program
from programs_queues_input import built, read_all


def element(tf):
    return [tf.placeholder(tf.float32, [3]), tf.placeholder(tf.int32, [])]


def which(tf, dtype="int32"):
    return tf.placeholder(dtype, [], name="which")


@program
def nodes_of_buckets(tf, np):
    make = tf.contrib.training.bucket

    def settings():
        number, batch = make(
            {"b": element(tf)[0], "a": element(tf)[1]}, which(tf), batch_size=[2, tf.placeholder(tf.int32, [])], num_buckets=2,
            num_threads=2, capacity=9, bucket_capacities=[5, 6], allow_smaller_final_batch=True, shared_name="sh", name="nm",
            keep_input=tf.placeholder(tf.bool, []),
        )  # fmt: skip
        return [number.name, batch["a"].name, batch["b"].name]

    def of_sparse():
        return make([tf.SparseTensor([[0, 1]], [5.0], [2, 3])], which(tf), 2, 2)[1].values.name

    by_length = tf.contrib.training.bucket_by_sequence_length
    return {
        "two": built(tf, lambda: make(element(tf), which(tf), 2, 2)), "all settings": built(tf, settings),
        "padded": built(tf, lambda: make([tf.placeholder(tf.float32, [None])], which(tf), [2, 2], 2, dynamic_pad=True)),
        "sparse": built(tf, of_sparse), "by length": built(tf, lambda: by_length(which(tf), element(tf), 2, [3, 5])),
    }  # fmt: skip


@program
def refused_buckets(tf, np):
    make, by_length = tf.contrib.training.bucket, tf.contrib.training.bucket_by_sequence_length
    calls = {
        "no tensors": lambda: make([], which(tf), 2, 2), "sizes": lambda: make(element(tf), which(tf), [2], 2),
        "capacities": lambda: make(element(tf), which(tf), 2, 2, bucket_capacities=[3]),
        "a negative size": lambda: make(element(tf), which(tf), -2, 2),
        "no rank": lambda: make([tf.placeholder(tf.float32)], which(tf), 2, 2),
        "a float as bucket": lambda: make(element(tf), which(tf, "float32"), 2, 2),
        "keep a vector": lambda: make(element(tf), which(tf), 2, 2, keep_input=tf.constant([True])),
        "no boundaries": lambda: by_length(which(tf), element(tf), 2, []),
        "falling boundaries": lambda: by_length(which(tf), element(tf), 2, [3, 2]),
        "equal boundaries": lambda: by_length(which(tf), element(tf), 2, [3, 3]),
        "one boundary": lambda: by_length(which(tf), element(tf), 2, 3),
        "length of int64": lambda: by_length(which(tf, "int64"), element(tf), 2, [3]),
    }  # fmt: skip
    return {label: fresh(tf, call) for label, call in calls.items()}


@program
def values_of_buckets(tf, np):
    def parity():
        number = tf.train.range_input_producer(8, num_epochs=1, shuffle=False).dequeue()
        return tf.contrib.training.bucket([number, number * 10], number % 2, 2, 2)

    def lengths():
        number = tf.train.range_input_producer(6, num_epochs=1, shuffle=False).dequeue()
        return tf.contrib.training.bucket_by_sequence_length(
            number, [tf.fill([number], number)], 2, [3], dynamic_pad=True, allow_smaller_final_batch=True
        )

    results = {}
    for label, make in {"parity": parity, "lengths": lengths}.items():
        found, *rest = fresh(tf, lambda make=make: read_all(tf, make()))
        # threads decide which bucket comes first
        *batches, end = found
        results[label] = [sorted(batches, key=lambda batch: repr([np.asarray(x).tolist() for x in batch])), end[0], rest]
    return results


def pieces(tf, saver_or_batch, batch, steps=12):
    """What the batches hold, each of which saves its states plus one, and the class of the error at the end."""
    saved = batch.save_state("s", batch.state("s") + 1.0)
    parts = [
        batch.key, batch.next_key, batch.length, batch.total_length, batch.sequence, batch.sequence_count, batch.insertion_index,
        batch.sequences["x"], batch.context["c"], batch.state("s"), batch.batch_size,
    ]  # fmt: skip
    found = []
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        if saver_or_batch is not batch:
            for _ in range(4):
                sess.run(saver_or_batch.prefetch_op)
            sess.run(saver_or_batch.close())
        for _ in range(steps):
            try:
                found.append(sess.run([parts, saved])[0])
            except tf.errors.OutOfRangeError:
                found.append("the end")
                break
        coord.request_stop()
        coord.join(threads)
    return found


def sequence(tf):
    number = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    length = number + 2
    return number, length, tf.stack([tf.range(length), tf.fill([length], number)], 1)


@program
def sequences_in_pieces_with_their_states(tf, np):
    number, length, x = sequence(tf)
    x = tf.pad(x, [[0, tf.floormod(length, 2)], [0, 0]])
    saver = tf.contrib.training.SequenceQueueingStateSaver(
        2, 2, length, tf.as_string(number), {"x": x}, {"c": number}, {"s": tf.zeros([3])}, allow_small_batch=True
    )
    batch = saver.next_batch
    names = [saver.name, saver.barrier.name, saver.prefetch_op.name, batch.key.name, saver.close(True, "ended").name]
    shapes = [str(batch.sequences["x"].shape), str(batch.context["c"].shape), str(batch.state("s").shape)]
    return [names, shapes, pieces(tf, saver, batch)]


@program
def batches_of_padded_pieces(tf, np):
    number, length, x = sequence(tf)
    batch = tf.contrib.training.batch_sequences_with_states(
        tf.as_string(number), {"x": x}, {"c": number}, length, {"s": tf.zeros([1])}, 2, 2, num_threads=1, capacity=10
    )
    # what 1.15 does with the last, smaller batches, depends on when its threads end
    return [pieces(tf, batch, batch, 3), len(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS))]


@program
def what_state_savers_refuse(tf, np):
    def made(**changed):
        given = {
            "batch_size": 2, "num_unroll": 2, "input_length": 3, "input_key": "k", "input_sequences": {"x": tf.zeros([4])},
            "input_context": {"c": 1}, "initial_states": {"s": 0.0}, **changed,
        }  # fmt: skip
        return tf.contrib.training.SequenceQueueingStateSaver(**given)

    def filled(**changed):
        saver = made(**changed)
        with tf.Session() as sess:
            sess.run(saver.prefetch_op)
            return sess.run([saver.barrier.ready_size(), saver.barrier.incomplete_size()])

    def of(shape):
        return tf.placeholder(tf.float32, shape)

    def tried(f):
        with tf.Graph().as_default():
            return attempt(f)

    return [
        tried(lambda: made(input_key=5)), tried(lambda: made(initial_states={})), tried(lambda: made(input_sequences={})),
        tried(lambda: made(input_length=3.0)), tried(lambda: made(input_length=[3])), tried(lambda: made(input_key=["a"])),
        tried(lambda: made(input_sequences={"x": of(None)})), tried(lambda: made(input_sequences={"x": of([None, None])})),
        tried(lambda: made(input_context={"x": of([None])})), tried(lambda: made(initial_states={"x": of([None])})),
        tried(lambda: made().next_batch.state("q")), tried(lambda: made().next_batch.save_state("q", 1.0)),
        tried(lambda: filled()), tried(lambda: filled(input_length=0)), tried(lambda: filled(input_length=5)).classes[0],
    ]  # fmt: skip
