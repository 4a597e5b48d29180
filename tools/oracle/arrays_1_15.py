"""What 1.15's tensor arrays, and the functions that map over tensors, do otherwise than 2.15's; rows as in as_1_15.GRAPH_RULES."""

RULES = [
    ("size(), stack() and concat() of a TensorArray", "ask the array at run time in 1.15 (2.15: know more before, where the array cannot grow)"),
    ("tf.split", "makes the number of parts a constant, too, that nothing reads (2.15: only a list of sizes)"),
    ("x[begin:end] with a tensor", "the limits left out are numbers among the others in 1.15 (2.15: constants of their own)"),
    ("tf.zeros and tf.ones of a list with tensors", "multiply the sizes and compare the product with 1000, for nothing (2.15: do not)"),
]


def patch():
    """Puts 1.15's ways into the oracle's modules; returns the public functions that are others."""
    import functools
    import operator
    import types

    from tensorflow.python.framework import ops, tensor
    from tensorflow.python.ops import array_ops, gen_data_flow_ops, math_ops, tensor_array_ops

    constant_if_small, parts = array_ops._constant_if_small, array_ops.split

    def small_constant(value, shape, dtype, name, layout=None):
        if isinstance(shape, (list, tuple)) and any(isinstance(size, tensor.Tensor) for size in shape):
            functools.reduce(operator.mul, shape) < 1000  # noqa: B015 - the nodes are what it is for
            return None
        return constant_if_small(value, shape, dtype, name, layout)

    def split(value, num_or_size_splits, axis=0, num=None, name="split"):
        if not isinstance(num_or_size_splits, (list, tuple, tensor.Tensor)):
            ops.convert_to_tensor(num_or_size_splits)
        return parts(value, num_or_size_splits, axis, num, name)

    split.__qualname__ = "split"  # error texts have it
    array_ops._constant_if_small, array_ops.split = small_constant, split

    def plain_number(value, dtype):
        return value

    helper = array_ops._slice_helper.__wrapped__
    numbers = {**vars(array_ops), "constant_op": types.SimpleNamespace(constant=plain_number)}
    array_ops._slice_helper = types.FunctionType(helper.__code__, numbers, "_slice_helper", helper.__defaults__)
    tensor.Tensor._override_operator("__getitem__", array_ops._slice_helper)

    def size(self, name=None):
        return gen_data_flow_ops.tensor_array_size_v3(handle=self._handle, flow_in=self.flow, name=name)

    def stack(self, name=None):
        with ops.colocate_with(self._handle), ops.name_scope(name, "TensorArrayStack", [self._handle]):
            return self.gather(math_ops.range(0, self.size()), name=name)

    def concat(self, name=None):
        rest = self.element_shape[1:]
        value, _ = gen_data_flow_ops.tensor_array_concat_v3(
            handle=self._handle, flow_in=self.flow, dtype=self._dtype, name=name, element_shape_except0=rest
        )
        if rest.rank is not None:
            value.set_shape([None, *rest])
        return value

    array = tensor_array_ops._GraphTensorArray
    array.size, array.stack, array.concat = size, stack, concat
    return {"split": split}


TEXT_RULES = [
    (
        r"^Argument `batch_dims` = (\d+) must be less than rank\(`(\w+)`\) = (\d+)$",
        r"batch_dims = \1 must be less than rank(\2) = \3",
        "wording",
    ),
    (r"^Argument `size` must be provided if handle is not provided\.$", "Size must be provided if handle is not provided", "wording"),
    (
        r"^Cannot provide both `handle` and `tensor_array_name` arguments at the same time\.$",
        "Cannot construct with both handle and tensor_array_name",
        "wording",
    ),
    (r"^Expected `handle` to be a Tensor, but got .* instead\.$", "Handle must be a Tensor", "wording"),
    (r"^Cannot provide both a? ?`handle` and `(\w+)` arguments (at the same time)\.$", r"Cannot provide both a handle and \1 \2", "wording"),
    (
        r"^(Expected op/tensor name to start with gradients \(excluding scope\), got: .*)/grad_ys_0:0(\. .*) `name` (.*)$",
        r"\1/Fill:0\2 'name' \3",
        "1.15 names the ones of a gradient otherwise",
    ),
]
