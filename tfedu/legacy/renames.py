"""Names of TensorFlow before 1.0, and of 2.x, that 1.15 does not have, with what 1.15 has instead. No state."""

BEFORE_1_0 = {
    "tf.batch_band_part": "tf.matrix_band_part",
    "tf.batch_cholesky": "tf.cholesky",
    "tf.batch_cholesky_solve": "tf.cholesky_solve",
    "tf.batch_fft": "tf.fft",
    "tf.batch_ifft": "tf.ifft",
    "tf.batch_matmul": "tf.matmul",
    "tf.batch_matrix_band_part": "tf.matrix_band_part",
    "tf.batch_matrix_determinant": "tf.matrix_determinant",
    "tf.batch_matrix_diag": "tf.matrix_diag",
    "tf.batch_matrix_diag_part": "tf.matrix_diag_part",
    "tf.batch_matrix_inverse": "tf.matrix_inverse",
    "tf.batch_matrix_set_diag": "tf.matrix_set_diag",
    "tf.batch_matrix_solve": "tf.matrix_solve",
    "tf.batch_matrix_solve_ls": "tf.matrix_solve_ls",
    "tf.batch_matrix_transpose": "tf.matrix_transpose",
    "tf.batch_matrix_triangular_solve": "tf.matrix_triangular_solve",
    "tf.batch_self_adjoint_eig": "tf.self_adjoint_eig",
    "tf.batch_svd": "tf.svd",
    "tf.complex_abs": "tf.abs",
    "tf.concat_v2": "tf.concat",
    "tf.decode_jpeg": "tf.image.decode_jpeg",
    "tf.decode_png": "tf.image.decode_png",
    "tf.image.per_image_whitening": "tf.image.per_image_standardization",
    "tf.inv": "tf.reciprocal",
    "tf.list_diff": "tf.setdiff1d",
    "tf.listdiff": "tf.setdiff1d",
    "tf.models.rnn.rnn": "tf.nn",
    "tf.models.rnn.rnn_cell": "tf.nn.rnn_cell",
    "tf.models.rnn.seq2seq": "tf.contrib.legacy_seq2seq",
    "tf.mul": "tf.multiply",
    "tf.neg": "tf.negative",
    "tf.nn.bidirectional_rnn": "tf.nn.static_bidirectional_rnn",
    "tf.nn.deconv2d": "tf.nn.conv2d_transpose",
    "tf.nn.rnn": "tf.nn.static_rnn",
    "tf.nn.seq2seq": "tf.contrib.legacy_seq2seq",
    "tf.nn.state_saving_rnn": "tf.nn.static_state_saving_rnn",
    "tf.pack": "tf.stack",
    "tf.select": "tf.where",
    "tf.sparse_split_v2": "tf.sparse_split",
    "tf.sub": "tf.subtract",
    "tf.unpack": "tf.unstack",
}
ONLY_IN_2 = {
    "tf.compat.v2": "tf",
    "tf.optimizers": "tf.train",
    "tf.random.Generator": "tf.random_uniform",
    "tf.random.set_seed": "tf.set_random_seed",
    "tf.losses.MeanSquaredError": "tf.losses.mean_squared_error",
}


def renamed(name: str) -> tuple[str, str] | None:
    """The name in 1.15 and a sentence, for a name of another TensorFlow; inside a renamed namespace, too."""
    head, tail = name, ""
    while head.count("."):
        if head in BEFORE_1_0:
            new = BEFORE_1_0[head] + tail
            return new, f"{name} was renamed {new} in TensorFlow 1.0"
        if head in ONLY_IN_2:
            new = ONLY_IN_2[head]
            return new, f"{name} is TensorFlow 2's, and tfedu is TensorFlow 1.x: see {new}"
        head, _, last = head.rpartition(".")
        tail = f".{last}{tail}"
    return None
