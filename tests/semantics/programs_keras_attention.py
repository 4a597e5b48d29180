"""Attention and AdditiveAttention of tf.keras: nodes, values, masks, configurations, errors."""

from harness import Near, attempt, fresh, graph_of, program
from programs_keras_layers import each, filled, numbers, plain


def attended(tf, np, layer, *shapes, **masks):
    """The layer on placeholders of these shapes: the graph, values, gradients, mask, configuration."""
    inputs = [tf.placeholder(tf.float32, [None, *shape[1:]], name=name) for shape, name in zip(shapes, "qvk")]
    arguments = {}
    if masks:
        arguments["mask"] = [None if masks.get(name) is None else tf.constant(masks[name]) for name in ("q", "v")]
    y = layer(inputs, **arguments)
    graph = graph_of(tf)
    filled(np, layer)
    mask = getattr(y, "_keras_mask", None)
    gradients = tf.gradients(tf.reduce_sum(y * y), [*inputs, *layer.weights])
    feeds = {x: numbers(np, *shape) for x, shape in zip(inputs, shapes)}
    # The gradient of a softmax is a difference of numbers that are almost equal.
    value, slopes = tf.keras.backend.get_session().run([y, gradients], feeds)
    return [graph, value, [Near(slope, 2e-4) for slope in slopes], None if mask is None else mask.name, plain(layer.get_config())]


Q_MASK = [[True, True, False], [True, False, True]]
V_MASK = [[True, False], [True, True]]


@program
def products(tf, np):
    return each(
        tf, np,
        lambda L: attended(tf, np, L.Attention(), (2, 3, 4), (2, 2, 4)),
        lambda L: attended(tf, np, L.Attention(use_scale=True), (2, 3, 4), (2, 2, 5), (2, 2, 4)),
        lambda L: attended(tf, np, L.Attention(causal=True), (2, 3, 4), (2, 3, 4)),
        lambda L: attended(tf, np, L.Attention(), (2, 3, 4), (2, 2, 4), q=Q_MASK, v=V_MASK),
        lambda L: attended(tf, np, L.Attention(causal=True), (2, 3, 4), (2, 2, 4), v=V_MASK),
        lambda L: attended(tf, np, L.Attention(), (2, 3, 4), (2, 2, 4), q=Q_MASK),
    )  # fmt: skip


@program
def sums(tf, np):
    return each(
        tf, np,
        lambda L: attended(tf, np, L.AdditiveAttention(), (2, 3, 4), (2, 2, 4)),
        lambda L: attended(tf, np, L.AdditiveAttention(use_scale=False), (2, 3, 4), (2, 2, 5), (2, 2, 4)),
        lambda L: attended(tf, np, L.AdditiveAttention(causal=True), (2, 3, 4), (2, 2, 4), q=Q_MASK, v=V_MASK),
    )  # fmt: skip


@program
def in_models(tf, np):
    """Masks of an embedding reach the layer, and its mask the next one."""

    def model(L, kind):
        ids = tf.keras.Input((3,), dtype="int32")
        rows = L.Embedding(4, 2, mask_zero=True, embeddings_initializer="ones")(ids)
        y = kind()([rows, rows])
        pooled = L.GlobalAveragePooling1D()(y)
        value = tf.keras.backend.get_session().run([y, pooled], {ids: [[1, 2, 0], [3, 0, 0]]})
        whole = tf.keras.Model(ids, pooled)
        return [value, plain(whole.get_config())]

    return each(tf, np, lambda L: model(L, L.Attention), lambda L: model(L, L.AdditiveAttention))


@program
def bad_attention(tf, np):
    L, Input = tf.keras.layers, tf.keras.Input
    mask = tf.ones([2, 3], "bool")

    def call(kind, *shapes, **kwargs):
        masks = kwargs.pop("masks", None)

        def made():
            arguments = {} if masks is None else {"mask": [tf.ones([2, 3], "bool")] * masks}
            return kind(**kwargs)([Input(shape) for shape in shapes], **arguments)

        return fresh(tf, made)

    return [
        attempt(lambda: L.Attention()(Input((3, 4)))),
        attempt(lambda: L.AdditiveAttention()(Input((3, 4)))),
        call(L.Attention, (3, 4)),
        call(L.AdditiveAttention, *[(3, 4)] * 4),
        call(L.Attention, (3, 4), (5, 4), masks=1),
        call(L.AdditiveAttention, (3, 4), (5, 4), masks=3),
        call(L.Attention, (3, 4), (5, 4), dropout=0.5),
        attempt(lambda: L.Attention().compute_mask([mask, mask, mask], [mask, mask, mask])),
    ]
