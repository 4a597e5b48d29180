"""Which element reads which: what the probe finds is what NumPy says, formulas have the engine's results, nothing hidden is told.

tests/golden/reads.json has records that the front end's tests read; after a wanted change write it anew:
    python tests/view/test_reads.py
"""

import copy
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import tfedu as tf
from tfedu.explain.tasks.element_questions import ElementQuestions
from tfedu.view.make.element_reading.element_formulas import short
from tfedu.view.make.element_reading.element_graph import ElementGraph
from tfedu.view.make.element_reading.reads_records import Readings
from tfedu.view.record_kinds import picture, text_of
from tfedu.view.records import ReadsRecord, RecordError, from_json, to_json

SHARED = Path(__file__).parents[1] / "golden" / "reads.json"


def product():
    a = tf.constant([[1.0, 2.0, 0.0], [3.0, -1.0, 4.0]])
    b = tf.constant([[0.0, 1.0], [2.0, 0.0], [1.0, 3.0]])
    return tf.matmul(a, b, name="y")


def broadcast():
    column = tf.constant([[1.0], [2.0], [3.0]])
    row = tf.constant([10.0, 20.0, 30.0, 40.0])
    return tf.add(column, row, name="table")


def cross_entropy():
    logits = tf.constant([[2.0, 1.0, 0.5]])
    labels = tf.constant([[0.0, 1.0, 0.0]])
    shares = tf.nn.softmax(logits)
    logs = tf.log(shares)
    return tf.negative(tf.reduce_sum(labels * logs, axis=1), name="loss")


def attention():
    queries = tf.constant([[1.0, 0.0], [0.0, 2.0]])
    keys = tf.constant([[1.0, 1.0], [0.0, 1.0], [2.0, 0.0]])
    values = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    scores = tf.matmul(queries, keys, transpose_b=True) / 2.0
    weights = tf.nn.softmax(scores)
    return tf.matmul(weights, values, name="mixed")


def lstm():
    cell = tf.nn.rnn_cell.LSTMCell(2, initializer=tf.constant_initializer(0.5), name="cell")
    x = tf.constant([[1.0, -2.0]])
    c = tf.constant([[0.5, 1.0]])
    h = tf.constant([[0.0, 1.0]])
    return cell(x, tf.nn.rnn_cell.LSTMStateTuple(c, h))[0]


SUBJECTS = {"product": product, "broadcast": broadcast, "cross_entropy": cross_entropy, "attention": attention, "lstm": lstm}


def readings(build, **options):
    with tf.Graph().as_default():
        return Readings(ElementGraph(build(), **options))


def named(record: ReadsRecord):
    return {tensor.name: tensor for tensor in record.tensors}


def formula(element):
    return "".join(part.text for part in element.formula)


def back(element):
    return "".join(part.text for part in element.back)


def found(build, **options):
    """The names of all tensors, and the formulas of the last one."""
    record = readings(build, **options).record()
    return [tensor.name for tensor in record.tensors], [formula(element) for element in record.tensors[-1].elements]


# -- what is read ----------------------------------------------------------------------------------------------------


def test_an_element_of_a_product_reads_a_row_and_a_column():
    record = readings(product).record()
    a, b, y = record.tensors
    assert (a.part, b.part, y.part, y.ops, y.operands) == ("input", "input", "output", ("MatMul",), (0, 1))
    assert [(read.tensor, read.at) for read in y.elements[1].reads] == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 3), (1, 5)]
    assert [read.slope for read in y.elements[1].reads] == ["1", "0", "3", "1", "2", "0"]
    assert formula(y.elements[1]) == "1·1 + 2·0 + 0·3 = 1"
    assert back(a.elements[2]) == "1 + 3 = 4"
    # The second factor stands above the result, so that row and column meet.
    assert (b.column, b.lane, y.column, y.lane, a.lane) == (1, -1, 1, 0, 0)
    assert [(w.tensor, w.row, w.column, w.height, w.width) for w in y.elements[1].windows] == [(0, 0, 0, 1, 3), (1, 0, 1, 3, 1)]


def test_zeros_hide_no_reads():
    def build():
        return tf.matmul(tf.constant([[0.0, 0.0]]), tf.constant([[0.0], [0.0]]))

    assert len(readings(build).record().tensors[-1].elements[0].reads) == 4


@pytest.mark.parametrize(
    ("build", "reads"),
    [
        (lambda x: tf.transpose(x), lambda i: np.arange(6).reshape(2, 3).T),
        (lambda x: tf.reduce_sum(x, axis=0), lambda i: i),
        (lambda x: tf.reverse(x, [1]), lambda i: i[:, ::-1]),
        (lambda x: tf.gather(x, [1, 1, 0]), lambda i: i[[1, 1, 0]]),
        (lambda x: tf.concat([x, x], axis=1), lambda i: np.concatenate([i, i], axis=1)),
        (lambda x: x[:, 1:], lambda i: i[:, 1:]),
        (lambda x: tf.pad(x, [[1, 0], [0, 0]]), lambda i: np.pad(i, [[1, 0], [0, 0]], constant_values=-1)),
        (lambda x: tf.tile(x, [2, 1]), lambda i: np.tile(i, [2, 1])),
    ],
)  # fmt: skip
def test_what_moves_elements_reads_what_numpy_moves(build, reads):
    def program():
        return build(tf.constant(np.arange(6.0, dtype="f").reshape(2, 3) + 1))

    record = readings(program).record()
    wanted = np.asarray(reads(np.arange(6).reshape(2, 3)))
    for at, element in enumerate(record.tensors[-1].elements):
        own = [read.at for read in element.reads]
        if wanted.shape == tuple(record.tensors[-1].shape):
            assert own == [number for number in [int(wanted.reshape(-1)[at])] if number >= 0]
        else:
            assert own == [at, at + 3]


def test_an_index_counts_as_read_where_it_is_shown():
    def build():
        index = tf.constant([2, 0])
        return index, tf.gather(tf.constant([5.0, 6.0, 7.0]), index)

    with tf.Graph().as_default():
        index, y = build()
        record = Readings(ElementGraph(y, between=[index])).record()
    assert [[(read.tensor, read.at) for read in element.reads] for element in record.tensors[-1].elements] == [
        [(1, 2), (0, 0)], [(1, 0), (0, 1)],
    ]  # fmt: skip


def test_a_maximum_reads_all_and_its_gradient_goes_to_one():
    record = readings(lambda: tf.reduce_max(tf.constant([[1.0, 4.0, 2.0]]), axis=1)).record()
    (element,) = record.tensors[-1].elements
    assert formula(element) == "max(1, 4, 2) = 4"
    assert [read.slope for read in element.reads] == ["0", "1", "0"]
    assert [back(each) for each in record.tensors[0].elements] == ["0", "1", "0"]  # one slope is told once


def test_a_broadcast_operand_is_drawn_in_the_size_of_the_result():
    record = readings(broadcast).record()
    column, row, table = record.tensors
    assert row.panels[0].cells == ((0, 1, 2, 3),) * 3
    assert (row.panels[0].inside, column.panels[0].inside) == ((0, 0, 1, 4), (0, 0, 3, 1))
    assert [(w.tensor, w.row, w.column) for w in table.elements[6].windows] == [(0, 1, 2), (1, 1, 2)]
    assert (formula(table.elements[6]), back(row.elements[2])) == ("2 + 30 = 32", "1 + 1 + 1 = 3")


def test_the_steps_of_a_program_stand_between_input_and_output():
    record = readings(cross_entropy).record()
    assert [tensor.name for tensor in record.tensors] == ["logits", "labels", "shares", "logs", "loss"]
    tensors = named(record)
    assert formula(tensors["shares"].elements[0]) == "exp(2) / (exp(2) + exp(1) + exp(0.5)) ≈ 0.629"
    assert formula(tensors["logs"].elements[1]) == "log(0.231) ≈ −1.46"
    assert formula(tensors["loss"].elements[0]) == "−(0·(−0.464) + 1·(−1.46) + 0·(−1.96)) ≈ 1.46"
    # The gradient of softmax with cross entropy is shares - labels.
    found = [float(back(element).rsplit(" ")[-1].replace("−", "-")) for element in tensors["logits"].elements]
    assert np.allclose(found, [0.629, 0.231 - 1, 0.140], atol=2e-3)


def test_attention_is_a_chain_of_products():
    record = readings(attention).record()
    tensors = named(record)
    assert tensors["keys"].turned
    assert tensors["keys"].panels[0].cells == ((0, 2, 4), (1, 3, 5))
    assert formula(tensors["scores"].elements[2]) == "(1·2 + 0·0) / 2 = 1"
    assert tensors["scores"].ops == ("MatMul", "RealDiv")
    assert [tensors[name].lane for name in ("keys", "values", "scores", "weights", "mixed")] == [-1, -1, 0, 0, 0]
    columns = [tensors[name].column for name in ("queries", "scores", "weights", "mixed")]
    assert columns == sorted(columns)


# -- windows -----------------------------------------------------------------------------------------------------------


def image(height=5, width=4, channels=1):
    count = height * width * channels
    return tf.constant(np.arange(1.0, count + 1, dtype="f").reshape(1, height, width, channels), name="image")


def kernel(*shape):
    return tf.constant(np.arange(1.0, np.prod(shape) + 1, dtype="f").reshape(shape), name="kernel")


WINDOWS = {
    "same": (lambda: tf.nn.conv2d(image(), kernel(3, 3, 1, 1), [1, 1, 1, 1], "SAME"), (1, 1, 1, 1), (3, 3)),
    "valid": (lambda: tf.nn.conv2d(image(), kernel(2, 3, 1, 1), [1, 1, 1, 1], "VALID"), (0, 0, 0, 0), (2, 3)),
    "strided": (lambda: tf.nn.conv2d(image(), kernel(3, 3, 1, 1), [1, 2, 2, 1], "SAME"), (1, 1, 0, 1), (3, 3)),
    "dilated": (
        lambda: tf.nn.conv2d(image(), kernel(2, 2, 1, 1), [1, 1, 1, 1], "VALID", dilations=[1, 2, 2, 1]), (0, 0, 0, 0), (3, 3),
    ),
    "explicit": (
        lambda: tf.nn.conv2d(image(), kernel(2, 2, 1, 1), [1, 1, 1, 1], [[0, 0], [2, 0], [0, 1], [0, 0]]), (2, 0, 0, 1), (2, 2),
    ),
    "channels": (lambda: tf.nn.conv2d(image(3, 3, 2), kernel(2, 2, 2, 2), [1, 1, 1, 1], "VALID"), (0, 0, 0, 0), (2, 2)),
    "depthwise": (
        lambda: tf.nn.depthwise_conv2d(image(3, 3, 2), kernel(2, 2, 2, 1), [1, 1, 1, 1], "VALID"), (0, 0, 0, 0), (2, 2),
    ),
    "with bias": (
        lambda: tf.nn.relu(tf.nn.conv2d(image(), kernel(3, 3, 1, 1), [1, 1, 1, 1], "SAME") + tf.constant([1.0])),
        (1, 1, 1, 1), (3, 3),
    ),
    "max pool": (lambda: tf.nn.max_pool(image(), [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), (0, 1, 0, 0), (2, 2)),
    "average pool": (lambda: tf.nn.avg_pool(image(3, 3, 2), [1, 2, 2, 1], [1, 1, 1, 1], "SAME"), (0, 1, 0, 1), (2, 2)),
    "channels first": (
        lambda: tf.nn.max_pool(tf.constant(np.ones((1, 2, 3, 3), "f"), name="image"), [1, 1, 2, 2], [1] * 4, "VALID", "NCHW"),
        (0, 0, 0, 0), (2, 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WINDOWS)
def test_each_window_covers_what_is_read_and_counts_its_padding(name):
    build, pads, extent = WINDOWS[name]
    record = readings(build).record()
    number = next(at for at, tensor in enumerate(record.tensors) if tensor.name == "image")
    drawn = record.tensors[number]
    cells = [np.array(panel.cells) for panel in drawn.panels]
    top, left, height, width = drawn.panels[0].inside
    assert (top, cells[0].shape[0] - top - height, left, cells[0].shape[1] - left - width) == pads
    reader = next(tensor for tensor in record.tensors if number in tensor.operands)
    for element in reader.elements:
        frames = [window for window in element.windows if window.tensor == number]
        assert all((window.height, window.width) == extent for window in frames)
        covered = [cells[w.panel][w.row : w.row + w.height, w.column : w.column + w.width].reshape(-1) for w in frames]
        read = {read.at for read in element.reads if read.tensor == number}
        assert read <= set(np.concatenate(covered).tolist())
        assert element.padding == sum(int((part < 0).sum()) for part in covered)
        if name != "dilated":
            assert len(read) + element.padding == sum(map(len, covered))


def test_an_element_that_reads_padding_alone_has_a_window_and_a_text():
    record = readings(WINDOWS["explicit"][0]).record()
    element = record.tensors[-1].elements[0]
    assert (element.reads, element.padding, len(element.windows), element.text) == ((), 4, 1, "0")
    assert "Conv2D[0, 0, 0, 0] = 0" in text_of(record, "en")


def test_an_average_at_the_edge_leaves_padding_out():
    record = readings(lambda: tf.nn.avg_pool(image(3, 3), [1, 2, 2, 1], [1, 1, 1, 1], "SAME")).record()
    texts = [formula(element) for element in record.tensors[-1].elements]
    assert texts[0] == "(1 + 2 + 4 + 5) / 4 = 3"
    assert texts[2] == "(3 + 6) / 2 = 4.5"
    assert texts[8] == "image[0, 2, 2, 0] = 9"


def test_an_image_that_is_reshaped_keeps_its_windows():
    def build():
        flat = tf.constant(np.arange(9.0, dtype="f").reshape(3, 3), name="flat")
        weights = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="weights")
        y = tf.nn.conv2d(tf.reshape(flat, [1, 3, 3, 1]), tf.reshape(weights, [2, 2, 1, 1]), [1, 1, 1, 1], "SAME")
        return tf.squeeze(y)

    record = readings(build).record()
    assert [tensor.shape for tensor in record.tensors] == [(3, 3), (2, 2), (3, 3)]
    assert record.tensors[0].panels[0].inside == (0, 0, 3, 3)
    assert len(record.tensors[0].panels[0].cells) == 4
    assert formula(record.tensors[-1].elements[4]) == "4·1 + 5·2 + 7·3 + 8·4 = 67"
    assert record.tensors[-1].elements[8].padding == 3


def test_a_recurrent_cell_is_drawn_from_the_program_itself():
    record = readings(lstm).record()
    tensors = named(record)
    assert {"x", "c", "h", "kernel", "bias"} == {tensor.name for tensor in record.tensors if tensor.part == "input"}
    assert formula(tensors["BiasAdd"].elements[0]) == "1·0.5 + (−2)·0.5 + 0·0.5 + 1·0.5 + 0 = 0"
    gates = [tensor for tensor in record.tensors if tensor.ops[-1:] == ("Sigmoid",)]
    assert [formula(gate.elements[0]) for gate in gates] == ["sigmoid(0 + 1) ≈ 0.731", "sigmoid(0) = 0.5", "sigmoid(0) = 0.5"]
    assert formula(record.tensors[-1].elements[0]) == "0.5·0.35 ≈ 0.175"
    # The weights stand above what they give, and the biases below.
    assert tensors["kernel"].column == tensors["bias"].column == tensors["BiasAdd"].column
    assert [tensors[name].lane for name in ("kernel", "BiasAdd", "bias")] == [-1, 0, 1]


# -- formulas --------------------------------------------------------------------------------------------------------

X = [[1.0, -2.0, 4.0]]
FORMULAS = [
    (lambda x: x + 1.0, "1 + 1 = 2"),
    (lambda x: 3.0 - x, "−1 + 3 = 2"),
    (lambda x: 2.0 * x, "2·1 = 2"),
    (lambda x: x * x, "1·1 = 1"),
    (lambda x: tf.square(x) - 2.0, "1·1 − 2 = −1"),
    (lambda x: tf.square(x) - x, ""),
    (lambda x: tf.reduce_mean(x, axis=1), "(1 + (−2) + 4) / 3 = 1"),
    (lambda x: tf.reduce_min(x, axis=1), "min(1, −2, 4) = −2"),
    (lambda x: tf.nn.relu(-x), "relu(−1) = 0"),
    (lambda x: tf.tanh(x), "tanh(1) ≈ 0.762"),
    (lambda x: tf.nn.log_softmax(x), "1 − log(exp(1) + exp(−2) + exp(4)) ≈ −3.05"),
    (lambda x: x / tf.constant([[2.0, 4.0, 3.0]]), "1 / 2 = 0.5"),
    (lambda x: tf.maximum(x, tf.constant([[2.0, 4.0, 3.0]])), "max(1, 2) = 2"),
    (lambda x: tf.greater(x, tf.constant([[2.0, 4.0, 3.0]])), "1 > 2 = False"),
    (lambda x: tf.reduce_prod(x, axis=1), ""),
    (lambda x: tf.argmax(x, axis=1), ""),
]  # fmt: skip


@pytest.mark.parametrize(("build", "text"), FORMULAS, ids=[text or "none" for _, text in FORMULAS])
def test_formulas(build, text):
    assert found(lambda: build(tf.constant(X)), between=[])[1][0] == text


def test_a_long_sum_shows_its_first_terms():
    _, (text,) = found(lambda: tf.reduce_sum(tf.constant(np.ones(20, "f")), axis=0))
    assert text == " + ".join(["1"] * 12) + " + … (+8) = 20"


def test_a_function_of_a_sum_is_written_around_it():
    def build():
        x, w, b = tf.constant([[1.0, 2.0]]), tf.constant([[3.0], [-1.0]]), tf.constant([0.5])
        return tf.nn.relu(tf.matmul(x, w) + b)

    assert found(build, between=[])[1] == ["relu(1·3 + 2·(−1) + 0.5) = 1.5"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(3.0, "3"), (-0.5, "−0.5"), (1 / 3, "0.333"), (12345.6, "12346"), (1e-7, "1.0e-7"), (2.5e9, "2.5e9"), (-0.0, "0"),
     (float("nan"), "nan"), (float("-inf"), "−∞"), (True, "True"), (120000.0, "120000")],
)  # fmt: skip
def test_numbers_are_short(value, text):
    assert short(value) == text


# -- which tensors ---------------------------------------------------------------------------------------------------


def test_variables_placeholders_and_feeds_are_inputs():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.Variable([[1.0], [2.0]], name="w")
        y = tf.matmul(x, w)
        record = Readings(ElementGraph(y, feed_dict={x: [[3.0, 4.0]]})).record()
        assert [(tensor.name, tensor.part) for tensor in record.tensors] == [("x", "input"), ("w", "input"), ("y", "output")]
        assert formula(record.tensors[-1].elements[0]) == "3·1 + 4·2 = 11"
        with pytest.raises(tf.errors.InvalidArgumentError, match="placeholder"):
            ElementGraph(y)
        with tf.Session() as session:
            session.run(w.initializer)
            w.load([[5.0], [6.0]], session)
            record = Readings(ElementGraph(y, feed_dict={x: [[3.0, 4.0]]}, session=session)).record()
        assert formula(record.tensors[-1].elements[0]) == "3·5 + 4·6 = 39"


def test_the_graph_stays_as_it_was():
    with tf.Graph().as_default() as graph:
        y = product()
        before = len(graph.operations)
        Readings(ElementGraph(y))
        assert len(graph.operations) == before
        graph.finalize()
        Readings(ElementGraph(y))


@pytest.mark.parametrize(
    ("build", "error", "words"),
    [
        (lambda: 3.0, TypeError, "expected a tensor, not float"),
        (lambda: tf.constant("text"), TypeError, "is string"),
        (lambda: tf.constant(np.zeros((20, 20), "f")) * 2.0, ValueError, "has 400 elements"),
        (lambda: tf.constant(np.zeros((0, 2), "f")) * 2.0, ValueError, "has 0 elements"),
    ],
)
def test_what_cannot_be_shown_is_told(build, error, words):
    with tf.Graph().as_default(), pytest.raises(error, match=words):
        ElementGraph(build())


def test_between_names_the_tensors_on_the_way():
    with tf.Graph().as_default():
        x = tf.constant([[1.0, 2.0]])
        squares = tf.square(x)
        y = tf.reduce_sum(squares * 3.0, axis=1)
        other = tf.constant([1.0])
        assert len(ElementGraph(y, between=[]).tensors) == 2
        assert len(ElementGraph(y).tensors) == 3  # what the program names; the product is a part of the sum's formula
        assert len(ElementGraph(y, between=[squares, y.op.inputs[0]]).tensors) == 4
        with pytest.raises(ValueError, match="not computed from numbers of"):
            ElementGraph(y, between=[other])
        with pytest.raises(TypeError, match="between has tensors, not int"):
            ElementGraph(y, between=[1])


def test_random_numbers_are_an_input():
    def build():
        x = tf.constant([[1.0, 2.0, 3.0]])
        return tf.nn.dropout(x, keep_prob=0.5, seed=1)

    record = readings(build, between=[]).record()
    assert [tensor.part for tensor in record.tensors] == ["input", "input", "output"]


# -- the record, its picture and its text ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SUBJECTS)
def test_each_subject_has_a_record_a_picture_and_a_text(name):
    record = readings(SUBJECTS[name]).record()
    data = json.loads(json.dumps(to_json(record)))
    assert from_json(copy.deepcopy(data)) == record
    assert len(json.dumps(data)) < 60_000
    for lang in ("en", "ko", "zh"):
        root = ElementTree.fromstring(picture(record, lang=lang))
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "title", "desc", "style", "g", "path", "text"}
        assert "{" not in text_of(record, lang)


def test_every_formula_has_the_engines_result():
    for build in SUBJECTS.values():
        for tensor in readings(build).record().tensors:
            for element in tensor.elements:
                if tensor.operands:
                    assert formula(element).rsplit(" ", 1)[-1] == element.text


def test_an_element_that_does_not_exist_is_refused():
    data = to_json(readings(product).record())
    for path, value in ((("tensors", 2, "operands"), [7, 0]), (("example",), 9)):
        wrong = copy.deepcopy(data)
        place = wrong
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        with pytest.raises(RecordError):
            from_json(wrong)


def test_a_question_tells_nothing_of_its_answer():
    asked = readings(product)
    record = ElementQuestions(asked, "reads", [(0, 1), (1, 0)]).record()
    y = record.tensors[-1]
    for at in (1, 2):
        element = y.elements[at]
        assert (element.text, element.reads, element.windows, element.formula, element.back) == ("", (), (), (), ())
    assert all(not element.back for tensor in record.tensors for element in tensor.elements)
    assert record.question.at == 1
    assert "13" not in text_of(record)


def shared():
    records = {name: to_json(readings(build).record()) for name, build in SUBJECTS.items()}
    for form in ("value", "reads"):
        asked = ElementQuestions(readings(product), form, [(1, 0), (0, 1)])
        records[f"asked_{form}"] = to_json(asked.record("What do you think?"))
        asked.answer("7" if form == "value" else "", [[0, 3], [0, 0]] if form == "reads" else [], "a guess")
        records[f"answered_{form}"] = to_json(asked.record())
    # Lines of this file may move: no test of the front end looks at them.
    for record in records.values():
        for code in record["codes"]:
            code.update(place="File program.py", first=1)
    return records


def test_the_shared_records_are_what_python_makes():
    assert json.loads(SHARED.read_text("utf-8")) == json.loads(json.dumps(shared()))


if __name__ == "__main__":
    SHARED.write_text(json.dumps(shared(), ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
