"""tf.keras.applications: weights from files, and what is said of files that are not there."""

import json
import zlib

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


def test_nasnet_needs_a_size_and_has_the_names_of_1_15(cache):
    with pytest.raises(ValueError, match="should be \\(224, 224, 3\\)"):
        A.NASNetMobile((64, 64, 3), include_top=False)
    with pytest.raises(ValueError, match="static `input_shape`"):
        A.NASNetMobile((None, None, 3), include_top=False, weights=None)
    with pytest.raises(FileNotFoundError, match=r"nasnet_large_no_top\.h5.*fetches nothing"):
        A.NASNetLarge(include_top=False)
    assert not tf.get_default_graph().get_operations()
    model = A.NASNetMobile((33, 34, 3), include_top=False, weights=None, pooling="avg")
    assert (model.count_params(), len(model.layers), model.output_shape) == (4269716, 770, (None, 1056))
    layer = model.get_layer("separable_conv_2_normal_left1_5")
    scope = "normal_A_block_5/block_1/separable_conv_block_normal_left1_5"
    assert layer.weights[1].name == f"{scope}/{layer.name}/pointwise_kernel:0"
    assert model.get_layer("separable_conv_1_pad_reduction_left1_stem_1").padding == ((1, 2), (1, 2))


def test_an_unknown_size_counts_as_even(cache):
    model = A.MobileNetV2(alpha=0.35, include_top=False, weights=None)
    assert model.get_layer("Conv1_pad").padding == ((0, 1), (0, 1))


# a checksum of the layers' names, which TF 1.15.0 has in this order
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "count", "layers", "weights", "names"),
    [
        ("NASNetMobile", 5326716, 771, 1126, 1220957394), ("NASNetLarge", 88949818, 1041, 1546, 2770696079),
        ("InceptionResNetV2", 55873736, 782, 898, 1049070865),
    ],
)  # fmt: skip
def test_the_largest_networks_have_the_layers_of_1_15(name, count, layers, weights, names):
    with tf.Graph().as_default():
        model = getattr(A, name)(weights=None)
        assert (model.count_params(), len(model.layers), len(model.weights)) == (count, layers, weights)
        assert zlib.crc32(" ".join(layer.name for layer in model.layers[1:]).encode()) == names


@pytest.mark.long
def test_the_residual_blocks_scale_what_they_add(cache):
    assert A.inception_resnet_v2.preprocess_input(np.full((1, 1, 3), 255.0)).tolist() == [[[1.0, 1.0, 1.0]]]
    model = A.InceptionResNetV2(include_top=False, weights=None, input_shape=(75, 75, 3))
    assert [model.get_layer(f"block8_{number}").arguments["scale"] for number in (9, 10)] == [0.2, 1.0]
    block = model.get_layer("block17_3")
    assert block.function([1.0, 2.0], **block.arguments) == 1.2


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


@pytest.mark.parametrize(
    ("make", "arguments", "name"),
    [
        ("MobileNet", {"input_shape": (64, 64, 3), "include_top": False}, "mobilenet_1.00_64"),
        ("MobileNet", {"include_top": False}, "mobilenet_1.00_None"),
        ("MobileNetV2", {"input_shape": (128, 128, 3)}, "mobilenetv2_1.00_128"),
        ("MobileNetV2", {"include_top": False}, "mobilenetv2_1.00_None"),
    ],
)
def test_the_names_of_mobile_nets_tell_the_rows_as_in_1_15(make, arguments, name):
    assert getattr(tf.keras.applications, make)(weights=None, **arguments).name == name
