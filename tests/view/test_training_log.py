"""Summaries of trainings: none is lost, thinned series keep every peak, and news add up to the complete record."""

import json
import math
import os
import pathlib
import random
import xml.etree.ElementTree as ElementTree

import hostile_names
import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import proto
from tfedu.view import record_kinds
from tfedu.view.make.series_thinning import MOST, QUANTILES, Curve, Kept, distribution
from tfedu.view.make.training_log import TrainingLog
from tfedu.view.messages import message
from tfedu.view.record_kinds import text_of
from tfedu.view.records import TrainingRecord, from_json, to_json

PNG = bytes.fromhex("89504e470d0a1a0a") + b"rest"
GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "events" / "all.tfevents"


def number(tag, value):
    return tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value)])


def image(data, tag="picture"):
    return tf.Summary(value=[tf.Summary.Value(tag=tag, image=tf.Summary.Image(height=2, width=3, encoded_image_string=data))])


def histogram(values, tag="w"):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(tf.summary.histogram(tag, tf.constant(values)))


def points(pieces):
    return [point for piece in pieces for point in piece.points]


def overlaid(base, news):
    """What the front end makes of both."""
    if base is None:
        return None
    data, new = to_json(base), to_json(news)
    for name in ("runs", "others", "notices"):
        data[name] = new[name] or data[name]
    for name, items in (("curves", "pieces"), ("histograms", "items"), ("images", "items"), ("texts", "items")):
        found = {(part["run"], part["tag"]): part for part in data[name]}
        for part in new[name]:
            key = part["run"], part["tag"]
            before = found[key][items][: part["at"]] if key in found else []
            found[key] = part | {"at": 0, items: before + part[items]}
        data[name] = list(found.values())
    return from_json(data)


# -- long series -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, MOST, MOST + 1, 2 * MOST + 1, 100_000])
def test_a_curve_keeps_both_ends_and_every_peak_of_each_piece_and_counts_all(count):
    draw = random.Random(count)
    values = [draw.gauss(0, 1) for _ in range(count)]
    curve = Curve()
    for step, value in enumerate(values):
        curve.add(step, float(step), value)
    pieces = curve.record(0, "loss", 0).pieces
    assert len(pieces) <= MOST
    assert count < MOST or len(pieces) >= MOST // 2
    assert sum(piece.count for piece in pieces) == curve.total == count
    at = 0
    for piece in pieces:
        inside = [float(f"{value:.9g}") for value in values[at : at + piece.count]]
        kept = {point[0]: point[2] for point in piece.points}
        assert list(kept) == sorted(kept)
        assert {at, at + piece.count - 1} <= set(kept)
        assert {min(inside), max(inside)} <= set(kept.values())
        assert all(inside[step - at] == value for step, value in kept.items())
        assert piece.mean == pytest.approx(math.fsum(inside) / len(inside), rel=1e-6, abs=1e-9)
        at += piece.count


def test_numbers_that_are_not_finite_are_separate_and_counted():
    curve = Curve()
    for step in range(5000):
        curve.add(step, 0.0, {7: math.nan, 4000: math.inf, 4001: -math.inf}.get(step, 1.0))
    record = curve.record(0, "loss", 0)
    assert record.odd == 3
    assert [each for piece in record.pieces for each in piece.odd] == [(7, 0.0, "nan"), (4000, 0.0, "inf"), (4001, 0.0, "-inf")]
    assert {piece.mean for piece in record.pieces} == {1.0}
    alone = Curve()
    alone.add(0, 0.0, math.nan)
    assert alone.record(0, "loss", 0).pieces[0].mean is None


def test_a_piece_of_numbers_near_the_largest_float_still_has_a_mean():
    curve = Curve()
    for step in range(2 * MOST + 2):
        curve.add(step, 0.0, 1.7e308)
    assert all(math.isfinite(piece.mean) for piece in curve.record(0, "x", 0).pieces)


@pytest.mark.parametrize("most", [1, 2, 5, 10])
def test_the_selection_of_many_items_is_even_with_the_first_and_the_last(most):
    kept = Kept(None, most)
    for i in range(300):
        kept.add(i)
        steps = {b - a for a, b in zip(kept.items[:-1], kept.items[1:-1], strict=False)}
        assert len(steps) <= 1
        assert kept.items[0] == 0
        assert kept.items[-1] == i
        assert len(kept.items) <= most + 1
        assert kept.total == i + 1


# -- histograms ------------------------------------------------------------------------------------------------------


def test_a_histogram_gives_counts_and_quantiles_near_those_of_its_values():
    values = np.random.RandomState(0).randn(20_000).astype(np.float32)
    found = proto.Summary.FromString(histogram(values)).value[0].histo
    record = distribution(3, 4.0, found)
    assert (record.step, record.time, record.count) == (3, 4.0, 20_000)
    assert sum(record.bins) == pytest.approx(20_000, rel=1e-6)
    assert record.mean == pytest.approx(values.mean(), abs=1e-4)
    assert list(record.quantiles) == pytest.approx(np.quantile(values, QUANTILES), abs=0.06)
    assert list(record.quantiles) == sorted(record.quantiles)
    expected, _ = np.histogram(values, len(record.bins), (record.low, record.high))
    assert list(record.bins) == pytest.approx(expected, abs=250)


def test_a_histogram_of_one_value_is_one_bin():
    record = distribution(0, 0.0, proto.Summary.FromString(histogram([2.5, 2.5])).value[0].histo)
    assert (record.low, record.high, record.bins) == (2.5, 2.5, (2.0,))
    assert set(record.quantiles) == {2.5}


@pytest.mark.parametrize(
    "wrong",
    [
        {"min": 0, "max": 1, "num": 2, "bucket_limit": [0.5, 1], "bucket": [1]},
        {"min": 0, "max": 1, "num": 2, "bucket_limit": [1, 0.5], "bucket": [1, 1]},
        {"min": 0, "max": 1, "num": 2, "bucket_limit": [0.5, 1], "bucket": [-1, 3]},
        {"min": 0, "max": math.nan, "num": 2, "bucket_limit": [0.5, 1], "bucket": [1, 1]},
        {"min": 2, "max": 1, "num": 2, "bucket_limit": [0.5, 1], "bucket": [1, 1]},
        {"min": -1.7e308, "max": 1.7e308, "num": 2, "bucket_limit": [0.5, 1], "bucket": [1, 1]},
        {"min": 0, "max": 1, "num": 0, "bucket_limit": [], "bucket": []},
    ],
)
def test_a_histogram_that_cannot_be_drawn_is_counted_as_unreadable(wrong):
    log = TrainingLog()
    log.add(tf.Summary(value=[tf.Summary.Value(tag="w", histo=proto.HistogramProto(**wrong))]), 1)
    record = log.complete()
    assert record.histograms == ()
    assert [(other.tag, other.reason, other.total) for other in record.others] == [("w", "unreadable", 1)]


# -- summaries -------------------------------------------------------------------------------------------------------


def test_every_kind_of_summary_gets_its_series():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        tf.summary.scalar("mean", tf.reduce_mean(x))
        tf.summary.histogram("x", x)
        tf.summary.image("map", tf.reshape(x, [1, 2, 2, 1]))
        tf.summary.text("note", tf.constant("<b>*bold*</b>"))
        tf.summary.audio("sound", tf.zeros([1, 100]), 8000)
        tf.summary.tensor_summary("raw", x)
        merged = session.run(tf.summary.merge_all())
    log = TrainingLog()
    log.add(merged, 5, wall_time=1000.25)
    record = log.complete()
    assert points(record.curves[0].pieces) == [(5, 1000.25, 2.5)]
    assert record.histograms[0].items[0].count == 4
    shown = record.images[0].items[0]
    assert (shown.width, shown.height, shown.format) == (2, 2, "png")
    assert record.texts[0].items[0].text == "<b>*bold*</b>"
    assert {(other.tag, other.reason) for other in record.others} == {("sound/audio/0", "audio"), ("raw", "tensor")}
    assert from_json(json.loads(json.dumps(to_json(record)))) == record


def test_tensors_as_tensorflow_2_writes_them_are_read():
    def value(tag, plugin, content):
        made = tf.Summary.Value(tag=tag, tensor=tf.make_tensor_proto(content))
        made.metadata.plugin_data.plugin_name = plugin
        return made

    log = TrainingLog()
    log.add(tf.Summary(value=[value("loss", "scalars", 0.5), value("shot", "images", [b"3", b"2", PNG])]), 1)
    # how a tag is shown is said by its first value
    log.add(tf.Summary(value=[tf.Summary.Value(tag="loss", tensor=tf.make_tensor_proto(0.25))]), 2)
    record = log.complete()
    assert [value for _, _, value in points(record.curves[0].pieces)] == [0.5, 0.25]
    assert (record.images[0].items[0].width, record.images[0].items[0].height) == (3, 2)
    assert record.others == ()


@pytest.mark.parametrize(
    ("summary", "reason"),
    [
        (image(b"<svg onload=alert(1)>"), "unreadable"),
        (image(PNG + bytes(1 << 20)), "large"),
        (tf.Summary(value=[tf.Summary.Value(tag="t")]), "unreadable"),
        (tf.Summary(value=[tf.Summary.Value(tag="t", tensor=proto.TensorProto(dtype=9999))]), "unreadable"),
    ],
)
def test_summaries_that_are_not_shown_are_counted_with_a_reason(summary, reason):
    log = TrainingLog()
    log.add(summary, 1)
    log.add(summary, 2)
    assert [(other.reason, other.total) for other in log.complete().others] == [(reason, 2)]


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: TrainingLog(3), TypeError, "cannot show the training of a int"),
        (lambda: TrainingLog({1: "/tmp"}), TypeError, "dict from names of runs"),
        (lambda: TrainingLog({"a": {"b": "/tmp"}}), TypeError, "dict from names of runs"),
        (lambda: TrainingLog().add("text"), TypeError, "expected a Summary, as bytes or a message, not str"),
        (lambda: TrainingLog().add(tf.GraphDef()), TypeError, "expected a Summary"),
        (lambda: TrainingLog().add(b"\xff\xff"), proto.DecodeError, "Error parsing"),
        (lambda: TrainingLog("gs://bucket/log"), tf.errors.UnimplementedError, "gs"),
    ],
)
def test_a_wrong_source_is_an_error(wrong, error, text):
    with pytest.raises(error, match=text):
        wrong()


# -- files -----------------------------------------------------------------------------------------------------------


def write(folder, values, first=0, tag="loss"):
    with tf.summary.FileWriter(str(folder)) as writer:
        for step, value in enumerate(values, first):
            writer.add_summary(number(tag, value), step)


def test_the_folders_below_a_log_are_its_runs(tmp_path):
    write(tmp_path, [9.0])
    write(tmp_path / "b" / "eval", [2.0])
    write(tmp_path / "a", [1.0])
    (tmp_path / "notes.txt").write_text("no event file")
    log = TrainingLog(tmp_path)
    log.read()
    record = log.complete()
    assert [run.name for run in record.runs] == [".", "a", "b/eval"]
    assert [points(curve.pieces)[0][2] for curve in record.curves] == [9.0, 1.0, 2.0]
    named = TrainingLog({"x": str(tmp_path / "a"), "y": str(tmp_path)})
    named.read()
    assert [run.name for run in named.complete().runs] == ["x", "y", "y/a", "y/b/eval"]


def test_a_log_may_come_later_and_grow_byte_by_byte(tmp_path):
    write(tmp_path / "source", [1.0, 2.0, 3.0])
    (source,) = (tmp_path / "source").iterdir()
    data = source.read_bytes()
    log = TrainingLog(tmp_path / "log")
    log.read()
    assert log.complete() == TrainingRecord()
    (tmp_path / "log").mkdir()
    target = tmp_path / "log" / source.name
    seen = []
    for size in range(0, len(data) + 1, 7):
        target.write_bytes(data[:size])
        log.read()
        curves = log.complete().curves
        seen.append(curves[0].total if curves else 0)
    target.write_bytes(data)
    log.read()
    assert sorted({*seen, log.complete().curves[0].total}) == [0, 1, 2, 3]
    assert log.complete().notices == ()


def test_a_damaged_file_is_read_up_to_the_damage_with_a_notice(tmp_path):
    write(tmp_path, [1.0, 2.0, 3.0])
    (file,) = tmp_path.iterdir()
    data = bytearray(file.read_bytes())
    data[-6] ^= 1
    file.write_bytes(data)
    log = TrainingLog(tmp_path)
    log.read()
    record = log.complete()
    assert record.curves[0].total == 2
    assert record.notices[0].code == "training_file"
    assert "corrupted record" in record.notices[0].params["why"]
    assert file.name[:20] in record_kinds.picture(record)


def test_unflushed_events_of_a_writer_are_read_too(tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path))
    log = TrainingLog(writer)
    for step in range(5):
        writer.add_summary(number("loss", step), step)
    log.read()
    assert log.complete().curves[0].total == 5
    writer.close()
    log.read()  # a closed writer needs no flush and warns of nothing


def test_events_and_pairs_are_taken_as_they_are(tmp_path):
    write(tmp_path, [1.0, 2.0], first=10)
    (file,) = tmp_path.iterdir()
    from_events = TrainingLog(tf.train.summary_iterator(str(file))).complete()
    assert [point[0] for point in points(from_events.curves[0].pieces)] == [10, 11]
    from_pairs = TrainingLog([(10, number("loss", 1.0)), (11, number("loss", 2.0).SerializeToString())]).complete()
    assert [point[::2] for point in points(from_pairs.curves[0].pieces)] == [(10, 1.0), (11, 2.0)]
    assert TrainingLog(number("loss", 1.0)).complete().curves[0].total == 1
    assert [run.name for run in TrainingLog({"a": number("loss", 1.0)}).complete().runs] == ["a"]
    alone = TrainingLog(os.fspath(file))
    alone.read()
    assert alone.complete().curves[0].total == 2


def test_a_file_that_tensorflow_wrote_is_shown():
    log = TrainingLog(GOLDEN)
    log.read()
    record = log.complete()
    assert [run.name for run in record.runs] == ["."]
    assert [(curve.tag, curve.total) for curve in record.curves] == [("mean_1", 3)]
    assert [(found.tag, found.items[-1].count) for found in record.histograms] == [("x_1", 3)]
    assert record.texts[0].items[0].text == "*three* numbers"
    assert record.notices == ()


# -- news ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_the_complete_record_and_later_news_add_up(seed):
    draw = random.Random(seed)
    log = TrainingLog()
    base = log.settled()
    assert log.changes() is None
    told = 0
    for step in range(1200):
        run = draw.choice(["", "", "eval"])
        log.add(number(draw.choice("ab"), draw.choice([1.0, math.nan, draw.random()])), step, run, wall_time=step)
        if draw.random() < 0.05:
            log.add(image(PNG), step, run, wall_time=step)
        if draw.random() < 0.1:
            whole, news = log.changes()
            base = whole or base
            told += len(json.dumps(to_json(news))) + (len(json.dumps(to_json(whole))) if whole else 0)
            assert overlaid(base, news) == log.complete()
    assert told > 0


def test_news_are_small_however_long_the_curve():
    log = TrainingLog()
    for step in range(50_000):
        log.add(number("loss", 1.0), step)
    log.settled()
    for step in range(50_000, 50_010):
        log.add(number("loss", 1.0), step)
    whole, news = log.changes()
    assert whole is None
    assert len(json.dumps(to_json(news))) < 1000
    assert len(json.dumps(to_json(log.complete()))) < 200_000


# -- pictures and texts ----------------------------------------------------------------------------------------------


def told(name):
    log = TrainingLog()
    for run in (name, name + "2"):
        for step in range(4):
            log.add(number(name, [1.0, math.nan, math.inf, 2.0][step]), step, run)
            log.add(histogram([1.0, 2.0 + step], "w"), step, run)
        note = tf.Summary.Value(tag=name, tensor=tf.make_tensor_proto(name))
        note.metadata.plugin_data.plugin_name = "text"
        log.add(tf.Summary(value=[note, image(PNG, name).value[0]]), 4, run)
    return log.complete()


@pytest.mark.parametrize("name", [name[:2000].encode("utf-8", "replace").decode() for name in hostile_names.NAMES])
def test_hostile_names_of_runs_tags_and_texts_are_text_in_a_picture(name):
    picture = record_kinds.picture(told(name))
    root = ElementTree.fromstring(picture)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "path", "g", "text", "image"}
    for element in root.iter():
        assert not any(key.lower().startswith("on") for key in element.attrib)
        if element.tag.endswith("image"):
            assert element.attrib["href"].startswith("data:image/png;base64,")
    assert len(picture) < 60_000


@pytest.mark.parametrize("lang", ["en", "ko", "zh"])
def test_a_picture_shows_all_kinds_in_each_language(lang):
    record = told("loss")
    picture = record_kinds.picture(record, lang=lang)
    assert picture == record_kinds.picture(record, lang=lang)
    text = "".join(ElementTree.fromstring(picture).itertext())
    for shown in ("loss", "loss2", message("training.of_run", lang, tag="w", run="loss2")):
        assert shown in text
    assert "loss" in text_of(record, lang)


def test_runs_differ_by_dash_and_mark():
    log = TrainingLog()
    for run in range(8):
        for step in range(3):
            log.add(number("loss", run + step), step, f"run {run}")
    picture = ElementTree.fromstring(record_kinds.picture(log.complete()))
    looks = {}
    for group in picture.iter("{http://www.w3.org/2000/svg}g"):
        paths = [path.attrib.get("d", "") for path in group]
        if group.attrib.get("class", "").startswith("tfedu-run") and paths[0].endswith("h34"):
            looks[group.attrib.get("stroke-dasharray"), paths[1].split("m", 1)[1]] = 1
    assert len(looks) == 8


def test_an_empty_training_says_so():
    assert "Nothing has been written yet" in record_kinds.picture(TrainingRecord(), lang="en")
    assert "Nothing has been written yet" in text_of(TrainingRecord(), "en")
