"""The built front end on a bare page, without JupyterLab: `with staged(browser) as stage: stage.show(widget)`.

The widget is a Python one; its traits go to the page as JSON, as they would to a notebook. `pseudo=True` shows every sentence
of the catalogue half as long again and in brackets, so that what is cut off or not in the catalogue is seen.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

from playwright.sync_api import Browser, Locator, Page

from tfedu.view import messages
from tfedu.widgets import base

MOUNT = """async ([code, css, traits, id]) => {
    // A page gets each front end once, as a notebook does for all its widgets.
    window.front_ends ??= new Map();
    if (!window.front_ends.has(code)) {
        document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
        const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
        window.front_ends.set(code, (await import(url)).default);
    }
    const front = window.front_ends.get(code);
    const listeners = {};
    const model = { get: name => traits[name], save_changes() {}, send(content) { (model.sent ??= []).push(content); },
        set(name, value) { traits[name] = value; for (const then of listeners["change:" + name] ?? []) then(); },
        on(name, then) { (listeners[name] ??= []).push(then); },
        off(name, then) { listeners[name] = (listeners[name] ?? []).filter(one => one !== then); } };
    const el = document.createElement("div");
    el.id = id;
    el.model = model;
    document.body.append(el);
    front.initialize({ model, signal: new AbortController().signal });
    front.render({ model, el, signal: new AbortController().signal });
}"""

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


def longer(text: str) -> str:
    """A sentence half as long again, in brackets; its params stay."""
    return f"[{text}{'·' * max(3, len(text) // 2)}]"


class Stage:
    """A page for widgets; `asked`: what it asked for from outside, `failed`: what it could not do."""

    def __init__(self, page: Page):
        self.page = page
        self.count = 0
        self.asked: list[str] = []
        self.failed: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.failed.append(str(error)))
        page.on("dialog", lambda dialog: (self.failed.append("a dialog"), dialog.dismiss()))
        page.set_content("<!doctype html><html lang=en><title>quiet</title><body style='font-family: sans-serif'></body></html>")

    def show(self, widget: base.Widget, *, pseudo: bool = False, **traits: object) -> Locator:
        """The widget's own element, drawn."""
        self.count += 1
        code = base.bundle("widget.js")
        if pseudo:
            code = in_pseudo_locale(code)
        state = {key: value for key, value in widget.get_state().items() if not key.startswith("_")}
        state = {**state, "lang": state.get("lang") or "en", **traits}
        self.page.evaluate(MOUNT, [code, base.bundle("widget.css"), state, f"stage{self.count}"])
        root = self.page.locator(f"#stage{self.count} > .tfedu")
        root.wait_for()
        return root

    def forget(self, root: Locator) -> None:
        """Takes a widget from the page."""
        root.evaluate("root => root.parentElement.remove()")

    def cut(self, root: Locator) -> list[str]:
        """The words of a widget that do not fit."""
        found: list[str] = root.evaluate(CUT)
        return found


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


@contextlib.contextmanager
def staged(browser: Browser, **context: object) -> Iterator[Stage]:
    opened = browser.new_context(**{"viewport": {"width": 1000, "height": 900}, "reduced_motion": "reduce", **context})
    try:
        yield Stage(opened.new_page())
    finally:
        opened.close()


__all__ = ["Stage", "press", "staged"]
