"""Samplers over several runs, weights from files, training by sampled losses, and the sampled losses of contrib.nn."""

from harness import fresh, graph_of, in_folder, program

TRUE = [[1, 7], [3, 0], [9, 2]]
INPUTS = [[1.0, 2.0], [-3.0, 0.5], [0.25, -1.0]]


def runs(tf, sampler, count=4):
    """What a sampler gives in several runs of one session, then in a new session."""

    def run():
        tf.set_random_seed(3)
        outputs = list(sampler(tf.constant(TRUE, tf.int64)))
        found = []
        for times in (count, 1):
            with tf.Session() as session:
                found += [session.run(outputs) for _ in range(times)]
        return found

    return fresh(tf, run)


@program
def samplers_over_several_runs(tf, np):
    nn = tf.nn
    samplers = {
        "uniform": lambda t, u: nn.uniform_candidate_sampler(t, 2, 5, u, 10, seed=1),
        "log uniform": lambda t, u: nn.log_uniform_candidate_sampler(t, 2, 5, u, 10, seed=1),
        "learned": lambda t, u: nn.learned_unigram_candidate_sampler(t, 2, 5, u, 10, seed=1),
        "fixed": lambda t, u: nn.fixed_unigram_candidate_sampler(t, 2, 5, u, 10, unigrams=list(range(1, 11)), seed=1),
    }
    return {
        name + (", unique" if unique else ""): runs(tf, lambda t, f=sampler, u=unique: f(t, u))
        for name, sampler in samplers.items()
        for unique in (False, True)
    }


@program
def weights_from_a_file(tf, np):
    def written(text, **options):
        def run(folder):
            with open("words.csv", "w") as file:
                file.write(text)
            return runs(tf, lambda t: tf.nn.fixed_unigram_candidate_sampler(t, 2, 3, False, vocab_file="words.csv", seed=1, **options), 2)

        return in_folder(run)

    return {
        "last of the fields": written('a,1\nb,2.5\nc,"x",.5\n', range_max=3),
        "empty lines": written("a,1\n\n b , 2 \n", range_max=2),
        "one field, no last end": written("1\n2", range_max=2),
        "reserved and distorted": written("a,1\nb,2\nc,4\n", range_max=5, num_reserved_ids=2, distortion=0.75),
        "a shard": written("a,1\nb,2\nc,4\nd,8\n", range_max=2, num_shards=2, shard=1),
    }


def table(tf, name, shape):
    return tf.get_variable(name, initializer=tf.reshape(tf.range(np_size(shape), dtype=tf.float32) % 7 - 3, shape) / 4)


def np_size(shape):
    size = 1
    for n in shape:
        size *= n
    return float(size)


@program
def training(tf, np):
    def steps(loss, optimizer, **options):
        tf.set_random_seed(3)
        w, b = table(tf, "w", [20, 2]), table(tf, "b", [20])
        cost = tf.reduce_mean(loss(w, b, tf.constant([[1], [4], [7]], tf.int64), tf.constant(INPUTS), 5, 20, **options))
        train = optimizer.minimize(cost)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return [session.run([cost, train])[0] for _ in range(5)], session.run([w, b])

    return {
        "nce": fresh(tf, lambda: steps(tf.nn.nce_loss, tf.train.GradientDescentOptimizer(0.5))),
        "nce, adam": fresh(tf, lambda: steps(tf.nn.nce_loss, tf.train.AdamOptimizer(0.1), remove_accidental_hits=True)),
        "sampled softmax": fresh(tf, lambda: steps(tf.nn.sampled_softmax_loss, tf.train.GradientDescentOptimizer(0.5))),
        "sampled softmax, adagrad": fresh(tf, lambda: steps(tf.nn.sampled_softmax_loss, tf.train.AdagradOptimizer(0.5))),
    }


def value_and_graph(tf, make, with_graph=True):
    def run():
        tf.set_random_seed(3)
        w, b = tf.constant(np_table(20, 2)), tf.constant(np_table(20))
        loss = make(w, b, tf.constant(INPUTS))
        slopes = tf.gradients(loss, [w, b])
        with tf.Session() as session:
            return [loss, session.run([loss] + [tf.convert_to_tensor(s) for s in slopes]), graph_of(tf) if with_graph else None]

    return fresh(tf, run)


def np_table(*shape):
    import numpy as np

    return (np.arange(np.prod(shape), dtype=np.float32).reshape(shape) % 7 - 3) / 4


@program
def losses_of_contrib(tf, np):
    nn = tf.contrib.nn
    labels = {1: [[1], [4], [7]], 2: [[1, 2], [4, 5], [7, 3]]}

    def true(count):
        return tf.constant(labels[count], tf.int64)

    def sampled(count):
        return tf.nn.log_uniform_candidate_sampler(labels[1], 1, count, True, 20, seed=5)

    return {
        "sparse": value_and_graph(tf, lambda w, b, x: nn.sampled_sparse_softmax_loss(w, b, true(1), x, 5, 20)),
        "sparse, no hits": value_and_graph(
            tf, lambda w, b, x: nn.sampled_sparse_softmax_loss(w, b, true(1), x, 15, 20, remove_accidental_hits=False, name="mine")
        ),
        "ranked": value_and_graph(
            tf, lambda w, b, x: nn.rank_sampled_softmax_loss(w, b, true(1), x, 8, 3, 20, 1, sampled(8), 1.0, True, "mod"), False
        ),
        "ranked, in parts": value_and_graph(
            tf,
            lambda w, b, x: nn.rank_sampled_softmax_loss(
                tf.split(w, 2), b, true(2), x, 8, 4, 20, 2, None, 0.5, False, "div", name="mine"
            ),
            False,
        ),
        "more resampled than sampled": fresh(
            tf, lambda: nn.rank_sampled_softmax_loss(np_table(20, 2), np_table(20), labels[1], INPUTS, 3, 8, 20, 1, None, 1.0, True, "mod")
        ),
        "more sampled than there are": fresh(
            tf, lambda: nn.rank_sampled_softmax_loss(np_table(20, 2), np_table(20), labels[1], INPUTS, 30, 8, 20, 1, None, 1.0, True, "mod")
        ),
    }
