"""The lesson on gradients, in JupyterLab in a real browser: steps through the backward sweep, by mouse and by keys.

What the gradients are is written here by hand: p = 2w = 6, y = p² + p, so dy/dw = 2 · (2 · 6 + 1) = 26.
"""

from driver import expect

NAME = "03_gradients.ipynb"


def test_the_walk_opens_after_the_prediction_and_grows_node_by_node(lesson):
    flow = lesson.widget("Two ways back, step by step")
    expect(flow.get_by_test_id("locked")).to_be_visible()
    expect(lesson.answer("ways = Predict(", "24").first).to_have_attribute("data-correct", "false")
    flow = lesson.widget("Two ways back, step by step")
    expect(flow.get_by_test_id("picture")).to_be_visible()
    added = flow.locator('g.node[data-name="gradients_1/AddN"]')
    expect(added).not_to_be_visible()
    for step in range(1, 5):
        flow.get_by_test_id("step").click()
        expect(flow.get_by_test_id("position")).to_contain_text(f"Step {step} of 6")
    expect(added).to_be_visible()
    expect(added).to_have_attribute("data-state", "new")
    expect(flow.get_by_test_id("formula")).to_have_text("da = g · b, db = g · a")
    expect(flow.get_by_test_id("turn")).to_contain_text("2 gradients arrive here and are added up")
    expect(flow.get_by_test_id("turn")).to_contain_text("gradients_1/AddN:0 = 13.0")
    assert lesson.barriers(flow) == []
    lesson.shot("1_two_ways")


def test_keys_step_on_and_back_and_the_end_has_the_result(lesson):
    flow = lesson.widget("Two ways back, step by step")
    flow.get_by_test_id("scrub").press("Home")
    for _ in range(6):
        lesson.page.keyboard.press(".")
    expect(flow.get_by_test_id("turn").locator("[data-result]")).to_contain_text("= 26.0")
    lesson.page.keyboard.press(",")
    expect(flow.get_by_test_id("turn").locator("[data-result]")).to_have_count(0)


def test_the_learner_plays_the_walk(lesson):
    flow = lesson.widget("Which node is next?")
    picture = flow.get_by_test_id("picture")
    reply = flow.get_by_test_id("reply")

    def choose(name: str) -> None:
        picture.locator(f'g.node[data-name="{name}"]').click()

    choose("a")
    expect(reply).to_contain_text("The sweep begins at y")
    for name in ("y", "y"):
        choose(name)
    choose("a")
    expect(reply).to_contain_text("its pending count is 2, so 2 gradients have not arrived yet")
    for name in ("d", "b", "c", "a"):
        choose(name)
        expect(reply).to_have_text(f"Right: {name}.")
    # From the last clicked node, an arrow key goes to the node before it, and Enter chooses that node.
    lesson.page.keyboard.press("ArrowLeft")
    lesson.page.keyboard.press("Enter")
    expect(reply).to_have_text("Right: w/read.")
    assert lesson.barriers(flow) == []
    flow.scroll_into_view_if_needed()
    lesson.shot("5_play")


def test_each_none_has_its_reason(lesson):
    lesson.answer("nones = Predict(", "3")
    flow = lesson.widget("Where each way breaks off")
    flow.get_by_test_id("scrub").press("End")
    results = flow.get_by_test_id("turn").locator("[data-result]")
    expect(results).to_have_count(4)
    told = [results.nth(i).get_attribute("data-result") for i in range(4)]
    assert told == ["constant", "integer", "unrelated", "found"]
    flow.get_by_test_id("turn").scroll_into_view_if_needed()
    lesson.shot("2_none")


def test_an_unhealthy_value_is_named(lesson):
    lesson.answer("custom = Predict(", "nan", "1")
    flow = lesson.widget("Step on until a number is ill")
    flow.get_by_test_id("scrub").press("End")
    expect(flow.get_by_test_id("turn")).to_contain_text("not a number")
    lesson.shot("3_nan")


def test_the_missing_path_of_the_entropy_is_found_in_korean_in_the_dark_theme(lesson):
    flow = lesson.widget('title="The gradient of the entropy"')
    flow.get_by_test_id("more").click()
    flow.get_by_test_id("lang").select_option("ko")
    lesson.page.evaluate("""() => document.body.setAttribute("data-jp-theme-light", "false")""")
    step = flow.get_by_test_id("step")
    for _ in range(9):
        step.click()
        if "StopGradient" in flow.get_by_test_id("turn").inner_text():
            break
    expect(flow.get_by_test_id("turn")).to_contain_text("StopGradient")
    expect(flow.get_by_test_id("status")).to_contain_text("기울기를 넘기지 않습니다")
    assert lesson.barriers(flow) == []
    flow.scroll_into_view_if_needed()
    lesson.shot("4_entropy_ko_dark")
    lesson.page.evaluate("""() => document.body.setAttribute("data-jp-theme-light", "true")""")
