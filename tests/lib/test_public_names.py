"""What `tf.` offers: every public name of the library is to be found, and what is missing is said with the nearest name."""

import importlib
import pkgutil
import subprocess
import sys

import pytest

import tfedu as tf
from tfedu.engine import lib

FACADES = [
    tf, tf.bitwise, tf.debugging, tf.distributions, tf.dtypes, tf.errors, tf.image, tf.initializers, tf.linalg, tf.math,
    tf.nest, tf.nn, tf.ragged, tf.random, tf.sets, tf.signal, tf.sparse, tf.strings, tf.summary, tf.train,
    tf.legacy.modules_of_contrib.contrib_deprecated, tf.legacy.modules_of_contrib.contrib_training,
    tf.legacy.modules.control_flow_ops,
]  # fmt: skip
# Names that TF has in places which are not part of tf.*.
INTERNAL = {
    "BaseResourceVariable", "IndexedSlicesValue", "Initializer", "RefVariable", "ResourceVariable", "assign_moving_average",
    "deserialize_sparse", "named", "variable_names", "waiting_for",
}  # fmt: skip


@pytest.mark.parametrize("facade", FACADES, ids=lambda m: m.__name__)
def test_every_listed_name_exists_and_is_listed_once(facade):
    assert len(facade.__all__) == len(set(facade.__all__))
    for name in facade.__all__:
        getattr(facade, name)


def test_every_public_name_of_the_library_can_be_reached():
    offered = {id(getattr(facade, name)) for facade in FACADES for name in facade.__all__}
    for info in pkgutil.walk_packages(lib.__path__, f"{lib.__name__}."):
        module = importlib.import_module(info.name)
        for name in getattr(module, "__all__", ()):
            if name in INTERNAL or info.name.rpartition(".")[2] in ("nest", "operators", "state"):
                continue
            assert id(getattr(module, name)) in offered, f"{info.name}.{name}"


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("tfedu.train", {"AdamOptimizer", "Saver", "start_queue_runners", "replica_device_setter"}),
        ("tfedu.io", {"FixedLenFeature", "TFRecordWriter", "write_graph"}),
        ("tfedu.summary", {"FileWriter", "scalar"}),
    ],
)
def test_the_tab_key_offers_names_that_are_not_loaded_yet(module, names):
    """In a process of its own, since a name that was used once is loaded."""
    script = f"import tfedu, {module}; print(*dir({module}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert names <= set(done.stdout.split())


def test_a_missing_name_is_said_with_the_nearest_one():
    with pytest.raises(AttributeError, match=r"module 'tfedu' has no attribute 'placeholer'\. Did you mean 'placeholder'\?"):
        tf.placeholer  # noqa: B018
    assert not hasattr(tf, "something_quite_different")


def test_programs_see_a_version_of_1_15():
    assert tf.__version__.startswith("1.15.")
    assert tf.__version__ == tf.VERSION


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: tf.Variable(None), "initial_value must be specified."),
        (lambda: tf.cond(True, tf.no_op, tf.no_op), "pred must not be a Python bool"),
        (lambda: tf.assert_equal(1, 2), "Condition x == y did not hold element-wise:"),
        (lambda: tf.assert_rank([1.0], 2), "must have rank 2"),
        (lambda: tf.group(3), "Expected tf.group() expected Tensor arguments"),
        (lambda: tf.Variable(1.0, use_resource=True).assign([1.0, 2.0]), "incompatible"),
    ],
)
def test_an_error_begins_with_the_words_of_tf_and_names_the_users_line(wrong, text):
    with pytest.raises(Exception, match="where: ") as caught:
        wrong()
    message = str(caught.value)
    assert text in message.split("\n")[0]
    assert "test_public_names.py, line" in message


@pytest.mark.parametrize("name", ["explain", "export_html", "progress", "schedule", "show", "view", "widgets"])
def test_what_is_heavy_is_there_when_it_is_asked_for(name):
    if name in ("export_html", "widgets"):
        pytest.importorskip("anywidget", reason="the widgets need the packages of tfedu[lab]")
    assert name in dir(tf)
    assert getattr(tf, name) is getattr(tf, name)
    assert name not in tf.__all__


def test_ragged_results_have_their_operators_without_tf_ragged():
    program = "import tfedu as tf; rows = tf.strings.split(['a b'], result_type='RaggedTensor'); rows[0]; rows + 'c'"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_sparse_tensors_have_their_operators_without_tf_sparse():
    program = "import tfedu as tf; 2.0 * tf.SparseTensor([[0]], [1.0], [2]) / [1.0, 2.0]"
    subprocess.run([sys.executable, "-c", program], check=True)
