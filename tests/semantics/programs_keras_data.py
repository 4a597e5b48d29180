"""tf.keras' preprocessing and utilities: arrays of sequences, texts as numbers, labels, ops as layers, clones."""

from harness import attempt, program
from programs_keras_layers import filled, numbers, plain


@program
def sequences(tf, np):
    S = tf.keras.preprocessing.sequence
    rows = [[1, 2, 3], [4], [], [5, 6]]
    generator = S.TimeseriesGenerator(np.arange(12.0), np.arange(12), length=3, sampling_rate=1, batch_size=4)
    strided = S.TimeseriesGenerator(np.arange(24.0).reshape(12, 2), np.arange(12), 4, sampling_rate=2, stride=2, batch_size=2, reverse=True)
    return [
        S.pad_sequences(rows), S.pad_sequences(rows, maxlen=2), S.pad_sequences(rows, maxlen=2, truncating="post", padding="post"),
        S.pad_sequences(rows, value=9, dtype="float32"), S.pad_sequences([[[1, 2]], [[3, 4], [5, 6]]]), S.make_sampling_table(6),
        S.skipgrams([1, 2, 3], 5, window_size=1, negative_samples=0, shuffle=False), len(generator), list(generator[0]),
        list(generator[len(generator) - 1]), len(strided), list(strided[0]),
        attempt(lambda: S.pad_sequences(3)), attempt(lambda: S.pad_sequences([1, 2])),
        attempt(lambda: S.pad_sequences(rows, padding="foo")), attempt(lambda: S.pad_sequences(rows, truncating="foo")),
        attempt(lambda: S.TimeseriesGenerator(np.arange(3), np.arange(2), 1)),
        attempt(lambda: S.TimeseriesGenerator(np.arange(3), np.arange(3), 5)),
    ]  # fmt: skip


@program
def texts(tf, np):
    T = tf.keras.preprocessing.text
    texts = ["The cat sat on the mat.", "The dog, the dog!", "A cat"]
    found = []
    for options in ({}, {"num_words": 4}, {"oov_token": "?", "num_words": 4}, {"char_level": True}, {"lower": False, "filters": ""}):
        tokenizer = T.Tokenizer(**options)
        tokenizer.fit_on_texts(texts)
        numbers = tokenizer.texts_to_sequences([*texts, "the bird"])
        found.append([sorted(tokenizer.word_index.items()), numbers, tokenizer.sequences_to_texts(numbers)])
        found.append([tokenizer.texts_to_matrix(texts, mode=mode) for mode in ("binary", "count", "freq", "tfidf")])
    found.append([T.text_to_word_sequence("Hello, World! a-b"), T.hashing_trick("a b a", 10, hash_function="md5")])
    found.append([attempt(lambda: T.Tokenizer(foo=1)), attempt(lambda: T.Tokenizer().texts_to_matrix(["a"]))])
    return found


@program
def labels(tf, np):
    U = tf.keras.utils
    return [
        U.to_categorical([0, 2, 1]), U.to_categorical([[0], [2]], 4), U.to_categorical([[0, 1], [1, 0]], dtype="int32"),
        U.normalize(np.float32([[3, 4], [0, 0]])), U.normalize(np.float32([3, 4]), order=1),
    ]  # fmt: skip


@program
def layers_of_ops(tf, np):
    K, L = tf.keras, tf.keras.layers
    a = K.Input((3,), name="a")
    x = L.Dense(2)(a)
    y = tf.nn.relu(x) * 2.0 + 1.0
    out = L.Dense(1)(tf.concat([y, x], 1))
    model = K.Model(a, out)
    filled(np, model)
    other = K.Model(a, tf.reduce_sum(x * x, axis=1))
    values = numbers(np, 2, 3)
    return [
        [layer.name for layer in model.layers], model.predict(values), [layer.name for layer in other.layers],
        other.predict(values), other(tf.ones([4, 3])).name,
    ]  # fmt: skip


@program
def clones(tf, np):
    K, L = tf.keras, tf.keras.layers
    a, b = K.Input((3,), name="a"), K.Input((3,), name="b")
    shared = L.Dense(2, name="shared")
    model = K.Model([a, b], L.Dense(1, name="out")(L.Concatenate(name="both")([shared(a), shared(b)])), name="m")
    filled(np, model)
    x = [numbers(np, 2, 3), numbers(np, 2, 3) * 2]
    clone = K.models.clone_model(model)
    clone.set_weights(model.get_weights())
    again = K.models.model_from_json(model.to_json())
    again.set_weights(model.get_weights())
    chain = K.Sequential([L.Dense(2, input_shape=(3,)), L.LeakyReLU()], name="chain")
    filled(np, chain)
    copy = K.Sequential.from_config(chain.get_config())
    copy.set_weights(chain.get_weights())
    return [
        np.array_equal(clone.predict(x), model.predict(x)), np.array_equal(again.predict(x), model.predict(x)), model.predict(x),
        np.array_equal(copy.predict(x[0]), chain.predict(x[0])), plain(again.get_config()), [l.name for l in clone.layers],
        attempt(lambda: K.models.clone_model(3)), attempt(lambda: K.models.model_from_config([])),
    ]  # fmt: skip


@program
def names_of_objects(tf, np):
    U = tf.keras.utils

    def swish(x):
        return x * tf.sigmoid(x)

    with U.custom_object_scope({"swish": swish}):
        known = sorted(U.get_custom_objects())
    return [
        known, sorted(U.get_custom_objects()), U.serialize_keras_object(None), U.serialize_keras_object(swish),
        plain(U.serialize_keras_object(tf.keras.regularizers.l2(0.5))),
        attempt(lambda: U.deserialize_keras_object("foo", {}, printable_module_name="thing")),
        attempt(lambda: U.deserialize_keras_object({"class_name": "foo", "config": {}}, {}, printable_module_name="thing")),
        attempt(lambda: U.serialize_keras_object(3)),
        attempt(lambda: tf.keras.losses.get("foo")), attempt(lambda: tf.keras.metrics.get(3)),
        attempt(lambda: tf.keras.activations.get("foo")), attempt(lambda: tf.keras.initializers.get("foo")),
    ]  # fmt: skip
