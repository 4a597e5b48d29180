"""The npm package of custom elements, built and packed, in plain pages and in React and Vue, under a strict policy."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import subprocess
import tarfile
import threading

import driver
import pytest
from test_exported_pages import KINDS

import tfedu as tf
from tfedu.view import messages
from tfedu.view.records import VERSION
from tfedu.widgets import GraphView, Predict, StepThrough
from tfedu.widgets.pages.saved_records import WIDGETS

WIDGET_SOURCES = driver.ROOT / "widgets"
EXAMPLES = WIDGET_SOURCES / "elements" / "examples"
# As docs/embedding.md and the package's README give it.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; worker-src blob:"
)
HOSTILE = '</script><img src=x onerror="document.title=1"><b>'


class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", f"{POLICY}; base-uri 'none'; require-trusted-types-for 'script'")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing: what a page asked for is checked in the page."""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The folder that npm installs: what is in the packed file, and nothing else."""
    out = tmp_path_factory.mktemp("npm")
    subprocess.run(["node", "npm.mjs", "--out", str(out)], cwd=WIDGET_SOURCES, check=True, stdout=subprocess.DEVNULL)
    (packed,) = out.glob("tfedu-elements-*.tgz")
    with tarfile.open(packed) as archive:
        archive.extractall(out / "unpacked", filter="data")
    installed = out / "node_modules" / "tfedu-elements"
    shutil.copytree(out / "unpacked" / "package", installed)
    return installed


@pytest.fixture(scope="module")
def site(package, tmp_path_factory):
    """A folder behind a server with the policy, and the address of the server."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "tfedu-elements").symlink_to(package)
    (folder / "favicon.ico").write_bytes(b"")
    handler = functools.partial(Handler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def opened(browser, site, name, *, fails=(), **context):
    """A page of the site, which asks for the site's own files alone."""
    _, address = site
    options = {"viewport": {"width": 1100, "height": 1000}, **context}
    return driver.page_alone(browser, f"{address}/{name}", (f"{address}/", "data:"), tuple(fails), **options)


def write(site, body, name="page.html", scripts=("index",), lang="en"):
    tags = "".join(f'<script type="module" src="tfedu-elements/{script}.js"></script>' for script in scripts)
    head = f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>quiet</title>{tags}'
    (site[0] / name).write_text(f"{head}<main>{body}</main></html>", "utf-8")
    return name


# -- the examples ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def examples(package, site):
    """The examples of the package, with their records beside them."""
    folder, _ = site
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        bump = tf.assign_add(x, 1, name="bump")
        with tf.control_dependencies([bump]):
            y = tf.identity(x, name="y")
        for name in ("plain", "react", "vue"):
            (folder / name).mkdir()
            StepThrough(y).save(folder / name / "run.json")
            GraphView(y.graph).save(folder / name / "graph.json")
            GraphView(y.graph).save(folder / name / "graph.svg")
            shutil.copy(EXAMPLES / "page.css", folder / name)
            shutil.copy(EXAMPLES / ("plain.html" if name == "plain" else "app.html"), folder / name / "index.html")
    shutil.copy(EXAMPLES / "plain.js", folder / "plain")
    (folder / "plain" / "tfedu-elements").symlink_to(package)
    command = ["node", str(EXAMPLES / "build.mjs"), str(package.parent), str(folder)]
    subprocess.run(command, cwd=WIDGET_SOURCES, check=True)


@pytest.mark.parametrize("name", ["plain", "react", "vue"])
def test_the_example_works(browser, site, examples, name):
    with opened(browser, site, f"{name}/index.html") as page:
        graph, steps = page.locator("tfedu-graph .tfedu"), page.locator("tfedu-steps .tfedu")
        graph.wait_for()
        steps.wait_for()
        assert graph.bounding_box()["height"] == pytest.approx(420, abs=1)
        assert "writes a variable" in graph.inner_text()
        assert page.locator("tfedu-graph > img").is_hidden()
        steps.focus()
        for _ in range(2):
            page.keyboard.press(".")
        driver.expect(page.locator("output")).to_have_text("run 1, step 2")
        page.get_by_role("button", name="Go to the second run").click()
        driver.expect(page.locator("output")).to_have_text("run 2, step 0")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('tfedu-steps') !== null")
        assert driver.barriers(page.locator("main")) == []
        page.emulate_media(media="print")
        assert page.locator("tfedu-graph > img").is_visible()
        assert graph.is_hidden()
        assert steps.is_visible()
        assert not steps.get_by_test_id("step").is_visible()


def test_the_types_are_those_of_the_react_example(package, tmp_path):
    """A wrong attribute is an error of the compiler."""
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "tfedu-elements").symlink_to(package)
    for installed in ("react", "@types", "csstype"):
        (tmp_path / "node_modules" / installed).symlink_to(WIDGET_SOURCES / "node_modules" / installed)
    stub = 'declare module "react-dom/client" { export function createRoot(at: Element): { render(what: unknown): void } }'
    (tmp_path / "stub.d.ts").write_text(stub)
    shutil.copy(EXAMPLES / "react.tsx", tmp_path / "right.tsx")
    wrong = [
        'import "tfedu-elements/react";',
        "// @ts-expect-error",
        "export const height = <tfedu-graph height={420} />;",
        "// @ts-expect-error",
        "export const heard = <tfedu-steps ontfedu-position={(event: MouseEvent) => event.button} />;",
        "// @ts-expect-error",
        "export const unknown = <tfedu-nothing />;",
    ]
    (tmp_path / "wrong.tsx").write_text("\n".join(wrong))
    options = {"jsx": "react-jsx", "strict": True, "noEmit": True, "module": "esnext", "moduleResolution": "bundler",
               "target": "es2022", "lib": ["es2023", "dom"], "types": [], "preserveSymlinks": True}  # fmt: skip
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["*.tsx", "*.d.ts"]}))
    done = subprocess.run([WIDGET_SOURCES / "node_modules" / ".bin" / "tsc", "-p", tmp_path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# -- each element ------------------------------------------------------------------------------------------------------


def test_each_record_that_a_page_can_show_has_an_element():
    names = [widget.ELEMENT for widget in WIDGETS.values()]
    assert all(name.startswith("tfedu-") for name in names)
    assert len(set(names)) == len(names)
    with tf.Graph().as_default():
        y = tf.constant(1.0)
        with pytest.raises(ValueError, match="Python must check"):
            Predict({"y": y}).element()


@pytest.mark.parametrize("kind", sorted({widget.KIND for widget in WIDGETS.values()} & {*KINDS}))
def test_each_element_shows_the_record_inside_it_and_loads_its_own_parts_alone(browser, site, counter, kind):
    """A part or a text that is missing would be an error of the page."""
    widget = KINDS[kind](counter)
    name = widget.ELEMENT
    widget.title = HOSTILE
    write(site, widget.element(), scripts=[name.removeprefix("tfedu-")])
    with opened(browser, site, "page.html") as page:
        root = page.locator(f"{name} .tfedu")
        root.wait_for()
        assert page.locator(f"{name} > img").is_hidden()
        assert root.get_by_role("heading", name="<b>").count() == 1
        root.focus()
        page.keyboard.press("?")
        assert root.get_by_text("undefined").count() == 0
        assert page.title() == "quiet"
        files = [url.rsplit("/", 1)[1] for url in page.asked]
        assert [file for file in files if (site[0] / "tfedu-elements" / file).is_file()] == [f"{name[6:]}.js", "texts.js"]
        loaded = [site[0] / url.split("/", 3)[3] for url in page.asked if url.endswith(".js")]
        others = {"steps.default_title": "step-through", "training.default_title": "training", "reads.default_title": "reads"}
        code = "".join(path.read_text("utf-8") for path in loaded)
        for title, of in others.items():
            assert (f'"{title}":' in code) == (of == kind)
        page.emulate_media(media="print")
        assert page.locator(f"{name} > img").is_visible()
        assert root.is_hidden()


def test_a_prediction_is_judged_in_the_page(browser, site, counter):
    """The answer comes after the prediction, and the host hears how it went."""
    question = Predict({"y": counter}, prompt=HOSTILE).self_check()
    write(site, question.element(), scripts=["predict"])
    with opened(browser, site, "page.html") as page:
        element, root = page.locator("tfedu-predict"), page.locator("tfedu-predict .tfedu")
        root.wait_for()
        assert HOSTILE in root.inner_text()
        element.evaluate("e => { e.heard = []; e.addEventListener('tfedu-answered', ({ detail }) => e.heard.push(detail)); }")
        root.get_by_test_id("commit").click()
        assert root.get_by_test_id("problem").inner_text()
        for run, text in enumerate(["1", "1", "1"]):
            root.get_by_test_id(f"predict-t1-{run}").fill(text)
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        root.get_by_test_id("verdict-t1").wait_for()
        (heard,) = element.evaluate("e => e.heard")
        assert heard == {"correct": False, "targets": [{"key": "t1", "predicted": ["1"] * 3, "right": [True, False, False]}]}
        assert root.locator("[data-testid=verdict-t1] .sign.right").count() == 1
        assert driver.barriers(root) == []
        root.get_by_test_id("watch").click()
        root.get_by_test_id("step").click()
        assert page.title() == "quiet"


def test_a_question_without_its_answer_says_so(browser, site, counter):
    Predict({"y": counter}).save(site[0] / "question.json")
    write(site, '<tfedu-predict src="question.json"></tfedu-predict>', scripts=["predict"])
    with opened(browser, site, "page.html") as page:
        page.get_by_text("Save it with its answer by self_check().").wait_for()


# -- what is wrong -----------------------------------------------------------------------------------------------------


def changed(record, **fields):
    return json.dumps({**record, **fields}).replace("<", "\\u003c")


PROBLEMS = {
    "missing": lambda record: "",
    "not_json": lambda record: '<script type="application/json">{"version": 1,</script>',
    "damaged": lambda record: '<script type="application/json">[1]</script>',
    "damaged_at": lambda record: inline(changed(record, nodes=[{**record["nodes"][0], "id": HOSTILE}])),
    "newer": lambda record: inline(changed(record, version=VERSION + 1, more=HOSTILE)),
    "older": lambda record: inline(changed(record, version=VERSION - 1)),
    "other_kind": lambda record: inline(changed(record, kind=HOSTILE)),
    "not_found": lambda record: "none.json",
    "other_origin": lambda record: "https://example.org/graph.json",
}


def inline(text):
    return f'<script type="application/json">{text}</script>'


@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_what_cannot_be_shown_is_told_in_the_page(browser, site, counter, lang):
    """The author's own content stays beside the message; markup in a record stays text; nothing is asked of another site."""
    record = json.loads(json.dumps(GraphView(counter.graph).record))
    body = "".join(
        f'<tfedu-graph id="{code}" src="{made}">Own {code}</tfedu-graph>' if made.endswith("json") else
        f'<tfedu-graph id="{code}">Own {code}{made}</tfedu-graph>'
        for code, made in ((code, make(record)) for code, make in PROBLEMS.items())
    )  # fmt: skip
    write(site, body, scripts=["graph"], lang=lang)
    with opened(browser, site, "page.html", fails=["404"], locale="de") as page:
        for code in PROBLEMS:
            told = page.locator(f"#{code} [role=alert]")
            told.wait_for()
            words = messages.catalogue(lang)[f"element.{code}"]
            longest = max(words.replace("}", "{").split("{")[::2], key=len)
            assert longest in told.inner_text()
            assert told.get_attribute("lang") == lang
            assert page.locator(f"#{code}").evaluate("e => e.shadowRoot.querySelector('.own').getBoundingClientRect().height") > 0
        assert page.locator("img, b").count() == 0
        assert page.title() == "quiet"
        assert driver.barriers(page.locator("main")) == []


def test_a_bundled_element_works_in_a_page_that_is_opened_as_a_file(browser, package, counter, tmp_path):
    """Browsers load no module from a file. package: npm finds it from the folder above it."""
    folder = package.parents[1]
    (folder / "steps.js").write_text('import "tfedu-elements/steps"', "utf-8")
    options = ["--bundle", "--minify", "--format=iife", f"--outfile={tmp_path / 'steps.bundle.js'}"]
    esbuild = WIDGET_SOURCES / "node_modules" / ".bin" / "esbuild"
    subprocess.run([esbuild, "steps.js", *options, "--log-level=error"], cwd=folder, check=True)
    page = tmp_path / "page.html"
    head = '<!doctype html><meta charset="utf-8"><script defer src="steps.bundle.js"></script>'
    page.write_text(head + StepThrough(counter).element(), "utf-8")
    with driver.page_alone(browser, page.as_uri(), (tmp_path.as_uri(), "data:")) as page:
        for _ in range(5):
            page.get_by_test_id("step").click()
        page.locator("tfedu-steps .state").get_by_text("1.0").first.wait_for()


def test_attributes_and_properties_change_what_is_shown(browser, site, counter):
    attributes = 'theme="dark" view=\'{"run": 1, "step": 2}\''
    write(site, StepThrough(counter).element().replace("<tfedu-steps", f"<tfedu-steps {attributes}"))
    with opened(browser, site, "page.html") as page:
        element, root = page.locator("tfedu-steps"), page.locator("tfedu-steps .tfedu")
        root.wait_for()
        assert root.get_attribute("data-theme") == "dark"
        assert root.get_attribute("lang") == "en"
        element.evaluate("e => { e.seen = []; e.addEventListener('tfedu-position', ({ detail }) => e.seen.push(detail)); }")
        root.get_by_test_id("step").click()
        driver.expect(root.get_by_test_id("step")).to_be_visible()
        assert element.evaluate("e => e.seen") == [{"run": 1, "step": 3}]
        properties = {"theme": "light", "lang": "ko", "heading": "Two", "height": "500px", "view": {"step": 1}}
        element.evaluate("(e, properties) => Object.assign(e, properties) && null", properties)
        driver.expect(root.get_by_role("heading", name="Two")).to_be_visible()
        assert root.get_attribute("data-theme") == "light"
        assert root.get_attribute("lang") == "ko"
        assert root.bounding_box()["height"] == pytest.approx(500, abs=1)
        assert element.evaluate("e => e.seen.at(-1)") == {"run": 1, "step": 1}
        for attribute, wrong, told in (
            ("theme", "blue", "light, dark"), ("height", "tall", "80vh"), ("view", "[", '{"step": 3}'),
            ("view", '{"at": 1}', "run, step"), ("view", '{"step": -1}', "“step”"),
        ):  # fmt: skip
            element.evaluate("(e, [name, value]) => e.setAttribute(name, value)", [attribute, wrong])
            driver.expect(element.locator("[role=alert]")).to_contain_text(told)
            assert root.is_visible()
            element.evaluate("(e, name) => e.removeAttribute(name)", attribute)
        driver.expect(element.locator("[role=alert]")).to_be_hidden()


def test_an_element_that_is_moved_or_removed_and_given_another_record(browser, site, counter):
    write(site, f"<div></div>{GraphView(counter.graph).element()}", scripts=["graph"])
    with opened(browser, site, "page.html") as page:
        root = page.locator("tfedu-graph .tfedu")
        root.wait_for()
        page.evaluate("document.querySelector('div').append(document.querySelector('tfedu-graph'))")
        page.wait_for_timeout(100)
        root.wait_for()
        assert root.count() == 1
        page.evaluate("window.gone = document.querySelector('tfedu-graph'); gone.remove()")
        page.wait_for_function("gone.querySelector('.tfedu') === null")
        page.evaluate("""() => { const made = document.createElement("tfedu-graph");
            made.record = JSON.parse(gone.querySelector("script").textContent); document.querySelector("div").append(made); }""")
        root.wait_for()
        assert root.count() == 1
