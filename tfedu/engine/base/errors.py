"""The errors that a program can catch, `OpError` and its sixteen kinds, and the layout of every message.

    OpError ── CancelledError, UnknownError, InvalidArgumentError, DeadlineExceededError, NotFoundError,
               AlreadyExistsError, PermissionDeniedError, UnauthenticatedError, ResourceExhaustedError,
               FailedPreconditionError, AbortedError, OutOfRangeError, UnimplementedError, InternalError,
               UnavailableError, DataLossError

The first line is TF's own text; `where`, `input` and `fix` lines follow it. No state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol

from . import site as sites
from .dtypes import DType


class _OperationLike(Protocol):
    @property
    def site(self) -> sites.Site | None: ...


class TensorLike(Protocol):
    """What a message tells of a tensor; this layer knows no graph."""

    @property
    def name(self) -> str: ...
    @property
    def dtype(self) -> DType: ...
    @property
    def raw_shape(self) -> tuple[int | None, ...] | None: ...
    @property
    def op(self) -> _OperationLike: ...


OK: Final = 0
CANCELLED: Final = 1
UNKNOWN: Final = 2
INVALID_ARGUMENT: Final = 3
DEADLINE_EXCEEDED: Final = 4
NOT_FOUND: Final = 5
ALREADY_EXISTS: Final = 6
PERMISSION_DENIED: Final = 7
RESOURCE_EXHAUSTED: Final = 8
FAILED_PRECONDITION: Final = 9
ABORTED: Final = 10
OUT_OF_RANGE: Final = 11
UNIMPLEMENTED: Final = 12
INTERNAL: Final = 13
UNAVAILABLE: Final = 14
DATA_LOSS: Final = 15
UNAUTHENTICATED: Final = 16


def layout(
    first_line: str, where: str | None = None, inputs: Iterable[str] = (), fix: str | None = None, during: str | None = None
) -> str:
    """A message: TF's text, then the user's line, a line for each input, what was being made, and advice where it is surely
    right.
    """
    lines = [_without_types_of_scalars(first_line)]
    if where:
        lines.append(f"  where: {where}")
    lines.extend(f"  input {i}: {text}" for i, text in enumerate(inputs))
    if during:
        lines.append(f"  during: {during}")
    if fix:
        lines.append(f"  fix: {fix}")
    return "\n".join(lines)


_SCALAR: Final = re.compile(r"\bnp\.(?:(True|False)_|(?:u?int\d+|float\d+|complex\d+|str_|bytes_)\(([^()]*)\))")


def _without_types_of_scalars(text: str) -> str:
    """The text with NumPy's scalars as NumPy 1 wrote them and TF's texts have them: 1.5 for np.float32(1.5)."""
    return _SCALAR.sub(lambda found: found[1] or found[2], text) if "np." in text else text


def error_text(
    first_line: str, inputs: Iterable[TensorLike] = (), fix: str | None = None, *, site: sites.Site | None = None
) -> str:
    """The message of an error that the user's program caused.

    first_line: TF's own text; inputs: the tensors that the error is about; fix: advice, where it is surely right;
    site: the user's line, by default the one running now.
    """
    site = site or sites.capture()
    return layout(first_line, None if site is None else sites.describe(site), map(input_line, inputs), fix)


@contextmanager
def advice(fix: str) -> Iterator[None]:
    """Adds a `fix` line to the TypeError or ValueError of a call inside that carries none."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if error.args and "\n  where: " in str(error.args[0]) and "\n  fix: " not in str(error.args[0]):
            error.args = (f"{error.args[0]}\n  fix: {fix}", *error.args[1:])
        raise


@contextmanager
def memory_errors(doing: str) -> Iterator[None]:
    """Raises ResourceExhaustedError with the user's line for a MemoryError inside. doing: "when importing a graph"."""
    try:
        yield
    except MemoryError as error:
        reason = f": {error}" if str(error) else ""
        raise ResourceExhaustedError(None, None, error_text(f"OOM {doing}{reason}")) from error


def input_line(tensor: TensorLike) -> str:
    """One input of a failed op: its name, dtype and shape, and the line that created it."""
    raw = tensor.raw_shape
    sizes = (
        "<unknown>"
        if raw is None
        else "[" + ", ".join("?" if size is None else str(size) for size in raw) + "]"
    )
    text = f"{tensor.name} {tensor.dtype.name}{sizes}"
    return text if tensor.op.site is None else f"{text}    from {sites.describe(tensor.op.site)}"


# As in TF 1.15, `tf.errors` does not name these two.


class InaccessibleTensorError(ValueError):
    """A tensor or operation of a loop or branch is fetched from outside it."""


class OperatorNotAllowedInGraphError(TypeError):
    """Python asks a tensor for what only a run knows."""


class OpError(Exception):
    """Something went wrong while an operation ran.

    `op` is the operation (None where there is none), `node_def` its description, `message` TF's text,
    `error_code` one of the codes of this module. `fetch` is the position of the fetched tensor that could not be read,
    `line` the user's line of an error without operation, `fix` advice where it is surely right. `during`: the node of the dataset
    whose function failed, and the number of the element that it got.
    """

    fetch: int | None = None
    line: sites.Site | None = None
    fix: str | None = None
    during: tuple[Any, int] | None = None

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int, *args: Any) -> None:
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code

    @property
    def message(self) -> str:
        return self._message

    @property
    def op(self) -> Any:
        return self._op

    @property
    def error_code(self) -> int:
        return self._error_code

    @property
    def node_def(self) -> Any:
        if self._node_def is None and self._op is not None:
            return self._op.node_def
        return self._node_def

    def __str__(self) -> str:
        if self._op is None:
            return layout(self._message, None if self.line is None else sites.describe(self.line), fix=self.fix)
        where = sites.describe(self._op.site) if self._op.site is not None else None
        during = None
        if self.during is not None:
            node, number = self.during
            during = f"element {number} (the first one is 0) of {node.name}, {sites.describe(node.site)}"
        return layout(self._message, where, map(input_line, self._op.inputs), self.fix, during)

    def __reduce__(self) -> tuple[Any, ...]:
        # A graph is not pickled, and so its operation is not.
        if type(self) is OpError:
            return OpError, (None, None, self._message, self._error_code)
        return type(self), (None, None, self._message)


class _CodedError(OpError):
    """An OpError whose class has the code."""

    code: int = UNKNOWN

    def __init__(self, node_def: Any, op: Any, message: str, *args: Any) -> None:
        super().__init__(node_def, op, message, type(self).code)


class CancelledError(_CodedError):
    """An operation or step was cancelled."""

    code = CANCELLED


class UnknownError(_CodedError):
    """A failure of unknown cause."""

    code = UNKNOWN

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int = UNKNOWN, *args: Any) -> None:
        OpError.__init__(self, node_def, op, message, error_code)


class InvalidArgumentError(_CodedError):
    """An operation got an invalid argument."""

    code = INVALID_ARGUMENT


class DeadlineExceededError(_CodedError):
    """A deadline passed before the operation was done."""

    code = DEADLINE_EXCEEDED


class NotFoundError(_CodedError):
    """A requested entity, such as a file, does not exist."""

    code = NOT_FOUND


class AlreadyExistsError(_CodedError):
    """An entity to be created exists already."""

    code = ALREADY_EXISTS


class PermissionDeniedError(_CodedError):
    """The caller lacks the permission."""

    code = PERMISSION_DENIED


class UnauthenticatedError(_CodedError):
    """The request carries no valid credentials."""

    code = UNAUTHENTICATED


class ResourceExhaustedError(_CodedError):
    """A resource, such as memory, is used up."""

    code = RESOURCE_EXHAUSTED


class FailedPreconditionError(_CodedError):
    """The system is not in the state that the operation needs, such as an uninitialized variable."""

    code = FAILED_PRECONDITION


class AbortedError(_CodedError):
    """The operation was aborted, as after a conflict with another one."""

    code = ABORTED


class OutOfRangeError(_CodedError):
    """The operation went past the end of its data."""

    code = OUT_OF_RANGE


class UnimplementedError(_CodedError):
    """The operation is not implemented for these arguments."""

    code = UNIMPLEMENTED


class InternalError(_CodedError):
    """An invariant of the runtime is broken."""

    code = INTERNAL


class UnavailableError(_CodedError):
    """The runtime cannot be reached at the moment."""

    code = UNAVAILABLE


class DataLossError(_CodedError):
    """Data was lost or damaged beyond recovery."""

    code = DATA_LOSS


_CLASSES: Final = {cls.code: cls for cls in _CodedError.__subclasses__()}


def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """The class for a code. Raises KeyError for OK and for numbers that are no code."""
    return _CLASSES[error_code]


def error_code_from_exception_type(cls: type[OpError]) -> int:
    """The code of a class; UNKNOWN for a class that has none of its own."""
    return cls.code if isinstance(cls, type) and issubclass(cls, _CodedError) else UNKNOWN
