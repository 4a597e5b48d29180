"""The command line: `tfedu lab` opens the course, `tfedu run program.py` runs a program of TensorFlow 1.x, `tfedu trace`
prints its runs, `tfedu view graph.pb` opens a file in the browser, `tfedu render` makes a page of Markdown,
`tfedu coverage` prints the names of TensorFlow that a program needs, `tfedu mnist` writes digits for programs that read the
files of MNIST themselves, `tfedu doctor` prints what slows this machine down.

Each command is a function that takes the parsed arguments and returns the exit status.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import os
import pathlib
import secrets
import shutil
import socket
import sys
import threading
import time
import webbrowser
from typing import Any

PACKAGE = pathlib.Path(__file__).resolve().parent
FIRST_PORT = 8888
FIRST_LESSON = "01_identity_and_control_dependencies.ipynb"


def main(argv: list[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0 success, 1 failure, 2 invalid arguments."""
    parser = argparse.ArgumentParser(prog="tfedu", description="TensorFlow 1.x graph mode, to look at and to step through.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    lab_parser = commands.add_parser("lab", help="open the course in JupyterLab")
    lab_parser.add_argument("--port", type=int, help=f"the port (default: the first free one from {FIRST_PORT})")
    lab_parser.add_argument("--no-browser", action="store_true", help="print the address only")
    lab_parser.add_argument(
        "--folder", type=pathlib.Path, help="the folder to work in; the lessons that it lacks are copied into it"
    )
    lab_parser.set_defaults(run=lab)
    run_parser = commands.add_parser("run", help="run a program that imports tensorflow (1.x) or tfedu")
    trace_parser = commands.add_parser("trace", help="run a program and print how each Session.run went, step by step")
    trace_parser.add_argument("--lang", choices=["en", "ko", "zh"], help="the language of the text")
    trace_parser.add_argument("--runs", type=int, default=20, metavar="N", help="print N runs at most (default: 20)")
    for each in (run_parser, trace_parser):
        each.add_argument("--py2", action="store_true", help="the program is for Python 2")
        each.add_argument("--legacy", choices=["0.x"], help="the program is for TensorFlow before 1.0")
        each.add_argument("program", type=pathlib.Path, help="a Python file")
        each.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program itself takes")
    run_parser.set_defaults(run=run)
    trace_parser.set_defaults(run=trace)
    coverage_parser = commands.add_parser("coverage", help="print which names of TensorFlow a program needs, and which are there")
    coverage_parser.add_argument("program", type=pathlib.Path, nargs="?", help="a Python file; without one: all of 1.15's names")
    coverage_parser.add_argument("--course", type=pathlib.Path, metavar="FOLDER", help="programs, notebooks, texts")
    coverage_parser.add_argument("--csv", type=pathlib.Path, metavar="FILE", help="also write the course's report as a table")
    coverage_parser.add_argument("--html", type=pathlib.Path, metavar="FILE", help="also write the course's report as a page")
    coverage_parser.set_defaults(run=coverage)
    mnist_parser = commands.add_parser("mnist", help="write digits that tfedu draws as the files of MNIST, without network")
    mnist_parser.add_argument("folder", type=pathlib.Path, help="where the program looks for the files")
    mnist_parser.set_defaults(run=mnist)
    view_parser = commands.add_parser("view", help="open the file of a graph, a model or a record in the browser")
    files = ".pb, .pbtxt, .meta, .onnx, .mlir, .hlo, .json, or the folder of a saved model"
    view_parser.add_argument("file", type=pathlib.Path, help=files)
    view_parser.add_argument("--lang", choices=["en", "ko", "zh"], help="the language of the page (default: the browser's)")
    view_parser.add_argument("--port", type=int, default=0, help="the port (default: a free one)")
    view_parser.add_argument("--no-browser", action="store_true", help="print the address only")
    view_parser.set_defaults(run=view)
    render_parser = commands.add_parser("render", help="make a page of a Markdown file whose fences for tfedu become figures")
    render_parser.add_argument("file", type=pathlib.Path, help="a Markdown file")
    render_parser.add_argument(
        "-o", "--output", type=pathlib.Path, metavar="FILE",
        help="a page (.html), or Markdown (.md) with its pictures beside it (default: the page of the same name)",
    )  # fmt: skip
    render_parser.add_argument("--lang", choices=["en", "ko", "zh"], help="the language of the page (default: the browser's)")
    render_parser.set_defaults(run=render)
    doctor_parser = commands.add_parser("doctor", help="print what of this machine and its settings makes tfedu slower")
    doctor_parser.set_defaults(run=doctor)
    arguments = parser.parse_args(argv)
    return arguments.run(arguments)


def lab(arguments: argparse.Namespace) -> int:
    """Starts JupyterLab on loopback in the course's folder, prints the address, and waits until it is stopped."""
    try:
        from jupyterlab.labapp import LabApp
    except ImportError:
        return _failed('JupyterLab is not installed. This installs it:  pip install "tfedu[lab]"')
    try:
        port = _port(arguments.port)
        folder = course_folder(arguments.folder)
    except OSError as e:
        return _failed(str(e))

    token = secrets.token_urlsafe(24)
    first = f"/lab/tree/{FIRST_LESSON}" if (folder / FIRST_LESSON).is_file() else "/lab"
    address = f"http://127.0.0.1:{port}{first}?token={token}"
    # keeps JupyterLab from asking on its first start whether it may fetch news from the network
    paths = [str(PACKAGE / "jupyter_config"), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, paths))
    os.environ["JUPYTER_TOKEN"] = token  # not an argument: every user of the machine can read those
    options = [
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={folder}",
        "--ServerApp.use_redirect_file=False",
        f"--LabApp.default_url={first}",
        "--Application.log_level=ERROR",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")
    if arguments.no_browser or not _has_browser():
        options.append("--no-browser")
    print(f"Starting JupyterLab on {folder}", flush=True)
    threading.Thread(target=_announce, args=(port, address), daemon=True).start()
    LabApp.launch_instance(argv=options)
    return 0


def run(arguments: argparse.Namespace) -> int:
    """Runs a program as Python does, with tfedu as TensorFlow; explains errors from Python 2."""
    from tfedu.legacy import running

    if not arguments.program.is_file():
        return _failed(f"there is no file {arguments.program}")
    return running.run(str(arguments.program), arguments.arguments, arguments.py2, arguments.legacy)


def trace(arguments: argparse.Namespace) -> int:
    """Runs a program as `run` does, and prints each `Session.run` in it as the steppers show it."""
    from tfedu.engine.runtime.session import BaseSession

    original_run = BaseSession.run
    BaseSession.run = _Tracer(original_run, arguments.runs, arguments.lang).run  # type: ignore[method-assign]
    try:
        return run(arguments)
    finally:
        BaseSession.run = original_run  # type: ignore[method-assign]


def coverage(arguments: argparse.Namespace) -> int:
    """Prints which names of TensorFlow 1.15 tfedu has, of all or of those that a program needs: 0 if it has all of these."""
    from tfedu.legacy import coverage as measuring

    if arguments.course is not None and arguments.program is None:
        return _course(arguments)
    if arguments.course is not None or arguments.csv is not None or arguments.html is not None:
        print("tfedu coverage: give a program, or --course with a folder; --csv and --html belong to --course", file=sys.stderr)
        return 2
    if arguments.program is not None and not arguments.program.is_file():
        return _failed(f"there is no file {arguments.program}")
    try:
        result = measuring.coverage(arguments.program)
    except SyntaxError as error:
        return _failed(f"{arguments.program}, line {error.lineno}: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return _failed(f"{arguments.program} is no program that can be read: {error}")
    return 1 if arguments.program is not None and result.missing else 0


def mnist(arguments: argparse.Namespace) -> int:
    """Writes the drawn digits as the files of MNIST; a file that is there stays, and ends the command."""
    from tfedu.legacy.datasets import mnist as reader

    try:
        written = reader.write_files(arguments.folder)
    except OSError as e:
        return _failed(str(e))
    print(f"These are digits that tfedu draws, not MNIST's: {', '.join(map(str, written))}")
    return 0


def _course(arguments: argparse.Namespace) -> int:
    """Prints what of a course runs, and writes it to files: 0 if all of it runs."""
    from tfedu.legacy import course

    if not arguments.course.is_dir():
        return _failed(f"there is no folder {arguments.course}")
    report = course.course(arguments.course)
    print(report)
    for path, text in ((arguments.csv, report.csv), (arguments.html, report.html)):
        if path is not None:
            try:
                path.write_text(text(), encoding="utf-8")
            except OSError as error:
                return _failed(str(error))
    return 0 if all(file.verdict in (course.RUNS, course.WITH_OPTIONS) for file in report.files) else 1


class _Tracer:
    """A `Session.run` that traces each run and prints its steps; numbers repeated runs of the same fetches."""

    def __init__(self, original_run: Any, limit: int, lang: str | None) -> None:
        self.original_run, self.left, self.lang = original_run, limit, lang
        self.traces: dict[Any, Any] = {}

    @property
    def run(self) -> Any:
        def run(session: Any, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
            if self.left <= 0:
                return self.original_run(session, fetches, feed_dict, options, run_metadata)
            from tfedu.engine.base import site
            from tfedu.engine.runtime.config import RunMetadata, RunOptions

            metadata = RunMetadata() if run_metadata is None else run_metadata
            metadata.trace = None
            options = RunOptions() if options is None else options
            options.trace_level = RunOptions.FULL_TRACE
            where = site.describe(site.capture())
            try:
                return self.original_run(session, fetches, feed_dict, options, metadata)
            finally:
                if metadata.trace is not None:
                    self.left -= 1
                    self.show(session, metadata.trace, where)

        return run

    def show(self, session: Any, trace: Any, where: str) -> None:
        from tfedu.view.make.runs.trace_records import trace_record
        from tfedu.view.words.terminal_text import trace_text

        key = (session, trace.graph, tuple(element for _, element in trace.fetches), tuple(trace.fed))
        all_runs = self.traces.setdefault(key, trace)
        if all_runs is not trace:
            all_runs.runs.extend(trace.runs)
        record = trace_record(all_runs)
        print(trace_text(dataclasses.replace(record, runs=record.runs[-1:]), self.lang, title=where), end="\n\n", flush=True)


def view(arguments: argparse.Namespace) -> int:
    """Shows a file as a page on loopback, prints its address, and serves it until Ctrl-C."""
    from .opened_files import FileKindError, opened
    from .page_server import PageServer

    try:
        from .widgets.pages.served_page import ServedPage
    except ModuleNotFoundError as error:
        return _failed(str(error))
    from .engine.base.errors import ResourceExhaustedError

    try:
        page = ServedPage(opened(arguments.file, arguments.lang), arguments.file.name, arguments.lang)
        server = PageServer(page.text, page.answer, arguments.port)
    except (ImportError, OSError, OverflowError, FileKindError, ResourceExhaustedError) as error:
        return _failed(str(error))
    with server:
        print(f"{arguments.file} is open at\n\n    {server.address}\n\nCtrl-C ends it.", flush=True)
        if not arguments.no_browser and _has_browser():
            webbrowser.open(server.address)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve()
    return 0


def render(arguments: argparse.Namespace) -> int:
    """Writes a page with a figure in place of each fence for tfedu; prints the errors of fences with their lines."""
    try:
        from .publishing import markdown_pages
    except ModuleNotFoundError as error:
        return _failed(str(error))
    try:
        target = arguments.output or arguments.file.with_suffix(".html")
        print(markdown_pages.render(arguments.file, target, arguments.lang))
    except markdown_pages.MarkdownError as error:
        for line, text in error.problems:
            print(f"{arguments.file}:{line}: {text}", file=sys.stderr)
        return 1
    except (ImportError, OSError, ValueError) as error:
        return _failed(str(error))
    return 0


def doctor(arguments: argparse.Namespace) -> int:
    """Prints what tfedu finds on this machine."""
    from .doctor import report

    print(report())
    return 0


def course_folder(chosen: pathlib.Path | None = None) -> pathlib.Path:
    """The folder of the lessons: the clone's, or a writable copy, whose existing lessons are never replaced.

    Raises: OSError when the folder cannot be written.
    """
    clone = PACKAGE.parent / "notebooks"
    is_clone = (PACKAGE.parent / "pyproject.toml").is_file() and clone.is_dir()
    if chosen is None and is_clone:
        return clone
    source = clone if is_clone else PACKAGE / "course"
    folder = (chosen or pathlib.Path("tfedu-course")).resolve()
    for file in sorted(source.rglob("*")):
        target = folder / file.relative_to(source)
        if file.is_file() and ".ipynb_checkpoints" not in file.parts and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _port(requested: int | None) -> int:
    """The requested port, or the first free one. Raises: OSError, with a plain text, if it cannot be used."""
    for port in [requested] if requested is not None else range(FIRST_PORT, FIRST_PORT + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except (OSError, OverflowError):
                continue
            return port
    if requested is not None:
        raise OSError(f"Port {requested} cannot be used: another program has it, or it is not a port of yours. Try another one.")
    raise OSError(f"No port from {FIRST_PORT} to {FIRST_PORT + 99} is free. Name one with --port.")


def _has_browser() -> bool:
    """Whether a window can be opened: a text browser in this very terminal would hide the address."""
    if "BROWSER" not in os.environ and sys.platform.startswith("linux"):
        if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def _announce(port: int, address: str) -> None:
    """Prints the address as soon as the server answers."""
    while True:
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    print(f"\nThe course is open at\n\n    {address}\n\nCtrl-C stops it; it asks first.", flush=True)


def _failed(text: str) -> int:
    print(f"tfedu: {text}", file=sys.stderr)
    return 1
