"""Variables: `VariableV2` (a reference to the session's buffer), `VarHandleOp` (a handle of it), and their reads and updates.

A reference variable's output is the buffer itself: each consumer loads the value when it computes. A resource variable's
value is copied by each `ReadVariableOp` when that runs. Ops replace values as a whole; only optimizers change large ones in
place, and only those to which nothing else refers (runtime/store.py).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dtypes import DType, runtime_name
from ..base.shapes import Shape, ShapeMismatch
from ..graph.nodes import Operation
from ..op.define import Ref, ShapeAttr, Sym, op, same_shape, typevar
from ..op.definition import types_of_role
from ..op.gradient_rules import NOT_OF_VALUES, WRITES, passed_on
from ..op.infer import variable_behind
from ..op.shape_checks import uninitialized

# The type attribute of variables is named dtype, that of their updates T.
V = typevar("dtype")
T = typevar("T")
N = typevar(
    "T",
    (
        dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint8, dtypes.int16, dtypes.int8, dtypes.complex64,
        dtypes.int64, dtypes.qint8, dtypes.quint8, dtypes.qint32, dtypes.bfloat16, dtypes.uint16, dtypes.complex128,
        dtypes.float16, dtypes.uint32, dtypes.uint64,
    ),
)  # fmt: skip
COUNTED = typevar("T", (dtypes.int32, dtypes.int64))


# -- arithmetic of updates -----------------------------------------------------------------------------------------


# Counters are the most common variables: two scalars of these types need no check of shapes.
_SCALARS = frozenset({np.float32, np.float64, np.int32, np.int64})


def added(old: Any, delta: Any) -> Any:
    if getattr(old, "dtype", None) == dtypes.bfloat16.numpy:
        return dtypes.bfloat16_bits(dtypes.bfloat16_values(old) + dtypes.bfloat16_values(delta))
    return old + delta


def _subtracted(old: Any, delta: Any) -> Any:
    if getattr(old, "dtype", None) == dtypes.bfloat16.numpy:
        return dtypes.bfloat16_bits(dtypes.bfloat16_values(old) - dtypes.bfloat16_values(delta))
    return old - delta


def _text(value: Any) -> str:
    return shapes.fmt(np.shape(value))


# -- reference variables -------------------------------------------------------------------------------------------


@op(
    "VariableV2", out="ref", shape=lambda *, shape, dtype, container, shared_name: shape, stateful=True,
    role="variable",
)
def variable_v2(
    run: Any, *, shape: ShapeAttr, dtype: DType, container: str = "", shared_name: str = ""
) -> Ref["dtype"]:  # noqa: F821
    """The session's buffer of this name, as a reference: any shape, the attribute `shape`."""
    if shape is not None and None in shape:
        raise errors.InvalidArgumentError(None, None, f"Shape {shapes.fmt(shape)} is not fully defined")
    return run.buffer(container, shared_name, dtype, shape)


@op(
    "Variable", out="ref", shape=lambda *, shape, dtype, container, shared_name: shape or None, stateful=True,
    role="variable",
)
def variable(
    run: Any, *, shape: ShapeAttr, dtype: DType, container: str = "", shared_name: str = ""
) -> Ref["dtype"]:  # noqa: F821
    """The session's buffer of this name, as a reference, in TF's older op: any shape; a scalar `shape` means that it is
    unknown.
    """
    return run.buffer(container, shared_name, dtype, shape or None)


@op(
    "IsVariableInitialized", out="is_initialized", shape=lambda ref: (), allows_uninitialized=True,
    access={"ref": "look"}, role="is_initialized",
)
def is_variable_initialized(run: Any, ref: Ref[V]) -> dtypes.bool:
    """Whether the variable (any shape) holds a value -> scalar."""
    return np.bool_(ref.value is not None)


@op(
    "Assign", not_differentiable=WRITES, out="output_ref", aliases="ref", allows_uninitialized=True,
    access={"ref": "write"},
)
def assign(run: Any, ref: Ref[T], value: T, *, validate_shape: bool = True, use_locking: bool = True) -> Ref[T]:
    """Replaces the variable's value: ref any shape, value the same shape -> the variable; without validate_shape the
    value may have any shape.

    Raises: InvalidArgumentError when the shapes differ.
    """
    if type(value) in _SCALARS and type(ref.value) in _SCALARS:
        ref.value = value
        return ref
    if validate_shape:
        old = ref.value
        # A variable of unknown shape counts as a scalar until it has a value.
        known = ref.shape or () if old is None else np.shape(old)
        if not shapes.is_compatible(known, np.shape(value)):
            raise errors.InvalidArgumentError(
                None,
                None,
                "Assign requires shapes of both tensors to match. "
                f"lhs shape= {shapes.fmt(known)} rhs shape= {_text(value)}",
            )
    else:
        run.may_reshape()
    ref.assign(value)
    return ref


@assign.shape
def _(ref: Sym, value: Sym, *, validate_shape: bool, use_locking: bool) -> Shape:
    return shapes.merge(ref.shape, value.shape) if validate_shape else value.shape


def _merged(ref: Sym, value: Sym, *, use_locking: bool) -> Shape:
    return shapes.merge(ref.shape, value.shape)


def _check_update(old: Any, value: Any) -> None:
    if np.shape(old) != np.shape(value):
        raise errors.InvalidArgumentError(None, None, "Parameters and update must be the same size")


@op(
    "AssignAdd", not_differentiable=WRITES, out="output_ref", aliases="ref", shape=_merged,
    access={"ref": "update"},
)
def assign_add(run: Any, ref: Ref[N], value: N, *, use_locking: bool = False) -> Ref[N]:
    """Adds the value to the variable: ref any shape, value the same shape -> the variable.

    Raises: FailedPreconditionError when it is uninitialized, InvalidArgumentError when the shapes differ.
    """
    with ref.lock:
        old = ref.value
        if type(old) in _SCALARS and type(value) in _SCALARS:
            ref.value = old + value
        else:
            _check_update(old, value)
            ref.value = added(old, value)
    return ref


@op(
    "AssignSub", not_differentiable=WRITES, out="output_ref", aliases="ref", shape=_merged,
    access={"ref": "update"},
)
def assign_sub(run: Any, ref: Ref[N], value: N, *, use_locking: bool = False) -> Ref[N]:
    """Subtracts the value from the variable: ref any shape, value the same shape -> the variable.

    Raises: FailedPreconditionError when it is uninitialized, InvalidArgumentError when the shapes differ.
    """
    with ref.lock:
        old = ref.value
        if type(old) in _SCALARS and type(value) in _SCALARS:
            ref.value = old - value
        else:
            _check_update(old, value)
            ref.value = _subtracted(old, value)
    return ref


@op(
    "TemporaryVariable", out="ref", shape=lambda *, shape, dtype, var_name: shape, stateful=True,
    resource="temporary", role="temporary",
)
def temporary_variable(
    run: Any, *, shape: ShapeAttr, dtype: DType, var_name: str = ""
) -> Ref["dtype"]:  # noqa: F821
    """A variable for one run, zeros at first, that lives until DestroyTemporaryVariable: any shape, the attribute
    `shape`.
    """
    buffer = run.temporary(var_name or run.node.name, dtype, shape)
    zeros = np.full(shape or (), b"" if dtype is dtypes.string else 0, dtype.numpy)
    buffer.value = zeros if zeros.ndim else zeros[()]
    return buffer


@op(
    "DestroyTemporaryVariable", out="value", shape=lambda ref, *, var_name: ref.shape,
    access={"ref": "update"}, resource="temporary",
)
def destroy_temporary_variable(run: Any, ref: Ref[T], *, var_name: str) -> T:
    """The last value of a temporary variable, which ends here: any shape -> the same shape.

    Raises: NotFoundError when the variable has another name than var_name.
    """
    if ref.name != var_name:
        raise errors.NotFoundError(
            None, None, f"Resource __per_step_0/{var_name}/N10tensorflow19TemporaryVariableOp6TmpVarE does not exist."
        )
    value, ref.value = ref.value, None
    return value


@op("CountUpTo", access={"ref": "update"})
def count_up_to(run: Any, ref: Ref[COUNTED], *, limit: int) -> COUNTED:
    """The variable's value before it goes up by 1: scalar -> scalar.

    Raises: OutOfRangeError when the value has reached `limit`.
    """
    with ref.lock:
        before = ref.value
        _check_limit(before, limit)
        ref.value = before + type(before)(1)
    return before


@count_up_to.shape
def _(ref: Sym, *, limit: int) -> Shape:
    _require_rank(ref.shape, 0)
    return ()


def _check_limit(value: Any, limit: int) -> None:
    if value >= limit:
        raise errors.OutOfRangeError(None, None, f"Reached limit of {limit}")


def _require_rank(shape: Shape, rank: int) -> None:
    if shape is not None and len(shape) != rank:
        raise ShapeMismatch(f"Shape must be rank {rank} but is rank {len(shape)}")


@op("RefIdentity", aliases="input", shape=same_shape, allows_uninitialized=True, role="identity")
def ref_identity(xp: Any, input: Ref[T]) -> Ref[T]:
    """The variable itself."""
    return input


ref_identity.grad(passed_on)


# -- resource variables --------------------------------------------------------------------------------------------


@op(
    "VarHandleOp", out="resource", shape=lambda *, dtype, shape, container, shared_name: (), stateful=True,
    role="variable",
)
def var_handle(
    run: Any, *, dtype: DType, shape: ShapeAttr, container: str = "", shared_name: str = ""
) -> dtypes.resource:
    """A handle of the session's buffer of this name: scalar; the variable has any shape, the attribute `shape`."""
    return run.handle(run.buffer(container, shared_name, dtype, shape))


def handle_of(resource: Sym) -> tuple[DType | None, Shape]:
    """The dtype and shape of the variable behind a handle, None where the graph does not say."""
    op = variable_behind(resource.tensor.graph.outside(resource.tensor))
    return (None, None) if op is None else (op.attrs["dtype"], op.attrs["shape"])


def _missing(run: Any, buffer: Any) -> str:
    """TF's text for an uninitialized variable; a store without any value has no container either."""
    if any(other.value is not None for other in run.store.buffers.values()):
        return f"Resource localhost/{buffer.name}/N10tensorflow3VarE does not exist."
    return f"Container localhost does not exist. (Could not find resource: localhost/{buffer.name})"


def value_of(run: Any, resource: Any) -> Any:
    value = resource.buffer.value
    if value is None:
        raise errors.NotFoundError(None, None, _missing(run, resource.buffer))
    return value


@op("ReadVariableOp", out="value", stateful=True, access={"resource": "read"})
def read_variable(run: Any, resource: dtypes.resource, *, dtype: DType) -> "dtype":  # noqa: F821
    """The variable's value when this node runs: handle scalar -> the variable's shape, any shape.

    Raises: FailedPreconditionError when the variable is uninitialized.
    """
    buffer = resource.buffer
    value = buffer.value
    if value is None:
        raise uninitialized(
            f"Error while reading resource variable {buffer.name} from Container: localhost. This could mean that "
            f"the variable was uninitialized. Not found: {_missing(run, buffer)}"
        )
    return value


@read_variable.shape
def _(resource: Sym, *, dtype: DType) -> Shape:
    handle_dtype, shape = handle_of(resource)
    if handle_dtype is not None and handle_dtype is not dtype:
        both = f"Expected {runtime_name(handle_dtype)} got {runtime_name(dtype)}"
        raise ShapeMismatch(f"Trying to read variable with wrong dtype. {both}")
    return shape


read_variable.grad(passed_on)


def _checked_value(resource: Sym, value: Sym) -> list[Shape]:
    handle_dtype, shape = handle_of(resource)
    if handle_dtype is not None and handle_dtype is not value.dtype.base_dtype:
        both = f"Expected {runtime_name(handle_dtype)} got {runtime_name(value.dtype.base_dtype)}"
        raise ShapeMismatch(f"Trying to initialize handle for variable with wrong dtype. {both}")
    shapes.merge(shape, value.shape)
    return []


@op("AssignVariableOp", shape=_checked_value, stateful=True, access={"resource": "write"})
def assign_variable(run: Any, resource: dtypes.resource, value: V) -> None:
    """Replaces the variable's value: handle scalar, value any shape that fits the variable's."""
    resource.buffer.assign(value)
    return ()  # type: ignore[return-value]


def _check_resource_update(old: Any, value: Any) -> None:
    if np.shape(old) != np.shape(value):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Cannot update variable with shape {_text(old)} using a Tensor with shape {_text(value)}, "
            "shapes must be equal.",
        )


@op("AssignAddVariableOp", shape=_checked_value, stateful=True, access={"resource": "update"})
def assign_add_variable(run: Any, resource: dtypes.resource, value: V) -> None:
    """Adds the value to the variable: handle scalar, value the same shape as the variable's.

    Raises: NotFoundError when it is uninitialized, InvalidArgumentError when the shapes differ.
    """
    buffer = resource.buffer
    with buffer.lock:
        old = value_of(run, resource)
        _check_resource_update(old, value)
        buffer.value = added(old, value)
    return ()  # type: ignore[return-value]


@op("AssignSubVariableOp", shape=_checked_value, stateful=True, access={"resource": "update"})
def assign_sub_variable(run: Any, resource: dtypes.resource, value: V) -> None:
    """Subtracts the value from the variable: handle scalar, value the same shape as the variable's.

    Raises: NotFoundError when it is uninitialized, InvalidArgumentError when the shapes differ.
    """
    buffer = resource.buffer
    with buffer.lock:
        old = value_of(run, resource)
        _check_resource_update(old, value)
        buffer.value = _subtracted(old, value)
    return ()  # type: ignore[return-value]


@op(
    "VarIsInitializedOp", not_differentiable=NOT_OF_VALUES, out="is_initialized", shape=lambda resource: (), stateful=True,
    access={"resource": "look"}, role="is_initialized",
)
def var_is_initialized(run: Any, resource: dtypes.resource) -> dtypes.bool:
    """Whether the variable holds a value: handle scalar -> scalar."""
    return np.bool_(resource.buffer.value is not None)


@op("DestroyResourceOp", stateful=True, access={"resource": "write"}, role="op")
def destroy_resource(run: Any, resource: dtypes.resource, *, ignore_lookup_error: bool = True) -> None:
    """Drops the variable's value: handle scalar. Raises: NotFoundError when it has none, without ignore_lookup_error."""
    if not ignore_lookup_error:
        value_of(run, resource)
    resource.buffer.value = None
    return ()  # type: ignore[return-value]


@op("VariableShape", not_differentiable=NOT_OF_VALUES, stateful=True, access={"input": "look"})
def variable_shape(
    run: Any, input: dtypes.resource, *, out_type: typevar("out_type", (dtypes.int32, dtypes.int64)) = dtypes.int32
) -> "out_type":  # noqa: F821
    """The shape of the variable's value: handle scalar -> [rank].

    Raises: NotFoundError when the variable is uninitialized.
    """
    return np.array(np.shape(value_of(run, input)), out_type.as_numpy_dtype)


@variable_shape.shape
def _(input: Sym, *, out_type: DType) -> Shape:
    _, shape = handle_of(input)
    return (None if shape is None else len(shape),)


@op("ResourceCountUpTo", shape=lambda resource, *, limit, T: (), stateful=True, access={"resource": "update"})
def resource_count_up_to(run: Any, resource: dtypes.resource, *, limit: int, T: COUNTED) -> "T":
    """The variable's value before it goes up by 1: handle scalar -> scalar.

    Raises: OutOfRangeError when the value has reached `limit`.
    """
    buffer = resource.buffer
    with buffer.lock:
        before = value_of(run, resource)
        _check_limit(before, limit)
        buffer.value = before + type(before)(1)
    return before


# -- predicates of nodes -------------------------------------------------------------------------------------------

# The types of the nodes whose output is a variable, as a reference or a handle.
VARIABLES: Final = types_of_role("variable")


# The types of the nodes that assign a value to a variable, initialized or not.
ASSIGNMENTS: Final = ("Assign", "AssignVariableOp")


def is_reference_variable(op: Operation) -> bool:
    return op.type in VARIABLES and op.outputs[0].dtype.is_ref


def is_variable_read(op: Operation) -> bool:
    """Whether the node copies the value of a resource variable as a whole."""
    return op.type == "ReadVariableOp"
