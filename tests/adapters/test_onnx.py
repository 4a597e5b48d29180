"""ONNX models, made by the onnx package."""

import pathlib

import numpy as np
import onnx
import pytest
from drawn import inputs, node, record_of
from onnx import TensorProto, helper, numpy_helper

import tfedu as tf
from tfedu.opened_files import FileKindError, opened
from tfedu.view.adapters.onnx_graphs import record_of_file
from tfedu.view.adapters.record_parts import GraphReadError

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def value(name, shape=(), dtype=FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs=(), outputs=(), weights=(), functions=()):
    graph = helper.make_graph(list(nodes), "g", list(inputs), list(outputs), list(weights))
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("my", 1)]
    return helper.make_model(graph, functions=list(functions), opset_imports=opsets)


def layer():
    weights = [numpy_helper.from_array(np.ones((2, 3), np.float32), "layer.w")]
    nodes = [
        helper.make_node("MatMul", ["x", "layer.w"], ["h"], name="/layer/MatMul"),
        helper.make_node("Clip", ["h", "", "high"], ["y"], name="/layer/Clip"),
        helper.make_node(
            "Constant", [], ["high"], value=numpy_helper.from_array(np.float32(6)), name="/layer/six"
        ),
    ]
    return model(nodes, [value("x", ("batch", 2))], [value("y", ("batch", 3))], weights)


def looping():
    """A Loop with a body that takes a value from outside, and an If one of whose branches calls a function of the model."""
    body = helper.make_graph(
        [
            helper.make_node("Add", ["acc_in", "x"], ["acc_out"], name="add"),
            helper.make_node("Identity", ["going"], ["still_going"], name="same"),
            helper.make_node("Neg", ["acc_out"], ["scanned"], name="neg"),
        ],
        "body",
        [value("i", (), INT64), value("going", (), BOOL), value("acc_in", ("n",))],
        [value("still_going", (), BOOL), value("acc_out", ("n",)), value("scanned", ("n",))],
    )
    then = helper.make_graph(
        [helper.make_node("Mul", ["r", "x"], ["t"], name="mul")], "then", [], [value("t")]
    )
    other = helper.make_graph(
        [helper.make_node("Twice", ["r"], ["e"], "twice", domain="my")], "else", [], [value("e")]
    )
    opset = [helper.make_opsetid("", 20)]
    twice = helper.make_function(
        "my", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])], opset
    )
    nodes = [
        helper.make_node("Loop", ["m", "", "w"], ["r", "s"], name="loop", body=body),
        helper.make_node("If", ["c"], ["y"], name="if", then_branch=then, else_branch=other),
    ]
    given = [value("x", ("n",)), value("m", (), INT64), value("c", (), BOOL)]
    return model(
        nodes,
        given,
        [value("y"), value("s")],
        [numpy_helper.from_array(np.ones(3, np.float32), "w")],
        [twice],
    )


def test_nodes_inputs_types_and_attributes():
    record = record_of(layer())
    assert inputs(record)["layer/MatMul"] == ["x", "layer.w"]
    assert inputs(record)["layer/Clip"] == ["layer/MatMul", "layer/six"]
    assert [
        edge.input
        for edge in record.edges
        if edge.text == "" and edge.target == node(record, "layer/Clip").id
    ] == [0, 2]
    assert inputs(record)["y"] == ["layer/Clip"]
    assert node(record, "layer.w").role == "variable"
    assert [variable.name for variable in record.variables] == ["layer.w"]
    assert node(record, "x").role == "placeholder"
    assert node(record, "x").outputs[0].text == "float32 (batch, 2)"
    assert node(record, "x").outputs[0].shape == (None, 2)
    six = node(record, "layer/six")
    assert (six.role, six.attrs) == ("constant", (("value", "float32 [] 6.0"),))
    assert [scope.path for scope in record.scopes] == ["layer"]


def test_subgraphs_are_scopes_and_functions_their_nodes():
    found = inputs(record_of(looping()))
    assert found["loop"] == ["m", "loop/body/same", "loop/body/add", "loop/body/neg"]
    assert found["loop/body/acc_in"] == ["w", "loop/body/add"]
    assert found["loop/body/going"] == ["loop/body/same"]
    assert found["loop/body/add"] == ["loop/body/acc_in", "x"]
    assert found["if"] == ["c", "if/else_branch/twice/Add", "if/then_branch/mul"]
    assert found["if/else_branch/twice/Add"] == ["loop", "loop"]
    assert found["s"] == ["loop:1"]


def test_a_file_opens_and_names_are_text(tmp_path):
    hostile = layer()
    hostile.graph.node[0].name = "</script><img src=x onerror=alert(1)>"
    onnx.save(hostile, tmp_path / "m.onnx")
    (widget,) = opened(tmp_path / "m.onnx")
    assert "<img" not in widget.svg()
    assert widget.title == "m.onnx"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x00\x01garbage", "is no ONNX model"),
        (b"", "it has no graph"),
        (b"not an onnx file at all", "is no ONNX model"),
    ],
)
def test_damaged_files_are_refused(tmp_path, data, reason):
    path = tmp_path / "m.onnx"
    path.write_bytes(data)
    with pytest.raises(FileKindError, match=reason):
        opened(path)


def test_a_cut_file_is_refused_or_read(tmp_path):
    """Every prefix of a file is a smaller model or an error of the adapter, never another one."""
    whole = looping().SerializeToString()
    path = tmp_path / "m.onnx"
    outcomes = set()
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        try:
            record_of_file(path)
            outcomes.add("read")
        except GraphReadError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"} or outcomes == {"refused"}


def test_a_value_that_nothing_makes_is_an_error():
    with pytest.raises(GraphReadError, match="'Neg' takes 'nowhere', which no node"):
        tf.show(model([helper.make_node("Neg", ["nowhere"], ["y"])], [], [value("y")]))


def test_a_function_that_calls_itself_is_an_error():
    opset = [helper.make_opsetid("my", 1)]
    itself = helper.make_function(
        "my", "F", ["a"], ["b"], [helper.make_node("F", ["a"], ["b"], domain="my")], opset
    )
    with pytest.raises(GraphReadError, match="calls itself"):
        tf.show(
            model(
                [helper.make_node("F", ["x"], ["y"], domain="my")], [value("x")], [value("y")], (), [itself]
            )
        )


def test_functions_that_multiply_meet_the_budget():
    """Each function calls the next one twice: a file of a kilobyte would have 2^30 nodes."""
    opset = [helper.make_opsetid("my", 1), helper.make_opsetid("", 20)]
    functions = [
        helper.make_function("my", "F0", ["a"], ["b"], [helper.make_node("Neg", ["a"], ["b"])], opset)
    ]
    for number in range(1, 31):
        calls = [
            helper.make_node(f"F{number - 1}", [a], [b], domain="my") for a, b in (("a", "c"), ("c", "b"))
        ]
        functions.append(helper.make_function("my", f"F{number}", ["a"], ["b"], calls, opset))
    bomb = model(
        [helper.make_node("F30", ["x"], ["y"], domain="my")], [value("x")], [value("y")], (), functions
    )
    with (
        tf.io.Budget(nodes=1000),
        pytest.raises(tf.errors.ResourceExhaustedError, match="its budget is 1000 nodes"),
    ):
        tf.show(bomb)


def test_weights_outside_the_file_are_not_opened(tmp_path):
    tensor = TensorProto(name="w", data_type=FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="/etc/passwd")
    constant = helper.make_node("Constant", [], ["c"], value=tensor)
    record = record_of(
        model([constant, helper.make_node("Add", ["c", "w"], ["y"])], [], [value("y")], [tensor])
    )
    assert node(record, "Constant").attrs == (("value", "float32 [2]"),)


def test_a_diff_of_two_models():
    after = layer()
    after.graph.node[1].op_type = "Relu"
    del after.graph.node[1].input[1:]
    text = str(tf.explain.graph_diff(layer(), after))
    assert "Clip" in text
    assert "Relu" in text


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(
        ImportError, match=r"An ONNX file is read with onnx\. This installs it:  pip install onnx"
    ):
        record_of_file(pathlib.Path(__file__))
