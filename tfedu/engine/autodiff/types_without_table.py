"""Op types that TF declares not differentiable and that no op table describes yet: a GraphDef may hold nodes of them.

A table that describes one of them declares the reason with the op (`not_differentiable=`), and the type goes from here.
"""

from __future__ import annotations

from typing import Final

from ..op import gradient_rules as reasons

REASONS: Final = {
    reasons.SUMMARY: "AudioSummary",
    reasons.FILES: """
        FixedLengthRecordReader IdentityReader LMDBReader TFRecordReader TextLineReader WholeFileReader ReaderNumRecordsProduced
        ReaderNumWorkUnitsCompleted ReaderRead ReaderReadUpTo ReaderReset ReaderRestoreState ReaderSerializeState
        GenerateVocabRemapping LoadAndRemapMatrix
    """,
    reasons.CONTENT: """
        HashTable InitializeTable InitializeTableFromTextFile LookupTableFind LookupTableInsert LookupTableSize
        MutableDenseHashTable MutableHashTable MutableHashTableOfTensors
        Stack StackClose StackPop StackPush TensorArray TensorArrayClose TensorArrayCloseV2 TensorArrayGrad TensorArrayGradV2
        TensorArraySize TensorArraySizeV2 TensorArrayV2 TensorListConcatLists TensorListElementShape TensorListLength
        TensorListPushBackBatch
    """,
    reasons.CHOICE: "RandomCrop",
}

REASON_OF: Final = {op_type: reason for reason, types in REASONS.items() for op_type in types.split()}

__all__ = ["REASONS", "REASON_OF"]
