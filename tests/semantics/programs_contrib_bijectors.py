"""tf.contrib.distributions.bijectors, and the distributions that are made by them."""

from harness import attempt, fresh, program, signature_text
from programs_distributions import asked, built, draws, made, methods, refused, value_of

NAMES = (
    "AbsoluteValue", "Affine", "AffineLinearOperator", "AffineScalar", "Bijector", "Chain", "CholeskyOuterProduct",
    "ConditionalBijector", "Exp", "FillTriangular", "Gumbel", "Identity", "Inline", "Invert", "Kumaraswamy",
    "MatrixInverseTriL", "Ordered", "Permute", "PowerTransform", "Reshape", "ScaleTriL", "Sigmoid", "SinhArcsinh",
    "SoftmaxCentered", "Softplus", "Softsign", "Square", "TransformDiagonal",
)  # fmt: skip
WAYS = ("forward", "inverse", "inverse_log_det_jacobian", "forward_log_det_jacobian")
# a bijector, x, y, and how many axes an event has
NUMBERS = {
    "Exp": (lambda b, o: b.Exp(**o), [1.0, 2.0], [1.0, 2.0], 1),
    "PowerTransform": (lambda b, o: b.PowerTransform(0.5, **o), [1.0, 2.0], [1.0, 2.0], 0),
    "Softplus": (lambda b, o: b.Softplus(2.0, **o), [-40.0, 1.0, 50.0], [1e-7, 2.0, 50.0], 0),
    "Sigmoid": (lambda b, o: b.Sigmoid(**o), [-2.0, 1.0], [0.25, 0.5], 0),
    "Softsign": (lambda b, o: b.Softsign(**o), [-2.0, 1.0], [-0.25, 0.5], 0),
    "Square": (lambda b, o: b.Square(**o), [2.0, 1.0], [0.25, 0.5], 0),
    "AffineScalar": (lambda b, o: b.AffineScalar(1.0, [2.0, -3.0], **o), [0.25, 0.5], [0.25, 0.5], 1),
    "Gumbel": (lambda b, o: b.Gumbel(1.0, 2.0, **o), [0.25, 0.5], [0.25, 0.5], 0),
    "Kumaraswamy": (lambda b, o: b.Kumaraswamy(3.0, 2.0, **o), [0.25, 0.5], [0.25, 0.5], 0),
    "SinhArcsinh": (lambda b, o: b.SinhArcsinh(0.5, 2.0, **o), [0.25, 1e4], [0.25, -0.5], 0),
    "Identity": (lambda b, o: b.Identity(**o), [0.25, 0.5], [0.25, -0.5], 1),
}
VECTORS = {
    "SoftmaxCentered": (lambda b, o: b.SoftmaxCentered(**o), [[0.25, 0.5]], [[0.25, 0.5, 0.25]], 1),
    "Ordered": (lambda b, o: b.Ordered(**o), [[0.25, 0.5], [1.0, 4.0]], [0.25, 0.5], 1),
    "Permute": (lambda b, o: b.Permute([1, 2, 0], **o), [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 1),
    "Reshape": (lambda b, o: b.Reshape([2, 1], [2], **o), [0.25, 0.5], [[0.25], [0.5]], 1),
    "Reshape of a batch": (lambda b, o: b.Reshape([-1, 2], **o), [[1.0, 2.0, 3.0, 4.0]], [[[1.0, 2.0]]], 1),
    "FillTriangular": (lambda b, o: b.FillTriangular(**o), [1.0, 2.0, 3.0], [[1.0, 0.0], [2.0, 3.0]], 2),
    "upper": (lambda b, o: b.FillTriangular(upper=True, **o), [[1.0] * 3, [2.0] * 3], [[1.0, 2.0], [0.0, 3.0]], 2),
    "ScaleTriL": (lambda b, o: b.ScaleTriL(**o), [1.0, -2.0, 3.0], [[1.0, 0.0], [2.0, 3.0]], 2),
    "MatrixInverseTriL": (lambda b, o: b.MatrixInverseTriL(**o), [[1.0, 0.0], [2.0, 4.0]], [[2.0, 0.0], [1.0, 5.0]], 2),
    "TransformDiagonal": (lambda b, o: b.TransformDiagonal(b.Exp(), **o), [[1.0, 2.0], [2.0, 4.0]], [[2.0, 0.0], [1.0, 5.0]], 2),
    "Invert": (lambda b, o: b.Invert(b.Exp(), **o), [1.0, 2.0], [1.0, 2.0], 1),
    "Chain": (lambda b, o: b.Chain([b.Exp(), b.AffineScalar(1.0, 2.0)], **o), [1.0, 2.0], [1.0, 2.0], 1),
    "Chain of vectors": (lambda b, o: b.Chain([b.SoftmaxCentered(), b.Exp()], **o), [1.0, 2.0], [0.25, 0.5, 0.25], 1),
    "empty Chain": (lambda b, o: b.Chain([], **o), [1.0, 2.0], [1.0, 2.0], 1),
}  # fmt: skip
# their nodes are not those of 1.15
AFFINE = {
    "nothing": {},
    "shift": {"shift": [1.0, 2.0]},
    "multiplier": {"shift": [1.0, 2.0], "scale_identity_multiplier": 2.0},
    "multipliers": {"scale_identity_multiplier": [2.0, 3.0]},
    "diag": {"shift": [1.0, 2.0], "scale_diag": [1.0, -2.0]},
    "diags": {"shift": [1.0, 2.0], "scale_diag": [[1.0, -2.0], [3.0, 4.0]], "scale_identity_multiplier": 2.0},
    "tril": {"shift": [1.0, 2.0], "scale_tril": [[1.0, 7.0], [0.5, 2.0]]},
    "all": {
        "shift": [1.0, 2.0], "scale_tril": [[1.0, 7.0], [0.5, 2.0]], "scale_diag": [1.0, 2.0],
        "scale_identity_multiplier": 3.0,
    },
    "update": {
        "shift": [1.0, 2.0], "scale_identity_multiplier": 3.0, "scale_perturb_factor": [[1.0], [2.0]],
        "scale_perturb_diag": [2.0],
    },
    "updated tril": {"shift": [1.0, 2.0], "scale_tril": [[1.0, 7.0], [0.5, 2.0]], "scale_perturb_factor": [[1.0], [2.0]]},
}  # fmt: skip


def told(tf, make):
    """What a bijector's constructor builds, and what it tells of itself."""

    def one():
        bijector = make()
        return [
            built(tf), bijector.name, bijector.forward_min_event_ndims, bijector.inverse_min_event_ndims,
            bijector.is_constant_jacobian, bijector.validate_args, bijector.dtype,
        ]  # fmt: skip

    return fresh(tf, one)


def ways(tf, row, graph=True, **options):
    """A bijector's constructor, and its four methods."""
    make, x, y, event_ndims = row
    b = tf.contrib.distributions.bijectors
    calls = {
        "forward": lambda g: g.forward(x),
        "inverse": lambda g: g.inverse(y),
        "inverse_log_det_jacobian": lambda g: g.inverse_log_det_jacobian(y, event_ndims),
        "forward_log_det_jacobian": lambda g: g.forward_log_det_jacobian(
            x, event_ndims - g.inverse_min_event_ndims + g.forward_min_event_ndims
        ),
    }
    return [told(tf, lambda: make(b, options)) if graph else None, asked(tf, lambda: make(b, options), calls, graph=graph)]


@program
def signatures(tf, np):
    b = tf.contrib.distributions.bijectors
    public = sorted(n for n in dir(b.Bijector) if not n.startswith("_"))
    return [
        public,
        [[name, signature_text(getattr(b, name).__init__)] for name in NAMES],
        [[name, sorted(n for n in dir(getattr(b, name)) if not n.startswith("_") and n not in public)] for name in NAMES],
        [[name, signature_text(getattr(b.Bijector, name))] for name in public if callable(getattr(b.Bijector, name))],
        [signature_text(getattr(b.ConditionalBijector, name)) for name in WAYS],
    ]


@program
def numbers(tf, np):
    return [ways(tf, row) for row in NUMBERS.values()]


@program
def numbers_that_are_checked(tf, np):
    return [ways(tf, row, validate_args=True) for row in NUMBERS.values()]


@program
def vectors(tf, np):
    return [ways(tf, row) for row in VECTORS.values()]


@program
def vectors_that_are_checked(tf, np):
    # 1.15 refuses to make a ScaleTriL that checks
    return [ways(tf, row, validate_args=True) for label, row in VECTORS.items() if label != "ScaleTriL"]


@program
def defaults(tf, np):
    rows = [
        lambda b, o: b.Softplus(), lambda b, o: b.AffineScalar(), lambda b, o: b.AffineScalar(1.0), lambda b, o: b.SinhArcsinh(0.5),
        lambda b, o: b.Gumbel(), lambda b, o: b.AffineLinearOperator(),
    ]  # fmt: skip
    return [ways(tf, (row, [0.25, 0.5], [0.25, 0.5], 1), graph=False) for row in rows]


def numbers_of(tf, make, calls):
    """The values and static shapes of calls of a bijector, without names."""
    answers = asked(tf, make, calls, graph=False)
    return {label: answer[0][1:] if isinstance(answer, list) else answer for label, answer in answers.items()}


@program
def affine(tf, np):
    b = tf.contrib.distributions.bijectors
    rows = [[1.0, 2.0], [3.0, 4.0]]
    calls = {
        "vector": lambda g: g.forward([0.25, 0.5]),
        "forward": lambda g: g.forward(rows),
        "samples": lambda g: g.forward([rows, rows, rows]),
        "inverse": lambda g: g.inverse(rows),
        "samples back": lambda g: g.inverse([rows, rows, rows]),
        "log volume": lambda g: g.inverse_log_det_jacobian(rows, 1),
        "log volume of matrices": lambda g: g.forward_log_det_jacobian(rows, 2),
    }
    plain = {label: parts for label, parts in AFFINE.items() if label not in ("diags", "multipliers")}
    few = ("forward", "samples", "inverse", "samples back", "log volume")
    return [
        [numbers_of(tf, lambda parts=parts: b.Affine(**parts), calls) for parts in plain.values()],
        [
            numbers_of(tf, lambda label=label: b.Affine(**AFFINE[label]), {way: calls[way] for way in few})
            for label in ("diags", "multipliers")
        ],
        numbers_of(
            tf,
            lambda: b.AffineLinearOperator(
                [1.0, 2.0], tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]], is_non_singular=True), validate_args=True
            ),
            calls,
        ),
    ]


@program
def cholesky_outer_product(tf, np):
    b = tf.contrib.distributions.bijectors
    x = [[[1.0, 0.0], [0.25, 0.5]], [[2.0, 0.0], [1.0, 3.0]]]
    y = [[4.0, 2.0], [2.0, 5.0]]
    calls = {
        "forward": lambda g: g.forward(x),
        "inverse": lambda g: g.inverse(y),
        "inverse log volume": lambda g: g.inverse_log_det_jacobian(y, 2),
        "log volume": lambda g: g.forward_log_det_jacobian(x, 2),
        "log volume of all": lambda g: g.forward_log_det_jacobian(x, 3),
        "of any size": lambda g: g.forward_log_det_jacobian(tf.placeholder_with_default(x, [None, None, None]), 2),
    }
    return [numbers_of(tf, lambda checks=checks: b.CholeskyOuterProduct(validate_args=checks), calls) for checks in (False, True)]


@program
def memory(tf, np):
    """The nodes of methods that find again what they have made."""
    b = tf.contrib.distributions.bijectors

    def there_and_back():
        g = b.Chain([b.Exp(), b.AffineScalar(1.0, 2.0)])
        x = tf.constant([1.0, 2.0])
        y = g.forward(x)
        same = g.inverse(y) is x
        volumes = g.inverse_log_det_jacobian(y, 1), g.forward_log_det_jacobian(x, 1), g.inverse_log_det_jacobian(y, 0)
        return [same, built(tf), [value_of(tf, v, {}) for v in volumes]]

    def constant_volume():
        g = b.AffineScalar(1.0, 2.0)
        first = g.forward_log_det_jacobian([1.0, 2.0], 0)
        return [first.name, g.forward_log_det_jacobian([3.0], 0).name, g.inverse_log_det_jacobian([4.0], 0).name, built(tf)]

    return [fresh(tf, there_and_back), fresh(tf, constant_volume)]


@program
def of_ones_own(tf, np):
    b = tf.contrib.distributions.bijectors

    class Cube(b.Bijector):
        def __init__(self, name=None):
            super().__init__(forward_min_event_ndims=0, name=name)

        def _forward(self, x):
            return x * x * x

        def _inverse(self, y):
            return tf.pow(y, 1.0 / 3.0)

        def _forward_log_det_jacobian(self, x):
            return tf.log(3.0 * x * x)

    class Bare(b.Bijector):
        def __init__(self):
            super().__init__(forward_min_event_ndims=0)

    class Scaled(b.ConditionalBijector):
        def __init__(self):
            super().__init__(forward_min_event_ndims=0, name="scaled")

        def _forward(self, x, by):
            return x * by

        def _inverse(self, y, by):
            return y / by

        def _inverse_log_det_jacobian(self, y, by):
            return -tf.log(by)

    calls = {
        "inverse volume": lambda g: g.inverse_log_det_jacobian([1.0, 8.0], 1),
        "volume": lambda g: g.forward_log_det_jacobian([1.0, 2.0], 0),
        "unknown event_ndims": lambda g: g.forward_log_det_jacobian([1.0, 2.0], tf.placeholder_with_default(1, [])),
        "unknown shape": lambda g: g.forward_log_det_jacobian(tf.placeholder_with_default([1.0, 2.0], None), 1),
    }
    inline = lambda: b.Inline(
        forward_fn=tf.tanh, inverse_fn=tf.atanh, inverse_log_det_jacobian_fn=lambda y: -tf.log1p(-tf.square(y)),
        forward_min_event_ndims=0, name="tanh",
    )  # fmt: skip
    conditional = {
        "forward": lambda g: g.forward([1.0], by=3.0),
        "inverse": lambda g: g.inverse([1.0], by=3.0),
        "volume": lambda g: g.inverse_log_det_jacobian([1.0], 0, by=3.0),
    }
    return [
        told(tf, Cube),
        told(tf, lambda: Cube("mine")),
        asked(tf, Cube, calls),
        asked(tf, inline, calls),
        asked(tf, Scaled, conditional),
        refused(
            tf,
            lambda: Bare().forward(1.0),
            lambda: Bare().inverse(1.0),
            lambda: Bare().inverse_log_det_jacobian(1.0, 0),
            lambda: Bare().forward_log_det_jacobian(1.0, 0),
            lambda: b.Inline(forward_min_event_ndims=0).forward(1.0),
            lambda: b.Inline(forward_min_event_ndims=0).inverse(1.0),
            lambda: b.Inline(),
            lambda: b.Inline(forward_min_event_ndims=0.5),
            lambda: b.Inline(inverse_min_event_ndims=-1),
        ),
    ]


@program
def shapes(tf, np):
    b = tf.contrib.distributions.bijectors

    def of(make, *shapes):
        return [[fresh(tf, lambda s=s, m=m: str(getattr(make(), m)(s))) for s in shapes] for m in ("forward_event_shape",)] + [
            asked(tf, make, {"tensor": lambda g: g.forward_event_shape_tensor(shapes[0])}),
        ]

    return [
        of(b.Exp, [2, 3]),
        of(b.SoftmaxCentered, [3], None),
        of(b.Ordered, [3]),
        of(b.FillTriangular, [6], [2, 3], [5], [None]),
        of(lambda: b.Reshape([-1, 2]), [4], [6]),
        of(lambda: b.Reshape([3], [3, 1]), [3, 1], [4, 1]),
        of(lambda: b.Chain([b.SoftmaxCentered(), b.SoftmaxCentered()]), [3]),
        of(lambda: b.Invert(b.Exp()), [3]),
        [
            fresh(tf, lambda c=c: [c().forward_min_event_ndims, c().inverse_min_event_ndims])
            for c in (
                lambda: b.Chain([b.FillTriangular(), b.Exp()]),
                lambda: b.Chain([b.Exp(), b.FillTriangular()]),
                lambda: b.Chain([b.Invert(b.FillTriangular()), b.MatrixInverseTriL(), b.FillTriangular()]),
                lambda: b.Chain([b.CholeskyOuterProduct(), b.FillTriangular(), b.Permute([1, 0, 2])]),
            )
        ],
    ]


@program
def wrong_calls(tf, np):
    b = tf.contrib.distributions.bijectors
    return refused(
        tf,
        lambda: b.Exp().forward_log_det_jacobian([1.0], -1),
        lambda: b.SoftmaxCentered().forward_log_det_jacobian([1.0], 0),
        lambda: b.Exp().forward_log_det_jacobian([1.0], [1]),
        lambda: b.Exp().forward_log_det_jacobian([1.0], 1.0),
        lambda: b.Exp().forward_log_det_jacobian([1.0], 2),
        lambda: b.PowerTransform(-1.0),
        lambda: b.PowerTransform(tf.placeholder(tf.float32)),
        lambda: b.Softplus(0.0, validate_args=True),
        lambda: b.AffineScalar(1.0, 0.0, validate_args=True),
        lambda: b.AffineScalar(scale=np.float64(2)).forward(1.0),
        lambda: b.Affine(scale_perturb_diag=[1.0, 2.0]),
        lambda: b.Affine([1.0, 2.0], scale_diag=np.array([1.0, 2.0])),
        lambda: b.Affine([1.0, 2.0], scale_diag=[1.0, 2.0]).forward(np.array([1.0, 2.0])),
        lambda: b.Affine(scale_diag=[0.0, 2.0], validate_args=True),
        lambda: b.Affine(scale_identity_multiplier=0.0, validate_args=True),
        lambda: b.AffineLinearOperator(scale=tf.linalg.LinearOperatorDiag([1.0])),
        lambda: b.Gumbel(1.0, np.float64(2)),
        lambda: b.Gumbel(1.0, -2.0, validate_args=True),
        lambda: b.Kumaraswamy(1.0),
        lambda: b.SinhArcsinh(1.0, -2.0, validate_args=True),
        lambda: b.Permute([0, 0]),
        lambda: b.Permute([0.0, 1.0]),
        lambda: b.Reshape([[2]]),
        lambda: b.Reshape([2.0]),
        lambda: b.Reshape([-2], validate_args=True),
        lambda: b.Reshape([3], [3]).forward([1.0, 2.0]),
        lambda: b.FillTriangular().forward([1.0, 2.0]),
        lambda: b.FillTriangular().forward(1.0),
        lambda: b.FillTriangular().inverse([1.0, 2.0]),
        lambda: b.FillTriangular().inverse_event_shape([3, 2]),
        lambda: b.CholeskyOuterProduct().forward([1.0, 2.0]),
        lambda: b.Chain([b.AbsoluteValue()]),
        lambda: b.Invert(b.AbsoluteValue()),
        lambda: b.AbsoluteValue().forward_log_det_jacobian([1.0], 0),
    )


@program
def wrong_values(tf, np):
    """What a run refuses under validate_args."""
    b = tf.contrib.distributions.bijectors

    def run(call):
        def one():
            with tf.Session() as session:
                failed = attempt(lambda: session.run(call()))
                return failed.classes[0] if hasattr(failed, "classes") else failed

        return fresh(tf, one)

    def fed(value):
        return tf.placeholder_with_default(value, None)

    checks = {"validate_args": True}
    return [
        run(call)
        for call in (
            lambda: b.Exp(**checks).inverse(fed(-1.0)),
            lambda: b.PowerTransform(0.5, **checks).forward(fed(-3.0)),
            lambda: b.Softsign(**checks).inverse(fed(-1.0)),
            lambda: b.Square(**checks).forward(fed(-1.0)),
            lambda: b.Gumbel(**checks).inverse(fed(1.5)),
            lambda: b.Kumaraswamy(1.0, 1.0, **checks).forward(fed(1.5)),
            lambda: b.AbsoluteValue(**checks).inverse(fed(-1.0)),
            lambda: b.Ordered(**checks).forward(fed([2.0, 1.0])),
            lambda: b.Permute(fed([0, 0]), **checks).forward([1.0, 2.0]),
            lambda: b.Permute(fed([1, 0]), **checks).forward([1.0, 2.0]),
            lambda: b.MatrixInverseTriL(**checks).forward(fed([[1.0, 2.0], [3.0, 4.0]])),
            lambda: b.MatrixInverseTriL(**checks).forward(fed([[0.0, 0.0], [3.0, 4.0]])),
            lambda: b.AffineLinearOperator(
                scale=tf.linalg.LinearOperatorDiag(fed([0.0, 1.0]), is_non_singular=True), **checks
            ).forward([1.0, 2.0]),
            lambda: b.Exp(**checks).inverse_log_det_jacobian([1.0], fed(-1)),
        )
    ]


@program
def absolute_value(tf, np):
    b = tf.contrib.distributions.bijectors
    pairs = [
        lambda: b.AbsoluteValue().inverse([1.0, 2.0]),
        lambda: b.AbsoluteValue(validate_args=True).inverse_log_det_jacobian([1.0, 2.0], 0),
    ]
    return [
        told(tf, b.AbsoluteValue),
        asked(tf, b.AbsoluteValue, {"forward": lambda g: g.forward([-1.0, 2.0])}),
        [fresh(tf, lambda pair=pair: [value_of(tf, one, {}) for one in pair()]) for pair in pairs],
    ]


def transformed(tf, make, calls, graph=False):
    return [made(tf, make)[1:], asked(tf, make, calls, graph=graph)]


@program
def transformed_distributions(tf, np):
    d, b = tf.contrib.distributions, tf.contrib.distributions.bijectors
    names = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival_function", "mean", "batch_shape_tensor")
    calls = dict(methods([1.0, 2.0], 0.25, names), **draws(tf, (), 3, (2, 1)))
    some = {k: calls[k] for k in ("prob", "log_prob", "3", "batch_shape_tensor")}
    some["event_shape_tensor"] = lambda t: t.event_shape_tensor()
    entropy = {"entropy": lambda t: t.entropy()}
    rows = {"prob": lambda t: t.prob([[0.5, 0.25, 0.25]]), "3": calls["3"], "shape": lambda t: t.event_shape_tensor()}

    def again():
        log_normal = d.TransformedDistribution(d.Normal([0.0, 1.0], 1.0), b.Exp())
        draw = log_normal.sample(3, seed=1)
        since = len(tf.get_default_graph().get_operations())
        return [value_of(tf, log_normal.log_prob(draw), {}), built(tf, since)]

    return [
        transformed(tf, lambda: d.TransformedDistribution(d.Normal([0.0, 1.0], 1.0), b.Exp()), calls, graph=True),
        transformed(tf, lambda: d.TransformedDistribution(d.Normal([0.0, 1.0], 1.0), b.AffineScalar(1.0, 2.0), name="mine"), entropy),
        transformed(tf, lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.Exp(), event_shape=[2], validate_args=True), some),
        transformed(tf, lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.AffineScalar(1.0, 2.0), batch_shape=[2]), dict(some, **entropy)),
        transformed(
            tf, lambda: d.TransformedDistribution(d.Normal([0.0, 1.0], 1.0), b.AffineScalar(1.0, 2.0), event_shape=[2]), dict(some, **entropy)
        ),
        transformed(tf, lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.AbsoluteValue()), some),
        transformed(tf, lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.SoftmaxCentered(), event_shape=[2]), rows),
        transformed(tf, lambda: d.TransformedDistribution(d.Normal(0.0, 1.0)), entropy),
        asked(
            tf,
            lambda: d.TransformedDistribution(
                d.Normal(0.0, 1.0), b.Exp(), batch_shape=tf.placeholder(tf.int32, name="P"), event_shape=tf.placeholder(tf.int32, name="Q"),
                validate_args=True,
            ),
            {"draw": lambda t: tf.shape(t.sample(4)), "log_prob": lambda t: t.log_prob([[1.0, 2.0]] * 3)},
            graph=False, P=[3], Q=[2],
        ),
        asked(
            tf,
            lambda: d.TransformedDistribution(d.Normal([0.0, 1.0], 1.0), b.Exp(), event_shape=tf.placeholder(tf.int32, name="Q")),
            {"draw": lambda t: tf.shape(t.sample(4)), "log_prob": lambda t: t.log_prob([[1.0, 2.0, 3.0]] * 2)},
            graph=False, Q=[3],
        ),
        fresh(tf, again),
        refused(
            tf,
            lambda: d.TransformedDistribution(d.Normal([0.0, 1.0], 1.0), b.Exp(), batch_shape=[2]),
            lambda: d.TransformedDistribution(d.Dirichlet([1.0, 2.0]), b.Exp(), event_shape=[2]),
            lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.Exp(), batch_shape=[-2]),
            lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.Exp(), batch_shape=2),
            lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.Exp(), batch_shape=[2.0]),
            lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.Exp()).entropy(),
            lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.Exp(), event_shape=[2]).cdf(1.0),
            lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.AbsoluteValue()).quantile(0.5),
            lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.AbsoluteValue()).log_survival_function(0.5),
            lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), b.AbsoluteValue()).entropy(),
        ),
    ]  # fmt: skip


@program
def conditional_distributions(tf, np):
    d, b = tf.contrib.distributions, tf.contrib.distributions.bijectors

    class Shifted(b.ConditionalBijector):
        def __init__(self):
            super().__init__(forward_min_event_ndims=0, is_constant_jacobian=True, name="shifted")

        def _forward(self, x, by):
            return x + by

        def _inverse(self, y, by):
            return y - by

        def _inverse_log_det_jacobian(self, y, by):
            return tf.constant(0.0)

    given = {"bijector_kwargs": {"by": 3.0}}
    calls = {"sample": lambda t: t.sample(2, seed=1, **given)}
    calls.update({
        name: (lambda t, name=name: getattr(t, name)(3.5, **given))
        for name in ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival_function")
    })  # fmt: skip
    return [
        [signature_text(getattr(d.ConditionalDistribution, name)) for name in ("sample", "prob", "log_cdf")],
        asked(tf, lambda: d.ConditionalTransformedDistribution(d.Normal(0.0, 1.0), Shifted()), calls, graph=False),
    ]


NORMALS = {
    "Diag": lambda d: d.MultivariateNormalDiag([1.0, 2.0], [1.0, -2.0], validate_args=True),
    "multiplier": lambda d: d.MultivariateNormalDiag([1.0, 2.0], scale_identity_multiplier=2.0),
    "identity": lambda d: d.MultivariateNormalDiag([1.0, 2.0]),
    "batch": lambda d: d.MultivariateNormalDiag([[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0], 2.0),
    "TriL": lambda d: d.MultivariateNormalTriL([1.0, 2.0], [[1.0, 7.0], [0.5, 2.0]], validate_args=True),
    "batch of TriL": lambda d: d.MultivariateNormalTriL([1.0, 2.0], [[[1.0, 7.0], [0.5, 2.0]], [[3.0, 0.0], [0.5, 2.0]]]),
    "FullCovariance": lambda d: d.MultivariateNormalFullCovariance([1.0, 2.0], [[1.0, 0.5], [0.5, 2.0]], validate_args=True),
    "mean alone": lambda d: d.MultivariateNormalFullCovariance([1.0, 2.0]),
    "DiagPlusLowRank": lambda d: d.MultivariateNormalDiagPlusLowRank(
        [1.0, 2.0], [1.0, 2.0], scale_perturb_factor=[[1.0], [2.0]], scale_perturb_diag=[2.0], validate_args=True
    ),
    "DiagWithSoftplusScale": lambda d: d.MultivariateNormalDiagWithSoftplusScale([1.0, 2.0], [-1.0, 2.0]),
}


@program
def multivariate_normals(tf, np):
    d = tf.contrib.distributions
    names = ("prob", "log_prob", "mean", "variance", "stddev", "mode", "entropy", "covariance", "batch_shape_tensor", "event_shape_tensor")
    calls = dict(methods([[[1.0, 1.0]], [[2.0, 3.0]]], names=names), **draws(tf, (), 3, (2, 2)))
    shared = dir(d.TransformedDistribution)
    kinds = sorted({type(make(d)).__name__ for make in NORMALS.values()})
    return [
        [
            [name, signature_text(getattr(d, name).__init__), sorted(n for n in dir(getattr(d, name)) if not n.startswith("_") and n not in shared)]
            for name in kinds
        ],
        [transformed(tf, lambda make=make: make(d), calls) for make in NORMALS.values()],
        numbers_of(tf, lambda: d.MultivariateNormalTriL(scale_tril=[[1.0, 0.0], [0.5, 2.0]]), {
            name: calls[name] for name in ("3", "log_prob", "mean", "covariance")
        }),
        [
            asked(tf, lambda make=make: make(d), {
                "divergence": lambda p: p.kl_divergence(d.MultivariateNormalDiag([0.0, 1.0], [2.0, 1.0], name="other")),
                "back": lambda p: d.MultivariateNormalTriL([0.0, 1.0], [[1.0, 0.0], [2.0, 3.0]], name="other").kl_divergence(p),
            }, graph=False)
            for make in (NORMALS["Diag"], NORMALS["FullCovariance"], NORMALS["batch"])
        ],
        refused(
            tf,
            lambda: d.MultivariateNormalDiag(),
            lambda: d.MultivariateNormalDiag([1.0, 2.0, 3.0], [1.0, 2.0]),
            lambda: d.MultivariateNormalDiag([1], [1]),
            lambda: d.MultivariateNormalDiag(1.0, 1.0),
            lambda: d.MultivariateNormalDiag([1.0], np.array([1.0])),
            lambda: d.MultivariateNormalDiag([1.0], [1.0]).cdf([1.0]),
            lambda: d.MultivariateNormalTriL(),
            lambda: d.MultivariateNormalTriL([1.0], [1.0]),
            lambda: d.MultivariateNormalFullCovariance(),
        ),
    ]  # fmt: skip


@program
def triangles(tf, np):
    d = tf.contrib.distributions
    x = np.float32(np.arange(12).reshape([2, 6]))
    calls = [
        lambda: d.fill_triangular(x),
        lambda: d.fill_triangular(x, upper=True, name="mine"),
        lambda: d.fill_triangular_inverse(d.fill_triangular(x)),
        lambda: d.fill_triangular_inverse(d.fill_triangular(x, upper=True), upper=True),
        lambda: d.fill_triangular(tf.placeholder_with_default(x, None)),
        lambda: d.fill_triangular(tf.placeholder_with_default(x, [None, None]), upper=True),
        lambda: d.fill_triangular_inverse(tf.placeholder_with_default(np.float32([[1.0, 0.0], [2.0, 3.0]]), [None, None])),
        lambda: d.softplus_inverse([1e-9, 0.5, 3.0, 40.0]),
        lambda: d.softplus_inverse(np.array([1e-20, 0.5, 40.0])),
    ]
    return [fresh(tf, lambda call=call: [value_of(tf, call(), {}), built(tf)]) for call in calls]
