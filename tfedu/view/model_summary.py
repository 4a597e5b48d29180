"""`model_summary()`: the table of a model's layers, with the shape of each output and the number of its parameters.

    tfedu.model_summary()                    the layers of the default graph
    tfedu.model_summary(logits)              those that a tensor is computed by

No state.
"""

from __future__ import annotations

from html import escape
from typing import Any

from .make.networks.model_layers import layers_record
from .record_kinds import text_of
from .records import LayersRecord
from .words.layers_text import header, rows_of, sums_text

_CELL = "padding: 0.2em 0.8em 0.2em 0; text-align: "


class ModelSummary:
    """The table of a model's layers: as text, as HTML in a notebook, and as a record."""

    def __init__(self, record: LayersRecord, lang: str | None = None) -> None:
        self.record = record
        self.lang = lang

    def __repr__(self) -> str:
        return text_of(self.record, self.lang)

    def _repr_html_(self) -> str:
        if not self.record.layers:
            return f"<p>{escape(repr(self))}</p>"
        titles = "".join(_cell("th", text, column, ' scope="col"') for column, text in enumerate(header(self.lang)))
        rows = []
        for layer, texts in zip(self.record.layers, rows_of(self.record, self.lang), strict=True):
            depth = (len(texts[0]) - len(texts[0].lstrip())) // 2
            cells = "".join(_cell("td", text, column + 1) for column, text in enumerate(texts[1:]))
            name = f'<span style="padding-left: {depth}em">{escape(texts[0].lstrip())}</span>'
            rows.append(f'<tr><th scope="row" title="{escape(layer.scope)}" style="{_CELL}left">{name}</th>{cells}</tr>')
        body = f"<thead><tr>{titles}</tr></thead><tbody>{''.join(rows)}</tbody>"
        return f"<table>{body}<caption>{escape(sums_text(self.record, self.lang))}</caption></table>"


def _cell(tag: str, text: str, column: int, more: str = "") -> str:
    side = "right" if column == 3 else "left"
    return f'<{tag}{more} style="{_CELL}{side}">{escape(text)}</{tag}>'


def model_summary(target: Any = None, *, lang: str | None = None) -> ModelSummary:
    """The layers of a graph (by default the default graph), or those that a tensor, operation or list of them is computed by.

    Scopes with trainable variables that no layer made are rows, too.

    Raises: TypeError for another target, ValueError for nodes of several graphs.
    """
    return ModelSummary(layers_record(target), lang)


__all__ = ["ModelSummary", "model_summary"]
