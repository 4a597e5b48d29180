"""The lessons on branches and loops, in JupyterLab in a real browser: dead nodes are struck out, a loop has three drawings."""

import re

import pytest
from driver import Notebook, expect
from stage import press


@pytest.fixture(scope="module")
def branches(run_for_all) -> Notebook:
    return run_for_all("05_two_branches_one_graph.ipynb")


@pytest.fixture(scope="module")
def loops(run_for_all) -> Notebook:
    return run_for_all("06_loops.ipynb")


def widget(lesson: Notebook, made_by: str):
    return lesson.cell(lesson.find(made_by)).locator(".tfedu").first


def test_the_branch_that_is_not_taken_is_struck(branches):
    steps = widget(branches, "p is False: the sum is dead")
    steps.get_by_test_id("scrub").press("End")
    dead = steps.locator(".node[data-state=dead]")
    expect(dead.first).to_be_visible()
    expect(steps.locator(".viewport .badge.dead path").first).to_be_visible()
    expect(steps.get_by_test_id("status")).to_contain_text("2")
    assert branches.barriers(steps) == []
    steps.scroll_into_view_if_needed()
    branches.shot("branches_1_dead")


def test_a_cond_is_one_box_and_the_branch_that_is_not_taken_is_struck_as_a_whole(branches):
    graph = widget(branches, "One cond: two branches")
    press(graph, "boxes")
    box = graph.locator(".scope.closed[data-kind=cond]")
    expect(box.locator(".title")).to_have_text("If p")
    assert branches.barriers(graph) == []
    graph.scroll_into_view_if_needed()
    branches.shot("branches_3_if_closed")
    box.click()  # chooses it
    expect(graph.get_by_test_id("details")).to_contain_text("Merge 1")
    box.click()  # opens it
    expect(graph.locator(".scope[data-scope='cond/True'] .title")).to_have_text("True")
    branches.shot("branches_4_if_open")
    press(graph, "boxes")
    expect(graph.locator(".scope[data-kind=cond]")).to_have_count(0)
    expect(graph.locator(".node[data-name='cond/Merge']")).to_be_visible()
    steps = widget(branches, "p is False: the sum is dead")
    steps.get_by_test_id("scrub").press("End")
    press(steps, "boxes")
    steps.locator(".scope.closed[data-kind=cond]").click()
    taken = [steps.locator(f".scope[data-scope='cond/{side}']").first for side in ("True", "False")]
    expect(taken[0]).to_have_attribute("data-state", "dead")
    expect(taken[1]).not_to_have_attribute("data-state", "dead")
    expect(steps.get_by_test_id("details")).to_contain_text("open scope")
    press(steps, "fit")
    steps.locator(".node[data-name='cond/add']").click()
    expect(steps.get_by_test_id("details")).to_contain_text("taken where p:0 is True; here it is False")
    assert branches.barriers(steps) == []
    steps.scroll_into_view_if_needed()
    branches.shot("branches_5_dead_branch")


def test_the_misconception_that_only_the_taken_branch_runs_is_named(branches):
    predict = widget(branches, "outside = Predict(")
    fields = predict.locator("input[data-testid^=predict-]")
    for i in range(3):
        fields.nth(i).fill("10")
    predict.get_by_test_id("commit").click()
    expect(predict.locator("[data-testid^=verdict-]").first).to_have_attribute("data-correct", "false")
    expect(predict).to_contain_text("what the taken branch mentions")
    predict.scroll_into_view_if_needed()
    branches.shot("branches_2_told")


def test_a_loop_is_a_cycle_its_iterations_and_its_frames(loops):
    predict = widget(loops, "fibonacci = Predict(")
    fields = predict.locator("input[data-testid^=predict-]")
    for i in range(2):
        fields.nth(i).fill("5")
    predict.get_by_test_id("commit").click()
    steps = widget(loops, 'title="Round and round"')
    # The lanes come first: a column for each iteration, boxes that select their node, and counts for all other nodes.
    expect(steps.get_by_test_id("picture")).to_be_hidden()
    for _ in range(50):
        steps.get_by_test_id("step").click()
    expect(steps.get_by_test_id("status")).to_contain_text("iteration 2")
    lanes = steps.get_by_test_id("lanes")
    expect(lanes.locator(".loop-ground")).to_have_count(4)
    expect(lanes.locator(".loop-ground[data-now]")).to_have_count(1)
    assert lanes.locator(".lane").all_text_contents() == ["i", "a", "b"]
    total, drawn, counted = map(int, re.findall(r"\d+", steps.get_by_test_id("loop-counts").inner_text()))
    assert total == drawn + counted
    assert loops.barriers(steps) == []
    steps.scroll_into_view_if_needed()
    loops.shot("loops_2_lanes")
    steps.get_by_test_id("loop-frames").check()
    expect(steps.get_by_test_id("frames").locator(":scope > li")).to_have_count(2)
    expect(steps.get_by_test_id("frames")).to_contain_text(re.compile(r"i\s*=\s*\d"))
    assert loops.barriers(steps) == []
    loops.shot("loops_3_frames")
    steps.get_by_test_id("scrub").press("End")
    steps.get_by_test_id("loop-lanes").check()
    out = lanes.locator(".node.exit")  # the value that leaves the loop is the one that is printed
    expect(out).to_have_attribute("data-state", "active")
    expect(lanes.locator(".chip[data-new]")).to_contain_text("5")
    out.click()
    expect(steps.get_by_test_id("details")).to_contain_text("Exit")
    loops.shot("loops_4_end")
    steps.get_by_test_id("loop-cycle").check()
    expect(steps.get_by_test_id("picture")).to_be_visible()
    expect(steps.locator(".viewport .chip .iteration").first).to_have_text(re.compile("[0-9]"))
    loops.shot("loops_1_cycle")
    press(steps, "boxes")
    expect(steps.locator(".scope.closed[data-kind=loop] .title")).to_have_text("Loop while")
    assert loops.barriers(steps) == []
    loops.shot("loops_5_box")


def test_a_lint_finding_has_the_line_the_fix_and_the_nodes(loops):
    found = widget(loops, "What lint says")
    expect(found.get_by_test_id("lint-row")).to_have_count(1)
    expect(found.get_by_test_id("lint-row")).to_contain_text("written_twice")
    expect(found.get_by_test_id("lint-lines")).to_contain_text("twice = twice.write(0, 2)")
    found.get_by_test_id("lint-node").first.click()
    expect(found.locator('g.node[aria-pressed="true"]')).to_have_count(1)
    assert loops.barriers(found) == []
    found.scroll_into_view_if_needed()
    loops.shot("loops_6_lint")


def test_cells_that_run_again_in_one_kernel_show_what_they_showed_first(branches):
    """The second pass begins with an empty graph."""

    def seen() -> list[list[str]]:
        drawn = [widget(branches, made_by) for made_by in ("One cond: two branches", "p is False: the sum is dead")]
        names = "all => all.map(e => e.dataset.name).sort()"
        return [each.locator(".viewport [data-name]").evaluate_all(names) for each in drawn]

    # A reader has opened and closed scopes in the pictures of the first run.
    branches.run_all()
    assert branches.failures() == []
    first = seen()
    assert all(first)
    branches.run_all()
    assert branches.failures() == []
    assert seen() == first
