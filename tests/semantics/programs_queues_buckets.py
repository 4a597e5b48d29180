"""tf.contrib.training.bucket: its nodes and runners, batches of elements of one kind, what is refused."""

from harness import fresh, program
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
