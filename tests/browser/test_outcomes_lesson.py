"""The lesson on orders and races, in JupyterLab in a real browser: the learner sees, plays, compares and ends a race."""

from driver import expect

NAME = "07_what_could_have_happened.ipynb"


def test_both_results_of_the_race_are_there_and_play(lesson):
    explorer = lesson.widget("Everything that [write, c] can give")
    expect(explorer.get_by_test_id("count")).to_contain_text("2 results are possible, and no others")
    expect(explorer.get_by_test_id("result-0")).to_contain_text("[5.0, 3.0]")
    expect(explorer.get_by_test_id("result-1")).to_contain_text("[5.0, 7.0]")
    expect(explorer.locator(".viewport .race-tag")).to_have_text("race 1: a")
    explorer.get_by_test_id("play-1").click()
    explorer.get_by_test_id("scrub").press("End")
    expect(explorer.get_by_test_id("status")).to_contain_text("prints 5.0, 7.0.")
    assert lesson.barriers(explorer) == []
    explorer.scroll_into_view_if_needed()
    lesson.shot("outcomes_1_played")


def test_two_orders_part_where_another_node_has_its_turn(lesson):
    explorer = lesson.widget("Everything that [write, c] can give")
    explorer.get_by_test_id("play-0").click()
    explorer.get_by_test_id("beside-1").click()
    explorer.get_by_test_id("tab-parting").click()
    expect(explorer.get_by_test_id("parting")).to_contain_text("that of c: 3.0 in Result A, 7.0 in Result B")
    explorer.get_by_test_id("go-parting").click()
    expect(explorer.get_by_test_id("picture")).to_have_count(2)
    assert lesson.barriers(explorer) == []
    explorer.scroll_into_view_if_needed()
    lesson.shot("outcomes_2_beside")
    explorer.get_by_test_id("drawer-close").click()
    expect(explorer.get_by_test_id("result-1")).to_be_visible()
    explorer.get_by_test_id("beside-1").click()
    expect(explorer.get_by_test_id("picture")).to_have_count(1)


def test_the_line_ends_the_race_on_a_copy(lesson):
    explorer = lesson.widget("Everything that [write, c] can give")
    explorer.get_by_test_id("tab-races").click()
    explorer.get_by_test_id("try-fix").click()
    expect(explorer.get_by_test_id("after-fix")).to_contain_text("[5.0, 3.0]")
    explorer.get_by_test_id("open-fix").click()
    expect(explorer.get_by_test_id("count")).to_contain_text("Every legal order gives the same")
    explorer.get_by_test_id("tab-ordered").click()
    expect(explorer.get_by_test_id("ordered")).to_be_visible()
    expect(explorer.get_by_test_id("ordered")).to_contain_text("write waits until c has run")
    expect(explorer.locator(".viewport .race-tag")).to_have_count(0)
    assert lesson.barriers(explorer) == []
    lesson.shot("outcomes_3_fixed")
    explorer.get_by_test_id("drawer-close").click()
    explorer.get_by_test_id("back-to-graph").click()
    expect(explorer.get_by_test_id("count")).to_contain_text("2 results")


def test_the_answer_waits_for_the_prediction_and_a_node_says_why_it_runs(lesson):
    explorer = lesson.widget("Everything that total can give")
    expect(explorer.get_by_test_id("locked")).to_be_visible()
    lesson.answer("alike = Predict(", "11", "22")
    expect(explorer.get_by_test_id("count")).to_contain_text("Every legal order gives the same")
    graph = lesson.widget("Ask any node why")
    graph.locator(".node[data-name=one]").click()
    graph.get_by_test_id("why-ask").click()
    expect(graph.get_by_test_id("why-reason")).to_contain_text("waits for it by a control edge")
    graph.get_by_test_id("why-path").click()
    expect(graph.locator(".badge.way")).to_have_count(2)
    lesson.shot("outcomes_4_why")
    graph.get_by_test_id("why-try").first.click()
    expect(graph.get_by_test_id("stage")).to_contain_text("with the change: 10.0")
    assert lesson.barriers(graph) == []
    graph.get_by_test_id("stage").scroll_into_view_if_needed()
    lesson.shot("outcomes_5_tried")
