"""The beam search of tf.contrib.seq2seq: BeamSearchDecoder, gather_tree, tile_batch: values, variables, errors."""

from harness import attempt, program, signature_text
from programs_contrib_decoders import gru, lstm, made, numbers

NAMES = "BeamSearchDecoder BeamSearchDecoderOutput BeamSearchDecoderState FinalBeamSearchDecoderOutput gather_tree tile_batch"


def values_of(found):
    """Values and variables: TF gathers beams by other nodes."""
    return found[1:3] if isinstance(found, list) else found


@program
def signatures(tf, np):
    return [signature_text(getattr(tf.contrib.seq2seq, name)) for name in NAMES.split()]


def memory(tf, np, width, known):
    values = tf.contrib.seq2seq.tile_batch(numbers(tf, np, 2, 5, 4), width)
    return values if known else tf.placeholder_with_default(values, [None, None, 4])


def searched(tf, np, make_cell=gru, width=3, attends=False, history=False, known=True, units=4, layer=True, most=6, time_major=False, **options):
    S = tf.contrib.seq2seq
    cell = make_cell(tf, units)
    if attends:
        lengths = S.tile_batch(tf.constant([5, 3]), width)
        attention = S.BahdanauAttention(3, memory(tf, np, width, known), memory_sequence_length=lengths)
        cell = S.AttentionWrapper(cell, attention, attention_layer_size=4, alignment_history=history)
    decoder = S.BeamSearchDecoder(
        cell, tf.get_variable("embedding", [7, 3]), tf.constant([1, 2]), 3, cell.zero_state(2 * width, tf.float32), width,
        output_layer=tf.layers.Dense(7) if layer else None, **options
    )  # fmt: skip
    outputs, state, lengths = S.dynamic_decode(decoder, maximum_iterations=most, output_time_major=time_major)
    cell_state = state.cell_state
    if history:
        kept = cell_state.alignment_history
        cell_state = kept if hasattr(kept, "shape") else kept.stack()
    elif attends:
        cell_state = cell_state.attention
    steps = outputs.beam_search_decoder_output
    return [
        outputs.predicted_ids, steps.scores, steps.predicted_ids, steps.parent_ids, state.log_probs, state.finished, state.lengths,
        lengths, cell_state,
    ]  # fmt: skip


@program
def searches(tf, np):
    forms = [
        {}, {"width": 1}, {"make_cell": lstm}, {"length_penalty_weight": 0.7}, {"attends": True}, {"attends": True, "coverage_penalty_weight": 0.5},
        {"time_major": True}, {"layer": False, "units": 7}, {"width": 5, "length_penalty_weight": 1.2, "most": 12}, {"most": 0},
        {"attends": True, "history": True}, {"attends": True, "history": True, "known": False},
        {"attends": True, "history": True, "known": False, "reorder_tensor_arrays": False},
    ]  # fmt: skip
    return [values_of(made(tf, lambda o=o: searched(tf, np, **o))) for o in forms]


@program
def trees(tf, np):
    words = np.random.RandomState(1).randint(0, 5, (4, 2, 3)).astype(np.int32)
    parents = np.random.RandomState(2).randint(0, 3, (4, 2, 3)).astype(np.int32)
    tree = tf.contrib.seq2seq.gather_tree

    def at_run_time(*values):
        fed = [tf.placeholder_with_default(np.asarray(value, np.int32), None) for value in values]
        with tf.Session() as session:
            return session.run(tree(*fed))

    return [
        [made(tf, lambda e=e: tree(words, parents, max_sequence_lengths=[4, 2], end_token=e), nodes=True) for e in (0, 3, 9)],
        made(tf, lambda: tree(words, parents, max_sequence_lengths=[0, 9], end_token=9)),
        attempt(lambda: at_run_time(words[0], parents[0], [4, 2], 0)),
        attempt(lambda: at_run_time(words, parents[:3], [4, 2], 0)),
        attempt(lambda: at_run_time(words, parents, [4], 0)),
        attempt(lambda: at_run_time(words, parents + 5, [4, 2], 0)),
    ]


@program
def tiles(tf, np):
    S = tf.contrib.seq2seq
    return [
        made(tf, lambda: S.tile_batch(numbers(tf, np, 2, 3), 3), nodes=True),
        made(tf, lambda: list(S.tile_batch((numbers(tf, np, 2), tf.placeholder_with_default(np.ones([2, 3]), [None, 3])), 2, name="mine")), nodes=True),
        attempt(lambda: S.tile_batch(tf.constant(3.0), 2)),
        attempt(lambda: S.tile_batch(tf.placeholder(tf.float32, None), 2)),
    ]


@program
def refusals(tf, np):
    S = tf.contrib.seq2seq
    table, state = np.ones([7, 3], np.float32), np.ones([4, 4], np.float32)
    return [
        attempt(lambda: S.BeamSearchDecoder(gru(tf, 4), table, 1, 3, state, 2)),
        attempt(lambda: S.BeamSearchDecoder(gru(tf, 4), table, [1, 2], [3], state, 2)),
        attempt(lambda: S.BeamSearchDecoder(gru(tf, 4), table, [1, 2], 3, state, 2, output_layer=3)),
        attempt(lambda: S.BeamSearchDecoder(3, table, [1, 2], 3, state, 2)),
    ]
