"""`import tensorflow…` after `install_as_tensorflow()`: every path of real programs leads to tfedu or says why it does not."""

import csv
import importlib
import importlib.util
import json
import subprocess
import sys
import types

import pytest
import sources

import tfedu as tf
from tfedu.legacy import aliases, finder, missing, renames

with open(sources.ROOT / "tests" / "golden" / "api_usage.csv", encoding="utf-8", newline="") as file:
    USAGE = list(csv.DictReader(file))
PUBLIC = json.loads((sources.ROOT / "tests" / "golden" / "public_names.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def installed():
    tf.install_as_tensorflow()
    yield
    tf.uninstall_as_tensorflow()


def test_tensorflow_is_tfedu_under_each_of_its_roofs():
    for name in ("tensorflow", "tensorflow.compat.v1", "tensorflow_core"):
        assert importlib.import_module(name) is tf


def test_namespaces_are_tfedus_own_modules():
    for name in ("nn", "math", "train", "gfile", "logging", "flags", "app", "test", "errors", "io", "io.gfile"):
        module = importlib.import_module(f"tensorflow.{name}")
        assert module.__name__ == f"tfedu.{name}"
        assert importlib.import_module(f"tensorflow.compat.v1.{name}") is module


PRIVATE = sorted({row["symbol"] for row in USAGE if row["symbol"].startswith(("tf.python.", "tf.contrib.", "tf.examples."))})


@pytest.mark.parametrize("symbol", PRIVATE)
def test_every_private_path_of_real_programs_resolves_or_says_what_it_lacks(symbol):
    """Import the longest path that is a module, then ask for the rest, as `from a.b import c` does."""
    parts = ("tensorflow" + symbol[2:]).split(".")
    end = max(i for i in range(1, len(parts) + 1) if i == 1 or finder.is_module(".".join(parts[:i])))
    thing = importlib.import_module(".".join(parts[:end]))
    if end == 1:
        pytest.fail(f"{symbol}: no module of its path is known")
    for part in parts[end:]:
        try:
            thing = getattr(thing, part)
        except AttributeError as error:
            said = str(error)
            assert part in said
            if missing.of_path(".".join(parts[: parts.index(part) + 1])):
                assert "TensorFlow" in said, said
            return


def test_a_row_leads_to_names_that_1_15_has_or_tfedu_has():
    known = {f"{space}.{name}" for space, names in PUBLIC["public"].items() for name in names.split()} | PUBLIC["public"].keys()
    for row in aliases.rows().values():
        for place in (*row.spaces, *row.names.values()):
            is_ours = missing.resolve(place)[0] or place.startswith(("tf.legacy.", "tf.contrib."))
            assert place in known or is_ours, (row.path, place)


def test_a_row_is_a_path_of_1_15():
    recorded = missing.modules()
    private = ("control_flow_ops", "graph_util", "ops.constant_op", "ops.summary_ops", "summary.event_accumulator")
    older = {f"tensorflow.python.{path}" for path in private}
    older |= {"tensorflow.contrib.rnn.python.ops.core_rnn_cell_impl", "tensorflow.contrib.keras.python"}
    attributes = {  # modules by another path
        "tensorflow.contrib.distributions.bijectors",
        "tensorflow.contrib.framework.nest", "tensorflow.contrib.layers.feature_column", "tensorflow.contrib.layers.summaries",
        "tensorflow.contrib.learn.datasets", "tensorflow.contrib.learn.preprocessing",
    }  # fmt: skip
    for path in aliases.rows():
        public = "tf" + path.removeprefix("tensorflow")
        assert path in recorded or public in missing.namespaces() or path in older or any(
            path == module or path.startswith(f"{module}.") for module in attributes
        ), path


def test_places_inside_the_package_exist():
    for row in aliases.rows().values():
        for place in (*row.spaces, *row.names.values()):
            if place.startswith("tf.legacy."):
                assert missing.resolve(place)[0], place


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("from tensorflow.python.framework import ops", ["ops"]),
        ("from tensorflow.python.framework.ops import reset_default_graph, Graph", ["reset_default_graph", "Graph"]),
        ("from tensorflow import matmul, float32, nn", ["matmul", "float32", "nn"]),
        ("from tensorflow.examples.tutorials.mnist import input_data", ["input_data"]),
        ("import tensorflow.examples.tutorials.mnist.input_data as data", ["data"]),
        ("from tensorflow.contrib.learn.python.learn.datasets.mnist import read_data_sets", ["read_data_sets"]),
        ("from tensorflow.python.platform import gfile, flags, tf_logging, app, test", ["gfile", "test"]),
        ("from tensorflow.python.training import moving_averages", ["moving_averages"]),
        ("from tensorflow.contrib import rnn, layers, slim", ["rnn", "layers", "slim"]),
        ("from tensorflow.contrib.tensorboard.plugins import projector", ["projector"]),
        ("import tensorflow.contrib.slim.nets as nets", []),
        ("from tensorflow import keras", ["keras"]),
        ("from tensorflow.python.client import timeline, device_lib", ["timeline", "device_lib"]),
    ],
)
def test_imports_of_real_programs(statement, names, tmp_path):
    (tmp_path / "importing.py").write_text(statement + "\n")
    sys.path.insert(0, str(tmp_path))
    try:
        sys.modules.pop("importing", None)
        try:
            module = importlib.import_module("importing")
        except ImportError:
            if names:
                raise
            return
        for name in names:
            getattr(module, name)
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("importing", None)


def test_a_missing_symbol_says_its_area_in_an_import_and_as_an_attribute():
    area = missing.area_of("tf.contrib.kernel_methods.KernelLinearClassifier")
    with pytest.raises(ImportError, match=rf"TensorFlow 1\.15 has tf\.contrib\.kernel_methods\.K.*\(area: {area}\)"):
        importlib.import_module("tensorflow.contrib.kernel_methods.KernelLinearClassifier")
    module = importlib.import_module("tensorflow.contrib.kernel_methods")
    with pytest.raises(AttributeError, match=rf"\(area: {area}\)"):
        module.KernelLinearClassifier  # noqa: B018


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("tensorflow.matmull", "Did you mean tf.matmul"),
        ("tensorflow.mul", "tf.mul was renamed tf.multiply in TensorFlow 1.0"),
        ("tensorflow.compat.v2", "TensorFlow 2's"),
        ("tensorflow.python.ops.math_ops.reduce_summ", "Did you mean tf.reduce_sum"),
    ],
)
def test_what_does_not_exist_names_what_is_near(path, said):
    with pytest.raises(ImportError) as caught:
        importlib.import_module(path)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "path", ["tensorflow.no_such_thing_here", "tensorflow.python.zzz.qqq", "tensorflow.engine", "tensorflow.view"]
)
def test_what_nobody_knows_is_no_module(path):
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(path)


@pytest.mark.parametrize(("old", "new"), {**renames.BEFORE_1_0}.items())
def test_a_name_of_before_1_0_says_its_new_one(old, new):
    assert new == "tf.setdiff1d" or new in missing.areas() or new in missing.namespaces()
    assert old not in missing.areas()
    assert missing.why(old) == f"{old} was renamed {new} in TensorFlow 1.0."
    space, _, name = old.rpartition(".")
    has, module = missing.resolve(space)
    if has:
        with pytest.raises(AttributeError, match="was renamed"):
            getattr(module, name)


@pytest.mark.parametrize(
    ("space", "slip", "near"), [("raw_ops", "MatMl", "MatMul"), ("nn", "reluu", "relu"), ("math", "reduce_summ", "reduce_sum")]
)
def test_a_slip_names_what_is_near_in_each_namespace(space, slip, near):
    with pytest.raises(AttributeError, match=f"Did you mean .{near}"):
        getattr(getattr(tf, space), slip)


def test_contrib_is_there_without_the_finder():
    tf.uninstall_as_tensorflow()
    assert isinstance(tf.contrib.slim, types.ModuleType)
    assert tf.contrib.util.constant_value(tf.constant(3)) == 3
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("tensorflow")


def test_private_packages_are_attributes_too():
    assert tf.python.framework.ops.Graph is tf.Graph
    assert tf.examples.tutorials.mnist.input_data.read_data_sets is tf.legacy.datasets.mnist.read_data_sets
    assert importlib.util.find_spec("tensorflow.nn") is not None


def test_an_imported_tensorflow_is_put_aside_only_when_forced_and_comes_back():
    tf.uninstall_as_tensorflow()
    theirs = sys.modules["tensorflow"] = types.ModuleType("tensorflow")
    inner = sys.modules["tensorflow.nn"] = types.ModuleType("tensorflow.nn")
    try:
        with pytest.raises(RuntimeError, match="TensorFlow itself is imported already"):
            tf.install_as_tensorflow()
        assert importlib.import_module("tensorflow") is theirs
        tf.install_as_tensorflow(force=True)
        assert importlib.import_module("tensorflow") is tf
        tf.uninstall_as_tensorflow()
        assert importlib.import_module("tensorflow") is theirs
        assert importlib.import_module("tensorflow.nn") is inner
    finally:
        for name in ("tensorflow", "tensorflow.nn"):
            sys.modules.pop(name, None)


def test_an_installed_tensorflow_is_not_imported(tmp_path):
    (tmp_path / "tensorflow").mkdir()
    (tmp_path / "tensorflow" / "__init__.py").write_text("raise SystemExit('the other one')\n")
    program = "import tfedu; tfedu.install_as_tensorflow(); import tensorflow; print(tensorflow is tfedu)"
    environment = {"PYTHONPATH": f"{tmp_path}:{sources.ROOT}"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


def test_nothing_is_installed_by_import_alone():
    program = "import sys, tfedu; print('tensorflow' in sys.modules, [f for f in sys.meta_path if 'tfedu' in type(f).__module__])"
    done = subprocess.run([sys.executable, "-c", program], cwd=sources.ROOT, capture_output=True, text=True)
    assert done.stdout == "False []\n", done.stderr


def test_star_imports_bring_the_names():
    program = (
        "import sys, tfedu; tfedu.install_as_tensorflow()\nfrom tensorflow import *\n"  # print is TensorFlow's now
        "sys.stdout.write(f'{matmul is tfedu.matmul}\\n')\n"
        "from tensorflow.python.ops.nn import *\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=sources.ROOT, capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize(("path", "name"), [("examples.tutorials.mnist.input_data", "read_data_sets"), ("python.ops.nn", "relu")])
def test_star_imports_of_a_private_module_bring_its_names_and_no_others(path, name):
    names = {}
    exec(f"from tensorflow.{path} import *", names)
    assert name in names
    assert not {"np", "Any", "errors", "pathlib"} & set(names)


def test_a_submodule_of_a_private_path_adds_nothing_to_a_public_namespace():
    before = dir(tf.losses), dir(tf.distributions)
    importlib.import_module("tensorflow.python.ops.losses.losses")
    importlib.import_module("tensorflow.python.ops.distributions.bernoulli")
    assert (dir(tf.losses), dir(tf.distributions)) == before
    assert importlib.import_module("tensorflow.python.ops.losses").absolute_difference is tf.losses.absolute_difference


def test_every_name_of_a_star_import_is_there():
    for path in aliases.rows():
        module = importlib.import_module(path)
        for name in module.__all__ if isinstance(module, finder.Alias) else ():
            getattr(module, name)
