"""The base of all widgets: a record, a language, a title, the shared front end, and a picture for pages without a kernel.

State: `_language`, the default language of widgets ("": the reader's browser chooses); `_front_end`, the model with the front
end for all widgets of the kernel.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import anywidget
import traitlets
from IPython import get_ipython

from ..view import messages
from ..view.draw.html import alternative, image
from ..view.picture_files import ONE_PICTURE, PictureError, Saving, Shown, write_picture
from ..view.record_kinds import message_of
from ..view.records import Record, to_json
from ..view.whole_files import json_text, write_text
from .checked_arguments import checked_language
from .pages.exported_page import PagePart, page
from .pages.front_end_code import bundle, front_end_code

PAGES: Final = (".html", ".htm")
_language = ""


def set_language(lang: str) -> None:
    """Sets the language ("en", "ko", "zh") of pictures and of new widgets; "" leaves it to the browser.

    Raises: ValueError for a language without messages.
    """
    global _language
    messages.use_language(lang or "en")
    _language = lang


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
        return front_end_code()


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


# Of a notebook alone: the layout of its page, and the model that holds the front end for all its widgets.
_OF_NOTEBOOKS = frozenset({"front_end", "layout", "tabbable", "tooltip"})


def of_page(trait: str) -> bool:
    """Whether a page needs a trait of this name."""
    return trait[0] != "_" and trait not in _OF_NOTEBOOKS


class Widget(anywidget.AnyWidget):
    """A record that the front end draws; a saved notebook has its picture.

    KIND: its kind in the front end. ELEMENT: the custom element that shows the same record in a web page, "" for none.
    """

    KIND: ClassVar[str]
    ELEMENT: ClassVar[str] = ""

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

    @classmethod
    def of_record(cls, record: Any, *, title: str | None = None, lang: str | None = None) -> Self:
        """A widget over a record that it did not make, such as one from a file. Nothing can be asked of it."""
        widget = cls.__new__(cls)
        # All but the class's own: that one makes the record out of a program.
        super(cls, widget).__init__(record, title=title, lang=lang)
        return widget

    @traitlets.default("kind")
    def _default_kind(self) -> str:
        return self.KIND

    @traitlets.default("front_end")
    def _default_front_end(self) -> FrontEnd | None:
        return front_end()

    @traitlets.default("_esm")
    def _default_esm(self) -> str:
        return bundle("loader.js") if self.front_end else front_end_code()

    @traitlets.default("_css")
    def _default_css(self) -> str:
        return "" if self.front_end else bundle("widget.css")

    def svg(self, lang: str | None = None) -> str | None:
        """The picture for pages without a kernel; None while the widget is locked. lang: by default the widget's."""
        shown = self.shown(lang)
        return None if shown is None else shown.svg

    def shown(self, lang: str | None = None) -> Shown | None:
        """The picture, which `svg` and `save` draw; None while the widget is locked."""
        return Shown(f"A {type(self).__name__}", self._record, self.title or None, lang or self.lang or None)

    def __repr__(self) -> str:
        name = f" {self.title!r}" if self.title else ""
        return f"<tfedu {type(self).__name__}{name}: {self.described()}. Run this cell to use it.>"

    def in_words(self) -> str:
        """What a page says in place of the widget's picture: there is no cell to run."""
        return f"{self.title or type(self).__name__}: {self.described()}"

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        scale: float | None = None,
        frames: bool | Sequence[int] = False,
        play: bool = False,
        seconds: float = 1.0,
    ) -> Path | list[Path]:
        """Writes the widget as a page (.html), its picture or its record (.json), completely or not at all; returns the path.

        Pictures are .svg, .png and .pdf, and .dot, .gv and .mmd (Mermaid) of a widget with a graph; .txt is the picture in words.
        scale: of a .png or .gif, its pixels for each pixel of the picture, by default 2 and 1.
        frames: of a widget with steps, one picture a step: True for all, or their numbers from 1, which is the state before the
        first step. A .svg or .png is a file each (run-01.svg, …), whose paths are returned, a .pdf has a page for each, and a
        .gif always plays them. play: one .svg that plays the steps by itself. seconds: for each step that plays.
        Raises: ValueError for another ending, for a widget without a picture or steps, for options out of range, and as
        `tfedu.export_html`; ImportError where a format needs a package that is missing; OSError where the file cannot be written.
        Warns: FontWarning where a .png or .pdf has characters that no font of this machine has.
        """
        ending = Path(path).suffix.lower()
        saving = Saving(scale, frames, play, seconds)
        if ending in PAGES:
            if saving != ONE_PICTURE:
                raise PictureError("scale, frames, play and seconds are for pictures: a page has all steps")
            return write_page([self], path, None, self.lang or None)
        shown = self.shown()
        if shown is None:
            raise PictureError(f"This {type(self).__name__} has no picture before its question is answered")
        return write_picture(shown, path, saving, PAGES)

    def element(self, src: str = "", *, picture: str = "") -> str:
        """The HTML of a custom element with this widget's record, for pages that load the npm package tfedu-elements.

        src: the address of the record that `save("run.json")` writes; without it the record stands inside. picture: that of the
        picture that `save("run.svg")` writes; without it the picture stands inside. It is shown on paper, and where no script
        runs.
        Raises: ValueError for a widget that no element shows, and for a locked one.
        """
        if not self.ELEMENT:
            raise ValueError(f"no element shows a {type(self).__name__}: Python must check the learner's acts")
        shown = self.shown()
        if shown is None:
            raise ValueError(f"This {type(self).__name__} has nothing to show before its question is answered")
        attributes = [("src", src), ("heading", self.title), ("lang", self.lang)]
        start = "".join([self.ELEMENT, *(f' {name}="{escape(value)}"' for name, value in attributes if value)])
        # No letter of the record can end the script element that it stands in.
        record = json_text(to_json(shown.record)).replace("<", "\\u003c")
        inside = "" if src else f'<script type="application/json">{record}</script>'
        alt = escape(alternative(self.in_words()))
        still = f'<img alt="{alt}" src="{escape(picture)}">' if picture else image(shown.svg, self.in_words())
        return f"<{start}>{inside}{still}</{self.ELEMENT}>"

    def page_part(self, lang: str | None) -> PagePart:
        """What a page needs to show the widget without Python. Raises: ValueError where that is of no use."""
        waits = "it waits for a prediction" if getattr(self, "locked", False) else self.needs_python()
        if waits:
            raise ValueError(f"A page without Python cannot show this {type(self).__name__}: {waits}")
        traits = {name: value for name, value in self.get_state().items() if of_page(name)}
        if lang:
            traits["lang"] = lang
        svg = self.svg(lang)
        return PagePart(_without_python(traits), "" if svg is None else image(svg, self.in_words()))

    def needs_python(self) -> str:
        """Why a page without Python is of no use for the widget; "" where it is."""
        return ""

    def described(self) -> str:
        """The content in a few words."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle_and_metadata = super()._repr_mimebundle_(**kwargs)
        text = self.svg()
        if bundle_and_metadata is not None and text is not None:
            bundle_and_metadata[0].update({"image/svg+xml": text, "text/html": image(text, repr(self))})
        return bundle_and_metadata


def page_traits(kind: type[Widget]) -> dict[str, Any]:
    """The traits that a widget of this class begins with on a page, but for its record, its language and its title."""
    given = _OF_NOTEBOOKS | {"kind", "record", "lang", "title"}
    traits = kind.class_traits(sync=True)
    own = {name: trait.default() for name, trait in sorted(traits.items()) if name[0] != "_" and name not in given}
    return _without_python(own)


def _without_python(traits: dict[str, Any]) -> dict[str, Any]:
    """The same where no program answers questions."""
    return {**traits, "explains": False} if "explains" in traits else traits


def write_page(widgets: Sequence[Widget], path: str | os.PathLike[str], title: str | None, lang: str | None) -> Path:
    """Writes a page with the widgets, completely or not at all. Raises: ValueError, OSError as `tfedu.export_html`."""
    return write_text(path, page_text(widgets, title, lang))


def page_text(
    widgets: Sequence[Widget], title: str | None = None, lang: str | None = None, asked: Sequence[int] = ()
) -> str:
    """A page with the widgets. asked: the numbers of those whose questions the page's own server answers.

    Raises: ValueError as `tfedu.export_html`.
    """
    parts = [widget.page_part(lang) for widget in widgets]
    return page(parts, title or widgets[0].title, lang, asked)
