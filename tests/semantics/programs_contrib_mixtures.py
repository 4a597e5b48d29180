"""tf.contrib.distributions: mixtures, relaxed classes, numbers that are always the same, streams of seeds."""

from harness import fresh, program, signature_text
from programs_contrib_bijectors import numbers_of
from programs_distributions import draws, made, methods, refused

NAMES = (
    "Deterministic", "ExpRelaxedOneHotCategorical", "Mixture", "MixtureSameFamily", "RelaxedBernoulli",
    "RelaxedOneHotCategorical", "SeedStream", "VectorDeterministic",
)  # fmt: skip
ALL = ("mean", "variance", "stddev", "mode", "entropy", "covariance", "batch_shape_tensor", "event_shape_tensor", "prob", "log_prob", "cdf")


@program
def signatures(tf, np):
    d, shared = tf.contrib.distributions, dir(tf.contrib.distributions.TransformedDistribution)
    return [
        [
            signature_text(getattr(d, name).__init__),
            sorted(n for n in dir(getattr(d, name)) if not n.startswith("_") and n not in shared),
        ]
        for name in NAMES
    ]


def told(tf, make, value, sampled=True):
    """What a distribution tells of itself, and the numbers that its methods give."""
    calls = methods(value, names=ALL)
    if sampled:
        calls.update(draws(tf, (), 3, (2, 2)))
    of_itself = made(tf, make)
    return [of_itself[1:-1] if isinstance(of_itself, list) else of_itself, numbers_of(tf, make, calls)]


@program
def mixtures(tf, np):
    d = tf.contrib.distributions
    one, two = (lambda: d.Categorical(probs=[0.3, 0.7])), (lambda: d.Categorical(probs=[[0.3, 0.7], [0.5, 0.5]]))
    return [
        told(tf, lambda: d.Mixture(one(), [d.Normal(0.0, 1.0), d.Normal(5.0, 0.5)]), [0.5, 4.0]),
        told(tf, lambda: d.Mixture(two(), [d.Normal([0.0, 1.0], 1.0), d.Normal([5.0, 6.0], 0.5)], use_static_graph=True), [0.5, 4.0]),
        told(tf, lambda: d.Mixture(two(), [d.Normal([0.0, 1.0], 1.0), d.Normal([5.0, 6.0], 0.5)]), [0.5, 4.0]),
        told(tf, lambda: d.Mixture(
            one(), (d.MultivariateNormalDiag([0.0, 1.0]), d.MultivariateNormalTriL([5.0, 6.0], [[1.0, 0.0], [0.5, 2.0]]))
        ), [0.5, 4.0]),
        numbers_of(tf, lambda: d.Mixture(one(), [d.Normal(0.0, 1.0), d.Normal(5.0, 0.5)]), {"bound": lambda m: m.entropy_lower_bound()}),
        # 1.15 draws from MixtureSameFamily without the seed
        told(tf, lambda: d.MixtureSameFamily(one(), d.Normal([0.0, 5.0], [1.0, 0.5])), [0.5, 4.0], sampled=False),
        told(tf, lambda: d.MixtureSameFamily(two(), d.Normal([[0.0, 5.0], [1.0, 2.0]], 1.0)), [0.5, 4.0], sampled=False),
        told(tf, lambda: d.MixtureSameFamily(one(), d.MultivariateNormalDiag([[0.0, 1.0], [5.0, 6.0]], [1.0, 2.0])), [0.5, 4.0], sampled=False),
        refused(
            tf,
            lambda: d.Mixture(d.Normal(0.0, 1.0), [d.Normal(0.0, 1.0)]),
            lambda: d.Mixture(one(), []),
            lambda: d.Mixture(one(), [d.Normal(0.0, 1.0)]),
            lambda: d.Mixture(one(), [d.Normal(0.0, 1.0), d.Normal(np.float64(0), np.float64(1))]),
            lambda: d.Mixture(one(), [d.Normal(0.0, 1.0), d.Normal([0.0, 1.0], 1.0)]),
            lambda: d.Mixture(one(), [d.Normal([0.0, 1.0], 1.0), d.MultivariateNormalDiag([0.0, 1.0])]),
            lambda: d.MixtureSameFamily(d.Normal(0.0, 1.0), d.Normal([0.0, 1.0], 1.0)),
            lambda: d.MixtureSameFamily(one(), d.Normal(0.0, 1.0)),
            lambda: d.MixtureSameFamily(one(), d.Normal([0.0, 1.0, 2.0], 1.0)),
        ),
    ]  # fmt: skip


@program
def relaxed(tf, np):
    d = tf.contrib.distributions
    rows = [[0.25, 0.75], [0.5, 0.5]]
    return [
        told(tf, lambda: d.RelaxedBernoulli(0.5, probs=[0.3, 0.7]), 0.25),
        told(tf, lambda: d.RelaxedBernoulli([0.5, 2.0], [0.3, 0.7], validate_args=True), 0.25),
        told(tf, lambda: d.RelaxedOneHotCategorical(0.5, probs=[0.3, 0.7]), rows),
        told(tf, lambda: d.RelaxedOneHotCategorical(2.0, [[0.3, 0.7], [1.0, -1.0]]), rows),
        told(tf, lambda: d.ExpRelaxedOneHotCategorical(0.5, [0.3, 0.7]), np.log(np.float32(rows))),
        refused(
            tf,
            lambda: d.RelaxedBernoulli(1.0),
            lambda: d.RelaxedBernoulli(-1.0, 0.5, validate_args=True),
            lambda: d.RelaxedOneHotCategorical(1.0),
            lambda: d.RelaxedOneHotCategorical(1.0, [1, 2]),
            lambda: d.RelaxedOneHotCategorical(-1.0, [0.5, 1.0], validate_args=True),
        ),
    ]


@program
def always_the_same(tf, np):
    d = tf.contrib.distributions
    return [
        told(tf, lambda: d.Deterministic([0.5, 1.0]), 0.5),
        told(tf, lambda: d.Deterministic([0.5, 1.0], atol=0.1, rtol=[0.0, 1.0], validate_args=True), 0.5625),
        told(tf, lambda: d.VectorDeterministic([[0.5, 1.0], [2.0, 3.0]], atol=0.5), [0.75, 1.0]),
        refused(tf, lambda: d.Deterministic([1.0], atol=-1.0, validate_args=True)),
    ]


@program
def seeds(tf, np):
    d = tf.contrib.distributions

    def streams():
        stream = d.SeedStream(1, salt="mine")
        other = d.SeedStream(stream, "other")
        return [str(seed) for seed in (stream(), stream(), other())] + [other.original_seed, other.salt, d.SeedStream(None, "mine")()]

    return fresh(tf, streams)
