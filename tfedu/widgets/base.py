"""The base of all widgets: a record, a language, a title, the shared front end, and a picture for pages without a kernel.

State: `_language`, the default language of widgets ("": the reader's browser chooses); `_front_end`, the model with the front
end for all widgets of the kernel.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Self

import anywidget
import traitlets
from IPython import get_ipython

from ..view import messages
from ..view.draw.html import image
from ..view.record_kinds import message_of, picture
from ..view.records import Record
from .checked_arguments import checked_language

_language = ""


def set_language(lang: str) -> None:
    """Sets the language ("en", "ko", "zh") of pictures and of new widgets; "" leaves it to the browser.

    Raises: ValueError for a language without messages.
    """
    global _language
    messages.use_language(lang or "en")
    _language = lang


@cache
def bundle(name: str) -> str:
    """The text of a file of the built front end, shared by all widgets.

    Raises: FileNotFoundError in a checkout whose front end was not built.
    """
    try:
        return (files(__package__) / "static" / name).read_text("utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"tfedu/widgets/static/{name} is missing: the front end was not built.\n"
            "  fix: in the clone, `cd widgets && npm ci && npm run build`; otherwise install tfedu again"
        ) from None


class FrontEnd(anywidget.AnyWidget):
    """The code and style of all widgets, which load it by `loader.js`: a notebook stores and runs it once."""

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    code = traitlets.Unicode(read_only=True).tag(sync=True)

    @traitlets.default("_esm")
    def _default_esm(self) -> str:
        return bundle("loader.js")

    @traitlets.default("_css")
    def _default_css(self) -> str:
        return bundle("widget.css")

    @traitlets.default("code")
    def _default_code(self) -> str:
        return bundle("widget.js")


_front_end: FrontEnd | None = None


def front_end() -> FrontEnd | None:
    """The shared front end of a Jupyter kernel, whose models live as long as the kernel.

    None elsewhere, where each widget has the code itself: marimo closes a model when its cell runs again.
    """
    global _front_end
    if getattr(get_ipython(), "kernel", None) is None:
        return None
    if _front_end is None or _front_end.comm is None:
        _front_end = FrontEnd()
    return _front_end


class Widget(anywidget.AnyWidget):
    """A record that the front end draws; a saved notebook has its picture. KIND: the record's kind in the front end."""

    KIND: ClassVar[str]

    front_end = anywidget.WidgetTrait().tag(sync=True)
    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Unicode(read_only=True).tag(sync=True)
    record = traitlets.Dict().tag(sync=True)
    lang = traitlets.Unicode().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        # First, so that the page starts the front end while Python makes the record.
        front_end()
        return super().__new__(cls, *args, **kwargs)

    def __init__(self, record: Record, /, *, title: str | None = None, lang: str | None = None, **traits: Any) -> None:
        self._record = record
        checked_language(lang)
        traits.setdefault("record", message_of(record))
        super().__init__(title=title or "", lang=lang if lang is not None else _language, **traits)

    @traitlets.default("kind")
    def _default_kind(self) -> str:
        return self.KIND

    @traitlets.default("front_end")
    def _default_front_end(self) -> FrontEnd | None:
        return front_end()

    @traitlets.default("_esm")
    def _default_esm(self) -> str:
        return bundle("loader.js" if self.front_end else "widget.js")

    @traitlets.default("_css")
    def _default_css(self) -> str:
        return "" if self.front_end else bundle("widget.css")

    def svg(self) -> str | None:
        """The picture for pages without a kernel; None while the widget is locked."""
        return picture(self._record, title=self.title or None, lang=self.lang or None)

    def __repr__(self) -> str:
        name = f" {self.title!r}" if self.title else ""
        return f"<tfedu {type(self).__name__}{name}: {self.described()}. Run this cell to use it.>"

    def described(self) -> str:
        """The content in a few words."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle_and_metadata = super()._repr_mimebundle_(**kwargs)
        text = self.svg()
        if bundle_and_metadata is not None and text is not None:
            bundle_and_metadata[0].update({"image/svg+xml": text, "text/html": image(text, repr(self))})
        return bundle_and_metadata
