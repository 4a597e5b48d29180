"""TensorFlow's messages (`GraphDef`, `NodeDef`, `TensorProto`, …) by its public field numbers, as classes of protobuf.

    from tfedu.engine.base import proto
    proto.GraphDef.FromString(data)

The sources are the .proto files beside this one; their package is `tfedu`, so that an installed TensorFlow does not clash.
`tools/proto.py` compiles them to `messages.binpb`. Imported on first use only: the rest of tfedu runs without protobuf.
No state: the classes are made once.
"""

from __future__ import annotations

import pathlib
from typing import Any

try:
    # one of our messages holds it
    from google.protobuf import any_pb2 as _any  # type: ignore[import-untyped]
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
    from google.protobuf.internal import enum_type_wrapper as _enum_wrapper  # type: ignore[import-untyped]
    from google.protobuf.message import DecodeError, EncodeError, Message  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError(
        "GraphDef, NodeDef and the other messages need the package protobuf, which is not installed here.\n"
        "  fix: pip install protobuf"
    ) from error

_POOL = descriptor_pool.Default()
_files = descriptor_pb2.FileDescriptorSet.FromString((pathlib.Path(__file__).parent / "messages.binpb").read_bytes())
# A file comes after those that it imports.
_waiting = list(_files.file)
_known = {_any.DESCRIPTOR.name}
while _waiting:
    _file = next(f for f in _waiting if _known.issuperset(f.dependency))
    _POOL.AddSerializedFile(_file.SerializeToString())
    _known.add(_file.name)
    _waiting.remove(_file)


def _message(name: str) -> Any:
    made: Any = message_factory.GetMessageClass(_POOL.FindMessageTypeByName(f"tfedu.{name}"))
    made.__module__ = __name__
    return made


AnyMessage = _any.Any
AllocationDescription = _message("AllocationDescription")
AllocationRecord = _message("AllocationRecord")
AllocatorMemoryUsed = _message("AllocatorMemoryUsed")
AssetFileDef = _message("AssetFileDef")
AttrValue = _message("AttrValue")
BundleEntryProto = _message("BundleEntryProto")
BundleHeaderProto = _message("BundleHeaderProto")
BytesList = _message("BytesList")
CheckpointState = _message("CheckpointState")
CollectionDef = _message("CollectionDef")
CondContextDef = _message("CondContextDef")
ControlFlowContextDef = _message("ControlFlowContextDef")
CostGraphDef = _message("CostGraphDef")
DeviceStepStats = _message("DeviceStepStats")
EmbeddingInfo = _message("EmbeddingInfo")
Event = _message("Event")
Example = _message("Example")
Feature = _message("Feature")
FeatureList = _message("FeatureList")
FeatureLists = _message("FeatureLists")
Features = _message("Features")
FloatList = _message("FloatList")
FunctionDef = _message("FunctionDef")
FunctionDefLibrary = _message("FunctionDefLibrary")
GradientDef = _message("GradientDef")
GraphDef = _message("GraphDef")
HParamDef = _message("HParamDef")
HistogramProto = _message("HistogramProto")
Int64List = _message("Int64List")
LogMessage = _message("LogMessage")
MemoryStats = _message("MemoryStats")
MetaGraphDef = _message("MetaGraphDef")
NameAttrList = _message("NameAttrList")
NodeDef = _message("NodeDef")
NodeExecStats = _message("NodeExecStats")
NodeOutput = _message("NodeOutput")
OpDef = _message("OpDef")
OpList = _message("OpList")
ProjectorConfig = _message("ProjectorConfig")
QueueRunnerDef = _message("QueueRunnerDef")
ReaderBaseState = _message("ReaderBaseState")
ResourceHandleProto = _message("ResourceHandleProto")
RunMetadata = _message("RunMetadata")
SaveSliceInfoDef = _message("SaveSliceInfoDef")
SavedModel = _message("SavedModel")
SavedTensorSlices = _message("SavedTensorSlices")
SaverDef = _message("SaverDef")
SequenceExample = _message("SequenceExample")
SessionLog = _message("SessionLog")
SignatureDef = _message("SignatureDef")
SourceMetadata = _message("SourceMetadata")
SpriteMetadata = _message("SpriteMetadata")
StepStats = _message("StepStats")
Summary = _message("Summary")
SummaryDescription = _message("SummaryDescription")
SummaryMetadata = _message("SummaryMetadata")
TaggedRunMetadata = _message("TaggedRunMetadata")
TensorDescription = _message("TensorDescription")
TensorInfo = _message("TensorInfo")
TensorProto = _message("TensorProto")
TensorShapeProto = _message("TensorShapeProto")
TensorSliceProto = _message("TensorSliceProto")
TrackableObjectGraph = _message("TrackableObjectGraph")
ValuesDef = _message("ValuesDef")
VariableDef = _message("VariableDef")
VariantTensorDataProto = _message("VariantTensorDataProto")
VersionDef = _message("VersionDef")
WhileContextDef = _message("WhileContextDef")



def from_json(text: str | bytes, message: Any) -> Any:
    """Fills the message from its JSON form, and gives it.

    Raises: ValueError for text that is no such form, nests too deeply, or is not UTF-8.
    """
    from google.protobuf import json_format

    try:
        return json_format.Parse(text, message, max_recursion_depth=50)
    except (json_format.ParseError, RecursionError) as error:
        raise ValueError(str(error)) from error


def to_json(message: Any) -> str:
    """The JSON text of a protobuf message. Its keys are the fields' names in the .proto file, such as `node_def`."""
    from google.protobuf import json_format

    text: str = json_format.MessageToJson(message, preserving_proto_field_name=True)
    return text


# which field of a TensorProto holds a dtype's values
VALUE_FIELDS: dict[str, str] = {
    "float32": "float_val", "float64": "double_val", "int32": "int_val", "uint8": "int_val", "int16": "int_val",
    "int8": "int_val", "uint16": "int_val", "qint8": "int_val", "quint8": "int_val", "qint32": "int_val",
    "qint16": "int_val", "quint16": "int_val", "string": "string_val", "complex64": "scomplex_val",
    "complex128": "dcomplex_val", "int64": "int64_val", "bool": "bool_val", "bfloat16": "half_val",
    "float16": "half_val", "uint32": "uint32_val", "uint64": "uint64_val", "resource": "resource_handle_val",
    "variant": "variant_val",
}  # fmt: skip

DataType = _enum_wrapper.EnumTypeWrapper(_POOL.FindEnumTypeByName("tfedu.DataType"))
DATA_TYPES: dict[int, str] = {number: name for name, number in DataType.items()}
"""DT_FLOAT, … by number."""
# Programs write them as names of the module: types_pb2.DT_FLOAT.
globals().update(DataType.items())

__all__ = [
    "DATA_TYPES", "VALUE_FIELDS", "AllocationDescription", "AllocationRecord", "AllocatorMemoryUsed", "AnyMessage",
    "AssetFileDef", "AttrValue", "BundleEntryProto", "BundleHeaderProto", "BytesList", "CheckpointState",
    "CollectionDef", "CondContextDef", "ControlFlowContextDef", "CostGraphDef", "DataType", "DecodeError",
    "DeviceStepStats", "EmbeddingInfo", "EncodeError", "Event", "Example", "Feature", "FeatureList",
    "FeatureLists", "Features", "FloatList", "FunctionDef", "FunctionDefLibrary", "GradientDef", "GraphDef",
    "HParamDef", "HistogramProto", "Int64List", "LogMessage", "MemoryStats", "Message", "MetaGraphDef",
    "NameAttrList", "NodeDef", "NodeExecStats", "NodeOutput", "OpDef", "OpList", "ProjectorConfig",
    "QueueRunnerDef", "ReaderBaseState", "ResourceHandleProto", "RunMetadata", "SaveSliceInfoDef",
    "SavedModel", "SavedTensorSlices", "SaverDef", "SequenceExample", "SessionLog", "SignatureDef", "SourceMetadata",
    "SpriteMetadata", "StepStats", "Summary", "SummaryDescription", "SummaryMetadata", "TaggedRunMetadata",
    "TensorDescription", "TensorInfo", "TensorProto", "TensorShapeProto", "TensorSliceProto",
    "TrackableObjectGraph", "ValuesDef", "VariableDef", "VariantTensorDataProto", "VersionDef", "WhileContextDef",
    "descriptor_pb2", "descriptor_pool", "message_factory", "text_format",
]  # fmt: skip
