"""Rows of the op table: sounds in WAV files, spectra and mel-frequency cepstral coefficients; asked of TF 1.15.0 itself.

tests/semantics/programs_signal_sounds.py has the spectra that are refused.
"""

import struct

import numpy as np
from cases import case, form
from convolution_rows import unknown
from harness import raw

rng = np.random.default_rng(11)

# -- WAV files ---------------------------------------------------------------------------------------------------------


def wav(data=b"\1\0\2\0\3\0\4\0", channels=1, rate=8000, **header):
    """A WAV file; each name of `header` sets a field to something else than the truth, or adds bytes."""
    h = {
        "riff": b"RIFF", "total": 0, "wave": b"WAVE", "format": b"fmt ", "format_size": 16, "kind": 1, "bits": 16, "longer": b"", "before": b"",
        "data": b"data", "size": len(data), "after": b"", "frame": 2 * channels, **header,
    }  # fmt: skip
    per_second = h.get("per_second", rate * h["frame"] % (1 << 32))
    head = struct.pack("<IHHIIHH", h["format_size"], h["kind"], channels, rate, per_second, h["frame"], h["bits"])
    body = h["wave"] + h["format"] + head + h["longer"] + h["before"] + h["data"] + struct.pack("<I", h["size"]) + data + h["after"]
    return h["riff"] + struct.pack("<I", h["total"]) + body


WHOLE = wav()
THREE = wav(np.arange(-6, 6, dtype="<i2").tobytes(), 3)
D, E = "audio.decode_wav", "audio.encode_wav"


def decode(data, **attrs):
    return lambda tf: tf.audio.decode_wav(data, **attrs)


def text(data):
    return np.array(data, object)


form(D, "form", lambda tf, x: tf.audio.decode_wav(x), text(WHOLE))
form(D, "positions and a name", lambda tf, x: tf.audio.decode_wav(x, 2, 3, "sound"), text(WHOLE))
for channels in (-1, 0, 1, 2, 3, 4, 7):
    for samples in (-1, 0, 2, 4, 6):
        case(D, f"three channels as {channels}, {samples} samples", decode(THREE, desired_channels=channels, desired_samples=samples))
    case(D, f"one channel as {channels}", decode(WHOLE, desired_channels=channels))
for name in ("desired_channels", "desired_samples"):
    for value in (-2, 1 << 31, -(1 << 40)):
        case(D, f"{name} {value}", decode(WHOLE, **{name: value}))
case(D, "a vector", lambda tf: tf.audio.decode_wav([WHOLE]))
case(D, "a vector at run time", unknown(lambda tf, x: tf.audio.decode_wav(x)), np.array([WHOLE], object))
for length in range(len(WHOLE)):
    case(D, f"cut after {length} bytes", decode(WHOLE[:length]))
case(D, "all 16 bits", decode(wav(np.array([-32768, 32767, -1], "<i2").tobytes())))
for name, data in {
    "other words": wav(riff=b"RIFX"), "another kind of RIFF": wav(wave=b"AVI "), "no format": wav(format=b"junk"),
    "longer format": wav(format_size=18, longer=b"\0\0"), "longer format without its end": wav(format_size=18), "format of 17": wav(format_size=17),
    "format of 40": wav(format_size=40), "format of 0": wav(format_size=0), "huge format": wav(format_size=(1 << 32) - 1),
    "floats": wav(kind=3), "extensible": wav(kind=0xFFFE), "no channel": wav(channels=0, frame=2), "two channels": wav(channels=2),
    "three channels": wav(channels=3), "65535 channels": wav(channels=32767), "8 bits": wav(bits=8), "24 bits": wav(bits=24), "0 bits": wav(bits=0, frame=0),
    "frames of 3 bytes": wav(frame=3), "another speed": wav(per_second=7), "rate 0": wav(rate=0), "rate 2^31": wav(rate=1 << 31),
    "rate 4e9": wav(rate=4000000000), "no data": wav(size=0), "empty data": wav(b""), "one byte less": wav(size=7), "one byte more": wav(size=9),
    "data too long": wav(size=100), "data of 2^31 - 1": wav(size=(1 << 31) - 1), "data of 2^31": wav(size=1 << 31), "data of 2^32 - 1": wav(size=(1 << 32) - 1),
    "data of 5 bytes": wav(b"\1\0\2\0\3"), "another chunk": wav(data=b"LIST"), "two data chunks": wav(after=b"data\2\0\0\0\1\0"),
    "a chunk after": wav(after=b"LIST\2\0\0\0ab"), "a short chunk after": wav(after=b"LIST\2\0\0\0a"), "half a chunk after": wav(after=b"LIST\2"),
    "two letters after": wav(after=b"LI"), "one byte after": wav(after=b"\0"), "a chunk before": wav(before=b"LIST\2\0\0\0ab"),
    "an odd chunk before": wav(before=b"LIST\3\0\0\0abc"), "an odd chunk before, filled up": wav(before=b"LIST\3\0\0\0abc\0"),
    "a huge chunk before": wav(before=b"LIST\xff\xff\xff\x7f"), "a larger chunk before": wav(before=b"LIST\xff\xff\xff\xff"),
    "an empty chunk before": wav(before=b"LIST\0\0\0\0"), "a large total": wav(total=(1 << 32) - 1), "words": b"hello, world",
    "four channels": wav(np.arange(8, dtype="<i2").tobytes(), 4), "half a frame": wav(np.arange(3, dtype="<i2").tobytes(), 2),
}.items():  # fmt: skip
    case(D, f"file: {name}", decode(data))

AUDIO = np.array([
    [0, 0.5], [-1, 1], [0.99999, -0.99999], [2, -2], [np.nan, np.inf], [-np.inf, 1e-5], [0.5 / 32768, 1.5 / 32768], [2.5 / 32768, -0.5 / 32768],
    [1.5 / 32767, 2.5 / 32767], [32766.5 / 32767, 0], [-1.5 / 32767, -32767.5 / 32767],
], np.float32)  # fmt: skip


def encode(tf, audio, rate=8000):
    return tf.audio.encode_wav(audio, rate)


form(E, "form", lambda tf, x: tf.audio.encode_wav(x, 8000, name="file"), AUDIO)
form(E, "a fed rate", encode, AUDIO, np.int32(44100))
case(E, "one channel", encode, AUDIO[:, :1])
case(E, "and back", lambda tf, x: tf.audio.decode_wav(encode(tf, x)), AUDIO)
case(E, "32767 channels", lambda tf, x: tf.strings.length(encode(tf, x, 100000)), np.zeros([1, 32767], np.float32))
case(E, "32768 channels", lambda tf, x: tf.strings.substr(encode(tf, x, 1), 0, 44), np.zeros([1, 32768], np.float32))
for shape in ([0, 1], [1, 0], [0, 0], [3], [1, 1, 1], [], [1, 65536]):
    case(E, f"shape {shape}", encode, np.zeros(shape, np.float32))
    case(E, f"shape {shape} at run time", unknown(encode), np.zeros(shape, np.float32))
for rate in (0, -1, (1 << 31) - 1, -(1 << 31), [8000]):
    case(E, f"rate {rate}", encode, AUDIO[:1], np.int32(rate))
    case(E, f"rate {rate} at run time", unknown(encode), AUDIO[:1], np.int32(rate))
case(E, "rate 0 and no frames", unknown(encode), AUDIO[:0], np.int32(0))
case(E, "rate 0 and no channels", unknown(encode), AUDIO[:, :0], np.int32(0))
case(E, "integers", encode, np.zeros([2, 1], np.int32))
case(E, "a rate of 1.5", lambda tf, x: encode(tf, x, 1.5), AUDIO)

# -- spectra -----------------------------------------------------------------------------------------------------------

S, M = "raw_ops.AudioSpectrogram", "raw_ops.Mfcc"
SOUND = rng.normal(size=(50, 1)).astype(np.float32)


def spectrum(window, stride, **attrs):
    return lambda tf, x: raw(tf, "AudioSpectrogram", input=x, window_size=window, stride=stride, **attrs)


for window, stride in ((8, 3), (5, 2), (2, 1), (3, 7), (16, 16), (17, 1), (50, 1), (51, 1), (33, 9), (49, 3), (8, 42), (8, 43), (8, 100)):
    form(S, f"{window} samples, each {stride}", spectrum(window, stride), SOUND)
    case(S, f"{window} samples, each {stride}, squared", spectrum(window, stride, magnitude_squared=True), SOUND)
for window, stride in ((1 << 31, 1), (8, 1 << 40), (-(1 << 40), 1)):
    case(S, f"{window} samples, each {stride}", spectrum(window, stride), SOUND)
for channels, frames, window, stride in ((2, 8, 4, 4), (2, 12, 4, 4), (2, 12, 8, 9), (3, 24, 4, 4), (2, 30, 8, 9), (0, 20, 8, 3), (2, 0, 4, 4)):
    sound = rng.normal(size=(frames, channels)).astype(np.float32)
    case(S, f"{channels} channels of {frames}, {window} samples, each {stride}", spectrum(window, stride), sound)
for shape in ([20], [20, 1, 1], []):
    case(S, f"shape {shape}", spectrum(8, 2), np.zeros(shape, np.float32))
    case(S, f"shape {shape} at run time", unknown(spectrum(8, 2)), np.zeros(shape, np.float32))
for name, value in {"nan": np.nan, "inf": np.inf}.items():
    case(S, name, spectrum(4, 2), np.float32([[1], [value], [2], [3], [1], [2.5], [3], [4.25]]))
case(S, "too large", spectrum(4, 2), np.full([8, 1], 1e30, np.float32))
case(S, "float64", spectrum(4, 2), np.ones([8, 1]))
case(S, "a window of 1.5", lambda tf, x: tf.shape(spectrum(2.5, 2)(tf, x)), SOUND)
case(S, "a window of words", spectrum("a", 2), SOUND)

POWERS = np.square(rng.normal(size=(2, 3, 129))).astype(np.float32)


def coefficients(rate=16000, **attrs):
    return lambda tf, x: raw(tf, "Mfcc", spectrogram=x, sample_rate=rate, **attrs)


form(M, "form", coefficients(), POWERS)
form(M, "a fed rate", lambda tf, x, rate: raw(tf, "Mfcc", spectrogram=x, sample_rate=rate, name="mine"), POWERS, np.int32(22050))
for name, values in {
    "upper_frequency_limit": (7000.1, 8000.0, 8062.0, 8063.0, 9000.0, 0.0, 20.0, 1e9, float("nan"), float("inf")),
    "lower_frequency_limit": (300.3, 0.0, -0.0, -1.0, 3999.0, 4000.0, 5000.0, 31.25, 93.75, float("inf")),
    "filterbank_channel_count": (13, 12, 20, 200, 0, -1), "dct_coefficient_count": (40, 41, 1, 0, -1),
}.items():  # fmt: skip
    for value in values:
        case(M, f"{name} {value}", coefficients(**{name: value}), POWERS)
for value in (1 << 40, "a"):
    case(M, f"dct_coefficient_count {value}", coefficients(dct_coefficient_count=value), POWERS)
case(M, "one band", coefficients(filterbank_channel_count=1, dct_coefficient_count=1), POWERS)
for rate in (8000, 44100, 0, -1, 100, 7, (1 << 31) - 1, [16000], 1.5):
    case(M, f"rate {rate}", coefficients(rate), POWERS)
case(M, "a vector of rates at run time", unknown(lambda tf, x, rate: raw(tf, "Mfcc", spectrogram=x, sample_rate=rate)), POWERS, np.int32([16000]))
for shape in ([3], [3, 129], [1, 3, 129, 1], [1, 3, 0], [1, 0, 129], [0, 3, 129], [0, 3, 1], [1, 3, 1], [1, 3, 2], [1, 3, 3], [1, 3, 5], [2, 2, 1025]):
    case(M, f"shape {shape}", coefficients(), np.ones(shape, np.float32))
    case(M, f"shape {shape} at run time", unknown(coefficients()), np.ones(shape, np.float32))
for name, factor in {"negative": -1, "zero": 0, "nan": np.nan, "inf": np.inf, "tiny": 1e-20}.items():
    case(M, name, coefficients(), POWERS * np.float32(factor))
case(M, "one infinite bin", coefficients(), np.where(np.arange(129) == 20, np.inf, POWERS).astype(np.float32))
case(M, "of a sound", lambda tf, x: coefficients()(tf, spectrum(480, 160, magnitude_squared=True)(tf, x)), rng.normal(size=(1600, 1)).astype(np.float32))
