"""The built front end on a bare page, without JupyterLab: `with staged(browser) as stage: stage.show(widget)`.

The widget is a Python one; its traits go to the page as JSON, as they would to a notebook. `pseudo=True` shows every sentence
of the catalogue half as long again and in brackets, so that what is cut off or not in the catalogue is seen.
"""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Iterator

from playwright.sync_api import Browser, Locator, Page

from tfedu.view import messages
from tfedu.widgets import base
from tfedu.widgets.pages.front_end_code import bundle, front_end_code

# A page gets each front end once, as a notebook does for all its widgets.
LOAD = """async ([code, css, name]) => {
    document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    (window.front_ends ??= {})[name] = (await import(url)).default;
}"""
MOUNT = """async ([name, traits, id]) => {
    const front = window.front_ends[name];
    const listeners = {};
    const model = { get: name => traits[name], save_changes() {}, send(content) { (model.sent ??= []).push(content); },
        set(name, value) { traits[name] = value; for (const then of listeners["change:" + name] ?? []) then(); },
        on(name, then) { (listeners[name] ??= []).push(then); },
        off(name, then) { listeners[name] = (listeners[name] ?? []).filter(one => one !== then); } };
    const el = document.createElement("div");
    el.id = id;
    el.model = model;
    document.body.append(el);
    el.life = new AbortController();
    front.initialize({ model, signal: el.life.signal });
    front.render({ model, el, signal: el.life.signal });
}"""
FORGET = "el => { el.life.abort(); el.remove(); }"
# As it was before the first widget, but for the front end that it has.
CLEAR = f"""async () => {{
    if (document.fullscreenElement) await document.exitFullscreen();
    document.querySelectorAll("[id^=stage]").forEach({FORGET});
    document.activeElement?.blur();
    document.documentElement.lang = "en";
    document.title = "quiet";
    document.body.style = "font-family: sans-serif";
    scrollTo(0, 0);
    return [document.body.childElementCount, [...document.body.attributes].map(one => one.name).join()];
}}"""

# Waits for three frames: a widget draws itself anew in the frame after its state or size has changed.
DRAWN = "for (let i = 0; i < 3; i += 1) await new Promise(then => requestAnimationFrame(then));"

# Waits until no picture is being laid out, nothing moves, and the page has not changed for four frames.
SETTLED = """root => new Promise((then, fail) => {
    let still = 0;
    const end = performance.now() + 30_000;
    const watch = new MutationObserver(() => { still = 0; });
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const moves = () => document.getAnimations().some(
        one => one.playState === "running" && one.effect.getComputedTiming().endTime < Infinity);
    const look = () => {
        still = root.querySelector('[aria-busy="true"]') || moves() ? 0 : still + 1;
        if (still < 4 && performance.now() < end) return requestAnimationFrame(look);
        watch.disconnect();
        still < 4 ? fail(new Error("the page still changes after 30 s")) : then();
    };
    requestAnimationFrame(look);
})"""

# Elements whose text is cut off or lies outside the widget, except elements that scroll on purpose.
CUT = """root => [...root.querySelectorAll("*")].filter(e => !e.closest("svg, .viewport, pre, code, .scroll, [hidden]"))
    .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
    .filter(e => { const r = e.getBoundingClientRect(), all = root.getBoundingClientRect();
        const scrolls = e.closest(".table, [role=tree], .queue, .details") !== null;
        return r.width > 1 && r.height > 1 && (e.scrollWidth - e.clientWidth > 1 && getComputedStyle(e).display !== "inline"
            && getComputedStyle(e).overflowX !== "visible" || !scrolls && (r.right - all.right > 1 || all.left - r.left > 1)); })
    .map(e => `${e.tagName}.${e.className}: ${e.textContent.slice(0, 60)}`)"""


def press(root: Locator, testid: str) -> None:
    """Presses a button of a widget, which may be in the menu behind the three dots."""
    button = root.get_by_test_id(testid)
    if not button.is_visible():
        root.get_by_test_id("more").click()
    button.click()


def settle(root: Locator) -> None:
    """Waits until a widget is drawn as it stays: on a busy machine that takes longer than on a free one."""
    root.evaluate(SETTLED)


def longer(text: str) -> str:
    """A sentence half as long again, in brackets; its params stay."""
    return f"[{text}{'·' * max(3, len(text) // 2)}]"


class Stage:
    """A page for widgets; `asked`: what it asked for from outside, `failed`: what it could not do."""

    def __init__(self, page: Page):
        self.page, self.size = page, page.viewport_size or {}
        self.count = 0
        self.loaded: set[str] = set()
        self.asked: list[str] = []
        self.failed: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.failed.append(str(error)))
        page.on("dialog", lambda dialog: (self.failed.append("a dialog"), dialog.dismiss()))
        page.set_content("<!doctype html><html lang=en><title>quiet</title><body style='font-family: sans-serif'></body></html>")

    def show(self, widget: base.Widget, *, pseudo: bool = False, **traits: object) -> Locator:
        """The widget's own element, drawn."""
        self.count += 1
        front = "pseudo" if pseudo else "as built"
        if front not in self.loaded:
            code = front_end_code()
            self.page.evaluate(LOAD, [in_pseudo_locale(code) if pseudo else code, bundle("widget.css"), front])
            self.loaded.add(front)
        state = {key: value for key, value in widget.get_state().items() if not key.startswith("_")}
        state = {**state, "lang": state.get("lang") or "en", **traits}
        self.page.evaluate(MOUNT, [front, state, f"stage{self.count}"])
        root = self.page.locator(f"#stage{self.count} > .tfedu")
        root.wait_for()
        return root

    def forget(self, root: Locator) -> None:
        """Takes a widget from the page."""
        root.evaluate(f"root => ({FORGET})(root.parentElement)")

    def clear(self) -> bool:
        """Makes the page ready for another test; False where that is not possible."""
        if self.failed or self.page.evaluate(CLEAR) != [0, "style"]:
            return False
        self.page.set_viewport_size(self.size)
        self.page.mouse.move(self.size["width"] - 1, self.size["height"] - 1)
        self.asked.clear()
        return True

    def cut(self, root: Locator) -> list[str]:
        """The words of a widget that do not fit, once it has been drawn in its present size."""
        self.page.evaluate(f"async () => {{ {DRAWN} }}")
        found: list[str] = root.evaluate(CUT)
        return found


@functools.cache
def in_pseudo_locale(code: str) -> str:
    """The front end with each English sentence made longer."""
    changed = 0
    for key, text in messages.catalogue("en").items():
        said = f"{json.dumps(key)}:{json.dumps(text, ensure_ascii=False)}"
        if said in code:
            changed += 1
            code = code.replace(said, f"{json.dumps(key)}:{json.dumps(longer(text), ensure_ascii=False)}", 1)
    assert changed > 300, "the bundle spells the catalogue in another way"
    return code


# The pages that no test uses now, by what they were opened with: a page takes longer to open than most tests to run.
_free: dict[str, list[Stage]] = {}


@contextlib.contextmanager
def staged(browser: Browser, *, fresh: bool = False, **context: object) -> Iterator[Stage]:
    """A page without widgets, which another test may have used; `fresh`: one of its own, which the test may spoil."""
    free = _free.setdefault(json.dumps([id(browser), context], sort_keys=True), [])
    if free and not fresh:
        stage = free.pop()
    else:
        opened = browser.new_context(**{"viewport": {"width": 1000, "height": 900}, "reduced_motion": "reduce", **context})
        stage = Stage(opened.new_page())
    try:
        yield stage
        if not fresh and stage.clear():
            free.append(stage)
    finally:
        if stage not in free:
            stage.page.context.close()


__all__ = ["Stage", "press", "settle", "staged"]
