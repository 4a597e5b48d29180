"""Graphs of torch.fx, torch.export and torch.compile, made by torch."""

import pathlib

import pytest
import torch
from drawn import inputs, node, record_of

import tfedu as tf
from tfedu.view.adapters import fx_graphs
from tfedu.view.adapters.record_parts import GraphReadError

HERE = pathlib.Path(__file__).name


class Counted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x):
        self.count.add_(1.0)
        return torch.relu(self.fc(x)) * self.count


class Stack(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Counted(), Counted()])
        self.w = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x + self.w * 2.0


class Branching(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda a: a + 1, lambda a: a * 2, (x,))


@pytest.fixture(scope="module")
def exported():
    return torch.export.export(
        Stack(), (torch.ones(2, 3),), dynamic_shapes={"x": {0: torch.export.Dim("batch")}}
    )


def test_a_symbolic_trace():
    record = record_of(torch.fx.symbolic_trace(Stack()))
    # symbolic_trace runs `count.add_` itself, on the buffer: the graph has no such node
    assert inputs(record)["layers/0/mul"] == ["layers/0/relu", "layers/0/count"]
    assert node(record, "layers/0/layers_0_fc").type == "Linear"
    assert node(record, "layers/0/count").type == "buffer"
    assert node(record, "w").type == "Parameter"
    assert node(record, "w").outputs[0].text == "float32 (3,)"


def test_a_write_and_the_order_that_it_asks_for():
    def count(x):
        before = x * 3
        x.add_(1.0)
        return before + x * 2

    record = record_of(torch.fx.symbolic_trace(count))
    found = inputs(record)
    assert found["add_"] == ["&x", "^mul"]
    assert found["mul_1"] == ["x", "^add_"]
    assert node(record, "add_").type == "Tensor.add_"
    assert node(record, "add_").role == "update"
    assert node(record, "add_").attrs == (("1", "1.0"),)


def test_the_graph_alone_is_drawn_too():
    traced = torch.fx.symbolic_trace(Stack())
    assert record_of(traced.graph) == record_of(traced)


def test_an_exported_program(exported):
    record = record_of(exported)
    assert inputs(record)["layers/0/fc/linear"] == ["x", "layers/0/fc/weight", "layers/0/fc/bias"]
    assert inputs(record)["layers/0/add_"] == ["&layers/0/count"]
    assert {variable.name: node(record, variable.name).type for variable in record.variables} == {
        "w": "Parameter",
        "layers/0/fc/weight": "Parameter",
        "layers/0/fc/bias": "Parameter",
        "layers/0/count": "buffer",
        "layers/1/fc/weight": "Parameter",
        "layers/1/fc/bias": "Parameter",
        "layers/1/count": "buffer",
    }
    linear = node(record, "layers/0/fc/linear")
    assert (linear.type, linear.device) == ("aten.linear.default", "cpu")
    assert linear.outputs[0].shape == (None, 3)
    assert linear.outputs[0].dtype == "float32"


def test_the_line_is_the_users_not_torchs(exported):
    record = record_of(exported)
    site = node(record, "layers/0/fc/linear").site
    assert site.source == "return torch.relu(self.fc(x)) * self.count"
    assert site.label.endswith(f"{HERE}, line {site.line}")
    assert "return torch.relu(self.fc(x)) * self.count" in [
        line.strip() for code in record.codes for line in code.lines
    ]


@pytest.mark.filterwarnings("ignore:.*isinstance.treespec, LeafSpec.*:FutureWarning")
def test_without_updates_the_state_is_a_result(exported):
    """After decomposition no node writes: what the buffers become is among the results."""
    record = record_of(exported.run_decompositions())
    assert not [each for each in record.nodes if each.role == "update"]
    output = node(record, "output")
    assert inputs(record)["output"][:2] == ["layers/0/add", next(n for n in inputs(record)["output"][1:2])]
    assert dict(output.attrs) == {"0 becomes": "layers.0.count", "1 becomes": "layers.1.count"}


@pytest.mark.filterwarnings("ignore")
def test_branches_are_scopes():
    record = record_of(torch.export.export(Branching(), (torch.ones(3),)))
    found = inputs(record)
    assert found["cond"] == ["gt", "cond/true_graph_0/add", "cond/false_graph_0/mul"]
    (entering,) = [
        name
        for name in found
        if name.startswith("cond/true_graph_0/") and node(record, name).role == "placeholder"
    ]
    assert found[entering] == ["x"]
    assert node(record, "cond").role == "control"


@pytest.mark.filterwarnings("ignore")
def test_what_torch_compile_captures():
    graphs = []

    def keep(module, _inputs):
        graphs.append(module)
        return module.forward

    def count(x, c):
        c += 1
        return x * c

    torch.compile(count, backend=keep)(torch.ones(3), torch.zeros(()))
    record = record_of(graphs[0])
    assert inputs(record)["c"] == ["&l_c_"]
    assert node(record, "c").role == "update"
    assert node(record, "c").site.source == "c += 1"


def test_arguments_that_are_no_nodes_are_attributes():
    record = record_of(
        torch.fx.symbolic_trace(lambda x: torch.sum(torch.cat([x, x])[1:, None], dim=0, keepdim=True))
    )
    assert dict(node(record, "sum_1").attrs) == {"dim": "0", "keepdim": "True"}
    assert dict(node(record, "getitem").attrs) == {"1": "(1:, None)"}
    assert inputs(record)["cat"] == ["x", "x"]


def test_hostile_names_are_text():
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    node_ = graph.call_function(torch.add, (x, "<script>alert(1)</script>"))
    node_.meta["nn_module_stack"] = {"a": ("<img src=x onerror=alert(1)>", "M")}
    graph.output(node_)
    picture = tf.show(graph)
    assert "<script>" not in picture.svg
    assert "<img" not in picture.svg


def test_graphs_that_are_nested_too_deep_are_an_error(monkeypatch):
    monkeypatch.setattr(fx_graphs, "DEEPEST", 3)
    module = torch.nn.Identity()
    for _ in range(5):
        root = torch.nn.Module()
        root.inner = module
        graph = torch.fx.Graph()
        graph.output(graph.call_module("inner", (graph.placeholder("x"),)))
        module = torch.fx.GraphModule(root, graph)
    with pytest.raises(GraphReadError, match="nested more than 3 deep"):
        tf.show(module)


def test_a_module_that_is_not_traced_is_refused():
    with pytest.raises(
        TypeError, match=r"cannot show a Stack: expected .* a torch\.fx\.GraphModule or Graph"
    ):
        tf.show(Stack())
