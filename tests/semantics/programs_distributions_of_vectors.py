"""tf.distributions of vectors: Dirichlet, Multinomial, DirichletMultinomial."""

from harness import program, signature_text
from programs_distributions import asked, draws, made, methods, refused

FEW = ("mean", "variance", "covariance", "mode", "prob", "batch_shape_tensor", "event_shape_tensor")


@program
def signatures(tf, np):
    d = tf.distributions
    classes = (d.Dirichlet, d.Multinomial, d.DirichletMultinomial)
    shared = dir(d.Distribution)
    return [
        [signature_text(c.__init__) for c in classes],
        [sorted(n for n in dir(c) if not n.startswith("_") and n not in shared) for c in classes],
        refused(tf, *((lambda c=c: c.param_shapes([2])) for c in classes)),
    ]


@program
def constructors(tf, np):
    d = tf.distributions
    return [
        made(tf, make)
        for make in (
            lambda: d.Dirichlet([[1.0, 0.5, 2.0], [3.0, 2.0, 4.0]]),
            lambda: d.Dirichlet([2.0, 0.5, 2.0], validate_args=True, allow_nan_stats=False, name="mine"),
            lambda: d.Dirichlet(tf.placeholder(tf.float32), validate_args=True),
            lambda: d.Multinomial(4.0, logits=[[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]),
            lambda: d.Multinomial([4.0, 2.0], probs=[0.25, 0.5, 0.25], validate_args=True),
            lambda: d.DirichletMultinomial(4.0, [1.0, 0.5, 2.0]),
            lambda: d.DirichletMultinomial(np.float64(4), np.array([[1.0, 0.5, 2.0]]), validate_args=True),
        )
    ]


@program
def wrong_parameters(tf, np):
    d = tf.distributions
    checked = {"validate_args": True}
    return refused(
        tf,
        lambda: d.Dirichlet(1.0),
        lambda: d.Dirichlet(1.0, **checked),
        lambda: d.Dirichlet([1.0, -1.0], **checked),
        lambda: d.Dirichlet([1.0, 1.0], **checked).prob([1.5, -0.5]),
        lambda: d.Multinomial(4.0),
        lambda: d.Multinomial(4, [1.0, 2.0]),
        lambda: d.Multinomial(-4.0, [1.0, 2.0], **checked),
        lambda: d.Multinomial(4.5, [1.0, 2.0], **checked),
        lambda: d.Multinomial(4.0, [1.0, 2.0], **checked).prob([2.5, 1.5]),
        lambda: d.Multinomial(4.0, [1.0, 2.0], **checked).prob([-1.0, 5.0]),
        lambda: d.DirichletMultinomial(4.0, [1.0], **checked),
        lambda: d.DirichletMultinomial(4.0, [1.0, -1.0], **checked),
        lambda: d.DirichletMultinomial([4.0, 2.0], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]).mean(),
        lambda: d.DirichletMultinomial([4.0, 2.0], [1.0, 1.0, 1.0]).sample(),
    )


@program
def methods_of_each(tf, np):
    d = tf.distributions

    def all_of(make, value, *shapes):
        return asked(tf, make, dict(methods(value, 0.5), **draws(tf, *shapes)))

    return [
        all_of(lambda: d.Dirichlet([[1.0, 0.5, 2.0], [3.0, 2.0, 4.0]]), [0.25, 0.5, 0.25], (), 3),
        # a loop draws the rows of a batch, several of its iterations at a time: their order is not TF's
        all_of(lambda: d.Multinomial(4.0, logits=[[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]), [1.0, 1.0, 2.0]),
        asked(tf, lambda: d.Multinomial(4.0, logits=[0.0, 1.0, 2.0]), draws(tf, (), 3, [2, 2])),
        all_of(lambda: d.DirichletMultinomial(4.0, [1.0, 0.5, 2.0]), [[1.0, 1.0, 2.0], [2.0, 2.0, 0.0]], (), 3),
    ]


@program
def checked_methods(tf, np):
    """Under validate_args, and with errors in place of undefined statistics."""
    d = tf.distributions
    options = {"validate_args": True, "allow_nan_stats": False}

    def few_of(make, value):
        return asked(tf, make, methods(value, names=FEW))

    return [
        few_of(lambda: d.Dirichlet([2.0, 0.5, 2.0], **options), [0.25, 0.5, 0.25]),
        few_of(lambda: d.Dirichlet([2.0, 1.5, 2.0], **options), [0.25, 0.5, 0.5]),
        few_of(lambda: d.Multinomial([4.0, 2.0], probs=[0.25, 0.5, 0.25], **options), [[1.0, 1.0, 2.0], [1.0, 0.0, 1.0]]),
        few_of(lambda: d.DirichletMultinomial(4.0, [1.0, 0.5, 2.0], **options), [1.0, 1.0, 2.0]),
        few_of(lambda: d.DirichletMultinomial(4.0, [1.0, 0.5, 2.0], **options), [1.0, 1.0, 1.0]),
    ]


@program
def values(tf, np):
    d = tf.distributions
    rows = np.array([[1.0, 1.0, 2.0], [0.0, 4.0, 0.0], [2.0, 1.0, 1.0]])

    def of(make, value):
        return asked(tf, make, methods(value), graph=False)

    return [
        of(lambda: d.Dirichlet([1.5, 0.5, 2.0]), [0.25, 0.5, 0.25]),
        of(lambda: d.Dirichlet([1.5, 2.5, 2.0]), [[0.25, 0.5, 0.25], [0.0, 0.0, 1.0]]),
        of(lambda: d.Dirichlet(np.array([1.5, 2.5])), np.array([0.25, 0.75])),
        of(lambda: d.Multinomial(np.float64(4), np.array([0.0, 1.0, -2.0])), rows),
        of(lambda: d.DirichletMultinomial(np.float64(4), np.array([0.5, 1.0, 2.0])), rows),
    ]


@program
def shapes_of_the_run(tf, np):
    d = tf.distributions

    def fed(make, value, given):
        calls = dict(methods(value, names=FEW), draw=lambda x: x.sample(2, seed=1))
        return asked(tf, lambda: make(tf.placeholder(tf.float32, name="P")), calls, P=given)

    return [
        fed(lambda x: d.Dirichlet(x), [0.25, 0.75], [1.0, 2.5]),
        fed(lambda x: d.Multinomial(4.0, x), [1.0, 3.0], [[1.0, 2.5]]),
        fed(lambda x: d.Multinomial(x, [0.0, 1.0]), [1.0, 3.0], [4.0]),
        fed(lambda x: d.DirichletMultinomial(4.0, x), [1.0, 3.0], [1.0, 2.5]),
    ]


@program
def divergences(tf, np):
    d = tf.distributions
    return [
        asked(tf, lambda: d.Dirichlet([1.0, 0.5, 2.0]), {
            "kl": lambda a: a.kl_divergence(d.Dirichlet([1.5, 0.5, 1.0])),
            "cross": lambda a: a.cross_entropy(d.Dirichlet([1.5, 0.5, 1.0])),
        }),
        refused(tf, lambda: d.Multinomial(1.0, [1.0, 2.0]).kl_divergence(d.Multinomial(1.0, [1.0, 2.0]))),
    ]  # fmt: skip


@program
def gradients(tf, np):
    d = tf.distributions

    def of(make, function):
        def call(given):
            return tf.gradients(function(make(given)), given)[0]

        return asked(tf, lambda: tf.constant([0.5, 1.5]), {"slope": call}, graph=False)["slope"]

    return [
        of(lambda x: d.Dirichlet(x), lambda p: p.log_prob([0.25, 0.75])),
        of(lambda x: d.Dirichlet(x), lambda p: p.entropy()),
        of(lambda x: d.Dirichlet(x), lambda p: p.covariance()),
        of(lambda x: d.Dirichlet(x), lambda p: p.kl_divergence(d.Dirichlet([1.0, 2.0]))),
        of(lambda x: d.Multinomial(4.0, x), lambda m: m.log_prob([1.0, 3.0])),
        of(lambda x: d.Multinomial(4.0, x), lambda m: m.sample(seed=1)),
        of(lambda x: d.DirichletMultinomial(4.0, x), lambda m: m.log_prob([1.0, 3.0])),
        of(lambda x: d.DirichletMultinomial(4.0, x), lambda m: m.variance()),
    ]
