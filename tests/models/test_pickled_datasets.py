"""The datasets whose files hold pickles: what comes back is what was written, and no code of a file runs."""

import contextlib
import io
import os
import pickle
import tarfile

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.models.keras_data import plain_pickles

datasets = tf.keras.datasets


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    (tmp_path / "datasets").mkdir()
    return tmp_path / "datasets"


def rows(*texts):
    made = np.empty(len(texts), object)
    made[:] = texts
    return made


@pytest.mark.parametrize("protocol", range(5))
def test_plain_values_come_back(protocol):
    array = np.arange(6, dtype=">i2").reshape(2, 3)
    value = {"a": [1, -2, 2**40, 2.5, None, True], b"b": ("x", b"y", ()), "c": array, "d": rows([1], [2, 3]), "e": array.T}
    value["f"] = [value["a"], value["a"], np.float32(1.5)]
    if protocol < 2:  # arrays of those protocols are texts with escapes
        value = {"a": [1, -2, 2**40, 2.5, None, True], "b": ("x", ())}
    found = plain_pickles.read(pickle.dumps(value, protocol))
    assert list(found) == list(value)
    for name, one in value.items():
        if isinstance(one, np.ndarray) and one.dtype != object:
            assert found[name].dtype == one.dtype
            np.testing.assert_array_equal(found[name], one)
        else:
            assert (found[name].tolist() if isinstance(one, np.ndarray) else found[name]) == (
                one.tolist() if isinstance(one, np.ndarray) else one
            )


class Hostile:
    def __reduce__(self):
        return (os.mkdir, ("made",))


@pytest.mark.parametrize("value", [Hostile(), [1, Hostile()], np.ndarray, {1, 2}, os.path.join, rows(Hostile())])
def test_code_is_refused_and_not_run(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for protocol in range(2, 5):
        with pytest.raises(ValueError):
            plain_pickles.read(pickle.dumps(value, protocol))
    assert not (tmp_path / "made").exists()


def test_a_damaged_pickle_is_told():
    whole = pickle.dumps([1, [2, 3], np.arange(4)], 2)
    for end in range(len(whole)):
        with pytest.raises(ValueError):
            plain_pickles.read(whole[:end])
    circle: list = []
    circle.append(circle)
    with pytest.raises(ValueError, match="itself"):
        plain_pickles.read(pickle.dumps(circle))


@pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")  # of a text in protocol 0
def test_a_changed_pickle_is_a_value_or_is_told():
    whole = pickle.dumps({"a": [1, -2, 2.5], b"b": np.arange(4), "c": rows([1], [2, 3]), "d": np.float32(1.5)}, 2)
    draw = np.random.RandomState(0)
    for _ in range(2000):
        content = bytearray(whole)
        for at in draw.randint(0, len(content), draw.randint(1, 4)):
            content[at] = draw.randint(256)
        with contextlib.suppress(ValueError):
            plain_pickles.read(bytes(content))


def test_a_list_that_is_there_often_is_read_once():
    value: list = [1]
    for _ in range(60):
        value = [value, value]
    found = plain_pickles.read(pickle.dumps(value, 2))
    assert found[0] is found[1]


def test_texts_of_imdb_and_reuters(folder):
    train, test = rows([1, 2, 3], [4, 5], [6], [7, 8, 9, 10]), rows([1], [2, 3])
    np.savez(folder / "imdb.npz", x_train=train, y_train=np.arange(4), x_test=test, y_test=np.arange(2))
    (x_train, y_train), (x_test, _) = datasets.imdb.load_data()
    # the highest rank counts as unknown, as in 1.15
    assert sorted(x_train.tolist()) == [[1, 4, 5, 6], [1, 7, 8], [1, 9], [1, 10, 11, 12, 2]]
    assert [train[label][0] + 3 for label in y_train] == [text[1] for text in x_train]
    assert len(x_test) == 2
    (x_train, _), _ = datasets.imdb.load_data(num_words=8, start_char=None, index_from=0, oov_char=None)
    assert sorted(x_train.tolist()) == [[1, 2, 3], [4, 5], [6], [7]]
    with pytest.raises(ValueError, match="maxlen=1"):
        datasets.imdb.load_data(maxlen=1)
    with pytest.raises(TypeError, match="foo"):
        datasets.imdb.load_data(foo=1)
    np.savez(folder / "reuters.npz", x=rows([1, 2], [3], [4, 5, 6], [7], [8]), y=np.arange(5))
    (x_train, _), (x_test, y_test) = datasets.reuters.load_data(test_split=0.4)
    assert (len(x_train), len(x_test), len(y_test)) == (3, 2, 2)
    (folder / "imdb_word_index.json").write_text('{"the": 1}')
    assert datasets.imdb.get_word_index() == {"the": 1}
    np.savez(folder / "imdb.npz", x_train=rows(Hostile()), y_train=[0], x_test=test, y_test=[0])
    with pytest.raises(tf.errors.DataLossError, match="code"):
        datasets.imdb.load_data()


def test_pictures_of_cifar(folder):
    data = np.random.RandomState(0).randint(0, 256, (3, 3072)).astype("uint8")
    batch = pickle.dumps({b"data": data, b"labels": [3, 1, 2]}, 2)
    coarse = pickle.dumps({b"data": data, b"fine_labels": [9, 8, 7], b"coarse_labels": [0, 1, 0]}, 2)
    inside = folder / "cifar-10-batches-py"
    inside.mkdir()
    for name in [*[f"data_batch_{number}" for number in range(1, 6)], "test_batch"]:
        (inside / name).write_bytes(batch)
    (x_train, y_train), (x_test, y_test) = datasets.cifar10.load_data()
    assert (x_train.shape, y_train.shape, x_test.dtype) == ((15, 32, 32, 3), (15, 1), np.uint8)
    np.testing.assert_array_equal(x_test[1, 2, 3], data[1].reshape(3, 32, 32)[:, 2, 3])
    assert y_test.tolist() == [[3], [1], [2]]
    with tarfile.open(folder / "cifar-100-python.tar.gz", "w:gz") as archive:
        for name in ("train", "test"):
            member = tarfile.TarInfo(f"cifar-100-python/{name}")
            member.size = len(coarse)
            archive.addfile(member, io.BytesIO(coarse))
    assert datasets.cifar100.load_data()[0][1].tolist() == [[9], [8], [7]]
    assert datasets.cifar100.load_data("coarse")[1][1].tolist() == [[0], [1], [0]]
    with pytest.raises(ValueError, match="label_mode"):
        datasets.cifar100.load_data("x")
    (inside / "test_batch").write_bytes(batch[:-20])
    with pytest.raises(tf.errors.DataLossError, match="test_batch is damaged"):
        datasets.cifar10.load_data()
