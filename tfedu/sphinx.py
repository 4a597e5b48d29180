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

from .publishing.figures import WIDGETS, BlockError, figure_of
from .view import messages
from .view.draw import raster
from .view.whole_files import write_bytes
from .widgets.pages.exported_page import front_end_of, place

_LIVE_BUILDERS: Final = ("html", "dirhtml", "singlehtml")
_log = logging.getLogger(__name__)


class tfedu_figure(nodes.General, nodes.Element):
    """A figure, until the builder is known. Its attributes: figure, live, alt, width."""


def _cache(app: Any) -> Path:
    return Path(app.doctreedir) / "tfedu"


def _choice(*choices: str) -> Any:
    return lambda argument: directives.choice(argument, choices)


class TfeduGraph(SphinxDirective):
    """The directive. Its code runs in a process of its own, with `tf` and the widgets at hand."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "widget": _choice(*WIDGETS),
        "live": directives.flag,
        "runs": directives.positive_int,
        "lang": _choice(*messages.LANGUAGES),
        "title": directives.unchanged,
        "alt": directives.unchanged,
        "caption": directives.unchanged,
        "width": directives.length_or_percentage_or_unitless,
        "show-code": directives.flag,
        "name": directives.unchanged,
    }  # fmt: skip

    def run(self) -> list[nodes.Node]:
        code = "\n".join(self.content)
        kind = self.options.get("widget", "graph")
        options = {name: self.options[name] for name in ("lang", "title") if name in self.options}
        if "runs" in self.options and kind != "graph":
            options["runs"] = self.options["runs"]
        listing = nodes.literal_block(code, code, language="python")
        try:
            figure = figure_of(code, kind, options, _cache(self.env.app))
        except BlockError as error:
            # MyST counts the offset from the fence, docutils from the beginning of the file.
            before = self.content_offset + (0 if self.block_text.startswith("..") else self.lineno)
            line = before + error.line if error.line else self.lineno
            _log.warning("tfedu-graph: %s", error, location=(self.env.docname, line), type="tfedu")
            return [listing]
        shown = tfedu_figure(
            figure=figure, live="live" in self.options, alt=self.options.get("alt", figure.text)
        )
        if "width" in self.options:
            shown["width"] = self.options["width"]
        whole = nodes.figure("", shown)
        self.set_source_info(whole)
        if "caption" in self.options:
            children, problems = self.state.inline_text(self.options["caption"], self.lineno)
            whole += nodes.caption(self.options["caption"], "", *children)
            whole += problems
        self.add_name(whole)
        return [listing, whole] if "show-code" in self.options else [whole]


class FiguresOfBuilder(SphinxPostTransform):
    """Gives each figure the form that the builder shows: a widget, an image in a format that it takes, or words."""

    default_priority = 5

    def run(self, **_: Any) -> None:
        builder = self.env.app.builder
        number = 0
        for node in list(self.document.findall(tfedu_figure)):
            if node["live"] and builder.name in _LIVE_BUILDERS:
                node["number"] = number
                number += 1
            else:
                node.replace_self(self._still(node, builder.supported_image_types))

    def _still(self, node: tfedu_figure, types: list[str]) -> nodes.Node:
        figure = node["figure"]
        for kind, ending, made in (
            ("image/svg+xml", "svg", lambda: figure.svg.encode()),
            ("application/pdf", "pdf", lambda: raster.pdf([figure.svg])),
            ("image/png", "png", lambda: raster.png(figure.svg)),
        ):
            if kind not in types:
                continue
            path = _cache(self.env.app) / f"tfedu-{figure.key}.{ending}"
            if not path.is_file():
                write_bytes(path, made())
            uri = str(path)
            image = nodes.image("", uri=uri, candidates={"*": uri}, alt=node["alt"])
            if "width" in node:
                image["width"] = node["width"]
            self.env.images.add_file(self.env.docname, uri)
            return image
        return nodes.literal_block(figure.text, figure.text)


def _visit_html(self: Any, node: tfedu_figure) -> None:
    self.body.append(place(node["figure"].part, node["number"], None))
    raise nodes.SkipNode


def _add_front_end(_app: Any, _page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    live = [] if doctree is None else [node["figure"].part for node in doctree.findall(tfedu_figure)]
    if live:
        context["body"] += front_end_of(live, None)


def setup(app: Any) -> dict[str, Any]:
    app.add_node(tfedu_figure, html=(_visit_html, None))
    app.add_directive("tfedu-graph", TfeduGraph)
    app.add_post_transform(FiguresOfBuilder)
    app.connect("html-page-context", _add_front_end)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
