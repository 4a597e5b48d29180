"""Spectra that 1.15 refuses: windows that are too small, and channels that run into each other.

Not asked, because TensorFlow's process ends there: strides of 0, windows of negative sizes.
"""

from harness import attempt, fresh, program, raw


def spectrum(tf, sound, window, stride):
    return raw(tf, "AudioSpectrogram", input=sound, window_size=window, stride=stride)


@program
def small_windows(tf, np):
    sound = np.sin(np.arange(50)).astype(np.float32)[:, None]

    def of(window, stride):
        with tf.Session() as session:
            return session.run(spectrum(tf, tf.placeholder_with_default(sound, None), window, stride))

    pairs = ((1, 1), (0, 1), (1, 100), (0, 100), (8, -1), (8, -100), (8, -41), (8, -42), (2, 100))
    return {f"{window}, each {stride}": fresh(tf, lambda w=window, s=stride: of(w, s)) for window, stride in pairs}


@program
def their_shapes(tf, np):
    windows = (
        (1, 1), (0, 1), (-1, 1), (1, 100), (0, 100), (8, -100), (8, -41), (8, -42), ((1 << 31) - 1, 1), ((1 << 30) + 1, 1), (1 << 30, 1),
    )  # fmt: skip
    return {
        f"{window}, each {stride}, of {frames}": [
            spectrum(tf, tf.placeholder(tf.float32, [frames, channels]), window, stride).shape for channels in (1, 2, None)
        ]
        for window, stride in windows
        for frames in (None, 0, 5, 20, 50)
    }


@program
def channels_run_into_each_other(tf, np):
    answers = {}
    with tf.Session() as session:
        for channels in (2, 3):
            for frames in (3, 7, 8, 12, 24, 30, 50):
                sound = np.cos(np.arange(frames * channels) ** 2 * 0.1).astype(np.float32).reshape(frames, channels)
                for window, stride in ((8, 3), (4, 4), (4, 2), (6, 1), (8, 9)):
                    built = spectrum(tf, sound, window, stride)
                    answers[f"{channels} of {frames}, {window} each {stride}"] = attempt(lambda b=built: session.run(b))
    return answers
