"""A program in pieces: what comes apart goes together again, and it is marked by what its graph does."""
# ruff: noqa: F841 - a line of a program may be there to be needless

import contextlib
import itertools

import numpy as np
import pytest

import tfedu as tf
from tests.explain.programs import counted
from tfedu.exercises import build_graph
from tfedu.explain.mental_models.misconceptions import MODELS
from tfedu.explain.tasks.arrangement import Arrangement, code, lines
from tfedu.explain.tasks.distractors import variations
from tfedu.explain.tasks.pieces import WAITS, pieces_of, pieces_of_lines
from tfedu.explain.tasks.puzzle import Puzzle
from tfedu.explain.tasks.requirements import Requirements
from tfedu.view.records import CodeLineRecord, from_json, to_json


def unordered():
    x = tf.Variable(0.0)
    up = tf.assign_add(x, 1)
    y = tf.identity(x)
    return y


def many():
    """Nested blocks, two names from one line, functions, and a return in a block."""
    want = tf.placeholder(tf.bool, [])
    x = tf.Variable([0.0, 2.0], use_resource=True)
    up = tf.assign_add(x, [1.0, 1.0])
    with tf.control_dependencies([up]):
        seen = x + 0.0
        with tf.control_dependencies([seen]):
            low, high = tf.split(seen, 2)
    body = lambda i: i + tf.squeeze(low)
    i = tf.while_loop(lambda i: i < 3, body, [tf.squeeze(high)])
    chosen = tf.cond(want, lambda: i, lambda: tf.squeeze(low))
    with tf.control_dependencies([i]):
        return tf.identity(chosen)


def race():
    a = tf.Variable(1.0)
    c = a + 2
    change = tf.assign(a, 5)
    return [change, c]


def ordered_race():
    a = tf.Variable(1.0)
    c = a + 2
    with tf.control_dependencies([c]):
        change = tf.assign(a, 5)
    return [change, c]


def two_updates():
    x = tf.Variable(0.0)
    add = tf.assign_add(x, 1)
    with tf.control_dependencies([add]):
        double = tf.assign(x, x * 2)
    return double


def choose():
    """A cond that counts only where it is wanted."""
    x = tf.Variable(0.0)
    want = tf.placeholder(tf.bool, [])
    y = tf.cond(want, lambda: tf.assign_add(x, 1), lambda: tf.identity(x))
    return y


def kinds(graph):
    return [(op.type, [t.op.type for t in op.inputs], [w.type for w in op.control_inputs]) for op in graph.get_operations()]


def piece(puzzle, wanted):
    """The number of a piece that gives this name, by whatever it is called here."""
    return next(p.id for p in puzzle.pieces if not p.is_wrong and wanted in (p.name, p.name.rpartition("_")[0]))


def solve(puzzle):
    """Draws the edges of the teacher's own program."""
    for source, output, target, hole in puzzle.program.edges:
        puzzle.attach(source, output, target, None if hole == WAITS else hole)


# -- apart and together ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [counted, unordered, many, race, ordered_race, two_updates, choose])
def test_what_is_taken_apart_builds_the_same_graph_when_put_together(function):
    program = pieces_of(function)
    everything = Arrangement(frozenset(range(len(program.pieces))), frozenset(program.edges))
    scope = {**program.names}
    text = code(lines(program.name, program.pieces, everything))
    exec(text, scope)
    with tf.Graph().as_default() as one:
        function()
    with tf.Graph().as_default() as other:
        scope[function.__name__]()
    assert sorted(map(str, kinds(one))) == sorted(map(str, kinds(other)))


def test_a_function_that_cannot_be_taken_apart_is_refused_with_the_line_and_the_fix():
    def twice():
        x = tf.constant(1.0)
        x = x + 1
        return x

    def unnamed():
        x = tf.Variable(0.0)
        with tf.control_dependencies([tf.assign_add(x, 1)]):
            return tf.identity(x)

    def endless():
        tf.constant(1.0)

    with pytest.raises(ValueError, match=r"line 3: x is given twice(.|\n)*fix: another name"):
        pieces_of(twice)
    with pytest.raises(ValueError, match=r"line 3: control_dependencies(.|\n)*fix: up ="):
        pieces_of(unnamed)
    with pytest.raises(ValueError, match="must end with its one `return`"):
        pieces_of(endless)
    with pytest.raises(TypeError, match="without parameters"):
        pieces_of(lambda x: x)


def test_open_holes_are_three_dots_and_the_code_is_python_at_every_moment():
    puzzle = Puzzle.parsons(many, Requirements(runs=1, feeds=({"want": True},)), most_wrong=0)
    assert "return tf.identity(...)" in puzzle.code
    for source, output, target, hole in puzzle.program.edges:
        compile(puzzle.code, "<here>", "exec")
        puzzle.attach(source, output, target, None if hole == WAITS else hole)
    assert puzzle.check().passed


# -- edges -------------------------------------------------------------------------------------------------------------


def test_an_edge_that_closes_a_circle_is_refused_in_words():
    puzzle = Puzzle.repair(unordered, Requirements(), counted)
    puzzle.attach(1, 0, 2, None)
    before = puzzle.now
    puzzle.attach(2, 0, 1, None)
    assert puzzle.now == before
    assert puzzle.last_message.code == "circle"
    assert puzzle.last_message.params["path"] == "up → y → up"


def test_each_change_can_be_undone():
    puzzle = Puzzle.repair(unordered, Requirements(), counted)
    seen = [puzzle.now]
    for change in (
        lambda: puzzle.attach(1, 0, 2, None), lambda: puzzle.attach(1, 0, 2, 0), lambda: puzzle.detach(1, 0, 2, None),
        lambda: puzzle.take_out(1), lambda: puzzle.put(1), puzzle.restart,
    ):  # fmt: skip
        change()
        seen.append(puzzle.now)
    for before in reversed(seen[:-1]):
        puzzle.undo()
        assert puzzle.now == before
    puzzle.undo()
    assert puzzle.now == puzzle.begin


def test_what_is_not_there_is_refused():
    puzzle = Puzzle.repair(unordered, Requirements(), counted)
    for wrong in (
        lambda: puzzle.attach(9, 0, 1, 0), lambda: puzzle.attach(0, 1, 1, 0), lambda: puzzle.attach(0, 0, 1, 7),
        lambda: puzzle.attach(3, 0, 1, 0), lambda: puzzle.detach(0, 0, 2, None), lambda: puzzle.put(-1),
        lambda: puzzle.take_out(3), lambda: puzzle.attach("x", 0, 1, 0),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"no (piece|name|hole|such)|needs its return"):
            wrong()


def test_what_waits_for_the_same_stands_in_one_block_of_the_picture_and_of_the_code():
    puzzle = Puzzle.repair(unordered, Requirements(), counted)
    assert puzzle.record().canvas.scopes == ()
    puzzle.attach(1, 0, 2, None)
    canvas = puzzle.record().canvas
    assert [block.path for block in canvas.scopes] == ["control_dependencies([up])"]
    assert [node.id for node in canvas.nodes if node.scope] == [2]
    assert "    with tf.control_dependencies([up]):\n        y = tf.identity(x)\n" in puzzle.code


# -- marked by what it does --------------------------------------------------------------------------------------------


def test_unsolved_is_not_attempted_half_done_is_not_yet_and_solved_passes():
    puzzle = Puzzle.parsons(counted, Requirements(must_run=("up",)))
    assert puzzle.check().grade == "not_attempted"
    x, up = piece(puzzle, "x"), piece(puzzle, "up")
    puzzle.attach(x, 0, up, 0)
    half = puzzle.check()
    assert half.grade == "fail"
    assert "return" in half.text()
    solve(puzzle)
    assert build_graph(puzzle).passed


def test_another_program_that_does_the_same_is_as_right():
    """The update's own output is the variable: no block is needed."""
    puzzle = Puzzle.parsons(counted, Requirements(must_run=("up",)))
    x, up = piece(puzzle, "x"), piece(puzzle, "up")
    puzzle.attach(x, 0, up, 0)
    puzzle.attach(up, 0, len(pieces_of(counted).pieces) - 1, 0)
    assert puzzle.check().passed


def test_the_wrong_piece_is_diagnosed_by_the_way_of_thinking_in_which_it_is_right():
    puzzle = Puzzle.parsons(counted, Requirements(must_run=("up",)))
    solve(puzzle)
    wrong = next(p for p in puzzle.pieces if p.is_wrong and p.model == "M2")
    puzzle.attach(piece(puzzle, "x"), 0, wrong.id, 0)
    puzzle.attach(piece(puzzle, "up"), 0, wrong.id, None)
    puzzle.attach(wrong.id, 0, 3, 0)
    found = puzzle.check()
    assert found.grade == "fail"
    assert "M2" in puzzle.mark.models
    assert "up has to run" in found.text()


def test_what_is_right_by_luck_does_not_pass():
    def lucky():
        x = tf.Variable(0.0)
        add = tf.assign_add(x, 1)
        double = tf.assign(x, x * 2)
        both = tf.group(add, double)
        return [both, double]

    def certain():
        x = tf.Variable(0.0)
        add = tf.assign_add(x, 1)
        with tf.control_dependencies([add]):
            double = tf.assign(x, x * 2)
        both = tf.group(add, double)
        return [both, double]

    puzzle = Puzzle.repair(lucky, Requirements(watch=("x",)), certain)
    puzzle.attach(0, 0, 3, None)
    found = puzzle.check()
    assert found.grade == "fail"
    assert any(c.code in ("luck", "luck_after") and not c.met for c in found.criteria)
    puzzle.restart()
    puzzle.attach(1, 0, 2, None)
    assert puzzle.check().passed


def test_where_several_results_are_asked_for_just_these_have_to_be_possible():
    open_order = Puzzle.repair(ordered_race, Requirements(runs=1), race)
    open_order.attach(0, 0, 2, None)
    fewer = open_order.check()
    assert [c.code for c in fewer.criteria if not c.met] == ["possible"]
    assert "7" not in fewer.text()
    open_order.detach(1, 0, 2, None)
    open_order.detach(0, 0, 2, None)
    assert open_order.check().passed


def test_a_node_that_must_not_run_is_named_as_its_line_is():
    def loud():
        x = tf.Variable(0.0)
        alarms = tf.Variable(0.0)
        alarm = tf.assign_add(alarms, 1)
        up = tf.assign_add(x, 1)
        with tf.control_dependencies([up, alarm]):
            y = tf.identity(x)
        return y

    def quiet():
        x = tf.Variable(0.0)
        alarms = tf.Variable(0.0)
        alarm = tf.assign_add(alarms, 1)
        up = tf.assign_add(x, 1)
        with tf.control_dependencies([up]):
            y = tf.identity(x)
        return y

    puzzle = Puzzle.repair(loud, Requirements(must_not_run=("alarm",), must_run=("up",)), quiet)
    puzzle.attach(0, 0, 2, None)
    assert "alarm runs, and it should not. The path from the fetch to it: y → alarm." in puzzle.check().text()
    puzzle.detach(2, 0, 4, None)
    assert puzzle.check().passed
    puzzle.take_out(2)
    assert puzzle.check().passed
    puzzle.take_out(3)
    puzzle.attach(0, 0, 4, 0)
    assert "The program needs a line that makes up." in puzzle.check().text()


def test_feeds_are_named_by_lines_and_may_differ_from_run_to_run():
    asked = Requirements(3, ({"want": False}, {"want": True}, {"want": True}), watch=("x",))
    puzzle = Puzzle.parsons(choose, asked, most_wrong=0)
    solve(puzzle)
    assert puzzle.check().passed


def test_a_program_that_cannot_be_built_is_an_error_in_its_own_words():
    def mended():
        a = tf.constant([1.0, 2.0])
        b = tf.constant([1.0, 2.0, 3.0])
        c = a + a
        return c

    def mixed():
        a = tf.constant([1.0, 2.0])
        b = tf.constant([1.0, 2.0, 3.0])
        c = b + b
        return c

    puzzle = Puzzle.repair(mixed, Requirements(runs=1), mended)
    puzzle.attach(0, 0, 2, 0)
    found = puzzle.check()
    assert found.grade == "error"
    assert "Dimensions must be equal" in found.error
    assert "Dimensions must be equal" in puzzle.record().error


def test_the_teachers_program_must_be_an_answer():
    def failing():
        x = tf.constant(1)
        return tf.floordiv(x, 0)

    with pytest.raises(ValueError, match="cannot be the answer"):
        Puzzle.parsons(failing, Requirements())
    with pytest.raises(ValueError, match="no line gives the name 'nothing'"):
        Puzzle.parsons(counted, Requirements(must_run=("nothing",)))


def test_attempts_leave_every_other_graph_alone():
    tf.reset_default_graph()
    puzzle = Puzzle.parsons(counted, Requirements())
    solve(puzzle)
    puzzle.check()
    puzzle.record()
    assert not tf.get_default_graph().get_operations()


def test_lines_and_values_will_do_where_the_answer_is_not_to_stand_in_the_cell():
    lines = ["x = tf.Variable(0.0)", "up = tf.assign_add(..., 1)", "y = ...", "y = tf.identity(...)", "return ..."]
    asked = Requirements(3, must_run=("up",), expected=[1, 2, 3], watch=("x",), values_after=[[1, 2, 3]])
    puzzle = Puzzle.parsons(lines, asked, names={"tf": tf})
    assert sorted(puzzle.now.placed) == [0, 4]
    identity = next(p.id for p in puzzle.pieces if "identity" in p.parts[0])
    for edge in [(0, 0, 1, 0), (0, 0, identity, 0), (identity, 0, 4, 0)]:
        puzzle.attach(*edge)
    assert puzzle.check().grade == "fail"
    puzzle.attach(1, 0, identity, None)
    assert puzzle.check().passed
    with pytest.raises(ValueError, match="has to be a `return`"):
        Puzzle.parsons(lines[:-1], Requirements(3, expected=[1, 2, 3]))
    with pytest.raises(ValueError, match="what is asked"):
        Puzzle.parsons(lines, Requirements(3))
    with pytest.raises(ValueError, match="for each of the 3 runs"):
        Puzzle.parsons(lines, Requirements(3, expected=[1]))


# -- wrong pieces ------------------------------------------------------------------------------------------------------


def test_lines_are_varied_as_people_vary_them():
    assert list(variations("y = tf.identity(x)")) == ["y = x", "y = x + 0"]
    assert list(variations("y = x.read_value()")) == ["y = x"]
    assert list(variations("up = tf.assign_add(x, 1)")) == ["up = x + 1"]
    assert list(variations("y = x + 0")) == ["y = tf.identity(x)"]
    assert "y = tf.where(p, tf.assign_add(x, 1), x)" in list(variations("y = tf.cond(p, lambda: tf.assign_add(x, 1), lambda: x)"))
    assert list(variations("x = tf.Variable(0.0)")) == []


@pytest.mark.parametrize("function", [counted, two_updates, ordered_race])
def test_every_wrong_piece_is_wrong_in_the_engine_and_right_in_its_model(function):
    puzzle = Puzzle.parsons(function, Requirements())
    for wrong in [p for p in puzzle.pieces if p.is_wrong]:
        assert wrong.model in MODELS
        name = wrong.name.rpartition("_")[0]
        right = next(p for p in puzzle.pieces if p.name.rpartition("_")[0] == name and not p.is_wrong)
        puzzle.restart()
        solve(puzzle)
        into = [e for e in puzzle.now.edges if e[2] == right.id]
        for hole, edge in zip(itertools.cycle(range(max(wrong.holes, 1))), sorted(e for e in into if e[3] != WAITS)):
            puzzle.attach(edge[0], edge[1], wrong.id, hole)
        for edge in into:
            if edge[3] == WAITS:
                puzzle.attach(edge[0], 0, wrong.id, None)
        for edge in [e for e in puzzle.now.edges if e[0] == right.id]:
            puzzle.attach(wrong.id, 0, edge[2], None if edge[3] == WAITS else edge[3])
        assert puzzle.check().grade in ("fail", "error"), wrong


def test_pieces_of_one_name_are_called_apart_and_the_right_one_is_not_always_first():
    puzzle = Puzzle.parsons(counted, Requirements(), wrong=["y = tf.zeros_like(x)"], most_wrong=1)
    names = sorted(p.name for p in puzzle.pieces if p.name.startswith("y"))
    assert names == ["y_1", "y_2", "y_3"]
    text = str(to_json(puzzle.puzzle_record()))
    assert "is_wrong" not in text
    assert "M2" not in text
    with pytest.raises(ValueError, match="gives up again"):
        Puzzle.parsons(counted, Requirements(), wrong=["up, other = 1, 2"])


def test_records_are_valid_at_every_moment():
    puzzle = Puzzle.parsons(many, Requirements(runs=1, feeds=({"want": True},)), most_wrong=1)
    from_json(to_json(puzzle.puzzle_record("What is asked.")))
    for source, output, target, hole in puzzle.program.edges:
        puzzle.attach(source, output, target, None if hole == WAITS else hole)
        record = puzzle.record()
        assert from_json(to_json(record)) == record
    puzzle.check()
    assert from_json(to_json(puzzle.record())).mark.grade == "pass"
    assert np.isfinite(puzzle.record().mark.met)


@pytest.mark.parametrize("kind", ["file", "path", "record", "text", "subclass"])
def test_only_lines_that_the_caller_gives_can_run(kind, tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("return tf.constant(1.0)\n", "utf-8")
    text = type("Text", (str,), {})("return tf.constant(1.0)")
    source = {
        "file": lambda: path.open(encoding="utf-8"),
        "path": lambda: [path],
        "record": lambda: [CodeLineRecord("return tf.constant(1.0)", 0, None)],
        "text": lambda: "return tf.constant(1.0)",
        "subclass": lambda: [text],
    }[kind]()
    with contextlib.ExitStack() as stack:
        if kind == "file":
            stack.enter_context(source)
        with pytest.raises(TypeError, match="plain strings in a list"):
            Puzzle.parsons(source, Requirements(expected=[1.0]), names={"tf": tf})
        with pytest.raises(TypeError, match="plain strings in a list"):
            pieces_of_lines(source, {"tf": tf})
