"""Methods for the engine's classes: a graph, tensor or operation as the last line of a cell shows its picture.

The package's __init__ calls `attach()` once. It also lets errors and pictures name notebook cells. No state: TABLE lists the
methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..engine.graph.graph import Graph
from ..engine.graph.nodes import Operation, Tensor
from .make.programs.cell_names import name_cells


def mimebundle(self: Any, include: object = None, exclude: object = None) -> dict[str, str]:
    """The picture, and the usual text for front ends that show none."""
    # Imported here, so that `import tfedu` does not load the drawing.
    from .draw.html import image
    from .show import show

    picture = show(self)
    text = repr(picture) if isinstance(self, Graph) else repr(self)
    return {"image/svg+xml": picture.svg, "text/html": image(picture.svg, text), "text/plain": text}


def svg(self: Any) -> str:
    """The picture as SVG."""
    from .show import show

    return show(self).svg


TABLE: Final[dict[type, dict[str, Callable[..., Any]]]] = {
    kind: {"_repr_mimebundle_": mimebundle, "_repr_svg_": svg} for kind in (Graph, Tensor, Operation)
}


def attach() -> None:
    """Adds the methods of TABLE to their classes, and the names of notebook cells to sites."""
    for kind, methods in TABLE.items():
        for name, method in methods.items():
            setattr(kind, name, method)
    name_cells()
