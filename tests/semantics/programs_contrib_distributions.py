"""tf.contrib.distributions beside tf.distributions."""

from harness import program, signature_text
from programs_distributions import STATISTICS, asked, draws, made, methods, refused

NAMES = (
    "BetaWithSoftplusConcentration", "Binomial", "Cauchy", "Chi2", "Chi2WithAbsDf", "ExponentialWithSoftplusRate",
    "GammaWithSoftplusConcentrationRate", "Geometric", "HalfNormal", "Independent", "InverseGamma",
    "InverseGammaWithSoftplusConcentrationRate", "LaplaceWithSoftplusScale", "Logistic", "NegativeBinomial",
    "NormalWithSoftplusScale", "OneHotCategorical", "Poisson", "StudentTWithAbsDfSoftplusScale",
)  # fmt: skip
POSITIVE = {
    "NormalWithSoftplusScale": (0.0, [1.0, -2.0]),
    "LaplaceWithSoftplusScale": (0.0, [1.0, -2.0]),
    "ExponentialWithSoftplusRate": ([1.0, -2.0],),
    "GammaWithSoftplusConcentrationRate": (1.0, [1.0, -2.0]),
    "BetaWithSoftplusConcentration": (1.0, [1.0, -2.0]),
    "InverseGammaWithSoftplusConcentrationRate": (1.0, [1.0, -2.0]),
    "StudentTWithAbsDfSoftplusScale": ([-3.5, 4.5], 0.0, 1.0),
    "Chi2": ([1.0, 2.0],),
    "Chi2WithAbsDf": ([-1.5, 2.5],),
}


@program
def signatures(tf, np):
    d, shared = tf.contrib.distributions, dir(tf.distributions.Distribution)
    return [
        [
            signature_text(getattr(d, name).__init__),
            sorted(n for n in dir(getattr(d, name)) if not n.startswith("_") and n not in shared),
        ]
        for name in NAMES
    ]


@program
def same_classes(tf, np):
    names = [n for n in dir(tf.distributions) if not n.startswith("_")]
    return [[name, getattr(tf.contrib.distributions, name) is getattr(tf.distributions, name)] for name in sorted(names)]


@program
def positive_parameters(tf, np):
    d = tf.contrib.distributions

    def of(name, parameters):
        def make(**options):
            return getattr(d, name)(*parameters, **options)

        return [
            made(tf, make),
            made(tf, lambda: make(validate_args=True, name="mine")),
            asked(tf, make, {
                "mean": lambda x: x.mean(),
                "prob": lambda x: x.prob(0.5),
                "parameters": lambda x: sorted(x.parameters.items()),
                "copy": lambda x: repr(x.copy()),
                "shapes": lambda x: sorted(type(x).param_static_shapes([2]).items()),
            }),
        ]  # fmt: skip

    return [of(*row) for row in sorted(POSITIVE.items())]


@program
def one_hot_categorical(tf, np):
    d = tf.contrib.distributions
    rows = [[0.25, 0.5, 0.25], [0.2, 0.2, 0.6]]
    calls = methods([[0, 1, 0], [1, 0, 0]])
    calls.update(draws(tf, (), 3), size=lambda c: c.event_size)
    few = ("mode", "prob", "batch_shape_tensor", "event_shape_tensor")
    return [
        made(tf, lambda: d.OneHotCategorical([0.0, 1.0, 2.0])),
        made(tf, lambda: d.OneHotCategorical(tf.placeholder(tf.float32), validate_args=True)),
        asked(tf, lambda: d.OneHotCategorical(probs=rows), calls),
        asked(tf, lambda: d.OneHotCategorical([0.0, 1.0, 2.0], dtype=tf.float32), dict(
            methods([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], names=few), draw=lambda c: c.sample(2, seed=1),
        )),
        asked(tf, lambda: d.OneHotCategorical(tf.placeholder(tf.float32, name="P")), dict(
            methods([[0, 1, 0], [1, 0, 0]], names=few), draw=lambda c: c.sample(2, seed=1),
        ), P=rows),
        asked(tf, lambda: d.OneHotCategorical(probs=rows), {
            "kl": lambda c: c.kl_divergence(d.OneHotCategorical([0.0, 1.0, 2.0])),
        }),
        refused(tf, lambda: d.OneHotCategorical(), lambda: d.OneHotCategorical(1.0), lambda: d.OneHotCategorical([1, 2])),
    ]  # fmt: skip


@program
def poisson(tf, np):
    d = tf.contrib.distributions
    few = ("prob", "cdf", "log_cdf", "mode")
    return [
        made(tf, lambda: d.Poisson([1.5, 2.0], validate_args=True)),
        asked(tf, lambda: d.Poisson([1.5, 2.0]), dict(methods([0.0, 2.0], 0.5), **draws(tf, 3))),
        asked(tf, lambda: d.Poisson(log_rate=[0.5, 2.0], validate_args=True), methods([0.0, 2.0], names=few)),
        asked(tf, lambda: d.Poisson(tf.placeholder(tf.float32, name="P")), dict(
            methods(2.0, names=few), draw=lambda p: p.sample(2, seed=1), shape=lambda p: p.batch_shape_tensor(),
        ), P=[0.5, 2.0]),
        refused(
            tf,
            lambda: d.Poisson(),
            lambda: d.Poisson(1.0, 1.0),
            lambda: d.Poisson(1),
            lambda: d.Poisson(log_rate=1),
            lambda: d.Poisson(-1.0, validate_args=True),
            lambda: d.Poisson(1.0, validate_args=True).prob(0.5),
            lambda: d.Poisson(1.0, validate_args=True).cdf(-1.0),
            lambda: d.Poisson.param_shapes([2]),
        ),
    ]  # fmt: skip


@program
def numbers(tf, np):
    """Cauchy, Logistic, HalfNormal."""
    d = tf.contrib.distributions
    wide = np.array([-30.0, -0.5, 0.0, 0.25, 1.0, 3.0, 40.0])

    def of(make, precise):
        return [
            made(tf, lambda: make(np.float32([1.0, 2.0]), validate_args=True)),
            asked(tf, lambda: make(np.float32([1.0, 2.0])), dict(methods([0.5, 1.5], 0.25), **draws(tf, 3))),
            asked(tf, precise, methods(wide, np.array([0.0, 0.125, 0.5, 0.75, 1.0])), graph=False),
            refused(tf, lambda: make(-1.0, validate_args=True)),
            [sorted(type(make(1.0)).param_static_shapes([2]).items())],
        ]

    return [
        of(lambda x, **options: d.Cauchy([0.0, 1.0], x, **options), lambda: d.Cauchy(np.float64(0.5), np.float64(2))),
        of(lambda x, **options: d.Logistic([0.0, 1.0], x, **options), lambda: d.Logistic(np.float64(0.5), np.float64(2))),
        of(lambda x, **options: d.HalfNormal(x, **options), lambda: d.HalfNormal(np.float64(2))),
        refused(
            tf,
            lambda: d.Cauchy(0.0, 1.0, allow_nan_stats=False).mean(),
            lambda: d.Cauchy(0.0, 1.0, allow_nan_stats=False).stddev(),
            lambda: d.Cauchy(0.0, 1.0, allow_nan_stats=False).variance(),
            lambda: d.Cauchy(0.0, np.float64(1)),
            lambda: d.Logistic(0, 1),
        ),
    ]


@program
def inverse_gamma(tf, np):
    d = tf.contrib.distributions
    options = {"validate_args": True, "allow_nan_stats": False}
    return [
        made(tf, lambda: d.InverseGamma([1.5, 3.0], 2.0, **options)),
        asked(tf, lambda: d.InverseGamma([1.5, 3.0], 2.0), dict(methods([0.5, 1.5], 0.25), **draws(tf, 3))),
        asked(tf, lambda: d.InverseGamma([1.5, 3.0], 2.0, **options), methods([0.5, 1.5], names=STATISTICS[:5] + ("prob", "cdf"))),
        refused(tf, lambda: d.InverseGamma(-1.0, 1.0, **options), lambda: d.InverseGamma(1.0, np.float64(1))),
    ]


@program
def counts(tf, np):
    """Geometric, Binomial, NegativeBinomial."""
    d = tf.contrib.distributions
    options = {"validate_args": True, "allow_nan_stats": False}

    def of(make, *shapes):
        return [
            made(tf, lambda: make(probs=[0.2, 0.5], **options)),
            asked(tf, lambda: make(probs=[0.2, 0.5]), dict(methods([1.0, 4.0], 0.25), **draws(tf, *shapes))),
            asked(tf, lambda: make([0.2, 0.5], **options), methods([1.0, 2.0], names=("entropy", "prob", "cdf"))),
            asked(tf, lambda: make(tf.placeholder(tf.float32, name="P")), methods(1.0), graph=False, P=[0.2, 0.5]),
            refused(tf, make, lambda: make(1), lambda: make(probs=-0.5, **options), lambda: make(0.5, **options).prob(0.5)),
        ]

    return [
        of(d.Geometric, 3),
        of(lambda *args, **given: d.Binomial(4.0, *args, **given), 3),
        of(lambda *args, **given: d.NegativeBinomial(4.0, *args, **given), 3),
        asked(tf, lambda: d.Binomial(4.0, probs=[0.2, 0.5]), {"one": lambda b: b.cdf(1.0)}),
        refused(
            tf,
            lambda: d.Binomial(4.5, 0.5, **options),
            lambda: d.Binomial(-4.0, 0.5, **options),
            lambda: d.NegativeBinomial(-4.0, 0.5, **options),
        ),
    ]


@program
def independent(tf, np):
    d = tf.contrib.distributions
    calls = dict(methods([1.0, 2.0], 0.5), **draws(tf, 3))
    rows = [[0.0, 1.0], [2.0, 3.0]]

    def fed(**options):
        return asked(tf, lambda: d.Independent(d.Normal(tf.placeholder(tf.float32, name="P"), 2.0), **options), calls, P=rows)

    def divergence(first, second):
        return lambda a: a.kl_divergence(d.Independent(d.Normal(first, 1.0, name="second"), second, name="other"))

    return [
        made(tf, lambda: d.Independent(d.Normal(rows, 2.0))),
        made(tf, lambda: d.Independent(d.Bernoulli(probs=0.5), name="mine")),
        asked(tf, lambda: d.Independent(d.Normal(rows, 2.0)), dict(calls, kl=divergence(rows, 1), other=divergence(rows, 2))),
        asked(tf, lambda: d.Independent(d.Normal(rows, 2.0), 2), calls, graph=False),
        asked(tf, lambda: d.Independent(d.Dirichlet([rows, rows]), 1), {"prob": lambda i: i.prob([[0.5, 0.5]])}, graph=False),
        fed(), fed(reinterpreted_batch_ndims=1, validate_args=True), fed(reinterpreted_batch_ndims=3, validate_args=True),
        refused(tf, lambda: d.Independent(d.Normal(0.0, 1.0), 1)),
    ]  # fmt: skip
