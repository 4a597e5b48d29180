"""Each stage in each look, measured: no text covers another or is cut off, axe finds nothing, a presented text is large.

A picture of each case lies in the folder of screenshots, for a person to look at.
"""

from __future__ import annotations

from typing import Any

import pytest
from driver import SCREENSHOTS, barriers
from stage import settle, staged
from test_geometry import looked_at
from test_one_screen import FRAMED
from test_stage import KINDS

SCREEN = {"width": 1440, "height": 900}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": SCREEN, "color_scheme": "light"},
    "dark": {"viewport": SCREEN, "color_scheme": "dark"},
    "forced": {"viewport": SCREEN, "forced_colors": "active"},
    "narrow": {"viewport": {"width": 900, "height": 900}},
    "presenter": {"viewport": SCREEN},
}
# Pixels on the screen of a text that a class reads from its seats.
PRESENTED = 18
# A text, a label on a line or a count of the picture meets another one.
MARKS = {"title", "text", "label", "badge"}

# Where each visible text outside the pictures stands: as much of it as no ancestor clips and no drawer covers.
TEXTS = """root => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
        const { currentNode: node } = walker, { parentElement: parent, textContent: words } = node;
        if (!words.trim() || parent.closest("svg, option") || !parent.checkVisibility({ visibilityProperty: true })) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const { left, top, right, bottom } of range.getClientRects()) {
            const whole = { l: left, t: top, r: right, b: bottom }, shown = { ...whole };
            let cuts = false;
            for (let e = parent; e && e !== root.parentElement; e = e.parentElement) {
                const { overflowX, overflowY, clipPath } = getComputedStyle(e), room = e.getBoundingClientRect();
                if (overflowX === "visible" && overflowY === "visible" && clipPath === "none") continue;
                // What scrolls shows the rest; what only hides cuts a line in two.
                if (overflowY === "hidden" || overflowY === "clip")
                    cuts ||= (room.top - shown.t > 4 && shown.b > room.top + 2)
                        || (shown.b - room.bottom > 4 && shown.t < room.bottom - 2);
                shown.l = Math.max(shown.l, room.left), shown.t = Math.max(shown.t, room.top);
                shown.r = Math.min(shown.r, room.right), shown.b = Math.min(shown.b, room.bottom);
            }
            if (shown.r - shown.l < 2 || shown.b - shown.t < 2) continue;
            const over = document.elementFromPoint((shown.l + shown.r) / 2, (shown.t + shown.b) / 2)?.closest(".drawer");
            if (!over || over.contains(node)) found.push({ node, words: words.trim(), cuts, ...shown });
        }
    }
    return found;
}"""
COVERED = f"""root => {{ const found = ({TEXTS})(root);
    return found.flatMap((one, i) => found.slice(i + 1).filter(other => one.node !== other.node
        && one.l < other.r - 1 && other.l < one.r - 1 && one.t < other.b - 4 && other.t < one.b - 4)
        .map(other => [one.words, other.words])); }}"""
HALVED = f"root => ({TEXTS})(root).filter(one => one.cuts).map(one => one.words)"
SMALL = f"""(root, least) => ({TEXTS})(root).map(({{ node: {{ parentElement: e }}, words }}) =>
    [words, parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom]).filter(([, size]) => size < least - 0.1)"""


@pytest.fixture(scope="module", params=LOOKS)
def look(request, browser):
    """The name of a look, and a page of it."""
    with staged(browser, **LOOKS[request.param]) as stage:
        yield request.param, stage


def present(widget) -> None:
    widget.get_by_test_id("present").first.click()
    widget.page.wait_for_function("root => root.matches('.presenting')", arg=widget.element_handle())
    settle(widget)


@pytest.mark.parametrize("kind", FRAMED)
def test_each_look_of_a_stage(look, kind):
    name, stage = look
    widget = stage.show(KINDS[kind]())
    try:
        widget.focus()
        for _ in range(3):
            stage.page.keyboard.press(".")
        if name == "presenter":
            present(widget)
            assert widget.evaluate(SMALL, PRESENTED) == []
        SCREENSHOTS.mkdir(exist_ok=True)
        widget.screenshot(path=SCREENSHOTS / f"look_{kind}_{name}.png")
        assert widget.evaluate(COVERED) == []
        assert widget.evaluate(HALVED) == []
        assert stage.cut(widget) == []
        assert [one for one in looked_at(widget) if set(one[0].split("×")) <= MARKS] == []
        assert barriers(widget) == []
    finally:
        stage.page.evaluate("document.fullscreenElement && document.exitFullscreen()")
        stage.forget(widget)
    assert stage.failed == []
