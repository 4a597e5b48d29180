"""tf.linalg.LinearOperator and its classes: values, names, hints, other operators made of them, refusals."""

import functools

from harness import attempt, graph_of, program, signature_text

NAMES = (
    "Adjoint", "BlockDiag", "Circulant", "Circulant2D", "Circulant3D", "Composition", "Diag", "FullMatrix", "Householder",
    "Identity", "Inversion", "Kronecker", "LowRankUpdate", "LowerTriangular", "ScaledIdentity", "Toeplitz", "Zeros",
)  # fmt: skip
HINTS = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")
DENSE = [[2.0, 1.0], [1.0, 4.0]]
METHODS = {
    "matmul": lambda o, x: o.matmul(x),
    "matmul of adjoints": lambda o, x: o.matmul(x, adjoint=True, adjoint_arg=True),
    "matvec": lambda o, x: o.matvec(x[..., 0]),
    "solve": lambda o, x: o.solve(x),
    "solve of adjoints": lambda o, x: o.solve(x, adjoint=True, adjoint_arg=True),
    "solvevec": lambda o, x: o.solvevec(x[..., 0], adjoint=True),
    "determinant": lambda o, x: o.determinant(),
    "log_abs_determinant": lambda o, x: o.log_abs_determinant(),
    "trace": lambda o, x: o.trace(),
    "diag_part": lambda o, x: o.diag_part(),
    "to_dense": lambda o, x: o.to_dense(),
    "add_to_tensor": lambda o, x: o.add_to_tensor(x),
    "adjoint": lambda o, x: o.H.to_dense(),
    "inverse": lambda o, x: o.inverse().to_dense(),
    "cholesky": lambda o, x: o.cholesky().to_dense(),
}
SHAPES = {
    "shape_tensor": lambda o, x: o.shape_tensor(),
    "batch_shape_tensor": lambda o, x: o.batch_shape_tensor(),
    "tensor_rank_tensor": lambda o, x: o.tensor_rank_tensor(),
    "domain_dimension_tensor": lambda o, x: o.domain_dimension_tensor(),
    "range_dimension_tensor": lambda o, x: o.range_dimension_tensor(),
}
CHECKS = ("assert_non_singular", "assert_positive_definite", "assert_self_adjoint")


def dense(tf, name="a", **hints):
    return tf.linalg.LinearOperatorFullMatrix(DENSE, name=name, **hints)


def diagonal(tf, name="b", **hints):
    return tf.linalg.LinearOperatorDiag([2.0, 3.0], name=name, **hints)


def spd(tf, **hints):
    return tf.linalg.LinearOperatorFullMatrix(
        [[4.0, 1.0], [1.0, 3.0]], is_self_adjoint=True, is_positive_definite=True, **hints
    )


def operators(tf):
    """Name -> a function that makes an operator of 2 x 2, 3 x 3 or 4 x 4."""
    of = tf.linalg
    return {
        "identity": lambda: of.LinearOperatorIdentity(2),
        "batch of identities": lambda: of.LinearOperatorIdentity(2, batch_shape=[3], assert_proper_shapes=True),
        "scaled": lambda: of.LinearOperatorScaledIdentity(2, [2.0, 3.0]),
        "scaled, positive": lambda: of.LinearOperatorScaledIdentity(2, 4.0, is_positive_definite=True),
        "diag": lambda: diagonal(tf, is_positive_definite=True),
        "complex diag": lambda: of.LinearOperatorDiag(tf.constant([2.0 + 1j, 3.0], tf.complex64)),
        "tril": lambda: of.LinearOperatorLowerTriangular([[2.0, 9.0], [1.0, 3.0]], is_non_singular=True),
        "full": lambda: dense(tf),
        "self-adjoint": lambda: spd(tf),
        "update": lambda: of.LinearOperatorLowRankUpdate(
            diagonal(tf, is_positive_definite=True), [[1.0], [2.0]], [0.5], is_diag_update_positive=True
        ),
        "update by two": lambda: of.LinearOperatorLowRankUpdate(
            dense(tf, is_non_singular=True), [[1.0], [2.0]], v=[[1.0], [0.5]]
        ),
        "composition": lambda: of.LinearOperatorComposition([dense(tf), diagonal(tf)]),
        "blocks": lambda: of.LinearOperatorBlockDiag([dense(tf), of.LinearOperatorDiag([4.0], name="c")]),
        "kronecker": lambda: of.LinearOperatorKronecker([dense(tf), diagonal(tf)]),
        "circulant": lambda: of.LinearOperatorCirculant([4.0, 1.0], input_output_dtype=tf.float32),
        "complex circulant": lambda: of.LinearOperatorCirculant(tf.constant([4.0 + 1j, 1.0, 2.0], tf.complex64)),
        "circulant of 2": lambda: of.LinearOperatorCirculant2D([[4.0, 1.0], [2.0, 3.0]]),
        "circulant of 3": lambda: of.LinearOperatorCirculant3D([[[4.0, 1.0]], [[2.0, 5.0]]]),
        "householder": lambda: of.LinearOperatorHouseholder([1.0, 2.0]),
        "toeplitz": lambda: of.LinearOperatorToeplitz([1.0, 2.0, 4.0], [1.0, 5.0, 7.0]),
        "zeros": lambda: of.LinearOperatorZeros(2),
        "inversion": lambda: of.LinearOperatorInversion(dense(tf, is_non_singular=True)),
        "adjoint": lambda: of.LinearOperatorAdjoint(dense(tf)),
    }


# Whose nodes are TensorFlow's; the others compute the same in other nodes.
OF_SAME_NODES = (
    "identity", "batch of identities", "scaled", "diag", "tril", "full", "self-adjoint", "update", "composition", "householder",
    "zeros", "inversion", "adjoint",
)  # fmt: skip

REFUSED = {("zeros", "solvevec"), ("scaled", "add_to_tensor")}


def described(operator):
    return [
        type(operator).__name__, operator.name, operator.dtype, operator.shape, [getattr(operator, hint) for hint in HINTS],
        operator.tensor_rank, operator.batch_shape, operator.domain_dimension, operator.range_dimension,
        len(operator.graph_parents),
    ]  # fmt: skip


def argument(tf, np, operator):
    side = int(operator.shape[-1])
    x = np.arange(1.0, 1 + side * side).reshape(side, side)
    return tf.constant(x, operator.dtype, name="X")


def answer(tf, session, ask, operator, x):
    def found():
        result = ask(operator, x)
        return [result.dtype, result.shape, session.run(result)]

    return attempt(found)


@program
def signatures(tf, np):
    made = [[name, signature_text(getattr(tf.linalg, f"LinearOperator{name}").__init__)] for name in NAMES]
    methods = [
        [name, signature_text(getattr(tf.linalg.LinearOperator, name))]
        for name in sorted(vars(tf.linalg.LinearOperator))
        if not name.startswith("_") and callable(getattr(tf.linalg.LinearOperator, name))
    ]
    return [made, methods]


@program
def hints(tf, np):
    return [[name, described(make())] for name, make in sorted(operators(tf).items())]


def asked(tf, np, methods):
    found = []
    for name, make in sorted(operators(tf).items()):
        with tf.Graph().as_default(), tf.Session() as session:
            operator = make()
            x = argument(tf, np, operator)
            for method, ask in sorted(methods.items()):
                found.append([name, method, answer(tf, session, ask, operator, x)])
    return found


@program
def values(tf, np):
    return asked(tf, np, METHODS)


@program
def shapes(tf, np):
    return asked(tf, np, SHAPES)


def checked(session, operator, check):
    return session.run(getattr(operator, check)())


@program
def checks(tf, np):
    found = []
    for name, make in sorted(operators(tf).items()):
        for check in CHECKS:
            with tf.Graph().as_default(), tf.Session() as session:
                operator = make()
                found.append([name, check, attempt(functools.partial(checked, session, operator, check))])
    return found


@program
def nodes(tf, np):
    found = []
    for name in OF_SAME_NODES:
        for method in ("matmul of adjoints", "solvevec", "determinant", "trace", "add_to_tensor"):
            with tf.Graph().as_default():
                operator = operators(tf)[name]()
                x = argument(tf, np, operator)
                if (name, method) not in REFUSED:
                    METHODS[method](operator, x)
                    found.append([name, method, graph_of(tf)])
    return found


def combined(session, a, method, b):
    c = getattr(a, method)(b)
    return [described(c), session.run(c.to_dense())]


@program
def products_and_quotients(tf, np):
    found = []
    more = operators(tf)
    names = ("identity", "scaled, positive", "diag", "tril", "full", "circulant", "zeros", "inversion")
    for left in names:
        for right in names:
            with tf.Graph().as_default(), tf.Session() as session:
                a, b = more[left](), more[right]()
                if a.dtype != b.dtype:
                    continue
                for method in ("matmul", "solve"):
                    found.append([left, right, method, attempt(functools.partial(combined, session, a, method, b))])
    return found


def derived(make, method):
    return described(getattr(make(), method)())


@program
def adjoints_and_inverses(tf, np):
    return [
        [name, method, attempt(functools.partial(derived, make, method))]
        for name, make in sorted(operators(tf).items())
        for method in ("adjoint", "inverse", "cholesky")
    ]


@program
def sizes_of_the_run(tf, np):
    of = tf.linalg
    fed = tf.placeholder(tf.float32, name="fed")
    matrices = np.array([[[1.0, 2.0], [3.0, 5.0]], [[2.0, 0.0], [1.0, 4.0]]], np.float32)
    count = tf.placeholder(tf.int32, [], name="count")
    cases = [
        (of.LinearOperatorFullMatrix(fed), matrices),
        (of.LinearOperatorDiag(fed), matrices[0]),
        (of.LinearOperatorLowerTriangular(fed), matrices),
        (of.LinearOperatorHouseholder(fed), matrices[0]),
        (of.LinearOperatorCirculant(fed, input_output_dtype=tf.float32), matrices[0]),
        (of.LinearOperatorScaledIdentity(count, fed), matrices[0, 0]),
        (of.LinearOperatorIdentity(count, batch_shape=[2]), matrices),
        (of.LinearOperatorBlockDiag([of.LinearOperatorFullMatrix(fed, is_square=True), of.LinearOperatorDiag([4.0])]), matrices),
        (of.LinearOperatorKronecker([of.LinearOperatorFullMatrix(fed, is_square=True), of.LinearOperatorDiag([4.0, 1.0])]), matrices),
        (of.LinearOperatorComposition([of.LinearOperatorFullMatrix(fed), of.LinearOperatorDiag([4.0, 1.0])]), matrices),
    ]
    found = []
    with tf.Session() as session:
        for operator, value in cases:
            parts = [
                operator.to_dense(), operator.matmul(operator.to_dense()), operator.shape_tensor(), operator.diag_part(),
                operator.trace(), operator.log_abs_determinant(), operator.domain_dimension_tensor(),
                operator.tensor_rank_tensor(), operator.batch_shape_tensor(),
            ]  # fmt: skip
            found.append([type(operator).__name__, operator.shape, session.run(parts, {fed: value, count: 2})])
    return found


@program
def batches_that_broadcast(tf, np):
    of = tf.linalg
    many = np.array([[[1.0, 2.0], [3.0, 5.0]], [[2.0, 0.0], [1.0, 4.0]]], np.float32)
    right = np.array([[1.0, 2.0], [4.0, 3.0]], np.float32)
    found = []
    with tf.Session() as session:
        for operator in (
            of.LinearOperatorFullMatrix(many),
            of.LinearOperatorLowerTriangular(many),
            of.LinearOperatorDiag(many[0]),
            of.LinearOperatorKronecker([of.LinearOperatorFullMatrix(many), of.LinearOperatorIdentity(1)]),
            of.LinearOperatorBlockDiag([of.LinearOperatorDiag(many[0][:, :1]), of.LinearOperatorIdentity(1)]),
        ):
            parts = [operator.matmul(right), operator.solve(right), operator.to_dense(), operator.diag_part()]
            found.append([[part.shape for part in parts], session.run(parts)])
        single = of.LinearOperatorFullMatrix(right)
        parts = [single.matmul(many), single.solve(many)]
        found.append([[part.shape for part in parts], session.run(parts)])
    return found


@program
def circulant_methods(tf, np):
    of = tf.linalg
    found = []
    with tf.Session() as session:
        for operator in (
            of.LinearOperatorCirculant(tf.constant([4.0, 1.0 + 1j, 1.0 - 1j], tf.complex64)),
            of.LinearOperatorCirculant2D([[4.0, 1.0], [2.0, 3.0]]),
            of.LinearOperatorCirculant3D([[[4.0, 1.0]]]),
        ):
            found.append([
                operator.block_depth, operator.block_shape, session.run(operator.block_shape_tensor()),
                session.run(operator.convolution_kernel()), session.run(operator.spectrum),
            ])  # fmt: skip
    return found


@program
def properties(tf, np):
    update = operators(tf)["update"]()
    with tf.Session() as session:
        return [
            session.run([update.u, update.v, update.diag_update]), type(update.diag_operator).__name__,
            update.base_operator.name, update.is_diag_update_positive,
            operators(tf)["update by two"]().diag_update, type(operators(tf)["update by two"]().diag_operator).__name__,
            session.run(operators(tf)["scaled"]().multiplier), session.run(operators(tf)["householder"]().reflection_axis),
            session.run([operators(tf)["toeplitz"]().row, operators(tf)["toeplitz"]().col]),
            [o.name for o in operators(tf)["kronecker"]().operators], operators(tf)["inversion"]().operator.name,
            session.run(diagonal(tf).diag),
        ]  # fmt: skip


@program
def refusals(tf, np):
    of = tf.linalg

    def wide():
        return of.LinearOperatorFullMatrix([[1.0, 2.0, 3.0]])

    def refused(call):
        with tf.Graph().as_default():
            return attempt(call)

    return [refused(call) for call in (
        lambda: dense(tf, is_positive_definite=True, is_non_singular=False),
        lambda: dense(tf, is_non_singular=True, is_square=False),
        lambda: dense(tf, is_self_adjoint=True, is_square=False),
        lambda: diagonal(tf, is_self_adjoint=False),
        lambda: diagonal(tf, is_square=False),
        lambda: of.LinearOperatorDiag(1.0),
        lambda: of.LinearOperatorFullMatrix([1.0]),
        lambda: of.LinearOperatorLowerTriangular([1.0]),
        lambda: of.LinearOperatorIdentity(-1),
        lambda: of.LinearOperatorIdentity(2.0),
        lambda: of.LinearOperatorIdentity([2]),
        lambda: of.LinearOperatorIdentity(2, batch_shape=3),
        lambda: of.LinearOperatorIdentity(2, is_self_adjoint=False),
        lambda: of.LinearOperatorIdentity(2, is_non_singular=False),
        lambda: of.LinearOperatorScaledIdentity(2, 1.0, is_square=False),
        lambda: of.LinearOperatorZeros(2, is_non_singular=True),
        lambda: of.LinearOperatorZeros(2, is_self_adjoint=False),
        lambda: of.LinearOperatorZeros(2, 3),
        lambda: of.LinearOperatorComposition([]),
        lambda: of.LinearOperatorComposition([wide(), wide()]),
        lambda: of.LinearOperatorComposition([dense(tf), of.LinearOperatorDiag(tf.constant([1.0, 2.0], tf.float64))]),
        lambda: of.LinearOperatorComposition([diagonal(tf, is_non_singular=True)], is_non_singular=False),
        lambda: of.LinearOperatorBlockDiag([]),
        lambda: of.LinearOperatorBlockDiag([wide()]),
        lambda: of.LinearOperatorKronecker([spd(tf)], is_self_adjoint=False),
        lambda: of.LinearOperatorCirculant(1.0),
        lambda: of.LinearOperatorCirculant([1.0], is_self_adjoint=False),
        lambda: of.LinearOperatorHouseholder([1.0], is_positive_definite=True),
        lambda: of.LinearOperatorHouseholder(1.0),
        lambda: of.LinearOperatorToeplitz([1.0, 2.0], [1.0]),
        lambda: of.LinearOperatorToeplitz(1.0, [1.0]),
        lambda: of.LinearOperatorInversion(wide()),
        lambda: of.LinearOperatorInversion(dense(tf), is_non_singular=False),
        lambda: of.LinearOperatorInversion(spd(tf), is_self_adjoint=False),
        lambda: of.LinearOperatorInversion(spd(tf), is_positive_definite=False),
        lambda: of.LinearOperatorInversion(dense(tf), is_square=False),
        lambda: of.LinearOperatorAdjoint(spd(tf), is_non_singular=False),
        lambda: of.LinearOperatorAdjoint(spd(tf), is_square=False),
        lambda: of.LinearOperatorAdjoint(spd(tf), is_positive_definite=False),
        lambda: of.LinearOperatorIdentity(2, batch_shape=[-1]),
        lambda: of.LinearOperatorKronecker([]),
        lambda: of.LinearOperatorAdjoint(spd(tf), is_self_adjoint=False),
        lambda: of.LinearOperatorLowRankUpdate(dense(tf), [[1.0], [2.0]], is_diag_update_positive=False),
        lambda: of.LinearOperatorLowRankUpdate(dense(tf), [[1.0]]),
        lambda: of.LinearOperatorLowRankUpdate(dense(tf), [[1.0], [2.0]], [1.0, 2.0]),
        lambda: wide().determinant(),
        lambda: wide().solve([[1.0]]),
        lambda: wide().inverse(),
        lambda: wide().matmul([[1.0]]),
        lambda: wide().matvec([1.0]),
        lambda: dense(tf).matmul(tf.constant([[1.0], [2.0]], tf.float64)),
        lambda: dense(tf).matmul(of.LinearOperatorIdentity(3)),
        lambda: dense(tf).solve(of.LinearOperatorIdentity(3)),
        lambda: of.LinearOperatorZeros(2).inverse(),
        lambda: dense(tf).cholesky(),
    )]  # fmt: skip


@program
def of_a_programs_own(tf, np):
    class Doubling(tf.linalg.LinearOperator):
        def __init__(self, side):
            super().__init__(tf.float32, is_non_singular=True, is_self_adjoint=True, name="Doubling")
            self.side = side

        def _shape(self):
            return tf.TensorShape([self.side, self.side])

        def _shape_tensor(self):
            return tf.constant([self.side, self.side])

        def _matmul(self, x, adjoint=False, adjoint_arg=False):
            return 2.0 * (tf.linalg.adjoint(x) if adjoint_arg else x)

    operator = Doubling(2)
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    parts = [
        operator.matmul(x), operator.matvec([1.0, 2.0]), operator.solve(x), operator.determinant(),
        operator.log_abs_determinant(), operator.to_dense(), operator.trace(), operator.add_to_tensor(x),
        operator.matmul(dense(tf)).to_dense(), operator.inverse().matmul(x),
    ]  # fmt: skip
    with tf.Session() as session:
        return [described(operator), session.run(parts), graph_of(tf)]
