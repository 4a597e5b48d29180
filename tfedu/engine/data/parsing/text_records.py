"""`tf.decode_csv(line, defaults)`, and what else turns strings into tensors: JSON examples, serialized tensors."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...ops import records as ops


def decode_csv(
    records: Any,
    record_defaults: Any,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    name: str | None = None,
    na_value: str = "",
    select_cols: Any = None,
) -> list[Tensor]:
    """The columns of lines of comma-separated values: [...] -> a tensor of that shape for each column.

    record_defaults: for each column a value for empty fields, or an empty tensor for a required field; its dtype is the column's.
    select_cols: the numbers of the columns, increasing; None: all.

    Raises: ValueError for columns that do not fit the defaults.
    """
    if select_cols is not None and any(select_cols[i] >= select_cols[i + 1] for i in range(len(select_cols) - 1)):
        raise ValueError(error_text("select_cols is not strictly increasing."))
    if select_cols is not None and select_cols and select_cols[0] < 0:
        raise ValueError(error_text("select_cols contains negative values."))
    if select_cols is not None and len(select_cols) != len(record_defaults):
        raise ValueError(error_text("Length of select_cols and record_defaults do not match."))
    output: list[Tensor] = ops.decode_csv(
        records, list(record_defaults), field_delim=field_delim, use_quote_delim=use_quote_delim, na_value=na_value,
        select_cols=[] if select_cols is None else list(select_cols), name=name,
    )  # fmt: skip
    return output


def decode_json_example(json_examples: Any, name: str | None = None) -> Tensor:
    """Examples as JSON to serialized ones: any shape -> the same shape."""
    output: Tensor = ops.decode_json_example(json_examples, name=name)
    return output


def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Tensor:
    """The tensor of a serialized TensorProto: scalar -> any shape."""
    output: Tensor = ops.parse_tensor(serialized, out_type=as_dtype(out_type), name=name)
    return output


def serialize_tensor(tensor: Any, name: str | None = None) -> Tensor:
    """The tensor as a serialized TensorProto: any shape -> scalar."""
    output: Tensor = ops.serialize_tensor(tensor, name=name)
    return output


__all__ = ["decode_csv", "decode_json_example", "parse_tensor", "serialize_tensor"]
