"""What a variable is told about itself besides its value: how copies are kept together, and of which whole it is a part.

No state.
"""

from __future__ import annotations

import enum
from typing import Any

from ...base.errors import error_text


class VariableSynchronization(enum.Enum):
    """When the copies of a distributed variable are brought together."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """How the copies of a distributed variable are brought together."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3  # noqa: PIE796 - the older name


def settled(
    trainable: bool | None, synchronization: Any, aggregation: Any, name: str | None
) -> tuple[bool, VariableSynchronization, VariableAggregation]:
    """The three settings with what is None decided.

    Raises: ValueError for a mode that there is not.
    """
    try:
        when = VariableSynchronization(synchronization or VariableSynchronization.AUTO)
    except ValueError:
        raise ValueError(
            error_text(f"Invalid variable synchronization mode: {synchronization} for variable: {name}")
        ) from None
    try:
        how = VariableAggregation(aggregation or VariableAggregation.NONE)
    except ValueError:
        raise ValueError(
            error_text(f"Invalid variable aggregation mode: {aggregation} for variable: {name}")
        ) from None
    return when is not VariableSynchronization.ON_READ if trainable is None else trainable, when, how


def needs_dtype(variable: Any, dtype: Any) -> None:
    """Raises: ValueError when a variable cannot be read as that dtype."""
    if dtype is not None and not dtype.is_compatible_with(variable.dtype):
        raise ValueError(
            error_text(
                f"Incompatible type conversion requested to type '{dtype.name}' for variable of type '{variable.dtype.name}'"
            )
        )


class SaveSliceInfo:
    """Which slice of a larger variable a variable is: the name and shape of the whole, offset and shape of the part."""

    def __init__(
        self,
        full_name: str | None = None,
        full_shape: Any = None,
        var_offset: Any = None,
        var_shape: Any = None,
        save_slice_info_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if save_slice_info_def is not None:
            found = save_slice_info_def
            full_name = f"{import_scope}/{found.full_name}" if import_scope else found.full_name
            full_shape, var_offset, var_shape = (
                list(sizes) for sizes in (found.full_shape, found.var_offset, found.var_shape)
            )
        self.full_name = full_name
        self.full_shape = full_shape
        self.var_offset = var_offset
        self.var_shape = var_shape

    @property
    def spec(self) -> str:
        """`4 3 0,2:0,3`: the whole is [4, 3], of which this are 2 rows from row 0 and 3 columns from column 0."""
        whole = "".join(f"{size} " for size in self.full_shape)
        return whole + ":".join(f"{at},{size}" for at, size in zip(self.var_offset, self.var_shape, strict=True))


__all__ = ["VariableAggregation", "VariableSynchronization"]
