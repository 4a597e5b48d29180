"""Netron, the real one, draws the graphs that tfedu writes: its page is served from its package, with our files beside it."""

from __future__ import annotations

import datetime
import functools
import http.server
import pathlib
import re
import threading

import driver
import netron
import pytest
from driver import expect

import tfedu as tf

KINDS = ("VariableV2", "Assign", "MatMul", "Relu")
GRAPHS = ("graph.pb", "graph.pbtxt", "m.ckpt.meta", "model/saved_model.pb")


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of Netron's page, with the files of a graph with a variable in the folder `ours`."""
    folder = tmp_path_factory.mktemp("netron")
    package = pathlib.Path(netron.__file__).parent
    for path in package.iterdir():
        if path.suffix in {".js", ".json", ".css", ".png", ".ico"}:
            (folder / path.name).symlink_to(path)
    page = (package / "index.html").read_text("utf-8")
    # Of the version 0.0.0 Netron sends no reports, and half a year after its date it asks for an update first.
    for name, content in (("version", "0.0.0"), ("date", f"{datetime.datetime.now():%Y-%m-%d %H:%M:%S}")):
        page, count = re.subn(f'(<meta name="{name}" content=)"[^"]*"', rf'\1"{content}"', page)
        assert count == 1
    (folder / "index.html").write_text(page, "utf-8")
    ours = folder / "ours"
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.Variable([[1.0], [2.0]], name="w")
        y = tf.nn.relu(tf.matmul(x, w), name="y")
        session.run(tf.global_variables_initializer())
        for name in ("graph.pb", "graph.pbtxt"):
            tf.train.write_graph(graph, str(ours), name, as_text=name.endswith("txt"))
        tf.train.Saver().save(session, str(ours / "m.ckpt"))
        tf.saved_model.simple_save(session, str(ours / "model"), {"x": x}, {"y": y})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_netron_draws_what_tfedu_writes(browser, site):
    """The test looks by locators that wait: Netron's page lets nobody evaluate text, Playwright's other methods included."""
    agreed = {"name": "consent", "value": "1", "domain": "127.0.0.1", "path": "/"}
    state = {"cookies": [{**agreed, "expires": -1, "httpOnly": False, "secure": False, "sameSite": "Lax"}], "origins": []}
    context = {"storage_state": state, "viewport": {"width": 1000, "height": 800}}
    with driver.page_alone(browser, f"{site}?url=ours/{GRAPHS[0]}", own=(site, "data:"), **context) as page:
        for i, name in enumerate(GRAPHS):
            if i:
                page.goto(f"{site}?url=ours/{name}")
            for kind in KINDS:
                expect(page.locator(".node", has_text=kind).first).to_be_visible()
        page.goto(f"{site}?url=ours/m.ckpt.index")
        expect(page.locator(".node", has_text="float32[2,1]").first).to_be_visible()
        page.screenshot(path=driver.SCREENSHOTS / "netron.png")
