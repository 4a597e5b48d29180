"""PipelineView: its record opens, its stats are a table, two datasets share a clock, wrong arguments are refused."""

import copy
import xml.etree.ElementTree as ElementTree

import pytest

import tfedu as tf
from tfedu.view.records import from_json
from tfedu.widgets import PipelineView


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def squares():
    return tf.data.Dataset.range(8).map(lambda x: x * x).batch(2)


def test_it_opens_with_a_valid_record_and_a_picture(wire):
    widget = PipelineView(squares())
    record = wire(widget).opened["record"]
    assert record["kind"] == "pipeline"
    from_json(copy.deepcopy(record))
    ElementTree.fromstring(widget.svg())
    assert "3 stages" in repr(widget)


def test_stats_are_the_times_of_the_clock_with_the_bottleneck():
    stats = PipelineView(squares(), costs={"map": 10}, lang="en").stats
    assert stats.bottleneck.startswith("map(")
    assert sum((stats.stages[1].busy, stats.stages[1].starved, stats.stages[1].idle)) == stats.total
    assert "num_parallel_calls=4" in repr(stats)
    assert len({len(line) for line in repr(stats).splitlines()[:5]}) == 1


def test_two_datasets_are_on_one_clock():
    first, second = squares(), squares().prefetch(1)
    pair = PipelineView.compare(first, second).stats
    assert [stats.total for stats in pair] == [68, 50]
    assert PipelineView({"plain": first, "ahead": second}).stats[1].title == "ahead"


def test_the_functions_of_a_dataset_use_the_variables_of_the_session():
    factor = tf.Variable(3, dtype=tf.int64, use_resource=True)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        widget = PipelineView(tf.data.Dataset.range(3).map(lambda x: x * factor))
        assert [each["text"] for each in widget.record["pipes"][0]["elements"] if each["stage"] == 1] == ["0", "3", "6"]


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (PipelineView, ValueError),
        (lambda: PipelineView(squares(), squares(), squares()), ValueError),
        (lambda: PipelineView(3), TypeError),
        (lambda: PipelineView(squares(), elements=0), ValueError),
        (lambda: PipelineView(squares(), elements="all"), TypeError),
        (lambda: PipelineView(squares(), costs={"mop": 2}), ValueError),
        (lambda: PipelineView(tf.data.Dataset.range(30_000).shuffle(30_000)), ValueError),
    ],
)
def test_wrong_arguments_are_errors_of_the_cell(make, error):
    with pytest.raises(error):
        make()
