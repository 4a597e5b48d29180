"""tf.signal's frames, short-time transforms and mel spectra: values, static shapes, gradients, refusals."""

from harness import fresh, program, signature_text


def numbers(np, *shape):
    return (((np.arange(int(np.prod(shape))) * 7) % 11 - 5.0) / 4).reshape(shape).astype("float32")


def asked(tf, calls):
    """Of each call: the dtype, the static shape and the value, or the error."""

    def answer(call):
        def one():
            tensor, feeds = call()
            with tf.Session() as session:
                return [tensor.dtype.name, str(tensor.shape), session.run(tensor, feeds)]

        return fresh(tf, one)

    return [answer(call) for call in calls]


@program
def signatures(tf, np):
    s = tf.signal
    functions = (
        s.frame, s.overlap_and_add, s.stft, s.inverse_stft, s.inverse_stft_window_fn, s.linear_to_mel_weight_matrix,
        s.mfccs_from_log_mel_spectrograms,
    )
    return [[part.split("=")[0] for part in signature_text(function).split(", ")] for function in functions]


@program
def frames(tf, np):
    x, frame = np.arange(10, dtype="float32"), tf.signal.frame

    def fed(shape, value, *args, **options):
        given = tf.placeholder(tf.float32, shape)
        return frame(given, *args, **options), {given: value}

    return asked(tf, [
        lambda: (frame(x, 4, 2), {}),
        lambda: (frame(x, 4, 3), {}),
        lambda: (frame(x, 4, 3, pad_end=True, pad_value=-1), {}),
        lambda: (frame(x, 4, 5, pad_end=True), {}),
        lambda: (frame(x, 3, 4, name="mine"), {}),
        lambda: (frame(x, 20, 2), {}),
        lambda: (frame(x, 12, 2, pad_end=True, pad_value=7), {}),
        lambda: (frame(np.arange(6), 2, 1), {}),
        lambda: (frame(np.arange(6), 2, 2, True, 9), {}),
        lambda: (frame(numbers(np, 2, 7, 3), 4, 2, axis=1), {}),
        lambda: (frame(numbers(np, 2, 7, 3), 4, 2, pad_end=True, axis=-2), {}),
        lambda: (frame(numbers(np, 5, 3), 2, 2, pad_end=True, axis=0), {}),
        lambda: fed([None, 3], numbers(np, 7, 3), 4, 2, axis=0),
        lambda: fed([2, None], numbers(np, 2, 5), 2, 2, pad_end=True),
        lambda: fed(None, numbers(np, 2, 5), 2, 2),
        lambda: (frame(x, [4], 2), {}),
        lambda: (frame(x, 4, [2]), {}),
        lambda: (frame(x, 4, 2, pad_end=True, pad_value=[1.0]), {}),
        lambda: (frame(1.0, 4, 2), {}),
        lambda: (frame(x, 4.0, 2), {}),
    ])  # fmt: skip


@program
def overlaps(tf, np):
    add = tf.signal.overlap_and_add

    def fed(shape, value, *args):
        given = tf.placeholder(tf.float32, shape)
        return add(given, *args), {given: value}

    return asked(tf, [
        lambda: (add(numbers(np, 3, 4), 2), {}),
        lambda: (add(numbers(np, 3, 4), 1), {}),
        lambda: (add(numbers(np, 3, 4), 4), {}),
        lambda: (add(numbers(np, 3, 4), 5), {}),
        lambda: (add(numbers(np, 2, 2, 3, 4), 3, name="mine"), {}),
        lambda: (add(np.arange(12).reshape(3, 4), 2), {}),
        lambda: fed([None, None], numbers(np, 3, 4), 2),
        lambda: fed([2, None, 4], numbers(np, 2, 3, 4), 2),
        lambda: fed(None, numbers(np, 2, 3, 4), 2),
        lambda: (add(numbers(np, 4), 2), {}),
        lambda: (add(numbers(np, 3, 4), 2.0), {}),
        lambda: (add(numbers(np, 3, 4), [2]), {}),
    ])  # fmt: skip


@program
def short_time_transforms(tf, np):
    s, x = tf.signal, numbers(np, 16)

    def there_and_back(length, step):
        spectra = s.stft(x, length, step)
        return s.inverse_stft(spectra, length, step, window_fn=s.inverse_stft_window_fn(step)), {}

    def fed(length):
        given = tf.placeholder(tf.int32, [])
        return s.inverse_stft(s.stft(x, given, 2), given, 2), {given: length}

    return asked(tf, [
        lambda: (s.stft(x, 4, 2), {}),
        lambda: (s.stft(numbers(np, 2, 9), 5, 2, pad_end=True), {}),
        lambda: (s.stft(x, 4, 2, fft_length=8, window_fn=None), {}),
        lambda: (s.stft(x, 4, 2, fft_length=3, window_fn=s.hamming_window), {}),
        lambda: (s.stft(x, 4, 2, name="mine"), {}),
        lambda: (s.stft(x.astype("float64"), 4, 2), {}),
        lambda: (s.stft(1.0, 4, 2), {}),
        lambda: (s.stft(x, [4], 2), {}),
        lambda: there_and_back(8, 2),
        lambda: there_and_back(6, 3),
        lambda: (s.inverse_stft(np.ones((3, 3), "complex64"), 4, 2), {}),
        lambda: (s.inverse_stft(np.ones((3, 3), "complex64"), 6, 2, fft_length=4), {}),
        lambda: (s.inverse_stft(np.ones((2, 3, 3), "complex64"), 3, 2, window_fn=None), {}),
        lambda: (s.inverse_stft(np.ones((3, 3), "float32"), 4, 2), {}),
        lambda: (s.inverse_stft(np.ones((3,), "complex64"), 4, 2), {}),
        lambda: fed(4),
        lambda: fed(5),
        lambda: (s.inverse_stft_window_fn(2)(8, tf.float32), {}),
        lambda: (s.inverse_stft_window_fn(3, s.hamming_window)(7, tf.float64), {}),
    ])  # fmt: skip


@program
def mel_spectra(tf, np):
    matrix, mfccs = tf.signal.linear_to_mel_weight_matrix, tf.signal.mfccs_from_log_mel_spectrograms

    def fed(shape):
        given = tf.placeholder(tf.float32, shape)
        return mfccs(given), {given: numbers(np, 2, 5)}

    return asked(tf, [
        lambda: (matrix(4, 17), {}),
        lambda: (matrix(3, 9, 16000, 80.0, 7600.0, tf.float64, name="mine"), {}),
        lambda: (matrix(4, 17, tf.constant(8000)), {}),
        lambda: (matrix(num_mel_bins=0), {}),
        lambda: (matrix(num_spectrogram_bins=0), {}),
        lambda: (matrix(sample_rate=-1), {}),
        lambda: (matrix(lower_edge_hertz=-1.0), {}),
        lambda: (matrix(lower_edge_hertz=5000.0), {}),
        lambda: (matrix(upper_edge_hertz=5000.0), {}),
        lambda: (matrix(dtype=tf.int32), {}),
        lambda: (mfccs(numbers(np, 2, 5)), {}),
        lambda: fed([2, 5]),
        lambda: fed([None, None]),
        lambda: fed(None),
        lambda: (mfccs(np.ones((2, 0), "float32")), {}),
    ])  # fmt: skip


@program
def gradients(tf, np):
    s, x = tf.signal, numbers(np, 12)

    def of(function, value):
        def call():
            given = tf.constant(value)
            result = tf.abs(function(given))
            return tf.gradients(result * tf.cast(tf.range(1, 1 + tf.shape(result)[-1]), tf.float32), given)[0], {}

        return call

    return asked(tf, [
        of(lambda y: s.frame(y, 4, 2, pad_end=True), x),
        of(lambda y: s.overlap_and_add(y, 2), numbers(np, 3, 4)),
        of(lambda y: s.stft(y, 4, 2), x),
        of(lambda y: s.mfccs_from_log_mel_spectrograms(y), numbers(np, 1, 5)),
    ])  # fmt: skip
