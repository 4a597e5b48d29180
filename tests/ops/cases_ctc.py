"""Rows of the op table: connectionist temporal classification, its decoders and functions of label sequences."""

import numpy as np
from cases import case, form, named
from harness import raw

random = np.random.RandomState(4)
SCORES = random.randn(5, 3, 4).astype("float32")
MANY = random.randn(40, 4, 6).astype("float32")
LENGTHS = np.array([5, 4, 5], "int32")
INDICES = np.array([[0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2]])
LABELS = np.array([0, 1, 2, 1, 1, 0], "int32")
DENSE, DENSE_LENGTHS = np.array([[1, 2, 0], [3, 0, 0], [2, 2, 1]], "int32"), np.array([2, 1, 3], "int32")
LOSS, LOSS_2 = "nn.ctc_loss", "nn.ctc_loss_v2"
GREEDY, BEAM, BEAM_2 = "nn.ctc_greedy_decoder", "nn.ctc_beam_search_decoder", "nn.ctc_beam_search_decoder_v2"
UNIQUE, COLLAPSE = "nn.ctc_unique_labels", "nn.collapse_repeated"


def sparse(tf, values=LABELS, indices=INDICES, shape=(3, 3)):
    return tf.SparseTensor(indices, values, shape)


def loss(label, x=SCORES, values=LABELS, lengths=LENGTHS, indices=INDICES, shape=(3, 3), add=case, wrap=lambda call: call, ulps=None, **options):
    """Adds a row of ctc_loss; `wrap` makes its call another."""
    call = wrap(lambda tf, labels, x: tf.nn.ctc_loss(labels, x, lengths, **options))
    add(LOSS, label, call, x, before=lambda tf: sparse(tf, values, indices, shape), ulps=ulps)


def slope(call):
    """The gradient of what a call gives for its last tensor."""
    return lambda tf, *inputs: tf.gradients(call(tf, *inputs), inputs[-1])


def at_run_time(call):
    """A call whose last tensor's shape is known in the run alone."""
    return lambda tf, *inputs: call(tf, *inputs[:-1], tf.placeholder_with_default(inputs[-1], None))


def flat(paths):
    """The tensors of what a decoder gave."""
    sequences, scores = paths
    return [part for path in sequences for part in (path.indices, path.values, path.dense_shape)] + [scores]


def decoded(symbol, **options):
    return lambda tf, x, lengths: flat(named(symbol)(tf, x, lengths, **options))


# -- the loss ------------------------------------------------------------------------------------------------------

form(LOSS, "form", lambda tf, i, v, x, n: tf.nn.ctc_loss(tf.SparseTensor(i, v, [3, 3]), x, n), INDICES, LABELS, SCORES, LENGTHS)
loss("gradient", add=form, wrap=slope)
loss("batch first", SCORES.transpose(1, 0, 2), add=form, time_major=False)
# TF computes the logarithms of float64 scores in float32.
loss("float64", SCORES.astype("float64"), ulps=2**30)
loss("float64, gradient", SCORES.astype("float64"), wrap=slope, ulps=2**36)
for name in ("preprocess_collapse_repeated", "ctc_merge_repeated", "ignore_longer_outputs_than_inputs"):
    for on in (False, True):
        loss(f"{name} {on}", **{name: on})
        loss(f"{name} {on}, gradient", wrap=slope, **{name: on})
loss("collapsed labels that do not merge", wrap=slope, preprocess_collapse_repeated=True, ctc_merge_repeated=False)
loss("short rows", lengths=[3, 1, 5], wrap=slope)
loss("large scores", SCORES * 100, wrap=slope)
loss("more labels than time steps", lengths=[5, 4, 2])
loss("more labels than time steps, ignored", lengths=[5, 4, 2], ignore_longer_outputs_than_inputs=True)
loss("more labels than time steps, ignored, gradient", lengths=[5, 4, 2], wrap=slope, ignore_longer_outputs_than_inputs=True)
loss("no way to repeat a label", SCORES[:, :1], np.array([1, 1, 1], "int32"), [3], [[0, 0], [0, 1], [0, 2]], (1, 3))
MANY_INDICES = np.argwhere(np.arange(9) < np.array([[9], [3], [6], [1]]))
MANY_LABELS = random.randint(0, 5, len(MANY_INDICES)).astype("int32")
loss("many time steps", MANY, MANY_LABELS, [40, 12, 33, 40], MANY_INDICES, (4, 9))
# TF adds up float32 logarithms of the probabilities of whole paths.
loss("many time steps, gradient", MANY, MANY_LABELS, [40, 12, 33, 40], MANY_INDICES, (4, 9), wrap=slope, ulps=20_000)
loss("blank behind labels", values=np.array([0, 3, 2, 1, 3, 3], "int32"))
loss("label behind a blank", values=np.array([0, 1, 2, 1, 3, 0], "int32"))
loss("negative label", values=np.array([0, -1, 2, 1, 1, 0], "int32"))
loss("int64 labels", values=LABELS.astype("int64"))
loss("row without labels", values=LABELS[:3], indices=INDICES[:3])
loss("no labels", values=LABELS[:0], indices=INDICES[:0])
loss("labels out of order", indices=INDICES[[1, 0, 2, 3, 4, 5]])
loss("label twice", indices=INDICES[[0, 0, 2, 3, 4, 5]])
loss("label in a row that is not there", indices=INDICES + [1, 0])
loss("negative row", indices=INDICES - [1, 0])
loss("length over the time steps", lengths=[5, 6, 5])
loss("negative length", lengths=[5, -1, 5])
loss("too few lengths", lengths=[5, 4])
loss("a matrix", SCORES[0])
loss("a matrix at run time", SCORES[0], wrap=at_run_time)
loss("no rows", SCORES[:, :0], LABELS[:0], LENGTHS[:0], INDICES[:0], (0, 0), wrap=at_run_time)
case(LOSS, "too few lengths at run time", lambda tf, x, n: tf.nn.ctc_loss(sparse(tf), x, tf.placeholder_with_default(n, None)), SCORES, LENGTHS[:2])
case(LOSS, "logits", lambda tf, x: tf.nn.ctc_loss(labels=sparse(tf), logits=x, sequence_length=LENGTHS), SCORES)
case(LOSS, "both", lambda tf, labels, x: tf.nn.ctc_loss(labels, x, LENGTHS, logits=x), SCORES, before=sparse)
case(LOSS, "neither", lambda tf, labels: tf.nn.ctc_loss(labels, sequence_length=LENGTHS), before=sparse)
case(LOSS, "dense labels", lambda tf, x: tf.nn.ctc_loss(DENSE, x, LENGTHS), SCORES)


def with_slope(tf):
    x = tf.constant(SCORES)
    return x, tf.gradients(tf.nn.ctc_loss(sparse(tf), x, LENGTHS), x)


case(LOSS, "second derivative", lambda tf, made: tf.gradients(made[1], made[0]), before=with_slope)
form("raw_ops.CTCLoss", "form", lambda tf, x, i, v, n: raw(tf, "CTCLoss", "mine", inputs=x, labels_indices=i, labels_values=v, sequence_length=n), SCORES, INDICES, LABELS, LENGTHS)

# -- the loss with a blank of one's choice, and of dense labels ----------------------------------------------------

for blank, values in ((-1, LABELS), (0, LABELS + 1), (1, np.array([0, 2, 3, 2, 2, 0], "int32")), (3, LABELS), (-4, LABELS + 1)):
    for major in (True, False):
        call = lambda tf, x, b=blank, v=values, m=major: tf.nn.ctc_loss_v2(sparse(tf, v), x, None, LENGTHS, m, blank_index=b, name="mine")
        form(LOSS_2, "sparse, blank {}, {} first".format(blank, "time" if major else "batch"), call, SCORES if major else SCORES.transpose(1, 0, 2))
case(LOSS_2, "sparse, gradient", slope(lambda tf, x: tf.nn.ctc_loss_v2(sparse(tf, LABELS + 1), x, None, LENGTHS, blank_index=0)), SCORES)
case(LOSS_2, "sparse, array", lambda tf: tf.nn.ctc_loss_v2(sparse(tf), SCORES, None, LENGTHS, blank_index=-1))
case(LOSS_2, "sparse, no blank", lambda tf, labels, x: tf.nn.ctc_loss_v2(labels, x, None, LENGTHS), SCORES, before=sparse)
case(LOSS_2, "sparse, sizes at run time", lambda tf, x: tf.nn.ctc_loss_v2(sparse(tf), tf.placeholder_with_default(x, [None] * 3), None, LENGTHS, blank_index=-1), SCORES)


def dense(labels=DENSE, label_lengths=DENSE_LENGTHS, lengths=LENGTHS, **options):
    return lambda tf, x: tf.nn.ctc_loss_v2(labels, x, label_lengths, lengths, **options)


case(LOSS_2, "dense", lambda tf, labels, x, n, m: tf.nn.ctc_loss_v2(labels, x, n, m), DENSE, SCORES, DENSE_LENGTHS, LENGTHS, shapes=True)
case(LOSS_2, "dense, names", lambda tf, x: [tf.constant([t.name for t in (dense()(tf, x), dense(name="mine")(tf, x), slope(dense())(tf, x)[0])])], SCORES)
for blank in (None, 0, 1, 3, -1, -4):
    classes = np.array([c for c in range(4) if c != (blank or 0) % 4], "int32")
    case(LOSS_2, f"dense, blank {blank}", dense(classes[DENSE % 3], blank_index=blank), SCORES)
case(LOSS_2, "dense, gradient", slope(dense()), SCORES)
case(LOSS_2, "dense, batch first", dense(logits_time_major=False), SCORES.transpose(1, 0, 2))
case(LOSS_2, "dense, batch first, gradient", slope(dense(logits_time_major=False)), SCORES.transpose(1, 0, 2))
case(LOSS_2, "dense, int64", dense(DENSE.astype("int64"), DENSE_LENGTHS.astype("int64"), LENGTHS.astype("int64")), SCORES)
case(LOSS_2, "dense, unique", lambda tf, x: tf.nn.ctc_loss_v2(DENSE, x, DENSE_LENGTHS, LENGTHS, unique=tf.nn.ctc_unique_labels(DENSE)), SCORES)
case(LOSS_2, "dense, row without labels", slope(dense(label_lengths=np.array([2, 0, 3], "int32"))), SCORES)
case(LOSS_2, "dense, no time steps in a row", slope(dense(label_lengths=np.array([2, 0, 3], "int32"), lengths=[5, 0, 5])), SCORES)
case(LOSS_2, "dense, more labels than time steps", dense(lengths=[5, 4, 3]), SCORES)
case(LOSS_2, "dense, one label each", dense(DENSE[:, :1], [1, 1, 1]), SCORES)
case(LOSS_2, "dense, lengths beyond the ends", dense(label_lengths=DENSE_LENGTHS + 3, lengths=LENGTHS + 3), SCORES)
case(LOSS_2, "dense, no rows", dense(DENSE[:0], DENSE_LENGTHS[:0], LENGTHS[:0]), SCORES[:, :0])
case(LOSS_2, "dense, no time steps", dense(lengths=[0, 0, 0]), SCORES[:0])
case(LOSS_2, "dense, no lengths", dense(label_lengths=None), SCORES)
case(LOSS_2, "dense, sizes at run time", lambda tf, x: tf.nn.ctc_loss_v2(tf.placeholder_with_default(DENSE, [None, None]), tf.placeholder_with_default(x, [None] * 3), DENSE_LENGTHS, LENGTHS), SCORES)
MANY_DENSE = random.randint(1, 6, (4, 9)).astype("int32")
case(LOSS_2, "dense, many time steps", dense(MANY_DENSE, [9, 3, 6, 1], [40, 12, 33, 40]), MANY)
case(LOSS_2, "dense, many time steps, gradient", slope(dense(MANY_DENSE, [9, 3, 6, 1], [40, 12, 33, 40])), MANY)

# -- decoders ------------------------------------------------------------------------------------------------------

form(GREEDY, "form", decoded(GREEDY), SCORES, LENGTHS)
form(BEAM, "form", decoded(BEAM, beam_width=5, top_paths=2), SCORES, LENGTHS)
form(BEAM_2, "form", decoded(BEAM_2, beam_width=5, top_paths=2), SCORES, LENGTHS)
REPEATS = np.eye(4, dtype="float32")[np.array([[0, 1, 3], [0, 1, 3], [3, 2, 3], [0, 2, 3], [0, 3, 1]])] * 3 + SCORES / 8
for on in (False, True):
    case(GREEDY, f"merge_repeated {on}", decoded(GREEDY, merge_repeated=on), REPEATS, LENGTHS)
    case(BEAM, f"merge_repeated {on}", decoded(BEAM, merge_repeated=on, top_paths=3), REPEATS, LENGTHS)
for symbol in (GREEDY, BEAM, BEAM_2):
    case(symbol, "many time steps", decoded(symbol), MANY, np.array([40, 12, 0, 1], "int32"))
    case(symbol, "short rows", decoded(symbol), SCORES, np.array([0, 1, 3], "int32"))
    case(symbol, "one time step", decoded(symbol), SCORES[:1], np.array([1, 0, 1], "int32"))
    case(symbol, "float64", decoded(symbol), SCORES.astype("float64"), LENGTHS, ulps=2**30)
    case(symbol, "length over the time steps", decoded(symbol), SCORES, np.array([5, 7, 6], "int32"))
    case(symbol, "too few lengths", decoded(symbol), SCORES, LENGTHS[:2])
    case(symbol, "too few lengths at run time", lambda tf, x, n, s=symbol: decoded(s)(tf, x, tf.placeholder_with_default(n, None)), SCORES, LENGTHS[:2])
    case(symbol, "a matrix", decoded(symbol), SCORES[0], LENGTHS)
    case(symbol, "a matrix at run time", lambda tf, x, n, s=symbol: decoded(s)(tf, tf.placeholder_with_default(x, None), n), SCORES[0], LENGTHS)
    case(symbol, "int64 lengths", decoded(symbol), SCORES, LENGTHS.astype("int64"))
    case(symbol, "gradient", lambda tf, x, n, s=symbol: tf.constant(str(tf.gradients(decoded(s)(tf, x, n)[-1], x))), SCORES, LENGTHS)
case(GREEDY, "ties and NaN", decoded(GREEDY), np.array([[[1, 1, 0]], [[np.nan, 0, 0]], [[0, np.nan, 1]], [[np.nan] * 3], [[-np.inf] * 3]], "float32"), np.array([5], "int32"))
for width in (1, 2, 3, 30):
    case(BEAM, f"width {width}", decoded(BEAM, beam_width=width), MANY, np.array([40, 12, 33, 7], "int32"))
case(BEAM, "many paths", decoded(BEAM_2, beam_width=20, top_paths=9), MANY[:12], np.array([12, 9, 11, 5], "int32"))
case(BEAM, "more paths than the beam is wide", decoded(BEAM, beam_width=2, top_paths=3), SCORES, LENGTHS)
case(BEAM, "more paths than there are", decoded(BEAM, top_paths=9), SCORES[:1], np.array([1, 1, 1], "int32"))
case(BEAM, "no width", decoded(BEAM, beam_width=0), SCORES, LENGTHS)
case(BEAM, "no paths", decoded(BEAM, top_paths=0), SCORES, LENGTHS)
form("raw_ops.CTCGreedyDecoder", "form", lambda tf, x, n: list(raw(tf, "CTCGreedyDecoder", "mine", inputs=x, sequence_length=n)), SCORES, LENGTHS)
form("raw_ops.CTCBeamSearchDecoder", "form", lambda tf, x, n: [t for part in raw(tf, "CTCBeamSearchDecoder", "mine", inputs=x, sequence_length=n, beam_width=4, top_paths=2) for t in (part if isinstance(part, list) else [part])], SCORES, LENGTHS)

# -- label sequences -----------------------------------------------------------------------------------------------

RUNS = np.array([[1, 1, 2, 2, 1], [3, 3, 3, 0, 0]], "int32")
form(UNIQUE, "form", named(UNIQUE), DENSE)
form(UNIQUE, "int64", lambda tf, x: tf.nn.ctc_unique_labels(x, name="mine"), RUNS.astype("int64"))
form(COLLAPSE, "form", named(COLLAPSE), RUNS, np.array([5, 3], "int32"))
form(COLLAPSE, "int64", lambda tf, x, n: tf.nn.collapse_repeated(x, n, name="mine"), RUNS.astype("int64"), np.array([4, 5]))
case(COLLAPSE, "short rows", named(COLLAPSE), RUNS, np.array([0, 1], "int32"))
case(COLLAPSE, "lengths over the ends", named(COLLAPSE), RUNS, np.array([9, 9], "int32"))
case(COLLAPSE, "one label", named(COLLAPSE), RUNS[:, :1], np.array([1, 1], "int32"))
case(COLLAPSE, "strings", named(COLLAPSE), np.array([["a", "a", "b"]]), np.array([3], "int32"))
