"""The least that shows a widget as a notebook does: `with Notebook(browser) as notebook: notebook.show(lambda: GraphView(g))`.

The page takes the front end while Python makes the widget, the widget's state as soon as it is there, and shows it when Python
has drawn the picture that a saved notebook has. All that comes is text over HTTP on this machine; questions go to Python.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeVar

from playwright.sync_api import Browser

from tfedu.widgets import GraphView, StepThrough
from tfedu.widgets.pages.front_end_code import bundle, front_end_code

View = TypeVar("View", GraphView, StepThrough)

# `drawn` waits without asking again and again, which would cost the page time of its own.
PAGE = f"""<!doctype html><meta charset=utf-8><style>body{{margin:8px}}{bundle("widget.css")}</style><div id=at></div><script>
window.drawn = () => new Promise((then) => {{
  const watch = new MutationObserver(() => look());
  const look = () => {{
    if (!document.querySelector('.viewport[aria-busy="false"] svg')) return;
    watch.disconnect();
    then();
  }};
  watch.observe(document, {{ subtree: true, childList: true, attributeFilter: ["aria-busy"] }});
  look();
}});
const listeners = {{}};
const fire = (event, ...args) => [...(listeners[event] ?? [])].forEach((then) => then(...args));
const modelOf = (traits) => ({{
  get: (name) => traits[name],
  set: (name, value) => {{ traits[name] = value; fire(`change:${{name}}`); }},
  save_changes() {{}},
  on: (event, then) => (listeners[event] ??= new Set()).add(then),
  off: (event, then) => listeners[event]?.delete(then),
  send: async (content) => fire("msg:custom", JSON.parse(await window.answer(JSON.stringify(content)))),
}});
async function show() {{
  const front = import("/front_end").then((module) => module.default);
  const model = modelOf(await (await fetch("/state")).json());
  (await front).initialize({{ model }});
  await fetch("/display");
  (await front).render({{ model, el: document.getElementById("at") }});
  await window.drawn();
}}
window.begin = () => {{ window.shown = show(); }};
</script>"""


class Notebook:
    """A page in which one widget is shown, and the server that it gets it from."""

    def __init__(self, browser: Browser) -> None:
        told: dict[str, Future[str]] = {path: Future() for path in ("/", "/front_end", "/state", "/display")}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                found = self.path in told
                body = told[self.path].result().encode() if found else b""
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "text/javascript" if self.path == "/front_end" else "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """What is asked for is no news."""

        self._told = told
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        told["/"].set_result(PAGE)
        told["/front_end"].set_result(front_end_code())
        self.page = browser.new_page(viewport={"width": 1300, "height": 900})
        self.page.goto(f"http://127.0.0.1:{self._server.server_port}/")

    def show(self, make: Callable[[], View]) -> dict[str, float]:
        """What it took until the picture was drawn; seconds, and megabytes of the message."""
        views: list[View] = []
        self.page.expose_function("answer", lambda text: answered(views[0], json.loads(text)))
        began = time.perf_counter()
        self.page.evaluate("begin()")
        cpu = time.process_time()
        view = make()
        python = time.process_time() - cpu
        views.append(view)
        state = json.dumps({name: value for name, value in view.get_state().items() if not name.startswith("_")})
        self._told["/state"].set_result(state)
        cpu = time.process_time()
        view.svg()
        picture = time.process_time() - cpu
        self._told["/display"].set_result("")
        self.page.evaluate("shown")
        return {
            "Python s CPU": python,
            "message MB": len(state.encode()) / 1e6,
            "static picture s CPU": picture,
            "to drawn s": time.perf_counter() - began,
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.page.close()
        for waited in self._told.values():
            waited.cancel()
        self._server.shutdown()
        self._server.server_close()


def answered(view: GraphView | StepThrough, content: dict[str, Any]) -> str:
    return json.dumps({"answer": content["ask"], "value": view._answer_to(content["question"], content["args"])})


__all__ = ["Notebook"]
