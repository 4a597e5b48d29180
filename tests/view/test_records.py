"""Records: JSON restores a record unchanged, and data that is no record is refused."""

import copy
import json
import typing

import drawn_graphs as graphs
import pytest

from tfedu.view.build import graph_record
from tfedu.view.record_kinds import KINDS, picture, text_of
from tfedu.view.records import (
    RECORDS,
    BreaksRecord,
    GraphRecord,
    PlayedRecord,
    PredictRecord,
    Record,
    RecordError,
    RecordVersionError,
    TargetRecord,
    TraceRecord,
    from_json,
    schema,
    to_json,
)


@pytest.mark.parametrize("name", sorted(graphs.ALL))
def test_a_record_survives_json(name):
    record = graph_record(graphs.ALL[name]())
    assert from_json(json.loads(json.dumps(to_json(record)))) == record


def test_records_hold_json_types_alone():
    todo = [to_json(graph_record(graphs.cond()))]
    while todo:
        item = todo.pop()
        assert type(item) in (dict, list, str, int, bool, type(None)), item
        todo.extend(item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())


def test_the_question_carries_no_answer():
    record = PredictRecord("t", "p", (), 3, (TargetRecord("a", "A"),))
    assert set(to_json(record)) == {"version", "kind", "title", "prompt", "programs", "runs", "targets"}


def test_another_versions_record_is_refused_as_such():
    data = to_json(graph_record(graphs.counter(True)))
    with pytest.raises(RecordVersionError, match="version: expected 1, got 2; another version of tfedu"):
        from_json(data | {"version": 2})


def changed(path, value):
    data = copy.deepcopy(to_json(graph_record(graphs.counter(True))))
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (["kind"], "graphs", "kind"),
        (["kind"], ["graph"], "kind"),
        (["version"], "1", "version"),
        (["version"], True, "version"),
        (["nodes"], None, "nodes"),
        (["nodes", 0], 7, r"nodes\[0\]"),
        (["nodes", 2, "id"], "2", r"nodes\[2\]\.id"),
        (["nodes", 2, "id"], True, r"nodes\[2\]\.id"),
        (["nodes", 2, "id"], 0, "nodes"),
        (["nodes", 2, "role"], "boss", r"nodes\[2\]\.role"),
        (["nodes", 2, "scope"], "nowhere", r"nodes\[2\]\.scope"),
        (["nodes", 2, "outputs", 0, "shape"], [1.5], r"nodes\[2\]\.outputs\[0\]\.shape\[0\]"),
        (["nodes", 0, "attrs"], [["a", "b", "c"]], r"nodes\[0\]\.attrs\[0\]"),
        (["nodes", 0, "extra"], 1, r"nodes\[0\]"),
        (["edges", 0, "source"], 99, r"edges\[0\]\.source"),
        (["edges", 0, "output"], 3, r"edges\[0\]\.output"),
        (["edges", 0, "input"], None, r"edges\[0\]\.input"),
        (["scopes", 0, "parent"], "elsewhere", r"scopes\[0\]\.parent"),
        (["blocks", 0, "created"], [99], r"blocks\[0\]\.created"),
        (["variables", 0, "kind"], "global", r"variables\[0\]\.kind"),
        (["notices"], [{"code": "x", "params": {"a": None}}], r"notices\[0\]\.params\.a"),
    ],
)
def test_malformed_data_is_refused_with_its_place(path, value, where):
    with pytest.raises(RecordError, match=f"not a valid record: {where}: expected"):
        from_json(changed(path, value))


def test_a_missing_field_is_named():
    data = to_json(GraphRecord())
    del data["edges"]
    with pytest.raises(RecordError, match="edges: expected a value"):
        from_json(data)


@pytest.mark.parametrize("data", [None, 1, "graph", [], {}, {"kind": None}])
def test_data_of_no_known_kind_is_refused(data):
    with pytest.raises(RecordError):
        from_json(data)


def test_a_record_of_another_kind_than_asked_for_is_refused():
    with pytest.raises(RecordError, match="kind: expected 'trace'"):
        from_json(to_json(GraphRecord()), TraceRecord)


def test_the_schema_accepts_what_to_json_writes_and_names_every_field():
    jsonschema = pytest.importorskip("jsonschema")
    checker = jsonschema.Draft202012Validator(schema())
    for name in ("without", "with", "cond"):
        checker.validate(to_json(graph_record(graphs.ALL[name]())))
    wrong = to_json(GraphRecord()) | {"more": 1}
    assert not checker.is_valid(wrong)


def test_every_kind_of_record_has_one_row():
    assert set(KINDS) == set(RECORDS.values())
    without_text = {kind for kind, row in KINDS.items() if row.text is None}
    assert without_text == set(RECORDS.values()) - set(typing.get_args(Record))


@pytest.mark.parametrize("data", [BreaksRecord(), None, TargetRecord("a", "A")])
def test_objects_without_picture_and_text_are_refused(data):
    with pytest.raises(TypeError, match=f"not a record of a picture: {type(data).__name__}"):
        picture(data)
    with pytest.raises(TypeError, match=f"not a record of a text: {type(data).__name__}"):
        text_of(data)


def test_a_record_of_text_alone_has_no_picture():
    record = PlayedRecord((), None, 0, 0, 0, 0, 0, None, (), None)
    with pytest.raises(TypeError, match="not a record of a picture: PlayedRecord"):
        picture(record)
    assert text_of(record, "en")
