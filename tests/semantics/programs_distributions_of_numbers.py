"""tf.distributions of numbers: Uniform, Exponential, Gamma, Beta, Laplace, StudentT."""

from harness import program, signature_text
from programs_distributions import asked, draws, made, methods, refused

FEW = ("mean", "variance", "stddev", "mode", "prob", "cdf")


@program
def signatures(tf, np):
    d = tf.distributions
    classes = (d.Uniform, d.Exponential, d.Gamma, d.Beta, d.Laplace, d.StudentT)
    shared = dir(d.Distribution)
    return [
        [signature_text(c.__init__) for c in classes],
        [sorted(n for n in dir(c) if not n.startswith("_") and n not in shared) for c in classes],
        [[b.__name__ for b in c.__bases__] for c in (d.Exponential,)],
        signature_text(d.Uniform.range),
        [[sorted(c.param_static_shapes([2]).items())] for c in classes],
    ]


@program
def constructors(tf, np):
    d = tf.distributions
    return [
        made(tf, make)
        for make in (
            lambda: d.Uniform(),
            lambda: d.Uniform([0.0, 1.0], 3.0, validate_args=True, name="mine"),
            lambda: d.Exponential([1.0, 2.0]),
            lambda: d.Exponential(np.float64(2), validate_args=True, allow_nan_stats=False, name="mine"),
            lambda: d.Gamma([1.0, 0.5], 2.0),
            lambda: d.Gamma([1.0, 0.5], 2.0, validate_args=True),
            lambda: d.Beta([1.0, 0.5], 2.0),
            lambda: d.Beta([1.0, 0.5], 2.0, validate_args=True),
            lambda: d.Laplace([0.0, 1.0], 2.0),
            lambda: d.Laplace([0.0, 1.0], 2.0, validate_args=True),
            lambda: d.StudentT([1.0, 3.0], 2.0, [[1.0], [2.0]]),
            lambda: d.StudentT([1.0, 3.0], 2.0, 1.0, validate_args=True),
        )
    ]


@program
def wrong_parameters(tf, np):
    d = tf.distributions
    return refused(
        tf,
        lambda: d.Uniform(1.0, 0.0, validate_args=True),
        lambda: d.Uniform(0, 1),
        lambda: d.Uniform(0.0, np.float64(1)),
        lambda: d.Exponential(1).mean(),
        lambda: d.Exponential(-1.0, validate_args=True),
        lambda: d.Gamma(1.0, -1.0, validate_args=True),
        lambda: d.Gamma(1.0, np.float64(1)),
        lambda: d.Beta(),
        lambda: d.Beta(1.0, -1.0, validate_args=True),
        lambda: d.Beta(1, 2),
        lambda: d.Beta([1.0, 2.0], [1.0, 2.0, 3.0]),
        lambda: d.Laplace(1.0, -1.0, validate_args=True),
        lambda: d.StudentT(-1.0, 0.0, 1.0, validate_args=True),
        lambda: d.StudentT(1.0, 0.0, np.float64(1)),
        lambda: d.Laplace(0.0, 1.0).kl_divergence(d.Laplace(0.0, 1.0)),
    )


@program
def methods_of_each(tf, np):
    d = tf.distributions

    def all_of(make, value):
        return asked(tf, make, dict(methods(value, 0.5), **draws(tf, 3)))

    return [
        all_of(lambda: d.Uniform([0.0, 1.0], 3.0), [0.5, 1.5]),
        all_of(lambda: d.Exponential([1.0, 2.0]), [0.5, 1.5]),
        all_of(lambda: d.Gamma([1.0, 0.5], 2.0), [0.5, 1.5]),
        all_of(lambda: d.Beta([1.0, 0.5], 2.0), [0.25, 0.75]),
        all_of(lambda: d.Laplace([0.0, 1.0], 2.0), [0.5, 1.5]),
        all_of(lambda: d.StudentT([1.0, 3.0], 2.0, 1.0), [0.5, 1.5]),
    ]


@program
def checked_methods(tf, np):
    """Under validate_args, and with errors in place of undefined statistics."""
    d = tf.distributions
    options = {"validate_args": True, "allow_nan_stats": False}

    def few_of(make, value):
        return asked(tf, make, methods(value, names=FEW))

    return [
        few_of(lambda: d.Uniform(0.0, [1.0, 3.0], **options), 0.5),
        few_of(lambda: d.Exponential([1.0, 2.0], **options), [0.5, 1.5]),
        few_of(lambda: d.Gamma([1.0, 0.5], 2.0, **options), [0.5, -1.5]),
        few_of(lambda: d.Gamma([1.5, 2.0], 2.0, **options), [0.5, 1.5]),
        few_of(lambda: d.Beta([1.0, 3.0], 2.0, **options), [0.5, 1.5]),
        few_of(lambda: d.Beta([2.0, 3.0], 2.0, **options), 0.25),
        few_of(lambda: d.Laplace([0.0, 1.0], 2.0, **options), [0.5, 1.5]),
        few_of(lambda: d.StudentT([1.0, 3.0], 2.0, 1.0, **options), [0.5, 1.5]),
        few_of(lambda: d.StudentT([1.5, 3.0], 2.0, 1.0, **options), [0.5, 1.5]),
    ]


@program
def values(tf, np):
    d = tf.distributions
    numbers = np.array([-3.0, -0.5, 0.0, 0.25, 1.0, 3.0, 40.0])
    inside = np.array([0.0, 0.125, 0.5, 0.875, 1.0])

    def of(make, value):
        calls = methods(value)
        if type(make()).__name__ == "StudentT":  # 1.15 compares float64 degrees of freedom with a float32 2, and fails
            calls = {label: call for label, call in calls.items() if label not in ("variance", "stddev")}
        return asked(tf, make, calls, graph=False)

    return [
        of(lambda: d.Uniform(np.float64(-1), np.float64(3)), np.append(numbers, np.nan)),
        of(lambda: d.Exponential(np.float64(1.5)), numbers[2:]),
        of(lambda: d.Gamma(np.float64(2.5), np.float64(1.5)), numbers[2:]),
        of(lambda: d.Beta(np.float64(2.5), np.float64(1.5)), inside),
        of(lambda: d.Laplace(np.float64(0.5), np.float64(1.5)), np.append(numbers, [-800.0, 800.0])),
        of(lambda: d.StudentT(np.float64(2.5), np.float64(0.5), np.float64(-1.5)), numbers),
        of(lambda: d.StudentT(np.array([1.0, 1.5, 2.0, 2.5]), np.float64(0), np.float64(1)), np.float64(1)),
    ]


@program
def shapes_of_the_run(tf, np):
    d = tf.distributions

    def fed(make):
        calls = methods(0.5, names=("mean", "variance", "mode", "prob", "cdf", "entropy", "batch_shape_tensor"))
        return asked(tf, lambda: make(tf.placeholder(tf.float32, name="P")), dict(calls, draw=lambda x: x.sample(2, seed=1)), P=[1.0, 2.5])

    return [
        fed(lambda x: d.Uniform(0.0, x)),
        fed(lambda x: d.Exponential(x)),
        fed(lambda x: d.Gamma(x, 1.0)),
        fed(lambda x: d.Beta(x, 2.0)),
        fed(lambda x: d.Laplace(0.0, x)),
        fed(lambda x: d.StudentT(x, 0.0, 1.0)),
    ]


@program
def divergences(tf, np):
    d = tf.distributions
    return [
        asked(tf, lambda: d.Gamma([1.0, 0.5], 2.0), {
            "kl": lambda a: a.kl_divergence(d.Gamma(1.0, 1.5)), "cross": lambda a: a.cross_entropy(d.Exponential(1.5)),
        }),
        asked(tf, lambda: d.Exponential([1.0, 0.5]), {"kl": lambda a: a.kl_divergence(d.Exponential(1.5))}),
        asked(tf, lambda: d.Beta([1.0, 0.5], 2.0), {
            "kl": lambda a: a.kl_divergence(d.Beta(1.0, 1.5)), "cross": lambda a: a.cross_entropy(d.Beta(1.0, 1.5)),
        }),
    ]  # fmt: skip


@program
def copies(tf, np):
    d = tf.distributions
    return [
        asked(tf, lambda: d.Exponential([1.0, 2.0]), {
            "copy": lambda e: repr(e.copy(rate=2.0)), "parameters": lambda e: sorted(e.parameters.items()),
        }),
        asked(tf, lambda: d.Uniform(0.0, [1.0, 2.0]), {"range": lambda u: u.range(name="mine"), "copy": lambda u: repr(u.copy(low=-1.0))}),
    ]  # fmt: skip


@program
def gradients(tf, np):
    d = tf.distributions

    def of(make, function):
        def call(given):
            return tf.gradients(function(make(given)), given)[0]

        return asked(tf, lambda: tf.constant([0.5, 1.5]), {"slope": call}, graph=False)["slope"]

    return [
        of(lambda x: d.Uniform(0.0, x), lambda u: u.sample(seed=1)),
        of(lambda x: d.Exponential(x), lambda e: e.sample(seed=1)),
        of(lambda x: d.Exponential(x), lambda e: e.log_prob(0.5)),
        of(lambda x: d.Gamma(x, x), lambda g: g.log_prob(0.5)),
        of(lambda x: d.Gamma(2.0, x), lambda g: g.cdf(0.5)),
        of(lambda x: d.Gamma(2.0, x), lambda g: g.sample(seed=1)),
        of(lambda x: d.Beta(x, 2.0), lambda b: b.log_prob(0.25)),
        of(lambda x: d.Laplace(x, x), lambda p: p.log_cdf([-400.0, 400.0])),
        of(lambda x: d.Laplace(0.0, x), lambda p: p.sample(seed=1)),
        of(lambda x: d.StudentT(3.0, x, x), lambda s: s.sample(seed=1)),
        of(lambda x: d.StudentT(x, 0.0, 1.0), lambda s: s.entropy()),
        of(lambda x: d.StudentT(x + 2.0, 0.0, x), lambda s: s.variance()),
        of(lambda x: d.Gamma(x, 1.0), lambda g: g.kl_divergence(d.Gamma(1.0, 2.0))),
    ]
