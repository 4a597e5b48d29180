"""A large graph in Chromium: laid out in a worker or on the page, and a scope that opens stays where it was on the screen."""

import pytest
from stage import staged

from benchmarks.pictures.graphs import training
from tfedu import widgets

DRAWN = """root => new Promise(then => { const look = () =>
    root.querySelector('.viewport[aria-busy="false"] svg') ? then() : setTimeout(look, 20); setTimeout(look, 20); })"""
NODES = "root => [...root.querySelectorAll('.viewport g.node[data-id]')].map(e => e.dataset.id)"
SCOPE = "[...root.querySelectorAll('.viewport g.scope')].find(e => e.dataset.scope === path)"
TITLE = f"(root, path) => {{ const at = {SCOPE}.querySelector('.title').getBoundingClientRect(); return [at.x, at.y]; }}"
CHOOSE = f"""(root, path) => {{ const e = {SCOPE}, door = e.querySelector(".handle") ?? e;
    door.scrollIntoView({{ block: "center", inline: "center" }});
    const at = e.querySelector(".title").getBoundingClientRect();
    door.dispatchEvent(new MouseEvent("click", {{ bubbles: true }})); return [at.x, at.y]; }}"""
REFUSED = "() => { window.Worker = class { constructor() { throw new DOMException('refused', 'SecurityError'); } }; }"


@pytest.fixture(scope="module")
def view():
    return widgets.GraphView(training(12))


@pytest.mark.parametrize("orientation", ["down", "right"])
def test_a_scope_that_opens_and_closes_keeps_its_place(browser, view, orientation):
    with staged(browser) as stage:
        root = stage.show(view, orientation=orientation)
        root.evaluate(DRAWN)
        for path in ("model/block_0…block_11", "model/block_3/layer_0…layer_3", "model/block_3/layer_0…layer_3", "model"):
            before = root.evaluate(CHOOSE, path)
            root.evaluate(DRAWN)
            stage.page.wait_for_timeout(100)
            after = root.evaluate(TITLE, path)
            assert [abs(a - b) < 3 for a, b in zip(before, after, strict=True)] == [True, True], (path, before, after)
        assert not stage.failed
        assert [url for url in stage.asked if not url.startswith(("blob:", "data:"))] == []


def test_a_page_that_refuses_workers_shows_the_same_nodes(browser, view):
    drawn = []
    for refuse in (False, True):
        with staged(browser) as stage:
            if refuse:
                stage.page.evaluate(REFUSED)
            root = stage.show(view)
            root.evaluate(DRAWN)
            root.evaluate(CHOOSE, "model/block_0…block_11")
            root.evaluate(DRAWN)
            assert bool(stage.page.workers) is not refuse
            drawn.append(root.evaluate(NODES))
            assert not stage.failed
    assert len(drawn[0]) > 30
    assert drawn[0] == drawn[1]
