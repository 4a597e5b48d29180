"""tf.keras.applications: weights from files, and what is said of files that are not there."""

import json

import numpy as np
import pytest

import tfedu as tf

A = tf.keras.applications


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    (tmp_path / "models").mkdir()
    with tf.Graph().as_default():
        yield tmp_path / "models"


def small(weights, **options):
    return A.MobileNet((32, 32, 3), alpha=0.25, include_top=False, pooling="avg", weights=weights, **options)


def test_weights_come_from_a_file_or_from_the_cache(cache, tmp_path):
    pytest.importorskip("h5py")
    first = small(None)
    x = np.random.RandomState(1).rand(2, 32, 32, 3).astype("float32")
    expected = first.predict(x)
    first.save_weights(str(tmp_path / "mine.h5"))
    np.testing.assert_allclose(small(str(tmp_path / "mine.h5")).predict(x), expected, rtol=1e-5)
    (tmp_path / "mine.h5").rename(cache / "mobilenet_2_5_224_tf_no_top.h5")
    np.testing.assert_allclose(small("imagenet").predict(x), expected, rtol=1e-5)


def test_a_file_that_is_not_there_is_told_before_anything_is_built(cache):
    with pytest.raises(
        FileNotFoundError, match=r"vgg16_weights_tf_dim_ordering_tf_kernels\.h5.*fetches nothing"
    ):
        A.VGG16()
    with pytest.raises(FileNotFoundError, match=r"imagenet_class_index\.json"):
        A.vgg16.decode_predictions(np.ones((1, 1000)))
    assert not tf.get_default_graph().get_operations()


def test_classes_are_named_by_the_index_in_the_cache(cache):
    names = {str(i): [f"n{i:08}", f"thing {i}"] for i in range(1000)}
    (cache / "imagenet_class_index.json").write_text(json.dumps(names))
    preds = np.zeros((2, 1000))
    preds[0, [5, 7]], preds[1, 900] = [0.25, 0.75], 1.0
    first, second = A.resnet50.decode_predictions(preds, top=2)
    assert first == [("n00000007", "thing 7", 0.75), ("n00000005", "thing 5", 0.25)]
    assert second[0] == ("n00000900", "thing 900", 1.0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "count", "layers"),
    [
        ("VGG19", 143667240, 26), ("ResNet101", 44707176, 347), ("ResNet152", 60419944, 517), ("ResNet101V2", 44675560, 379),
        ("ResNet152V2", 60380648, 566), ("DenseNet169", 14307880, 597), ("DenseNet201", 20242984, 709),
    ],
)  # fmt: skip
def test_the_deeper_networks_have_the_parameters_of_1_15(name, count, layers):
    with tf.Graph().as_default():
        model = getattr(A, name)(weights=None)
        assert (model.count_params(), len(model.layers)) == (count, layers)
