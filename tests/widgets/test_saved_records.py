"""Files as widgets: each kind of file that `tfedu view` opens, and what is wrong with the others."""

import copy
import json

import jsonschema
import pytest

import tfedu as tf
from tfedu.opened_files import FileKindError, opened
from tfedu.view.record_kinds import message_of
from tfedu.view.records import RECORDS, PredictResult, RecordError, from_json, schema, to_json
from tfedu.widgets import (
    BeTheExecutor,
    BuildFilm,
    Compare,
    GradientFlow,
    GraphDiff,
    GraphView,
    Lint,
    OutcomeExplorer,
    Parsons,
    Passes,
    PipelineView,
    Predict,
    Reads,
    SelfCheck,
    StepThrough,
    TrainingView,
    Value,
)
from tfedu.widgets.base import page_text
from tfedu.widgets.pages.saved_records import WIDGETS, widget_of

HOSTILE = '</script><img src=x onerror="alert(1)"> & <b>'


@pytest.fixture
def counter():
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        with tf.control_dependencies([tf.assign_add(x, 1)]):
            y = tf.identity(x, name="y")
        yield y


MADE = {
    GraphView: lambda y: GraphView(y.graph),
    StepThrough: lambda y: StepThrough(y),
    Compare: lambda y: Compare({"a": y, "b": y}),
    BuildFilm: lambda y: BuildFilm(y.graph),
    GradientFlow: lambda y: GradientFlow(y * 2.0, [y]),
    GraphDiff: lambda y: GraphDiff(y.graph, y.graph),
    Lint: lambda y: Lint(y.graph),
    OutcomeExplorer: lambda y: OutcomeExplorer(y),
    Passes: lambda y: Passes(y),
    PipelineView: lambda y: PipelineView(tf.data.Dataset.range(3)),
    SelfCheck: lambda y: Predict({"y": y}).self_check(),
    Reads: lambda y: Reads(tf.matmul([[1.0, 2.0]], [[1.0], [2.0]])),
    TrainingView: lambda y: TrainingView(live=False),
    Value: lambda y: Value([[1.0, 2.0]]),
}


def test_each_widget_that_a_page_shows_has_its_record():
    assert set(WIDGETS.values()) == set(MADE)


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_a_saved_record_has_the_page_of_the_widget_that_saved_it(counter, tmp_path, kind):
    widget = MADE[kind](counter)
    (again,) = opened(widget.save(tmp_path / "saved.json"))
    assert isinstance(again, kind)
    assert repr(again).startswith(f"<tfedu {kind.__name__} 'saved.json': ")
    again.title = ""
    assert again.page_part("en") == widget.page_part("en")
    assert again.save(tmp_path / "again.json").read_bytes() == (tmp_path / "saved.json").read_bytes()
    again.close()


def test_a_packed_message_is_a_record_too(counter, tmp_path):
    widget = StepThrough(counter)
    file = tmp_path / "message.json"
    file.write_text(json.dumps(message_of(widget._record)))
    assert opened(file)[0].page_part("en").traits["record"] == widget.record


def test_an_answered_question_is_shown_by_its_runs(counter, tmp_path):
    asked = Predict({"y": counter})
    asked.reveal()
    assert isinstance(asked._record, PredictResult)
    assert isinstance(opened(asked.save(tmp_path / "answer.json"))[0], StepThrough)


def test_questions_to_a_saved_record_are_refused(counter, wire):
    widget = widget_of(StepThrough(counter)._record)
    with pytest.raises(ValueError, match="no longer has its runs"):
        widget.answer_to("why", {"node": 0})
    with pytest.raises(ValueError, match="nothing is left out"):
        widget_of(GraphView(counter.graph)._record).answer_to("portion", {"path": "", "opened": []})


def test_export_html_takes_records(counter, tmp_path):
    record = StepThrough(counter)._record
    assert tf.export_html(record, tmp_path / "a.html").read_bytes() == tf.export_html(
        StepThrough(counter), tmp_path / "b.html"
    ).read_bytes()


def test_a_record_that_belongs_to_a_task_is_refused(counter, tmp_path):
    game = BeTheExecutor(counter).save(tmp_path / "game.json")
    with pytest.raises(FileKindError, match=r"no widget shows a record of the kind 'game' alone; there is one for build-film, "):
        opened(game)
    with pytest.raises(TypeError, match="no widget shows a int alone"):
        widget_of(3)
    shown = {kind.KIND for kind in WIDGETS} | {"predict-result"}
    assert shown <= {*RECORDS, "predict-result"}


# -- the schema -------------------------------------------------------------------------------------------------------

TASKS = {
    BeTheExecutor: lambda y: BeTheExecutor(y),
    Predict: lambda y: Predict({"y": y}),
    Parsons: lambda y: Parsons(["x = tf.Variable(0.0)", "up = tf.assign_add(..., 1)", "return ..."], expected=[1.0, 2.0, 3.0]),
}


@pytest.fixture(scope="module")
def validator():
    jsonschema.Draft202012Validator.check_schema(schema())
    return jsonschema.Draft202012Validator(schema())


@pytest.mark.parametrize("kind", [*MADE, *TASKS], ids=lambda kind: kind.__name__)
def test_a_saved_record_fits_the_schema(counter, tmp_path, validator, kind):
    data = json.loads((MADE | TASKS)[kind](counter).save(tmp_path / "a.json").read_text("utf-8"))
    validator.validate(data)
    assert to_json(from_json(data)) == data


@pytest.mark.parametrize("change", ["without", "with another", "of another version", "of another type"])
def test_what_the_reader_refuses_the_schema_refuses(counter, validator, change):
    data = copy.deepcopy(to_json(StepThrough(counter)._record))
    if change == "without":
        del data["runs"][0]["steps"][0]["node"]
    elif change == "with another":
        data["runs"][0]["more"] = 1
    elif change == "of another version":
        data["version"] = 2
    else:
        data["runs"][0]["index"] = "0"
    with pytest.raises(RecordError):
        from_json(data)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(data)


def test_half_a_pair_of_utf_16_has_a_file(tmp_path):
    widget = Value("\ud800 변수", title="\udfff")
    record = widget._record
    object.__setattr__(record, "name", "half \ud800, 변수")
    text = widget.save(tmp_path / "a.json").read_text("utf-8")
    assert '"half \\ud800, 변수"' in text
    assert json.loads(text)["name"] == "half \ud800, 변수"
    assert opened(tmp_path / "a.json")[0].save(tmp_path / "a.html").exists()


# -- graphs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["graph.pb", "graph.pbtxt", "GRAPH.PB"])
def test_a_graphs_file_is_a_graph_view(counter, tmp_path, name):
    tf.train.write_graph(counter.graph, str(tmp_path), name, as_text=name.endswith("txt"))
    (view,) = opened(tmp_path / name, "ko")
    assert isinstance(view, GraphView)
    assert {node.name for node in view._record.nodes} == {op.name for op in counter.graph.get_operations()}
    assert view.title == name
    assert {node.site for node in view._record.nodes} == {None}
    assert view.lang == "ko"


def test_a_checkpoints_graph_has_the_nodes_of_the_file_alone(counter, tmp_path):
    before = len(counter.graph.get_operations())
    tf.train.export_meta_graph(str(tmp_path / "m.ckpt-1.meta"))
    (view,) = opened(tmp_path / "m.ckpt-1.meta")
    assert len(view._record.nodes) == before


def test_a_saved_model_has_a_picture_for_each_of_its_graphs(counter, tmp_path):
    init = tf.global_variables_initializer()
    with tf.Session() as session:
        session.run(init)
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"x": counter}, {"y": counter})
    for path in (tmp_path / "model", tmp_path / "model" / "saved_model.pb"):
        (view,) = opened(path)
        assert view.title == "model: serve"
        assert "y" in {node.name for node in view._record.nodes}


def test_names_and_titles_are_data(tmp_path):
    record = to_json(GraphView(tf.Graph())._record)
    file = tmp_path / "<b>&.json"
    file.write_text(json.dumps(record | {"nodes": [], "edges": []}))
    assert from_json(record)
    text = page_text(opened(file), HOSTILE)
    assert HOSTILE not in text
    assert "<b>&" not in text


# -- what is none of these ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.txt", b"hello", r"is not known by its ending\n  it can be: a graph"),
        ("a", b"", "is not known by its ending"),
        ("a.pb", b"", "has no graph with nodes"),
        ("a.pb", b"\xff\xff\xff", "is no GraphDef: Can't parse .* byte 0 is no UTF-8"),
        ("a.pbtxt", b"node {", "is no GraphDef: "),
        ("a.pb", b"\x0a\x0b\x0a\x01x\x12\x06NoSuch", "the graph cannot be imported: .*NoSuch"),
        ("a.meta", b"\xff\xff", "is no MetaGraphDef"),
        ("a.json", b"{", "is no JSON"),
        ("a.json", b"\xff", "is no JSON"),
        ("a.json", b"[" * 100_000, "is no JSON"),
        ("a.json", b"[]", "not a valid record"),
        ("a.json", b'{"kind": "graph", "version": 999}', "version: expected 1, got 999"),
        ("a.json", b'{"kind": "<script>", "version": 1}', "not a valid record: kind"),
        ("saved_model.pb", b"\xff\xff", "Cannot parse file"),
        ("saved_model.pb", b"", "has a saved model without graphs"),
    ],
)
def test_a_file_that_is_none_of_these_says_what_is_wrong(tmp_path, name, data, words):
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(FileKindError, match=words):
        opened(file)


def test_a_folder_without_a_model_and_a_missing_file(tmp_path):
    with pytest.raises(FileKindError, match="is a folder without a saved model"):
        opened(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"there is no file .*none\.pb"):
        opened(tmp_path / "none.pb")


def test_a_graph_that_claims_too_much_is_refused(tmp_path):
    with tf.Graph().as_default() as graph:
        tf.constant(0.0, shape=[1000, 1000])
        tf.train.write_graph(graph, str(tmp_path), "big.pb", as_text=False)
    with tf.io.Budget(bytes=1000), pytest.raises(tf.errors.ResourceExhaustedError):
        opened(tmp_path / "big.pb")
