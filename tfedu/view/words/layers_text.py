"""A model's layers as a table: `layers_text(record)`; `rows_of(record)` and `sums_text(record)` for other tables. No state."""

from __future__ import annotations

from ..labels import shorten
from ..messages import message
from ..records import LayerRecord, LayersRecord
from .terminal_text import table

_NAME = 48


def header(lang: str | None = None) -> tuple[str, ...]:
    """The titles of the columns."""
    return tuple(message(f"layers.{column}", lang) for column in ("scope", "kind", "output", "parameters"))


def rows_of(record: LayersRecord, lang: str | None = None) -> list[tuple[str, ...]]:
    """A row for each layer: its scope, set in under the layer around it, kind, output and number of parameters."""
    scopes = [layer.scope for layer in record.layers]
    return [
        (
            "  " * sum(layer.scope.startswith(f"{scope}/") for scope in scopes) + shorten(layer.scope, _NAME),
            shorten(layer.kind, _NAME),
            ", ".join(layer.outputs),
            parameters_text(layer, lang),
        )
        for layer in record.layers
    ]


def parameters_text(layer: LayerRecord, lang: str | None = None) -> str:
    """1,234; 1,234 (shared); 1,234 (1,200 trainable)."""
    count = count_text(layer.parameters)
    if layer.shared:
        return message("layers.shared", lang, n=count)
    if layer.trainable == layer.parameters:
        return count
    return message("layers.partly", lang, n=count, trainable=count_text(layer.trainable))


def layer_lines(layer: LayerRecord, lang: str | None = None, blocks: int = 1) -> list[str]:
    """What a closed scope tells of its layer: the kind with the first output, and the number of parameters.

    blocks: of how many blocks these are the layers; parameters are those of all together.
    """
    outputs = [output.removeprefix("float32 ") for output in layer.outputs[:1]]
    more = ["…"] if len(layer.outputs) > 1 else []
    lines = [" ".join([*([shorten(layer.kind, 24)] if layer.kind else []), *outputs, *more])]
    if layer.parameters and blocks > 1 and layer.parameters % blocks == 0:
        each = count_text(layer.parameters // blocks)
        lines.append(message("layers.repeated", lang, n=count_text(layer.parameters), blocks=blocks, each=each))
    elif layer.parameters != 0:
        code = "layers.shares" if layer.shared else "layers.holds"
        lines.append(message(code, lang, n=count_text(layer.parameters)))
    return [line for line in lines if line]


def count_text(count: int | None) -> str:
    """A number with its thousands apart; ? for an unknown one."""
    return "?" if count is None else f"{count:,}"


def sums_text(record: LayersRecord, lang: str | None = None) -> str:
    """How many parameters the model has, and how many of them train."""
    counts = {"n": count_text(record.parameters), "trainable": count_text(record.trainable)}
    return message("layers.sum", lang, **counts)


def layers_text(record: LayersRecord, lang: str | None = None) -> str:
    """The table, and the sums under it."""
    if not record.layers:
        return message("layers.none", lang)
    return "\n".join([*table([header(lang), *rows_of(record, lang)]), "", sums_text(record, lang)])


__all__ = ["count_text", "header", "layer_lines", "layers_text", "parameters_text", "rows_of", "sums_text"]
