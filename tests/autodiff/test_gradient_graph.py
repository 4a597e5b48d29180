# ruff: noqa: E501 - a node is a line
"""The nodes that TF 1.15 creates for gradients, as literal lists: names, types, inputs and control inputs, in their order.

The oracle's release names some of them in another way: these are read off the rules of 1.15 (math_grad, array_grad, nn_grad,
gradients_util). `^name` is a control input; an input `./name` is in the scope of its node's rule.
"""

import pytest

EXPECTED = {}


def graph(text):
    """A function that calls tf.gradients, and the expected nodes."""

    def keep(make):
        EXPECTED[make.__name__] = (make, [line.strip() for line in text.strip().splitlines()])
        return make

    return keep


def placeholder(tf, name, *shape):
    return tf.placeholder(tf.float32, list(shape), name=name)


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/Mean_grad/Reshape/shape = Const()
    gradients/Mean_grad/Reshape = Reshape(gradients/Fill, ./Reshape/shape)
    gradients/Mean_grad/Const = Const()
    gradients/Mean_grad/Tile = Tile(./Reshape, ./Const)
    gradients/Mean_grad/Const_1 = Const()
    gradients/Mean_grad/truediv = RealDiv(./Tile, ./Const_1)
    gradients/Relu_grad/ReluGrad = ReluGrad(gradients/Mean_grad/truediv, Relu)
    gradients/add_grad/BroadcastGradientArgs/s0 = Const()
    gradients/add_grad/BroadcastGradientArgs/s1 = Const()
    gradients/add_grad/BroadcastGradientArgs = BroadcastGradientArgs(./BroadcastGradientArgs/s0, ./BroadcastGradientArgs/s1)
    gradients/add_grad/Sum/reduction_indices = Const()
    gradients/add_grad/Sum = Sum(gradients/Relu_grad/ReluGrad, ./Sum/reduction_indices)
    gradients/add_grad/Reshape/shape = Const()
    gradients/add_grad/Reshape = Reshape(./Sum, ./Reshape/shape)
    gradients/MatMul_grad/MatMul = MatMul(gradients/Relu_grad/ReluGrad, w)
    gradients/MatMul_grad/MatMul_1 = MatMul(x, gradients/Relu_grad/ReluGrad)
    """
)
def a_layer(tf):
    x, w, b = placeholder(tf, "x", 4, 3), placeholder(tf, "w", 3, 2), placeholder(tf, "b", 2)
    tf.gradients(tf.reduce_mean(tf.nn.relu(tf.matmul(x, w) + b)), [w, b])


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/add_grad/BroadcastGradientArgs/s0 = Const()
    gradients/add_grad/BroadcastGradientArgs/s1 = Const()
    gradients/add_grad/BroadcastGradientArgs = BroadcastGradientArgs(./BroadcastGradientArgs/s0, ./BroadcastGradientArgs/s1)
    gradients/add_grad/Sum/reduction_indices = Const()
    gradients/add_grad/Sum = Sum(gradients/Fill, ./Sum/reduction_indices)
    gradients/add_grad/Reshape/shape = Const()
    gradients/add_grad/Reshape = Reshape(./Sum, ./Reshape/shape)
    gradients/add_grad/tuple/group_deps = NoOp(^gradients/Fill, ^./Reshape)
    gradients/add_grad/tuple/control_dependency = Identity(gradients/Fill, ^./tuple/group_deps)
    gradients/add_grad/tuple/control_dependency_1 = Identity(./Reshape, ^./tuple/group_deps)
    gradients/MatMul_grad/MatMul = MatMul(gradients/add_grad/tuple/control_dependency, w)
    gradients/MatMul_grad/MatMul_1 = MatMul(x, gradients/add_grad/tuple/control_dependency)
    gradients/MatMul_grad/tuple/group_deps = NoOp(^./MatMul, ^./MatMul_1)
    gradients/MatMul_grad/tuple/control_dependency = Identity(./MatMul, ^./tuple/group_deps)
    gradients/MatMul_grad/tuple/control_dependency_1 = Identity(./MatMul_1, ^./tuple/group_deps)
    """
)
def a_layer_with_gates(tf):
    x, w, b = placeholder(tf, "x", 4, 3), placeholder(tf, "w", 3, 2), placeholder(tf, "b", 2)
    tf.gradients(tf.matmul(x, w) + b, [w, b], gate_gradients=True)


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/z_grad/tuple/group_deps = NoOp(^gradients/Fill)
    gradients/z_grad/tuple/control_dependency = Identity(gradients/Fill, ^./tuple/group_deps)
    gradients/z_grad/tuple/control_dependency_1 = Identity(gradients/Fill, ^./tuple/group_deps)
    gradients/c_grad/Mul = Mul(gradients/z_grad/tuple/control_dependency, a)
    gradients/c_grad/Mul_1 = Mul(gradients/z_grad/tuple/control_dependency, a)
    gradients/c_grad/tuple/group_deps = NoOp(^./Mul, ^./Mul_1)
    gradients/c_grad/tuple/control_dependency = Identity(./Mul, ^./tuple/group_deps)
    gradients/c_grad/tuple/control_dependency_1 = Identity(./Mul_1, ^./tuple/group_deps)
    gradients/AddN = AddN(./z_grad/tuple/control_dependency_1, ./c_grad/tuple/control_dependency, ./c_grad/tuple/control_dependency_1)
    """
)
def a_sum_of_gated_gradients(tf):
    a = tf.constant(2.0, name="a")
    c = tf.multiply(a, a, name="c")
    tf.gradients(tf.add(c, a, name="z"), a, gate_gradients=True)


@graph(
    """
    gradients/Shape = Shape(mul)
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/mul_grad/Shape = Shape(x)
    gradients/mul_grad/Shape_1 = Shape(y)
    gradients/mul_grad/BroadcastGradientArgs = BroadcastGradientArgs(./Shape, ./Shape_1)
    gradients/mul_grad/Mul = Mul(gradients/Fill, y)
    gradients/mul_grad/Sum = Sum(./Mul, ./BroadcastGradientArgs)
    gradients/mul_grad/Reshape = Reshape(./Sum, ./Shape)
    gradients/mul_grad/Mul_1 = Mul(x, gradients/Fill)
    gradients/mul_grad/Sum_1 = Sum(./Mul_1, ./BroadcastGradientArgs:1)
    gradients/mul_grad/Reshape_1 = Reshape(./Sum_1, ./Shape_1)
    """
)
def broadcasting_of_open_shapes(tf):
    x, y = placeholder(tf, "x", None, 3), placeholder(tf, "y", 3)
    tf.gradients(x * y, [x, y])


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/Shape_1 = Const()
    gradients/grad_ys_1 = Const()
    gradients/Fill_1 = Fill(./Shape_1, ./grad_ys_1)
    gradients/Shape_2 = Const()
    gradients/grad_ys_2 = Const()
    gradients/Fill_2 = Fill(./Shape_2, ./grad_ys_2)
    gradients/a_grad/Cast/x = Const()
    gradients/a_grad/Cast_1/x = Const()
    gradients/a_grad/Size = Const()
    gradients/a_grad/add = AddV2(./Cast_1/x, ./Size)
    gradients/a_grad/mod = FloorMod(./add, ./Size)
    gradients/a_grad/Shape = Const()
    gradients/a_grad/range/start = Const()
    gradients/a_grad/range/delta = Const()
    gradients/a_grad/range = Range(./range/start, ./Size, ./range/delta)
    gradients/a_grad/Fill/value = Const()
    gradients/a_grad/Fill = Fill(./Shape, ./Fill/value)
    gradients/a_grad/DynamicStitch = DynamicStitch(./range, ./mod, ./Cast/x, ./Fill)
    gradients/a_grad/Maximum/x = Const()
    gradients/a_grad/Maximum/y = Const()
    gradients/a_grad/Maximum = Maximum(./Maximum/x, ./Maximum/y)
    gradients/a_grad/floordiv/x = Const()
    gradients/a_grad/floordiv = FloorDiv(./floordiv/x, ./Maximum)
    gradients/a_grad/Reshape/shape = Const()
    gradients/a_grad/Reshape = Reshape(gradients/Fill, ./Reshape/shape)
    gradients/a_grad/Tile/multiples = Const()
    gradients/a_grad/Tile = Tile(./Reshape, ./Tile/multiples)
    gradients/b_grad/Reshape/shape = Const()
    gradients/b_grad/Reshape = Reshape(gradients/Fill_1, ./Reshape/shape)
    gradients/b_grad/Tile/multiples = Const()
    gradients/b_grad/Tile = Tile(./Reshape, ./Tile/multiples)
    gradients/c_grad/Cast/x = Const()
    gradients/c_grad/Cast_1/x = Const()
    gradients/c_grad/Size = Const()
    gradients/c_grad/add = AddV2(./Cast_1/x, ./Size)
    gradients/c_grad/mod = FloorMod(./add, ./Size)
    gradients/c_grad/Shape = Const()
    gradients/c_grad/range/start = Const()
    gradients/c_grad/range/delta = Const()
    gradients/c_grad/range = Range(./range/start, ./Size, ./range/delta)
    gradients/c_grad/Fill/value = Const()
    gradients/c_grad/Fill = Fill(./Shape, ./Fill/value)
    gradients/c_grad/DynamicStitch = DynamicStitch(./range, ./mod, ./Cast/x, ./Fill)
    gradients/c_grad/Maximum/x = Const()
    gradients/c_grad/Maximum/y = Const()
    gradients/c_grad/Maximum = Maximum(./Maximum/x, ./Maximum/y)
    gradients/c_grad/floordiv/x = Const()
    gradients/c_grad/floordiv = FloorDiv(./floordiv/x, ./Maximum)
    gradients/c_grad/Reshape/shape = Const()
    gradients/c_grad/Reshape = Reshape(gradients/Fill_2, ./Reshape/shape)
    gradients/c_grad/Tile/multiples = Const()
    gradients/c_grad/Tile = Tile(./Reshape, ./Tile/multiples)
    gradients/Neg_grad/Neg = Neg(gradients/b_grad/Tile)
    gradients/AddN = AddN(./a_grad/Tile, ./c_grad/Tile, ./Neg_grad/Neg)
    """
)
def sums_along_the_same_axis(tf):
    x = placeholder(tf, "x", 2, 3)
    tf.gradients([tf.reduce_sum(x, 1, name="a"), tf.reduce_sum(-x, 1, name="b"), tf.reduce_sum(x, [-1], name="c")], x)


@graph(
    """
    gradients/Shape = Shape(s)
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/s_grad/Shape = Shape(x)
    gradients/s_grad/Size = Const()
    gradients/s_grad/add = AddV2(s/reduction_indices, ./Size)
    gradients/s_grad/mod = FloorMod(./add, ./Size)
    gradients/s_grad/Shape_1 = Const()
    gradients/s_grad/range/start = Const()
    gradients/s_grad/range/delta = Const()
    gradients/s_grad/range = Range(./range/start, ./Size, ./range/delta)
    gradients/s_grad/Fill/value = Const()
    gradients/s_grad/Fill = Fill(./Shape_1, ./Fill/value)
    gradients/s_grad/DynamicStitch = DynamicStitch(./range, ./mod, ./Shape, ./Fill)
    gradients/s_grad/Maximum/y = Const()
    gradients/s_grad/Maximum = Maximum(./DynamicStitch, ./Maximum/y)
    gradients/s_grad/floordiv = FloorDiv(./Shape, ./Maximum)
    gradients/s_grad/Reshape = Reshape(gradients/Fill, ./DynamicStitch)
    gradients/s_grad/Tile = Tile(./Reshape, ./floordiv)
    """
)
def a_sum_of_an_open_shape(tf):
    x = placeholder(tf, "x", None, 3)
    tf.gradients(tf.reduce_sum(x, 1, name="s"), x)


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/zeros_like = ZerosLike(e/e:1)
    gradients/e/e_grad/PreventGradient = PreventGradient(e/e:1)
    gradients/e/e_grad/ExpandDims/dim = Const()
    gradients/e/e_grad/ExpandDims = ExpandDims(gradients/Fill, ./ExpandDims/dim)
    gradients/e/e_grad/mul = Mul(./ExpandDims, ./PreventGradient)
    """
)
def sparse_cross_entropy(tf):
    x, labels = placeholder(tf, "x", 4, 3), tf.placeholder(tf.int32, [4], name="labels")
    tf.gradients(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x, name="e"), x)


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/e/Reshape_2_grad/Shape = Const()
    gradients/e/Reshape_2_grad/Reshape = Reshape(gradients/Fill, ./Shape)
    gradients/zeros_like = ZerosLike(e:1)
    gradients/e_grad/ExpandDims/dim = Const()
    gradients/e_grad/ExpandDims = ExpandDims(gradients/e/Reshape_2_grad/Reshape, ./ExpandDims/dim)
    gradients/e_grad/mul = Mul(./ExpandDims, e:1)
    gradients/e_grad/LogSoftmax = LogSoftmax(e/Reshape)
    gradients/e_grad/Neg = Neg(./LogSoftmax)
    gradients/e_grad/ExpandDims_1/dim = Const()
    gradients/e_grad/ExpandDims_1 = ExpandDims(gradients/e/Reshape_2_grad/Reshape, ./ExpandDims_1/dim)
    gradients/e_grad/mul_1 = Mul(./ExpandDims_1, ./Neg)
    gradients/e/Reshape_grad/Shape = Const()
    gradients/e/Reshape_grad/Reshape = Reshape(gradients/e_grad/mul, ./Shape)
    """
)
def cross_entropy(tf):
    x, labels = placeholder(tf, "x", 4, 3), placeholder(tf, "labels", 4, 3)
    tf.gradients(tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=x, name="e"), x)


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/e_grad/mul = Mul(gradients/Fill, e)
    gradients/q_grad/Const = Const(^gradients/e_grad/mul)
    gradients/q_grad/Mul = Mul(x, ./Const)
    gradients/q_grad/Mul_1 = Mul(gradients/e_grad/mul, ./Mul)
    """
)
def what_waits_for_its_gradient(tf):
    x = placeholder(tf, "x", 2)
    tf.gradients(tf.exp(tf.square(x, name="q"), name="e"), x)


@graph(
    """
    gradients/Shape = Shape(c)
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/c_grad/Rank = Const()
    gradients/c_grad/mod = FloorMod(c/axis, ./Rank)
    gradients/c_grad/Shape = Const()
    gradients/c_grad/Shape_1 = Shape(y)
    gradients/c_grad/ShapeN = ShapeN(x, y)
    gradients/c_grad/ConcatOffset = ConcatOffset(./mod, ./ShapeN, ./ShapeN:1)
    gradients/c_grad/Slice = Slice(gradients/Fill, ./ConcatOffset, ./ShapeN)
    gradients/c_grad/Slice_1 = Slice(gradients/Fill, ./ConcatOffset:1, ./ShapeN:1)
    """
)
def concatenation_of_an_open_shape(tf):
    x, y = placeholder(tf, "x", 2, 3), placeholder(tf, "y", None, 3)
    tf.gradients(tf.concat([x, y], 0, name="c"), [x, y])


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/Shape_1 = Const()
    gradients/grad_ys_1 = Const()
    gradients/Fill_1 = Fill(./Shape_1, ./grad_ys_1)
    gradients/g_grad/Shape = Const()
    gradients/g_grad/Cast = Cast(./Shape)
    gradients/g_grad/Size = Const()
    gradients/g_grad/ExpandDims/dim = Const()
    gradients/g_grad/ExpandDims = ExpandDims(./Size, ./ExpandDims/dim)
    gradients/g_grad/strided_slice/stack = Const()
    gradients/g_grad/strided_slice/stack_1 = Const()
    gradients/g_grad/strided_slice/stack_2 = Const()
    gradients/g_grad/strided_slice = StridedSlice(./Cast, ./strided_slice/stack, ./strided_slice/stack_1, ./strided_slice/stack_2)
    gradients/g_grad/concat/axis = Const()
    gradients/g_grad/concat = ConcatV2(./ExpandDims, ./strided_slice, ./concat/axis)
    gradients/g_grad/Reshape = Reshape(gradients/Fill, ./concat)
    gradients/g_grad/Reshape_1 = Reshape(g/indices, ./ExpandDims)
    gradients/h_grad/Shape = Const()
    gradients/h_grad/Cast = Cast(./Shape)
    gradients/h_grad/Size = Const()
    gradients/h_grad/ExpandDims/dim = Const()
    gradients/h_grad/ExpandDims = ExpandDims(./Size, ./ExpandDims/dim)
    gradients/h_grad/strided_slice/stack = Const()
    gradients/h_grad/strided_slice/stack_1 = Const()
    gradients/h_grad/strided_slice/stack_2 = Const()
    gradients/h_grad/strided_slice = StridedSlice(./Cast, ./strided_slice/stack, ./strided_slice/stack_1, ./strided_slice/stack_2)
    gradients/h_grad/concat/axis = Const()
    gradients/h_grad/concat = ConcatV2(./ExpandDims, ./strided_slice, ./concat/axis)
    gradients/h_grad/Reshape = Reshape(gradients/Fill_1, ./concat)
    gradients/h_grad/Reshape_1 = Reshape(h/indices, ./ExpandDims)
    gradients/concat/axis = Const()
    gradients/concat = ConcatV2(./g_grad/Reshape, ./h_grad/Reshape, ./concat/axis)
    gradients/concat_1/axis = Const()
    gradients/concat_1 = ConcatV2(./g_grad/Reshape_1, ./h_grad/Reshape_1, ./concat_1/axis)
    """
)
def rows_and_rows(tf):
    p = placeholder(tf, "p", 5, 2)
    tf.gradients([tf.gather(p, [0], name="g"), tf.gather(p, [1], name="h")], p)


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/Shape_1 = Const()
    gradients/grad_ys_1 = Const()
    gradients/Fill_1 = Fill(./Shape_1, ./grad_ys_1)
    gradients/Neg_grad/Neg = Neg(gradients/Fill)
    gradients/g_grad/Const = Const()
    gradients/g_grad/Size = Const()
    gradients/g_grad/ExpandDims/dim = Const()
    gradients/g_grad/ExpandDims = ExpandDims(./Size, ./ExpandDims/dim)
    gradients/g_grad/strided_slice/stack = Const()
    gradients/g_grad/strided_slice/stack_1 = Const()
    gradients/g_grad/strided_slice/stack_2 = Const()
    gradients/g_grad/strided_slice = StridedSlice(./Const, ./strided_slice/stack, ./strided_slice/stack_1, ./strided_slice/stack_2)
    gradients/g_grad/concat/axis = Const()
    gradients/g_grad/concat = ConcatV2(./ExpandDims, ./strided_slice, ./concat/axis)
    gradients/g_grad/Reshape = Reshape(gradients/Fill_1, ./concat)
    gradients/g_grad/Reshape_1 = Reshape(g/indices, ./ExpandDims)
    gradients/AddN/strided_slice/stack = Const()
    gradients/AddN/strided_slice/stack_1 = Const()
    gradients/AddN/strided_slice/stack_2 = Const()
    gradients/AddN/strided_slice = StridedSlice(./g_grad/Const, ./AddN/strided_slice/stack, ./AddN/strided_slice/stack_1, ./AddN/strided_slice/stack_2)
    gradients/AddN/inputs_1 = UnsortedSegmentSum(./g_grad/Reshape, ./g_grad/Reshape_1, ./AddN/strided_slice)
    gradients/AddN = AddN(./Neg_grad/Neg, ./AddN/inputs_1)
    """
)
def rows_of_a_resource_variable_and_all_of_it(tf):
    v = tf.Variable([[1.0, 2.0]], use_resource=True, name="v")
    tf.gradients([-v, tf.gather(v, [0], name="g")], v)


@graph(
    """
    first/Shape = Const()
    first/grad_ys_0 = Const()
    first/Fill = Fill(./Shape, ./grad_ys_0)
    first/t_grad/TanhGrad = TanhGrad(t, first/Fill)
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/first/t_grad/TanhGrad_grad/mul/y = Const(^gradients/Fill)
    gradients/first/t_grad/TanhGrad_grad/mul = Mul(gradients/Fill, ./mul/y)
    gradients/first/t_grad/TanhGrad_grad/mul_1 = Mul(./mul, first/Fill)
    gradients/first/t_grad/TanhGrad_grad/mul_2 = Mul(./mul_1, t)
    gradients/first/t_grad/TanhGrad_grad/TanhGrad = TanhGrad(t, gradients/Fill)
    gradients/t_grad/TanhGrad = TanhGrad(t, gradients/first/t_grad/TanhGrad_grad/mul_2)
    """
)
def a_second_order(tf):
    x = placeholder(tf, "x", 2)
    tf.gradients(tf.gradients(tf.tanh(x, name="t"), x, name="first"), x)


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/a_grad/Neg = Neg(gradients/Fill)
    gradients/b_grad/Neg = Neg(gradients/Fill)
    gradients/x_gradient_sum/AddN = AddN(./Fill, ./a_grad/Neg)
    gradients/x_gradient_sum/AddN_1 = AddN(./x_gradient_sum/AddN, ./b_grad/Neg)
    """
)
def a_tree_of_sums(tf):
    x = placeholder(tf, "x", 2)
    y = tf.negative(x, name="a") + tf.negative(x, name="b") + x
    tf.gradients(y, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/s_grad/SigmoidGrad = SigmoidGrad(s, gradients/Fill)
    gradients/p_grad/BiasAddGrad = BiasAddGrad(gradients/s_grad/SigmoidGrad)
    """
)
def a_bias(tf):
    x, b = placeholder(tf, "x", 4, 3), placeholder(tf, "b", 3)
    tf.gradients(tf.nn.sigmoid(tf.nn.bias_add(x, b, name="p"), name="s"), [x, b])


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/strided_slice_grad/Shape = Const()
    gradients/strided_slice_grad/StridedSliceGrad = StridedSliceGrad(./Shape, strided_slice/stack, strided_slice/stack_1, strided_slice/stack_2, gradients/Fill)
    """
)
def a_slice(tf):
    x = placeholder(tf, "x", 5, 3)
    tf.gradients(x[1:3], x)


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/m_grad/Shape = Const()
    gradients/m_grad/Shape_1 = Const()
    gradients/m_grad/Shape_2 = Const()
    gradients/m_grad/zeros/Const = Const()
    gradients/m_grad/zeros = Fill(./Shape_2, ./zeros/Const)
    gradients/m_grad/GreaterEqual = GreaterEqual(x, y)
    gradients/m_grad/BroadcastGradientArgs = BroadcastGradientArgs(./Shape, ./Shape_1)
    gradients/m_grad/Select = Select(./GreaterEqual, gradients/Fill, ./zeros)
    gradients/m_grad/Sum = Sum(./Select, ./BroadcastGradientArgs)
    gradients/m_grad/Reshape = Reshape(./Sum, ./Shape)
    gradients/m_grad/Select_1 = Select(./GreaterEqual, ./zeros, gradients/Fill)
    gradients/m_grad/Sum_1 = Sum(./Select_1, ./BroadcastGradientArgs:1)
    gradients/m_grad/Reshape_1 = Reshape(./Sum_1, ./Shape_1)
    """
)
def the_larger_one(tf):
    x, y = placeholder(tf, "x", 5, 3), placeholder(tf, "y", 3)
    tf.gradients(tf.maximum(x, y, name="m"), [x, y])


@graph(
    """
    gradients/Shape = Const()
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/pow_grad/BroadcastGradientArgs/s0 = Const()
    gradients/pow_grad/BroadcastGradientArgs/s1 = Const()
    gradients/pow_grad/BroadcastGradientArgs = BroadcastGradientArgs(./BroadcastGradientArgs/s0, ./BroadcastGradientArgs/s1)
    gradients/pow_grad/mul = Mul(gradients/Fill, pow/y)
    gradients/pow_grad/sub/y = Const()
    gradients/pow_grad/sub = Sub(pow/y, ./sub/y)
    gradients/pow_grad/Pow = Pow(x, ./sub)
    gradients/pow_grad/mul_1 = Mul(./mul, ./Pow)
    gradients/pow_grad/Greater/y = Const()
    gradients/pow_grad/Greater = Greater(x, ./Greater/y)
    gradients/pow_grad/ones_like/Shape = Const()
    gradients/pow_grad/ones_like/Const = Const()
    gradients/pow_grad/ones_like = Fill(./ones_like/Shape, ./ones_like/Const)
    gradients/pow_grad/Select = Select(./Greater, x, ./ones_like)
    gradients/pow_grad/Log = Log(./Select)
    gradients/pow_grad/zeros_like = Const()
    gradients/pow_grad/Select_1 = Select(./Greater, ./Log, ./zeros_like)
    gradients/pow_grad/mul_2 = Mul(gradients/Fill, pow)
    gradients/pow_grad/mul_3 = Mul(./mul_2, ./Select_1)
    gradients/pow_grad/Sum/reduction_indices = Const()
    gradients/pow_grad/Sum = Sum(./mul_3, ./Sum/reduction_indices)
    gradients/pow_grad/Reshape/shape = Const()
    gradients/pow_grad/Reshape = Reshape(./Sum, ./Reshape/shape)
    """
)
def a_power(tf):
    x = placeholder(tf, "x", 5)
    tf.gradients(x**3.0, x)


@graph(
    """
    gradients/Shape = Shape(TensorArrayConcatV3)
    gradients/grad_ys_0 = Const()
    gradients/Fill = Fill(./Shape, ./grad_ys_0)
    gradients/TensorArrayConcatV3_grad/TensorArrayGrad/TensorArrayGradV3 = TensorArrayGradV3(c, TensorArraySplit/TensorArraySplitV3)
    gradients/TensorArrayConcatV3_grad/TensorArrayGrad/gradient_flow = Identity(TensorArraySplit/TensorArraySplitV3, ^./TensorArrayGrad/TensorArrayGradV3)
    gradients/TensorArrayConcatV3_grad/TensorArraySplit/TensorArraySplitV3 = TensorArraySplitV3(./TensorArrayGrad/TensorArrayGradV3, gradients/Fill, TensorArrayConcatV3:1, ./TensorArrayGrad/gradient_flow)
    gradients/TensorArraySplit/TensorArraySplitV3_grad/TensorArrayGrad/TensorArrayGradV3 = TensorArrayGradV3(c, gradients/TensorArrayConcatV3_grad/TensorArraySplit/TensorArraySplitV3)
    gradients/TensorArraySplit/TensorArraySplitV3_grad/TensorArrayGrad/gradient_flow = Identity(gradients/TensorArrayConcatV3_grad/TensorArraySplit/TensorArraySplitV3, ^./TensorArrayGrad/TensorArrayGradV3)
    gradients/TensorArraySplit/TensorArraySplitV3_grad/TensorArrayConcatV3 = TensorArrayConcatV3(./TensorArrayGrad/TensorArrayGradV3, ./TensorArrayGrad/gradient_flow)
    gradients/TensorArrayStack/TensorArrayGatherV3_grad/TensorArrayGrad/TensorArrayGradV3 = TensorArrayGradV3(b, TensorArrayWrite_1/TensorArrayWriteV3)
    gradients/TensorArrayStack/TensorArrayGatherV3_grad/TensorArrayGrad/gradient_flow = Identity(TensorArrayWrite_1/TensorArrayWriteV3, ^./TensorArrayGrad/TensorArrayGradV3)
    gradients/TensorArrayStack/TensorArrayGatherV3_grad/TensorArrayScatter/TensorArrayScatterV3 = TensorArrayScatterV3(./TensorArrayGrad/TensorArrayGradV3, TensorArrayStack/range, gradients/TensorArraySplit/TensorArraySplitV3_grad/TensorArrayConcatV3, ./TensorArrayGrad/gradient_flow)
    gradients/TensorArrayWrite_1/TensorArrayWriteV3_grad/TensorArrayGrad/TensorArrayGradV3 = TensorArrayGradV3(b, gradients/TensorArrayStack/TensorArrayGatherV3_grad/TensorArrayScatter/TensorArrayScatterV3)
    gradients/TensorArrayWrite_1/TensorArrayWriteV3_grad/TensorArrayGrad/gradient_flow = Identity(gradients/TensorArrayStack/TensorArrayGatherV3_grad/TensorArrayScatter/TensorArrayScatterV3, ^./TensorArrayGrad/TensorArrayGradV3)
    gradients/TensorArrayWrite_1/TensorArrayWriteV3_grad/TensorArrayReadV3 = TensorArrayReadV3(./TensorArrayGrad/TensorArrayGradV3, TensorArrayWrite_1/TensorArrayWriteV3/index, ./TensorArrayGrad/gradient_flow)
    gradients/TensorArrayReadV3_1_grad/TensorArrayGrad/TensorArrayGradV3 = TensorArrayGradV3(a, TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3)
    gradients/TensorArrayReadV3_1_grad/TensorArrayGrad/gradient_flow = Identity(TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3, ^./TensorArrayGrad/TensorArrayGradV3)
    gradients/TensorArrayReadV3_1_grad/TensorArrayWrite/TensorArrayWriteV3 = TensorArrayWriteV3(./TensorArrayGrad/TensorArrayGradV3, TensorArrayReadV3_1/index, gradients/TensorArrayWrite_1/TensorArrayWriteV3_grad/TensorArrayReadV3, ./TensorArrayGrad/gradient_flow)
    gradients/TensorArrayWrite/TensorArrayWriteV3_grad/TensorArrayGrad/TensorArrayGradV3 = TensorArrayGradV3(b, gradients/TensorArrayStack/TensorArrayGatherV3_grad/TensorArrayScatter/TensorArrayScatterV3)
    gradients/TensorArrayWrite/TensorArrayWriteV3_grad/TensorArrayGrad/gradient_flow = Identity(gradients/TensorArrayStack/TensorArrayGatherV3_grad/TensorArrayScatter/TensorArrayScatterV3, ^./TensorArrayGrad/TensorArrayGradV3)
    gradients/TensorArrayWrite/TensorArrayWriteV3_grad/TensorArrayReadV3 = TensorArrayReadV3(./TensorArrayGrad/TensorArrayGradV3, TensorArrayWrite/TensorArrayWriteV3/index, ./TensorArrayGrad/gradient_flow)
    gradients/TensorArrayReadV3_grad/TensorArrayGrad/TensorArrayGradV3 = TensorArrayGradV3(a, TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3)
    gradients/TensorArrayReadV3_grad/TensorArrayGrad/gradient_flow = Identity(TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3, ^./TensorArrayGrad/TensorArrayGradV3)
    gradients/TensorArrayReadV3_grad/TensorArrayWrite/TensorArrayWriteV3 = TensorArrayWriteV3(./TensorArrayGrad/TensorArrayGradV3, TensorArrayReadV3/index, gradients/TensorArrayWrite/TensorArrayWriteV3_grad/TensorArrayReadV3, ./TensorArrayGrad/gradient_flow)
    gradients/AddN = AddN(./TensorArrayReadV3_1_grad/TensorArrayWrite/TensorArrayWriteV3, ./TensorArrayReadV3_grad/TensorArrayWrite/TensorArrayWriteV3)
    gradients/TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3_grad/TensorArrayGrad/TensorArrayGradV3 = TensorArrayGradV3(a, gradients/AddN)
    gradients/TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3_grad/TensorArrayGrad/gradient_flow = Identity(gradients/AddN, ^./TensorArrayGrad/TensorArrayGradV3)
    gradients/TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3_grad/TensorArrayGatherV3 = TensorArrayGatherV3(./TensorArrayGrad/TensorArrayGradV3, TensorArrayUnstack/range, ./TensorArrayGrad/gradient_flow)
    """
)
def an_array(tf):
    x = placeholder(tf, "x", 3, 2)
    a = tf.TensorArray(tf.float32, 3, clear_after_read=False, name="a").unstack(x)
    b = tf.TensorArray(tf.float32, 2, name="b").write(0, a.read(2)).write(1, a.read(0))
    c = tf.TensorArray(tf.float32, 2, name="c").split(b.stack(), [1, 1])
    tf.gradients(c.concat(), x)


def relative(name, node):
    """The name of an input, from the scope of the node's rule."""
    scope = node[: node.rfind("_grad/") + 6] if "_grad/" in node else node[: node.index("/") + 1]
    return "./" + name.removeprefix(scope) if name.startswith(scope) else name


@pytest.mark.parametrize("name", EXPECTED)
def test_gradients_create_the_nodes_of_tf(name):
    import tfedu as tf

    make, expected = EXPECTED[name]
    make(tf)
    made = []
    for op in tf.get_default_graph().get_operations():
        if op.name.startswith(("gradients/", "first/")):
            inputs = [relative(t.name.removesuffix(":0"), op.name) for t in op.inputs]
            inputs += [f"^{relative(c.name, op.name)}" for c in op.control_inputs]
            made.append(f"{op.name} = {op.type}({', '.join(inputs)})")
    assert made == expected


def test_a_concatenation_in_a_branch_or_loop_has_its_axis_anew_in_its_gradient():
    """The constant of the axis belongs to the branch; TF 1.15 makes 132 nodes here, these among them."""
    import tfedu as tf

    x, p = tf.constant([[1.0, 2.0]]), tf.placeholder(tf.bool, [])
    tf.gradients(tf.cond(p, lambda: tf.concat([x, x * 2], 1), lambda: tf.concat([x, x], -1)), x)
    moved = tf.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, tf.concat([v[:, 1:], v[:, :1]], 1)), [0, x])
    tf.gradients(moved[1], x)
    nodes = [op.name for op in tf.get_default_graph().get_operations()]
    assert [name for name in nodes if name.endswith("_grad/Const")] == [
        "gradients/cond/concat_1_grad/Const", "gradients/cond/concat_grad/Const", "gradients_1/while/concat_grad/Const",
    ]  # fmt: skip
    assert len(nodes) == 132


# -- names that the program took -----------------------------------------------------------------------------------------


def three_layers(tf):
    x, w = (tf.placeholder(tf.float32, [3]) for _ in range(2))
    y = x
    for _ in range(3):
        y = tf.tanh(y * w)
    return x, w, y


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gradients/Tanh_2_grad/tanhgrad", "gradients/Tanh_2_grad/TanhGrad_1"),
        ("gradients/TANH_2_grad", "gradients/Tanh_2_grad_1/TanhGrad"),
    ],
)
def test_a_used_name_changes_the_name_of_one_gradient_node_only(name, expected):
    import tfedu as tf

    x, w, y = three_layers(tf)
    tf.no_op(name=name)
    graph = tf.get_default_graph()
    before = len(graph.get_operations())
    tf.gradients(y, [x, w])
    names = [op.name for op in graph.get_operations()[before:] if op.type == "TanhGrad"]
    assert names == [expected, "gradients/Tanh_1_grad/TanhGrad", "gradients/Tanh_grad/TanhGrad"]


def test_a_rule_of_the_program_is_applied_to_each_node_once():
    import tfedu as tf

    applied = []

    @tf.RegisterGradient("TestsCountedTanh")
    def rule(op, g):
        applied.append(op.name)
        return g * (1 - op.outputs[0] ** 2)

    with tf.get_default_graph().gradient_override_map({"Tanh": "TestsCountedTanh"}):
        x, w, y = three_layers(tf)
    tf.gradients(y, [x, w])
    assert applied == ["Tanh_2", "Tanh_1", "Tanh"]
