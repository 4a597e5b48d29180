"""`python -m benchmarks.pictures [--chromium PATH] [--only TABLE] [--save] [operations …]`: see the package's docstring."""

from __future__ import annotations

import argparse
import bisect
import os
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.__main__ import machine
from tfedu.widgets import GraphView, StepThrough

from .graphs import training
from .notebook import Notebook

RESULTS = Path(__file__).with_name("RESULTS.md")
PER_BLOCK = 205
"""Operations of one block of `training`, about."""
HEAD = 50
"""Operations of the plain scope."""
STEPPED = 20_000
"""A graph of more operations is not stepped: the trace alone would take longer than all the rest."""

OPEN = """async (path) => {
  const scope = [...document.querySelectorAll('.viewport g.scope.closed')].find((group) => group.dataset.scope === path);
  const began = performance.now();
  scope.querySelector('.sign').dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await new Promise((then) => setTimeout(then, 0));
  await window.drawn();
  return performance.now() - began;
}"""
SCROLL = """async () => {
  const viewport = document.querySelector('.viewport');
  // The wheel moves a picture only while it has the focus.
  viewport.querySelector('[tabindex="0"]').focus({ preventScroll: true });
  for (let i = 0; i < 120; i += 1) {
    viewport.dispatchEvent(new WheelEvent('wheel', { deltaX: 3, deltaY: 4, cancelable: true }));
    await new Promise((then) => requestAnimationFrame(then));
  }
}"""


# Steps by the key, one with each frame or one each `pace` milliseconds, and waits until all panels are drawn.
STEP = """async ([count, pace]) => {
  const root = document.querySelector('.tfedu');
  const wait = (milliseconds) => new Promise((then) => setTimeout(then, milliseconds));
  root.focus({ preventScroll: true });
  await wait(500);
  performance.mark('stepped');
  let next = performance.now();
  for (let i = 0; i < count; i += 1) {
    root.dispatchEvent(new KeyboardEvent('keydown', { key: '.', bubbles: true, cancelable: true }));
    next += pace;
    await (pace > 0 ? wait(next - performance.now()) : new Promise((then) => requestAnimationFrame(then)));
  }
  await wait(500);
}"""
PACES = {"one a frame": 0.0, "30 a second": 1000 / 30}
# The least that a frame can cost here: a page of one line of text, which changes at each key.
LINE = """<!doctype html><body tabindex=0 class=tfedu style="contain: strict; height: 40px">0<script>
document.body.onkeydown = () => { document.body.firstChild.data = `${Number(document.body.firstChild.data) + 1}`; };
</script>"""
BUDGET = 4.0
"""Milliseconds of the main thread that a frame is to take at most."""


def main_thread(page: Page) -> Any:
    """A function that gives the CPU seconds of the page's main thread so far."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def seconds() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    return seconds


def grow(layers: int, browser: Browser) -> dict[str, float]:
    """A graph drawn whole, its layout on the main thread, whose CPU time then is the cost of what is open."""
    with Notebook(browser) as notebook:
        page = notebook.page
        page.evaluate("delete window.Worker")
        cpu_of_page = main_thread(page)
        before = cpu_of_page()
        notebook.show(lambda: GraphView(training(1, layers), collapsed=[]))
        milliseconds = 1e3 * (cpu_of_page() - before)
        things = page.locator(".viewport :is(g.node, g.scope)").count()
    return {"things open": things, "ms CPU": milliseconds, "ms CPU a thing": milliseconds / things}


def measure(operations: int, browser: Browser) -> dict[str, float]:
    graph = training(max(2, round(operations / PER_BLOCK)), head=HEAD)
    with Notebook(browser) as notebook:
        page = notebook.page
        cpu_of_page = main_thread(page)
        before = cpu_of_page()
        found: dict[str, float] = {"operations": len(graph.operations), **notebook.show(lambda: GraphView(graph))}
        found["page s CPU"] = cpu_of_page() - before
        found["things drawn"] = page.locator(".viewport :is(g.node, g.scope.closed)").count()
        scopes = "[...document.querySelectorAll('.viewport g.scope.closed')].map((group) => group.dataset.scope)"
        repeated = next(path for path in page.evaluate(scopes) if path.startswith("model"))
        # Who opens a scope has reached for the picture before.
        page.hover(".viewport")
        page.wait_for_timeout(500)
        for path, what in (("head", f"a scope of {HEAD}"), (repeated, "×N")):
            before = cpu_of_page()
            found[f"open {what} ms"] = page.evaluate(OPEN, path)
            found[f"open {what} main thread ms CPU"] = 1e3 * (cpu_of_page() - before)
        before = cpu_of_page()
        page.evaluate(SCROLL)
        found["main thread ms CPU a frame of scrolling"] = 1e3 * (cpu_of_page() - before) / 120
    return found


def stepped(operations: int, browser: Browser, count: int = 120) -> list[dict[str, float | str]]:
    """The main thread while the first steps of a training step are taken: each frame, and all of it for a step."""
    graph = training(max(2, round(operations / PER_BLOCK)), head=HEAD)
    with graph.as_default():
        view = StepThrough(graph.get_operation_by_name("Adam"), {"x:0": [[1.0, 2.0, 3.0, 4.0]]}, runs=1)
    rows: list[dict[str, float | str]] = []
    for steps, pace in PACES.items():
        with Notebook(browser) as notebook:
            notebook.show(lambda: view)
            frames = frames_of(notebook.page, [count, pace])
        rows.append({"operations": f"{len(graph.operations):,}", "steps": steps, **told(frames, count)})
    return rows


def least(browser: Browser, count: int = 120) -> dict[str, float | str]:
    """The same of a page that holds one line of text."""
    page = browser.new_page(viewport={"width": 1300, "height": 900})
    page.set_content(LINE)
    found = told(frames_of(page, [count, 0.0]), count)
    page.close()
    return {"operations": "no widget: one line of text", "steps": next(iter(PACES)), **found}


def told(frames: list[float], steps: int) -> dict[str, float]:
    frames = sorted(frames)
    return {
        "frames": len(frames),
        "mean ms CPU a frame": statistics.mean(frames),
        "median ms CPU a frame": statistics.median(frames),
        "95 % of frames within ms CPU": frames[int(0.95 * len(frames))],
        "worst frame ms CPU": frames[-1],
        f"frames above {BUDGET:g} ms": sum(frame > BUDGET for frame in frames),
        "ms CPU a step": sum(frames) / steps,
    }


def frames_of(page: Page, steps: list[float]) -> list[float]:
    """Milliseconds of CPU that the main thread took for each frame while the page steps: script, style, layout, paint, all."""
    assert page.context.browser is not None
    session = page.context.browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    done: list[object] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda told: done.append(told))
    categories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"]
    session.send("Tracing.start", {"traceConfig": {"includedCategories": categories}, "transferMode": "ReportEvents"})
    page.evaluate(STEP, steps)
    session.send("Tracing.end")
    while not done:
        page.wait_for_timeout(20)
    session.detach()
    (mark,) = (event for event in events if event["name"] == "stepped")
    own = [event for event in events if (event["pid"], event["tid"]) == (mark["pid"], mark["tid"])]
    # What the thread did before it handed a frame on belongs to that frame; a task bears the CPU time of all within it.
    ends = sorted(event["ts"] for event in own if event["name"] == "Commit" and event["ts"] > mark["ts"])
    frames = [0.0] * len(ends)
    # The task in which the trace ended has no length.
    for task in (event for event in own if event["name"] == "RunTask" and "tdur" in event):
        if mark["ts"] < task["ts"] + task["dur"] and task["ts"] < ends[-1]:
            frames[bisect.bisect(ends, task["ts"])] += task["tdur"] / 1e3
    return frames


def shown(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def table(rows: Sequence[Mapping[str, float | str]]) -> list[str]:
    names = [*max(rows, key=len)]
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    return [*lines, *(f"| {' | '.join(shown(row[name]) if name in row else '' for name in names)} |" for row in rows)]


def opening(operations: Sequence[int], browser: Browser) -> list[dict[str, float]]:
    return [measure(count, browser) for count in operations]


def stepping(operations: Sequence[int], browser: Browser) -> list[dict[str, float | str]]:
    rows = [row for count in operations if count <= STEPPED for row in stepped(count, browser)]
    return [*rows, least(browser)]


def growing(_: Sequence[int], browser: Browser) -> list[dict[str, float]]:
    return [grow(layers, browser) for layers in (1, 2, 4, 8)]


TABLES: Mapping[str, tuple[str, Callable[[Sequence[int], Browser], Sequence[Mapping[str, float | str]]]]] = {
    "opening": ("A graph is shown, a scope is opened, the picture is scrolled.", opening),
    "stepping": (
        "The main thread while a StepThrough takes 120 steps by the key, and until all its panels are drawn.",
        stepping,
    ),
    "growing": ("The cost of what is open: a graph drawn whole, laid out on the main thread.", growing),
}


def kept() -> dict[str, str]:
    """The tables as they were saved last."""
    parts = RESULTS.read_text("utf-8").split("\n## ")[1:] if RESULTS.exists() else []
    return {part.split("\n", 1)[0].lower(): part.split("\n", 1)[1].strip() for part in parts}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pictures", description=__doc__)
    parser.add_argument("operations", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--only", choices=TABLES, help="measure this table alone; saved, the others stay as they were")
    parser.add_argument("--save", action="store_true", help="write RESULTS.md")
    options = parser.parse_args()
    found: dict[str, str] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (words, rows_of) in TABLES.items():
            if options.only not in (None, name):
                continue
            rows = table(rows_of(options.operations, browser))
            made = f"Machine: {machine()}. Its load when this was written: {os.getloadavg()[0]:.1f}."
            found[name] = "\n".join([words, "", made, "", *rows])
            print(found[name], end="\n\n")
        browser.close()
    if options.save:
        head = [
            "# Pictures of large graphs",
            "Written by `python -m benchmarks.pictures --save`; the package's docstring says what is measured.",
        ]
        tables = kept() | found
        parts = [f"## {name.capitalize()}\n\n{tables[name]}" for name in TABLES if name in tables]
        RESULTS.write_text("\n\n".join([*head, *parts]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
