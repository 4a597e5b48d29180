"""The first lesson's exercises: each is open as it is given, fails on the usual wrong answers, and passes when it is solved."""

import pathlib

import nbformat
import pytest

LESSON = pathlib.Path(__file__).resolve().parents[2] / "notebooks" / "01_identity_and_control_dependencies.ipynb"

# (cell, what stands there, what a learner writes, the outcome)
ANSWERS = [
    ("exercise-1", "y = ...", "y = ...", "not_attempted"),
    ("exercise-1", "y = ...", "y = x", "fail"),
    ("exercise-1", "y = ...", "y = down", "pass"),  # the update's own output is the new value
    ("exercise-1", "y = ...", "y = tf.identity(x)", "pass"),
    ("exercise-1", "y = ...", "y = x + 0.0", "pass"),
    ("exercise-1", "y = ...", "y = 'x'", "error"),
    ("exercise-2", "chosen = ...", "chosen = ...", "not_attempted"),
    ("exercise-2", "chosen = ...", "chosen = steps", "fail"),
    ("exercise-2", "chosen = ...", "chosen = times_ten", "fail"),
    ("exercise-2", "chosen = ...", "chosen = loud_report", "fail"),
    ("exercise-2", "chosen = ...", "chosen = report", "pass"),
    ("exercise-3", "", "", "fail"),
    (
        "exercise-3",
        "double = tf.assign(x, x * 2)",
        "with tf.control_dependencies([add]):\n    double = tf.assign(x, x * 2)",
        "pass",
    ),
    (  # the product is made outside the block, so it may be computed before the addition
        "exercise-3",
        "double = tf.assign(x, x * 2)",
        "product = x * 2\nwith tf.control_dependencies([add]):\n    double = tf.assign(x, product)",
        "fail",
    ),
]


def cells() -> dict[str, str]:
    notebook = nbformat.read(LESSON, as_version=4)
    return {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}


def outcome(cell: str, given: str = "", written: str = "") -> object:
    """What the last expression of an exercise's cell is, after the cells that set it up."""
    sources = cells()
    names: dict[str, object] = {}
    for setup in ("setup", "exercises-setup"):
        exec(sources[setup], names)
    *body, last = (sources[cell].replace(given, written) if given else sources[cell]).rstrip().splitlines()
    exec("\n".join(body), names)
    return eval(last, names)


@pytest.mark.parametrize(("cell", "given", "written", "grade"), ANSWERS)
def test_exercise_tells_right_from_wrong(cell, given, written, grade):
    assert given in cells()[cell]
    assert outcome(cell, given, written).grade == grade


def test_the_lesson_has_three_exercises_and_none_is_solved_as_given():
    found = [id for id in cells() if id.startswith("exercise-")]
    assert found == ["exercise-1", "exercise-2", "exercise-3"]
    for cell in found:
        assert outcome(cell).grade in ("not_attempted", "fail")


def test_what_gives_an_answer_away_waits_for_a_prediction():
    """No cell before the exercises runs or draws a program that a prediction asks about, unless it is gated."""
    sources = list(cells().items())
    questions = [i for i, (_, source) in enumerate(sources) if "Predict(" in source]
    assert len(questions) == 3
    for i, (id, source) in enumerate(sources):
        if questions[0] < i and any(shows in source for shows in ("StepThrough(", "Compare(", "GraphView(")):
            assert "after=" in source, id
