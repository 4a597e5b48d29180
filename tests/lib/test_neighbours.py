"""Functions beside the much used ones: what they compute, as recorded from the oracle."""

import numpy as np
import pytest

import tfedu as tf

# expression: one (dtype, shape, elements) for each output
RECORDED = {
    "tf.reshape(tf.zeros([0, 3]), [0, -1])": [("float32", (0, 3), [])],
    "tf.math.bessel_i0e([-40., 0., 1., 5., 29., 31., 200.])": [
        ("float32", (7,), [0.06327828, 1.0, 0.4657596, 0.1835408, 0.07440747, 0.07194649, 0.02822716])
    ],
    "tf.math.bessel_i1e([-40., 0., 1., 5., 29., 31., 200.])": [
        ("float32", (7,), [-0.06248223, 0.0, 0.2079104, 0.1639723, 0.07311312, 0.0707764, 0.02815651])
    ],
    "tf.math.bessel_i0([0., 1., 5.])": [("float32", (3,), [1.0, 1.266066, 27.23987])],
    "tf.math.bessel_i1([0., -1., 5.])": [("float32", (3,), [0.0, -0.5651591, 24.33565])],
    "tf.math.lbeta([[1., 2.], [3., 4.]])": [("float32", (2,), [-0.6931472, -4.094345])],
    "tf.math.is_non_decreasing([1, 1, 2])": [("bool", (), [1])],
    "tf.math.is_non_decreasing([[1, 3], [2, 4]])": [("bool", (), [0])],
    "tf.math.is_strictly_increasing([1, 1, 2])": [("bool", (), [0])],
    "tf.math.is_strictly_increasing([1])": [("bool", (), [1])],
    "tf.math.divide_no_nan([1., 2.], [0., 4.])": [("float32", (2,), [0.0, 0.5])],
    "tf.math.reciprocal_no_nan([0., 4.])": [("float32", (2,), [0.0, 0.25])],
    "tf.confusion_matrix([0, 1, 1], [0, 1, 2])": [("int32", (3, 3), [1, 0, 0, 0, 1, 1, 0, 0, 0])],
    "tf.confusion_matrix([0, 1, 1], [0, 1, 2], num_classes=4, dtype=tf.float32)": [
        ("float32", (4, 4), [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    ],
    "tf.confusion_matrix([0, 1, 1], [0, 1, 2], weights=[2, 3, 4])": [
        ("int32", (3, 3), [2, 0, 0, 0, 3, 4, 0, 0, 0])
    ],
    "tf.batch_gather([[1, 2], [3, 4]], [[1], [0]])": [("int32", (2, 1), [2, 3])],
    "tf.searchsorted([[1, 3, 5]], [[0, 3, 6]])": [("int32", (1, 3), [0, 1, 3])],
    "tf.searchsorted([1, 3, 5], [0, 3, 6], side='right')": [("int32", (3,), [0, 2, 3])],
    "tf.unravel_index([3, 5], [2, 3])": [("int32", (2, 2), [1, 1, 0, 2])],
    "tf.unravel_index(5, [2, 3])": [("int32", (2,), [1, 2])],
    "tf.gather_nd([[1, 2], [3, 4]], [[1], [0]], batch_dims=1)": [("int32", (2,), [2, 3])],
    "tf.gather_nd([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[1], [0]], [[0], [1]]], batch_dims=1)": [
        ("int32", (2, 2, 2), [3, 4, 1, 2, 5, 6, 7, 8])
    ],
    "tf.required_space_to_batch_paddings([3, 5], [2, 2])[0]": [("int32", (2, 2), [0, 1, 0, 1])],
    "tf.required_space_to_batch_paddings([3, 5], [2, 2])[1]": [("int32", (2, 2), [0, 1, 0, 1])],
    "tf.tensor_scatter_nd_update([1, 2, 3], [[0]], [9])": [("int32", (3,), [9, 2, 3])],
    "tf.tensor_scatter_nd_add([1, 2, 3], [[0], [0]], [9, 1])": [("int32", (3,), [11, 2, 3])],
    "tf.repeat([1, 2], [2, 3])": [("int32", (5,), [1, 1, 2, 2, 2])],
    "tf.repeat([[1, 2], [3, 4]], 2, axis=1)": [("int32", (2, 4), [1, 1, 2, 2, 3, 3, 4, 4])],
    "tf.sort([[3, 1, 2], [6, 5, 4]], axis=0, direction='DESCENDING')": [
        ("int32", (2, 3), [6, 5, 4, 3, 1, 2])
    ],
    "tf.argsort([3, 1, 2])": [("int32", (3,), [1, 2, 0])],
    "tf.norm([[3., 4.], [6., 8.]], ord=1, axis=[0, 1])": [("float32", (), [12.0])],
    "tf.norm([[3., 4.], [6., 8.]], ord=np.inf, axis=[0, 1])": [("float32", (), [14.0])],
    "tf.norm([[3., 4.], [6., 8.]], ord='fro', axis=[0, 1])": [("float32", (), [11.18034])],
    "tf.norm([[3., 4.], [6., 8.]], ord=3, axis=1)": [("float32", (2,), [4.497941, 8.995884])],
    "tf.einsum('ij, jk->ik', tf.constant([[1., 2.], [3., 4.]]), tf.constant([[5., 6.], [7., 8.]]))": [
        ("float32", (2, 2), [19.0, 22.0, 43.0, 50.0])
    ],
    "tf.einsum('ij, ij->', tf.constant([[1., 2.], [3., 4.]]), tf.constant([[5., 6.], [7., 8.]]))": [
        ("float32", (), [70.0])
    ],
    "tf.einsum('ij->ji', tf.constant([[1., 2.], [3., 4.]]))": [("float32", (2, 2), [1.0, 3.0, 2.0, 4.0])],
    "tf.einsum('bij, bjk->bik', tf.ones([2, 3, 4]), tf.ones([2, 4, 5]))": [
        (
            "float32",
            (2, 3, 5),
            [
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
                4.0,
            ],
        )
    ],
    "tf.einsum('i, j, k->kij', tf.constant([1., 2.]), tf.constant([3., 4.]), tf.constant([5., 6.]))": [
        ("float32", (2, 2, 2), [15.0, 20.0, 30.0, 40.0, 18.0, 24.0, 36.0, 48.0])
    ],
    "tf.einsum('ij, jk', tf.constant([[1., 2.], [3., 4.]]), tf.constant([[5., 6.], [7., 8.]]))": [
        ("float32", (2, 2), [19.0, 22.0, 43.0, 50.0])
    ],
    "tf.cholesky_solve(tf.cholesky([[4., 2.], [2., 3.]]), [[1.], [2.]])": [
        ("float32", (2, 1), [-0.125, 0.7499999])
    ],
    "tf.linalg.logdet([[4., 2.], [2., 3.]])": [("float32", (), [2.079442])],
    "tf.linalg.adjoint([[1+1j, 2], [3, 4]])": [
        ("complex128", (2, 2), [[1.0, -1.0], [3.0, -0.0], [2.0, -0.0], [4.0, -0.0]])
    ],
    "tf.linalg.slogdet([[1., 2.], [3., 4.]])": [("float32", (), [-1.0]), ("float32", (), [0.6931472])],
    "tf.qr([[1., 2.], [3., 4.]])[1]": [("float32", (2, 2), [-3.162278, -4.427188, 0.0, -0.6324553])],
    "tf.svd([[1., 2.], [3., 4.]], compute_uv=False)": [("float32", (2,), [5.464985, 0.3659661])],
    "tf.self_adjoint_eig([[2., 1.], [1., 2.]])[0]": [("float32", (2,), [0.9999999, 3.0])],
    "tf.tensordot([[1., 2.], [3., 4.]], [[5., 6.], [7., 8.]], [[0, 1], [1, 0]])": [("float32", (), [69.0])],
    "tf.meshgrid([1, 2, 3], [4, 5])[0]": [("int32", (2, 3), [1, 2, 3, 1, 2, 3])],
}


@pytest.mark.parametrize("expression", RECORDED)
def test_function_gives_what_the_oracle_gave(expression):
    with tf.Graph().as_default(), tf.Session() as session:
        tensor = eval(expression, {"tf": tf, "np": np})
        listed = list(tensor) if isinstance(tensor, tuple) else [tensor]
        values = session.run(listed)
    assert len(values) == len(RECORDED[expression])
    for made, value, (dtype, shape, elements) in zip(listed, values, RECORDED[expression]):
        assert (value.dtype.name, value.shape, made.dtype.name) == (dtype, shape, dtype)
        assert made.shape.is_compatible_with(shape)
        wanted = np.array(elements)
        if dtype.startswith("complex"):
            wanted = wanted[..., 0] + 1j * wanted[..., 1]
        np.testing.assert_allclose(np.ravel(value), wanted, rtol=3e-6, atol=1e-6)
