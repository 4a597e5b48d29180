"""tf.contrib.slim's data: data sets of files, parallel readers, decoders of examples and their handlers."""

import functools
import os

from harness import attempt, graph_of, in_folder, program, signature_text

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x02\x00\x00\x00\x01\x08\x02\x00\x00\x00{@\xe8\xdd\x00\x00\x00\x0f"
    b"IDATx\x9cc`d`bfa\x05\x00\x00?\x00\x16\xf8\x1e\xdd\xd8\x00\x00\x00\x00IEND\xaeB`\x82"
)


def feature(tf, values):
    if isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def example(tf, **features):
    named = {name.replace("__", "/"): feature(tf, values) for name, values in features.items()}
    return tf.train.Example(features=tf.train.Features(feature=named)).SerializeToString()


def files(tf, folder, count=3):
    """Two files of records: image, format, label."""
    for name, numbers in (("a.tfrecord", range(count)), ("b.tfrecord", range(count, 2 * count))):
        with tf.python_io.TFRecordWriter(os.path.join(folder, name)) as writer:
            for n in numbers:
                raw = bytes(bytearray([n, n + 1, n + 2, 7, 8, 9]))
                writer.write(example(tf, image__encoded=[raw], image__format=[b"raw"], label=[n]))
    return os.path.join(folder, "*.tfrecord")


def dataset(tf, pattern):
    slim = tf.contrib.slim
    features = {
        "image/encoded": tf.FixedLenFeature((), tf.string, default_value=""),
        "image/format": tf.FixedLenFeature((), tf.string, default_value="png"),
        "label": tf.FixedLenFeature([], tf.int64, default_value=tf.zeros([], dtype=tf.int64)),
    }
    handlers = {
        "image": slim.tfexample_decoder.Image(shape=[1, 2, 3]),
        "label": slim.tfexample_decoder.Tensor("label"),
    }
    decoder = slim.tfexample_decoder.TFExampleDecoder(features, handlers)
    return slim.dataset.Dataset(
        pattern, tf.TFRecordReader, decoder, 6, {"image": "pixels", "label": "digit"}, classes=10
    )


@program
def signatures(tf, np):
    slim = tf.contrib.slim
    made = [
        slim.dataset.Dataset, slim.data_provider.DataProvider, slim.dataset_data_provider.DatasetDataProvider,
        slim.parallel_reader.ParallelReader, slim.tfexample_decoder.BackupHandler, slim.tfexample_decoder.BoundingBox,
        slim.tfexample_decoder.Image, slim.tfexample_decoder.ItemHandler, slim.tfexample_decoder.ItemHandlerCallback,
        slim.tfexample_decoder.LookupTensor, slim.tfexample_decoder.SparseTensor, slim.tfexample_decoder.TFExampleDecoder,
        slim.tfexample_decoder.Tensor,
    ]  # fmt: skip
    called = [
        slim.parallel_reader.parallel_read, slim.parallel_reader.single_pass_read, slim.parallel_reader.get_data_files,
        slim.data_decoder.DataDecoder.decode, slim.data_provider.DataProvider.get,
    ]  # fmt: skip
    return [[signature_text(c.__init__) for c in made], [signature_text(c) for c in called]]


@program
def nodes(tf, np):
    def run(folder):
        provider = tf.contrib.slim.dataset_data_provider.DatasetDataProvider(
            dataset(tf, os.path.join(folder, "a.tfrecord")), num_readers=2, seed=3, shuffle=True
        )
        image, label = provider.get(["image", "label"])
        graph = [row for row in graph_of(tf) if folder not in str(row)]
        return [
            image, label, sorted(provider.list_items()), provider.num_samples(), len(graph),
            [op.name for op in tf.get_default_graph().get_operations() if not op.name.startswith("case/")],
            [[runner.name, [op.name for op in runner.enqueue_ops]] for runner in tf.get_collection("queue_runners")],
            [summary.name for summary in tf.get_collection("summaries")],
        ]  # fmt: skip

    return in_folder(run)


@program
def records_in_their_order(tf, np):
    def run(folder):
        files(tf, folder)
        data = dataset(tf, [os.path.join(folder, name) for name in ("a.tfrecord", "b.tfrecord")])
        provider = tf.contrib.slim.dataset_data_provider.DatasetDataProvider(
            data, shuffle=False, num_epochs=1
        )
        image, label, key = provider.get(["image", "label", "record_key"])
        found = []
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            try:
                while True:
                    pixels, digit, name = session.run([image, label, key])
                    found.append([pixels, digit, os.path.basename(name.decode())])
            except tf.errors.OutOfRangeError:
                coordinator.request_stop()
            coordinator.join(threads)
        return [found, data.classes, data.num_samples, data.items_to_descriptions]

    return in_folder(run)


@program
def single_pass(tf, np):
    def run(folder):
        pattern = files(tf, folder)
        key, record = tf.contrib.slim.parallel_reader.single_pass_read(pattern, tf.TFRecordReader)
        found = []
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            try:
                while True:
                    found.append(len(session.run(record)))
            except tf.errors.OutOfRangeError:
                coordinator.request_stop()
            coordinator.join(threads)
        return [key.name, record.name, found]

    return in_folder(run)


@program
def handlers(tf, np):
    decoders = tf.contrib.slim.tfexample_decoder
    table = tf.contrib.lookup.index_table_from_tensor(["cat", "dog"], default_value=-1)
    record = example(
        tf, whole=[1, 2, 3, 4], size=[2], more=[2], some=[5.0, 6.0], words=[b"dog", b"cow"], picture=[PNG], form=[b"png"],
        box__ymin=[0.1, 0.2], box__xmin=[0.3, 0.4], box__ymax=[0.5, 0.6], box__xmax=[0.7, 0.8], places=[0, 2], values=[1.5, 2.5],
    )  # fmt: skip
    features = {
        "whole": tf.VarLenFeature(tf.int64), "size": tf.VarLenFeature(tf.int64), "more": tf.FixedLenFeature([1], tf.int64),
        "some": tf.FixedLenFeature([2], tf.float32), "words": tf.VarLenFeature(tf.string),
        "picture": tf.FixedLenFeature([], tf.string), "form": tf.FixedLenFeature([], tf.string),
        "box/ymin": tf.VarLenFeature(tf.float32), "box/xmin": tf.VarLenFeature(tf.float32),
        "box/ymax": tf.VarLenFeature(tf.float32), "box/xmax": tf.VarLenFeature(tf.float32),
        "places": tf.VarLenFeature(tf.int64), "values": tf.VarLenFeature(tf.float32), "none": tf.VarLenFeature(tf.int64),
    }  # fmt: skip
    items = {
        "dense": decoders.Tensor("whole"),
        "shaped": decoders.Tensor("whole", shape=[2, 2]),
        "by sizes": decoders.Tensor("whole", shape_keys=["size", "more"]),
        "fixed": decoders.Tensor("some"),
        "numbers of words": decoders.LookupTensor("words", table),
        "boxes": decoders.BoundingBox(prefix="box/"),
        "called": decoders.ItemHandlerCallback(["some", "more"], lambda parts: parts["some"] * 2.0),
        "image": decoders.Image("picture", "form"),
        "image of one": decoders.Image("picture", "form", channels=1, shape=[1, 2, 1]),
        "sparse": decoders.SparseTensor("places", "values", shape=[4], densify=True),
        "backup": decoders.BackupHandler(decoders.Tensor("none"), decoders.Tensor("whole")),
    }
    decoder = decoders.TFExampleDecoder(features, items)
    names = sorted(items)
    fed = tf.placeholder(tf.string, [], name="record")
    outputs = decoder.decode(fed, names)
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        values = [attempt(functools.partial(session.run, output, {fed: record})) for output in outputs]
    return [[name, output.name, output.shape, value] for name, output, value in zip(names, outputs, values)]


@program
def refusals(tf, np):
    slim = tf.contrib.slim
    decoders = slim.tfexample_decoder
    return [attempt(call) for call in (
        lambda: slim.parallel_reader.get_data_files([]),
        lambda: decoders.Tensor("a", shape_keys="b", shape=[1]),
        lambda: decoders.BoundingBox(["a", "b"]),
        lambda: decoders.BackupHandler(1, decoders.Tensor("a")),
        lambda: slim.parallel_reader.ParallelReader(tf.TFRecordReader, tf.FIFOQueue(1, [tf.string])),
    )]  # fmt: skip
