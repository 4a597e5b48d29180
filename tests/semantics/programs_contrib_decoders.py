"""The decoders of tf.contrib.legacy_seq2seq with embeddings and attention, and model_with_buckets: nodes, values, errors."""

import numpy
from harness import attempt, fresh, graph_of, program, signature_text

NAMES = (
    "attention_decoder embedding_attention_decoder embedding_attention_seq2seq embedding_rnn_decoder embedding_rnn_seq2seq "
    "embedding_tied_rnn_seq2seq model_with_buckets one2many_rnn_seq2seq"
)


def made(tf, make, nodes=False):
    """What `make` gives, its value for certain values of the variables, these, and the nodes of the graph or their number."""

    def run():
        result = make()
        with tf.Session() as session:
            variables = [(v.op.name, v.shape.as_list()) for v in tf.global_variables()]
            for number, v in enumerate(tf.global_variables()):
                count = int(numpy.prod(v.shape.as_list()))
                v.load(0.5 * numpy.sin(0.7 * numpy.arange(count) + number).reshape(v.shape.as_list()), session)
            graph = graph_of(tf) if nodes else len(tf.get_default_graph().get_operations())
            return [result, session.run(result), variables, graph]

    return fresh(tf, run)


def gru(tf, size=3):
    return tf.nn.rnn_cell.GRUCell(size)


def lstm(tf, size=3):
    return tf.nn.rnn_cell.BasicLSTMCell(size)


def words(tf, count, symbols, name):
    return [tf.constant([i % symbols, (i + 2) % symbols], name=name) for i in range(count)]


def projection(tf, units=3, symbols=6):
    return tf.get_variable("w", [units, symbols]), tf.get_variable("b", [symbols])


def numbers(tf, np, *shape):
    return tf.constant(np.sin(np.arange(np.prod(shape))).reshape(shape).astype(np.float32))


@program
def signatures(tf, np):
    return [signature_text(getattr(tf.contrib.legacy_seq2seq, name)) for name in NAMES.split()]


@program
def word_decoders(tf, np):
    legacy = tf.contrib.legacy_seq2seq

    def plain(cell, **options):
        return legacy.embedding_rnn_decoder(words(tf, 3, 6, "y"), cell.zero_state(2, tf.float32), cell, 6, 4, **options)

    return [
        made(tf, lambda: plain(gru(tf)), nodes=True),
        made(tf, lambda: plain(gru(tf, 6), feed_previous=True)),
        made(
            tf, lambda: plain(
                lstm(tf), output_projection=projection(tf), feed_previous=True, update_embedding_for_previous=False, scope="mine"
            ),
        ),
        attempt(lambda: plain(gru(tf), output_projection=projection(tf, 3, 5))),
    ]  # fmt: skip


def models(tf, name, symbols, feed_previous, cell, nodes):
    """A model of that name by itself, and with a projection."""
    legacy = tf.contrib.legacy_seq2seq

    def build(**options):
        feeds = feed_previous(tf) if callable(feed_previous) else feed_previous
        return getattr(legacy, name)(
            words(tf, 2, 5, "x"), words(tf, 3, 6, "y"), cell(tf), *symbols, 4, feed_previous=feeds, **options
        )

    return [
        made(tf, build, nodes),
        made(tf, lambda: build(output_projection=projection(tf), dtype=tf.float32, scope="mine")),
    ]


def fed(value):
    return lambda tf: tf.placeholder_with_default(value, [])


@program
def encoders_and_decoders(tf, np):
    found = []
    for name, symbols in (("embedding_rnn_seq2seq", (5, 6)), ("embedding_tied_rnn_seq2seq", (6,)), ("embedding_attention_seq2seq", (5, 6))):
        found += [
            models(tf, name, symbols, False, gru, name.startswith("embedding_attention")),
            models(tf, name, symbols, True, lstm, False),
            models(tf, name, symbols, fed(True), lstm, False),
            models(tf, name, symbols, fed(False), gru, False),
        ]
    return found


@program
def one_encoder_for_two_decoders(tf, np):
    def build(feeds):
        inputs = {"a": words(tf, 2, 6, "a"), "b": words(tf, 3, 7, "b")}
        cells = {"a": gru(tf), "b": gru(tf)}
        feeds = feeds(tf) if callable(feeds) else feeds
        outputs, states = tf.contrib.legacy_seq2seq.one2many_rnn_seq2seq(
            words(tf, 2, 5, "x"), inputs, gru(tf), cells, 5, {"a": 6, "b": 7}, 4, feed_previous=feeds
        )
        return [outputs["a"], outputs["b"], states["a"], states["b"]]

    return [made(tf, lambda: build(False)), made(tf, lambda: build(fed(True)))]


@program
def attention(tf, np):
    def build(cell, states=None, inputs=None, **options):
        states = numbers(tf, np, 2, 4, 3) if states is None else states
        inputs = [numbers(tf, np, 2, 2) for _ in range(3)] if inputs is None else inputs
        return tf.contrib.legacy_seq2seq.attention_decoder(inputs, cell.zero_state(2, tf.float32), states, cell, **options)

    return [
        made(tf, lambda: build(gru(tf))),
        made(tf, lambda: build(lstm(tf), num_heads=2, loop_function=lambda x, i: x[:, :2], scope="mine", initial_state_attention=True), True),
        made(tf, lambda: build(gru(tf), tf.placeholder_with_default(np.ones([2, 4, 3], np.float32), [None, None, 3]))),
        attempt(lambda: build(gru(tf), inputs=[])),
        attempt(lambda: build(gru(tf), num_heads=0)),
        attempt(lambda: build(gru(tf), tf.placeholder(tf.float32, [2, 4, None]))),
        attempt(lambda: build(gru(tf), inputs=[tf.placeholder(tf.float32, [2, None], name="x")])),
    ]


@program
def buckets(tf, np):
    def build(count=3, targets=3, weights=3, **options):
        def seq2seq(x, y):
            return tf.contrib.legacy_seq2seq.embedding_attention_seq2seq(x, y, gru(tf), 5, 6, 4)

        weighted = [tf.constant([1.0, 0.5]) for _ in range(weights)]
        return tf.contrib.legacy_seq2seq.model_with_buckets(
            words(tf, count, 5, "x"), words(tf, 3, 6, "y"), words(tf, targets, 6, "t"), weighted, [(2, 2), (3, 3)], seq2seq, **options
        )

    return [
        made(tf, build),
        made(tf, lambda: build(per_example_loss=True, name="mine")),
        [attempt(lambda o=o: build(**o)) for o in ({"count": 2}, {"targets": 2}, {"weights": 2})],
    ]
