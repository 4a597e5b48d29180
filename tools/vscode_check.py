"""Shows that the widgets work in VS Code's renderer of widgets, as far as that renderer is on npm: uses them in Chromium.

    .venv/bin/python tools/vscode_check.py

npm installs Microsoft's @vscode/jupyter-ipywidgets8 into build/vscode (150 MB). tools/vscode_page.mjs connects it to a kernel of
a Jupyter server of .venv, as VS Code's Jupyter extension does in its web view. tests/golden/vscode.json is written: the version
and what happened. The editor, its security policy and the extension's own messages take no part.
tests/widgets/test_other_pages.py holds the result.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from playwright.sync_api import Page

from tools import widget_check

FOLDER = ROOT / "build" / "vscode"
RENDERER = "@vscode/jupyter-ipywidgets8"
PACKAGES = (f"{RENDERER}@1.0.9", "requirejs@2.3.8")
PAGE = """<!doctype html><html lang="en"><title>widgets</title><link rel="icon" href="data:,">
<script src="require.js"></script><script type="module" src="page.js"></script>
<body><main id="place"></main></body></html>"""
CELLS = [f"{widget_check.PROGRAM}\nStepThrough(y)", 'Predict({"y": y})']


def site() -> pathlib.Path:
    """The folder of the page, made anew: the renderer from npm, anywidget's script from .venv."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES], cwd=FOLDER, check=True)
    folder = FOLDER / "site"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(pathlib.Path(sys.prefix) / "share" / "jupyter" / "nbextensions" / "anywidget", folder / "anywidget")
    shutil.copy2(FOLDER / "node_modules" / "requirejs" / "require.js", folder)
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    source = shutil.copy2(ROOT / "tools" / "vscode_page.mjs", FOLDER)
    esbuild = ROOT / "widgets" / "node_modules" / ".bin" / "esbuild"
    options = ["--bundle", "--format=esm", "--log-level=warning", "--define:global=window", f"--outfile={folder / 'page.js'}"]
    subprocess.run([esbuild, source, *options], cwd=FOLDER, check=True)
    return folder


def served(folder: pathlib.Path) -> http.server.ThreadingHTTPServer:
    """A server of the folder's files on 127.0.0.1, already running."""
    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def jupyter(folder: pathlib.Path, page: str) -> tuple[subprocess.Popen[bytes], str]:
    """A running Jupyter server that the page may ask, and its address."""
    port = widget_check.free_port()
    options = {"ip": "127.0.0.1", "port": port, "allow_origin": page, "disable_check_xsrf": True, "root_dir": folder}
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", "--IdentityProvider.token="]
    command += [f"--ServerApp.{name}={value}" for name, value in options.items()]
    log = folder / "log"
    with log.open("wb") as out:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
    return process, widget_check.answering(process, f"http://127.0.0.1:{port}", log)


def main() -> int:
    server = served(site())
    page = f"http://127.0.0.1:{server.server_port}"
    with tempfile.TemporaryDirectory() as name:
        process, kernels = jupyter(pathlib.Path(name), page)

        def shown(tab: Page) -> None:
            tab.goto(page)
            tab.wait_for_function("window.runCells !== undefined")
            failed = tab.evaluate("given => window.runCells(...given, document.getElementById('place'))", [kernels, CELLS])
            if failed:
                raise SystemExit(f"the renderer drew nothing: {failed}")

        try:
            found = widget_check.used((page, kernels), shown, "vscode.png")
        finally:
            process.terminate()
            process.wait(30)
    version = json.loads((FOLDER / "node_modules" / RENDERER / "package.json").read_text(encoding="utf-8"))["version"]
    widget_check.written("vscode", version, found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
