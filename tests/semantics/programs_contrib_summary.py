"""tf.contrib.summary: the nodes that write summaries, the events that they write, and what is refused."""

import os

from harness import attempt, graph_of, in_folder, program


def numbers(tf, value):
    """A value of a Summary without bytes that depend on the compressor."""
    kind = value.WhichOneof("value")
    found = getattr(value, kind)
    if kind == "image":
        found = [found.height, found.width, found.colorspace]
    elif kind == "audio":
        found = [found.sample_rate, found.num_channels, found.length_frames, found.encoded_audio_string, found.content_type]
    elif kind == "histo":
        found = [found.min, found.max, found.num, found.sum, found.sum_squares, list(found.bucket_limit), list(found.bucket)]
    elif kind == "tensor":
        found = [found.dtype, [d.size for d in found.tensor_shape.dim], found.tensor_content, list(found.string_val)]
    plugin = value.metadata.plugin_data
    return [value.tag, kind, found, value.metadata.display_name, plugin.plugin_name, plugin.content]


def events(tf, folder):
    """What the event files of a folder hold, without times; and the ends of the files' names."""
    files = sorted(os.listdir(folder))
    found = []
    for name in files:
        for event in tf.train.summary_iterator(os.path.join(folder, name)):
            found.append([event.WhichOneof("what"), event.step, [numbers(tf, v) for v in event.summary.value], event.graph_def != b""])
    return [[name.rpartition(".")[2] for name in files], found]


def written(tf, build, step=7):
    """The nodes of one summary, what its run gives, and what the file then holds."""

    def run(folder):
        summary = tf.contrib.summary
        with tf.Graph().as_default() as graph:
            writer = summary.create_file_writer(folder)
            at = tf.train.create_global_step()
            count = len(graph.get_operations())
            with writer.as_default(), summary.always_record_summaries():
                built = attempt(lambda: build(summary))
                nodes = graph_of(tf, "T", "max_images", "max_outputs", since=count)
                if not hasattr(built, "graph"):
                    return built
                with tf.Session() as sess:
                    sess.run([at.initializer, summary.summary_writer_initializer_op()])
                    sess.run(at.assign(step))
                    result = attempt(lambda: sess.run(built))
                    sess.run(writer.close())
            return [nodes, result, events(tf, folder)]

    return in_folder(run)


@program
def a_writer(tf, np):
    summary = tf.contrib.summary
    writer = summary.create_file_writer("folder", name="w")
    other = summary.create_file_writer("folder", max_queue=3, flush_millis=100, filename_suffix=".end")
    operations = [writer.init(), writer.flush(), writer.close()]
    nothing = summary.create_file_writer(None)
    return [
        graph_of(tf, "shared_name", "container"),
        [op.name for op in operations],
        [op.name for op in summary.summary_writer_initializer_op()],
        summary.flush(other).name,
        [nothing.init(), nothing.flush(), nothing.close()],
        summary.eval_dir("/m"),
        summary.eval_dir("/m", "n"),
    ]


@program
def numbers_of_all_kinds(tf, np):
    return [
        written(tf, lambda s: s.scalar("a", 2.5)),
        written(tf, lambda s: s.scalar("a", 3, family="f")),
        written(tf, lambda s: s.scalar("a b!", [1.0, 2.0])),
        written(tf, lambda s: s.scalar("a", 2.5, step=12)),
        written(tf, lambda s: s.scalar("a", 2.5, step=tf.constant(13, tf.int64))),
        written(tf, lambda s: s.scalar("a", 2.5, step=tf.constant(13))),
        written(tf, lambda s: s.scalar("a", True)),
        written(tf, lambda s: s.scalar("a", float("nan"))),
    ]


@program
def histograms(tf, np):
    return [
        written(tf, lambda s: s.histogram("h", [1.0, 2.0, 2.0])),
        written(tf, lambda s: s.histogram("h", [1, 2], family="f")),
        written(tf, lambda s: s.histogram("h", [1.0, float("nan")])),
    ]


@program
def pictures_and_sounds(tf, np):
    return [
        written(tf, lambda s: s.image("i", tf.zeros([2, 2, 2, 3]))),
        written(tf, lambda s: s.image("i", tf.ones([1, 1, 2, 1]), max_images=1)),
        written(tf, lambda s: s.image("i", tf.ones([1, 1, 2, 3]), bad_color=tf.constant([0, 255, 0], tf.uint8))),
        written(tf, lambda s: s.image("i", tf.placeholder_with_default(tf.ones([2, 2]), None))),
        written(tf, lambda s: s.audio("u", tf.zeros([2, 3, 1]), 44100.0, 2)),
        written(tf, lambda s: s.audio("u", tf.zeros([1, 3, 2]), 8000.0, max_outputs=1)),
    ]


@program
def tensors_events_and_graphs(tf, np):
    metadata = tf.SummaryMetadata(display_name="d", plugin_data={"plugin_name": "p", "content": b"c"})
    event = tf.Event(step=3, summary=tf.Summary(value=[tf.Summary.Value(tag="z", simple_value=4.0)]))
    return [
        written(tf, lambda s: s.generic("g", tf.constant([1, 2]))),
        written(tf, lambda s: s.generic("g", tf.constant(["a"]), metadata=b"")),
        written(tf, lambda s: s.generic("g", tf.constant([[1.5]]), metadata=metadata)),
        written(tf, lambda s: s.generic("g", tf.constant(1), metadata=metadata.SerializeToString())),
        written(tf, lambda s: s.import_event(tf.constant(event.SerializeToString()))),
        written(tf, lambda s: s.import_event(tf.constant(b"\xff"))),
        written(tf, lambda s: s.graph(tf.constant(tf.GraphDef().SerializeToString()), step=2, name="mine")),
        written(tf, lambda s: s.graph(tf.constant(b"\xff"))),
        written(tf, lambda s: s.graph(3)),
        written(tf, lambda s: s.flush()),
    ]


@program
def where_nothing_is_recorded(tf, np):
    summary = tf.contrib.summary
    tf.train.create_global_step()
    without = summary.scalar("a", 1.0)
    writer = summary.create_file_writer("folder")
    with writer.as_default():
        unasked = summary.scalar("b", 1.0)
        with summary.always_record_summaries(), summary.never_record_summaries():
            refused = summary.scalar("c", 1.0)
        should = summary.should_record_summaries()
    return [without.name, unasked.name, refused.name, should.name, graph_of(tf), [s.name for s in summary.all_summary_ops()]]


@program
def every_second_step(tf, np):
    def run(folder):
        summary = tf.contrib.summary
        writer, step = summary.create_file_writer(folder), tf.train.create_global_step()
        with writer.as_default(), summary.record_summaries_every_n_global_steps(2):
            recorded = summary.scalar("loss", tf.cast(step, tf.float32))
        results = []
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), summary.summary_writer_initializer_op()])
            for _ in range(5):
                results.append(sess.run(recorded))
                sess.run(step.assign_add(1))
            sess.run(writer.flush())
            return [graph_of(tf), results, events(tf, folder)]

    return in_folder(run)


@program
def without_a_global_step(tf, np):
    summary = tf.contrib.summary
    with summary.create_file_writer("folder").as_default(), summary.always_record_summaries():
        first = summary.scalar("a", 1.0, step=3)
        names = [v.op.name for v in tf.global_variables()]
        second = summary.scalar("b", 1.0)
    return [first.name, names, second.name, [v.op.name for v in tf.global_variables()]]


@program
def in_branches_and_loops(tf, np):
    def run(folder):
        summary = tf.contrib.summary
        writer = summary.create_file_writer(folder)
        tf.train.create_global_step()
        p = tf.placeholder(tf.bool, [], name="p")

        def branch():
            summary.scalar("taken", 1.0)
            return [tf.constant(2.0), tf.constant(3)]

        def body(i, x):
            summary.scalar("i", tf.cast(i, tf.float32), step=tf.cast(i, tf.int64))
            return i + 1, x * 2.0

        with writer.as_default(), summary.always_record_summaries():
            chosen = tf.cond(p, branch, lambda: [tf.constant(1.0), tf.constant(0)])
            loop = tf.while_loop(lambda i, x: i < 3, body, [0, 1.0])
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), summary.summary_writer_initializer_op()])
            results = [sess.run(chosen, {p: True}), sess.run(chosen, {p: False}), sess.run(loop)]
            sess.run(writer.flush())
            return [graph_of(tf), results, events(tf, folder), summary.all_summary_ops()]

    return in_folder(run)


@program
def writers_of_one_name_are_one(tf, np):
    def run(folder):
        summary = tf.contrib.summary
        first, second = os.path.join(folder, "first"), os.path.join(folder, "second")
        writers = [summary.create_file_writer(first, name="w"), summary.create_file_writer(second, name="w")]
        recorded = []
        for name, writer in zip("ab", writers):
            with writer.as_default(), summary.always_record_summaries():
                recorded.append(summary.scalar(name, 1.0, step=1))
        with tf.Session() as sess:
            unready = attempt(lambda: sess.run(recorded[0]))
            for op in summary.summary_writer_initializer_op():
                sess.run(op)
            for node in recorded:
                sess.run(node)
            sess.run(writers[1].close())
            return [unready, events(tf, first), os.path.exists(second), attempt(lambda: sess.run(recorded[0]))]

    return in_folder(run)


@program
def initialize(tf, np):
    def run(folder):
        summary = tf.contrib.summary
        writer, graph = summary.create_file_writer(folder), tf.get_default_graph()
        alone = attempt(lambda: summary.initialize())
        with writer.as_default(), summary.always_record_summaries():
            sessionless = attempt(lambda: summary.initialize())
            recorded = summary.scalar("a", 1.0, step=4)
            with tf.Session() as sess:
                summary.initialize(graph=graph)
                sess.run(summary.all_summary_ops())
                sess.run(writer.flush())
                same = [tf.summary.all_v2_summary_ops() == [recorded], tf.summary.initialize is not None]
        return [alone, sessionless, events(tf, folder), same]

    return in_folder(run)


@program
def an_ordinary_writer_over_a_session(tf, np):
    def run(folder):
        with tf.Session() as sess:
            writer = tf.summary.FileWriter(folder, session=sess)
            nodes = graph_of(tf)
            value = tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=3.0)])
            writer.add_summary(value, 7)
            writer.add_graph(sess.graph)
            writer.flush()
            found = events(tf, folder)
            writer.close()
            writer.close()
            return [nodes, found, attempt(lambda: writer.event_writer.flush()), writer.get_logdir() == folder]

    return in_folder(run)
