"""Settings of a variable: synchronization and aggregation of its copies, and its slice of a partitioned variable.

No state.
"""

from __future__ import annotations

import enum
from typing import Any

from ...base.errors import error_text


class VariableSynchronization(enum.Enum):
    """When the copies of a distributed variable are synchronized."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """How the copies of a distributed variable are aggregated."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3  # noqa: PIE796 - the older name


def resolve_settings(
    trainable: bool | None, synchronization: Any, aggregation: Any, name: str | None
) -> tuple[bool, VariableSynchronization, VariableAggregation]:
    """(trainable, synchronization, aggregation) with None replaced by the defaults.

    Raises: ValueError for an unknown mode.
    """
    try:
        synchronization_mode = VariableSynchronization(synchronization or VariableSynchronization.AUTO)
    except ValueError:
        raise ValueError(
            error_text(f"Invalid variable synchronization mode: {synchronization} for variable: {name}")
        ) from None
    try:
        aggregation_mode = VariableAggregation(aggregation or VariableAggregation.NONE)
    except ValueError:
        raise ValueError(
            error_text(f"Invalid variable aggregation mode: {aggregation} for variable: {name}")
        ) from None
    if trainable is None:
        trainable = synchronization_mode is not VariableSynchronization.ON_READ
    return trainable, synchronization_mode, aggregation_mode


def check_dtype(variable: Any, dtype: Any) -> None:
    """Raises: ValueError when the variable [...] cannot be read as that dtype."""
    if dtype is not None and not dtype.is_compatible_with(variable.dtype):
        raise ValueError(
            error_text(
                f"Incompatible type conversion requested to type '{dtype.name}' for variable of type '{variable.dtype.name}'"
            )
        )


class SaveSliceInfo:
    """The slice of a partitioned variable: full name and full shape [...], and the part's offset [rank] and shape
    [...].
    """

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
            info = save_slice_info_def
            full_name = f"{import_scope}/{info.full_name}" if import_scope else info.full_name
            full_shape, var_offset, var_shape = (
                list(sizes) for sizes in (info.full_shape, info.var_offset, info.var_shape)
            )
        self.full_name = full_name
        self.full_shape = full_shape
        self.var_offset = var_offset
        self.var_shape = var_shape

    @property
    def spec(self) -> str:
        """`4 3 0,2:0,3`: of the full shape [4, 3], 2 rows from row 0 and 3 columns from column 0."""
        full_sizes = "".join(f"{size} " for size in self.full_shape)
        return full_sizes + ":".join(f"{offset},{size}" for offset, size in zip(self.var_offset, self.var_shape, strict=True))


__all__ = ["VariableAggregation", "VariableSynchronization"]
