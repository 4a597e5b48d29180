"""The picture of a Keras model: `plot_model(model, "model.svg")` and `model_to_dot(model)`. No state.

The drawing is imported in the functions, so that `tf.keras` does not load it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from .make.networks.network_records import network_record

_ORIENTATIONS: Final = {"TB": "down", "LR": "right"}
_ENDINGS: Final = {"raw": ".dot", "dot": ".dot", "gv": ".gv", "svg": ".svg", "png": ".png", "pdf": ".pdf"}
_PIXELS: Final = 96.0  # dots per inch of a picture whose pixels are the picture's own


class ModelDot:
    """The picture of a model, with the methods of pydot's graphs that programs call: `create`, `write`, `to_string`.

    Graphviz draws nothing: SVG, PNG and PDF are tfedu's own picture, and a notebook shows it.
    """

    def __init__(self, picture: Any, scale: float) -> None:
        self.picture = picture
        self.scale = scale

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        return str(self.picture.svg)

    @property
    def source(self) -> str:
        """The model as DOT source.

        Raises: ImportError where the graphviz package is missing.
        """
        return str(self.picture.dot)

    def to_string(self) -> str:
        """The model as DOT source."""
        return self.source

    def create(self, prog: Any = None, format: str = "svg") -> bytes:
        """The picture as bytes. format: "svg", "png", "pdf", or "dot" for the source; prog is not needed.

        Raises: ValueError for another format; ImportError where a format needs a package that is missing.
        """
        from .picture_files import Saving, bytes_of

        return bytes_of(self.picture.shown, f"model{_ending(format)}", Saving(self.scale if format == "png" else None))

    def write(self, path: str | os.PathLike[str], prog: Any = None, format: str = "raw") -> bool:
        """Writes the bytes of `create` to a file, completely or not at all.

        Raises: as `create`; OSError where the file cannot be written.
        """
        from .whole_files import write_bytes

        write_bytes(path, self.create(prog, format))
        return True

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the picture to a file in the format of its ending; returns the path.

        Raises: ValueError for another ending; as `write`.
        """
        scale = self.scale if Path(path).suffix.lower() == ".png" else None
        saved: Path = self.picture.save(path, scale=scale)
        return saved

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        return self.picture._repr_mimebundle_(include, exclude)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return repr(self.picture)


def _ending(format: str) -> str:
    if format not in _ENDINGS:
        raise ValueError(f"format must be one of {', '.join(_ENDINGS)}, not {format!r:.60}")
    return _ENDINGS[format]


def model_to_dot(
    model: Any,
    show_shapes: bool = False,
    show_layer_names: bool = True,
    rankdir: str = "TB",
    expand_nested: bool = False,
    dpi: float = _PIXELS,
    subgraph: bool = False,
) -> ModelDot:
    """The picture of a model: its layers, from the inputs to the outputs.

    show_shapes: whether the lines tell shapes. show_layer_names: whether boxes tell the layers' names. rankdir: "TB" from top to
    bottom, "LR" from left to right. expand_nested: whether models inside are drawn as their layers. dpi: of PNG. subgraph:
    whether the model has a frame.

    Raises: TypeError for what is no model; ValueError for another rankdir, and for a Sequential without the shape of its inputs.
    """
    from .picture_files import Shown
    from .show import Picture

    if rankdir not in _ORIENTATIONS:
        raise ValueError(f"rankdir must be one of {', '.join(_ORIENTATIONS)}, not {rankdir!r:.60}")
    record = network_record(model, show_shapes, show_layer_names, expand_nested, subgraph)
    options = {"orientation": _ORIENTATIONS[rankdir]}
    return ModelDot(Picture(Shown("The picture of a model", record, model.name, None, options)), dpi / _PIXELS)


def plot_model(
    model: Any,
    to_file: str | os.PathLike[str] = "model.png",
    show_shapes: bool = False,
    show_layer_names: bool = True,
    rankdir: str = "TB",
    expand_nested: bool = False,
    dpi: float = _PIXELS,
) -> ModelDot:
    """Writes the picture of a model to a file, and returns it. to_file: .png, .svg, .pdf, .dot, .gv, .mmd, .txt or .json.

    Other arguments: as of `model_to_dot`.

    Raises: as `model_to_dot`; ValueError for another ending; ImportError where a format needs a package that is missing.
    """
    picture = model_to_dot(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi)
    picture.save(to_file)
    return picture


__all__ = ["ModelDot", "model_to_dot", "plot_model"]
