"""tf.contrib.seq2seq: attention and its wrapper, decoders and helpers, dynamic_decode: nodes, values, errors."""

from harness import attempt, program, signature_text
from programs_contrib_decoders import gru, lstm, made, numbers

NAMES = (
    "AttentionWrapper AttentionWrapperState BahdanauAttention BahdanauMonotonicAttention BasicDecoder BasicDecoderOutput CustomHelper "
    "GreedyEmbeddingHelper InferenceHelper LuongAttention LuongMonotonicAttention SampleEmbeddingHelper "
    "ScheduledEmbeddingTrainingHelper ScheduledOutputTrainingHelper TrainingHelper dynamic_decode hardmax monotonic_attention "
    "safe_cumprod"
)


def mechanism(tf, np, kind, lengths=False, units=4, **options):
    if lengths:
        options["memory_sequence_length"] = tf.constant([5, 3])
    return getattr(tf.contrib.seq2seq, kind)(units, numbers(tf, np, 2, 5, 4), **options)


def wrapped(tf, np, cell, kind="BahdanauAttention", **options):
    return tf.contrib.seq2seq.AttentionWrapper(cell, mechanism(tf, np, kind, lengths=True), **options)


@program
def signatures(tf, np):
    return [signature_text(getattr(tf.contrib.seq2seq, name)) for name in NAMES.split()]


@program
def mechanisms(tf, np):
    forms = {
        "LuongAttention": [
            {}, {"lengths": True}, {"scale": True}, {"probability_fn": tf.contrib.seq2seq.hardmax},
            {"score_mask_value": -5.0, "lengths": True},
        ],
        "BahdanauAttention": [{}, {"lengths": True}, {"normalize": True}, {"custom_key_value_fn": lambda k, v: (k * 2.0, v * 3.0)}],
        "LuongMonotonicAttention": [{}, {"scale": True, "lengths": True, "score_bias_init": 0.3}, {"mode": "hard"}, {"mode": "recursive"}],
        "BahdanauMonotonicAttention": [{}, {"normalize": True, "lengths": True, "score_bias_init": 0.3}, {"mode": "hard"}],
    }  # fmt: skip

    def build(kind, options):
        attention = mechanism(tf, np, kind, **options)
        state = attention.initial_state(2, tf.float32)
        return [attention(numbers(tf, np, 2, 4), state), attention.keys, attention.values, attention.memory_layer.name]

    return [[made(tf, lambda k=k, o=o: build(k, o)[:3], nodes=not o) for o in options] for k, options in forms.items()]


@program
def wrappers(tf, np):
    def steps(cell, history=False):
        state = cell.zero_state(2, tf.float32)
        first, state = cell(numbers(tf, np, 2, 3), state)
        second, state = cell(numbers(tf, np, 2, 3) * 0.5, state)
        if history:
            return [first, second, state.alignment_history.stack(), state.attention, state.time, state.cell_state]
        return [first, second, state]

    def two():
        mechanisms = [mechanism(tf, np, "LuongAttention"), mechanism(tf, np, "BahdanauAttention", units=3)]
        return steps(tf.contrib.seq2seq.AttentionWrapper(gru(tf, 4), mechanisms, attention_layer_size=[3, 4]))

    def begun():
        cell = wrapped(
            tf, np, gru(tf, 4), initial_cell_state=numbers(tf, np, 2, 4), cell_input_fn=lambda a, b: tf.concat([a, b * 2.0], -1), name="mine"
        )
        return [steps(cell), cell.zero_state(2, tf.float32).clone(cell_state=numbers(tf, np, 2, 4) * 2.0)]

    return [
        made(tf, lambda: steps(wrapped(tf, np, gru(tf, 4))), nodes=True),
        made(tf, lambda: steps(wrapped(tf, np, lstm(tf, 4), "LuongAttention", attention_layer_size=6))),
        made(tf, lambda: steps(wrapped(tf, np, gru(tf, 4), attention_layer_size=6, output_attention=False))),
        made(tf, lambda: steps(wrapped(tf, np, gru(tf, 4), "LuongMonotonicAttention", alignment_history=True), history=True)),
        made(tf, lambda: steps(wrapped(tf, np, gru(tf, 4), attention_layer=tf.layers.Dense(3, use_bias=False)))),
        made(tf, two),
        made(tf, begun),
        made(tf, lambda: tf.contrib.seq2seq.AttentionWrapper(
            gru(tf, 4), mechanism(tf, np, "LuongAttention"), attention_fn=lambda m, out, state, layer: (out, m(out, state)[0], state)
        )(numbers(tf, np, 2, 3), wrapped(tf, np, gru(tf, 4), "LuongAttention").zero_state(2, tf.float32))[0]),
    ]  # fmt: skip


def decoded(tf, np, cell, helper=None, layer=True, read=lambda state: state, **options):
    helper = tf.contrib.seq2seq.TrainingHelper(numbers(tf, np, 2, 4, 3), tf.constant([4, 2])) if helper is None else helper
    decoder = tf.contrib.seq2seq.BasicDecoder(
        cell, helper, cell.zero_state(2, tf.float32), output_layer=tf.layers.Dense(5) if layer else None
    )
    outputs, state, lengths = tf.contrib.seq2seq.dynamic_decode(decoder, **options)
    return [outputs, read(state), lengths]


def attention_of(state):
    return state.attention


@program
def training(tf, np):
    S = tf.contrib.seq2seq
    forms = [
        {}, {"impute_finished": True}, {"maximum_iterations": 3}, {"maximum_iterations": 0}, {"layer": False},
        {"output_time_major": True, "impute_finished": True, "maximum_iterations": 9}, {"scope": "mine", "swap_memory": True},
    ]  # fmt: skip
    found = [made(tf, lambda o=o: decoded(tf, np, gru(tf, 4), **o), nodes=not o) for o in forms]

    def slopes():
        outputs = decoded(tf, np, wrapped(tf, np, gru(tf, 4), attention_layer_size=4), read=attention_of)[0]
        found = tf.gradients(tf.reduce_sum(outputs.rnn_output**2), tf.trainable_variables())
        return [tf.reduce_sum(tf.abs(gradient)) for gradient in found]

    # TF's gradient of the loop has a node less
    counted = made(tf, slopes)
    return [
        *found,
        made(tf, lambda: decoded(tf, np, gru(tf, 4), S.TrainingHelper(numbers(tf, np, 4, 2, 3), [4, 0], time_major=True))),
        made(tf, lambda: decoded(tf, np, lstm(tf, 4), impute_finished=True)),
        made(tf, lambda: decoded(tf, np, wrapped(tf, np, gru(tf, 4), attention_layer_size=4), read=attention_of, impute_finished=True)),
        counted[:3],
    ]


@program
def inference(tf, np):
    S = tf.contrib.seq2seq

    def table():
        return tf.get_variable("embedding", [5, 3])

    def greedy():
        return S.GreedyEmbeddingHelper(table(), tf.constant([1, 2]), 3)

    def custom():
        helper = S.CustomHelper(
            lambda: (tf.tile([False], [2]), numbers(tf, np, 2, 3)),
            lambda time, outputs, state: tf.cast(tf.argmax(outputs, -1), tf.int32),
            lambda time, outputs, state, sample_ids: (tf.equal(sample_ids, time), tf.one_hot(sample_ids, 3), state),
        )
        helper.initialize()
        return helper

    def inferring():
        return S.InferenceHelper(lambda x: x[:, :3], [3], tf.float32, numbers(tf, np, 2, 3), lambda x: tf.reduce_sum(x, 1) > 10.0)

    return [
        made(tf, lambda: decoded(tf, np, gru(tf, 4), greedy(), maximum_iterations=5), nodes=True),
        made(tf, lambda: decoded(tf, np, wrapped(tf, np, gru(tf, 4)), greedy(), read=attention_of, maximum_iterations=5, impute_finished=True)),
        made(tf, lambda: decoded(tf, np, gru(tf, 4), S.GreedyEmbeddingHelper(lambda x: tf.one_hot(x, 3), [1, 2], 3), maximum_iterations=3)),
        made(tf, lambda: decoded(tf, np, gru(tf, 4), custom(), layer=False, maximum_iterations=4)),
        made(tf, lambda: decoded(tf, np, gru(tf, 4), inferring(), layer=False, maximum_iterations=4)),
    ]


@program
def scheduled(tf, np):
    """The draws themselves are tf.distributions' in TF: probabilities of 0 and 1 leave nothing to chance."""
    S = tf.contrib.seq2seq
    found = []
    for probability in (0.0, 1.0):
        found += [
            made(tf, lambda p=probability: decoded(
                tf, np, gru(tf, 4), S.ScheduledOutputTrainingHelper(numbers(tf, np, 2, 4, 3), [4, 2], p, next_inputs_fn=lambda x: x[:, :3]),
                layer=False,
            ))[1],
            made(tf, lambda p=probability: decoded(
                tf, np, gru(tf, 4), S.ScheduledOutputTrainingHelper(
                    numbers(tf, np, 2, 4, 2), [4, 2], p, next_inputs_fn=lambda x: x[:, :2], auxiliary_inputs=numbers(tf, np, 2, 4, 1) * 3.0
                ), layer=False,
            ))[1],
        ]  # fmt: skip
    words = made(tf, lambda: decoded(
        tf, np, gru(tf, 4), S.ScheduledEmbeddingTrainingHelper(numbers(tf, np, 2, 4, 3), [4, 2], tf.get_variable("embedding", [5, 3]), 0.0)
    ))[1]  # fmt: skip
    return [*found, words]


@program
def small_functions(tf, np):
    S = tf.contrib.seq2seq

    def all_of_them():
        chosen, before = tf.sigmoid(numbers(tf, np, 2, 5)), tf.nn.softmax(numbers(tf, np, 2, 5))
        modes = [S.monotonic_attention(chosen, before, mode) for mode in ("parallel", "recursive", "hard")]
        return [S.hardmax(numbers(tf, np, 2, 3)), S.safe_cumprod(numbers(tf, np, 2, 3), axis=1, exclusive=True), *modes]

    return made(tf, all_of_them)


@program
def refusals(tf, np):
    S = tf.contrib.seq2seq
    table, inputs = np.ones([5, 3], np.float32), np.ones([2, 4, 3], np.float32)
    luong = lambda **o: mechanism(tf, np, "LuongAttention", **o)
    calls = [
        lambda: S.dynamic_decode(3),
        lambda: decoded(tf, np, gru(tf, 4), maximum_iterations=[3]),
        lambda: S.BasicDecoder(gru(tf, 4), 3, None),
        lambda: S.BasicDecoder(gru(tf, 4), S.TrainingHelper(inputs, [4, 2]), None, output_layer=3),
        lambda: S.BasicDecoder(3, S.TrainingHelper(inputs, [4, 2]), None),
        lambda: S.TrainingHelper(inputs, 3),
        lambda: S.GreedyEmbeddingHelper(table, 1, 3),
        lambda: S.GreedyEmbeddingHelper(table, [1], [3]),
        lambda: S.ScheduledEmbeddingTrainingHelper(inputs, [4, 2], table, [[0.5]]),
        lambda: S.CustomHelper(None, None, None).batch_size,
        lambda: S.AttentionWrapper(gru(tf, 4), 3),
        lambda: S.AttentionWrapper(gru(tf, 4), [3]),
        lambda: S.AttentionWrapper(gru(tf, 4), luong(), cell_input_fn=3),
        lambda: S.AttentionWrapper(gru(tf, 4), luong(), attention_layer_size=3, attention_layer=tf.layers.Dense(3)),
        lambda: S.AttentionWrapper(gru(tf, 4), luong(), attention_layer_size=[3, 4]),
        lambda: luong(units=3)(numbers(tf, np, 2, 4), None),
        lambda: S.LuongAttention(3, tf.placeholder(tf.float32, [2, 5, None], name="memory")),
        lambda: S.AttentionWrapper(gru(tf, 4), luong()).zero_state(3, tf.float32),
        lambda: S.monotonic_attention([[0.5]], [[1.0]], "soft"),
    ]
    return [attempt(call) for call in calls]
