"""Input pipelines on the simulated clock: times add up, buffers keep their bounds, and every sentence is true.

tests/golden/pipeline.json is read by the front end's tests; after a wanted change of records, write it anew with
`PYTHONPATH=. python tests/view/test_pipelines.py`.
"""

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

import tfedu as tf
from tfedu.engine.data.pipeline.flow import record_flow
from tfedu.view import messages
from tfedu.view.make.pipeline_flow.pipeline_calls import calls_of, walked
from tfedu.view.make.pipeline_flow.pipeline_records import pipeline_record
from tfedu.view.make.pipeline_flow.pipeline_times import CONSUMER, simulated
from tfedu.view.record_kinds import picture, text_of
from tfedu.view.records import from_json, to_json

GOLDEN = Path(__file__).parents[1] / "golden" / "pipeline.json"
Dataset = tf.data.Dataset


def orders():
    """The two orders of shuffle and repeat, side by side."""
    with tf.Graph().as_default():
        first = Dataset.range(5).shuffle(3, seed=1).repeat(2)
        second = Dataset.range(5).repeat(2).shuffle(3, seed=1).batch(2).prefetch(1)
        return pipeline_record([("shuffle, then repeat", first), ("repeat, then shuffle", second)])


def times_of(make, **options):
    with tf.Graph().as_default():
        return simulated(record_flow(make(Dataset.range(8)), 20), **options)


def square(x):
    return x * x


# -- times -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "total"),
    [
        (lambda d: d, 8 * (1 + 6)),
        (lambda d: d.map(square).batch(2), 4 * (2 * (1 + 4) + 1 + 6)),
        # the first batch takes 11 ms; then the thread of prefetch needs 11 ms a batch, and the last step 6 ms
        (lambda d: d.map(square).batch(2).prefetch(1), 4 * 11 + 6),
        # two lanes: the training steps of 6 ms are slower than 4 / 2 ms
        (lambda d: d.map(square, num_parallel_calls=2), 1 + 4 + 8 * 6),
        (lambda d: d.shuffle(8, seed=1), 8 * 1 + 8 * 6),
        (lambda d: d.filter(lambda x: x > 3), 8 * (1 + 1) + 4 * 6),
    ],
)
def test_the_whole_takes_what_pencil_and_paper_say(make, total):
    assert times_of(make).total == total


PIPELINES = {
    "alone": lambda d: d,
    "map": lambda d: d.map(square).batch(3),
    "lanes": lambda d: d.map(square, num_parallel_calls=3).batch(2).prefetch(1),
    "shuffle": lambda d: d.shuffle(3, seed=1).repeat(2).prefetch(2).batch(3),
    "interleave": lambda d: d.interleave(lambda x: Dataset.range(2).map(lambda y: y + x), 2, num_parallel_calls=2),
    "flat": lambda d: d.filter(lambda x: x > 2).flat_map(lambda x: Dataset.range(x)),
    "zip": lambda d: Dataset.zip((d, d.map(square))).prefetch(1).repeat(2),
    "groups": lambda d: d.apply(
        tf.data.experimental.group_by_window(lambda x: x % 2, lambda key, window: window.batch(2), window_size=2)
    ),
    "both": lambda d: d.apply(tf.data.experimental.map_and_batch(square, 2, num_parallel_calls=4)).repeat(2),
    "window": lambda d: d.window(3).flat_map(lambda w: w.batch(3)).cache().repeat(2),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_time_is_shared_out_in_full_and_nothing_comes_before_its_cause(name):
    with tf.Graph().as_default():
        flow = record_flow(PIPELINES[name](Dataset.range(6)), 12)
    times = simulated(flow)
    for stage in times.stages.values():
        assert stage.busy + stage.starved + stage.idle == pytest.approx(times.total)
        assert min(stage.busy, stage.starved, stage.idle) >= -1e-9
    lanes = {}
    for span in sorted(times.spans, key=lambda span: span.start):
        assert span.start >= lanes.get((span.stage, span.lane), 0.0)
        lanes[span.stage, span.lane] = span.end
    assert [moment.time for moment in times.moments] == sorted(moment.time for moment in times.moments)
    at = {moment.element: number for number, moment in enumerate(times.moments) if moment.element is not None}
    for element in flow.elements:
        if element.id in at:
            assert all(at[source] < at[element.id] for source in element.sources)
    assert len(at) == sum(call.kind == "push" for call in walked(calls_of(flow)))
    assert times.stages[CONSUMER].work == 6 * sum(call.kind == "push" for call in calls_of(flow))


@pytest.mark.parametrize("name", PIPELINES)
def test_no_stage_holds_more_than_its_buffer(name):
    with tf.Graph().as_default():
        (pipe,) = from_json(to_json(pipeline_record([("", PIPELINES[name](Dataset.range(6)))], 12))).pipes
    for stage in pipe.stages:
        room = stage.capacity if stage.capacity is not None else max(stage.lanes, 1) if stage.kind != "consumer" else 99
        for number in range(len(pipe.moments) + 1):
            held = [
                each for each in pipe.elements
                if each.to == stage.id and each.comes < number and (each.goes is None or each.goes >= number)
            ]  # fmt: skip
            openers = any(pipe.stages[id].inner for id in stage.inputs)
            assert len(held) <= room + (2 if openers else 0) or len(stage.inputs) > 1, (stage.label, number)


def test_costs_go_by_kind_and_by_stage():
    assert times_of(lambda d: d, costs={"consumer": 1}).total == 8 * 2
    assert times_of(lambda d: d, costs={0: 5}).total == 8 * 11
    with tf.Graph().as_default():
        for costs, error in (({"mop": 1}, ValueError), ({"map": -1}, ValueError), ({"map": "much"}, TypeError)):
            with pytest.raises(error):
                pipeline_record([("", Dataset.range(2))], costs=costs)
        with pytest.raises(TypeError):
            pipeline_record([("", [1, 2])])


def test_the_slowest_stage_is_named_with_what_would_help():
    with tf.Graph().as_default():
        (pipe,) = pipeline_record([("", Dataset.range(8).map(square))], costs={"map": 20}).pipes
        assert pipe.stages[pipe.bottleneck].kind == "map"
        found = {each.code: each.params for each in pipe.findings}
        better = pipeline_record([("", Dataset.range(8).map(square, num_parallel_calls=4))], costs={"map": 20}).pipes[0]
        assert float(found["help.calls"]["total"]) == better.total
        ahead = pipeline_record([("", Dataset.range(8).map(square).prefetch(1))], costs={"map": 20}).pipes[0]
        assert float(found["help.prefetch"]["total"]) == ahead.total


# -- sentences -------------------------------------------------------------------------------------------------------


def randomly(rng):
    """A small pipeline over the numbers 0 to 5; each value is its place in the source."""
    dataset, batched = Dataset.range(6), False
    for _ in range(rng.randint(1, 4)):
        kind = rng.choice(["shuffle", "repeat", "batch", "prefetch", "take", "skip", "filter", "cache"])
        if batched and kind in ("batch", "filter", "cache"):
            continue
        batched = batched or kind == "batch"
        dataset = {
            "shuffle": lambda d: d.shuffle(rng.randint(1, 6), seed=rng.randint(1, 9)),
            "repeat": lambda d: d.repeat(2),
            "batch": lambda d: d.batch(rng.randint(1, 3)),
            "prefetch": lambda d: d.prefetch(1),
            "take": lambda d: d.take(5),
            "skip": lambda d: d.skip(1),
            "filter": lambda d: d.filter(lambda x: tf.not_equal(x % 3, 1)),
            "cache": lambda d: d.cache(),
        }[kind](dataset)
    return dataset


@pytest.mark.parametrize("seed", range(60))
def test_what_is_said_of_order_and_epochs_is_true(seed):
    with tf.Graph().as_default():
        (pipe,) = pipeline_record([("", randomly(random.Random(seed)))], 30).pipes

    def leaves(id):
        """The elements of the source in an element, as (epoch, number)."""
        each = pipe.elements[id]
        if not each.sources:
            return [(each.epoch, int(each.text))]
        return [leaf for source in each.sources for leaf in leaves(source)]

    outputs = [leaves(id) for id, each in enumerate(pipe.elements) if each.to == len(pipe.stages) - 1]
    flat = [leaf for output in outputs for leaf in output]
    found = {each.code: each.params for each in pipe.findings}
    epochs = [epoch for epoch, _ in flat]
    assert ("epochs.mixed" in found) == (epochs != sorted(epochs))
    assert ("epochs.apart" in found) == (epochs == sorted(epochs) and len(set(epochs)) > 1 and len(outputs) > 1)
    assert ("epochs.joined" in found) == (len(outputs) > 1 and any(len({epoch for epoch, _ in each}) > 1 for each in outputs))
    assert ("order.kept" in found) == (len(outputs) > 1 and flat == sorted(flat))
    if mixed := found.get("epochs.mixed"):
        early, late = (mixed["later"] - 1, mixed["early"]), (mixed["earlier"] - 1, mixed["late"])
        assert flat.index(early) < flat.index(late)
        assert early[0] > late[0]
    if changed := found.get("order.changed"):
        early, late = ((changed["epoch"] - 1, changed[name]) for name in ("early", "late"))
        assert flat.index(early) < flat.index(late)
        assert early > late
    if early := found.get("order.early"):
        by_epoch = [[leaf for leaf in flat if leaf[0] == epoch] for epoch in sorted(set(epochs))]
        lead = [number - rank for leaves in by_epoch for rank, (_, number) in enumerate(leaves)]
        assert max(lead) == early["n"]
    if members := found.get("order.members"):
        numbers = [int(number) for number in members["members"].split(", ")]
        assert numbers == [number for _, number in outputs[members["index"]]]
        ranks = [sorted(flat).index(leaf) for leaf in outputs[members["index"]]]
        assert any(after != before + 1 for before, after in pairwise(ranks))
    if "order.batches" in found:
        order = sorted(flat)
        for output in outputs:
            at = order.index(output[0])
            assert output == order[at : at + len(output)]
        assert flat != order


def test_what_two_pipelines_hand_on_is_compared():
    def codes(first, second):
        with tf.Graph().as_default():
            return pipeline_record([("", first()), ("", second())]).differs[0].code

    assert codes(lambda: Dataset.range(4), lambda: Dataset.range(4).prefetch(1)) == "both.same"
    assert codes(lambda: Dataset.range(4), lambda: Dataset.range(4).shuffle(4, seed=1)) == "both.order"
    assert codes(lambda: Dataset.range(4), lambda: Dataset.range(4).batch(2)) == "both.others"


def test_a_cache_hands_on_the_elements_that_it_kept():
    with tf.Graph().as_default():
        dataset = Dataset.range(5).filter(lambda x: x > 2).cache().repeat(2).shuffle(4, seed=1)
        (pipe,) = pipeline_record([("", dataset)]).pipes
    received = [each for each in pipe.elements if pipe.stages[each.to].kind == "consumer"]
    assert sorted((each.epoch, each.index, each.text) for each in received) == [
        (epoch, number, str(number)) for epoch in (0, 1) for number in (3, 4)
    ]


def test_a_short_batch_is_counted_as_batches_are():
    """Also one with a single member, which once had the number of that member."""
    with tf.Graph().as_default():
        batches = Dataset.range(7).batch(3).map(lambda x: x + 1)
        kept = Dataset.range(7).filter(lambda x: x > 3)
        pipes = pipeline_record([("batches", batches), ("kept", kept)]).pipes
    numbers = [[(each.stage, each.index) for each in pipe.elements if each.stage > 0] for pipe in pipes]
    assert numbers == [[(stage, n) for n in range(3) for stage in (1, 2)], [(1, 4), (1, 5), (1, 6)]]


def test_passes_without_an_order_are_no_epochs():
    with tf.Graph().as_default():
        source = Dataset.range(3)
        for dataset in (Dataset.zip((source, source)), source.flat_map(lambda x: Dataset.range(2))):
            (pipe,) = pipeline_record([("", dataset)]).pipes
            assert {each.epoch for each in pipe.elements} == {None}
            assert not [each for each in pipe.findings if each.code.startswith("epochs.")]


# -- pages without a kernel ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_every_pipeline_has_a_text_and_a_picture(lang):
    record = orders()
    assert "{" not in text_of(record, lang)
    assert picture(record, lang=lang).startswith("<svg")


def test_explain_says_the_same_as_a_text():
    with tf.Graph().as_default():
        shown = tf.explain.pipeline({"one": Dataset.range(2), "other": Dataset.range(2).prefetch(1)}, lang="en")
    assert "one:\n1 ms: range hands #0 = 0 to training step." in repr(shown)
    assert "Both hand on the same 2 elements in the same order." in repr(shown)


def test_an_error_ends_the_recording_and_is_told():
    with tf.Graph().as_default():
        (pipe,) = pipeline_record([("", Dataset.range(4).map(lambda x: 6 // (x - 2)).prefetch(1))]).pipes
    assert pipe.error == "Integer division by zero"
    errors = [pipe.stages[each.stage].kind for each in pipe.moments if each.code == "error"]
    assert errors == ["map"]
    assert len([each for each in pipe.elements if pipe.stages[each.to].kind == "consumer"]) == 2


def test_the_front_ends_record_is_fresh():
    assert json.loads(GOLDEN.read_text("utf-8")) == golden()


def golden():
    record = to_json(orders())
    for pipe in record["pipes"]:
        for stage in pipe["stages"]:
            stage["site"] = None
    return record


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(golden(), indent=1) + "\n", "utf-8")


def test_a_look_at_a_dataset_leaves_its_graph_as_it_is():
    dataset = tf.data.Dataset.range(4).shuffle(4, seed=1).repeat(2)
    graph = tf.get_default_graph()
    before = [op.name for op in graph.get_operations()]
    graph.finalize()
    record = pipeline_record([("", dataset)])
    assert [op.name for op in graph.get_operations()] == before
    assert [stage.label for stage in record.pipes[0].stages] == ["range(count=4)", "shuffle(buffer_size=4).repeat(count=2)", ""]
