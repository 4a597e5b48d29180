"""The first lesson in Notebook 7: predictions, answers and steps work as in JupyterLab."""

from driver import expect

NAME = "01_identity_and_control_dependencies.ipynb"


def test_a_lesson_runs_is_answered_and_stepped_through_in_notebook_7(open_classic):
    lesson = open_classic(NAME)
    lesson.run_all()
    assert lesson.failures() == []
    verdicts = lesson.answer("counters = Predict", "0", "0", "0", "1", "2", "3")
    expect(verdicts).to_have_count(2)
    compare = lesson.widget("Compare({")
    compare.get_by_test_id("scrub").press("End")
    expect(compare.get_by_test_id("printed").last).to_contain_text("3.0")
    lesson.shot("notebook7")
    assert lesson.barriers(compare) == []
