"""`tf.decode_csv`, `tf.decode_json_example`, `tf.parse_tensor`, `tf.serialize_tensor`: texts and tensors
as messages. No state.
"""

from __future__ import annotations

import itertools
from typing import Any

from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...ops import records as ops

decode_json_example = ops.decode_json_example
parse_tensor = ops.parse_tensor
serialize_tensor = ops.serialize_tensor


def decode_csv(
    records: Any, record_defaults: Any, field_delim: str = ",", use_quote_delim: bool = True, name: str | None = None,
    na_value: str = "", select_cols: Any = None,
) -> list[Tensor]:  # fmt: skip
    """The fields of csv lines, records [...]: for each field a tensor [...] of its default's dtype.

    record_defaults: for each field a scalar, [value], or an empty vector where the field must not be missing. na_value: what
    stands for a missing field. select_cols: the columns to read, in ascending order.
    Raises: ValueError for wrong columns; in the run InvalidArgumentError for lines that do not fit.
    """
    if select_cols is not None:
        if any(a >= b for a, b in itertools.pairwise(select_cols)):
            raise ValueError(error_text("select_cols is not strictly increasing."))
        if select_cols[0] < 0:
            raise ValueError(error_text("select_cols contains negative values."))
        if len(select_cols) != len(record_defaults):
            raise ValueError(error_text("Length of select_cols and record_defaults do not match."))
    output: list[Tensor] = ops.decode_csv(
        records, record_defaults, field_delim=field_delim, use_quote_delim=use_quote_delim, na_value=na_value,
        select_cols=select_cols or [], name=name,
    )  # fmt: skip
    return output


__all__ = ["decode_csv", "decode_json_example", "parse_tensor", "serialize_tensor"]
