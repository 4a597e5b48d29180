"""A large graph in Chromium: laid out in a worker or on the page, and a scope that opens is seen."""

import pytest
from stage import settle, staged

from benchmarks.pictures.graphs import training
from tfedu import widgets

DRAWN = """root => new Promise(then => { const look = () =>
    root.querySelector('.viewport[aria-busy="false"] svg') ? then() : setTimeout(look, 20); setTimeout(look, 20); })"""
DRAWN_ITEMS = """root => [...root.querySelectorAll('.viewport :is(g.node, g.scope)')]
    .map(e => e.dataset.id ?? e.dataset.scope)"""
SCOPE = "[...root.querySelectorAll('.viewport g.scope')].find(e => e.dataset.scope === path)"
CHOOSE = f"(root, path) => {SCOPE}.querySelector('.handle, .sign').dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"
# The place of a scope's title, and whether it is seen.
TITLE = f"""(root, path) => {{ const at = {SCOPE}.querySelector(".title").getBoundingClientRect();
    const view = root.querySelector(".viewport").getBoundingClientRect();
    return {{ x: at.x, y: at.y, isSeen: at.left >= view.left && at.right <= view.right && at.top >= view.top
        && at.bottom <= view.bottom }}; }}"""
REFUSED = "() => { window.Worker = class { constructor() { throw new DOMException('refused', 'SecurityError'); } }; }"


@pytest.fixture(scope="module")
def view():
    return widgets.GraphView(training(12))


def test_a_scope_that_opens_and_closes_is_seen_and_keeps_its_place_if_it_can(browser, view):
    """A scope longer than the picture moves until its beginning is seen."""
    with staged(browser) as stage:
        root = stage.show(view)
        root.evaluate(DRAWN)
        for path, stays in (
            ("model", True),
            ("model/block_0…block_11", False),
            ("model/block_3/layer_0…layer_3", False),
            ("model/block_3/layer_0…layer_3", True),
            ("model", False),
        ):
            before = root.evaluate(TITLE, path)
            root.evaluate(CHOOSE, path)
            root.evaluate(DRAWN)
            settle(root)
            after = root.evaluate(TITLE, path)
            assert after["isSeen"], (path, after)
            if stays:
                assert [abs(after[axis] - before[axis]) < 3 for axis in "xy"] == [True, True], (path, before, after)
        assert not stage.failed
        assert [url for url in stage.asked if not url.startswith(("blob:", "data:"))] == []


def test_a_page_that_refuses_workers_draws_the_same(browser, view):
    drawn = []
    for refuse in (False, True):
        with staged(browser, fresh=True) as stage:
            if refuse:
                stage.page.evaluate(REFUSED)
            root = stage.show(view)
            root.evaluate(DRAWN)
            for path in ("model", "model/block_0…block_11"):
                root.evaluate(CHOOSE, path)
                root.evaluate(DRAWN)
            assert bool(stage.page.workers) is not refuse
            drawn.append(root.evaluate(DRAWN_ITEMS))
            assert not stage.failed
    assert len(drawn[0]) > 30
    assert drawn[0] == drawn[1]
