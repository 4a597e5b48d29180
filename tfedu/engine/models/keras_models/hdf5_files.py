"""Models and weights in HDF5 files, as Keras writes them: layers as groups, their weights as datasets. Needs h5py. No state.

    model_weights/dense/dense/kernel:0      an array; the attribute weight_names of model_weights/dense lists them
    model_config                            an attribute: the layers as JSON; training_config what `compile` was told
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...base.errors import DataLossError, NotFoundError, error_text
from ..keras_parts.keras_session import keras_session
from ..keras_recurrent.cudnn_layers import converted

VERSION = {"keras_version": "2.2.4-tf", "backend": "tensorflow"}


class MissingHdf5Error(NotFoundError, FileNotFoundError):
    """The file does not exist. The error is an OSError, too, since TF 1.15 raises one and programs catch it."""


class DamagedHdf5Error(DataLossError, OSError):
    """The file is not in the HDF5 format. The error is an OSError, too, since TF 1.15 raises one."""


def is_hdf5(path: Any, save_format: str | None = None) -> bool:
    """Whether a path or a format means an HDF5 file."""
    if save_format is not None:
        return save_format.lower() in ("h5", "hdf5", "keras")
    return os.fspath(path).endswith((".h5", ".hdf5", ".keras"))


def is_hdf5_file(path: Any) -> bool:
    """Whether a file begins as HDF5 files do."""
    return _begins(path, b"\x89HDF\r\n\x1a\n")


def _begins(path: Any, start: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(start)) == start
    except OSError:
        return False


@contextlib.contextmanager
def opened(path: Any, mode: str) -> Iterator[Any]:
    """`with opened(path, "r") as file:` an h5py.File.

    Raises: ImportError without h5py; MissingHdf5Error; DamagedHdf5Error for one that is no HDF5 file.
    """
    try:
        h5py = importlib.import_module("h5py")
    except ImportError:
        raise ImportError(
            error_text("HDF5 files need h5py, which is not installed", fix='pip install "tfedu[keras]"')
        ) from None
    path = os.fspath(path)
    if mode == "r" and not os.path.exists(path):
        raise MissingHdf5Error(None, None, error_text(f"Unable to open file: there is no file {path}"))
    if mode == "r" and os.path.isdir(path):
        raise DamagedHdf5Error(None, None, error_text(f"{path} is a folder, not an HDF5 file"))
    if mode == "r" and _begins(path, b"PK\x03\x04"):
        raise DamagedHdf5Error(
            None, None,
            error_text(
                f"{path} is no HDF5 file: it is a model in the format of Keras 3 or of TensorFlow 2.12 and later (.keras)",
                fix='save the model there as an HDF5 file: model.save("model.h5")',
            ),
        )  # fmt: skip
    try:
        file = h5py.File(path, mode)
    except OSError as error:
        if mode != "r":
            raise
        raise DamagedHdf5Error(None, None, error_text(f"{path} is no HDF5 file: {error}")) from None
    with file:
        yield file


@contextlib.contextmanager
def written(path: Any) -> Iterator[Any]:
    """`with written(path) as file:` a new h5py.File, which takes the path's place when it is whole."""
    whole = f"{os.fspath(path)}.tmp{os.getpid()}"
    try:
        with opened(whole, "w") as file:
            yield file
        os.replace(whole, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(whole)


def write_weights(group: Any, layers: list[Any]) -> None:
    """The layers' weights into a group."""
    group.attrs["layer_names"] = [layer.name.encode() for layer in layers]
    group.attrs["backend"] = VERSION["backend"].encode()
    group.attrs["keras_version"] = VERSION["keras_version"].encode()
    for layer in layers:
        own = group.require_group(layer.name)
        weights = _weights_of(layer)
        values = keras_session().run(weights) if weights else []
        own.attrs["weight_names"] = [weight.name.encode() for weight in weights]
        for weight, value in zip(weights, values):
            own.create_dataset(weight.name, data=value)


def _weights_of(layer: Any) -> list[Any]:
    return [*layer.trainable_weights, *layer.non_trainable_weights]


def _names(group: Any, attribute: str) -> list[str]:
    if attribute not in group.attrs:
        raise DataLossError(None, None, error_text(f"{group.file.filename} holds no Keras weights: it lacks {attribute}"))
    return [name.decode() if isinstance(name, bytes) else str(name) for name in group.attrs[attribute]]


def read_weights(group: Any, layers: list[Any]) -> None:
    """Sets the layers' weights, layer after layer.

    Raises: ValueError for other layers or weights than the file has.
    """
    own = [layer for layer in layers if _weights_of(layer)]
    names = [name for name in _names(group, "layer_names") if _names(group[name], "weight_names")]
    if len(names) != len(own):
        raise ValueError(
            error_text(
                f"You are trying to load a weight file containing {len(names)} layers into a model with {len(own)} layers."
            )
        )
    for name, layer in zip(names, own):
        _set(layer, group[name], name)


def read_weights_by_name(group: Any, layers: list[Any], skip_mismatch: bool = False) -> None:
    """Sets the weights of those layers whose names the file has.

    Raises: ValueError for other weights than the file has.
    """
    names = _names(group, "layer_names")
    for layer in layers:
        if layer.name in names and _names(group[layer.name], "weight_names"):
            _set(layer, group[layer.name], layer.name)


def _set(layer: Any, group: Any, name: str) -> None:
    weights = _weights_of(layer)
    arrays = converted(layer, [np.asarray(group[each]) for each in _names(group, "weight_names")])
    if len(arrays) != len(weights):
        raise ValueError(
            error_text(
                f'Layer "{layer.name}" (named "{name}" in the file) expects {len(weights)} weight(s), but the file has '
                f"{len(arrays)}."
            )
        )
    for weight, array in zip(weights, arrays):
        if tuple(weight.shape.as_list()) != array.shape:
            raise ValueError(
                error_text(
                    f'Layer "{layer.name}": weight {weight.name} has shape {tuple(weight.shape.as_list())}, but the file has '
                    f"shape {array.shape}."
                )
            )
    for weight, array in zip(weights, arrays):
        weight.load(array.astype(weight.dtype.base_dtype.as_numpy_dtype), keras_session())


def write_model(file: Any, model: Any, include_optimizer: bool, as_json: Any) -> None:
    """A model into a file: its configuration, its weights, what `compile` was told and the optimizer's state."""
    for name, value in VERSION.items():
        file.attrs[name] = value.encode()
    config = {"class_name": type(model).__name__, "config": model.get_config()}
    file.attrs["model_config"] = json.dumps(config, default=as_json).encode()
    write_weights(file.create_group("model_weights"), model.layers)
    told = compile_told(model)
    if not include_optimizer or told is None:
        return
    file.attrs["training_config"] = json.dumps(told, default=as_json).encode()
    weights = model.optimizer.weights
    if weights:
        group = file.create_group("optimizer_weights")
        group.attrs["weight_names"] = [weight.name.encode() for weight in weights]
        for weight, value in zip(weights, keras_session().run(weights)):
            group.create_dataset(weight.name, data=value)


def compile_told(model: Any) -> dict[str, Any] | None:
    """What `compile` was told, as configurations; None without an optimizer that has one."""
    if model.optimizer is None or not hasattr(model.optimizer, "from_config"):
        return None
    return {
        "optimizer_config": {"class_name": type(model.optimizer).__name__, "config": model.optimizer.get_config()},
        "loss": _plain(model.loss),
        "metrics": _plain(model._compile_arguments.get("metrics")),
        "weighted_metrics": _plain(model._compile_arguments.get("weighted_metrics")),
        "sample_weight_mode": model.sample_weight_mode,
        "loss_weights": model.loss_weights,
    }


def _plain(value: Any) -> Any:
    """Losses and metrics by name or configuration."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    return getattr(value, "__name__", value)


def check_version(file: Any) -> None:
    """Raises: NotImplementedError for a model of Keras 3, whose layers are configured otherwise."""
    version = file.attrs.get("keras_version", "")
    version = version.decode() if isinstance(version, bytes) else str(version)
    if version.partition(".")[0].isdigit() and int(version.partition(".")[0]) > 2:
        raise NotImplementedError(
            error_text(
                f"{file.filename} was saved by Keras {version}, whose configurations of layers are others than those of 1.15",
                fix=f"build the model in the program, and give it the file's weights: model.load_weights({file.filename!r})",
            )
        )


def read_json(file: Any, attribute: str) -> Any:
    """An attribute that holds JSON; None without it.

    Raises: DataLossError for one that is damaged.
    """
    text = file.attrs.get(attribute)
    if text is None:
        return None
    try:
        return json.loads(text.decode() if isinstance(text, bytes) else text)
    except (ValueError, RecursionError) as error:
        raise DataLossError(
            None, None, error_text(f"{file.filename}: the attribute {attribute} is damaged: {error}")
        ) from None


__all__ = [
    "VERSION", "check_version", "compile_told", "is_hdf5", "is_hdf5_file", "opened", "read_json", "read_weights",
    "read_weights_by_name", "write_model", "write_weights", "written",
]  # fmt: skip
