"""The calls of pure kernels that the rows of the op table make: `calls()` gives each as a `Call`, its arguments and result."""

import contextlib
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Call:
    """One call of a kernel: the flat values of the node's inputs, its attributes, and what NumPy gave."""

    row: str
    op: Any
    values: tuple[Any, ...]
    attrs: dict[str, Any]
    result: Any

    @property
    def type(self) -> str:
        return self.op.type


def _flat(grouped):
    return tuple([v for part in grouped for v in (part if isinstance(part, list) else (part,))])


def _kept(value):
    return value.copy() if isinstance(value, np.ndarray) else value


@contextlib.contextmanager
def recording(found, row):
    """Adds a `Call` for each pure node that the interpreter runs in this block, and that ends without an error."""
    from tfedu.engine.runtime import interpreter, tokens
    from tfedu.engine.runtime.node_turn import compute
    from tfedu.engine.runtime.store import Buffer, View

    def recorded(op, inputs, store):
        before = [_kept(value) for value in inputs]
        outputs = compute(op, inputs, store)
        d = op.definition
        if d.pure and not any(isinstance(value, Buffer | View) for value in (*inputs, *outputs)):
            attrs = {name: op.attrs[name] for name in d.kernel_attrs}
            found.append(Call(row, op, tuple(before), attrs, [_kept(value) for value in outputs]))
        return outputs

    interpreter.compute = tokens.compute = recorded
    try:
        yield
    finally:
        interpreter.compute = tokens.compute = compute


@functools.cache
def calls():
    """The calls of all rows, in the order of the rows."""
    import cases

    import tfedu as tf

    found = []
    for family, rows in cases.load().items():
        for key, row in rows.items():
            with tf.Graph().as_default(), recording(found, f"{family}/{key}"), contextlib.suppress(Exception):
                fed = [tf.placeholder(cases.dtype_of(tf, i), i.shape) for i in row.inputs]
                call = row.ready(tf)
                built = call(*fed)
                outputs = list(built) if isinstance(built, list | tuple) else [built]
                with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as session:
                    session.interpreted = True
                    session.run(outputs, dict(zip(fed, row.inputs)))
    return found


# Rows whose result on a GPU differs on purpose: there NaN is taken in no order.
NAN_IN_ORDER = ("math/math.unsorted_segment_max/NaN", "math/math.unsorted_segment_min/NaN")


def is_data(value):
    """Whether a GPU can hold the value."""
    return isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "fcbiu"


def computes_on_gpu(call):
    """Whether a node on a GPU computes this call there."""
    from tfedu.engine.ops import gpu_kernels

    if gpu_kernels.why_on_cpu(call.op.definition) is not None or call.type in gpu_kernels.FLOW or call.type in gpu_kernels.RANDOM:
        return False
    if call.row.startswith(NAN_IN_ORDER):
        return False
    if not all(is_data(value) for value in (*call.values, *call.result)):
        return False
    return gpu_kernels.computes_there(call.op.definition, call.op)


def recast(call, attr, dtype):
    """The call with the inputs of that type attribute in another dtype; None for no call of a GPU, or one that NumPy refuses."""
    from tfedu.engine.ops import gpu_kernels

    d, kind = call.op.definition, np.dtype(dtype.numpy)
    values = list(call.values)
    for arg, part in zip(d.inputs, d.group(call.op, range(len(values)))):
        for i in part if isinstance(part, list) else [part]:
            if arg.type_attr == attr:
                value = np.asarray(values[i])
                value = value.real if value.dtype.kind == "c" and kind.kind != "c" else value
                with np.errstate(all="ignore"):
                    values[i] = (np.abs(value) if kind.kind == "u" and value.dtype.kind != "b" else value).astype(kind)[()]
    # The dtype of an output, such as Complex' Tout, goes with that of the inputs: this changes one attribute alone.
    if any(a.kind == "type" for a in d.explicit) or all(np.asarray(v).dtype == np.int32 for v in values):
        return None
    try:
        with np.errstate(all="ignore"):
            result = flat_results(d, d.kernel(np, *d.group(call.op, [_kept(v) for v in values]), **call.attrs))
    except Exception:
        return None
    found = Call(call.row, call.op, tuple(values), call.attrs, result)
    return found if not gpu_kernels.why_on_cpu(d) and all(map(is_data, result)) else None


def run_on(xp, moved, call):
    """The flat results of the kernel of a GPU. moved(array): the array in the memory of `xp`."""
    from tfedu.engine.ops import gpu_kernels

    d = call.op.definition
    host = gpu_kernels.host_inputs(d, call.op)
    values = [v if i in host else moved(np.asarray(v)) for i, v in enumerate(call.values)]
    return flat_results(d, gpu_kernels.kernel_of(d)(xp, *d.group(call.op, values), **call.attrs))


def flat_results(d, result):
    """What a kernel returned as one list."""
    if d.simple:
        return [result]
    if len(d.outputs) > 1 and any(a.is_list for a in d.outputs):
        return [v for part, a in zip(result, d.outputs) for v in (part if a.is_list else (part,))]
    return list(result)


# The numbers of these are compared loosely: their least digits depend on the order of many sums.
_TOLERANCES = {"f2": (2e-2, 2e-2), "f4": (1e-4, 1e-5), "f8": (1e-9, 1e-10), "c8": (1e-4, 1e-5), "c16": (1e-9, 1e-10)}


def difference(call, results, reference=None):
    """How results (NumPy arrays) differ from the reference, what NumPy gave; empty where they are equal up to rounding."""
    for at, (got, expected) in enumerate(zip(results, reference or call.result, strict=True)):
        got, expected = np.asarray(got), np.asarray(expected)
        if got.shape != expected.shape or got.dtype != expected.dtype:
            return f"output {at} is {got.dtype}{list(got.shape)}, not {expected.dtype}{list(expected.shape)}"
        rtol, atol = _TOLERANCES.get(got.dtype.str[1:], (0, 0))
        # A sum of many is as exact as its largest terms.
        largest = np.abs(expected[np.isfinite(expected)]).max(initial=0) if atol else 0
        atol = max(atol, float(largest) * rtol / 100)
        if not np.allclose(got, expected, rtol=rtol, atol=atol, equal_nan=got.dtype.kind in "fc"):
            return f"output {at} is {got.ravel()[:4]}, not {expected.ravel()[:4]}"
    return ""
