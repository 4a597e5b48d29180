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
        StringToHashBucket StringToHashBucketFast StringToHashBucketStrong StringToNumber DecodeProtoV2 EncodeProto ParseTensor
        SerializeTensor
    """,
    "its output is drawn at random": """
        Multinomial ParameterizedTruncatedNormal RandomStandardNormal RandomUniform TruncatedNormal StatelessMultinomial
        StatelessRandomNormal StatelessRandomUniform StatelessRandomUniformInt
        StatelessTruncatedNormal
    """,
    "it changes a variable, which is no function of its inputs": """
        Assign AssignAdd AssignSub ScatterAdd ScatterSub ScatterMul ScatterDiv ScatterNdAdd ScatterNdSub ScatterNdUpdate
    """,
    "it has an effect beside the graph, or its output comes from there": """
        Assert Timestamp PyFunc PyFuncStateless GetSessionHandle GetSessionHandleV2 GetSessionTensor DeleteSessionTensor
    """,
    "its output is a summary, for looking at": """
        AudioSummary AudioSummaryV2 HistogramSummary ImageSummary MergeSummary ScalarSummary TensorSummary TensorSummaryV2
    """,
    "it reads from files": """
        FixedLengthRecordReader IdentityReader LMDBReader TFRecordReader TextLineReader WholeFileReader ReaderNumRecordsProduced
        ReaderNumWorkUnitsCompleted ReaderRead ReaderReadUpTo ReaderReset ReaderRestoreState ReaderSerializeState
        GenerateVocabRemapping LoadAndRemapMatrix
    """,
    "it keeps its content in a table, a queue, a stack or a list, and says nothing of numbers": """
        HashTable HashTableV2 InitializeTable InitializeTableFromTextFile InitializeTableFromTextFileV2 InitializeTableV2
        LookupTableFind LookupTableFindV2 LookupTableInsert LookupTableInsertV2 LookupTableSize LookupTableSizeV2
        MutableDenseHashTable MutableDenseHashTableV2 MutableHashTable MutableHashTableOfTensors MutableHashTableOfTensorsV2
        MutableHashTableV2 QueueClose QueueDequeue QueueDequeueMany QueueDequeueUpTo QueueEnqueue QueueEnqueueMany QueueSize
        Stack StackClose StackPop StackPush TensorArray TensorArrayClose TensorArrayCloseV2 TensorArrayCloseV3 TensorArrayGrad
        TensorArrayGradV2 TensorArrayGradV3 TensorArrayGradWithShape TensorArraySize TensorArraySizeV2 TensorArraySizeV3
        TensorArrayV2 TensorArrayV3 TensorListConcatLists TensorListElementShape TensorListLength TensorListPushBackBatch
    """,
    "its output is a choice, which does not move with small changes": """
        CTCBeamSearchDecoder CTCGreedyDecoder NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionWithOverlaps
        SampleDistortedBoundingBox SampleDistortedBoundingBoxV2 RandomCrop
    """,
    "TensorFlow gives it no gradient, though it has one": """
        EuclideanNorm SparseConcat SparseAddGrad DrawBoundingBoxes ExtractGlimpse HSVToRGB ReduceDataset
    """,
}

for _reason, _types in REASONS.items():
    for _type in _types.split():
        declare(_type, Undifferentiable(_reason))
