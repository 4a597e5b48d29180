"""Gradients of matrix functions, factors, solutions, diagonals and Fourier transforms beside the oracle, of both orders."""

import numpy
from harness import attempt, program
from orders import both_orders

A = [[2.0, 0.3, 0.5], [0.2, 1.5, 0.4], [0.6, 0.1, 1.8]]
B = [[1.0, 0.5], [0.3, 2.0], [0.7, 0.2]]
WIDE = [[1.0, 0.3, 0.5, 0.9], [0.2, 1.5, 0.4, 0.1]]
TALL = numpy.transpose(WIDE).tolist()
BATCH = [A, (numpy.array(A) + 0.1).tolist()]


def positive(tf, x):
    return tf.matmul(x, x, transpose_b=True)


@program
def inverses_and_determinants(tf, np):
    return {
        "inverse": both_orders(tf, np, tf.matrix_inverse, A),
        "adjoint": both_orders(tf, np, lambda x: tf.matrix_inverse(x, adjoint=True) ** 2, A),
        "determinant": both_orders(tf, np, lambda x: tf.matrix_determinant(x) ** 2, BATCH),
        "logdet": both_orders(tf, np, lambda x: tf.linalg.slogdet(x)[1] ** 2, BATCH),
        "root": both_orders(tf, np, lambda x: tf.linalg.sqrtm(x), A),
        "root of several": both_orders(tf, np, lambda x: tf.linalg.sqrtm(x), BATCH),
    }


@program
def factors(tf, np):
    return {
        "cholesky": both_orders(tf, np, lambda x: tf.cholesky(positive(tf, x)), BATCH),
        "eigenvalues": both_orders(tf, np, lambda x: tf.self_adjoint_eigvals(positive(tf, x)) ** 2, A),
        "singular values": both_orders(tf, np, lambda x: tf.svd(x, compute_uv=False) ** 2, WIDE),
    }


def fixed(tf, np, f, x):
    """Both orders of something whose rule asks for known shapes."""
    y = tf.constant(np.array(x, np.float64))
    (first,) = tf.gradients(f(y), y)
    second = tf.gradients(tf.reduce_sum(first**2), y)
    with tf.Session() as session:
        return session.run([first, second[0]])


@program
def factors_of_known_shapes(tf, np):
    result = {"eigenvectors": fixed(tf, np, lambda x: tf.self_adjoint_eig(positive(tf, x))[1] ** 4, A)}
    result["qr"] = fixed(tf, np, lambda x: sum(map(tf.reduce_sum, tf.qr(x))), TALL)
    for name, x in (("wide", WIDE), ("tall", TALL), ("square", A)):
        # squares do not depend on the signs that a library picks
        result[f"svd {name}"] = fixed(
            tf, np, lambda x: tf.reduce_sum(tf.svd(x)[0]) + tf.reduce_sum(tf.svd(x)[1] ** 4) + tf.reduce_sum(tf.svd(x)[2] ** 4), x
        )
    result["svd whole"] = fixed(tf, np, lambda x: tf.reduce_sum(tf.svd(x, full_matrices=True)[2] ** 4), [row[:3] for row in WIDE])
    return result


@program
def solutions(tf, np):
    lower = np.tril(A).tolist()
    result = {}
    for adjoint in (False, True):
        result[f"solve {adjoint}"] = both_orders(tf, np, lambda a, b, t=adjoint: tf.matrix_solve(a, b, adjoint=t), A, B)
        for low in (True, False):
            result[f"triangular {adjoint} {low}"] = both_orders(
                tf, np, lambda a, b, t=adjoint, o=low: tf.matrix_triangular_solve(a, b, lower=o, adjoint=t),
                lower if low else np.transpose(lower).tolist(), B,
            )  # fmt: skip
    result["cholesky_solve"] = both_orders(tf, np, tf.cholesky_solve, lower, B)
    result["least squares"] = both_orders(tf, np, lambda a, b: tf.matrix_solve_ls(a, b, 0.1), TALL, [*B, [0.4, 0.6]])
    result["wide least squares"] = both_orders(tf, np, lambda a, b: tf.matrix_solve_ls(a, b, 0.1), WIDE, B[:2])
    slow = tf.constant(np.array(TALL))
    result["slow"] = attempt(lambda: tf.gradients(tf.matrix_solve_ls(slow, slow, fast=False), slow))
    return result


@program
def diagonals(tf, np):
    v = [0.5, 1.5, 2.5]
    return {
        "diag": both_orders(tf, np, lambda x: tf.diag(x) ** 2, v),
        "diag_part": both_orders(tf, np, lambda x: tf.diag_part(x) ** 2, A),
        "matrix_diag": both_orders(tf, np, lambda x: tf.matrix_diag(x) ** 2, [v, v]),
        "matrix_diag_part": both_orders(tf, np, lambda x: tf.matrix_diag_part(x) ** 2, BATCH),
        "matrix_diag_part wide": both_orders(tf, np, lambda x: tf.matrix_diag_part(x) ** 2, WIDE),
        "matrix_set_diag": both_orders(tf, np, lambda x, d: tf.matrix_set_diag(x, d) ** 2, BATCH, [v, v]),
        "band": both_orders(tf, np, lambda x: tf.matrix_band_part(x, 1, 0) ** 2, BATCH),
        "cross": both_orders(tf, np, lambda x, y: tf.cross(x, y) ** 2, [v, v], [v[::-1], v]),
        "trace": both_orders(tf, np, lambda x: tf.trace(x) ** 2, BATCH),
    }


@program
def tridiagonal(tf, np):
    compact = [[0.3, 0.5, 9.0], [2.0, 1.5, 1.8], [9.0, 0.2, 0.4]]
    solve, product = tf.linalg.tridiagonal_solve, tf.linalg.tridiagonal_matmul
    return {
        "solve": both_orders(tf, np, solve, compact, B),
        "solve vector": both_orders(tf, np, solve, compact, [1.0, 2.0, 3.0]),
        "product": both_orders(tf, np, lambda d, b: product(d, b) ** 2, compact, B),
    }


@program
def transforms(tf, np):
    x = np.linspace(0.1, 2.1, 24).reshape(2, 4, 3) ** 2

    def of_complex(f):
        return lambda x: tf.abs(f(tf.complex(x, x[::-1]))) ** 2

    def of_real(f, **options):
        return lambda x: tf.abs(f(x, **options)) ** 2

    names = ("fft", "ifft", "fft2d", "ifft2d", "fft3d", "ifft3d")
    result = {name: both_orders(tf, np, of_complex(getattr(tf.signal, name)), x) for name in names}
    result |= {name: both_orders(tf, np, of_real(getattr(tf.signal, name)), x) for name in ("rfft", "rfft2d")}
    result["rfft even"] = both_orders(tf, np, of_real(tf.signal.rfft, fft_length=[4]), x)
    result["irfft"] = both_orders(tf, np, lambda x: tf.signal.irfft(tf.complex(x, x[::-1])) ** 2, x)
    result["irfft odd"] = both_orders(tf, np, lambda x: tf.signal.irfft(tf.complex(x, x[::-1]), [5]) ** 2, x)
    result["irfft2d"] = both_orders(tf, np, lambda x: tf.signal.irfft2d(tf.complex(x, x[::-1])) ** 2, x)
    return result
