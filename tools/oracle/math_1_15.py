"""Mathematics as TensorFlow 1.15 built it, put over the oracle's: einsum, diagonals, stateless random numbers, transforms.

``names(tf)`` patches the oracle's modules and gives the public names that differ; ``RULES`` says what and why.
"""

RULES = [
    ("tf.random.stateless_*", "1.15 makes the ops that take the seed itself (2.15: V2 ops that take a key and a counter)"),
    ("tf.einsum", "1.15 makes transposes, reshapes and matrix products (2.15: one Einsum)"),
    ("tf.linalg.diag, diag_part, set_diag", "1.15 makes MatrixDiag, … under the names diag, … (2.15: the V3 ops)"),
    ("tf.linalg.triangular_solve", "is the op itself in 1.15 (2.15: a scope around it)"),
    ("tf.signal.rfft and its kin", "1.15 hands the length's tensor on (2.15: makes a second constant of it)"),
    ("tf.random.gamma", "1.15 adds zeros of beta's shape to alpha (2.15: BroadcastTo)"),
    ("tf.linalg.tridiagonal_solve of a transposed right side", "1.15 transposes the result back (2.15: not)"),
    ("tf.math.add, xdivy, bessel_*", "are the op itself in 1.15, bessel_i0 and bessel_i1 products of the scaled ones"),
    ("tf.accumulate_n", "is the op AccumulateNV2 in 1.15 (2.15: AddN)"),
    ("tf.tensordot of known ranks", "1.15 builds transposes and reshapes that change nothing too (2.15: not)"),
    ("tf.unsorted_segment_mean, sqrt_n", "1.15 shapes the counts by a list (2.15: by nodes)"),
    ("tf.reduce_logsumexp", "1.15 takes shape and zeros from what is known, and leaves the last op without the name"),
    ("tf.signal.fftshift, ifftshift", "1.15 computes the shift when it builds (2.15: by nodes)"),
]


# (pattern of 2.15's text, 1.15's text)
EITHER = [
    (r"^Subscript not supported: the axis \w appears more than once in (\w+)\.$", r"Subscript not supported: an axis appears more than once: \1"),
    (r"^The `real` and `imag` components have incorrect types: (\w+) (\w+)\. They must .*$", r"real and imag have incorrect types: \1 \2"),
    (r"^The input scalar must be a 0-D value\. Received shape (.*)\.$", r"Only scalar multiply works, got shape \1"),
    (r"^Unable to statically infer ellipsis axes\. The input shapes has .*$", r"Unable to statically infer ellipsis axes."),
    (r"^Indices have incorrect format\. Received: (.*)\.$", r"Indices have incorrect format: \1"),
    (r"^Invalid equation: (.*)\. The computed and specified .*$", r"Invalid equation: \1"),
    (r"^Unable to resolve ellipsis\. Excess number found: .*$", r"Unable to resolve ellipsis. Excess number found."),
    (r"^Tensor `(t\d)` of rank (\d+) does not match einsum reduction of length (\d+)\.$", r"Tensor \1 of rank \2 does not match einsum reduction of length \3"),
    (r"^Invalid keyword arguments for this function: (\w+)\. Expected: name\.$", r"invalid keyword arguments for this function: \1"),
    (r"^Argument `a` should be a \(batch\) matrix with rank >= 2\.  Received `a` = .* with shape: (.*)$", r"Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: \1"),
    (r"^Unrecognized diagonals_format: (.*)$", r"Unrecognized diagonals_format: \1"),
]


class With:
    """A module with some names replaced."""

    def __init__(self, module, **names):
        self.__dict__.update(names, _module=module)

    def __getattr__(self, name):
        return getattr(self._module, name)


def names(tf):
    import numpy
    from tensorflow.python.framework import dtypes, ops, random_seed, tensor_shape, tensor_util
    from tensorflow.python.ops import (
        array_ops,
        array_ops_stack,
        gen_array_ops,
        gen_linalg_ops,
        gen_math_ops,
        gen_random_ops,
        gen_special_math_ops,
        gen_stateless_random_ops,
        linalg_ops,
        manip_ops,
        math_ops,
        shape_util,
        special_math_ops,
    )
    from tensorflow.python.ops.linalg import linalg_impl
    from tensorflow.python.ops.signal import dct_ops, fft_ops

    def matrix_diag(diagonal, name="diag"):
        return gen_array_ops.matrix_diag(diagonal, name=name)

    def matrix_diag_part(input, name="diag_part", k=0, **options):
        if k != 0:
            return gen_array_ops.matrix_diag_part_v3(input, k, options.get("padding_value", 0), options.get("align", "RIGHT_LEFT"), name=name)
        return gen_array_ops.matrix_diag_part(input, name=name)

    def matrix_set_diag(input, diagonal, name="set_diag"):
        return gen_array_ops.matrix_set_diag(input, diagonal, name=name)

    array_ops.matrix_diag, array_ops.matrix_diag_part = matrix_diag, matrix_diag_part
    array_ops.matrix_set_diag = matrix_set_diag
    linalg_ops.matrix_triangular_solve = gen_linalg_ops.matrix_triangular_solve
    fft_ops._tensor_util = With(fft_ops._tensor_util, constant_value=lambda tensor: None)

    solve = tf.linalg.tridiagonal_solve

    def tridiagonal_solve(diagonals, rhs, diagonals_format="compact", transpose_rhs=False, *more, **options):
        out = solve(diagonals, rhs, diagonals_format, transpose_rhs, *more, **options)
        return array_ops.matrix_transpose(out) if transpose_rhs else out

    def stretched(scope_name, op):
        def draw(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
            with ops.name_scope(name, scope_name, [shape, seed, mean, stddev]) as scope:
                shape = shape_util.shape_tensor(shape)
                mean = ops.convert_to_tensor(mean, dtype=dtype, name="mean")
                stddev = ops.convert_to_tensor(stddev, dtype=dtype, name="stddev")
                return math_ops.add(op(shape, seed, dtype) * stddev, mean, name=scope)

        return draw

    def stateless_uniform(shape, seed, minval=0, maxval=None, dtype=dtypes.float32, name=None):
        dtype = dtypes.as_dtype(dtype)
        if dtype.is_integer:
            if (minval is None) != (maxval is None):
                raise ValueError(
                    f"For integer dtype {dtype!r}, minval and maxval must be both `None` or both non-`None`; got "
                    f"minval={minval} and maxval={maxval}"
                )
        elif maxval is None:
            maxval = 1
        with ops.name_scope(name, "stateless_random_uniform", [shape, seed, minval, maxval]) as scope:
            shape = shape_util.shape_tensor(shape)
            if dtype.is_integer and minval is None:
                return gen_stateless_random_ops.stateless_random_uniform_full_int(shape, seed, dtype, name=scope)
            low = ops.convert_to_tensor(minval, dtype=dtype, name="min")
            high = ops.convert_to_tensor(maxval, dtype=dtype, name="max")
            if dtype.is_integer:
                return gen_stateless_random_ops.stateless_random_uniform_int(shape, seed, low, high, name=scope)
            drawn = gen_stateless_random_ops.stateless_random_uniform(shape, seed, dtype)
            return math_ops.add(drawn * (high - low), low, name=scope)

    def classes(scope_name):
        def draw(logits, num_samples, seed, dtype=dtypes.int64, name=None):
            with ops.name_scope(name, scope_name, [logits, seed]):
                logits = ops.convert_to_tensor(logits, name="logits")
                return gen_stateless_random_ops.stateless_multinomial(logits, num_samples, seed, output_dtype=dtype)

        return draw

    def random_gamma(shape, alpha, beta=None, dtype=dtypes.float32, seed=None, name=None):
        with ops.name_scope(name, "random_gamma", [shape, alpha, beta]):
            shape = ops.convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
            alpha = ops.convert_to_tensor(alpha, name="alpha", dtype=dtype)
            beta = ops.convert_to_tensor(1 if beta is None else beta, name="beta", dtype=dtype)
            alpha = alpha + array_ops.zeros_like(beta)
            seed1, seed2 = random_seed.get_seed(seed)
            drawn = gen_random_ops.random_gamma(shape, alpha, seed=seed1, seed2=seed2)
            return math_ops.maximum(numpy.finfo(dtypes.as_dtype(dtype).as_numpy_dtype).tiny, drawn / beta)

    def shift(label, sign):
        def turn(x, axes=None, name=None):
            with ops.name_scope(name, label) as scope:
                x = ops.convert_to_tensor(x)
                several = tuple(range(x.shape.ndims)) if axes is None else axes
                if isinstance(several, int):
                    return manip_ops.roll(x, sign * (int(x.shape[several]) // 2), several, scope)
                return manip_ops.roll(x, [sign * (int(x.shape[axis]) // 2) for axis in several], several, scope)

        return turn

    def unsorted_counts(data, segment_ids, num_segments):
        ones = array_ops.ones(array_ops.shape_internal(segment_ids), dtype=data.dtype)
        counts = gen_math_ops.unsorted_segment_sum(ones, segment_ids, num_segments)
        rest = data.shape.ndims - segment_ids.shape.ndims
        return gen_math_ops.maximum(array_ops.reshape(counts, [num_segments] + [1] * rest), 1)

    def bessel(label, scaled):
        def product(x, name=None):
            with ops.name_scope(name, label, [x]):
                return math_ops.exp(math_ops.abs(x)) * scaled(x)

        return product

    plain_sum = math_ops.accumulate_n

    def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
        if len(inputs or ()) < 2:
            return plain_sum(inputs, shape, tensor_dtype, name)
        tensors = [ops.convert_to_tensor(x) for x in inputs]
        if any(t.dtype != tensors[0].dtype for t in tensors):
            return plain_sum(inputs, shape, tensor_dtype, name)
        known = tensor_shape.as_shape(shape)
        for tensor in tensors:
            known = known.merge_with(tensor.get_shape())
        return gen_math_ops.accumulate_nv2(tensors, shape=known, name=name)

    plain_logsumexp = tf.reduce_logsumexp

    def reduce_logsumexp(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
        if None not in (axis, reduction_indices) or None not in (keepdims, keep_dims):
            return plain_logsumexp(input_tensor, axis, keepdims, name, reduction_indices, keep_dims)
        axis = reduction_indices if axis is None else axis
        keepdims = bool(keep_dims if keepdims is None else keepdims)
        with ops.name_scope(name, "ReduceLogSumExp", [input_tensor]):
            largest = math_ops.reduce_max(input_tensor, axis=axis, keepdims=True)
            finite = array_ops.where(gen_math_ops.is_finite(largest), largest, array_ops.zeros_like(largest))
            shift = array_ops.stop_gradient(finite)
            powers = gen_math_ops.exp(gen_math_ops.sub(input_tensor, shift))
            result = gen_math_ops.log(math_ops.reduce_sum(powers, axis, keepdims=keepdims))
            return gen_math_ops.add(result, shift if keepdims else array_ops.reshape(shift, array_ops.shape(result)))

    plain_dot = math_ops.tensordot

    def as_matrix(x, axes, flipped):
        rank = x.shape.ndims
        axes = [axis % rank for axis in axes]
        free = [axis for axis in range(rank) if axis not in axes]
        if x.shape.is_fully_defined():
            kept, summed = ([x.shape.as_list()[axis] for axis in some] for some in (free, axes))
            rows, columns = int(numpy.prod(kept)), int(numpy.prod(summed))
            order = axes + free if flipped else free + axes
            return array_ops.reshape(array_ops.transpose(x, order), [columns, rows] if flipped else [rows, columns]), kept
        axes = ops.convert_to_tensor(axes, dtype=dtypes.int32, name="axes")
        free = ops.convert_to_tensor(free, dtype=dtypes.int32, name="free")
        sizes = array_ops.shape(x)
        kept, summed = array_ops.gather(sizes, free), array_ops.gather(sizes, axes)
        rows, columns = math_ops.reduce_prod(kept), math_ops.reduce_prod(summed)
        order = array_ops.concat([axes, free] if flipped else [free, axes], 0)
        shape = array_ops_stack.stack([columns, rows] if flipped else [rows, columns])
        return array_ops.reshape(array_ops.transpose(x, order), shape), kept

    def tensordot(a, b, axes, name=None):
        ranks = [x.shape.ndims if hasattr(x, "graph") else numpy.ndim(x) for x in (a, b)]
        if isinstance(axes, int) and None not in ranks and 0 <= axes <= min(ranks):
            axes = list(range(ranks[0] - axes, ranks[0])), list(range(axes))
        if None in ranks or not isinstance(axes, (list, tuple)) or len(axes) != 2:
            return plain_dot(a, b, axes, name)
        left_axes, right_axes = ([one] if isinstance(one, int) else one for one in axes)
        if tensor_util.is_tf_type(left_axes) or len(left_axes) != len(right_axes):
            return plain_dot(a, b, axes, name)
        with ops.name_scope(name, "Tensordot", [a, b, axes]) as scope:
            a, b = ops.convert_to_tensor(a, name="a"), ops.convert_to_tensor(b, name="b")
            left, left_kept = as_matrix(a, left_axes, False)
            right, right_kept = as_matrix(b, right_axes, True)
            product = math_ops.matmul(left, right)
            if isinstance(left_kept, list) and isinstance(right_kept, list):
                return array_ops.reshape(product, left_kept + right_kept, name=scope)
            kept = [ops.convert_to_tensor(some, dtype=dtypes.int32) for some in (left_kept, right_kept)]
            out = array_ops.reshape(product, array_ops.concat(kept, 0), name=scope)
            static = [
                [x.shape.as_list()[axis] for axis in range(x.shape.ndims) if axis not in [one % x.shape.ndims for one in some]]
                for x, some in ((a, left_axes), (b, right_axes))
            ]
            out.set_shape(static[0] + static[1])
            return out

    math_ops._unsorted_segment_N = unsorted_counts
    gen = gen_stateless_random_ops
    einsum = special_math_ops._einsum_v1
    diagonals = {"diag": matrix_diag, "diag_part": matrix_diag_part, "set_diag": matrix_set_diag}
    linalg_impl.matrix_diag_part = matrix_diag_part
    assert dct_ops.fft_ops is fft_ops
    return {
        "accumulate_n": accumulate_n,
        "math": With(
            tf.math,
            accumulate_n=accumulate_n,
            add=lambda x, y, name=None: gen_math_ops.add(x, y, name=name),
            bessel_i0=bessel("bessel_i0", gen_special_math_ops.bessel_i0e),
            bessel_i1=bessel("bessel_i1", gen_special_math_ops.bessel_i1e),
            bessel_i0e=gen_special_math_ops.bessel_i0e,
            bessel_i1e=gen_special_math_ops.bessel_i1e,
            xdivy=gen_math_ops.xdivy,
            reduce_logsumexp=reduce_logsumexp,
        ),
        "reduce_logsumexp": reduce_logsumexp,
        "einsum": einsum,
        "matrix_diag": matrix_diag,
        "matrix_diag_part": matrix_diag_part,
        "matrix_set_diag": matrix_set_diag,
        "matrix_triangular_solve": gen_linalg_ops.matrix_triangular_solve,
        "random_gamma": random_gamma,
        "tensordot": tensordot,
        "linalg": With(
            tf.linalg, einsum=einsum, tensordot=tensordot, tridiagonal_solve=tridiagonal_solve, triangular_solve=gen_linalg_ops.matrix_triangular_solve, **diagonals
        ),
        "random": With(
            tf.random,
            gamma=random_gamma,
            stateless_uniform=stateless_uniform,
            stateless_normal=stretched("stateless_random_normal", gen.stateless_random_normal),
            stateless_truncated_normal=stretched("stateless_truncated_normal", gen.stateless_truncated_normal),
            stateless_multinomial=classes("stateless_multinomial"),
            stateless_categorical=classes("stateless_categorical"),
        ),
        "signal": With(tf.signal, fftshift=shift("fftshift", 1), ifftshift=shift("ifftshift", -1)),
    }
