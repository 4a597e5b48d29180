"""The exercises' widgets, in JupyterLab in a real browser: the learner orders a run, and builds a graph from lines."""

from driver import Notebook, expect
from stage import staged
from test_stage import repair, unordered_lines

from tfedu.widgets import Repair

NAME = "02_two_kinds_of_variables.ipynb"


def outcome(lesson: Notebook, source: str) -> str:
    """The outcome of the check after its cell runs again."""
    cell = lesson.find(source)
    lesson.run_cell(cell)
    return lesson.printed(cell)


def walk_to(lesson: Notebook, name: str, *first: str) -> None:
    """Along the nodes of one scope with the arrow keys; `first` other keys."""
    for key in first:
        lesson.page.keyboard.press(key)
    for _ in range(10):
        if lesson.page.evaluate("() => document.activeElement?.getAttribute('data-name')") == name:
            return
        lesson.page.keyboard.press("ArrowDown")
    raise AssertionError(f"{name} was not reached")


def test_the_learner_orders_the_run_by_mouse_and_by_keys(lesson):
    assert "Not attempted" in outcome(lesson, "play_executor(player")
    box = lesson.widget("BeTheExecutor([plus")
    picture, reply = box.get_by_test_id("picture").first, box.get_by_test_id("reply")

    def node(name: str):
        return picture.locator(f'g.node[data-name="{name}"]')

    node("times_ten").click()
    expect(reply).to_have_text("times_ten/ReadVariableOp has not run yet, and times_ten needs its value (data edge).")
    node("x").click()
    expect(reply).to_contain_text("Right: x has run")
    node("times_ten/y").click()
    expect(reply).to_contain_text("Right: times_ten/y has run and gives 10.0")
    # The focus is at the clicked node, and the keys continue from there.
    walk_to(lesson, "times_ten/ReadVariableOp")
    lesson.page.keyboard.press("Enter")
    expect(reply).to_contain_text("Right: times_ten/ReadVariableOp has run and gives 0.0")
    for name in ["times_ten", "Const", "AssignAddVariableOp"]:
        node(name).click()
        expect(reply).to_contain_text("Right")
    assert lesson.barriers(box) == []
    lesson.shot("1_order")
    node("ReadVariableOp").click()
    expect(box.get_by_test_id("end")).to_contain_text("Both are legal: this is a race.")
    expect(box.get_by_test_id("found")).to_contain_text("2 different results. You have reached 1 of them.")
    box.get_by_test_id("show-replay").click()
    box.get_by_test_id("step").click()
    expect(box.get_by_test_id("replay").get_by_test_id("position")).to_contain_text("step 1 of 7")
    assert "✓ Passed" in outcome(lesson, "play_executor(player")
    lesson.shot("2_replay")


def test_the_learner_builds_the_graph_by_mouse_and_by_keys(lesson):
    box = lesson.widget("parsons = Parsons(")
    canvas = box.locator(".canvas")

    def centre(name: str) -> tuple[float, float]:
        found = canvas.locator(f'g.node[data-name="{name}"] .shape').bounding_box()
        return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2

    def put(text: str) -> None:
        box.get_by_test_id("tray").get_by_role("button", name=text).click()
        expect(box.get_by_test_id("said")).to_contain_text("is in the program")

    def drag(source: str, target: str, choice: str, testid: str, text: str) -> None:
        canvas.locator(f'g.node[data-name="{target}"]').scroll_into_view_if_needed()
        mouse = lesson.page.mouse
        mouse.move(*centre(source))
        mouse.down()
        x, y = centre(target)
        mouse.move(x + 3, y, steps=5)
        mouse.up()
        box.get_by_test_id(choice).click()
        expect(box.get_by_test_id(testid)).to_contain_text(text)

    for line in ["tf.assign_add", "+ 0", "y = tf.identity"]:
        put(line)
    drag("x", "up", "into-0-0", "code", "up = tf.assign_add(x, 1)")
    drag("x", "before_1", "into-0-0", "code", "before_1 = x + 0")
    drag("before_1", "up", "order-only", "code", "with tf.control_dependencies([before_1]):")
    # The rest by keys alone: select the piece, and set its inputs.
    expect(canvas.locator('g.node[data-name="up"]')).to_be_focused()
    walk_to(lesson, "y", "Home")
    lesson.page.keyboard.press("Enter")
    box.get_by_test_id("hole-0").select_option(label="before_1")
    expect(box.get_by_test_id("code")).to_contain_text("y = tf.identity(before_1)")
    box.get_by_test_id("check").click()
    expect(box.get_by_test_id("result")).to_contain_text("Some places are still open: return.")
    canvas.locator('g.node[data-name="y"]').click()
    walk_to(lesson, "return", "Home")
    lesson.page.keyboard.press("Enter")
    box.get_by_test_id("hole-0").select_option(label="y")
    expect(box.get_by_test_id("code")).to_contain_text("return y")
    box.get_by_test_id("check").click()
    expect(box.get_by_test_id("mark")).to_have_attribute("data-grade", "fail")
    assert "up has to run" in outcome(lesson, "build_graph(parsons)")
    drag("up", "y", "order-only", "code", "with tf.control_dependencies([up]):")
    box.get_by_test_id("check").click()
    expect(box.get_by_test_id("mark")).to_have_attribute("data-grade", "pass")
    assert lesson.barriers(box) == []
    lesson.shot("3_built")
    assert "✓ Passed" in outcome(lesson, "build_graph(parsons)")
    # A backward edge is refused, and the focus stays.
    drag("y", "up", "order-only", "said", "That would close a cycle")


def test_what_was_not_attempted_is_no_error(browser):
    """It is said in the colour of other hints, and the result's tab has no mark; a wrong answer has both."""
    untouched, wrong = Repair(unordered_lines, expected=[[[2, 4], 2]]), repair()
    untouched.check()
    with staged(browser) as stage:
        looks = []
        for puzzle in (untouched, wrong):
            root = stage.show(puzzle)
            mark = root.get_by_test_id("mark")
            colours = mark.evaluate("""e => [getComputedStyle(e).color, ...["soft", "error-line"].map(name => {
                e.style.color = `var(--${name})`; return getComputedStyle(e).color; })]""")
            count = root.locator("[data-testid=tab-result] .n").inner_text()
            looks.append((mark.inner_text()[:17], colours.index(colours[0], 1), count))
        assert looks == [("Not attempted yet", 1, ""), ("✗ Not yet.", 2, "1")]
        assert stage.failed == []
