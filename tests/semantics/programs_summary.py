"""Summaries in a graph: names, tags, families, collections, errors, and the contents of their messages."""

from harness import attempt, fresh, graph_of, program


def told(tf, data):
    """A serialized Summary as plain values."""
    return [
        [v.tag, v.WhichOneof("value"), v.simple_value, list(v.histo.bucket_limit), list(v.histo.bucket), v.metadata.display_name]
        for v in tf.Summary.FromString(data).value
    ]


@program
def names_and_tags(tf, np):
    x = tf.constant([1.0, 2.0], name="x")
    with tf.name_scope("layer"):
        tf.summary.scalar("loss", 1.0)
        tf.summary.scalar("loss", 2.0)
        tf.summary.scalar("loss", 3.0, family="train")
        with tf.name_scope("inner"):
            tf.summary.histogram("x", x)
            tf.summary.histogram("x", x, family="layer")
    tf.summary.scalar("layer/loss", 4.0)
    tf.summary.scalar("train/loss", 5.0)
    tf.summary.scalar("a loss (in %)", 6.0)
    tf.summary.scalar("//slashes/in/front", 7.0)
    tf.summary.scalar("ends/", 8.0)
    with tf.variable_scope("scope"):
        tf.summary.scalar("inside", 9.0)
    with tf.variable_scope("scope"):
        tf.summary.scalar("inside", 10.0)
    with tf.name_scope("fam"):
        tf.summary.scalar("s", 11.0, family="fam")
    graph = graph_of(tf)
    with tf.Session() as session:
        return [graph, [told(tf, session.run(s)) for s in tf.get_collection("summaries")]]


@program
def every_kind(tf, np):
    tf.summary.scalar("scalar", 1)
    tf.summary.histogram("histogram", [1.0, 2.0])
    tf.summary.image("image", np.zeros([1, 2, 2, 1], np.float32), max_outputs=2)
    tf.summary.audio("audio", np.zeros([1, 4], np.float32), 8000, max_outputs=1)
    tf.summary.text("text", tf.constant(["a", "b"]))
    tf.summary.tensor_summary("tensor", [[1, 2]], display_name="shown", summary_description="long")
    tf.summary.merge_all()
    return graph_of(tf, "max_images", "max_outputs", "N", "T")


@program
def collections(tf, np):
    a = tf.summary.scalar("a", 1.0)
    b = tf.summary.scalar("b", 1.0, collections=["mine", "yours"])
    c = tf.summary.scalar("c", 1.0, [])
    d = tf.summary.histogram("d", [1.0], ["mine"])
    m = tf.summary.merge([a, b], collections=["merged"])
    n = tf.summary.merge([c, d], name="n")
    keys = tf.GraphKeys
    return [
        [keys.SUMMARIES, keys.SUMMARY_OP],
        {k: [t.name for t in tf.get_collection(k)] for k in ("summaries", "mine", "yours", "merged", "summary_op")},
        [m, n, tf.summary.merge_all(), tf.summary.merge_all("mine"), tf.summary.merge_all("none"), tf.summary.merge_all(scope="b")],
        [tf.summary.merge_all(scope="a", name="only_a"), tf.summary.merge_all(name="again a")],
        graph_of(tf)["nodes"],
    ]


@program
def no_summaries(tf, np):
    return [tf.summary.merge_all(), graph_of(tf)]


@program
def values_of_a_training_program(tf, np):
    w = tf.Variable([[1.0, -2.0]], name="w")
    with tf.name_scope("summaries"):
        mean = tf.reduce_mean(w)
        tf.summary.scalar("mean", mean)
        tf.summary.scalar("stddev", tf.sqrt(tf.reduce_mean(tf.square(w - mean))))
        tf.summary.histogram("histogram", w)
    merged = tf.summary.merge_all()
    grow = w.assign_add([[0.5, 0.5]])
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            found.append(told(tf, session.run(merged)))
            session.run(grow)
    return found


@program
def refused(tf, np):
    s = tf.summary
    x = [1.0]
    node = tf.NodeDef(name="n", op="ScalarSummary")
    calls = [
        lambda: s.scalar(3, 1.0),
        lambda: s.scalar(None, 1.0),
        lambda: s.scalar("a", "text"),
        lambda: s.scalar("a", None),
        lambda: s.scalar("a"),
        lambda: s.scalar("a", 1.0, family=3),
        lambda: s.scalar("-a", 1.0),
        lambda: s.histogram("a", True),
        lambda: s.image("a", x),
        lambda: s.image("a", np.zeros([1, 1, 1, 1], np.int64)),
        lambda: s.image("a", np.zeros([1, 1, 1, 1], np.float32), max_outputs=0),
        lambda: s.audio("a", np.zeros([1, 1]), 1.0),
        lambda: s.audio("a", np.zeros([1, 1], np.float32), "fast"),
        lambda: s.text("a", tf.constant(1.0)),
        lambda: s.text("a", "plain"),
        lambda: s.merge([]),
        lambda: s.merge(None),
        lambda: s.merge([1.0]),
        lambda: s.merge(["a", tf.constant(1.0)]),
        lambda: s.get_summary_description(node),
    ]
    return [fresh(tf, f) for f in calls]


@program
def a_refused_call_leaves_nothing(tf, np):
    attempt(lambda: tf.summary.scalar("a", True))
    attempt(lambda: tf.summary.merge([]))
    return [tf.get_collection("summaries"), tf.summary.merge_all(), tf.summary.scalar("other", 1.0)]


@program
def description(tf, np):
    node = tf.NodeDef(name="n", op="TensorSummary")
    node.attr["description"].s = b'{"typeHint": "scalar"}'
    return [tf.summary.get_summary_description(node).type_hint]


@program
def runs_that_fail(tf, np):
    x = tf.placeholder(tf.float32, name="x")
    nodes = {
        "scalar": tf.summary.scalar("s", x),
        "histogram": tf.summary.histogram("h", x),
        "image": tf.summary.image("i", x),
        "audio": tf.summary.audio("a", x, 100.0),
        "merged": tf.summary.merge([tf.constant(tf.Summary(value=[tf.Summary.Value(tag="t")]).SerializeToString())] * 2),
    }
    with tf.Session() as session:
        return {
            name: attempt(lambda node=node: session.run(node, {x: [float("nan"), 1.0]})) for name, node in nodes.items()
        }


@program
def messages(tf, np):
    """The classes are there under every name that 1.15 has for them."""
    value = tf.Summary.Value(tag="a", simple_value=2.5)
    summary = tf.Summary(value=[value])
    histogram = tf.HistogramProto(min=1, max=2, num=3, sum=4, sum_squares=5, bucket_limit=[1, 2], bucket=[0, 3])
    image = tf.Summary.Image(height=1, width=2, colorspace=3, encoded_image_string=b"x")
    event = tf.Event(wall_time=1.5, step=7, summary=summary)
    metadata = tf.SummaryMetadata(plugin_data=tf.SummaryMetadata.PluginData(plugin_name="p", content=b"c"))
    log = tf.SessionLog(status=tf.SessionLog.START, checkpoint_path="p", msg="m")
    note = tf.LogMessage(level=tf.LogMessage.WARN, message="m")
    made = [summary, histogram, image, event, metadata, log, note]
    return [
        [m.SerializeToString() for m in made],
        [type(m).__name__ for m in made],
        tf.summary.Summary is tf.Summary,
        tf.summary.Event is tf.Event,
        tf.summary.SessionLog is tf.SessionLog,
        tf.summary.TaggedRunMetadata(tag="t").tag,
        tf.summary.SummaryDescription(type_hint="t").type_hint,
        str(summary),
        [tf.SessionLog.STOP, tf.SessionLog.CHECKPOINT, tf.LogMessage.FATAL],
        tf.train.Feature(int64_list=tf.train.Int64List(value=[1, -1])).SerializeToString(),
    ]
