"""The tree of errors, their codes, and the layout of messages."""

import pickle

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import errors, suggest

CODES = {
    "CANCELLED": 1, "UNKNOWN": 2, "INVALID_ARGUMENT": 3, "DEADLINE_EXCEEDED": 4, "NOT_FOUND": 5, "ALREADY_EXISTS": 6,
    "PERMISSION_DENIED": 7, "RESOURCE_EXHAUSTED": 8, "FAILED_PRECONDITION": 9, "ABORTED": 10, "OUT_OF_RANGE": 11,
    "UNIMPLEMENTED": 12, "INTERNAL": 13, "UNAVAILABLE": 14, "DATA_LOSS": 15, "UNAUTHENTICATED": 16,
}  # fmt: skip


def class_of(name):
    return (
        getattr(errors, "".join(part.capitalize() for part in name.split("_")) + "Error", None)
        or errors.CancelledError
    )


@pytest.mark.parametrize(("name", "code"), CODES.items())
def test_every_code_has_its_class(name, code):
    cls = class_of(name)
    assert getattr(errors, name) == code
    assert issubclass(cls, errors.OpError)
    error = cls("node", "op", "text")
    assert (error.node_def, error.op, error.message, error.error_code) == ("node", "op", "text", code)
    assert errors.exception_type_from_error_code(code) is cls
    assert errors.error_code_from_exception_type(cls) == code


def test_there_are_sixteen_kinds():
    assert len(set(map(class_of, CODES))) == 16
    assert errors.OK == 0
    assert errors.error_code_from_exception_type(errors.OpError) == errors.UNKNOWN
    with pytest.raises(KeyError):
        errors.exception_type_from_error_code(0)


def test_a_pickled_error_has_no_operation():
    error = pickle.loads(pickle.dumps(errors.OutOfRangeError(None, None, "end")))
    assert (type(error), error.message, str(error)) == (errors.OutOfRangeError, "end", "end")
    plain = pickle.loads(pickle.dumps(errors.OpError(None, None, "text", 7)))
    assert (plain.message, plain.error_code) == ("text", 7)


def test_a_message_has_the_text_first_then_where_inputs_and_advice():
    assert errors.layout("Text.") == "Text."
    assert errors.layout("Text.", "File a.py, line 1:  x", ["a:0 float32[2]"], "do this") == (
        "Text.\n  where: File a.py, line 1:  x\n  input 0: a:0 float32[2]\n  fix: do this"
    )


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("matmull", "matmul"),
        ("Float32", "float32"),
        ("reduce_men", "reduce_mean"),
        ("zzz", None),
        ("matmul", None),
    ],
)
def test_the_nearest_known_name(name, nearest):
    assert suggest.nearest(name, ["matmul", "mul", "float32", "reduce_mean", "reduce_max"]) == nearest


def test_messages_show_numpys_scalars_as_tensorflow_does():
    scalars = [np.False_, np.True_, np.int64(-3), np.float32(1.5), np.str_("a"), np.bytes_(b"b"), np.complex64(2j)]
    assert errors.layout(f"got {scalars!r}").endswith("got [False, True, -3, 1.5, 'a', b'b', 2j]")
    with pytest.raises(TypeError, match=r"^Expected string, got False of type 'bool' instead"):
        tf.constant(np.False_, tf.string)
