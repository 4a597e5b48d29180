"""The kernels of a GPU: which op types have one, where their inputs lie, and the kernels that differ from the CPU's.

A pure kernel computes with the array module that it is given, so most kernels of the op tables are the GPU's as well. This
table names the others: `OVERRIDES` has another kernel of the same signature, and `ON_CPU` lists, by reason, the types that have
no kernel for a GPU: their nodes are placed on the CPU. `HOST_INPUTS` are read on the host, as TF keeps them there: shapes,
axes, sizes. `READS` are kernels that read a few numbers back, for which the host waits. Of the kernels with state, those in
`STATEFUL` work where the variable is, those in `RANDOM` draw on the GPU; all others run on the CPU. tests/backends finds a kernel
that this table does not tell the truth about. `formula_of` gives a kernel that computes number by number, so that a group of such
nodes becomes one kernel (runtime/devices/elementwise_groups.py). No state.

Differs from the CPU's kernels, as TF's do: an index outside of its range is no error: it reads 0, and its update is dropped; a
label outside of its range gives a loss of NaN. The largest and smallest of a segment with NaN, and the integer of a number that
is too large for it, may differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ..backends.ufunc_at import combine_at
from ..base import dtypes, shapes
from ..graph.nodes import Operation
from ..op.define import broadcast_shape
from ..op.definition import OpDef
from ..op.shape_checks import axes_of, axis_at, invalid
from . import random
from .array import sizes_to_fill
from .counting import check_weights, number_of_bins
from .math import sign
from .nn import check_classes

# Tensors of these kinds of NumPy dtypes can lie in a GPU's memory.
KINDS: Final = frozenset("fcbiu")
# A node whose inputs are all of this dtype computes on the host, as TF's kernels for it do: counters, shapes, loop conditions.
HOST_DTYPE: Final = np.dtype(np.int32)

_HOST: Final = {
    "begin size": "Slice",
    "begin end strides": "StridedSlice",
    "shape begin end strides": "StridedSliceGrad",
    "shape": "Reshape BroadcastTo RandomUniform RandomStandardNormal TruncatedNormal",
    "shape minval maxval": "RandomUniformInt",
    "shape seed": "StatelessRandomUniform StatelessRandomNormal StatelessTruncatedNormal",
    "shape seed minval maxval": "StatelessRandomUniformInt",
    "axis": "GatherV2 ReverseV2 Cumsum Cumprod ConcatV2",
    "concat_dim": "Concat",
    "dim": "ExpandDims",
    "dimension": "ArgMax ArgMin",
    "multiples": "Tile",
    "perm": "Transpose ConjugateTranspose",
    "reduction_indices": "All Any EuclideanNorm Max Mean Min Prod Sum",
    "split_dim": "Split",
    "size_splits split_dim": "SplitV",
    "paddings": "Pad MirrorPad MirrorPadGrad SpaceToBatch",
    "paddings constant_values": "PadV2",
    "block_shape paddings": "SpaceToBatchND",
    "block_shape crops": "BatchToSpaceND",
    "crops": "BatchToSpace",
    "dims": "Fill",
    "depth": "OneHot",
    "num_segments": "UnsortedSegmentSum UnsortedSegmentMax UnsortedSegmentMin",
    "num_lower num_upper": "MatrixBandPart",
    "fft_length": "RFFT RFFT2D RFFT3D IRFFT IRFFT2D IRFFT3D",
    "n": "NthElement",
    "shift axis": "Roll",
    "size": "Bincount ResizeArea ResizeBicubic ResizeBilinear ResizeNearestNeighbor ResizeNearestNeighborGrad",
    "contrast_factor": "AdjustContrastv2",
    "value_range nbins": "HistogramFixedWidth",
    "scale": "AdjustSaturation",
    "delta": "AdjustHue",
    "seq_len_max": "BlockLSTM BlockLSTMGrad",
    "seq_lengths": "ReverseSequence",
    "filter_sizes": "Conv2DBackpropFilter Conv3DBackpropFilterV2 DepthwiseConv2dNativeBackpropFilter",
    "input_sizes": "Conv2DBackpropInput Conv3DBackpropInputV2 DepthwiseConv2dNativeBackpropInput",
    "orig_input_shape": "AvgPoolGrad AvgPool3DGrad",
    "ksize strides": "MaxPoolV2 MaxPoolGradV2 MaxPoolGradGradV2",
}
HOST_INPUTS: Final = {type: frozenset(inputs.split()) for inputs, types in _HOST.items() for type in types.split()}

_READS = """
    CheckNumerics Pow FloorDiv FloorMod TruncateDiv TruncateMod RealDiv Reciprocal MatrixTriangularSolve Select
"""
READS: Final = frozenset(_READS.split())

ON_CPU: Final = {
    "the result is a shape or a position, of a few numbers": (
        "BroadcastArgs BroadcastGradientArgs ConcatOffset InvertPermutation ListDiff Range LinSpace UnravelIndex LowerBound "
        "UpperBound Unique UniqueV2 UniqueWithCounts UniqueWithCountsV2 Where Bucketize"
    ),
    "the size of the result depends on the values": (
        "DynamicPartition DynamicStitch ParallelDynamicStitch SegmentSum SegmentMean SegmentProd SegmentMax SegmentMin "
        "RaggedGather RaggedRange RaggedTensorToSparse RaggedTensorToTensor CTCLoss CTCGreedyDecoder CTCBeamSearchDecoder "
        "NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionV3 NonMaxSuppressionV4 NonMaxSuppressionV5 "
        "NonMaxSuppressionWithOverlaps CombinedNonMaxSuppression ComputeAccidentalHits EditDistance SetSize "
        "DenseToDenseSetOperation DenseToSparseSetOperation SparseToSparseSetOperation"
    ),
    "a sparse tensor is worked on index by index": (
        "SparseAdd SparseAddGrad SparseConcat SparseCross SparseDenseCwiseAdd SparseDenseCwiseDiv SparseDenseCwiseMul "
        "SparseFeatureCross SparseFeatureCrossV2 "
        "SparseFillEmptyRows SparseFillEmptyRowsGrad SparseReduceMax SparseReduceMaxSparse SparseReduceSum "
        "SparseReduceSumSparse SparseReorder SparseReshape SparseSlice SparseSliceGrad SparseSoftmax SparseSparseMaximum "
        "SparseSparseMinimum SparseSplit SparseTensorDenseAdd SparseTensorDenseMatMul SparseToDense SparseSegmentSum "
        "SparseSegmentMean SparseSegmentSqrtN SparseSegmentMeanGrad SparseSegmentSqrtNGrad SparseSegmentSumWithNumSegments "
        "SparseSegmentMeanWithNumSegments SparseSegmentSqrtNWithNumSegments SerializeManySparse DeserializeManySparse "
        "DeserializeSparse SerializeSparse"
    ),
    "a special function is computed number by number": (
        "BesselI0e BesselI1e Betainc Digamma Erf Erfc Igamma IgammaGradA Igammac Lgamma Polygamma RandomGammaGrad Zeta"
    ),
    "random numbers are drawn by the generator of the host": (
        "StatelessRandomUniformFullInt StatelessMultinomial"
    ),
    "CuPy has no such decomposition of a matrix, takes no stack of them, or does not say that one is singular": (
        "MatrixInverse MatrixSolve Lu MatrixLogarithm MatrixSquareRoot MatrixSolveLs SelfAdjointEigV2 Svd Qr TridiagonalSolve "
        "TridiagonalMatMul MatrixDeterminant LogMatrixDeterminant Cholesky"
    ),
    "the kernel computes pixel by pixel, or with tables of the host": (
        "CropAndResize CropAndResizeGradImage CropAndResizeGradBoxes DrawBoundingBoxes DrawBoundingBoxesV2 ScaleAndTranslate "
        "ScaleAndTranslateGrad ResizeBilinearGrad ResizeBicubicGrad FractionalAvgPoolGrad FractionalMaxPoolGrad "
        "MaxPoolWithArgmax MaxPoolGradWithArgmax MaxPoolGradGradWithArgmax GatherTree UnicodeScript"
    ),
    "no kernel of a GPU is written yet": (
        "InTopK InTopKV2 TopKV2 CumulativeLogsumexp UnsortedSegmentProd MatrixDiagV2 MatrixDiagPartV2 MatrixSetDiagV2 "
        "TensorScatterAdd TensorScatterSub TensorScatterUpdate ScatterNd ScatterNdNonAliasingAdd MatrixSetDiag Bitcast "
        "AudioSpectrogram Mfcc NearestNeighbors KmeansPlusPlusInitialization KMC2ChainInitialization QuantizeV2 Dequantize "
        "QuantizeAndDequantizeV2 QuantizedConv2D QuantizedMaxPool QuantizedAvgPool QuantizedReluX QuantizedConcat"
    ),
}  # fmt: skip
_ON_CPU: Final = {type: reason for reason, types in ON_CPU.items() for type in types.split()}

# Types with a kernel for GPUs in TF 1.15 and none here: a node of theirs may be placed on a GPU, as programs ask, and a real one
# leaves its computation to the host. Those in `_ON_HOST_IN_TF` TF's kernel computes on the host, too.
_IN_TF = """
    Where Bucketize DynamicPartition DynamicStitch ParallelDynamicStitch SegmentSum NonMaxSuppressionV2 NonMaxSuppressionV3
    NonMaxSuppressionV4 SparseTensorDenseMatMul BesselI0e BesselI1e Betainc Digamma Erf Erfc Igamma IgammaGradA Igammac
    Lgamma Polygamma Zeta StatelessMultinomial MatrixInverse MatrixSolve Lu SelfAdjointEigV2 Svd Qr TridiagonalSolve
    TridiagonalMatMul MatrixDeterminant LogMatrixDeterminant Cholesky CropAndResize CropAndResizeGradImage
    CropAndResizeGradBoxes ResizeBilinearGrad MaxPoolWithArgmax MaxPoolGradWithArgmax MaxPoolGradGradWithArgmax GatherTree
    InTopK InTopKV2 TopKV2 UnsortedSegmentProd MatrixDiagV2 MatrixDiagPartV2 MatrixSetDiagV2 TensorScatterAdd
    TensorScatterSub TensorScatterUpdate ScatterNd ScatterNdNonAliasingAdd MatrixSetDiag Bitcast
    ParameterizedTruncatedNormal Multinomial ScatterAdd ScatterDiv ScatterMax ScatterMin ScatterMul ScatterNdAdd
    ScatterNdSub ScatterNdUpdate ScatterSub ScatterUpdate ResourceScatterAdd ResourceScatterDiv ResourceScatterMax
    ResourceScatterMin ResourceScatterMul ResourceScatterNdAdd ResourceScatterNdSub ResourceScatterNdUpdate
    ResourceScatterSub ResourceScatterUpdate ResourceGather ResourceGatherNd StridedSliceAssign ResourceStridedSliceAssign
    ApplyAdaMax ResourceApplyAdaMax ResourceApplyKerasMomentum ResourceApplyAdamWithAmsgrad TensorArrayGatherV3
    TensorArrayReadV3 TensorArrayScatterV3 TensorArraySplitV3 TensorArrayWriteV3 TensorArrayConcatV3 StackPopV2 StackPushV2
"""
_ON_HOST_IN_TF = """
    BroadcastArgs BroadcastGradientArgs ConcatOffset InvertPermutation Range LinSpace Assert TensorArrayV3 TensorArraySizeV3
    TensorArrayGradV3 TensorArrayGradWithShape TensorArrayCloseV3 StackV2 StackCloseV2 DestroyResourceOp
"""
IN_TF: Final = frozenset((*_IN_TF.split(), *_ON_HOST_IN_TF.split()))
_HOST_KERNELS: Final = frozenset(_ON_HOST_IN_TF.split())

# What they give is the shape of a tensor, which is known where the tensor is.
OF_SHAPES: Final = frozenset(("Shape", "Size", "Rank"))

# They tell of a tensor or a variable, and give that on the host, as TF's kernels do.
_TELLING: Final = OF_SHAPES | {"ShapeN", "VariableShape", "IsVariableInitialized", "VarIsInitializedOp"}

# These pass values on, or pick one, and never look at them.
_FLOW = """
    Switch RefSwitch Merge RefMerge Enter RefEnter Exit RefExit NextIteration RefNextIteration LoopCond RefSelect
    RefIdentity NoOp ControlTrigger Placeholder Shape ShapeN Size Rank Const _Recv _HostRecv
"""
FLOW: Final = frozenset(_FLOW.split())
# The inputs that those read themselves, on the host.
READ_BY_FLOW: Final = {"Switch": "pred", "RefSwitch": "pred", "LoopCond": "input", "RefSelect": "index"}
_STATEFUL = """
    VariableV2 Variable VarHandleOp IsVariableInitialized VarIsInitializedOp Assign AssignAdd AssignSub ReadVariableOp
    AssignVariableOp AssignAddVariableOp AssignSubVariableOp VariableShape ApplyGradientDescent
    ResourceApplyGradientDescent ApplyMomentum ResourceApplyMomentum ApplyAdam ResourceApplyAdam ApplyAdagrad
    ResourceApplyAdagrad ApplyAdadelta ResourceApplyAdadelta ApplyRMSProp ResourceApplyRMSProp ApplyCenteredRMSProp
    ResourceApplyCenteredRMSProp
"""
STATEFUL: Final = frozenset(_STATEFUL.split())


def why_on_cpu(d: OpDef) -> str | None:
    """Why nodes of this type run on the CPU; None where a GPU has a kernel for it."""
    reason = _ON_CPU.get(d.type)
    if reason is not None:
        return reason
    if d.type in FLOW or d.type in STATEFUL or d.type in RANDOM:
        return None
    if not d.pure:
        return "the kernel has state, or effects outside of the graph"
    dtypes_of_parts = [a.dtype for a in (*d.inputs, *d.outputs) if a.dtype is not None]
    if any(not has_memory(t) for t in dtypes_of_parts):
        return "strings and handles stay on the host"
    return None


def has_memory(dtype: dtypes.DType) -> bool:
    """Whether tensors of the dtype can lie in the memory of a GPU."""
    kind = dtype.base_dtype.numpy
    return kind is not None and np.dtype(kind).kind in KINDS and np.dtype(kind).names is None


def host_inputs(d: OpDef, op: Operation) -> frozenset[int]:
    """The flat inputs of the node that its kernel reads on the host."""
    names = HOST_INPUTS.get(d.type)
    if names is None:
        return frozenset()
    parts = d.group(op, range(len(op.inputs)))
    found = [part for arg, part in zip(d.inputs, parts) if arg.name in names]
    return frozenset([i for part in found for i in (part if isinstance(part, list) else [part])])


def computes_there(d: OpDef, op: Operation) -> bool:
    """Whether the node, which is placed on a GPU, computes there: not where all that it reads and gives are integers of 32
    bits or truth values of them, which TF keeps on the host too.
    """
    if any(not has_memory(t.dtype) for t in (*op.inputs, *op.outputs)):
        return False
    if any(t.dtype.base_dtype.numpy != HOST_DTYPE for t in op.inputs):
        return True
    return any(np.dtype(t.dtype.base_dtype.numpy).kind in "fc" for t in op.outputs)


def may_be_asked_for(d: OpDef) -> bool:
    """Whether a program may place nodes of this type on a GPU, as TF has a kernel there."""
    return d.type in IN_TF or why_on_cpu(d) is None


def has_host_kernel(d: OpDef) -> bool:
    """Whether TF's kernel for GPUs reads and gives only what lies on the host."""
    return d.type in _HOST_KERNELS


def _stays_on_host(dtype: dtypes.DType) -> bool:
    return not has_memory(dtype) or dtype.base_dtype.numpy == HOST_DTYPE


def gives_there(op: Operation, output: int) -> bool:
    """Whether an output of a node on a GPU lies in the memory of the GPU; the others lie in that of the host."""
    d, dtype = op.definition, op.outputs[output].dtype
    if d is None or d.type in _TELLING or _stays_on_host(dtype):
        return False
    if d.type in FLOW:
        return dtype.base_dtype is not dtypes.bool
    return d.type in STATEFUL or (not has_host_kernel(d) and computes_there(d, op))


def reads_there(op: Operation, index: int) -> bool:
    """Whether a node on a GPU reads an input in the memory of the GPU; the others it reads in that of the host."""
    d, dtype = op.definition, op.inputs[index].dtype
    if d is None or _stays_on_host(dtype):
        return False
    if d.type in FLOW:
        return dtype.base_dtype is not dtypes.bool
    if d.type not in STATEFUL and (has_host_kernel(d) or not computes_there(d, op)):
        return False
    return index not in host_inputs(d, op)


# -- kernels ----------------------------------------------------------------------------------------------------------------


def _relu(xp: Any, features: Any, *, out: Any = None) -> Any:
    return xp.maximum(features, features.dtype.type(0))


def _pack(xp: Any, values: Any, *, axis: int = 0) -> Any:
    for i, value in enumerate(values):
        if value.shape != values[0].shape:
            first, other = (shapes.fmt(v.shape).replace(" ", "") for v in (values[0], value))
            raise invalid(f"Shapes of all inputs must match: values[0].shape = {first} != values[{i}].shape = {other}")
    return xp.stack(values, axis)


def _complex(xp: Any, real: Any, imag: Any, *, Tout: Any) -> Any:
    real, imag = xp.broadcast_arrays(real, imag)
    out = xp.empty((*real.shape, 2), real.dtype)
    out[..., 0], out[..., 1] = real, imag
    return out.view(Tout.numpy)[..., 0]


def _fill(xp: Any, dims: Any, value: Any) -> Any:
    sizes = sizes_to_fill(dims, value)
    return xp.broadcast_to(value.reshape(()), tuple(sizes)).copy()


def _taken(xp: Any, params: Any, indices: Any, axis: int) -> Any:
    """The slices at the indices; zeros at an index outside of the axis."""
    length = params.shape[axis]
    shape = (*params.shape[:axis], *indices.shape, *params.shape[axis + 1 :])
    if not length or not indices.size:
        return xp.zeros(shape, params.dtype)
    taken = xp.take(params, xp.clip(indices, 0, length - 1), axis)
    inside = ((indices >= 0) & (indices < length)).reshape(indices.shape + (1,) * (params.ndim - axis - 1))
    return xp.where(inside, taken, params.dtype.type(0))


def _gather(xp: Any, params: Any, indices: Any, *, validate_indices: bool = True) -> Any:
    return _taken(xp, params, indices, 0)


def _gather_v2(xp: Any, params: Any, indices: Any, axis: Any, *, batch_dims: int = 0) -> Any:
    at = axis_at(axis, params.ndim, "Expected axis in the range [-{rank}, {rank}), but got {at}")
    if not batch_dims:
        return _taken(xp, params, indices, at)
    # One long row of all batches: each index moves on by the rows before its batch.
    batch, count, length = params.shape[:batch_dims], int(np.prod(params.shape[:batch_dims])), params.shape[at]
    moved = xp.moveaxis(params, at, batch_dims)
    rows = moved.reshape(count * length, -1)
    inner = indices.reshape(count, -1)
    starts = xp.arange(count).reshape(-1, 1) * length
    inside = (inner >= 0) & (inner < length)
    taken = _taken(xp, rows, xp.where(inside, inner + starts, -1), 0)
    taken = taken.reshape(*batch, *indices.shape[batch_dims:], *moved.shape[batch_dims + 1 :])
    picked = indices.ndim - batch_dims
    first = tuple(range(batch_dims, batch_dims + picked))
    return xp.moveaxis(taken, first, tuple(range(at, at + picked)))


def _places(xp: Any, shape: tuple[int, ...], indices: Any) -> tuple[Any, Any]:
    """For coordinates [i..., k] their places in an array [d...] as rows of its first k axes, and which of them are inside."""
    depth = indices.shape[-1]
    place = xp.zeros(indices.shape[:-1], np.int64)
    inside = xp.ones(indices.shape[:-1], np.bool_)
    for axis in range(depth):
        at = indices[..., axis].astype(np.int64)
        inside &= (at >= 0) & (at < shape[axis])
        place = place * shape[axis] + at
    return place, inside


def _gather_nd(xp: Any, params: Any, indices: Any) -> Any:
    depth = indices.shape[-1]
    place, inside = _places(xp, params.shape, indices)
    rows = params.reshape(int(np.prod(params.shape[:depth])), *params.shape[depth:])
    return _taken(xp, rows, xp.where(inside, place, -1), 0)


def _added(xp: Any, function: str, table: Any, places: Any, inside: Any, rows: Any) -> Any:
    """The table [n, ...] with the rows [m, ...] combined into its places [m]; those outside go to a row that is cut off."""
    count = table.shape[0]
    longer = xp.concatenate([table, table[:1] if count else xp.zeros((1, *table.shape[1:]), table.dtype)])
    target = xp.where(inside, places, count).reshape(-1)
    combine_at(xp, function, longer, target, rows)
    return longer[:count]


def _unsorted(function: str, start: Callable[[Any], Any]) -> Callable[..., Any]:
    def kernel(xp: Any, data: Any, segment_ids: Any, num_segments: Any) -> Any:
        count, rest = int(num_segments), data.shape[segment_ids.ndim :]
        ids = segment_ids.reshape(-1)
        table = xp.full((count, *rest), start(data.dtype), data.dtype)
        return _added(xp, function, table, ids, (ids >= 0) & (ids < count), data.reshape(ids.size, *rest))

    return kernel


def _one_hot(xp: Any, indices: Any, depth: Any, on_value: Any, off_value: Any, *, axis: int = -1) -> Any:
    places = xp.expand_dims(indices, axis)
    counter = xp.arange(int(depth)).reshape([-1 if i == axis % places.ndim else 1 for i in range(places.ndim)])
    return xp.where(places == counter, on_value, off_value)


def _sparse_softmax(xp: Any, features: Any, labels: Any) -> tuple[Any, Any]:
    check_classes(features, labels)
    count = features.shape[1]
    shifted = features - features.max(axis=-1, keepdims=True)
    powers = xp.exp(shifted)
    sums = powers.sum(axis=-1, keepdims=True)
    named = labels[:, None] == xp.arange(count)
    chosen = xp.where(named, shifted, features.dtype.type(0)).sum(axis=-1)
    inside = (labels >= 0) & (labels < count)
    nan = features.dtype.type(np.nan)
    loss = xp.where(inside, xp.log(sums)[:, 0] - chosen, nan)
    return loss, xp.where(inside[:, None], powers / sums - named.astype(features.dtype), nan)


def _bincount(xp: Any, arr: Any, size: Any, weights: Any) -> Any:
    """Counts, or sums of weights; a number that is no place in the result counts for nothing."""
    count, places = number_of_bins(size), arr.reshape(-1)
    check_weights(arr, weights)
    rows = weights.reshape(-1) if weights.size else xp.ones(places.shape, weights.dtype)
    return _added(xp, "add", xp.zeros(count, weights.dtype), places, (places >= 0) & (places < count), rows)


def _sign(xp: Any, x: Any) -> Any:
    """Before version 14 CuPy's sign of NaN is 0."""
    return xp.where(x == x, xp.sign(x), x) if x.dtype.kind == "f" else sign.definition.kernel(xp, x)


def _population_count(xp: Any, x: Any) -> Any:
    """CuPy has no `bitwise_count` before version 14. Pairs of bits are counted first, then fours, eights and so on."""
    bits = x.view(f"u{x.dtype.itemsize}")
    width, number = 8 * bits.dtype.itemsize, bits.dtype.type
    for size in (1, 2, 4, 8, 16, 32)[: width.bit_length() - 1]:
        # Ones in the lower half of each 2 * size bits.
        lower = number(((1 << width) - 1) // ((1 << 2 * size) - 1) * ((1 << size) - 1))
        bits = (bits & lower) + ((bits >> number(size)) & lower)
    return bits.astype(np.uint8)


OVERRIDES: Final[dict[str, Callable[..., Any]]] = {
    "Relu": _relu,
    "Bincount": _bincount,
    "Pack": _pack,
    "Complex": _complex,
    "Fill": _fill,
    "Gather": _gather,
    "GatherV2": _gather_v2,
    "GatherNd": _gather_nd,
    "OneHot": _one_hot,
    "PopulationCount": _population_count,
    "Sign": _sign,
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_softmax,
    "UnsortedSegmentSum": _unsorted("add", lambda dtype: 0),
    "UnsortedSegmentMax": _unsorted("maximum", lambda dtype: dtypes.as_dtype(dtype).min),
    "UnsortedSegmentMin": _unsorted("minimum", lambda dtype: dtypes.as_dtype(dtype).max),
}


def kernel_of(d: OpDef) -> Callable[..., Any]:
    """The kernel that computes nodes of this type on a GPU."""
    return OVERRIDES.get(d.type, d.kernel)


# -- random numbers ---------------------------------------------------------------------------------------------------------


def _filled(draw: str) -> Callable[[Any], Callable[..., Any]]:
    def bound(draws: Any) -> Callable[..., Any]:
        return lambda run, shape, *, seed, seed2, dtype: random.filled(run, getattr(draws, draw), shape, seed, seed2, dtype)

    return bound


def _stateless(draw: str) -> Callable[[Any], Callable[..., Any]]:
    def bound(draws: Any) -> Callable[..., Any]:
        return lambda xp, shape, seed, *, dtype: random.stateless(getattr(draws, draw), shape, seed, dtype)

    return bound


# Type -> its kernel, given the functions that draw: `GpuDraws` of backends/cuda_philox.py. All inputs are read on the host.
RANDOM: Final[dict[str, Callable[[Any], Callable[..., Any]]]] = {
    "RandomUniform": _filled("uniform"),
    "RandomStandardNormal": _filled("standard_normal"),
    "TruncatedNormal": _filled("truncated_normal"),
    "RandomUniformInt": lambda draws: lambda run, shape, low, high, *, seed, seed2: random.integers(
        run, draws.uniform_int, shape, low, high, seed, seed2
    ),
    "StatelessRandomUniform": _stateless("uniform"),
    "StatelessRandomNormal": _stateless("standard_normal"),
    "StatelessTruncatedNormal": _stateless("truncated_normal"),
    "StatelessRandomUniformInt": lambda draws: lambda xp, shape, seed, low, high: random.stateless_integers(
        draws.uniform_int, shape, seed, low, high
    ),
}


# -- rows -------------------------------------------------------------------------------------------------------------------


def _of_logits(function: str) -> Callable[[Any, Callable[..., Any]], Callable[..., Any]]:
    def bound(rows: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
        return lambda xp, logits: getattr(rows, function)(logits) if rows.takes(logits) else otherwise(xp, logits)

    return bound


def _costs(function: str, label_axes: int) -> Callable[[Any, Callable[..., Any]], Callable[..., Any]]:
    def bound(rows: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
        def kernel(xp: Any, features: Any, labels: Any) -> Any:
            is_plain = rows.takes(features) and features.ndim == 2 and labels.shape == features.shape[:label_axes]
            return getattr(rows, function)(features, labels) if is_plain else otherwise(xp, features, labels)

        return kernel

    return bound


# Type -> its kernel, given the functions of rows, `RowKernels` of backends/row_kernels.py, and the kernel for all other inputs.
ROWS: Final[dict[str, Callable[[Any, Callable[..., Any]], Callable[..., Any]]]] = {
    "Softmax": _of_logits("softmax"),
    "LogSoftmax": _of_logits("log_softmax"),
    "SoftmaxCrossEntropyWithLogits": _costs("cross_entropy", 2),
    "SparseSoftmaxCrossEntropyWithLogits": _costs("sparse_cross_entropy", 1),
}


# -- reductions ---------------------------------------------------------------------------------------------------------------


def _over_axes(function: str) -> Callable[[Any, Callable[..., Any]], Callable[..., Any]]:
    def bound(reductions: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
        def kernel(xp: Any, input: Any, reduction_indices: Any, *, keep_dims: bool) -> Any:
            if not reductions.takes(input):
                return otherwise(xp, input, reduction_indices, keep_dims=keep_dims)
            return getattr(reductions, function)(input, axes_of(reduction_indices, input.ndim), keep_dims)

        return kernel

    return bound


def _half_of_squares(reductions: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    return lambda xp, t: reductions.half_of_squares(t) if reductions.takes(t) else otherwise(xp, t)


# Type -> its kernel, given the functions of `Reductions` of backends/gpu_reductions.py, and the kernel for all other inputs.
REDUCTIONS: Final[dict[str, Callable[[Any, Callable[..., Any]], Callable[..., Any]]]] = {
    "EuclideanNorm": _over_axes("norm"),
    "L2Loss": _half_of_squares,
    "Mean": _over_axes("mean"),
}


# -- formulas of single numbers ---------------------------------------------------------------------------------------------

# Which shapes the inputs of an elementwise node may have.
ALIKE, BESIDE_SCALARS, BROADCAST = "alike", "beside scalars", "broadcast"


class Formula(NamedTuple):
    """A kernel that works number by number, so that a group of nodes can be one kernel; shapes: one of the three above."""

    kernel: Callable[..., Any]
    shapes: str

    def fits(self, inputs: Sequence[tuple[int, ...]], output: Any) -> bool:
        """Whether a node with inputs of these shapes computes its output, of this shape, number by number."""
        if self.shapes == ALIKE:
            return all(shape == output for shape in inputs)
        if self.shapes == BESIDE_SCALARS:
            return inputs[0] == output and all(shape in ((), output) for shape in inputs)
        try:
            return bool(np.broadcast_shapes(*inputs) == output)
        except ValueError:
            return False


def _sum_of_all(xp: Any, inputs: Any) -> Any:
    total, *others = inputs
    for value in others:
        total = total + value
    return total


def _with_bias(xp: Any, value: Any, bias: Any, *, data_format: Any) -> Any:
    return value + bias if data_format in ("NHWC", b"NHWC") else None


# Kernels that look at shapes, but compute number by number.
FORMULAS: Final = {
    "AddN": Formula(_sum_of_all, ALIKE),
    "BiasAdd": Formula(_with_bias, BROADCAST),
    "ClipByValue": Formula(lambda xp, t, low, high: xp.maximum(xp.minimum(t, high), low), BESIDE_SCALARS),
    "Equal": Formula(lambda xp, x, y, *, incompatible_shape_error: xp.equal(x, y), BROADCAST),
    "NotEqual": Formula(lambda xp, x, y, *, incompatible_shape_error: xp.not_equal(x, y), BROADCAST),
    "OnesLike": Formula(lambda xp, x: x.dtype.type(1), ALIKE),
    "Select": Formula(lambda xp, condition, t, e: xp.where(condition, t, e), ALIKE),
    "ZerosLike": Formula(lambda xp, x: x.dtype.type(0), ALIKE),
}


def formula_of(d: OpDef) -> Formula | None:
    """The kernel of this type as a formula of single numbers, if it has the form of one: `Code` of backends/scalar_code.py
    finds out whether it is one. None for a type that is surely none.
    """
    if d.type in FORMULAS:
        return FORMULAS[d.type]
    if not (d.pure and d.simple and d.fresh) or d.type in HOST_INPUTS or d.type in FLOW or why_on_cpu(d) is not None:
        return None
    return Formula(kernel_of(d), BROADCAST if d.shape_rule is broadcast_shape else ALIKE)


__all__ = [
    "FLOW", "FORMULAS", "HOST_DTYPE", "HOST_INPUTS", "IN_TF", "KINDS", "OF_SHAPES", "ON_CPU", "OVERRIDES", "RANDOM", "READS",
    "READ_BY_FLOW", "REDUCTIONS", "ROWS", "STATEFUL", "Formula", "computes_there", "formula_of", "gives_there", "has_host_kernel",
    "has_memory", "host_inputs", "kernel_of", "may_be_asked_for", "reads_there", "why_on_cpu",
]  # fmt: skip
