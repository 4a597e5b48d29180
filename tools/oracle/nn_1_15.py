"""What 1.15's pooling and normalisation do in another way than 2.15's, or say in other words; rows as in as_1_15."""

RULES = [
    ("tf.nn.fused_batch_norm", "raises the epsilon to 1.001e-5 at least, and refuses a mean in training, in 1.15"),
    ("tf.nn.weighted_moments", "multiplies by the reciprocal of the weights' sum in 1.15 (2.15: DivNoNan)"),
    (
        "the gradient that a sweep starts with",
        "is gradients/Fill, of gradients/grad_ys_0, in 1.15 (2.15: gradients/grad_ys_0, of gradients/grad_ys_0/Const)",
    ),
]

TEXT_RULES = [
    (
        r"^(\w+) (should be of length 1, \d or \d)\. Received: \w+=.* of length (\d+)$",
        r"\1 \2 but was \3",
        "wording",
    ),
    (r"^`ksize` (cannot be zero\.) Received: .*$", r"ksize \1", "wording"),
    (r"^ksize must be a postive int32 value, got:0$", "Sliding window ksize for dimension 1 was zero.", "1.15 answers NaN"),
    (
        r"^`input\.shape\.rank` must be 3, 4 or 5\. Received: .* of rank (\d+)\.$",
        r"Input tensor must be of rank 3, 4 or 5 but was \1.",
        "wording",
    ),
    (
        r"^(Attr 'padding' of 'MaxPool' Op passed string '.*' not in: \"SAME\", \"VALID\"), \"EXPLICIT\"\.$",
        r"\1.",
        "1.15 pools without explicit padding",
    ),
    (
        r"^(Attr 'data_format' of 'FusedBatchNormV3' Op .* not in: \"NHWC\", \"NCHW\"), \"NDHWC\", \"NCDHW\"\.$",
        r"\1.",
        "1.15 normalises images alone",
    ),
    (r"^input must be 4 or 5-dimensional(.*)$", r"input must be 4-dimensional\1", "1.15 normalises images alone"),
]


def names(tf):
    """The functions of tf.nn that build other nodes in 1.15."""
    from tensorflow.python.framework import constant_op, dtypes, ops
    from tensorflow.python.ops import array_ops, gen_nn_ops, math_ops

    def fused_batch_norm(
        x, scale, offset, mean=None, variance=None, epsilon=0.001, data_format="NHWC", is_training=True, name=None
    ):
        x = ops.convert_to_tensor(x, name="input")
        scale, offset = ops.convert_to_tensor(scale, name="scale"), ops.convert_to_tensor(offset, name="offset")
        if is_training and (mean is not None or variance is not None):
            raise ValueError("Both 'mean' and 'variance' must be None if is_training is True.")
        mean, variance = (constant_op.constant([]) if v is None else v for v in (mean, variance))
        return gen_nn_ops.fused_batch_norm_v3(
            x, scale, offset, mean, variance, epsilon=max(epsilon, 1.001e-5), data_format=data_format,
            is_training=is_training, name=name,
        )[:3]

    def weighted_moments(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None):
        with ops.name_scope(name, "weighted_moments", [x, frequency_weights, axes]):
            x = ops.convert_to_tensor(x, name="x")
            weights = ops.convert_to_tensor(frequency_weights, name="frequency_weights")
            wide = math_ops.cast(x, dtypes.float32) if x.dtype == dtypes.float16 else x
            weights = math_ops.cast(weights, wide.dtype)
            total = math_ops.reduce_sum(weights * wide, axes, name="weighted_input_sum", keepdims=True)
            repeated = weights + array_ops.zeros_like(wide)
            weight_sum = math_ops.reduce_sum(repeated, axes, name="sum_of_weights", keepdims=True)
            inverse = math_ops.reciprocal(weight_sum, name="inv_weight_sum")
            results = [math_ops.multiply(total, inverse)]
            distances = weights * math_ops.squared_difference(wide, results[0])
            distances = math_ops.reduce_sum(distances, axes, name="weighted_distsq", keepdims=True)
            results.append(math_ops.multiply(distances, inverse))
            if not (keep_dims or keepdims):
                results = [array_ops.squeeze(r, axes) for r in results]
            if x.dtype == dtypes.float16:
                results = [math_ops.cast(r, dtypes.float16) for r in results]
            return tuple(results)

    return {"fused_batch_norm": fused_batch_norm, "weighted_moments": weighted_moments}


def start_as_1_15(text):
    """The names of nodes of a gradient as 1.15 gives them."""
    import re

    def renamed(found):
        number, constant = found.groups()
        return f"grad_ys_{number}" if constant else "Fill" if number == "0" else f"Fill_{number}"

    return re.sub(r"\bgrad_ys_(\d+)(/Const)?(?!\w)", renamed, text)
