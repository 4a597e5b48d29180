"""Sounds: a program that recognizes speech gets its features, long sounds take the memory they need, hostile files none."""

import struct
import tracemalloc

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.files import sounds
from tfedu.engine.ops import audio

HERTZ = 440.0


def tone(seconds, rate=16000, channels=1):
    times = np.arange(int(seconds * rate)) / rate
    return np.repeat(np.sin(2 * np.pi * HERTZ * times)[:, None], channels, 1).astype(np.float32)


def test_a_speech_program_finds_its_ops_where_1_15_has_them():
    contrib_audio = tf.contrib.framework.python.ops.audio_ops
    file = sounds.to_wav(tone(0.1), 16000)
    with tf.Graph().as_default(), tf.Session() as session:
        wav = contrib_audio.decode_wav(tf.placeholder_with_default(file, []), desired_channels=1, desired_samples=1600)
        spectrogram = contrib_audio.audio_spectrogram(wav.audio, window_size=480, stride=160, magnitude_squared=True)
        features = contrib_audio.mfcc(spectrogram, wav.sample_rate, dct_coefficient_count=40)
        assert spectrogram.shape.as_list() == [1, 8, 257]
        assert features.shape.as_list() == [1, 8, 40]
        powers, found = session.run([spectrogram, features])
    assert np.isfinite(found).all()
    assert (powers[0].argmax(axis=1) == round(HERTZ / (16000 / 512))).all()


def test_what_is_written_is_read_again():
    for channels in (1, 2, 5):
        samples, rate = sounds.from_wav(sounds.to_wav(tone(0.01, channels=channels), 16000))
        assert rate == 16000
        np.testing.assert_allclose(samples / 32768, tone(0.01, channels=channels), atol=1 / 32768)


@pytest.mark.parametrize("claim", [100, 1 << 20, (1 << 31) - 1, 1 << 31, (1 << 32) - 1])
def test_a_file_that_claims_more_samples_than_it_has_takes_no_memory(claim):
    data = sounds.to_wav(tone(0.001), 16000)
    at = data.index(b"data") + 4
    hostile = data[:at] + struct.pack("<I", claim) + data[at + 4 :]
    tracemalloc.start()
    with pytest.raises(sounds.BadSound, match=r"too short|too large"):
        sounds.from_wav(hostile)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 16


def test_the_spectra_of_a_long_sound_are_computed_in_blocks(monkeypatch):
    sound = np.random.default_rng(0).normal(size=(20_000, 1)).astype(np.float32)
    whole = audio.audio_spectrogram.definition.kernel(np, sound, window_size=100, stride=1)
    monkeypatch.setattr(audio, "_BLOCK", 1 << 12)
    tracemalloc.start()
    in_blocks = audio.audio_spectrogram.definition.kernel(np, sound, window_size=100, stride=1)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    np.testing.assert_array_equal(whole, in_blocks)
    assert most < 1.1 * whole.nbytes + (1 << 19)


def test_a_spectrogram_that_the_session_has_no_memory_for_is_refused_before_it_is_made():
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(memory_limit_mb=1)) as session:
        sound = tf.placeholder_with_default(tone(1), [16000, 1])
        spectrogram = tf.raw_ops.AudioSpectrogram(input=sound, window_size=256, stride=1)
        with pytest.raises(tf.errors.ResourceExhaustedError, match=r"shape\[1,15745,129\]"):
            session.run(spectrogram)


@pytest.mark.parametrize(("window", "stride"), [(8, 0), (-1, 1), (0, 0), (1, 0)])
def test_windows_that_end_tensorflows_process_are_refused(window, stride):
    with tf.Graph().as_default(), tf.Session() as session:
        spectrogram = tf.raw_ops.AudioSpectrogram(input=tone(0.01), window_size=window, stride=stride)
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"failed for window size {window} and stride {stride}"):
            session.run(spectrogram)


def test_a_lower_limit_that_is_no_number_is_refused():
    with tf.Graph().as_default(), tf.Session() as session:
        features = tf.raw_ops.Mfcc(spectrogram=np.ones([1, 1, 9]), sample_rate=8000, lower_frequency_limit=float("nan"))
        with pytest.raises(tf.errors.InvalidArgumentError, match="Mfcc initialization failed"):
            session.run(features)
