"""`tf.errors`: what a run can raise. `OpError` is the root; each kind has its code."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.base.errors import (
    ABORTED, ALREADY_EXISTS, CANCELLED, DATA_LOSS, DEADLINE_EXCEEDED, FAILED_PRECONDITION, INTERNAL, INVALID_ARGUMENT,
    NOT_FOUND, OK, OUT_OF_RANGE, PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNAUTHENTICATED, UNAVAILABLE, UNIMPLEMENTED,
    UNKNOWN, AbortedError, AlreadyExistsError, CancelledError, DataLossError, DeadlineExceededError,
    FailedPreconditionError, InternalError, InvalidArgumentError, NotFoundError, OpError, OutOfRangeError,
    PermissionDeniedError, ResourceExhaustedError, UnauthenticatedError, UnavailableError, UnimplementedError,
    UnknownError, error_code_from_exception_type, exception_type_from_error_code,
)  # fmt: skip

__all__ = [
    "ABORTED", "ALREADY_EXISTS", "AbortedError", "AlreadyExistsError", "CANCELLED", "CancelledError",
    "DATA_LOSS", "DEADLINE_EXCEEDED", "DataLossError", "DeadlineExceededError", "FAILED_PRECONDITION",
    "FailedPreconditionError", "INTERNAL", "INVALID_ARGUMENT", "InternalError", "InvalidArgumentError",
    "NOT_FOUND", "NotFoundError", "OK", "OUT_OF_RANGE", "OpError", "OutOfRangeError", "PERMISSION_DENIED",
    "PermissionDeniedError", "RESOURCE_EXHAUSTED", "ResourceExhaustedError", "UNAUTHENTICATED",
    "UNAVAILABLE", "UNIMPLEMENTED", "UNKNOWN", "UnauthenticatedError", "UnavailableError",
    "UnimplementedError", "UnknownError", "error_code_from_exception_type",
    "exception_type_from_error_code",
]  # fmt: skip
