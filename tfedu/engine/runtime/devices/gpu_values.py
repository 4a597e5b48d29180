"""Values of a session with a GPU: `GpuValues.kernel(op)` is the node's kernel, which moves its inputs to where it computes.

A node that is placed on the GPU, and whose type has a kernel for it (ops/gpu_kernels.py), computes on arrays of the GPU; every
other node computes on NumPy arrays. An input that lies elsewhere is copied once a run for each direction, by its identity: a
value that ten nodes need travels once. A constant of the graph is sent once a session. A variable lies where the last node that
touched it computes; since placement keeps its nodes together, it does not move. A value that a node passes on (Identity, Switch)
stays where it is until a node computes with it; so does a fetched one until the run's end. The interpreter and the plan call
the same kernels, so that they cannot differ.

A session on a machine without a GPU has no `GpuValues`, and nothing here runs.
State: the kernels by node, the constants sent, the copies of the runs under way, by thread and of all threads, and the counters
`transfers`, which the session shows.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Final

import numpy as np

from ...backends import CPU
from ...backends.cupy import Gpu
from ...base import philox
from ...graph.nodes import Operation
from ...op.definition import OpDef
from ...ops import gpu_kernels
from ...ops.control_flow import truth
from ..store import Buffer, Handle
from .transfers import Transfers

# The single numbers whose copies a run keeps: more than a node has inputs, fewer than a long loop makes.
_MOST_NUMBERS: Final = 1 << 12


class _Copies(threading.local):
    """The copies of this thread's runs, the innermost last: the id of each original, the original and its copy.

    Of an array there is a weak reference: its copy is freed with it, also in the middle of a loop.
    """

    def __init__(self) -> None:
        self.runs: list[dict[int, tuple[Any, Any]]] = []


class GpuValues:
    """The GPU of a session, the nodes that are placed on it, and the copies between it and the host."""

    def __init__(self, gpu: Gpu) -> None:
        self.gpu = gpu
        self.placed: set[Operation] = set()
        self.transfers = Transfers()
        self._kernels: dict[Operation, Callable[..., Any]] = {}
        self._constants: dict[int, tuple[Any, Any]] = {}
        self._copies = _Copies()
        self._open: dict[int, dict[int, tuple[Any, Any]]] = {}

    @contextmanager
    def run(self) -> Iterator[None]:
        """A run: it computes on this GPU, and the copies that it makes live until its end."""
        copies: dict[int, tuple[Any, Any]] = {}
        with self.gpu.current():
            self._copies.runs.append(copies)
            self._open[id(copies)] = copies
            try:
                yield
            finally:
                self._copies.runs.pop()
                del self._open[id(copies)]

    def place(self, operations: set[Operation]) -> None:
        """Replaces the nodes on the GPU, after the graph has grown."""
        if operations != self.placed:
            self.placed = operations
            self._kernels.clear()

    # -- kernels -------------------------------------------------------------------------------------------------

    def kernel(self, op: Operation) -> Callable[..., Any]:
        """The node's kernel: as the one of its definition, for values in any memory."""
        kernel = self._kernels.get(op)
        if kernel is None:
            kernel = self._kernels[op] = self._made(op)
        return kernel

    def computes(self, op: Operation) -> bool:
        """Whether the node computes on the GPU."""
        d = op.definition
        if op not in self.placed or gpu_kernels.why_on_cpu(d) is not None:
            return False
        return d.type in gpu_kernels.STATEFUL or gpu_kernels.computes_there(d, op)

    def _made(self, op: Operation) -> Callable[..., Any]:
        d: OpDef = op.definition
        if d.type in gpu_kernels.FLOW or (d.pure and d.alias_index >= 0):
            read = gpu_kernels.READ_BY_FLOW.get(d.type)
            movers = [self.to_host if a.name == read else None for a in d.inputs]
            return _moving(d.kernel, movers)
        if not self.computes(op):
            return self._forgetting(d, _moving(d.kernel, [self.to_host] * len(d.inputs)))
        if d.type in gpu_kernels.RANDOM:
            return _moving(gpu_kernels.RANDOM[d.type](self.draws), [self.to_host] * len(d.inputs))
        on_host = gpu_kernels.HOST_INPUTS.get(d.type, frozenset())
        to_gpu = self.beside_arrays if d.ufunc is not None and len(d.inputs) > 1 else self.to_gpu
        movers = [self.to_host if a.name in on_host else to_gpu for a in d.inputs]
        kernel = gpu_kernels.kernel_of(d)
        if d.type in gpu_kernels.ROWS and self.rows is not None:
            kernel = gpu_kernels.ROWS[d.type](self.rows, kernel)
        if d.type in gpu_kernels.REDUCTIONS and self.reductions is not None:
            kernel = gpu_kernels.REDUCTIONS[d.type](self.reductions, kernel)
        return self._forgetting(d, _moving(kernel, movers, self.gpu.xp if d.pure else None))

    def _forgetting(self, d: OpDef, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """The kernel; after one that writes variables, no run uses a copy of what they were."""
        if not d.written_inputs:
            return kernel

        def forgetting(first: Any, *values: Any, **attrs: Any) -> Any:
            try:
                return kernel(first, *values, **attrs)
            finally:
                self.forget([values[i] for i in d.written_inputs])

        return forgetting

    @cached_property
    def draws(self) -> Any:
        """Returns the functions that draw random numbers, on the GPU if it compiles raw kernels, else on the host."""
        if self.gpu.raw is None:
            return philox
        from ...backends.cuda_philox import GpuDraws

        return GpuDraws(self.gpu)

    @cached_property
    def rows(self) -> Any:
        """Returns the kernels of softmax and cross entropies; None if the GPU compiles no raw kernels."""
        if self.gpu.raw is None:
            return None
        from ...backends.row_kernels import RowKernels

        return RowKernels(self.gpu)

    @cached_property
    def reductions(self) -> Any:
        """Returns the kernels of mean, norm and sum of squares; None if the GPU compiles no raw kernels."""
        if self.gpu.raw is None:
            return None
        from ...backends.gpu_reductions import Reductions

        return Reductions(self.gpu)

    # -- copies --------------------------------------------------------------------------------------------------

    def keep(self, constant: Any) -> None:
        """Sends a constant of a plan, which the plan holds: later runs find the copy."""
        if isinstance(constant, np.ndarray | np.generic) and constant.dtype.kind in gpu_kernels.KINDS:
            key, constants = id(constant), self._constants
            if key not in constants:
                # When the plan frees an array, its copy on the GPU goes, too. NumPy has no weak reference to a single number.
                is_array = isinstance(constant, np.ndarray)
                constants[key] = weakref.ref(constant, lambda _: constants.pop(key, None)) if is_array else constant, None

    def to_gpu(self, value: Any) -> Any:
        """The value in the memory of the GPU."""
        if type(value) is self.gpu.array:
            return value
        if isinstance(value, Buffer | Handle):
            self._move(value, self.to_gpu)
            return value
        if not isinstance(value, np.ndarray | np.generic):
            return value
        key = id(value)
        known = self._constants.get(key)
        if known is not None:
            if known[1] is None:
                known = self._constants[key] = known[0], self._sent(value)
            return known[1]
        return self._once(value, self._sent)

    def beside_arrays(self, value: Any) -> Any:
        """The value for an elementwise function: CuPy takes single numbers of the host as arguments of the GPU's program, which
        is faster than to read them in its memory for each element.
        """
        return value if isinstance(value, np.generic) else self.to_gpu(value)

    def to_host(self, value: Any) -> Any:
        """The value as a NumPy array or number."""
        if type(value) is self.gpu.array:
            return self._once(value, self._fetched)
        if isinstance(value, Buffer | Handle):
            self._move(value, self.to_host)
        return value

    def on_host(self, value: Any) -> Any:
        """The value for one that looks at a run: as `to_host`, but no transfer of the run."""
        if type(value) is not self.gpu.array:
            return value
        with self.gpu.current():
            return self.gpu.fetch(value)[()]

    def forget(self, variables: Sequence[Any]) -> None:
        """Drops the copies of variables' values after a change, which may have been in place. variables: buffers or handles."""
        for variable in variables:
            buffer = variable.buffer if isinstance(variable, Handle) else variable
            if isinstance(buffer, Buffer):
                key = id(buffer.value)
                for copies in list(self._open.values()):
                    copies.pop(key, None)

    def fetched(self, arrays: Sequence[Any]) -> list[Any]:
        """Copies on the host of arrays that a run fetches, for which the host waits once. What lies there is copied there."""
        known = self._copies.runs[-1] if self._copies.runs else {}
        copies = {id(array): np.array(known[id(array)][1]) for array in arrays if id(array) in known}
        others = [array for array in arrays if id(array) not in copies]
        for array in others:
            self.transfers.count(self.gpu.device, CPU.device, array.nbytes)
        fetch_all = None if len(others) < 2 else self.gpu.fetch_all
        sent = iter([self.gpu.fetch(array) for array in others] if fetch_all is None else fetch_all(others))
        return [copies[id(array)][()] if id(array) in copies else next(sent)[()] for array in arrays]

    def truth(self, pred: Any) -> bool:
        """Whether a Switch's predicate holds, for which the host waits where a node of the GPU computed it."""
        return truth(self.to_host(pred))

    def _once(self, value: Any, copy: Callable[[Any], Any]) -> Any:
        if not self._copies.runs:
            return copy(value)
        copies, key = self._copies.runs[-1], id(value)
        known = copies.get(key)
        if known is not None:
            return known[1]
        if isinstance(value, np.generic):
            if len(copies) >= _MOST_NUMBERS:
                copies.clear()
            original: Any = value
        else:
            original = weakref.ref(value, lambda _: copies.pop(key, None))
        made = copy(value)
        copies[key] = original, made
        return made

    def _sent(self, value: Any) -> Any:
        self.transfers.count(CPU.device, self.gpu.device, value.nbytes)
        return self.gpu.send(value)

    def _fetched(self, value: Any) -> Any:
        self.transfers.count(self.gpu.device, CPU.device, value.nbytes)
        return self.gpu.fetch(value)[()]

    @staticmethod
    def _move(reference: Buffer | Handle, to: Callable[[Any], Any]) -> None:
        """Moves a variable's value; what else a handle refers to has its values on the host."""
        buffer = reference.buffer if isinstance(reference, Handle) else reference
        if not isinstance(buffer, Buffer):
            return
        value = buffer.value
        moved = to(value)
        if moved is not value:
            buffer.value = moved.copy() if np.ndim(moved) else moved  # the copy belongs to the run


def _moving(kernel: Callable[..., Any], movers: Sequence[Callable[[Any], Any] | None], xp: Any = None) -> Callable[..., Any]:
    """The kernel after each input, or each part of a list, was moved. xp: the kernel's first argument, if not the caller's."""
    if not any(movers):
        return kernel

    def moved(first: Any, *values: Any, **attrs: Any) -> Any:
        inputs = [
            value if move is None else [move(part) for part in value] if type(value) is list else move(value)
            for move, value in zip(movers, values)
        ]
        return kernel(first if xp is None else xp, *inputs, **attrs)

    return moved


__all__ = ["GpuValues"]
