"""Programs of TensorFlow before 1.0 (`tfedu run --legacy 0.x`), and names that NumPy and SciPy have removed since."""

import ast
import importlib
import importlib.util
import subprocess
import sys
import threading
import types
import warnings

import numpy as np
import pytest
import sources
from PIL import Image

import tfedu as tf
from tfedu.legacy import before_1_0, finder, lost_names, restored
from tfedu.legacy.before_1_0 import OLD_NAMES

A, B = [[1.0, 2.0]], [[3.0, 5.0]]


@pytest.fixture
def old():
    """tf as it was before 1.0, in a graph of its own."""
    with tf.Graph().as_default():
        yield before_1_0.module("tf")
    before_1_0._told.clear()


def value(tensor):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(tensor)


def run(program, *options, folder):
    file = folder / "program.py"
    file.write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "tfedu", "run", *options, str(file)]
    return subprocess.run(command, cwd=sources.ROOT, capture_output=True, text=True)


# -- TensorFlow before 1.0 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in OLD_NAMES if name not in before_1_0.SPACES])
def test_every_renamed_name_is_what_it_became(name, old, capsys):
    thing, new = old, tf
    for part in name.split(".")[1:]:
        thing = getattr(thing, part)
    for part in OLD_NAMES[name].split(".")[1:]:
        new = getattr(new, part)
    assert name in before_1_0.RENAMED or thing is new
    assert capsys.readouterr().err == f"tfedu: {name} has been {OLD_NAMES[name]} since TensorFlow 1.0.\n"


CALLS = {
    "mul": (lambda t: t.mul(A, B), [[3, 10]]),
    "pack": (lambda t: t.pack([A, B], axis=1), [[[1, 2], [3, 5]]]),
    "unpack": (lambda t: t.unpack(tf.constant(A), axis=1), [[1], [2]]),
    "select": (lambda t: t.select([[True, False]], t=A, e=B), [[1, 5]]),
    "batch_matmul": (lambda t: t.batch_matmul([A], [B], adj_y=True), [[[13]]]),
    "concat": (lambda t: t.concat(1, [A, B]), [[1, 2, 3, 5]]),
    "concat by name": (lambda t: t.concat(concat_dim=0, values=[A, B]), [[1, 2], [3, 5]]),
    "concat in the new order": (lambda t: t.concat([A, B], 1), [[1, 2, 3, 5]]),
    "concat with an axis": (lambda t: t.concat([A, B], axis=1), [[1, 2, 3, 5]]),
    "split": (lambda t: t.split(1, 2, tf.constant(A)), [[[1]], [[2]]]),
    "split by name": (lambda t: t.split(split_dim=1, num_split=2, value=tf.constant(A)), [[[1]], [[2]]]),
    "split in the new order": (lambda t: t.split(tf.constant(A), 2, 1), [[[1]], [[2]]]),
    "split with an axis": (lambda t: t.split(tf.constant(A), 2, axis=1), [[[1]], [[2]]]),
    "reverse": (lambda t: t.reverse(A, [False, True]), [[2, 1]]),
    "reverse by axes": (lambda t: t.reverse(A, [1]), [[2, 1]]),
    "sparse_concat": (lambda t: tf.sparse_tensor_to_dense(t.sparse_concat(0, [sparse(), sparse()])), [[0, 7], [0, 7]]),
    "sparse_split": (lambda t: tf.sparse_tensor_to_dense(t.sparse_split(1, 2, sparse())[1]), [[7]]),
}


def sparse():
    return tf.SparseTensor([[0, 1]], [7.0], [1, 2])


@pytest.mark.parametrize("label", CALLS)
def test_a_function_of_tf_takes_its_old_arguments(label, old):
    call, wanted = CALLS[label]
    np.testing.assert_allclose(value(call(old)), wanted)


LOGITS, LABELS = np.float32([[1, 2, 0.5]]), np.float32([[0, 1, 0]])
LOSSES = {
    "softmax_cross_entropy_with_logits": ((LOGITS, LABELS), {"labels": LABELS, "logits": LOGITS}),
    "sparse_softmax_cross_entropy_with_logits": ((LOGITS, [1]), {"labels": [1], "logits": LOGITS}),
    "sigmoid_cross_entropy_with_logits": ((LOGITS, LABELS), {"labels": LABELS, "logits": LOGITS}),
    "weighted_cross_entropy_with_logits": ((LOGITS, LABELS, 2.0), {"labels": LABELS, "logits": LOGITS, "pos_weight": 2.0}),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_takes_the_logits_first(name, old):
    given, wanted = LOSSES[name]
    np.testing.assert_allclose(value(getattr(old.nn, name)(*given)), value(getattr(tf.nn, name)(**wanted)))


@pytest.mark.parametrize("name", ["sampled_softmax_loss", "nce_loss"])
def test_a_sampled_loss_takes_the_inputs_before_the_labels(name, old):
    weights, biases, inputs = np.ones((5, 3), np.float32), np.zeros(5, np.float32), LOGITS
    tf.set_random_seed(1)
    loss = getattr(old.nn, name)(weights, biases, inputs, np.array([[2]]), 2, 5)
    assert value(loss).shape == (1,)


def test_resize_images_takes_height_and_width(old):
    image = tf.ones([4, 6, 1])
    assert old.image.resize_images(image, 2, 3).shape == (2, 3, 1)
    assert old.image.resize_images(image, 2, 3, 1).dtype == tf.float32
    assert old.image.resize_images(image, [2, 3], method=1).shape == (2, 3, 1)


def test_a_name_is_told_once(old, capsys):
    for _ in range(3):
        assert old.concat is before_1_0.concat
    assert capsys.readouterr().err == "tfedu: tf.concat is used as before TensorFlow 1.0, when the axis came first.\n"


def test_other_names_are_those_of_1_15(old):
    assert old.matmul is tf.matmul
    assert old.nn.relu is tf.nn.relu
    assert {"mul", "matmul"} <= set(dir(old))
    with pytest.raises(AttributeError, match=r"no attribute 'mull'"):
        _ = old.mull


PROGRAM = """
import numpy as np
import tensorflow as tf
from tensorflow.nn import rnn_cell
import helper
x = tf.pack([tf.constant([[1.0, 2.0]])] * 2)
outputs, _ = tf.nn.rnn(rnn_cell.BasicRNNCell(2), tf.unpack(x), dtype=tf.float32)
loss = tf.nn.softmax_cross_entropy_with_logits(tf.mul(outputs[-1], 0.0), [[0.5, 0.5]])
with tf.Session() as session:
    session.run(tf.initialize_all_variables())
    print("loss %.4f" % session.run(loss), np.float(1), helper.size(np.arange(3)))
"""


def test_a_program_of_0_x_runs_unchanged(tmp_path):
    (tmp_path / "helper.py").write_text("def size(a):\n    return len(a.tostring())\n", encoding="utf-8")
    done = run(PROGRAM, "--legacy", "0.x", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "loss 0.6931 1.0 24\n"), done.stderr
    assert done.stderr.count("tfedu: tf.mul has been tf.multiply since TensorFlow 1.0.") == 1


@pytest.mark.parametrize("name", before_1_0.LOSSES[1:])
def test_a_loss_of_seq2seq_takes_the_logits_first(name, old, capsys):
    logits, labels, weights = [tf.constant([[1.0, 2.0]])], [tf.constant([3])], [tf.constant([1.0])]
    function = getattr(old.nn.seq2seq, name)
    assert value(function(logits, labels, weights, softmax_loss_function=lambda a, b: a[:, 1] + 10 * tf.to_float(b))) == 32
    assert "softmax_loss_function took the logits first" in capsys.readouterr().err
    assert old.nn.seq2seq.rnn_decoder is tf.contrib.legacy_seq2seq.rnn_decoder
    assert old.models.rnn.seq2seq.rnn_decoder is tf.contrib.legacy_seq2seq.rnn_decoder


PROGRAM_OF_0_6 = """
import tensorflow as tf
from tensorflow.models.rnn import rnn, rnn_cell, seq2seq
from tensorflow.models.rnn.rnn_cell import GRUCell
import tensorflow.models.rnn.rnn_cell as cells
state = tf.placeholder("float", [None, 6])
cell = rnn_cell.BasicLSTMCell(3, forget_bias=1.0)
outputs, last = rnn.rnn(cell, tf.split(0, 2, tf.ones([8, 3])), initial_state=state)
loss = tf.nn.softmax_cross_entropy_with_logits(outputs[-1], tf.ones([4, 3]))
with tf.Session() as session:
    session.run(tf.initialize_all_variables())
    print(cell.state_size, session.run(last, {state: [[0.0] * 6] * 4}).shape)
    print(cells.GRUCell is GRUCell, callable(seq2seq.sequence_loss))
    print(cells.MultiRNNCell([rnn_cell.LSTMCell(2), GRUCell(1)]).state_size)
"""


def test_a_program_of_0_6_has_its_modules_of_recurrent_nets(tmp_path):
    done = run(PROGRAM_OF_0_6, "--legacy", "0.x", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "6 (4, 6)\nTrue True\n5\n"), done.stderr
    assert "BasicLSTMCell keeps its states side by side in one tensor" in done.stderr
    assert "--legacy 0.x" in run(PROGRAM_OF_0_6, folder=tmp_path).stderr


@pytest.mark.parametrize("line", ["tf.mul(1.0, 2.0)", "tf.nn.softmax_cross_entropy_with_logits([1.0], [1.0])"])
def test_an_error_of_such_a_program_names_the_option(line, tmp_path):
    done = run(f"import tensorflow as tf\n{line}\n", folder=tmp_path)
    assert done.returncode == 1
    assert "tfedu: This program is for TensorFlow before 1.0.  tfedu run --legacy 0.x" in done.stderr


def test_coverage_names_the_option(tmp_path):
    file = tmp_path / "old.py"
    file.write_text("import tensorflow as tf\ntf.mul(1, 2)\n", encoding="utf-8")
    assert f"tfedu run --legacy 0.x {file}" in str(tf.coverage(file, show=False))


def test_coverage_knows_the_modules_of_recurrent_nets(tmp_path):
    file = tmp_path / "old.py"
    file.write_text("from tensorflow.models.rnn import rnn_cell\nrnn_cell.GRUCell(2)\n", encoding="utf-8")
    told = str(tf.coverage(file, show=False))
    assert "tf.models.rnn.rnn_cell was renamed tf.nn.rnn_cell in TensorFlow 1.0" in told
    assert f"tfedu run --legacy 0.x {file}" in told


def test_install_as_tensorflow_takes_the_years():
    with pytest.raises(ValueError, match="legacy must be"):
        tf.install_as_tensorflow(legacy="0.5")
    program = "import tfedu; tfedu.install_as_tensorflow(legacy='0.x'); import tensorflow as tf; print(tf.mul.__name__)"
    done = subprocess.run([sys.executable, "-c", program], cwd=sources.ROOT, capture_output=True, text=True)
    assert done.stdout == "multiply\n", done.stderr


# -- NumPy and SciPy ---------------------------------------------------------------------------------------------------


@pytest.fixture
def restored_names():
    before_1_0._told.clear()
    restored.restore()
    yield
    restored.remove()
    before_1_0._told.clear()


def test_removed_names_of_numpy_are_there_and_told_once(restored_names, capsys):
    for _ in range(2):
        assert np.float is float
        assert np.infty == np.inf
        assert np.product([2, 3]) == 6
        assert np.in1d([[1, 2]], [2]).tolist() == [False, True]
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "tfedu: NumPy has removed np.float; it is float."
    assert len(told) == 4
    with pytest.raises(AttributeError, match="nonsense"):
        _ = np.nonsense


def test_each_restored_name_is_one_that_numpy_removed_or_will(restored_names):
    for name, (_, wanted) in restored._NOW.items():
        if name not in vars(np):
            assert getattr(np, name) is wanted or getattr(np, name) == wanted or wanted != wanted


# a value, and what NumPy 1.18 prints for it
PRINTED = [
    (np.float32(1.1), "1.1"),
    ([np.float32(1.1), np.int64(3)], "[1.1, 3]"),
    ({"loss": np.float64(0.25), "right": np.bool_(True)}, "{'loss': 0.25, 'right': True}"),
    ([np.float64("nan"), np.complex64(1 + 2j), np.str_("a")], "[nan, (1+2j), 'a']"),
    (np.dtype({"names": ["a", "b"], "formats": ["<i4", "<f8"], "offsets": [0, 16]}),
     "dtype({'names':['a','b'], 'formats':['<i4','<f8'], 'offsets':[0,16], 'itemsize':24})"),
    (np.array([0.5, 2], np.float32), "array([0.5, 2. ], dtype=float32)"),
    (np.array([(1, 2.0)], [("a", "<i4"), ("b", "<f4")])[0], "(1, 2.)"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "printed"), PRINTED, ids=range(len(PRINTED)))
def test_numbers_are_printed_as_numpy_1_printed_them(value, printed, restored_names):
    assert repr(value) == printed


def test_the_form_of_numbers_is_told_once_where_a_program_prints_them_and_ends_with_the_names(restored_names, capsys):
    for text in ("print('a', [1.5], np.float32(2))", "print([np.float32(2)])", "print({1: np.float32(2)}, (np.int64(1),))"):
        rewritten(text)
    shown = capsys.readouterr()
    assert shown.out == "a [1.5] 2.0\n[2.0]\n{1: 2.0} (1,)\n"
    assert shown.err == "tfedu: NumPy prints a number in a list as np.float32(0.5) today; here it is 0.5, as in NumPy 1.\n"
    restored.remove()
    assert repr([np.float32(2)]) == "[np.float32(2.0)]"


def test_a_thread_of_the_program_prints_numbers_so_too(restored_names, capsys):
    thread = threading.Thread(target=rewritten, args=("print([np.float32(2)])",))
    thread.start()
    thread.join()
    assert capsys.readouterr().out == "[2.0]\n"


def test_a_form_that_the_user_chose_comes_back():
    with np.printoptions(legacy="1.13"):
        restored.restore()
        restored.remove()
        assert np.get_printoptions()["legacy"] == "1.13"


def test_without_legacy_numpy_is_as_it_is():
    assert not hasattr(np, "infty")
    assert repr([np.float32(2)]) == "[np.float32(2.0)]"
    program = "import tfedu, numpy; tfedu.install_as_tensorflow(); print(hasattr(numpy, 'infty'))"
    done = subprocess.run([sys.executable, "-c", program], cwd=sources.ROOT, capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_uninstalling_takes_the_names_away():
    assert not finder.is_installed()
    tf.install_as_tensorflow(legacy=True)
    try:
        assert np.float is float
    finally:
        tf.uninstall_as_tensorflow()
    with pytest.raises(AttributeError):
        _ = np.float


def rewritten(text):
    names = {"np": np, **restored.NAMES}
    exec(compile(restored.tree(ast.parse(text)), "program", "exec"), names)
    return names


def test_a_class_does_not_mangle_the_names_of_the_functions():
    names = rewritten("class Point:\n    def size(self):\n        return float(np.array([2])), np.arange(3).ptp(), '%d' % 3")
    assert names["Point"]().size() == (2.0, 2, "3")


def test_a_removed_module_of_scikit_learn_is_there(restored_names, monkeypatch, capsys):
    package, now = types.ModuleType("sklearn"), types.ModuleType("sklearn.model_selection")
    package.__path__, now.train_test_split = [], "the function"
    monkeypatch.setitem(sys.modules, "sklearn", package)
    monkeypatch.setitem(sys.modules, "sklearn.model_selection", now)
    names = {}
    exec("from sklearn.cross_validation import train_test_split", names)
    assert names["train_test_split"] == "the function"
    assert "it is sklearn.model_selection" in capsys.readouterr().err
    restored.remove()
    assert "sklearn.cross_validation" not in sys.modules
    restored.restore()


def _installed(module):
    return importlib.util.find_spec(module.partition(".")[0]) is not None


@pytest.mark.parametrize("name", [name for name in lost_names.LOST if lost_names.LOST[name] and _installed(name)])
def test_lost_names_of_installed_modules_are_there_and_told(name, restored_names, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        module = importlib.import_module(name)
    for lost in lost_names.LOST[name]:
        assert getattr(module, lost) is not None
        assert f"has removed {name}.{lost}; today it is" in capsys.readouterr().err
        getattr(module, lost)
        assert capsys.readouterr().err == ""
        with pytest.raises(AttributeError, match="nonsense"):
            _ = module.nonsense
    restored.remove()
    assert not any(hasattr(module, lost) for lost in lost_names.LOST[name])
    restored.restore()


def test_modules_that_are_imported_later_have_their_lost_names(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import collections, time\nfrom fractions import gcd\nfrom inspect import getargspec\n"
        "print(gcd(6, 4), time.clock() > 0, issubclass(list, collections.Iterable), getargspec(lambda a, *b, c=1: a).args)\n"
    )
    done = subprocess.run([sys.executable, "-m", "tfedu", "run", program], capture_output=True, text=True, cwd=sources.ROOT)
    assert done.stdout == "2 True True ['a']\n", done.stderr
    assert done.stderr.count("Python has removed") == 4


EXPRESSIONS = {
    "np.array([[1, 2], [3]]).tolist()": [[1, 2], [3]],
    "np.asarray([[1, 2], [3]]).dtype.name": "object",
    "np.array([1, 2], copy=False).tolist()": [1, 2],
    "(lambda a: np.array(a, copy=False) is a)(np.zeros(2))": True,
    "np.array([1, 2], dtype=np.float32, ndmin=2).tolist()": [[1.0, 2.0]],
    "np.arange(2, dtype='<i2').newbyteorder().tolist()": [0, 256],
    "np.zeros(2, dtype=np.integer).dtype.name": "int64",
    "np.zeros(2, dtype=np.floating).dtype.name": "float64",
    "np.zeros(2, dtype=np.int8).dtype.name": "int8",
    "__import__('io').BytesIO(b'abc').read(np.array([2]))": b"ab",
    "np.arange(4).reshape(np.array([2]), np.array([2]), 1, 1).tolist()": [[[[0]], [[1]]], [[[2]], [[3]]]],
    "np.arange(2).reshape(2, 1, 1, 1).shape": (2, 1, 1, 1),
    "np.reshape(np.arange(4), newshape=(2, 2)).tolist()": [[0, 1], [2, 3]],
    "(lambda reshape: reshape(newshape=3))(lambda newshape: newshape)": 3,
    "np.fromstring(b'\\1\\2', dtype=np.uint8).tolist()": [1, 2],
    "np.fromstring('1 2', sep=' ').tolist()": [1.0, 2.0],
    "np.arange(3).ptp()": 2,
    "np.arange(6).reshape(2, 3).ptp(axis=1).tolist()": [2, 2],
    "np.arange(2, dtype=np.uint8).tostring()": b"\0\1",
    "'%d' % np.array([3])": "3",
    "'%.1f and %d' % (np.array([[2.0]]), 4)": "2.0 and 4",
    "'%s' % np.array([3])": "[3]",
    "'%s' % [1, 2]": "[1, 2]",
    "'%(a)d' % {'a': 5}": "5",
    "'%d%%' % 3": "3%",
    "7 % 4": 3,
    "float(np.array([2.5]))": 2.5,
    "int(np.array([[7]]))": 7,
    "int('11', 2)": 3,
    "float('1.5')": 1.5,
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_what_numpy_took_is_taken_again(text):
    found = rewritten(f"x = {text}")["x"]
    assert found == EXPRESSIONS[text]
    assert type(found) is type(EXPRESSIONS[text]) or isinstance(found, np.integer)


@pytest.mark.parametrize("call", ["ptp()", "tostring()", "newbyteorder()", "itemset(1, 2)"])
def test_a_removed_method_of_arrays_is_told_once(call, restored_names, capsys):
    rewritten(f"a = np.arange(3); a.{call}; a.{call}")
    name = call.split("(")[0]
    assert capsys.readouterr().err == f"tfedu: NumPy has removed the arrays' {name}; it is {restored.METHODS[name][0]}.\n"
    rewritten("np.ptp(np.arange(3))")
    assert capsys.readouterr().err == ""


def test_itemset_sets_an_element():
    names = rewritten("x = np.zeros((2, 2))\nx.itemset((0, 1), 5)\nx.itemset(3, 7)\ny = np.zeros(())\ny.itemset(2)")
    assert names["x"].tolist() == [[0, 5], [0, 7]]
    assert names["y"] == 2


@pytest.mark.parametrize("text", ["'%d' % 'a'", "'%d' % np.array([1, 2])", "float(np.array([1.0, 2.0]))", "'%d %d' % 1"])
def test_what_was_an_error_is_one(text):
    with pytest.raises((TypeError, ValueError)):
        rewritten(text)


def test_an_object_with_such_a_method_keeps_it():
    methods = "    def tostring(self): return 'mine'\n    def ptp(self, axis=0): return axis\n"
    methods += "    def itemset(self, v): self.v = v\n"
    names = rewritten(f"class A:\n{methods}a = A()\nx = a.tostring(), a.ptp(axis=4)\na.itemset(3)\n")
    assert (names["x"], names["a"].v) == (("mine", 4), 3)


def test_lines_of_a_rewritten_program_stay():
    with pytest.raises(ZeroDivisionError) as raised:
        rewritten("x = np.arange(3).ptp()\ny = '%d' % 3\n1 / 0")
    assert raised.traceback[-1].lineno == 2  # counted from 0


def test_a_notebook_has_the_names_too():
    pytest.importorskip("IPython", reason="the magics need IPython, which tfedu[lab] brings")
    from test_magics import cells

    told = cells("%load_ext tfedu", "import numpy as np", "print(np.float(2), np.arange(4).ptp(), '%d' % np.array([9]))",
                 "%unload_ext tfedu", "print(np.float)")  # fmt: skip
    assert "2.0 3 9" in told
    assert "error: module 'numpy' has no attribute 'float'" in told


@pytest.fixture
def scipy_without_misc(monkeypatch, restored_names):
    """SciPy as it is today: a package without `misc`."""
    package = types.ModuleType("scipy")
    package.__path__ = []
    monkeypatch.setitem(sys.modules, "scipy", package)
    yield package
    sys.modules.pop("scipy.misc", None)


def test_the_images_of_scipy_misc(scipy_without_misc, tmp_path, capsys):
    import scipy.misc as misc
    from scipy.misc import imread

    pixels = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    misc.imsave(tmp_path / "a.png", pixels)
    np.testing.assert_array_equal(imread(tmp_path / "a.png"), pixels)
    assert imread(tmp_path / "a.png", flatten=True).dtype == np.float32
    assert imread(tmp_path / "a.png", mode="L").shape == (4, 6)
    assert misc.imresize(pixels, (8, 3)).shape == (8, 3, 3)
    assert misc.imresize(pixels, 50).shape == (2, 3, 3)
    assert misc.imresize(pixels, 2.0, interp="nearest").shape == (8, 12, 3)
    assert misc.imrotate(pixels, 180)[0, 0].tolist() == pixels[-1, -1].tolist()
    assert isinstance(misc.toimage(pixels), Image.Image)
    assert misc.bytescale(np.array([-1.0, 0.0, 1.0])).tolist() == [0, 128, 255]
    assert misc.fromimage(Image.new("P", (2, 2))).shape == (2, 2, 3)
    with pytest.raises(AttributeError, match="face"):
        _ = misc.face
    told = capsys.readouterr().err
    assert told.count("SciPy has removed scipy.misc.imread; today it is") == 1
