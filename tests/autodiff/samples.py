"""One sample for each op type that has a gradient: the inputs of a call, float64 where the op allows it.

``SAMPLES`` maps an op type to a Sample. Floats among its inputs are differentiated, other arrays and what is ``Fixed`` are
constants; complex inputs are made of two real ones. ``ONE_ORDER`` and ``UNCHECKED`` list the omitted op types, with the reasons.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

X = np.array([[0.6, 1.2, 0.9], [1.4, 0.7, 1.1]])
Y = np.array([[1.3, 0.8, 0.55], [0.95, 1.25, 0.65]])
ROW = np.array([1.3, 0.8, 0.55])
SIGNED = np.array([[-0.6, 1.2, -0.9], [1.4, -0.7, 7.1]])
SMALL = X / 2
SQUARE = np.array([[2.0, 0.3, 0.5], [0.2, 1.5, 0.4], [0.6, 0.1, 1.8]])
BATCH = np.stack([SQUARE, SQUARE[::-1, ::-1] + 0.1])
RIGHT = np.array([[1.0, 0.5], [0.3, 2.0], [0.7, 0.2]])
WIDE = np.array([[1.0, 0.3, 0.5, 0.9], [0.2, 1.5, 0.4, 0.1]])
TALL = WIDE.T.copy()
FIVE = np.array([[0.6, 1.2], [1.4, 0.7], [0.8, 1.3], [1.0, 0.55], [0.75, 1.05]])
IMAGE = np.linspace(0.2, 1.9, 16).reshape(2, 2, 2, 2) ** 2
COMPLEX = X + 1j * Y
SPECTRUM = np.linspace(0.1, 2.1, 24).reshape(2, 3, 4) + 1j * np.linspace(1.0, 0.2, 24).reshape(2, 3, 4) ** 2
INDICES = np.int64([[0, 1], [1, 0], [2, 2]])
VALUES = np.array([0.5, 1.5, 2.5])
SHAPE = np.int64([3, 3])


@dataclass(frozen=True)
class Fixed:
    """Floats that count as a constant: the tests do not differentiate by them."""

    value: Any


@dataclass(frozen=True)
class Sample:
    """``call(tf, *tensors)`` gives one tensor or several; ``step``: the difference of an element; ``close``: the tolerance."""

    call: Callable[..., Any]
    inputs: tuple[Any, ...]
    step: float = 1e-5
    close: float = 1e-5


SAMPLES: dict[str, Sample] = {}


def names(text):
    return text.split()


def sample(op_type, *inputs, call=None, step=1e-5, close=1e-5, **attrs):
    """Adds a sample: the op with these inputs, in the op's order; or ``call`` with them."""

    def raw(tf, *tensors):
        from tfedu.engine.op.create import build
        from tfedu.engine.op.definition import REGISTRY

        definition = REGISTRY[op_type]
        return build(definition, tensors, {**definition.defaults, **attrs}, None)

    assert op_type not in SAMPLES, op_type
    SAMPLES[op_type] = Sample(call or raw, inputs, step, close)


def through_an_optional(tf, x):
    optional = tf.raw_ops.OptionalFromValue(components=[x])
    (value,) = tf.raw_ops.OptionalGetValue(optional=optional, output_types=[x.dtype], output_shapes=[x.shape])
    return value * value


for _type in names(
    "Abs Asinh Atan BesselI0e BesselI1e Ceil Cos Cosh Digamma Erf Erfc Exp Expm1 Floor Inv Lgamma Log Log1p Neg Reciprocal Rint "
    "Round Rsqrt Sigmoid Sign Sin Sinh Sqrt Square Tan Tanh LogSoftmax Softmax Identity L2Loss"
):
    sample(_type, X)
for _type in names("Elu LeakyRelu Relu Relu6 Selu Softplus Softsign"):
    sample(_type, SIGNED)
for _type in ("Acos", "Asin", "Atanh"):
    sample(_type, SMALL)
sample("Acosh", X + 1)
for _type in names("Add AddV2 Div DivNoNan Maximum Minimum Mul MulNoNan Pow RealDiv SquaredDifference Sub Xdivy Xlogy"):
    sample(_type, X, ROW)
sample("FloorDiv", X + 0.05, ROW)
sample("FloorMod", X + 0.05, ROW)
sample("TruncateDiv", X, ROW, call=lambda tf, x, y: tf.raw_ops.TruncateDiv(x=tf.cast(x, tf.int32), y=tf.cast(y * 3.0, tf.int32)))
for _type in names("EluGrad SeluGrad LeakyReluGrad ReluGrad Relu6Grad SoftplusGrad"):
    sample(_type, X, SIGNED / 2)
for _type in names("InvGrad ReciprocalGrad RsqrtGrad SigmoidGrad SqrtGrad TanhGrad"):
    sample(_type, X, Y)
sample("Atan2", X, Y)
sample("Betainc", Fixed(2.0), Fixed(3.0), SMALL)
sample("ClipByValue", X, np.array(0.75), np.array(1.15))
sample("Igamma", X, Y + 0.5)
sample("Igammac", X, Y + 0.5)
sample("NextAfter", X, ROW)
sample("Polygamma", Fixed(2.0), X)
sample("Zeta", Fixed(3.0), X)
sample("Cross", X, Y)
sample("CheckNumerics", X, message="here")
sample("Cast", X, call=lambda tf, x: tf.cast(tf.cast(x, tf.complex128), tf.complex128))
sample("PlaceholderWithDefault", X, shape=[2, 3])
sample("EnsureShape", X, shape=[2, None])
sample("Print", X, call=lambda tf, x: tf.raw_ops.Print(input=x, data=[x], first_n=0))
sample("IdentityN", X, ROW, call=lambda tf, x, y: tf.raw_ops.IdentityN(input=[x, y]))
sample("AddN", X, Y, call=lambda tf, x, y: tf.raw_ops.AddN(inputs=[x, y, x]))
sample("AccumulateNV2", X, Y, call=lambda tf, x, y: tf.raw_ops.AccumulateNV2(inputs=[x, y, x], shape=[2, 3]))
sample("Select", np.array([[True, False, True], [False, True, True]]), X, Y)
sample("SelectV2", np.array([True, False, True]), X, ROW)

# -- complex numbers ---------------------------------------------------------------------------------------------------------

for _type in ("Angle", "ComplexAbs", "Conj", "Imag", "Real"):
    sample(_type, COMPLEX, **({"Tout": "double"} if _type not in ("Conj",) else {}))
sample("Complex", X, ROW, Tout="complex128")
for _type in ("FFT", "FFT2D", "FFT3D", "IFFT", "IFFT2D", "IFFT3D"):
    sample(_type, SPECTRUM)
sample("RFFT", SPECTRUM.real, np.int32([4]), Tcomplex="complex128")
sample("RFFT2D", SPECTRUM.real, np.int32([3, 4]), Tcomplex="complex128")
sample("IRFFT", SPECTRUM, np.int32([6]), Treal="double")
sample("IRFFT2D", X, call=lambda tf, x: tf.signal.irfft2d(tf.signal.fft2d(tf.cast(x, tf.complex128))[:, :2], [2, 3]))

# -- reductions --------------------------------------------------------------------------------------------------------------

for _type in ("Sum", "Mean", "Max", "Min", "Prod"):
    sample(_type, X, np.int32([1]))
for _type in ("Cumsum", "Cumprod"):
    sample(_type, X, np.int32(1), exclusive=_type == "Cumsum", reverse=True)
sample("CumulativeLogsumexp", X, np.int32(1))
IDS = np.int32([0, 0, 1, 1, 2])
for _type in ("SegmentMax", "SegmentMean", "SegmentMin", "SegmentSum"):
    sample(_type, FIVE, IDS)
for _type in ("UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd", "UnsortedSegmentSum"):
    sample(_type, FIVE, IDS[::-1].copy(), np.int32(3))
PICKED, GROUPS = np.int32([0, 3, 1, 0]), np.int32([0, 0, 2, 2])
for _type in ("SparseSegmentMean", "SparseSegmentSqrtN", "SparseSegmentSum"):
    sample(_type, FIVE, PICKED, GROUPS)
    sample(f"{_type}WithNumSegments", FIVE, PICKED, GROUPS, np.int32(4))
sample("TopKV2", X, np.int32(2))
sample("NthElement", X, np.int32(1))
sample(
    "CTCLoss", np.linspace(-1, 1, 24).reshape(4, 2, 3)[:, :, ::-1].copy() ** 2,
    call=lambda tf, x: tf.nn.ctc_loss(tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 0, 1], [2, 2]), x, [4, 3]),
)  # fmt: skip

# -- shapes and places -------------------------------------------------------------------------------------------------------

sample("BroadcastTo", ROW, np.int32([2, 3]))
sample("ConjugateTranspose", COMPLEX, np.int32([1, 0]))
sample("ExpandDims", X, np.int32(1))
sample("Fill", np.int32([2, 3]), np.array(0.7))
sample("Reshape", X, np.int32([3, 2]))
sample("ReverseV2", X, np.int32([1]))
sample("ReverseSequence", X, np.int32([2, 3]), seq_dim=1)
sample("Roll", X, np.int32(1), np.int32(0))
sample("Squeeze", X[None])
sample("Tile", X, np.int32([2, 3]))
sample("Transpose", X, np.int32([1, 0]))
sample("Pad", X, np.int32([[1, 0], [0, 2]]))
sample("PadV2", X, np.int32([[1, 0], [0, 2]]), Fixed(0.5))
sample("MirrorPad", X, np.int32([[1, 0], [0, 2]]), mode="REFLECT")
sample("MirrorPadGrad", np.linspace(0.1, 2, 15).reshape(3, 5), np.int32([[1, 0], [0, 2]]), mode="REFLECT")
sample("Slice", X, np.int32([0, 1]), np.int32([2, 2]))
sample("StridedSlice", X, np.int32([0, 0]), np.int32([2, 3]), np.int32([1, 2]))
sample("StridedSliceGrad", np.int32([2, 3]), np.int32([0, 0]), np.int32([2, 3]), np.int32([1, 2]), X[:, :2])
sample("Split", np.int32(1), X, num_split=3)
sample("SplitV", X, np.int64([1, 2]), np.int32(1), num_split=2)
sample("Pack", X, Y, call=lambda tf, x, y: tf.raw_ops.Pack(values=[x, y, x], axis=1))
sample("Unpack", X, num=3, axis=1)
for _type in names("OptionalFromValue OptionalGetValue"):
    sample(_type, X, call=through_an_optional)
sample("Concat", X, Y, call=lambda tf, x, y: tf.raw_ops.Concat(concat_dim=1, values=[x, y, x]))
sample("ConcatV2", X, Y, call=lambda tf, x, y: tf.raw_ops.ConcatV2(values=[x, y, x], axis=1))
sample("Gather", FIVE, np.int32([[0, 3], [0, 1]]))
sample("GatherV2", FIVE, np.int32([0, 1, 0]), np.int32(1))
sample("GatherNd", FIVE, np.int32([[0, 1], [4, 0], [0, 1]]))
sample("ScatterNd", np.int32([[1], [3], [1]]), FIVE[:3], np.int32([4, 2]))
sample("ScatterNdNonAliasingAdd", FIVE, np.int32([[1], [3]]), X[:, :2])
for _type in ("TensorScatterAdd", "TensorScatterSub", "TensorScatterUpdate"):
    sample(_type, FIVE, np.int32([[1], [3]]), X[:, :2])
sample("DynamicPartition", FIVE, np.int32([0, 1, 0, 1, 1]), num_partitions=2)
for _type in ("DynamicStitch", "ParallelDynamicStitch"):
    sample(
        _type, FIVE, X[:, :2],
        call=lambda tf, x, y, t=_type: getattr(tf.raw_ops, t)(indices=[[0, 2, 3, 5, 6], [1, 4]], data=[x, y]),
    )  # fmt: skip
sample("SpaceToDepth", IMAGE, block_size=2)
sample("DepthToSpace", IMAGE.reshape(2, 1, 2, 4), block_size=2)
sample("SpaceToBatch", IMAGE, np.int32([[0, 0], [2, 0]]), block_size=2)
sample("SpaceToBatchND", IMAGE, np.int32([2, 2]), np.int32([[0, 0], [2, 0]]))
sample("BatchToSpace", IMAGE.reshape(4, 2, 1, 2), np.int32([[0, 0], [0, 1]]), block_size=2)
sample("BatchToSpaceND", IMAGE.reshape(4, 2, 1, 2), np.int32([2, 2]), np.int32([[0, 0], [0, 1]]))

# -- matrices ----------------------------------------------------------------------------------------------------------------

sample("MatMul", X, RIGHT)
sample("BatchMatMul", np.stack([X, Y]), np.stack([RIGHT, RIGHT + 0.1]), adj_y=False)
sample("BatchMatMulV2", X, np.stack([RIGHT, RIGHT + 0.1]))
sample(
    "SparseMatMul", X, RIGHT, step=1e-2, close=1e-3,
    call=lambda tf, a, b: tf.raw_ops.SparseMatMul(a=tf.cast(a, tf.float32), b=tf.cast(b, tf.float32), a_is_sparse=True),
)  # fmt: skip
sample("Diag", ROW)
sample("DiagPart", SQUARE)
sample("MatrixDiag", X)
sample("MatrixDiagPart", BATCH)
sample("MatrixDiagV2", X, np.int32(1), np.int32(-1), np.int32(-1), Fixed(0.0))
sample("MatrixDiagPartV2", BATCH, np.int32([-1, 0]), Fixed(0.0))
sample("MatrixSetDiag", BATCH, X)
sample("MatrixSetDiagV2", SQUARE, X[:, :2].copy() + 0.1, np.int32([-2, -1]))
sample("MatrixBandPart", BATCH, np.int64(1), np.int64(0))
sample("MatrixInverse", BATCH)
sample("MatrixDeterminant", BATCH)
sample("LogMatrixDeterminant", BATCH)
sample("MatrixSquareRoot", SQUARE)
sample("MatrixSolve", SQUARE, RIGHT)
sample("MatrixTriangularSolve", SQUARE, RIGHT, lower=False)
sample("MatrixSolveLs", TALL, FIVE[:4], Fixed(0.1))
sample("Cholesky", SQUARE, call=lambda tf, x: tf.raw_ops.Cholesky(input=tf.matmul(x, x, transpose_b=True)))
sample("SelfAdjointEigV2", SQUARE + SQUARE.T)
sample("Qr", TALL)
sample("Svd", WIDE)
sample("TridiagonalSolve", np.array([[0.3, 0.5, 9.0], [2.0, 1.5, 1.8], [9.0, 0.2, 0.4]]), RIGHT)
sample("TridiagonalMatMul", ROW[None], X[:1], Y[:1], RIGHT)

# -- networks ----------------------------------------------------------------------------------------------------------------

sample("BiasAdd", X, ROW)
sample("BiasAddGrad", X)
# Of its second output, which is its gradient, TF forgets the labels: they are checked in programs_gradients.
sample("SoftmaxCrossEntropyWithLogits", X, Fixed(Y / Y.sum(1, keepdims=True)))
sample(
    "SparseSoftmaxCrossEntropyWithLogits", X, np.int32([2, 0]),
    call=lambda tf, x, labels: tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=labels)[0],
)  # fmt: skip

PICTURE = np.sin(np.arange(40.0)).reshape(2, 2, 5, 2)
FILTER = np.sin(np.arange(24.0) + 0.5).reshape(2, 3, 2, 2)
ERROR = np.sin(np.arange(24.0) + 0.8).reshape(2, 2, 3, 2)
MOVES = {"strides": [1, 1, 2, 1], "padding": "SAME"}
sample("Conv2D", PICTURE, FILTER, **MOVES)
sample("Conv2DBackpropInput", np.int32([2, 2, 5, 2]), FILTER, ERROR, **MOVES)
sample("Conv2DBackpropFilter", PICTURE, np.int32([2, 3, 2, 2]), ERROR, **MOVES)
MOVES_3D = {"strides": [1, 1, 1, 2, 1], "padding": "SAME", "dilations": [1, 1, 2, 1, 1]}
sample("Conv3D", PICTURE[:, None], FILTER[None], **MOVES_3D)
sample("Conv3DBackpropInputV2", np.int32([2, 1, 2, 5, 2]), FILTER[None], ERROR[:, None], **MOVES_3D)
sample("Conv3DBackpropFilterV2", PICTURE[:, None], np.int32([1, 2, 3, 2, 2]), ERROR[:, None], **MOVES_3D)
MOVES_2 = {"strides": [1, 2, 2, 1], "padding": "SAME"}
sample("DepthwiseConv2dNative", PICTURE, FILTER, **MOVES_2)
ERROR_2 = ERROR.reshape(2, 1, 3, 4)
sample("DepthwiseConv2dNativeBackpropInput", np.int32([2, 2, 5, 2]), FILTER, ERROR_2, **MOVES_2)
sample("DepthwiseConv2dNativeBackpropFilter", PICTURE, np.int32([2, 3, 2, 2]), ERROR_2, **MOVES_2)
sample("Dilation2D", PICTURE, FILTER[..., 0], rates=[1, 1, 1, 1], **MOVES)

# -- sparse and ragged tensors -----------------------------------------------------------------------------------------------

DENSE = SQUARE + 1
sample("SparseReorder", INDICES[::-1].copy(), VALUES, SHAPE)
sample("SparseAdd", INDICES, VALUES, SHAPE, INDICES[1:], ROW[1:], SHAPE, Fixed(0.0))
sample("SparseSlice", INDICES, VALUES, SHAPE, np.int64([0, 0]), np.int64([2, 2]))
sample("SparseFillEmptyRows", INDICES[:2], VALUES[:2], np.int64([4, 3]), np.array(0.7))
sample("SparseToDense", INDICES, SHAPE, VALUES, np.array(0.7))
sample("SparseTensorDenseAdd", INDICES, VALUES, SHAPE, DENSE)
sample("SparseReduceSum", INDICES, VALUES, SHAPE, np.int32([1]))
sample("SparseTensorDenseMatMul", INDICES, VALUES, SHAPE, DENSE, adjoint_a=True)
sample("SparseDenseCwiseMul", INDICES, VALUES, SHAPE, ROW)
sample("SparseDenseCwiseDiv", INDICES, VALUES, SHAPE, ROW)
sample("SparseSoftmax", np.int64([[0, 0], [0, 1], [1, 2]]), VALUES, SHAPE)
SPLITS = np.int64([0, 2, 2, 5])
sample(
    "RaggedGather", FIVE,
    call=lambda tf, x: tf.raw_ops.RaggedGather(
        params_nested_splits=[SPLITS], params_dense_values=x, indices=[2, 0, 2], OUTPUT_RAGGED_RANK=1
    )[-1],
)  # fmt: skip
sample(
    "RaggedTensorToSparse", FIVE,
    call=lambda tf, x: tf.raw_ops.RaggedTensorToSparse(rt_nested_splits=[SPLITS], rt_dense_values=x)[1],
)  # fmt: skip

# -- tensor arrays -----------------------------------------------------------------------------------------------------------


def _array(f, size=3, **given):
    """A function of an array whose elements can be read several times, and of the tensors."""
    return lambda tf, *xs: f(tf.TensorArray(tf.float64, size, clear_after_read=False, **given), *xs)


def _written(array, x, y):
    array = array.write(2, x).write(0, y * y)
    return [array.read(0) * array.read(2), array.read(2)]


def _scattered(array, x):
    array = array.scatter([3, 0, 4, 1, 2], x * x)
    return [array.gather([1, 3, 1]), array.stack(), array.read(4)]


def _split(array, x):
    array = array.split(x * x, [2, 0, 3])
    return [array.concat() * x, array.read(2)]


for _type in ("TensorArrayReadV3", "TensorArrayWriteV3"):
    sample(_type, X, Y, call=_array(_written))
for _type in ("TensorArrayGatherV3", "TensorArrayScatterV3"):
    sample(_type, FIVE, call=_array(_scattered, 0, dynamic_size=True))
for _type in ("TensorArrayConcatV3", "TensorArraySplitV3"):
    sample(_type, FIVE, call=_array(_split, infer_shape=False))

# -- what is left out --------------------------------------------------------------------------------------------------------

# -- pooling and normalisation -----------------------------------------------------------------------------------------------

# Numbers so far apart that no small step makes another one the maximum of a window.
PIXELS = (np.arange(2 * 4 * 5 * 2) * 37 % 80).reshape(2, 4, 5, 2) / 16.0
VOXELS = (np.arange(3 * 4 * 2 * 2) * 29 % 48).reshape(1, 3, 4, 2, 2) / 8.0
OVER = {"ksize": [1, 3, 2, 1], "strides": [1, 2, 1, 1], "padding": "SAME"}
OVER_VOXELS = {"ksize": [1, 2, 3, 1, 1], "strides": [1, 1, 2, 1, 1], "padding": "SAME"}
SMALLER = PIXELS[:, :2] / 3


def float32(call):
    """A call whose floats are float32, as the op wants them."""
    return lambda tf, *tensors: call(tf, *[tf.cast(t, tf.float32) if t.dtype.is_floating else t for t in tensors])


NARROW = {"step": 1e-2, "close": 2e-2}  # differences of float32 need large steps


def of_maxima(op_type, pool, windows):
    """A call of a gradient of a max pooling: of its input and a gradient."""
    return lambda tf, x, g: getattr(tf.raw_ops, op_type)(
        orig_input=x, orig_output=getattr(tf.raw_ops, pool)(input=x, **windows), grad=g, **windows
    )


sample("MaxPool", PIXELS, **OVER)
sample("AvgPool", PIXELS, **OVER)
sample("AvgPoolGrad", np.int32([2, 4, 5, 2]), SMALLER, **OVER)
sample("AvgPool3D", VOXELS, **OVER_VOXELS)
sample("AvgPool3DGrad", np.int32([1, 3, 4, 2, 2]), VOXELS[:, :, :2] / 3, **OVER_VOXELS)
sample("MaxPoolGrad", Fixed(PIXELS), SMALLER, call=of_maxima("MaxPoolGrad", "MaxPool", OVER))
sample("MaxPoolGradGrad", Fixed(PIXELS), PIXELS / 3, call=of_maxima("MaxPoolGradGrad", "MaxPool", OVER))
OVER_GIVEN = {"ksize": np.int32([1, 3, 2, 1]), "strides": np.int32([1, 2, 1, 1]), "padding": "SAME"}
sample("MaxPoolV2", PIXELS, call=lambda tf, x: tf.raw_ops.MaxPoolV2(input=x, **OVER_GIVEN))
sample("MaxPoolGradV2", Fixed(PIXELS), SMALLER, call=of_maxima("MaxPoolGradV2", "MaxPoolV2", OVER_GIVEN))
sample("MaxPoolWithArgmax", PIXELS, call=lambda tf, x: tf.raw_ops.MaxPoolWithArgmax(input=x, **OVER).output)
for _type in ("FractionalMaxPool", "FractionalAvgPool"):
    sample(
        _type, PIXELS,
        call=lambda tf, x, op=_type: getattr(tf.raw_ops, op)(
            value=x, pooling_ratio=[1, 1.5, 1.5, 1], overlapping=True, deterministic=True, seed=1
        ).output,
    )  # fmt: skip
sample("MaxPool3D", VOXELS, call=float32(lambda tf, x: tf.raw_ops.MaxPool3D(input=x, **OVER_VOXELS)), **NARROW)
for _type, _g in (("MaxPool3DGrad", VOXELS[:, :, :2] / 3), ("MaxPool3DGradGrad", VOXELS / 3)):
    sample(_type, Fixed(VOXELS), _g, call=float32(of_maxima(_type, "MaxPool3D", OVER_VOXELS)), **NARROW)
sample("LRN", PIXELS / 3, call=float32(lambda tf, x: tf.raw_ops.LRN(input=x, depth_radius=1, alpha=0.5, beta=0.75)), **NARROW)

SAMPLES_OF_CHANNELS = (PIXELS[:, :2, :3] / 2, np.array([1.5, 0.5]), np.array([0.25, -1.0]))
for _version in ("", "V2", "V3"):
    _more = {"reserve_space_3": np.zeros(0, np.float32)} if _version == "V3" else {}

    def _norm(tf, x, scale, offset, version=_version):
        empty = np.zeros(0, np.float32)
        norm = getattr(tf.raw_ops, f"FusedBatchNorm{version}")
        return norm(x=x, scale=scale, offset=offset, mean=empty, variance=empty, epsilon=0.1).y

    def _slopes(tf, g, x, scale, version=_version, more=_more):
        mean, variance = tf.nn.moments(x, [0, 1, 2])
        grad = getattr(tf.raw_ops, f"FusedBatchNormGrad{version}")
        return list(
            grad(
                y_backprop=g, x=x, scale=scale, reserve_space_1=tf.stop_gradient(mean),
                reserve_space_2=tf.stop_gradient(variance), epsilon=0.1, **more,
            )
        )[:3]  # fmt: skip

    sample(f"FusedBatchNorm{_version}", *SAMPLES_OF_CHANNELS, call=float32(_norm), **NARROW)
    sample(f"FusedBatchNormGrad{_version}", PIXELS[:, 2:, 2:] / 4, *SAMPLES_OF_CHANNELS[:2], call=float32(_slopes), **NARROW)

# images: the ops that resize give float32
for _type in ("ResizeBilinear", "ResizeBicubic"):
    _resize = lambda tf, x, t=_type: getattr(tf.raw_ops, t)(images=x, size=[3, 7], half_pixel_centers=True)
    sample(_type, PIXELS, call=float32(_resize), **NARROW)
sample("ResizeNearestNeighbor", PIXELS, call=lambda tf, x: tf.raw_ops.ResizeNearestNeighbor(images=x, size=[3, 7]))
_moved = {"size": [3, 7], "scale": [0.7, 1.2], "translation": [0.5, -0.3]}
sample("ScaleAndTranslate", PIXELS, call=float32(lambda tf, x: tf.raw_ops.ScaleAndTranslate(images=x, **_moved)), **NARROW)
_cut = {"box_ind": np.int32([0, 1]), "crop_size": np.int32([3, 4])}
_boxes = np.array([[0.11, 0.13, 0.63, 0.81], [0.2, 0.15, 0.95, 0.9]])
_crops = float32(lambda tf, x: tf.raw_ops.CropAndResize(image=x, boxes=np.float32(_boxes), **_cut))
sample("CropAndResize", PIXELS, call=_crops, **NARROW)
sample("ExtractImagePatches", PIXELS, ksizes=[1, 3, 2, 1], strides=[1, 2, 1, 1], rates=[1, 1, 2, 1], padding="SAME")
sample("ExtractVolumePatches", VOXELS, ksizes=[1, 2, 2, 1, 1], strides=[1, 1, 2, 1, 1], padding="VALID")
sample("RGBToHSV", np.array([[0.6, 0.9, 0.2], [0.35, 0.1, 0.75], [0.8, 0.3, 0.45]]))

ONE_ORDER = {
    **dict.fromkeys(
        ("ResizeBilinear", "ResizeBicubic", "ResizeNearestNeighbor", "ScaleAndTranslate", "CropAndResize"),
        "their gradients have no gradient in TF",
    ),
    **dict.fromkeys(("Igamma", "Igammac"), "IgammaGradA has no gradient in TF"),
    "Softsign": "SoftsignGrad has no gradient in 1.15",
    "Dilation2D": "its two backprops have no gradient in TF",
    **{
        op_type: f"{grad} has no gradient in TF"
        for op_type, grad in (
            ("LRN", "LRNGrad"), ("MaxPoolWithArgmax", "MaxPoolGradWithArgmax"), ("FractionalMaxPool", "FractionalMaxPoolGrad"),
            ("FractionalAvgPool", "FractionalAvgPoolGrad"),
        )
    },
    **dict.fromkeys(("MaxPoolGradV2", "MaxPoolV2"), "MaxPoolGradGradV2 has no gradient in TF"),
    "CTCLoss": "TF refuses it: the second output is the gradient already",
    "SparseAdd": "SparseAddGrad is declared to have none",
    "SparseSlice": "SparseSliceGrad has no gradient in TF",
    "SparseFillEmptyRows": "SparseFillEmptyRowsGrad has no gradient in TF",
    "SparseSoftmax": "SparseDenseCwiseAdd has a rule that refuses",
    "SparseSoftmaxCrossEntropyWithLogits": "TF refuses it: the second output is the gradient already",
    **{
        f"TensorArray{kind}V3": "TF refuses an array of the gradient of a gradient's array"
        for kind in ("Read", "Write", "Gather", "Scatter", "Concat", "Split")
    },
    **{
        f"SparseSegment{kind}{sized}": f"SparseSegment{kind}Grad has no gradient in 1.15"
        for kind in ("Mean", "SqrtN")
        for sized in ("", "WithNumSegments")
    },
}
UNCHECKED = {
    **dict.fromkeys(("Switch", "Merge", "RefSwitch", "RefMerge"), "they need the cond around them: programs_gradients.branches"),
    **dict.fromkeys(
        ("Enter", "Exit", "NextIteration", "LoopCond", "RefEnter", "RefExit", "RefNextIteration"),
        "they need the loop around them: programs_loop_gradients",
    ),
    **dict.fromkeys(
        ("ReadVariableOp", "RefIdentity", "ResourceGather", "ResourceGatherNd"), "they read variables: programs_gradients"
    ),
    **dict.fromkeys(
        ("BlockLSTM", "GRUBlockCell", "LSTMBlockCell"), "in float32 alone: rows of cases_recurrent.py have gradients"
    ),
    **dict.fromkeys(
        (
            "QuantizeAndDequantizeV2", "FakeQuantWithMinMaxArgs", "FakeQuantWithMinMaxVars",
            "FakeQuantWithMinMaxVarsPerChannel",
        ),
        "steps have slope 0 nearly everywhere; the gradient is that of the identity: rows of cases_quantization.py",
    ),
    **dict.fromkeys(("ArgMax", "ArgMin"), "their result is whole numbers"),
    "RandomGamma": "another result each time: programs_gradients_special.random_numbers",
    **dict.fromkeys(
        ("PreventGradient", "SparseDenseCwiseAdd", "SparseSparseMaximum", "SparseSparseMinimum"), "their rules refuse"
    ),
}
