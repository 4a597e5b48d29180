"""The lesson on the two kinds of variables, in JupyterLab in a real browser: predictions of lists, and a comparison.

What the programs print is written here by hand: one memory gives [1, 1], copies give [0, 1].
"""

from driver import expect

NAME = "02_two_kinds_of_variables.ipynb"


def test_lists_are_predicted_and_each_kind_has_its_answer(lesson):
    compared = lesson.widget("What is fetched when")
    expect(compared.get_by_test_id("locked")).to_be_visible()
    predict = lesson.widget("both = Predict(")
    fields = predict.locator("input[data-testid^=predict-]")
    expect(fields).to_have_count(4)
    for i, value in enumerate(("[1, 1]", "[2, 2]", "[1, 1]", "[2,2]")):
        fields.nth(i).fill(value)
    predict.get_by_test_id("commit").click()
    verdicts = predict.locator("[data-testid^=verdict-]")
    expect(verdicts).to_have_count(2)
    expect(verdicts.nth(0)).to_have_attribute("data-correct", "true")
    expect(verdicts.nth(1)).to_have_attribute("data-correct", "false")
    verdicts.nth(1).scroll_into_view_if_needed()
    lesson.shot("second_1_answered")


def test_both_kinds_stand_side_by_side(lesson):
    compared = lesson.widget("What is fetched when")
    expect(compared.get_by_test_id("picture")).to_have_count(2)
    compared.get_by_test_id("scrub").press("End")
    printed = compared.get_by_test_id("printed")
    for side, values in enumerate([("1.0, 1.0", "2.0, 2.0"), ("0.0, 1.0", "1.0, 2.0")]):
        lines = printed.nth(side).locator("li[data-run]")
        expect(lines).to_have_count(2)
        assert [lines.nth(i).get_attribute("data-value") for i in range(2)] == list(values)
    assert lesson.barriers(compared) == []
    lesson.shot("second_2_compared")


def test_the_steps_of_a_resource_variable_show_its_reads(lesson):
    predict = lesson.widget("updates = Predict(")
    fields = predict.locator("input[data-testid^=predict-]")
    for i in range(2):
        fields.nth(i).fill("[11, 11]")
    predict.get_by_test_id("commit").click()
    steps = lesson.widget("Two updates of a resource variable")
    steps.get_by_test_id("scrub").press("End")
    expect(steps.get_by_test_id("status")).to_contain_text("11.0")
    steps.scroll_into_view_if_needed()
    lesson.shot("second_3_steps")
