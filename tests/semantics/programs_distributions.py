"""tf.distributions: what all distributions share, Normal, Bernoulli, Categorical, and divergences."""

import inspect

from harness import attempt, fresh, node_line, program, signature_text

STATISTICS = ("mean", "variance", "stddev", "mode", "entropy", "covariance", "batch_shape_tensor", "event_shape_tensor")
OF_VALUES = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival_function")
ATTRS = ("seed", "seed2", "axis", "keep_dims", "begin_mask", "end_mask", "shrink_axis_mask", "new_axis_mask")


def built(tf, since=0):
    """The nodes of the default graph, a line each; `./` stands for the first two scopes of the first of them."""
    nodes = tf.get_default_graph().get_operations()[since:]
    lines = [node_line(op, ATTRS) for op in nodes]
    scope = "/".join(nodes[0].name.split("/")[:2]) + "/" if nodes else "./"
    return [line.replace(scope, "./") for line in lines]


def value_of(tf, result, feeds):
    """Name, dtype, static shape and value of a tensor; anything else as it is."""
    if not isinstance(result, tf.Tensor):
        return result
    fed = {op.outputs[0]: feeds[op.name] for op in result.graph.get_operations() if op.type == "Placeholder"}
    with tf.Session() as session:
        return [result.name, result.dtype.name, str(result.shape), attempt(lambda: session.run(result, fed))]


def asked(tf, make, calls, graph=True, **feeds):
    """For each call of a distribution, in a graph of its own: what it built, and what came of it."""

    def answer(call):
        def one():
            distribution = make()
            since = len(tf.get_default_graph().get_operations())
            result = call(distribution)
            nodes = [built(tf, since)] if graph else []
            return [*nodes, value_of(tf, result, feeds)]

        return fresh(tf, one)

    return {label: answer(call) for label, call in calls.items()}


def methods(value=None, quantile=None, names=STATISTICS + OF_VALUES):
    """Calls by name: statistics, functions of `value`, the quantile."""
    calls = {name: (lambda d, name=name: getattr(d, name)()) for name in STATISTICS if name in names}
    if value is not None:
        calls.update({name: (lambda d, name=name: getattr(d, name)(value)) for name in OF_VALUES if name in names})
    if quantile is not None:
        calls["quantile"] = lambda d: d.quantile(quantile)
    return calls


def made(tf, make):
    """What a constructor builds, and what the distribution tells of itself."""

    def one():
        d = make()
        nodes = built(tf)
        return [
            nodes, repr(d), str(d), d.name, d.dtype, repr(d.reparameterization_type), d.allow_nan_stats, d.validate_args,
            d.batch_shape, d.event_shape, sorted(d.parameters),
        ]  # fmt: skip

    return fresh(tf, one)


def refused(tf, *calls):
    return [fresh(tf, lambda call=call: call() and None) for call in calls]


def draws(tf, *shapes):
    """Draws of these sample shapes, with a seed."""
    return {str(shape): (lambda d, shape=shape: d.sample(shape, seed=3)) for shape in shapes}


@program
def signatures(tf, np):
    d = tf.distributions
    classes = (d.Distribution, d.Normal, d.Bernoulli, d.Categorical, d.RegisterKL, d.ReparameterizationType)
    public = sorted(n for n in dir(d.Distribution) if not n.startswith("_"))
    return [
        [signature_text(c.__init__) for c in classes],
        [signature_text(d.kl_divergence), signature_text(d.RegisterKL.__call__)],
        public,
        [signature_text(f) for f in (getattr(d.Distribution, n) for n in public) if inspect.isroutine(f)],
        [sorted(n for n in dir(c) if not n.startswith("_") and n not in public) for c in classes[1:4]],
        [repr(d.FULLY_REPARAMETERIZED), str(d.NOT_REPARAMETERIZED), d.FULLY_REPARAMETERIZED == d.NOT_REPARAMETERIZED],
    ]


@program
def constructors(tf, np):
    d = tf.distributions

    def inside():
        with tf.name_scope("outer"):
            return d.Normal(tf.Variable(0.0), 1.0)

    return [
        made(tf, make)
        for make in (
            lambda: d.Normal([0.0, 1.0], 2.0),
            lambda: d.Normal([0.0, 1.0], 2.0, validate_args=True, allow_nan_stats=False, name="mine"),
            lambda: d.Normal(tf.placeholder(tf.float32), 1.0, name="mine/"),
            lambda: d.Normal(np.zeros([2, 1]), np.ones([3])),
            inside,
            lambda: d.Bernoulli([0.0, 1.0]),
            lambda: d.Bernoulli(probs=[0.25, 0.5], dtype=tf.float32, validate_args=True),
            lambda: d.Bernoulli(tf.placeholder(tf.float32, [None, 2])),
            lambda: d.Categorical([0.0, 1.0, 2.0]),
            lambda: d.Categorical(probs=[[0.25, 0.5, 0.25], [0.2, 0.2, 0.6]], dtype=tf.int64, validate_args=True),
            lambda: d.Categorical(tf.placeholder(tf.float32), validate_args=True),
            lambda: d.Categorical(probs=tf.placeholder(tf.float32), validate_args=True),
            lambda: d.Categorical(probs=tf.placeholder(tf.float32, [2, None])),
            lambda: d.Categorical(tf.placeholder(tf.float64, [None, 2])),
        )
    ]


@program
def wrong_parameters(tf, np):
    d = tf.distributions
    return refused(
        tf,
        lambda: d.Normal(0.0, np.float64(1)),
        lambda: d.Normal(0, 1),
        lambda: d.Normal([0.0, 1.0], [1.0, 2.0, 3.0]).batch_shape,
        lambda: d.Normal([0.0, 1.0], [1.0, 2.0, 3.0]).mean(),
        lambda: d.Normal(0.0, -1.0, validate_args=True),
        lambda: d.Bernoulli([0.0], [0.5]),
        lambda: d.Bernoulli(),
        lambda: d.Bernoulli(probs=[0, 1]),
        lambda: d.Bernoulli([0, 1]),
        lambda: d.Bernoulli(probs=[0.0, 1.5], validate_args=True),
        lambda: d.Bernoulli(probs=[0.0, -1.5], validate_args=True),
        lambda: d.Categorical(0.0),
        lambda: d.Categorical(0.0, validate_args=True),
        lambda: d.Categorical(probs=0.5),
        lambda: d.Categorical([1, 2]),
        lambda: d.Categorical([[1.0]], validate_args=True),
        lambda: d.Categorical(tf.placeholder(tf.float16, [3000]), validate_args=True),
        lambda: d.Distribution(tf.float32, d.NOT_REPARAMETERIZED, False, True, graph_parents=[1]),
    )


@program
def checks_in_the_run(tf, np):
    d = tf.distributions

    def fed(make, *values):
        def one():
            given = tf.placeholder(tf.float32)
            mean = make(given)
            with tf.Session() as session:
                return [attempt(lambda value=value: session.run(mean, {given: value})) for value in values]

        return fresh(tf, one)

    return [
        fed(lambda x: d.Normal(0.0, x, validate_args=True).mean(), 1.0, [1.0, -1.0]),
        fed(lambda x: d.Bernoulli(probs=x, validate_args=True).mean(), 0.5, [1.5], [-0.5]),
        fed(lambda x: d.Categorical(probs=x, validate_args=True).entropy(), [0.25, 0.75], [0.5, 0.25], [1.0]),
        fed(lambda x: d.Bernoulli(0.0, validate_args=True).prob(x), 1.0, 0.5),
        fed(lambda x: d.Categorical([0.0, 1.0], validate_args=True).prob(x), 1.0, 0.5, -1.0),
        fed(lambda x: d.Normal(0.0, x, allow_nan_stats=False).kl_divergence(d.Normal(0.0, 1.0)), 1.0, float("nan")),
    ]


@program
def normal(tf, np):
    d = tf.distributions
    calls = methods([0.5, 1.5], [0.1, 0.9])
    calls.update(draws(tf, (), 3, [2, 3]))
    calls["mine"] = lambda n: n.prob(0.5, name="mine")
    return asked(tf, lambda: d.Normal([0.0, 1.0], 2.0), calls)


@program
def normal_values(tf, np):
    d = tf.distributions
    wide = np.array([-40.0, -12.0, -9.0, -1.0, 0.0, 0.5, 4.0, 6.0, 9.0, 30.0])
    parts = np.array([0.0, 1e-300, 1e-30, 1e-10, 0.01, 0.1, 0.5, 0.8, 0.95, 1 - 1e-9, 1.0, -1.0])
    return [
        asked(tf, lambda: d.Normal(np.float64(0), np.float64(1)), methods(wide, parts), graph=False),
        asked(tf, lambda: d.Normal(0.0, 1.0), methods(wide, np.float32(parts[2:])), graph=False),
        asked(tf, lambda: d.Normal(np.float16(0), np.float16(1)), methods(np.float16([1.0, -1.0]), 0.5), graph=False),
        asked(tf, lambda: d.Normal(tf.placeholder(tf.float32, name="P"), 1.0), dict(
            methods(0.5, names=("mean", "stddev", "batch_shape_tensor", "prob")),
            scalar=lambda n: n.is_scalar_batch(),
            draw=lambda n: n.sample([2, 3], seed=1),
        ), P=[0.0, 1.0]),
    ]  # fmt: skip


@program
def gradients(tf, np):
    d = tf.distributions

    def of(make, function):
        def one():
            given = tf.constant([0.5, -1.0])
            slope = tf.gradients(function(make(given)), given)[0]
            return None if slope is None else value_of(tf, slope, {})

        return fresh(tf, one)

    return [
        of(lambda x: d.Normal(x, 2.0), lambda n: n.sample(seed=1)),
        of(lambda x: d.Normal(x, 2.0), lambda n: n.log_prob([0.0, 30.0])),
        of(lambda x: d.Normal(x, 2.0), lambda n: n.log_cdf([0.0, -300.0])),
        of(lambda x: d.Normal(0.0, tf.exp(x)), lambda n: n.kl_divergence(d.Normal(1.0, 1.0))),
        of(lambda x: d.Normal(0.0, 1.0), lambda n: n.quantile([0.0, 0.3])),
        of(lambda x: d.Bernoulli(x), lambda b: b.log_prob([1, 0])),
        of(lambda x: d.Bernoulli(x), lambda b: b.sample(seed=1)),
        of(lambda x: d.Categorical(x), lambda c: c.entropy()),
        of(lambda x: d.Categorical(x), lambda c: c.log_prob(1)),
    ]


@program
def sample_shapes(tf, np):
    d = tf.distributions

    def fed(shape, value):
        return asked(tf, lambda: d.Normal([0.0, 1.0], 2.0), {
            "sample": lambda n: n.sample(tf.placeholder(tf.int32, shape, name="P"), seed=3)
        }, P=value)  # fmt: skip

    calls = {
        "none": lambda n: n.sample(0, seed=1),
        "negative": lambda n: n.sample([-1], seed=1),
        "float": lambda n: n.sample(1.5),
        "matrix": lambda n: n.sample([[1, 2]]),
        "shape": lambda n: n.sample(tf.TensorShape([2]), seed=1, name="draw"),
    }
    return [
        fed(None, 2), fed(None, [2, 3]), fed([], 2), fed([2], [2, 1]), fed([None], [3]),
        asked(tf, lambda: d.Normal([0.0, 1.0], 2.0), calls, graph=False),
    ]  # fmt: skip


@program
def bernoulli(tf, np):
    d = tf.distributions
    calls = methods([1, 0])
    calls.update(draws(tf, 3), of_floats=lambda b: b.prob(0.5), of_rows=lambda b: b.log_prob([[1, 0], [0, 1], [1, 1]]))
    few = ("mode", "prob", "batch_shape_tensor")
    return [
        asked(tf, lambda: d.Bernoulli([0.0, 1.0]), calls),
        asked(tf, lambda: d.Bernoulli(probs=[0.25, 0.75], dtype=tf.float32, validate_args=True), methods([1.0, 0.0], names=few)),
        asked(tf, lambda: d.Bernoulli(np.array([0.0, 1.0]), validate_args=True), methods([1, 0], names=few)),
        asked(tf, lambda: d.Bernoulli(tf.placeholder(tf.float32, [None, 2], name="P")), dict(
            methods([1, 0], names=few), draw=lambda b: b.sample(2, seed=1), scalar=lambda b: b.is_scalar_batch(),
        ), P=[[0.0, 1.0]]),
    ]  # fmt: skip


@program
def categorical(tf, np):
    d = tf.distributions
    rows = [[0.25, 0.5, 0.25], [0.2, 0.2, 0.6]]
    calls = methods([1, 0])
    calls.update(draws(tf, 3), size=lambda c: c.event_size)
    few = ("mode", "prob", "log_cdf", "batch_shape_tensor")
    return [
        asked(tf, lambda: d.Categorical([0.0, 1.0, 2.0]), calls),
        asked(tf, lambda: d.Categorical(probs=rows), dict(
            methods([1, 0], names=few), draw=lambda c: c.sample(2, seed=1), one=lambda c: c.prob(2),
            grid=lambda c: c.cdf([[1, 0], [2, 1]]), of_floats=lambda c: c.prob([1.0, 0.0]),
        )),
        asked(tf, lambda: d.Categorical(probs=rows, dtype=tf.float32, validate_args=True), dict(
            methods([1.0, 0.0], names=few), draw=lambda c: c.sample(2, seed=1),
        )),
        asked(tf, lambda: d.Categorical(probs=rows, dtype=tf.int64, validate_args=True), methods([1, 0], names=few)),
        asked(tf, lambda: d.Categorical(tf.placeholder(tf.float32, name="P")), dict(
            methods([1, 0], names=few), draw=lambda c: c.sample(2, seed=1),
        ), P=rows),
        refused(tf, lambda: d.Categorical(probs=rows).prob("a"), lambda: d.Categorical(probs=rows).prob([True, False])),
    ]  # fmt: skip


@program
def divergences(tf, np):
    d = tf.distributions

    def pair(make, other):
        return asked(tf, make, {
            "kl": lambda a: a.kl_divergence(other()),
            "cross": lambda a: a.cross_entropy(other(), name="cross"),
            "function": lambda a: d.kl_divergence(a, other(), name="mine"),
            "checked": lambda a: d.kl_divergence(a, other(), allow_nan_stats=False),
        })  # fmt: skip

    return [
        pair(lambda: d.Normal([0.0, 1.0], 2.0), lambda: d.Normal(0.5, 1.0)),
        pair(lambda: d.Bernoulli([0.0, 1.0]), lambda: d.Bernoulli(probs=0.3)),
        pair(lambda: d.Categorical([0.0, 1.0, 2.0]), lambda: d.Categorical(probs=[0.3, 0.3, 0.4])),
        asked(tf, lambda: d.Normal(0.0, 1.0, allow_nan_stats=False), {"kl": lambda a: a.kl_divergence(d.Normal(0.5, 1.0))}),
        refused(
            tf,
            lambda: d.Normal(0.0, 1.0).kl_divergence(d.Bernoulli(0.5)),
            lambda: d.kl_divergence(d.Normal(0.0, 1.0), 1.0),
            lambda: d.RegisterKL(d.Normal, d.Categorical)(5),
        ),
        str(attempt(lambda: d.RegisterKL(d.Normal, d.Normal)(len)).whole).split(" to: ")[0],
    ]


@program
def rules_for_derived_classes(tf, np):
    d = tf.distributions

    class Base(d.Normal):
        pass

    class Derived(Base):
        pass

    def rule(number):
        return lambda a, b, name=None: tf.constant(number, name=name)

    d.RegisterKL(Base, d.Normal)(rule(1.0))
    d.RegisterKL(d.Normal, Derived)(rule(2.0))
    d.RegisterKL(Base, Base)(rule(3.0))
    kinds = (d.Normal, Base, Derived)
    return [
        fresh(tf, lambda a=a, b=b: value_of(tf, d.kl_divergence(a(0.0, 1.0), b(0.0, 1.0), name="kl"), {}))
        for a in kinds
        for b in kinds
    ]


@program
def distributions_of_a_program(tf, np):
    d = tf.distributions

    class Mine(d.Distribution):
        def __init__(self, x, name=None):
            self.x = x
            d.Distribution.__init__(self, tf.float32, d.NOT_REPARAMETERIZED, False, True, {"x": x}, [x], name)

        def _batch_shape_tensor(self):
            return tf.shape(self.x)

        def _batch_shape(self):
            return self.x.shape

        def _event_shape_tensor(self):
            return tf.constant([2])

        def _event_shape(self):
            return tf.TensorShape([2])

        def _sample_n(self, n, seed=None):
            return tf.zeros(tf.concat([[n], tf.shape(self.x), [2]], 0))

        def _prob(self, value):
            return value * self.x[..., tf.newaxis]

        def _log_cdf(self, value):
            return value

        def _stddev(self):
            return self.x

    calls = methods([1.0, 2.0], 0.5)
    calls.update(
        sample=lambda m: m.sample(2), scalar=lambda m: m.is_scalar_batch(), event=lambda m: m.is_scalar_event(),
        copy=lambda m: repr(m.copy(name="other")), shape=lambda m: (m.batch_shape, m.event_shape),
    )  # fmt: skip
    unknown = {
        "sample": lambda m: m.sample([2, 3]),
        "scalar": lambda m: m.is_scalar_batch(),
        "text": str,
        "shape": lambda m: m.batch_shape_tensor(),
        "some": lambda m: m.sample(tf.stack([2, tf.size(m.x)])),
    }
    nothing = dict(methods(1.0, 0.5), sample=lambda m: m.sample(), text=str, scalar=lambda m: m.is_scalar_batch())
    return [
        asked(tf, lambda: Mine(tf.ones([3])), calls),
        asked(tf, lambda: Mine(tf.placeholder(tf.float32, name="P"), "mine"), unknown, P=[1.0, 2.0]),
        asked(tf, lambda: Mine(tf.placeholder(tf.float32, [None], name="P")), unknown, P=[1.0, 2.0]),
        asked(tf, lambda: d.Distribution(tf.float32, d.NOT_REPARAMETERIZED, False, True), nothing),
    ]


@program
def copies_and_parameter_shapes(tf, np):
    d = tf.distributions
    return asked(tf, lambda: d.Normal(0.0, [1.0, 2.0]), {
        "copy": lambda n: repr(n.copy(loc=[1.0, 2.0], name="other")),
        "same": lambda n: repr(n.copy()),
        "shapes": lambda n: sorted((key, shape.name) for key, shape in type(n).param_shapes([2]).items()),
        "named": lambda n: sorted((key, shape.name) for key, shape in d.Bernoulli.param_shapes([2], name="mine").items()),
        "static": lambda n: sorted(type(n).param_static_shapes([2, 3]).items()),
        "of_shape": lambda n: sorted(type(n).param_static_shapes(tf.TensorShape([2])).items()),
        "unknown": lambda n: type(n).param_static_shapes(tf.TensorShape([None])),
        "fed": lambda n: type(n).param_static_shapes(tf.placeholder(tf.int32, [2])),
        "none": lambda n: d.Categorical.param_shapes([2]),
    })  # fmt: skip
