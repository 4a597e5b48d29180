"""Which nodes go to the GPU: `on_gpu(operations, gpu, softly)` by TensorFlow's rules.

A node goes to the GPU unless it asks for the CPU, its type has no kernel for a GPU, or its dtypes have no memory there. A
variable, the nodes that change it and the nodes that are colocated with it go to one device: to the CPU where one of them has to.
No state.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..base import dtypes, errors
from ..graph import device as devices
from ..graph.nodes import Operation
from ..op.definition import definition_of
from ..ops import gpu_kernels


def on_gpu(operations: Iterable[Operation], softly: bool) -> set[Operation]:
    """The nodes that are placed on the GPU.

    Raises: InvalidArgumentError for a node that asks for the GPU and cannot go there, unless placement is soft.
    """
    listed = list(operations)
    groups = _Groups(listed)
    on_cpu: dict[Operation, bool] = {}
    for op in listed:
        wanted = _device_type(op)
        head = groups.head(op)
        possible = _has_kernel(op)
        if wanted == "GPU" and not possible and not softly:
            raise _no_kernel(op)
        on_cpu[head] = on_cpu.get(head, False) or wanted == "CPU" or not possible
    return {op for op in listed if not on_cpu[groups.head(op)]}


def _device_type(op: Operation) -> str | None:
    return devices.DeviceSpec.from_string(op.device).device_type if op.device else None


def _has_kernel(op: Operation) -> bool:
    d = definition_of(op)
    if d is None or gpu_kernels.why_on_cpu(d) is not None:
        return False
    if d.role in ("variable", "temporary"):
        kind = op.attrs["dtype"]
        return gpu_kernels.has_memory(kind) and kind.base_dtype.numpy != gpu_kernels.HOST_DTYPE
    return all(_fits(t.dtype) for t in (*op.inputs, *op.outputs))


def _fits(dtype: dtypes.DType) -> bool:
    return dtype.base_dtype is dtypes.resource or gpu_kernels.has_memory(dtype)


class _Groups:
    """The groups of nodes that have one device: `head(op)` is the same node for all nodes of a group."""

    def __init__(self, operations: list[Operation]) -> None:
        self._above: dict[Operation, Operation] = {}
        by_name = {op.name: op for op in operations}
        for op in operations:
            for tensor in op.inputs:
                d = definition_of(op)
                if tensor.dtype.base_dtype is dtypes.resource or (tensor.dtype.is_ref and d is not None and d.written_inputs):
                    self._join(op, tensor.op)
            for group in op.attrs.get("_class", ()):
                other = by_name.get(group[len(b"loc:@") :].decode()) if group.startswith(b"loc:@") else None
                if other is not None:
                    self._join(op, other)

    def head(self, op: Operation) -> Operation:
        path = []
        while op in self._above:
            path.append(op)
            op = self._above[op]
        for node in path:
            self._above[node] = op
        return op

    def _join(self, one: Operation, other: Operation) -> None:
        first, second = self.head(one), self.head(other)
        if first is not second:
            self._above[first] = second


def _no_kernel(op: Operation) -> errors.InvalidArgumentError:
    error = errors.InvalidArgumentError(
        None,
        op,
        f"Cannot assign a device for operation {op.name}: Could not satisfy explicit device specification '{op.device}' because "
        f"no supported kernel for GPU devices is available.\n\t [[{{{{node {op.name}}}}}]]",
    )
    d = definition_of(op)
    reason = None if d is None else gpu_kernels.why_on_cpu(d)
    error.fix = "tf.ConfigProto(allow_soft_placement=True) puts such nodes on the CPU" + (f" ({reason})" if reason else "")
    return error


__all__ = ["on_gpu"]
