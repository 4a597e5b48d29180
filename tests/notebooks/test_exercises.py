"""The lessons' exercises: each begins unsolved, fails on the usual wrong answers, and passes when it is solved."""

import linecache
import pathlib

import nbformat
import pytest

COURSE = pathlib.Path(__file__).resolve().parents[2] / "notebooks"
FIRST = "01_identity_and_control_dependencies"
SECOND = "02_two_kinds_of_variables"
GRADIENTS = "03_gradients"
TRAINING = "04_training"
BRANCHES = "05_two_branches_one_graph"
LOOPS = "06_loops"
ORDERS = "07_what_could_have_happened"
DEVICES = "08_devices"
CONVOLUTION = "09_convolution"
RECURRENT = "10_recurrent"
LAYERS = "11_layers_and_scopes"
FEEDING = "12_feeding"
ATTENTION = "13_attention"
BECAME = "15_what_became_of_it"

# For each lesson: (cell, its text, the learner's text, the outcome).
ANSWERS: dict[str, list[tuple[str, str, str, str]]] = {}
ANSWERS[FIRST] = [
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
DRAWN = """repair.attach("double", "add")
repair.attach("total", "y_2", 0)
repair.attach("add", "y_2")
repair.attach("y_2", "return", 0)
repair.detach("double", "y_1")
"""
ANSWERS[FIRST] += [  # what a learner draws is said by name
    ("exercise-4", "", "", "not_attempted"),
    ("exercise-4", "build_graph", 'repair.attach("add", "y_1")\nbuild_graph', "fail"),  # no node is made in the block
    ("exercise-4", "build_graph", DRAWN.replace('repair.attach("double", "add")\n', "") + "build_graph", "fail"),  # luck
    ("exercise-4", "build_graph", f"{DRAWN}build_graph", "pass"),
]
BOTH = "before = tf.identity(x)  # change this line …\nafter = tf.assign_add(x, 1)  # … and this one, or put it somewhere else"
WAITING = "with tf.control_dependencies([before]):\n    after = tf.assign_add(x, 1)"
ANSWERS[SECOND] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", "after = tf.assign_add(x, 1)", WAITING, "pass"),
    ("exercise-1", "before = x.read_value()", "before = tf.identity(x)", "fail"),
    ("exercise-2", "", "", "fail"),
    ("exercise-2", BOTH, f"before = tf.identity(x)\n{WAITING}", "fail"),  # the window is handed on
    ("exercise-2", BOTH, "before = x + 0\nafter = tf.assign_add(x, 1)", "fail"),
    ("exercise-2", BOTH, f"before = x + 0\n{WAITING}", "pass"),
]
BY_HAND = "for node in {nodes}:\n    player.take(node)\nplay_executor"
PHOTOGRAPH = ["x", "times_ten/ReadVariableOp", "times_ten/y", "times_ten"]
REST = ["Const", "AssignAddVariableOp", "ReadVariableOp"]
BUILT = """parsons.attach("x", "{before}", 0)
parsons.attach("x", "up", 0)
parsons.attach("{before}", "up")
parsons.attach("{before}", "y", 0)
parsons.attach("up", "y")
parsons.attach("y", "return", 0)
build_graph"""
ANSWERS[SECOND] += [
    ("exercise-3", "", "", "not_attempted"),
    ("exercise-3", "play_executor", "player.take('times_ten')\nplay_executor", "fail"),
    ("exercise-3", "play_executor", BY_HAND.format(nodes=[PHOTOGRAPH[0], *REST, *PHOTOGRAPH[1:]]), "fail"),  # the default
    ("exercise-3", "play_executor", BY_HAND.format(nodes=[*PHOTOGRAPH, *REST]), "pass"),
    ("exercise-3", "play_executor", "player.take('x')\nplayer.game.go_on()\nplay_executor", "fail"),  # the engine did it
    ("exercise-4", "", "", "not_attempted"),
    ("exercise-4", "build_graph", BUILT.format(before="before_2"), "fail"),  # a window
    ("exercise-4", "build_graph", BUILT.format(before="before_1"), "pass"),  # a number of its own
]
COUNTED = "up = tf.assign_add(x, 1)\ny = tf.cond(take, lambda: tf.identity(up), lambda: tf.identity(x))"
CHOSEN = "tf.where(take, tf.assign_add(x, 5), tf.assign(x, 0))"
ANSWERS[BRANCHES] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", COUNTED, "y = tf.where(take, tf.assign_add(x, 1), x)", "fail"),
    ("exercise-1", COUNTED, "y = tf.cond(take, lambda: tf.assign_add(x, 1), lambda: tf.identity(x))", "pass"),
    ("exercise-2", "", "", "fail"),
    ("exercise-2", CHOSEN, "tf.cond(take, lambda: tf.assign_add(x, 5), lambda: tf.constant(0.0))", "fail"),
    ("exercise-2", CHOSEN, "tf.cond(take, lambda: tf.assign_add(x, 5), lambda: tf.assign(x, 0))", "pass"),
]
RULE = "return None  # your line"
ANSWERS[GRADIENTS] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", "y = x * x * x", "y = x * tf.stop_gradient(x * x)", "pass"),
    ("exercise-1", "y = x * x * x", "y = x * tf.stop_gradient(x) * tf.stop_gradient(x)", "pass"),
    ("exercise-1", "y = x * x * x", "y = x * x * tf.stop_gradient(x)", "fail"),
    ("exercise-1", "y = x * x * x", "y = tf.stop_gradient(x * x * x)", "fail"),
    ("exercise-2", "", "", "not_attempted"),
    ("exercise-2", RULE, "return g", "pass"),
    ("exercise-2", RULE, "return g * 1.0", "pass"),
    ("exercise-2", RULE, "return tf.ones_like(g)", "fail"),
    ("exercise-2", RULE, "return g * x", "fail"),
    ("exercise-3", "", "", "fail"),
    ("exercise-3", "target = tf.reduce_mean(p)", "target = tf.stop_gradient(tf.reduce_mean(p))", "pass"),
    ("exercise-3", "target = tf.reduce_mean(p)", "target = tf.constant(3.0)", "pass"),
    ("exercise-3", "tf.square(p - target)", "tf.square(tf.stop_gradient(p) - target)", "fail"),
]
APPLY = "train = optimizer.apply_gradients(pairs)  # change this line, or put something before it"
CLIP = "train = optimizer.apply_gradients([(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in pairs])"
SCALED = "train = optimizer.apply_gradients([(g / 4.0, v) for g, v in pairs])"
BOTH_WEIGHTS = "tf.square(a * b - 4.0))"
ANSWERS[TRAINING] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", APPLY, CLIP, "pass"),
    ("exercise-1", APPLY, SCALED, "fail"),  # right for the first step alone
    ("exercise-1", APPLY, "train = ...", "not_attempted"),
    ("exercise-2", "", "", "fail"),
    ("exercise-2", ", gate_gradients=optimizer.GATE_NONE", "", "pass"),
    ("exercise-2", "GATE_NONE", "GATE_GRAPH", "pass"),
    ("exercise-2", "minimize(a * b", "minimize(tf.stop_gradient(a) * b", "fail"),
    ("exercise-3", "", "", "fail"),
    ("exercise-3", BOTH_WEIGHTS, "tf.square(a * b - 4.0), var_list=[b])", "pass"),
    ("exercise-3", BOTH_WEIGHTS, "tf.square(tf.stop_gradient(a) * b - 4.0))", "pass"),
    ("exercise-3", BOTH_WEIGHTS, "tf.square(a * b - 4.0), var_list=[a])", "fail"),
]
COUNTING = "up = tf.assign_add(x, 1)\n\n\ndef body(i):\n    return i + 1 + 0 * up  # change this line and the one above"
HELD = "def body(i):\n    with tf.control_dependencies([tf.assign_add(x, 1)]):\n        return i + 1"
ANSWERS[LOOPS] = [
    ("exercise-1", "", "", "not_attempted"),
    ("exercise-1", "return i, total + i", "return i + 2, total + i", "fail"),
    ("exercise-1", "return i, total + i", "return i + 1, total + i", "pass"),
    ("exercise-2", "", "", "fail"),
    ("exercise-2", COUNTING, "def body(i):\n    tf.assign_add(x, 1)\n    return i + 1", "fail"),  # nothing waits for it
    ("exercise-2", COUNTING, HELD, "pass"),
    ("exercise-3", "", "", "error"),
    ("exercise-3", "array.write(0, i * i)", "array.write(i, i)", "fail"),
    ("exercise-3", "array.write(0, i * i)", "array.write(i, i * i)", "pass"),
]
BILL = "bill = price * 3.0"
ANSWERS[ORDERS] = [
    ("exercise-1", "", "", "fail"),  # right by luck
    ("exercise-1", BILL, f"with tf.control_dependencies([sale]):\n    {BILL}", "pass"),
    ("exercise-1", BILL, "bill = sale * 3.0", "pass"),
    ("exercise-1", BILL, f"{BILL}\nwith tf.control_dependencies([bill]):\n    sale = tf.assign(price, 8.0)", "fail"),
    ("exercise-1", BILL, "product = price * 3.0\nwith tf.control_dependencies([sale]):\n    bill = tf.identity(product)", "fail"),
]
IDENTITIES = "first, second, third = tf.identity(w), tf.identity(w), tf.identity(w)"
ANSWERS[DEVICES] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", IDENTITIES, f'with tf.device("/gpu:0"):\n        {IDENTITIES}', "pass"),
    ("exercise-1", IDENTITIES, "first = second = third = tf.identity(w)", "pass"),
    ("exercise-1", IDENTITIES, "first = second = third = w + 0.0", "pass"),
    ("exercise-1", IDENTITIES, "first, second, third = w, tf.identity(w), tf.identity(w)", "fail"),
    ("exercise-2", "", "", "fail"),
    ("exercise-2", "late = x", "late = tf.identity(x)", "fail"),  # it does not wait
    ("exercise-2", "late = x", "late = bump", "pass"),  # what travels is the variable after the addition
    ("exercise-2", "late = x", "with tf.control_dependencies([bump]):\n        late = tf.identity(x)", "pass"),
]
ANSWERS[CONVOLUTION] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", '[1, 1, 1, 1], padding="VALID"', '[1, 2, 2, 1], padding="VALID"', "fail"),
    ("exercise-1", '[1, 1, 1, 1], padding="VALID"', '[1, 2, 2, 1], padding="SAME"', "pass"),
    ("exercise-2", "", "", "fail"),
    ("exercise-2", "tf.constant([1.0, 1.0])", "tf.constant([1.0, -1.0])", "fail"),  # the kernel is not turned around
    ("exercise-2", "tf.constant([1.0, 1.0])", "tf.constant([-1.0, 1.0])", "pass"),
    ("exercise-3", "2, 1, 1], 1.0)", "2, 1, 1], 0.25)", "fail"),
    (
        "exercise-3",
        "1.0)  # change this line …\ny = tf.reshape(tf.nn.conv2d(image, kernel, [1, 1, 1, 1]",
        "0.25)\ny = tf.reshape(tf.nn.conv2d(image, kernel, [1, 2, 2, 1]",
        "pass",
    ),
]
ANSWERS[RECURRENT] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", "outputs[:, -1, 0]", "outputs[:, 0, 0]", "fail"),
    ("exercise-1", "outputs[:, -1, 0]", "state[:, 0]", "pass"),
    ("exercise-2", "following = state ", "following = inputs ", "fail"),
    ("exercise-2", "following = state ", "following = state + 1 ", "fail"),
    ("exercise-2", "following = state ", "following = state + tf.cast(inputs > 0, tf.float32) ", "pass"),
    ("exercise-3", "tf.squeeze(state)", "tf.squeeze(tf.assign(kept, state))", "fail"),  # kept, and never read
    (
        "exercise-3",
        "x, dtype=tf.float32)  # change this line …\ny = tf.squeeze(state)",
        "x, initial_state=kept.read_value())\ny = tf.squeeze(tf.assign(kept, state))",
        "pass",
    ),
]
ALONE = "features1 = tf.layers.dense(image1, 2)\nfeatures2 = tf.layers.dense(image2, 2)"
ANSWERS[LAYERS] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", ALONE, "layer = tf.layers.Dense(2)\nfeatures1, features2 = layer(image1), layer(image2)", "pass"),
    ("exercise-1", ALONE, ALONE.replace(", 2)", ", 2, name='twin', reuse=tf.AUTO_REUSE)"), "pass"),
    ("exercise-2", '"layer", reuse=tf.AUTO_REUSE', 'f"layer_{number}"', "pass"),
    ("exercise-2", '"layer", reuse=tf.AUTO_REUSE', 'None, default_name="layer"', "pass"),
    ("exercise-2", '"layer", reuse=tf.AUTO_REUSE', '"other", reuse=tf.AUTO_REUSE', "fail"),
    ("exercise-3", "", "", "fail"),
    (
        "exercise-3",
        'kept = tf.Variable(0.0, name="kept")',
        'with tf.variable_scope("total", reuse=tf.AUTO_REUSE):\n        kept = tf.get_variable("kept", initializer=0.0)',
        "pass",
    ),
]
TAKEN_TWICE = "square = tf.square(iterator.get_next())\ny = square - iterator.get_next()"
LATER = "later = iterator.get_next()"
ANSWERS[FEEDING] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", TAKEN_TWICE, "x = iterator.get_next()\ny = tf.square(x) - x", "pass"),
    ("exercise-1", TAKEN_TWICE, "x = iterator.get_next()\ny = tf.square(x) - tf.identity(x)", "pass"),
    ("exercise-2", "", "", "fail"),
    ("exercise-2", "batch(2).repeat()", "repeat().batch(2)", "pass"),
    ("exercise-2", "batch(2).repeat()", "batch(2, drop_remainder=True).repeat()", "fail"),
    ("exercise-2", "batch(2).repeat()", "repeat(2).batch(2)", "error"),  # ends after three batches
    ("exercise-3", "", "", "fail"),
    ("exercise-3", LATER, f"with tf.control_dependencies([earlier]):\n    {LATER}", "pass"),
    ("exercise-3", LATER, "later = tf.identity(iterator.get_next())", "fail"),
    ("exercise-3", LATER, "later = earlier + 10", "fail"),  # only one node takes
]
ANSWERS[ATTENTION] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", "[2], maxlen", "[3], maxlen", "pass"),
    ("exercise-1", "[2], maxlen", "[4], maxlen", "fail"),
    ("exercise-2", "", "", "fail"),
    ("exercise-2", "[[100.0, 0.0]]", "[[100.0, 0.0], [0.0, 100.0]]", "pass"),
    ("exercise-2", "[[100.0, 0.0]]", "[[0.0, 100.0], [100.0, 0.0]]", "fail"),
    ("exercise-3", "", "", "fail"),
    ("exercise-3", "y = weights", "y = tf.argmax(weights, axis=1)", "pass"),
    ("exercise-3", "y = weights", "y = tf.argmax(weights, axis=0)", "fail"),
]
ANSWERS[BECAME] = [
    ("exercise-1", "", "", "fail"),
    ("exercise-1", "count + 1.0  #", "tf.assign_add(count, 1.0)  #", "pass"),
    ("exercise-1", "count + 1.0  #", "tf.assign(count, 1.0)  #", "fail"),
    ("exercise-2", "", "", "fail"),
    ("exercise-2", "y = count * 10.0", "y = up * 10.0", "pass"),
    ("exercise-2", "y = count * 10.0", "with tf.control_dependencies([up]):\n    y = count * 10.0", "pass"),
]
QUESTIONS = {
    FIRST: 3, SECOND: 3, GRADIENTS: 4, TRAINING: 3, BRANCHES: 3, LOOPS: 3, ORDERS: 1, DEVICES: 2, CONVOLUTION: 3, RECURRENT: 4, LAYERS: 3,
    FEEDING: 3, ATTENTION: 2, BECAME: 2,
}  # fmt: skip
# Cells with what an exercise uses.
USED = {RECURRENT: ("cell",)}
# Exercises that begin with a program whose run fails.
BEGIN_WITH_AN_ERROR = {(LOOPS, "exercise-3")}
# Cells after the first question that show programs without a question.
OPEN = {
    DEVICES: ("race",), SECOND: ("exercise-3-box",), GRADIENTS: ("play", "own-rule", "flow-entropy"), TRAINING: ("watch",), RECURRENT: ("loop", "gates"),
    CONVOLUTION: ("back",), LAYERS: ("layers-view", "template"), FEEDING: ("function-graph", "queues-picture"),
    ATTENTION: ("flow", "alignments"), BECAME: ("jax", "ref", "torch", "functional", "traced"),
}
SHOWS = (
    "StepThrough(", "Compare(", "GraphView(", "GradientFlow(", "TrainingView(", "BeTheExecutor(", "OutcomeExplorer(",
)  # fmt: skip
CASES = [(lesson, *answer) for lesson, answers in ANSWERS.items() for answer in answers]


def cells(lesson: str) -> dict[str, str]:
    notebook = nbformat.read(COURSE / f"{lesson}.ipynb", as_version=4)
    return {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}


def outcome(lesson: str, cell: str, given: str = "", written: str = "") -> object:
    """The value of the last expression of an exercise's cell, after the cells that it needs."""
    sources = cells(lesson)
    names: dict[str, object] = {}
    for setup in ("setup", "exercises-setup", *USED.get(lesson, ()), f"{cell}-box"):
        source = sources.get(setup, "")
        # As in a notebook, inspect can read a function's source.
        linecache.cache[setup] = (len(source), None, source.splitlines(keepends=True), setup)
        exec(compile(source, setup, "exec"), names)
    *body, last = (sources[cell].replace(given, written) if given else sources[cell]).rstrip().splitlines()
    exec("\n".join(body), names)
    return eval(last, names)


@pytest.mark.parametrize(("lesson", "cell", "given", "written", "grade"), CASES)
def test_an_exercise_passes_right_answers_and_fails_wrong_ones(lesson, cell, given, written, grade):
    assert given in cells(lesson)[cell]
    assert outcome(lesson, cell, given, written).grade == grade


@pytest.mark.parametrize("lesson", ANSWERS)
def test_every_exercise_has_a_test_and_begins_unsolved(lesson):
    found = [id for id in cells(lesson) if id.startswith("exercise-") and not id.endswith("-box")]
    assert found == sorted({answer[0] for answer in ANSWERS[lesson]})
    for cell in found:
        begun = "error" if (lesson, cell) in BEGIN_WITH_AN_ERROR else "fail"
        assert outcome(lesson, cell).grade in ("not_attempted", begun)


@pytest.mark.parametrize("lesson", ANSWERS)
def test_cells_that_show_an_answer_wait_for_a_prediction(lesson):
    """No cell from the first question on runs or draws a program that a prediction asks about, unless it is gated."""
    sources = list(cells(lesson).items())
    questions = [i for i, (_, source) in enumerate(sources) if "Predict(" in source or "Predict.pair(" in source]
    assert len(questions) == QUESTIONS[lesson]
    for i, (id, source) in enumerate(sources):
        if questions[0] < i and any(shows in source for shows in SHOWS) and id not in OPEN.get(lesson, ()):
            assert "after=" in source, id
