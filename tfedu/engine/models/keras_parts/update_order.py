"""`in_order`: lets nodes take their turns on variables in the order in which a function made them. No state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...base import dtypes
from ...lib.control.grouping import group
from ...op.definition import REGISTRY


def in_order(ops: Iterable[Any]) -> Any:
    """An op that runs all writes among the ops: each after the earlier reads and writes of its variable, each read after the
    earlier writes. None when they write nothing. Nodes inside cond and while_loop stay as they are.
    """
    last_write: dict[Any, Any] = {}
    reads: dict[Any, list[Any]] = {}
    writes = []
    for op in ops:
        if op._get_control_flow_context() is not None:
            continue
        definition = REGISTRY[op.type]
        for i in definition.accessed_inputs:
            handle = op.inputs[i]
            if handle.dtype.base_dtype is not dtypes.resource:
                continue
            earlier = [last_write[handle]] if handle in last_write else []
            if i in definition.written_inputs:
                op._add_control_inputs([*earlier, *reads.pop(handle, [])])
                last_write[handle] = op
                writes.append(op)
            else:
                op._add_control_inputs(earlier)
                reads.setdefault(handle, []).append(op)
    return group(*writes) if writes else None


__all__ = ["in_order"]
