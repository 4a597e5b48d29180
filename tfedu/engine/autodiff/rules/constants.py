"""Op types that pass no gradient on, each with its reason. A program that asks for a gradient through one gets None, as in TF."""

from __future__ import annotations

from typing import Final

from ..registry import Undifferentiable, declare

REASONS: Final = {
    "its output does not change with what it is computed from": """
        Shape ShapeN Size Rank ZerosLike OnesLike Const VariableShape VarIsInitializedOp
    """,
    "it is there to keep the gradient away": "StopGradient",
    "its output is true or false": """
        Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr LogicalNot Equal NotEqual ApproximateEqual
    """,
    "it works on whole numbers": """
        Range LinSpace InvertPermutation BroadcastGradientArgs ConcatOffset OneHot BitwiseAnd BitwiseOr
        BitwiseXor Invert LeftShift RightShift PopulationCount EditDistance SetSize
        DenseToDenseSetOperation DenseToSparseSetOperation SparseToSparseSetOperation
    """,
    "it works on strings": """
        AsString DecodeBase64 DecodePaddedRaw DecodeRaw EncodeBase64 ReduceJoin RegexReplace StringJoin StringSplit
        StringToHashBucket StringToHashBucketFast StringToHashBucketStrong StringToNumber
    """,
    "its output is drawn at random": """
        Multinomial RandomStandardNormal RandomUniform TruncatedNormal StatelessMultinomial
        StatelessRandomNormal StatelessRandomUniform StatelessRandomUniformInt
        StatelessTruncatedNormal
    """,
    "it changes a variable, which is no function of its inputs": """
        Assign AssignAdd AssignSub ScatterAdd ScatterSub ScatterMul ScatterDiv ScatterNdAdd ScatterNdSub ScatterNdUpdate
    """,
    "it has an effect beside the graph, or its output comes from there": """
        Assert Timestamp PyFunc PyFuncStateless GetSessionHandle GetSessionHandleV2 GetSessionTensor DeleteSessionTensor
    """,
    "TensorFlow gives it no gradient, though it has one": "EuclideanNorm SparseConcat SparseAddGrad",
}

for _reason, _types in REASONS.items():
    for _type in _types.split():
        declare(_type, Undifferentiable(_reason))
