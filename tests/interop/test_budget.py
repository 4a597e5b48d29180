"""Nothing that a file claims, or that it decompresses to, exceeds the budget: the reader refuses it before it allocates."""

import gzip
import io
import json
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tfedu as tf
from tfedu.engine.base import budget as budgets
from tfedu.engine.base import dtypes
from tfedu.engine.files import bundle
from tfedu.engine.files.bundle import bundle_reader, sorted_table, tensor_slices, varint
from tfedu.engine.files.crc32c import crc32c, masked

SMALL = tf.io.Budget(bytes=1 << 20, outputs=1000, nodes=100, attributes=1000)


def graph_of(constants=(), splits=(), text=False):
    """Bytes of a GraphDef with filled constants of these shapes and Splits of these numbers of outputs."""
    message = tf.GraphDef()
    for at, sizes in enumerate(constants):
        node = message.node.add(name=f"c{at}", op="Const")
        node.attr["dtype"].type = 1
        node.attr["value"].tensor.dtype = 1
        node.attr["value"].tensor.tensor_shape.SetInParent()
        for size in sizes:
            node.attr["value"].tensor.tensor_shape.dim.add().size = size
        node.attr["value"].tensor.float_val.append(1.0)
    zero = message.node.add(name="zero", op="Const")
    zero.attr["dtype"].type = 3
    zero.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(0))
    message.node.add(name="p", op="Placeholder").attr["dtype"].type = 1
    for at, count in enumerate(splits):
        node = message.node.add(name=f"s{at}", op="Split")
        node.input.extend(["zero", "p"])
        node.attr["T"].type = 1
        node.attr["num_split"].i = count
    if text:
        from google.protobuf import text_format

        return text_format.MessageToString(message).encode()
    return message.SerializeToString()


def imported(data, **arguments):
    """The number of nodes after the import; on a failure the graph must be empty."""
    with tf.Graph().as_default() as graph:
        try:
            tf.import_graph_def(tf.io.load_graph_def(data), **arguments)
        except tf.errors.OpError:
            assert graph.get_operations() == []
            raise
        return len(graph.get_operations())


def peak(call):
    tracemalloc.start()
    try:
        call()
    finally:
        reached = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return reached


def refused(call, unit, allowed=4 << 20):
    """Asserts that the call is refused, names the limit and the user's line, and takes no memory to speak of."""

    def refuse():
        text = rf"needs \d+ {unit} or more; its budget is \d+ {unit}"
        with pytest.raises(tf.errors.ResourceExhaustedError, match=text) as caught:
            call()
        assert f"tf.io.Budget({unit}=" in str(caught.value)

    assert peak(refuse) < allowed


# -- graphs ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [False, True])
def test_claims_of_many_nodes_are_summed_before_anything_is_allocated(text):
    constants = graph_of(constants=[[1 << 26]] * 20, text=text)
    splits = graph_of(splits=[250_000] * 50, text=text)
    assert len(constants) < (8000 if text else 1300)
    refused(lambda: imported(constants), "bytes")
    refused(lambda: imported(splits), "outputs")


def test_a_meta_graph_has_the_budget_of_its_graph(tmp_path):
    message = tf.MetaGraphDef()
    message.graph_def.ParseFromString(graph_of(constants=[[1 << 26]] * 20))
    path = tmp_path / "m.meta"
    path.write_bytes(message.SerializeToString())
    with tf.Graph().as_default():
        refused(lambda: tf.train.import_meta_graph(message), "bytes")
        refused(lambda: tf.train.import_meta_graph(str(path)), "bytes")
        refused(lambda: tf.train.import_meta_graph(graph_meta(), budget=tf.io.Budget(outputs=9)), "outputs")


def graph_meta():
    message = tf.MetaGraphDef()
    message.graph_def.ParseFromString(graph_of(splits=[20]))
    return message


@pytest.mark.parametrize(
    ("unit", "data"),
    [
        ("bytes", graph_of(constants=[[200]])), ("outputs", graph_of(splits=[200])), ("nodes", graph_of(constants=[[]] * 200)),
        ("attributes", graph_of(splits=[1] * 100)),
    ],
)  # fmt: skip
def test_each_limit_is_settable_by_the_argument_and_by_a_with_block(unit, data):
    low, high = (tf.io.Budget(**{unit: limit}) for limit in (100, 1000))
    imported(data)
    imported(data, budget=high)
    refused(lambda: imported(data, budget=low), unit)

    def within():
        with high, low:
            imported(data)

    refused(within, unit)
    with low:
        imported(data, budget=high)
    imported(data)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from([0, 1, 3, 100, 2000, 1 << 15, 1 << 20, 1 << 40]), max_size=3), max_size=6),
    st.lists(st.sampled_from([1, 2, 30, 400, 1001, 1 << 40, -5]), max_size=6),
)
def test_an_import_takes_its_budget_at_most(constants, splits):
    data = graph_of(constants, splits)
    filled = sum(4 * (int(np.prod(sizes, dtype=object)) - 1) for sizes in constants if 0 not in sizes)
    outputs = sum(max(0, n) for n in splits) + len(constants) + 2
    fits = filled <= SMALL.bytes and outputs <= SMALL.outputs
    seen = []

    def attempt():
        try:
            seen.append(imported(data, budget=SMALL))
        except (ValueError, tf.errors.ResourceExhaustedError) as error:
            seen.append(error)

    assert peak(attempt) < SMALL.bytes + (4 << 20)
    if not fits:
        assert isinstance(seen[0], (ValueError, tf.errors.ResourceExhaustedError))
    elif isinstance(seen[0], Exception):
        assert isinstance(seen[0], ValueError)  # by what is wrong with the graph itself


def test_what_a_file_holds_itself_costs_nothing():
    with tf.Graph().as_default() as graph:
        tf.constant(np.arange(100_000, dtype=np.float32))
        tf.constant(["some", "words"] * 50)
        message = graph.as_graph_def()
    assert imported(message.SerializeToString(), budget=tf.io.Budget(bytes=0)) == 2


def test_a_single_message_has_the_same_budget():
    message = tf.make_tensor_proto(1.0, shape=[1 << 20])
    with tf.io.Budget(bytes=(1 << 22) - 4):
        assert tf.make_ndarray(message).shape == (1 << 20,)
    with tf.io.Budget(bytes=(1 << 22) - 5):
        refused(lambda: tf.make_ndarray(message), "bytes")


def test_shapes_that_no_tensor_has_are_refused_in_tf_s_words():
    for sizes, text in (([1] * 255, "has too many dimensions"), ([1 << 40] * 2, "is too large (more than 2**63 - 1 entries)"),
                        ([1 << 62] * 200_000, "has too many dimensions"), ([1 << 40, 0, 1 << 40], "is too large")):  # fmt: skip
        with pytest.raises(ValueError, match="Shape") as caught:
            imported(graph_of(constants=[sizes]))
        assert text in str(caught.value)


def test_names_of_many_scopes_do_not_cost_the_square_of_their_length():
    message = tf.GraphDef()
    message.node.add(name="a" + "/a" * 30_000, op="NoOp")
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(message, name="")
        assert peak(lambda: tf.import_graph_def(message, name="again")) < 20 << 20
        tf.import_graph_def(message, name="")
        names = [op.name for op in graph.get_operations()]
    assert len(set(names)) == 3


# -- the setting -------------------------------------------------------------------------------------------------------------


def test_limits_are_numbers_that_are_not_negative():
    for wrong in (-1, 1.5, "9", None, True):
        with pytest.raises(TypeError, match="bytes must be a number of bytes"):
            tf.io.Budget(bytes=wrong)


def test_the_environment_sets_the_limit_of_bytes(monkeypatch):
    monkeypatch.setenv(budgets.ENVIRONMENT, "100")
    refused(lambda: imported(graph_of(constants=[[50]])), "bytes")
    with tf.io.Budget():
        imported(graph_of(constants=[[50]]))
    monkeypatch.setenv(budgets.ENVIRONMENT, "much")
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be a number of bytes, not 'much'"):
        imported(graph_of())


def test_a_block_that_ends_by_an_error_ends_its_budget():
    with pytest.raises(ZeroDivisionError), tf.io.Budget(nodes=1):
        1 / 0  # noqa: B018
    imported(graph_of(constants=[[]] * 5))


# -- compressed data ---------------------------------------------------------------------------------------------------------


def zipped(kind, content):
    return zlib.compress(content) if kind == "ZLIB" else gzip.compress(content)


@pytest.mark.parametrize("kind", ["ZLIB", "GZIP"])
def test_decompressed_strings_of_one_op_share_the_budget(kind):
    bomb = zipped(kind, bytes(1 << 24))
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.string, [None])
        y = tf.io.decode_compressed(x, kind)
        with tf.io.Budget(bytes=1 << 25):
            assert [len(text) for text in sess.run(y, {x: [bomb, bomb]})] == [1 << 24] * 2
        with tf.io.Budget(bytes=(1 << 25) - 1):
            refused(lambda: sess.run(y, {x: [bomb, bomb]}), "bytes", allowed=80 << 20)
        with SMALL:
            refused(lambda: sess.run(y, {x: [bomb]}), "bytes")
            assert sess.run(y, {x: [zipped(kind, b"small"), b""]}).tolist() == [b"small", b""]


@pytest.mark.parametrize("kind", ["ZLIB", "GZIP"])
def test_a_compressed_record_is_no_larger_than_the_budget(tmp_path, kind):
    path = tmp_path / "r"
    with tf.python_io.TFRecordWriter(path, kind) as writer:
        for length in (10, 1 << 20, 1 << 24):
            writer.write(bytes(length))
    assert path.stat().st_size < 1 << 17

    def read():
        for record in tf.python_io.tf_record_iterator(path, kind):
            lengths.append(len(record))

    lengths = []
    with tf.io.Budget(bytes=1 << 21):
        refused(read, "bytes", allowed=6 << 20)
    assert lengths == [10, 1 << 20]
    read()
    assert lengths[2:] == [10, 1 << 20, 1 << 24]


def test_an_mnist_file_is_no_larger_than_the_budget():
    from tfedu.legacy.datasets import mnist

    head = np.array([2051, 1000, 100, 100], ">u4").tobytes()
    file = io.BytesIO(gzip.compress(head + bytes(10_000_000)))
    assert mnist.extract_images(file).shape == (1000, 100, 100, 1)
    file.seek(0)
    with SMALL:
        refused(lambda: mnist.extract_images(file), "bytes")


# -- headers and indices -----------------------------------------------------------------------------------------------------


def test_the_header_of_a_safetensors_file_parses_to_the_budget_at_most(tmp_path):
    path = tmp_path / "m.safetensors"
    header = json.dumps({"__metadata__": {"a": "[],[]," * 100_000}}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header)
    assert tf.io.load_safetensors(path) == {}
    with SMALL:
        refused(lambda: tf.io.load_safetensors(path), "bytes")


@pytest.mark.parametrize("piece", ["[]", "{}", "[[]]", "0", '""', "1e9", '[{"a":[]}]'])
def test_a_byte_of_json_parses_to_32_bytes_at_most(piece):
    text = f'{{"a":[{",".join([piece] * 50_000)}]}}'
    assert peak(lambda: json.loads(text, object_pairs_hook=dict)) < 32 * len(text)


def test_the_compressed_index_of_a_checkpoint_expands_to_the_budget_at_most():
    # one literal byte, then copies of 64 bytes from one back
    size = 1 + 64 * 2000
    packed = varint.as_varint(size) + b"\x00x" + bytes([(64 - 1) << 2 | 2, 1, 0]) * 2000
    block = packed + b"\x01"
    block += masked(crc32c(block)).to_bytes(4, "little")
    handle = varint.as_varint(0) + varint.as_varint(len(packed))
    data = block + (handle + handle).ljust(40, b"\0") + sorted_table.MAGIC.to_bytes(8, "little")
    with tf.io.Budget(bytes=1000):
        refused(lambda: sorted_table.read(data), "bytes")
    with pytest.raises(tf.errors.DataLossError):
        sorted_table.read(data)


def test_slices_that_share_their_bytes_expand_to_the_budget_at_most(tmp_path):
    """A checkpoint of one slice of 1 MB, whose index names its bytes forty times."""
    prefix = str(tmp_path / "m")
    parts = [tensor_slices.Part((40, 1 << 18), ((at, 1), (0, tensor_slices.WHOLE)), (1, 1 << 18)) for at in range(40)]
    with bundle.Writer(prefix) as made:
        for part in parts:
            made.add(b"w", np.full((1, 1 << 18), 3, np.float32), dtypes.float32, part)
        made.finish()
    with open(f"{prefix}.index", "rb") as file:
        table = sorted_table.read(file.read())
    keys = [tensor_slices.key(b"w", part.slice) for part in parts]
    shared = {key: table[keys[0]] if key in keys else value for key, value in table.items()}
    with open(f"{prefix}.index", "wb") as file:
        file.write(sorted_table.table_bytes(sorted(shared.items())))
    with open(bundle_reader.data_path(prefix, 0, 1), "r+b") as file:
        file.truncate(1 << 20)
    with bundle.open_checkpoint(prefix) as reader:
        assert reader.read(b"w").shape == (40, 1 << 18)
        with tf.io.Budget(bytes=(39 << 20) - 1):
            refused(lambda: reader.read(b"w"), "bytes")
