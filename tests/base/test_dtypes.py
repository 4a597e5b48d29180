"""The types of tensors: names, numbers, references, conversions and limits are TF 1.15's."""

import copy
import pickle

import numpy as np
import pytest

from tfedu.engine.base import dtypes
from tfedu.engine.base.dtypes import ALL, as_dtype

ENUMS = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "string": 7, "complex64": 8, "int64": 9,
    "bool": 10, "qint8": 11, "quint8": 12, "qint32": 13, "bfloat16": 14, "qint16": 15, "quint16": 16, "uint16": 17,
    "complex128": 18, "float16": 19, "resource": 20, "variant": 21, "uint32": 22, "uint64": 23,
}  # fmt: skip


def test_every_type_has_its_public_number_and_a_reference_a_hundred_higher():
    assert {n: d.as_datatype_enum for n, d in ALL.items() if not d.is_ref} == ENUMS
    for name, number in ENUMS.items():
        reference = ALL[name].as_ref
        assert reference.name == f"{name}_ref"
        assert reference.enum == number + 100
        assert reference.base_dtype is ALL[name]
        assert reference.as_ref is reference
        assert ALL[name].base_dtype is ALL[name]
        assert reference._is_ref_dtype
        assert not ALL[name]._is_ref_dtype
        assert as_dtype(number) is ALL[name]
        assert as_dtype(number + 100) is reference


def test_reprs_are_those_of_tensorflow():
    assert repr(dtypes.float32) == "tf.float32"
    assert str(dtypes.float32) == "<dtype: 'float32'>"
    assert str(dtypes.int32.as_ref) == "<dtype: 'int32_ref'>"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("float32", "float32"), ("float", "float32"), ("double", "float64"), ("half", "float16"), ("half_ref", "float16_ref"),
        ("int64_ref", "int64_ref"), (float, "float32"), (bool, "bool"), (object, "string"), (np.float32, "float32"),
        (np.dtype("int16"), "int16"), (np.dtype(">f8"), "float64"), (np.dtype("U5"), "string"), (np.dtype("S3"), "string"),
        (np.str_, "string"), (np.longlong, "int64"), (np.dtype("O"), "string"), (np.bool_, "bool"),
        (np.dtype([("qint8", np.int8)]), "qint8"),
    ],
)  # fmt: skip
def test_every_name_of_a_type_gives_that_type(value, name):
    assert as_dtype(value) is ALL[name]
    assert ALL[name] == value
    assert (ALL[name] != value) is False


@pytest.mark.parametrize(
    "value", [int, str, complex, "int", None, 3.5, [1], np.datetime64, np.dtype("M8[s]"), 24, "x"]
)
def test_an_unknown_type_is_refused(value):
    with pytest.raises(TypeError) as caught:
        as_dtype(value)
    assert str(caught.value) == f"Cannot convert value {value!r} to a TensorFlow DType."
    assert dtypes.float32 != value


def test_types_are_single_objects_also_after_copying():
    for dtype in ALL.values():
        assert copy.copy(dtype) is copy.deepcopy(dtype) is pickle.loads(pickle.dumps(dtype)) is dtype
        assert dtypes.DType(dtype.as_datatype_enum) is dtype
    assert len({*ALL.values()}) == len(ALL) == 46
    with pytest.raises(TypeError):
        dtypes.DType(99)


def test_a_reference_differs_from_its_base_but_serves_in_its_place():
    assert dtypes.float32 != dtypes.float32.as_ref
    assert dtypes.float32.is_compatible_with(dtypes.float32.as_ref)
    assert not dtypes.float32.as_ref.is_compatible_with(dtypes.float32)
    assert dtypes.float32.is_compatible_with("float32")
    assert not dtypes.float32.is_compatible_with("float64")


def test_kinds_do_not_overlap():
    for dtype in ALL.values():
        assert (
            dtype.is_floating + dtype.is_integer + dtype.is_bool + dtype.is_complex + dtype.is_quantized <= 1
        )
        assert dtype.is_integer or not dtype.is_unsigned
    assert [d.name for d in ALL.values() if d.is_floating and not d.is_ref] == [
        "float32",
        "float64",
        "bfloat16",
        "float16",
    ]
    assert dtypes.complex64.real_dtype is dtypes.float32
    assert dtypes.complex128.as_ref.real_dtype is dtypes.float64
    assert dtypes.int8.real_dtype is dtypes.int8


def test_extremes_and_limits():
    assert (dtypes.int8.min, dtypes.int8.max, dtypes.uint64.max) == (-128, 127, 2**64 - 1)
    assert dtypes.float16.max == np.finfo(np.float16).max
    assert dtypes.bfloat16.max == 3.3895313892515355e38
    assert dtypes.uint8.limits == (0, 255)
    assert dtypes.float32.limits == (0, 1)
    for dtype in (dtypes.bool, dtypes.string, dtypes.complex64, dtypes.qint8):
        with pytest.raises(TypeError, match=r"Cannot find minimum value of <dtype: "):
            dtype.min  # noqa: B018
    with pytest.raises(ValueError, match="does not have defined limits"):
        dtypes.string.limits  # noqa: B018


def test_bfloat16_rounds_to_the_nearest_and_ties_to_even():
    wide = np.array([1.0, 1.00390625, 1.01171875, -3.0, 0.0, -0.0, np.inf], np.float32)
    there = dtypes.bfloat16_bits(wide)
    assert there.dtype == dtypes.bfloat16.numpy
    back = dtypes.bfloat16_values(there)
    assert back.tolist() == [1.0, 1.0, 1.015625, -3.0, 0.0, -0.0, np.inf]
    assert np.signbit(back[5])
    assert np.isnan(dtypes.bfloat16_values(dtypes.bfloat16_bits(np.float32(np.nan))))
    assert dtypes.bfloat16_bits(np.float32(2)).shape == ()
