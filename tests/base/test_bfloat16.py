"""bfloat16 is ml_dtypes' type if that is installed; without it, bfloat16 can be stored and cast but not computed with."""

import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import dtypes

RECORD = np.dtype([("bfloat16", np.uint16)])
WIDE = np.array([1.0, 1.00390625, 1.01171875, -3.0, 0.0, np.inf, 3.4e38], np.float32)


@pytest.fixture
def without_ml_dtypes(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    monkeypatch.setattr(dtypes, "_numpy_bfloat16", None)


def test_importing_tfedu_does_not_load_ml_dtypes():
    code = "import sys, tfedu; tfedu.constant(1.0); sys.exit('ml_dtypes' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_type_is_that_of_ml_dtypes():
    assert tf.bfloat16.as_numpy_dtype is ml_dtypes.bfloat16
    for written in (ml_dtypes.bfloat16, np.dtype(ml_dtypes.bfloat16), "bfloat16", 14, RECORD):
        assert tf.as_dtype(written) is tf.bfloat16
    assert tf.bfloat16 == ml_dtypes.bfloat16
    assert tf.bfloat16.size == 2


def test_arrays_of_ml_dtypes_are_fed_and_fetched():
    fed = np.arange(3, dtype=np.float32).astype(ml_dtypes.bfloat16)
    with tf.Graph().as_default(), tf.Session() as session:
        place = tf.placeholder(tf.bfloat16, [3])
        assert tf.constant(fed).dtype is tf.bfloat16
        doubled = session.run(place * 2, {place: fed})
    assert doubled.dtype == ml_dtypes.bfloat16
    assert doubled.tolist() == [0, 2, 4]


def test_without_ml_dtypes_it_is_stored_and_cast(without_ml_dtypes):
    assert dtypes.bfloat16.numpy == RECORD
    with tf.Graph().as_default(), tf.Session() as session:
        here = tf.cast(tf.constant(WIDE), tf.bfloat16)
        back = session.run(tf.cast(tf.reshape(here, [7, 1])[:, 0], tf.float32))
        with pytest.raises(tf.errors.UnimplementedError, match="pip install ml_dtypes"):
            session.run(here + here)
        with pytest.raises(tf.errors.UnimplementedError, match="pip install ml_dtypes"):
            session.run(tf.reduce_sum(here))
    assert back.tolist() == [1.0, 1.0, 1.015625, -3.0, 0.0, np.inf, np.inf]


def test_the_bits_are_the_same_with_and_without(monkeypatch):
    there = dtypes.bfloat16_bits(WIDE)
    monkeypatch.setattr(dtypes, "_numpy_bfloat16", RECORD)
    assert dtypes.bfloat16_bits(WIDE).tobytes() == there.tobytes()
    assert dtypes.bfloat16_values(there).tolist() == dtypes.bfloat16_values(there.view(RECORD)).tolist()
