"""tf.contrib.image: pictures that are turned, moved and warped. Several ops compute here what one op does in 1.15."""

from harness import fresh, program, signature_text

NAMES = (
    "angles_to_projective_transforms", "compose_transforms", "dense_image_warp", "flat_transforms_to_matrices",
    "interpolate_spline", "matrices_to_flat_transforms", "rotate", "sparse_image_warp", "transform", "translate",
    "translations_to_projective_transforms",
)  # fmt: skip
PLAIN = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
BENT = [[1.0, 0.25, -1.0, 0.125, 1.0, 0.5, 0.1, 0.05], [0.5, 0.0, 0.25, 0.0, 2.0, 0.0, 0.0, -0.5]]


def results(tf, *calls):
    """Static shape and value of each call's tensors."""

    def one(call):
        made = call()
        with tf.Session() as session:
            values = session.run(made)
        many = isinstance(made, (list, tuple))
        return [[str(t.shape), v] for t, v in zip(made if many else [made], values if many else [values])]

    return [fresh(tf, lambda call=call: one(call)) for call in calls]


@program
def signatures(tf, np):
    return [[name, signature_text(getattr(tf.contrib.image, name))] for name in NAMES]


@program
def maps(tf, np):
    im = tf.contrib.image
    return results(
        tf,
        lambda: im.angles_to_projective_transforms(0.5, 3.0, 4.0),
        lambda: im.angles_to_projective_transforms([0.5, -1.0], 3.0, 4.0, name="turns"),
        lambda: im.translations_to_projective_transforms([1.0, 2.0]),
        lambda: im.translations_to_projective_transforms([[1.0, 2.0], [3.0, 4.0]]),
        lambda: im.compose_transforms([1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0], BENT, [PLAIN]),
        lambda: im.flat_transforms_to_matrices(BENT),
        lambda: im.matrices_to_flat_transforms([[2.0, 0.0, 1.0], [0.0, 4.0, 0.0], [0.5, 0.0, 2.0]]),
    )


@program
def pictures(tf, np):
    im = tf.contrib.image
    x = np.arange(48, dtype=np.float32).reshape([2, 3, 4, 2])
    calls = []
    for way in ("NEAREST", "BILINEAR"):
        calls += [
            lambda way=way: im.rotate(x, 0.5, way),
            lambda way=way: im.rotate(x, [0.5, -2.0], interpolation=way),
            lambda way=way: im.rotate(x[0], 0.5, way),
            lambda way=way: im.rotate(x[0, ..., 0], np.pi, way),
            lambda way=way: im.translate(x, [1.0, -1.5], way),
            lambda way=way: im.transform(x, BENT, way),
            lambda way=way: im.transform(x, BENT[0], way, output_shape=[2, 5]),
            lambda way=way: im.transform(np.uint8(x * 5), BENT[0], way),
            lambda way=way: im.transform(np.int64(x), PLAIN, way),
            lambda way=way: im.transform(np.float64(x), BENT[0], way),
            lambda way=way: im.transform(tf.placeholder_with_default(x, [2, None, None, None]), BENT, way),
        ]
    return results(tf, *calls)


@program
def gradient_of_a_moved_picture(tf, np):
    def gradient():
        x = tf.constant(np.arange(12, dtype=np.float32).reshape([1, 3, 4, 1]))
        y = tf.contrib.image.translate(x, [1.0, 1.0])
        return tf.gradients(tf.reduce_sum(y * y), x)[0]

    return results(tf, gradient)


@program
def warps(tf, np):
    im = tf.contrib.image
    x = np.arange(48, dtype=np.float32).reshape([2, 3, 4, 2]) ** 1.5
    flow = np.float32(np.sin(np.arange(48)).reshape([2, 3, 4, 2]) * 3)
    before, after = [[[0.3, 0.2], [1.1, 1.9], [1.7, 0.6]]] * 2, [[[0.3, 0.5], [1.2, 2.4], [1.5, 0.6]]] * 2
    points = np.float32([[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]])
    values, asked = np.float32([[[1.0, 2.0], [2.0, 0.0], [3.0, 1.0], [0.0, 5.0]]]), np.float32([[[0.5, 0.5], [3.0, 1.0]]])
    return results(
        tf,
        lambda: im.dense_image_warp(x, flow),
        lambda: tf.reshape(im.dense_image_warp(tf.placeholder_with_default(x, [None] * 4), flow), [-1]),
        *[lambda order=order: im.interpolate_spline(points, values, asked, order) for order in (1, 2, 3, 4)],
        lambda: im.interpolate_spline(points, values, asked, 2, regularization_weight=0.25),
        lambda: im.sparse_image_warp(x, before, after),
        lambda: im.sparse_image_warp(x, before, after, num_boundary_points=2, interpolation_order=1),
    )


@program
def wrong_calls(tf, np):
    im = tf.contrib.image
    x = np.arange(12, dtype=np.float32).reshape([1, 3, 4, 1])
    return [
        fresh(tf, lambda call=call: call() and None)
        for call in (
            lambda: im.rotate(x[0, 0, 0], 0.5),
            lambda: im.rotate(x, [[0.5]]),
            lambda: im.transform(tf.placeholder(tf.float32), PLAIN),
            lambda: im.transform("a", PLAIN),
            lambda: im.transform(x, [[PLAIN]]),
            lambda: im.transform(x, PLAIN, output_shape=[2, 2, 2]),
            lambda: im.flat_transforms_to_matrices(1.0),
            lambda: im.matrices_to_flat_transforms([1.0, 2.0]),
        )
    ]
