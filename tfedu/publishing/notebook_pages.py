"""Exporters of nbconvert: `jupyter nbconvert --to tfedu-html lesson.ipynb`, and `tfedu-slides`, `tfedu-pdf`, `tfedu-latex`.

Pages and slides are one file each, in which the widgets of tfedu work without a kernel and a network. A widget comes from the
state that the notebook has saved, which is data (widgets/pages/notebook_state.py). What cannot be shown stays its saved
picture, with the reason below. No state.
"""

from __future__ import annotations

import base64
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from html import escape
from importlib.resources import files
from typing import Any, Final, NamedTuple

import traitlets
from nbconvert.exporters import HTMLExporter, LatexExporter, SlidesExporter
from nbconvert.preprocessors import SVG2PDFPreprocessor

from ..view import messages
from ..view.draw import raster
from ..view.draw.html import image
from ..widgets.pages.exported_page import PLACE_STYLE, PagePart, front_end_of, place
from ..widgets.pages.notebook_state import SavedWidgetError, is_ours, part_of_state

_VIEW: Final = "application/vnd.jupyter.widget-view+json"
_STATE: Final = "application/vnd.jupyter.widget-state+json"
_SVG: Final = "image/svg+xml"
_TEMPLATES: Final = str(pathlib.Path(__file__).with_name("templates"))
_BROWSERS: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)


class _Placed(NamedTuple):
    """A notebook whose widgets are HTML. parts: those that work; problems: of the others, why they do not."""

    notebook: Any
    parts: list[PagePart]
    problems: list[str]


def _placed(notebook: Any, lang: str | None, live: bool) -> _Placed:
    """Puts an element for each widget of tfedu in the place of its output; widgets of others stay. Changes the notebook."""
    placed = _Placed(notebook, [], [])
    states = _states(placed.notebook.metadata)
    left = False
    for cell in placed.notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if _VIEW not in data:
                continue
            view = data[_VIEW]
            state = states.get(view.get("model_id")) if isinstance(view, dict) else None
            if state is not None and not is_ours(state):
                left = True
                continue
            output["data"] = {
                "text/html": _output(data, state, placed, lang, live),
                "text/plain": _text(data),
            }
            output["metadata"] = {"tfedu": True}  # for the templates
    if not left:  # else nbconvert would load Jupyter's own widgets from a network
        placed.notebook.metadata.pop("widgets", None)
    return placed


def _states(metadata: Any) -> dict[str, Any]:
    """The saved state of each widget, by its id; of damaged metadata none."""
    at = metadata
    for name in ("widgets", _STATE, "state"):
        at = at.get(name) if isinstance(at, dict) else None
    models = at if isinstance(at, dict) else {}
    return {
        id: model["state"]
        for id, model in models.items()
        if isinstance(model, dict) and isinstance(model.get("state"), dict)
    }


def _output(data: Any, state: Any, placed: _Placed, lang: str | None, live: bool) -> str:
    try:
        if state is None:
            raise SavedWidgetError("saved without its state; run it with --execute")
        part = part_of_state(state, lang)
    except SavedWidgetError as error:
        placed.problems.append(str(error))
        note = messages.message("page.picture_only", lang, reason=str(error)) if live else ""
        return _saved_picture(data) + (f"<p>{escape(note)}</p>" if note else "")
    if not live:
        return part.still
    placed.parts.append(part)
    return place(part, len(placed.parts) - 1, lang)


def _saved_picture(data: Any) -> str:
    """The picture in an output, as an image, which can run nothing; else the text."""
    svg = data.get(_SVG)
    text = _text(data)
    return image(svg, text) if isinstance(svg, str) and svg else f"<pre>{escape(text)}</pre>"


def _text(data: Any) -> str:
    text = data.get("text/plain", "")
    return text if isinstance(text, str) else ""


class _WithWidgets(traitlets.HasTraits):
    """What the exporters of HTML share: they load nothing, and the widgets of tfedu are in the page."""

    live = traitlets.Bool(
        True, help="Whether widgets of tfedu work on the page; else they are pictures."
    ).tag(config=True)

    # Nothing comes from a network; an author may name copies.
    require_js_url = traitlets.Unicode("", help="URL of require.js, by default none.").tag(config=True)
    jquery_url = traitlets.Unicode("", help="URL of jQuery, by default none.").tag(config=True)
    mathjax_url = traitlets.Unicode("", help="URL of MathJax 2, by default none: formulas stay TeX.").tag(
        config=True
    )
    mermaid_js_url = traitlets.Unicode("", help="URL of Mermaid, by default none.").tag(config=True)

    @traitlets.default("extra_template_basedirs")
    def _own_templates(self) -> list[str]:
        return [_TEMPLATES]

    @traitlets.default("extra_template_paths")
    def _shared_templates(self) -> list[str]:
        return [_TEMPLATES]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # As the last preprocessor: with --execute another one makes the outputs.
        self.register_preprocessor(self._place)  # type: ignore[attr-defined]

    @property
    def _lang(self) -> str | None:
        code: str = self.language_code  # type: ignore[attr-defined]
        return code if code in messages.LANGUAGES and code != "en" else None

    def _place(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        placed = _placed(nb, self._lang, self.live)
        for problem in placed.problems:
            self.log.warning("A widget stays a picture: %s", problem)  # type: ignore[attr-defined]
        resources["tfedu_parts"] = placed.parts
        return placed.notebook, resources

    def from_notebook_node(self, nb: Any, resources: Any = None, **options: Any) -> tuple[Any, Any]:
        if not self.mathjax_url and any(
            cell.cell_type == "markdown" and _FORMULA.search(cell.source) for cell in nb.cells
        ):
            self.log.warning(
                "Formulas stay TeX: name a copy of MathJax 2 by --%s.mathjax_url", type(self).__name__
            )  # type: ignore[attr-defined]
        text, resources = super().from_notebook_node(nb, resources, **options)  # type: ignore[misc]
        parts = resources.pop("tfedu_parts")
        end = front_end_of(parts, self._lang) if parts else f"<style>{PLACE_STYLE}</style>"
        body, found, rest = text.rpartition("</body>")
        return (f"{body}{end}{found}{rest}" if found else f"{text}{end}"), resources


_FORMULA: Final = re.compile(r"\$[^$\n]+\$|\$\$|\\\(|\\\[|\\begin\{")


class TfeduHTMLExporter(_WithWidgets, HTMLExporter):
    """A notebook as one page without kernel and network."""

    export_from_notebook = "HTML with tfedu's widgets"

    @traitlets.default("template_name")
    def _template_name_default(self) -> str:
        return "tfedu"


class TfeduSlidesExporter(_WithWidgets, SlidesExporter):
    """A notebook as slides in one file, with reveal.js in it.

    Raises: ImportError where the package that has reveal.js is missing; ValueError for an unknown theme.
    """

    export_from_notebook = "Slides with tfedu's widgets"
    reveal_width = traitlets.Unicode("1280", help="Width of a slide, in pixels.").tag(config=True)
    reveal_height = traitlets.Unicode("800", help="Height of a slide, in pixels.").tag(config=True)

    @traitlets.default("template_name")
    def _template_name_default(self) -> str:
        return "tfedu-slides"

    def _init_resources(self, resources: Any) -> Any:
        resources = super()._init_resources(resources)
        reveal = resources["reveal"]
        reveal["files"] = {
            "style": _reveal("dist/reveal.css"),
            "theme": _reveal(f"dist/theme/{self.reveal_theme}.css"),
            "script": _reveal("dist/reveal.js"),
        }
        return resources


_IMPORT: Final = re.compile(r"@import\s+url\([^)]*\)\s*;")


def _reveal(path: str) -> str:
    """A file of reveal.js. Of a theme without its fonts, some of which come from a network.

    Raises: ImportError where the package is missing, ValueError for a theme that reveal.js does not have.
    """
    try:
        root = files("sphinx_revealjs") / "_static" / "revealjs"
    except ModuleNotFoundError as error:
        raise ImportError('Slides need reveal.js. This installs it:  pip install "tfedu[docs]"') from error
    if not re.fullmatch(r"[\w./-]+", path) or ".." in path or not (root / path).is_file():
        raise ValueError(f"reveal.js has no file {path[:80]!r}")
    return _IMPORT.sub("", (root / path).read_text("utf-8"))


class TfeduPDFExporter(_WithWidgets, HTMLExporter):
    """A notebook as PDF, printed by an installed Chromium or Chrome without a network.

    Raises: FileNotFoundError where there is no browser, RuntimeError where it fails.
    """

    export_from_notebook = "PDF with tfedu's pictures"
    live = traitlets.Bool(False, help="Paper has pictures.").tag(config=True)
    browser = traitlets.Unicode(
        "", help="The program of Chromium or Chrome; by default the one that is found."
    ).tag(config=True)
    disable_sandbox = traitlets.Bool(
        False, help="Run the browser without its sandbox: as root, or in a container, where it has none."
    ).tag(config=True)

    @traitlets.default("file_extension")
    def _file_extension_default(self) -> str:
        return ".pdf"

    @traitlets.default("template_extension")
    def _template_extension_default(self) -> str:
        return ".html.j2"

    @traitlets.default("template_name")
    def _template_name_default(self) -> str:
        return "tfedu"

    def from_notebook_node(self, nb: Any, resources: Any = None, **options: Any) -> tuple[Any, Any]:
        text, resources = super().from_notebook_node(nb, resources, **options)
        resources["output_extension"] = ".pdf"
        return _printed(text, self.browser or _found_browser(), self.disable_sandbox), resources


def _found_browser() -> str:
    for name in _BROWSERS:
        if found := shutil.which(name):
            return found
    raise FileNotFoundError(
        "PDF needs Chromium or Chrome, and none was found\n  fix: install one, or name it by --TfeduPDFExporter.browser=PATH"
    )


def _printed(text: str, browser: str, disable_sandbox: bool) -> bytes:
    """The page as PDF."""
    with tempfile.TemporaryDirectory() as folder:
        page, made = pathlib.Path(folder, "page.html"), pathlib.Path(folder, "page.pdf")
        page.write_text(text, encoding="utf-8")
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
        ]
        command += [f"--user-data-dir={folder}/profile", "--no-pdf-header-footer", f"--print-to-pdf={made}"]
        command += ["--no-sandbox"] * disable_sandbox
        done = subprocess.run(
            [*command, page.as_uri()],
            capture_output=True,
            text=True,
            errors="replace",
            env={**os.environ, "HOME": folder},
        )
        if done.returncode or not made.is_file():
            hint = "\n  fix: --TfeduPDFExporter.disable_sandbox=True" if "sandbox" in done.stderr else ""
            raise RuntimeError(f"{browser} made no PDF: {done.stderr.strip()[-400:]}{hint}")
        return made.read_bytes()


class _VectorPictures(SVG2PDFPreprocessor):
    """Pictures as PDF: tfedu's without Inkscape."""

    def convert_figure(self, data_format: Any, data: Any) -> Any:
        if isinstance(data, str) and raster.is_own(data):
            return base64.b64encode(raster.pdf([data])).decode("ascii")
        return super().convert_figure(data_format, data)


class TfeduLatexExporter(LatexExporter):
    """A notebook as LaTeX, in which tfedu's pictures are vectors; Inkscape is not needed for them."""

    export_from_notebook = "LaTeX with tfedu's pictures"

    @traitlets.default("default_preprocessors")
    def _own_preprocessors(self) -> list[Any]:
        """In the place of nbconvert's: after the cells have run, before the outputs become files."""
        known = LatexExporter.default_preprocessors.default() or []
        return [_VectorPictures if name.endswith(".SVG2PDFPreprocessor") else name for name in known]


__all__ = ["TfeduHTMLExporter", "TfeduLatexExporter", "TfeduPDFExporter", "TfeduSlidesExporter"]
