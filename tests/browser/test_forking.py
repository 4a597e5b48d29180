"""In a real notebook: the learner chooses another ready node, the timeline branches, and both results appear side by side."""

from driver import expect

NAME = "forks.ipynb"


def test_choosing_another_ready_node_gives_the_other_result_beside_the_first(open_notebook):
    notebook = open_notebook(NAME)
    notebook.run_all()
    assert notebook.failures() == []
    steps = notebook.cell(2).locator(".tfedu")
    spoken, track = steps.get_by_test_id("status"), steps.get_by_test_id("scrub")
    for _ in range(3):
        steps.get_by_test_id("step").click()
    steps.get_by_test_id("tab-change").click()
    expect(steps.get_by_test_id("choose")).to_contain_text("c runs next here")

    # The fork: first the value to assign, then the assignment itself, before the read.
    steps.get_by_role("button", name="Run assign/value next").click()
    expect(spoken).to_contain_text("You see timeline 1: assign/value runs next.")
    steps.get_by_role("button", name="Run assign next").click()
    expect(spoken).to_contain_text("assign writes a: 1.0 → 5.0.")
    expect(steps.locator(".lines button")).to_have_text(
        ["Timeline 0", "Timeline 1: assign/value runs next", "Timeline 2: assign runs next"]
    )
    compared = steps.get_by_test_id("leaves").locator("tbody", has_text="run 1: c:0")
    expect(compared.locator("tr")).to_have_text(["≠run 1: c:0", "0, 13.0", "27.0"])
    expect(compared.get_by_role("img")).to_have_attribute("aria-label", "differs")

    # By the keyboard along the tree, to where the breakpoint hits.
    expect(steps.locator(".lane-names > *")).to_have_text(
        ["Timeline 0", "1 · assign/value next", "2 · assign next"]
    )
    track.focus()
    notebook.page.keyboard.press(">")
    expect(spoken).to_contain_text("Breakpoint: > 6")
    expect(spoken).to_contain_text("Run 1 prints 5.0, 7.0.")
    notebook.page.keyboard.press("ArrowUp")
    notebook.page.keyboard.press("ArrowUp")
    expect(spoken).to_contain_text("Run 1 prints 5.0, 3.0.")

    # The widget shows Python's error, and no timeline is added.
    steps.get_by_test_id("fork-what").select_option("a")
    steps.get_by_test_id("fork-value").fill("many")
    steps.get_by_test_id("fork-value-send").click()
    expect(steps.locator(".forks").get_by_test_id("asked")).to_contain_text("'many' is no value")
    notebook.run_cell(3)
    assert notebook.printed(3).strip() == "[[5.0, 3.0], [5.0, 3.0], [5.0, 7.0]]"
    assert notebook.barriers(steps) == []
    notebook.cell(2).get_by_test_id("scrub").scroll_into_view_if_needed()
    notebook.shot("forks")
