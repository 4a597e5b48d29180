"""A Sphinx extension: `extensions = ["tfedu.sphinx"]` gives the directive `tfedu-graph`, whose content is code.

    .. tfedu-graph::
       :widget: steps
       :live:

       x = tf.Variable(0.0)
       tf.assign_add(x, 1)

A figure is a picture, or with `:live:` a widget that works on HTML pages without Python; all widgets of a page share one front
end. State: the kept figures, in the folder of the doctrees.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from .publishing.figure_options import NAME, OPTIONS, made
from .publishing.figures import BlockError, picture_file
from .widgets.pages.exported_page import front_end_of, place

_LIVE_BUILDERS: Final = ("html", "dirhtml", "singlehtml")
# The pictures that builders take, the best first, and the endings of their files.
_ENDINGS: Final = {"image/svg+xml": "svg", "application/pdf": "pdf", "image/png": "png"}
_log = logging.getLogger(__name__)


class tfedu_figure(nodes.General, nodes.Element):
    """A figure, until the builder is known. Its attributes: made, a MadeFigure; number, of a live one on its page."""


def _cache(app: Any) -> Path:
    return Path(app.doctreedir) / "tfedu"


class TfeduGraph(SphinxDirective):
    """The directive. Its code runs in a process of its own, with `tf` and the widgets at hand."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {**OPTIONS, "name": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        code = "\n".join(self.content)
        listing = nodes.literal_block(code, code, language="python")
        try:
            figure = made(code, self.options, _cache(self.env.app))
        except BlockError as error:
            # MyST counts the offset from the fence, docutils from the beginning of the file.
            before = self.content_offset + (0 if self.block_text.startswith("..") else self.lineno)
            line = before + error.line if error.line else self.lineno
            _log.warning("%s: %s", NAME, error, location=(self.env.docname, line), type="tfedu")
            return [listing]
        shown = tfedu_figure(made=figure)
        whole = nodes.figure("", shown)
        self.set_source_info(whole)
        if "caption" in self.options:
            children, problems = self.state.inline_text(self.options["caption"], self.lineno)
            whole += nodes.caption(self.options["caption"], "", *children)
            whole += problems
        self.add_name(whole)
        return [listing, whole] if self.options.get("show-code") else [whole]


class FiguresOfBuilder(SphinxPostTransform):
    """Gives each figure the form that the builder shows: a widget, an image in a format that it takes, or words."""

    default_priority = 5

    def run(self, **_: Any) -> None:
        builder = self.env.app.builder
        number = 0
        for node in list(self.document.findall(tfedu_figure)):
            if node["made"].is_live and builder.name in _LIVE_BUILDERS:
                node["number"] = number
                number += 1
            else:
                node.replace_self(self._still(node, builder.supported_image_types))

    def _still(self, node: tfedu_figure, types: list[str]) -> nodes.Node:
        figure = node["made"]
        ending = next((ending for kind, ending in _ENDINGS.items() if kind in types), None)
        if ending is None:
            return nodes.literal_block(figure.figure.text, figure.figure.text)
        uri = str(picture_file(figure.figure, ending, _cache(self.env.app)))
        image = nodes.image("", uri=uri, candidates={"*": uri}, alt=figure.alt)
        if "width" in figure.options:
            image["width"] = figure.options["width"]
        self.env.images.add_file(self.env.docname, uri)
        return image


def _visit_html(self: Any, node: tfedu_figure) -> None:
    made = node["made"]
    self.body.append(place(made.figure.part, node["number"], None, height=made.options.get("height")))
    raise nodes.SkipNode


def _add_front_end(_app: Any, _page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    live = [] if doctree is None else [node["made"].figure.part for node in doctree.findall(tfedu_figure)]
    if live:
        context["body"] += front_end_of(live, None)


def setup(app: Any) -> dict[str, Any]:
    app.add_node(tfedu_figure, html=(_visit_html, None))
    app.add_directive(NAME, TfeduGraph)
    app.add_post_transform(FiguresOfBuilder)
    app.connect("html-page-context", _add_front_end)
    return {"version": "1", "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}
