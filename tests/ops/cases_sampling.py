"""Rows of the op table: candidate samplers, with TensorFlow's own numbers, accidental hits, and the losses over sampled classes."""

import numpy as np
from cases import case, form, named
from harness import raw

TRUE = np.array([[1, 7], [3, 0], [9, 2]])
WEIGHTS = (0.5, 2.0, 0.0, 1.5, 3.0, 0.25, 1.0, 0.75, 5.0, 1.0)
UNIFORM, LOG, LEARNED = "nn.uniform_candidate_sampler", "nn.log_uniform_candidate_sampler", "nn.learned_unigram_candidate_sampler"
FIXED, ALL, HITS = "nn.fixed_unigram_candidate_sampler", "nn.all_candidate_sampler", "nn.compute_accidental_hits"


def drawn(symbol, seed=5, graph_seed=3, **options):
    """A row's call of a sampler."""

    def call(tf, *inputs):
        tf.set_random_seed(graph_seed)
        return named(symbol)(tf, *inputs, seed=seed, **options)

    return call


# -- samplers ------------------------------------------------------------------------------------------------------

for symbol in (UNIFORM, LOG, LEARNED):
    for unique in (False, True):
        kind = "unique" if unique else "repeated"
        form(symbol, kind, drawn(symbol, num_true=2, num_sampled=6, unique=unique, range_max=10, name="mine"), TRUE)
        case(symbol, f"{kind}, many", drawn(symbol, num_true=2, num_sampled=300, unique=unique, range_max=1000), TRUE * 100)
        case(symbol, f"{kind}, a power of two", drawn(symbol, num_true=2, num_sampled=9, unique=unique, range_max=16), TRUE)
    case(symbol, "all of them", drawn(symbol, num_true=2, num_sampled=10, unique=True, range_max=10), TRUE)
    case(symbol, "one class", drawn(symbol, num_true=1, num_sampled=3, unique=False, range_max=1), TRUE[:1, :1] * 0)
    case(symbol, "seed of the graph alone", drawn(symbol, seed=None, num_true=2, num_sampled=6, unique=False, range_max=10), TRUE)
    case(symbol, "seed of the op alone", drawn(symbol, graph_seed=None, num_true=2, num_sampled=6, unique=False, range_max=10), TRUE)
    case(symbol, "no true classes", drawn(symbol, num_true=2, num_sampled=3, unique=True, range_max=10), TRUE[:0])
    case(symbol, "too few classes", drawn(symbol, num_true=2, num_sampled=11, unique=True, range_max=10), TRUE)
    case(symbol, "other columns", drawn(symbol, num_true=3, num_sampled=4, unique=True, range_max=10), TRUE)
    case(symbol, "a vector", drawn(symbol, num_true=2, num_sampled=4, unique=True, range_max=10), TRUE[0])
    case(symbol, "a vector at run time", lambda tf, x, f=symbol: named(f)(tf, tf.placeholder_with_default(x, None), 2, 4, True, 10), TRUE[0])
    case(symbol, "int32 classes", drawn(symbol, num_true=2, num_sampled=4, unique=True, range_max=10), TRUE.astype(np.int32))
    for name in ("num_true", "num_sampled", "range_max"):
        case(symbol, f"{name} of 0", drawn(symbol, **{"num_true": 2, "num_sampled": 4, "unique": True, "range_max": 10, name: 0}), TRUE)
    case(symbol.replace("nn", "random"), "in tf.random", drawn(symbol.replace("nn", "random"), num_true=2, num_sampled=4, unique=True, range_max=10), TRUE)
case(UNIFORM, "very many classes", drawn(UNIFORM, num_true=2, num_sampled=40, unique=True, range_max=2**62 + 3), TRUE)
case(LOG, "very many classes", drawn(LOG, num_true=2, num_sampled=40, unique=True, range_max=10**9), TRUE)
case(UNIFORM, "true classes outside", drawn(UNIFORM, num_true=2, num_sampled=4, unique=False, range_max=5), TRUE)
case(LOG, "true classes outside", drawn(LOG, num_true=2, num_sampled=4, unique=False, range_max=5), TRUE)
case("raw_ops.ThreadUnsafeUnigramCandidateSampler", "form", lambda tf, x: raw(tf, "ThreadUnsafeUnigramCandidateSampler", "mine", true_classes=x, num_true=2, num_sampled=5, unique=True, range_max=10, seed=3, seed2=7), TRUE)

for unique in (False, True):
    kind = "unique" if unique else "repeated"
    form(FIXED, kind, drawn(FIXED, num_true=2, num_sampled=6, unique=unique, range_max=10, unigrams=WEIGHTS, name="mine"), TRUE)
    case(FIXED, f"{kind}, distorted", drawn(FIXED, num_true=2, num_sampled=6, unique=unique, range_max=10, unigrams=WEIGHTS, distortion=0.75), TRUE)
    case(FIXED, f"{kind}, reserved", drawn(FIXED, num_true=2, num_sampled=6, unique=unique, range_max=13, unigrams=WEIGHTS, num_reserved_ids=3), TRUE)
    for shard in range(3):
        case(FIXED, f"{kind}, shard {shard}", drawn(FIXED, num_true=2, num_sampled=2, unique=unique, range_max=(4, 5, 3)[shard], unigrams=WEIGHTS, num_reserved_ids=2, num_shards=3, shard=shard), TRUE)
MANY = tuple((np.arange(1, 701) * 7919 % 1009 / 32).tolist())
case(FIXED, "many", drawn(FIXED, num_true=2, num_sampled=200, unique=True, range_max=700, unigrams=MANY, distortion=0.5), TRUE * 70)
case(FIXED, "no weight", drawn(FIXED, num_true=2, num_sampled=4, unique=False, range_max=2, unigrams=(0.0, 0.0)), TRUE)
case(FIXED, "a negative weight", drawn(FIXED, num_true=2, num_sampled=4, unique=False, range_max=2, unigrams=(-1.0, 2.0)), TRUE)
case(FIXED, "no weights", drawn(FIXED, num_true=2, num_sampled=4, unique=False, range_max=2), TRUE)
case(FIXED, "both sources", drawn(FIXED, num_true=2, num_sampled=4, unique=False, range_max=2, unigrams=(1.0, 1.0), vocab_file="words.csv"), TRUE)
case(FIXED, "negative shard", drawn(FIXED, num_true=2, num_sampled=4, unique=False, range_max=2, unigrams=(1.0, 1.0), shard=-1), TRUE)
case("random.fixed_unigram_candidate_sampler", "in tf.random", drawn("random.fixed_unigram_candidate_sampler", num_true=2, num_sampled=6, unique=True, range_max=10, unigrams=WEIGHTS), TRUE)
for unique in (False, True):
    form(ALL, f"unique {unique}", drawn(ALL, num_true=2, num_sampled=10, unique=unique, name="mine"), TRUE)
case(ALL, "fewer than the true ones", drawn(ALL, num_true=2, num_sampled=4, unique=True), TRUE)
case("random.all_candidate_sampler", "in tf.random", drawn("random.all_candidate_sampler", num_true=2, num_sampled=4, unique=True), TRUE)

# -- accidental hits -----------------------------------------------------------------------------------------------

SAMPLED = np.array([2, 7, 5, 2, 0, 8])
form(HITS, "form", lambda tf, t, s: tf.nn.compute_accidental_hits(t, s, 2, seed=4, name="mine"), TRUE, SAMPLED)
case(HITS, "none", lambda tf, t, s: tf.nn.compute_accidental_hits(t, s, 2), TRUE, SAMPLED[2:3].copy())
case(HITS, "no candidates", lambda tf, t, s: tf.nn.compute_accidental_hits(t, s, 2), TRUE, SAMPLED[:0])
case(HITS, "other columns", lambda tf, t, s: tf.nn.compute_accidental_hits(t, s, 3), TRUE, SAMPLED)
case(HITS, "classes of rank 1", lambda tf, t, s: tf.nn.compute_accidental_hits(t, s, 2), TRUE[0], SAMPLED)
case(HITS, "candidates of rank 2", lambda tf, t, s: tf.nn.compute_accidental_hits(t, s, 2), TRUE, SAMPLED[None])
for label, parts in {"columns": (TRUE[:, :1].copy(), SAMPLED), "rank of the classes": (TRUE[0], SAMPLED), "rank of the candidates": (TRUE, SAMPLED[None])}.items():
    case(HITS, f"only the run knows: {label}", lambda tf, t, s: tf.nn.compute_accidental_hits(tf.placeholder_with_default(t, None), tf.placeholder_with_default(s, None), 2), *parts)

# -- losses --------------------------------------------------------------------------------------------------------

NCE, SOFTMAX = "nn.nce_loss", "nn.sampled_softmax_loss"
W = (np.arange(40, dtype=np.float32).reshape(20, 2) % 7 - 3) / 4
B = (np.arange(20, dtype=np.float32) % 5 - 2) / 8
X = np.array([[1, 2], [-3, 0.5], [0.25, -1]], np.float32)
LABELS = np.array([[1], [4], [7]])
PAIRS = np.array([[1, 2], [4, 0], [7, 4]])


def loss(symbol, parts=1, count=5, classes=20, **options):
    """A row's call: the parts of the weights, biases, labels and inputs."""

    def call(tf, *tensors):
        tf.set_random_seed(3)
        weights, (biases, labels, inputs, *rest) = list(tensors[:parts]), tensors[parts:]
        given = {"sampled_values": tuple(rest)} if rest else {}
        return named(symbol)(tf, weights[0] if parts == 1 else weights, biases, labels, inputs, count, classes, **given, **options)

    return call


def slopes(symbol, **options):
    """The gradients of a loss for weights, biases and inputs: the slices' values and indices, then the inputs'."""

    def call(tf, *tensors):
        total = tf.reduce_sum(loss(symbol, **options)(tf, *tensors))
        w, b, x = tf.gradients(total, [tensors[0], tensors[1], tensors[3]])
        return [w.values, w.indices, b.values, b.indices, x]

    return call


for symbol in (NCE, SOFTMAX):
    form(symbol, "form", loss(symbol), W, B, LABELS, X)
    for hits in (False, True):
        case(symbol, f"accidental hits {hits}", loss(symbol, count=18, remove_accidental_hits=hits, name="mine"), W, B, LABELS, X)
        case(symbol, f"two true classes, hits {hits}", loss(symbol, count=18, num_true=2, remove_accidental_hits=hits), W, B, PAIRS, X)
        case(symbol, f"gradient, hits {hits}", slopes(symbol, count=12, remove_accidental_hits=hits), W, B, LABELS, X)
    for how in ("mod", "div"):
        form(symbol, f"parts, {how}", loss(symbol, parts=2, partition_strategy=how), W[:10].copy(), W[10:].copy(), B, LABELS, X)
    form(symbol, "given candidates", loss(symbol, count=3), W, B, LABELS.astype(np.int32), X, np.array([4, 5, 6]), np.float32([[0.1], [0.2], [0.3]]), np.float32([0.5, 0.25, 0.1]))
    case(symbol, "float64 inputs", loss(symbol, count=3), W, B, LABELS, X.astype(np.float64), np.array([4, 5, 6], np.int32), np.float64([[0.1], [0.2], [0.3]]), np.float64([0.5, 0.25, 0.1]))
    case(symbol, "float64 inputs and a sampler", loss(symbol), W, B, LABELS, X.astype(np.float64))
    case(symbol, "no rows", loss(symbol), W, B, LABELS[:0], X[:0])
    case(symbol, "a vector of labels", loss(symbol), W, B, LABELS[:, 0], X)
    case(symbol, "other widths", loss(symbol), W, B, LABELS, np.ones((3, 3), np.float32))
    case(symbol, "too many samples", loss(symbol, count=21), W, B, LABELS, X)
case(SOFTMAX, "seed", loss(SOFTMAX, seed=11), W, B, LABELS, X)
