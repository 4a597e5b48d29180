"""The pictures of Keras models: which layers and edges they have, and the files that plot_model writes."""

import pytest

import tfedu as tf
from tfedu.view.make.networks.network_records import network_record

K, L = tf.keras, tf.keras.layers


def branched():
    """Two inputs, a model inside, a layer that is called twice, two outputs."""
    image, meta = K.Input((6, 6, 1), name="image"), K.Input((4,), name="meta")
    inner = K.Sequential([L.Conv2D(2, 3, input_shape=(6, 6, 1), name="conv"), L.Flatten(name="flat")], name="features")
    both = L.Concatenate(name="both")([inner(image), meta])
    shared = L.Dense(5, name="shared")
    one, two = shared(both), shared(both)
    end = L.TimeDistributed(L.Dense(2), name="each")(L.Reshape((5, 1), name="column")(L.add([one, two], name="sum")))
    return K.Model([image, meta], [end, one], name="branched")


def edges(record):
    names = {node.id: node.name for node in record.nodes}
    return sorted((names[edge.source], names[edge.target], edge.text) for edge in record.edges)


def test_a_model_is_drawn_as_its_layers_and_their_calls():
    record = network_record(branched())
    kinds = {node.name: (node.type, node.role) for node in record.nodes}
    assert kinds == {
        "image": ("InputLayer", "placeholder"), "features": ("Sequential", "op"), "meta": ("InputLayer", "placeholder"),
        "both": ("Concatenate", "op"), "shared": ("Dense", "op"), "sum": ("Add", "op"), "column": ("Reshape", "op"),
        "each": ("TimeDistributed(Dense)", "op"),
    }  # fmt: skip
    assert edges(record) == [
        ("both", "shared", ""), ("column", "each", ""), ("features", "both", ""), ("image", "features", ""),
        ("meta", "both", ""), ("shared", "sum", ""), ("sum", "column", ""),
    ]  # fmt: skip


def test_shapes_are_on_edges_and_on_what_the_model_gives():
    record = network_record(branched(), shapes=True)
    assert ("features", "both", "[?,32]") in edges(record)
    types = [node.type for node in record.nodes if "[" in node.type]
    assert types == ["Dense [?,5]", "TimeDistributed(Dense) [?,5,2]"]


def test_a_model_inside_is_a_frame_of_its_layers():
    record = network_record(branched(), nested=True, frame=True)
    assert [scope.path for scope in record.scopes] == ["branched", "branched/features"]
    inside = [node.name for node in record.nodes if node.scope == "branched/features"]
    assert inside == [f"branched/features/{name}" for name in ("conv_input", "conv", "flat")]
    between = [(source.rpartition("/")[2], target.rpartition("/")[2]) for source, target, _ in edges(record)]
    assert {("image", "conv_input"), ("conv_input", "conv"), ("conv", "flat"), ("flat", "both")} <= set(between)


def test_without_names_a_box_tells_the_class():
    names = [node.name for node in network_record(branched(), names=False).nodes]
    assert names.count("InputLayer") == 2
    assert "Dense" in names


def test_a_subclass_is_one_box():
    class Mine(K.Model):
        def call(self, inputs):
            return inputs

    assert [node.type for node in network_record(Mine()).nodes] == ["Mine"]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: K.utils.model_to_dot(L.Dense(2)), TypeError, "a model is drawn, not a Dense"),
        (lambda: K.utils.model_to_dot(K.Sequential([L.Dense(2)])), ValueError, "input_shape"),
        (lambda: K.utils.model_to_dot(branched(), rankdir="BT"), ValueError, "rankdir must be one of TB, LR"),
        (lambda: K.utils.model_to_dot(branched()).create(format="jpg"), ValueError, "format must be one of"),
        (lambda: K.utils.plot_model(branched(), "model.jpg"), ValueError, "is saved as"),
    ],
)
def test_what_cannot_be_drawn_is_an_error(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_plot_model_writes_the_format_of_the_ending(tmp_path):
    for name, begin in (("m.png", b"\x89PNG"), ("m.svg", b"<?xml"), ("m.dot", b"digraph"), ("m.mmd", b"flowchart")):
        shown = K.utils.plot_model(branched(), tmp_path / name, show_shapes=True, dpi=48)
        assert (tmp_path / name).read_bytes().lstrip().startswith(begin), name
    assert "image/svg+xml" in shown._repr_mimebundle_()


def test_a_model_as_dot_has_the_methods_that_programs_call(tmp_path):
    dot = K.utils.model_to_dot(branched())
    assert dot.create(prog="dot", format="svg").endswith(b"</svg>\n")
    assert "Concatenate" in dot.to_string()
    assert dot.write(tmp_path / "m.txt")
    assert (tmp_path / "m.txt").read_text().startswith("digraph")
    small, large = (len(K.utils.model_to_dot(branched(), dpi=dpi).create(format="png")) for dpi in (48, 192))
    assert small < large
