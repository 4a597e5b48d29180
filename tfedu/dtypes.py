"""`tf.dtypes`: element types and conversions between them."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.base.dtypes import (
    DType, QUANTIZED_DTYPES, as_dtype, bfloat16, bool, complex128, complex64, double, float16, float32, float64, half,
    int16, int32, int64, int8, qint16, qint32, qint8, quint16, quint8, resource, string, uint16, uint32,
    uint64, uint8, variant,
)  # fmt: skip
from .engine.lib.math.math import cast, complex, saturate_cast
from .engine.lib.strings.strings import as_string

__all__ = [
    "DType", "QUANTIZED_DTYPES", "as_dtype", "as_string", "bfloat16", "bool", "cast", "complex",
    "complex128", "complex64", "double", "float16", "float32", "float64", "half", "int16", "int32",
    "int64", "int8", "qint16", "qint32", "qint8", "quint16", "quint8", "resource", "saturate_cast",
    "string", "uint16", "uint32", "uint64", "uint8", "variant",
]  # fmt: skip
