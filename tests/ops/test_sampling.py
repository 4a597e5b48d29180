"""Candidate samplers: numbers that must be drawn again, the state of each session, and what TF answers by ending the process."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import philox
from tfedu.engine.ops.sampling import Stream, _rejected

START = philox.Generator(3, 5).reserve(1)
TRUE = np.array([[1], [0]])


@pytest.mark.parametrize("end", [1, 3, 2**31, 2**31 + 1, 2**32 - 1])
def test_numbers_that_are_drawn_again_move_those_behind_them(end):
    draws = philox.Draws(START)
    one_by_one = [(draws.bits() & 0x7FFFFF, draws.below(end)) for _ in range(200)]
    stream = Stream(START)
    for pieces in ([200], [1] * 200, [7, 90, 3, 100]):
        stream = Stream(START)
        found = [pair for count in pieces for pair in zip(*stream.units_and_places(end, count))]
        assert [(round(unit * 2**23), place) for unit, place in found] == one_by_one
    draws, stream = philox.Draws(START), Stream(START)
    assert [draws.below(end) for _ in range(200)] == np.concatenate([stream.below(end, n, 32) for n in (150, 50)]).tolist()


def test_of_the_multiples_of_the_range_none_is_incomplete():
    for end in (3, 10, 2**31 + 1):
        assert (2**32 - _rejected(end, 32)) % end == 0
        assert _rejected(end, 32) <= end
    assert _rejected(64, 64) == 0


def test_each_session_learns_for_itself():
    with tf.Graph().as_default():
        true = tf.placeholder(tf.int64, [None, 1])
        sampled, expected, _ = tf.nn.learned_unigram_candidate_sampler(true, 1, 4, False, 5, seed=1)
        with tf.Session() as session, tf.Session() as other:
            first = session.run([sampled, expected], {true: [[3], [3], [3]]})
            second = session.run(expected, {true: [[3], [1]]})
            np.testing.assert_allclose(second, [[4 * 4 / 8], [4 * 1 / 8]], rtol=1e-6)
            again = other.run([sampled, expected], {true: [[3], [3], [3]]})
            np.testing.assert_array_equal(first[0], again[0])
            np.testing.assert_array_equal(first[1], again[1])
            copied = session.store.copy()
            (state,) = session.store.generators.values()
            (twin,) = copied.generators.values()
            session.run(sampled, {true: [[2]]})
            assert state.weights.tolist() == [1, 2, 2, 5, 1]
            assert twin.weights.tolist() == [1, 2, 1, 5, 1]


def refused(make, error=tf.errors.InvalidArgumentError):
    with tf.Graph().as_default(), tf.Session() as session:
        outputs = list(make())
        with pytest.raises(error) as caught:
            session.run(outputs)
        return str(caught.value).split("\n")[0]


def test_what_ends_tensorflows_process_is_an_error(tmp_path):
    fixed = tf.nn.fixed_unigram_candidate_sampler
    text = refused(lambda: fixed(TRUE, 1, 3, False, 4, unigrams=[1.0, 2.0]))
    assert text == "range is 4 must be equal to weights size  2"
    text = refused(lambda: fixed(TRUE, 1, 3, True, 4, unigrams=[1.0, 0.0, 2.0, 0.0]))
    assert text == "Sampler's range is too small: of 4 classes only 2 have a weight above 0."
    text = refused(lambda: tf.nn.learned_unigram_candidate_sampler(TRUE + 4, 1, 3, False, 4))
    assert text == "`true_candidate` out of range [0, 4), received 5"
    words = tmp_path / "words.csv"
    refused(lambda: fixed(TRUE, 1, 3, False, 2, vocab_file=str(words)), tf.errors.NotFoundError)
    words.write_text("a,1\nb,zz\n")
    text = refused(lambda: fixed(TRUE, 1, 3, False, 2, vocab_file=str(words)))
    assert text == "Wrong vocabulary format at line: b,zz"


def test_frequencies_are_those_of_the_weights():
    weights = np.array([1.0, 0.0, 5.0, 2.0, 2.0])
    with tf.Graph().as_default(), tf.Session() as session:
        sampled, _, _ = tf.nn.fixed_unigram_candidate_sampler(TRUE, 1, 20000, False, 5, unigrams=weights.tolist(), seed=1)
        found = np.bincount(session.run(sampled), minlength=5) / 20000
    np.testing.assert_allclose(found, weights / 10, atol=0.02)
    assert found[1] == 0
