"""Signatures of saved models: which tensors a caller feeds, which it fetches, and by which names.

    signature = predict_signature_def(inputs={"x": x}, outputs={"y": y})
    x = get_tensor_from_tensor_info(signature.inputs["x"])

No state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base import dtypes, proto
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.default_graph import get_default_graph
from ...graph.graph import Graph
from ...interop.scope_names import prepended
from ...interop.tensor_messages import as_proto
from ...op.composites import SparseTensor
from . import saved_model_names as names


def build_tensor_info(tensor: Any) -> Any:
    """The name, dtype and static shape of a Tensor or SparseTensor, as TensorInfo.

    Raises: AttributeError for a value that is no tensor, as TF does.
    """
    message = proto.TensorInfo(dtype=dtypes.as_dtype(tensor.dtype).as_datatype_enum)
    message.tensor_shape.CopyFrom(as_proto(TensorShape(tensor.get_shape())))
    if isinstance(tensor, SparseTensor):
        message.coo_sparse.values_tensor_name = tensor.values.name
        message.coo_sparse.indices_tensor_name = tensor.indices.name
        message.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    else:
        message.name = tensor.name
    return message


def get_tensor_from_tensor_info(tensor_info: Any, graph: Graph | None = None, import_scope: str | None = None) -> Any:
    """The Tensor or SparseTensor that a TensorInfo names, in a graph (by default the default graph).

    import_scope: the name scope in which the graph was imported.
    Raises: KeyError for a tensor that the graph does not have, ValueError for a TensorInfo without a name.
    """
    graph = graph or get_default_graph()

    def found(name: str) -> Any:
        return graph.get_tensor_by_name(prepended(name, import_scope))

    encoding = tensor_info.WhichOneof("encoding")
    if encoding == "name":
        return found(tensor_info.name)
    if encoding == "coo_sparse":
        parts = tensor_info.coo_sparse
        return SparseTensor(
            found(parts.indices_tensor_name), found(parts.values_tensor_name), found(parts.dense_shape_tensor_name)
        )
    raise ValueError(error_text(f"Invalid TensorInfo.encoding: {encoding}"))


def build_signature_def(
    inputs: Mapping[str, Any] | None = None, outputs: Mapping[str, Any] | None = None, method_name: str | None = None
) -> Any:
    """A SignatureDef of TensorInfos by name.

    Raises: TypeError for a value that is no TensorInfo.
    """
    message = proto.SignatureDef()
    for target, infos in ((message.inputs, inputs), (message.outputs, outputs)):
        for key, info in (infos or {}).items():
            if not (isinstance(info, proto.Message) and type(info).DESCRIPTOR.name == "TensorInfo"):
                kind = type(info).__name__
                raise TypeError(
                    error_text(
                        "Parameter to CopyFrom() must be instance of same class: expected tensorflow.TensorInfo got "
                        f"{kind}.",
                        fix=f"tf.saved_model.utils.build_tensor_info(tensor) makes the TensorInfo of {key!r}",
                    )
                )
            target[key].MergeFromString(info.SerializeToString())
    if method_name is not None:
        message.method_name = method_name
    return message


def _info_of(tensor: Any, dtype: dtypes.DType, text: str) -> Any:
    info = build_tensor_info(tensor)
    if info.dtype != dtype.as_datatype_enum:
        raise ValueError(error_text(text))
    return info


def _examples_info(examples: Any, method: str) -> Any:
    if examples is None:
        raise ValueError(error_text(f"{method} examples cannot be None."))
    text = f"{method} examples must be a string Tensor."
    if not hasattr(examples, "dtype"):
        raise ValueError(error_text(text))
    return _info_of(examples, dtypes.string, text)


def regression_signature_def(examples: Any, predictions: Any) -> Any:
    """The signature of a regression: serialized examples in (string), numbers out (float32).

    Raises: ValueError for a missing tensor or one of another dtype.
    """
    if predictions is None and examples is not None:
        raise ValueError(error_text("Regression predictions cannot be None."))
    inputs = {names.REGRESS_INPUTS: _examples_info(examples, "Regression")}
    outputs = {names.REGRESS_OUTPUTS: _info_of(predictions, dtypes.float32, "Regression output must be a float Tensor.")}
    return build_signature_def(inputs, outputs, names.REGRESS_METHOD_NAME)


def classification_signature_def(examples: Any, classes: Any, scores: Any) -> Any:
    """The signature of a classification: serialized examples in (string), classes (string) and scores (float32) out.

    Raises: ValueError for a missing tensor or one of another dtype.
    """
    if examples is not None and classes is None and scores is None:
        raise ValueError(error_text("Classification classes and scores cannot both be None."))
    inputs = {names.CLASSIFY_INPUTS: _examples_info(examples, "Classification")}
    outputs = {}
    if classes is not None:
        text = "Classification classes must be a string Tensor."
        outputs[names.CLASSIFY_OUTPUT_CLASSES] = _info_of(classes, dtypes.string, text)
    if scores is not None:
        text = "Classification scores must be a float Tensor."
        outputs[names.CLASSIFY_OUTPUT_SCORES] = _info_of(scores, dtypes.float32, text)
    return build_signature_def(inputs, outputs, names.CLASSIFY_METHOD_NAME)


def predict_signature_def(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Any:
    """The signature of a prediction: any tensors in and out, by name.

    Raises: ValueError without inputs or without outputs.
    """
    for what, tensors in (("inputs", inputs), ("outputs", outputs)):
        if not tensors:
            raise ValueError(error_text(f"Prediction {what} cannot be None or empty."))
    return build_signature_def(
        {key: build_tensor_info(tensor) for key, tensor in inputs.items()},
        {key: build_tensor_info(tensor) for key, tensor in outputs.items()},
        names.PREDICT_METHOD_NAME,
    )


def is_valid_signature(signature_def: Any) -> bool:
    """Whether a server can serve the SignatureDef: its method has inputs and outputs of the names and dtypes it needs."""
    if signature_def is None:
        return False
    method, inputs, outputs = signature_def.method_name, signature_def.inputs, signature_def.outputs
    string, float32 = dtypes.string.as_datatype_enum, dtypes.float32.as_datatype_enum
    if method == names.PREDICT_METHOD_NAME:
        return bool(inputs) and bool(outputs)
    if method == names.REGRESS_METHOD_NAME:
        return _is_exactly(inputs, {names.REGRESS_INPUTS: string}) and _is_exactly(outputs, {names.REGRESS_OUTPUTS: float32})
    if method == names.CLASSIFY_METHOD_NAME:
        known = {names.CLASSIFY_OUTPUT_CLASSES: string, names.CLASSIFY_OUTPUT_SCORES: float32}
        wanted = {key: dtype for key, dtype in known.items() if key in outputs}
        return bool(wanted) and _is_exactly(inputs, {names.CLASSIFY_INPUTS: string}) and _is_exactly(outputs, wanted)
    return False


def _is_exactly(infos: Any, wanted: dict[str, int]) -> bool:
    return {key: info.dtype for key, info in infos.items()} == wanted


__all__ = [
    "build_signature_def", "build_tensor_info", "classification_signature_def", "get_tensor_from_tensor_info",
    "is_valid_signature", "predict_signature_def", "regression_signature_def",
]  # fmt: skip
