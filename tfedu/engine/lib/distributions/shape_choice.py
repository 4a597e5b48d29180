"""`pick_vector`: one of two shape vectors, where the run alone knows which. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.nodes import Tensor
from ..arrays import array, selection, slicing
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import named
from ..framework.static_value import get_static_value


def pick_vector(cond: Any, true_vector: Any, false_vector: Any, name: str = "pick_vector") -> Tensor:
    """true_vector [m] if the bool scalar `cond` holds, else false_vector [n].

    Raises: TypeError for a condition of another dtype and for vectors of different dtypes.
    """
    with named(name, name, [cond, true_vector, false_vector]):
        cond = convert_to_tensor(cond, name="cond")
        if cond.dtype != dtypes.bool:
            raise TypeError(error_text(f"cond.dtype={cond.dtype} which is not {dtypes.bool!r}"))
        known = get_static_value(cond)
        if known is not None:
            return true_vector if known else false_vector
        true_vector = convert_to_tensor(true_vector, name="true_vector")
        false_vector = convert_to_tensor(false_vector, name="false_vector")
        if true_vector.dtype != false_vector.dtype:
            raise TypeError(
                error_text(f"true_vector.dtype={true_vector.dtype} does not match false_vector.dtype={false_vector.dtype}")
            )
        length = array.shape(true_vector)[0]
        both = array.concat([true_vector, false_vector], 0)
        begin = selection.where_v2(cond, 0, length)
        return slicing.slice(both, [begin], [selection.where(cond, length, -1)])
