"""What views give the engine's classes: a graph, tensor or operation as the last line of a cell shows its picture.

`attach()` is called once, by the package's __init__. It also lets errors and pictures name notebook cells. No state here:
what is attached is listed in TABLE.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..engine.graph.graph import Graph
from ..engine.graph.nodes import Operation, Tensor
from .make.cell_names import name_cells


def mimebundle(self: Any, include: object = None, exclude: object = None) -> dict[str, str]:
    """The picture, for places that can draw, and the usual text for the rest."""
    # Drawing is imported when something is drawn: `import tfedu` stays quick.
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
    """Gives the classes of TABLE their methods, and sites the names of notebook cells."""
    for kind, methods in TABLE.items():
        for name, method in methods.items():
            setattr(kind, name, method)
    name_cells()
