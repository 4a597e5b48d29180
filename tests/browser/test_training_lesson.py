"""The lesson on training, in JupyterLab in a real browser: losses before and after a step, slots, gates, and curves."""

from driver import expect
from stage import press

NAME = "04_training.ipynb"


def test_forward_gradient_and_update_are_told_apart(lesson):
    picture = lesson.widget("Forward, back, update")
    gradients = picture.locator('.viewport g.scope.closed[data-scope="gradients"]')
    expect(gradients).to_be_visible()
    gradients.locator(".sign").dispatch_event("click")
    expect(picture.locator('g.node[data-part="gradient"]').first).to_be_visible()
    expect(picture.locator('.viewport g.node[data-role="update"]').first).to_be_visible()
    lesson.shot("1_parts")
    press(picture, "fold-gradients")
    expect(picture.locator('g.node[data-part="gradient"]')).to_have_count(0)


def test_the_fetched_loss_is_the_one_before_the_step(lesson):
    verdicts = lesson.answer("old = Predict(", "4", "1", "0.25", "1", "0.25", "0.0625")
    for i in range(2):
        expect(verdicts.nth(i)).to_have_attribute("data-correct", "true")
    steps = lesson.widget("The loss that was handed on")
    steps.get_by_test_id("scrub").press("End")
    expect(steps.get_by_test_id("status")).to_contain_text("0.25")
    assert lesson.barriers(steps) == []
    lesson.shot("2_old_loss")


def test_momentum_goes_past_the_goal(lesson):
    verdicts = lesson.answer("slots = Predict(", "2", "2.5", "2.75", "2", "3", "3.5")
    for i in range(2):
        expect(verdicts.nth(i)).to_have_attribute("data-correct", "true")


def test_the_reason_for_the_gate_appears_after_the_prediction(lesson):
    outcomes = lesson.find("if gates.answered:")
    assert "no gate" not in lesson.printed(outcomes)
    lesson.answer("gates = Predict(", "[-1, 1]")
    lesson.run_cell(outcomes)
    assert lesson.printed(outcomes).count("(-1.0, 1.0)") == 2
    assert "(-1.0, 4.0)" in lesson.printed(outcomes)


def test_the_training_is_watched(lesson):
    watched = lesson.widget("watched = TrainingView(")
    expect(watched.locator("svg").first).to_be_visible()
    expect(watched).to_contain_text("loss")
    assert lesson.barriers(watched) == []
    lesson.shot("3_watched")
