"""Records of values: every statistic is NumPy's, the record says what it leaves out, and no record is large."""

import base64
import json
import xml.etree.ElementTree as ElementTree

import hostile_names
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import tfedu as tf
from tfedu.engine.files.pictures import from_png
from tfedu.engine.replay import trace
from tfedu.view.draw.value_sheet import SIGNS
from tfedu.view.make.runs.trace_records import trace_record
from tfedu.view.make.runs.trace_values import ALL, ONE
from tfedu.view.make.value_records import BLOCKS, COLUMNS, ROWS, small_record, tensor_record, value_at
from tfedu.view.record_kinds import picture, text_of
from tfedu.view.records import from_json, to_json
from tfedu.view.words.value_text import first_look

KINDS = st.sampled_from([np.float32, np.float64, np.int32, np.uint8, np.bool_, np.float16])
ANY = KINDS.flatmap(lambda kind: arrays.arrays(kind, arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=14)))
RANDOM = np.random.RandomState(0)


def spoilt():
    found = RANDOM.randn(70, 50).astype("f")
    found[3, 4], found[60, 40], found[60, 0], found[0, 0] = np.nan, np.inf, -np.inf, 0
    return found


VALUES = [
    3.5, np.float32(0.1), True, 7, 1 + 2j, np.float64("nan"), b"ab\xff\n", "héé\x00\u202e", b"", b"x" * 9000, None,
    np.zeros((0, 3)), np.arange(12).reshape(3, 4), spoilt(),
    RANDOM.rand(28, 28, 1), RANDOM.rand(5, 130, 70, 3) * 9 - 4, RANDOM.randn(10_000),
    RANDOM.rand(2, 3, 4), np.array([b"a", b"\x80", b"<script>"], object), np.array([1e308, -1e308] * 20),
    np.full((3, 3), np.nan), np.array([2**63, 0], np.uint64), np.ones((4,)) * 1j, np.array([True, False] * 30),
    np.arange(300, dtype=np.uint8).reshape(10, 30), np.full((2, 2, 2, 2, 2), np.inf), np.float16([[1, 2]]),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda value: str(value)[:20].encode("ascii", "replace").decode())
def test_every_value_has_a_look_in_text_and_drawing_in_every_language_and_its_record_is_small(value):
    record = tensor_record(value, "x:0")
    data = json.loads(json.dumps(to_json(record)))
    assert from_json(data) == record
    assert len(json.dumps(data)) < 160_000
    small = small_record(value)
    assert small is None or len(json.dumps(to_json(small))) < 3 * ONE
    for lang in ("en", "ko", "zh"):
        root = ElementTree.fromstring(picture(record, lang=lang))
        assert "{" not in text_of(record, lang)
        assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
            "svg", "title", "desc", "style", "g", "path", "text", "rect", "image"
        }  # fmt: skip


@given(ANY)
@settings(max_examples=150, deadline=None)
def test_the_statistics_are_numpys(value):
    record = tensor_record(value)
    if not value.ndim:
        assert record.stats is None
        return
    stats = record.stats
    wide = value.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    assert stats.count == value.size
    assert stats.nan == np.isnan(wide).sum()
    assert stats.inf == np.isinf(wide).sum()
    assert stats.zero == (wide == 0).sum()
    assert bool(stats.low) == bool(finite.size)
    if finite.size:
        assert float(stats.low) == pytest.approx(finite.min(), rel=1e-5)
        assert float(stats.high) == pytest.approx(finite.max(), rel=1e-5)
        if np.abs(finite).max() < 1e150:
            assert float(stats.mean) == pytest.approx(finite.mean(), rel=1e-5, abs=1e-12 * np.abs(finite).max())
        assert np.isfinite(float(stats.std))
        if record.bars is not None:
            assert sum(bar.count for bar in record.bars) == finite.size


@given(ANY)
@settings(max_examples=100, deadline=None)
def test_a_table_has_the_first_elements_and_says_of_how_many(value):
    table = tensor_record(value).table
    if not value.ndim or not value.size:
        return
    matrix = value.reshape(-1, 1) if value.ndim == 1 else value[(0,) * (value.ndim - 2)]
    assert (table.all_rows, table.all_columns) == matrix.shape
    assert len(table.rows) == min(ROWS, matrix.shape[0])
    assert len(table.columns) == min(COLUMNS, matrix.shape[1])
    for row, cells in enumerate(table.cells):
        for column, cell in enumerate(cells):
            if value.dtype == np.bool_:
                assert cell == str(bool(matrix[row, column]))
            else:
                assert float(cell) == pytest.approx(float(matrix[row, column]), rel=1e-5, nan_ok=True)


@pytest.mark.parametrize("shape", [(2, 2), (1, 40), (33, 5), (90, 64), (65, 100)])
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.uint8])
def test_a_cell_of_a_heat_map_is_the_mean_of_its_block_or_a_sign(shape, kind):
    random = np.random.RandomState(sum(shape))
    value = (random.randn(*shape) * 100).astype(kind)
    if kind in (np.float32, np.float64):
        for odd in (np.nan, np.inf, np.inf, -np.inf, -np.inf):
            value[random.randint(shape[0]), random.randint(shape[1])] = odd
    heat = tensor_record(value, look="heat").heat
    tall, wide = heat.block
    assert len(heat.rows) <= BLOCKS
    assert len(heat.columns) <= BLOCKS
    assert (len(heat.rows), len(heat.columns)) == (-(-value.shape[0] // tall), -(-value.shape[1] // wide))
    for row, levels in enumerate(heat.levels):
        for column, level in enumerate(levels):
            block = value[row * tall : (row + 1) * tall, column * wide : (column + 1) * wide].astype(np.float64)
            finite = block[np.isfinite(block)]
            if np.isnan(block).any():
                assert level == -1
            elif np.isinf(block).any():
                up, down = np.isposinf(block).any(), np.isneginf(block).any()
                assert level == (-2 if up and down else -4 if up else -3)
            else:
                assert 0 <= level <= 8
            if finite.size and (tall, wide) != (1, 1):
                room = 1e-9 * np.abs(finite).max()
                assert float(heat.cells[row][column]) == pytest.approx(finite.mean(), rel=1e-5, abs=room)


def test_a_heat_map_has_a_cell_for_each_element_that_fits():
    value = np.arange(2400.0).reshape(60, 40)
    heat = tensor_record(value, look="heat").heat
    assert heat.block == (1, 1)
    assert [[float(cell) for cell in row] for row in heat.cells] == value.tolist()


def test_levels_rise_with_the_values_from_the_lowest_to_the_highest():
    heat = tensor_record(np.arange(9.0).reshape(3, 3), look="heat").heat
    assert [level for row in heat.levels for level in row] == list(range(9))
    assert (heat.low, heat.high) == ("0", "8")


@pytest.mark.parametrize(
    ("value", "looks"),
    [
        (2.5, ("number",)),
        (b"text", ("string",)),
        (np.ones((3, 3)), ("table", "heat")),
        (np.ones(100), ("histogram", "table", "heat")),
        (np.ones((40, 40)), ("heat", "table", "histogram")),
        (np.ones((28, 28, 1), np.uint8), ("image", "table", "heat", "histogram")),
        (np.ones((2, 28, 28, 3), np.float32), ("image", "table", "heat", "histogram")),
        (np.ones((28, 28, 3), np.int32), ("histogram", "table", "heat")),
        (np.ones((28, 28, 2)), ("histogram", "table", "heat")),
        (np.ones((2, 2, 1)), ("table", "heat", "image")),
        (np.array([b"a", b"b"], object), ("table",)),
        (np.ones(3) * 1j, ("table",)),
        (np.ones((0, 5)), ("table",)),
        (None, ("name",)),
    ],
)
def test_the_first_look_fits_dtype_and_shape(value, looks):
    record = tensor_record(value)
    assert record.looks == looks
    assert first_look(record) == looks[0]


def test_one_look_and_another_slice_can_be_requested():
    value = np.arange(30.0).reshape(2, 3, 5)
    record = tensor_record(value, look="table", part=1)
    assert record.table.part == "[1, :, :]"
    assert record.table.cells[0][0] == "15"
    assert record.heat is record.bars is record.gallery is None
    with pytest.raises(ValueError, match="cannot be shown as 'image'"):
        tensor_record(value, look="image")
    for part in (2, -1, 1.5, True):
        with pytest.raises(ValueError, match="part must be a whole number from 0 to 1"):
            tensor_record(value, look="table", part=part)


def pixels(image):
    """The pixels of a PNG."""
    return from_png(base64.b64decode(image.data))


def test_an_image_of_bytes_is_these_bytes_and_a_large_one_says_which_of_them():
    value = RANDOM.randint(0, 256, (2, 9, 12, 3)).astype(np.uint8)
    gallery = tensor_record(value, look="image").gallery
    assert [image.label for image in gallery.images] == ["[0]", "[1]"]
    for image, wanted in zip(gallery.images, value, strict=True):
        np.testing.assert_array_equal(pixels(image), wanted)
    large = RANDOM.randint(0, 256, (7, 280, 280, 4)).astype(np.uint8)
    gallery = tensor_record(large, look="image").gallery
    assert (len(gallery.images), gallery.total) == (4, 7)
    np.testing.assert_array_equal(pixels(gallery.images[0]), large[0, ::3, ::3])
    assert gallery.images[0].every == 3
    gallery = tensor_record(np.zeros((40, 28, 28, 1)), look="image").gallery
    assert (len(gallery.images), gallery.total) == (16, 40)


def test_numbers_beyond_zero_and_one_are_stretched_and_the_record_says_so():
    gallery = tensor_record(np.array([[-2.0, 0.0], [1.0, 2.0]]).reshape(2, 2, 1), look="image").gallery
    assert (gallery.black, gallery.white) == ("-2", "2")
    assert pixels(gallery.images[0]).reshape(-1).tolist() == [0, 128, 191, 255]
    assert tensor_record(np.array([0.0, 0.5, 0.5, 0.5]).reshape(2, 2, 1), look="image").gallery.white == "1"


def test_elements_that_are_not_finite_have_a_sign_in_the_drawing():
    text = picture(tensor_record(np.array([[np.nan, np.inf], [-np.inf, 1.0]]), look="heat"))
    for level in (-1, -4, -3):
        assert f">{SIGNS[level]}<" in text


def test_strings_are_escaped_and_bytes_are_shown_as_such():
    assert tensor_record(b"a\"b\\\n").text == '"a\\"b\\\\\\n"'
    assert tensor_record(b"a\xff").text == "b'a\\xff'"
    assert tensor_record("일\x00").text == '"일␀"'
    assert tensor_record("일".encode()).length == 3
    half = "é".encode() * 3000
    assert tensor_record(half).text.startswith('"ééé')
    for name in hostile_names.NAMES:
        record = tensor_record(np.array([name.encode("utf-8", "surrogatepass")], object), name)
        ElementTree.fromstring(picture(record))


# -- in traces -------------------------------------------------------------------------------------------------------


def test_a_trace_has_small_values_in_full_and_large_ones_as_histograms_each_once():
    with tf.Graph().as_default():
        small = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        large = tf.constant(np.ones((60, 50), np.float32))
        fetches = [tf.identity(small), tf.identity(large), tf.constant(3.0)]
        told = trace.record(fetches, runs=3)
    record = trace_record(told, 0)
    assert len(record.tensors) == 2
    by_node = {node.id: node.name for node in record.graph.nodes}
    steps = {by_node[step.node]: step.outputs[0] for step in record.runs[2].steps}
    assert steps["Const"].tensor == steps["Identity"].tensor is not None
    assert record.tensors[steps["Identity"].tensor].table.cells == (("1", "2"), ("3", "4"))
    shown = record.tensors[steps["Identity_1"].tensor]
    assert (shown.heat, shown.table, shown.bars is not None, shown.looks[0]) == (None, None, True, "heat")
    assert steps["Identity_1"].asks
    assert (steps["Const_2"].tensor, steps["Const_2"].asks) == (None, False)


def test_values_of_a_long_trace_stay_within_their_room_and_others_can_be_requested():
    with tf.Graph().as_default():
        x = tf.constant(np.arange(400.0, dtype=np.float32))
        for _ in range(400):
            x = x * 1.01
        told = trace.record(x)
    record = trace_record(told, 0)
    assert sum(len(json.dumps(to_json(tensor))) for tensor in record.tensors) <= ALL
    outputs = [output for step in record.runs[0].steps for output in step.outputs]
    left = [output for output in outputs if output.tensor is None and output.text.startswith("[")]
    assert left
    assert all(output.asks for output in left)


def test_value_at_is_the_value_of_that_step_of_the_record():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 3])
        array = tf.TensorArray(tf.float32, 2).write(0, [1.0, 2.0])
        told = trace.record([x * 2.0, array.handle], {x: [[1, 2, 3]]}, runs=2)
    record = trace_record(told, 0)
    names = [record.graph.nodes[step.node].name for step in record.runs[1].steps]
    np.testing.assert_array_equal(value_at(told, 1, names.index("mul"), 0), [[2, 4, 6]])
    np.testing.assert_array_equal(value_at(told, 0, 0, 0), [[1, 2, 3]])  # what is fed comes first
    held = tensor_record(value_at(told, 0, names.index("TensorArray"), 0))
    assert (held.dtype, held.shape) == ("TensorArray", (2,))
    for place in ((2, 0, 0), (0, 99, 0), (0, 0, 5), (-1, 0, 0), (0, -1, 0)):
        with pytest.raises(ValueError, match="no output"):
            value_at(told, *place)


def test_without_a_kernel_the_record_says_that_nothing_can_be_requested():
    with tf.Graph().as_default():
        told = trace.record(tf.constant(np.ones((60, 50), np.float32)) * 1.0)
    record = trace_record(told)
    assert record.number is None
    assert len(record.tensors) == 2
    assert not any(output.asks for step in record.runs[0].steps for output in step.outputs)


def test_a_dead_output_has_no_value():
    with tf.Graph().as_default():
        y = tf.cond(tf.constant(True), lambda: tf.constant([1.0, 2.0]), lambda: tf.constant([3.0, 4.0]))
        told = trace.record(y)
    steps = told.runs[0].steps
    at = next(index for index, step in enumerate(steps) if step.outcome == "dead")
    with pytest.raises(ValueError, match="dead"):
        value_at(told, 0, at, 0)
